// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/problemsearch.h"

#include <QElapsedTimer>
#include <QTimer>
#include <atomic>

namespace accelopt {

/// One run at work, on the engine thread. Made there, driven through slots, gone after `ended`.
class Engine : public QObject {
    Q_OBJECT
public:
    Engine(Journal &journal, const QString &databasePath, const QString &repositoryPath, qint64 run, RunParts parts);
    ~Engine() override;

    void begin(); ///< on the engine thread: starts the coroutine that is the run. Nothing else is called before it
    [[nodiscard]] bool hasEnded() const { return m_hasEnded; } ///< any thread
    void pause();
    void resume();
    void drain();
    void stop();

Q_SIGNALS:
    void happened(const accelopt::RunEvent &event);
    void stateChanged(accelopt::RunState state, const QString &reason);
    void ended(accelopt::RunState state, const QString &reason);

private:
    QCoro::Task<void> work();
    QCoro::Task<Result<bool>> search(); ///< true: all problems came to their end
    [[nodiscard]] Result<void> prepare();
    QCoro::Task<void> keepFacts();
    void onState(RunState state, const QString &reason);
    void tick();

    Journal &m_journal;
    const QString m_databasePath, m_repositoryPath;
    const qint64 m_run;
    RunParts m_parts;
    std::atomic<bool> m_hasEnded = false;
    std::unique_ptr<RunContext> m_context;
    std::unique_ptr<AgentCalls> m_agents;
    std::unique_ptr<Evaluations> m_evaluations;
    std::unique_ptr<Progress> m_progress;
    std::vector<std::unique_ptr<ProblemSearch>> m_problems;
    QList<Problem> m_frozen;
    QTimer m_tick{this}; ///< wall time towards the budget
    QElapsedTimer m_clock;
    double m_secondsBefore = 0;
};

} // namespace accelopt
