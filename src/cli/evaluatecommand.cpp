// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/terminal.h"
#include "domain/format.h"
#include "evaluation/evaluator.h"
#include "evaluation/problemfiles.h"

#include <QCoroTask>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <memory>

namespace accelopt::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Options {
    std::string kernel, reference, host = "simulator", target = "trn1", entry = "kernel", dtype = "float32";
    double tolerance = 2e-5;
    int seeds = 5;
    int hiddenSeeds = 1;
    bool checkOnly = false, estimateOnly = false, json = false;
};

Result<QByteArray> readSource(const QString &path)
{
    if (!QFileInfo(path).isFile())
        return fail(Error::Kind::NotFound, u"There is no file %1."_s.arg(path));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(Error::Kind::Io, u"%1 cannot be read."_s.arg(path), file.errorString());
    constexpr qint64 mostBytes = 4 * 1024 * 1024;
    if (file.size() > mostBytes)
        return fail(Error::Kind::Invalid,
            u"%1 is %2; a source file may have 4 MiB."_s.arg(
                path, format::bytesBinary(static_cast<double>(file.size()))));
    return file.readAll();
}

/// problem.json beside the reference says dimensions, tolerance and work; without one the roofline is unknown.
Result<Problem> readProblem(const Options &options, const QByteArray &kernel)
{
    const QString path = QString::fromStdString(options.reference);
    const auto reference = readSource(path);
    if (!reference)
        return std::unexpected(reference.error());
    QJsonObject json{{u"version"_s, 1}, {u"name"_s, u"kernel"_s}, {u"entry"_s, QString::fromStdString(options.entry)},
        {u"dtype"_s, QString::fromStdString(options.dtype)}, {u"tolerance"_s, options.tolerance},
        {u"work"_s, QJsonObject{{u"bytes"_s, u"1"_s}, {u"matmul_flops"_s, u"0"_s}, {u"vector_flops"_s, u"0"_s}}}};
    const QString beside = QFileInfo(path).path() + u"/problem.json"_s;
    const bool described = QFileInfo::exists(beside);
    if (described) {
        const auto text = readSource(beside);
        if (!text)
            return std::unexpected(text.error());
        QJsonParseError error;
        json = QJsonDocument::fromJson(*text, &error).object();
        if (error.error != QJsonParseError::NoError)
            return fail(Error::Kind::Invalid, u"%1 is not JSON."_s.arg(beside), error.errorString());
    }
    auto problem = problemFromParts(json, *reference, kernel);
    if (problem && !described)
        problem->work = Work(); // not known; what stands in the JSON only satisfies its form
    return problem;
}

void printEvaluation(const Evaluation &evaluation, const Problem &problem, const Options &options)
{
    if (evaluation.error) {
        const EvaluationError &error = evaluation.error;
        print(sanitized(u"Failed: %1%2%3"_s.arg(errorKindName(error.kind),
            error.id.isEmpty() ? QString() : u" ("_s + error.id + u')', u". "_s + error.message)));
        if (error.line > 0)
            print(u"  at line %1 of the kernel, stage %2"_s.arg(error.line).arg(error.stage));
        return;
    }
    if (options.checkOnly) {
        print(u"No rule is broken."_s);
        return;
    }
    const double ms = evaluation.latency.medianMs;
    if (evaluation.estimate)
        print(u"Latency    %1 on %2, range %3 to %4 ms, confidence %5 (estimate of the simulator)"_s.arg(
            format::estimatedLatency(ms), evaluation.environment.target, format::latencyMs(evaluation.bandLowMs),
            format::latencyMs(evaluation.bandHighMs), evaluation.confidence));
    else
        print(u"Latency    %1 on %2, spread %3 %"_s.arg(format::latency(ms), evaluation.environment.target)
                .arg(100 * evaluation.latency.spread(), 0, 'f', 2));
    if (evaluation.fractionOfPeak > 0)
        print(u"Peak       %1"_s.arg(evaluation.estimate ? format::estimatedFraction(evaluation.fractionOfPeak)
                                                         : format::fraction(evaluation.fractionOfPeak)));
    if (evaluation.relativeError >= 0)
        print(u"Correct    relative error %1, the limit is %2"_s.arg(
            format::scientific(evaluation.relativeError), format::scientific(problem.tolerance)));
    const auto bytes = [&evaluation](
                           QLatin1StringView key) { return format::bytes(evaluation.profile.value(key).toDouble()); };
    const auto share = [&evaluation](QLatin1StringView key) {
        return QString::number(100 * evaluation.profile.value(key).toDouble(), 'f', 1) + u" %"_s;
    };
    if (!evaluation.profile.isEmpty()) {
        print(u"HBM        read %1, written %2, spilled %3"_s.arg(
            bytes("hbm_read_bytes"_L1), bytes("hbm_write_bytes"_L1), bytes("spill_save_bytes"_L1)));
        print(u"Busy       TensorE %1, VectorE %2, ScalarE %3, DMA %4"_s.arg(
            share("tensor_engine_active_time_percent"_L1), share("vector_engine_active_time_percent"_L1),
            share("scalar_engine_active_time_percent"_L1), share("dma_active_time_percent"_L1)));
    }
}

int evaluate(const Options &options)
{
    const auto kernel = readSource(QString::fromStdString(options.kernel));
    if (!kernel)
        return report(kernel.error(), options.json);
    const auto problem = readProblem(options, *kernel);
    if (!problem)
        return report(problem.error(), options.json);
    const QString target = QString::fromStdString(options.target);
    const auto peaks = loadHardwarePeaks(target);
    if (!peaks)
        return report(peaks.error(), options.json);
    auto evaluator = createEvaluator(QString::fromStdString(options.host), {{u"concurrency"_s, 1}});
    if (!evaluator)
        return report(evaluator.error(), options.json);

    EvaluationJob job;
    job.id = u"evaluate"_s;
    job.problem = *problem;
    job.kernel = *kernel;
    job.target = target;
    job.seeds = options.seeds;
    job.hiddenSeeds = options.hiddenSeeds;
    job.purpose = options.checkOnly ? u"check-only"_s : options.estimateOnly ? u"estimate-only"_s : u"verify"_s;
    const CancelToken token;
    if (const auto started = QCoro::waitFor((*evaluator)->start(token)); !started)
        return report(started.error(), options.json);
    auto evaluation = QCoro::waitFor((*evaluator)->evaluate(job, token));
    if (!evaluation)
        return report(evaluation.error(), options.json);
    if (problem->work != Work())
        evaluation->fractionOfPeak =
            roofline(problem->work, *peaks, problem->dtype).fractionOfPeak(evaluation->latency.medianMs);
    if (options.json) {
        QJsonObject document = evaluation->toJson();
        if (!document.contains("error"_L1))
            document.insert("error"_L1, QJsonValue::Null);
        if (evaluation->relativeError >= 0)
            document.insert("tolerance"_L1, problem->tolerance);
        printJson(document);
    } else {
        printEvaluation(*evaluation, *problem, options);
    }
    return evaluation->status == Evaluation::Status::Failed ? Failed : Done;
}

} // namespace

void addEvaluateCommand(CLI::App &app, Action &action)
{
    const auto options = std::make_shared<Options>();
    CLI::App *command = app.add_subcommand("evaluate", "Check, compute and time one kernel against its reference");
    command->add_option("KERNEL", options->kernel, "Kernel file")->required();
    command->add_option("REFERENCE", options->reference, "Reference file; problem.json beside it is read too")
        ->required();
    command->add_option("--host", options->host, "Where to evaluate")->capture_default_str();
    command->add_option("--target", options->target, "Hardware the latency is for")->capture_default_str();
    command->add_option("--seeds", options->seeds, "How many of the seeds 0, 21, 42, 63, 84")
        ->capture_default_str()
        ->check(CLI::Range(1, 5));
    command->add_option("--hidden-seeds", options->hiddenSeeds, "How many fresh seeds")
        ->capture_default_str()
        ->check(CLI::Range(0, 64));
    command->add_option("--entry", options->entry, "The kernel's function, where no problem.json says it")
        ->capture_default_str();
    command->add_option("--dtype", options->dtype, "Data type, where no problem.json says it")->capture_default_str();
    command->add_option("--tolerance", options->tolerance, "L2 relative tolerance, where no problem.json says it")
        ->capture_default_str();
    auto *check = command->add_flag("--check-only", options->checkOnly, "Only the rules");
    command->add_flag("--estimate-only", options->estimateOnly, "Rules and latency, no numbers")->excludes(check);
    command->add_flag("--json", options->json, "Print one JSON document");
    command->callback([options, &action] { action = [options] { return evaluate(*options); }; });
}

} // namespace accelopt::cli
