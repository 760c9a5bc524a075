// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/engines.h"

#include <algorithm>
#include <map>

namespace accelopt::neuroncore {
namespace {

Engine engineOf(const Instruction &i)
{
    switch (i.op) {
    case Op::Load:
    case Op::Store:
    case Op::DmaCopy:
    case Op::DmaTranspose:
        return Engine::Dma;
    case Op::Matmul:
    case Op::PartitionBroadcast:
        return Engine::Tensor;
    case Op::Activation:
        return i.engine == Engine::Unknown ? Engine::Scalar : i.engine;
    case Op::Transpose:
        return i.engine == Engine::Unknown ? Engine::Tensor : i.engine;
    case Op::Iota:
    case Op::AffineSelect:
    case Op::PartitionReduce:
        return i.engine == Engine::Unknown ? Engine::GpSimd : i.engine;
    default:
        break;
    }
    if (i.engine != Engine::Unknown && i.engine != Engine::Dma)
        return i.engine;
    // The static choice of the Beta 1 compiler, read off the engines' active times in published profiles.
    if (i.op == Op::Copy)
        return Engine::Scalar;
    if (i.op == Op::TensorScalar && i.op0 == Alu::Multiply && i.dst.freeSize() > 1 && !i.hasReduce)
        return Engine::Scalar;
    return Engine::Vector;
}

/// Bytes of HBM that follow each other within one partition of the access.
int64_t contiguousRun(const Access &a, const Tensor &t, int64_t &partitionStride, int64_t &lastStride)
{
    std::vector<int64_t> strides(a.shape.size(), 0);
    int64_t stride = 1;
    for (size_t d = t.shape.size(); d-- > 0;) {
        for (const Term &term : a.index[d].axes)
            strides[size_t(term.id)] += term.k * stride;
        stride *= t.shape[d];
    }
    int64_t run = 1;
    for (size_t axis = a.shape.size(); axis-- > 1;) {
        if (a.shape[axis] == 1)
            continue;
        if (strides[axis] != run)
            break;
        run *= a.shape[axis];
    }
    partitionStride = strides[0];
    lastStride = a.freeSize() == 1 ? 1 : strides.back();
    return run * bytesOf(t.dtype);
}

} // namespace

std::vector<EngineChoice> chooseEngines(const Program &program, const Hardware &hardware)
{
    std::vector<EngineChoice> choices(program.instructions.size());
    std::vector<std::vector<int>> readers(program.tensors.size()), writers(program.tensors.size());
    bool usesTensorE = false;
    for (const Instruction &i : program.instructions) {
        usesTensorE = usesTensorE || i.op == Op::Matmul || i.op == Op::Transpose;
        writers[size_t(i.dst.tensor)].push_back(i.id);
        for (const Operand &o : i.src)
            if (!o.isConstant)
                readers[size_t(o.access.tensor)].push_back(i.id);
    }
    std::map<int, int> parked; // per innermost loop
    for (const Instruction &i : program.instructions) {
        EngineChoice &c = choices[size_t(i.id)];
        c.engine = engineOf(i);
        const Tensor &dst = program.tensors[size_t(i.dst.tensor)];
        const Operand *data = i.find(Role::Data);
        switch (i.op) {
        case Op::TensorReduce:
        case Op::PartitionReduce:
        case Op::BnStats:
        case Op::BnAggr:
        case Op::Max8:
        case Op::FindIndex8:
            c.streamed = &data->access;
            break;
        default:
            break;
        }
        if (c.engine == Engine::Dma) {
            const bool store = dst.buffer == Buffer::Hbm;
            const Access *hbm = store ? &i.dst : (data && !data->isConstant ? &data->access : nullptr);
            c.dma = true;
            c.copyBefore = i.op == Op::Store && data && !data->isConstant
                && program.tensors[size_t(data->access.tensor)].buffer == Buffer::Psum;
            if (hbm && program.tensors[size_t(hbm->tensor)].buffer == Buffer::Hbm) {
                const Tensor &t = program.tensors[size_t(hbm->tensor)];
                int64_t partitionStride = 0, lastStride = 0;
                c.elementBytes = bytesOf(t.dtype);
                c.runBytes = contiguousRun(*hbm, t, partitionStride, lastStride);
                if (i.op == Op::DmaTranspose
                    || (store && i.op == Op::Store && partitionStride == 1 && lastStride != 1
                        && hbm->partitions() > 1)) {
                    c.transposedDma = true;
                    c.runBytes = std::max<int64_t>(c.runBytes, hbm->partitions() * c.elementBytes);
                }
            } else {
                c.elementBytes = bytesOf(dst.dtype);
                c.runBytes = i.dst.freeSize() * c.elementBytes;
            }
        }
        // One reader, a tensor_tensor: the temporary stays in PSUM, where it costs VectorE only one pass.
        const bool mayPark = dst.buffer == Buffer::Sbuf && !i.accumulate && hardware.policy.parkInPsum > 0
            && i.dst.freeSize() * 4 <= hardware.psumBankBytes && i.dst.freeSize() > 1
            && writers[size_t(dst.id)].size() == 1 && readers[size_t(dst.id)].size() == 1
            && program.instructions[size_t(readers[size_t(dst.id)][0])].op == Op::TensorTensor;
        if (mayPark) {
            // tensor_tensor may not read both operands from PSUM.
            const Instruction &reader = program.instructions[size_t(readers[size_t(dst.id)][0])];
            bool otherInPsum = false;
            for (const Operand &o : reader.src)
                if (!o.isConstant && o.access.tensor != dst.id)
                    otherInPsum = program.tensors[size_t(o.access.tensor)].buffer == Buffer::Psum
                        || std::ranges::any_of(writers[size_t(o.access.tensor)],
                            [&](int w) { return w < i.id && choices[size_t(w)].parked; });
            const int loop = i.loops.empty() ? -1 : i.loops.back();
            if (!otherInPsum
                && (i.op == Op::PartitionBroadcast
                    || (!usesTensorE && c.engine == Engine::Scalar && parked[loop] < hardware.policy.parkInPsum))) {
                c.parked = true;
                parked[loop] += i.op != Op::PartitionBroadcast;
            }
        }
    }
    return choices;
}

double tensorPasses(const Instruction &i, const Program &program, const Hardware &hardware)
{
    const auto dtypeOf = [&](Role role) {
        const Operand *o = i.find(role);
        return o && !o->isConstant ? program.tensors[size_t(o->access.tensor)].dtype : DType::Float32;
    };
    if (i.op == Op::PartitionBroadcast)
        return dtypeOf(Role::Data) == DType::Float32 ? hardware.passesBroadcast : 1;
    if (i.op != Op::Matmul)
        return dtypeOf(Role::Data) == DType::Float32 ? hardware.passesTranspose : 1;
    const bool stationary = dtypeOf(Role::Stationary) == DType::Float32,
               moving = dtypeOf(Role::Moving) == DType::Float32;
    if (!stationary && !moving)
        return 1;
    if (i.isTranspose)
        return hardware.passesTranspose;
    return i.stationaryOneZero || i.movingOneZero ? hardware.passesOneZero : hardware.passesFloat32;
}

double busySeconds(const Unit &u, const Program &program, const Hardware &hardware)
{
    const Instruction &i = program.instructions[size_t(u.source)];
    if (u.engine == Engine::Dma)
        return 0;
    const EngineCost &cost = hardware.engines[size_t(u.engine)];
    const double n = u.n;
    if (u.engine == Engine::Tensor) {
        // Columns beyond one instruction's limit are further instructions.
        const double limit = double(hardware.matmulMoving), whole = double(int64_t(n / limit)),
                     rest = n - whole * limit;
        const double cycles =
            whole * (limit + cost.overhead) + (rest > 0 ? std::max(rest, cost.minimum) + cost.overhead : 0);
        return tensorPasses(i, program, hardware) * cycles / cost.clock;
    }
    double cycles = n, extra = 0;
    const auto narrow = [&](const Operand *o) {
        return o && !o->isConstant && bytesOf(program.tensors[size_t(o->access.tensor)].dtype) <= 2;
    };
    if (u.engine == Engine::Vector || u.engine == Engine::GpSimd) {
        switch (i.op) {
        case Op::TensorTensor:
        case Op::LoopReduce:
            if (!u.fromPsum && !(narrow(i.find(Role::A)) && narrow(i.find(Role::B))))
                cycles = 2 * n;
            break;
        case Op::Scan:
        case Op::ScalarTensorTensor:
        case Op::Select:
            cycles = 2 * n;
            break;
        case Op::CopyPredicated:
            cycles = u.fromPsum ? n : 2 * n;
            break;
        case Op::BnAggr:
            cycles = 13.0 * n / 3;
            break;
        case Op::TensorScalar:
            extra = i.hasReduce ? cost.minimum : 0;
            break;
        case Op::PartitionReduce:
            cycles = n * std::max<double>(1, u.partitions) / 16;
            break; // 16 partitions per GpSimd core
        default:
            break;
        }
    }
    if (u.engine == Engine::Scalar && (i.hasReduce || i.reduceCommand != ReduceCommand::None))
        extra = hardware.scalarReduceExtra;
    if (u.engine == Engine::GpSimd && i.op != Op::Iota && i.op != Op::AffineSelect && i.op != Op::PartitionReduce)
        cycles *= hardware.gpsimdSlowdown;
    double overhead = cost.overhead;
    if (u.engine == Engine::Vector && n <= hardware.vectorSmallLimit)
        overhead = hardware.vectorOverheadSmall;
    if (u.folded)
        return cycles / cost.clock;
    return (std::max(cycles, cost.minimum) + overhead + extra) / cost.clock;
}

} // namespace accelopt::neuroncore
