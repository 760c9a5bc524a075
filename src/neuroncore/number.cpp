// SPDX-License-Identifier: GPL-3.0-or-later
// Which repeated instructions the Beta 1 compiler shares, found from HBM traffic of published profiles: loads and
// explicit transposes are hoisted as long as the set they leave resident fits the hoist budget, other compute only by
// classic loop-invariant motion, implied transposes never.
#include "neuroncore/stream.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace accelopt::neuroncore {
namespace {

size_t commonDepth(const Instruction &a, const Instruction &b)
{
    size_t n = 0;
    while (n < a.loops.size() && n < b.loops.size() && a.loops[n] == b.loops[n])
        ++n;
    return n;
}

} // namespace

Numbering planNumbering(const Program &program, const Hardware &hardware, const FlattenOptions &options)
{
    const size_t count = program.instructions.size();
    Numbering result{std::vector<int8_t>(count, -1), std::vector<bool>(count, false)};
    if (!options.numberValues || !hardware.policy.numberValues)
        return result;
    // vary[i]: bit per depth, set where the value depends on that enclosing loop's iteration.
    std::vector<uint64_t> vary(count, 0);
    std::vector<std::vector<int>> writers(program.tensors.size());
    for (const Instruction &i : program.instructions) {
        writers[size_t(i.dst.tensor)].push_back(i.id);
        if (i.dst2)
            writers[size_t(i.dst2->tensor)].push_back(i.id);
        uint64_t &mask = vary[size_t(i.id)];
        const auto mark = [&](const Affine &a) {
            for (size_t d = 0; d < i.loops.size(); ++d)
                if (a.loopCoefficient(i.loops[d]) != 0)
                    mask |= uint64_t(1) << d;
        };
        for (const Operand &o : i.src)
            if (!o.isConstant)
                for (const Affine &a : o.access.index)
                    mark(a);
        for (const Affine &a : i.mask)
            mark(a);
        mark(i.expression);
        for (const Affine &a : i.predicate)
            mark(a);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const Instruction &i : program.instructions) {
            uint64_t mask = vary[size_t(i.id)];
            const auto from = [&](int tensor) {
                for (int w : writers[size_t(tensor)]) {
                    const size_t common = commonDepth(program.instructions[size_t(w)], i);
                    mask |= vary[size_t(w)] & ((uint64_t(1) << common) - 1);
                }
            };
            for (const Operand &o : i.src)
                if (!o.isConstant)
                    from(o.access.tensor);
            changed = changed || mask != vary[size_t(i.id)];
            vary[size_t(i.id)] = mask;
        }
    }
    std::map<std::tuple<int, int, int>, int> copies; // unrolled copies of one source line
    for (const Instruction &i : program.instructions)
        ++copies[{i.line, int(i.op), i.loops.empty() ? -1 : i.loops.back()}];
    for (const Instruction &i : program.instructions) {
        const bool load = i.op == Op::Load;
        const bool transpose = i.op == Op::Transpose || (i.op == Op::Matmul && i.isTranspose);
        const bool compute = i.op == Op::Activation || i.op == Op::TensorScalar || i.op == Op::TensorTensor
            || i.op == Op::TensorReduce || i.op == Op::Copy || i.op == Op::Reciprocal || i.op == Op::PartitionBroadcast
            || i.op == Op::ScalarTensorTensor;
        if (i.implicit || i.accumulate || i.reduceCommand != ReduceCommand::None || i.dst2
            || !(load || transpose || compute))
            continue;
        bool copyOfTranspose = false;
        if (i.op == Op::Copy)
            for (int w : writers[size_t(i.src[0].access.tensor)]) {
                const Instruction &p = program.instructions[size_t(w)];
                copyOfTranspose = copyOfTranspose || p.op == Op::Transpose || (p.op == Op::Matmul && p.isTranspose);
            }
        const bool wide =
            load || transpose || copyOfTranspose; // may be hoisted over varying inner loops, within the budget
        if (!wide && !options.hoistCompute)
            continue;
        if (!wide && !hardware.policy.hoistCompute)
            continue;
        const bool onlyWhole = i.op == Op::PartitionBroadcast || (load && i.dst.partitions() == 1);
        const uint64_t mask = vary[size_t(i.id)];
        const double bytes = double(i.dst.freeSize()) * bytesOf(program.tensors[size_t(i.dst.tensor)].dtype)
            * copies[{i.line, int(i.op), i.loops.empty() ? -1 : i.loops.back()}];
        int kept = 0;
        for (size_t l = 0; l < i.loops.size(); ++l) {
            if (mask >> l & 1)
                continue;
            double footprint = bytes;
            bool varyingInside = false;
            for (size_t j = l + 1; j < i.loops.size(); ++j)
                if ((mask >> j & 1) && program.loops[size_t(i.loops[j])].kind == LoopKind::Affine) {
                    footprint *= double(program.loops[size_t(i.loops[j])].trip);
                    varyingInside = true;
                }
            if (footprint > double(hardware.policy.hoistBudget) || (!wide && varyingInside))
                kept = int(l) + 1;
        }
        if (onlyWhole && mask != 0)
            continue;
        result.keptDepth[size_t(i.id)] = int8_t(kept);
        result.acrossLines[size_t(i.id)] = wide;
    }
    return result;
}

} // namespace accelopt::neuroncore
