// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/comparison.h"

#include <cmath>
#include <optional>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

enum class Unit { Bytes, Count, Share, Flops };
enum class Wish { Less, More };

struct Metric {
    const char *key;
    const char *name;
    Unit unit;
    Wish wish;
};

// Field names and units are those of neuron-profile's summary-json; its "percent" fields are fractions from 0 to 1.
constexpr Metric metrics[] = {
    {"hbm_read_bytes", "HBM read", Unit::Bytes, Wish::Less},
    {"hbm_write_bytes", "HBM written", Unit::Bytes, Wish::Less},
    {"spill_save_bytes", "Spill saved", Unit::Bytes, Wish::Less},
    {"spill_reload_bytes", "Spill reloaded", Unit::Bytes, Wish::Less},
    {"tensor_engine_active_time_percent", "TensorE busy", Unit::Share, Wish::More},
    {"vector_engine_active_time_percent", "VectorE busy", Unit::Share, Wish::More},
    {"scalar_engine_active_time_percent", "ScalarE busy", Unit::Share, Wish::More},
    {"gpsimd_engine_active_time_percent", "GpSimd busy", Unit::Share, Wish::More},
    {"dma_active_time_percent", "DMA busy", Unit::Share, Wish::More},
    {"hardware_flops", "Matmul FLOP", Unit::Flops, Wish::Less},
    {"transpose_flops", "Transpose FLOP", Unit::Flops, Wish::Less},
    {"tensor_engine_instruction_count", "TensorE instr.", Unit::Count, Wish::Less},
    {"vector_engine_instruction_count", "VectorE instr.", Unit::Count, Wish::Less},
    {"scalar_engine_instruction_count", "ScalarE instr.", Unit::Count, Wish::Less},
    {"dma_transfer_count", "DMA transfers", Unit::Count, Wish::Less},
};

QString shown(double number, Unit unit)
{
    switch (unit) {
    case Unit::Bytes:
        return format::bytes(number);
    case Unit::Count:
        return format::count(std::llround(number));
    case Unit::Share:
        return QString::number(number * 100, 'f', 1) + QChar(0x00A0) + u'%';
    case Unit::Flops:
        return QString::number(number / 1e9, 'f', 2) + QChar(0x00A0) + u"G"_s;
    }
    return {};
}

/// "30 % less", "gone", "new", "2.1× as much", "none".
QString changeInWords(double a, double b)
{
    if (a == b)
        return u"none"_s;
    if (b == 0)
        return u"gone"_s;
    if (a == 0)
        return u"new"_s;
    const double ratio = b / a;
    if (ratio >= 2)
        return format::speedup(ratio) + u" as much"_s;
    const double percent = std::abs(ratio - 1) * 100;
    const QString amount = percent < 0.1 ? u"under 0.1"_s : QString::number(percent, 'f', percent < 10 ? 1 : 0);
    return amount + QChar(0x00A0) + (ratio < 1 ? u"% less"_s : u"% more"_s);
}

format::Verdict judge(double a, double b, Wish wish)
{
    const double scale = std::max(std::abs(a), std::abs(b));
    // The noise rule of the latency holds for counters too: below half a percent nothing is better or worse.
    if (scale == 0 || std::abs(a - b) < 0.005 * scale)
        return format::Verdict::Same;
    return (b < a) == (wish == Wish::Less) ? format::Verdict::Better : format::Verdict::Worse;
}

std::optional<double> field(const Evaluation &evaluation, const char *key)
{
    const QJsonValue value = evaluation.profile.value(QLatin1StringView(key));
    return value.isDouble() && std::isfinite(value.toDouble()) ? std::optional(value.toDouble()) : std::nullopt;
}

/// Key of the engine (or DMA) that is busy the largest share of the time; null where the profile has none.
const char *busiest(const Evaluation &evaluation)
{
    const char *key = nullptr;
    double most = 0;
    for (const Metric &metric : metrics) {
        if (const double share = field(evaluation, metric.key).value_or(0);
            metric.unit == Unit::Share && share > most) {
            most = share;
            key = metric.key;
        }
    }
    return key;
}

std::optional<double> trafficEfficiency(const Evaluation &evaluation, const Work &work)
{
    const double moved =
        field(evaluation, "hbm_read_bytes").value_or(0) + field(evaluation, "hbm_write_bytes").value_or(0);
    return work.bytes > 0 && moved > 0 ? std::optional(work.bytes / moved) : std::nullopt;
}

MetricDelta shareRow(const QString &key, const QString &name, double a, double b)
{
    return {key, name, shown(a, Unit::Share), shown(b, Unit::Share), a == b ? u"none"_s : format::points(b - a),
        judge(a, b, Wish::More)};
}

QString whyNot(const Evaluation &a, const Evaluation &b)
{
    if (!(a.latency.medianMs > 0) || !(b.latency.medianMs > 0))
        return u"There is nothing to compare: %1 has no latency."_s.arg(a.latency.medianMs > 0 ? u"B"_s : u"A"_s);
    if (a.estimate != b.estimate)
        return u"These results cannot be compared: one is measured, the other is an estimate."_s;
    const std::pair<QString, QString> parts[] = {{a.environment.target, b.environment.target},
        {a.environment.host, b.environment.host}, {a.environment.sdk, b.environment.sdk},
        {a.environment.nki, b.environment.nki}, {a.environment.flags, b.environment.flags},
        {a.environment.profiler, b.environment.profiler}};
    for (const auto &[left, right] : parts) {
        if (left != right)
            return u"These results cannot be compared: %1 and %2. Measure one again on the other."_s.arg(
                left.isEmpty() ? u"unknown"_s : left, right.isEmpty() ? u"unknown"_s : right);
    }
    return {};
}

QString spreadSentence(const Evaluation &a, const Evaluation &b, format::Verdict verdict)
{
    if (a.estimate)
        return u"Both are estimates of the simulator."_s;
    if (verdict == format::Verdict::Same)
        return u"The difference is inside the noise."_s;
    const bool apart = a.latency.minMs > b.latency.maxMs || b.latency.minMs > a.latency.maxMs;
    return apart ? u"The samples of both do not overlap."_s
                 : u"The samples of both overlap; measure again before relying on it."_s;
}

} // namespace

QString MetricDelta::word() const
{
    return judged ? verdictWord(verdict) : QString();
}

QString verdictWord(format::Verdict verdict)
{
    switch (verdict) {
    case format::Verdict::Better:
        return u"better"_s;
    case format::Verdict::Same:
        return u"same"_s;
    case format::Verdict::Worse:
        return u"worse"_s;
    }
    return {};
}

Comparison compareEvaluations(const Evaluation &a, const Evaluation &b, const Work &work)
{
    Comparison result;
    result.reason = whyNot(a, b);
    result.comparable = result.reason.isEmpty();
    if (!result.comparable)
        return result;

    const double before = a.latency.medianMs;
    const double after = b.latency.medianMs;
    const auto latency = a.estimate ? format::estimatedLatency : format::latency;
    result.factor = before / after;
    result.verdict = format::compare(result.factor);
    if (result.verdict == format::Verdict::Same)
        result.headline = u"B is as fast as A"_s;
    else
        result.headline =
            u"B is %1 %2 than A"_s.arg(format::speedup(result.factor > 1 ? result.factor : 1 / result.factor),
                result.factor > 1 ? u"faster"_s : u"slower"_s);
    result.detail = u"%1 %2 per call. %3"_s.arg(latency(std::abs(before - after)),
        after <= before ? u"less"_s : u"more"_s, spreadSentence(a, b, result.verdict));
    if (before == after)
        result.detail = u"The same latency to the last digit."_s;

    result.rows.append({u"latency"_s, u"Latency"_s, latency(before), latency(after), changeInWords(before, after),
        judge(before, after, Wish::Less)});
    if (a.fractionOfPeak > 0 && b.fractionOfPeak > 0)
        result.rows.append(shareRow(u"fraction_of_peak"_s, u"Fraction of peak"_s, a.fractionOfPeak, b.fractionOfPeak));
    const char *pace = busiest(b);
    for (const Metric &metric : metrics) {
        const auto left = field(a, metric.key);
        const auto right = field(b, metric.key);
        if (!left && !right)
            continue;
        const QString key = QLatin1StringView(metric.key);
        const QString name = QLatin1StringView(metric.name);
        if (left && right && metric.unit == Unit::Share) {
            MetricDelta row = shareRow(key, name, *left, *right);
            // A busy engine is good where it sets the pace of B; of the others it says nothing.
            row.judged = metric.key == pace;
            if (!row.judged)
                row.verdict = format::Verdict::Same;
            result.rows.append(row);
        } else if (left && right)
            result.rows.append({key, name, shown(*left, metric.unit), shown(*right, metric.unit),
                changeInWords(*left, *right), judge(*left, *right, metric.wish)});
        else
            result.rows.append({key, name, left ? shown(*left, metric.unit) : format::missing(),
                right ? shown(*right, metric.unit) : format::missing(), format::missing(), format::Verdict::Same,
                false});
    }
    if (const auto left = trafficEfficiency(a, work), right = trafficEfficiency(b, work); left && right)
        result.rows.append(shareRow(u"traffic_efficiency"_s, u"Traffic efficiency"_s, *left, *right));
    if (a.relativeError >= 0 && b.relativeError >= 0)
        result.rows.append({u"relative_error"_s, u"Relative error"_s, format::scientific(a.relativeError),
            format::scientific(b.relativeError), changeInWords(a.relativeError, b.relativeError), format::Verdict::Same,
            false});
    return result;
}

} // namespace accelopt
