// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/reportmodel.h"

#include "domain/format.h"

#include <QJsonArray>
#include <QRegularExpression>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::report {

namespace {

QJsonValue cleaned(const QJsonValue &value)
{
    static const QRegularExpression user(u"://[^/@\\s]*@"_s);
    if (value.isString())
        return value.toString().replace(user, u"://…@"_s);
    if (value.isObject())
        return withoutSecrets(value.toObject());
    if (value.isArray()) {
        QJsonArray list;
        for (const QJsonValue &item : value.toArray())
            list.append(cleaned(item));
        return list;
    }
    return value;
}

QString shellQuoted(const QString &text)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9_./+-]+$"_s);
    if (plain.match(text).hasMatch() && !text.startsWith(u'-'))
        return text;
    QString quoted = visible(text);
    quoted.replace(u'\'', u"'\\''"_s);
    return u'\'' + quoted + u'\'';
}

Headline headlineOf(const QList<ProblemPart> &parts, bool estimate)
{
    QList<double> before, after, speedups;
    for (const ProblemPart &part : parts) {
        if (part.status.baselineMs <= 0 || part.status.estimate != estimate)
            continue;
        before.append(part.status.baselineFraction);
        after.append(part.status.bestFraction);
        speedups.append(part.status.speedup());
    }
    return {int(before.size()), geometricMean(before), geometricMean(after), geometricMean(speedups)};
}

Result<ProblemPart> loadProblem(JournalReader &reader, const KernelRepository *repository, qint64 run,
    const Problem &problem, const ProblemStatus &status)
{
    ProblemPart part;
    part.problem = problem;
    part.status = status;
    const auto counts = reader.attemptCounts(run, problem.name);
    if (!counts)
        return std::unexpected(counts.error());
    part.counts = *counts;
    for (const auto &[id, attempt] :
        {std::pair(status.baselineAttempt, &part.baseline), std::pair(status.bestAttempt, &part.best)}) {
        if (id == 0)
            continue;
        const auto found = reader.attempt(id);
        if (!found)
            return std::unexpected(found.error());
        *attempt = *found;
    }
    auto experiences = reader.experiences(run, problem.name);
    if (!experiences)
        return std::unexpected(experiences.error());
    std::ranges::reverse(*experiences);
    part.experiences = *experiences;
    if (!part.best || !part.baseline || part.best->id == part.baseline->id) {
        part.patchNote = u"The baseline is still the best kernel."_s;
        return part;
    }
    const auto lineage = reader.lineage(part.best->id);
    if (!lineage)
        return std::unexpected(lineage.error());
    part.lineage = *lineage;
    if (!repository || part.best->commit.isEmpty() || part.baseline->commit.isEmpty()) {
        part.patchNote = u"The kernels are not in the kernel repository."_s;
    } else if (const auto patch = repository->patch(part.baseline->commit, part.best->commit)) {
        part.patch = *patch;
        if (part.patch.isEmpty())
            part.patchNote = u"The kernels do not differ."_s;
    } else {
        part.patchNote = patch.error().message; // a damaged repository does not cost the rest of the report
    }
    return part;
}

} // namespace

QJsonObject withoutSecrets(const QJsonObject &json)
{
    QJsonObject clean;
    for (auto value = json.begin(); value != json.end(); ++value)
        clean.insert(value.key(), cleaned(value.value()));
    return clean;
}

QList<std::pair<QString, QString>> flatten(const QJsonObject &json)
{
    QList<std::pair<QString, QString>> rows;
    for (auto value = json.begin(); value != json.end(); ++value) {
        if (value->isObject()) {
            for (const auto &[path, text] : flatten(value->toObject()))
                rows.emplaceBack(value.key() + u'.' + path, text);
        } else if (value->isArray()) {
            QStringList items;
            for (const QJsonValue &item : value->toArray())
                items.append(item.isString() ? item.toString() : item.toVariant().toString());
            rows.emplaceBack(value.key(), items.isEmpty() ? format::missing() : items.join(u", "_s));
        } else {
            const QString text = value->toVariant().toString();
            rows.emplaceBack(value.key(), text.isEmpty() ? format::missing() : text);
        }
    }
    return rows;
}

Result<Model> load(const Project &project, qint64 run)
{
    const auto opened = project.reader();
    if (!opened)
        return std::unexpected(opened.error());
    JournalReader &reader = **opened;
    Model model;
    model.projectName = project.name();
    model.folder = project.name();
    model.programVersion = QStringLiteral(ACCELOPT_VERSION);
    model.writtenAt = QDateTime::currentDateTimeUtc();
    const auto record = reader.run(run);
    if (!record)
        return std::unexpected(record.error());
    model.run = *record;
    model.settings = withoutSecrets(model.run.settings.toJson());
    const qint64 id = model.run.id;
    const auto problems = reader.problemsOfRun(id);
    const auto status = reader.problemStatus(id);
    const auto counts = reader.attemptCounts(id);
    const auto ledger = reader.ledger(id);
    const auto byModel = reader.ledgerBy(id, u"model"_s);
    const auto byRole = reader.ledgerBy(id, u"role"_s);
    const auto device = reader.deviceSeconds(id);
    for (const Error *error :
        {problems ? nullptr : &problems.error(), status ? nullptr : &status.error(), counts ? nullptr : &counts.error(),
            ledger ? nullptr : &ledger.error(), byModel ? nullptr : &byModel.error(),
            byRole ? nullptr : &byRole.error(), device ? nullptr : &device.error()}) {
        if (error)
            return std::unexpected(*error);
    }
    model.counts = *counts;
    model.ledger = *ledger;
    model.byModel = *byModel;
    model.byRole = *byRole;
    model.deviceSeconds = *device;
    const auto repository = project.repository();
    for (qsizetype i = 0; i < problems->size() && i < status->size(); ++i) {
        auto part = loadProblem(reader, repository ? repository->get() : nullptr, id, problems->at(i), status->at(i));
        if (!part)
            return std::unexpected(part.error());
        model.withoutResult += part->status.baselineMs <= 0;
        for (const auto &attempt : {part->baseline, part->best}) {
            if (attempt && attempt->evaluation.isCorrect()
                && !model.environments.contains(attempt->evaluation.environment))
                model.environments.append(attempt->evaluation.environment);
        }
        model.countsByProblem.insert(part->problem.name, part->counts);
        model.problems.append(std::move(*part));
    }
    model.measured = headlineOf(model.problems, false);
    model.estimated = headlineOf(model.problems, true);
    // Only failed ones can have an error kind: a narrow read even of a large run.
    const auto failed = reader.attempts({.run = id, .verdict = u"failed"_s, .details = false});
    if (!failed)
        return std::unexpected(failed.error());
    for (const Attempt &attempt : *failed)
        ++model.errors[attempt.evaluation.error ? errorKindName(attempt.evaluation.error.kind) : u"other"_s];
    return model;
}

Result<void> eachAttempt(const Project &project, qint64 run, const std::function<void(const Attempt &)> &row)
{
    const auto reader = project.reader();
    if (!reader)
        return std::unexpected(reader.error());
    const auto ids = (*reader)->attemptIds({.run = run});
    if (!ids)
        return std::unexpected(ids.error());
    constexpr qsizetype page = 2000;
    for (qsizetype first = 0; first < ids->size(); first += page) {
        const auto attempts = (*reader)->attemptsById(ids->mid(first, page), true);
        if (!attempts)
            return std::unexpected(attempts.error());
        for (const Attempt &attempt : *attempts)
            row(attempt);
    }
    return {};
}

QString latencyText(double ms, bool estimate)
{
    if (ms <= 0)
        return format::missing();
    return estimate ? format::estimatedLatency(ms) : format::latency(ms);
}

QString fractionText(double fraction, bool estimate)
{
    if (fraction <= 0)
        return format::missing();
    return estimate ? format::estimatedFraction(fraction) : format::fraction(fraction);
}

QStringList headlineSentences(const Model &model)
{
    QStringList sentences;
    for (const auto &[headline, estimate] : {std::pair(model.measured, false), std::pair(model.estimated, true)}) {
        if (headline.problems == 0)
            continue;
        const QString over =
            headline.problems == 1 ? u"one problem"_s : u"the geometric mean of %1 problems"_s.arg(headline.problems);
        sentences.append(u"Fraction of peak over %1, %2: %3 → %4, %5 the speed of the baseline."_s.arg(over,
            estimate ? u"estimated"_s : u"measured"_s, fractionText(headline.before, estimate),
            fractionText(headline.after, estimate), format::speedup(headline.speedup)));
    }
    if (sentences.isEmpty())
        sentences.append(u"No problem of this run has a latency yet."_s);
    if (model.withoutResult > 0 && (model.measured.problems > 0 || model.estimated.problems > 0))
        sentences.append(u"%1 of %2 problems have no latency yet and are in no mean."_s.arg(model.withoutResult)
                .arg(model.problems.size()));
    return sentences;
}

QString estimateSentence(const Model &model)
{
    if (model.estimated.problems == 0)
        return {};
    return u"Numbers with ≈ are estimates of the simulator, not measurements. They are compared with estimates only."_s;
}

QString stateSentence(const Model &model)
{
    QString sentence;
    switch (model.run.state) {
    case RunState::Ready:
        sentence = u"The run has not started."_s;
        break;
    case RunState::Running:
    case RunState::Draining:
        sentence = u"The run was under way when this was written."_s;
        break;
    case RunState::Paused:
        sentence = u"The run was paused when this was written."_s;
        break;
    case RunState::Stopped:
        sentence = u"The run was stopped; it can be resumed."_s;
        break;
    case RunState::BudgetReached:
        sentence = u"The run stopped at its budget."_s;
        break;
    case RunState::Interrupted:
        sentence = u"The run was interrupted; it can be resumed."_s;
        break;
    case RunState::Finished:
        sentence = u"The run is finished."_s;
        break;
    case RunState::Failed:
        sentence = u"The run could not go on."_s;
        break;
    }
    if (!model.run.stopReason.isEmpty())
        sentence += u' ' + model.run.stopReason;
    return sentence;
}

QString provenance(const Model &model, const QString &commit)
{
    QStringList parts{model.projectName, model.run.name, model.run.settings.target,
        model.writtenAt.toString(u"yyyy-MM-dd HH:mm 'UTC'"_s)};
    if (!commit.isEmpty())
        parts.append(u"commit %1"_s.arg(commit.left(10)));
    return parts.join(u" · "_s);
}

QString verifyCommand(const Model &model)
{
    return u"accelopt verify "_s + shellQuoted(model.folder);
}

QStringList checkCommands(const Model &model, const ProblemPart &part)
{
    if (!part.best || part.best->commit.isEmpty())
        return {};
    QStringList lines;
    const QString repository = shellQuoted(model.folder + u"/kernels.git"_s);
    for (const QString &file : {u"kernel.py"_s, u"reference.py"_s, u"problem.json"_s})
        lines.append(u"git -C %1 show %2:%3 > %3"_s.arg(repository, part.best->commit, file));
    lines.append(u"accelopt evaluate kernel.py reference.py --target %1"_s.arg(shellQuoted(model.run.settings.target)));
    return lines;
}

QString costText(const LedgerTotals &totals)
{
    if (totals.unpricedCalls == 0)
        return format::money(totals.costUsd);
    if (totals.unpricedCalls >= totals.calls)
        return format::money(std::nullopt);
    return u"%1 and %2 of unknown price"_s.arg(format::money(totals.costUsd),
        totals.unpricedCalls == 1 ? u"one call"_s : u"%1 calls"_s.arg(format::count(totals.unpricedCalls)));
}

QString visible(const QString &text)
{
    QString clean;
    clean.reserve(text.size());
    for (const QChar c : text) {
        const char16_t code = c.unicode();
        const bool turnsText = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
            || code == 0x200e || code == 0x200f;
        if (turnsText)
            clean += u"⟨U+%1⟩"_s.arg(code, 4, 16, QChar(u'0')).toUpper();
        else if (code == u'\n' || code == u'\t' || (code >= 0x20 && code != 0x7f && !(code >= 0x80 && code < 0xa0)))
            clean += c;
    }
    return clean;
}

} // namespace accelopt::report
