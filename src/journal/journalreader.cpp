// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal/journalreader.h"

#include "journal/readerprivate.h"
#include "journal/rows.h"
#include "journal/schema.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::Literals::StringLiterals;
using accelopt::sqlite::Database;
using accelopt::sqlite::Statement;

namespace accelopt {

JournalReader::JournalReader() = default;
JournalReader::~JournalReader() = default;

Result<std::unique_ptr<JournalReader>> JournalReader::open(const QString &databasePath)
{
    if (!QFileInfo(databasePath).isFile())
        return fail(
            Error::Kind::NotFound, u"There is no project database %1."_s.arg(QDir::toNativeSeparators(databasePath)));
    std::unique_ptr<JournalReader> reader(new JournalReader);
    reader->d = std::make_unique<Private>();
    Database &db = reader->d->db;
    ACCELOPT_TRY(db.open(databasePath, Database::Mode::ReadOnly));
    Result<int> version = journal::checkSchema(db);
    if (!version)
        return std::unexpected(version.error());
    if (*version < journal::schemaVersion) {
        // An older project: the writer brings it up to date, then it is read like any other.
        db.close();
        if (const auto journal = Journal::open(databasePath); !journal)
            return std::unexpected(journal.error());
        ACCELOPT_TRY(db.open(databasePath, Database::Mode::ReadOnly));
    }
    ACCELOPT_TRY(db.execute("PRAGMA cache_size = -32000; PRAGMA mmap_size = 268435456"));
    return reader;
}

namespace {

/// Rows of one query as values.
template <typename T, typename Read, typename... Arguments>
Result<QList<T>> list(Database &db, std::string_view sql, Read read, const Arguments &...arguments)
{
    QList<T> values;
    ACCELOPT_TRY(db.each(sql, [&](const Statement &row) { values.append(read(row)); }, arguments...));
    return values;
}

/// The first row, or NotFound with `message`.
template <typename T, typename Read, typename... Arguments>
Result<T> first(Database &db, const QString &message, std::string_view sql, Read read, const Arguments &...arguments)
{
    Result<Statement> statement = db.prepare(sql);
    if (!statement)
        return std::unexpected(statement.error());
    statement->bindAll(arguments...);
    const Result<bool> row = statement->step();
    if (!row)
        return std::unexpected(row.error());
    if (!*row)
        return fail(Error::Kind::NotFound, message);
    return read(*statement);
}

constexpr std::string_view problemsNow =
    "SELECT p.name, p.definition, p.json, p.reference, p.kernel FROM problems p WHERE p.current = 1 ORDER BY p.name";
constexpr std::string_view problemsFrozen =
    "SELECT p.name, p.definition, p.json, p.reference, p.kernel FROM run_problems rp "
    "JOIN problems p ON p.id = rp.problem_id WHERE rp.run = ?1 ORDER BY rp.position";

} // namespace

Result<QList<Problem>> JournalReader::problems() const
{
    return list<Problem>(d->db, problemsNow, journal::readProblem);
}

Result<QList<Problem>> JournalReader::problemsOfRun(qint64 run) const
{
    return list<Problem>(d->db, problemsFrozen, journal::readProblem, run);
}

Result<QList<RunRecord>> JournalReader::runs() const
{
    static const std::string sql = std::string("SELECT ") + journal::runColumns + " FROM runs ORDER BY id";
    QList<RunRecord> runs;
    ACCELOPT_TRY(d->db.each(sql, [&runs](const Statement &row) -> Result<void> {
        Result<RunRecord> run = journal::readRun(row);
        if (!run)
            return std::unexpected(run.error());
        runs.append(*run);
        return {};
    }));
    return runs;
}

Result<RunRecord> JournalReader::run(qint64 id) const
{
    static const std::string sql =
        std::string("SELECT ") + journal::runColumns + " FROM runs WHERE id = ?1 OR ?1 = 0 ORDER BY id DESC LIMIT 1";
    return first<RunRecord>(d->db,
        id ? u"There is no run %1 in this project."_s.arg(id) : u"This project has no run yet."_s, sql,
        journal::readRun, id);
}

Result<Attempt> JournalReader::attempt(qint64 id) const
{
    static const std::string sql = journal::selectAttempts() + " WHERE a.id = ?1";
    return first<Attempt>(
        d->db, u"There is no attempt %1 in this project."_s.arg(id), sql,
        [](const Statement &row) { return journal::readAttempt(row, true); }, id);
}

Result<Attempt> JournalReader::attempt(qint64 run, const QString &problem, const AttemptKey &key) const
{
    static const std::string sql = journal::selectAttempts()
        + " WHERE a.run = ?1 AND a.problem = ?2 AND a.iteration = ?3 AND a.candidate = ?4 AND a.plan = ?5 AND "
          "a.attempt = ?6 AND a.round = ?7";
    return first<Attempt>(
        d->db, u"Run %1 has no attempt %2 of %3."_s.arg(run).arg(key.display(), problem), sql,
        [](const Statement &row) { return journal::readAttempt(row, true); }, run, problem, key.iteration,
        key.candidate, key.plan, key.attempt, key.round);
}

Result<QList<Attempt>> JournalReader::lineage(qint64 attempt) const
{
    // UNION (not ALL) ends on a loop, which a damaged database could hold.
    static const std::string sql =
        "WITH RECURSIVE line(id, depth) AS (SELECT ?1, 0 UNION SELECT x.parent, depth + 1 FROM line "
        "JOIN attempts x ON x.id = line.id WHERE x.parent IS NOT NULL AND depth < 10000) "
        + journal::selectAttempts() + " JOIN line ON line.id = a.id ORDER BY line.depth DESC";
    Result<QList<Attempt>> attempts =
        list<Attempt>(d->db, sql, [](const Statement &row) { return journal::readAttempt(row, true); }, attempt);
    if (attempts && attempts->isEmpty())
        return fail(Error::Kind::NotFound, u"There is no attempt %1 in this project."_s.arg(attempt));
    return attempts;
}

Result<QMap<QString, Evaluation>> JournalReader::evaluations(qint64 attempt) const
{
    static const std::string sql = std::string("SELECT ") + journal::evaluationColumns
        + ", e.details, e.purpose FROM evaluations e WHERE e.attempt = ?1 AND e.state = 'finished'";
    QMap<QString, Evaluation> evaluations;
    ACCELOPT_TRY(d->db.each(
        sql,
        [&](const Statement &row) {
            evaluations.insert(row.text(journal::evaluationColumnCount + 1), journal::readEvaluation(row, 0, true));
        },
        attempt));
    return evaluations;
}

Result<Plan> JournalReader::plan(qint64 run, const QString &problem, int iteration, int candidate, int plan) const
{
    static const std::string sql = std::string("SELECT ") + journal::planColumns
        + " FROM plans WHERE run = ?1 AND problem = ?2 AND iteration = ?3 AND candidate = ?4 AND plan = ?5";
    return first<Plan>(d->db,
        u"Run %1 has no plan %2 for candidate %3 of %4 in iteration %5."_s.arg(run)
            .arg(plan)
            .arg(candidate)
            .arg(problem)
            .arg(iteration),
        sql, journal::readPlan, run, problem, iteration, candidate, plan);
}

Result<QList<Plan>> JournalReader::plans(qint64 run, const QString &problem, int iteration) const
{
    static const std::string sql = std::string("SELECT ") + journal::planColumns
        + " FROM plans WHERE run = ?1 AND problem = ?2 AND (?3 < 0 OR iteration = ?3) ORDER BY iteration, candidate, "
          "plan";
    return list<Plan>(d->db, sql, journal::readPlan, run, problem, iteration);
}

namespace {

BeamPlace readBeamPlace(const Statement &row)
{
    return {row.text(0), row.number(1), row.number(2), row.integer(3), row.text(4)};
}

} // namespace

Result<QList<BeamPlace>> JournalReader::beam(qint64 run, const QString &problem, int iteration) const
{
    return list<BeamPlace>(d->db,
        "SELECT problem, iteration, candidate, attempt, origin FROM beams WHERE run = ?1 AND problem = ?2 AND "
        "iteration = ?3 ORDER BY candidate",
        readBeamPlace, run, problem, iteration);
}

Result<QList<BeamPlace>> JournalReader::beams(qint64 run, const QString &problem) const
{
    return list<BeamPlace>(d->db,
        "SELECT problem, iteration, candidate, attempt, origin FROM beams WHERE run = ?1 AND (?2 = '' OR problem = ?2) "
        "ORDER BY problem, iteration, candidate",
        readBeamPlace, run, problem);
}

Result<int> JournalReader::finishedIterations(qint64 run, const QString &problem) const
{
    const auto count = d->db.integer(
        "SELECT MAX(iteration) FROM iterations WHERE run = ?1 AND problem = ?2 AND state = 'finished'", run, problem);
    if (!count)
        return std::unexpected(count.error());
    return int(count->value_or(0));
}

Result<QList<Experience>> JournalReader::experiences(qint64 run, const QString &problem) const
{
    static const std::string sql = std::string("SELECT ") + journal::experienceColumns
        + " FROM experiences x WHERE (?1 = 0 OR x.run = ?1) AND (?2 = '' OR x.problem = ?2) "
          "ORDER BY x.run DESC, x.iteration DESC, x.problem, x.rank DESC, x.id DESC";
    return list<Experience>(d->db, sql, journal::readExperience, run, problem);
}

Result<QList<qint64>> JournalReader::memory(qint64 run, const QString &problem, int iteration) const
{
    return list<qint64>(
        d->db, "SELECT experience FROM memories WHERE run = ?1 AND problem = ?2 AND iteration = ?3 ORDER BY position",
        [](const Statement &row) { return row.integer(0); }, run, problem, iteration);
}

Result<QList<qint64>> JournalReader::experiencesInPrompt(
    qint64 run, const QString &problem, int iteration, int candidate) const
{
    return list<qint64>(
        d->db,
        "SELECT experience FROM experience_uses WHERE run = ?1 AND problem = ?2 AND iteration = ?3 AND candidate = ?4 "
        "ORDER BY position",
        [](const Statement &row) { return row.integer(0); }, run, problem, iteration, candidate);
}

Result<QList<CallRecord>> JournalReader::calls(qint64 run) const
{
    static const std::string sql =
        std::string("SELECT ") + journal::callColumns + " FROM calls c WHERE c.run = ?1 ORDER BY c.started_at, c.id";
    return list<CallRecord>(d->db, sql, journal::readCall, run);
}

Result<CallRecord> JournalReader::call(qint64 run, const CallKey &key) const
{
    static const std::string sql = std::string("SELECT ") + journal::callColumns
        + ", x.request, x.reply, x.reasoning FROM calls c LEFT JOIN exchanges x ON x.call = c.id WHERE c.run = ?1 AND "
          "c.problem = ?2 AND "
          "c.iteration = ?3 AND c.candidate = ?4 AND c.plan = ?5 AND c.attempt = ?6 AND c.round = ?7 AND c.role = ?8 "
          "ORDER BY c.try DESC LIMIT 1";
    return first<CallRecord>(
        d->db, u"Run %1 has no such %2 call."_s.arg(run).arg(roleName(key.role)), sql,
        [](const Statement &row) {
            CallRecord record = journal::readCall(row);
            journal::readExchange(row, journal::callColumnCount, record);
            return record;
        },
        run, key.problem, key.iteration, key.candidate, key.plan, key.attempt, key.round, roleName(key.role));
}

namespace {

// The most that calls in flight, and calls cut off, may have cost counts until it is known.
#define ACCELOPT_LEDGER_SUMS                                                                                           \
    "COUNT(*), SUM(input_tokens), SUM(cached_tokens), SUM(output_tokens), TOTAL(cost_usd), "                           \
    "SUM(state IN ('finished', 'failed') AND cost_usd IS NULL), TOTAL(CASE WHEN state IN ('started', 'interrupted') "  \
    "THEN maximum_usd END)"

LedgerTotals readTotals(const Statement &row, int first)
{
    return {row.integer(first), row.integer(first + 1), row.integer(first + 2), row.integer(first + 3),
        row.real(first + 4), row.integer(first + 5), row.real(first + 6)};
}

} // namespace

Result<LedgerTotals> JournalReader::ledger(qint64 run) const
{
    LedgerTotals totals;
    ACCELOPT_TRY(d->db.each(
        "SELECT " ACCELOPT_LEDGER_SUMS " FROM calls WHERE run = ?1",
        [&totals](const Statement &row) { totals = readTotals(row, 0); }, run));
    return totals;
}

Result<QMap<QString, LedgerTotals>> JournalReader::ledgerBy(qint64 run, const QString &column) const
{
    std::string_view sql;
    if (column == "model"_L1)
        sql = "SELECT model_name, " ACCELOPT_LEDGER_SUMS " FROM calls WHERE run = ?1 GROUP BY model_name";
    else if (column == "role"_L1)
        sql = "SELECT role, " ACCELOPT_LEDGER_SUMS " FROM calls WHERE run = ?1 GROUP BY role";
    else
        return fail(Error::Kind::Invalid, u"The ledger can be split by model or role, not by %1."_s.arg(column));
    QMap<QString, LedgerTotals> totals;
    ACCELOPT_TRY(
        d->db.each(sql, [&totals](const Statement &row) { totals.insert(row.text(0), readTotals(row, 1)); }, run));
    return totals;
}

Result<double> JournalReader::deviceSeconds(qint64 run) const
{
    double seconds = 0;
    ACCELOPT_TRY(d->db.each(
        "SELECT TOTAL(e.device_seconds) FROM attempts a JOIN evaluations e ON e.attempt = a.id WHERE a.run = ?1",
        [&seconds](const Statement &row) { seconds = row.real(0); }, run));
    return seconds;
}

Result<QList<ActivityRecord>> JournalReader::activity(qint64 run, const QDateTime &since) const
{
    return list<ActivityRecord>(
        d->db,
        "SELECT model_name AS lane, role, 0, problem, started_at, finished_at, "
        "CASE state WHEN 'finished' THEN 'ok' WHEN 'started' THEN 'running' ELSE state END FROM calls "
        "WHERE run = ?1 AND (finished_at IS NULL OR finished_at >= ?2) UNION ALL "
        "SELECT CASE WHEN e.core <> '' THEN e.core ELSE e.host END, 'evaluation', a.id, a.problem, e.started_at, "
        "e.finished_at, "
        "CASE e.state WHEN 'started' THEN 'running' WHEN 'interrupted' THEN 'interrupted' ELSE "
        "CASE WHEN e.status = 'failed' THEN 'failed' ELSE 'ok' END END "
        "FROM evaluations e JOIN attempts a ON a.id = e.attempt WHERE a.run = ?1 AND a.duplicate_of IS NULL "
        "AND (e.finished_at IS NULL OR e.finished_at >= ?2) ORDER BY 5",
        [](const Statement &row) {
            return ActivityRecord{
                row.text(0), row.text(1), row.integer(2), row.text(3), row.time(4), row.time(5), row.text(6)};
        },
        run, since.isValid() ? since.toMSecsSinceEpoch() : qint64(0));
}

Result<QList<LogEvent>> JournalReader::log(qint64 run, int limit, qint64 afterId) const
{
    return list<LogEvent>(
        d->db,
        "SELECT * FROM (SELECT id, run, at, kind, problem, attempt, text FROM log_events WHERE run = ?1 AND id > ?3 "
        "ORDER BY id DESC LIMIT ?2) "
        "ORDER BY id",
        [](const Statement &row) {
            return LogEvent{
                row.integer(0), row.integer(1), row.time(2), row.text(3), row.text(4), row.integer(5), row.text(6)};
        },
        run, limit, afterId);
}

Result<QJsonObject> JournalReader::value(const QString &key) const
{
    QJsonObject value;
    ACCELOPT_TRY(d->db.each(
        "SELECT json FROM project_values WHERE key = ?1", [&value](const Statement &row) { value = row.json(0); },
        key));
    return value;
}

Result<QStringList> JournalReader::integrityProblems() const
{
    QStringList found;
    ACCELOPT_TRY(d->db.each("PRAGMA integrity_check", [&found](const Statement &row) {
        if (const QString text = row.text(0); text != "ok"_L1)
            found.append(text);
    }));
    ACCELOPT_TRY(d->db.each("PRAGMA foreign_key_check", [&found](const Statement &row) {
        found.append(u"row %1 of %2 points to a missing row of %3"_s.arg(row.integer(1)).arg(row.text(0), row.text(2)));
    }));
    return found;
}

} // namespace accelopt
