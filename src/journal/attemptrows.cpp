// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the writer does with attempts, evaluations, iterations and experiences. Every function runs inside an
// operation's savepoint.
#include "journal/attemptrows.h"

#include "journal/rows.h"

#include <cmath>

using namespace Qt::Literals::StringLiterals;
using accelopt::sqlite::Database;

namespace accelopt::journal {

namespace {

std::optional<qint64> idOrNull(qint64 id)
{
    return id ? std::optional(id) : std::nullopt;
}

bool isFinite(const Evaluation &evaluation)
{
    const Latency &latency = evaluation.latency;
    bool finite = std::isfinite(evaluation.bandLowMs) && std::isfinite(evaluation.bandHighMs)
        && std::isfinite(evaluation.fractionOfPeak) && std::isfinite(evaluation.relativeError)
        && std::isfinite(latency.medianMs) && std::isfinite(latency.minMs) && std::isfinite(latency.maxMs);
    for (const double sample : latency.samplesMs)
        finite = finite && std::isfinite(sample);
    return finite;
}

double deviceSeconds(const Evaluation &evaluation)
{
    double seconds = 0;
    for (const QJsonValue &stage : evaluation.stageSeconds)
        seconds += stage.toDouble();
    return seconds;
}

} // namespace

Result<qint64> writeAttempt(Database &db, const Attempt &attempt)
{
    // A row is only ever completed, never taken back: a later, poorer copy of the same attempt changes nothing.
    const AttemptKey &key = attempt.key;
    std::optional<std::pair<QString, QString>> known; // state, sha256
    ACCELOPT_TRY(db.each(
        "SELECT state, sha256 FROM attempts WHERE run = ?1 AND problem = ?2 AND iteration = ?3 AND candidate = ?4 AND "
        "plan = ?5 "
        "AND attempt = ?6 AND round = ?7",
        [&known](const sqlite::Statement &row) { known.emplace(row.text(0), row.text(1)); }, attempt.run,
        attempt.problem, key.iteration, key.candidate, key.plan, key.attempt, key.round));
    if (known && known->first == "done"_L1 && !attempt.sha256.isEmpty() && known->second != attempt.sha256) {
        return fail(Error::Kind::Conflict,
            u"The attempt %1 of %2 is finished already, with another kernel; it was not changed."_s.arg(
                key.display(), attempt.problem),
            u"run %1, stored SHA-256 %2, new SHA-256 %3"_s.arg(attempt.run).arg(known->second, attempt.sha256));
    }
    const auto id = db.integer(
        "INSERT INTO attempts(run, problem, iteration, candidate, plan, attempt, round, parent, author, plan_title, "
        "parse_rule, sha256, "
        "program_hash, commit_id, state, duplicate_of, created_at) "
        "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, 'pending', ?15, ?16) "
        "ON CONFLICT(run, problem, iteration, candidate, plan, attempt, round) DO UPDATE SET "
        "parent = COALESCE(excluded.parent, parent), "
        "author = CASE WHEN excluded.author = '' THEN author ELSE excluded.author END, "
        "plan_title = CASE WHEN excluded.plan_title = '' THEN plan_title ELSE excluded.plan_title END, "
        "parse_rule = CASE WHEN excluded.parse_rule = '' THEN parse_rule ELSE excluded.parse_rule END, "
        "sha256 = CASE WHEN excluded.sha256 = '' THEN sha256 ELSE excluded.sha256 END, "
        "program_hash = CASE WHEN excluded.program_hash = '' THEN program_hash ELSE excluded.program_hash END, "
        "commit_id = CASE WHEN excluded.commit_id = '' THEN commit_id ELSE excluded.commit_id END, "
        "duplicate_of = COALESCE(duplicate_of, excluded.duplicate_of) RETURNING id",
        attempt.run, attempt.problem, key.iteration, key.candidate, key.plan, key.attempt, key.round,
        idOrNull(attempt.parent), attempt.author, attempt.planTitle, attempt.parseRule, attempt.sha256,
        attempt.programHash, attempt.commit, idOrNull(attempt.duplicateOf),
        attempt.createdAt.isValid() ? attempt.createdAt : QDateTime::currentDateTimeUtc());
    if (!id)
        return std::unexpected(id.error());
    if (attempt.state == Attempt::State::Evaluating)
        ACCELOPT_TRY(db.run("UPDATE attempts SET state = 'evaluating' WHERE id = ?1 AND state = 'pending'", **id));
    return **id;
}

Result<Claim> claimEvaluation(
    Database &db, qint64 attempt, const QString &purpose, const QString &host, Evaluation &stored)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    QString state;
    static const std::string find = std::string("SELECT ") + evaluationColumns
        + ", e.details, e.state FROM evaluations e WHERE e.attempt = ?1 AND e.purpose = ?2";
    ACCELOPT_TRY(db.each(
        find,
        [&](const sqlite::Statement &row) {
            state = row.text(evaluationColumnCount + 1);
            if (state == "finished"_L1)
                stored = readEvaluation(row, 0, true);
        },
        attempt, purpose));
    if (state == "finished"_L1)
        return Claim::Finished;
    if (state.isEmpty()) {
        ACCELOPT_TRY(db.run(
            "INSERT INTO evaluations(attempt, purpose, host, state, started_at) VALUES(?1, ?2, ?3, 'started', ?4)",
            attempt, purpose, host, now));
    } else {
        ACCELOPT_TRY(db.run("UPDATE evaluations SET host = ?3, state = 'started', tries = tries + 1, started_at = ?4, "
                            "finished_at = NULL "
                            "WHERE attempt = ?1 AND purpose = ?2",
            attempt, purpose, host, now));
    }
    ACCELOPT_TRY(db.run("UPDATE attempts SET state = 'evaluating' WHERE id = ?1 AND state = 'pending'", attempt));
    return state.isEmpty() ? Claim::Fresh : Claim::Again;
}

Result<void> writeEvaluation(Database &db, qint64 attempt, const QString &purpose, const Evaluation &evaluation,
    const QByteArray &details, qint64 duplicateOf, const QDateTime &at)
{
    if (!isFinite(evaluation)) {
        return fail(Error::Kind::Invalid, u"A result with a number that is not finite was not stored."_s,
            u"attempt %1, %2"_s.arg(attempt).arg(purpose));
    }
    QString state, sha256;
    bool found = false;
    ACCELOPT_TRY(db.each(
        "SELECT state, sha256, duplicate_of FROM attempts WHERE id = ?1",
        [&](const sqlite::Statement &row) {
            found = true;
            state = row.text(0);
            sha256 = row.text(1);
            if (duplicateOf == 0)
                duplicateOf = row.integer(2);
        },
        attempt));
    if (!found)
        return fail(Error::Kind::NotFound, u"There is no attempt %1 in this project."_s.arg(attempt));
    // The source that is uploaded, committed and measured has one SHA-256 (a duplicate carries its twin's).
    if (duplicateOf == 0 && !evaluation.sha256.isEmpty() && !sha256.isEmpty() && evaluation.sha256 != sha256) {
        return fail(Error::Kind::Conflict,
            u"The kernel that was measured is not the kernel of attempt %1; the result was not stored."_s.arg(attempt),
            u"stored SHA-256 %1, measured %2"_s.arg(sha256, evaluation.sha256));
    }
    const Latency &latency = evaluation.latency;
    const EvaluationError &error = evaluation.error;
    const auto id = db.integer(
        "INSERT INTO evaluations(attempt, purpose, host, state, status, error_kind, error_id, error_message, "
        "error_line, error_stage, "
        "median_ms, min_ms, max_ms, estimate, band_low_ms, band_high_ms, confidence, fraction, quarantined, "
        "relative_error, core, sha256, "
        "device_seconds, details, started_at, finished_at) "
        "VALUES(?1, ?2, '', 'finished', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, "
        "?20, ?21, ?22, ?23, ?23) "
        "ON CONFLICT(attempt, purpose) DO UPDATE SET state = 'finished', status = excluded.status, error_kind = "
        "excluded.error_kind, "
        "error_id = excluded.error_id, error_message = excluded.error_message, error_line = excluded.error_line, "
        "error_stage = excluded.error_stage, median_ms = excluded.median_ms, min_ms = excluded.min_ms, max_ms = "
        "excluded.max_ms, "
        "estimate = excluded.estimate, band_low_ms = excluded.band_low_ms, band_high_ms = excluded.band_high_ms, "
        "confidence = excluded.confidence, fraction = excluded.fraction, quarantined = excluded.quarantined, "
        "relative_error = excluded.relative_error, core = excluded.core, sha256 = excluded.sha256, "
        "device_seconds = excluded.device_seconds, details = excluded.details, finished_at = excluded.finished_at "
        "WHERE state <> 'finished' RETURNING id",
        attempt, purpose, statusName(evaluation.status), errorKindName(error.kind), error.id, error.message, error.line,
        error.stage, latency.medianMs, latency.minMs, latency.maxMs, evaluation.estimate, evaluation.bandLowMs,
        evaluation.bandHighMs, evaluation.confidence, evaluation.fractionOfPeak, evaluation.quarantined,
        evaluation.relativeError, evaluation.core, evaluation.sha256, duplicateOf ? 0.0 : deviceSeconds(evaluation),
        details, at);
    if (!id)
        return std::unexpected(id.error());
    if (!*id)
        return {}; // finished before: the first result holds
    if (purpose != "search"_L1 && state == "done"_L1)
        return {};
    const bool hasLatency = evaluation.status != Evaluation::Status::Failed && latency.medianMs > 0;
    return db.run("UPDATE attempts SET state = 'done', evaluation = ?2, verdict = ?3, duplicate_of = COALESCE(?4, "
                  "duplicate_of), latency_ms = ?5, "
                  "fraction = ?6, estimate = ?7, error_message = ?8, finished_at = ?9 WHERE id = ?1",
        attempt, **id, verdictWord(evaluation, duplicateOf != 0), idOrNull(duplicateOf),
        hasLatency ? std::optional(latency.medianMs) : std::nullopt,
        hasLatency ? std::optional(evaluation.fractionOfPeak) : std::nullopt, evaluation.estimate, error.message, at);
}

Result<void> writeIterationEnd(
    Database &db, qint64 run, const QString &problem, int iteration, const QList<BeamPlace> &next)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const auto finished =
        db.integer("SELECT 1 FROM iterations WHERE run = ?1 AND problem = ?2 AND iteration = ?3 AND state = 'finished'",
            run, problem, iteration);
    if (!finished)
        return std::unexpected(finished.error());
    if (*finished) {
        // Asked again after a crash between the commit and the caller's next step: the same beam is fine, another one
        // is not.
        QList<std::pair<int, qint64>> stored, wanted;
        ACCELOPT_TRY(db.each(
            "SELECT candidate, attempt FROM beams WHERE run = ?1 AND problem = ?2 AND iteration = ?3 ORDER BY "
            "candidate",
            [&stored](const sqlite::Statement &row) { stored.emplaceBack(row.number(0), row.integer(1)); }, run,
            problem, iteration + 1));
        for (const BeamPlace &place : next)
            wanted.emplaceBack(place.candidate, place.attempt);
        std::ranges::sort(wanted);
        if (stored == wanted)
            return {};
        return fail(Error::Kind::Conflict,
            u"Iteration %1 of %2 is finished already, with another beam; it was not changed."_s.arg(iteration).arg(
                problem));
    }
    ACCELOPT_TRY(
        db.run("DELETE FROM beams WHERE run = ?1 AND problem = ?2 AND iteration = ?3", run, problem, iteration + 1));
    for (const BeamPlace &place : next) {
        ACCELOPT_TRY(db.run(
            "INSERT INTO beams(run, problem, iteration, candidate, attempt, origin) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
            run, problem, iteration + 1, place.candidate, place.attempt, place.origin));
    }
    return db.run(
        "INSERT INTO iterations(run, problem, iteration, state, started_at, finished_at) VALUES(?1, ?2, ?3, "
        "'finished', ?4, ?4) "
        "ON CONFLICT(run, problem, iteration) DO UPDATE SET state = 'finished', finished_at = excluded.finished_at",
        run, problem, iteration, now);
}

Result<QList<qint64>> writeExperiences(Database &db, const QList<Experience> &experiences)
{
    QList<qint64> ids;
    for (const Experience &experience : experiences) {
        // A person's edit (state, edited summary) survives a repetition.
        const auto id =
            db.integer("INSERT INTO experiences(run, problem, iteration, rank, positive, speedup, slow_attempt, "
                       "fast_attempt, title, summary, state, "
                       "edited_summary, created_at) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) "
                       "ON CONFLICT(run, problem, iteration, rank) DO UPDATE SET positive = excluded.positive, speedup "
                       "= excluded.speedup, "
                       "slow_attempt = excluded.slow_attempt, fast_attempt = excluded.fast_attempt, title = "
                       "excluded.title, summary = excluded.summary "
                       "RETURNING id",
                experience.run, experience.problem, experience.iteration, experience.rank, experience.positive,
                experience.speedup, experience.slowAttempt, experience.fastAttempt, experience.title,
                experience.summary, experienceStateName(experience.state), experience.editedSummary,
                experience.createdAt.isValid() ? experience.createdAt : QDateTime::currentDateTimeUtc());
        if (!id)
            return std::unexpected(id.error());
        ids.append(**id);
    }
    return ids;
}

Result<void> writeMemory(
    Database &db, qint64 run, const QString &problem, int iteration, const QList<qint64> &experiences)
{
    ACCELOPT_TRY(
        db.run("DELETE FROM memories WHERE run = ?1 AND problem = ?2 AND iteration = ?3", run, problem, iteration));
    int position = 0;
    for (const qint64 experience : experiences) {
        ACCELOPT_TRY(
            db.run("INSERT INTO memories(run, problem, iteration, position, experience) VALUES(?1, ?2, ?3, ?4, ?5)",
                run, problem, iteration, position++, experience));
    }
    return {};
}

} // namespace accelopt::journal
