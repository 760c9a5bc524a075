// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal/journal.h"

#include "journal/attemptrows.h"
#include "journal/rows.h"
#include "journal/schema.h"
#include "journal/writer.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::Literals::StringLiterals;
using accelopt::sqlite::Database;

namespace accelopt {

class Journal::Private : public journal::Writer {
public:
    using Writer::Writer;
};

namespace {

QDateTime now()
{
    return QDateTime::currentDateTimeUtc();
}

std::unexpected<Error> missingRun(qint64 run)
{
    return fail(Error::Kind::NotFound, u"There is no run %1 in this project."_s.arg(run));
}

Result<qint64> storeProblem(Database &db, const Problem &problem, bool makeCurrent)
{
    const QString digest = journal::problemDigest(problem);
    if (makeCurrent)
        ACCELOPT_TRY(db.run("UPDATE problems SET current = 0 WHERE name = ?1 AND digest <> ?2", problem.name, digest));
    const auto hasCurrent = db.integer("SELECT 1 FROM problems WHERE name = ?1 AND current = 1", problem.name);
    if (!hasCurrent)
        return std::unexpected(hasCurrent.error());
    const bool current = makeCurrent || !*hasCurrent;
    // Sources are text or bytes; an empty one is still a source, not a missing one.
    const auto blob = [](const QByteArray &bytes) { return bytes.isNull() ? QByteArray("") : bytes; };
    const auto id =
        db.integer("INSERT INTO problems(name, digest, current, definition, json, reference, kernel, created_at) "
                   "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) "
                   "ON CONFLICT(name, digest) DO UPDATE SET current = MAX(current, excluded.current) RETURNING id",
            problem.name, digest, current, journal::problemDefinition(problem), problem.json,
            blob(problem.referenceSource), blob(problem.kernelSource), now());
    if (!id)
        return std::unexpected(id.error());
    return **id;
}

} // namespace

Journal::Journal() = default;
Journal::~Journal() = default;

namespace {

Result<void> prepareForWriting(Database &db)
{
    // NORMAL: a killed process loses nothing, a power cut at most what came after the last checkpoint (one per
    // iteration).
    ACCELOPT_TRY(db.execute("PRAGMA journal_mode = WAL"));
    ACCELOPT_TRY(
        db.execute("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -16000; "
                   "PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864"));
    return {};
}

QString lockPath(const QString &databasePath)
{
    return QFileInfo(databasePath).absolutePath() + u"/accelopt.lock"_s;
}

} // namespace

Result<std::unique_ptr<Journal>> Journal::create(const QString &databasePath)
{
    auto lock = journal::LockFile::take(lockPath(databasePath));
    if (!lock)
        return std::unexpected(lock.error());
    if (QFileInfo::exists(databasePath)) {
        return fail(Error::Kind::Conflict,
            u"There is already a database %1; it was not changed."_s.arg(QDir::toNativeSeparators(databasePath)));
    }
    std::unique_ptr<Journal> result(new Journal);
    result->d = std::make_unique<Private>(std::move(*lock));
    Database &db = result->d->database();
    Result<void> made = db.open(databasePath, Database::Mode::Create);
    if (made)
        made = prepareForWriting(db);
    if (made)
        made = journal::migrate(db, 0);
    if (!made) {
        // What was begun here is only ours: leave nothing half made behind.
        db.close();
        for (const QLatin1StringView suffix : {""_L1, "-wal"_L1, "-shm"_L1})
            QFile::remove(databasePath + suffix);
        return std::unexpected(made.error());
    }
    result->d->start();
    return result;
}

Result<std::unique_ptr<Journal>> Journal::open(const QString &databasePath)
{
    if (!QFileInfo(databasePath).isFile()) {
        return fail(
            Error::Kind::NotFound, u"There is no project database %1."_s.arg(QDir::toNativeSeparators(databasePath)));
    }
    auto lock = journal::LockFile::take(lockPath(databasePath));
    if (!lock)
        return std::unexpected(lock.error());
    std::unique_ptr<Journal> result(new Journal);
    result->d = std::make_unique<Private>(std::move(*lock));
    Database &db = result->d->database();
    int version = 0;
    {
        // Looked at read-only first: what is not ours stays byte for byte as it is.
        Database look;
        ACCELOPT_TRY(look.open(databasePath, Database::Mode::ReadOnly));
        const Result<int> found = journal::checkSchema(look);
        if (!found)
            return std::unexpected(found.error());
        version = *found;
    }
    ACCELOPT_TRY(db.open(databasePath, Database::Mode::ReadWrite));
    ACCELOPT_TRY(prepareForWriting(db));
    ACCELOPT_TRY(journal::migrate(db, version));
    result->d->start();
    return result;
}

QFuture<Result<void>> Journal::putProblem(const Problem &problem)
{
    return d->submit<void>([problem](Database &db) -> Result<void> {
        if (problem.name.isEmpty())
            return fail(Error::Kind::Invalid, u"A problem needs a name."_s);
        const Result<qint64> id = storeProblem(db, problem, true);
        if (!id)
            return std::unexpected(id.error());
        return {};
    });
}

QFuture<Result<void>> Journal::removeProblem(const QString &name)
{
    return d->submit<void>([name](Database &db) -> Result<void> {
        const auto user =
            db.integer("SELECT r.id FROM run_problems rp JOIN runs r ON r.id = rp.run "
                       "WHERE rp.problem = ?1 AND r.state IN ('ready', 'running', 'paused', 'draining') LIMIT 1",
                name);
        if (!user)
            return std::unexpected(user.error());
        if (*user) {
            return fail(Error::Kind::Conflict,
                u"Run %1 works on the problem %2; it was kept. Stop the run first."_s.arg(**user).arg(name));
        }
        ACCELOPT_TRY(db.run("UPDATE problems SET current = 0 WHERE name = ?1 AND current = 1", name));
        if (db.changes() == 0)
            return fail(Error::Kind::NotFound, u"There is no problem %1 in this project."_s.arg(name));
        return db.run("DELETE FROM problems WHERE name = ?1 AND id NOT IN (SELECT problem_id FROM run_problems)", name);
    });
}

QFuture<Result<qint64>> Journal::createRun(
    const RunSettings &settings, const FrozenFacts &facts, const QList<Problem> &problems)
{
    return d->submit<qint64>([settings, facts, problems](Database &db) -> Result<qint64> {
        if (problems.isEmpty())
            return fail(Error::Kind::Invalid, u"A run needs at least one problem."_s);
        ACCELOPT_TRY(
            db.run("INSERT INTO runs(name, state, settings, facts, created_at) VALUES('', 'ready', ?1, ?2, ?3)",
                settings.toJson(), facts.toJson(), now()));
        const qint64 run = db.lastInsertId();
        ACCELOPT_TRY(db.run("UPDATE runs SET name = 'Run ' || id WHERE id = ?1", run));
        int position = 0;
        for (const Problem &problem : problems) {
            const Result<qint64> id = storeProblem(db, problem, false);
            if (!id)
                return std::unexpected(id.error());
            const Roofline roof = roofline(problem.work, facts.peaks, problem.dtype);
            ACCELOPT_TRY(db.run("INSERT INTO run_problems(run, problem, position, problem_id, peak_ms, bound) "
                                "VALUES(?1, ?2, ?3, ?4, COALESCE(?5, 0), ?6)",
                run, problem.name, position++, *id, roof.peakMs, boundName(roof.bound)));
        }
        return run;
    });
}

QFuture<Result<void>> Journal::setRunState(qint64 run, RunState state, const QString &reason)
{
    return d->submit<void>(
        [this, run, state, reason](Database &db) -> Result<void> {
            const bool active = journal::isActiveState(state);
            qint64 worked = 0;
            if (const auto since = d->activeSince.constFind(run); since != d->activeSince.cend())
                worked = since->elapsed();
            const bool ended = state == RunState::Finished || state == RunState::Failed || state == RunState::Stopped
                || state == RunState::BudgetReached || state == RunState::Interrupted;
            ACCELOPT_TRY(
                db.run("UPDATE runs SET state = ?2, stop_reason = ?3, active_ms = active_ms + ?4, active_since = ?5, "
                       "started_at = COALESCE(started_at, ?6), finished_at = ?7 WHERE id = ?1",
                    run, runStateName(state), reason, worked, active ? now() : QDateTime(),
                    state == RunState::Running ? now() : QDateTime(), ended ? now() : QDateTime()));
            if (db.changes() == 0)
                return missingRun(run);
            if (active)
                d->activeSince[run].start();
            else
                d->activeSince.remove(run);
            return {};
        },
        true);
}

QFuture<Result<void>> Journal::markInterrupted(qint64 run)
{
    return d->submit<void>(
        [this, run](Database &db) -> Result<void> {
            // The last sign of life stands for the time of death.
            const auto last = db.integer(
                "SELECT MAX(t) FROM ("
                "SELECT MAX(MAX(started_at, COALESCE(finished_at, 0))) t FROM calls WHERE run = ?1 UNION ALL "
                "SELECT MAX(MAX(e.started_at, COALESCE(e.finished_at, 0))) FROM attempts a JOIN evaluations e ON "
                "e.attempt = a.id "
                "WHERE a.run = ?1 UNION ALL "
                "SELECT at FROM log_events WHERE id = (SELECT MAX(id) FROM log_events WHERE run = ?1) UNION ALL "
                "SELECT MAX(created_at, COALESCE(active_since, 0)) FROM runs WHERE id = ?1)",
                run);
            if (!last)
                return std::unexpected(last.error());
            if (!*last)
                return missingRun(run);
            ACCELOPT_TRY(db.run("UPDATE calls SET state = 'interrupted', finished_at = MAX(started_at, ?2) WHERE run = "
                                "?1 AND state = 'started'",
                run, **last));
            ACCELOPT_TRY(db.run("UPDATE evaluations SET state = 'interrupted', finished_at = MAX(started_at, ?2) "
                                "WHERE finished_at IS NULL AND attempt IN (SELECT id FROM attempts WHERE run = ?1)",
                run, **last));
            ACCELOPT_TRY(db.run("UPDATE attempts SET state = 'pending' WHERE run = ?1 AND state = 'evaluating'", run));
            d->activeSince.remove(run);
            return db.run(
                "UPDATE runs SET active_ms = active_ms + MAX(0, ?2 - COALESCE(active_since, ?2)), active_since = NULL, "
                "finished_at = CASE WHEN state IN ('running', 'paused', 'draining') THEN ?2 ELSE finished_at END, "
                "state = CASE WHEN state IN ('running', 'paused', 'draining') THEN 'interrupted' ELSE state END WHERE "
                "id = ?1",
                run, **last);
        },
        true);
}

QFuture<Result<Journal::CallClaim>> Journal::beginCall(
    qint64 run, const CallKey &key, const ModelChoice &model, const QByteArray &request, double maximumUsd)
{
    // Compressed here, on the caller's thread: the writer is shared by all.
    return d->submit<CallClaim>([run, key, model, maximumUsd, packed = sqlite::compress(request)](
                                    Database &db) -> Result<CallClaim> {
        CallClaim claim;
        std::optional<CallRecord> previous;
        static const std::string newest = std::string("SELECT ") + journal::callColumns
            + ", x.request, x.reply, x.reasoning FROM calls c LEFT JOIN exchanges x ON x.call = c.id WHERE c.run = ?1 "
              "AND c.problem = ?2 AND "
              "c.iteration = ?3 AND c.candidate = ?4 AND c.plan = ?5 AND c.attempt = ?6 AND c.round = ?7 AND c.role = "
              "?8 ORDER BY c.try DESC LIMIT 1";
        ACCELOPT_TRY(db.each(
            newest,
            [&previous](const sqlite::Statement &row) {
                previous = journal::readCall(row);
                if (previous->state == CallRecord::State::Finished)
                    journal::readExchange(row, journal::callColumnCount, *previous);
            },
            run, key.problem, key.iteration, key.candidate, key.plan, key.attempt, key.round, roleName(key.role)));
        if (previous && previous->state == CallRecord::State::Finished)
            return CallClaim{Claim::Finished, *previous};
        if (previous && previous->state == CallRecord::State::Started)
            ACCELOPT_TRY(
                db.run("UPDATE calls SET state = 'interrupted', finished_at = ?2 WHERE id = ?1", previous->id, now()));
        claim.claim = previous ? Claim::Again : Claim::Fresh;
        CallRecord &record = claim.record;
        record.run = run;
        record.key = key;
        record.model = model;
        record.tryNumber = previous ? previous->tryNumber + 1 : 1;
        record.maximumUsd = maximumUsd;
        record.startedAt = now();
        ACCELOPT_TRY(db.run(
            "INSERT INTO calls(run, problem, iteration, candidate, plan, attempt, round, role, try, state, provider, "
            "model, "
            "endpoint, model_name, maximum_usd, started_at) "
            "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'started', ?10, ?11, ?12, ?13, COALESCE(?14, 0), ?15)",
            run, key.problem, key.iteration, key.candidate, key.plan, key.attempt, key.round, roleName(key.role),
            record.tryNumber, model.provider, model.model, model.endpoint, model.name(), maximumUsd, record.startedAt));
        record.id = db.lastInsertId();
        ACCELOPT_TRY(db.run("INSERT INTO exchanges(call, request) VALUES(?1, ?2)", record.id,
            packed.isNull() ? QByteArray("") : packed));
        return claim;
    });
}

QFuture<Result<void>> Journal::finishCall(const CallRecord &record)
{
    CallRecord row = record;
    row.request.clear();
    row.reply = sqlite::compress(record.reply);
    const QByteArray reasoning = sqlite::compress(record.reasoning.toUtf8());
    return d->submit<void>([row, reasoning](Database &db) -> Result<void> {
        if (row.state != CallRecord::State::Finished && row.state != CallRecord::State::Failed)
            return fail(Error::Kind::Invalid, u"A call can only end as finished or failed."_s);
        const Usage &usage = row.usage;
        ACCELOPT_TRY(db.run(
            "UPDATE calls SET state = ?2, model_reported = ?3, finish_reason = ?4, input_tokens = ?5, cached_tokens = "
            "?6, "
            "output_tokens = ?7, reasoning_tokens = ?8, usage_raw = ?9, cost_usd = ?10, error = ?11, finished_at = ?12 "
            "WHERE id = ?1 AND state IN ('started', 'interrupted')",
            row.id, journal::callStateName(row.state), row.modelReported, row.finishReason, usage.inputTokens,
            usage.cachedTokens, usage.outputTokens, usage.reasoningTokens, usage.raw, row.costUsd, row.error,
            row.finishedAt.isValid() ? row.finishedAt : now()));
        if (db.changes() == 0) {
            const auto known = db.integer("SELECT 1 FROM calls WHERE id = ?1", row.id);
            if (!known)
                return std::unexpected(known.error());
            if (!*known)
                return fail(Error::Kind::NotFound, u"There is no call %1 in this project."_s.arg(row.id));
            return {}; // finished before: the first result holds
        }
        return db.run("UPDATE exchanges SET reply = ?2, reasoning = ?3 WHERE call = ?1", row.id, row.reply, reasoning);
    });
}

QFuture<Result<void>> Journal::recordExperienceUses(
    qint64 run, const QString &problem, int iteration, int candidate, const QList<qint64> &experiences)
{
    return d->submit<void>([=](Database &db) -> Result<void> {
        ACCELOPT_TRY(
            db.run("DELETE FROM experience_uses WHERE run = ?1 AND problem = ?2 AND iteration = ?3 AND candidate = ?4",
                run, problem, iteration, candidate));
        int position = 0;
        for (const qint64 experience : experiences) {
            ACCELOPT_TRY(db.run("INSERT INTO experience_uses(run, problem, iteration, candidate, position, experience) "
                                "VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                run, problem, iteration, candidate, position++, experience));
        }
        return {};
    });
}

QFuture<Result<void>> Journal::log(const LogEvent &event)
{
    return d->submit<void>([event](Database &db) -> Result<void> {
        return db.run("INSERT INTO log_events(run, at, kind, problem, attempt, text) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
            event.run ? std::optional(event.run) : std::nullopt, event.at.isValid() ? event.at : now(), event.kind,
            event.problem, event.attempt, event.text);
    });
}

QFuture<Result<void>> Journal::putValue(const QString &key, const QJsonObject &value)
{
    return d->submit<void>([key, value](Database &db) -> Result<void> {
        return db.run(
            "INSERT INTO project_values(key, json) VALUES(?1, ?2) ON CONFLICT(key) DO UPDATE SET json = excluded.json",
            key, value);
    });
}

void Journal::flush()
{
    d->submit<void>([](Database &) -> Result<void> { return {}; }, true).waitForFinished();
}

QObject *Journal::notifier() const
{
    return d->notifier();
}

QFuture<Result<qint64>> Journal::putPlan(qint64 run, const QString &problem, const Plan &plan)
{
    return d->submit<qint64>([run, problem, plan](Database &db) -> Result<qint64> {
        const auto id = db.integer(
            "INSERT INTO plans(run, problem, iteration, candidate, plan, title, text, model, created_at) "
            "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT(run, problem, iteration, candidate, plan) "
            "DO UPDATE SET title = excluded.title, text = excluded.text, model = excluded.model RETURNING id",
            run, problem, plan.iteration, plan.candidate, plan.plan, plan.title, plan.text, plan.model, now());
        if (!id)
            return std::unexpected(id.error());
        return **id;
    });
}

QFuture<Result<qint64>> Journal::putAttempt(const Attempt &attempt)
{
    QByteArray details;
    if (attempt.state == Attempt::State::Done)
        details = journal::evaluationDetails(attempt.evaluation);
    return d->submit<qint64>([attempt, details](Database &db) -> Result<qint64> {
        const Result<qint64> id = journal::writeAttempt(db, attempt);
        if (id && attempt.state == Attempt::State::Done) {
            ACCELOPT_TRY(journal::writeEvaluation(db, *id, u"search"_s, attempt.evaluation, details,
                attempt.duplicateOf, attempt.finishedAt.isValid() ? attempt.finishedAt : now()));
        }
        return id;
    });
}

QFuture<Result<void>> Journal::setCommit(qint64 attempt, const QString &commit)
{
    return d->submit<void>([attempt, commit](Database &db) -> Result<void> {
        ACCELOPT_TRY(db.run("UPDATE attempts SET commit_id = ?2 WHERE id = ?1", attempt, commit));
        if (db.changes() == 0)
            return fail(Error::Kind::NotFound, u"There is no attempt %1 in this project."_s.arg(attempt));
        return {};
    });
}

QFuture<Result<Journal::EvaluationClaim>> Journal::beginEvaluation(
    qint64 attempt, const QString &purpose, const QString &host)
{
    return d->submit<EvaluationClaim>([attempt, purpose, host](Database &db) -> Result<EvaluationClaim> {
        EvaluationClaim claim;
        const Result<Claim> found = journal::claimEvaluation(db, attempt, purpose, host, claim.evaluation);
        if (!found)
            return std::unexpected(found.error());
        claim.claim = *found;
        return claim;
    });
}

QFuture<Result<void>> Journal::finishEvaluation(
    qint64 attempt, const QString &purpose, const Evaluation &evaluation, qint64 duplicateOf)
{
    return d->submit<void>(
        [attempt, purpose, evaluation, duplicateOf, details = journal::evaluationDetails(evaluation)](Database &db) {
            return journal::writeEvaluation(db, attempt, purpose, evaluation, details, duplicateOf, now());
        });
}

QFuture<Result<void>> Journal::settleEvaluation(qint64 attempt, const Evaluation &evaluation, qint64 duplicateOf)
{
    return d->submit<void>([attempt, evaluation, duplicateOf, details = journal::evaluationDetails(evaluation)](
                               Database &db) -> Result<void> {
        ACCELOPT_TRY(db.run("UPDATE attempts SET duplicate_of = NULL WHERE id = ?1", attempt));
        double seconds = 0;
        ACCELOPT_TRY(db.each(
            "SELECT device_seconds FROM evaluations WHERE attempt = ?1 AND purpose = 'search'",
            [&seconds](const sqlite::Statement &row) { seconds = row.real(0); }, attempt));
        ACCELOPT_TRY(
            db.run("UPDATE evaluations SET state = 'started' WHERE attempt = ?1 AND purpose = 'search'", attempt));
        ACCELOPT_TRY(journal::writeEvaluation(db, attempt, u"search"_s, evaluation, details, duplicateOf, now()));
        return db.run(
            "UPDATE evaluations SET device_seconds = ?2 WHERE attempt = ?1 AND purpose = 'search'", attempt, seconds);
    });
}

QFuture<Result<void>> Journal::beginIteration(qint64 run, const QString &problem, int iteration)
{
    return d->submit<void>([run, problem, iteration](Database &db) -> Result<void> {
        return db.run(
            "INSERT INTO iterations(run, problem, iteration, state, started_at) VALUES(?1, ?2, ?3, 'started', ?4) "
            "ON CONFLICT DO NOTHING",
            run, problem, iteration, now());
    });
}

QFuture<Result<void>> Journal::finishIteration(
    qint64 run, const QString &problem, int iteration, const QList<BeamPlace> &next)
{
    return d->submit<void>([run, problem, iteration, next](
                               Database &db) { return journal::writeIterationEnd(db, run, problem, iteration, next); },
        true);
}

QFuture<Result<QList<qint64>>> Journal::putExperiences(const QList<Experience> &experiences)
{
    return d->submit<QList<qint64>>([experiences](Database &db) { return journal::writeExperiences(db, experiences); });
}

QFuture<Result<void>> Journal::putMemory(
    qint64 run, const QString &problem, int iteration, const QList<qint64> &experiences)
{
    return d->submit<void>([run, problem, iteration, experiences](Database &db) {
        return journal::writeMemory(db, run, problem, iteration, experiences);
    });
}

QFuture<Result<void>> Journal::editExperience(qint64 id, Experience::State state, const QString &editedSummary)
{
    return d->submit<void>([id, state, editedSummary](Database &db) -> Result<void> {
        ACCELOPT_TRY(db.run("UPDATE experiences SET state = ?2, edited_summary = ?3 WHERE id = ?1", id,
            experienceStateName(state), editedSummary));
        if (db.changes() == 0)
            return fail(Error::Kind::NotFound, u"There is no experience %1 in this project."_s.arg(id));
        return {};
    });
}

} // namespace accelopt
