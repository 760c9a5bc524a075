// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"
#include "domain/experience.h"
#include "domain/ledger.h"
#include "domain/plan.h"
#include "domain/problem.h"
#include "domain/runsettings.h"

#include <QDateTime>
#include <QJsonObject>
#include <QList>

namespace accelopt {

enum class RunState { Ready, Running, Paused, Draining, Stopped, BudgetReached, Interrupted, Finished, Failed };
[[nodiscard]] QString runStateName(RunState state);

/// What is frozen when a run starts: from then on nothing outside the journal changes what the run means.
struct FrozenFacts {
    HardwarePeaks peaks;
    PriceTable prices;
    QJsonObject hosts; ///< host name -> facts

    [[nodiscard]] QJsonObject toJson() const;
    [[nodiscard]] static Result<FrozenFacts> fromJson(const QJsonObject &json);
};

struct RunRecord {
    qint64 id = 0; ///< also its number for people: "Run 7"
    QString name;
    RunState state = RunState::Ready;
    RunSettings settings;
    FrozenFacts facts;
    QString stopReason; ///< one sentence, empty while all is well
    QDateTime createdAt, startedAt, finishedAt; ///< UTC; invalid where it has not happened
    double activeSeconds = 0; ///< time worked, over all resumes
};

/// The natural key of an LLM call below a run. Plan, attempt and round are 0 where the role has none.
/// Planner: (iteration, candidate, plan). Executor: + attempt. Fixer: + round. Summarizer: (iteration, 0, rank + 1).
struct CallKey {
    QString problem;
    int iteration = 0, candidate = 0, plan = 0, attempt = 0, round = 0;
    Role role = Role::Planner;

    auto operator<=>(const CallKey &) const = default;
};

struct CallRecord {
    enum class State { Started, Finished, Failed, Interrupted };

    qint64 id = 0;
    qint64 run = 0;
    CallKey key;
    int tryNumber = 1; ///< an interrupted or failed call is made again under the next number
    State state = State::Started;
    ModelChoice model;
    QString modelReported; ///< what the provider says it used
    QString finishReason; ///< stop, length, error, …
    Usage usage;
    std::optional<double> costUsd; ///< nothing = price unknown
    double maximumUsd = 0; ///< what it may cost at most; counts while started or interrupted
    QString error;
    QByteArray request; ///< the exchange as JSON; stored compressed. Empty in listings
    QByteArray reply; ///< completion text
    QString reasoning;
    QDateTime startedAt, finishedAt;
};

/// One place of a beam: which attempt is candidate `candidate` of `iteration` (the input of that iteration; iteration
/// T+1 is the result).
struct BeamPlace {
    QString problem;
    int iteration = 0;
    int candidate = 0; ///< from 1
    qint64 attempt = 0;
    QString origin; ///< "child", "parent", "best", "filler", "pinned"

    bool operator==(const BeamPlace &) const = default;
};

/// A line of the run's log.
struct LogEvent {
    qint64 id = 0;
    qint64 run = 0;
    QDateTime at;
    QString kind; ///< best, failed, quarantine, selection, call, host, budget, run, warning
    QString problem;
    qint64 attempt = 0;
    QString text;
};

/// What a problem of a run looks like now; derived from rows.
struct ProblemStatus {
    QString name;
    QString state; ///< waiting, running, plateau, finished, failed
    Bound bound = Bound::Memory;
    double peakMs = 0;
    double baselineMs = 0, bestMs = 0;
    double baselineFraction = 0, bestFraction = 0;
    bool estimate = false;
    qint64 baselineAttempt = 0, bestAttempt = 0;
    int iteration = 0; ///< iterations finished
    QList<double> bestFractionByIteration; ///< index = iteration; [0] is the baseline

    [[nodiscard]] double speedup() const { return bestMs > 0 && baselineMs > 0 ? baselineMs / bestMs : 1; }
};

struct AttemptCounts {
    qint64 total = 0, correct = 0, same = 0, failed = 0, skipped = 0, quarantined = 0, pending = 0;
};

/// The unit of work whose `started`/`finished` rows make a run exact: what a lane shows.
struct ActivityRecord {
    QString lane; ///< model name or host core
    QString kind; ///< planner, executor, fixer, summarizer, evaluation
    qint64 attempt = 0;
    QString problem;
    QDateTime startedAt, finishedAt; ///< finishedAt invalid while it runs
    QString outcome; ///< ok, failed, running, interrupted
};

} // namespace accelopt
