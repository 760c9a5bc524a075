// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/names.h"

#include <array>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::neuroncore {
namespace {

constexpr std::array opNames{"load"_L1, "store"_L1, "dma_copy"_L1, "dma_transpose"_L1, "copy"_L1, "memset"_L1,
    "activation"_L1, "tensor_scalar"_L1, "tensor_tensor"_L1, "scalar_tensor_tensor"_L1, "tensor_tensor_scan"_L1,
    "tensor_reduce"_L1, "partition_reduce"_L1, "partition_broadcast"_L1, "matmul"_L1, "transpose"_L1, "reciprocal"_L1,
    "select"_L1, "copy_predicated"_L1, "affine_select"_L1, "iota"_L1, "loop_reduce"_L1, "bn_stats"_L1, "bn_aggr"_L1,
    "max8"_L1, "find_index8"_L1, "match_replace8"_L1, "shuffle"_L1};
constexpr std::array engineNames{"tensor"_L1, "vector"_L1, "scalar"_L1, "gpsimd"_L1, "dma"_L1, "unknown"_L1};
constexpr std::array dtypeNames{"float32"_L1, "bfloat16"_L1, "float16"_L1, "tfloat32"_L1, "float32r"_L1,
    "float8_e4m3"_L1, "float8_e5m2"_L1, "int8"_L1, "uint8"_L1, "int16"_L1, "uint16"_L1, "int32"_L1, "uint32"_L1,
    "bool"_L1};
constexpr std::array roleNames{"data"_L1, "bias"_L1, "scale"_L1, "operand0"_L1, "operand1"_L1, "a"_L1, "b"_L1,
    "data0"_L1, "data1"_L1, "initial"_L1, "stationary"_L1, "moving"_L1, "predicate"_L1, "on_true"_L1, "on_false"_L1,
    "value"_L1, "values"_L1};
constexpr std::array aluNames{"add"_L1, "subtract"_L1, "multiply"_L1, "divide"_L1, "maximum"_L1, "minimum"_L1,
    "power"_L1, "mod"_L1, "equal"_L1, "not_equal"_L1, "greater"_L1, "greater_equal"_L1, "less"_L1, "less_equal"_L1,
    "logical_and"_L1, "logical_or"_L1, "logical_xor"_L1, "bitwise_and"_L1, "bitwise_or"_L1, "bitwise_xor"_L1,
    "left_shift"_L1, "right_shift"_L1, "abs_max"_L1, "abs_min"_L1, "rsqrt"_L1, "reciprocal"_L1, "abs"_L1, "invert"_L1,
    "bypass"_L1};
constexpr std::array funcNames{"copy"_L1, "square"_L1, "sigmoid"_L1, "relu"_L1, "gelu"_L1, "gelu_apprx_tanh"_L1,
    "gelu_apprx_sigmoid"_L1, "gelu_dx"_L1, "silu"_L1, "silu_dx"_L1, "tanh"_L1, "softplus"_L1, "mish"_L1, "erf"_L1,
    "erf_dx"_L1, "exp"_L1, "log"_L1, "sin"_L1, "cos"_L1, "tan"_L1, "arctan"_L1, "sqrt"_L1, "rsqrt"_L1, "reciprocal"_L1,
    "sign"_L1, "abs"_L1, "ceil"_L1, "floor"_L1, "rint"_L1, "trunc"_L1, "negative"_L1};
constexpr std::array reduceCommandNames{"none"_L1, "reset_reduce"_L1, "reduce"_L1, "reset"_L1, "idle"_L1};

template <typename E, size_t N>
std::optional<E> lookUp(const std::array<QLatin1StringView, N> &names, const QString &word)
{
    for (size_t i = 0; i < N; ++i)
        if (word == names[i])
            return E(i);
    return std::nullopt;
}

} // namespace

std::optional<Op> opFrom(const QString &word)
{
    return lookUp<Op>(opNames, word);
}
std::optional<Engine> engineFrom(const QString &word)
{
    return lookUp<Engine>(engineNames, word);
}
std::optional<DType> dtypeFrom(const QString &word)
{
    return lookUp<DType>(dtypeNames, word);
}
std::optional<Role> roleFrom(const QString &word)
{
    return lookUp<Role>(roleNames, word);
}
std::optional<Alu> aluFrom(const QString &word)
{
    return lookUp<Alu>(aluNames, word);
}
std::optional<Func> funcFrom(const QString &word)
{
    return lookUp<Func>(funcNames, word);
}
std::optional<ReduceCommand> reduceCommandFrom(const QString &word)
{
    return lookUp<ReduceCommand>(reduceCommandNames, word);
}

bool isReduction(Alu op)
{
    switch (op) {
    case Alu::Add:
    case Alu::Subtract:
    case Alu::Multiply:
    case Alu::Maximum:
    case Alu::Minimum:
    case Alu::LogicalAnd:
    case Alu::LogicalOr:
    case Alu::LogicalXor:
    case Alu::BitwiseAnd:
    case Alu::BitwiseOr:
    case Alu::BitwiseXor:
        return true;
    default:
        return false;
    }
}

bool isBitwise(Alu op)
{
    switch (op) {
    case Alu::BitwiseAnd:
    case Alu::BitwiseOr:
    case Alu::BitwiseXor:
    case Alu::LeftShift:
    case Alu::RightShift:
    case Alu::Invert:
        return true;
    default:
        return false;
    }
}

QString toString(Op op)
{
    return opNames[size_t(op)];
}
QString toString(Engine engine)
{
    return engineNames[size_t(engine)];
}
QString toString(DType dtype)
{
    return dtypeNames[size_t(dtype)];
}

int bytesOf(DType dtype)
{
    switch (dtype) {
    case DType::Float32:
    case DType::TFloat32:
    case DType::Float32r:
    case DType::Int32:
    case DType::UInt32:
        return 4;
    case DType::BFloat16:
    case DType::Float16:
    case DType::Int16:
    case DType::UInt16:
        return 2;
    default:
        return 1;
    }
}

bool isFloat(DType dtype)
{
    return dtype <= DType::Float8E5M2;
}

Range rangeOf(const Affine &affine, const Program &program, const std::vector<int64_t> &shape)
{
    Range r{affine.c, affine.c};
    const auto widen = [&r](int64_t a, int64_t b) {
        r.lo += std::min(a, b);
        r.hi += std::max(a, b);
    };
    for (const Term &t : affine.loops) {
        const Loop &loop = program.loops[t.id];
        widen(t.k * loop.start, t.k * (loop.start + loop.step * (loop.trip - 1)));
    }
    for (const Term &t : affine.axes)
        widen(0, t.k * (shape[t.id] - 1));
    return r;
}

} // namespace accelopt::neuroncore
