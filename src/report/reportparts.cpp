// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/reportparts.h"

#include "domain/format.h"

using namespace Qt::Literals::StringLiterals;

namespace accelopt::report {

namespace {

QStringList countCells(const AttemptCounts &counts)
{
    QStringList cells;
    for (const qint64 number :
        {counts.total, counts.correct, counts.failed, counts.same, counts.skipped, counts.quarantined, counts.pending})
        cells.append(format::count(number));
    return cells;
}

} // namespace

Table problemTable(const Model &model)
{
    Table table{{u"Problem"_s, u"Bound"_s, u"#Peak time"_s, u"#Baseline"_s, u"#Best"_s, u"#Speedup"_s,
                    u"#Of peak before"_s, u"#Of peak after"_s, u"State"_s, u"Best commit"_s},
        {}};
    for (const ProblemPart &part : model.problems) {
        const ProblemStatus &s = part.status;
        const bool any = s.baselineMs > 0;
        table.rows.append({s.name, boundName(s.bound), format::latency(s.peakMs), latencyText(s.baselineMs, s.estimate),
            latencyText(s.bestMs, s.estimate), any ? format::speedup(s.speedup()) : format::missing(),
            fractionText(s.baselineFraction, s.estimate), fractionText(s.bestFraction, s.estimate), s.state,
            part.best && !part.best->commit.isEmpty() ? part.best->commit.left(10) : format::missing()});
    }
    return table;
}

Table attemptTable(const Model &model)
{
    Table table{{u"Problem"_s, u"#Attempts"_s, u"#Correct"_s, u"#Failed"_s, u"#Same as another"_s, u"#Not computed"_s,
                    u"#Quarantined"_s, u"#Pending"_s},
        {}};
    for (const ProblemPart &part : model.problems)
        table.rows.append(QStringList{part.problem.name} + countCells(part.counts));
    if (model.problems.size() > 1)
        table.rows.append(QStringList{u"All"_s} + countCells(model.counts));
    return table;
}

Table errorTable(const Model &model)
{
    Table table{{u"Kind"_s, u"#Attempts"_s}, {}};
    QList<std::pair<qint64, QString>> sorted;
    for (auto error = model.errors.cbegin(); error != model.errors.cend(); ++error)
        sorted.emplaceBack(-error.value(), error.key());
    std::ranges::sort(sorted);
    for (const auto &[number, kind] : std::as_const(sorted))
        table.rows.append({kind, format::count(-number)});
    return table;
}

Table lineageTable(const ProblemPart &part)
{
    Table table{{u"Attempt"_s, u"Change"_s, u"Author"_s, u"#Latency"_s, u"#Of peak"_s, u"Commit"_s}, {}};
    for (const Attempt &attempt : part.lineage) {
        const Evaluation &e = attempt.evaluation;
        table.rows.append(
            {attempt.key.display(), attempt.planTitle, attempt.author, latencyText(e.latency.medianMs, e.estimate),
                fractionText(e.fractionOfPeak, e.estimate), attempt.commit.left(10)});
    }
    return table;
}

Table samplesTable(const ProblemPart &part)
{
    Table table{{u"Kernel"_s, u"Commit"_s, u"Kind"_s, u"#Median"_s, u"#Least"_s, u"#Most"_s, u"Samples (ms)"_s}, {}};
    const auto add = [&table](const QString &name, const std::optional<Attempt> &attempt) {
        if (!attempt || !attempt->evaluation.isCorrect())
            return;
        const Latency &latency = attempt->evaluation.latency;
        QStringList samples;
        for (const double sample : latency.samplesMs)
            samples.append(QString::number(sample, 'g', 10));
        table.rows.append({name, attempt->commit.left(10), attempt->evaluation.estimate ? u"estimate"_s : u"measured"_s,
            latencyText(latency.medianMs, attempt->evaluation.estimate),
            latencyText(latency.minMs, attempt->evaluation.estimate),
            latencyText(latency.maxMs, attempt->evaluation.estimate),
            samples.isEmpty() ? format::missing() : samples.join(u", "_s)});
    };
    add(u"Baseline"_s, part.baseline);
    if (part.best && part.baseline && part.best->id != part.baseline->id)
        add(u"Best"_s, part.best);
    return table;
}

Table experienceTable(const Model &model)
{
    Table table{{u"Problem"_s, u"#Iteration"_s, u"Kind"_s, u"#Ratio"_s, u"What"_s, u"#Prompts"_s}, {}};
    for (const ProblemPart &part : model.problems) {
        for (const Experience &experience : part.experiences) {
            if (experience.state == Experience::State::Deleted)
                continue;
            const QString title = experience.title.isEmpty() || experience.text().startsWith(experience.title)
                ? QString()
                : experience.title + u": "_s;
            table.rows.append({part.problem.name, QString::number(experience.iteration),
                experience.positive ? u"faster"_s : u"slower"_s, format::speedup(experience.speedup),
                title + experience.text(), format::count(experience.uses)});
        }
    }
    return table;
}

Table ledgerTable(const Model &model, const QMap<QString, LedgerTotals> &split, const QString &head)
{
    Table table{{head, u"#Calls"_s, u"#Input tokens"_s, u"#of these cached"_s, u"#Output tokens"_s, u"#Cost"_s}, {}};
    const auto add = [&table](const QString &name, const LedgerTotals &totals) {
        table.rows.append({name, format::count(totals.calls), format::count(totals.inputTokens),
            format::count(totals.cachedTokens), format::count(totals.outputTokens), costText(totals)});
    };
    for (auto part = split.cbegin(); part != split.cend(); ++part)
        add(part.key(), part.value());
    if (split.size() != 1)
        add(u"All"_s, model.ledger);
    return table;
}

QStringList costSentences(const Model &model)
{
    QStringList sentences;
    sentences.append(u"The run was active for %1 and used a core for %2."_s.arg(
        format::duration(model.run.activeSeconds), format::duration(model.deviceSeconds)));
    if (model.ledger.inFlightUsd > 0) {
        sentences.append(u"Calls that were cut off or still run may have cost up to %1 more."_s.arg(
            format::money(model.ledger.inFlightUsd)));
    }
    return sentences;
}

Table environmentTable(const Model &model)
{
    Table table{{u"Target"_s, u"Host"_s, u"SDK"_s, u"NKI"_s, u"Flags"_s, u"Profiler"_s}, {}};
    const auto shown = [](const QString &text) { return text.isEmpty() ? format::missing() : text; };
    for (const EvaluationEnvironment &e : model.environments)
        table.rows.append(
            {shown(e.target), shown(e.host), shown(e.sdk), shown(e.nki), shown(e.flags), shown(e.profiler)});
    return table;
}

Table settingsTable(const Model &model)
{
    Table table{{u"Setting"_s, u"Value"_s}, {}};
    for (const auto &[path, text] : flatten(model.settings))
        table.rows.append({path, text});
    const HardwarePeaks &peaks = model.run.facts.peaks;
    for (const auto &[path, text] : flatten(withoutSecrets(peaks.toJson())))
        table.rows.append({u"peaks."_s + path, text});
    return table;
}

ChartText fractionChartText(const Model &model)
{
    QStringList ends;
    for (const ProblemPart &part : model.problems) {
        if (!part.status.bestFractionByIteration.isEmpty())
            ends.append(u"%1 %2"_s.arg(part.status.name, fractionText(part.status.bestFraction, part.status.estimate)));
    }
    const bool estimates = model.estimated.problems > 0, measured = model.measured.problems > 0;
    const QString kind = estimates && measured ? u"dashed: estimates of the simulator"_s
        : estimates                            ? u"estimates of the simulator"_s
                                               : u"measured"_s;
    return {u"Best fraction of peak over iterations"_s, u"At the end: %1."_s.arg(visible(ends.join(u", "_s))),
        u"Iteration (0 is the baseline)"_s, u"Best fraction of peak, %1"_s.arg(kind),
        visible(provenance(model,
            model.problems.size() == 1 && model.problems.first().best ? model.problems.first().best->commit
                                                                      : QString()))};
}

QList<Series> fractionSeries(const Model &model)
{
    QList<Series> series;
    for (const ProblemPart &part : model.problems) {
        if (!part.status.bestFractionByIteration.isEmpty())
            series.append({visible(part.status.name), part.status.bestFractionByIteration, part.status.estimate});
    }
    return series;
}

ChartText verdictChartText(const Model &model)
{
    return {u"Attempts by verdict"_s, u"%1 attempts in all."_s.arg(format::count(model.counts.total)), u"Attempts"_s,
        {}, visible(provenance(model))};
}

QList<Bar> verdictBars(const Model &model)
{
    QList<Bar> bars;
    const AttemptCounts &c = model.counts;
    for (const auto &[name, value] : {std::pair(u"correct"_s, c.correct), std::pair(u"failed"_s, c.failed),
             std::pair(u"same as another"_s, c.same), std::pair(u"not computed"_s, c.skipped),
             std::pair(u"quarantined"_s, c.quarantined), std::pair(u"pending"_s, c.pending)}) {
        if (value > 0 || name == "correct"_L1)
            bars.append({name, value});
    }
    return bars;
}

} // namespace accelopt::report
