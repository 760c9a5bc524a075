// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/fault.h"
#include "neuroncore/ir.h"

#include <vector>

namespace accelopt::neuroncore {

/// Where a tensor lives while numbers are computed. A block dimension that every access indexes by the same loop needs
/// only the instance of the current iteration: it is contracted (stride 0), and the tensor begins anew with each
/// iteration of that loop.
struct Storage {
    std::vector<int64_t> strides; ///< elements, per dimension of the tensor
    int64_t elements = 0;
    int scope = -1; ///< the innermost loop whose iterations each have their own instance; -1: one for the whole kernel
    bool fresh = false; ///< has to be filled (NaN or zero) at the start of each instance: something may read before all
                        ///< is written
};

/// An access with flattened strides.
struct View {
    const Access *access = nullptr;
    int tensor = -1; ///< -1: `dense`
    float *dense = nullptr; ///< a temporary of the executor
    int64_t c = 0;
    std::vector<Term> loops; ///< elements per unit of the loop's value
    std::vector<int64_t> strides; ///< elements per tile axis
    bool inBounds = false; ///< proved for every iteration; else each row is checked
    bool external = false; ///< rounds on write
};

struct CompiledInstruction {
    View dst, dst2;
    std::vector<View> src; ///< parallel to Instruction::src; empty views for constants
};

/// One node of the loop tree with what the executor needs to know.
struct Step {
    int loop = -1;
    int instruction = -1;
    bool parallel = false; ///< iterations are independent and long enough
    std::vector<int> fresh; ///< tensors whose instance begins with each iteration of `loop` and must be filled
    std::vector<Step> body;
};

struct Layout {
    std::vector<Storage> storage;
    std::vector<CompiledInstruction> instructions;
    std::vector<Step> body;
    std::vector<int> fresh; ///< to fill once, at the start
    std::vector<bool> accessed; ///< per tensor
    int64_t onChipElements = 0; ///< of one thread
};

[[nodiscard]] Layout makeLayout(const Program &program);
/// Whether the instruction alone writes every element of its dst tensor over the whole run (no mask, indices a mixed
/// radix).
[[nodiscard]] bool coversWholly(const Program &program, const Instruction &instruction);
/// Whether this one execution writes the whole tile (or, with `contracted`, the whole current instance).
[[nodiscard]] bool isPlainOverwrite(const Instruction &instruction);

} // namespace accelopt::neuroncore
