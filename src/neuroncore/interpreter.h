// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/fault.h"
#include "neuroncore/ir.h"

#include <QString>

namespace accelopt::neuroncore {

struct RunOptions {
    QString inputs; ///< folder with in0.npy …
    QString constants; ///< folder with the constants' files
    QString outputs; ///< folder for out0.npy …
    int threads = 2;
    qint64 memoryLimit = qint64(6) << 30; ///< bytes, for all tensors that are not mapped files
};

struct RunOutcome {
    double seconds = 0;
    bool finite = true; ///< of all outputs
    int parallelLoops = 0;
};

/// Computes the kernel's numbers. Unwritten elements are NaN. Outputs are float32 arithmetic rounded to their dtype.
[[nodiscard]] Checked<RunOutcome> runProgram(const Program &program, const RunOptions &options);

} // namespace accelopt::neuroncore
