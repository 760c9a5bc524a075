// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/coroutines.h"

#include <QCoreApplication>
#include <QEvent>

namespace accelopt {

namespace {
const auto resumeEvent = static_cast<QEvent::Type>(QEvent::registerEventType());
}

void Resumer::post(std::coroutine_handle<> handle)
{
    m_ready.push_back(handle);
    if (!m_posted) {
        m_posted = true;
        QCoreApplication::postEvent(this, new QEvent(resumeEvent));
    }
}

bool Resumer::event(QEvent *event)
{
    if (event->type() != resumeEvent)
        return QObject::event(event);
    m_posted = false;
    std::deque<std::coroutine_handle<>> ready;
    ready.swap(m_ready);
    for (const std::coroutine_handle<> handle : ready)
        handle.resume();
    return true;
}

void AsyncEvent::set()
{
    m_set = true;
    pulse();
}

void AsyncEvent::pulse()
{
    std::vector<std::coroutine_handle<>> waiters;
    waiters.swap(m_waiters);
    for (const std::coroutine_handle<> handle : waiters)
        m_resumer.post(handle);
}

void TaskGroup::add(QCoro::Task<void> task)
{
    ++m_running;
    m_idle.reset();
    watch(std::move(task)); // runs on by itself
}

QCoro::Task<void> TaskGroup::watch(QCoro::Task<void> task)
{
    co_await task;
    if (--m_running == 0)
        m_idle.set();
}

} // namespace accelopt
