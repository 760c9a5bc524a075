// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/hardware.h"
#include "domain/result.h"

#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>

namespace accelopt {

/// The least work a problem needs, for the roofline: every input and output once, matmul and vector floating-point
/// operations.
struct Work {
    double bytes = 0;
    double matmulFlops = 0; ///< 2 per multiply-accumulate
    double vectorFlops = 0;

    bool operator==(const Work &) const = default;
};

enum class Bound { Memory, Matmul, Vector };
[[nodiscard]] QString boundName(Bound bound); ///< "memory", "matmul", "vector"

/// T_peak = max(bytes / bandwidth, matmul flops / matmul peak, vector flops / vector peak); AccelOpt paper,
/// section 3.3.
struct Roofline {
    double peakMs = 0; ///< T_peak in milliseconds
    Bound bound = Bound::Memory;

    bool operator==(const Roofline &) const = default;
    /// T_peak / latency; above 1 is allowed and means "quarantine". 0 for a latency that is not positive.
    [[nodiscard]] double fractionOfPeak(double latencyMs) const;
};
[[nodiscard]] Roofline roofline(const Work &work, const HardwarePeaks &peaks, const QString &dtype);

/// A reference (NumPy) plus a baseline kernel, with what is needed to judge a kernel. `problem.json` is its file.
struct Problem {
    QString name; ///< [a-z0-9_]+, unique in a project
    QString title;
    QString operatorText; ///< the definition in one line
    QString dtype = QStringLiteral("float32");
    QMap<QString, double> values; ///< dimensions: M, N, …
    double tolerance = 2e-5; ///< L2 relative
    QString entry = QStringLiteral("kernel"); ///< the kernel's function
    Work work;
    QByteArray referenceSource; ///< reference.py
    QByteArray kernelSource; ///< the baseline, kernel.py
    QJsonObject json; ///< problem.json as it was read, kept whole

    bool operator==(const Problem &) const = default;
};

/// Geometric mean of positive numbers; 0 when there is none.
[[nodiscard]] double geometricMean(const QList<double> &numbers);

} // namespace accelopt
