// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/agentcalls.h"
#include "search/evaluations.h"
#include "search/history.h"
#include "search/programs.h"

namespace accelopt {

/// A problem of the run and what its search knows; shared by its iterations.
struct ProblemState {
    ProblemRef ref;
    Problem problem;
    QByteArray json; ///< problem.json as it is committed
    Roofline roofline;
    History history;
    QDateTime begun; ///< of the run: the time of the baseline's commit
};

/// A candidate of an iteration with all that prompts and commits need.
struct Candidate {
    Placed placed;
    Attempt attempt;
    QByteArray kernel;
};

/// All plans and attempts of one iteration of one problem. Plans and attempts run side by side; what each of them asks
/// depends only on the state at the iteration's start. The same code runs after a resume: work that is in the journal
/// is taken from there.
class IterationSearch {
public:
    IterationSearch(RunContext &context, AgentCalls &agents, Evaluations &evaluations, const ProblemState &state,
        int iteration, QList<Candidate> candidates, QList<Experience> experiences);

    /// True when every attempt has its result; false when the run drains and some were not begun.
    QCoro::Task<Result<bool>> run();

    [[nodiscard]] QList<Attempt> attempts() const { return m_attempts.values(); }
    [[nodiscard]] const QList<Plan> &plans() const { return m_plans; }
    [[nodiscard]] const QList<Candidate> &candidates() const { return m_candidates; }
    [[nodiscard]] QByteArray kernel(qint64 attempt) const { return m_kernels.value(attempt); }
    [[nodiscard]] const Plan *plan(int candidate, int plan) const;

private:
    // How far the rounds of one attempt have come; what waits for senior ones looks here.
    struct Chain {
        int rounds = 0; // whose kernel is known
        bool ended = false; // no further round will come
        bool refused = false; // cut off: how many rounds there would be is not known
    };
    using ChainKey = std::tuple<int, int, int>; // candidate, plan, attempt

    [[nodiscard]] Result<void> restore();
    QCoro::Task<void> runPlan(int candidate, int plan);
    QCoro::Task<void> runAttempt(int candidate, int planNumber, int attemptNumber);
    QCoro::Task<Result<bool>> fixRounds(Attempt attempt, const Plan &plan, Chain &chain);
    /// From a reply to a committed attempt with its row.
    QCoro::Task<Result<Attempt>> record(AttemptKey key, const Plan &plan, AgentCalls::Answer answer, Role role);
    QCoro::Task<Result<void>> commit(Attempt &attempt, const Plan &plan, const AgentCalls::Answer &answer);
    /// Evaluates, shares or refuses; afterwards the attempt is done and noted.
    QCoro::Task<Result<void>> evaluate(Attempt &attempt, Chain &chain);
    QCoro::Task<Result<void>> finish(Attempt &attempt, Evaluation evaluation, qint64 duplicateOf);
    QCoro::Task<Result<void>> settle();
    /// Waits until it is certain whether `key` owns its program. False: never, the run drains.
    QCoro::Task<bool> seniorsKnown(AttemptKey key);
    void done(const Attempt &attempt);
    void lose(const Error &error, Chain *chain);
    void advance(Chain &chain);
    void queueNote(const Attempt &attempt);
    [[nodiscard]] PlannerFacts plannerFacts(const Candidate &candidate) const;
    [[nodiscard]] RunEvent attemptEvent(RunEvent::Kind kind, const Attempt &attempt) const;

    RunContext &m_context;
    AgentCalls &m_agents;
    Evaluations &m_evaluations;
    const ProblemState &m_state;
    const int m_iteration;
    const QList<Candidate> m_candidates;
    const QList<Experience> m_experiences;
    QList<PlannerFacts> m_facts; ///< by candidate
    std::optional<Window> m_window;

    TaskGroup m_tasks;
    IterationPrograms m_programs;
    AsyncEvent m_progress; ///< pulsed when a chain advances
    std::map<ChainKey, Chain> m_chains;
    QMap<AttemptKey, Attempt> m_existing; ///< rows from before a resume
    QMap<AttemptKey, Attempt> m_attempts; ///< done
    QHash<qint64, AttemptKey> m_keys;
    QHash<qint64, QByteArray> m_kernels;
    QList<Plan> m_plans;
    double m_bestMs = 0; ///< live, for events only
    bool m_incomplete = false;
    std::optional<Error> m_error;
};

} // namespace accelopt
