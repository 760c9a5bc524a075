// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/stream.h"

#include <array>
#include <vector>

namespace accelopt::neuroncore {

struct TimelineOptions {
    bool unlimitedBuffers = false; ///< no tile waits for another to be freed
    bool unlimitedDepth = false; ///< loads may run ahead as far as SBUF allows
    int window = 0; ///< 0: the policy's
    bool keepTimes = false; ///< start and end of every unit, for a trace
};

struct Timeline {
    double seconds = 0; ///< from start to the last completion, start-up included
    double execution = 0; ///< without start-up
    std::array<double, engineCount> busy{}; ///< seconds per engine; DMA: union of its activity
    double dmaService = 0; ///< seconds of DMA engines' time together
    double scalarIdleExtra = 0;
    std::array<int64_t, engineCount> units{};
    std::vector<double> lineBusy; ///< per Instruction id, seconds on its engine (DMA: service over all engines)
    std::vector<float> start, end; ///< with keepTimes, seconds
    bool overCapacity = false; ///< a pool ran out; the stream was not placed in memory
};

/// List-schedules the stream: engines with a window of overtaking, FIFO pools of SBUF and PSUM, DMA as a fluid in short
/// bins.
[[nodiscard]] Timeline schedule(
    const Stream &stream, const Program &program, const Hardware &hardware, const TimelineOptions &options);

} // namespace accelopt::neuroncore
