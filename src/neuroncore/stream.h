// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/fault.h"
#include "neuroncore/hardware.h"
#include "neuroncore/ir.h"

#include <cstdint>
#include <vector>

namespace accelopt::neuroncore {

/// One instruction of the unrolled program, in SSA form: it makes at most one value, named by its position in the
/// stream.
struct Unit {
    enum class Kind : uint8_t { Compute, Load, Store, SpillSave, SpillReload };
    int32_t source = 0; ///< Instruction id
    int32_t firstOperand = 0; ///< into Stream::operands
    int32_t n = 0; ///< free elements of what it streams through (matmul: columns)
    int32_t bytes = 0; ///< per partition, of its value
    int32_t root = 0; ///< whose allocation its value lives in (itself, or the first of an accumulation)
    int32_t descriptors = 0; ///< DMA
    int64_t hbmBytes = 0; ///< DMA
    int16_t partitions = 0;
    uint16_t operandCount = 0;
    Engine engine = Engine::Vector;
    Kind kind = Kind::Compute;
    Buffer buffer = Buffer::Sbuf; ///< of the value
    bool folded = false; ///< a later trip of an inner loop that became one instruction: no overhead of its own
    bool fromPsum = false; ///< reads a PSUM operand
    bool parked = false; ///< the compiler keeps its value in PSUM
    bool transposed = false; ///< a DMA that becomes a TensorE transpose
};

struct Stream {
    std::vector<Unit> units;
    std::vector<int32_t> watched; ///< iteration of the watched loop per unit
    std::vector<int32_t> operands; ///< stream positions of the values read
    int64_t executed = 0; ///< instruction instances of the literal program
    int64_t removed = 0; ///< of them found redundant and hoisted
    int64_t literalReadBytes = 0; ///< HBM bytes that the literal program would load
    int64_t peakBytes = 0; ///< SBUF bytes per partition live in program order
    int64_t largestTile = 0;
    int peakBanks = 0; ///< PSUM
    int64_t spillSaves = 0, spillReloads = 0, sunk = 0;
    int peakAt = 0; ///< Instruction id of the peak
    int openAccumulators = 0, openAccumulatorsAt = 0; ///< PSUM banks of unfinished accumulations
    int undefinedRead = -1; ///< the first Instruction that reads what nothing wrote
};

struct FlattenOptions {
    bool numberValues = true, fold = true, hoistCompute = true;
    int64_t limit = 2'000'000; ///< instruction instances
    int watchLoop = -1; ///< record its iteration per unit
};

/// Unrolls the program; with `numberValues` it removes what the compiler would hoist or share. Kind `compile` above the
/// limit.
[[nodiscard]] Checked<Stream> flatten(const Program &program, const Hardware &hardware, const FlattenOptions &options);

/// flatten(), then live ranges in program order and, where the policy says so, repeated loads and spills (memory.cpp).
[[nodiscard]] Checked<Stream> unroll(const Program &program, const Hardware &hardware, const FlattenOptions &options);

/// How far redundancy may carry each instruction (number.cpp): the depth of enclosing loops whose iterations stay
/// apart.
struct Numbering {
    std::vector<int8_t> keptDepth; ///< loops outside this depth count as part of the value's name; -1: never numbered
    std::vector<bool> acrossLines;
};
[[nodiscard]] Numbering planNumbering(const Program &program, const Hardware &hardware, const FlattenOptions &options);

} // namespace accelopt::neuroncore
