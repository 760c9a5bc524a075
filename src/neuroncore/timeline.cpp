// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/timeline.h"

#include "neuroncore/engines.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace accelopt::neuroncore {
namespace {

/// One engine: busy intervals of the last instructions, so that a later one may fill a gap before them.
class Lane {
public:
    explicit Lane(int window)
        : m_window(size_t(std::max(window, 1)))
    {
    }
    struct Slot {
        double start;
        bool idleBefore;
    };
    /// The earliest gap; whether the engine was idle right before it.
    Slot place(double ready, double duration)
    {
        double from = std::max(ready, m_floor);
        // The intervals lie in order and do not overlap: skip those that end before.
        size_t at = size_t(std::ranges::upper_bound(m_busy, from, {}, &Interval::end) - m_busy.begin());
        while (at < m_busy.size() && from + duration > m_busy[at].start) {
            from = std::max(from, m_busy[at].end);
            ++at;
        }
        const double previous = at > 0 ? m_busy[at - 1].end : m_floor;
        const bool idle = from > previous + 1e-12;
        m_busy.insert(m_busy.begin() + std::ptrdiff_t(at), Interval{from, from + duration});
        if (m_busy.size() > m_window) {
            m_floor = std::max(m_floor, m_busy.front().end);
            m_busy.pop_front();
        }
        return {from, idle};
    }

private:
    struct Interval {
        double start, end;
    };
    size_t m_window;
    double m_floor = 0;
    std::deque<Interval> m_busy;
};

/// Bytes that are reused in the order in which they were freed.
class Pool {
public:
    explicit Pool(int64_t bytes)
        : m_total(bytes)
    {
        m_free.push_back({bytes, 0});
        m_available = bytes;
    }
    /// When the piece is free; nothing when the pool is exhausted.
    double take(int64_t bytes, bool &exhausted)
    {
        double ready = 0;
        m_taken += bytes;
        while (bytes > 0) {
            if (m_free.empty()) {
                exhausted = true;
                m_borrowed += bytes;
                break;
            }
            Piece &front = m_free.front();
            ready = std::max(ready, front.time);
            const int64_t part = std::min(bytes, front.bytes);
            front.bytes -= part;
            bytes -= part;
            m_available -= part;
            if (front.bytes == 0)
                m_free.pop_front();
        }
        return ready;
    }
    void give(int64_t bytes, double time)
    {
        m_taken -= bytes;
        const int64_t repaid = std::min(bytes, m_borrowed);
        m_borrowed -= repaid;
        bytes -= repaid;
        if (bytes == 0)
            return;
        m_free.push_back({bytes, time});
        m_available += bytes;
    }
    /// Everything is either free, in use or owed: a leak would look like a slow kernel.
    [[nodiscard]] bool conserved() const { return m_available + m_taken - m_borrowed == m_total; }

private:
    struct Piece {
        int64_t bytes;
        double time;
    };
    int64_t m_total, m_available = 0, m_taken = 0, m_borrowed = 0;
    std::deque<Piece> m_free;
};

/// All DMA engines as one fluid: each bin has so much engine time and so many bytes; early gaps may be filled later.
/// Queues are served in turn, so that stores, which the program-order pass places first, never take the share of a bin
/// that loads need on the average.
class DmaFluid {
public:
    DmaFluid(const Hardware &hardware, double storeShare)
        : m_hardware(hardware)
        , m_binService(hardware.dmaBin * hardware.dmaEngines)
        , m_binBytes(hardware.dmaBin * hardware.dmaCap)
        , m_share{1.0, storeShare}
    {
    }
    /// When the last byte has arrived.
    double transfer(double start, double bytes, double service, int parallel, bool store)
    {
        const double perBinService = m_hardware.dmaBin * std::clamp(parallel, 1, m_hardware.dmaEngines);
        const double bytesPerService = service > 0 ? bytes / service : 0, share = m_share[store];
        double end = start;
        size_t bin = size_t(start / m_hardware.dmaBin);
        const size_t first = bin;
        while (service > 1e-15) {
            bin = nextOpen(bin, store);
            Bin &b = m_bins[bin];
            const double within = bin == first ? start - double(bin) * m_hardware.dmaBin : 0;
            const double fraction = std::max(0.0, 1 - within / m_hardware.dmaBin);
            double part = std::min({service, perBinService * fraction, m_binService - b.service});
            if (store)
                part = std::min(part, share * m_binService - b.storeService);
            if (bytesPerService > 0) {
                part = std::min(part, std::min(m_binBytes * fraction, m_binBytes - b.bytes) / bytesPerService);
                if (store)
                    part = std::min(part, (share * m_binBytes - b.storeBytes) / bytesPerService);
            }
            if (part > 1e-15) {
                b.service += part;
                b.bytes += part * bytesPerService;
                if (store) {
                    b.storeService += part;
                    b.storeBytes += part * bytesPerService;
                }
                service -= part;
                const double used = std::max(part / perBinService, part * bytesPerService / m_binBytes)
                    / (store && share > 0 ? std::max(share, 0.5) : 1);
                end = double(bin) * m_hardware.dmaBin + within + m_hardware.dmaBin * std::min(used, fraction);
            }
            constexpr double full = 1 - 1e-6;
            if (b.service >= m_binService * full || b.bytes >= m_binBytes * full)
                m_skip[0][bin] = m_skip[1][bin] = bin + 1;
            else if (b.storeService >= share * m_binService * full || b.storeBytes >= share * m_binBytes * full)
                m_skip[1][bin] = bin + 1;
            ++bin;
        }
        return end;
    }
    [[nodiscard]] double active() const
    {
        double sum = 0;
        for (const Bin &b : m_bins)
            sum += m_hardware.dmaBin * std::min(1.0, std::max(b.service / m_binService, b.bytes / m_binBytes));
        return sum;
    }

private:
    struct Bin {
        double service = 0, bytes = 0, storeService = 0, storeBytes = 0;
    };
    const Hardware &m_hardware;
    double m_binService, m_binBytes;
    std::array<double, 2> m_share;
    std::vector<Bin> m_bins;
    std::array<std::vector<size_t>, 2> m_skip; ///< union-find, for loads and for stores: the next bin with room

    size_t nextOpen(size_t bin, bool store)
    {
        std::vector<size_t> &skip = m_skip[store];
        for (;;) {
            if (bin >= m_bins.size()) {
                const size_t size = std::max(bin + 1, m_bins.size() * 2), old = m_bins.size();
                m_bins.resize(size);
                for (std::vector<size_t> &s : m_skip) {
                    s.resize(size + 1);
                    for (size_t i = old; i < s.size(); ++i)
                        s[i] = i;
                }
            }
            size_t root = bin;
            while (skip[root] != root)
                root = skip[root];
            while (skip[bin] != root) {
                const size_t next = skip[bin];
                skip[bin] = root;
                bin = next;
            }
            if (root < m_bins.size())
                return root;
            bin = root;
        }
    }
};

/// Buffers of one load line: an instance waits until the one `depth` before it was freed.
struct Ring {
    int64_t depth = 0; ///< 0: no limit
    int64_t begun = 0;
    std::vector<double> freed;
};

class Scheduler {
public:
    Scheduler(const Stream &stream, const Program &program, const Hardware &hardware, const TimelineOptions &options)
        : m_stream(stream)
        , m_program(program)
        , m_hardware(hardware)
        , m_options(options)
        , m_dma(hardware, storeShare(stream))
        , m_sbuf(hardware.sbufBytes)
        , m_psum(int64_t(hardware.psumBanks))
        , m_rings(program.instructions.size())
    {
        const int window = options.window > 0 ? options.window : hardware.policy.window;
        const int tensorWindow = options.window > 0 ? options.window : std::max(window, hardware.policy.psumWindow);
        m_lanes = {Lane(tensorWindow), Lane(window), Lane(window), Lane(window)};
        findLastReaders();
        sizeRings();
    }

    Timeline run()
    {
        const size_t count = m_stream.units.size();
        m_end.assign(count, 0);
        Timeline t;
        t.lineBusy.assign(m_program.instructions.size(), 0);
        if (m_options.keepTimes)
            t.start.resize(count), t.end.resize(count);
        double finish = 0;
        for (size_t k = 0; k < count; ++k) {
            const Unit &u = m_stream.units[k];
            double ready = 0;
            for (int o = 0; o < u.operandCount; ++o) {
                const size_t from = size_t(m_stream.operands[size_t(u.firstOperand + o)]);
                const bool cross =
                    m_stream.units[from].engine != u.engine && m_stream.units[from].engine != Engine::Dma;
                ready = std::max(ready, m_end[from] + (cross ? m_hardware.semaphore : 0));
            }
            ready = std::max(ready, claim(k));
            double start = ready, end = ready;
            if (u.engine == Engine::Dma) {
                const bool spill = u.kind == Unit::Kind::SpillSave || u.kind == Unit::Kind::SpillReload;
                const double service =
                    double(u.descriptors) * (spill ? m_hardware.descriptorSpill : m_hardware.descriptor)
                    + double(u.hbmBytes) / m_hardware.dmaEngineBandwidth;
                start = ready + m_hardware.dmaLatency;
                end = m_dma.transfer(start, double(u.hbmBytes), service, u.partitions, isStore(u))
                    + m_hardware.dmaCompletion;
                t.dmaService += service;
                t.lineBusy[size_t(u.source)] += service / m_hardware.dmaEngines;
            } else {
                const double busy = busySeconds(u, m_program, m_hardware);
                const Lane::Slot slot = m_lanes[size_t(u.engine)].place(ready, busy);
                start = slot.start;
                end = start + busy;
                if (u.engine == Engine::Scalar && slot.idleBefore && !u.folded) {
                    const double extra = m_hardware.scalarIdleExtra / m_hardware.engines[size_t(Engine::Scalar)].clock;
                    end += extra;
                    t.scalarIdleExtra += extra;
                }
                t.busy[size_t(u.engine)] += busy;
                t.lineBusy[size_t(u.source)] += busy;
            }
            ++t.units[size_t(u.engine)];
            m_end[k] = end;
            finish = std::max(finish, end);
            if (m_options.keepTimes) {
                t.start[k] = float(start);
                t.end[k] = float(end);
            }
            release(k);
        }
        Q_ASSERT(m_sbuf.conserved() && m_psum.conserved());
        t.busy[size_t(Engine::Dma)] = m_dma.active();
        t.execution = finish;
        t.seconds = finish + m_hardware.startup;
        t.overCapacity = m_exhausted || !m_sbuf.conserved() || !m_psum.conserved();
        return t;
    }

private:
    const Stream &m_stream;
    const Program &m_program;
    const Hardware &m_hardware;
    const TimelineOptions &m_options;
    DmaFluid m_dma;
    Pool m_sbuf, m_psum;
    std::vector<Lane> m_lanes;
    std::vector<Ring> m_rings;
    std::vector<double> m_end;
    std::vector<int32_t> m_lastReader; ///< per root
    std::vector<int32_t> m_firstFreed, m_nextFreed; ///< roots whose last reader is this unit, as linked lists
    bool m_exhausted = false;

    static bool isStore(const Unit &u) { return u.kind == Unit::Kind::Store; }
    /// Of the kernel's own traffic (spills come in phases of their own): at least half, more where there is less to
    /// load.
    static double storeShare(const Stream &stream)
    {
        double loads = 0, stores = 0;
        for (const Unit &u : stream.units)
            if (u.kind == Unit::Kind::Load || isStore(u))
                (isStore(u) ? stores : loads) += double(u.hbmBytes);
        return stores > 0 ? std::max(0.5, stores / (loads + stores)) : 1;
    }

    void findLastReaders()
    {
        const size_t count = m_stream.units.size();
        m_lastReader.resize(count);
        for (size_t k = 0; k < count; ++k) {
            m_lastReader[k] = int32_t(k);
            const Unit &u = m_stream.units[k];
            m_lastReader[size_t(u.root)] = int32_t(k);
            for (int o = 0; o < u.operandCount; ++o)
                m_lastReader[size_t(m_stream.units[size_t(m_stream.operands[size_t(u.firstOperand + o)])].root)] =
                    int32_t(k);
        }
        m_firstFreed.assign(count, -1);
        m_nextFreed.assign(count, -1);
        for (size_t k = count; k-- > 0;) {
            if (m_stream.units[k].root != int32_t(k) || m_stream.units[k].bytes == 0
                || m_stream.units[k].kind == Unit::Kind::Store)
                continue;
            int32_t &head = m_firstFreed[size_t(m_lastReader[k])];
            m_nextFreed[k] = head;
            head = int32_t(k);
        }
    }

    [[nodiscard]] bool isRinged(const Unit &u) const
    {
        return u.kind == Unit::Kind::Load && u.engine == Engine::Dma && u.bytes > 0;
    }

    /// Depth of prefetch times the most instances of a line that are live at once.
    void sizeRings()
    {
        const Policy &policy = m_hardware.policy;
        std::vector<int64_t> live(m_program.instructions.size(), 0), most(live), bytes(live);
        for (size_t k = 0; k < m_stream.units.size(); ++k) {
            const Unit &u = m_stream.units[k];
            if (isRinged(u)) {
                const size_t line = size_t(u.source);
                most[line] = std::max(most[line], ++live[line]);
                bytes[line] = std::max<int64_t>(bytes[line], u.bytes);
            }
            for (int32_t f = m_firstFreed[k]; f >= 0; f = m_nextFreed[size_t(f)])
                if (isRinged(m_stream.units[size_t(f)]))
                    --live[size_t(m_stream.units[size_t(f)].source)];
        }
        for (const Instruction &i : m_program.instructions) {
            const size_t line = size_t(i.id);
            if (most[line] == 0)
                continue;
            const bool affine = i.loops.empty() || m_program.loops[size_t(i.loops.back())].kind == LoopKind::Affine;
            int64_t depth = affine ? policy.loadDepth : policy.sequentialLoadDepth;
            if (affine && depth > 0 && policy.loadDepthBytes > 0)
                depth = std::max(depth, policy.loadDepthBytes / std::max<int64_t>(1, bytes[line]));
            if (m_options.unlimitedDepth && affine)
                depth = 0;
            m_rings[line].depth = depth * most[line];
        }
    }

    /// When the unit's result has a place.
    double claim(size_t k)
    {
        const Unit &u = m_stream.units[k];
        if (m_options.unlimitedBuffers || u.root != int32_t(k) || u.bytes == 0 || u.kind == Unit::Kind::Store)
            return 0;
        double ready =
            u.buffer == Buffer::Psum ? m_psum.take(banks(u), m_exhausted) : m_sbuf.take(u.bytes, m_exhausted);
        if (isRinged(u)) {
            Ring &ring = m_rings[size_t(u.source)];
            if (ring.depth > 0 && ring.begun >= ring.depth && size_t(ring.begun - ring.depth) < ring.freed.size())
                ready = std::max(ready, ring.freed[size_t(ring.begun - ring.depth)]);
            ++ring.begun;
        }
        return ready;
    }

    [[nodiscard]] int64_t banks(const Unit &u) const
    {
        return std::max<int64_t>(1, (u.bytes + m_hardware.psumBankBytes - 1) / m_hardware.psumBankBytes);
    }

    void release(size_t k)
    {
        if (m_options.unlimitedBuffers)
            return;
        for (int32_t f = m_firstFreed[k]; f >= 0; f = m_nextFreed[size_t(f)]) {
            const Unit &u = m_stream.units[size_t(f)];
            if (u.buffer == Buffer::Psum)
                m_psum.give(banks(u), m_end[k]);
            else
                m_sbuf.give(u.bytes, m_end[k]);
            if (isRinged(u))
                m_rings[size_t(u.source)].freed.push_back(m_end[k]);
        }
    }
};

} // namespace

Timeline schedule(
    const Stream &stream, const Program &program, const Hardware &hardware, const TimelineOptions &options)
{
    return Scheduler(stream, program, hardware, options).run();
}

} // namespace accelopt::neuroncore
