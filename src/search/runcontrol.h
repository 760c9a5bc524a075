// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/cancellation.h"
#include "domain/result.h"
#include "journal/records.h"
#include "search/coroutines.h"

#include <chrono>
#include <functional>
#include <optional>

namespace accelopt {

/// The state machine of a run, on the engine thread. Work asks `admit` before it begins.
///
///   Running <-> Paused         pause, resume; also by the run itself, with a reason (no space, a host or endpoint that
///   is gone) Running, Paused -> Draining   drain, budget reached: no new plans, what has begun is finished any active
///   -> stopping     stop or a failure: the token is cancelled, all work unwinds
///
/// `finalState` says what it came to once all work has ended.
class RunControl {
public:
    explicit RunControl(Resumer &resumer)
        : m_changed(resumer)
    {
    }

    enum class Work {
        Plan, ///< new: refused while draining
        Begun ///< belongs to a plan that exists, or ends an iteration
    };
    /// Waits while the run is paused. False: do not begin.
    QCoro::Task<bool> admit(Work work);
    /// Sleeps; false when the run was stopped meanwhile.
    QCoro::Task<bool> sleep(std::chrono::milliseconds time);

    void pause(const QString &reason = {});
    void resume();
    void drain();
    void reachBudget(const QString &reason); ///< drains
    void stop();
    void fail(const Error &error);

    [[nodiscard]] RunState state() const { return m_state; }
    [[nodiscard]] bool isStopping() const { return m_cancel.stop_requested(); }
    [[nodiscard]] bool isDraining() const { return m_state == RunState::Draining; }
    [[nodiscard]] bool budgetReached() const { return m_budgetReached; }
    [[nodiscard]] CancelToken token() const { return m_cancel.get_token(); }
    [[nodiscard]] QString reason() const { return m_reason; }
    [[nodiscard]] const std::optional<Error> &failure() const { return m_failure; }
    /// `complete`: every problem came to its end.
    [[nodiscard]] RunState finalState(bool complete) const;

    std::function<void(RunState, const QString &reason)> onState;
    std::function<void()> onStopping;

private:
    void change(RunState state, const QString &reason);

    AsyncEvent m_changed;
    RunState m_state = RunState::Running;
    QString m_reason;
    bool m_budgetReached = false;
    std::optional<Error> m_failure;
    CancelSource m_cancel;
};

} // namespace accelopt
