// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

/// The kernel IR of docs/ir-format.md in memory. The reader guarantees: every id is valid, an access only uses loops
/// that enclose it and axes of its own tile, every index stays within +-2^47, a tile axis' extent is at least 1.
namespace accelopt::neuroncore {

enum class Buffer : uint8_t { Hbm, Sbuf, Psum };
enum class TensorKind : uint8_t { Input, Output, Temporary, Constant };
enum class LoopKind : uint8_t { Affine, Sequential, Spmd };
enum class Engine : uint8_t { Tensor, Vector, Scalar, GpSimd, Dma, Unknown };
constexpr int engineCount = 5;

enum class DType : uint8_t {
    Float32,
    BFloat16,
    Float16,
    TFloat32,
    Float32r,
    Float8E4M3,
    Float8E5M2,
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Bool
};

enum class Op : uint8_t {
    Load,
    Store,
    DmaCopy,
    DmaTranspose,
    Copy,
    Memset,
    Activation,
    TensorScalar,
    TensorTensor,
    ScalarTensorTensor,
    Scan,
    TensorReduce,
    PartitionReduce,
    PartitionBroadcast,
    Matmul,
    Transpose,
    Reciprocal,
    Select,
    CopyPredicated,
    AffineSelect,
    Iota,
    LoopReduce,
    BnStats,
    BnAggr,
    Max8,
    FindIndex8,
    MatchReplace8,
    Shuffle
};

enum class Role : uint8_t {
    Data,
    Bias,
    Scale,
    Operand0,
    Operand1,
    A,
    B,
    Data0,
    Data1,
    Initial,
    Stationary,
    Moving,
    Predicate,
    OnTrue,
    OnFalse,
    Value,
    Values
};

enum class Alu : uint8_t {
    Add,
    Subtract,
    Multiply,
    Divide,
    Maximum,
    Minimum,
    Power,
    Mod,
    Equal,
    NotEqual,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    LogicalAnd,
    LogicalOr,
    LogicalXor,
    BitwiseAnd,
    BitwiseOr,
    BitwiseXor,
    LeftShift,
    RightShift,
    AbsMax,
    AbsMin,
    Rsqrt,
    Reciprocal,
    Abs,
    Invert,
    Bypass
};

enum class Func : uint8_t {
    Copy,
    Square,
    Sigmoid,
    Relu,
    Gelu,
    GeluTanh,
    GeluSigmoid,
    GeluDx,
    Silu,
    SiluDx,
    Tanh,
    Softplus,
    Mish,
    Erf,
    ErfDx,
    Exp,
    Log,
    Sin,
    Cos,
    Tan,
    Arctan,
    Sqrt,
    Rsqrt,
    Reciprocal,
    Sign,
    Abs,
    Ceil,
    Floor,
    Rint,
    Trunc,
    Negative
};

enum class ReduceCommand : uint8_t { None, ResetReduce, Reduce, Reset, Idle };

struct Term {
    int id; ///< loop id or tile axis
    int64_t k;
    bool operator==(const Term &) const = default;
};

/// c + sum of k * (a loop's value) + sum of k * (a tile axis' coordinate)
struct Affine {
    int64_t c = 0;
    std::vector<Term> loops, axes; ///< no zero coefficients, each id once, ascending
    bool operator==(const Affine &) const = default;
    [[nodiscard]] int64_t loopCoefficient(int loop) const
    {
        for (const Term &t : loops)
            if (t.id == loop)
                return t.k;
        return 0;
    }
    [[nodiscard]] int64_t axisCoefficient(int axis) const
    {
        for (const Term &t : axes)
            if (t.id == axis)
                return t.k;
        return 0;
    }
};

struct Access {
    int tensor = -1;
    std::vector<int64_t> shape; ///< of the tile; axis 0 is the partition axis
    std::vector<Affine> index; ///< one per dimension of the tensor
    [[nodiscard]] int64_t partitions() const { return shape[0]; }
    [[nodiscard]] int64_t freeSize() const
    {
        int64_t n = 1;
        for (size_t i = 1; i < shape.size(); ++i)
            n *= shape[i];
        return n;
    }
    bool operator==(const Access &) const = default;
};

struct Operand {
    Role role = Role::Data;
    bool isConstant = false;
    double value = 0;
    Access access;
};

struct Tensor {
    int id = 0;
    QString name;
    Buffer buffer = Buffer::Hbm;
    TensorKind kind = TensorKind::Temporary;
    DType dtype = DType::Float32;
    std::vector<int64_t> shape;
    int partitionDim = -1; ///< -1 on HBM
    int line = 0;
    std::vector<int> loops; ///< that enclose the declaration, outermost first
    int index = -1; ///< position among the inputs or outputs
    int outputIndex = -1; ///< an input that is also returned
    QString file; ///< of a constant
    bool lazyZero = false; ///< zero when its life starts
    bool implicit = false; ///< not declared by the source
    [[nodiscard]] int64_t elements() const
    {
        int64_t n = 1;
        for (int64_t d : shape)
            n *= d;
        return n;
    }
};

struct Loop {
    int id = 0;
    LoopKind kind = LoopKind::Affine;
    QString name;
    int64_t start = 0, step = 1, trip = 1;
    int line = 0;
    int parent = -1; ///< enclosing loop
    int depth = 0;
};

struct Instruction {
    int id = 0; ///< program order
    Op op = Op::Copy;
    Engine engine = Engine::Unknown;
    int line = 0;
    Access dst;
    std::optional<Access> dst2;
    std::vector<Operand> src;
    std::vector<Affine> mask;
    std::vector<int> loops; ///< enclosing, outermost first
    bool accumulate = false;
    // attributes
    Func func = Func::Copy;
    Alu op0 = Alu::Add, op1 = Alu::Add, reduceOp = Alu::Add;
    bool hasOp1 = false, hasReduce = false, reverse0 = false, reverse1 = false, negate = false;
    bool isTranspose = false, stationaryOneZero = false, movingOneZero = false, implicit = false, nlMatmul = false,
         rmwAdd = false;
    bool overwriteFirst = false, reversePredicate = false;
    ReduceCommand reduceCommand = ReduceCommand::None;
    uint32_t axes = 0; ///< tensor_reduce: bit per reduced axis of data
    std::vector<int> reduceLoops;
    std::vector<Affine> predicate; ///< affine_select
    Affine expression; ///< iota
    std::vector<int> shuffle;
    [[nodiscard]] const Operand *find(Role role) const
    {
        for (const Operand &o : src)
            if (o.role == role)
                return &o;
        return nullptr;
    }
};

/// Either a loop with a body or one instruction.
struct Node {
    int loop = -1;
    int instruction = -1;
    std::vector<Node> body;
};

struct Program {
    QString kernel, source, frontend;
    std::vector<Tensor> tensors;
    std::vector<Loop> loops;
    std::vector<Instruction> instructions;
    std::vector<Node> body;
    [[nodiscard]] int64_t loopValue(int loop, int64_t n) const { return loops[loop].start + loops[loop].step * n; }
};

struct Range {
    int64_t lo, hi; ///< both included
};

[[nodiscard]] QString toString(Op op);
[[nodiscard]] QString toString(Engine engine);
[[nodiscard]] QString toString(DType dtype);
[[nodiscard]] int bytesOf(DType dtype);
[[nodiscard]] bool isFloat(DType dtype);
/// Smallest and largest value over all loop values and the coordinates of a tile of this shape.
[[nodiscard]] Range rangeOf(const Affine &affine, const Program &program, const std::vector<int64_t> &shape);

} // namespace accelopt::neuroncore
