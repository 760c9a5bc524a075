// SPDX-License-Identifier: GPL-3.0-or-later
//
// The store's budgets: 10,000 journal events/s, 2,000 attempt commits/s with packing, a project of 100,000 attempts
// open in under 1 s.
#include "fakes/syntheticproject.h"
#include "journal/journal.h"
#include "journal/journalreader.h"
#include "repository/kernelrepository.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <benchmark/benchmark.h>
#include <ctime>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

namespace {

void journalEvents(benchmark::State &state)
{
    QTemporaryDir folder;
    const auto journal = Journal::create(folder.filePath(u"accelopt.db"_s)).value();
    Problem problem;
    problem.name = u"silu"_s;
    const qint64 run = journal->createRun({}, {}, {problem}).result().value();
    int number = 0;
    for (auto _ : state) {
        // What one attempt writes: its row, the begin and the end of its evaluation, a line of the log.
        Attempt attempt;
        attempt.run = run;
        attempt.problem = problem.name;
        attempt.key = {1 + number / 1000000, 1, 1 + number, 1, 0};
        attempt.author = u"rules"_s;
        ++number;
        const qint64 id = number; // rows are numbered in order
        (void)journal->putAttempt(attempt);
        (void)journal->beginEvaluation(id, u"search"_s, u"simulator"_s);
        Evaluation evaluation;
        evaluation.status = Evaluation::Status::Measured;
        evaluation.latency = {1, 1, 1, {1, 1, 1}};
        evaluation.fractionOfPeak = 0.5;
        (void)journal->finishEvaluation(id, u"search"_s, evaluation);
        auto last = journal->log({0, run, {}, u"run"_s, {}, id, u"line"_s});
        if (number % 256 == 0)
            last.waitForFinished(); // the queue stays short, as in a run
    }
    journal->flush();
    state.counters["events_per_second"] =
        benchmark::Counter(4.0 * double(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(journalEvents)->Unit(benchmark::kMicrosecond)->MinTime(2)->UseRealTime();

void attemptCommits(benchmark::State &state)
{
    QTemporaryDir folder;
    const auto repository = KernelRepository::create(folder.filePath(u"kernels.git"_s)).value();
    AttemptCommit commit;
    commit.run = u"1"_s;
    commit.problem = u"silu"_s;
    commit.reference = "def forward(x): return x\n";
    commit.problemJson = "{}\n";
    commit.title = u"Widen the tile"_s;
    commit.body = u"A plan of some length. "_s.repeated(20);
    commit.at = QDateTime::fromSecsSinceEpoch(1700000000);
    QList<std::pair<QString, QJsonObject>> notes;
    int number = 0;
    double noting = 0, packing = 0; // s of processor time
    for (auto _ : state) {
        commit.key =
            u"i%1.c1.p%2.a1"_s.arg(1 + number / 288, 2, 10, QChar(u'0')).arg(1 + number % 288, 2, 10, QChar(u'0'));
        commit.kernel = fakes::syntheticKernel(commit.problem, quint32(number) * 2654435761u | 1u);
        const QString id = repository->commit(commit).value();
        notes.emplaceBack(id, QJsonObject{{u"latency_ms"_s, number}});
        ++number;
        if (number % 288 == 0) { // an iteration of the paper's size: notes, then a pack
            const std::clock_t begin = std::clock();
            (void)repository->setNotes(notes);
            const std::clock_t noted = std::clock();
            (void)repository->pack({});
            noting += double(noted - begin) / CLOCKS_PER_SEC;
            packing += double(std::clock() - noted) / CLOCKS_PER_SEC;
            notes.clear();
        }
    }
    const double count = double(state.iterations());
    state.counters["commits_per_second"] = benchmark::Counter(count, benchmark::Counter::kIsRate);
    // Of the processor time of a commit; packing has a thread of its own in a run.
    state.counters["notes_ms"] = 1e3 * noting / count;
    state.counters["packing_ms"] = 1e3 * packing / count;
}
BENCHMARK(attemptCommits)->Unit(benchmark::kMicrosecond)->MinTime(3)->UseRealTime();

/// 100,000 attempts, made once.
const QString &bigProject()
{
    static QTemporaryDir folder;
    static const QString path = [] {
        fakes::SyntheticOptions options;
        options.problems = 14;
        options.beam = 6;
        options.plans = 12;
        options.totalAttempts = 100000;
        options.repository = false;
        options.calls = false;
        if (!fakes::makeSyntheticProject(folder.filePath(u"big"_s), options))
            qFatal("no synthetic project");
        return folder.filePath(u"big/accelopt.db"_s);
    }();
    return path;
}

void openBigProject(benchmark::State &state)
{
    const QString path = bigProject();
    for (auto _ : state) {
        const auto reader = JournalReader::open(path).value();
        benchmark::DoNotOptimize(reader->problemStatus(0).value());
        benchmark::DoNotOptimize(reader->attemptCounts(1).value());
        benchmark::DoNotOptimize(reader->attemptIds({.run = 1}).value());
        benchmark::DoNotOptimize(reader->attempts({.run = 1, .details = false}, 100).value());
    }
}
BENCHMARK(openBigProject)->Unit(benchmark::kMillisecond);

void problemStatus(benchmark::State &state)
{
    const auto reader = JournalReader::open(bigProject()).value();
    for (auto _ : state)
        benchmark::DoNotOptimize(reader->problemStatus(1).value());
}
BENCHMARK(problemStatus)->Unit(benchmark::kMillisecond);

void attemptCounts(benchmark::State &state)
{
    const auto reader = JournalReader::open(bigProject()).value();
    for (auto _ : state)
        benchmark::DoNotOptimize(reader->attemptCounts(1).value());
}
BENCHMARK(attemptCounts)->Unit(benchmark::kMillisecond);

void page(benchmark::State &state, AttemptFilter filter, int offset)
{
    const auto reader = JournalReader::open(bigProject()).value();
    filter.run = 1;
    filter.details = false;
    for (auto _ : state)
        benchmark::DoNotOptimize(reader->attempts(filter, 100, offset).value());
}
BENCHMARK_CAPTURE(page, first, AttemptFilter(), 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(page, last, AttemptFilter(), 99900)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(page, fastest, AttemptFilter{.order = AttemptOrder::Latency}, 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(page, byAuthor, AttemptFilter{.order = AttemptOrder::Author}, 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(page, search, AttemptFilter{.text = u"column 7424"_s}, 0)->Unit(benchmark::kMillisecond);

void sortedIds(benchmark::State &state)
{
    const auto reader = JournalReader::open(bigProject()).value();
    for (auto _ : state)
        benchmark::DoNotOptimize(
            reader->attemptIds({.run = 1, .order = AttemptOrder::Fraction, .descending = true}).value());
}
BENCHMARK(sortedIds)->Unit(benchmark::kMillisecond);

void rowsById(benchmark::State &state)
{
    const auto reader = JournalReader::open(bigProject()).value();
    const QList<qint64> ids = reader->attemptIds({.run = 1}).value().mid(50000, 100);
    for (auto _ : state)
        benchmark::DoNotOptimize(reader->attemptsById(ids).value());
}
BENCHMARK(rowsById)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
