// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/problem.h"

#include <cmath>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

QString boundName(Bound bound)
{
    switch (bound) {
    case Bound::Memory:
        return u"memory"_s;
    case Bound::Matmul:
        return u"matmul"_s;
    case Bound::Vector:
        return u"vector"_s;
    }
    return {};
}

double Roofline::fractionOfPeak(double latencyMs) const
{
    return latencyMs > 0 && std::isfinite(latencyMs) ? peakMs / latencyMs : 0;
}

Roofline roofline(const Work &work, const HardwarePeaks &peaks, const QString &dtype)
{
    constexpr double msPerSecond = 1e3;
    Roofline result{msPerSecond * work.bytes / peaks.bandwidth, Bound::Memory};
    if (const double ms = msPerSecond * work.matmulFlops / peaks.matmulPeak(dtype); ms > result.peakMs)
        result = {ms, Bound::Matmul};
    if (const double ms = msPerSecond * work.vectorFlops / peaks.vectorPeak(dtype); ms > result.peakMs)
        result = {ms, Bound::Vector};
    return result;
}

double geometricMean(const QList<double> &numbers)
{
    double logarithms = 0;
    for (const double number : numbers) {
        if (!(number > 0) || !std::isfinite(number))
            return 0;
        logarithms += std::log(number);
    }
    return numbers.isEmpty() ? 0 : std::exp(logarithms / static_cast<double>(numbers.size()));
}

} // namespace accelopt
