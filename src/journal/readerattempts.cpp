// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reader's lists of attempts and what is derived from all of a run's attempts: made to stay quick with 100,000 of
// them.
#include "journal/readerprivate.h"

using namespace Qt::Literals::StringLiterals;
using accelopt::sqlite::Statement;

namespace accelopt {

namespace {

/// WHERE and its values; parameters are ?1 and up in the order given.
struct Where {
    std::string sql;
    QList<std::variant<qint64, QString>> values;

    void add(std::string_view condition, const std::variant<qint64, QString> &value)
    {
        values.append(value);
        std::string text(condition);
        for (size_t mark = text.find("?"); mark != std::string::npos; mark = text.find("?", mark + 1))
            text.replace(mark, 1, "?" + std::to_string(values.size()));
        sql += (sql.empty() ? " WHERE " : " AND ") + text;
    }
    void bind(Statement &statement) const
    {
        for (qsizetype i = 0; i < values.size(); ++i)
            std::visit([&](const auto &value) { statement.bind(int(i + 1), value); }, values.at(i));
    }
};

Where whereOf(const AttemptFilter &filter)
{
    Where where;
    if (filter.run)
        where.add("a.run = ?", filter.run);
    if (!filter.problem.isEmpty())
        where.add("a.problem = ?", filter.problem);
    if (filter.iterationFrom >= 0)
        where.add("a.iteration >= ?", qint64(filter.iterationFrom));
    if (filter.iterationTo >= 0)
        where.add("a.iteration <= ?", qint64(filter.iterationTo));
    if (!filter.verdict.isEmpty())
        where.add("a.verdict = ?", filter.verdict);
    if (filter.parent)
        where.add("a.parent = ?", filter.parent);
    if (!filter.text.isEmpty()) {
        QString pattern = filter.text;
        pattern.replace(u'\\', u"\\\\"_s).replace(u'%', u"\\%"_s).replace(u'_', u"\\_"_s);
        where.add(
            "(a.plan_title LIKE ? ESCAPE '\\' OR a.author LIKE ? ESCAPE '\\' OR a.error_message LIKE ? ESCAPE '\\')",
            u"%%1%"_s.arg(pattern));
    }
    return where;
}

std::string orderOf(const AttemptFilter &filter)
{
    static constexpr char key[] = "a.run, a.problem, a.iteration, a.candidate, a.plan, a.attempt, a.round";
    static constexpr char keyDescending[] =
        "a.run DESC, a.problem DESC, a.iteration DESC, a.candidate DESC, a.plan DESC, a.attempt DESC, a.round DESC";
    const std::string direction = filter.descending ? " DESC" : " ASC";
    const auto by = [&](const std::string &column) {
        return " ORDER BY " + column + direction + " NULLS LAST, " + key;
    };
    switch (filter.order) {
    case AttemptOrder::Key:
        break;
    case AttemptOrder::Latency:
        return by("a.latency_ms");
    case AttemptOrder::Fraction:
        return by("a.fraction");
    case AttemptOrder::Created:
        return by("a.created_at");
    case AttemptOrder::Author:
        return by("a.author");
    case AttemptOrder::Title:
        return by("a.plan_title");
    case AttemptOrder::Verdict:
        return by("a.verdict");
    }
    return std::string(" ORDER BY ") + (filter.descending ? keyDescending : key);
}

} // namespace

Result<QList<Attempt>> JournalReader::attempts(const AttemptFilter &filter, int limit, int offset) const
{
    const Where where = whereOf(filter);
    std::string sql = journal::selectAttempts();
    const std::string order = orderOf(filter);
    if (limit >= 0) {
        // The page is cut from an index before any row is read.
        sql += " WHERE a.id IN (SELECT a.id FROM attempts a" + where.sql + order + " LIMIT " + std::to_string(limit)
            + " OFFSET " + std::to_string(std::max(0, offset)) + ")" + order;
    } else {
        sql += where.sql + order;
        if (offset > 0)
            sql += " LIMIT -1 OFFSET " + std::to_string(offset);
    }
    Result<Statement> statement = d->db.prepare(sql);
    if (!statement)
        return std::unexpected(statement.error());
    where.bind(*statement);
    QList<Attempt> attempts;
    ACCELOPT_TRY(sqlite::Database::eachRow(
        *statement, [&](const Statement &row) { attempts.append(journal::readAttempt(row, filter.details)); }));
    return attempts;
}

Result<QList<qint64>> JournalReader::attemptIds(const AttemptFilter &filter) const
{
    const Where where = whereOf(filter);
    Result<Statement> statement = d->db.prepare("SELECT a.id FROM attempts a" + where.sql + orderOf(filter));
    if (!statement)
        return std::unexpected(statement.error());
    where.bind(*statement);
    QList<qint64> ids;
    ACCELOPT_TRY(sqlite::Database::eachRow(*statement, [&ids](const Statement &row) { ids.append(row.integer(0)); }));
    return ids;
}

Result<QList<Attempt>> JournalReader::attemptsById(const QList<qint64> &ids, bool details) const
{
    static const std::string sql = journal::selectAttempts() + " WHERE a.id = ?1";
    QList<Attempt> attempts;
    attempts.reserve(ids.size());
    ACCELOPT_TRY(d->db.run("BEGIN"));
    Result<void> read;
    for (qsizetype i = 0; i < ids.size() && read; ++i)
        read = d->db.each(
            sql, [&](const Statement &row) { attempts.append(journal::readAttempt(row, details)); }, ids.at(i));
    ACCELOPT_TRY(d->db.run("COMMIT"));
    ACCELOPT_TRY(read);
    return attempts;
}

Result<qint64> JournalReader::attemptCount(const AttemptFilter &filter) const
{
    const Where where = whereOf(filter);
    Result<Statement> statement = d->db.prepare("SELECT COUNT(*) FROM attempts a" + where.sql);
    if (!statement)
        return std::unexpected(statement.error());
    where.bind(*statement);
    const Result<bool> row = statement->step();
    if (!row)
        return std::unexpected(row.error());
    return statement->integer(0);
}

Result<AttemptCounts> JournalReader::attemptCounts(qint64 run, const QString &problem) const
{
    AttemptCounts counts;
    // The condition on the problem stands in the text, so that the index on (run, problem, verdict) is read alone.
    const std::string_view sql = problem.isEmpty() ? "SELECT verdict, COUNT(*) FROM attempts INDEXED BY attempts_best "
                                                     "WHERE run = ?1 AND ?2 = '' GROUP BY problem, verdict"
                                                   : "SELECT verdict, COUNT(*) FROM attempts INDEXED BY attempts_best "
                                                     "WHERE run = ?1 AND problem = ?2 GROUP BY verdict";
    ACCELOPT_TRY(d->db.each(
        sql,
        [&counts](const Statement &row) {
            const QString verdict = row.text(0);
            const qint64 number = row.integer(1);
            counts.total += number;
            if (verdict == "correct"_L1)
                counts.correct += number;
            else if (verdict == "same"_L1)
                counts.same += number;
            else if (verdict == "skipped"_L1)
                counts.skipped += number;
            else if (verdict == "quarantined"_L1)
                counts.quarantined += number;
            else if (verdict == "pending"_L1)
                counts.pending += number;
            else
                counts.failed += number;
        },
        run, problem));
    return counts;
}

namespace {

/// Iterations without a better kernel after which a running problem is on a plateau.
constexpr int plateauIterations = 3;

struct Best {
    qint64 attempt = 0;
    double ms = 0, fraction = 0;
};

Bound boundFromName(const QString &name)
{
    for (const Bound bound : {Bound::Matmul, Bound::Vector}) {
        if (boundName(bound) == name)
            return bound;
    }
    return Bound::Memory;
}

Result<void> readStatus(sqlite::Database &db, qint64 run, const RunSettings &settings, ProblemStatus &status)
{
    const auto fractionOf = [&status](double stored, double ms) {
        return stored > 0 ? stored : Roofline{status.peakMs, status.bound}.fractionOfPeak(ms);
    };
    QString baselineState;
    ACCELOPT_TRY(db.each(
        "SELECT id, verdict, latency_ms, fraction, estimate FROM attempts WHERE run = ?1 AND problem = ?2 AND "
        "iteration = 0 "
        "ORDER BY candidate, plan, attempt, round LIMIT 1",
        [&](const Statement &row) {
            status.baselineAttempt = row.integer(0);
            baselineState = row.text(1);
            if (baselineState == "correct"_L1) {
                status.baselineMs = row.real(2);
                status.baselineFraction = fractionOf(row.real(3), status.baselineMs);
            }
            status.estimate = row.integer(4) != 0;
        },
        run, status.name));
    int finished = -1, begun = -1;
    ACCELOPT_TRY(db.each(
        "SELECT MAX(iteration), MAX(CASE WHEN state = 'finished' THEN iteration END) FROM iterations WHERE run = ?1 "
        "AND problem = ?2",
        [&](const Statement &row) {
            begun = row.isNull(0) ? -1 : row.number(0);
            finished = row.isNull(1) ? -1 : row.number(1);
        },
        run, status.name));
    status.iteration = std::max(0, finished);

    // Estimates and measurements are never compared: only what is of the baseline's kind counts. One index seek an
    // iteration.
    Best best{status.baselineAttempt, status.baselineMs, status.baselineFraction};
    int lastImprovement = 0;
    if (status.baselineMs > 0)
        status.bestFractionByIteration.append(status.baselineFraction);
    const auto newest =
        db.integer("SELECT MAX(iteration) FROM attempts WHERE run = ?1 AND problem = ?2", run, status.name);
    if (!newest)
        return std::unexpected(newest.error());
    for (int iteration = 1; status.baselineMs > 0 && iteration <= int(newest->value_or(0)); ++iteration) {
        ACCELOPT_TRY(db.each(
            "SELECT id, latency_ms, fraction FROM attempts INDEXED BY attempts_best WHERE run = ?1 AND problem = ?2 "
            "AND verdict = 'correct' "
            "AND estimate = ?3 AND iteration = ?4 AND latency_ms > 0 ORDER BY latency_ms, candidate, plan, attempt, "
            "round LIMIT 1",
            [&](const Statement &row) {
                if (row.real(1) < best.ms) {
                    best = {row.integer(0), row.real(1), fractionOf(row.real(2), row.real(1))};
                    lastImprovement = iteration;
                }
            },
            run, status.name, status.estimate, iteration));
        status.bestFractionByIteration.append(best.fraction);
    }
    status.bestAttempt = best.attempt;
    status.bestMs = best.ms;
    status.bestFraction = best.fraction;

    if (!baselineState.isEmpty() && baselineState != "correct"_L1 && baselineState != "pending"_L1)
        status.state = u"failed"_s;
    else if (finished >= settings.iterations)
        status.state = u"finished"_s;
    else if (begun < 0 && baselineState.isEmpty())
        status.state = u"waiting"_s;
    else if (finished - lastImprovement >= plateauIterations)
        status.state = u"plateau"_s;
    else
        status.state = u"running"_s;
    return {};
}

} // namespace

Result<QList<ProblemStatus>> JournalReader::problemStatus(qint64 run) const
{
    const Result<RunRecord> record = this->run(run);
    if (!record)
        return std::unexpected(record.error());
    QList<ProblemStatus> list;
    ACCELOPT_TRY(d->db.run("BEGIN"));
    Result<void> read = d->db.each(
        "SELECT problem, peak_ms, bound FROM run_problems WHERE run = ?1 ORDER BY position",
        [&list](const Statement &row) {
            ProblemStatus status;
            status.name = row.text(0);
            status.peakMs = row.real(1);
            status.bound = boundFromName(row.text(2));
            list.append(status);
        },
        record->id);
    for (ProblemStatus &status : list) {
        if (read)
            read = readStatus(d->db, record->id, record->settings, status);
    }
    ACCELOPT_TRY(d->db.run("COMMIT"));
    ACCELOPT_TRY(read);
    return list;
}

} // namespace accelopt
