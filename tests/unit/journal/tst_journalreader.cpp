// SPDX-License-Identifier: GPL-3.0-or-later
#include "journalfixture.h"

using namespace accelopt;
using namespace accelopt::test;

class TestJournalReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void missingFile();
    void listsInOrder();
    void pages();
    void filters_data();
    void filters();
    void sorts_data();
    void sorts();
    void hostileFilterText();
    void lightRows();
    void counts();
    void status();
    void statusStates();
    void estimatesAndMeasurementsAreNotMixed();
    void lineage();
    void ledger();
    void logPages();
    void readsWhileTheWriterWrites();

private:
    std::unique_ptr<Store> m_store;
    QList<qint64> m_ids;
};

/// Baseline and two iterations: 1.1 correct, 1.2 failed, 1.3 same as 1.1, 2.1 quarantined, 2.2 skipped, 2.3
/// pending, 2.4 correct and best.
void TestJournalReader::initTestCase()
{
    m_store = std::make_unique<Store>();
    Journal &journal = *m_store->journal;
    const qint64 run = m_store->run;
    const auto add = [&](const AttemptKey &key, int parent, const std::optional<Evaluation> &evaluation,
                         int duplicate = -1) {
        const qint64 id = ok(journal.putAttempt(attempt(run, key, parent < 0 ? 0 : m_ids.at(parent))));
        m_ids.append(id);
        if (evaluation)
            ok(journal.finishEvaluation(id, u"search"_s, *evaluation, duplicate < 0 ? 0 : m_ids.at(duplicate)));
    };
    add({}, -1, measured(4, 0.2));
    add({1, 1, 1, 1, 0}, 0, measured(2, 0.4));
    add({1, 1, 2, 1, 0}, 0, failed(ErrorKind::WrongResult, u"100%_wrong"_s));
    add({1, 1, 3, 1, 0}, 0, measured(2, 0.4), 1);
    Evaluation quarantined = measured(0.1, 8);
    quarantined.quarantined = true;
    add({2, 1, 1, 1, 0}, 1, quarantined);
    Evaluation skipped = measured(3, 0.3);
    skipped.status = Evaluation::Status::Skipped;
    add({2, 1, 2, 1, 0}, 1, skipped);
    add({2, 1, 3, 1, 0}, 1, std::nullopt);
    add({2, 1, 4, 1, 0}, 1, measured(1, 0.8));
}

void TestJournalReader::missingFile()
{
    QCOMPARE(JournalReader::open(u"/nonexistent/accelopt.db"_s).error().kind, Error::Kind::NotFound);
}

void TestJournalReader::listsInOrder()
{
    const auto all = m_store->reader()->attempts(AttemptFilter()).value();
    QList<qint64> ids;
    for (const Attempt &a : all)
        ids.append(a.id);
    QCOMPARE(ids, m_ids);
    QCOMPARE(m_store->reader()->attemptIds({}).value(), m_ids);
    QCOMPARE(all.at(1).evaluation, m_store->reader()->attempt(m_ids.at(1)).value().evaluation);
    QCOMPARE(m_store->reader()->attemptIds({.run = 55}).value(), QList<qint64>());
}

void TestJournalReader::pages()
{
    const auto reader = m_store->reader();
    const auto all = reader->attempts(AttemptFilter()).value();
    for (int offset = 0; offset < 10; offset += 3)
        QCOMPARE(reader->attempts(AttemptFilter(), 3, offset).value(), all.mid(offset, 3));
    QCOMPARE(reader->attempts(AttemptFilter(), -1, 5).value(), all.mid(5));
    QVERIFY(reader->attempts(AttemptFilter(), 0).value().isEmpty());
    const auto picked = reader->attemptsById({m_ids.at(4), m_ids.at(0), 999, m_ids.at(2)}, true).value();
    QCOMPARE(picked, (QList<Attempt>{all.at(4), all.at(0), all.at(2)}));
}

void TestJournalReader::filters_data()
{
    QTest::addColumn<AttemptFilter>("filter");
    QTest::addColumn<QList<int>>("rows");
    const auto row = [](const char *name, const AttemptFilter &filter, const QList<int> &rows) {
        QTest::newRow(name) << filter << rows;
    };
    row("iteration from", {.iterationFrom = 2}, {4, 5, 6, 7});
    row("iteration to", {.iterationTo = 0}, {0});
    row("both", {.iterationFrom = 1, .iterationTo = 1}, {1, 2, 3});
    row("correct", {.verdict = u"correct"_s}, {0, 1, 7});
    row("failed", {.verdict = u"failed"_s}, {2});
    row("same", {.verdict = u"same"_s}, {3});
    row("quarantined", {.verdict = u"quarantined"_s}, {4});
    row("skipped", {.verdict = u"skipped"_s}, {5});
    row("pending", {.verdict = u"pending"_s}, {6});
    row("error text", {.text = u"wrong"_s}, {2});
    row("title", {.text = u"plan 4"_s}, {7});
    row("author", {.text = u"baseline"_s}, {0});
    row("problem", {.problem = u"other"_s}, {});
    row("all together", {.problem = u"silu"_s, .iterationFrom = 2, .verdict = u"correct"_s, .text = u"rules"_s}, {7});
}

void TestJournalReader::filters()
{
    QFETCH(AttemptFilter, filter);
    QFETCH(QList<int>, rows);
    QList<qint64> expected;
    for (const int row : rows)
        expected.append(m_ids.at(row));
    const auto reader = m_store->reader();
    QCOMPARE(reader->attemptIds(filter).value(), expected);
    QCOMPARE(reader->attemptCount(filter).value(), expected.size());
    QList<qint64> listed;
    const auto rowsFound = reader->attempts(filter, 100).value();
    for (const Attempt &a : rowsFound)
        listed.append(a.id);
    QCOMPARE(listed, expected);
}

void TestJournalReader::sorts_data()
{
    QTest::addColumn<AttemptOrder>("order");
    QTest::addColumn<bool>("descending");
    QTest::addColumn<QList<int>>("rows");
    QTest::newRow("key down") << AttemptOrder::Key << true << QList<int>{7, 6, 5, 4, 3, 2, 1, 0};
    QTest::newRow("latency") << AttemptOrder::Latency << false << QList<int>{4, 7, 1, 3, 5, 0, 2, 6};
    QTest::newRow("latency down") << AttemptOrder::Latency << true << QList<int>{0, 5, 1, 3, 7, 4, 2, 6};
    QTest::newRow("fraction down") << AttemptOrder::Fraction << true << QList<int>{4, 7, 1, 3, 5, 0, 2, 6};
    QTest::newRow("verdict") << AttemptOrder::Verdict << false << QList<int>{0, 1, 7, 2, 6, 4, 3, 5};
    QTest::newRow("author") << AttemptOrder::Author << false << QList<int>{0, 1, 2, 3, 4, 5, 6, 7};
    QTest::newRow("title") << AttemptOrder::Title << false << QList<int>{0, 1, 4, 2, 5, 3, 6, 7};
    QTest::newRow("created") << AttemptOrder::Created << true << QList<int>{7, 6, 5, 4, 3, 2, 1, 0};
}

void TestJournalReader::sorts()
{
    QFETCH(AttemptOrder, order);
    QFETCH(bool, descending);
    QFETCH(QList<int>, rows);
    QList<qint64> expected;
    for (const int row : rows)
        expected.append(m_ids.at(row));
    const AttemptFilter filter{.order = order, .descending = descending};
    QCOMPARE(m_store->reader()->attemptIds(filter).value(), expected);
    QList<qint64> paged;
    for (int offset = 0; offset < expected.size(); offset += 3) {
        const auto page = m_store->reader()->attempts(filter, 3, offset).value();
        for (const Attempt &a : page)
            paged.append(a.id);
    }
    QCOMPARE(paged, expected);
}

void TestJournalReader::hostileFilterText()
{
    const auto reader = m_store->reader();
    QCOMPARE(reader->attemptIds({.text = u"100%_"_s}).value(), QList<qint64>{m_ids.at(2)}); // wildcards are text
    QVERIFY(reader->attemptIds({.text = u"%"_s}).value().size() == 1);
    QVERIFY(reader->attemptIds({.text = u"'; DROP TABLE attempts; --"_s}).value().isEmpty());
    QVERIFY(reader->attemptIds({.text = u"\\"_s}).value().isEmpty());
    QVERIFY(reader->attemptIds({.problem = u"' OR 1=1 --"_s}).value().isEmpty());
    QCOMPARE(reader->attemptIds({}).value().size(), m_ids.size());
}

void TestJournalReader::lightRows()
{
    const auto light = m_store->reader()->attempts({.details = false}).value();
    const auto full = m_store->reader()->attempts(AttemptFilter()).value();
    QVERIFY(light.at(1).evaluation.profile.isEmpty());
    QVERIFY(light.at(1).evaluation.latency.samplesMs.isEmpty());
    QCOMPARE(light.at(1).evaluation.latency.medianMs, 2.0);
    QCOMPARE(light.at(2).evaluation.error, full.at(2).evaluation.error);
    QCOMPARE(full.at(1).evaluation.latency.samplesMs.size(), 3);
}

void TestJournalReader::counts()
{
    const AttemptCounts counts = m_store->reader()->attemptCounts(m_store->run).value();
    QCOMPARE(counts.total, 8);
    QCOMPARE(counts.correct, 3);
    QCOMPARE(counts.failed, 1);
    QCOMPARE(counts.same, 1);
    QCOMPARE(counts.quarantined, 1);
    QCOMPARE(counts.skipped, 1);
    QCOMPARE(counts.pending, 1);
    QCOMPARE(m_store->reader()->attemptCounts(m_store->run, u"silu"_s).value().total, 8);
    QCOMPARE(m_store->reader()->attemptCounts(m_store->run, u"other"_s).value().total, 0);
}

void TestJournalReader::status()
{
    const auto list = m_store->reader()->problemStatus(m_store->run).value();
    QCOMPARE(list.size(), 1);
    const ProblemStatus &status = list.first();
    QCOMPARE(status.name, u"silu"_s);
    QCOMPARE(status.baselineAttempt, m_ids.at(0));
    QCOMPARE(status.bestAttempt, m_ids.at(7)); // not the quarantined one, which is faster
    QCOMPARE(status.baselineMs, 4.0);
    QCOMPARE(status.bestMs, 1.0);
    QCOMPARE(status.baselineFraction, 0.2);
    QCOMPARE(status.bestFraction, 0.8);
    QCOMPARE(status.bestFractionByIteration, (QList<double>{0.2, 0.4, 0.8}));
    QCOMPARE(status.speedup(), 4.0);
    QVERIFY(status.estimate);
    const Roofline roof = roofline(problem().work, facts().peaks, u"float32"_s);
    QCOMPARE(status.peakMs, roof.peakMs);
    QCOMPARE(status.bound, roof.bound);
    QCOMPARE(m_store->reader()->problemStatus(44).error().kind, Error::Kind::NotFound);
}

void TestJournalReader::statusStates()
{
    Store store; // T = 4
    const auto state = [&store] { return store.reader()->problemStatus(store.run).value().first().state; };
    QCOMPARE(state(), u"waiting"_s);
    const qint64 base = ok(store.journal->putAttempt(attempt(store.run, {})));
    QCOMPARE(state(), u"running"_s);
    ok(store.journal->finishEvaluation(base, u"search"_s, measured(4, 0.2)));
    for (int i = 0; i <= 2; ++i) {
        ok(store.journal->finishIteration(store.run, u"silu"_s, i, {{u"silu"_s, i + 1, 1, base, u"parent"_s}}));
        QCOMPARE(state(), u"running"_s);
    }
    ok(store.journal->finishIteration(store.run, u"silu"_s, 3, {{u"silu"_s, 4, 1, base, u"parent"_s}}));
    QCOMPARE(state(), u"plateau"_s);
    ok(store.journal->finishIteration(store.run, u"silu"_s, 4, {{u"silu"_s, 5, 1, base, u"parent"_s}}));
    QCOMPARE(state(), u"finished"_s);
    Store broken;
    const qint64 bad = ok(broken.journal->putAttempt(attempt(broken.run, {})));
    ok(broken.journal->finishEvaluation(bad, u"search"_s, failed(ErrorKind::Compile, u"no"_s)));
    const ProblemStatus status = broken.reader()->problemStatus(broken.run).value().first();
    QCOMPARE(status.state, u"failed"_s);
    QCOMPARE(status.bestMs, 0.0);
    QVERIFY(status.bestFractionByIteration.isEmpty());
}

void TestJournalReader::estimatesAndMeasurementsAreNotMixed()
{
    Store store;
    const qint64 base = ok(store.journal->putAttempt(attempt(store.run, {})));
    ok(store.journal->finishEvaluation(base, u"search"_s, measured(4, 0.2, false)));
    const qint64 guess = ok(store.journal->putAttempt(attempt(store.run, {1, 1, 1, 1, 0}, base)));
    ok(store.journal->finishEvaluation(guess, u"search"_s, measured(1, 0.8, true)));
    const qint64 real = ok(store.journal->putAttempt(attempt(store.run, {1, 1, 2, 1, 0}, base)));
    ok(store.journal->finishEvaluation(real, u"search"_s, measured(3, 0.3, false)));
    const ProblemStatus status = store.reader()->problemStatus(store.run).value().first();
    QVERIFY(!status.estimate);
    QCOMPARE(status.bestAttempt, real);
    QCOMPARE(status.bestFractionByIteration, (QList<double>{0.2, 0.3}));
}

void TestJournalReader::lineage()
{
    QList<qint64> ids;
    const auto line = m_store->reader()->lineage(m_ids.at(7)).value();
    for (const Attempt &a : line)
        ids.append(a.id);
    QCOMPARE(ids, (QList<qint64>{m_ids.at(0), m_ids.at(1), m_ids.at(7)}));
    QCOMPARE(m_store->reader()->lineage(999).error().kind, Error::Kind::NotFound);
}

void TestJournalReader::ledger()
{
    Store store;
    const auto call = [&](int plan, Role role, const QString &model, std::optional<double> cost) {
        auto claim = ok(store.journal->beginCall(
            store.run, {u"silu"_s, 1, 1, plan, 0, 0, role}, {u"openai"_s, model, {}}, "r", 0.7));
        claim.record.state = CallRecord::State::Finished;
        claim.record.usage = {100, 20, 30, 5, {}};
        claim.record.costUsd = cost;
        ok(store.journal->finishCall(claim.record));
    };
    call(1, Role::Planner, u"a"_s, 0.5);
    call(2, Role::Planner, u"b"_s, std::nullopt);
    call(1, Role::Executor, u"a"_s, 0.25);
    (void)ok(store.journal->beginCall(
        store.run, {u"silu"_s, 1, 1, 9, 0, 0, Role::Planner}, {u"openai"_s, u"a"_s, {}}, "r", 0.7));
    const auto reader = store.reader();
    QCOMPARE(reader->ledger(store.run).value(), (LedgerTotals{4, 300, 60, 90, 0.75, 1, 0.7}));
    const auto byRole = reader->ledgerBy(store.run, u"role"_s).value();
    QCOMPARE(byRole.value(u"executor"_s), (LedgerTotals{1, 100, 20, 30, 0.25, 0, 0}));
    const auto byModel = reader->ledgerBy(store.run, u"model"_s).value();
    QCOMPARE(byModel.keys(), (QStringList{u"openai:a"_s, u"openai:b"_s}));
    QCOMPARE(byModel.value(u"openai:b"_s).unpricedCalls, 1);
    QCOMPARE(reader->ledgerBy(store.run, u"1; DROP TABLE calls"_s).error().kind, Error::Kind::Invalid);
    QCOMPARE(reader->ledger(99).value(), LedgerTotals());
    const auto activity = reader->activity(store.run, {}).value();
    QCOMPARE(activity.size(), 4);
    QCOMPARE(activity.last().outcome, u"running"_s);
    QVERIFY(reader->activity(store.run, QDateTime::currentDateTimeUtc().addSecs(100)).value().size()
        == 1); // only what runs
}

void TestJournalReader::logPages()
{
    Store store;
    for (int i = 1; i <= 50; ++i)
        ok(store.journal->log({0, store.run, {}, u"run"_s, u"silu"_s, 3, QString::number(i)}));
    const auto last = store.reader()->log(store.run, 10).value();
    QCOMPARE(last.size(), 10);
    QCOMPARE(last.first().text, u"41"_s);
    QCOMPARE(last.last().text, u"50"_s);
    const auto fresh = store.reader()->log(store.run, 10, last.at(7).id).value();
    QCOMPARE(fresh.size(), 2);
    QCOMPARE(fresh.last().attempt, 3);
    QVERIFY(fresh.last().at.isValid());
}

void TestJournalReader::readsWhileTheWriterWrites()
{
    Store store;
    const auto reader = store.reader();
    qint64 before = 0;
    for (int i = 1; i <= 300; ++i) {
        (void)store.journal->putAttempt(attempt(store.run, {1, 1, i, 1, 0}));
        if (i % 10 == 0) {
            const qint64 total = reader->attemptCounts(store.run).value().total;
            QVERIFY(total >= before && total <= i);
            before = total;
        }
    }
    store.journal->flush();
    QCOMPARE(reader->attemptCounts(store.run).value().total, 300);
}

QTEST_GUILESS_MAIN(TestJournalReader)
#include "tst_journalreader.moc"
