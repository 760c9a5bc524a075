// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The writer's side of attempts, evaluations, iterations and experiences. Not for other rooms.

#include "journal/journal.h"
#include "journal/sqlite.h"

namespace accelopt::journal {

[[nodiscard]] Result<qint64> writeAttempt(sqlite::Database &db, const Attempt &attempt);
[[nodiscard]] Result<void> writeEvaluation(sqlite::Database &db, qint64 attempt, const QString &purpose,
    const Evaluation &evaluation, const QByteArray &details, qint64 duplicateOf, const QDateTime &at);
[[nodiscard]] Result<Claim> claimEvaluation(
    sqlite::Database &db, qint64 attempt, const QString &purpose, const QString &host, Evaluation &stored);
[[nodiscard]] Result<void> writeIterationEnd(
    sqlite::Database &db, qint64 run, const QString &problem, int iteration, const QList<BeamPlace> &next);
[[nodiscard]] Result<QList<qint64>> writeExperiences(sqlite::Database &db, const QList<Experience> &experiences);
[[nodiscard]] Result<void> writeMemory(
    sqlite::Database &db, qint64 run, const QString &problem, int iteration, const QList<qint64> &experiences);

} // namespace accelopt::journal
