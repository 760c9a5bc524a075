// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>
#include <optional>

/// Numbers as people read them, the same in the window, the terminal and the report. A no-break space stands between
/// number and unit, minus is U+2212, a missing number is an en dash.
namespace accelopt::format {

[[nodiscard]] QString latency(double ms); ///< "2.278 ms", "55.6 µs" below 0.1 ms, "1.204 s" above 1 s
[[nodiscard]] QString latencyMs(double ms); ///< three decimals without unit, for columns with the unit in the head
[[nodiscard]] QString estimatedLatency(double ms); ///< "≈ 2.28 ms": one figure less
[[nodiscard]] QString fraction(double fraction); ///< "58.7 %"
[[nodiscard]] QString estimatedFraction(double fraction); ///< "≈ 59 %"
[[nodiscard]] QString points(double difference); ///< "+9.5 points"
[[nodiscard]] QString speedup(double factor); ///< "1.268×", four figures at most
[[nodiscard]] QString money(std::optional<double> usd); ///< "$143.52", "$0.0025", "?" for an unknown price
[[nodiscard]] QString count(qint64 number); ///< "19,607"
[[nodiscard]] QString tokens(qint64 number); ///< "149.3 M"
[[nodiscard]] QString bytes(double bytes); ///< decimal: "55.1 MB", "0 B"
[[nodiscard]] QString bytesBinary(double bytes); ///< "192 KiB"
[[nodiscard]] QString duration(double seconds); ///< "3 h 24 min", "41 s", "7.94 s"
[[nodiscard]] QString clock(const QDateTime &utc); ///< local time "14:32:07"
[[nodiscard]] QString date(const QDateTime &utc); ///< "30 Nov 2026"
[[nodiscard]] QString scientific(double number); ///< "1.1e-6"
[[nodiscard]] QString missing(); ///< "–"

/// Better, worse or inside the noise (below 0.5 % of difference).
enum class Verdict { Better, Same, Worse };
[[nodiscard]] Verdict compare(double factor); ///< factor = old latency / new latency

} // namespace accelopt::format
