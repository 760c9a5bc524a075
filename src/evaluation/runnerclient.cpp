// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/runnerclient.h"

#include <QCoroFuture>
#include <QLoggingCategory>
#include <QRandomGenerator>
#include <QThread>
#include <optional>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

Q_LOGGING_CATEGORY(lcRunner, "accelopt.runner", QtWarningMsg)

namespace {

constexpr int protocolVersion = 1;
constexpr qsizetype keptWords = 8192;

QByteArray newMarker()
{
    quint64 random[2];
    QRandomGenerator::system()->fillRange(random);
    return "@accelopt:" + QByteArray::number(random[0], 16) + QByteArray::number(random[1], 16);
}

} // namespace

RunnerClient::RunnerClient(Command command, Times times, QObject *parent)
    : QObject(parent)
    , m_command(std::move(command))
    , m_times(std::move(times))
{
    m_watch.setInterval(500);
    connect(&m_watch, &QTimer::timeout, this, &RunnerClient::watch);
}

RunnerClient::~RunnerClient()
{
    m_watch.stop();
    if (m_process) {
        m_process->disconnect(this);
        if (m_process->state() != QProcess::NotRunning) {
            [[maybe_unused]] const bool sent = send({{u"request"_s, u"bye"_s}});
            m_process->closeWriteChannel();
            if (!m_process->waitForFinished(1500)) {
                m_process->terminate();
                if (!m_process->waitForFinished(1000)) {
                    m_process->kill(); // the walls around its children notice and kill them
                    m_process->waitForFinished(500);
                }
            }
        }
    }
    for (const QString &id : m_pending.keys())
        resolve(id, {RunnerReply::How::Cancelled, {}, u"The runner was closed."_s});
}

void RunnerClient::launch()
{
    m_marker = newMarker();
    m_lines = std::make_unique<RunnerLines>(m_marker);
    m_words.clear();
    m_process = std::make_unique<QProcess>();
    QProcessEnvironment environment = m_command.environment;
    environment.insert(u"ACCELOPT_RUNNER_MARKER"_s, QString::fromLatin1(m_marker));
    m_process->setProcessEnvironment(environment);
    m_process->setProgram(m_command.program);
    m_process->setArguments(m_command.arguments);
#ifdef Q_OS_UNIX
    // A session of its own: Ctrl+C in the terminal is for the desk, which drains.
    m_process->setUnixProcessParameters(QProcess::UnixProcessFlag::CreateNewSession
        | QProcess::UnixProcessFlag::CloseFileDescriptors | QProcess::UnixProcessFlag::ResetSignalHandlers);
#endif
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &RunnerClient::read);
    connect(m_process.get(), &QProcess::readyReadStandardError, this, [this] {
        const QByteArray text = m_process->readAllStandardError();
        qCDebug(lcRunner).noquote() << text.trimmed();
        m_words += text;
        m_words = m_words.right(keptWords);
    });
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            giveUp(u"The runner could not be started: %1: %2."_s.arg(m_command.program, m_process->errorString()));
    });
    connect(m_process.get(), &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        read();
        const QString how = status == QProcess::CrashExit ? u"was killed"_s : u"ended with exit status %1"_s.arg(code);
        const QString words = lastWords();
        giveUp(words.isEmpty() ? u"The runner %1."_s.arg(how) : u"The runner %1: %2"_s.arg(how, words));
    });
    m_lastLine.start();
    m_watch.start();
    m_process->start();
}

QCoro::Task<Result<void>> RunnerClient::start(CancelToken token)
{
    if (m_ready)
        co_return Result<void>();
    if (token.stop_requested())
        co_return fail(Error::Kind::Cancelled, u"The start of the runner was cancelled."_s);
    if (!m_starting) {
        m_starting = std::make_shared<QPromise<Result<void>>>();
        m_starting->start();
        launch();
        if (m_process && !send({{u"request"_s, u"hello"_s}, {u"id"_s, u"hello"_s}, {u"protocol"_s, protocolVersion}}))
            giveUp(u"The runner does not listen."_s);
        if (!m_starting) // failed at once
            co_return fail(
                Error::Kind::Io, u"The runner could not be started: %1."_s.arg(m_command.program), lastWords());
    }
    const auto starting = m_starting;
    QFuture<Result<void>> future = starting->future();
    co_await future;
    if (future.resultCount() == 0)
        co_return fail(Error::Kind::Cancelled, u"The runner was closed."_s);
    co_return future.result();
}

QCoro::Task<RunnerReply> RunnerClient::request(QJsonObject message, CancelToken token, QJsonObject deadlines)
{
    const QString id = message.value("id"_L1).toString();
    if (!m_ready || m_pending.contains(id))
        co_return RunnerReply{
            RunnerReply::How::Lost, {}, m_ready ? u"The request's name is in use."_s : u"The runner is not there."_s};
    const auto pending = std::make_shared<Pending>();
    pending->deadlines = deadlines;
    pending->promise.start();
    m_pending.insert(id, pending);
    QFuture<RunnerReply> future = pending->promise.future();
    if (!send(message))
        giveUp(u"The runner does not listen."_s);
    {
        // The request may come from any thread; the conversation stays on this one.
        const std::stop_callback stop(
            token, [this, id] { QMetaObject::invokeMethod(this, [this, id] { cancel(id); }, Qt::QueuedConnection); });
        co_await future;
    }
    if (future.resultCount() == 0)
        co_return RunnerReply{RunnerReply::How::Cancelled, {}, u"The runner was closed."_s};
    co_return future.result();
}

void RunnerClient::cancel(const QString &id)
{
    const auto pending = m_pending.value(id);
    if (!pending || pending->cancelling)
        return;
    pending->cancelling = true;
    [[maybe_unused]] const bool sent = send({{u"request"_s, u"cancel"_s}, {u"id"_s, u"cancel"_s}, {u"job"_s, id}});
    QTimer::singleShot(m_times.cancel, this, [this, id, pending] {
        if (m_pending.value(id) == pending)
            resolve(id, {RunnerReply::How::Cancelled, {}, u"The job was cancelled."_s});
    });
}

void RunnerClient::read()
{
    if (!m_process)
        return;
    const QByteArray data = m_process->readAllStandardOutput();
    if (data.isEmpty())
        return;
    for (const QJsonObject &message : m_lines->feed(data)) {
        m_lastLine.restart();
        handle(message);
        if (!m_lines) // given up meanwhile
            return;
    }
}

void RunnerClient::handle(const QJsonObject &message)
{
    const QString event = message.value("event"_L1).toString();
    const QString id = message.value("id"_L1).toString();
    if (event == u"heartbeat"_s || event == u"pong"_s)
        return;
    if (event == u"hello"_s) {
        if (message.value("protocol"_L1).toInt() != protocolVersion) {
            giveUp(u"The runner speaks another version of the protocol."_s);
            return;
        }
        m_facts = message;
        m_facts.remove("event"_L1);
        m_facts.remove("id"_L1);
        m_ready = true;
        settle({});
    } else if (event == u"result"_s) {
        resolve(id, {RunnerReply::How::Answered, message.value("result"_L1).toObject(), {}});
    } else if (event == u"error"_s) {
        const QString kind = message.value("kind"_L1).toString();
        const QString text = message.value("message"_L1).toString().left(2000);
        if (id == u"hello"_s && !m_ready) {
            giveUp(text);
            return;
        }
        resolve(id,
            {kind == u"cancelled"_s               ? RunnerReply::How::Cancelled
                    : kind == u"infrastructure"_s ? RunnerReply::How::Lost
                                                  : RunnerReply::How::Refused,
                {}, text});
    } else if (event == u"started"_s || event == u"finished"_s || event == u"progress"_s) {
        const QString job = message.value("job"_L1).toString();
        if (const auto pending = m_pending.value(job)) {
            if (event != u"finished"_s)
                pending->stage = message.value("stage"_L1).toString().left(40);
            pending->overdue = deadlineOf(*pending);
            Q_EMIT jobEvent(message);
        }
    } else if (event == u"log"_s) {
        qCDebug(lcRunner).noquote() << message.value("message"_L1).toString().left(2000);
    }
}

QDeadlineTimer RunnerClient::deadlineOf(const Pending &pending) const
{
    const auto seconds = [&](const QString &stage) {
        const double own = m_times.stages.value(stage, 300);
        return pending.deadlines.value(stage).toDouble(own);
    };
    // A stage's own deadline is the runner's to enforce; reported progress starts this one again. Correctness may have
    // to make a reference first.
    const double limit = seconds(pending.stage) + (pending.stage == u"correctness"_s ? seconds(u"reference"_s) : 0);
    return QDeadlineTimer(static_cast<qint64>(qMin(limit, 1e6) * 1000) + m_times.grace);
}

void RunnerClient::watch()
{
    const qint64 silent = m_lastLine.elapsed();
    if (!m_ready && silent > m_times.hello) {
        giveUp(u"The runner did not answer within %1 s."_s.arg(m_times.hello / 1000));
        return;
    }
    if (m_ready && silent > m_times.silence) {
        giveUp(u"The runner fell silent."_s);
        return;
    }
    for (auto pending = m_pending.cbegin(); pending != m_pending.cend(); ++pending) {
        if (pending.value()->overdue.hasExpired()) {
            const QString id = pending.key(), stage = pending.value()->stage;
            resolve(id, {RunnerReply::How::Overdue, {}, stage});
            giveUp(u"The runner let the stage %1 run over its deadline."_s.arg(stage));
            return;
        }
    }
}

void RunnerClient::resolve(const QString &id, RunnerReply reply)
{
    const auto pending = m_pending.take(id);
    if (!pending)
        return; // answered, cancelled or never asked
    pending->promise.addResult(std::move(reply));
    pending->promise.finish();
}

void RunnerClient::settle(Result<void> outcome)
{
    if (const auto starting = std::exchange(m_starting, nullptr)) {
        starting->addResult(std::move(outcome));
        starting->finish();
    }
}

void RunnerClient::giveUp(const QString &why)
{
    qCWarning(lcRunner).noquote() << why;
    m_ready = false;
    m_watch.stop();
    m_lines.reset();
    if (m_process) {
        m_process->disconnect(this);
        m_process->kill();
        m_process.release()->deleteLater(); // QProcess waits for the killed process when it goes
    }
    for (const QString &id : m_pending.keys())
        resolve(id, {RunnerReply::How::Lost, {}, why});
    settle(fail(Error::Kind::Io, why, QString::fromUtf8(m_words)));
}

bool RunnerClient::send(const QJsonObject &message)
{
    if (!m_process || m_process->state() == QProcess::NotRunning)
        return false;
    const QByteArray line = RunnerLines::encode(m_marker, message);
    return m_process->write(line) == line.size();
}

QString RunnerClient::lastWords() const
{
    const QList<QByteArray> lines = m_words.trimmed().split('\n');
    return QString::fromUtf8(lines.last()).trimmed().left(300);
}

} // namespace accelopt
