// SPDX-License-Identifier: GPL-3.0-or-later
// accelopt-neuroncore: check, estimate and run a traced kernel. One JSON document on stdout. Exit 0: an answer, also
// when the kernel is at fault (status "error"); 2: wrong usage.
#include "neuroncore/checker.h"
#include "neuroncore/estimate.h"
#include "neuroncore/hardware.h"
#include "neuroncore/interpreter.h"
#include "neuroncore/reader.h"
#include "neuroncore/result.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QThread>
#include <cstdio>

using namespace accelopt::neuroncore;
using namespace Qt::Literals::StringLiterals;

namespace {

int usage(const QString &message)
{
    std::fputs(qPrintable(message + u"\n"_s), stderr);
    return 2;
}

int print(QJsonObject result, const QElapsedTimer &timer)
{
    result.insert("seconds"_L1, double(timer.nsecsElapsed()) * 1e-9);
    const QByteArray text = QJsonDocument(result).toJson(QJsonDocument::Compact) + '\n';
    return std::fwrite(text.constData(), 1, size_t(text.size()), stdout) == size_t(text.size())
            && std::fflush(stdout) == 0
        ? 0
        : 1;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QCoreApplication::setApplicationName(u"accelopt-neuroncore"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(ACCELOPT_VERSION));
    QElapsedTimer timer;
    timer.start();
    QCommandLineParser parser;
    parser.setApplicationDescription(
        u"Checks, estimates and runs a kernel IR (docs/ir-format.md) on a simulated NeuronCore."_s);
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(u"mode"_s, u"check, estimate or run"_s);
    const QCommandLineOption ir(u"ir"_s, u"The kernel IR."_s, u"FILE"_s),
        hardwareOption(u"hardware"_s, u"The target's data, resources/hardware/TARGET.json."_s, u"FILE"_s),
        inputs(u"inputs"_s, u"Folder with in0.npy, in1.npy…"_s, u"DIR"_s),
        outputs(u"outputs"_s, u"Folder for out0.npy…"_s, u"DIR"_s),
        constants(u"constants"_s, u"Folder of the constants' files (default: the IR's folder)."_s, u"DIR"_s),
        threads(u"threads"_s, u"Threads for the numbers (default: the cores)."_s, u"N"_s),
        trace(u"trace"_s, u"Write the timeline for Perfetto or chrome://tracing."_s, u"FILE"_s),
        generation(u"generation"_s, u"Compiler habits: beta1 (default) or nki."_s, u"NAME"_s, u"beta1"_s),
        memory(u"memory"_s, u"GiB for tiles (default 6)."_s, u"N"_s, u"6"_s),
        single(u"no-band"_s, u"Skip the variants that give the error band."_s);
    parser.addOptions({ir, hardwareOption, inputs, outputs, constants, threads, trace, generation, memory, single});
    if (!parser.parse(QCoreApplication::arguments()))
        return usage(parser.errorText());
    if (parser.isSet(u"help"_s)) {
        std::fputs(qPrintable(parser.helpText()), stdout);
        return 0;
    }
    if (parser.isSet(u"version"_s)) {
        std::puts(ACCELOPT_VERSION);
        return 0;
    }
    const QStringList arguments = parser.positionalArguments();
    const QString mode = arguments.value(0);
    if (arguments.size() != 1 || (mode != u"check"_s && mode != u"estimate"_s && mode != u"run"_s))
        return usage(
            u"usage: accelopt-neuroncore check|estimate|run --ir FILE --hardware FILE [--inputs DIR --outputs DIR] [--trace FILE]"_s);
    if (!parser.isSet(ir) || !parser.isSet(hardwareOption))
        return usage(u"--ir and --hardware are needed."_s);

    const auto hardware = loadHardware(parser.value(hardwareOption), parser.value(generation));
    if (!hardware)
        return print(errorResult(hardware.error()), timer);
    const auto program = readProgramFile(parser.value(ir));
    if (!program)
        return print(errorResult(program.error()), timer);
    std::optional<Stream> unrolled;
    if (const auto checked = checkProgram(*program, *hardware, &unrolled); !checked)
        return print(errorResult(checked.error()), timer);
    if (mode == u"check"_s)
        return print(okResult(), timer);
    if (mode == u"estimate"_s) {
        EstimateOptions options;
        options.unrolled = std::move(unrolled);
        options.band = !parser.isSet(single);
        options.trace = parser.isSet(trace);
        const bool wantsTrace = options.trace;
        const auto estimate = estimateProgram(*program, *hardware, std::move(options));
        if (!estimate)
            return print(errorResult(estimate.error()), timer);
        if (wantsTrace) {
            QFile file(parser.value(trace));
            if (!file.open(QIODevice::WriteOnly) || file.write(traceJson(*estimate)) < 0)
                return print(errorResult({u"infrastructure"_s, {},
                                 u"The trace %1 cannot be written: %2."_s.arg(file.fileName(), file.errorString()), 0}),
                    timer);
        }
        return print(estimateResult(*estimate, *hardware), timer);
    }
    if (!parser.isSet(inputs) || !parser.isSet(outputs))
        return usage(u"run needs --inputs and --outputs."_s);
    RunOptions options;
    options.inputs = parser.value(inputs);
    options.outputs = parser.value(outputs);
    options.constants = parser.isSet(constants) ? parser.value(constants) : QFileInfo(parser.value(ir)).absolutePath();
    options.threads = parser.isSet(threads) ? parser.value(threads).toInt() : QThread::idealThreadCount();
    options.memoryLimit = qint64(std::clamp(parser.value(memory).toInt(), 1, 1024)) << 30;
    const auto outcome = runProgram(*program, options);
    if (!outcome)
        return print(errorResult(outcome.error()), timer);
    return print(runResult(*outcome), timer);
}
