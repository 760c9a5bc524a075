// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/history.h"

#include <algorithm>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

namespace {
constexpr int mostTitles = 40; // a prompt stays readable
constexpr int mostFailures = 12;
} // namespace

QString programOf(const Attempt &attempt)
{
    if (!attempt.programHash.isEmpty())
        return attempt.programHash;
    return attempt.sha256.isEmpty() ? QString() : u"sha256:"_s + attempt.sha256;
}

void History::begin(const Attempt &baseline)
{
    m_environment = baseline.evaluation.environment;
    m_baselineMs = baseline.evaluation.latency.medianMs;
    add(baseline);
    m_bestByIteration = {m_baselineMs};
}

bool History::isEligible(const Attempt &attempt) const
{
    const Evaluation &e = attempt.evaluation;
    return attempt.state == Attempt::State::Done && e.isCorrect() && !e.quarantined && e.latency.medianMs > 0
        && isComparable(e);
}

Standing History::standing(const Attempt &attempt) const
{
    Standing standing;
    standing.attempt = attempt.id;
    standing.key = attempt.key;
    standing.program = programOf(attempt);
    standing.eligible = isEligible(attempt);
    standing.estimatedOnly =
        attempt.state == Attempt::State::Done && attempt.evaluation.status == Evaluation::Status::Skipped;
    if (standing.eligible || standing.estimatedOnly)
        standing.latencyMs = attempt.evaluation.latency.medianMs;
    return standing;
}

void History::add(const Attempt &attempt)
{
    const Standing s = standing(attempt);
    m_known.insert(attempt.id,
        {attempt.id, attempt.key, s.program, attempt.sha256, attempt.commit, s.eligible, s.estimatedOnly, s.latencyMs});
    // The first stays the owner, unless its numbers were never computed.
    const auto owned = m_owners.constFind(s.program);
    if (!s.program.isEmpty() && attempt.duplicateOf == 0 && (owned == m_owners.cend() || owned->skipped))
        m_owners.insert(s.program, {attempt.id, attempt.key, s.estimatedOnly, attempt.evaluation.latency.medianMs});
    if (s.eligible && attempt.duplicateOf == 0 && (!m_best || s.latencyMs < m_best->latencyMs))
        m_best = Placed{attempt.id, attempt.key, s.program, s.latencyMs};
    // A shared failure is told once, by its owner.
    const EvaluationError &error = attempt.evaluation.error;
    if (attempt.state == Attempt::State::Done && error && attempt.duplicateOf == 0 && attempt.parent != 0) {
        QStringList &failures = m_failures[attempt.parent];
        const QString text = errorKindName(error.kind) + u": "_s + error.message.simplified();
        failures.removeAll(text);
        failures.append(text);
        if (failures.size() > mostFailures)
            failures.removeFirst();
    }
}

void History::absorb(const QList<Attempt> &attempts, const QList<Plan> &plans, const QList<Placed> &candidates)
{
    QList<Attempt> sorted = attempts;
    std::ranges::sort(sorted, {}, [](const Attempt &a) { return std::pair(a.key.round, a.key); });
    for (const Attempt &attempt : std::as_const(sorted))
        add(attempt);
    QList<Plan> inOrder = plans;
    std::ranges::sort(inOrder, {}, [](const Plan &p) { return std::pair(p.candidate, p.plan); });
    for (const Plan &plan : std::as_const(inOrder)) {
        if (plan.candidate < 1 || plan.candidate > candidates.size() || plan.title.isEmpty())
            continue;
        QStringList &titles = m_tried[candidates[plan.candidate - 1].attempt];
        titles.removeAll(plan.title);
        titles.append(plan.title);
        if (titles.size() > mostTitles)
            titles.removeFirst();
    }
    m_bestByIteration << (m_best ? m_best->latencyMs : m_baselineMs);
}

const History::Known *History::find(qint64 attempt) const
{
    const auto it = m_known.constFind(attempt);
    return it == m_known.cend() ? nullptr : &*it;
}

Placed History::placed(qint64 attempt) const
{
    const Known known = m_known.value(attempt);
    return {known.id, known.key, known.program, known.latencyMs};
}

std::optional<History::Owner> History::owner(const QString &program) const
{
    const auto it = m_owners.constFind(program);
    return it == m_owners.cend() ? std::nullopt : std::optional(*it);
}

} // namespace accelopt
