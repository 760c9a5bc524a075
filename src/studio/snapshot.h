// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/journalreader.h"

#include <QMap>
#include <memory>

namespace accelopt {

/// What the window shows of a project and its chosen run, read at once on a worker thread and handed to the GUI thread
/// as an immutable value. Sums and means are taken here so that no page takes them twice.
struct Snapshot {
    QList<Problem> problems; ///< the run's frozen ones, or the project's while there is no run
    QList<RunRecord> runs; ///< oldest first
    std::optional<RunRecord> run; ///< the shown one
    QList<ProblemStatus> status; ///< by name; empty without a run
    AttemptCounts counts;
    QMap<QString, AttemptCounts> countsByProblem;
    LedgerTotals ledger;
    QMap<QString, LedgerTotals> ledgerByRole, ledgerByModel;
    double deviceSeconds = 0;
    QList<BeamPlace> beams; ///< of all iterations
    QList<LogEvent> log; ///< the newest 500, newest last
    QList<ActivityRecord> activity; ///< of the last hour
    qint64 positiveExperiences = 0, negativeExperiences = 0;
    qint64 memoryPlaces = 0;
    double baselineGeomean = 0, bestGeomean = 0; ///< of fractions of peak
    QList<double> geomeanByIteration; ///< [0] is the baseline
    int betterProblems = 0; ///< faster than their baseline beyond the noise
    bool estimate = false; ///< true where any best is an estimate
    qint64 plannedAttempts = 0; ///< upper bound, 0 without a run
    int iteration = 0; ///< the one under way (the slowest problem's), from 1; T when all are finished
    double progress = 0; ///< 0 to 1, of planned attempts
    QDateTime readAt;

    [[nodiscard]] const ProblemStatus *problem(const QString &name) const;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// Reads a snapshot of run `run` (0 = the newest). Worker thread.
[[nodiscard]] Result<SnapshotPtr> readSnapshot(const JournalReader &reader, qint64 run);

} // namespace accelopt
