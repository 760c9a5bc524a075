// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/counters.h"
#include "neuroncore/timeline.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <optional>

namespace accelopt::neuroncore {

struct EstimateOptions {
    bool band = true; ///< also the policy variants that give the error band
    bool trace = false; ///< keep every unit's times
    std::optional<Stream> unrolled; ///< from checkProgram, so that it is not done twice
};

struct LineCost {
    int line = 0;
    Engine engine = Engine::Vector;
    double busySeconds = 0;
    double bytes = 0; ///< of HBM
    int64_t count = 0; ///< units
};

struct Estimate {
    Timeline timeline;
    Counters counters;
    Stream stream; ///< for the trace; empty otherwise
    double rawSeconds = 0, quantizedSeconds = 0, maxEngineSeconds = 0, unlimitedSeconds = 0, bandLow = 0, bandHigh = 0;
    QString confidence; ///< A, B or C
    QStringList reasons; ///< why not A
    std::vector<LineCost> lines;
    int64_t executed = 0, removed = 0, units = 0, peakBytes = 0, spillSaves = 0, spillReloads = 0, sunk = 0;
    int peakBanks = 0;
    double literalReadBytes = 0;
    const Program *program = nullptr;
};

[[nodiscard]] Checked<Estimate> estimateProgram(
    const Program &program, const Hardware &hardware, EstimateOptions options);
/// The timeline in Chrome's trace event format, which Perfetto reads too.
[[nodiscard]] QByteArray traceJson(const Estimate &estimate);

} // namespace accelopt::neuroncore
