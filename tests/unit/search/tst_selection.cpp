// SPDX-License-Identifier: GPL-3.0-or-later
//
// The three selection policies against tables worked by hand, and their properties on random iterations.
#include "search/random.h"
#include "search/selection.h"

#include <QSet>
#include <QTest>
#include <algorithm>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

namespace {

// Attempt of iteration 3: candidate, plan, attempt; latency 0 = failed, -1 = no kernel in the reply.
Standing child(qint64 id, int candidate, int plan, int attempt, double ms, const QString &program = {}, int round = 0)
{
    Standing s;
    s.attempt = id;
    s.key = {3, candidate, plan, attempt, round};
    s.program = ms < 0 ? QString() : program.isEmpty() ? u"p%1"_s.arg(id) : program;
    s.eligible = ms > 0;
    s.latencyMs = ms > 0 ? ms : 0;
    return s;
}

Placed placed(qint64 id, double ms, const QString &program = {})
{
    return {id, {2, 1, int(id), 1, 0}, program.isEmpty() ? u"p%1"_s.arg(id) : program, ms};
}

QList<Selected> pick(SelectionPolicy policy, int beam, const QList<Standing> &attempts, const QList<Placed> &parents,
    std::optional<Placed> best = {})
{
    return select({policy, beam, attempts, parents, best});
}

QString text(const QList<Selected> &beam)
{
    QStringList parts;
    for (const Selected &s : beam)
        parts << u"%1 %2"_s.arg(s.attempt).arg(s.origin);
    return parts.join(u", "_s);
}

} // namespace

class TestSelection : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void elitist_data()
    {
        QTest::addColumn<int>("beam");
        QTest::addColumn<QList<Standing>>("attempts");
        QTest::addColumn<QList<Placed>>("parents");
        QTest::addColumn<std::optional<Placed>>("best");
        QTest::addColumn<QString>("expected");
        const QList<Placed> two{placed(1, 2.0), placed(2, 3.0)};
        const std::optional<Placed> none;

        QTest::newRow("children and parents compete")
            << 2 << QList{child(10, 1, 1, 1, 2.5), child(11, 1, 2, 1, 1.5)} << two << none << u"11 child, 1 parent"_s;
        QTest::newRow("one of a plan group") << 3 << QList{child(10, 1, 1, 1, 1.5), child(11, 1, 1, 2, 1.0)} << two
                                             << none << u"11 child, 1 parent, 2 parent"_s;
        QTest::newRow("a tie goes to the parent")
            << 1 << QList{child(10, 1, 1, 1, 2.0)} << two << none << u"1 parent"_s;
        QTest::newRow("a tie of children goes to the smaller key")
            << 1 << QList{child(11, 2, 1, 1, 1.0), child(10, 1, 2, 1, 1.0)} << two << none << u"10 child"_s;
        QTest::newRow("a tie in a group goes to the smaller key")
            << 1 << QList{child(11, 1, 1, 2, 1.0), child(10, 1, 1, 1, 1.0)} << two << none << u"10 child"_s;
        QTest::newRow("all failed: parents stay")
            << 2 << QList{child(10, 1, 1, 1, 0), child(11, 1, 2, 1, -1)} << two << none << u"1 parent, 2 parent"_s;
        QTest::newRow("fewer than B") << 6 << QList{child(10, 1, 1, 1, 1.0)} << two << none
                                      << u"10 child, 1 parent, 2 parent"_s;
        QTest::newRow("equal programs: one")
            << 3 << QList{child(10, 1, 1, 1, 1.0, u"x"_s), child(11, 2, 1, 1, 1.0, u"x"_s)} << two << none
            << u"10 child, 1 parent, 2 parent"_s;
        QTest::newRow("a child that is its parent again")
            << 3 << QList{child(10, 1, 1, 1, 2.0, u"p1"_s)} << two << none << u"1 parent, 2 parent"_s;
        QTest::newRow("the best comes back")
            << 2 << QList{child(10, 1, 1, 1, 2.5)} << two << std::optional(placed(7, 0.5)) << u"7 best, 1 parent"_s;
        QTest::newRow("the best is in the beam")
            << 2 << QList{child(10, 1, 1, 1, 2.5)} << two << std::optional(placed(1, 2.0)) << u"1 parent, 10 child"_s;
        QTest::newRow("first iteration") << 2 << QList{child(10, 1, 1, 1, 4.0), child(11, 1, 2, 1, 5.0)}
                                         << QList{placed(1, 3.0)} << none << u"1 parent, 10 child"_s;
        QTest::newRow("a fixed attempt stands for its group")
            << 1 << QList{child(10, 1, 1, 1, 0), child(11, 1, 1, 1, 1.0, {}, 1)} << two << none << u"11 child"_s;
    }
    void elitist()
    {
        QFETCH(int, beam);
        QFETCH(QList<Standing>, attempts);
        QFETCH(QList<Placed>, parents);
        QFETCH(std::optional<Placed>, best);
        QFETCH(QString, expected);
        QCOMPARE(text(pick(SelectionPolicy::Elitist, beam, attempts, parents, best)), expected);
    }

    void paper_data()
    {
        QTest::addColumn<int>("beam");
        QTest::addColumn<QList<Standing>>("attempts");
        QTest::addColumn<QString>("expected");
        // Parents 1 (2.0 ms) and 2 (3.0 ms).
        QTest::newRow("a slower child replaces a faster parent")
            << 1 << QList{child(10, 1, 1, 1, 9.0)} << u"10 child"_s;
        QTest::newRow("top B of the groups' fastest")
            << 2
            << QList{child(10, 1, 1, 1, 5.0), child(11, 1, 1, 2, 4.0), child(12, 1, 2, 1, 6.0), child(13, 2, 1, 1, 4.5)}
            << u"11 child, 13 child"_s;
        QTest::newRow("free places are filled with the candidates in order")
            << 3 << QList{child(10, 2, 1, 1, 9.0), child(11, 1, 1, 1, 0)} << u"10 child, 1 filler, 2 filler"_s;
        QTest::newRow("all failed") << 2 << QList{child(10, 1, 1, 1, 0), child(11, 2, 1, 1, -1)}
                                    << u"1 filler, 2 filler"_s;
        QTest::newRow("fewer than B even with the candidates")
            << 6 << QList{child(10, 1, 1, 1, 9.0)} << u"10 child, 1 filler, 2 filler"_s;
        QTest::newRow("duplicates are not told apart")
            << 2 << QList{child(10, 1, 1, 1, 1.0, u"x"_s), child(11, 2, 1, 1, 1.0, u"x"_s)} << u"10 child, 11 child"_s;
        QTest::newRow("a tie goes to the smaller key")
            << 1 << QList{child(11, 2, 1, 1, 1.0), child(10, 1, 9, 1, 1.0)} << u"10 child"_s;
    }
    void paper()
    {
        QFETCH(int, beam);
        QFETCH(QList<Standing>, attempts);
        QFETCH(QString, expected);
        // The best so far has no say.
        QCOMPARE(text(pick(SelectionPolicy::Paper, beam, attempts, {placed(1, 2.0), placed(2, 3.0)}, placed(7, 0.1))),
            expected);
    }

    void upstream_data()
    {
        QTest::addColumn<int>("beam");
        QTest::addColumn<QList<Standing>>("attempts");
        QTest::addColumn<QString>("expected");
        // Parents 1 (2.0 ms) and 2 (3.0 ms).
        QTest::newRow("a slower child beats its parent")
            << 1 << QList{child(10, 1, 1, 1, 9.0), child(11, 1, 2, 1, 0)} << u"10 child"_s;
        QTest::newRow("failed groups bring their parents, after all successes")
            << 3 << QList{child(10, 1, 1, 1, 0), child(11, 2, 1, 1, 9.0), child(12, 2, 2, 1, 0)}
            << u"11 child, 1 parent, 2 parent"_s;
        QTest::newRow("the same parent several times")
            << 3 << QList{child(10, 1, 1, 1, 0), child(11, 1, 2, 1, 0), child(12, 1, 3, 1, 0)}
            << u"1 parent, 1 parent, 1 parent"_s;
        QTest::newRow("equal children are kept")
            << 2 << QList{child(10, 1, 1, 1, 1.0, u"x"_s), child(11, 2, 1, 1, 1.0, u"x"_s)} << u"10 child, 11 child"_s;
        QTest::newRow("a success in a group hides its failures")
            << 2 << QList{child(10, 1, 1, 1, 0), child(11, 1, 1, 2, 5.0)} << u"11 child"_s;
        QTest::newRow("replies without a kernel do not count")
            << 2 << QList{child(10, 1, 1, 1, -1), child(11, 1, 1, 2, -1), child(12, 2, 1, 1, 4.0)} << u"12 child"_s;
        QTest::newRow("no filling with parents that had no failed group")
            << 4 << QList{child(10, 1, 1, 1, 1.0), child(11, 2, 1, 1, 4.0)} << u"10 child, 11 child"_s;
        QTest::newRow("ties in the order of candidate and plan")
            << 3 << QList{child(12, 2, 1, 1, 1.0), child(11, 1, 2, 1, 1.0), child(10, 1, 1, 1, 1.0)}
            << u"10 child, 11 child, 12 child"_s;
        QTest::newRow("nothing left: the old beam") << 2 << QList{child(10, 1, 1, 1, -1)} << u"1 filler, 2 filler"_s;
        QTest::newRow("only the last round is recorded")
            << 2 << QList{child(10, 1, 1, 1, 0), child(11, 1, 1, 1, 2.5, {}, 1)} << u"11 child"_s;
    }
    void upstream()
    {
        QFETCH(int, beam);
        QFETCH(QList<Standing>, attempts);
        QFETCH(QString, expected);
        QCOMPARE(text(pick(SelectionPolicy::Upstream, beam, attempts, {placed(1, 2.0), placed(2, 3.0)})), expected);
    }

    // Twelve small steps of a search with random attempts: what must hold whatever comes.
    void properties_data()
    {
        QTest::addColumn<SelectionPolicy>("policy");
        QTest::newRow("elitist") << SelectionPolicy::Elitist;
        QTest::newRow("paper") << SelectionPolicy::Paper;
        QTest::newRow("upstream") << SelectionPolicy::Upstream;
    }
    void properties()
    {
        QFETCH(SelectionPolicy, policy);
        for (quint64 seed = 0; seed < 400; ++seed) {
            Random random(seed);
            const int beam = 1 + int(random.below(6)), plans = 1 + int(random.below(5)),
                      attempts = 1 + int(random.below(3));
            QList<Placed> parents{placed(1, 2.0)};
            Placed best = parents.first();
            qint64 id = 100;
            for (int iteration = 1; iteration <= 12; ++iteration) {
                QList<Standing> standings;
                for (int c = 1; c <= parents.size(); ++c) {
                    for (int p = 1; p <= plans; ++p) {
                        for (int k = 1; k <= attempts; ++k) {
                            const quint64 dice = random.below(10);
                            const double ms = dice < 2 ? -1 : dice < 5 ? 0 : 0.5 + double(random.below(40)) / 10;
                            // Equal programs have equal latencies.
                            Standing s =
                                child(++id, c, p, k, ms, ms > 0 && random.below(2) ? u"ms%1"_s.arg(ms) : QString());
                            s.key.iteration = iteration;
                            standings << s;
                        }
                    }
                }
                const SelectionInput input{policy, beam, standings, parents, best};
                const QList<Selected> next = select(input);
                QCOMPARE(select(input), next);

                SelectionInput shuffled = input;
                shuffled.attempts = random.sample(standings, standings.size());
                QCOMPARE(select(shuffled), next); // the order of arrival has no say

                QVERIFY(!next.isEmpty());
                QVERIFY(next.size() <= beam || policy == SelectionPolicy::Upstream);
                QHash<qint64, Placed> known;
                for (const Placed &p : std::as_const(parents))
                    known.insert(p.attempt, p);
                known.insert(best.attempt, best);
                for (const Standing &s : std::as_const(standings)) {
                    if (!s.eligible)
                        continue;
                    known.insert(s.attempt, {s.attempt, s.key, s.program, s.latencyMs});
                    if (s.latencyMs < best.latencyMs)
                        best = known.value(s.attempt);
                }
                QList<Placed> places;
                for (const Selected &s : next) {
                    QVERIFY2(known.contains(s.attempt), "a place for an attempt that is not valid");
                    places << known.value(s.attempt);
                }
                if (policy == SelectionPolicy::Elitist) {
                    QCOMPARE(places.first().latencyMs, best.latencyMs); // never loses the best
                    QVERIFY(std::ranges::is_sorted(places, {}, &Placed::latencyMs));
                    QSet<QString> programs;
                    for (const Placed &p : std::as_const(places))
                        programs.insert(p.program);
                    QCOMPARE(programs.size(), places.size());
                    // Full as soon as there are enough different programs among what competes.
                    QVERIFY(places.size() >= std::min<qsizetype>(beam, parents.size()));
                }
                parents = places;
            }
        }
    }

    // An attempt inside the window enters neither the beam nor, for being slow, a negative pair: checked against
    // `select` itself.
    void window()
    {
        RunSettings settings;
        settings.beam = 3;
        const QList<Placed> full{placed(1, 1.0), placed(2, 1.05), placed(3, 1.1)};
        QCOMPARE(skipWindow(settings, full), std::optional(Window{1.1, 1.0 * 1.15}));
        QVERIFY(!skipWindow(settings, full.first(2))); // a free place
        QVERIFY(!skipWindow(settings,
            {placed(1, 1.0), placed(2, 1.05), placed(3, 1.2)})); // all that is slower is a negative of the fastest
        settings.useMemory = false;
        QVERIFY(skipWindow(settings, full)->toMs > 1e9);
        for (const SelectionPolicy policy : {SelectionPolicy::Paper, SelectionPolicy::Upstream}) {
            settings.selection = policy;
            QVERIFY(!skipWindow(settings, full));
        }
        for (quint64 seed = 0; seed < 500; ++seed) {
            Random random(seed);
            RunSettings s;
            s.beam = 1 + int(random.below(4));
            QList<Placed> parents;
            for (int i = 1; i <= s.beam; ++i)
                parents << placed(i, 1 + double(random.below(20)) / 100);
            const auto window = skipWindow(s, parents);
            if (!window)
                continue;
            for (const double ms : {window->fromMs, (window->fromMs + window->toMs) / 2, window->toMs}) {
                const QList<Standing> alone{child(50, 1, 1, 1, ms)};
                QVERIFY(!std::ranges::contains(
                    pick(SelectionPolicy::Elitist, s.beam, alone, parents), 50, &Selected::attempt));
            }
        }
    }

    void plateau()
    {
        QVERIFY(!isPlateau({2.0}));
        QVERIFY(!isPlateau({2.0, 2.0, 2.0}));
        QVERIFY(isPlateau({2.0, 2.0, 2.0, 2.0}));
        QVERIFY(!isPlateau({2.0, 2.0, 2.0, 1.9}));
        QVERIFY(!isPlateau({2.0, 1.9, 1.9, 1.9}));
        QVERIFY(isPlateau({2.0, 1.9, 1.9, 1.9, 1.9}));
    }
};

QTEST_GUILESS_MAIN(TestSelection)
#include "tst_selection.moc"
