// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/iterationsearch.h"

namespace accelopt {

/// How far each problem of a run has come; only a memory that all problems share makes them wait for each other.
class Progress {
public:
    Progress(Resumer &resumer, qsizetype problems)
        : m_changed(resumer)
        , m_finished(problems, -1)
        , m_ended(problems, false)
    {
    }
    void finished(int problem, int iteration);
    void ended(int problem);
    /// Waits until every problem has finished `iteration` or will not.
    QCoro::Task<void> all(int iteration);

private:
    AsyncEvent m_changed;
    QList<int> m_finished;
    QList<bool> m_ended;
};

/// The search of one problem of a run: baseline, T iterations, each with memory and selection at its end.
class ProblemSearch {
public:
    ProblemSearch(RunContext &context, AgentCalls &agents, Evaluations &evaluations, Progress &progress, ProblemRef ref,
        const Problem &problem);

    enum class Outcome { Unfinished, Finished, Failed };
    QCoro::Task<void> run();
    [[nodiscard]] Outcome outcome() const { return m_outcome; }
    [[nodiscard]] QString name() const { return m_state.ref.name; }

private:
    QCoro::Task<Result<void>> search();
    QCoro::Task<Result<bool>> baseline(); ///< false: it does not work
    [[nodiscard]] Result<void> loadHistory(int finished);
    QCoro::Task<Result<bool>> iterate(int iteration);
    QCoro::Task<Result<QList<Candidate>>> candidates(int iteration);
    /// Pairs, summaries, experiences of an iteration.
    QCoro::Task<Result<void>> learn(IterationSearch &search);
    QCoro::Task<void> summarize(IterationSearch &search, Pair pair, int rank, Experience &experience);
    /// The memory after an iteration, from the journal and the iteration's experiences.
    QCoro::Task<Result<void>> remember(int iteration);
    /// What the planners of an iteration read, frozen when its first planner was asked.
    QCoro::Task<Result<QList<Experience>>> experiences(int iteration, qsizetype candidates);
    QCoro::Task<Result<void>> setBest();
    [[nodiscard]] bool usesMemory() const;
    [[nodiscard]] bool sharesMemory() const { return m_context.settings().memoryScope == MemoryScope::Project; }
    void tell(RunEvent::Kind kind, const QString &text, int iteration);

    RunContext &m_context;
    AgentCalls &m_agents;
    Evaluations &m_evaluations;
    Progress &m_progress;
    ProblemState m_state;
    Outcome m_outcome = Outcome::Unfinished;
};

} // namespace accelopt
