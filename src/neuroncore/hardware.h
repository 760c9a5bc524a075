// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/fault.h"

#include <QString>
#include <array>

namespace accelopt::neuroncore {

/// The compiler's habits of one NKI generation (docs/simulator-fidelity.md). All of them can be switched in the data
/// file.
struct Policy {
    bool fuseLoops = true, numberValues = true, sinkLoads = true, spill = true, forwardCopies = true,
         mergeCastCopies = true, hoistCompute = true;
    int64_t hoistBudget = 0; ///< bytes per partition that a hoisted set may hold
    int parkInPsum = 0; ///< temporaries per loop body
    int64_t foldLimit = 0; ///< elements: an inner loop up to this size becomes one instruction
    int window = 1, psumWindow = 1; ///< instructions that a later one may overtake
    int loadDepth = 0; ///< buffers of a load in an affine loop; 0: unlimited
    int64_t loadDepthBytes = 0;
    int sequentialLoadDepth = 0;
};

struct EngineCost {
    double clock = 1e9; ///< Hz
    double overhead = 0, minimum = 0; ///< cycles
};

/// One NeuronCore, from resources/hardware/<target>.json. Seconds, bytes, Hz.
struct Hardware {
    QString target;
    std::array<EngineCost, 4> engines; ///< tensor, vector, scalar, gpsimd
    double passesFloat32 = 4, passesTranspose = 3, passesOneZero = 3, passesBroadcast = 4;
    double vectorOverheadSmall = 0, vectorSmallLimit = 0, scalarIdleExtra = 0, scalarReduceExtra = 0,
           gpsimdSlowdown = 1;
    double baseClock = 1e9, semaphore = 0;
    int dmaEngines = 16;
    double dmaEngineBandwidth = 0, dmaCap = 0, dmaReportedPeak = 0, descriptor = 0, descriptorSpill = 0, dmaLatency = 0,
           dmaCompletion = 0, dmaBin = 5e-7;
    int64_t sbufBytes = 0, spillThreshold = 0, psumBankBytes = 0, hbmBytes = 0;
    int psumBanks = 8;
    int64_t matmulStationary = 128, matmulMoving = 512, transposeVector = 32;
    double startup = 0, quantum = 0;
    double peakBandwidth = 0, peakMatmulFloat32 = 0, peakVector = 0, bandwidthDecimal = 0;
    bool gpsimdNoPsum = true, notBothPsum = true, startPartitionRule = true;
    Policy policy; ///< of the generation asked for
};

/// `generation`: "beta1" or "nki", a section of `compiler`.
[[nodiscard]] Checked<Hardware> loadHardware(const QString &path, const QString &generation);

} // namespace accelopt::neuroncore
