// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/format.h"

#include <QLocale>
#include <array>
#include <cmath>

namespace accelopt::format {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr QChar space(0x00A0);
constexpr QChar minus(0x2212);

QString fixed(double number, int decimals)
{
    const QString text = QString::number(std::abs(number), 'f', decimals);
    // No "−0.0".
    const bool zero = text.toDouble() == 0;
    return number < 0 && !zero ? minus + text : text;
}

QString withUnit(const QString &number, QLatin1StringView unit)
{
    return number + space + unit;
}

/// Thousands are parted by a comma: the English of the interface, whatever the system's locale is.
const QLocale &grouped()
{
    static const QLocale locale(QLocale::English, QLocale::UnitedStates);
    return locale;
}

struct Scaled {
    double number;
    QLatin1StringView unit;
};

template <std::size_t N> Scaled scale(double number, double step, const std::array<QLatin1StringView, N> &units)
{
    std::size_t unit = 0;
    // 999.95 would print as "1000.0": take the next unit then.
    while (std::abs(number) >= step - 0.05 && unit + 1 < N) {
        number /= step;
        ++unit;
    }
    return {number, units[unit]};
}

} // namespace

QString missing()
{
    return QString(QChar(0x2013));
}

QString latency(double ms)
{
    if (!std::isfinite(ms) || ms <= 0)
        return missing();
    if (ms < 0.1)
        return fixed(ms * 1e3, 1) + space + u"\u00B5s"_s;
    if (ms < 1000)
        return withUnit(fixed(ms, 3), "ms"_L1);
    return withUnit(fixed(ms / 1e3, 3), "s"_L1);
}

QString latencyMs(double ms)
{
    return std::isfinite(ms) && ms > 0 ? fixed(ms, 3) : missing();
}

QString estimatedLatency(double ms)
{
    if (!std::isfinite(ms) || ms <= 0)
        return missing();
    const QString text = ms < 0.1 ? fixed(ms * 1e3, 0) + space + u"\u00B5s"_s
        : ms < 1000               ? withUnit(fixed(ms, 2), "ms"_L1)
                                  : withUnit(fixed(ms / 1e3, 2), "s"_L1);
    return u"\u2248"_s + space + text;
}

QString fraction(double value)
{
    return std::isfinite(value) && value > 0 ? withUnit(fixed(value * 100, 1), "%"_L1) : missing();
}

QString estimatedFraction(double value)
{
    return std::isfinite(value) && value > 0 ? u"\u2248"_s + space + withUnit(fixed(value * 100, 0), "%"_L1)
                                             : missing();
}

QString points(double difference)
{
    const QString text = fixed(difference * 100, 1);
    return (text.startsWith(minus) || text.toDouble() == 0 ? text : u'+' + text) + space + u"points"_s;
}

QString speedup(double factor)
{
    if (!std::isfinite(factor) || factor <= 0)
        return missing();
    // Four figures at most: 1.268, 26.30 -> 26.3, 512.
    const int decimals = factor < 10 ? 3 : factor < 100 ? 1 : 0;
    return fixed(factor, decimals) + u'\u00D7';
}

QString money(std::optional<double> usd)
{
    if (!usd || !std::isfinite(*usd))
        return u"?"_s;
    const double amount = std::abs(*usd);
    const QString sign = *usd < 0 ? QString(minus) : QString();
    if (amount > 0 && amount < 0.01)
        return sign + u'$' + fixed(amount, 4);
    return sign + u'$' + grouped().toString(amount, 'f', 2);
}

QString count(qint64 number)
{
    const QString text = grouped().toString(std::abs(number));
    return number < 0 ? minus + text : text;
}

QString tokens(qint64 number)
{
    if (std::abs(number) < 10'000)
        return count(number);
    const auto [scaled, unit] =
        scale(static_cast<double>(number), 1000, std::array{""_L1, "k"_L1, "M"_L1, "G"_L1, "T"_L1});
    return withUnit(fixed(scaled, 1), unit);
}

QString bytes(double number)
{
    if (!std::isfinite(number))
        return missing();
    const auto [scaled, unit] = scale(number, 1000, std::array{"B"_L1, "kB"_L1, "MB"_L1, "GB"_L1, "TB"_L1, "PB"_L1});
    return withUnit(fixed(scaled, unit == "B"_L1 ? 0 : 1), unit);
}

QString bytesBinary(double number)
{
    if (!std::isfinite(number))
        return missing();
    const auto [scaled, unit] = scale(number, 1024, std::array{"B"_L1, "KiB"_L1, "MiB"_L1, "GiB"_L1, "TiB"_L1});
    return withUnit(fixed(scaled, std::abs(scaled - std::round(scaled)) < 0.05 ? 0 : 1), unit);
}

QString duration(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0)
        return missing();
    if (seconds < 0.0995)
        return withUnit(fixed(seconds * 1e3, 0), "ms"_L1);
    if (seconds < 9.995)
        return withUnit(fixed(seconds, 2), "s"_L1);
    const auto whole = static_cast<qint64>(std::llround(seconds));
    if (whole < 60)
        return withUnit(QString::number(whole), "s"_L1);
    if (whole < 3600)
        return whole < 600 && whole % 60 != 0
            ? withUnit(QString::number(whole / 60), "min"_L1) + u' ' + withUnit(QString::number(whole % 60), "s"_L1)
            : withUnit(QString::number((whole + 30) / 60), "min"_L1);
    const qint64 minutes = (whole + 30) / 60;
    return withUnit(QString::number(minutes / 60), "h"_L1)
        + (minutes % 60 != 0 ? u' ' + withUnit(QString::number(minutes % 60), "min"_L1) : QString());
}

QString clock(const QDateTime &utc)
{
    return utc.isValid() ? utc.toLocalTime().toString(u"HH:mm:ss"_s) : missing();
}

QString date(const QDateTime &utc)
{
    return utc.isValid() ? QLocale::c().toString(utc.toLocalTime().date(), u"d MMM yyyy"_s) : missing();
}

QString scientific(double number)
{
    if (!std::isfinite(number) || number < 0)
        return missing();
    if (number == 0)
        return u"0"_s;
    // "1.1e-06" -> "1.1e-6"
    QString text = QString::number(number, 'e', 1);
    const qsizetype e = text.indexOf(u'e');
    return text.left(e) + u'e' + QString::number(text.mid(e + 1).toInt());
}

Verdict compare(double factor)
{
    constexpr double noise = 0.005;
    if (!std::isfinite(factor) || factor <= 0 || std::abs(factor - 1) < noise)
        return Verdict::Same;
    return factor > 1 ? Verdict::Better : Verdict::Worse;
}

} // namespace accelopt::format
