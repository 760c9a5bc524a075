// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attemptkey.h"
#include "search/coroutines.h"

#include <QMap>
#include <map>

namespace accelopt {

/// A bounded number of places (calls to one endpoint, jobs of the hosts) shared fairly: a free place goes to the
/// problem that holds the fewest, in turn where they hold equally many; within a problem to the smallest (priority,
/// key). Which order the places are given in has no influence on any result.
class SlotQueue {
public:
    SlotQueue(Resumer &resumer, int limit)
        : m_resumer(resumer)
        , m_limit(qMax(1, limit))
        , m_maximum(m_limit)
    {
    }
    Q_DISABLE_COPY_MOVE(SlotQueue)

    struct Order {
        int priority = 0; ///< smaller first
        AttemptKey key;
        auto operator<=>(const Order &) const = default;
    };

    struct Awaiter {
        SlotQueue &queue;
        int problem;
        Order order;
        bool granted = false;
        bool await_ready();
        void await_suspend(std::coroutine_handle<> handle);
        bool await_resume() const noexcept { return granted; }
    };
    /// True: a place is held until `release`. False: the queue was closed.
    [[nodiscard]] Awaiter acquire(int problem, const Order &order) { return {*this, problem, order}; }
    void release(int problem);

    /// Adapts the limit between 1 and the maximum: halved when an endpoint is overwhelmed, one more after as many
    /// successes as there are places.
    void reportFailure();
    void reportSuccess();

    /// Refuses all who wait and all who come.
    void close();
    [[nodiscard]] int limit() const { return m_limit; }
    [[nodiscard]] int inUse() const { return m_inUse; }
    [[nodiscard]] int waiting() const;

private:
    struct Waiter {
        Awaiter *awaiter;
        std::coroutine_handle<> handle;
    };
    struct Line {
        int held = 0;
        quint64 lastGrant = 0;
        std::multimap<Order, Waiter> waiters;
    };
    void grant();

    Resumer &m_resumer;
    int m_limit, m_maximum;
    int m_inUse = 0;
    int m_successes = 0;
    quint64 m_grants = 0;
    bool m_closed = false;
    std::map<int, Line> m_lines;
};

} // namespace accelopt
