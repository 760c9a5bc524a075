// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/stream.h"

namespace accelopt::neuroncore {

/// Where an instruction runs and what decides its cost, after the compiler's habits for engines that the source left
/// open.
struct EngineChoice {
    Engine engine = Engine::Vector;
    bool parked = false; ///< its value stays in PSUM for a single tensor_tensor
    bool dma = false;
    bool transposedDma =
        false; ///< partition axis contiguous in HBM: TensorE transposes instead of element-sized descriptors
    bool copyBefore = false; ///< a store from PSUM
    const Access *streamed = nullptr; ///< the operand whose size counts, where it is not dst
    int elementBytes = 4;
    int64_t runBytes = 4; ///< contiguous in HBM per partition: one descriptor
};

[[nodiscard]] std::vector<EngineChoice> chooseEngines(const Program &program, const Hardware &hardware);

/// Seconds that the unit keeps its engine busy (not for DMA).
[[nodiscard]] double busySeconds(const Unit &unit, const Program &program, const Hardware &hardware);
/// Passes of TensorE: 4 for float32, 1 for 16-bit types, fewer for ones and zeros.
[[nodiscard]] double tensorPasses(const Instruction &instruction, const Program &program, const Hardware &hardware);

} // namespace accelopt::neuroncore
