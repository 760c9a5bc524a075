// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/reader.h"

#include "neuroncore/names.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::neuroncore {
namespace {

constexpr qint64 maxDocument = qint64(256) << 20;
constexpr int maxTensors = 100'000, maxLoops = 20'000, maxInstructions = 200'000, maxNesting = 48;
constexpr size_t maxRank = 12, maxTileRank = 6, maxMasks = 32, maxSources = 8;
constexpr int64_t maxCoefficient = int64_t(1) << 31, maxExtent = int64_t(1) << 31, maxElements = int64_t(1) << 40;
constexpr __int128 maxIndex = __int128(1) << 47;

/// Reads with one first fault: after it, everything returns defaults and the caller asks `broken()` once.
class Reader {
public:
    Checked<Program> read(const QByteArray &json)
    {
        QJsonParseError parse;
        const QJsonDocument document = QJsonDocument::fromJson(json, &parse);
        if (!document.isObject())
            return fault(u"compile"_s, {}, u"The kernel IR is not a JSON object (%1)."_s.arg(parse.errorString()));
        const QJsonObject root = document.object();
        if (root.value("ir"_L1).toInteger(-1) != 1)
            return fault(u"compile"_s, {},
                u"The kernel IR has version %1; this program reads version 1."_s.arg(
                    root.value("ir"_L1).toVariant().toString()));
        m_program.kernel = root.value("kernel"_L1).toString();
        m_program.source = root.value("source"_L1).toString();
        m_program.frontend = root.value("frontend"_L1).toString();
        readLoops(root.value("loops"_L1).toArray());
        readTensors(root.value("tensors"_L1).toArray());
        m_loopSeen.assign(m_program.loops.size(), false);
        m_program.body = readBody(root.value("body"_L1), 0);
        for (const Tensor &tensor : m_program.tensors)
            checkTensorLoops(tensor);
        if (broken())
            return std::unexpected(m_fault);
        for (const Instruction &instruction : m_program.instructions)
            if (auto valid = validateInstruction(m_program, instruction); !valid)
                return std::unexpected(valid.error());
        if (m_program.instructions.empty())
            return fault(u"compile"_s, {}, u"The kernel has no instruction."_s);
        return std::move(m_program);
    }

private:
    Program m_program;
    Fault m_fault;
    int m_line = 0;
    std::vector<int> m_enclosing;
    std::vector<bool> m_loopSeen;

    [[nodiscard]] bool broken() const { return !m_fault.message.isEmpty(); }
    void bad(const QString &what)
    {
        if (!broken())
            m_fault = Fault{u"compile"_s, {}, u"The kernel IR is malformed: %1."_s.arg(what), m_line};
    }

    int64_t integer(const QJsonValue &value, const QString &what, int64_t lo, int64_t hi)
    {
        constexpr qint64 none = std::numeric_limits<qint64>::min();
        const qint64 n = value.toInteger(none);
        if (!value.isDouble() || n == none || n < lo || n > hi) {
            bad(u"%1 is %2, not an integer from %3 to %4"_s.arg(what, value.toVariant().toString().left(40))
                    .arg(lo)
                    .arg(hi));
            return lo;
        }
        return n;
    }

    std::vector<int64_t> shape(const QJsonValue &value, const QString &what, size_t maximum)
    {
        std::vector<int64_t> result;
        const QJsonArray array = value.toArray();
        if (array.isEmpty() || size_t(array.size()) > maximum) {
            bad(u"%1 has %2 dimensions, not 1 to %3"_s.arg(what).arg(array.size()).arg(maximum));
            return {1};
        }
        int64_t elements = 1;
        for (const QJsonValue &d : array) {
            result.push_back(integer(d, what, 1, maxExtent));
            if (result.back() > maxElements / elements)
                bad(u"%1 has too many elements"_s.arg(what));
            else
                elements *= result.back();
        }
        return result;
    }

    void readLoops(const QJsonArray &array)
    {
        if (array.size() > maxLoops)
            return bad(u"%1 loops are more than %2"_s.arg(array.size()).arg(maxLoops));
        for (const QJsonValue &value : array) {
            const QJsonObject o = value.toObject();
            Loop loop;
            loop.id = int(m_program.loops.size());
            m_line = loop.line = int(integer(o.value("line"_L1), u"a loop's line"_s, 0, 100'000'000));
            integer(o.value("id"_L1), u"a loop's id"_s, loop.id, loop.id);
            const QString kind = o.value("kind"_L1).toString();
            if (kind == "affine"_L1)
                loop.kind = LoopKind::Affine;
            else if (kind == "sequential"_L1)
                loop.kind = LoopKind::Sequential;
            else if (kind == "spmd"_L1)
                loop.kind = LoopKind::Spmd;
            else
                bad(u"the loop kind \"%1\" is unknown"_s.arg(kind.left(40)));
            loop.name = o.value("name"_L1).toString().left(200);
            loop.start = integer(o.value("start"_L1), u"a loop's start"_s, -maxExtent, maxExtent);
            loop.step = integer(o.value("step"_L1), u"a loop's step"_s, -maxExtent, maxExtent);
            loop.trip = integer(o.value("trip"_L1), u"a loop's trip count"_s, 1, maxExtent);
            const __int128 last = __int128(loop.start) + __int128(loop.step) * (loop.trip - 1);
            if (last > maxIndex || last < -maxIndex)
                bad(u"the loop \"%1\" runs out of range"_s.arg(loop.name));
            m_program.loops.push_back(loop);
        }
    }

    void readTensors(const QJsonArray &array)
    {
        if (array.size() > maxTensors)
            return bad(u"%1 tensors are more than %2"_s.arg(array.size()).arg(maxTensors));
        for (const QJsonValue &value : array) {
            const QJsonObject o = value.toObject();
            Tensor t;
            t.id = int(m_program.tensors.size());
            m_line = t.line = int(integer(o.value("line"_L1), u"a tensor's line"_s, 0, 100'000'000));
            integer(o.value("id"_L1), u"a tensor's id"_s, t.id, t.id);
            t.name = o.value("name"_L1).toString().left(200);
            const QString buffer = o.value("buffer"_L1).toString(), kind = o.value("kind"_L1).toString();
            if (buffer == "hbm"_L1)
                t.buffer = Buffer::Hbm;
            else if (buffer == "sbuf"_L1)
                t.buffer = Buffer::Sbuf;
            else if (buffer == "psum"_L1)
                t.buffer = Buffer::Psum;
            else
                bad(u"the buffer \"%1\" is unknown"_s.arg(buffer.left(40)));
            if (kind == "input"_L1)
                t.kind = TensorKind::Input;
            else if (kind == "output"_L1)
                t.kind = TensorKind::Output;
            else if (kind == "temporary"_L1)
                t.kind = TensorKind::Temporary;
            else if (kind == "constant"_L1)
                t.kind = TensorKind::Constant;
            else
                bad(u"the tensor kind \"%1\" is unknown"_s.arg(kind.left(40)));
            if (t.kind != TensorKind::Temporary && t.buffer != Buffer::Hbm)
                bad(u"the %1 \"%2\" is not in HBM"_s.arg(kind, t.name));
            if (const auto dtype = dtypeFrom(o.value("dtype"_L1).toString()))
                t.dtype = *dtype;
            else
                bad(u"the dtype \"%1\" is unknown"_s.arg(o.value("dtype"_L1).toString().left(40)));
            t.shape = shape(o.value("shape"_L1), u"the tensor \"%1\""_s.arg(t.name), maxRank);
            if (t.buffer != Buffer::Hbm) {
                t.partitionDim = int(integer(o.value("partition_dim"_L1), u"partition_dim of \"%1\""_s.arg(t.name), 0,
                    int64_t(t.shape.size()) - 1));
                if (!broken() && t.shape[t.partitionDim] > 128)
                    m_fault = Fault{u"rule"_s, u"err_num_partition_exceed_arch_limit"_s,
                        u"The tile \"%1\" has %2 partitions; SBUF and PSUM have 128. Split its partition dimension."_s
                            .arg(t.name)
                            .arg(t.shape[t.partitionDim]),
                        t.line};
            }
            if (t.kind == TensorKind::Input || t.kind == TensorKind::Output)
                t.index = int(integer(o.value("index"_L1), u"the index of \"%1\""_s.arg(t.name), 0, 1023));
            if (o.contains("output_index"_L1))
                t.outputIndex =
                    int(integer(o.value("output_index"_L1), u"output_index of \"%1\""_s.arg(t.name), 0, 1023));
            if (t.kind == TensorKind::Constant) {
                t.file = o.value("file"_L1).toString();
                if (t.file.isEmpty() || t.file.size() > 200 || t.file.contains(u'/') || t.file.startsWith(u'.'))
                    bad(u"the constant \"%1\" names no plain file"_s.arg(t.name));
            }
            if (o.contains("init"_L1)) {
                t.lazyZero = true;
                if (t.buffer != Buffer::Psum || o.value("init"_L1).toDouble(1) != 0)
                    bad(u"\"%1\": only PSUM tiles start at zero"_s.arg(t.name));
            }
            t.implicit = o.value("implicit"_L1).toBool();
            for (const QJsonValue &l : o.value("loops"_L1).toArray())
                t.loops.push_back(int(
                    integer(l, u"an enclosing loop of \"%1\""_s.arg(t.name), 0, int64_t(m_program.loops.size()) - 1)));
            if (t.loops.size() > maxNesting)
                bad(u"\"%1\" is nested too deeply"_s.arg(t.name));
            m_program.tensors.push_back(std::move(t));
        }
    }

    std::vector<Node> readBody(const QJsonValue &value, int depth)
    {
        std::vector<Node> body;
        if (!value.isArray()) {
            bad(u"a body is not a list"_s);
            return body;
        }
        for (const QJsonValue &item : value.toArray()) {
            if (broken())
                return body;
            const QJsonObject o = item.toObject();
            Node node;
            if (o.contains("loop"_L1)) {
                const int id =
                    int(integer(o.value("loop"_L1), u"a node's loop"_s, 0, int64_t(m_program.loops.size()) - 1));
                if (broken() || m_loopSeen[id] || depth >= maxNesting) {
                    bad(depth >= maxNesting ? u"loops are nested more than %1 deep"_s.arg(maxNesting)
                                            : u"loop %1 occurs twice"_s.arg(id));
                    return body;
                }
                m_loopSeen[id] = true;
                m_program.loops[id].parent = m_enclosing.empty() ? -1 : m_enclosing.back();
                m_program.loops[id].depth = depth;
                node.loop = id;
                m_enclosing.push_back(id);
                node.body = readBody(o.value("body"_L1), depth + 1);
                m_enclosing.pop_back();
            } else {
                node.instruction = readInstruction(o);
            }
            body.push_back(std::move(node));
        }
        return body;
    }

    Affine affine(const QJsonValue &value, const std::vector<int64_t> &tile)
    {
        Affine a;
        if (!value.isObject()) {
            bad(u"an index is not an affine expression"_s);
            return a;
        }
        const QJsonObject o = value.toObject();
        if (o.contains("tile"_L1)) {
            if (!broken())
                m_fault = Fault{u"compile"_s, u"err_indirect_indices_are_not_supported_with_nki_api"_s,
                    u"Indirect access (an index read from a tile) is not supported by the simulator yet."_s, m_line};
            return a;
        }
        a.c = integer(o.value("c"_L1).isUndefined() ? QJsonValue(0) : o.value("c"_L1), u"the constant of an index"_s,
            -(int64_t(1) << 46), int64_t(1) << 46);
        const auto terms = [&](QLatin1StringView key, std::vector<Term> &out, int64_t count) {
            for (const QJsonValue &pair : o.value(key).toArray()) {
                const QJsonArray p = pair.toArray();
                if (p.size() != 2) {
                    bad(u"a term of an index is not a pair"_s);
                    return;
                }
                const int id = int(integer(p[0], u"the id in an index"_s, 0, count - 1));
                const int64_t k = integer(p[1], u"a coefficient"_s, -maxCoefficient, maxCoefficient);
                if (k != 0)
                    out.push_back({id, k});
            }
            std::ranges::sort(out, {}, &Term::id);
            for (size_t i = 1; i < out.size(); ++i)
                if (out[i].id == out[i - 1].id)
                    bad(u"an index names the same variable twice"_s);
        };
        terms("loops"_L1, a.loops, int64_t(m_program.loops.size()));
        terms("axes"_L1, a.axes, int64_t(tile.size()));
        if (broken())
            return {};
        __int128 reach = a.c < 0 ? -a.c : a.c;
        for (const Term &t : a.loops) {
            if (std::ranges::find(m_enclosing, t.id) == m_enclosing.end()) {
                bad(u"an index uses the loop \"%1\" outside of it"_s.arg(m_program.loops[t.id].name));
                return {};
            }
            const Loop &loop = m_program.loops[t.id];
            const __int128 last = __int128(loop.start) + __int128(loop.step) * (loop.trip - 1), first = loop.start;
            const auto magnitude = [](__int128 x) { return x < 0 ? -x : x; };
            reach += magnitude(t.k) * std::max(magnitude(first), magnitude(last));
        }
        for (const Term &t : a.axes)
            reach += __int128(t.k < 0 ? -t.k : t.k) * (tile[t.id] - 1);
        if (reach > maxIndex)
            bad(u"an index overflows"_s);
        return a;
    }

    std::vector<Affine> affines(const QJsonValue &value, const std::vector<int64_t> &tile, const QString &what)
    {
        std::vector<Affine> result;
        const QJsonArray array = value.toArray();
        if (size_t(array.size()) > maxMasks)
            bad(u"%1 has more than %2 terms"_s.arg(what).arg(maxMasks));
        for (const QJsonValue &v : array) {
            if (broken())
                break;
            result.push_back(affine(v, tile));
        }
        return result;
    }

    Access access(const QJsonValue &value)
    {
        Access a;
        const QJsonObject o = value.toObject();
        a.tensor =
            int(integer(o.value("tensor"_L1), u"an access's tensor"_s, 0, int64_t(m_program.tensors.size()) - 1));
        if (broken() || m_program.tensors.empty())
            return a;
        const Tensor &tensor = m_program.tensors[a.tensor];
        a.shape = shape(o.value("shape"_L1), u"a tile of \"%1\""_s.arg(tensor.name), maxTileRank);
        if (a.shape.size() < 2)
            bad(u"a tile of \"%1\" has less than two axes"_s.arg(tensor.name));
        if (o.contains("dtype"_L1) && dtypeFrom(o.value("dtype"_L1).toString()) != tensor.dtype && !broken())
            m_fault = Fault{u"compile"_s, {},
                u"A view of \"%1\" with another dtype is not supported by the simulator yet."_s.arg(tensor.name),
                m_line};
        const QJsonArray index = o.value("index"_L1).toArray();
        if (size_t(index.size()) != tensor.shape.size())
            bad(u"an access of \"%1\" has %2 indices for %3 dimensions"_s.arg(tensor.name)
                    .arg(index.size())
                    .arg(tensor.shape.size()));
        for (const QJsonValue &i : index) {
            if (broken())
                return a;
            a.index.push_back(affine(i, a.shape));
        }
        if (broken())
            return a;
        for (int loop : tensor.loops)
            if (std::ranges::find(m_enclosing, loop) == m_enclosing.end()) {
                m_fault = Fault{u"rule"_s, u"err_local_variable_used_out_of_scope"_s,
                    u"The tile \"%1\" is made inside a loop and used outside of it. Declare it before the loop."_s.arg(
                        tensor.name),
                    m_line};
                return a;
            }
        if (tensor.buffer != Buffer::Hbm) {
            for (size_t d = 0; d < a.index.size(); ++d) {
                const bool partition = int(d) == tensor.partitionDim;
                for (const Term &t : a.index[d].axes)
                    if ((t.id == 0) != partition || (partition && t.k != 1))
                        bad(u"an access of \"%1\" does not lay the partition axis on its partition dimension"_s.arg(
                            tensor.name));
            }
            if (a.shape[0] > 128 && !broken())
                m_fault = Fault{u"rule"_s, u"err_num_partition_exceed_arch_limit"_s,
                    u"A tile of \"%1\" has %2 partitions; the hardware has 128."_s.arg(tensor.name).arg(a.shape[0]),
                    m_line};
        }
        return a;
    }

    double number(const QJsonValue &value)
    {
        if (value.isDouble())
            return value.toDouble();
        const QString word = value.toString();
        if (word == "inf"_L1)
            return std::numeric_limits<double>::infinity();
        if (word == "-inf"_L1)
            return -std::numeric_limits<double>::infinity();
        if (word == "nan"_L1)
            return std::numeric_limits<double>::quiet_NaN();
        bad(u"a constant is not a number"_s);
        return 0;
    }

    template <typename E> E word(const QJsonObject &o, QLatin1StringView key, std::optional<E> (*from)(const QString &))
    {
        const QString text = o.value(key).toString();
        if (const auto value = from(text))
            return *value;
        if (!broken())
            m_fault = Fault{
                u"compile"_s, {}, u"The simulator does not know %1 \"%2\"."_s.arg(QString(key), text.left(60)), m_line};
        return E{};
    }

    int readInstruction(const QJsonObject &o)
    {
        if (m_program.instructions.size() >= size_t(maxInstructions)) {
            bad(u"there are more than %1 instructions before unrolling"_s.arg(maxInstructions));
            return 0;
        }
        Instruction i;
        i.id = int(m_program.instructions.size());
        m_line = i.line = int(integer(o.value("line"_L1), u"an instruction's line"_s, 0, 100'000'000));
        i.op = word(o, "op"_L1, opFrom);
        i.engine = word(o, "engine"_L1, engineFrom);
        i.loops = m_enclosing;
        i.dst = access(o.value("dst"_L1));
        if (o.contains("dst2"_L1) && !o.value("dst2"_L1).isNull())
            i.dst2 = access(o.value("dst2"_L1));
        const QJsonArray sources = o.value("src"_L1).toArray(), roles = o.value("roles"_L1).toArray();
        if (sources.size() != roles.size() || size_t(sources.size()) > maxSources)
            bad(u"an instruction has %1 operands and %2 roles"_s.arg(sources.size()).arg(roles.size()));
        for (qsizetype s = 0; s < sources.size() && !broken(); ++s) {
            Operand operand;
            if (const auto role = roleFrom(roles[s].toString()))
                operand.role = *role;
            else
                bad(u"the operand role \"%1\" is unknown"_s.arg(roles[s].toString().left(40)));
            const QJsonObject source = sources[s].toObject();
            if (i.find(operand.role))
                bad(u"an operand role occurs twice"_s);
            if (source.contains("const"_L1)) {
                operand.isConstant = true;
                operand.value = number(source.value("const"_L1));
            } else {
                operand.access = access(sources[s]);
            }
            i.src.push_back(std::move(operand));
        }
        i.accumulate = o.value("accumulate"_L1).toBool();
        if (broken())
            return 0;
        readAttributes(i, o.value("attrs"_L1).toObject());
        const Operand *data = i.find(Role::Data);
        const bool overData = (i.op == Op::TensorReduce || i.op == Op::PartitionReduce) && data && !data->isConstant;
        i.mask = affines(o.value("mask"_L1), overData ? data->access.shape : i.dst.shape, u"a mask"_s);
        m_program.instructions.push_back(std::move(i));
        return int(m_program.instructions.size()) - 1;
    }

    void readAttributes(Instruction &i, const QJsonObject &attrs)
    {
        const auto flag = [&attrs](QLatin1StringView key) { return attrs.value(key).toBool(); };
        i.reverse0 = flag("reverse0"_L1);
        i.reverse1 = flag("reverse1"_L1);
        i.negate = flag("negate"_L1);
        i.isTranspose = flag("is_transpose"_L1);
        i.stationaryOneZero = flag("is_stationary_onezero"_L1);
        i.movingOneZero = flag("is_moving_onezero"_L1);
        i.implicit = flag("implicit"_L1);
        i.nlMatmul = flag("nl_matmul"_L1);
        i.reversePredicate = flag("reverse_pred"_L1);
        if (i.op == Op::Activation)
            i.func = word(attrs, "func"_L1, funcFrom);
        if (i.op == Op::TensorScalar || i.op == Op::ScalarTensorTensor || i.op == Op::Scan)
            i.op0 = word(attrs, "op0"_L1, aluFrom);
        if (attrs.contains("op1"_L1) && !attrs.value("op1"_L1).isNull()) {
            i.op1 = word(attrs, "op1"_L1, aluFrom);
            i.hasOp1 = true;
        }
        if (i.op == Op::TensorTensor || i.op == Op::TensorReduce || i.op == Op::PartitionReduce
            || i.op == Op::LoopReduce)
            i.op0 = word(attrs, "op"_L1, aluFrom);
        if (attrs.contains("reduce_op"_L1) && !attrs.value("reduce_op"_L1).isNull()) {
            i.reduceOp = word(attrs, "reduce_op"_L1, aluFrom);
            i.hasReduce = true;
        }
        if (attrs.contains("reduce_cmd"_L1) && !attrs.value("reduce_cmd"_L1).isNull())
            i.reduceCommand = word(attrs, "reduce_cmd"_L1, reduceCommandFrom);
        if (i.op == Op::TensorReduce)
            for (const QJsonValue &axis : attrs.value("axes"_L1).toArray())
                i.axes |= 1u << integer(axis, u"a reduced axis"_s, 1, int64_t(maxTileRank) - 1);
        if (i.op == Op::DmaCopy && attrs.contains("rmw"_L1) && !attrs.value("rmw"_L1).isNull()) {
            i.rmwAdd = attrs.value("rmw"_L1).toString() == "add"_L1;
            if (!i.rmwAdd)
                bad(u"dma_copy can only add on the way"_s);
        }
        if (i.op == Op::LoopReduce) {
            i.overwriteFirst = attrs.value("first"_L1).toString() == "overwrite"_L1;
            for (const QJsonValue &l : attrs.value("loops"_L1).toArray()) {
                const int loop = int(integer(l, u"a loop of loop_reduce"_s, 0, int64_t(m_program.loops.size()) - 1));
                if (std::ranges::find(m_enclosing, loop) == m_enclosing.end())
                    bad(u"loop_reduce names a loop outside of it"_s);
                i.reduceLoops.push_back(loop);
            }
        }
        if (i.op == Op::AffineSelect)
            i.predicate = affines(attrs.value("pred"_L1), i.dst.shape, u"a predicate"_s);
        if (i.op == Op::Iota)
            i.expression = affine(attrs.value("expr"_L1), i.dst.shape);
        if (i.op == Op::Shuffle)
            for (const QJsonValue &m : attrs.value("shuffle_mask"_L1).toArray()) {
                i.shuffle.push_back(int(integer(m, u"a shuffle mask's entry"_s, 0, 255)));
                if (i.shuffle.size() > 32 || (i.shuffle.back() > 31 && i.shuffle.back() != 255))
                    bad(u"a shuffle mask has at most 32 entries from 0 to 31, or 255"_s);
            }
    }

    void checkTensorLoops(const Tensor &tensor)
    {
        // The list is a path of the loop tree, outermost first.
        m_line = tensor.line;
        for (size_t n = 0; n < tensor.loops.size() && !broken(); ++n) {
            const int expected = n == 0 ? -1 : tensor.loops[n - 1];
            if (!m_loopSeen[tensor.loops[n]] || m_program.loops[tensor.loops[n]].parent != expected)
                bad(u"the loops around \"%1\" are not nested in each other"_s.arg(tensor.name));
        }
    }
};

} // namespace

Checked<Program> readProgram(const QByteArray &json)
{
    if (json.size() > maxDocument)
        return fault(u"compile"_s, {}, u"The kernel IR is larger than 256 MiB; unroll less."_s);
    return Reader().read(json);
}

Checked<Program> readProgramFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fault(u"infrastructure"_s, {}, u"The kernel IR %1 cannot be read: %2."_s.arg(path, file.errorString()));
    if (file.size() > maxDocument)
        return fault(u"compile"_s, {}, u"The kernel IR is larger than 256 MiB; unroll less."_s);
    return readProgram(file.readAll());
}

} // namespace accelopt::neuroncore
