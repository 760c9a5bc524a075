// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/fault.h"
#include "neuroncore/kernels.h"
#include "neuroncore/layout.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace accelopt::neuroncore {

/// What one thread needs to execute instructions: the loops' current values and where each tensor lives for it.
struct Context {
    std::vector<int64_t> values; ///< per loop
    std::vector<float *> base; ///< per tensor
    std::array<float, 128> accumulators{}; ///< of activation's reduction on the side
    std::array<std::vector<float>, 6> scratch;
    std::optional<Fault> fault;
};

/// Executes single instructions. One per thread.
class Executor {
public:
    Executor(const Program &program, const Layout &layout, Context &context)
        : m_program(program)
        , m_layout(layout)
        , m_context(context)
        , m_kernels(kernels())
    {
    }
    void execute(int instruction);

private:
    struct Row {
        float *p = nullptr;
        int64_t stride = 0;
    };
    const Program &m_program;
    const Layout &m_layout;
    Context &m_context;
    const Kernels &m_kernels;

    [[nodiscard]] int64_t offset(const View &v) const;
    [[nodiscard]] int64_t value(const Affine &a, std::span<const int64_t> coordinates) const;
    [[nodiscard]] bool inside(const View &v, std::span<const int64_t> coordinates) const;
    [[nodiscard]] bool checkBounds(
        const Instruction &i, const View &v, std::span<const int64_t> first, std::span<const int64_t> last);
    void outOfBounds(const Instruction &i, const View &v);
    /// Calls f(rows, n, coordinates) for every run of existing elements along the last axis of `shape`; rows[k] belongs
    /// to views[k].
    template <typename F>
    void rows(const Instruction &i, const std::vector<int64_t> &shape, std::span<const View *const> views, F f);
    const float *source(const Row &row, int64_t n, size_t slot);
    float *target(const Row &row, int64_t n, size_t slot);
    void finish(const View &v, const Row &row, float *values, int64_t n);
    template <typename F> void elementwise(const Instruction &i, std::span<const View *const> sources, F f);

    void gather(const Instruction &i, const View &v, std::vector<float> &dense);
    void scatter(const Instruction &i, const View &v, const std::vector<float> &dense);
    void matmul(const Instruction &i, const CompiledInstruction &c);
    void transpose(const Instruction &i, const CompiledInstruction &c);
    void tensorReduce(const Instruction &i, const CompiledInstruction &c);
    void activation(const Instruction &i, const CompiledInstruction &c);
    void tensorScalar(const Instruction &i, const CompiledInstruction &c);
    void sideReduction(const Instruction &i, const CompiledInstruction &c, Alu op);
    void special(const Instruction &i, const CompiledInstruction &c); // special.cpp
    void bnAggregate(const std::vector<float> &data, int64_t partitions, int64_t columns, std::vector<float> &out);
    [[nodiscard]] const View *find(
        const Instruction &i, const CompiledInstruction &c, Role role, const float **constant, float *store) const;
    [[nodiscard]] bool atFirstIteration(const Instruction &i) const;
};

} // namespace accelopt::neuroncore
