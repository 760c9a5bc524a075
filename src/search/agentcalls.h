// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/runcontext.h"

#include <map>
#include <set>

namespace accelopt {

/// Makes LLM calls exactly once: a finished one is answered from the journal, a new one waits for its place, is written
/// down as started, made, and written down with its result. Errors of network or provider are tried again, then pause
/// the run; they are never anybody's attempt.
class AgentCalls {
public:
    explicit AgentCalls(RunContext &context)
        : m_context(context)
    {
    }

    /// Makes the providers of all roles. What is wrong with one, in a sentence.
    [[nodiscard]] Result<void> open();
    [[nodiscard]] bool supports(Role role) const;
    /// Reads which calls are finished already; before a resumed run goes on.
    [[nodiscard]] Result<void> loadFinished();

    struct Answer {
        Completion completion;
        QDateTime at; ///< when the call finished, as the journal has it: the same after a resume
    };
    QCoro::Task<Result<Answer>> call(ProblemRef problem, CallKey key, CompletionRequest request);
    /// Ends all waiting.
    void close();

private:
    [[nodiscard]] static QString endpointName(const ModelChoice &model);
    QCoro::Task<Result<Answer>> make(
        ProblemRef problem, CallKey key, CompletionRequest request, ModelProvider &provider, SlotQueue &queue);
    /// Waits until the budget lets a call begin; false when it will not.
    QCoro::Task<bool> fitsBudget(Spend most);
    [[nodiscard]] static Answer fromRecord(const CallRecord &record);

    RunContext &m_context;
    std::map<QString, std::unique_ptr<ModelProvider>> m_providers; ///< by ModelChoice::toString
    std::map<QString, std::unique_ptr<SlotQueue>> m_queues; ///< by endpoint
    std::set<CallKey> m_finished;
    std::unique_ptr<AsyncEvent> m_callEnded; ///< pulsed, for who waits on the budget
};

} // namespace accelopt
