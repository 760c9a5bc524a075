// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/records.h"

#include <memory>

namespace accelopt {

/// By what `attempts` are sorted; equal ones by problem and key. Attempts without the value come last.
enum class AttemptOrder { Key, Latency, Fraction, Created, Author, Title, Verdict };

/// Narrows and sorts `attempts`. Empty members do not narrow.
struct AttemptFilter {
    qint64 run = 0;
    QString problem;
    int iterationFrom = -1, iterationTo = -1;
    QString verdict; ///< correct, failed, same, quarantined, skipped, pending
    QString text; ///< in plan title, author, error message
    qint64 parent = 0;
    AttemptOrder order = AttemptOrder::Key;
    bool descending = false;
    bool details = true; ///< off: without profile, samples, environment and stage seconds, which no table row needs
};

/// Reads a project's store; read-only, its own connection. Use one per thread. Every call sees one consistent state.
class JournalReader {
public:
    [[nodiscard]] static Result<std::unique_ptr<JournalReader>> open(const QString &databasePath);
    ~JournalReader();

    [[nodiscard]] Result<QList<Problem>> problems() const; ///< newest version of each, by name
    [[nodiscard]] Result<QList<Problem>> problemsOfRun(qint64 run) const; ///< as frozen
    [[nodiscard]] Result<QList<RunRecord>> runs() const; ///< oldest first
    [[nodiscard]] Result<RunRecord> run(qint64 id) const; ///< id 0: the newest; NotFound where there is none
    [[nodiscard]] Result<QList<ProblemStatus>> problemStatus(qint64 run) const;
    [[nodiscard]] Result<AttemptCounts> attemptCounts(qint64 run, const QString &problem = {}) const;

    [[nodiscard]] Result<QList<Attempt>> attempts(
        const AttemptFilter &filter, int limit = -1, int offset = 0) const; ///< by problem, key
    /// For virtual tables: all ids in order (a few milliseconds for 100,000), then `attemptsById` for the rows that are
    /// seen.
    [[nodiscard]] Result<QList<qint64>> attemptIds(const AttemptFilter &filter) const;
    [[nodiscard]] Result<QList<Attempt>> attemptsById(
        const QList<qint64> &ids, bool details = false) const; ///< in the order given; unknown ids are left out
    [[nodiscard]] Result<qint64> attemptCount(const AttemptFilter &filter) const;
    [[nodiscard]] Result<Attempt> attempt(qint64 id) const;
    [[nodiscard]] Result<Attempt> attempt(qint64 run, const QString &problem, const AttemptKey &key) const;
    [[nodiscard]] Result<QList<Attempt>> lineage(qint64 attempt) const; ///< from the baseline to the attempt
    /// All evaluations of an attempt that are finished, by purpose ("search", "verify", …).
    [[nodiscard]] Result<QMap<QString, Evaluation>> evaluations(qint64 attempt) const;
    [[nodiscard]] Result<Plan> plan(qint64 run, const QString &problem, int iteration, int candidate, int plan) const;
    [[nodiscard]] Result<QList<Plan>> plans(qint64 run, const QString &problem, int iteration = -1) const;
    [[nodiscard]] Result<QList<BeamPlace>> beam(qint64 run, const QString &problem, int iteration) const;
    [[nodiscard]] Result<QList<BeamPlace>> beams(qint64 run, const QString &problem = {}) const; ///< of all iterations
    [[nodiscard]] Result<int> finishedIterations(qint64 run, const QString &problem) const;

    [[nodiscard]] Result<QList<Experience>> experiences(
        qint64 run = 0, const QString &problem = {}) const; ///< newest first; 0 = all runs
    [[nodiscard]] Result<QList<qint64>> memory(
        qint64 run, const QString &problem, int iteration) const; ///< ids after that iteration
    [[nodiscard]] Result<QList<qint64>> experiencesInPrompt(
        qint64 run, const QString &problem, int iteration, int candidate) const;

    [[nodiscard]] Result<QList<CallRecord>> calls(qint64 run) const; ///< without request and reply
    [[nodiscard]] Result<CallRecord> call(qint64 run, const CallKey &key) const; ///< newest try, with request and reply
    [[nodiscard]] Result<LedgerTotals> ledger(qint64 run) const;
    [[nodiscard]] Result<QMap<QString, LedgerTotals>> ledgerBy(
        qint64 run, const QString &column) const; ///< "model" or "role"
    [[nodiscard]] Result<double> deviceSeconds(qint64 run) const;

    [[nodiscard]] Result<QList<ActivityRecord>> activity(qint64 run, const QDateTime &since) const;
    [[nodiscard]] Result<QList<LogEvent>> log(qint64 run, int limit = 500, qint64 afterId = 0) const; ///< newest last
    [[nodiscard]] Result<QJsonObject> value(const QString &key) const; ///< empty object when never put
    [[nodiscard]] Result<QStringList>
    integrityProblems() const; ///< PRAGMA integrity_check and foreign_key_check; empty when sound

private:
    JournalReader();
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace accelopt
