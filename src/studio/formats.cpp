// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/formats.h"

#include "domain/evaluation.h"
#include "domain/format.h"

#include <cmath>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

QString Formats::latency(double ms, bool estimate)
{
    if (!(ms > 0))
        return format::missing();
    return estimate ? format::estimatedLatency(ms) : format::latency(ms);
}
QString Formats::latencyMs(double ms)
{
    return ms > 0 ? format::latencyMs(ms) : format::missing();
}
QString Formats::fraction(double fraction, bool estimate)
{
    if (!(fraction > 0))
        return format::missing();
    return estimate ? format::estimatedFraction(fraction) : format::fraction(fraction);
}
QString Formats::points(double difference)
{
    return format::points(difference);
}
QString Formats::speedup(double factor)
{
    return factor > 0 ? format::speedup(factor) : format::missing();
}
QString Formats::money(double usd, bool known)
{
    return format::money(known ? std::optional(usd) : std::nullopt);
}
QString Formats::count(double number)
{
    return format::count(qint64(number));
}
QString Formats::tokens(double number)
{
    return format::tokens(qint64(number));
}
QString Formats::duration(double seconds)
{
    return format::duration(seconds);
}
QString Formats::percent(double fraction)
{
    return u"%1\u00a0%"_s.arg(std::floor(fraction * 100 + 1e-9));
}
QString Formats::decimal(double number, int decimals)
{
    return QString::number(number, 'f', decimals);
}
QString Formats::missing()
{
    return format::missing();
}

QString Formats::verdict(double factor)
{
    switch (format::compare(factor)) {
    case format::Verdict::Better:
        return u"better"_s;
    case format::Verdict::Worse:
        return u"worse"_s;
    case format::Verdict::Same:
        break;
    }
    return u"same"_s;
}

namespace {

struct StateLook {
    QLatin1StringView state, icon, meaning;
};

constexpr StateLook s_looks[] = {
    {"running"_L1, "playfill"_L1, "working"_L1},
    {"evaluating"_L1, "playfill"_L1, "working"_L1},
    {"pending"_L1, "clock"_L1, "neutral"_L1},
    {"waiting"_L1, "clock"_L1, "neutral"_L1},
    {"ready"_L1, "clock"_L1, "neutral"_L1},
    {"plateau"_L1, "plateau"_L1, "neutral"_L1},
    {"finished"_L1, "check"_L1, "better"_L1},
    {"correct"_L1, "check"_L1, "better"_L1},
    {"same"_L1, "copy"_L1, "neutral"_L1},
    {"estimated"_L1, "estimate"_L1, "estimate"_L1},
    {"skipped"_L1, "estimate"_L1, "estimate"_L1},
    {"quarantined"_L1, "shield"_L1, "quarantined"_L1},
    {"paused"_L1, "pause"_L1, "estimate"_L1},
    {"draining"_L1, "drain"_L1, "working"_L1},
    {"stopped"_L1, "stop"_L1, "neutral"_L1},
    {"interrupted"_L1, "alert"_L1, "worse"_L1},
    {"budget-reached"_L1, "dollar"_L1, "worse"_L1},
    {"noisy"_L1, "noisy"_L1, "estimate"_L1},
    {"baseline"_L1, "reference"_L1, "neutral"_L1},
};

const StateLook *look(const QString &state)
{
    const auto found = std::ranges::find(s_looks, state, &StateLook::state);
    return found == std::end(s_looks) ? nullptr : &*found;
}

} // namespace

QString Formats::stateIcon(const QString &state)
{
    const StateLook *found = look(state);
    return found ? QString(found->icon) : u"x"_s; // all else is an error kind or "failed"
}

QString Formats::stateMeaning(const QString &state)
{
    const StateLook *found = look(state);
    return found ? QString(found->meaning) : u"failed"_s;
}

QString Formats::stateText(const QString &state)
{
    if (state == "budget-reached"_L1)
        return tr("budget reached");
    if (state == "finished"_L1)
        return tr("done");
    return state;
}

} // namespace accelopt
