// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/terminal.h"
#include "domain/comparison.h"
#include "domain/format.h"
#include "report/report.h"

#include <QFile>
#include <QJsonArray>
#include <QSaveFile>
#include <memory>

namespace accelopt::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Options {
    std::string folder, attempt, other, problem, verdict, format = "html", output;
    qint64 run = 0;
    int limit = -1;
    bool json = false, source = false;
};

/// What every command here begins with.
struct Opened {
    Project project;
    std::unique_ptr<JournalReader> reader;
};

Result<Opened> open(const Options &options)
{
    auto project = Project::open(QString::fromStdString(options.folder));
    if (!project)
        return std::unexpected(project.error());
    auto reader = project->reader();
    if (!reader)
        return std::unexpected(reader.error());
    return Opened{std::move(*project), std::move(*reader)};
}

QString latencyText(const Attempt &attempt)
{
    const double ms = attempt.evaluation.latency.medianMs;
    return attempt.evaluation.estimate ? format::estimatedLatency(ms) : format::latency(ms);
}

int candidates(const Options &options)
{
    const auto opened = open(options);
    if (!opened)
        return report(opened.error(), options.json);
    const auto run = opened->reader->run(options.run);
    if (!run)
        return report(run.error(), options.json);
    AttemptFilter filter;
    filter.run = run->id;
    filter.problem = QString::fromStdString(options.problem);
    filter.verdict = QString::fromStdString(options.verdict);
    if (options.json) {
        const auto document = candidatesDocument(*opened->reader, run->id, filter);
        if (!document)
            return report(document.error(), true);
        printJson(*document);
        return Done;
    }
    const auto attempts = opened->reader->attempts(filter, options.limit);
    if (!attempts)
        return report(attempts.error(), false);
    QList<QStringList> rows;
    for (const Attempt &attempt : *attempts) {
        const auto fraction = attempt.evaluation.estimate ? format::estimatedFraction : format::fraction;
        rows.append({attemptName(attempt), attempt.key.isBaseline() ? u"Baseline kernel"_s : attempt.planTitle,
            latencyText(attempt), fraction(attempt.evaluation.fractionOfPeak), verdictName(attempt), attempt.author,
            attempt.commit.left(7)});
    }
    print(rows.isEmpty()
            ? u"No attempt matches."_s
            : table(
                  {u"Attempt"_s, u"Plan"_s, u">Latency"_s, u">Peak"_s, u"Verdict"_s, u"Author"_s, u"Commit"_s}, rows));
    return Done;
}

int show(const Options &options)
{
    const auto opened = open(options);
    if (!opened)
        return report(opened.error(), options.json);
    const auto attempt = resolveAttempt(opened->project, *opened->reader, QString::fromStdString(options.attempt));
    if (!attempt)
        return report(attempt.error(), options.json);
    QByteArray source;
    if (const auto repository = opened->project.repository(); repository && !attempt->commit.isEmpty()) {
        if (const auto kernel = (*repository)->file(attempt->commit, u"kernel.py"_s))
            source = *kernel;
    }
    if (options.source) {
        if (source.isEmpty())
            return report(
                {Error::Kind::NotFound, u"%1 holds no kernel: the reply had none."_s.arg(attemptName(*attempt)), {}},
                options.json);
        // Into a file or a pipe go the very bytes; a terminal gets no escape sequences.
        if (!options.json && stdoutIsTerminal()) {
            print(sanitized(QString::fromUtf8(source)));
            return Done;
        }
        if (!options.json) {
            printBytes(source);
            return Done;
        }
    }
    Attempt parent;
    if (attempt->parent != 0) {
        if (const auto found = opened->reader->attempt(attempt->parent))
            parent = *found;
    }
    const auto baseline = opened->reader->attempt(attempt->run, attempt->problem, AttemptKey());
    const auto plan = opened->reader->plan(
        attempt->run, attempt->problem, attempt->key.iteration, attempt->key.candidate, attempt->key.plan);
    if (options.json) {
        QJsonObject document = attemptDocument(
            *attempt, parent.id ? &parent : nullptr, baseline ? baseline->evaluation.latency.medianMs : 0);
        document.insert("evaluation"_L1,
            attempt->state == Attempt::State::Done ? QJsonValue(attempt->evaluation.toJson())
                                                   : QJsonValue(QJsonValue::Null));
        document.insert("source"_L1, QString::fromUtf8(source));
        document.insert("plan_text"_L1, plan ? plan->text : QString());
        printJson(document);
        return Done;
    }
    print(u"%1  %2  %3"_s.arg(attemptName(*attempt), verdictName(*attempt), attempt->commit.left(7)));
    if (attempt->evaluation.latency.medianMs > 0)
        print(u"Latency %1, %2 of the baseline's speed%3"_s.arg(latencyText(*attempt),
            format::speedup(
                baseline ? baseline->evaluation.latency.medianMs / attempt->evaluation.latency.medianMs : 0),
            parent.id ? u", made from %1 (%2)"_s.arg(attemptName(parent), latencyText(parent)) : QString()));
    if (attempt->evaluation.error)
        print(sanitized(
            u"%1: %2%3"_s.arg(errorKindName(attempt->evaluation.error.kind), attempt->evaluation.error.message,
                attempt->evaluation.error.line > 0 ? u" (line %1)"_s.arg(attempt->evaluation.error.line) : QString())));
    if (plan)
        print(u"\n"_s + sanitized(plan->text.trimmed()));
    if (!source.isEmpty())
        print(u"\nIts source: accelopt show %1 %2 --source"_s.arg(
            QString::fromStdString(options.folder), attemptName(*attempt)));
    return Done;
}

int diff(const Options &options)
{
    const auto opened = open(options);
    if (!opened)
        return report(opened.error(), options.json);
    const auto a = resolveAttempt(opened->project, *opened->reader, QString::fromStdString(options.attempt));
    const auto b = resolveAttempt(opened->project, *opened->reader, QString::fromStdString(options.other));
    if (!a || !b)
        return report(a ? b.error() : a.error(), options.json);
    const auto repository = opened->project.repository();
    if (!repository)
        return report(repository.error(), options.json);
    const auto patch = (*repository)->patch(a->commit, b->commit);
    if (!patch)
        return report(patch.error(), options.json);
    const auto problems = opened->reader->problemsOfRun(a->run);
    Work work;
    if (problems) {
        for (const Problem &problem : *problems) {
            if (problem.name == a->problem && a->problem == b->problem)
                work = problem.work;
        }
    }
    const Comparison comparison = compareEvaluations(a->evaluation, b->evaluation, work);
    if (options.json) {
        QJsonArray metrics;
        for (const MetricDelta &row : comparison.rows)
            metrics.append(QJsonObject{{u"key"_s, row.key}, {u"name"_s, row.name}, {u"a"_s, row.a}, {u"b"_s, row.b},
                {u"change"_s, row.change}, {u"verdict"_s, row.word()}});
        printJson({{u"a"_s, attemptDocument(*a, nullptr, 0)}, {u"b"_s, attemptDocument(*b, nullptr, 0)},
            {u"patch"_s, QString::fromUtf8(*patch)}, {u"comparable"_s, comparison.comparable},
            {u"reason"_s, comparison.reason}, {u"headline"_s, comparison.headline},
            {u"factor"_s, comparison.comparable ? QJsonValue(comparison.factor) : QJsonValue(QJsonValue::Null)},
            {u"metrics"_s, metrics}});
        return Done;
    }
    print(sanitized(QString::fromUtf8(*patch)));
    if (!comparison.comparable) {
        print(comparison.reason);
        return Done;
    }
    print(u"A %1, B %2: %3. %4"_s.arg(attemptName(*a), attemptName(*b), comparison.headline, comparison.detail));
    QList<QStringList> rows;
    for (const MetricDelta &row : comparison.rows) {
        if (row.differs())
            rows.append({row.name, row.a, row.b, row.change, row.word()});
    }
    if (!rows.isEmpty())
        print(table({u"Metric"_s, u">A"_s, u">B"_s, u">B against A"_s, QString()}, rows));
    return Done;
}

int writeReport(const Options &options)
{
    const auto project = Project::open(QString::fromStdString(options.folder));
    if (!project)
        return report(project.error(), options.json);
    const auto bytes = renderReport(*project, options.run, QString::fromStdString(options.format));
    if (!bytes)
        return report(bytes.error(), options.json);
    const QString path = QString::fromStdString(options.output);
    if (path.isEmpty() || path == u"-"_s) {
        printBytes(*bytes);
        return Done;
    }
    // Written beside and moved into place: a full disk leaves the old file as it was.
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(*bytes) != bytes->size() || !file.commit())
        return report({file.error() == QFileDevice::ResourceError ? Error::Kind::NoSpace : Error::Kind::Io,
                          u"The report cannot be written to %1. Nothing was changed."_s.arg(path), file.errorString()},
            options.json);
    if (options.json)
        printJson(
            {{u"file"_s, path}, {u"format"_s, QString::fromStdString(options.format)}, {u"bytes"_s, bytes->size()}});
    else
        print(u"Report written to %1."_s.arg(path));
    return Done;
}

int verify(const Options &options)
{
    const auto project = Project::open(QString::fromStdString(options.folder));
    if (!project)
        return report(project.error(), options.json);
    const auto differences = verifyProject(*project);
    if (!differences)
        return report(differences.error(), options.json);
    if (options.json) {
        QJsonArray list;
        for (const Difference &difference : *differences)
            list.append(QJsonObject{
                {u"kind"_s, difference.kind}, {u"subject"_s, difference.subject}, {u"message"_s, difference.message}});
        printJson({{u"differences"_s, list}, {u"count"_s, differences->size()}});
    } else {
        for (const Difference &difference : *differences)
            print(sanitized(u"%1  %2: %3"_s.arg(difference.kind, difference.subject, difference.message)));
        print(differences->size() == 1 ? u"1 difference."_s : u"%1 differences."_s.arg(differences->size()));
    }
    return differences->isEmpty() ? Done : Failed;
}

} // namespace

void addInspectCommands(CLI::App &app, Action &action)
{
    const auto options = std::make_shared<Options>();
    const auto add = [&app, options, &action](const char *name, const char *help, int (*command)(const Options &)) {
        CLI::App *sub = app.add_subcommand(name, help);
        sub->add_option("DIR", options->folder, "Project")->required();
        sub->callback([options, &action, command] { action = [options, command] { return command(*options); }; });
        return sub;
    };
    const auto addJson = [options](
                             CLI::App *sub) { sub->add_flag("--json", options->json, "Print one JSON document"); };

    CLI::App *list = add("candidates", "List the attempts of a run", candidates);
    list->add_option("RUN", options->run, "Run number; the newest where not given");
    list->add_option("--problem", options->problem, "Only this problem");
    list->add_option("--verdict", options->verdict, "Only correct, failed, same, skipped, quarantined or pending")
        ->check(CLI::IsMember({"correct", "failed", "same", "skipped", "quarantined", "pending"}));
    list->add_option("--limit", options->limit, "At most so many rows");
    addJson(list);

    CLI::App *one = add("show", "Show an attempt: verdict, plan, error; with --source its kernel", show);
    one->add_option("ATTEMPT", options->attempt,
           "PROBLEM/i01.c1.p01.a1, PROBLEM/baseline, PROBLEM/best, #ID or a commit; RUN: may stand before")
        ->required();
    one->add_flag("--source", options->source, "Print the kernel");
    addJson(one);

    CLI::App *two = add("diff", "Compare two attempts: source, latency and profile", diff);
    two->add_option("A", options->attempt, "Attempt, as for show")->required();
    two->add_option("B", options->other, "Attempt, as for show")->required();
    addJson(two);

    CLI::App *document = add("report", "Write a report of a run", writeReport);
    document->add_option("RUN", options->run, "Run number; the newest where not given");
    std::vector<std::string> formats;
    for (const QString &format : reportFormats())
        formats.push_back(format.toStdString());
    document->add_option("--format,-f", options->format, "html, pdf, md, csv or json")
        ->capture_default_str()
        ->check(CLI::IsMember(formats));
    document->add_option("--output,-o", options->output, "File; stdout where not given");
    addJson(document);

    addJson(add("verify", "Check that journal, commits, notes and refs agree", verify));
}

} // namespace accelopt::cli
