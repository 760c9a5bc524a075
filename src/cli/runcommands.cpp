// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "domain/format.h"

#include <memory>
#include <optional>

namespace accelopt::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Options {
    std::string folder, preset = "paper", policy, memoryPolicy, memoryScope, target, problems;
    std::vector<std::string> models, hosts;
    // Empty where not given: what is given is judged, also a negative number.
    std::optional<int> iterations, beam, plans, attempts, topK, memoryCapacity, fixerRounds, seeds, hiddenSeeds, calls;
    std::optional<double> positiveThreshold, negativeThreshold;
    double usd = 0, tokens = 0, wallSeconds = 0, deviceSeconds = 0;
    unsigned long long seed = 42;
    bool noMemory = false, paperPrompt = false, json = false, events = false, quiet = false, estimateOnly = false;
    qint64 run = 0;
};

Result<RunSettings> settingsFrom(const Options &options, const Project &project)
{
    RunSettings settings;
    if (options.preset == "quick")
        settings = RunSettings::quickPreset();
    else if (options.preset == "smoke")
        settings = RunSettings::smokePreset();
    const auto set = [](auto &setting, const auto &value) {
        if (value)
            setting = *value;
    };
    set(settings.iterations, options.iterations);
    set(settings.beam, options.beam);
    set(settings.plans, options.plans);
    set(settings.attempts, options.attempts);
    set(settings.topK, options.topK);
    set(settings.memoryCapacity, options.memoryCapacity);
    set(settings.fixerRounds, options.fixerRounds);
    set(settings.seeds, options.seeds);
    set(settings.hiddenSeeds, options.hiddenSeeds);
    set(settings.maxConcurrentCalls, options.calls);
    set(settings.positiveThreshold, options.positiveThreshold);
    set(settings.negativeThreshold, options.negativeThreshold);
    settings.seed = options.seed;
    settings.useMemory = !options.noMemory;
    if (options.paperPrompt)
        settings.showFractionOfPeak = settings.showBestSoFar = settings.showTriedTitles = settings.showFailures = false;
    settings.target = options.target.empty() ? project.defaultTarget() : QString::fromStdString(options.target);
    settings.problems = QString::fromStdString(options.problems).split(u',', Qt::SkipEmptyParts);
    settings.problems.removeDuplicates();
    if (settings.problems.isEmpty() && !options.problems.empty())
        return fail(Error::Kind::Invalid, u"“%1” names no problem."_s.arg(QString::fromStdString(options.problems)));
    settings.budget = {options.usd, options.tokens, options.wallSeconds, options.deviceSeconds};
    if (!options.hosts.empty()) {
        settings.hosts.clear();
        for (const std::string &host : options.hosts)
            settings.hosts.append(QString::fromStdString(host));
        settings.hosts.removeDuplicates();
    }
    for (const std::string &entry : options.models) {
        const QString text = QString::fromStdString(entry);
        const qsizetype equals = text.indexOf(u'=');
        const QString role = equals < 0 ? u"all"_s : text.left(equals);
        const auto choice = ModelChoice::parse(equals < 0 ? text : text.mid(equals + 1));
        if (!choice)
            return std::unexpected(choice.error());
        if (role == u"all"_s) {
            for (const Role each : allRoles)
                settings.models.insert(each, *choice);
        } else if (const auto one = roleFromName(role)) {
            settings.models.insert(*one, *choice);
        } else {
            return fail(Error::Kind::Invalid,
                u"“%1” is no role; roles are planner, executor, fixer, summarizer and all."_s.arg(role));
        }
    }
    // The names were checked by the command line's reader already.
    QJsonObject json = settings.toJson();
    if (!options.policy.empty())
        json.insert("selection"_L1, QString::fromStdString(options.policy));
    if (!options.memoryPolicy.empty())
        json.insert("memory"_L1, QString::fromStdString(options.memoryPolicy));
    if (!options.memoryScope.empty())
        json.insert("memory_scope"_L1, QString::fromStdString(options.memoryScope));
    return RunSettings::fromJson(json);
}

int exitCode(RunState state)
{
    switch (state) {
    case RunState::Finished:
        return Done;
    case RunState::Stopped:
    case RunState::BudgetReached:
    case RunState::Paused:
        return Stopped;
    default:
        return Failed;
    }
}

void printStatus(const JournalReader &reader, qint64 run)
{
    const auto record = reader.run(run);
    const auto problems = reader.problemStatus(run);
    const auto totals = reader.ledger(run);
    const auto counts = reader.attemptCounts(run);
    if (!record || !problems || !totals || !counts)
        return;
    QList<QStringList> rows;
    QList<double> before, after;
    bool estimate = false;
    for (const ProblemStatus &problem : *problems) {
        const auto latency = problem.estimate ? format::estimatedLatency : format::latency;
        const auto fraction = problem.estimate ? format::estimatedFraction : format::fraction;
        rows.append({problem.name, boundName(problem.bound), fraction(problem.baselineFraction),
            fraction(problem.bestFraction), latency(problem.baselineMs), latency(problem.bestMs),
            format::speedup(problem.speedup()), problem.state});
        before.append(problem.baselineFraction);
        after.append(problem.bestFraction);
        estimate = estimate || problem.estimate;
    }
    print(u"Run %1: %2%3"_s.arg(run).arg(runStateName(record->state),
        record->stopReason.isEmpty() ? QString() : u". "_s + sanitized(record->stopReason)));
    print(table({u"Problem"_s, u"Bound"_s, u">Peak before"_s, u">Best"_s, u">Baseline"_s, u">Best latency"_s,
                    u">Speedup"_s, u"State"_s},
        rows));
    const double from = geometricMean(before), to = geometricMean(after);
    if (from > 0) {
        const auto fraction = estimate ? format::estimatedFraction : format::fraction;
        print(u"Geometric mean %1 → %2 of peak, %3 faster%4."_s.arg(fraction(from), fraction(to),
            format::speedup(to / from), estimate ? u" (estimates of the simulator)"_s : QString()));
    }
    const QString cost = totals->unpricedCalls > 0
        ? u"? (%1 calls of unknown price)"_s.arg(format::count(totals->unpricedCalls))
        : format::money(totals->costUsd);
    print(u"%1 attempts: %2 correct, %3 same, %4 estimated only, %5 failed, %6 quarantined. %7 calls, %8."_s.arg(
        format::count(counts->total), format::count(counts->correct), format::count(counts->same),
        format::count(counts->skipped), format::count(counts->failed), format::count(counts->quarantined),
        format::count(totals->calls), cost));
}

int finishRun(const Options &options, const Project &project, RunController &controller, const Result<qint64> &run)
{
    if (!run)
        return report(run.error(), options.json);
    if (!options.quiet && !options.json && !options.events)
        note(u"Run %1 of %2. Ctrl+C drains it."_s.arg(*run).arg(project.name()));
    const InterruptHandler interrupts(&controller);
    Progress progress(project, &controller,
        options.events           ? Progress::Style::Events
            : options.quiet      ? Progress::Style::Silent
            : stderrIsTerminal() ? Progress::Style::Bar
                                 : Progress::Style::Lines);
    const RunState state = controller.waitForFinished();
    progress.finish();
    const auto reader = project.reader();
    if (!reader)
        return report(reader.error(), options.json);
    // A run that failed by itself says why where people look for errors.
    if (const auto record = (*reader)->run(*run); record && exitCode(state) == Failed)
        note(record->stopReason.isEmpty() ? u"The run ended as %1."_s.arg(runStateName(state)) : record->stopReason);
    if (options.json) {
        const auto document = statusDocument(**reader, *run);
        if (!document)
            return report(document.error(), true);
        printJson(*document);
    } else if (!options.events) {
        printStatus(**reader, *run);
        if (exitCode(state) == Stopped)
            print(u"Go on with: accelopt resume %1"_s.arg(QString::fromStdString(options.folder)));
    }
    return exitCode(state);
}

int startRun(const Options &options)
{
    const auto project = Project::open(QString::fromStdString(options.folder));
    if (!project)
        return report(project.error(), options.json);
    const auto settings = settingsFrom(options, *project);
    if (!settings)
        return report(settings.error(), options.json);
    if (options.estimateOnly) {
        const auto reader = project->reader();
        const auto prices = PriceTable::bundled();
        if (!reader || !prices)
            return report(reader ? prices.error() : reader.error(), options.json);
        const auto problems = (*reader)->problems();
        if (!problems)
            return report(problems.error(), options.json);
        const RunEstimate estimate = estimateRun(*settings,
            static_cast<int>(settings->problems.isEmpty() ? problems->size() : settings->problems.size()), *prices);
        if (options.json)
            printJson(estimateDocument(estimate));
        else
            print(u"At most %1 planner, %2 executor and %3 summarizer calls, %4 evaluations, %5.\n%6"_s.arg(
                format::count(estimate.plannerCalls), format::count(estimate.executorCalls),
                format::count(estimate.summarizerCalls), format::count(estimate.evaluations),
                format::money(estimate.usd), estimate.formula));
        return Done;
    }
    RunController controller(*project);
    return finishRun(options, *project, controller, controller.start(*settings));
}

int resumeRun(const Options &options)
{
    const auto project = Project::open(QString::fromStdString(options.folder));
    if (!project)
        return report(project.error(), options.json);
    RunController controller(*project);
    return finishRun(options, *project, controller, controller.resume(options.run));
}

int showStatus(const Options &options)
{
    const auto project = Project::open(QString::fromStdString(options.folder));
    if (!project)
        return report(project.error(), options.json);
    const auto reader = project->reader();
    if (!reader)
        return report(reader.error(), options.json);
    const auto run = (*reader)->run(options.run);
    if (!run)
        return report(run.error(), options.json);
    if (!options.json) {
        printStatus(**reader, run->id);
        return Done;
    }
    const auto document = statusDocument(**reader, run->id);
    if (!document)
        return report(document.error(), true);
    printJson(*document);
    return Done;
}

void addOutputOptions(CLI::App *command, const std::shared_ptr<Options> &options)
{
    auto *json = command->add_flag("--json", options->json, "Print one JSON document at the end");
    command->add_flag("--events", options->events, "Print JSON lines while working")->excludes(json);
    command->add_flag("--quiet", options->quiet, "No progress on stderr");
}

} // namespace

void addRunCommands(CLI::App &app, Action &action)
{
    const auto options = std::make_shared<Options>();

    CLI::App *run = app.add_subcommand("run", "Start a run");
    run->add_option("DIR", options->folder, "Project")->required();
    run->add_option("--preset", options->preset, "paper (T16 B6 N12 K2), quick (T4 B2 N4 K2) or smoke (T1 B1 N2 K1)")
        ->capture_default_str()
        ->check(CLI::IsMember({"paper", "quick", "smoke"}));
    run->add_option("--problems", options->problems, "Only these, separated by commas");
    run->add_option("--iterations,-T", options->iterations, "Iterations (T)");
    run->add_option("--beam,-B", options->beam, "Candidates kept (B)");
    run->add_option("--plans,-N", options->plans, "Plans for each candidate (N)");
    run->add_option("--attempts,-K", options->attempts, "Attempts for each plan (K)");
    run->add_option("--policy", options->policy, "Selection")->check(CLI::IsMember({"elitist", "paper", "upstream"}));
    run->add_option("--memory-policy", options->memoryPolicy, "Eviction of the memory")
        ->check(CLI::IsMember({"fifo", "upstream"}));
    run->add_option("--memory-scope", options->memoryScope, "Who shares a memory")
        ->check(CLI::IsMember({"problem", "project"}));
    run->add_flag("--no-memory", options->noMemory, "Plan without experiences");
    run->add_flag("--paper-prompt", options->paperPrompt, "Show the planner only what the paper's planner sees");
    run->add_option("--top-k", options->topK, "New experiences an iteration (TopK)");
    run->add_option("--memory-capacity", options->memoryCapacity, "Experiences kept (ExpN)");
    run->add_option("--positive-threshold", options->positiveThreshold, "Least speedup of a positive experience");
    run->add_option("--negative-threshold", options->negativeThreshold, "Least slowdown of a negative experience");
    run->add_option("--fixer-rounds", options->fixerRounds, "Rounds of repair after a failure");
    run->add_option("--model", options->models,
        "ROLE=PROVIDER:MODEL[@URL]; ROLE planner, executor, fixer, summarizer or all; rules where not given");
    run->add_option("--host", options->hosts, "Host to evaluate on; simulator where not given");
    run->add_option("--target", options->target, "Hardware the latencies are for; the project's where not given");
    run->add_option("--seed", options->seed, "Seed of everything the engine draws")->capture_default_str();
    run->add_option("--seeds", options->seeds, "How many of the paper's seeds check a kernel");
    run->add_option("--hidden-seeds", options->hiddenSeeds, "How many fresh seeds check a kernel");
    run->add_option("--concurrent-calls", options->calls, "Calls at once for each endpoint");
    run->add_option("--budget-usd", options->usd, "Dollars");
    run->add_option("--budget-tokens", options->tokens, "Tokens");
    run->add_option("--budget-seconds", options->wallSeconds, "Seconds of work");
    run->add_option("--budget-device-seconds", options->deviceSeconds, "Seconds on hosts");
    run->add_flag("--estimate", options->estimateOnly, "Only say what the run would ask for");
    addOutputOptions(run, options);
    run->callback([options, &action] { action = [options] { return startRun(*options); }; });

    CLI::App *resume = app.add_subcommand("resume", "Go on with a run that was stopped or cut off");
    resume->add_option("DIR", options->folder, "Project")->required();
    resume->add_option("RUN", options->run, "Run number; the newest that can go on where not given");
    addOutputOptions(resume, options);
    resume->callback([options, &action] { action = [options] { return resumeRun(*options); }; });

    CLI::App *status = app.add_subcommand("status", "How a run stands");
    status->add_option("DIR", options->folder, "Project")->required();
    status->add_option("RUN", options->run, "Run number; the newest where not given");
    status->add_flag("--json", options->json, "Print one JSON document");
    status->callback([options, &action] { action = [options] { return showStatus(*options); }; });
}

} // namespace accelopt::cli
