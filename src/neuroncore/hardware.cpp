// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/hardware.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <limits>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::neuroncore {
namespace {

/// Looks constants up by path ("engines/tensor/clock"); remembers the first that is missing or out of range.
class Constants {
public:
    explicit Constants(QJsonObject root)
        : m_root(std::move(root))
    {
    }
    double number(const QString &path, double lo, double hi)
    {
        const QJsonValue value = find(path);
        const double x = value.toDouble(std::numeric_limits<double>::quiet_NaN());
        if (!(x >= lo && x <= hi) && wrong.isEmpty())
            wrong = u"%1 must be a number from %2 to %3"_s.arg(path).arg(lo).arg(hi);
        return x >= lo && x <= hi ? x : lo;
    }
    bool flag(const QString &path)
    {
        const QJsonValue value = find(path);
        if (!value.isBool() && wrong.isEmpty())
            wrong = u"%1 must be true or false"_s.arg(path);
        return value.toBool();
    }
    QString wrong;

private:
    QJsonObject m_root;
    QJsonValue find(const QString &path) const
    {
        QJsonObject o = m_root;
        for (const QString &part : path.split(u'/'))
            o = o.value(part).toObject();
        return o.value("value"_L1);
    }
};

} // namespace

Checked<Hardware> loadHardware(const QString &path, const QString &generation)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > (1 << 20))
        return fault(
            u"infrastructure"_s, {}, u"The hardware data %1 cannot be read: %2."_s.arg(path, file.errorString()));
    QJsonParseError parse;
    const QJsonObject root = QJsonDocument::fromJson(file.readAll(), &parse).object();
    if (root.isEmpty())
        return fault(
            u"infrastructure"_s, {}, u"The hardware data %1 is not JSON: %2."_s.arg(path, parse.errorString()));
    Constants c(root);
    Hardware h;
    h.target = root.value("target"_L1).toString();
    constexpr double large = 1e18;
    constexpr std::array names{"tensor"_L1, "vector"_L1, "scalar"_L1, "gpsimd"_L1};
    for (size_t e = 0; e < names.size(); ++e) {
        const QString base = u"engines/%1/"_s.arg(names[e]);
        h.engines[e] = {c.number(base + u"clock"_s, 1e6, 1e12), c.number(base + u"overhead"_s, 0, 1e6),
            c.number(base + u"minimum"_s, 0, 1e6)};
    }
    h.passesFloat32 = c.number(u"engines/tensor/passes_float32"_s, 0.25, 64);
    h.passesTranspose = c.number(u"engines/tensor/passes_transpose_float32"_s, 0.25, 64);
    h.passesOneZero = c.number(u"engines/tensor/passes_onezero_float32"_s, 0.25, 64);
    h.passesBroadcast = c.number(u"engines/tensor/passes_broadcast"_s, 0.25, 64);
    h.vectorOverheadSmall = c.number(u"engines/vector/overhead_small"_s, 0, 1e6);
    h.vectorSmallLimit = c.number(u"engines/vector/small_limit"_s, 0, 1e6);
    h.scalarIdleExtra = c.number(u"engines/scalar/idle_extra"_s, 0, 1e6);
    h.scalarReduceExtra = c.number(u"engines/scalar/reduce_extra"_s, 0, 1e6);
    h.gpsimdSlowdown = c.number(u"engines/gpsimd/slowdown"_s, 0.1, 100);
    h.baseClock = c.number(u"base_clock"_s, 1e6, 1e12);
    h.semaphore = c.number(u"semaphore"_s, 0, 1);
    h.dmaEngines = int(c.number(u"dma/engines"_s, 1, 1024));
    h.dmaEngineBandwidth = c.number(u"dma/engine_bandwidth"_s, 1e6, large);
    h.dmaCap = c.number(u"dma/bandwidth_cap"_s, 1e6, large);
    h.dmaReportedPeak = c.number(u"dma/reported_peak"_s, 1e6, large);
    h.descriptor = c.number(u"dma/descriptor_overhead"_s, 0, 1);
    h.descriptorSpill = c.number(u"dma/descriptor_overhead_spill"_s, 0, 1);
    h.dmaLatency = c.number(u"dma/latency"_s, 0, 1);
    h.dmaCompletion = c.number(u"dma/completion"_s, 0, 1);
    h.dmaBin = c.number(u"dma/bin"_s, 1e-9, 1e-3);
    h.sbufBytes = int64_t(c.number(u"memory/sbuf_bytes_per_partition"_s, 1024, 1e9));
    h.spillThreshold = int64_t(c.number(u"memory/sbuf_spill_threshold"_s, 1024, 1e9));
    h.psumBanks = int(c.number(u"memory/psum_banks"_s, 1, 1024));
    h.psumBankBytes = int64_t(c.number(u"memory/psum_bank_bytes"_s, 64, 1e9));
    h.hbmBytes = int64_t(c.number(u"memory/hbm_bytes"_s, 1e6, large));
    h.matmulStationary = int64_t(c.number(u"limits/matmul_stationary_free"_s, 1, 1e6));
    h.matmulMoving = int64_t(c.number(u"limits/matmul_moving_free"_s, 1, 1e6));
    h.transposeVector = int64_t(c.number(u"limits/transpose_vector"_s, 1, 1e6));
    h.startup = c.number(u"startup"_s, 0, 1);
    h.quantum = c.number(u"latency_quantum"_s, 0, 1);
    h.peakBandwidth = c.number(u"peaks/bandwidth_bytes_per_s"_s, 1e6, large);
    h.peakMatmulFloat32 = c.number(u"peaks/matmul_flops/float32"_s, 1e6, large);
    h.peakVector = c.number(u"peaks/vector_flops/float32"_s, 1e6, large);
    h.bandwidthDecimal = c.number(u"bandwidth_variants/decimal"_s, 1e6, large);
    h.gpsimdNoPsum = c.flag(u"restrictions/gpsimd_no_psum"_s);
    h.notBothPsum = c.flag(u"restrictions/tensor_tensor_not_both_psum"_s);
    h.startPartitionRule = c.flag(u"restrictions/start_partition_rule"_s);
    const QString p = u"compiler/%1/"_s.arg(generation);
    Policy &policy = h.policy;
    policy.fuseLoops = c.flag(p + u"fuse_loops"_s);
    policy.numberValues = c.flag(p + u"number_values"_s);
    policy.hoistBudget = int64_t(c.number(p + u"hoist_budget"_s, 0, 1e9));
    policy.sinkLoads = c.flag(p + u"sink_loads"_s);
    policy.spill = c.flag(p + u"spill"_s);
    policy.parkInPsum = int(c.number(p + u"park_in_psum"_s, 0, 1000));
    policy.forwardCopies = c.flag(p + u"forward_copies"_s);
    policy.mergeCastCopies = c.flag(p + u"merge_cast_copies"_s);
    policy.foldLimit = int64_t(c.number(p + u"fold_limit"_s, 0, 1e6));
    policy.window = int(c.number(p + u"window"_s, 1, 1000));
    policy.psumWindow = int(c.number(p + u"psum_window"_s, 1, 1000));
    policy.loadDepth = int(c.number(p + u"load_depth"_s, 0, 1000));
    policy.loadDepthBytes = int64_t(c.number(p + u"load_depth_bytes"_s, 0, 1e9));
    policy.sequentialLoadDepth = int(c.number(p + u"sequential_load_depth"_s, 0, 1000));
    policy.hoistCompute = c.flag(p + u"hoist_compute"_s);
    if (!c.wrong.isEmpty())
        return fault(u"infrastructure"_s, {}, u"The hardware data %1 is incomplete: %2."_s.arg(path, c.wrong));
    return h;
}

} // namespace accelopt::neuroncore
