// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/promptfacts.h"

#include "domain/format.h"

#include <algorithm>

namespace accelopt::prompt {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype maxLineCosts = 12;

/// Order of the fields in the prompt: what moves data, what computes, what waits.
const QStringList &knownFields()
{
    static const QStringList fields{u"hbm_read_bytes"_s, u"hbm_write_bytes"_s, u"spill_save_bytes"_s,
        u"spill_reload_bytes"_s, u"sbuf_read_bytes"_s, u"sbuf_write_bytes"_s, u"psum_read_bytes"_s,
        u"psum_write_bytes"_s, u"hardware_flops"_s, u"transpose_flops"_s, u"hfu_estimated_percent"_s,
        u"mm_arithmetic_intensity"_s, u"peak_flops_bandwidth_ratio"_s, u"tensor_engine_active_time_percent"_s,
        u"vector_engine_active_time_percent"_s, u"scalar_engine_active_time_percent"_s,
        u"gpsimd_engine_active_time_percent"_s, u"dma_active_time_percent"_s, u"dma_transfer_average_bytes"_s,
        u"dma_transfer_count"_s, u"tensor_engine_instruction_count"_s, u"vector_engine_instruction_count"_s,
        u"scalar_engine_instruction_count"_s, u"gpsimd_engine_instruction_count"_s};
    return fields;
}

QString number(double value)
{
    return QString::number(value, 'g', 6);
}

/// Units by the naming of neuron-profile's summary-json: *_percent are fractions, *_time seconds.
QString fieldValue(const QString &name, double value)
{
    if (name.endsWith(u"_percent"_s))
        return QString::number(value * 100, 'f', 1) + u" %"_s;
    if (name.endsWith(u"_bytes"_s) || name.endsWith(u"_size"_s))
        return plain(format::bytes(value));
    if (name.endsWith(u"_time"_s))
        return value > 0 ? plain(format::latency(value * 1e3)) : u"0 ms"_s;
    if (name.endsWith(u"_count"_s))
        return QString::number(qint64(value));
    if (name.endsWith(u"_flops"_s))
        return value >= 1e9 ? number(value / 1e9) + u" GFLOP"_s
            : value >= 1e6  ? number(value / 1e6) + u" MFLOP"_s
                            : number(value) + u" FLOP"_s;
    if (name == u"mm_arithmetic_intensity"_s || name == u"peak_flops_bandwidth_ratio"_s)
        return QString::number(value, 'f', 1) + u" FLOP/byte"_s;
    return number(value);
}

QString oneLine(const QString &text)
{
    return text.simplified();
}

} // namespace

QString plain(QString text)
{
    text.replace(QChar(0x00A0), u' ');
    text.replace(QChar(0x00D7), u'x');
    text.replace(QChar(0x2212), u'-');
    text.replace(QChar(0x2013), u'-');
    text.replace(QChar(0x00B5), u'u');
    return text;
}

QString codeBlock(const QByteArray &code)
{
    qsizetype longest = 0, run = 0;
    for (const char c : code) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const QString fence(std::max<qsizetype>(3, longest + 1), u'`');
    QString text = QString::fromUtf8(code);
    if (!text.endsWith(u'\n'))
        text += u'\n';
    return fence + u"python\n"_s + text + fence;
}

QString problemFacts(const Problem &problem)
{
    QStringList lines;
    if (!problem.operatorText.isEmpty())
        lines.append(u"- Operator: %1"_s.arg(oneLine(problem.operatorText)));
    QStringList dimensions;
    for (auto it = problem.values.begin(); it != problem.values.end(); ++it)
        dimensions.append(u"%1 = %2"_s.arg(it.key(), QString::number(it.value(), 'g', 12)));
    if (!dimensions.isEmpty())
        lines.append(u"- Dimensions: %1"_s.arg(dimensions.join(u", "_s)));
    lines.append(u"- Data type: %1"_s.arg(problem.dtype));
    lines.append(
        u"- Correct when ||result - reference|| < %1 x ||reference|| (L2 norm) for every output and several random inputs"_s
            .arg(format::scientific(problem.tolerance)));
    if (problem.work.bytes > 0)
        lines.append(u"- Inputs and outputs together: %1"_s.arg(plain(format::bytes(problem.work.bytes))));
    lines.append(u"- The kernel's function: `%1`"_s.arg(problem.entry));
    return lines.join(u'\n');
}

QJsonObject problemJson(const Problem &problem)
{
    QJsonObject json = problem.json; // all that the file says; what the application decided on counts more
    QJsonObject values;
    for (auto it = problem.values.begin(); it != problem.values.end(); ++it)
        values.insert(it.key(), *it);
    json.insert(u"name"_s, problem.name);
    json.insert(u"title"_s, problem.title);
    json.insert(u"operator"_s, problem.operatorText);
    json.insert(u"dtype"_s, problem.dtype);
    json.insert(u"values"_s, values);
    json.insert(u"tolerance"_s, problem.tolerance);
    json.insert(u"entry"_s, problem.entry);
    return json;
}

QString measured(const PlannerFacts &facts)
{
    const Evaluation &evaluation = facts.evaluation;
    QStringList lines{u"- Latency: %1%2"_s.arg(plain(format::latency(evaluation.latency.medianMs)),
        evaluation.estimate ? u" (estimated by a simulator)"_s : QString())};
    if (facts.showFractionOfPeak && facts.roofline.peakMs > 0) {
        lines.append(u"- Fraction of peak: %1. The least possible time is %2, given by %3"_s.arg(
            plain(format::fraction(facts.roofline.fractionOfPeak(evaluation.latency.medianMs))),
            plain(format::latency(facts.roofline.peakMs)),
            facts.roofline.bound == Bound::Memory       ? u"the HBM traffic (memory bound)"_s
                : facts.roofline.bound == Bound::Matmul ? u"the matrix products (matmul bound)"_s
                                                        : u"the elementwise work (vector bound)"_s));
    }
    if (facts.bestMs > 0)
        lines.append(u"- Best kernel found so far for this problem: %1"_s.arg(plain(format::latency(facts.bestMs))));
    return lines.join(u'\n');
}

QString profile(const QJsonObject &profile)
{
    QStringList lines;
    const auto add = [&](const QString &name) {
        if (const QJsonValue value = profile.value(name); value.isDouble())
            lines.append(u"- %1: %2"_s.arg(name, fieldValue(name, value.toDouble())));
    };
    for (const QString &name : knownFields())
        add(name);
    for (const QString &name : profile.keys()) { // sorted
        if (!knownFields().contains(name) && name != u"latency"_s)
            add(name);
    }
    return lines.isEmpty() ? u"There is no profile of this kernel."_s : lines.join(u'\n');
}

QString lineCosts(const QJsonArray &costs, const QByteArray &kernel)
{
    struct Cost {
        int line;
        double ms;
        QString engine;
        qint64 count; ///< instructions
    };
    QList<Cost> list;
    for (const QJsonValue &value : costs) {
        const QJsonObject cost = value.toObject();
        const int line = cost.value("line"_L1).toInt();
        const double ms = cost.value("busy_ms"_L1).toDouble();
        if (line > 0 && ms > 0)
            list.append({line, ms, cost.value("engine"_L1).toString(), cost.value("count"_L1).toInteger()});
    }
    std::ranges::stable_sort(
        list, [](const Cost &a, const Cost &b) { return a.ms != b.ms ? a.ms > b.ms : a.line < b.line; });
    list.resize(std::min(list.size(), maxLineCosts));
    const QList<QByteArray> source = kernel.split('\n');
    QStringList lines;
    for (const Cost &cost : list) {
        QString text = cost.line <= source.size() ? QString::fromUtf8(source.at(cost.line - 1)).trimmed() : QString();
        text.replace(u'`', u'\'');
        if (text.size() > 120)
            text = text.left(119) + QChar(0x2026);
        QString entry = u"- line %1: %2"_s.arg(QString::number(cost.line), plain(format::latency(cost.ms)));
        if (!cost.engine.isEmpty())
            entry += u" on "_s + cost.engine;
        if (cost.count > 0)
            entry += u", %1 instructions"_s.arg(cost.count);
        if (!text.isEmpty())
            entry += u"  `"_s + text + u'`';
        lines.append(entry);
    }
    return lines.join(u'\n');
}

QList<Experience> usable(const QList<Experience> &experiences)
{
    QList<Experience> list;
    for (const Experience &experience : experiences) {
        const bool shown =
            experience.state == Experience::State::Active || experience.state == Experience::State::Pinned;
        if (shown && !parseSummary(experience.text()).nothingFound)
            list.append(experience);
    }
    return list;
}

QString experiences(const QList<Experience> &experiences)
{
    QStringList parts;
    for (const Experience &experience : usable(experiences)) {
        const QString title = experience.title.isEmpty() ? parsePlanTitle(experience.text()) : experience.title;
        const QString speedup = plain(format::speedup(experience.speedup));
        parts.append(u"## Experience %1: %2\n%3\n\n%4"_s.arg(QString::number(parts.size() + 1), title,
            experience.positive
                ? u"Helped: %1 faster."_s.arg(speedup)
                : u"Hurt: the change made the kernel %1 slower; the faster form is the one before it."_s.arg(speedup),
            experience.text().trimmed()));
    }
    return parts.join(u"\n\n"_s);
}

QString error(const EvaluationError &error, const QByteArray &kernel)
{
    QStringList lines{u"- Kind: %1%2"_s.arg(
        errorKindName(error.kind), error.stage.isEmpty() ? QString() : u" (stage: %1)"_s.arg(error.stage))};
    if (!error.id.isEmpty())
        lines.append(u"- Id: %1"_s.arg(error.id));
    lines.append(u"- Message: %1"_s.arg(error.message.trimmed()));
    const QList<QByteArray> source = kernel.split('\n');
    if (error.line > 0 && error.line <= source.size())
        lines.append(u"- Line %1: %2"_s.arg(
            QString::number(error.line), QString::fromUtf8(source.at(error.line - 1)).trimmed()));
    return lines.join(u'\n');
}

QString list(const QStringList &items)
{
    QStringList lines;
    for (const QString &item : items)
        lines.append(u"- "_s + oneLine(item));
    return lines.join(u'\n');
}

} // namespace accelopt::prompt
