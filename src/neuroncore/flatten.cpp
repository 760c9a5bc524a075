// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/engines.h"
#include "neuroncore/stream.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::neuroncore {
namespace {

constexpr size_t boxRank = 4; ///< partition (or the leading HBM dimensions) and three more

struct Box {
    std::array<int32_t, boxRank> lo{}, hi{};
    [[nodiscard]] bool overlaps(const Box &o) const
    {
        for (size_t d = 0; d < boxRank; ++d)
            if (lo[d] >= o.hi[d] || o.lo[d] >= hi[d])
                return false;
        return true;
    }
    [[nodiscard]] bool contains(const Box &o) const
    {
        for (size_t d = 0; d < boxRank; ++d)
            if (lo[d] > o.lo[d] || hi[d] < o.hi[d])
                return false;
        return true;
    }
};

struct Written {
    Box box;
    int32_t value; ///< stream position
};

struct Tile {
    int64_t instance = -1; ///< of the declaring loop's iteration
    std::vector<Written> writers;
};

struct Key {
    uint64_t a = 0x9e3779b97f4a7c15U, b = 0xc2b2ae3d27d4eb4fU;
    void add(uint64_t x)
    {
        a = (a ^ x) * 0xff51afd7ed558ccdU;
        a ^= a >> 32;
        b = (b + x) * 0xc4ceb9fe1a85ec53U;
        b ^= b >> 29;
    }
    bool operator==(const Key &) const = default;
};
struct KeyHash {
    size_t operator()(const Key &k) const { return size_t(k.a); }
};

/// An access prepared for stepping through iterations: per box dimension and for the block index, constant + loop
/// terms.
struct Prepared {
    int tensor = -1;
    bool tracked = false;
    struct Linear {
        int64_t c = 0;
        std::vector<Term> loops;
        int64_t below = 0, above = 0; ///< reach of the axes
    };
    std::array<Linear, boxRank> dims;
    Linear block;
    uint64_t pattern = 0; ///< how the tile's axes lie in the tensor
};

class Flattener {
public:
    Flattener(const Program &program, const Hardware &hardware, const FlattenOptions &options)
        : m_program(program)
        , m_hardware(hardware)
        , m_options(options)
        , m_numbering(planNumbering(program, hardware, options))
        , m_engines(chooseEngines(program, hardware))
        , m_values(program.loops.size(), 0)
        , m_counters(program.loops.size(), 0)
        , m_entries(program.loops.size(), 0)
        , m_tiles(program.tensors.size())
        , m_wholeInstance(program.tensors.size(), 0)
    {
        m_dropped.resize(program.tensors.size());
        m_hbmRead.resize(program.tensors.size());
        m_hbmWritten.resize(program.tensors.size());
        for (const Instruction &i : program.instructions) {
            for (const Operand &o : i.src)
                if (!o.isConstant)
                    m_hbmRead[size_t(o.access.tensor)] = true;
            m_hbmWritten[size_t(i.dst.tensor)] = true;
        }
        for (const Instruction &i : program.instructions) {
            std::vector<Prepared> accesses{prepare(i.dst)};
            accesses.push_back(i.dst2 ? prepare(*i.dst2) : Prepared{});
            for (const Operand &o : i.src)
                accesses.push_back(o.isConstant ? Prepared{} : prepare(o.access));
            m_prepared.push_back(std::move(accesses));
            m_fold.push_back(folds(i));
        }
    }

    Checked<Stream> run()
    {
        for (const Node &n : m_program.body)
            if (!visit(n))
                return fault(u"compile"_s, {},
                    u"The kernel unrolls to more than %L1 instructions, too many for the timeline. Use larger tiles or fewer iterations."_s
                        .arg(m_options.limit));
        return std::move(m_stream);
    }

private:
    const Program &m_program;
    const Hardware &m_hardware;
    const FlattenOptions &m_options;
    Numbering m_numbering;
    std::vector<EngineChoice> m_engines;
    std::vector<int64_t> m_values, m_counters, m_entries; ///< per loop: value, counter, iterations begun so far
    std::vector<std::unordered_map<int64_t, Tile>> m_tiles;
    std::vector<int64_t> m_wholeInstance;
    std::vector<bool> m_hbmRead, m_hbmWritten;
    std::vector<std::vector<Prepared>> m_prepared; ///< dst, dst2, sources
    std::vector<bool> m_fold;
    std::vector<bool> m_dropped; ///< a mask left nothing to write at least once: its tile may be undefined by intention
    std::unordered_map<Key, int32_t, KeyHash> m_known;
    Stream m_stream;
    std::vector<int32_t> m_found;
    int m_reading = 0; ///< Instruction
    bool m_updating = false;

    [[nodiscard]] Prepared prepare(const Access &access) const
    {
        Prepared p;
        p.tensor = access.tensor;
        const Tensor &t = m_program.tensors[size_t(access.tensor)];
        p.tracked = t.buffer != Buffer::Hbm || (m_hbmRead[size_t(t.id)] && m_hbmWritten[size_t(t.id)]);
        const auto reach = [&](Prepared::Linear &l, const Affine &a, int64_t scale) {
            l.c += a.c * scale;
            for (const Term &term : a.loops)
                l.loops.push_back({term.id, term.k * scale});
            for (const Term &term : a.axes) {
                const int64_t span = term.k * scale * (access.shape[size_t(term.id)] - 1);
                (span < 0 ? l.below : l.above) += span;
            }
        };
        const size_t first = t.buffer == Buffer::Hbm ? 0 : size_t(t.partitionDim);
        int64_t stride = 1;
        for (size_t d = first; d-- > 0;) {
            reach(p.block, access.index[d], stride);
            stride *= t.shape[d];
        }
        // Box dimension 0 takes the partition dimension; where there are more dimensions than the box has, leading ones
        // share one.
        const size_t rank = t.shape.size() - first, keep = t.buffer == Buffer::Hbm ? 0 : 1, others = rank - keep,
                     slots = boxRank - keep;
        const size_t shared = others > slots ? others - slots + 1 : 1;
        std::array<int64_t, boxRank> strides;
        strides.fill(1);
        for (size_t j = rank; j-- > 0;) {
            const size_t free = j - std::min(j, keep);
            const size_t slot = j < keep ? 0 : keep + (free < shared ? 0 : free - shared + 1);
            reach(p.dims[slot], access.index[first + j], strides[slot]);
            strides[slot] *= t.shape[first + j];
        }
        Key pattern;
        for (const Affine &a : access.index) {
            pattern.add(77);
            for (const Term &term : a.axes)
                pattern.add(uint64_t(term.id) << 48 ^ uint64_t(term.k));
        }
        p.pattern = pattern.a;
        return p;
    }

    /// Whether the innermost loop around it becomes part of the instruction's free axis.
    [[nodiscard]] bool folds(const Instruction &i) const
    {
        if (!m_options.fold || i.loops.empty() || m_hardware.policy.foldLimit <= 0)
            return false;
        const Loop &loop = m_program.loops[size_t(i.loops.back())];
        switch (i.op) {
        case Op::Load:
        case Op::Store:
        case Op::DmaCopy:
        case Op::DmaTranspose:
        case Op::Matmul:
        case Op::Transpose:
        case Op::PartitionBroadcast:
        case Op::Scan:
            return false;
        default:
            break;
        }
        return loop.kind == LoopKind::Affine && loop.trip > 1
            && loop.trip * i.dst.freeSize() <= m_hardware.policy.foldLimit;
    }

    bool visit(const Node &n)
    {
        if (n.instruction >= 0)
            return emit(m_program.instructions[size_t(n.instruction)]);
        const Loop &loop = m_program.loops[size_t(n.loop)];
        for (int64_t k = 0; k < loop.trip; ++k) {
            m_counters[size_t(n.loop)] = k;
            m_values[size_t(n.loop)] = loop.start + loop.step * k;
            ++m_entries[size_t(n.loop)];
            for (const Node &child : n.body)
                if (!visit(child))
                    return false;
            if (n.body.empty())
                break;
        }
        return true;
    }

    [[nodiscard]] int64_t at(const Prepared::Linear &l) const
    {
        int64_t x = l.c;
        for (const Term &t : l.loops)
            x += t.k * m_values[size_t(t.id)];
        return x;
    }

    [[nodiscard]] Box boxOf(const Prepared &p) const
    {
        Box b;
        for (size_t d = 0; d < boxRank; ++d) {
            const int64_t x = at(p.dims[d]);
            b.lo[d] = int32_t(std::clamp<int64_t>(x + p.dims[d].below, INT32_MIN + 1, INT32_MAX - 1));
            b.hi[d] = int32_t(std::clamp<int64_t>(x + p.dims[d].above + 1, INT32_MIN + 1, INT32_MAX - 1));
        }
        return b;
    }

    Tile &tileOf(const Prepared &p)
    {
        const Tensor &t = m_program.tensors[size_t(p.tensor)];
        Tile &tile = m_tiles[size_t(p.tensor)][at(p.block)];
        const int64_t instance = t.loops.empty() ? 0 : m_entries[size_t(t.loops.back())];
        if (tile.instance != instance) {
            tile.instance = instance;
            tile.writers.clear();
        }
        return tile;
    }

    /// The tile's partitions and free elements that a mask leaves; false when none.
    [[nodiscard]] bool shrink(
        const Instruction &i, const std::vector<int64_t> &shape, int64_t &partitions, int64_t &freeSize) const
    {
        partitions = shape[0];
        freeSize = 1;
        std::vector<int64_t> lo(shape.size(), 0), hi(shape);
        for (const Affine &m : i.mask) {
            int64_t rest = m.c;
            for (const Term &t : m.loops)
                rest += t.k * m_values[size_t(t.id)];
            for (const Term &t : m.axes)
                rest += std::max<int64_t>(0, t.k * (shape[size_t(t.id)] - 1));
            if (rest < 0)
                return false;
            for (const Term &t : m.axes) {
                const int64_t others = rest - std::max<int64_t>(0, t.k * (shape[size_t(t.id)] - 1)), a = t.id;
                if (t.k > 0)
                    lo[size_t(a)] = std::max(lo[size_t(a)], others >= 0 ? int64_t(0) : (-others + t.k - 1) / t.k);
                else
                    hi[size_t(a)] = std::min(hi[size_t(a)], others / -t.k + 1);
            }
        }
        for (size_t d = 0; d < shape.size(); ++d) {
            if (lo[d] >= hi[d])
                return false;
            if (d == 0)
                partitions = hi[d] - lo[d];
            else
                freeSize *= hi[d] - lo[d];
        }
        return true;
    }

    void read(const Prepared &p, Key &key)
    {
        if (p.tensor < 0)
            return;
        const Box box = boxOf(p);
        key.add(p.pattern);
        if (!p.tracked) {
            key.add(uint64_t(p.tensor));
            for (size_t d = 0; d < boxRank; ++d)
                key.add(uint64_t(uint32_t(box.lo[d])) << 32 | uint32_t(box.hi[d]));
            key.add(uint64_t(at(p.block)));
            return;
        }
        const Tile &tile = tileOf(p);
        bool defined = false;
        for (const Written &w : tile.writers)
            if (w.box.overlaps(box)) {
                defined = true;
                if (std::ranges::find(m_found, w.value) == m_found.end())
                    m_found.push_back(w.value);
                key.add(uint64_t(w.value));
                for (size_t d = 0; d < boxRank; ++d)
                    key.add(uint64_t(uint32_t(box.lo[d] - w.box.lo[d])) << 32 | uint32_t(box.hi[d] - w.box.lo[d]));
            }
        const Tensor &t = m_program.tensors[size_t(p.tensor)];
        if (!defined && m_stream.undefinedRead < 0 && !t.lazyZero && t.kind == TensorKind::Temporary && !m_updating
            && !m_dropped[size_t(p.tensor)])
            m_stream.undefinedRead = m_reading;
    }

    void write(const Prepared &p, int32_t value)
    {
        if (p.tensor < 0 || !p.tracked)
            return;
        const Box box = boxOf(p);
        Tile &tile = tileOf(p);
        std::erase_if(tile.writers, [&](const Written &w) { return box.contains(w.box); });
        tile.writers.push_back({box, value});
    }

    bool emit(const Instruction &i)
    {
        if (++m_stream.executed > m_options.limit)
            return false;
        const std::vector<Prepared> &p = m_prepared[size_t(i.id)];
        const EngineChoice &choice = m_engines[size_t(i.id)];
        Unit u;
        u.source = i.id;
        u.engine = choice.engine;
        u.parked = choice.parked;
        u.transposed = choice.transposedDma;
        u.folded = m_fold[size_t(i.id)] && m_counters[size_t(i.loops.back())] > 0;
        const std::vector<int64_t> &shape = choice.streamed ? choice.streamed->shape : i.dst.shape;
        int64_t partitions = shape[0], freeSize = 1;
        for (size_t d = 1; d < shape.size(); ++d)
            freeSize *= shape[d];
        if (!i.mask.empty()) {
            int64_t maskedFree = freeSize;
            if (!shrink(i,
                    i.op == Op::TensorReduce || i.op == Op::PartitionReduce ? i.src[0].access.shape : i.dst.shape,
                    partitions, maskedFree)) {
                m_dropped[size_t(i.dst.tensor)] = true;
                return true;
            }
            if (i.op != Op::Matmul && i.op != Op::Transpose) // a mask does not shorten TensorE instructions (measured)
                freeSize = maskedFree;
        }
        u.partitions = int16_t(std::min<int64_t>(partitions, INT16_MAX));
        u.n = int32_t(std::min<int64_t>(freeSize, INT32_MAX));
        const Tensor &dst = m_program.tensors[size_t(i.dst.tensor)];
        u.buffer = choice.parked ? Buffer::Psum : dst.buffer;
        u.bytes = dst.buffer == Buffer::Hbm
            ? 0
            : int32_t(std::min<int64_t>(i.dst.freeSize() * bytesOf(dst.dtype), INT32_MAX / 4));
        if (choice.dma) {
            u.kind = dst.buffer == Buffer::Hbm ? Unit::Kind::Store : Unit::Kind::Load;
            u.hbmBytes = partitions * freeSize * choice.elementBytes;
            u.descriptors = int32_t(std::clamp<int64_t>(
                partitions * ((freeSize * choice.elementBytes + choice.runBytes - 1) / choice.runBytes), 1, INT32_MAX));
            if (u.kind == Unit::Kind::Load)
                m_stream.literalReadBytes += u.hbmBytes;
        }
        m_found.clear();
        m_reading = i.id;
        m_updating = false;
        Key key;
        const int8_t kept = m_numbering.keptDepth[size_t(i.id)];
        key.add(uint64_t(i.op) << 32 | uint64_t(m_numbering.acrossLines[size_t(i.id)] ? 0 : i.id + 1));
        for (size_t s = 2; s < p.size(); ++s)
            read(p[s], key);
        for (size_t s = 0; s < i.src.size(); ++s)
            if (!i.src[s].isConstant && m_program.tensors[size_t(i.src[s].access.tensor)].buffer == Buffer::Psum)
                u.fromPsum = true;
        for (int32_t v : m_found)
            u.fromPsum = u.fromPsum || m_stream.units[size_t(v)].parked;
        int32_t root = -1;
        const bool updates =
            i.accumulate || i.op == Op::LoopReduce || i.op == Op::CopyPredicated || i.op == Op::Shuffle || i.rmwAdd;
        if (updates) {
            const size_t before = m_found.size();
            const bool firstOverwrites = i.op == Op::LoopReduce && i.overwriteFirst
                && std::ranges::all_of(i.reduceLoops, [this](int l) { return m_counters[size_t(l)] == 0; });
            m_updating = i.op == Op::Shuffle || i.op == Op::CopyPredicated;
            if (!firstOverwrites)
                read(p[0], key);
            if (m_found.size() > before)
                root = m_stream.units[size_t(m_found[before])].root;
        }
        if (kept >= 0 && !updates) {
            for (size_t d = 0; d < size_t(kept); ++d)
                key.add(uint64_t(m_entries[size_t(i.loops[d])]));
            key.add(uint64_t(partitions) << 32 | uint64_t(freeSize));
            key.add(uint64_t(dst.dtype) << 8 | uint64_t(dst.buffer));
            for (int64_t d : i.dst.shape)
                key.add(uint64_t(d));
            const auto [known, fresh] = m_known.try_emplace(key, 0);
            if (!fresh) {
                ++m_stream.removed;
                write(p[0], known->second);
                return true;
            }
            const int32_t position = push(i, u, root);
            m_known[key] = position;
            write(p[0], position);
            return true;
        }
        const int32_t position = push(i, u, root);
        write(p[0], position);
        write(p[1], position);
        return true;
    }

    int32_t append(Unit u, int32_t root, const std::vector<int32_t> &operands)
    {
        const int32_t position = int32_t(m_stream.units.size());
        u.root = root < 0 ? position : root;
        u.firstOperand = int32_t(m_stream.operands.size());
        u.operandCount = uint16_t(std::min<size_t>(operands.size(), UINT16_MAX));
        m_stream.operands.insert(m_stream.operands.end(), operands.begin(), operands.begin() + u.operandCount);
        m_stream.units.push_back(u);
        if (m_options.watchLoop >= 0)
            m_stream.watched.push_back(int32_t(m_entries[size_t(m_options.watchLoop)]));
        return position;
    }

    /// The unit with what the compiler adds around it; returns the position of its value.
    int32_t push(const Instruction &i, const Unit &u, int32_t root)
    {
        const EngineChoice &choice = m_engines[size_t(i.id)];
        if (i.op == Op::PartitionBroadcast) {
            Unit ones = u;
            ones.buffer = Buffer::Psum;
            ones.bytes = int32_t(std::min<int64_t>(u.bytes, m_hardware.psumBankBytes));
            if (u.buffer == Buffer::Psum)
                return append(ones, -1, m_found);
            Unit copy = u;
            copy.engine = Engine::Scalar;
            copy.fromPsum = true;
            return append(copy, -1, {append(ones, -1, m_found)});
        }
        if (choice.copyBefore || choice.transposedDma) {
            // A store from PSUM goes through SBUF; a transposing DMA goes through TensorE and PSUM.
            Unit dma = u, move = u, pe = u;
            const int32_t bytes = int32_t(std::min<int64_t>(int64_t(u.n) * choice.elementBytes, INT32_MAX / 4));
            move.kind = pe.kind = Unit::Kind::Compute;
            move.hbmBytes = pe.hbmBytes = 0;
            move.engine = Engine::Scalar;
            move.buffer = Buffer::Sbuf;
            move.bytes = bytes;
            move.fromPsum = true;
            pe.engine = Engine::Tensor;
            pe.buffer = Buffer::Psum;
            pe.bytes = int32_t(std::min<int64_t>(bytes, m_hardware.psumBankBytes));
            if (u.kind == Unit::Kind::Store) {
                std::vector<int32_t> operands = m_found;
                if (choice.transposedDma)
                    operands = {append(pe, -1, operands)};
                operands = {append(move, -1, operands)};
                return append(dma, -1, operands);
            }
            dma.bytes = bytes;
            return append(move, -1, {append(pe, -1, {append(dma, -1, m_found)})});
        }
        return append(u, root, m_found);
    }
};

} // namespace

Checked<Stream> flatten(const Program &program, const Hardware &hardware, const FlattenOptions &options)
{
    return Flattener(program, hardware, options).run();
}

} // namespace accelopt::neuroncore
