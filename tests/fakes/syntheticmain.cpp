// SPDX-License-Identifier: GPL-3.0-or-later
//
// accelopt-synthetic DIR: a project with made-up results, for trying the window and for measuring.
#include "fakes/syntheticproject.h"

#include <CLI/CLI.hpp>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <cstdio>

using namespace accelopt;

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    std::string folder;
    fakes::SyntheticOptions options;
    long long attempts = 0;
    bool withoutRepository = false, withoutCalls = false, paused = false;
    CLI::App parser("Makes a project with made-up results.");
    parser.add_option("DIR", folder, "The new project's folder")->required();
    parser.add_option("--attempts", attempts, "How many attempts in all (overrides --iterations)");
    parser.add_option("--problems", options.problems, "How many problems, 1 to 14");
    parser.add_option("--iterations", options.iterations, "Iterations");
    parser.add_option("--beam", options.beam, "Candidates kept");
    parser.add_option("--plans", options.plans, "Plans a candidate");
    parser.add_option("--tries", options.attempts, "Attempts a plan");
    parser.add_option("--seed", options.seed, "Equal seeds give equal projects");
    parser.add_flag("--measured", options.measured, "Latencies as from a Trainium host, not estimates");
    parser.add_flag("--paused", paused, "Leave the last iteration unfinished and the run paused");
    parser.add_flag("--no-repository", withoutRepository, "Without kernels.git");
    parser.add_flag("--no-calls", withoutCalls, "Without model calls");
    CLI11_PARSE(parser, argc, argv);
    options.totalAttempts = attempts;
    options.repository = !withoutRepository;
    options.calls = !withoutCalls;
    if (paused) {
        options.unfinishedIterations = 1;
        options.state = RunState::Paused;
    }
    QElapsedTimer timer;
    timer.start();
    qint64 shown = 0;
    const auto progress = [&](qint64 made) {
        if (made - shown >= 5000) {
            shown = made;
            std::fprintf(stderr, "%lld attempts\n", static_cast<long long>(made));
        }
    };
    const Result<qint64> run = fakes::makeSyntheticProject(QFile::decodeName(folder.c_str()), options, progress);
    if (!run) {
        std::fprintf(stderr, "%s %s\n", qPrintable(run.error().message), qPrintable(run.error().detail));
        return 1;
    }
    std::printf(
        "%s: run %lld, made in %.1f s\n", folder.c_str(), static_cast<long long>(*run), double(timer.elapsed()) / 1000);
    return 0;
}
