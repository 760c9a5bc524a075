// SPDX-License-Identifier: GPL-3.0-or-later
#include "rulespool.h"

#include "domain/paths.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcessEnvironment>
#include <QThread>
#include <algorithm>

namespace accelopt::rules {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int tailBytes = 8 * 1024; // of stderr, kept for the error's detail
constexpr int allowedTries = 2;

/// Nothing of the caller's environment reaches the rules but what Python needs to start: a reply must not depend on it.
QProcessEnvironment cleanEnvironment(const QString &pythonPath)
{
    const QProcessEnvironment own = QProcessEnvironment::systemEnvironment();
    QProcessEnvironment env;
    for (const QString &name : {u"PATH"_s, u"HOME"_s, u"TMPDIR"_s, u"SYSTEMROOT"_s, u"LD_LIBRARY_PATH"_s}) {
        if (own.contains(name))
            env.insert(name, own.value(name));
    }
    env.insert(u"LC_ALL"_s, u"C.UTF-8"_s);
    env.insert(u"TZ"_s, u"UTC"_s);
    env.insert(u"PYTHONPATH"_s, pythonPath);
    env.insert(
        u"PYTHONNOUSERSITE"_s, u"1"_s); // neither the user's packages nor the current folder stand in for the rules
    env.insert(u"PYTHONSAFEPATH"_s, u"1"_s);
    env.insert(u"PYTHONHASHSEED"_s, u"0"_s);
    env.insert(u"PYTHONIOENCODING"_s, u"utf-8"_s);
    env.insert(u"PYTHONDONTWRITEBYTECODE"_s, u"1"_s);
    env.insert(u"PYTHONUNBUFFERED"_s, u"1"_s);
    return env;
}

QString lastLine(const QByteArray &text)
{
    const QList<QByteArray> lines = text.trimmed().split('\n');
    return QString::fromUtf8(lines.last().trimmed()).left(200);
}

qint64 tokens(const QJsonObject &usage, QLatin1StringView key)
{
    return std::max<qint64>(0, usage.value(key).toInteger());
}

} // namespace

PoolOptions PoolOptions::fromJson(const QJsonObject &json)
{
    PoolOptions options;
    options.program = json.value("program"_L1).toString(options.program);
    options.pythonPath = json.value("python_path"_L1).toString(resourcePath(u"rules"_s));
    options.arguments = {u"-m"_s, u"accelopt_rules"_s};
    if (json.contains("arguments"_L1)) {
        options.arguments.clear();
        for (const QJsonValue &argument : json.value("arguments"_L1).toArray())
            options.arguments.append(argument.toString());
    }
    const int cores = std::max(1, QThread::idealThreadCount());
    options.processes = std::clamp(json.value("processes"_L1).toInt(std::min(2, cores)), 1, 64);
    options.timeoutSeconds = std::max(0.01, json.value("timeout_s"_L1).toDouble(options.timeoutSeconds));
    options.maxRequestBytes = json.value("max_request_bytes"_L1).toInteger(options.maxRequestBytes);
    options.maxReplyBytes = json.value("max_reply_bytes"_L1).toInteger(options.maxReplyBytes);
    return options;
}

Job::Job(qint64 id, QByteArray line)
    : m_id(id)
    , m_line(std::move(line))
{
    m_promise.start();
}

void Job::answer(Result<Completion> result)
{
    if (m_answered.exchange(true))
        return;
    m_promise.addResult(std::move(result));
    m_promise.finish();
}

Worker::Worker(Pool *pool, const PoolOptions &options)
    : m_pool(pool)
    , m_options(options)
{
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this,
        [this] { end(u"it did not answer within %1 s"_s.arg(m_options.timeoutSeconds)); });
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &Worker::readOutput);
    connect(&m_process, &QProcess::readyReadStandardError, this,
        [this] { m_errors = (m_errors + m_process.readAllStandardError()).right(tailBytes); });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart && !m_stopped)
            ended(u"%1 could not be started"_s.arg(m_options.program), false);
    });
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        if (m_stopped)
            return;
        readOutput();
        m_errors = (m_errors + m_process.readAllStandardError()).right(tailBytes);
        QString reason = m_endReason;
        if (reason.isEmpty())
            reason = status == QProcess::CrashExit ? u"its process crashed"_s
                                                   : u"its process ended with code %1"_s.arg(code);
        if (const QString last = lastLine(m_errors); !last.isEmpty())
            reason += u" ("_s + last + u')';
        ended(reason, true);
    });
}

Worker::~Worker()
{
    stop();
}

void Worker::give(const JobPointer &job)
{
    if (!isRunning())
        start();
    m_job = job;
    ++job->tries;
    m_clock.start();
    m_deadline.start(std::chrono::milliseconds(qint64(m_options.timeoutSeconds * 1000)));
    m_process.write(job->line());
}

void Worker::start()
{
    m_output.clear();
    m_errors.clear();
    m_endReason.clear();
    m_process.setProcessEnvironment(cleanEnvironment(m_options.pythonPath));
    m_process.setWorkingDirectory(QDir::rootPath());
    m_process.start(m_options.program, m_options.arguments);
}

void Worker::stop()
{
    m_stopped = true;
    m_deadline.stop();
    m_job.reset();
    if (isRunning()) {
        m_process.kill();
        m_process.waitForFinished(1000);
    }
}

void Worker::readOutput()
{
    m_output += m_process.readAllStandardOutput();
    qsizetype from = 0;
    while (!m_ending) {
        const qsizetype newline = m_output.indexOf('\n', from);
        if ((newline < 0 ? m_output.size() : newline) - from > m_options.maxReplyBytes) {
            end(u"its reply is longer than %1 bytes"_s.arg(m_options.maxReplyBytes));
            break;
        }
        if (newline < 0)
            break;
        const QByteArray line = m_output.mid(from, newline - from);
        from = newline + 1;
        readLine(line); // may give the next request to this child
    }
    m_output = m_ending ? QByteArray() : m_output.mid(from);
}

void Worker::readLine(const QByteArray &line)
{
    const QJsonObject reply = QJsonDocument::fromJson(line).object();
    // Stray prints and late replies to requests that were given up carry no awaited id.
    if (!m_job || reply.value("id"_L1).toInteger(-1) != m_job->id())
        return;
    m_deadline.stop();
    const JobPointer job = std::exchange(m_job, nullptr);
    if (const QJsonValue error = reply.value("error"_L1); !error.isUndefined() && !error.isNull()) {
        const QString text = error.isObject() ? error["message"_L1].toString() : error.toString();
        job->answer(fail(Error::Kind::Invalid, u"The rules cannot answer this request: %1"_s.arg(text), detail()));
    } else if (!reply.value("text"_L1).isString()) {
        job->answer(
            fail(Error::Kind::Invalid, u"The rules answered without a text."_s, QString::fromUtf8(line.left(500))));
    } else {
        Completion completion;
        completion.text = reply.value("text"_L1).toString();
        completion.reasoning = reply.value("reasoning"_L1).toString();
        completion.finishReason = u"stop"_s;
        completion.modelReported = u"rules"_s;
        completion.usage.raw = reply.value("usage"_L1).toObject();
        completion.usage.inputTokens = tokens(completion.usage.raw, "input_tokens"_L1);
        completion.usage.outputTokens = tokens(completion.usage.raw, "output_tokens"_L1);
        completion.seconds = double(m_clock.nsecsElapsed()) * 1e-9;
        completion.remarks = job->remarks;
        job->answer(completion);
    }
    m_pool->pump();
}

void Worker::end(const QString &reason)
{
    m_ending = true;
    m_endReason = reason;
    m_deadline.stop();
    m_process.kill(); // `finished` follows
}

void Worker::ended(const QString &reason, bool mayRetry)
{
    m_deadline.stop();
    m_ending = false;
    const JobPointer job = std::exchange(m_job, nullptr);
    if (job && mayRetry && job->tries < allowedTries) {
        job->remarks.append(u"Asked again: %1."_s.arg(reason));
        m_pool->retry(job);
    } else if (job) {
        job->answer(fail(Error::Kind::Io, u"The rules provider gave no answer: %1."_s.arg(reason), detail()));
    }
    m_pool->pump();
}

QString Worker::detail() const
{
    return QString::fromUtf8(m_errors.trimmed());
}

Pool::Pool(const PoolOptions &options)
    : m_options(options)
{
    for (int i = 0; i < options.processes; ++i)
        m_workers.push_back(std::make_unique<Worker>(this, m_options));
}

Pool::~Pool()
{
    shutdown();
}

Result<JobPointer> Pool::submit(const QString &role, quint64 seed, const QJsonObject &context)
{
    if (m_down)
        return fail(Error::Kind::Cancelled, u"The rules provider was closed."_s);
    const qint64 id = ++m_lastId;
    // 63 bits, so that the seed is an exact JSON integer.
    const QJsonObject request{
        {u"id"_s, id}, {u"role"_s, role}, {u"seed"_s, qint64(seed & 0x7fff'ffff'ffff'ffffU)}, {u"context"_s, context}};
    QByteArray line = QJsonDocument(request).toJson(QJsonDocument::Compact) + '\n';
    if (line.size() > m_options.maxRequestBytes)
        return fail(Error::Kind::Invalid,
            u"The request to the rules provider has %1 bytes; at most %2 are allowed."_s.arg(line.size())
                .arg(m_options.maxRequestBytes));
    auto job = std::make_shared<Job>(id, std::move(line));
    m_waiting.push_back(job);
    pump();
    return job;
}

void Pool::retry(const JobPointer &job)
{
    m_waiting.push_front(job);
}

void Pool::pump()
{
    if (m_down)
        return;
    while (!m_waiting.empty()) {
        if (m_waiting.front()->isAnswered()) { // cancelled while it waited
            m_waiting.pop_front();
            continue;
        }
        // A child that runs is preferred: another one is started only when all running ones are busy.
        Worker *chosen = nullptr;
        for (const auto &worker : m_workers) {
            if (worker->isFree() && (!chosen || (worker->isRunning() && !chosen->isRunning())))
                chosen = worker.get();
        }
        if (!chosen)
            return;
        const JobPointer job = m_waiting.front();
        m_waiting.pop_front();
        chosen->give(job);
    }
}

void Pool::shutdown()
{
    if (std::exchange(m_down, true))
        return;
    const auto closed = [] { return fail(Error::Kind::Cancelled, u"The rules provider was closed."_s); };
    for (const auto &worker : m_workers) {
        if (const JobPointer job = worker->job())
            job->answer(closed());
        worker->stop();
    }
    for (const JobPointer &job : m_waiting)
        job->answer(closed());
    m_waiting.clear();
}

} // namespace accelopt::rules
