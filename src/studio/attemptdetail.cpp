// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/attemptdetail.h"

#include "domain/format.h"
#include "repository/linediff.h"
#include "studio/session.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <algorithm>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr const char *stageOrder[] = {"guard", "check", "compile", "timing", "correctness", "profile", "verify"};

QString engineName(const QString &engine)
{
    static const QHash<QString, QString> names{{u"tensor"_s, u"TensorE"_s}, {u"vector"_s, u"VectorE"_s},
        {u"scalar"_s, u"ScalarE"_s}, {u"gpsimd"_s, u"GpSimd"_s}, {u"dma"_s, u"DMA"_s}};
    return names.value(engine.toLower(), engine);
}

void readStages(AttemptDetail::Data &data)
{
    const QJsonObject seconds = data.attempt.evaluation.stageSeconds;
    QList<std::pair<QString, double>> stages;
    for (const char *stage : stageOrder) {
        if (const double s = seconds.value(QLatin1StringView(stage)).toDouble(); s > 0)
            stages.append({QLatin1StringView(stage), s});
    }
    double total = 0;
    for (const auto &[name, s] : stages)
        total += s;
    for (const auto &[name, s] : stages) {
        data.stages << name << format::duration(s);
        data.stageShares << (total > 0 ? s / total : 0);
    }
}

void readCostLines(AttemptDetail::Data &data)
{
    struct Cost {
        int line;
        QString engine;
        double ms;
    };
    QList<Cost> costs;
    const QJsonArray lines = data.attempt.evaluation.profile.value("lines"_L1).toArray();
    for (const QJsonValue &value : lines) {
        const QJsonObject line = value.toObject();
        costs.append({line.value("line"_L1).toInt(), engineName(line.value("engine"_L1).toString()),
            line.value("busy_ms"_L1).toDouble()});
    }
    std::ranges::stable_sort(costs, std::ranges::greater(), &Cost::ms);
    constexpr qsizetype most = 10;
    for (const Cost &cost : costs.first(std::min(most, costs.size()))) {
        if (cost.line <= 0 || cost.ms <= 0)
            continue;
        data.costLines << u"%1"_s.arg(cost.line) << cost.engine << format::estimatedLatency(cost.ms)
                       << data.lines.value(cost.line - 1).trimmed();
    }
}

/// The messages of a kept exchange as a person reads them.
QString promptText(const QByteArray &request)
{
    const QJsonArray messages = QJsonDocument::fromJson(request).object().value("messages"_L1).toArray();
    QStringList parts;
    for (const QJsonValue &message : messages)
        parts << u"[%1]"_s.arg(message.toObject().value("role"_L1).toString())
              << message.toObject().value("content"_L1).toString() << QString();
    return parts.isEmpty() ? QString::fromUtf8(request) : parts.join(u'\n');
}

void readProvenance(AttemptDetail::Data &data, const JournalReader &reader)
{
    const Attempt &attempt = data.attempt;
    data.facts << u"Author"_s << attempt.author;
    if (attempt.key.isBaseline())
        return;
    CallKey key{attempt.problem, attempt.key.iteration, attempt.key.candidate, attempt.key.plan, attempt.key.attempt,
        attempt.key.round, attempt.key.round > 0 ? Role::Fixer : Role::Executor};
    if (const auto call = reader.call(attempt.run, key)) {
        data.prompt = promptText(call->request);
        data.reply = QString::fromUtf8(call->reply);
        data.facts << u"Executor"_s << call->model.name() + u", "_s + format::money(call->costUsd);
    }
    if (const auto planner = reader.call(attempt.run,
            {attempt.problem, attempt.key.iteration, attempt.key.candidate, attempt.key.plan, 0, 0, Role::Planner}))
        data.facts << u"Planner"_s << planner->model.name() + u", "_s + format::money(planner->costUsd);
    if (!attempt.parseRule.isEmpty())
        data.facts << u"Kernel taken by"_s << attempt.parseRule;
    if (const auto used =
            reader.experiencesInPrompt(attempt.run, attempt.problem, attempt.key.iteration, attempt.key.candidate))
        data.facts << u"Experiences in prompt"_s << QString::number(used->size());
    AttemptFilter family;
    family.run = attempt.run;
    family.problem = attempt.problem;
    family.parent = attempt.parent;
    if (const auto siblings = reader.attempts(family)) {
        QStringList others;
        for (const Attempt &each : *siblings) {
            const bool samePlan = each.key.iteration == attempt.key.iteration
                && each.key.candidate == attempt.key.candidate && each.key.plan == attempt.key.plan;
            if (samePlan && each.id != attempt.id)
                others << u"a%1: %2"_s.arg(each.key.attempt).arg(verdictName(each));
        }
        if (!others.isEmpty())
            data.facts << u"Other attempts of this plan"_s << others.join(u", "_s);
    }
    if (const auto experiences = reader.experiences(attempt.run, attempt.problem)) {
        for (const Experience &each : *experiences) {
            if (each.slowAttempt == attempt.id || each.fastAttempt == attempt.id)
                data.facts << u"In experience"_s
                           << u"%1, %2, %3"_s.arg(each.title, each.positive ? u"positive"_s : u"negative"_s,
                                  format::speedup(each.speedup));
        }
    }
    if (attempt.duplicateOf != 0) {
        if (const auto owner = reader.attempt(attempt.duplicateOf))
            data.facts << u"Same program as"_s << owner->key.display();
    }
}

/// A plan as prose: no asterisks, and without the block that tells the rules what to do, which stays in the journal.
QString readable(QString text)
{
    static const QRegularExpression machineBlock(u"\\n```json\\n[^`]*```\\s*$"_s);
    text.remove(machineBlock);
    text.remove(u"**"_s);
    return text.trimmed();
}

Result<AttemptDetail::Data> readDetail(ReadContext &context, qint64 id)
{
    const auto reader = context.reader();
    const auto repository = context.repository();
    if (!reader || !repository)
        return std::unexpected(reader ? repository.error() : reader.error());
    const auto attempt = (*reader)->attempt(id);
    if (!attempt)
        return std::unexpected(attempt.error());
    AttemptDetail::Data data;
    data.attempt = *attempt;
    data.state = verdictName(*attempt);
    QByteArray source, parentSource;
    if (!attempt->commit.isEmpty()) {
        if (const auto kernel = (*repository)->file(attempt->commit, u"kernel.py"_s))
            source = *kernel;
    }
    if (attempt->parent != 0) {
        if (const auto parent = (*reader)->attempt(attempt->parent)) {
            data.parentName = parent->key.display();
            if (!parent->commit.isEmpty()) {
                if (const auto kernel = (*repository)->file(parent->commit, u"kernel.py"_s))
                    parentSource = *kernel;
            }
        }
    }
    const LineDiff diff = diffLines(parentSource.isEmpty() ? source : parentSource, source);
    data.lines = diff.right;
    for (const DiffRow &row : diff.rows) {
        if (row.right >= 0 && row.kind != DiffRow::Kind::Same)
            data.changed.insert(row.right);
    }
    data.colours = highlightPython(data.lines);

    if (const auto problems = (*reader)->problemStatus(attempt->run)) {
        for (const ProblemStatus &problem : *problems) {
            if (problem.name != attempt->problem)
                continue;
            data.bound = boundName(problem.bound);
            if (problem.bestAttempt == id && problem.bestAttempt != problem.baselineAttempt)
                data.state = u"best"_s;
            const double ms = attempt->evaluation.latency.medianMs;
            data.overBaseline = ms > 0 && attempt->evaluation.isCorrect() && !attempt->evaluation.quarantined
                ? problem.baselineMs / ms
                : 0;
        }
    }
    Work work;
    if (const auto problems = (*reader)->problemsOfRun(attempt->run)) {
        for (const Problem &problem : *problems) {
            if (problem.name == attempt->problem) {
                data.tolerance = problem.tolerance;
                work = problem.work;
            }
        }
    }
    data.profile = profileRows(attempt->evaluation, work);
    if (const auto plan = (*reader)->plan(
            attempt->run, attempt->problem, attempt->key.iteration, attempt->key.candidate, attempt->key.plan))
        data.planText = readable(plan->text);
    readStages(data);
    readCostLines(data);
    readProvenance(data, **reader);
    return data;
}

} // namespace

AttemptDetail::AttemptDetail(QObject *parent)
    : QObject(parent)
{
    m_profile.setDifferencesOnly(false);
    m_timer.setSingleShot(true);
    m_timer.setInterval(30);
    connect(&m_timer, &QTimer::timeout, this, &AttemptDetail::read);
    // A finished attempt does not change; one under way is read again as rows are written.
    connect(Session::instance(), &Session::journalChanged, this, [this] {
        if (m_attempt != 0 && (!m_ready || m_data.attempt.state != Attempt::State::Done) && !m_timer.isActive())
            m_timer.start();
    });
}

void AttemptDetail::setAttempt(qlonglong id)
{
    if (m_attempt == id)
        return;
    m_attempt = id;
    Q_EMIT attemptChanged();
    if (id == 0)
        show({});
    m_timer.start();
}

void AttemptDetail::read()
{
    if (m_attempt == 0)
        return;
    Session::instance()->query(
        this, u"detail"_s, [id = m_attempt](ReadContext &context) { return readDetail(context, id); },
        [this](const Result<Data> &data) {
            m_error = data ? QString() : data.error().message;
            m_ready = data.has_value();
            show(data ? *data : Data());
        });
}

void AttemptDetail::show(const Data &data)
{
    m_data = data;
    m_source.setSource(data.lines, data.colours, data.changed, data.attempt.evaluation.error.line);
    m_profile.setRows(data.profile);
    m_ready = data.attempt.id != 0;
    Q_EMIT changed();
}

QString AttemptDetail::where() const
{
    const Attempt &attempt = m_data.attempt;
    if (attempt.state != Attempt::State::Done)
        return tr("waits for its evaluation");
    if (attempt.evaluation.core.isEmpty())
        return {};
    const QString verb = attempt.evaluation.status == Evaluation::Status::Failed ? tr("failed on %1")
        : attempt.evaluation.estimate                                            ? tr("estimated on %1")
                                                                                 : tr("measured on %1");
    return verb.arg(attempt.evaluation.core) + u", "_s + format::clock(attempt.finishedAt);
}

QString AttemptDetail::latency() const
{
    const Evaluation &evaluation = m_data.attempt.evaluation;
    return evaluation.estimate ? format::estimatedLatency(evaluation.latency.medianMs)
                               : format::latency(evaluation.latency.medianMs);
}

QString AttemptDetail::spread() const
{
    const Evaluation &evaluation = m_data.attempt.evaluation;
    if (!(evaluation.latency.medianMs > 0))
        return {};
    if (evaluation.estimate) {
        const QString range = evaluation.bandHighMs > 0
            ? tr("%1 to %2").arg(format::latencyMs(evaluation.bandLowMs), format::latencyMs(evaluation.bandHighMs))
            : tr("range unknown");
        return evaluation.confidence.isEmpty() ? range : tr("%1, class %2").arg(range, evaluation.confidence);
    }
    return tr("spread %1 %").arg(100 * evaluation.latency.spread(), 0, 'f', 2);
}

QString AttemptDetail::fraction() const
{
    const Evaluation &evaluation = m_data.attempt.evaluation;
    return evaluation.estimate ? format::estimatedFraction(evaluation.fractionOfPeak)
                               : format::fraction(evaluation.fractionOfPeak);
}

QString AttemptDetail::relativeError() const
{
    return format::scientific(m_data.attempt.evaluation.relativeError);
}

QString AttemptDetail::tolerance() const
{
    return format::scientific(m_data.tolerance > 0 ? m_data.tolerance : -1);
}

QString AttemptDetail::errorWhere() const
{
    const EvaluationError &error = m_data.attempt.evaluation.error;
    QStringList parts;
    if (error.line > 0)
        parts << tr("line %1").arg(error.line);
    if (!error.stage.isEmpty())
        parts << tr("stage %1").arg(error.stage);
    if (!error.id.isEmpty())
        parts << error.id;
    return parts.join(u", "_s);
}

} // namespace accelopt
