// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/checker.h"

#include "neuroncore/stream.h"

#include <algorithm>
#include <array>
#include <cstdlib>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::neuroncore {
namespace {

const Tensor &tensorOf(const Program &program, const Access &a)
{
    return program.tensors[size_t(a.tensor)];
}

std::unexpected<Fault> rule(const Instruction &i, const QString &id, const QString &message)
{
    return fault(u"rule"_s, id, message, i.line);
}

template <typename F> Checked<void> eachTile(const Instruction &i, F f)
{
    if (auto r = f(i.dst); !r)
        return r;
    if (i.dst2)
        if (auto r = f(*i.dst2); !r)
            return r;
    for (const Operand &o : i.src)
        if (!o.isConstant)
            if (auto r = f(o.access); !r)
                return r;
    return {};
}

/// Where engines may start: more than 64 partitions at 0, more than 32 at 0 or 64, else at any multiple of 32.
Checked<void> checkStartPartition(const Program &program, const Instruction &i)
{
    return eachTile(i, [&](const Access &a) -> Checked<void> {
        const Tensor &t = tensorOf(program, a);
        if (t.buffer == Buffer::Hbm)
            return {};
        const int64_t count = a.partitions(), unit = count > 64 ? 128 : (count > 32 ? 64 : 32);
        const Affine &index = a.index[size_t(t.partitionDim)];
        int64_t start = index.c;
        bool aligned = true;
        for (const Term &term : index.loops) {
            const Loop &loop = program.loops[size_t(term.id)];
            start += term.k * loop.start;
            aligned = aligned && (loop.trip == 1 || term.k * loop.step % unit == 0);
        }
        if (aligned && start % unit == 0)
            return {};
        return rule(i, {},
            u"%1 accesses %2 partitions of \"%3\" from partition %4. More than 64 partitions start at 0, more than 32 at 0 or 64, fewer at 0, 32, 64 or 96; copy the tile to an aligned one first."_s
                .arg(toString(i.op))
                .arg(count)
                .arg(t.name)
                .arg(start));
    });
}

Checked<void> checkEngine(const Program &program, const Instruction &i, const Hardware &hardware)
{
    const auto allowed = [&]() -> bool {
        switch (i.op) {
        case Op::Load:
        case Op::Store:
        case Op::DmaCopy:
        case Op::DmaTranspose:
            return i.engine == Engine::Dma || i.engine == Engine::Unknown;
        case Op::Matmul:
        case Op::PartitionBroadcast:
            return i.engine == Engine::Tensor || i.engine == Engine::Unknown;
        case Op::Transpose:
            return i.engine == Engine::Tensor || i.engine == Engine::Vector || i.engine == Engine::Unknown;
        case Op::Activation:
            return i.engine == Engine::Scalar || i.engine == Engine::Unknown;
        case Op::TensorReduce:
        case Op::TensorTensor:
            return i.engine == Engine::Vector || i.engine == Engine::GpSimd || i.engine == Engine::Unknown;
        case Op::Scan:
        case Op::Reciprocal:
        case Op::ScalarTensorTensor:
        case Op::BnStats:
        case Op::BnAggr:
        case Op::Max8:
        case Op::FindIndex8:
        case Op::MatchReplace8:
            return i.engine == Engine::Vector || i.engine == Engine::Unknown;
        default:
            return i.engine != Engine::Tensor && i.engine != Engine::Dma;
        }
    };
    if (!allowed())
        return rule(i, {}, u"%1 cannot run on the %2 engine."_s.arg(toString(i.op), toString(i.engine)));
    if (hardware.gpsimdNoPsum && (i.engine == Engine::GpSimd || i.op == Op::Iota || i.op == Op::AffineSelect))
        return eachTile(i, [&](const Access &a) -> Checked<void> {
            if (tensorOf(program, a).buffer != Buffer::Psum)
                return {};
            return rule(i, u"err_unsupported_memory"_s,
                u"GpSimd cannot access PSUM; copy \"%1\" to SBUF first, or use another engine."_s.arg(
                    tensorOf(program, a).name));
        });
    return {};
}

Checked<void> checkNotBothPsum(const Program &program, const Instruction &i)
{
    const auto inPsum = [&](Role role) {
        const Operand *o = i.find(role);
        return o && !o->isConstant && tensorOf(program, o->access).buffer == Buffer::Psum;
    };
    const std::array<std::pair<Role, Role>, 3> pairs{
        {{Role::A, Role::B}, {Role::Data0, Role::Data1}, {Role::Data, Role::Operand1}}};
    for (const auto &[first, second] : pairs) {
        if (first == Role::Data && i.op != Op::ScalarTensorTensor)
            continue;
        if (inPsum(first) && inPsum(second))
            return rule(i, u"err_unsupported_memory"_s,
                u"%1 has both inputs in PSUM; at least one must be in SBUF. Copy one with nl.copy."_s.arg(
                    toString(i.op)));
    }
    return {};
}

Checked<void> checkLimits(const Program &program, const Instruction &i, const Hardware &hardware)
{
    constexpr auto id = "err_size_of_dimension_exceed_arch_limit"_L1;
    if (i.op == Op::Matmul) {
        const int64_t stationary = i.find(Role::Stationary)->access.freeSize(),
                      moving = i.find(Role::Moving)->access.freeSize();
        if (stationary > hardware.matmulStationary)
            return rule(i, id,
                u"The stationary tile of the matmul has %1 free elements; TensorE takes at most %2. Split it."_s
                    .arg(stationary)
                    .arg(hardware.matmulStationary));
        if (moving > hardware.matmulMoving)
            return rule(i, id,
                u"The moving tile of the matmul has %1 free elements; TensorE takes at most %2. Split it."_s.arg(moving)
                    .arg(hardware.matmulMoving));
    }
    if (i.op == Op::Transpose) {
        const int64_t limit = i.engine == Engine::Vector ? hardware.transposeVector : hardware.matmulStationary;
        const Access &data = i.src[0].access;
        if (data.shape[0] > limit || data.shape[1] > limit)
            return rule(i, id,
                u"A transpose of %1x%2 on this engine is larger than %3x%3. Split it."_s.arg(data.shape[0])
                    .arg(data.shape[1])
                    .arg(limit));
        if (i.engine != Engine::Vector && tensorOf(program, i.dst).buffer != Buffer::Psum)
            return rule(i, u"err_unsupported_memory"_s,
                u"A transpose on TensorE writes to PSUM; \"%1\" is elsewhere."_s.arg(tensorOf(program, i.dst).name));
    }
    return eachTile(i, [&](const Access &a) -> Checked<void> {
        const Tensor &t = tensorOf(program, a);
        if (t.buffer != Buffer::Psum)
            return {};
        const int64_t bytes = a.freeSize() * bytesOf(t.dtype);
        if (bytes > hardware.psumBankBytes)
            return rule(i, id,
                u"A tile of \"%1\" takes %2 bytes per partition; a PSUM bank holds %3 (512 float32). Split its free dimension."_s
                    .arg(t.name)
                    .arg(bytes)
                    .arg(hardware.psumBankBytes));
        return {};
    });
}

/// Whether `a` >= 0 wherever all masks hold, by subtracting a multiple of one mask.
bool implied(const Affine &a, const Instruction &i, const Program &program, const std::vector<int64_t> &shape)
{
    if (rangeOf(a, program, shape).lo >= 0)
        return true;
    for (const Affine &m : i.mask) {
        std::vector<int64_t> factors{1};
        for (const Term &t : m.axes)
            if (const int64_t k = a.axisCoefficient(t.id); k != 0 && k % t.k == 0 && k / t.k > 1)
                factors.push_back(k / t.k);
        for (const Term &t : m.loops)
            if (const int64_t k = a.loopCoefficient(t.id); k != 0 && k % t.k == 0 && k / t.k > 1)
                factors.push_back(k / t.k);
        for (const int64_t factor : factors) {
            Affine rest{a.c - factor * m.c, {}, {}};
            const auto subtract = [factor](
                                      const std::vector<Term> &x, const std::vector<Term> &y, std::vector<Term> &out) {
                for (const Term &t : x) {
                    const auto other = std::ranges::find(y, t.id, &Term::id);
                    if (const int64_t k = t.k - (other == y.end() ? 0 : factor * other->k); k != 0)
                        out.push_back({t.id, k});
                }
                for (const Term &t : y)
                    if (std::ranges::find(x, t.id, &Term::id) == x.end())
                        out.push_back({t.id, -factor * t.k});
            };
            subtract(a.loops, m.loops, rest.loops);
            subtract(a.axes, m.axes, rest.axes);
            if (rangeOf(rest, program, shape).lo >= 0)
                return true;
        }
    }
    return false;
}

/// Tries all points where the index is outside; -1 when there are too many to try.
int outsideSomewhere(const Affine &index, int64_t extent, const Instruction &i, const Program &program,
    const std::vector<int64_t> &shape)
{
    constexpr int64_t most = 2'000'000;
    struct Variable {
        bool loop;
        int id;
        int64_t count, at;
    };
    std::vector<Variable> variables;
    const auto add = [&](const Affine &a) {
        for (const Term &t : a.loops)
            if (std::ranges::none_of(variables, [&](const Variable &v) { return v.loop && v.id == t.id; }))
                variables.push_back({true, t.id, program.loops[size_t(t.id)].trip, 0});
        for (const Term &t : a.axes)
            if (std::ranges::none_of(variables, [&](const Variable &v) { return !v.loop && v.id == t.id; }))
                variables.push_back({false, t.id, shape[size_t(t.id)], 0});
    };
    add(index);
    for (const Affine &m : i.mask)
        add(m);
    int64_t points = 1;
    for (const Variable &v : variables) {
        if (v.count > most / points)
            return -1;
        points *= v.count;
    }
    const auto evaluate = [&](const Affine &a) {
        int64_t x = a.c;
        for (const Variable &v : variables)
            x += v.loop ? a.loopCoefficient(v.id) * program.loopValue(v.id, v.at) : a.axisCoefficient(v.id) * v.at;
        return x;
    };
    for (;;) {
        const int64_t x = evaluate(index);
        if ((x < 0 || x >= extent) && std::ranges::all_of(i.mask, [&](const Affine &m) { return evaluate(m) >= 0; }))
            return 1;
        size_t k = 0;
        while (k < variables.size() && ++variables[k].at == variables[k].count)
            variables[k++].at = 0;
        if (k == variables.size())
            return 0;
    }
}

} // namespace

Checked<void> checkInstructions(const Program &program, const Hardware &hardware)
{
    for (const Instruction &i : program.instructions) {
        if (auto r = checkEngine(program, i, hardware); !r)
            return r;
        const bool dma = i.op == Op::Load || i.op == Op::Store || i.op == Op::DmaCopy || i.op == Op::DmaTranspose;
        if (hardware.startPartitionRule && !dma)
            if (auto r = checkStartPartition(program, i); !r)
                return r;
        if (hardware.notBothPsum)
            if (auto r = checkNotBothPsum(program, i); !r)
                return r;
        if (auto r = checkLimits(program, i, hardware); !r)
            return r;
    }
    std::vector<bool> read(program.tensors.size()), written(program.tensors.size());
    for (const Instruction &i : program.instructions) {
        written[size_t(i.dst.tensor)] = true;
        if (i.dst2)
            written[size_t(i.dst2->tensor)] = true;
    }
    for (const Instruction &i : program.instructions)
        for (const Operand &o : i.src)
            if (!o.isConstant) {
                const Tensor &t = tensorOf(program, o.access);
                if (t.kind == TensorKind::Temporary && !t.lazyZero && !written[size_t(t.id)])
                    return rule(i, {}, u"\"%1\" is read but nothing ever writes to it."_s.arg(t.name));
            }
    for (const Tensor &t : program.tensors)
        if (t.kind == TensorKind::Output && !written[size_t(t.id)])
            return fault(u"rule"_s, u"err_tensor_output_not_written_to"_s,
                u"The result \"%1\" is never stored to. Store every element of it."_s.arg(t.name), t.line);
    return {};
}

Checked<void> checkBounds(const Program &program)
{
    for (const Instruction &i : program.instructions) {
        auto r = eachTile(i, [&](const Access &a) -> Checked<void> {
            const Tensor &t = tensorOf(program, a);
            const bool masked = !i.mask.empty() && a.shape == i.dst.shape && i.op != Op::Matmul && i.op != Op::Transpose
                && i.op != Op::DmaTranspose;
            for (size_t d = 0; d < t.shape.size(); ++d) {
                const Range range = rangeOf(a.index[d], program, a.shape);
                if (range.lo >= 0 && range.hi < t.shape[d])
                    continue;
                if (masked) {
                    Affine above{t.shape[d] - 1 - a.index[d].c, a.index[d].loops, a.index[d].axes};
                    for (Term &term : above.loops)
                        term.k = -term.k;
                    for (Term &term : above.axes)
                        term.k = -term.k;
                    if (implied(a.index[d], i, program, a.shape) && implied(above, i, program, a.shape))
                        continue;
                    if (outsideSomewhere(a.index[d], t.shape[d], i, program, a.shape) != 1)
                        continue; // proved inside, or left to the run, which checks every row
                }
                return rule(i, u"err_tensor_access_out_of_bound"_s,
                    u"%1 reaches index %2 of dimension %3 of \"%4\", which has %5 elements. Mask what does not exist, or correct the index."_s
                        .arg(toString(i.op))
                        .arg(range.lo < 0 ? range.lo : range.hi)
                        .arg(d)
                        .arg(t.name)
                        .arg(t.shape[d]));
            }
            return {};
        });
        if (!r)
            return r;
    }
    return {};
}

Checked<void> checkCapacity(const Program &program, const Hardware &hardware, std::optional<Stream> *unrolled)
{
    for (const Instruction &i : program.instructions) {
        // What one instruction touches must be on the chip at the same time.
        int64_t bytes = 0;
        std::vector<const Access *> seen;
        (void)eachTile(i, [&](const Access &a) -> Checked<void> {
            const Tensor &t = tensorOf(program, a);
            if (t.buffer == Buffer::Sbuf && std::ranges::none_of(seen, [&](const Access *s) { return *s == a; })) {
                bytes += a.freeSize() * bytesOf(t.dtype);
                seen.push_back(&a);
            }
            return {};
        });
        if (bytes > hardware.sbufBytes)
            return fault(u"memory"_s, u"GCA035"_s,
                u"%1 needs %2 bytes per partition of SBUF at once; there are %3. Use smaller tiles."_s
                    .arg(toString(i.op))
                    .arg(bytes)
                    .arg(hardware.sbufBytes),
                i.line);
    }
    auto stream = unroll(program, hardware, {});
    if (!stream)
        return {}; // too long to unroll: estimate says so
    if (stream->undefinedRead >= 0) {
        const Instruction &i = program.instructions[size_t(stream->undefinedRead)];
        return rule(i, {},
            u"%1 reads elements of a tile that nothing has written before. Write the tile first, or enlarge what is written."_s
                .arg(toString(i.op)));
    }
    if (stream->openAccumulators > hardware.psumBanks)
        return fault(u"memory"_s, u"GCA035"_s,
            u"%1 matmul accumulations are open at once; PSUM has %2 banks. Finish and copy out some before starting others."_s
                .arg(stream->openAccumulators)
                .arg(hardware.psumBanks),
            program.instructions[size_t(stream->openAccumulatorsAt)].line);
    if (!hardware.policy.spill && stream->peakBytes > hardware.sbufBytes)
        return fault(u"memory"_s, u"GCA035"_s,
            u"The live tiles need %1 bytes per partition of SBUF; there are %2. Use smaller tiles or fewer at once."_s
                .arg(stream->peakBytes)
                .arg(hardware.sbufBytes),
            program.instructions[size_t(stream->peakAt)].line);
    if (unrolled)
        *unrolled = std::move(*stream);
    return {};
}

Checked<void> checkProgram(const Program &program, const Hardware &hardware, std::optional<Stream> *unrolled)
{
    if (auto r = checkBounds(program); !r)
        return r;
    if (auto r = checkInstructions(program, hardware); !r)
        return r;
    if (auto r = checkRaces(program); !r)
        return r;
    return checkCapacity(program, hardware, unrolled);
}

} // namespace accelopt::neuroncore
