// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How values stand in rows, for the writer and the reader. Not for other rooms.

#include "journal/records.h"
#include "journal/sqlite.h"

namespace accelopt::journal {

[[nodiscard]] RunState runStateFromName(const QString &name);
[[nodiscard]] QString callStateName(CallRecord::State state);
[[nodiscard]] CallRecord::State callStateFromName(const QString &name);
[[nodiscard]] QString attemptStateName(Attempt::State state);
[[nodiscard]] Attempt::State attemptStateFromName(const QString &name);
[[nodiscard]] Experience::State experienceStateFromName(const QString &name);
/// The indexed word of `AttemptFilter::verdict`.
[[nodiscard]] QString verdictWord(const Evaluation &evaluation, bool duplicate);
/// True while the engine works on it, so that its active time grows.
[[nodiscard]] bool isActiveState(RunState state);

/// Dimensions, tolerance, work and the rest of a problem but for its files.
[[nodiscard]] QJsonObject problemDefinition(const Problem &problem);
/// Of everything that makes a problem what it is.
[[nodiscard]] QString problemDigest(const Problem &problem);
inline constexpr char problemColumns[] = "p.name, p.definition, p.json, p.reference, p.kernel";
[[nodiscard]] Problem readProblem(const sqlite::Statement &row);

inline constexpr char runColumns[] =
    "id, name, state, settings, facts, stop_reason, created_at, started_at, finished_at, active_ms, active_since";
[[nodiscard]] Result<RunRecord> readRun(const sqlite::Statement &row);

inline constexpr char callColumns[] = "c.id, c.run, c.problem, c.iteration, c.candidate, c.plan, c.attempt, c.round, "
                                      "c.role, c.try, c.state, c.provider, c.model, "
                                      "c.endpoint, c.model_reported, c.finish_reason, c.input_tokens, c.cached_tokens, "
                                      "c.output_tokens, c.reasoning_tokens, "
                                      "c.usage_raw, c.cost_usd, c.maximum_usd, c.error, c.started_at, c.finished_at";
inline constexpr int callColumnCount = 26;
[[nodiscard]] CallRecord readCall(const sqlite::Statement &row);
/// Request, reply and reasoning from the three columns at `first`.
void readExchange(const sqlite::Statement &row, int first, CallRecord &record);

inline constexpr char planColumns[] = "id, iteration, candidate, plan, title, text, model";
[[nodiscard]] Plan readPlan(const sqlite::Statement &row);

/// Details (samples, profile, stage seconds, environment) are a compressed JSON blob.
[[nodiscard]] QByteArray evaluationDetails(const Evaluation &evaluation);
inline constexpr char evaluationColumns[] =
    "e.status, e.error_kind, e.error_id, e.error_message, e.error_line, e.error_stage, e.median_ms, e.min_ms, "
    "e.max_ms, e.estimate, "
    "e.band_low_ms, e.band_high_ms, e.confidence, e.fraction, e.quarantined, e.relative_error, e.core, e.sha256";
inline constexpr int evaluationColumnCount = 18;
/// From the columns at `first`, with e.details right behind them.
[[nodiscard]] Evaluation readEvaluation(const sqlite::Statement &row, int first, bool details);

inline constexpr char attemptColumns[] =
    "a.id, a.run, a.problem, a.iteration, a.candidate, a.plan, a.attempt, a.round, a.parent, a.author, a.plan_title, "
    "a.parse_rule, "
    "a.sha256, a.program_hash, a.commit_id, a.state, a.duplicate_of, a.created_at, a.finished_at, a.evaluation";
inline constexpr int attemptColumnCount = 20;
/// Needs attemptColumns, evaluationColumns, e.details.
[[nodiscard]] Attempt readAttempt(const sqlite::Statement &row, bool details);

inline constexpr char experienceColumns[] =
    "x.id, x.run, x.problem, x.iteration, x.rank, x.positive, x.speedup, x.slow_attempt, x.fast_attempt, x.title, "
    "x.summary, x.state, "
    "x.edited_summary, x.created_at, (SELECT COUNT(*) FROM experience_uses u WHERE u.experience = x.id)";
[[nodiscard]] Experience readExperience(const sqlite::Statement &row);

} // namespace accelopt::journal
