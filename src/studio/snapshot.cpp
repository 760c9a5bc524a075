// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/snapshot.h"

#include "domain/format.h"

#include <algorithm>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

const ProblemStatus *Snapshot::problem(const QString &name) const
{
    const auto found = std::ranges::find(status, name, &ProblemStatus::name);
    return found == status.end() ? nullptr : &*found;
}

namespace {

/// Geometric means over the problems, iteration by iteration; a problem that has not got that far counts with its last
/// value.
QList<double> geomeans(const QList<ProblemStatus> &status)
{
    qsizetype longest = 0;
    for (const ProblemStatus &problem : status)
        longest = std::max(longest, problem.bestFractionByIteration.size());
    QList<double> means;
    for (qsizetype i = 0; i < longest; ++i) {
        QList<double> values;
        for (const ProblemStatus &problem : status) {
            if (!problem.bestFractionByIteration.isEmpty())
                values.append(
                    problem.bestFractionByIteration.at(std::min(i, problem.bestFractionByIteration.size() - 1)));
        }
        means.append(geometricMean(values));
    }
    return means;
}

void summarise(Snapshot &s)
{
    QList<double> before, best;
    int slowest = -1;
    for (const ProblemStatus &problem : std::as_const(s.status)) {
        if (problem.baselineFraction > 0 && problem.bestFraction > 0) {
            before.append(problem.baselineFraction);
            best.append(problem.bestFraction);
        }
        s.estimate = s.estimate || problem.estimate;
        s.betterProblems += format::compare(problem.speedup()) == format::Verdict::Better ? 1 : 0;
        slowest = slowest < 0 ? problem.iteration : std::min(slowest, problem.iteration);
    }
    s.baselineGeomean = geometricMean(before);
    s.bestGeomean = geometricMean(best);
    s.geomeanByIteration = geomeans(s.status);
    if (s.run) {
        const RunSettings &settings = s.run->settings;
        const qint64 problems = std::max<qint64>(1, s.status.size());
        s.plannedAttempts = problems * settings.volumePerProblem().executorCalls;
        s.iteration = std::clamp(slowest + 1, 1, std::max(1, settings.iterations));
        // Attempts that a failed plan never made would leave the bar short of the end: a finished run is at 100 %.
        const double byIterations = settings.iterations > 0 ? double(std::max(0, slowest)) / settings.iterations : 0;
        const double byAttempts = s.plannedAttempts > 0 ? double(s.counts.total) / double(s.plannedAttempts) : 0;
        s.progress = s.run->state == RunState::Finished ? 1 : std::clamp(std::max(byIterations, byAttempts), 0.0, 1.0);
        s.memoryPlaces = settings.memoryCapacity * (settings.memoryScope == MemoryScope::Problem ? problems : 1);
    }
}

} // namespace

Result<SnapshotPtr> readSnapshot(const JournalReader &reader, qint64 run)
{
    auto snapshot = std::make_shared<Snapshot>();
    Snapshot &s = *snapshot;
    // One line a query: the first failure is the answer.
    const auto take = [](auto &into, auto &&result) -> std::optional<Error> {
        if (!result)
            return result.error();
        into = std::move(*result);
        return std::nullopt;
    };
    if (auto error = take(s.runs, reader.runs()))
        return std::unexpected(*error);
    if (run == 0 && !s.runs.isEmpty())
        run = s.runs.last().id;
    const auto shown = std::ranges::find(s.runs, run, &RunRecord::id);
    if (shown == s.runs.end()) {
        if (auto error = take(s.problems, reader.problems()))
            return std::unexpected(*error);
    } else {
        s.run = *shown;
        const QDateTime hourAgo = QDateTime::currentDateTimeUtc().addSecs(-3600);
        QList<Experience> experiences;
        for (auto error : {take(s.problems, reader.problemsOfRun(run)), take(s.status, reader.problemStatus(run)),
                 take(s.counts, reader.attemptCounts(run)), take(s.ledger, reader.ledger(run)),
                 take(s.ledgerByRole, reader.ledgerBy(run, u"role"_s)),
                 take(s.ledgerByModel, reader.ledgerBy(run, u"model"_s)),
                 take(s.deviceSeconds, reader.deviceSeconds(run)), take(s.beams, reader.beams(run)),
                 take(s.log, reader.log(run)), take(s.activity, reader.activity(run, hourAgo)),
                 take(experiences, reader.experiences(run))}) {
            if (error)
                return std::unexpected(*error);
        }
        for (const ProblemStatus &problem : std::as_const(s.status)) {
            if (auto error = take(s.countsByProblem[problem.name], reader.attemptCounts(run, problem.name)))
                return std::unexpected(*error);
        }
        for (const Experience &experience : std::as_const(experiences)) {
            if (experience.state != Experience::State::Deleted)
                ++(experience.positive ? s.positiveExperiences : s.negativeExperiences);
        }
    }
    summarise(s);
    s.readAt = QDateTime::currentDateTimeUtc();
    return SnapshotPtr(std::move(snapshot));
}

} // namespace accelopt
