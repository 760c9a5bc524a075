// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/slotqueue.h"

namespace accelopt {

bool SlotQueue::Awaiter::await_ready()
{
    return queue.m_closed;
}

void SlotQueue::Awaiter::await_suspend(std::coroutine_handle<> handle)
{
    queue.m_lines[problem].waiters.emplace(order, Waiter{this, handle});
    queue.grant();
}

void SlotQueue::grant()
{
    while (!m_closed && m_inUse < m_limit) {
        Line *next = nullptr;
        for (auto &[problem, line] : m_lines) {
            if (line.waiters.empty())
                continue;
            if (!next || std::tie(line.held, line.lastGrant) < std::tie(next->held, next->lastGrant))
                next = &line;
        }
        if (!next)
            return;
        const Waiter waiter = next->waiters.begin()->second;
        next->waiters.erase(next->waiters.begin());
        ++next->held;
        next->lastGrant = ++m_grants;
        ++m_inUse;
        waiter.awaiter->granted = true;
        m_resumer.post(waiter.handle);
    }
}

void SlotQueue::release(int problem)
{
    --m_lines[problem].held;
    --m_inUse;
    grant();
}

void SlotQueue::reportFailure()
{
    m_successes = 0;
    m_limit = qMax(1, m_limit / 2);
}

void SlotQueue::reportSuccess()
{
    if (m_limit < m_maximum && ++m_successes >= m_limit) {
        m_successes = 0;
        ++m_limit;
        grant();
    }
}

void SlotQueue::close()
{
    m_closed = true;
    for (auto &[problem, line] : m_lines) {
        for (const auto &[order, waiter] : line.waiters)
            m_resumer.post(waiter.handle);
        line.waiters.clear();
    }
}

int SlotQueue::waiting() const
{
    int count = 0;
    for (const auto &[problem, line] : m_lines)
        count += static_cast<int>(line.waiters.size());
    return count;
}

} // namespace accelopt
