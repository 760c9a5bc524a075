// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fakes/fakeevaluator.h"
#include "fakes/scriptedprovider.h"
#include "search/project.h"
#include "search/runcontroller.h"

#include <QStringList>

namespace accelopt::test {

/// Problems that only FakeEvaluator understands; the baseline takes 2 ms, T_peak is far below.
inline Problem tinyProblem(const QString &name, double ms = 2)
{
    Problem problem;
    problem.name = name;
    problem.title = name;
    problem.operatorText = QStringLiteral("y = x");
    problem.work = {4e6, 0, 1e6};
    problem.referenceSource = "def forward(x):\n    return x\n\n\ndef get_inputs():\n    return []\n";
    problem.kernelSource = QStringLiteral("def kernel(x):\n    LATENCY_MS = %1\n    return x\n").arg(ms).toUtf8();
    problem.json = {{QStringLiteral("name"), name}, {QStringLiteral("dtype"), QStringLiteral("float32")}};
    return problem;
}

inline Result<Project> tinyProject(
    const QString &folder, const QStringList &names = {QStringLiteral("alpha"), QStringLiteral("beta")})
{
    const auto project = Project::create(folder, {}, QStringLiteral("trn1"));
    if (!project)
        return project;
    for (const QString &name : names) {
        if (const auto added = project->addProblem(tinyProblem(name)); !added)
            return std::unexpected(added.error());
    }
    return project;
}

inline RunSettings tinySettings()
{
    RunSettings settings;
    settings.iterations = 3;
    settings.beam = 2;
    settings.plans = 3;
    settings.attempts = 2;
    settings.topK = 4;
    settings.memoryCapacity = 5;
    settings.maxConcurrentCalls = 4;
    return settings;
}

inline RunParts fakeParts(const std::shared_ptr<Script> &script, const std::shared_ptr<FakeHost> &host)
{
    RunParts parts;
    parts.provider = [script](const ModelChoice &) -> Result<std::unique_ptr<ModelProvider>> {
        return std::make_unique<ScriptedProvider>(script);
    };
    parts.evaluator = [host](const QString &) -> Result<std::unique_ptr<Evaluator>> {
        return std::make_unique<FakeEvaluator>(host);
    };
    parts.retryDelay = std::chrono::milliseconds(5);
    return parts;
}

/// All that must be equal between two runs with one seed, as lines: attempts, plans, beams, memories, experiences.
/// Nothing that depends on time or row numbers.
inline Result<QStringList> snapshot(const Project &project, qint64 run = 0)
{
    const auto reader = project.reader();
    if (!reader)
        return std::unexpected(reader.error());
    const auto record = (*reader)->run(run);
    if (!record)
        return std::unexpected(record.error());
    const auto problems = (*reader)->problemsOfRun(record->id);
    if (!problems)
        return std::unexpected(problems.error());
    QStringList lines{QStringLiteral("run ") + runStateName(record->state)};
    for (const Problem &problem : *problems) {
        AttemptFilter filter;
        filter.run = record->id;
        filter.problem = problem.name;
        filter.details = true;
        const auto attempts = (*reader)->attempts(filter);
        const auto plans = (*reader)->plans(record->id, problem.name);
        const auto beams = (*reader)->beams(record->id, problem.name);
        const auto experiences = (*reader)->experiences(record->id, problem.name);
        if (!attempts || !plans || !beams || !experiences)
            return fail(Error::Kind::Internal, QStringLiteral("The snapshot could not be read."));
        QHash<qint64, QString> keys;
        for (const Attempt &a : *attempts)
            keys.insert(a.id, a.key.ascii());
        for (const Attempt &a : *attempts) {
            lines << QStringLiteral("%1 attempt %2 parent %3 sha %4 same %5 %6 %7 line %8 %9 ms q%10 %11")
                         .arg(a.problem, a.key.ascii(), keys.value(a.parent),
                             a.sha256.first(qMin<qsizetype>(10, a.sha256.size())), keys.value(a.duplicateOf),
                             statusName(a.evaluation.status), errorKindName(a.evaluation.error.kind))
                         .arg(a.evaluation.error.line)
                         .arg(a.evaluation.latency.medianMs)
                         .arg(a.evaluation.quarantined)
                         .arg(a.state == Attempt::State::Done ? QStringLiteral("done") : QStringLiteral("open"));
        }
        for (const Plan &p : *plans)
            lines << QStringLiteral("%1 plan %2.%3.%4 %5")
                         .arg(problem.name)
                         .arg(p.iteration)
                         .arg(p.candidate)
                         .arg(p.plan)
                         .arg(p.text.simplified());
        for (const BeamPlace &b : *beams)
            lines << QStringLiteral("%1 beam %2.%3 %4 %5")
                         .arg(problem.name)
                         .arg(b.iteration)
                         .arg(b.candidate)
                         .arg(keys.value(b.attempt), b.origin);
        QHash<qint64, QString> names;
        QStringList learned;
        for (const Experience &e : *experiences) {
            names.insert(e.id, QStringLiteral("%1.%2").arg(e.iteration).arg(e.rank));
            learned << QStringLiteral("%1 experience %2.%3 %4 %5->%6 %7 x%8 uses %9")
                           .arg(problem.name)
                           .arg(e.iteration)
                           .arg(e.rank)
                           .arg(e.positive ? QStringLiteral("+") : QStringLiteral("-"), keys.value(e.slowAttempt),
                               keys.value(e.fastAttempt), e.title)
                           .arg(e.speedup)
                           .arg(e.uses);
        }
        learned.sort();
        lines << learned;
        for (int iteration = 0; iteration <= record->settings.iterations; ++iteration) {
            QStringList ids;
            for (const qint64 id : (*reader)->memory(record->id, problem.name, iteration).value_or(QList<qint64>()))
                ids << names.value(id, QStringLiteral("?"));
            lines
                << QStringLiteral("%1 memory %2: %3").arg(problem.name).arg(iteration).arg(ids.join(QLatin1Char(' ')));
        }
    }
    return lines;
}

} // namespace accelopt::test
