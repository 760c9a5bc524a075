// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/records.h"
#include "search/parts.h"
#include "search/project.h"

#include <QObject>
#include <memory>

namespace accelopt {

/// What happens in a run, as it happens. For progress and lanes only: whoever needs facts reads the journal.
struct RunEvent {
    enum class Kind {
        StateChanged,
        CallStarted,
        CallFinished,
        AttemptMade,
        EvaluationStage,
        EvaluationFinished,
        NewBest,
        IterationFinished,
        ProblemFinished,
        BudgetWarning,
        Warning,
        Finished
    };

    Kind kind = Kind::Warning;
    qint64 run = 0;
    RunState state = RunState::Running; ///< with StateChanged and Finished
    QString problem;
    AttemptKey key;
    qint64 attempt = 0;
    QString text; ///< for people: one line
    QString lane; ///< model or core
    QString stage;
    double latencyMs = 0, fractionOfPeak = 0, speedup = 0;
    QDateTime at;
};

/// Drives one run on its own engine thread. The object lives where it was made (GUI or main thread); signals arrive
/// there. Holds the project's journal writer while it works. Destroying it stops the engine within 3 s; work in flight
/// is marked interrupted.
class RunController : public QObject {
    Q_OBJECT
public:
    explicit RunController(const Project &project, QObject *parent = nullptr);
    /// With other providers and evaluators than the plugins (tests, replays).
    RunController(const Project &project, RunParts parts, QObject *parent = nullptr);
    ~RunController() override;

    /// Makes a new run from settings (validated, facts frozen) and starts it. The id, or why not.
    [[nodiscard]] Result<qint64> start(const RunSettings &settings);
    /// Goes on with a run that was stopped, interrupted or paused; 0 = the newest that can.
    [[nodiscard]] Result<qint64> resume(qint64 run = 0);

    void pause(); ///< starts nothing new; resumeWork() goes on
    void resumeWork();
    void drain(); ///< no new plans; what has begun is finished, then Stopped
    void stop(); ///< cancels what is under way, then Stopped. All of these return at once; `stateChanged` and
                 ///< `finished` tell
    [[nodiscard]] RunState state() const;
    [[nodiscard]] qint64 run() const;
    [[nodiscard]] bool isActive() const; ///< running, paused or draining
    /// Blocks (with an event loop) until the run is over; the final state. For the command line and tests.
    RunState waitForFinished();

    /// For the window: writes that do not belong to a run (edit an experience, keep a view) go through the same single
    /// writer.
    [[nodiscard]] Result<Journal *> journal();

Q_SIGNALS:
    void event(const accelopt::RunEvent &event);
    void journalChanged(); ///< rows were written; at most 20 times a second
    void stateChanged(accelopt::RunState state);
    void finished(accelopt::RunState state, const QString &reason);

private:
    class Private;
    std::unique_ptr<Private> d;
};

/// Calls, tokens, dollars, evaluations and time of a run before it starts, with the formula shown.
struct RunEstimate {
    int problems = 0;
    qint64 plannerCalls = 0, executorCalls = 0, summarizerCalls = 0, evaluations = 0;
    std::optional<double> usd; ///< nothing = a price is unknown
    QString formula;
};
[[nodiscard]] RunEstimate estimateRun(const RunSettings &settings, int problems, const PriceTable &prices);

} // namespace accelopt

Q_DECLARE_METATYPE(accelopt::RunEvent)
