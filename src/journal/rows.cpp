// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal/rows.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTimeZone>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::journal {

RunState runStateFromName(const QString &name)
{
    for (const RunState state : {RunState::Ready, RunState::Running, RunState::Paused, RunState::Draining,
             RunState::Stopped, RunState::BudgetReached, RunState::Interrupted, RunState::Finished}) {
        if (runStateName(state) == name)
            return state;
    }
    return RunState::Failed;
}

QString callStateName(CallRecord::State state)
{
    switch (state) {
    case CallRecord::State::Started:
        return u"started"_s;
    case CallRecord::State::Finished:
        return u"finished"_s;
    case CallRecord::State::Failed:
        return u"failed"_s;
    case CallRecord::State::Interrupted:
        return u"interrupted"_s;
    }
    return {};
}

CallRecord::State callStateFromName(const QString &name)
{
    if (name == "started"_L1)
        return CallRecord::State::Started;
    if (name == "finished"_L1)
        return CallRecord::State::Finished;
    return name == "failed"_L1 ? CallRecord::State::Failed : CallRecord::State::Interrupted;
}

QString attemptStateName(Attempt::State state)
{
    switch (state) {
    case Attempt::State::Pending:
        return u"pending"_s;
    case Attempt::State::Evaluating:
        return u"evaluating"_s;
    case Attempt::State::Done:
        return u"done"_s;
    }
    return {};
}

Attempt::State attemptStateFromName(const QString &name)
{
    if (name == "done"_L1)
        return Attempt::State::Done;
    return name == "evaluating"_L1 ? Attempt::State::Evaluating : Attempt::State::Pending;
}

Experience::State experienceStateFromName(const QString &name)
{
    for (const Experience::State state :
        {Experience::State::Pinned, Experience::State::Disabled, Experience::State::Deleted}) {
        if (experienceStateName(state) == name)
            return state;
    }
    return Experience::State::Active;
}

QString verdictWord(const Evaluation &evaluation, bool duplicate)
{
    if (duplicate)
        return u"same"_s;
    if (evaluation.quarantined)
        return u"quarantined"_s;
    switch (evaluation.status) {
    case Evaluation::Status::Measured:
        return u"correct"_s;
    case Evaluation::Status::Skipped:
        return u"skipped"_s;
    case Evaluation::Status::Failed:
        break;
    }
    return u"failed"_s;
}

bool isActiveState(RunState state)
{
    return state == RunState::Running || state == RunState::Draining;
}

QJsonObject problemDefinition(const Problem &problem)
{
    QJsonObject values;
    for (auto value = problem.values.cbegin(); value != problem.values.cend(); ++value)
        values.insert(value.key(), value.value());
    return {{u"title"_s, problem.title}, {u"operator"_s, problem.operatorText}, {u"dtype"_s, problem.dtype},
        {u"values"_s, values}, {u"tolerance"_s, problem.tolerance}, {u"entry"_s, problem.entry},
        {u"work"_s,
            QJsonObject{{u"bytes"_s, problem.work.bytes}, {u"matmul_flops"_s, problem.work.matmulFlops},
                {u"vector_flops"_s, problem.work.vectorFlops}}}};
}

QString problemDigest(const Problem &problem)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    // Lengths keep neighbours apart: no two problems give the same bytes.
    const auto add = [&hash](const QByteArray &part) {
        hash.addData(QByteArray::number(part.size()) + ':');
        hash.addData(part);
    };
    add(QJsonDocument(problemDefinition(problem)).toJson(QJsonDocument::Compact));
    add(QJsonDocument(problem.json).toJson(QJsonDocument::Compact));
    add(problem.referenceSource);
    add(problem.kernelSource);
    return QString::fromLatin1(hash.result().toHex());
}

Problem readProblem(const sqlite::Statement &row)
{
    Problem problem;
    problem.name = row.text(0);
    const QJsonObject definition = row.json(1);
    problem.title = definition.value("title"_L1).toString();
    problem.operatorText = definition.value("operator"_L1).toString();
    problem.dtype = definition.value("dtype"_L1).toString();
    const QJsonObject values = definition.value("values"_L1).toObject();
    for (auto value = values.begin(); value != values.end(); ++value)
        problem.values.insert(value.key(), value.value().toDouble());
    problem.tolerance = definition.value("tolerance"_L1).toDouble();
    problem.entry = definition.value("entry"_L1).toString();
    const QJsonObject work = definition.value("work"_L1).toObject();
    problem.work = {work.value("bytes"_L1).toDouble(), work.value("matmul_flops"_L1).toDouble(),
        work.value("vector_flops"_L1).toDouble()};
    problem.json = row.json(2);
    problem.referenceSource = row.blob(3);
    problem.kernelSource = row.blob(4);
    return problem;
}

Result<RunRecord> readRun(const sqlite::Statement &row)
{
    RunRecord run;
    run.id = row.integer(0);
    run.name = row.text(1);
    run.state = runStateFromName(row.text(2));
    Result<RunSettings> settings = RunSettings::fromJson(row.json(3));
    if (!settings)
        return std::unexpected(settings.error());
    run.settings = *settings;
    Result<FrozenFacts> facts = FrozenFacts::fromJson(row.json(4));
    if (!facts)
        return std::unexpected(facts.error());
    run.facts = *facts;
    run.stopReason = row.text(5);
    run.createdAt = row.time(6);
    run.startedAt = row.time(7);
    run.finishedAt = row.time(8);
    qint64 active = row.integer(9);
    if (!row.isNull(10))
        active += std::max<qint64>(0, QDateTime::currentMSecsSinceEpoch() - row.integer(10));
    run.activeSeconds = double(active) / 1000;
    return run;
}

CallRecord readCall(const sqlite::Statement &row)
{
    CallRecord call;
    call.id = row.integer(0);
    call.run = row.integer(1);
    call.key = {row.text(2), row.number(3), row.number(4), row.number(5), row.number(6), row.number(7),
        roleFromName(row.text(8)).value_or(Role::Planner)};
    call.tryNumber = row.number(9);
    call.state = callStateFromName(row.text(10));
    call.model = {row.text(11), row.text(12), row.text(13)};
    call.modelReported = row.text(14);
    call.finishReason = row.text(15);
    call.usage = {row.integer(16), row.integer(17), row.integer(18), row.integer(19), row.json(20)};
    if (!row.isNull(21))
        call.costUsd = row.real(21);
    call.maximumUsd = row.real(22);
    call.error = row.text(23);
    call.startedAt = row.time(24);
    call.finishedAt = row.time(25);
    return call;
}

void readExchange(const sqlite::Statement &row, int first, CallRecord &record)
{
    record.request = sqlite::decompress(row.blob(first)).value_or(QByteArray());
    record.reply = sqlite::decompress(row.blob(first + 1)).value_or(QByteArray());
    record.reasoning = QString::fromUtf8(sqlite::decompress(row.blob(first + 2)).value_or(QByteArray()));
}

Plan readPlan(const sqlite::Statement &row)
{
    return {row.integer(0), row.number(1), row.number(2), row.number(3), row.text(4), row.text(5), row.text(6)};
}

QByteArray evaluationDetails(const Evaluation &evaluation)
{
    QJsonObject details;
    if (!evaluation.latency.samplesMs.isEmpty()) {
        QJsonArray samples;
        for (const double sample : evaluation.latency.samplesMs)
            samples.append(sample);
        details.insert("samples_ms"_L1, samples);
    }
    if (!evaluation.profile.isEmpty())
        details.insert("profile"_L1, evaluation.profile);
    if (!evaluation.stageSeconds.isEmpty())
        details.insert("stage_seconds"_L1, evaluation.stageSeconds);
    if (evaluation.environment != EvaluationEnvironment())
        details.insert("environment"_L1, evaluation.environment.toJson());
    if (details.isEmpty())
        return {};
    return sqlite::compress(QJsonDocument(details).toJson(QJsonDocument::Compact));
}

Evaluation readEvaluation(const sqlite::Statement &row, int first, bool details)
{
    Evaluation evaluation;
    const QString status = row.text(first);
    for (const Evaluation::Status known : {Evaluation::Status::Measured, Evaluation::Status::Skipped}) {
        if (statusName(known) == status)
            evaluation.status = known;
    }
    evaluation.error = {errorKindFromName(row.text(first + 1)).value_or(ErrorKind::None), row.text(first + 2),
        row.text(first + 3), row.number(first + 4), row.text(first + 5)};
    evaluation.latency = {row.real(first + 6), row.real(first + 7), row.real(first + 8), {}};
    evaluation.estimate = row.integer(first + 9) != 0;
    evaluation.bandLowMs = row.real(first + 10);
    evaluation.bandHighMs = row.real(first + 11);
    evaluation.confidence = row.text(first + 12);
    evaluation.fractionOfPeak = row.real(first + 13);
    evaluation.quarantined = row.integer(first + 14) != 0;
    evaluation.relativeError = row.real(first + 15);
    evaluation.core = row.text(first + 16);
    evaluation.sha256 = row.text(first + 17);
    if (!details)
        return evaluation;
    const QByteArray blob = row.blob(first + evaluationColumnCount);
    const QJsonObject json = QJsonDocument::fromJson(sqlite::decompress(blob).value_or(QByteArray())).object();
    for (const QJsonValue &sample : json.value("samples_ms"_L1).toArray())
        evaluation.latency.samplesMs.append(sample.toDouble());
    evaluation.profile = json.value("profile"_L1).toObject();
    evaluation.stageSeconds = json.value("stage_seconds"_L1).toObject();
    if (json.contains("environment"_L1))
        evaluation.environment = EvaluationEnvironment::fromJson(json.value("environment"_L1).toObject());
    return evaluation;
}

Attempt readAttempt(const sqlite::Statement &row, bool details)
{
    Attempt attempt;
    attempt.id = row.integer(0);
    attempt.run = row.integer(1);
    attempt.problem = row.text(2);
    attempt.key = {row.number(3), row.number(4), row.number(5), row.number(6), row.number(7)};
    attempt.parent = row.integer(8);
    attempt.author = row.text(9);
    attempt.planTitle = row.text(10);
    attempt.parseRule = row.text(11);
    attempt.sha256 = row.text(12);
    attempt.programHash = row.text(13);
    attempt.commit = row.text(14);
    attempt.state = attemptStateFromName(row.text(15));
    attempt.duplicateOf = row.integer(16);
    attempt.createdAt = row.time(17);
    attempt.finishedAt = row.time(18);
    if (!row.isNull(19))
        attempt.evaluation = readEvaluation(row, attemptColumnCount, details);
    return attempt;
}

Experience readExperience(const sqlite::Statement &row)
{
    Experience experience;
    experience.id = row.integer(0);
    experience.run = row.integer(1);
    experience.problem = row.text(2);
    experience.iteration = row.number(3);
    experience.rank = row.number(4);
    experience.positive = row.integer(5) != 0;
    experience.speedup = row.real(6);
    experience.slowAttempt = row.integer(7);
    experience.fastAttempt = row.integer(8);
    experience.title = row.text(9);
    experience.summary = row.text(10);
    experience.state = experienceStateFromName(row.text(11));
    experience.editedSummary = row.text(12);
    experience.createdAt = row.time(13);
    experience.uses = row.number(14);
    return experience;
}

} // namespace accelopt::journal
