// SPDX-License-Identifier: GPL-3.0-or-later
//
// The formats for programs: CSV with one row per attempt, JSON with everything. Columns and keys are stable: new ones
// come at the end.
#include "report/reportmodel.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <cmath>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::report {

namespace {

/// RFC 4180, and no cell that a spreadsheet would take for a formula.
QByteArray cell(const QString &text)
{
    QString clean = visible(text);
    if (!clean.isEmpty() && QStringView(u"=+-@\t\r").contains(clean.at(0)))
        clean.prepend(u'\'');
    if (clean.contains(u'"') || clean.contains(u',') || clean.contains(u'\n'))
        clean = u'"' + clean.replace(u'"', u"\"\""_s) + u'"';
    return clean.toUtf8();
}

QByteArray cell(double value)
{
    return std::isfinite(value) ? QByteArray::number(value, 'g', 17) : QByteArray();
}

QByteArray positive(double value)
{
    return value > 0 ? cell(value) : QByteArray();
}

QByteArray cell(const QDateTime &time)
{
    return time.isValid() ? time.toUTC().toString(Qt::ISODateWithMs).toLatin1() : QByteArray();
}

constexpr char columns[] =
    "run,problem,iteration,candidate,plan,attempt,round,key,id,parent,author,title,verdict,error_kind,error_id,error_"
    "line,error_stage,"
    "error_message,latency_ms,latency_min_ms,latency_max_ms,estimate,band_low_ms,band_high_ms,confidence,fraction_of_"
    "peak,speedup,"
    "relative_error,quarantined,same_as,sha256,commit,target,host,sdk,nki,created_at,finished_at\r\n";

QJsonObject ledgerJson(const LedgerTotals &totals)
{
    return {{u"calls"_s, totals.calls}, {u"input_tokens"_s, totals.inputTokens},
        {u"cached_tokens"_s, totals.cachedTokens}, {u"output_tokens"_s, totals.outputTokens},
        {u"cost_usd"_s, totals.costUsd}, {u"unpriced_calls"_s, totals.unpricedCalls},
        {u"in_flight_usd"_s, totals.inFlightUsd}};
}

QJsonObject countsJson(const AttemptCounts &c)
{
    return {{u"total"_s, c.total}, {u"correct"_s, c.correct}, {u"failed"_s, c.failed}, {u"same"_s, c.same},
        {u"skipped"_s, c.skipped}, {u"quarantined"_s, c.quarantined}, {u"pending"_s, c.pending}};
}

QJsonObject headlineJson(const Headline &h)
{
    return {{u"problems"_s, h.problems}, {u"fraction_before"_s, h.before}, {u"fraction_after"_s, h.after},
        {u"speedup"_s, h.speedup}};
}

QJsonObject attemptJson(const Attempt &attempt, const QHash<QString, double> &baselineOf)
{
    const Evaluation &e = attempt.evaluation;
    QJsonObject json{{u"id"_s, attempt.id}, {u"problem"_s, attempt.problem}, {u"key"_s, attempt.key.ascii()},
        {u"iteration"_s, attempt.key.iteration}, {u"candidate"_s, attempt.key.candidate}, {u"plan"_s, attempt.key.plan},
        {u"attempt"_s, attempt.key.attempt}, {u"round"_s, attempt.key.round},
        {u"parent"_s, attempt.parent ? QJsonValue(attempt.parent) : QJsonValue()}, {u"author"_s, attempt.author},
        {u"title"_s, attempt.planTitle}, {u"verdict"_s, verdictName(attempt)}, {u"sha256"_s, attempt.sha256},
        {u"commit"_s, attempt.commit},
        {u"same_as"_s, attempt.duplicateOf ? QJsonValue(attempt.duplicateOf) : QJsonValue()},
        {u"created_at"_s, attempt.createdAt.toString(Qt::ISODateWithMs)}};
    if (attempt.finishedAt.isValid())
        json.insert(u"finished_at"_s, attempt.finishedAt.toString(Qt::ISODateWithMs));
    if (attempt.state == Attempt::State::Done)
        json.insert(u"evaluation"_s, withoutSecrets(e.toJson()));
    if (const double baseline = baselineOf.value(attempt.problem);
        baseline > 0 && e.isCorrect() && e.latency.medianMs > 0)
        json.insert(u"speedup"_s, baseline / e.latency.medianMs);
    return json;
}

} // namespace

Result<QByteArray> renderCsv(const Model &model, const Project &project)
{
    QHash<QString, double> baselines;
    QHash<QString, bool> estimated;
    for (const ProblemPart &part : model.problems) {
        baselines.insert(part.problem.name, part.status.baselineMs);
        estimated.insert(part.problem.name, part.status.estimate);
    }
    QByteArray csv = columns;
    const Result<void> read = eachAttempt(project, model.run.id, [&](const Attempt &a) {
        const Evaluation &e = a.evaluation;
        const double baseline = baselines.value(a.problem);
        // A speedup between an estimate and a measurement would mean nothing.
        const bool comparable =
            e.isCorrect() && baseline > 0 && e.latency.medianMs > 0 && estimated.value(a.problem) == e.estimate;
        const bool done = a.state == Attempt::State::Done;
        const QByteArrayList row{QByteArray::number(a.run), cell(a.problem), QByteArray::number(a.key.iteration),
            QByteArray::number(a.key.candidate), QByteArray::number(a.key.plan), QByteArray::number(a.key.attempt),
            QByteArray::number(a.key.round), cell(a.key.ascii()), QByteArray::number(a.id),
            a.parent ? QByteArray::number(a.parent) : QByteArray(), cell(a.author), cell(a.planTitle),
            cell(verdictName(a)), cell(errorKindName(e.error.kind)), cell(e.error.id),
            e.error.line > 0 ? QByteArray::number(e.error.line) : QByteArray(), cell(e.error.stage),
            cell(e.error.message), positive(e.latency.medianMs), positive(e.latency.minMs), positive(e.latency.maxMs),
            done && e.latency.medianMs > 0 ? (e.estimate ? "1" : "0") : QByteArray(), positive(e.bandLowMs),
            positive(e.bandHighMs), cell(e.confidence), positive(e.fractionOfPeak),
            comparable ? cell(baseline / e.latency.medianMs) : QByteArray(),
            e.relativeError >= 0 ? cell(e.relativeError) : QByteArray(),
            done ? (e.quarantined ? "1" : "0") : QByteArray(),
            a.duplicateOf ? QByteArray::number(a.duplicateOf) : QByteArray(), cell(a.sha256), cell(a.commit),
            cell(e.environment.target), cell(e.environment.host), cell(e.environment.sdk), cell(e.environment.nki),
            cell(a.createdAt), cell(a.finishedAt)};
        csv += row.join(',') + "\r\n";
    });
    if (!read)
        return std::unexpected(read.error());
    return csv;
}

Result<QByteArray> renderJson(const Model &model, const Project &project)
{
    QHash<QString, double> baselines;
    QJsonArray problems;
    for (const ProblemPart &part : model.problems) {
        const ProblemStatus &s = part.status;
        baselines.insert(part.problem.name, s.baselineMs);
        QJsonArray fractions, experiences, lineage, commands;
        for (const double fraction : s.bestFractionByIteration)
            fractions.append(fraction);
        for (const Experience &x : part.experiences) {
            experiences.append(QJsonObject{{u"id"_s, x.id}, {u"iteration"_s, x.iteration}, {u"rank"_s, x.rank},
                {u"positive"_s, x.positive}, {u"speedup"_s, x.speedup}, {u"slow_attempt"_s, x.slowAttempt},
                {u"fast_attempt"_s, x.fastAttempt}, {u"title"_s, x.title}, {u"summary"_s, x.text()},
                {u"state"_s, experienceStateName(x.state)}, {u"uses"_s, x.uses}});
        }
        for (const Attempt &attempt : part.lineage)
            lineage.append(attempt.key.ascii());
        for (const QString &command : checkCommands(model, part))
            commands.append(command);
        problems.append(QJsonObject{{u"name"_s, part.problem.name}, {u"title"_s, part.problem.title},
            {u"operator"_s, part.problem.operatorText}, {u"bound"_s, boundName(s.bound)}, {u"peak_ms"_s, s.peakMs},
            {u"state"_s, s.state}, {u"estimate"_s, s.estimate}, {u"baseline_ms"_s, s.baselineMs},
            {u"best_ms"_s, s.bestMs}, {u"baseline_fraction"_s, s.baselineFraction},
            {u"best_fraction"_s, s.bestFraction}, {u"speedup"_s, s.speedup()},
            {u"baseline_attempt"_s, s.baselineAttempt}, {u"best_attempt"_s, s.bestAttempt},
            {u"baseline_commit"_s, part.baseline ? part.baseline->commit : QString()},
            {u"best_commit"_s, part.best ? part.best->commit : QString()}, {u"iterations"_s, s.iteration},
            {u"best_fraction_by_iteration"_s, fractions}, {u"attempts"_s, countsJson(part.counts)},
            {u"patch"_s, QString::fromUtf8(part.patch)}, {u"lineage"_s, lineage}, {u"experiences"_s, experiences},
            {u"check"_s, commands}});
    }
    QJsonObject byModel, byRole, errors;
    for (auto part = model.byModel.cbegin(); part != model.byModel.cend(); ++part)
        byModel.insert(part.key(), ledgerJson(part.value()));
    for (auto part = model.byRole.cbegin(); part != model.byRole.cend(); ++part)
        byRole.insert(part.key(), ledgerJson(part.value()));
    for (auto error = model.errors.cbegin(); error != model.errors.cend(); ++error)
        errors.insert(error.key(), error.value());
    QJsonArray environments, attempts;
    for (const EvaluationEnvironment &environment : model.environments)
        environments.append(environment.toJson());
    const Result<void> read =
        eachAttempt(project, model.run.id, [&](const Attempt &a) { attempts.append(attemptJson(a, baselines)); });
    if (!read)
        return std::unexpected(read.error());
    QJsonObject ledger = ledgerJson(model.ledger);
    ledger.insert(u"by_model"_s, byModel);
    ledger.insert(u"by_role"_s, byRole);
    ledger.insert(u"device_seconds"_s, model.deviceSeconds);
    const QJsonObject document{{u"version"_s, 1}, {u"program"_s, u"AccelOpt Studio "_s + model.programVersion},
        {u"project"_s, model.projectName}, {u"written_at"_s, model.writtenAt.toString(Qt::ISODate)},
        {u"run"_s,
            QJsonObject{{u"id"_s, model.run.id}, {u"name"_s, model.run.name},
                {u"state"_s, runStateName(model.run.state)}, {u"reason"_s, model.run.stopReason},
                {u"created_at"_s, model.run.createdAt.toString(Qt::ISODateWithMs)},
                {u"active_seconds"_s, model.run.activeSeconds}}},
        {u"headline"_s,
            QJsonObject{
                {u"measured"_s, headlineJson(model.measured)}, {u"estimated"_s, headlineJson(model.estimated)}}},
        {u"problems"_s, problems}, {u"attempt_counts"_s, countsJson(model.counts)}, {u"errors"_s, errors},
        {u"ledger"_s, ledger}, {u"settings"_s, model.settings},
        {u"peaks"_s, withoutSecrets(model.run.facts.peaks.toJson())},
        {u"prices"_s, withoutSecrets(model.run.facts.prices.toJson())}, {u"environments"_s, environments},
        {u"attempts"_s, attempts}, {u"check"_s, verifyCommand(model)}};
    return QJsonDocument(document).toJson();
}

} // namespace accelopt::report
