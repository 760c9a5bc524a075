// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluation/evaluator.h"

#include <QCoroTimer>
#include <QCryptographicHash>
#include <QRegularExpression>
#include <QTimer>
#include <atomic>
#include <memory>

namespace accelopt::test {

/// What all fake evaluators of a test share: how they behave and what they were asked. Counters may be read from any
/// thread; the rest is set before the run.
struct FakeHost {
    int concurrency = 2;
    int delayMs = 0; ///< of an evaluation; 0 = answers at once
    bool randomDelay = false; ///< 0 … delayMs instead
    quint32 shuffle = 1; ///< seed of the random delays
    bool skips = true; ///< honours the skip window
    std::function<std::optional<Error>(const EvaluationJob &)> failure; ///< an answer that is no verdict
    std::atomic<int> evaluations = 0, skipped = 0, hashes = 0, running = 0, mostRunning = 0;
    std::atomic<bool> swallow = false; ///< never answers, until cancelled
};

/// An evaluator whose verdict is written in the kernel: `LATENCY_MS = 1.5` is measured, `FAILS = "compile"` fails with
/// that kind. Deterministic; comment lines do not count for the program's hash.
class FakeEvaluator : public Evaluator, public ProgramHasher {
public:
    explicit FakeEvaluator(std::shared_ptr<FakeHost> host)
        : m_host(std::move(host))
        , m_random(m_host->shuffle)
    {
    }

    QString name() const override { return QStringLiteral("simulator"); }
    int concurrency() const override { return m_host->concurrency; }
    QJsonObject facts() const override { return {{QStringLiteral("cores"), m_host->concurrency}}; }
    QCoro::Task<Result<void>> start(CancelToken) override { co_return Result<void>(); }

    QCoro::Task<Result<Evaluation>> evaluate(EvaluationJob job, CancelToken token) override
    {
        const int running = ++m_host->running;
        if (running > m_host->mostRunning)
            m_host->mostRunning = running;
        if (m_progress)
            m_progress({job.id, QStringLiteral("timing"), QStringLiteral("simulator worker 1")});
        const int delay =
            m_host->randomDelay && m_host->delayMs > 0 ? int(next() % quint32(m_host->delayMs)) : m_host->delayMs;
        const bool isOver = co_await wait(delay, token);
        --m_host->running;
        if (!isOver)
            co_return fail(Error::Kind::Cancelled, QStringLiteral("The evaluation was cancelled."));
        if (m_host->failure) {
            if (const auto error = m_host->failure(job))
                co_return std::unexpected(*error);
        }
        ++m_host->evaluations;
        co_return verdict(job);
    }

    QCoro::Task<Result<QString>> programHash(QByteArray kernel, CancelToken) override
    {
        ++m_host->hashes;
        if (kernel.contains("NOT PYTHON"))
            co_return QString();
        QByteArray program;
        for (const QByteArray &line : kernel.split('\n')) {
            if (!line.trimmed().startsWith('#') && !line.trimmed().isEmpty())
                program += line.trimmed() + '\n';
        }
        co_return QString::fromLatin1(QCryptographicHash::hash(program, QCryptographicHash::Sha256).toHex());
    }

    Evaluation verdict(const EvaluationJob &job) const
    {
        const QString text = QString::fromUtf8(job.kernel);
        Evaluation e;
        e.estimate = true;
        e.environment.target = job.target;
        e.environment.host = QStringLiteral("simulator");
        e.environment.nki = QStringLiteral("beta1");
        e.sha256 = QString::fromLatin1(QCryptographicHash::hash(job.kernel, QCryptographicHash::Sha256).toHex());
        e.core = QStringLiteral("simulator worker 1");
        e.stageSeconds = {{QStringLiteral("check"), 0.01}, {QStringLiteral("timing"), 0.02}};
        static const QRegularExpression fails(QStringLiteral("FAILS = \"([a-z-]+)\"")),
            latency(QStringLiteral("LATENCY_MS = ([0-9.e+-]+)"));
        const auto latencyMatch = latency.match(text);
        const double ms = latencyMatch.hasMatch() ? latencyMatch.captured(1).toDouble() : 0;
        if (m_host->skips && job.skip && ms >= job.skip->fromMs && ms <= job.skip->toMs) {
            ++m_host->skipped;
            e.status = Evaluation::Status::Skipped;
            e.latency = {ms, ms, ms, {ms}};
            return e;
        }
        if (const auto match = fails.match(text); match.hasMatch()) {
            e.status = Evaluation::Status::Failed;
            const int line = int(text.first(match.capturedStart()).count(QLatin1Char('\n'))) + 1;
            e.error = {errorKindFromName(match.captured(1)).value_or(ErrorKind::Crash), QStringLiteral("fake"),
                QStringLiteral("The kernel says that it fails."), line, QStringLiteral("check")};
            return e;
        }
        if (ms <= 0) {
            e.error = {
                ErrorKind::Syntax, {}, QStringLiteral("The kernel names no latency."), 1, QStringLiteral("check")};
            return e;
        }
        e.status = Evaluation::Status::Measured;
        e.latency = {ms, ms, ms, {ms}};
        e.relativeError = 1e-7;
        e.confidence = QStringLiteral("A");
        e.profile = {{QStringLiteral("hbm_read_bytes"), ms * 1000}};
        return e;
    }

private:
    // True: the time is over. False: cancelled, noticed within 10 ms.
    QCoro::Task<bool> wait(int ms, CancelToken token)
    {
        QElapsedTimer clock;
        clock.start();
        while (m_host->swallow || clock.elapsed() < ms) {
            if (token.stop_requested())
                co_return false;
            QTimer timer;
            timer.setSingleShot(true);
            timer.start(m_host->swallow ? 10 : int(qBound(qint64(0), ms - clock.elapsed() + 1, qint64(10))));
            co_await timer;
        }
        co_return !token.stop_requested();
    }
    quint32 next()
    {
        m_random = m_random * 1664525U + 1013904223U;
        return m_random >> 8;
    }

    std::shared_ptr<FakeHost> m_host;
    quint32 m_random;
};

} // namespace accelopt::test
