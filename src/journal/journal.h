// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/records.h"

#include <QFuture>
#include <QObject>
#include <functional>
#include <memory>

namespace accelopt {

/// What a journal write found: a key that is already there is not an error, it is what makes a run exact.
enum class Claim {
    Fresh, ///< the row is new: do the work
    Finished, ///< the work was finished before: use what is stored
    Again ///< it was begun and cut off: do it again
};

/// The single writer of a project's store, `PROJECT/accelopt.db` (SQLite, WAL, foreign keys, `PRAGMA user_version`
/// migrations). All writes run in order on one thread of its own, several to a transaction where they come fast; a
/// future is ready once its row is on disk. Callable from any thread. Opening takes an exclusive lock file beside the
/// database (`accelopt.lock`): a second writer gets Conflict, with the other's pid. A database of a newer version gets
/// NewerVersion and is not touched. A full disk makes writes fail with NoSpace and changes nothing.
class Journal {
public:
    [[nodiscard]] static Result<std::unique_ptr<Journal>> create(const QString &databasePath);
    [[nodiscard]] static Result<std::unique_ptr<Journal>> open(const QString &databasePath);
    ~Journal();

    // Problems
    QFuture<Result<void>> putProblem(const Problem &problem); ///< by name; frozen copies of old versions stay
    QFuture<Result<void>> removeProblem(const QString &name); ///< Conflict while a run uses it

    // Runs
    QFuture<Result<qint64>> createRun(
        const RunSettings &settings, const FrozenFacts &facts, const QList<Problem> &problems);
    QFuture<Result<void>> setRunState(qint64 run, RunState state, const QString &reason = {});
    /// On opening a run that was cut off: started calls become interrupted, started evaluations interrupted, the run
    /// Interrupted.
    QFuture<Result<void>> markInterrupted(qint64 run);

    // LLM calls. `beginCall` answers Fresh (a new row, `id` set), Finished (the stored record) or Again (a new try,
    // `id` set).
    struct CallClaim {
        Claim claim = Claim::Fresh;
        CallRecord record;
    };
    QFuture<Result<CallClaim>> beginCall(
        qint64 run, const CallKey &key, const ModelChoice &model, const QByteArray &request, double maximumUsd);
    QFuture<Result<void>> finishCall(const CallRecord &record); ///< by id; state Finished or Failed
    QFuture<Result<void>> recordExperienceUses(
        qint64 run, const QString &problem, int iteration, int candidate, const QList<qint64> &experiences);

    // Plans and attempts. Both are upserts on their natural key: the id of the row that holds it.
    QFuture<Result<qint64>> putPlan(qint64 run, const QString &problem, const Plan &plan);
    QFuture<Result<qint64>> putAttempt(const Attempt &attempt); ///< run, problem, key, … ; commit may be empty at first
    QFuture<Result<void>> setCommit(qint64 attempt, const QString &commit);

    // Evaluations: one "search" evaluation per attempt, any number of others by purpose ("verify", "manual-1").
    struct EvaluationClaim {
        Claim claim = Claim::Fresh;
        Evaluation evaluation; ///< where Finished
    };
    QFuture<Result<EvaluationClaim>> beginEvaluation(qint64 attempt, const QString &purpose, const QString &host);
    /// Also sets the attempt Done. `duplicateOf` != 0: the result is that attempt's.
    QFuture<Result<void>> finishEvaluation(
        qint64 attempt, const QString &purpose, const Evaluation &evaluation, qint64 duplicateOf = 0);
    /// For the end of an iteration, when all attempts with the same program are known: says whose result `attempt` has
    /// (0: its own), whatever its finished "search" evaluation said before. The device time it really took stays.
    QFuture<Result<void>> settleEvaluation(qint64 attempt, const Evaluation &evaluation, qint64 duplicateOf);

    // Selection: atomically stores the experiences of the iteration and the beam of the next one, and marks the
    // iteration finished.
    QFuture<Result<void>> beginIteration(qint64 run, const QString &problem, int iteration);
    QFuture<Result<void>> finishIteration(
        qint64 run, const QString &problem, int iteration, const QList<BeamPlace> &next);
    /// Experiences are upserts on (run, problem, iteration, rank); returns their ids in order.
    QFuture<Result<QList<qint64>>> putExperiences(const QList<Experience> &experiences);
    /// The memory after an iteration: ids in the order the planner sees them.
    QFuture<Result<void>> putMemory(
        qint64 run, const QString &problem, int iteration, const QList<qint64> &experiences);
    QFuture<Result<void>> editExperience(qint64 id, Experience::State state, const QString &editedSummary);

    // Log and small things the window keeps per project (sort order, notes, …).
    QFuture<Result<void>> log(const LogEvent &event);
    QFuture<Result<void>> putValue(const QString &key, const QJsonObject &value);

    /// Writes everything that waits, then checkpoints. Blocks; for the end of a program.
    void flush();
    /// A signal source: `changed` is emitted from the writer thread after each commit to disk, at most 20 times a
    /// second.
    [[nodiscard]] QObject *notifier() const;

private:
    Journal();
    class Private;
    std::unique_ptr<Private> d;
};

/// Emits after each commit of the writer. Connect with a queued connection.
class JournalNotifier : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
Q_SIGNALS:
    void changed();
};

} // namespace accelopt
