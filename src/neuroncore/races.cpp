// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/checker.h"

#include <algorithm>
#include <cstdlib>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::neuroncore {
namespace {

bool isAssociative(Alu op)
{
    return op == Alu::Add || op == Alu::Multiply || op == Alu::Maximum || op == Alu::Minimum;
}

/// `x = x op y` with an associative op: any order of the iterations gives the same, so NKI allows it in an affine loop.
bool accumulatesInPlace(const Instruction &i)
{
    if (i.accumulate || i.rmwAdd)
        return true;
    if (i.op != Op::TensorTensor || !isAssociative(i.op0))
        return false;
    return std::ranges::any_of(i.src, [&](const Operand &o) { return !o.isConstant && o.access == i.dst; });
}

/// Two different iterations of `loop` certainly write a common element through this access.
bool collides(const Program &program, const Instruction &i, const Access &a, int loop)
{
    bool independent = true;
    for (const Affine &index : a.index)
        independent = independent && index.loopCoefficient(loop) == 0;
    if (independent)
        return true;
    if (!i.mask.empty())
        return false;
    // Neighbouring iterations overlap in every dimension that moves with the loop.
    for (const Affine &index : a.index) {
        const int64_t k = std::llabs(index.loopCoefficient(loop) * program.loops[size_t(loop)].step);
        if (k == 0)
            continue;
        int64_t span = 0;
        std::vector<int64_t> steps; // a strided axis may interleave with the next iteration
        for (const Term &t : index.axes) {
            span += std::llabs(t.k) * (a.shape[size_t(t.id)] - 1);
            steps.push_back(std::llabs(t.k));
        }
        const bool dense = steps.size() == 1 && k % steps[0] == 0;
        if (!dense || k > span)
            return false;
    }
    return true;
}

} // namespace

Checked<void> checkRaces(const Program &program)
{
    for (const Instruction &i : program.instructions) {
        const Tensor &t = program.tensors[size_t(i.dst.tensor)];
        if (accumulatesInPlace(i))
            continue;
        for (int loop : i.loops) {
            const Loop &l = program.loops[size_t(loop)];
            if (l.kind != LoopKind::Affine || l.trip < 2 || std::ranges::find(t.loops, loop) != t.loops.end()
                || std::ranges::find(i.reduceLoops, loop) != i.reduceLoops.end())
                continue;
            if (collides(program, i, i.dst, loop))
                return fault(u"rule"_s, u"err_unexpected_output_dependencies"_s,
                    u"Iterations of the affine_range loop \"%1\" (line %2) write to the same elements of \"%3\". Give each iteration its own place (index \"%3\" by the loop), declare the tile inside the loop, or use sequential_range."_s
                        .arg(l.name)
                        .arg(l.line)
                        .arg(t.name),
                    i.line);
        }
    }
    return {};
}

} // namespace accelopt::neuroncore
