// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pairs and curation against tables worked by hand from the AccelOpt paper (Algorithm 2) and from what the published
// scripts do instead.
#include "search/memory.h"

#include <QTest>
#include <algorithm>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;
using State = Experience::State;

namespace {

// A child of candidate 1 (attempt 1, 1.0 ms) or 2 (attempt 2, 2.0 ms), by its speedup; 0 = failed.
Standing child(qint64 id, int candidate, int plan, int attempt, double speedup)
{
    Standing s;
    s.attempt = id;
    s.key = {3, candidate, plan, attempt, 0};
    s.program = u"p%1"_s.arg(id);
    s.eligible = speedup > 0;
    s.latencyMs = speedup > 0 ? candidate / speedup : 0;
    return s;
}

const QList<Placed> parents{{1, {2, 1, 1, 1, 0}, u"a"_s, 1.0}, {2, {2, 1, 2, 1, 0}, u"b"_s, 2.0}};

QString text(const QList<Pair> &pairs)
{
    QStringList parts;
    for (const Pair &p : pairs)
        parts << u"%1 %2->%3"_s.arg(p.positive ? u"+"_s : u"-"_s).arg(p.slowAttempt).arg(p.fastAttempt);
    return parts.join(u", "_s);
}

QString pairs(MemoryPolicy policy, const QList<Standing> &attempts, int topK = 8)
{
    return text(notablePairs({policy, 1.04, 1.15, topK}, attempts, parents));
}

QList<MemoryItem> items(qint64 first, int count)
{
    QList<MemoryItem> list;
    for (int i = 0; i < count; ++i)
        list << MemoryItem{first + i, State::Active};
    return list;
}

QList<qint64> numbers(qint64 first, int count)
{
    QList<qint64> list;
    for (int i = 0; i < count; ++i)
        list << first + i;
    return list;
}

} // namespace

class TestMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pairTable_data()
    {
        QTest::addColumn<QList<Standing>>("attempts");
        QTest::addColumn<QString>("fifo");
        QTest::addColumn<QString>("upstream");
        const auto row = [](const char *name, const QList<Standing> &attempts, const QString &fifo,
                             const QString &upstream) { QTest::newRow(name) << attempts << fifo << upstream; };
        row("positive: the fastest of its group", {child(10, 1, 1, 1, 1.2), child(11, 1, 1, 2, 1.5)}, u"+ 1->11"_s,
            u"+ 1->11"_s);
        row("negative: the slowest of its group", {child(10, 1, 1, 1, 0.8), child(11, 1, 1, 2, 0.5)}, u"- 11->1"_s,
            u"- 11->1"_s);
        row("0.95 and 0.50: negative in the scripts only", {child(10, 1, 1, 1, 0.95), child(11, 1, 1, 2, 0.50)}, u""_s,
            u"- 11->1"_s);
        row("1.00 and 0.50: in neither", {child(10, 1, 1, 1, 1.0), child(11, 1, 1, 2, 0.50)}, u""_s, u""_s);
        row("1.03 and 0.50: in neither", {child(10, 1, 1, 1, 1.03), child(11, 1, 1, 2, 0.50)}, u""_s, u""_s);
        row("1.5 and 0.2: positive", {child(10, 1, 1, 1, 1.5), child(11, 1, 1, 2, 0.2)}, u"+ 1->10"_s, u"+ 1->10"_s);
        row("failed attempts do not count", {child(10, 1, 1, 1, 0), child(11, 1, 1, 2, 0.5)}, u"- 11->1"_s,
            u"- 11->1"_s);
        row("a failed group", {child(10, 1, 1, 1, 0), child(11, 1, 1, 2, 0)}, u""_s, u""_s);
        row("against the parent, not the baseline", {child(10, 2, 1, 1, 1.5)}, u"+ 2->10"_s, u"+ 2->10"_s);
        row("positives fastest first, then negatives worst first",
            {child(10, 1, 1, 1, 0.8), child(11, 1, 2, 1, 1.1), child(12, 1, 3, 1, 0.4), child(13, 2, 1, 1, 1.9)},
            u"+ 2->13, + 1->11, - 12->1, - 10->1"_s, u"+ 2->13, + 1->11, - 12->1, - 10->1"_s);
        row("ties in the order of candidate and plan",
            {child(13, 2, 1, 1, 1.5), child(12, 1, 2, 1, 1.5), child(11, 1, 1, 1, 1.5)}, u"+ 1->11, + 1->12, + 2->13"_s,
            u"+ 1->11, + 1->12, + 2->13"_s);
        row("a tie in a group: the smaller key", {child(11, 1, 1, 2, 1.5), child(10, 1, 1, 1, 1.5)}, u"+ 1->10"_s,
            u"+ 1->10"_s);
    }
    void pairTable()
    {
        QFETCH(QList<Standing>, attempts);
        QFETCH(QString, fifo);
        QFETCH(QString, upstream);
        QCOMPARE(pairs(MemoryPolicy::Fifo, attempts), fifo);
        QCOMPARE(pairs(MemoryPolicy::Upstream, attempts), upstream);
        std::ranges::reverse(attempts);
        QCOMPARE(pairs(MemoryPolicy::Fifo, attempts), fifo);
        QCOMPARE(pairs(MemoryPolicy::Upstream, attempts), upstream);
    }

    void thresholds()
    {
        // Latencies chosen so that the quotient is the threshold itself: both are strict.
        Standing s = child(10, 1, 1, 1, 1);
        const QList<Placed> parent{{1, {2, 1, 1, 1, 0}, u"a"_s, 1.04}};
        const PairRules rules{MemoryPolicy::Fifo, 1.04, 1.15, 8};
        s.latencyMs = 1.0;
        QCOMPARE(notablePairs(rules, {s}, parent).size(), 0);
        s.latencyMs = std::nextafter(1.0, 0.0);
        QCOMPARE(text(notablePairs(rules, {s}, parent)), u"+ 1->10"_s);
        const QList<Placed> one{{1, {2, 1, 1, 1, 0}, u"a"_s, 1.0}};
        for (const MemoryPolicy policy : {MemoryPolicy::Fifo, MemoryPolicy::Upstream}) {
            s.latencyMs = 1.15;
            QCOMPARE(notablePairs({policy, 1.04, 1.15, 8}, {s}, one).size(), 0);
            s.latencyMs = 1.1500001;
            QCOMPARE(text(notablePairs({policy, 1.04, 1.15, 8}, {s}, one)), u"- 10->1"_s);
        }
        s.latencyMs = 1.25;
        const auto pair = notablePairs(rules, {s}, one);
        QCOMPARE(pair.size(), 1);
        QCOMPARE(pair.first().speedup, 1.25); // always slow / fast
        QCOMPARE(pair.first().child, s.key);
    }

    void caps()
    {
        QList<Standing> attempts;
        for (int p = 1; p <= 6; ++p)
            attempts << child(10 + p, 1, p, 1, 1.1 + p / 10.0);
        // No negatives: still only TopK/2.
        QCOMPARE(pairs(MemoryPolicy::Fifo, attempts), u"+ 1->16, + 1->15, + 1->14, + 1->13"_s);
        QCOMPARE(pairs(MemoryPolicy::Fifo, attempts, 3), u"+ 1->16"_s);
        QCOMPARE(pairs(MemoryPolicy::Fifo, attempts, 1), u""_s);
        // Negatives take all that is left: 8 without positives, 4 beside 4.
        QList<Standing> slow;
        for (int p = 1; p <= 9; ++p)
            slow << child(30 + p, 2, p, 1, 0.8 - p / 20.0);
        QCOMPARE(notablePairs({MemoryPolicy::Fifo, 1.04, 1.15, 8}, slow, parents).size(), 8);
        const auto both = notablePairs({MemoryPolicy::Upstream, 1.04, 1.15, 8}, attempts + slow, parents);
        QCOMPARE(both.size(), 8);
        QCOMPARE(std::ranges::count(both, true, &Pair::positive), 4);
        QCOMPARE(both.last().slowAttempt, 36); // worst first: 39, 38, 37, 36
        // One positive leaves seven.
        QCOMPARE(notablePairs({MemoryPolicy::Fifo, 1.04, 1.15, 8}, attempts.first(1) + slow, parents).size(), 8);
    }

    void knownPairsAreLearnedOnce()
    {
        QSet<QString> known;
        const PairRules rules;
        QList<Standing> attempts{child(10, 1, 1, 1, 1.5), child(11, 1, 2, 1, 1.5)};
        attempts[1].program = attempts[0].program;
        QCOMPARE(text(notablePairs(rules, attempts, parents, &known)), u"+ 1->10"_s);
        QCOMPARE(text(notablePairs(rules, attempts, parents, &known)), u""_s);
        QCOMPARE(text(notablePairs(rules, attempts, parents)), u"+ 1->10, + 1->11"_s);
    }

    // A skipped attempt is taken for correct where it decides about its group, but no pair is made of it.
    void skippedSpeaksForItsGroup()
    {
        Standing skipped = child(10, 1, 1, 1, 0.95);
        skipped.eligible = false;
        skipped.estimatedOnly = true;
        QCOMPARE(pairs(MemoryPolicy::Fifo, {skipped, child(11, 1, 1, 2, 0.5)}), u""_s);
        QCOMPARE(pairs(MemoryPolicy::Upstream, {skipped, child(11, 1, 1, 2, 0.5)}), u"- 11->1"_s);
        skipped.latencyMs = 0.5;
        QCOMPARE(pairs(MemoryPolicy::Fifo, {skipped}), u""_s);
    }

    void fifo()
    {
        Random random(1);
        const auto run = [&random](const QList<qint64> &fresh, const QList<MemoryItem> &old, int capacity) {
            return curate(MemoryPolicy::Fifo, fresh, old, capacity, random);
        };
        QCOMPARE(run({}, {}, 16), QList<qint64>());
        QCOMPARE(run({5, 6}, {}, 16), (QList<qint64>{5, 6}));
        // Newest first; the oldest (last) go.
        QCOMPARE(run({100, 101, 102}, items(1, 16), 16), (QList<qint64>{100, 101, 102}) + numbers(1, 13));
        QCOMPARE(run({100}, items(1, 3), 16), (QList<qint64>{100, 1, 2, 3}));
        QCOMPARE(run(numbers(100, 8), items(1, 4), 4), numbers(100, 4));
        QCOMPARE(run({}, items(1, 16), 16), numbers(1, 16));
    }

    void people()
    {
        Random random(1);
        QList<MemoryItem> old = items(1, 4);
        old[3].state = State::Pinned; // the oldest
        old[1].state = State::Deleted;
        old[0].state = State::Disabled; // keeps its place, the prompt leaves it out
        QCOMPARE(curate(MemoryPolicy::Fifo, {100}, old, 3, random), (QList<qint64>{100, 1, 4}));
        QCOMPARE(curate(MemoryPolicy::Fifo, {100, 101, 102}, old, 3, random), (QList<qint64>{100, 101, 4}));
        QCOMPARE(curate(MemoryPolicy::Fifo, {100}, old, 2, random), (QList<qint64>{100, 4}));
        QCOMPARE(curate(MemoryPolicy::Upstream, {100}, old, 2, random), (QList<qint64>{100, 4}));
        for (MemoryItem &item : old)
            item.state = State::Pinned;
        QCOMPARE(
            curate(MemoryPolicy::Fifo, {100}, old, 2, random), numbers(1, 4)); // pinned beyond the capacity: all stay
    }

    void upstream()
    {
        const QList<MemoryItem> old = items(1, 16);
        const QList<qint64> fresh{100, 101, 102};
        Random a(7), b(7), c(8);
        const QList<qint64> first = curate(MemoryPolicy::Upstream, fresh, old, 16, a);
        QCOMPARE(first, curate(MemoryPolicy::Upstream, fresh, old, 16, b)); // the same seed, the same draw
        QVERIFY(first != curate(MemoryPolicy::Upstream, fresh, old, 16, c));
        QCOMPARE(first.size(), 16);
        QCOMPARE(first.first(3), fresh);
        QList<qint64> rest = first.sliced(3);
        QVERIFY(!std::ranges::is_sorted(rest)); // random order too, as published
        std::ranges::sort(rest);
        QVERIFY(std::ranges::adjacent_find(rest) == rest.end()); // without replacement
        QVERIFY(std::ranges::all_of(rest, [](qint64 id) { return id >= 1 && id <= 16; }));
        // Shorter than what is free: all of it, shuffled. Nothing free: only the new ones.
        QList<qint64> few = curate(MemoryPolicy::Upstream, fresh, items(1, 5), 16, a);
        QCOMPARE(few.size(), 8);
        std::ranges::sort(few);
        QCOMPARE(few, numbers(1, 5) + fresh);
        QCOMPARE(curate(MemoryPolicy::Upstream, fresh, old, 3, a), fresh);
    }

    // Each old item has the same chance to survive.
    void evictionIsFair()
    {
        QHash<qint64, int> survived;
        Random random(3);
        constexpr int rounds = 4000;
        for (int i = 0; i < rounds; ++i) {
            for (const qint64 id : curate(MemoryPolicy::Upstream, {100}, items(1, 8), 5, random))
                ++survived[id];
        }
        for (qint64 id = 1; id <= 8; ++id)
            QVERIFY2(std::abs(survived.value(id) - rounds / 2) < 200, qPrintable(QString::number(survived.value(id))));
    }

    void properties()
    {
        for (quint64 seed = 0; seed < 500; ++seed) {
            Random random(seed);
            const int topK = int(random.below(10)), capacity = 1 + int(random.below(20));
            QList<Standing> attempts;
            for (int i = 0; i < 40; ++i)
                attempts << child(10 + i, 1 + int(random.below(2)), 1 + int(random.below(6)), i,
                    random.below(4) ? 0.3 + double(random.below(200)) / 100 : 0);
            for (const MemoryPolicy policy : {MemoryPolicy::Fifo, MemoryPolicy::Upstream}) {
                const PairRules rules{policy, 1.04, 1.15, topK};
                const QList<Pair> found = notablePairs(rules, attempts, parents);
                QCOMPARE(notablePairs(rules, random.sample(attempts, attempts.size()), parents), found);
                QVERIFY(found.size() <= topK);
                QVERIFY(std::ranges::count(found, true, &Pair::positive) <= topK / 2);
                for (const Pair &pair : found) {
                    QVERIFY(pair.positive ? pair.speedup > 1.04 : pair.speedup > 1.15);
                    QVERIFY(pair.slowAttempt != pair.fastAttempt);
                }
                Random draw(seed);
                const QList<MemoryItem> old = items(1000, int(random.below(20)));
                const QList<qint64> memory = curate(policy, numbers(1, int(found.size())), old, capacity, draw);
                QCOMPARE(memory.size(), std::min<qsizetype>(capacity, found.size() + old.size()));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestMemory)
#include "tst_memory.moc"
