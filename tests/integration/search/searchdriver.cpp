// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs or resumes a tiny project's run with fakes (or, with `real`, with the rules provider and the simulator), and
// kills itself with SIGKILL at a chosen step: searchdriver DIR [STEP] [SHUFFLE]. A step is the instant before or after
// a journal write was asked for, or before or after git wrote something. Without STEP it prints how many steps there
// were.
#include "tinyproject.h"

#include <QCoreApplication>
#include <atomic>
#include <csignal>
#include <cstdio>

using namespace accelopt;

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    const int killAt = arguments.value(2, QStringLiteral("0")).toInt();
    auto script = std::make_shared<test::Script>();
    auto host = std::make_shared<test::FakeHost>();
    script->shuffle = host->shuffle = arguments.value(3, QStringLiteral("1")).toUInt();
    script->delayMs = 4;
    host->delayMs = 4;
    host->randomDelay = true;
    std::atomic<int> steps = 0;
    const bool isReal = arguments.value(4) == QStringLiteral("real");
    RunParts parts = isReal ? RunParts() : test::fakeParts(script, host);
    parts.onStep = [&](const char *) {
        if (++steps == killAt)
            std::raise(SIGKILL);
    };
    const auto project = Project::open(arguments.value(1));
    if (!project) {
        std::fprintf(stderr, "%s\n", qPrintable(project.error().message));
        return 2;
    }
    RunController controller(*project, parts);
    const auto reader = project->reader();
    const bool isNew = reader && (*reader)->runs().value_or(QList<RunRecord>()).isEmpty();
    RunSettings settings = test::tinySettings();
    if (isReal) {
        settings.iterations = 2;
        settings.attempts = 1;
        settings.seeds = 2;
    }
    const auto run = isNew ? controller.start(settings) : controller.resume();
    if (!run) {
        std::fprintf(stderr, "%s\n", qPrintable(run.error().message));
        return 2;
    }
    QObject::connect(&controller, &RunController::finished, &controller, [](RunState, const QString &reason) {
        if (!reason.isEmpty())
            std::fprintf(stderr, "%s\n", qPrintable(reason));
    });
    const RunState state = controller.waitForFinished();
    std::printf("%d\n", steps.load());
    return state == RunState::Finished ? 0 : 1;
}
