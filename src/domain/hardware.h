// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QJsonObject>
#include <QMap>
#include <QString>
#include <QStringList>

namespace accelopt {

/// The peaks of one NeuronCore of a target, by which the fraction of peak is defined. Frozen into a run.
struct HardwarePeaks {
    QString target; ///< "trn1", "trn2"
    double bandwidth = 0; ///< bytes per second
    QMap<QString, double> matmulFlops; ///< dtype -> FLOP/s
    QMap<QString, double> vectorFlops; ///< dtype -> FLOP/s (VectorE and ScalarE together)
    QString source; ///< where the figures come from

    bool operator==(const HardwarePeaks &) const = default;
    /// Falls back to float32 where a dtype has no entry of its own.
    [[nodiscard]] double matmulPeak(const QString &dtype) const;
    [[nodiscard]] double vectorPeak(const QString &dtype) const;
    [[nodiscard]] QJsonObject toJson() const;
    [[nodiscard]] static Result<HardwarePeaks> fromJson(const QJsonObject &json);
};

/// Reads resources/hardware/<target>.json (or the user's edited copy in `folder`, where given).
[[nodiscard]] Result<HardwarePeaks> loadHardwarePeaks(const QString &target, const QString &folder = {});
/// The targets that have a data file: "trn1", "trn2".
[[nodiscard]] QStringList knownTargets();

} // namespace accelopt
