// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/modelprovider.h"

#include <QCoroTimer>
#include <QElapsedTimer>
#include <QTimer>
#include <atomic>
#include <memory>

namespace accelopt::test {

/// How scripted providers of a test behave, and what they were asked.
struct Script {
    bool fixes = true; ///< supports the fixer role
    int delayMs = 0; ///< of a call, at most; drawn anew each time
    quint32 shuffle = 1; ///< seed of the delays: another one is another order of arrival
    double failures = 0.25; ///< share of kernels that fail
    double duplicates = 0.2; ///< share of kernels that repeat one of few programs
    double replies = 0.08; ///< share of replies without a kernel
    std::function<std::optional<Error>(const CompletionRequest &)> error; ///< instead of an answer
    qint64 inputTokens = 100, outputTokens = 50;
    std::atomic<int> calls = 0, running = 0, mostRunning = 0;
    std::atomic<bool> swallow = false; ///< never answers, until cancelled
};

/// A provider whose answers depend on the request's seed and messages alone. It writes kernels FakeEvaluator
/// understands.
class ScriptedProvider : public ModelProvider {
public:
    explicit ScriptedProvider(std::shared_ptr<Script> script)
        : m_script(std::move(script))
        , m_delay(m_script->shuffle)
    {
    }
    QString id() const override { return QStringLiteral("scripted"); }
    bool supports(Role role) const override { return role != Role::Fixer || m_script->fixes; }

    QCoro::Task<Result<Completion>> complete(CompletionRequest request, CancelToken token) override
    {
        ++m_script->calls;
        const int running = ++m_script->running;
        if (running > m_script->mostRunning)
            m_script->mostRunning = running;
        m_delay = m_delay * 1664525U + 1013904223U;
        const int delay = m_script->delayMs > 0 ? int((m_delay >> 8) % quint32(m_script->delayMs + 1)) : 0;
        QElapsedTimer clock;
        clock.start();
        while (m_script->swallow || clock.elapsed() < delay) {
            if (token.stop_requested())
                break;
            QTimer timer;
            timer.setSingleShot(true);
            timer.start(m_script->swallow ? 10 : int(qBound(qint64(0), delay - clock.elapsed() + 1, qint64(10))));
            co_await timer;
        }
        --m_script->running;
        if (token.stop_requested())
            co_return fail(Error::Kind::Cancelled, QStringLiteral("cancelled"));
        if (m_script->error) {
            if (const auto error = m_script->error(request))
                co_return std::unexpected(*error);
        }
        Completion completion;
        completion.finishReason = QStringLiteral("stop");
        completion.usage.inputTokens = m_script->inputTokens;
        completion.usage.outputTokens = m_script->outputTokens;
        completion.text = answer(request);
        co_return completion;
    }

    /// All a request says, as a number: a prompt that depends on timing would show as another answer.
    static quint64 fingerprint(const CompletionRequest &request)
    {
        quint64 h = 1469598103934665603ULL ^ request.seed;
        for (const Message &message : request.messages) {
            for (const QChar c : message.content)
                h = (h ^ c.unicode()) * 1099511628211ULL;
        }
        return h;
    }

private:
    QString answer(const CompletionRequest &request) const
    {
        quint64 state = fingerprint(request);
        const auto draw = [&state] {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            return double((state * 2685821657736338717ULL) >> 11) / double(1ULL << 53);
        };
        draw();
        switch (request.role) {
        case Role::Planner:
            return QStringLiteral("**Plan %1**\n\nDo it %2.").arg(int(draw() * 1000)).arg(draw());
        case Role::Summarizer:
            return draw() < 0.2 ? QStringLiteral("No optimization found")
                                : QStringLiteral("**Lesson %1**\n\nLonger tiles.").arg(int(draw() * 1000));
        case Role::Fixer:
        case Role::Executor:
            break;
        }
        if (draw() < m_script->replies)
            return QStringLiteral("I would rather not.");
        const bool repeats = draw() < m_script->duplicates;
        const bool fails = draw() < m_script->failures;
        // Few distinct numbers for those that repeat; their comments differ, so that the texts do too.
        const double latency = repeats ? 0.5 + 0.25 * int(draw() * 8) : 0.4 + int(draw() * 2e6) / 1e6;
        const QString verdict = fails
            ? QStringLiteral("FAILS = \"%1\"")
                  .arg(draw() < 0.5 ? QStringLiteral("compile") : QStringLiteral("wrong-result"))
            : QStringLiteral("OK = 1");
        const QString comment = draw() < 0.5 ? QString() : QStringLiteral("# remark %1\n").arg(int(draw() * 100));
        return QStringLiteral(
            "Here it is.\n\n```python\n%3def kernel(x):\n    LATENCY_MS = %1\n    %2\n    return x\n```\n")
            .arg(latency, 0, 'f', 6)
            .arg(verdict, comment);
    }

    std::shared_ptr<Script> m_script;
    quint32 m_delay;
};

} // namespace accelopt::test
