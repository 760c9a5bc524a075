// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/budget.h"

#include "domain/format.h"

#include <algorithm>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr BudgetKind allKinds[] = {BudgetKind::Usd, BudgetKind::Tokens, BudgetKind::Wall, BudgetKind::Device};
constexpr int thresholds[] = {50, 80, 95};

double amount(const Spend &spend, BudgetKind kind)
{
    switch (kind) {
    case BudgetKind::Usd:
        return spend.usd.value_or(0);
    case BudgetKind::Tokens:
        return spend.tokens;
    case BudgetKind::Wall:
        return spend.wallSeconds;
    case BudgetKind::Device:
        return spend.deviceSeconds;
    }
    return 0;
}

QString shown(BudgetKind kind, double value)
{
    switch (kind) {
    case BudgetKind::Usd:
        return format::money(value);
    case BudgetKind::Tokens:
        return u"%1 tokens"_s.arg(format::count(qint64(value)));
    case BudgetKind::Wall:
        return format::duration(value);
    case BudgetKind::Device:
        return u"%1 of device time"_s.arg(format::duration(value));
    }
    return {};
}

} // namespace

QString budgetKindName(BudgetKind kind)
{
    switch (kind) {
    case BudgetKind::Usd:
        return u"usd"_s;
    case BudgetKind::Tokens:
        return u"tokens"_s;
    case BudgetKind::Wall:
        return u"wall"_s;
    case BudgetKind::Device:
        return u"device"_s;
    }
    return {};
}

BudgetGuard::BudgetGuard(const Budget &limits, const Spend &spent)
    : m_limits(limits)
{
    m_spent.usd = spent.usd.value_or(0);
    m_spent.tokens = spent.tokens;
    m_spent.wallSeconds = spent.wallSeconds;
    m_spent.deviceSeconds = spent.deviceSeconds;
    (void)takeWarnings();
}

double BudgetGuard::limit(BudgetKind kind) const
{
    switch (kind) {
    case BudgetKind::Usd:
        return m_limits.usd;
    case BudgetKind::Tokens:
        return m_limits.tokens;
    case BudgetKind::Wall:
        return m_limits.wallSeconds;
    case BudgetKind::Device:
        return m_limits.deviceSeconds;
    }
    return 0;
}

BudgetGuard::Answer BudgetGuard::mayStart(const Spend &most) const
{
    if (m_limits.usd > 0 && !most.usd)
        return {Verdict::Stop, BudgetKind::Usd,
            u"The price of this model is unknown, so a budget in dollars cannot be kept. Enter its price or lift the budget."_s};
    const Spend flying = inFlight();
    Answer answer;
    for (const BudgetKind kind : allKinds) {
        const double most1 = limit(kind);
        if (most1 <= 0)
            continue;
        const double left = most1 - amount(m_spent, kind);
        // Wall time is not summed over calls: they run side by side.
        const bool reached = left <= 0;
        const bool fitsAlone = !reached && (kind == BudgetKind::Wall || amount(most, kind) <= left);
        const bool fitsNow =
            fitsAlone && (kind == BudgetKind::Wall || amount(flying, kind) + amount(most, kind) <= left);
        if (fitsNow)
            continue;
        if (fitsAlone) {
            if (answer.verdict == Verdict::Start)
                answer = {Verdict::Wait, kind,
                    u"The work in flight may use up what is left of the budget of %1."_s.arg(shown(kind, most1))};
            continue;
        }
        return {Verdict::Stop, kind,
            reached ? u"The budget of %1 is used up."_s.arg(shown(kind, most1))
                    : u"What is left of the budget of %1 (%2) is less than the next call may cost (%3)."_s.arg(
                          shown(kind, most1), shown(kind, left), shown(kind, amount(most, kind)))};
    }
    return answer;
}

qint64 BudgetGuard::start(const Spend &most)
{
    m_inFlight.insert(++m_lastTicket, most);
    return m_lastTicket;
}

void BudgetGuard::add(const Spend &cost)
{
    m_spent.usd = *m_spent.usd + cost.usd.value_or(0);
    m_spent.tokens += cost.tokens;
    m_spent.deviceSeconds += cost.deviceSeconds;
}

void BudgetGuard::finish(qint64 ticket, const Spend &actual)
{
    if (m_inFlight.remove(ticket) > 0)
        add(actual);
}

void BudgetGuard::interrupt(qint64 ticket)
{
    if (const auto it = m_inFlight.constFind(ticket); it != m_inFlight.constEnd()) {
        const Spend most = *it;
        m_inFlight.erase(it);
        add(most);
    }
}

void BudgetGuard::setWallSeconds(double seconds)
{
    m_spent.wallSeconds = std::max(m_spent.wallSeconds, seconds);
}

Spend BudgetGuard::inFlight() const
{
    Spend sum;
    for (const Spend &most : m_inFlight) {
        sum.usd = *sum.usd + most.usd.value_or(0);
        sum.tokens += most.tokens;
        sum.deviceSeconds += most.deviceSeconds;
    }
    return sum;
}

int BudgetGuard::passed(BudgetKind kind) const
{
    const double most = limit(kind);
    int highest = 0;
    for (const int threshold : thresholds) {
        if (most > 0 && amount(m_spent, kind) * 100 >= most * threshold)
            highest = threshold;
    }
    return highest;
}

QList<BudgetGuard::Warning> BudgetGuard::takeWarnings()
{
    QList<Warning> warnings;
    for (const BudgetKind kind : allKinds) {
        const int highest = passed(kind);
        if (highest > m_warned.value(kind)) {
            m_warned.insert(kind, highest);
            warnings.append({kind, highest});
        }
    }
    return warnings;
}

std::optional<BudgetKind> BudgetGuard::exhausted() const
{
    for (const BudgetKind kind : allKinds) {
        if (limit(kind) > 0 && amount(m_spent, kind) >= limit(kind))
            return kind;
    }
    return std::nullopt;
}

} // namespace accelopt
