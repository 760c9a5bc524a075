// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/modelprovider.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QFuture>
#include <QJsonObject>
#include <QProcess>
#include <QPromise>
#include <QTimer>
#include <atomic>
#include <deque>
#include <memory>
#include <vector>

namespace accelopt::rules {

struct PoolOptions {
    QString program = QStringLiteral("python3");
    QStringList arguments; ///< of the program
    QString pythonPath; ///< folder that holds the package accelopt_rules
    int processes = 2;
    double timeoutSeconds = 120; ///< for one request, from the moment a child has it
    qint64 maxRequestBytes = 8 * 1024 * 1024;
    qint64 maxReplyBytes = 4 * 1024 * 1024;

    /// Reads the provider's options: program, arguments, python_path, processes, timeout_s, max_request_bytes,
    /// max_reply_bytes.
    [[nodiscard]] static PoolOptions fromJson(const QJsonObject &json);
};

/// One request on its way. Answered exactly once, from the engine thread or (cancellation) from any other.
class Job {
public:
    explicit Job(qint64 id, QByteArray line);
    [[nodiscard]] qint64 id() const { return m_id; }
    [[nodiscard]] const QByteArray &line() const { return m_line; }
    [[nodiscard]] QFuture<Result<Completion>> future() { return m_promise.future(); }
    [[nodiscard]] bool isAnswered() const { return m_answered.load(); }
    void answer(Result<Completion> result);

    int tries = 0; ///< engine thread
    QStringList remarks; ///< engine thread

private:
    qint64 m_id;
    QByteArray m_line;
    QPromise<Result<Completion>> m_promise;
    std::atomic_bool m_answered = false;
};
using JobPointer = std::shared_ptr<Job>;

class Pool;

/// One child process. It is given one request at a time, so that a crash or a hang is always that request's.
class Worker : public QObject {
    Q_OBJECT
public:
    Worker(Pool *pool, const PoolOptions &options);
    ~Worker() override;
    [[nodiscard]] bool isFree() const { return !m_job && !m_ending; }
    [[nodiscard]] bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    [[nodiscard]] JobPointer job() const { return m_job; }
    void give(const JobPointer &job);
    void stop();

private:
    void start();
    void readOutput();
    void readLine(const QByteArray &line);
    void end(const QString &reason);
    void ended(const QString &reason, bool mayRetry);
    [[nodiscard]] QString detail() const;

    Pool *m_pool;
    const PoolOptions &m_options;
    QProcess m_process;
    QTimer m_deadline;
    QElapsedTimer m_clock;
    JobPointer m_job;
    QByteArray m_output; ///< an unfinished line
    QByteArray m_errors; ///< the end of what it wrote to stderr
    QString m_endReason;
    bool m_ending = false; ///< killed, not yet gone
    bool m_stopped = false; ///< the pool is shutting down
};

/// Children that answer requests as JSON lines. Which child answers makes no difference: they keep nothing between
/// requests. Engine thread.
class Pool {
public:
    explicit Pool(const PoolOptions &options);
    ~Pool();
    [[nodiscard]] Result<JobPointer> submit(const QString &role, quint64 seed, const QJsonObject &context);
    void retry(const JobPointer &job);
    void pump(); ///< gives waiting requests to free children
    void shutdown(); ///< answers everything with Cancelled and ends the children

private:
    const PoolOptions m_options;
    std::vector<std::unique_ptr<Worker>> m_workers;
    std::deque<JobPointer> m_waiting;
    qint64 m_lastId = 0;
    bool m_down = false;
};

} // namespace accelopt::rules
