// SPDX-License-Identifier: GPL-3.0-or-later
// The rarer operations: their operands are gathered into dense temporaries, so clarity comes before speed here.
#include "neuroncore/execute.h"
#include "neuroncore/rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::neuroncore {

/// Chan's parallel combination of (count, mean, count * variance) triples.
void Executor::bnAggregate(const std::vector<float> &data, int64_t partitions, int64_t columns, std::vector<float> &out)
{
    for (int64_t p = 0; p < partitions; ++p) {
        double count = 0, mean = 0, squares = 0;
        for (int64_t k = 0; k + 2 < columns; k += 3) {
            const float *const triple = &data[size_t(p * columns + k)];
            const double n = triple[0], delta = triple[1] - mean;
            if (n == 0)
                continue;
            squares += triple[2] + delta * delta * count * n / (count + n);
            mean += delta * n / (count + n);
            count += n;
        }
        out[size_t(p * 2)] = float(mean);
        out[size_t(p * 2 + 1)] = float(count > 0 ? squares / count : 0);
    }
}

void Executor::special(const Instruction &i, const CompiledInstruction &c)
{
    const int64_t partitions = i.dst.partitions(), columns = i.dst.freeSize(), count = partitions * columns;
    std::vector<float> out(size_t(count), 0.0F);
    /// A role's values in the order of its own tile; a constant repeated to `size`.
    const auto values = [&](Role role, int64_t size) {
        std::vector<float> dense;
        float store = 0;
        const float *constant = nullptr;
        if (const View *const v = find(i, c, role, &constant, &store))
            gather(i, *v, dense);
        else
            dense.assign(size_t(size), constant ? *constant : 0.0F);
        return dense;
    };
    switch (i.op) {
    case Op::ScalarTensorTensor: {
        const auto data = values(Role::Data, count), scalar = values(Role::Operand0, partitions),
                   other = values(Role::Operand1, count);
        for (int64_t p = 0; p < partitions; ++p) {
            float *const to = &out[size_t(p * columns)];
            const float *const x = &data[size_t(p * columns)], *const s = &scalar[size_t(p)],
                               *const y = &other[size_t(p * columns)];
            const size_t n = size_t(columns);
            i.reverse0 ? m_kernels.binary(i.op0, to, s, true, x, false, n)
                       : m_kernels.binary(i.op0, to, x, false, s, true, n);
            i.reverse1 ? m_kernels.binary(i.op1, to, y, false, to, false, n)
                       : m_kernels.binary(i.op1, to, to, false, y, false, n);
        }
        break;
    }
    case Op::Scan: {
        const auto d0 = values(Role::Data0, count), d1 = values(Role::Data1, count),
                   initial = values(Role::Initial, partitions);
        for (int64_t p = 0; p < partitions; ++p)
            m_kernels.scan(i.op0, i.op1, &out[size_t(p * columns)], &d0[size_t(p * columns)], false,
                &d1[size_t(p * columns)], false, initial[size_t(p)], size_t(columns));
        break;
    }
    case Op::PartitionReduce: {
        std::fill(out.begin(), out.end(), reductionIdentity(i.op0 == Alu::Subtract ? Alu::Add : i.op0));
        const Alu op = i.op0 == Alu::Subtract ? Alu::Add : i.op0;
        const std::vector<int64_t> &shape = i.src[0].access.shape;
        View index;
        index.inBounds = true;
        index.strides.assign(shape.size(), 1);
        for (size_t d = shape.size() - 1; d > 1; --d)
            index.strides[d - 1] = index.strides[d] * shape[d];
        index.strides[0] = 0;
        index.dense = out.data();
        const View *const views[] = {&c.src[0], &index};
        rows(i, shape, views, [&](std::span<Row> r, int64_t n, std::span<const int64_t>) {
            for (int64_t k = 0; k < n; ++k) {
                float &cell = r[1].p[k * r[1].stride];
                const float x = r[0].p[k * r[0].stride];
                m_kernels.binary(op, &cell, &cell, true, &x, true, 1);
            }
        });
        Instruction plain;
        plain.op = i.op;
        plain.line = i.line;
        if (!m_context.fault)
            scatter(plain, c.dst, out);
        return;
    }
    case Op::Select: {
        const auto predicate = values(Role::Predicate, count), yes = values(Role::OnTrue, count),
                   no = values(Role::OnFalse, count);
        for (size_t k = 0; k < out.size(); ++k)
            out[k] = predicate[k] != 0 ? yes[k] : no[k];
        break;
    }
    case Op::CopyPredicated: {
        const auto predicate = values(Role::Predicate, count), data = values(Role::Data, count);
        gather(i, c.dst, out);
        for (size_t k = 0; k < out.size(); ++k)
            if ((predicate[k] != 0) != i.reversePredicate)
                out[k] = data[k];
        break;
    }
    case Op::AffineSelect:
    case Op::Iota: {
        const bool select = i.op == Op::AffineSelect;
        std::vector<float> yes, no;
        if (select)
            yes = values(Role::OnTrue, count), no = values(Role::OnFalse, count);
        std::vector<int64_t> at(i.dst.shape.size(), 0);
        for (size_t k = 0; k < out.size(); ++k) {
            if (select)
                out[k] = std::ranges::all_of(i.predicate, [&](const Affine &a) { return value(a, at) >= 0; }) ? yes[k]
                                                                                                              : no[k];
            else
                out[k] = float(value(i.expression, at));
            for (size_t d = at.size(); d-- > 0;) {
                if (++at[d] < i.dst.shape[d])
                    break;
                at[d] = 0;
            }
        }
        break;
    }
    case Op::BnStats: {
        const auto data = values(Role::Data, count);
        const int64_t width = i.src[0].access.freeSize();
        for (int64_t p = 0; p < partitions; ++p)
            for (int64_t half = 0; half < 2; ++half) {
                double n = 0, sum = 0, squares = 0;
                for (int64_t k = half; k < width; k += 2)
                    n += 1, sum += data[size_t(p * width + k)];
                const double mean = n > 0 ? sum / n : 0;
                for (int64_t k = half; k < width; k += 2)
                    squares += std::pow(data[size_t(p * width + k)] - mean, 2);
                float *const to = &out[size_t(p * 6 + half * 3)];
                to[0] = float(n), to[1] = float(mean), to[2] = float(squares);
            }
        break;
    }
    case Op::BnAggr:
        bnAggregate(values(Role::Data, count), partitions, i.src[0].access.freeSize(), out);
        break;
    case Op::Max8:
    case Op::FindIndex8:
    case Op::MatchReplace8: {
        const auto data = values(Role::Data, count);
        const auto wanted = i.op == Op::Max8 ? std::vector<float>() : values(Role::Values, partitions * 8);
        const auto replacement = i.op == Op::MatchReplace8 ? values(Role::Value, 1) : std::vector<float>(1);
        const size_t width = size_t(i.find(Role::Data)->access.freeSize());
        for (size_t p = 0; p < size_t(partitions); ++p) {
            const float *const row = &data[p * width];
            if (i.op == Op::Max8) {
                std::vector<float> sorted(row, row + width);
                std::partial_sort(sorted.begin(), sorted.begin() + 8, sorted.end(), std::greater<>());
                std::copy_n(sorted.begin(), 8, &out[p * 8]);
                continue;
            }
            std::vector<bool> taken(width);
            if (i.op == Op::MatchReplace8)
                std::copy_n(row, width, &out[p * width]);
            for (size_t v = 0; v < 8; ++v) {
                size_t at = 0;
                while (at < width && (taken[at] || row[at] != wanted[p * 8 + v]))
                    ++at;
                if (at < width)
                    taken[at] = true;
                if (i.op == Op::FindIndex8)
                    out[p * 8 + v] = at < width ? float(at) : std::numeric_limits<float>::quiet_NaN();
                else if (at < width)
                    out[p * width + at] = replacement[0];
            }
        }
        break;
    }
    case Op::Shuffle: {
        const auto data = values(Role::Data, count);
        gather(i, c.dst, out);
        for (int64_t p = 0; p < partitions; ++p) {
            const size_t lane = size_t(p % 32);
            if (lane >= i.shuffle.size() || i.shuffle[lane] == 255)
                continue;
            const int64_t from = p / 32 * 32 + i.shuffle[lane];
            if (from < partitions)
                std::copy_n(&data[size_t(from * columns)], columns, &out[size_t(p * columns)]);
        }
        break;
    }
    default:
        m_context.fault =
            Fault{u"compile"_s, {}, u"The simulator cannot compute %1 yet."_s.arg(toString(i.op)), i.line};
        return;
    }
    if (!m_context.fault)
        scatter(i, c.dst, out);
}

} // namespace accelopt::neuroncore
