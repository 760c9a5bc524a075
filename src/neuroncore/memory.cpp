// SPDX-License-Identifier: GPL-3.0-or-later
// Where the unrolled values live. The Beta 1 compiler never refuses what does not fit SBUF: it first repeats loads
// instead of keeping their tiles resident, then spills least-recently-used tiles to HBM in program order (both read off
// published profiles).
#include "neuroncore/stream.h"

#include <algorithm>
#include <map>
#include <set>

namespace accelopt::neuroncore {
namespace {

/// For each allocation (root) the last unit that reads or extends it.
std::vector<int32_t> lastReaders(const Stream &stream)
{
    std::vector<int32_t> last(stream.units.size());
    for (size_t k = 0; k < stream.units.size(); ++k) {
        const Unit &u = stream.units[k];
        last[k] = int32_t(k);
        last[size_t(u.root)] = int32_t(k);
        for (int o = 0; o < u.operandCount; ++o)
            last[size_t(stream.units[size_t(stream.operands[size_t(u.firstOperand + o)])].root)] = int32_t(k);
    }
    return last;
}

bool inSbuf(const Unit &u)
{
    return u.buffer == Buffer::Sbuf && u.bytes > 0 && u.kind != Unit::Kind::Store && u.kind != Unit::Kind::SpillSave;
}

/// Peaks of SBUF and PSUM in program order.
void measure(Stream &stream, const Hardware &hardware)
{
    const size_t count = stream.units.size();
    const std::vector<int32_t> last = lastReaders(stream);
    std::vector<int32_t> lastExtension(count, -1); // of an accumulation
    for (size_t k = 0; k < count; ++k)
        if (stream.units[k].root != int32_t(k))
            lastExtension[size_t(stream.units[k].root)] = int32_t(k);
    std::vector<int64_t> sbuf(count + 1), banks(count + 1), open(count + 1);
    for (size_t k = 0; k < count; ++k) {
        const Unit &u = stream.units[k];
        if (u.root != int32_t(k) || u.bytes == 0 || u.kind == Unit::Kind::Store)
            continue;
        const size_t end = size_t(last[k]) + 1;
        if (u.buffer == Buffer::Psum) {
            const int64_t n = std::max<int64_t>(1, (u.bytes + hardware.psumBankBytes - 1) / hardware.psumBankBytes);
            banks[k] += n, banks[end] -= n;
            if (lastExtension[k] >= 0)
                open[k] += n, open[size_t(lastExtension[k]) + 1] -= n;
        } else {
            sbuf[k] += u.bytes, sbuf[end] -= u.bytes;
            stream.largestTile = std::max<int64_t>(stream.largestTile, u.bytes);
        }
    }
    int64_t s = 0, b = 0, o = 0;
    stream.peakBytes = 0;
    for (size_t k = 0; k < count; ++k) {
        s += sbuf[k], b += banks[k], o += open[k];
        if (s > stream.peakBytes)
            stream.peakBytes = s, stream.peakAt = stream.units[k].source;
        stream.peakBanks = std::max(stream.peakBanks, int(b));
        if (o > stream.openAccumulators)
            stream.openAccumulators = int(o), stream.openAccumulatorsAt = stream.units[k].source;
    }
}

/// Writes a new stream unit by unit; operands are given in the new numbering.
class Rewriter {
public:
    explicit Rewriter(const Stream &old)
        : m_old(old)
    {
        m_out = old;
        m_out.units.clear();
        m_out.operands.clear();
        m_out.units.reserve(old.units.size());
        m_out.operands.reserve(old.operands.size());
        m_now.assign(old.units.size(), -1);
    }
    int32_t add(Unit u, const std::vector<int32_t> &operands, int32_t root)
    {
        const int32_t position = int32_t(m_out.units.size());
        u.root = root < 0 ? position : root;
        u.firstOperand = int32_t(m_out.operands.size());
        u.operandCount = uint16_t(std::min<size_t>(operands.size(), UINT16_MAX));
        m_out.operands.insert(m_out.operands.end(), operands.begin(), operands.begin() + u.operandCount);
        m_out.units.push_back(u);
        return position;
    }
    /// A copy of an old unit, reading the present versions of its operands.
    int32_t copy(size_t k)
    {
        const Unit &u = m_old.units[k];
        m_operands.clear();
        for (int o = 0; o < u.operandCount; ++o)
            m_operands.push_back(m_now[size_t(m_old.operands[size_t(u.firstOperand + o)])]);
        const int32_t root = u.root == int32_t(k) ? -1 : m_out.units[size_t(m_now[size_t(u.root)])].root;
        return m_now[k] = add(u, m_operands, root);
    }
    void setNow(size_t old, int32_t now) { m_now[old] = now; }
    [[nodiscard]] int32_t now(size_t old) const { return m_now[old]; }
    Stream take() { return std::move(m_out); }

private:
    const Stream &m_old;
    Stream m_out;
    std::vector<int32_t> m_now; ///< old position -> the value's present version
    std::vector<int32_t> m_operands;
};

/// The load line that alone takes more than half of the SBUF in use at the peak while the rest takes less; -1: none.
int dominantLoad(const Stream &stream, const Hardware &hardware)
{
    const std::vector<int32_t> last = lastReaders(stream);
    std::map<int, int64_t> live, atPeak;
    std::vector<std::vector<int32_t>> ends(stream.units.size());
    int64_t total = 0, peak = 0;
    for (size_t k = 0; k < stream.units.size(); ++k) {
        const Unit &u = stream.units[k];
        if (inSbuf(u) && u.root == int32_t(k)) {
            total += u.bytes;
            if (u.kind == Unit::Kind::Load)
                live[u.source] += u.bytes;
            ends[size_t(last[k])].push_back(int32_t(k));
        }
        if (total > peak)
            peak = total, atPeak = live;
        for (int32_t e : ends[k]) {
            total -= stream.units[size_t(e)].bytes;
            if (stream.units[size_t(e)].kind == Unit::Kind::Load)
                live[stream.units[size_t(e)].source] -= stream.units[size_t(e)].bytes;
        }
    }
    for (const auto &[source, bytes] : atPeak)
        if (bytes > hardware.spillThreshold / 2 && peak - bytes < hardware.spillThreshold / 2)
            return source;
    return -1;
}

/// The next loop inside the load's residence that contains all its uses; -1: none.
int loopToSinkInto(const Program &program, int load)
{
    const Instruction &l = program.instructions[size_t(load)];
    std::vector<int> common;
    bool first = true;
    for (const Instruction &i : program.instructions)
        for (const Operand &o : i.src) {
            if (o.isConstant || o.access.tensor != l.dst.tensor)
                continue;
            size_t n = 0;
            while (!first && n < common.size() && n < i.loops.size() && common[n] == i.loops[n])
                ++n;
            first ? common = i.loops : (common.resize(n), common);
            first = false;
        }
    size_t depth = 0;
    while (depth < common.size() && depth < l.loops.size() && common[depth] == l.loops[depth])
        ++depth;
    return depth < common.size() ? common[depth] : -1;
}

/// The load's values are loaded again in each iteration of the watched loop.
void sinkLoads(Stream &stream, int line)
{
    Rewriter out(stream);
    std::vector<int32_t> loadedIn(stream.units.size(), -1); ///< iteration of the watched loop
    int64_t sunk = 0;
    for (size_t k = 0; k < stream.units.size(); ++k) {
        const Unit &u = stream.units[k];
        if (u.source == line && u.kind == Unit::Kind::Load)
            continue; // where it is used
        for (int o = 0; o < u.operandCount; ++o) {
            const size_t from = size_t(stream.operands[size_t(u.firstOperand + o)]);
            const Unit &load = stream.units[from];
            if (load.source != line || load.kind != Unit::Kind::Load || loadedIn[from] == stream.watched[k])
                continue;
            sunk += loadedIn[from] >= 0;
            loadedIn[from] = stream.watched[k];
            out.setNow(from, out.add(load, {}, -1));
        }
        out.copy(k);
    }
    stream = out.take();
    stream.sunk = sunk;
}

/// Least-recently-used spilling in one pass: a clean load is loaded again, a computed value saved once and reloaded.
class Spiller {
public:
    Spiller(const Stream &stream, int64_t capacity)
        : m_old(stream)
        , m_capacity(capacity)
        , m_last(lastReaders(stream))
        , m_state(stream.units.size())
        , m_out(stream)
    {
    }

    Stream run()
    {
        int64_t saves = 0, reloads = 0;
        for (size_t k = 0; k < m_old.units.size(); ++k) {
            const Unit &u = m_old.units[k];
            m_pinned.clear();
            for (int o = 0; o < u.operandCount; ++o) {
                const size_t value = size_t(m_old.operands[size_t(u.firstOperand + o)]),
                             root = size_t(m_old.units[value].root);
                if (!inSbuf(m_old.units[root]))
                    continue;
                m_pinned.push_back(int32_t(root));
            }
            for (int32_t root : m_pinned) {
                State &s = m_state[size_t(root)];
                if (s.resident) {
                    touch(root);
                    continue;
                }
                const Unit &value = m_old.units[size_t(root)];
                makeRoom(value.bytes, saves);
                Unit reload = value;
                std::vector<int32_t> operands;
                if (!s.saved) {
                    reload.kind = Unit::Kind::Load; // clean: load it again
                } else {
                    reload.kind = Unit::Kind::SpillReload;
                    reload.engine = Engine::Dma;
                    reload.hbmBytes = int64_t(value.bytes) * value.partitions;
                    reload.descriptors = value.partitions;
                    operands.push_back(s.save);
                    ++reloads;
                }
                settle(root, m_out.add(reload, operands, -1));
            }
            if (inSbuf(u) && u.root == int32_t(k)) {
                m_pinned.push_back(int32_t(k));
                makeRoom(u.bytes, saves);
            }
            const int32_t position = m_out.copy(k);
            if (inSbuf(u) && u.root == int32_t(k))
                settle(int32_t(k), position);
            for (int32_t root : m_pinned)
                if (m_last[size_t(root)] == int32_t(k) && m_state[size_t(root)].resident)
                    drop(root);
        }
        Stream result = m_out.take();
        result.spillSaves = saves;
        result.spillReloads = reloads;
        return result;
    }

private:
    struct State {
        bool resident = false, saved = false;
        int32_t save = -1; ///< the store, in the new numbering
        int64_t used = -1;
    };
    const Stream &m_old;
    int64_t m_capacity, m_live = 0, m_clock = 0;
    std::vector<int32_t> m_last;
    std::vector<State> m_state;
    std::set<std::pair<int64_t, int32_t>> m_order; ///< (last use, root)
    std::vector<int32_t> m_pinned;
    Rewriter m_out;

    void touch(int32_t root)
    {
        State &s = m_state[size_t(root)];
        m_order.erase({s.used, root});
        s.used = ++m_clock;
        m_order.insert({s.used, root});
    }
    void settle(int32_t root, int32_t position)
    {
        State &s = m_state[size_t(root)];
        s.resident = true;
        s.used = ++m_clock;
        m_order.insert({s.used, root});
        m_live += m_old.units[size_t(root)].bytes;
        m_out.setNow(size_t(root), position);
    }
    void drop(int32_t root)
    {
        State &s = m_state[size_t(root)];
        s.resident = false;
        m_order.erase({s.used, root});
        m_live -= m_old.units[size_t(root)].bytes;
    }
    void makeRoom(int64_t bytes, int64_t &saves)
    {
        auto at = m_order.begin();
        while (m_live + bytes > m_capacity && at != m_order.end()) {
            const int32_t root = at->second;
            ++at;
            if (std::ranges::find(m_pinned, root) != m_pinned.end())
                continue;
            State &s = m_state[size_t(root)];
            const Unit &value = m_old.units[size_t(root)];
            if (value.kind != Unit::Kind::Load && !s.saved) {
                Unit save = value;
                save.kind = Unit::Kind::SpillSave;
                save.engine = Engine::Dma;
                save.hbmBytes = int64_t(value.bytes) * value.partitions;
                save.descriptors = value.partitions;
                save.bytes = 0;
                s.save = m_out.add(save, {m_out.now(size_t(root))}, -1);
                s.saved = true;
                ++saves;
            }
            drop(root);
        }
    }
};

} // namespace

Checked<Stream> unroll(const Program &program, const Hardware &hardware, const FlattenOptions &options)
{
    auto stream = flatten(program, hardware, options);
    if (!stream)
        return stream;
    measure(*stream, hardware);
    const int64_t wanted = stream->peakBytes;
    if (hardware.policy.sinkLoads && stream->peakBytes > hardware.spillThreshold) {
        const int load = dominantLoad(*stream, hardware);
        const int loop = load >= 0 ? loopToSinkInto(program, load) : -1;
        if (loop >= 0) {
            FlattenOptions watching = options;
            watching.watchLoop = loop;
            stream = flatten(program, hardware, watching);
            if (!stream)
                return stream;
            sinkLoads(*stream, load);
            measure(*stream, hardware);
        }
    }
    // What was sunk was chosen to fit; then only the whole of SBUF is a limit.
    const int64_t capacity = stream->sunk > 0 ? hardware.sbufBytes : hardware.spillThreshold;
    if (hardware.policy.spill && stream->peakBytes > capacity) {
        const int64_t sunk = stream->sunk;
        stream = Spiller(*stream, capacity).run();
        stream->sunk = sunk;
    }
    stream->peakBytes = wanted;
    return stream;
}

} // namespace accelopt::neuroncore
