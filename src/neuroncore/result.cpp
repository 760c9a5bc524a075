// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/result.h"

#include "neuroncore/kernels.h"

#include <QJsonArray>
#include <algorithm>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::neuroncore {
namespace {

/// The summary of a device profile: names and units of neuron-profile (seconds, bytes; *_percent are fractions).
QJsonObject profileOf(const Estimate &e, const Hardware &hardware)
{
    const Counters &c = e.counters;
    const auto &busy = e.timeline.busy;
    const double total = e.quantizedSeconds, tensorPeak = 2.0 * 128 * 128 * hardware.engines[0].clock;
    QJsonObject p;
    p.insert("total_time"_L1, total);
    p.insert("total_exec_time"_L1, e.timeline.execution);
    p.insert("neuroncore_cycle_count"_L1, double(int64_t(e.rawSeconds * hardware.baseClock)));
    p.insert("hbm_read_bytes"_L1, c.hbmRead);
    p.insert("hbm_write_bytes"_L1, c.hbmWrite);
    p.insert("sbuf_read_bytes"_L1, c.sbufRead);
    p.insert("sbuf_write_bytes"_L1, c.sbufWrite);
    p.insert("psum_read_bytes"_L1, c.psumRead);
    p.insert("psum_write_bytes"_L1, c.psumWrite);
    p.insert("spill_save_bytes"_L1, c.spillSave);
    p.insert("spill_reload_bytes"_L1, c.spillReload);
    p.insert("hardware_flops"_L1, c.hardwareFlops);
    p.insert("transpose_flops"_L1, c.transposeFlops);
    p.insert("adjusted_hardware_flops"_L1, c.adjustedFlops);
    p.insert("adjusted_transpose_flops"_L1, c.adjustedTransposeFlops);
    p.insert("peak_flops_bandwidth_ratio"_L1, tensorPeak / hardware.bandwidthDecimal);
    const double traffic = c.hbmRead + c.hbmWrite;
    p.insert("mm_arithmetic_intensity"_L1, traffic > 0 ? (c.hardwareFlops - c.transposeFlops) / traffic : 0);
    p.insert("hfu_estimated_percent"_L1, total > 0 ? c.hardwareFlops / (tensorPeak * total) : 0);
    p.insert("mbu_estimated_percent"_L1, total > 0 ? traffic / (hardware.dmaReportedPeak * total) : 0);
    p.insert("matmul_instruction_count"_L1, double(c.matmuls));
    p.insert("activate_instruction_count"_L1, double(c.activations));
    p.insert("dma_transfer_count"_L1, double(c.dmaTransfers));
    p.insert("dma_transfer_total_bytes"_L1, traffic);
    p.insert("dma_transfer_average_bytes"_L1, c.dmaTransfers > 0 ? traffic / double(c.dmaTransfers) : 0);
    p.insert("inputs_and_weights_size_bytes"_L1, c.inputsAndWeights);
    p.insert("inputs_outputs_weights_size_bytes"_L1, c.inputsOutputsWeights);
    constexpr std::array names{"tensor"_L1, "vector"_L1, "scalar"_L1, "gpsimd"_L1};
    for (size_t n = 0; n < names.size(); ++n) {
        const QString prefix = names[n] + "_engine_"_L1;
        p.insert(prefix + "active_time"_L1, busy[n]);
        p.insert(prefix + "active_time_percent"_L1, total > 0 ? busy[n] / total : 0);
        p.insert(prefix + "instruction_count"_L1, double(e.timeline.units[n]));
    }
    p.insert("dma_active_time"_L1, busy[size_t(Engine::Dma)]);
    p.insert("dma_active_time_percent"_L1, total > 0 ? busy[size_t(Engine::Dma)] / total : 0);
    return p;
}

/// AWS's performance bounds, all from profile fields; milliseconds.
QJsonObject boundsOf(const Estimate &e, const Hardware &hardware)
{
    const Counters &c = e.counters;
    const auto &busy = e.timeline.busy;
    const double peak = 2.0 * 128 * 128 * hardware.engines[0].clock, ms = 1e3;
    const double largest = std::ranges::max(busy);
    QJsonObject b;
    b.insert("memory_bound_ms"_L1, busy[size_t(Engine::Dma)] * ms);
    b.insert("memory_bound_ideal_ms"_L1, (c.hbmRead + c.hbmWrite) / hardware.dmaReportedPeak * ms);
    b.insert("memory_bound_ideal_no_reloads_ms"_L1, c.inputsOutputsWeights / hardware.dmaReportedPeak * ms);
    b.insert("compute_bound_ms"_L1, busy[0] * ms);
    b.insert("compute_bound_ideal_flops_ms"_L1, c.adjustedFlops / peak * ms);
    b.insert("compute_bound_ideal_useful_ms"_L1, (c.adjustedFlops - c.adjustedTransposeFlops) / peak * ms);
    b.insert("perfect_pipeline_ms"_L1, largest * ms);
    b.insert("total_ms"_L1, e.rawSeconds * ms);
    return b;
}

} // namespace

QJsonObject okResult()
{
    return {{"status"_L1, "ok"_L1}};
}

QJsonObject errorResult(const Fault &f)
{
    return {{"status"_L1, "error"_L1},
        {"error"_L1,
            QJsonObject{{"kind"_L1, f.kind}, {"id"_L1, f.id}, {"message"_L1, f.message}, {"line"_L1, f.line}}}};
}

QJsonObject runResult(const RunOutcome &outcome)
{
    QJsonObject result = okResult();
    result.insert("finite"_L1, outcome.finite);
    result.insert("compute_seconds"_L1, outcome.seconds);
    result.insert("instruction_set"_L1, QString::fromLatin1(kernels().name));
    if (!outcome.finite)
        result.insert("note"_L1,
            u"An output holds NaN or infinity: unwritten elements and what was computed from unwritten tiles are NaN."_s);
    return result;
}

QJsonObject estimateResult(const Estimate &e, const Hardware &hardware)
{
    constexpr double ms = 1e3;
    QJsonObject result = okResult();
    result.insert("estimate"_L1, true);
    result.insert("target"_L1, hardware.target);
    result.insert("latency_ms"_L1, e.quantizedSeconds * ms);
    result.insert("latency_raw_ms"_L1, e.rawSeconds * ms);
    result.insert("latency_max_engine_ms"_L1, e.maxEngineSeconds * ms);
    result.insert("latency_unlimited_buffers_ms"_L1, e.unlimitedSeconds * ms);
    result.insert("band_ms"_L1, QJsonArray{e.bandLow * ms, e.bandHigh * ms});
    result.insert("quantum_ms"_L1, hardware.quantum * ms);
    result.insert("confidence"_L1, e.confidence);
    result.insert("confidence_reasons"_L1, QJsonArray::fromStringList(e.reasons));
    result.insert("profile"_L1, profileOf(e, hardware));
    result.insert("bounds"_L1, boundsOf(e, hardware));
    QJsonObject busy;
    constexpr std::array names{"tensor"_L1, "vector"_L1, "scalar"_L1, "gpsimd"_L1, "dma"_L1};
    for (size_t n = 0; n < names.size(); ++n)
        busy.insert(names[n], e.timeline.busy[n] * ms);
    result.insert("busy_ms"_L1, busy);
    QJsonArray lines;
    for (const LineCost &l : e.lines)
        lines.append(QJsonObject{{"line"_L1, l.line}, {"engine"_L1, toString(l.engine)},
            {"busy_ms"_L1, l.busySeconds * ms}, {"bytes"_L1, l.bytes}, {"count"_L1, double(l.count)}});
    result.insert("lines"_L1, lines);
    result.insert("program"_L1,
        QJsonObject{{"executed_instructions"_L1, double(e.executed)}, {"shared_instructions"_L1, double(e.removed)},
            {"machine_instructions"_L1, double(e.units)}, {"literal_load_bytes"_L1, e.literalReadBytes},
            {"sbuf_peak_bytes_per_partition"_L1, double(e.peakBytes)}, {"psum_peak_banks"_L1, e.peakBanks},
            {"spill_saves"_L1, double(e.spillSaves)}, {"spill_reloads"_L1, double(e.spillReloads)},
            {"repeated_loads"_L1, double(e.sunk)}});
    return result;
}

} // namespace accelopt::neuroncore
