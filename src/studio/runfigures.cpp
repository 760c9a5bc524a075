// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/runfigures.h"

#include "domain/format.h"
#include "studio/session.h"

#include <cmath>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Below this part of the work a forecast is a guess.
constexpr double s_leastProgress = 0.03;

QString clockMinutes(const QDateTime &utc)
{
    return utc.toLocalTime().toString(u"HH:mm"_s);
}

} // namespace

RunFigures::RunFigures(QObject *parent)
    : QObject(parent)
{
    Session *session = Session::instance();
    connect(session, &Session::snapshotChanged, this, &RunFigures::take);
    connect(session, &Session::runStateChanged, this, &RunFigures::take);
    take();
}

void RunFigures::take()
{
    const Session *session = Session::instance();
    const SnapshotPtr snapshot = session->snapshot();
    static const Snapshot none;
    const Snapshot &s = snapshot ? *snapshot : none;

    m_problems = int(s.problems.size());
    m_betterProblems = s.betterProblems;
    m_iteration = s.iteration;
    m_progress = s.progress;
    m_geomeans = s.geomeanByIteration;
    m_iterationProgress = s.run ? std::clamp(s.progress * s.run->settings.iterations - (s.iteration - 1), 0.0, 1.0) : 0;
    m_baseline = s.baselineGeomean;
    m_best = s.bestGeomean;
    m_speedup = 0;
    QList<double> factors;
    for (const ProblemStatus &problem : s.status) {
        if (problem.bestMs > 0 && problem.baselineMs > 0)
            factors.append(problem.speedup());
    }
    if (!factors.isEmpty())
        m_speedup = geometricMean(factors);
    m_estimate = s.estimate;
    m_cost = s.ledger.costUsd;
    m_costKnown = s.ledger.unpricedCalls == 0;
    m_inFlight = s.ledger.inFlightUsd;
    m_calls = double(s.ledger.calls);
    m_tokens = double(s.ledger.inputTokens + s.ledger.outputTokens);
    m_deviceSeconds = s.deviceSeconds;
    m_attempts = double(s.counts.total);
    m_planned = double(s.plannedAttempts);
    m_correct = double(s.counts.correct);
    m_same = double(s.counts.same);
    m_failed = double(s.counts.failed);
    m_skipped = double(s.counts.skipped);
    m_quarantined = double(s.counts.quarantined);
    m_pending = double(s.counts.pending);
    m_positive = double(s.positiveExperiences);
    m_negative = double(s.negativeExperiences);
    m_memoryPlaces = double(s.memoryPlaces);
    m_savedText = snapshot ? tr("All changes saved %1").arg(format::clock(s.readAt)) : tr("Ready");
    m_runName = m_settingsText = m_timeText = m_stopReason = m_modelsText = m_hostsText = QString();
    m_target = session->project() ? session->project()->defaultTarget() : QString();
    m_iterations = 0;
    m_budget = m_forecast = m_activeSeconds = m_secondsLeft = m_attemptsPerMinute = 0;

    if (s.run) {
        const RunRecord &run = *s.run;
        const RunSettings &settings = run.settings;
        m_runName = tr("Run %1").arg(run.id);
        m_target = settings.target;
        m_iterations = settings.iterations;
        m_budget = settings.budget.usd;
        m_stopReason = run.stopReason;
        m_settingsText = tr("%1 policy, T\u00a0%2  B\u00a0%3  N\u00a0%4  K\u00a0%5")
                             .arg(policyName(settings.selection))
                             .arg(settings.iterations)
                             .arg(settings.beam)
                             .arg(settings.plans)
                             .arg(settings.attempts);
        QStringList models;
        for (const Role role : allRoles) {
            const QString name = settings.model(role).name();
            if (!models.contains(name))
                models.append(name);
        }
        m_modelsText = tr("Models: %1").arg(models.join(u", "_s));
        m_hostsText = tr("Hosts: %1").arg(settings.hosts.join(u", "_s));
        // While it works, the journal's sum ends at the last change of state.
        const bool working = run.state == RunState::Running || run.state == RunState::Draining;
        m_activeSeconds = run.activeSeconds;
        if (working && run.startedAt.isValid())
            m_activeSeconds = std::max(m_activeSeconds, double(run.startedAt.secsTo(QDateTime::currentDateTimeUtc())));
        if (m_progress > s_leastProgress) {
            if (working)
                m_secondsLeft = m_activeSeconds * (1 - m_progress) / m_progress;
            if (run.state != RunState::Finished)
                m_forecast = m_cost / m_progress;
        }
        if (m_activeSeconds > 0)
            m_attemptsPerMinute = m_attempts / m_activeSeconds * 60;
        if (run.startedAt.isValid()) {
            m_timeText = working ? tr("started %1, running %2")
                                       .arg(clockMinutes(run.startedAt), format::duration(std::floor(m_activeSeconds)))
                                 : tr("started %1, worked %2")
                                       .arg(clockMinutes(run.startedAt), format::duration(std::floor(m_activeSeconds)));
        }
    }

    m_roleNames.clear();
    m_roleCalls.clear();
    m_roleCosts.clear();
    m_roleShares.clear();
    double most = 0, mostCalls = 0;
    for (const LedgerTotals &totals : s.ledgerByRole) {
        most = std::max(most, totals.costUsd);
        mostCalls = std::max(mostCalls, double(totals.calls));
    }
    for (const Role role : {Role::Executor, Role::Planner, Role::Fixer, Role::Summarizer}) {
        const LedgerTotals totals = s.ledgerByRole.value(roleName(role));
        m_roleNames.append(roleName(role));
        m_roleCalls.append(format::count(totals.calls));
        m_roleCosts.append(format::money(totals.unpricedCalls > 0 ? std::nullopt : std::optional(totals.costUsd)));
        m_roleShares.append(most > 0 ? totals.costUsd / most : mostCalls > 0 ? double(totals.calls) / mostCalls : 0);
    }
    QStringList names;
    for (const Problem &problem : s.problems)
        names.append(problem.name);
    names.sort();
    Q_EMIT changed();
    if (names != m_problemNames) {
        m_problemNames = names;
        Q_EMIT problemNamesChanged();
    }
}

} // namespace accelopt
