// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"
#include "domain/problem.h"
#include "journal/journalreader.h"
#include "search/project.h"
#include "search/runcontroller.h"

#include <QJsonObject>

/// The JSON documents of the command line, stable from the first version: docs/cli-json.md.
namespace accelopt::cli {

[[nodiscard]] QJsonObject problemDocument(const Problem &problem);
[[nodiscard]] Result<QJsonObject> statusDocument(const JournalReader &reader, qint64 run);
/// `parent` and `baselineMs` give speedups; parent may be null.
[[nodiscard]] QJsonObject attemptDocument(const Attempt &attempt, const Attempt *parent, double baselineMs);
[[nodiscard]] Result<QJsonObject> candidatesDocument(
    const JournalReader &reader, qint64 run, const AttemptFilter &filter);
[[nodiscard]] QJsonObject ledgerDocument(const LedgerTotals &totals);
[[nodiscard]] QJsonObject eventDocument(const RunEvent &event);
[[nodiscard]] QJsonObject estimateDocument(const RunEstimate &estimate);

/// "silu/i01.c1.p02.a1", "silu/baseline", "silu/best", "7:silu/…" for run 7, "#123" for a journal id, or a commit id of
/// at least 7 digits.
[[nodiscard]] Result<Attempt> resolveAttempt(const Project &project, const JournalReader &reader, const QString &text);
/// For people: "silu/i01.c1.p02.a1".
[[nodiscard]] QString attemptName(const Attempt &attempt);

} // namespace accelopt::cli
