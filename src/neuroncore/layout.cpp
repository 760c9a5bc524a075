// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/layout.h"

#include <algorithm>
#include <cstdlib>

namespace accelopt::neuroncore {
namespace {

template <typename F> void eachAccess(const Instruction &i, F f)
{
    for (const Operand &o : i.src)
        if (!o.isConstant)
            f(o.access, false);
    f(i.dst, true);
    if (i.dst2)
        f(*i.dst2, true);
}

class Planner {
public:
    explicit Planner(const Program &program)
        : m_program(program)
    {
    }

    Layout plan()
    {
        const size_t count = m_program.tensors.size();
        m_uses.resize(count);
        for (const Instruction &i : m_program.instructions)
            eachAccess(i, [&](const Access &a, bool) {
                if (m_uses[a.tensor].empty() || m_uses[a.tensor].back() != i.id)
                    m_uses[a.tensor].push_back(i.id);
            });
        m_layout.storage.resize(count);
        m_layout.accessed.resize(count);
        for (const Tensor &t : m_program.tensors) {
            m_layout.accessed[t.id] = !m_uses[t.id].empty();
            store(t);
        }
        for (const Instruction &i : m_program.instructions)
            m_layout.instructions.push_back(compile(i));
        for (const Node &n : m_program.body)
            m_layout.body.push_back(step(n, false));
        for (const Tensor &t : m_program.tensors)
            if (m_layout.storage[t.id].fresh && m_layout.storage[t.id].scope < 0)
                m_layout.fresh.push_back(t.id);
        return std::move(m_layout);
    }

private:
    const Program &m_program;
    Layout m_layout;
    std::vector<std::vector<int>> m_uses; ///< instructions per tensor, program order

    void store(const Tensor &t)
    {
        Storage &s = m_layout.storage[t.id];
        s.strides.assign(t.shape.size(), 0);
        s.scope = t.loops.empty() ? -1 : t.loops.back();
        std::vector<bool> contracted(t.shape.size());
        if (t.buffer != Buffer::Hbm && !m_uses[t.id].empty())
            contract(t, contracted, s);
        int64_t stride = 1;
        for (size_t d = t.shape.size(); d-- > 0;) {
            if (contracted[d])
                continue;
            s.strides[d] = stride;
            stride *= t.shape[d];
        }
        s.elements = stride;
        if (t.kind == TensorKind::Input || t.kind == TensorKind::Constant)
            return;
        if (t.buffer != Buffer::Hbm)
            m_layout.onChipElements += s.elements;
        if (t.buffer == Buffer::Hbm) {
            s.fresh = std::ranges::none_of(m_uses[t.id], [&](int id) {
                const Instruction &i = m_program.instructions[id];
                return i.dst.tensor == t.id && coversWholly(m_program, i);
            }) || readAnywhere(t.id);
        } else {
            s.fresh = t.lazyZero
                || (!m_uses[t.id].empty() && !overwritten(t, contracted, m_program.instructions[m_uses[t.id].front()]));
        }
    }

    [[nodiscard]] bool readAnywhere(int tensor) const
    {
        for (int id : m_uses[tensor])
            for (const Operand &o : m_program.instructions[id].src)
                if (!o.isConstant && o.access.tensor == tensor)
                    return true;
        return false;
    }

    /// The first instruction that touches an instance writes all of it.
    [[nodiscard]] bool overwritten(const Tensor &t, const std::vector<bool> &contracted, const Instruction &i) const
    {
        if (i.dst.tensor != t.id || !isPlainOverwrite(i))
            return false;
        for (const Operand &o : i.src)
            if (!o.isConstant && o.access.tensor == t.id)
                return false;
        std::vector<bool> used(i.dst.shape.size());
        for (size_t d = 0; d < t.shape.size(); ++d) {
            const Affine &a = i.dst.index[d];
            if (contracted[d] || (t.shape[d] == 1 && a.axes.empty()))
                continue;
            if (a.c != 0 || !a.loops.empty() || a.axes.size() != 1 || a.axes[0].k != 1
                || i.dst.shape[a.axes[0].id] != t.shape[d] || used[a.axes[0].id])
                return false;
            used[a.axes[0].id] = true;
        }
        return true;
    }

    void contract(const Tensor &t, std::vector<bool> &contracted, Storage &s) const
    {
        std::vector<bool> candidate(t.shape.size());
        for (size_t d = 0; d < t.shape.size(); ++d) {
            const Affine *first = nullptr;
            bool same = int(d) != t.partitionDim;
            for (int id : m_uses[t.id])
                eachAccess(m_program.instructions[id], [&](const Access &a, bool) {
                    if (a.tensor != t.id)
                        return;
                    if (!first)
                        first = &a.index[d];
                    same = same && a.index[d] == *first;
                });
            candidate[d] = same && first && first->axes.empty() && first->loops.size() == 1
                && m_program.loops[first->loops[0].id].step != 0;
        }
        // Every use is inside all the loops concerned, so they form one chain; the deepest is the scope.
        int deepest = s.scope;
        std::vector<int> loops;
        const Instruction &sample = m_program.instructions[m_uses[t.id].front()];
        const Access *access = nullptr;
        eachAccess(sample, [&](const Access &a, bool) {
            if (a.tensor == t.id)
                access = &a;
        });
        for (size_t d = 0; d < t.shape.size(); ++d)
            if (candidate[d]) {
                const int loop = access->index[d].loops[0].id;
                loops.push_back(loop);
                if (deepest < 0 || m_program.loops[loop].depth > m_program.loops[deepest].depth)
                    deepest = loop;
            }
        if (loops.empty())
            return;
        // Between the declaration and the deepest loop every loop must be one of them, or values could flow from one of
        // its iterations to the next; unless each instance starts with a full overwrite anyway.
        bool everyLoop = true;
        for (int loop = deepest; loop != s.scope && loop >= 0; loop = m_program.loops[loop].parent)
            everyLoop = everyLoop && std::ranges::find(loops, loop) != loops.end();
        if (!everyLoop && !(overwritten(t, candidate, sample) && !t.lazyZero))
            return;
        contracted = candidate;
        s.scope = deepest;
    }

    View view(const Access &a) const
    {
        View v;
        v.access = &a;
        v.tensor = a.tensor;
        const Tensor &t = m_program.tensors[a.tensor];
        const Storage &s = m_layout.storage[a.tensor];
        v.strides.assign(a.shape.size(), 0);
        v.inBounds = true;
        v.external = t.dtype != DType::Float32 && t.dtype != DType::TFloat32 && t.dtype != DType::Float32r;
        for (size_t d = 0; d < a.index.size(); ++d) {
            const Range r = rangeOf(a.index[d], m_program, a.shape);
            v.inBounds = v.inBounds && r.lo >= 0 && r.hi < t.shape[d];
            if (s.strides[d] == 0)
                continue;
            v.c += a.index[d].c * s.strides[d];
            for (const Term &term : a.index[d].axes)
                v.strides[term.id] += term.k * s.strides[d];
            for (const Term &term : a.index[d].loops) {
                const auto at = std::ranges::find(v.loops, term.id, &Term::id);
                if (at == v.loops.end())
                    v.loops.push_back({term.id, term.k * s.strides[d]});
                else
                    at->k += term.k * s.strides[d];
            }
        }
        return v;
    }

    CompiledInstruction compile(const Instruction &i) const
    {
        CompiledInstruction c;
        c.dst = view(i.dst);
        if (i.dst2)
            c.dst2 = view(*i.dst2);
        for (const Operand &o : i.src)
            c.src.push_back(o.isConstant ? View{} : view(o.access));
        return c;
    }

    void collect(const Node &n, std::vector<int> &out) const
    {
        if (n.instruction >= 0)
            out.push_back(n.instruction);
        for (const Node &child : n.body)
            collect(child, out);
    }

    [[nodiscard]] bool isInside(int loop, int ancestor) const
    {
        for (; loop >= 0; loop = m_program.loops[loop].parent)
            if (loop == ancestor)
                return true;
        return false;
    }

    /// The iterations of `loop` touch no common element of anything they write, so that they may run in any order.
    [[nodiscard]] bool independent(int loop, const std::vector<int> &instructions) const
    {
        std::vector<char> written(m_program.tensors.size());
        for (int id : instructions) {
            const Instruction &i = m_program.instructions[id];
            if (i.reduceCommand == ReduceCommand::Reduce || i.reduceCommand == ReduceCommand::Idle)
                return false;
            written[i.dst.tensor] = 1;
            if (i.dst2)
                written[i.dst2->tensor] = 1;
        }
        for (const Tensor &t : m_program.tensors) {
            if (!written[t.id] || (m_layout.storage[t.id].scope >= 0 && isInside(m_layout.storage[t.id].scope, loop)))
                continue;
            std::vector<const Access *> accesses;
            for (int id : instructions)
                eachAccess(m_program.instructions[id], [&](const Access &a, bool) {
                    if (a.tensor == t.id)
                        accesses.push_back(&a);
                });
            bool separated = false;
            for (size_t d = 0; d < t.shape.size() && !separated; ++d)
                separated = separates(loop, accesses, d);
            if (!separated)
                return false;
        }
        return true;
    }

    [[nodiscard]] bool separates(int loop, const std::vector<const Access *> &accesses, size_t d) const
    {
        const int64_t k = accesses[0]->index[d].loopCoefficient(loop);
        int64_t lo = INT64_MAX, hi = INT64_MIN;
        std::vector<Term> outer;
        for (size_t n = 0; n < accesses.size(); ++n) {
            const Affine &a = accesses[n]->index[d];
            Affine inner{a.c, {}, a.axes};
            std::vector<Term> outside;
            for (const Term &term : a.loops) {
                if (term.id == loop)
                    continue;
                (isInside(term.id, loop) ? inner.loops : outside).push_back(term);
            }
            if (n == 0)
                outer = outside;
            if (a.loopCoefficient(loop) != k || outside != outer)
                return false;
            const Range r = rangeOf(inner, m_program, accesses[n]->shape);
            lo = std::min(lo, r.lo);
            hi = std::max(hi, r.hi);
        }
        return std::llabs(k * m_program.loops[loop].step) > hi - lo;
    }

    [[nodiscard]] double work(const Node &n) const
    {
        if (n.instruction >= 0) {
            const Instruction &i = m_program.instructions[n.instruction];
            double elements = double(i.dst.partitions()) * double(i.dst.freeSize());
            if (i.op == Op::Matmul)
                elements *= 1 + double(i.src[0].access.shape[0]) / 16;
            return elements;
        }
        double sum = 0;
        for (const Node &child : n.body)
            sum += work(child);
        return sum * double(m_program.loops[n.loop].trip);
    }

    Step step(const Node &n, bool insideParallel)
    {
        Step s;
        s.loop = n.loop;
        s.instruction = n.instruction;
        if (n.loop < 0)
            return s;
        if (!insideParallel && m_program.loops[n.loop].trip > 1 && work(n) > 400'000) {
            std::vector<int> instructions;
            collect(n, instructions);
            s.parallel = independent(n.loop, instructions);
        }
        for (const Tensor &t : m_program.tensors)
            if (m_layout.storage[t.id].scope == n.loop && m_layout.storage[t.id].fresh)
                s.fresh.push_back(t.id);
        for (const Node &child : n.body)
            s.body.push_back(step(child, insideParallel || s.parallel));
        return s;
    }
};

} // namespace

Layout makeLayout(const Program &program)
{
    return Planner(program).plan();
}

bool isPlainOverwrite(const Instruction &i)
{
    return i.mask.empty() && !i.accumulate && !i.rmwAdd && i.op != Op::LoopReduce && i.op != Op::CopyPredicated
        && i.op != Op::Shuffle;
}

bool coversWholly(const Program &program, const Instruction &i)
{
    if (!isPlainOverwrite(i))
        return false;
    const Tensor &t = program.tensors[i.dst.tensor];
    std::vector<int> usedLoops, usedAxes;
    for (size_t d = 0; d < t.shape.size(); ++d) {
        const Affine &a = i.dst.index[d];
        struct Digit {
            int64_t k, extent;
        };
        std::vector<Digit> digits;
        int64_t first = a.c;
        for (const Term &term : a.loops) {
            const Loop &loop = program.loops[term.id];
            first += term.k * loop.start;
            digits.push_back({term.k * loop.step, loop.trip});
            if (std::ranges::find(usedLoops, term.id) != usedLoops.end())
                return false;
            usedLoops.push_back(term.id);
        }
        for (const Term &term : a.axes) {
            digits.push_back({term.k, i.dst.shape[term.id]});
            if (std::ranges::find(usedAxes, term.id) != usedAxes.end())
                return false;
            usedAxes.push_back(term.id);
        }
        std::ranges::sort(digits, {}, &Digit::k);
        int64_t reached = 1;
        for (const Digit &digit : digits) {
            if (digit.extent == 1)
                continue;
            if (digit.k < 1 || digit.k > reached)
                return false;
            reached += digit.k * (digit.extent - 1);
        }
        if (first != 0 || reached < t.shape[d])
            return false;
    }
    return true;
}

} // namespace accelopt::neuroncore
