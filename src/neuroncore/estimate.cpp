// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/estimate.h"

#include "neuroncore/engines.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::neuroncore {
namespace {

constexpr int64_t bandLimit = 300'000; ///< units: above, the variants would take too long

double quantize(double seconds, double quantum)
{
    return quantum > 0 ? std::max(1.0, std::round(seconds / quantum)) * quantum : seconds;
}

std::vector<LineCost> attribute(const Stream &stream, const Program &program, const Hardware &hardware)
{
    std::map<std::pair<int, Engine>, LineCost> lines;
    for (const Unit &u : stream.units) {
        const Instruction &i = program.instructions[size_t(u.source)];
        LineCost &cost = lines[{i.line, u.engine}];
        cost.line = i.line;
        cost.engine = u.engine;
        cost.bytes += double(u.hbmBytes);
        ++cost.count;
        if (u.engine == Engine::Dma) {
            const bool spill = u.kind == Unit::Kind::SpillSave || u.kind == Unit::Kind::SpillReload;
            cost.busySeconds += (u.descriptors * (spill ? hardware.descriptorSpill : hardware.descriptor)
                                    + double(u.hbmBytes) / hardware.dmaEngineBandwidth)
                / hardware.dmaEngines;
        } else {
            cost.busySeconds += busySeconds(u, program, hardware);
        }
    }
    std::vector<LineCost> result;
    for (auto &[key, cost] : lines)
        result.push_back(cost);
    std::ranges::sort(result, std::greater<>(), &LineCost::busySeconds);
    return result;
}

} // namespace

Checked<Estimate> estimateProgram(const Program &program, const Hardware &hardware, EstimateOptions options)
{
    auto stream = options.unrolled ? Checked<Stream>(std::move(*options.unrolled)) : unroll(program, hardware, {});
    if (!stream)
        return std::unexpected(stream.error());
    Estimate e;
    e.program = &program;
    e.executed = stream->executed;
    e.removed = stream->removed;
    e.units = int64_t(stream->units.size());
    e.peakBytes = stream->peakBytes;
    e.peakBanks = stream->peakBanks;
    e.spillSaves = stream->spillSaves;
    e.spillReloads = stream->spillReloads;
    e.sunk = stream->sunk;
    e.literalReadBytes = double(stream->literalReadBytes);
    TimelineOptions base;
    base.keepTimes = options.trace;
    e.timeline = schedule(*stream, program, hardware, base);
    e.counters = count(*stream, program, hardware);
    e.rawSeconds = e.timeline.seconds;
    e.quantizedSeconds = quantize(e.rawSeconds, hardware.quantum);
    e.maxEngineSeconds = std::ranges::max(e.timeline.busy) + hardware.startup;
    TimelineOptions unlimited;
    unlimited.unlimitedBuffers = true;
    e.unlimitedSeconds = schedule(*stream, program, hardware, unlimited).seconds;
    e.lines = attribute(*stream, program, hardware);

    e.bandLow = e.bandHigh = e.rawSeconds;
    const auto include = [&e](double seconds) {
        e.bandLow = std::min(e.bandLow, seconds);
        e.bandHigh = std::max(e.bandHigh, seconds);
    };
    if (options.band && e.units <= bandLimit) {
        for (const bool fold : {true, false})
            for (const bool hoist : {true, false}) {
                Stream variant;
                if (fold && hoist) {
                    variant = *stream;
                } else {
                    auto made = unroll(program, hardware, {.fold = fold, .hoistCompute = hoist});
                    if (!made)
                        return std::unexpected(made.error());
                    variant = std::move(*made);
                }
                for (const bool depth : {false, true}) {
                    if (fold && hoist && !depth)
                        continue;
                    TimelineOptions o;
                    o.unlimitedDepth = depth;
                    include(schedule(variant, program, hardware, o).seconds);
                }
            }
        TimelineOptions narrow;
        narrow.window = std::min(4, hardware.policy.window);
        include(schedule(*stream, program, hardware, narrow).seconds);
    }

    // Confidence: what the study of published profiles defends (docs/simulator-fidelity.md).
    const std::array<double, engineCount> &busy = e.timeline.busy;
    const double bound = std::ranges::max(busy);
    const bool tensorOrDma = busy[size_t(Engine::Tensor)] >= bound || busy[size_t(Engine::Dma)] >= bound;
    const double spread = e.rawSeconds > 0 ? (e.bandHigh - e.bandLow) / e.rawSeconds : 0;
    bool unusual = false;
    for (const Instruction &i : program.instructions)
        unusual = unusual || i.op == Op::DmaTranspose || i.op == Op::Max8 || i.op == Op::FindIndex8
            || i.op == Op::MatchReplace8 || i.op == Op::Shuffle || i.op == Op::PartitionReduce || i.op == Op::Iota
            || i.op == Op::AffineSelect || i.op == Op::BnStats || i.op == Op::BnAggr || i.op == Op::CopyPredicated
            || program.tensors[size_t(i.dst.tensor)].dtype != DType::Float32;
    e.confidence = u"A"_s;
    const auto lower = [&e](const QString &to, const QString &why) {
        e.confidence = std::max(e.confidence, to);
        e.reasons << why;
    };
    if (!tensorOrDma)
        lower(u"B"_s, u"bound by an elementwise engine: buffer depth and PSUM use decide"_s);
    if (bound < 0.8 * e.timeline.execution)
        lower(u"B"_s, u"no engine is busy most of the time: serialization decides"_s);
    if (spread > 0.15)
        lower(u"B"_s, u"the compiler's choices move the estimate by more than 15 %"_s);
    if (e.spillSaves > 0 || e.spillReloads > 0)
        lower(u"C"_s, u"tiles do not fit SBUF at once: spills are predicted"_s);
    if (e.sunk > 0)
        lower(u"C"_s, u"loads are expected to be repeated to save SBUF"_s);
    if (stream->peakBytes > hardware.spillThreshold)
        lower(u"C"_s, u"the live tiles exceed the SBUF that the compiler uses"_s);
    if (stream->largestTile > hardware.sbufBytes / 8)
        lower(u"C"_s, u"a tile takes more than an eighth of SBUF"_s);
    if (unusual)
        lower(u"C"_s, u"an operation or dtype without a measured precedent"_s);
    if (e.timeline.overCapacity)
        lower(u"C"_s, u"a buffer pool ran out during scheduling"_s);
    if (options.trace)
        e.stream = std::move(*stream);
    return e;
}

QByteArray traceJson(const Estimate &e)
{
    QByteArray out("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    constexpr std::array names{"TensorE", "VectorE", "ScalarE", "GpSimd", "DMA"};
    for (size_t n = 0; n < names.size(); ++n)
        out += QByteArray(n ? "," : "") + R"({"ph":"M","name":"thread_name","pid":1,"tid":)"
            + QByteArray::number(int(n)) + R"(,"args":{"name":")" + names[n] + "\"}}";
    for (size_t k = 0; k < e.stream.units.size(); ++k) {
        const Unit &u = e.stream.units[k];
        const Instruction &i = e.program->instructions[size_t(u.source)];
        QByteArray name = toString(i.op).toLatin1();
        if (u.kind == Unit::Kind::SpillSave)
            name = "spill save";
        else if (u.kind == Unit::Kind::SpillReload)
            name = "spill reload";
        out += R"(,{"ph":"X","pid":1,"tid":)" + QByteArray::number(int(u.engine)) + R"(,"ts":)"
            + QByteArray::number(double(e.timeline.start[k]) * 1e6, 'f', 4) + R"(,"dur":)"
            + QByteArray::number(double(e.timeline.end[k] - e.timeline.start[k]) * 1e6, 'f', 4) + R"(,"name":")" + name
            + R"(","args":{"line":)" + QByteArray::number(i.line) + R"(,"n":)" + QByteArray::number(u.n)
            + R"(,"partitions":)" + QByteArray::number(u.partitions) + "}}";
    }
    return out + "]}\n";
}

} // namespace accelopt::neuroncore
