// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoroTask>
#include <QObject>
#include <coroutine>
#include <deque>
#include <vector>

namespace accelopt {

/// Resumes coroutines from the event loop of the thread it lives on, so that no resumption nests in another. Everything
/// in this file belongs to one thread.
class Resumer : public QObject {
    Q_OBJECT
public:
    void post(std::coroutine_handle<> handle);

private:
    bool event(QEvent *event) override;
    std::deque<std::coroutine_handle<>> m_ready;
    bool m_posted = false;
};

/// Coroutines wait until somebody calls `set` (stays set) or `pulse` (wakes who waits now).
class AsyncEvent {
public:
    explicit AsyncEvent(Resumer &resumer, bool set = false)
        : m_resumer(resumer)
        , m_set(set)
    {
    }
    Q_DISABLE_COPY_MOVE(AsyncEvent)

    void set();
    void reset() { m_set = false; }
    void pulse();
    [[nodiscard]] bool isSet() const { return m_set; }

    struct Awaiter {
        AsyncEvent &event;
        bool await_ready() const noexcept { return event.m_set; }
        void await_suspend(std::coroutine_handle<> handle) { event.m_waiters.push_back(handle); }
        void await_resume() const noexcept { }
    };
    [[nodiscard]] Awaiter wait() { return {*this}; }

private:
    Resumer &m_resumer;
    bool m_set;
    std::vector<std::coroutine_handle<>> m_waiters;
};

/// Many coroutines at once, and one that waits for all of them. Outlives its tasks (whoever owns it awaits `all`).
class TaskGroup {
public:
    explicit TaskGroup(Resumer &resumer)
        : m_idle(resumer, true)
    {
    }
    void add(QCoro::Task<void> task);
    [[nodiscard]] AsyncEvent::Awaiter all() { return m_idle.wait(); }
    [[nodiscard]] int running() const { return m_running; }

private:
    QCoro::Task<void> watch(QCoro::Task<void> task);
    AsyncEvent m_idle;
    int m_running = 0;
};

} // namespace accelopt
