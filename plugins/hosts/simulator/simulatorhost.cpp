// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulatorhost.h"

#include "domain/paths.h"
#include "evaluation/runnerevaluator.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <QThread>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Only what a Python needs: no keys of the user reach the runner, nor what it starts.
QProcessEnvironment cleanEnvironment()
{
    QProcessEnvironment environment;
    const QProcessEnvironment own = QProcessEnvironment::systemEnvironment();
    for (const QString &name :
        {u"PATH"_s, u"HOME"_s, u"TMPDIR"_s, u"XDG_CACHE_HOME"_s, u"ACCELOPT_CACHE_DIR"_s, u"TZ"_s}) {
        if (own.contains(name))
            environment.insert(name, own.value(name));
    }
    environment.insert(u"LANG"_s, u"C.UTF-8"_s);
    environment.insert(u"LC_ALL"_s, u"C.UTF-8"_s);
    environment.insert(u"PYTHONDONTWRITEBYTECODE"_s, u"1"_s);
    environment.insert(u"PYTHONPATH"_s, resourcePath(u"runner"_s));
    environment.insert(u"OPENBLAS_NUM_THREADS"_s, u"1"_s);
    return environment;
}

} // namespace

Result<std::unique_ptr<Evaluator>> SimulatorHost::create(const QString &host, const QJsonObject &options)
{
    const QString python = options.value("python"_L1).toString(QStandardPaths::findExecutable(u"python3"_s));
    if (python.isEmpty())
        return fail(Error::Kind::NotFound, u"Python 3 was not found; install python3 and python3-numpy."_s);
    const QString package = resourcePath(u"runner/accelopt_runner"_s);
    if (!QFileInfo(package + u"/__main__.py"_s).isFile())
        return fail(Error::Kind::NotFound, u"The runner was not found in %1."_s.arg(package));

    // Two jobs at once keep two cores busy: one computes while the other one's Python traces.
    const int workers = qBound(1, options.value("workers"_L1).toInt(qMax(2, QThread::idealThreadCount())), 64);
    const auto path = [&](QLatin1StringView key, const QString &otherwise) {
        return options.value(key).toString(otherwise);
    };
    RunnerClient::Command command;
    command.program = python;
    command.environment = cleanEnvironment();
    command.arguments = {u"-s"_s, u"-m"_s, u"accelopt_runner"_s, u"--backend"_s, u"simulator"_s, u"--workers"_s,
        QString::number(workers), u"--neuroncore"_s, path("neuroncore"_L1, programPath(u"accelopt-neuroncore"_s)),
        u"--sandbox"_s, path("sandbox"_L1, programPath(u"accelopt-sandbox"_s)), u"--hardware"_s,
        path("hardware"_L1, resourcePath(u"hardware"_s)), u"--cache"_s, path("cache"_L1, cachePath(u"references"_s)),
        u"--scratch"_s, path("scratch"_L1, cachePath(u"jobs"_s))};
    if (options.contains("cache_bytes"_L1))
        command.arguments += {u"--cache-bytes"_s, QString::number(options.value("cache_bytes"_L1).toDouble(), 'f', 0)};
    if (options.value("skip_guard"_L1).toBool())
        command.arguments += u"--skip-guard"_s;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    // The programs beside a sanitized one are sanitized too: they reserve terabytes of addresses.
    command.arguments += u"--unlimited-memory"_s;
#endif

    RunnerClient::Times times;
    times.silence = options.value("silence_ms"_L1).toInt(times.silence);
    times.grace = options.value("grace_ms"_L1).toInt(times.grace);
    times.cancel = options.value("cancel_ms"_L1).toInt(times.cancel);
    times.stages = {{u"guard"_s, 20}, {u"reference"_s, 600}, {u"check"_s, 60}, {u"timing"_s, 120},
        {u"correctness"_s, 300}, {u"profile"_s, 60}};
    return std::make_unique<RunnerEvaluator>(host, std::move(command), std::move(times), workers);
}

} // namespace accelopt
