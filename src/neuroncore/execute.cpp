// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/execute.h"

#include "neuroncore/rows.h"

#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <cstring>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::neuroncore {

int64_t Executor::offset(const View &v) const
{
    int64_t o = v.c;
    for (const Term &t : v.loops)
        o += t.k * m_context.values[size_t(t.id)];
    return o;
}

int64_t Executor::value(const Affine &a, std::span<const int64_t> coordinates) const
{
    int64_t x = a.c;
    for (const Term &t : a.loops)
        x += t.k * m_context.values[size_t(t.id)];
    for (const Term &t : a.axes)
        x += t.k * coordinates[size_t(t.id)];
    return x;
}

bool Executor::inside(const View &v, std::span<const int64_t> coordinates) const
{
    const Tensor &t = m_program.tensors[v.tensor];
    for (size_t d = 0; d < t.shape.size(); ++d) {
        const int64_t x = value(v.access->index[d], coordinates);
        if (x < 0 || x >= t.shape[d])
            return false;
    }
    return true;
}

void Executor::outOfBounds(const Instruction &i, const View &v)
{
    if (!m_context.fault)
        m_context.fault = Fault{u"rule"_s, u"err_tensor_access_out_of_bound"_s,
            u"%1 reaches outside of \"%2\". Mask the elements that do not exist, or correct the index."_s.arg(
                toString(i.op), m_program.tensors[v.tensor].name),
            i.line};
}

bool Executor::checkBounds(
    const Instruction &i, const View &v, std::span<const int64_t> first, std::span<const int64_t> last)
{
    if (v.inBounds || (inside(v, first) && inside(v, last)))
        return true;
    outOfBounds(i, v);
    return false;
}

const float *Executor::source(const Row &row, int64_t n, size_t slot)
{
    if (row.stride == 1 || row.stride == 0 || n == 1)
        return row.p;
    std::vector<float> &s = m_context.scratch[slot];
    if (int64_t(s.size()) < n)
        s.resize(size_t(n));
    for (int64_t k = 0; k < n; ++k)
        s[size_t(k)] = row.p[k * row.stride];
    return s.data();
}

float *Executor::target(const Row &row, int64_t n, size_t slot)
{
    if (row.stride == 1 || n == 1)
        return row.p;
    std::vector<float> &s = m_context.scratch[slot];
    if (int64_t(s.size()) < n)
        s.resize(size_t(n));
    return s.data();
}

void Executor::finish(const View &v, const Row &row, float *values, int64_t n)
{
    if (v.external)
        m_kernels.round(m_program.tensors[v.tensor].dtype, values, size_t(n));
    if (values != row.p)
        for (int64_t k = 0; k < n; ++k)
            row.p[k * row.stride] = values[k];
}

/// f(dst, sources, n): sources[k].p contiguous, or one value where sources[k].stride is 0.
template <typename F> void Executor::elementwise(const Instruction &i, std::span<const View *const> sources, F f)
{
    std::array<const View *, 5> views{};
    views[0] = &m_layout.instructions[i.id].dst;
    std::ranges::copy(sources, views.begin() + 1);
    const size_t count = sources.size();
    rows(
        i, i.dst.shape, std::span(views.data(), count + 1), [&](std::span<Row> r, int64_t n, std::span<const int64_t>) {
            std::array<Row, 4> from;
            for (size_t k = 0; k < count; ++k)
                from[k] = Row{const_cast<float *>(source(r[k + 1], n, k + 1)), r[k + 1].stride == 0 ? 0 : 1};
            float *to = target(r[0], n, 0);
            f(to, std::span(from.data(), count), size_t(n));
            finish(*views[0], r[0], to, n);
        });
}

void Executor::gather(const Instruction &i, const View &v, std::vector<float> &dense)
{
    const std::vector<int64_t> &shape = v.access->shape;
    const int64_t count = v.access->partitions() * v.access->freeSize();
    dense.resize(size_t(count));
    Instruction whole; // the rows of the operand itself, unmasked
    whole.op = i.op;
    whole.line = i.line;
    float *out = dense.data();
    const View *const views[] = {&v};
    rows(whole, shape, views, [&](std::span<Row> r, int64_t n, std::span<const int64_t>) {
        if (r[0].stride == 1)
            std::memcpy(out, r[0].p, size_t(n) * sizeof(float));
        else
            for (int64_t k = 0; k < n; ++k)
                out[k] = r[0].p[k * r[0].stride];
        out += n;
    });
}

void Executor::scatter(const Instruction &i, const View &v, const std::vector<float> &dense)
{
    const std::vector<int64_t> &shape = v.access->shape;
    std::vector<int64_t> strides(shape.size(), 1);
    for (size_t d = shape.size() - 1; d > 0; --d)
        strides[d - 1] = strides[d] * shape[d];
    View from;
    from.inBounds = true;
    from.strides = strides;
    from.dense = const_cast<float *>(dense.data());
    const View *const views[] = {&v, &from};
    rows(i, shape, views, [&](std::span<Row> r, int64_t n, std::span<const int64_t>) {
        const float *const src = r[1].p;
        float *to = target(r[0], n, 0);
        if (r[1].stride == 1 || n == 1)
            std::memcpy(to, src, size_t(n) * sizeof(float));
        else
            for (int64_t k = 0; k < n; ++k)
                to[k] = src[k * r[1].stride];
        finish(v, r[0], to, n);
    });
}

const View *Executor::find(
    const Instruction &i, const CompiledInstruction &c, Role role, const float **constant, float *store) const
{
    for (size_t k = 0; k < i.src.size(); ++k)
        if (i.src[k].role == role) {
            if (!i.src[k].isConstant)
                return &c.src[k];
            *store = float(i.src[k].value);
            *constant = store;
            return nullptr;
        }
    return nullptr;
}

void Executor::matmul(const Instruction &i, const CompiledInstruction &c)
{
    const View &s = i.src[0].role == Role::Stationary ? c.src[0] : c.src[1],
               &m = i.src[0].role == Role::Stationary ? c.src[1] : c.src[0];
    const int64_t depth = s.access->partitions(), rowCount = s.access->freeSize(), columns = m.access->freeSize();
    // The operands as they lie where the free axes are one contiguous run, else packed.
    const auto matrix = [&](const View &v, std::vector<float> &scratch, int64_t &stride) -> const float * {
        int64_t run = 1;
        bool dense = v.inBounds;
        for (size_t d = v.strides.size() - 1; d > 0; --d) {
            dense = dense && (v.access->shape[d] == 1 || v.strides[d] == run);
            run *= v.access->shape[d];
        }
        if (dense && (v.strides[0] >= run || depth == 1)) {
            stride = std::max(v.strides[0], run);
            return m_context.base[size_t(v.tensor)] + offset(v);
        }
        gather(i, v, scratch);
        stride = run;
        return scratch.data();
    };
    int64_t lda = 0, ldb = 0, ldc = columns;
    const float *const a = matrix(s, m_context.scratch[3], lda);
    const float *const b = matrix(m, m_context.scratch[4], ldb);
    if (m_context.fault)
        return;
    if (i.isTranspose) {
        bool identity = true;
        for (int64_t r = 0; r < depth && identity; ++r)
            for (int64_t k = 0; k < columns; ++k)
                identity = identity && b[r * ldb + k] == (r == k ? 1.0F : 0.0F);
        if (!identity) {
            m_context.fault =
                Fault{u"rule"_s, {}, u"nc_matmul(is_transpose=True) needs the identity as its moving tile."_s, i.line};
            return;
        }
    }
    int64_t run = 1;
    bool direct = c.dst.inBounds && i.mask.empty() && !c.dst.external;
    for (size_t d = c.dst.strides.size() - 1; d > 0; --d) {
        direct = direct && (i.dst.shape[d] == 1 || c.dst.strides[d] == run);
        run *= i.dst.shape[d];
    }
    direct = direct && (c.dst.strides[0] >= columns || rowCount == 1);
    std::vector<float> &out = m_context.scratch[5];
    float *result = nullptr;
    if (direct) {
        result = m_context.base[size_t(c.dst.tensor)] + offset(c.dst);
        ldc = std::max(c.dst.strides[0], columns);
    } else {
        out.resize(size_t(rowCount * columns));
        if (i.accumulate) {
            gather(i, c.dst, out);
            if (m_context.fault)
                return;
        }
        result = out.data();
    }
    if (i.isTranspose && !i.accumulate)
        m_kernels.transpose(result, size_t(ldc), a, size_t(lda), size_t(depth), size_t(rowCount));
    else
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, int(rowCount), int(columns), int(depth), 1.0F, a, int(lda),
            b, int(ldb), i.accumulate ? 1.0F : 0.0F, result, int(ldc));
    if (!direct)
        scatter(i, c.dst, out);
}

void Executor::transpose(const Instruction &i, const CompiledInstruction &c)
{
    const View &s = c.src[0];
    const size_t rowCount = size_t(s.access->shape[0]), columns = size_t(s.access->shape[1]);
    if (s.inBounds && c.dst.inBounds && i.mask.empty() && !c.dst.external && (s.strides[1] == 1 || columns == 1)
        && (c.dst.strides[1] == 1 || rowCount == 1) && s.tensor != c.dst.tensor) {
        m_kernels.transpose(m_context.base[size_t(c.dst.tensor)] + offset(c.dst), size_t(c.dst.strides[0]),
            m_context.base[size_t(s.tensor)] + offset(s), size_t(s.strides[0]), rowCount, columns);
        return;
    }
    std::vector<float> &in = m_context.scratch[3], &out = m_context.scratch[5];
    gather(i, s, in);
    out.resize(in.size());
    m_kernels.transpose(out.data(), rowCount, in.data(), columns, rowCount, columns);
    if (!m_context.fault)
        scatter(i, c.dst, out);
}

void Executor::tensorReduce(const Instruction &i, const CompiledInstruction &c)
{
    const View &s = c.src[0];
    const std::vector<int64_t> &shape = s.access->shape;
    std::vector<int64_t> keptStrides(shape.size(), 0);
    int64_t kept = 1;
    for (size_t d = shape.size(); d-- > 0;)
        if (!(i.axes >> d & 1)) {
            keptStrides[d] = kept;
            kept *= shape[d];
        }
    std::vector<float> &out = m_context.scratch[5];
    const Alu op = i.op0 == Alu::Subtract ? Alu::Add : i.op0;
    out.assign(size_t(kept), reductionIdentity(op));
    View index;
    index.inBounds = true;
    index.strides = keptStrides;
    index.dense = out.data();
    const View *const views[] = {&s, &index};
    rows(i, shape, views, [&](std::span<Row> r, int64_t n, std::span<const int64_t>) {
        float *const to = r[1].p;
        const float *const from = source(r[0], n, 1);
        if (r[1].stride == 0 && r[0].stride != 0)
            *to = m_kernels.reduce(op, *to, from, size_t(n));
        else
            for (int64_t k = 0; k < n; ++k) {
                float *const cell = to + k * r[1].stride;
                *cell = m_kernels.reduce(op, *cell, from + (r[0].stride == 0 ? 0 : k), 1);
            }
    });
    if (i.op0 == Alu::Subtract || i.negate)
        for (float &x : out)
            x = -x;
    Instruction plain;
    plain.op = i.op;
    plain.line = i.line;
    if (!m_context.fault)
        scatter(plain, c.dst, out);
}

/// dst2 (and the accumulators) from the dst as it was written; `op` along the free axes.
void Executor::sideReduction(const Instruction &i, const CompiledInstruction &c, Alu op)
{
    const int64_t partitions = i.dst.partitions();
    std::vector<float> &sums = m_context.scratch[5];
    sums.assign(size_t(partitions), reductionIdentity(op));
    if (i.mask.empty()) {
        std::vector<float> &dense = m_context.scratch[3];
        gather(i, c.dst, dense);
        const size_t width = size_t(i.dst.freeSize());
        for (size_t p = 0; p < size_t(partitions); ++p)
            sums[p] = m_kernels.reduce(op, sums[p], dense.data() + p * width, width);
    } else {
        const View *const views[] = {&c.dst};
        rows(i, i.dst.shape, views, [&](std::span<Row> r, int64_t n, std::span<const int64_t> at) {
            sums[size_t(at[0])] = m_kernels.reduce(op, sums[size_t(at[0])], source(r[0], n, 1), size_t(n));
        });
    }
    if (i.op == Op::Activation) {
        for (size_t p = 0; p < size_t(partitions); ++p) {
            if (i.reduceCommand == ReduceCommand::ResetReduce || i.reduceCommand == ReduceCommand::None)
                m_context.accumulators[p] = sums[p];
            else if (i.reduceCommand == ReduceCommand::Reduce)
                m_context.accumulators[p] += sums[p];
            else if (i.reduceCommand == ReduceCommand::Reset)
                m_context.accumulators[p] = 0;
            sums[p] = m_context.accumulators[p];
        }
    }
    if (!i.dst2)
        return;
    Instruction plain;
    plain.op = i.op;
    plain.line = i.line;
    scatter(plain, c.dst2, sums);
}

void Executor::activation(const Instruction &i, const CompiledInstruction &c)
{
    float biasStore = 0, scaleStore = 1;
    const float *biasConstant = &biasStore, *scaleConstant = &scaleStore, *unused = nullptr;
    float none = 0;
    const View *const data = find(i, c, Role::Data, &unused, &none);
    const View *const bias = find(i, c, Role::Bias, &biasConstant, &biasStore);
    const View *const scale = find(i, c, Role::Scale, &scaleConstant, &scaleStore);
    std::array<const View *, 3> sources{data, nullptr, nullptr};
    size_t count = 1, biasAt = 0, scaleAt = 0;
    if (bias)
        sources[biasAt = count++] = bias;
    if (scale)
        sources[scaleAt = count++] = scale;
    elementwise(i, std::span(sources.data(), count), [&](float *to, std::span<const Row> from, size_t n) {
        const Row b = biasAt ? from[biasAt] : Row{const_cast<float *>(biasConstant), 0};
        const Row s = scaleAt ? from[scaleAt] : Row{const_cast<float *>(scaleConstant), 0};
        const float *x = from[0].p;
        if (from[0].stride == 0 && n > 1) {
            m_kernels.fill(to, *x, n);
            x = to;
        }
        if (b.stride == 0 && s.stride == 0) {
            if (*s.p != 1.0F || *b.p != 0.0F) {
                m_kernels.scaleBias(to, x, *s.p, *b.p, n);
                x = to;
            }
        } else {
            m_kernels.binary(Alu::Multiply, to, x, false, s.p, s.stride == 0, n);
            m_kernels.binary(Alu::Add, to, to, false, b.p, b.stride == 0, n);
            x = to;
        }
        m_kernels.activation(i.func, to, x, n);
    });
    if (i.hasReduce || i.reduceCommand != ReduceCommand::None)
        sideReduction(i, c, Alu::Add);
}

void Executor::tensorScalar(const Instruction &i, const CompiledInstruction &c)
{
    float store0 = 0, store1 = 0, none = 0;
    const float *constant0 = nullptr, *constant1 = nullptr, *unused = nullptr;
    const View *const data = find(i, c, Role::Data, &unused, &none);
    const View *const first = find(i, c, Role::Operand0, &constant0, &store0);
    const View *const second = find(i, c, Role::Operand1, &constant1, &store1);
    std::array<const View *, 3> sources{data, nullptr, nullptr};
    size_t count = 1, firstAt = 0, secondAt = 0;
    if (first)
        sources[firstAt = count++] = first;
    if (second)
        sources[secondAt = count++] = second;
    elementwise(i, std::span(sources.data(), count), [&](float *to, std::span<const Row> from, size_t n) {
        const Row x = from[0];
        const Row a = firstAt ? from[firstAt] : Row{const_cast<float *>(constant0), 0};
        const bool xScalar = x.stride == 0, aScalar = a.stride == 0;
        if (i.reverse0)
            m_kernels.binary(i.op0, to, a.p, aScalar, x.p, xScalar, n);
        else
            m_kernels.binary(i.op0, to, x.p, xScalar, a.p, aScalar, n);
        if (!i.hasOp1)
            return;
        const Row b = secondAt ? from[secondAt] : Row{const_cast<float *>(constant1), 0};
        if (i.reverse1)
            m_kernels.binary(i.op1, to, b.p, b.stride == 0, to, false, n);
        else
            m_kernels.binary(i.op1, to, to, false, b.p, b.stride == 0, n);
    });
    if (i.hasReduce)
        sideReduction(i, c, i.reduceOp == Alu::Subtract ? Alu::Add : i.reduceOp);
}

bool Executor::atFirstIteration(const Instruction &i) const
{
    return std::ranges::all_of(
        i.reduceLoops, [this](int loop) { return m_context.values[size_t(loop)] == m_program.loops[loop].start; });
}

void Executor::execute(int id)
{
    const Instruction &i = m_program.instructions[id];
    const CompiledInstruction &c = m_layout.instructions[id];
    float storeA = 0, storeB = 0;
    const float *a = nullptr, *b = nullptr;
    switch (i.op) {
    case Op::Load:
    case Op::Store:
    case Op::DmaCopy:
    case Op::Copy:
    case Op::Memset:
    case Op::PartitionBroadcast: {
        const View *const data = find(i, c, i.op == Op::Memset ? Role::Value : Role::Data, &a, &storeA);
        const std::array<const View *, 1> sources{data};
        elementwise(i, std::span(sources.data(), data ? 1 : 0), [&](float *to, std::span<const Row> from, size_t n) {
            if (i.rmwAdd)
                m_kernels.binary(Alu::Add, to, to, false, data ? from[0].p : a, !data || from[0].stride == 0, n);
            else if (!data || from[0].stride == 0)
                m_kernels.fill(to, data ? *from[0].p : *a, n);
            else if (to != from[0].p)
                std::memmove(to, from[0].p, n * sizeof(float));
        });
        return;
    }
    case Op::Activation:
        return activation(i, c);
    case Op::TensorScalar:
        return tensorScalar(i, c);
    case Op::Reciprocal: {
        const std::array<const View *, 1> sources{&c.src[0]};
        const float one = 1;
        return elementwise(i, sources, [&](float *to, std::span<const Row> from, size_t n) {
            m_kernels.binary(Alu::Divide, to, &one, true, from[0].p, from[0].stride == 0, n);
        });
    }
    case Op::TensorTensor: {
        const View *const x = find(i, c, Role::A, &a, &storeA), *const y = find(i, c, Role::B, &b, &storeB);
        const std::array<const View *, 2> sources{x, y};
        return elementwise(i, sources, [&](float *to, std::span<const Row> from, size_t n) {
            m_kernels.binary(i.op0, to, from[0].p, from[0].stride == 0, from[1].p, from[1].stride == 0, n);
        });
    }
    case Op::LoopReduce: {
        const bool overwrite = i.overwriteFirst && atFirstIteration(i);
        const std::array<const View *, 2> sources{&c.src[0], &c.dst};
        return elementwise(i, sources, [&](float *to, std::span<const Row> from, size_t n) {
            if (overwrite && from[0].stride != 0)
                std::memmove(to, from[0].p, n * sizeof(float));
            else if (overwrite)
                m_kernels.fill(to, *from[0].p, n);
            else
                m_kernels.binary(i.op0, to, from[1].p, from[1].stride == 0, from[0].p, from[0].stride == 0, n);
        });
    }
    case Op::Matmul:
        return matmul(i, c);
    case Op::Transpose:
    case Op::DmaTranspose:
        return transpose(i, c);
    case Op::TensorReduce:
        return tensorReduce(i, c);
    default:
        return special(i, c);
    }
}

} // namespace accelopt::neuroncore
