// SPDX-License-Identifier: GPL-3.0-or-later
//
// The loop's own overhead: a run whose provider and evaluator answer at once. Budget: < 2 ms an attempt, journal and
// commits included.
#include "integration/search/tinyproject.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <benchmark/benchmark.h>

using namespace accelopt;

namespace {

void overheadPerAttempt(benchmark::State &state)
{
    const int problems = int(state.range(0));
    qint64 attempts = 0;
    for (auto _ : state) {
        state.PauseTiming();
        QTemporaryDir folder;
        QStringList names;
        for (int i = 0; i < problems; ++i)
            names << QStringLiteral("problem%1").arg(i);
        const auto project = test::tinyProject(folder.filePath(QStringLiteral("p")), names);
        if (!project) {
            state.SkipWithError(qPrintable(project.error().message));
            return;
        }
        RunSettings settings;
        settings.iterations = 4;
        settings.beam = 4;
        settings.plans = 8;
        settings.attempts = 2;
        auto script = std::make_shared<test::Script>();
        auto host = std::make_shared<test::FakeHost>();
        RunController controller(*project, test::fakeParts(script, host));
        state.ResumeTiming();
        const auto run = controller.start(settings);
        if (!run || controller.waitForFinished() != RunState::Finished) {
            state.SkipWithError("The run did not finish.");
            return;
        }
        state.PauseTiming();
        attempts += (*project->reader())->attemptCounts(*run)->total;
        state.ResumeTiming();
    }
    state.counters["attempts"] = double(attempts) / double(state.iterations());
    // Seconds of wall time an attempt; the unit is written out by the printer ("612u" = 0.612 ms).
    state.counters["wall_per_attempt"] =
        benchmark::Counter(double(attempts), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(overheadPerAttempt)->Arg(1)->Arg(3)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
