// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/runcontrol.h"

#include <QTimer>

namespace accelopt {

QCoro::Task<bool> RunControl::admit(Work work)
{
    while (m_state == RunState::Paused && !isStopping())
        co_await m_changed.wait();
    co_return !isStopping() && (work == Work::Begun || !isDraining());
}

QCoro::Task<bool> RunControl::sleep(std::chrono::milliseconds time)
{
    bool over = false;
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, &timer, [this, &over] {
        over = true;
        m_changed.pulse();
    });
    timer.start(time);
    while (!over && !isStopping())
        co_await m_changed.wait();
    co_return !isStopping();
}

void RunControl::change(RunState state, const QString &reason)
{
    if (m_state == state && m_reason == reason)
        return;
    m_state = state;
    m_reason = reason;
    if (onState)
        onState(state, reason);
    m_changed.pulse();
}

void RunControl::pause(const QString &reason)
{
    if (!isStopping() && (m_state == RunState::Running || m_state == RunState::Paused))
        change(RunState::Paused, reason);
}

void RunControl::resume()
{
    if (!isStopping() && m_state == RunState::Paused)
        change(RunState::Running, {});
}

void RunControl::drain()
{
    if (!isStopping() && m_state != RunState::Draining)
        change(RunState::Draining, {});
}

void RunControl::reachBudget(const QString &reason)
{
    if (isStopping() || m_budgetReached)
        return;
    m_budgetReached = true;
    change(RunState::Draining, reason);
}

void RunControl::stop()
{
    if (!m_cancel.request_stop())
        return;
    m_changed.pulse();
    if (onStopping)
        onStopping();
}

void RunControl::fail(const Error &error)
{
    if (!m_failure)
        m_failure = error;
    stop();
}

RunState RunControl::finalState(bool complete) const
{
    if (m_failure)
        return RunState::Failed;
    if (complete)
        return RunState::Finished;
    return m_budgetReached && !isStopping() ? RunState::BudgetReached : RunState::Stopped;
}

} // namespace accelopt
