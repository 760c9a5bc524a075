// SPDX-License-Identifier: GPL-3.0-or-later
//
// Budgets of Candidates and Compare: side-by-side diff of two 10,000-line kernels in under 100 ms, 100,000 attempts in
// the table without holding the GUI thread.
#include "fakes/syntheticproject.h"
#include "studio/candidatemodel.h"
#include "studio/coderow.h"
#include "studio/diffmodel.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <benchmark/benchmark.h>
#include <random>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

namespace {

struct Kernels {
    QByteArray left, right;
};

/// Two kernels of 10,000 lines: every twentieth line is changed, every fiftieth is new.
const Kernels &kernels()
{
    static const Kernels pair = [] {
        Kernels made;
        made.left = fakes::syntheticKernel(u"silu"_s, 1, 10'000);
        QByteArrayList lines = made.left.split('\n');
        while (lines.size() < 10'000)
            lines += fakes::syntheticKernel(u"silu"_s, static_cast<quint32>(lines.size()), 500).split('\n');
        lines.resize(10'000);
        made.left = lines.join('\n');
        QByteArrayList changed;
        for (int i = 0; i < lines.size(); ++i) {
            changed.append(i % 20 == 7 ? lines[i] + "  # tile " + QByteArray::number(i) : lines[i]);
            if (i % 50 == 13)
                changed.append("    extra_" + QByteArray::number(i) + " = nl.load(x[0:128])");
        }
        changed.resize(10'000);
        made.right = changed.join('\n');
        return made;
    }();
    return pair;
}

void diffOfTenThousandLines(benchmark::State &state)
{
    const Kernels &pair = kernels();
    for (auto _ : state) {
        const LineDiff diff = diffLines(pair.left, pair.right);
        benchmark::DoNotOptimize(layoutDiff(diff, state.range(0) != 0, false, {}));
    }
    state.SetLabel("budget 100 ms");
}
BENCHMARK(diffOfTenThousandLines)->Arg(0)->Arg(1)->ArgName("unified")->Unit(benchmark::kMillisecond);

void highlightOfTenThousandLines(benchmark::State &state)
{
    const QStringList lines = QString::fromUtf8(kernels().left).split(u'\n');
    for (auto _ : state)
        benchmark::DoNotOptimize(highlightPython(lines));
}
BENCHMARK(highlightOfTenThousandLines)->Unit(benchmark::kMillisecond);

/// What a page of side-by-side code costs the GUI thread: roles and drawing of 45 rows.
void drawAPageOfDiff(benchmark::State &state)
{
    const LineDiff diff = diffLines(kernels().left, kernels().right);
    DiffModel model;
    model.setContent({diff, highlightPython(diff.left), highlightPython(diff.right)});
    CodeRow row;
    row.setSize({480, 18});
    row.setSignColumn(true);
    QImage image(480, 18, QImage::Format_ARGB32_Premultiplied);
    int at = 0;
    for (auto _ : state) {
        for (int i = 0; i < 45; ++i, at = (at + 1) % model.rowCount()) {
            for (const bool right : {false, true}) {
                row.setGround(
                    model.index(at).data(right ? DiffModel::RightGroundRole : DiffModel::LeftGroundRole).toString());
                row.setCode(model.index(at).data(right ? DiffModel::RightCodeRole : DiffModel::LeftCodeRole));
                QPainter painter(&image);
                row.paint(&painter);
            }
        }
    }
    state.SetLabel("budget 16 ms");
}
BENCHMARK(drawAPageOfDiff)->Unit(benchmark::kMillisecond);

QList<CandidateRow> candidates(int n)
{
    std::mt19937 random(1);
    QList<CandidateRow> rows;
    rows.reserve(n);
    for (int i = 0; i < n; ++i) {
        CandidateRow row;
        row.id = i + 1;
        row.problem = u"problem_%1"_s.arg(i % 14);
        row.key = {i / 2000 + 1, i % 6 + 1, i % 12 + 1, i % 2 + 1, 0};
        row.name = row.key.display();
        row.plan = u"Tile the sequence by %1"_s.arg(random() % 4096);
        row.verdict = random() % 3 ? u"correct"_s : u"syntax"_s;
        row.ms = random() % 3 ? 1 + 1e-6 * double(random() % 1'000'000) : 0;
        row.overBaseline = row.ms > 0 ? 2 / row.ms : 0;
        rows.append(row);
    }
    return rows;
}

void sortAHundredThousandAttempts(benchmark::State &state)
{
    const QList<CandidateRow> rows = candidates(100'000);
    for (auto _ : state)
        benchmark::DoNotOptimize(CandidateModel::prepare(rows, {}, {{CandidateModel::BaselineColumn, true}}));
}
BENCHMARK(sortAHundredThousandAttempts)->Unit(benchmark::kMillisecond);

/// A hundred new attempts among 100,000: what the worker plans and the GUI thread applies.
void followAHundredThousandAttempts(benchmark::State &state)
{
    const QList<CandidateRow> rows = candidates(100'100);
    const QList<SortKey> keys{{CandidateModel::BaselineColumn, true}};
    const auto before = CandidateModel::prepare(rows.first(100'000), {}, keys),
               after = CandidateModel::prepare(rows, {}, keys);
    CandidateModel model;
    for (auto _ : state) {
        state.PauseTiming();
        model.setContent({});
        model.setContent(before);
        state.ResumeTiming();
        model.setContent(after);
    }
    state.SetLabel("planning and applying; only applying holds the GUI thread");
}
BENCHMARK(followAHundredThousandAttempts)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char **argv)
{
    QGuiApplication app(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
