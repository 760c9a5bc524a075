// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/cancellation.h"
#include "domain/result.h"
#include "evaluation/runnerlines.h"

#include <QCoroTask>
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QFuture>
#include <QHash>
#include <QObject>
#include <QProcess>
#include <QPromise>
#include <QTimer>
#include <memory>

namespace accelopt {

/// How a request to the runner ended.
struct RunnerReply {
    enum class How {
        Answered, ///< `result` holds it
        Refused, ///< the request or the problem is at fault; `message` says how
        Cancelled,
        Overdue, ///< a stage ran over its deadline and the runner did not end it; `message` names the stage
        Lost ///< the runner died, or the runner failed; worth a repetition
    };
    How how = How::Lost;
    QJsonObject result;
    QString message;
};

/// One runner process and the conversation with it. Lives on the engine thread. A process that dies, falls silent or
/// lets a job run over its deadline is killed; every request in flight then ends as Lost and `start` may be called
/// again.
class RunnerClient : public QObject {
    Q_OBJECT
public:
    struct Command {
        QString program;
        QStringList arguments;
        QProcessEnvironment environment;
    };
    /// Milliseconds, but for the stages: seconds.
    struct Times {
        int hello = 30'000; ///< from start to hello (a cold Python and NumPy)
        int silence = 20'000; ///< without any line before the runner is given up
        int cancel = 2'500; ///< from a cancel request to giving up on an answer
        int grace = 30'000; ///< beyond a stage's deadline, which the runner itself enforces
        QHash<QString, double> stages; ///< deadlines
    };

    RunnerClient(Command command, Times times, QObject *parent = nullptr);
    ~RunnerClient() override;

    [[nodiscard]] bool isRunning() const { return m_ready; }
    /// Starts the process and waits for its hello, which becomes `facts`. Does nothing where it runs already; several
    /// callers share one start.
    [[nodiscard]] QCoro::Task<Result<void>> start(CancelToken token);
    [[nodiscard]] const QJsonObject &facts() const { return m_facts; }
    /// Sends a request under its "id" and waits for its result or error. `deadlines` (seconds per stage) go before
    /// those of Times.
    [[nodiscard]] QCoro::Task<RunnerReply> request(QJsonObject message, CancelToken token, QJsonObject deadlines = {});
    /// What the runner last wrote beside the protocol, for error messages.
    [[nodiscard]] QString lastWords() const;
    [[nodiscard]] qint64 processId() const { return m_process ? m_process->processId() : 0; }

Q_SIGNALS:
    /// started, finished, progress of a job.
    void jobEvent(const QJsonObject &event);

private:
    struct Pending {
        QPromise<RunnerReply> promise;
        QJsonObject deadlines;
        QString stage;
        QDeadlineTimer overdue = QDeadlineTimer(QDeadlineTimer::Forever);
        bool cancelling = false;
    };

    void launch();
    void read();
    void handle(const QJsonObject &message);
    void watch();
    void cancel(const QString &id);
    void resolve(const QString &id, RunnerReply reply);
    /// Kills the process; everything in flight is lost, `overdue` excepted.
    void giveUp(const QString &why);
    void settle(Result<void> outcome);
    [[nodiscard]] QDeadlineTimer deadlineOf(const Pending &pending) const;
    [[nodiscard]] bool send(const QJsonObject &message);

    Command m_command;
    Times m_times;
    QByteArray m_marker;
    std::unique_ptr<QProcess> m_process;
    std::unique_ptr<RunnerLines> m_lines;
    QByteArray m_words;
    QJsonObject m_facts;
    QHash<QString, std::shared_ptr<Pending>> m_pending;
    std::shared_ptr<QPromise<Result<void>>> m_starting;
    QElapsedTimer m_lastLine;
    QTimer m_watch;
    bool m_ready = false;
};

} // namespace accelopt
