// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/stream.h"

namespace accelopt::neuroncore {

/// What the device's profile counts (names and rules of neuron-profile's summary; the rules were read off published
/// profiles).
struct Counters {
    double hbmRead = 0, hbmWrite = 0, sbufRead = 0, sbufWrite = 0, psumRead = 0, psumWrite = 0, spillSave = 0,
           spillReload = 0; ///< bytes
    double hardwareFlops = 0, transposeFlops = 0, adjustedFlops = 0, adjustedTransposeFlops = 0;
    int64_t matmuls = 0, activations = 0, dmaTransfers = 0, dmaDescriptors = 0;
    double inputsAndWeights = 0, inputsOutputsWeights = 0; ///< bytes of the tensors in HBM
    bool usesTensorE = false;
};

[[nodiscard]] Counters count(const Stream &stream, const Program &program, const Hardware &hardware);

} // namespace accelopt::neuroncore
