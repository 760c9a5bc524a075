// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/documents.h"

#include <QHash>
#include <QJsonArray>
#include <QRegularExpression>

namespace accelopt::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

QJsonValue money(const std::optional<double> &usd)
{
    return usd ? QJsonValue(*usd) : QJsonValue(QJsonValue::Null);
}

QString timestamp(const QDateTime &at)
{
    return at.isValid() ? at.toUTC().toString(Qt::ISODateWithMs) : QString();
}

} // namespace

QString attemptName(const Attempt &attempt)
{
    return attempt.problem + u'/' + attempt.key.ascii();
}

QJsonObject problemDocument(const Problem &problem)
{
    QJsonObject values;
    for (auto it = problem.values.begin(); it != problem.values.end(); ++it)
        values.insert(it.key(), it.value());
    return {{u"name"_s, problem.name}, {u"title"_s, problem.title}, {u"operator"_s, problem.operatorText},
        {u"dtype"_s, problem.dtype}, {u"values"_s, values}, {u"tolerance"_s, problem.tolerance},
        {u"entry"_s, problem.entry},
        {u"work"_s,
            QJsonObject{{u"bytes"_s, problem.work.bytes}, {u"matmul_flops"_s, problem.work.matmulFlops},
                {u"vector_flops"_s, problem.work.vectorFlops}}}};
}

QJsonObject ledgerDocument(const LedgerTotals &totals)
{
    // A total with calls of unknown price is not a total.
    return {{u"calls"_s, totals.calls}, {u"input_tokens"_s, totals.inputTokens},
        {u"output_tokens"_s, totals.outputTokens}, {u"cached_tokens"_s, totals.cachedTokens},
        {u"cost_usd"_s, totals.unpricedCalls > 0 ? QJsonValue(QJsonValue::Null) : QJsonValue(totals.costUsd)},
        {u"known_cost_usd"_s, totals.costUsd}, {u"unpriced_calls"_s, totals.unpricedCalls},
        {u"in_flight_usd"_s, totals.inFlightUsd}};
}

Result<QJsonObject> statusDocument(const JournalReader &reader, qint64 run)
{
    const auto record = reader.run(run);
    if (!record)
        return std::unexpected(record.error());
    const auto problems = reader.problemStatus(record->id);
    const auto totals = reader.ledger(record->id);
    const auto byModel = reader.ledgerBy(record->id, u"model"_s);
    const auto byRole = reader.ledgerBy(record->id, u"role"_s);
    const auto device = reader.deviceSeconds(record->id);
    const auto counts = reader.attemptCounts(record->id);
    for (const auto *error : {problems ? nullptr : &problems.error(), totals ? nullptr : &totals.error(),
             byModel ? nullptr : &byModel.error(), byRole ? nullptr : &byRole.error(),
             device ? nullptr : &device.error(), counts ? nullptr : &counts.error()}) {
        if (error)
            return std::unexpected(*error);
    }

    QJsonArray list;
    QList<double> before, after;
    for (const ProblemStatus &problem : *problems) {
        list.append(QJsonObject{{u"name"_s, problem.name}, {u"baseline_ms"_s, problem.baselineMs},
            {u"best_ms"_s, problem.bestMs}, {u"baseline_fraction"_s, problem.baselineFraction},
            {u"best_fraction"_s, problem.bestFraction}, {u"speedup"_s, problem.speedup()}, {u"state"_s, problem.state},
            {u"estimate"_s, problem.estimate}, {u"bound"_s, boundName(problem.bound)}, {u"peak_ms"_s, problem.peakMs},
            {u"iterations"_s, problem.iteration}});
        before.append(problem.baselineFraction);
        after.append(problem.bestFraction);
    }
    QJsonObject models, roles;
    for (auto it = byModel->begin(); it != byModel->end(); ++it)
        models.insert(it.key(), ledgerDocument(it.value()));
    for (auto it = byRole->begin(); it != byRole->end(); ++it)
        roles.insert(it.key(), ledgerDocument(it.value()));
    QJsonObject ledger = ledgerDocument(*totals);
    ledger.insert("by_model"_L1, models);
    ledger.insert("by_role"_L1, roles);

    const Budget &budget = record->settings.budget;
    const auto limited = [](double limit, double spent) {
        return QJsonObject{
            {u"limit"_s, limit > 0 ? QJsonValue(limit) : QJsonValue(QJsonValue::Null)}, {u"spent"_s, spent}};
    };
    const QJsonObject budgets{{u"usd"_s, limited(budget.usd, totals->costUsd + totals->inFlightUsd)},
        {u"tokens"_s, limited(budget.tokens, static_cast<double>(totals->inputTokens + totals->outputTokens))},
        {u"wall_seconds"_s, limited(budget.wallSeconds, record->activeSeconds)},
        {u"device_seconds"_s, limited(budget.deviceSeconds, *device)}};
    return QJsonObject{{u"run"_s, record->id}, {u"state"_s, runStateName(record->state)},
        {u"reason"_s, record->stopReason}, {u"target"_s, record->settings.target},
        {u"created"_s, timestamp(record->createdAt)}, {u"finished"_s, timestamp(record->finishedAt)},
        {u"settings"_s, record->settings.toJson()}, {u"problems"_s, list},
        {u"geomean_baseline_fraction"_s, geometricMean(before)}, {u"geomean_best_fraction"_s, geometricMean(after)},
        {u"geomean_speedup"_s, geometricMean(before) > 0 ? geometricMean(after) / geometricMean(before) : 0},
        {u"ledger"_s, ledger}, {u"budgets"_s, budgets},
        {u"attempts"_s,
            QJsonObject{{u"total"_s, counts->total}, {u"correct"_s, counts->correct}, {u"same"_s, counts->same},
                {u"failed"_s, counts->failed}, {u"skipped"_s, counts->skipped}, {u"quarantined"_s, counts->quarantined},
                {u"pending"_s, counts->pending}}}};
}

QJsonObject attemptDocument(const Attempt &attempt, const Attempt *parent, double baselineMs)
{
    const Evaluation &evaluation = attempt.evaluation;
    const double ms = attempt.state == Attempt::State::Done ? evaluation.latency.medianMs : 0;
    const auto ratio = [ms](double reference) {
        return ms > 0 && reference > 0 ? QJsonValue(reference / ms) : QJsonValue(QJsonValue::Null);
    };
    QJsonObject json{{u"id"_s, attempt.id}, {u"run"_s, attempt.run}, {u"problem"_s, attempt.problem},
        {u"name"_s, attemptName(attempt)}, {u"iteration"_s, attempt.key.iteration},
        {u"candidate"_s, attempt.key.candidate}, {u"plan"_s, attempt.key.plan}, {u"attempt"_s, attempt.key.attempt},
        {u"round"_s, attempt.key.round}, {u"author"_s, attempt.author}, {u"title"_s, attempt.planTitle},
        {u"status"_s, attempt.state == Attempt::State::Done ? statusName(evaluation.status) : u"pending"_s},
        {u"verdict"_s, verdictName(attempt)}, {u"sha256"_s, attempt.sha256}, {u"program_hash"_s, attempt.programHash},
        {u"commit"_s, attempt.commit}, {u"parse_rule"_s, attempt.parseRule},
        {u"parent"_s, parent ? QJsonValue(parent->id) : QJsonValue(QJsonValue::Null)},
        {u"parent_name"_s, parent ? attemptName(*parent) : QString()},
        {u"duplicate_of"_s, attempt.duplicateOf ? QJsonValue(attempt.duplicateOf) : QJsonValue(QJsonValue::Null)},
        {u"latency_ms"_s, ms > 0 ? QJsonValue(ms) : QJsonValue(QJsonValue::Null)}, {u"estimate"_s, evaluation.estimate},
        {u"fraction_of_peak"_s, ms > 0 ? QJsonValue(evaluation.fractionOfPeak) : QJsonValue(QJsonValue::Null)},
        {u"quarantined"_s, evaluation.quarantined}, {u"speedup"_s, ratio(baselineMs)},
        {u"speedup_over_parent"_s, ratio(parent ? parent->evaluation.latency.medianMs : 0)},
        {u"created"_s, timestamp(attempt.createdAt)}, {u"finished"_s, timestamp(attempt.finishedAt)},
        {u"error"_s, QJsonValue::Null}};
    if (attempt.state == Attempt::State::Done && evaluation.error)
        json.insert("error"_L1, evaluation.toJson().value("error"_L1));
    return json;
}

Result<QJsonObject> candidatesDocument(const JournalReader &reader, qint64 run, const AttemptFilter &filter)
{
    // Parents may be outside the filter; all attempts of the run are looked up once.
    AttemptFilter all;
    all.run = run;
    const auto everything = reader.attempts(all);
    const auto wanted = reader.attempts(filter);
    if (!everything || !wanted)
        return std::unexpected(everything ? wanted.error() : everything.error());
    QHash<qint64, const Attempt *> byId;
    QHash<QString, double> baselines;
    for (const Attempt &attempt : *everything) {
        byId.insert(attempt.id, &attempt);
        if (attempt.key.isBaseline())
            baselines.insert(attempt.problem, attempt.evaluation.latency.medianMs);
    }
    QJsonArray attempts;
    for (const Attempt &attempt : *wanted)
        attempts.append(attemptDocument(attempt, byId.value(attempt.parent), baselines.value(attempt.problem)));
    return QJsonObject{{u"run"_s, run}, {u"attempts"_s, attempts}};
}

QJsonObject eventDocument(const RunEvent &event)
{
    static const char *names[] = {"state", "call-started", "call-finished", "attempt", "stage", "evaluation", "best",
        "iteration", "problem", "budget", "warning", "finished"};
    QJsonObject json{{u"event"_s, QLatin1StringView(names[static_cast<int>(event.kind)])}, {u"run"_s, event.run},
        {u"at"_s, timestamp(event.at)}};
    if (event.kind == RunEvent::Kind::StateChanged || event.kind == RunEvent::Kind::Finished)
        json.insert("state"_L1, runStateName(event.state));
    const auto text = [&json](QLatin1StringView key, const QString &value) {
        if (!value.isEmpty())
            json.insert(key, value);
    };
    const auto number = [&json](QLatin1StringView key, double value) {
        if (value > 0)
            json.insert(key, value);
    };
    text("problem"_L1, event.problem);
    text("text"_L1, event.text);
    text("lane"_L1, event.lane);
    text("stage"_L1, event.stage);
    if (event.attempt != 0) {
        json.insert("attempt"_L1, event.attempt);
        json.insert("key"_L1, event.key.ascii());
    }
    number("latency_ms"_L1, event.latencyMs);
    number("fraction_of_peak"_L1, event.fractionOfPeak);
    number("speedup"_L1, event.speedup);
    return json;
}

QJsonObject estimateDocument(const RunEstimate &estimate)
{
    return {{u"problems"_s, estimate.problems}, {u"planner_calls"_s, estimate.plannerCalls},
        {u"executor_calls"_s, estimate.executorCalls}, {u"summarizer_calls"_s, estimate.summarizerCalls},
        {u"evaluations"_s, estimate.evaluations}, {u"usd"_s, money(estimate.usd)}, {u"formula"_s, estimate.formula}};
}

Result<Attempt> resolveAttempt(const Project &project, const JournalReader &reader, const QString &text)
{
    static const QRegularExpression commitForm(u"^[0-9a-f]{7,40}$"_s);
    if (text.startsWith(u'#')) {
        bool ok = false;
        const qint64 id = text.mid(1).toLongLong(&ok);
        if (!ok)
            return fail(Error::Kind::Invalid, u"“%1” is no attempt number."_s.arg(text));
        return reader.attempt(id);
    }
    QString name = text;
    qint64 run = 0;
    if (const qsizetype colon = name.indexOf(u':'); colon > 0) {
        bool ok = false;
        run = name.left(colon).toLongLong(&ok);
        if (!ok)
            return fail(Error::Kind::Invalid, u"“%1” starts with no run number."_s.arg(text));
        name = name.mid(colon + 1);
    }
    const auto record = reader.run(run);
    if (!record)
        return std::unexpected(record.error());
    const qsizetype slash = name.indexOf(u'/');
    if (slash < 0 && commitForm.match(name).hasMatch()) {
        const auto repository = project.repository();
        if (!repository)
            return std::unexpected(repository.error());
        const auto info = (*repository)->info(name);
        if (!info)
            return std::unexpected(info.error());
        AttemptFilter filter;
        filter.run = record->id;
        const auto attempts = reader.attempts(filter);
        if (!attempts)
            return std::unexpected(attempts.error());
        for (const Attempt &attempt : *attempts) {
            if (attempt.commit == info->id)
                return attempt;
        }
        return fail(Error::Kind::NotFound, u"Commit %1 belongs to no attempt of run %2."_s.arg(name).arg(record->id));
    }
    if (slash <= 0)
        return fail(Error::Kind::Invalid,
            u"“%1” names no attempt; write PROBLEM/i01.c1.p01.a1, PROBLEM/baseline, PROBLEM/best or a commit."_s.arg(
                text));
    const QString problem = name.left(slash);
    const QString which = name.mid(slash + 1);
    if (which == u"best"_s) {
        const auto problems = reader.problemStatus(record->id);
        if (!problems)
            return std::unexpected(problems.error());
        for (const ProblemStatus &status : *problems) {
            if (status.name == problem && status.bestAttempt != 0)
                return reader.attempt(status.bestAttempt);
        }
        return fail(Error::Kind::NotFound, u"Run %1 has no best kernel of “%2”."_s.arg(record->id).arg(problem));
    }
    const auto key = AttemptKey::parse(which);
    if (!key)
        return fail(Error::Kind::Invalid,
            u"“%1” names no attempt; write PROBLEM/i01.c1.p01.a1, PROBLEM/baseline or PROBLEM/best."_s.arg(text));
    return reader.attempt(record->id, problem, *key);
}

} // namespace accelopt::cli
