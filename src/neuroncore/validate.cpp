// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/names.h"
#include "neuroncore/reader.h"

#include <QStringList>
#include <initializer_list>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::neuroncore {
namespace {

using Shape = std::vector<int64_t>;

QString text(const Shape &shape)
{
    QStringList parts;
    for (int64_t d : shape)
        parts << QString::number(d);
    return u"["_s + parts.join(u", "_s) + u"]"_s;
}

int64_t product(const Shape &shape, size_t from)
{
    int64_t n = 1;
    for (size_t i = from; i < shape.size(); ++i)
        n *= shape[i];
    return n;
}

/// One instruction's operands against the table of docs/ir-format.md.
class Validator {
public:
    Validator(const Program &program, const Instruction &i)
        : m_program(program)
        , m_i(i)
    {
    }

    Checked<void> run()
    {
        switch (m_i.op) {
        case Op::Load:
            need({Role::Data}), place(m_i.dst, Buffer::Sbuf), tile(Role::Data, Buffer::Hbm), same(Role::Data);
            break;
        case Op::Store:
            need({Role::Data}), place(m_i.dst, Buffer::Hbm), same(Role::Data);
            if (const Operand *data = m_i.find(Role::Data);
                data && !data->isConstant && bufferOf(data->access) == Buffer::Hbm)
                memory(u"A store takes its value from SBUF or PSUM; load it first."_s);
            break;
        case Op::DmaCopy:
        case Op::Copy:
        case Op::Reciprocal:
        case Op::LoopReduce:
        case Op::Shuffle:
            need({Role::Data}), tile(Role::Data), same(Role::Data);
            break;
        case Op::PartitionBroadcast:
            need({Role::Data}), tile(Role::Data), broadcastSource();
            break;
        case Op::DmaTranspose:
        case Op::Transpose:
            need({Role::Data}), tile(Role::Data), transposed();
            break;
        case Op::Memset:
            need({Role::Value}), constant(Role::Value);
            break;
        case Op::Iota:
            need({});
            break;
        case Op::Activation:
            need({Role::Data}, {Role::Bias, Role::Scale}), tile(Role::Data), same(Role::Data), vector(Role::Bias),
                vector(Role::Scale), sideReduction();
            break;
        case Op::TensorScalar:
            need({Role::Data, Role::Operand0}, {Role::Operand1}), tile(Role::Data), same(Role::Data),
                vector(Role::Operand0), vector(Role::Operand1), sideReduction();
            if (m_i.hasOp1 != (m_i.find(Role::Operand1) != nullptr))
                shape(u"op1 and operand1 belong together"_s);
            break;
        case Op::TensorTensor:
            need({Role::A, Role::B}), tile(Role::A), tile(Role::B), same(Role::A), same(Role::B);
            break;
        case Op::ScalarTensorTensor:
            need({Role::Data, Role::Operand0, Role::Operand1}), tile(Role::Data), same(Role::Data),
                vector(Role::Operand0), tile(Role::Operand1), same(Role::Operand1);
            if (!m_i.hasOp1)
                shape(u"op1 is missing"_s);
            break;
        case Op::Scan:
            need({Role::Data0, Role::Data1, Role::Initial}), tile(Role::Data0), tile(Role::Data1), same(Role::Data0),
                same(Role::Data1), vector(Role::Initial);
            if (!m_i.hasOp1)
                shape(u"op1 is missing"_s);
            break;
        case Op::TensorReduce:
            need({Role::Data}), tile(Role::Data), reduced();
            break;
        case Op::PartitionReduce:
            need({Role::Data}), tile(Role::Data), partitionReduced();
            break;
        case Op::Matmul:
            need({Role::Stationary, Role::Moving}), tile(Role::Stationary), tile(Role::Moving), matmul();
            break;
        case Op::Select:
            need({Role::Predicate, Role::OnTrue, Role::OnFalse}), tile(Role::Predicate), same(Role::Predicate),
                same(Role::OnTrue), same(Role::OnFalse);
            break;
        case Op::CopyPredicated:
            need({Role::Data, Role::Predicate}), tile(Role::Predicate), same(Role::Predicate), same(Role::Data);
            break;
        case Op::AffineSelect:
            need({Role::OnTrue, Role::OnFalse}), same(Role::OnTrue), same(Role::OnFalse);
            break;
        case Op::BnStats:
            need({Role::Data}), tile(Role::Data), columns(Role::Data, 1, 512), dstColumns(6);
            break;
        case Op::BnAggr:
            need({Role::Data}), tile(Role::Data), columns(Role::Data, 3, 1 << 20), dstColumns(2);
            break;
        case Op::Max8:
            need({Role::Data}), tile(Role::Data), columns(Role::Data, 8, 16384), dstColumns(8);
            break;
        case Op::FindIndex8:
            need({Role::Data, Role::Values}), tile(Role::Data), tile(Role::Values), columns(Role::Data, 8, 16384),
                columns(Role::Values, 8, 8), dstColumns(8);
            break;
        case Op::MatchReplace8:
            need({Role::Data, Role::Values, Role::Value}), tile(Role::Data), tile(Role::Values), same(Role::Data),
                columns(Role::Values, 8, 8), constant(Role::Value);
            break;
        }
        onChip();
        if (m_i.accumulate && (m_i.op != Op::Matmul || bufferOf(m_i.dst) != Buffer::Psum))
            rule({}, u"Accumulation (+=) in this form exists only for a matmul into PSUM."_s);
        if (m_i.dst2 && !m_i.hasReduce && m_i.reduceCommand == ReduceCommand::None)
            shape(u"a second result without a reduction"_s);
        return m_failed ? std::unexpected(m_fault) : Checked<void>{};
    }

private:
    const Program &m_program;
    const Instruction &m_i;
    Fault m_fault;
    bool m_failed = false;

    [[nodiscard]] Buffer bufferOf(const Access &a) const { return m_program.tensors[a.tensor].buffer; }
    void rule(const QString &id, const QString &message)
    {
        if (!m_failed)
            m_fault = Fault{u"rule"_s, id, message, m_i.line};
        m_failed = true;
    }
    void memory(const QString &message) { rule(u"err_unsupported_memory"_s, message); }
    void shape(const QString &what)
    {
        if (!m_failed)
            m_fault = Fault{u"compile"_s, {},
                u"The operands of %1 do not fit together: %2."_s.arg(toString(m_i.op), what), m_i.line};
        m_failed = true;
    }

    void need(std::initializer_list<Role> roles, std::initializer_list<Role> optional = {})
    {
        size_t known = 0;
        for (Role role : roles) {
            if (!m_i.find(role))
                return shape(u"an operand is missing"_s);
            ++known;
        }
        for (Role role : optional)
            known += m_i.find(role) != nullptr;
        if (known != m_i.src.size())
            shape(u"there is an operand too many"_s);
    }

    void place(const Access &a, Buffer buffer)
    {
        if (bufferOf(a) != buffer)
            memory(u"%1 cannot %2 the tile \"%3\" there (%4)."_s.arg(toString(m_i.op),
                buffer == Buffer::Hbm || &a == &m_i.dst ? u"write"_s : u"read"_s, m_program.tensors[a.tensor].name,
                buffer == Buffer::Hbm ? u"it must be in HBM"_s : u"it must be in SBUF"_s));
    }
    void tile(Role role)
    {
        if (const Operand *o = m_i.find(role); o && o->isConstant)
            shape(u"a tile is needed where a number is"_s);
    }
    void tile(Role role, Buffer buffer)
    {
        tile(role);
        if (const Operand *o = m_i.find(role); o && !m_failed && bufferOf(o->access) != buffer)
            memory(u"%1 reads from HBM; \"%2\" is on the chip."_s.arg(
                toString(m_i.op), m_program.tensors[o->access.tensor].name));
    }
    void constant(Role role)
    {
        if (const Operand *o = m_i.find(role); o && !o->isConstant)
            shape(u"a number is needed where a tile is"_s);
    }
    void same(Role role)
    {
        const Operand *o = m_i.find(role);
        if (m_failed || !o || o->isConstant || o->access.shape == m_i.dst.shape)
            return;
        if (o->access.shape[0] != m_i.dst.shape[0])
            rule(u"err_num_partition_mismatch"_s,
                u"The operands of %1 have %2 and %3 partitions; they must have the same."_s.arg(toString(m_i.op))
                    .arg(o->access.shape[0])
                    .arg(m_i.dst.shape[0]));
        else
            shape(u"%1 beside %2"_s.arg(text(o->access.shape), text(m_i.dst.shape)));
    }
    void vector(Role role)
    {
        const Operand *o = m_i.find(role);
        if (m_failed || !o || o->isConstant)
            return;
        if (o->access.shape.size() != m_i.dst.shape.size() || o->access.shape[0] != m_i.dst.shape[0]
            || product(o->access.shape, 1) != 1)
            shape(u"%1 where a number or one value per partition of %2 is needed"_s.arg(
                text(o->access.shape), text(m_i.dst.shape)));
    }
    void sideReduction()
    {
        if (m_i.hasReduce && (!isReduction(m_i.reduceOp) || isBitwise(m_i.reduceOp)))
            shape(u"reduce_op is no reduction"_s);
        if (m_i.dst2 && (m_i.dst2->shape[0] != m_i.dst.shape[0] || m_i.dst2->freeSize() != 1))
            shape(u"the reduction's result %1 is not one value per partition"_s.arg(text(m_i.dst2->shape)));
    }
    void broadcastSource()
    {
        const Operand *o = m_i.find(Role::Data);
        if (m_failed || !o)
            return;
        if (o->access.shape != m_i.dst.shape)
            return shape(u"%1 beside %2"_s.arg(text(o->access.shape), text(m_i.dst.shape)));
        for (const Affine &a : o->access.index)
            if (a.axisCoefficient(0) != 0)
                return shape(u"the source of a partition broadcast has more than one partition"_s);
    }
    void transposed()
    {
        const Operand *o = m_i.find(Role::Data);
        if (m_failed || !o)
            return;
        if (m_i.dst.shape.size() != 2 || o->access.shape.size() != 2 || o->access.shape[0] != m_i.dst.shape[1]
            || o->access.shape[1] != m_i.dst.shape[0])
            shape(u"%1 is not the transpose of %2"_s.arg(text(m_i.dst.shape), text(o->access.shape)));
    }
    void reduced()
    {
        const Operand *o = m_i.find(Role::Data);
        if (m_failed || !o)
            return;
        if (!isReduction(m_i.op0))
            return shape(u"op is no reduction"_s);
        if (m_i.axes == 0 || o->access.shape.size() != m_i.dst.shape.size())
            return shape(u"%1 reduced to %2"_s.arg(text(o->access.shape), text(m_i.dst.shape)));
        for (size_t d = 0; d < o->access.shape.size(); ++d)
            if (m_i.dst.shape[d] != (m_i.axes >> d & 1 ? 1 : o->access.shape[d]))
                return shape(u"%1 reduced to %2"_s.arg(text(o->access.shape), text(m_i.dst.shape)));
        if (m_i.axes >> o->access.shape.size())
            shape(u"an axis that the data does not have"_s);
    }
    void partitionReduced()
    {
        const Operand *o = m_i.find(Role::Data);
        if (m_failed || !o)
            return;
        Shape expected = o->access.shape;
        expected[0] = 1;
        if (!isReduction(m_i.op0) || m_i.dst.shape != expected)
            shape(u"%1 reduced to %2"_s.arg(text(o->access.shape), text(m_i.dst.shape)));
    }
    void columns(Role role, int64_t least, int64_t most)
    {
        const Operand *o = m_i.find(role);
        if (m_failed || !o || o->isConstant)
            return;
        if (o->access.shape[0] != m_i.dst.shape[0] || o->access.freeSize() < least || o->access.freeSize() > most)
            rule(u"err_size_of_dimension_exceed_arch_limit"_s,
                u"%1 takes %2 to %3 elements per partition, not %4."_s.arg(toString(m_i.op))
                    .arg(least)
                    .arg(most)
                    .arg(o->access.freeSize()));
    }
    void dstColumns(int64_t count)
    {
        if (m_i.dst.freeSize() != count)
            shape(u"the result has %1 elements per partition, not %2"_s.arg(m_i.dst.freeSize()).arg(count));
    }
    void matmul()
    {
        const Operand *s = m_i.find(Role::Stationary), *m = m_i.find(Role::Moving);
        if (m_failed || !s || !m)
            return;
        const Shape &a = s->access.shape, &b = m->access.shape, &c = m_i.dst.shape;
        if (a[0] != b[0])
            return rule(u"err_num_partition_mismatch"_s,
                u"The stationary tile has %1 partitions, the moving tile %2; both are the contraction and must be equal."_s
                    .arg(a[0])
                    .arg(b[0]));
        if (product(a, 1) != c[0] || product(b, 1) != product(c, 1))
            return shape(u"%1 and %2 give %3"_s.arg(text(a), text(b), text(c)));
        for (const Operand *o : {s, m})
            if (bufferOf(o->access) != Buffer::Sbuf)
                return memory(
                    u"A matmul reads both operands from SBUF; \"%1\" is elsewhere. Copy it to SBUF first."_s.arg(
                        m_program.tensors[o->access.tensor].name));
        if (bufferOf(m_i.dst) != Buffer::Psum)
            return memory(
                u"A matmul writes to PSUM; \"%1\" is elsewhere."_s.arg(m_program.tensors[m_i.dst.tensor].name));
        if (m_i.isTranspose && product(b, 1) != a[0])
            shape(u"a transpose needs the square identity as moving tile"_s);
    }
    /// Compute instructions only see SBUF and PSUM.
    void onChip()
    {
        if (m_failed || m_i.op == Op::Load || m_i.op == Op::Store || m_i.op == Op::DmaCopy
            || m_i.op == Op::DmaTranspose)
            return;
        const auto check = [this](const Access &a) {
            if (bufferOf(a) == Buffer::Hbm)
                memory(u"%1 works on SBUF and PSUM; \"%2\" is in HBM. Use nl.load and nl.store around it."_s.arg(
                    toString(m_i.op), m_program.tensors[a.tensor].name));
        };
        check(m_i.dst);
        if (m_i.dst2)
            check(*m_i.dst2);
        for (const Operand &o : m_i.src)
            if (!o.isConstant)
                check(o.access);
    }
};

} // namespace

Checked<void> validateInstruction(const Program &program, const Instruction &instruction)
{
    return Validator(program, instruction).run();
}

} // namespace accelopt::neuroncore
