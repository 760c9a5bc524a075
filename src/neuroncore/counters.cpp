// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/counters.h"

#include "neuroncore/engines.h"

#include <algorithm>

namespace accelopt::neuroncore {
namespace {

bool isScratch(const Tensor &t)
{
    return t.buffer == Buffer::Hbm && t.kind == TensorKind::Temporary;
}

/// Instructions with one tile operand: only their on-chip traffic is counted.
bool isSingleInput(const Instruction &i)
{
    switch (i.op) {
    case Op::TensorTensor:
    case Op::Scan:
    case Op::ScalarTensorTensor:
    case Op::Select:
    case Op::CopyPredicated:
    case Op::LoopReduce:
        return false;
    default:
        return true;
    }
}

} // namespace

Counters count(const Stream &stream, const Program &program, const Hardware &hardware)
{
    Counters c;
    for (const Unit &u : stream.units) {
        const Instruction &i = program.instructions[size_t(u.source)];
        const Tensor &dst = program.tensors[size_t(i.dst.tensor)];
        const double outBytes = double(u.bytes);
        if (u.engine == Engine::Dma) {
            const double bytes = double(u.hbmBytes);
            ++c.dmaTransfers;
            c.dmaDescriptors += u.descriptors;
            switch (u.kind) {
            case Unit::Kind::SpillSave:
                c.hbmWrite += bytes, c.sbufRead += bytes, c.spillSave += bytes;
                break;
            case Unit::Kind::SpillReload:
                c.hbmRead += bytes, c.sbufWrite += bytes, c.spillReload += bytes;
                break;
            case Unit::Kind::Store: {
                c.hbmWrite += bytes;
                if (i.op == Op::DmaCopy && !i.src.empty() && !i.src[0].isConstant
                    && program.tensors[size_t(i.src[0].access.tensor)].buffer == Buffer::Hbm)
                    c.hbmRead += bytes;
                else
                    c.sbufRead += bytes;
                if (isScratch(dst)) // the profiler counts a kernel's own HBM scratch as spill
                    c.spillSave += bytes;
                break;
            }
            default: {
                c.hbmRead += bytes;
                c.sbufWrite += bytes;
                const Operand *data = i.find(Role::Data);
                if (data && !data->isConstant && isScratch(program.tensors[size_t(data->access.tensor)]))
                    c.spillReload += bytes;
            }
            }
            continue;
        }
        if (u.engine == Engine::Tensor) {
            c.usesTensorE = true;
            ++c.matmuls;
            const bool broadcast = i.op == Op::PartitionBroadcast;
            const bool transpose = u.transposed || i.op == Op::Transpose || i.isTranspose;
            const double passes = tensorPasses(i, program, hardware), twice = passes > 1 ? 2 : 1;
            double k = u.partitions, m = u.partitions;
            if (i.op == Op::Matmul) {
                const Operand *s = i.find(Role::Stationary);
                k = double(s->access.partitions());
                m = double(s->access.freeSize());
            } else if (i.op == Op::Transpose) {
                k = double(i.src[0].access.shape[0]);
                m = double(i.src[0].access.shape[1]);
            }
            const double macs = broadcast ? double(u.partitions) * u.n : k * m * u.n;
            const double flops = (broadcast ? 2 : 2 * twice) * macs;
            c.hardwareFlops += flops;
            c.adjustedFlops += 2 * macs * (passes > 1 ? 4 : 1);
            if (transpose) {
                c.transposeFlops += flops;
                c.adjustedTransposeFlops += 2 * macs * (passes > 1 ? 4 : 1);
            }
            c.psumWrite += double(u.n) * 4 * (broadcast ? 1 : twice);
            c.sbufRead += (broadcast ? double(u.n) * 4 : twice * (double(u.n) + m) * (passes > 1 ? 4 : 2));
            continue;
        }
        if (u.engine == Engine::Scalar && i.op == Op::Activation)
            ++c.activations;
        const double elementBytes = u.n > 0 && i.dst.freeSize() > 0 ? outBytes / double(i.dst.freeSize()) : 4;
        const double written =
            i.op == Op::TensorReduce || i.op == Op::PartitionReduce ? outBytes : double(u.n) * elementBytes;
        if (u.buffer == Buffer::Psum)
            c.psumWrite += written;
        if (!isSingleInput(i))
            continue;
        if (u.buffer == Buffer::Sbuf)
            c.sbufWrite += written;
        if (i.op == Op::Memset || i.op == Op::Iota)
            continue;
        (u.fromPsum ? c.psumRead : c.sbufRead) += double(u.n) * 4;
    }
    for (const Tensor &t : program.tensors) {
        if (t.buffer != Buffer::Hbm)
            continue;
        const double bytes = double(t.elements()) * bytesOf(t.dtype);
        if (t.kind == TensorKind::Input || t.kind == TensorKind::Constant)
            c.inputsAndWeights += bytes, c.inputsOutputsWeights += bytes;
        else if (t.kind == TensorKind::Output)
            c.inputsOutputsWeights += bytes;
    }
    return c;
}

} // namespace accelopt::neuroncore
