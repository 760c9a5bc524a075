// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/programs.h"

#include <algorithm>

namespace accelopt {

IterationPrograms::Place IterationPrograms::enter(const QString &program, const Attempt &attempt)
{
    Program &p = m_programs[program];
    const Seniority seniority(attempt.key);
    std::shared_ptr<Measurement> shared;
    for (const auto &m : p.measurements) {
        const bool usable = m->seniority < seniority || m->sha256 == attempt.sha256;
        if (usable && (!shared || m->seniority < shared->seniority))
            shared = m;
    }
    const bool isMine = !shared;
    if (isMine) {
        shared = std::make_shared<Measurement>(m_resumer, attempt);
        p.measurements.push_back(shared);
    }
    p.members.push_back({seniority, attempt.id, attempt.sha256, shared});
    return {shared, isMine};
}

void IterationPrograms::restore(const QString &program, const Attempt &attempt)
{
    Program &p = m_programs[program];
    const auto known = std::ranges::find(p.measurements, attempt.duplicateOf, &Measurement::attempt);
    std::shared_ptr<Measurement> measurement;
    if (attempt.duplicateOf != 0 && known != p.measurements.end()) {
        measurement = *known;
    } else {
        measurement = std::make_shared<Measurement>(m_resumer, attempt);
        measurement->evaluation = attempt.evaluation;
        measurement->done.set();
        p.measurements.push_back(measurement);
    }
    p.members.push_back({Seniority(attempt.key), attempt.id, attempt.sha256, measurement});
}

bool IterationPrograms::isMostSenior(const QString &program, const AttemptKey &key) const
{
    const Seniority seniority(key);
    return std::ranges::none_of(
        m_programs.value(program).members, [&](const Member &m) { return m.seniority < seniority; });
}

QList<IterationPrograms::Change> IterationPrograms::settle(const QHash<qint64, qint64> &recorded) const
{
    QList<Change> changes;
    for (const Program &p : m_programs) {
        if (p.members.empty())
            continue;
        const auto owner = std::ranges::min_element(p.members, {}, &Member::seniority);
        if (!owner->measurement->evaluation)
            continue;
        const Evaluation &evaluation = *owner->measurement->evaluation;
        if (recorded.value(owner->attempt) != 0)
            changes.prepend({owner->attempt, 0, evaluation});
        for (const Member &m : p.members) {
            const bool isRight = recorded.value(m.attempt) == owner->attempt && m.measurement == owner->measurement;
            if (m.attempt != owner->attempt && !isRight)
                changes.append({m.attempt, owner->attempt, evaluation});
        }
    }
    return changes;
}

} // namespace accelopt
