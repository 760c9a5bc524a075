// SPDX-License-Identifier: GPL-3.0-or-later
// The pure parts of Candidates, Compare and Memory: order and filters of attempts, steps between two lists, layout of
// diff and lineage, lines of hostile code.
#include "fakes/syntheticproject.h"
#include "studio/candidatemodel.h"
#include "studio/coderow.h"
#include "studio/diffmodel.h"
#include "studio/experiencepair.h"
#include "studio/lineagelayout.h"
#include "studio/sourcehighlight.h"

#include <QElapsedTimer>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <random>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

namespace {

CandidateRow row(qint64 id, double ms, const QString &verdict = u"correct"_s)
{
    CandidateRow r;
    r.id = id;
    r.problem = u"silu"_s;
    r.key = {1, 1, 1, static_cast<int>(id), 0};
    r.name = r.key.display();
    r.plan = u"Plan %1"_s.arg(id);
    r.author = u"rules"_s;
    r.verdict = verdict;
    r.ms = ms;
    r.overBaseline = ms > 0 ? 2 / ms : 0;
    return r;
}

QList<qint64> ids(const CandidateModel::Content &content)
{
    QList<qint64> list;
    for (const CandidateRowPtr &each : content.rows)
        list.append(each->id);
    return list;
}

CandidateModel::Content content(const QList<CandidateRow> &rows, const QList<SortKey> &keys = {})
{
    return CandidateModel::prepare(rows, {}, keys);
}

LineDiff diffOf(const QStringList &left, const QStringList &right)
{
    return diffLines((left.join(u'\n') + u'\n').toUtf8(), (right.join(u'\n') + u'\n').toUtf8());
}

QStringList numbered(int n)
{
    QStringList lines;
    for (int i = 1; i <= n; ++i)
        lines.append(u"line_%1 = %2"_s.arg(i).arg(i * 7919 % 1000));
    return lines;
}

Attempt attempt(
    qint64 id, qint64 parent, int iteration, double ms, Evaluation::Status status = Evaluation::Status::Measured)
{
    Attempt a;
    a.id = id;
    a.parent = parent;
    a.key = iteration == 0 ? AttemptKey{} : AttemptKey{iteration, 1, 1, static_cast<int>(id), 0};
    a.state = Attempt::State::Done;
    a.evaluation.status = status;
    a.evaluation.latency.medianMs = ms;
    return a;
}

const LineageNode *node(const Lineage &lineage, qint64 id)
{
    for (const LineageNode &each : lineage.nodes) {
        if (each.id == id)
            return &each;
    }
    return nullptr;
}

} // namespace

class PagePartsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // --- candidates
    void missingIsLastInBothDirections()
    {
        const QList<CandidateRow> rows{
            row(1, 0, u"syntax"_s), row(2, 3), row(3, 1), row(4, 0, u"pending"_s), row(5, 2)};
        for (const int column : {CandidateModel::LatencyColumn, CandidateModel::BaselineColumn}) {
            const auto up = ids(content(rows, {{column, false}})), down = ids(content(rows, {{column, true}}));
            QCOMPARE(up.last(2), (QList<qint64>{1, 4}));
            QCOMPARE(down.last(2), (QList<qint64>{1, 4}));
            QList<qint64> turned = up.first(3);
            std::ranges::reverse(turned);
            QCOMPARE(turned, down.first(3));
        }
        QCOMPARE(ids(content(rows, {{CandidateModel::LatencyColumn, false}})), (QList<qint64>{3, 5, 2, 1, 4}));
    }
    void emptyTextIsLast()
    {
        QList<CandidateRow> rows{row(1, 1), row(2, 1), row(3, 1)};
        rows[0].plan.clear();
        rows[1].plan = u"b"_s;
        rows[2].plan = u"A"_s;
        QCOMPARE(ids(content(rows, {{CandidateModel::PlanColumn, false}})), (QList<qint64>{3, 2, 1}));
        QCOMPARE(ids(content(rows, {{CandidateModel::PlanColumn, true}})), (QList<qint64>{2, 3, 1}));
    }
    void weakerKeysDecideTies()
    {
        QList<CandidateRow> rows{row(1, 2), row(2, 1), row(3, 2), row(4, 1)};
        rows[0].author = u"b"_s;
        rows[1].author = u"b"_s;
        rows[2].author = u"a"_s;
        rows[3].author = u"a"_s;
        QCOMPARE(ids(content(rows, {{CandidateModel::AuthorColumn, false}, {CandidateModel::LatencyColumn, true}})),
            (QList<qint64>{3, 4, 1, 2}));
        QCOMPARE(ids(content(rows, {{CandidateModel::LatencyColumn, true}, {CandidateModel::AuthorColumn, false}})),
            (QList<qint64>{3, 1, 4, 2}));
    }
    void orderIsStrictAndTotal()
    {
        // What a sort needs: irreflexive, antisymmetric, transitive, for every column and direction.
        std::mt19937 random(7);
        QList<CandidateRow> rows;
        for (int i = 0; i < 24; ++i) {
            CandidateRow r = row(i + 1, random() % 3 == 0 ? 0 : double(random() % 4));
            r.plan = random() % 4 == 0 ? QString() : QString(QChar(static_cast<char16_t>(u'a' + random() % 3)));
            r.problem = random() % 2 ? u"silu"_s : u"rope"_s;
            r.best = random() % 6 == 0;
            rows.append(r);
        }
        for (int column = 0; column < CandidateModel::ColumnCount; ++column) {
            for (const bool descending : {false, true}) {
                const QList<SortKey> keys{{column, descending}};
                for (const auto &a : rows) {
                    QVERIFY(!candidateBefore(a, a, keys));
                    for (const auto &b : rows) {
                        if (a.id != b.id)
                            QVERIFY(candidateBefore(a, b, keys) != candidateBefore(b, a, keys));
                        for (const auto &c : rows) {
                            if (candidateBefore(a, b, keys) && candidateBefore(b, c, keys))
                                QVERIFY(candidateBefore(a, c, keys));
                        }
                    }
                }
            }
        }
    }
    void filtersAndCounts()
    {
        QList<CandidateRow> rows{row(1, 1), row(2, 1, u"same"_s), row(3, 0, u"syntax"_s), row(4, 0, u"wrong-result"_s),
            row(5, 1, u"quarantined"_s), row(6, 0, u"pending"_s), row(7, 4)};
        rows[0].problem = u"rope"_s;
        rows[6].key.iteration = 3;
        const auto with = [&](const CandidateModel::Filter &filter) {
            return CandidateModel::prepare(rows, filter, {});
        };
        const auto all = with({});
        QCOMPARE(all.counts, (CandidateModel::Counts{7, 7, 2, 2, 1, 1}));
        QCOMPARE(ids(with({.verdict = u"failed"_s})), (QList<qint64>{3, 4}));
        QCOMPARE(
            with({.verdict = u"failed"_s}).counts, all.counts); // the verdict filter does not change its own counts
        QCOMPARE(ids(with({.verdict = u"quarantined"_s})), (QList<qint64>{5}));
        QCOMPARE(ids(with({.problem = u"rope"_s})), (QList<qint64>{1}));
        QCOMPARE(with({.problem = u"rope"_s}).counts.total, 7);
        QCOMPARE(ids(with({.iteration = 3})), (QList<qint64>{7}));
        QCOMPARE(ids(with({.text = u"WRONG"_s})), (QList<qint64>{4}));
        QCOMPARE(ids(with({.text = u"i01.c1.p01.a2"_s})), (QList<qint64>{2}));
        QVERIFY(!ids(with({.fasterOnly = true})).contains(7)); // 0.5 of the baseline's speed
        QVERIFY(with({.text = u"nothing like this"_s}).rows.isEmpty());
    }
    void stepsLeadFromOneListToTheOther()
    {
        std::mt19937 random(11);
        for (int round = 0; round < 300; ++round) {
            QList<CandidateRow> from, to;
            for (int id = 1; id <= 30; ++id) {
                if (random() % 3)
                    from.append(row(id, 1));
                if (random() % 3)
                    to.append(row(id, random() % 4 ? 1 : 2));
            }
            const auto a = content(from), b = content(to);
            const auto steps = CandidateModel::stepsBetween(a, b);
            if (!steps)
                continue; // nothing in common
            QList<CandidateRowPtr> rows = a.rows;
            for (const auto &step : *steps) {
                QVERIFY(step.count > 0);
                if (step.kind == CandidateModel::Step::Kind::Remove) {
                    rows.remove(step.first, step.count);
                } else if (step.kind == CandidateModel::Step::Kind::Insert) {
                    for (int i = 0; i < step.count; ++i)
                        rows.insert(step.first + i, b.rows[step.first + i]);
                } else {
                    for (int i = step.first; i < step.first + step.count; ++i) {
                        QVERIFY(*rows[i] != *b.rows[i]);
                        rows[i] = b.rows[i];
                    }
                }
            }
            QCOMPARE(rows.size(), b.rows.size());
            for (int i = 0; i < rows.size(); ++i)
                QCOMPARE(*rows[i], *b.rows[i]);
        }
    }
    void anotherOrderHasNoSteps()
    {
        const QList<CandidateRow> rows{row(1, 3), row(2, 2), row(3, 1)};
        const auto up = content(rows, {{CandidateModel::LatencyColumn, false}});
        const auto down = content(rows, {{CandidateModel::LatencyColumn, true}});
        QVERIFY(!CandidateModel::stepsBetween(up, down));
        QVERIFY(CandidateModel::stepsBetween(up, up).has_value());
        QVERIFY(CandidateModel::stepsBetween(up, up)->isEmpty());
    }

    // --- code
    void codeIsShownAsItIs()
    {
        const CodeText text = codeText(u"a = '<b>&amp;'"_s, {{4, 10, CodeKind::String}}, {{5, 3}});
        QCOMPARE(text.text, u"a = '<b>&amp;'"_s);
        QCOMPARE(text.spans, (CodeLine{{4, 10, CodeKind::String}}));
        QCOMPARE(text.marks, (QList<CodeMark>{{5, 3}}));
    }
    void tabsAreColumns()
    {
        const CodeText text = codeText(u"\ta\tb"_s, {{1, 1, CodeKind::Number}, {3, 1, CodeKind::Keyword}}, {{0, 4}});
        QCOMPARE(text.text, u"    a   b"_s);
        QCOMPARE(text.spans, (CodeLine{{4, 1, CodeKind::Number}, {8, 1, CodeKind::Keyword}}));
        QCOMPARE(text.marks, (QList<CodeMark>{{0, 9}}));
    }
    void hostileCharactersAreSeen_data()
    {
        QTest::addColumn<QChar>("character");
        for (const char16_t c : {u'\0', u'\x01', u'\x1b', u'\x7f', u'\x85', u'\u00ad', u'\u061c', u'\u200b', u'\u200e',
                 u'\u200f', u'\u2028', u'\u2029', u'\u202a', u'\u202e', u'\u2066', u'\u2069', u'\ufeff', u'\ufff9'})
            QTest::addRow("U+%04X", c) << QChar(c);
    }
    void hostileCharactersAreSeen()
    {
        QFETCH(QChar, character);
        const CodeText text = codeText(u"a"_s + character + u"b"_s, {{2, 1, CodeKind::Number}});
        QCOMPARE(text.text, u"a\ufffdb"_s);
        QCOMPARE(text.spans, (CodeLine{{2, 1, CodeKind::Number}}));
    }
    void spansPastTheEndAreCut()
    {
        const CodeText text = codeText(u"abc"_s,
            {{-5, 2, CodeKind::Number}, {1, 2147483647, CodeKind::String}, {7, 2, CodeKind::Comment},
                {2, -1, CodeKind::Keyword}},
            {{2, 99}, {50, 1}});
        QCOMPARE(text.spans, (CodeLine{{1, 2, CodeKind::String}}));
        QCOMPARE(text.marks, (QList<CodeMark>{{2, 1}}));
    }
    void overlapsAreKept()
    {
        const CodeText text =
            codeText(u"abcdef"_s, {{0, 4, CodeKind::String}, {2, 4, CodeKind::Comment}}, {{1, 3}, {2, 3}});
        QCOMPARE(text.spans.size(), 2);
        QCOMPARE(text.marks.size(), 2);
    }
    void longLinesAreCut()
    {
        QElapsedTimer timer;
        timer.start();
        const CodeText text = codeText(QString(5'000'000, u'x'), {{0, 5'000'000, CodeKind::Comment}});
        QCOMPARE(text.text.size(), longestDrawnLine + 1);
        QVERIFY(text.text.endsWith(u'…'));
        QCOMPARE(text.spans.first().length, longestDrawnLine + 1);
    }
    void pythonIsColoured()
    {
        const QStringList lines{u"import numpy as np"_s, u"# note"_s, u"def kernel(a):"_s, u"    \"\"\"doc"_s,
            u"    still doc\"\"\""_s, u"    return nl.load(a[0:128]) + 'x'"_s};
        const QList<CodeLine> colours = highlightPython(lines);
        QCOMPARE(colours.size(), lines.size());
        const auto kindAt = [&](int line, int column) {
            for (const CodeSpan &span : colours[line]) {
                if (column >= span.start && column < span.start + span.length)
                    return span.kind;
            }
            return CodeKind::Plain;
        };
        QCOMPARE(kindAt(0, 0), CodeKind::Keyword);
        QCOMPARE(kindAt(1, 3), CodeKind::Comment);
        QCOMPARE(kindAt(2, 0), CodeKind::Keyword);
        QVERIFY(kindAt(4, 6) != CodeKind::Plain); // the state goes on over lines
        QCOMPARE(kindAt(5, 4), CodeKind::Keyword);
        QCOMPARE(kindAt(5, 21), CodeKind::Number);
        QCOMPARE(kindAt(5, static_cast<int>(lines[5].indexOf(u"'x'"_s)) + 1), CodeKind::String);
        QCOMPARE(kindAt(5, 12), CodeKind::Plain);
    }
    void rowDrawsMarksAndWraps()
    {
        CodeRow item;
        item.setSize({240, 18});
        item.setSignColumn(true);
        item.setGround(u"added"_s);
        item.setCode(QVariant::fromValue(codeText(u"alpha beta gamma"_s, {}, {{6, 4}})));
        const auto draw = [&item] {
            QImage image(240, 60, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::magenta);
            QPainter painter(&image);
            item.paint(&painter);
            return image;
        };
        const QImage image = draw();
        const Tokens &t = Theme::instance()->tokens();
        const int markX = static_cast<int>(item.textLeft() + 8 * item.characterWidth());
        QCOMPARE(image.pixelColor(235, 9), t.diffAdded);
        QCOMPARE(image.pixelColor(markX, 2), t.diffAddedMark);
        QVERIFY(image.pixelColor(markX, 16) != t.diffAddedMark); // the underline
        item.setOffset(10000);
        QCOMPARE(draw().pixelColor(markX, 2), t.diffAdded); // scrolled away
        item.setOffset(0);
        QCOMPARE(item.implicitHeight(), item.lineHeight());
        item.setWrap(true);
        item.setCode(QVariant::fromValue(codeText(QString(100, u'w'))));
        QVERIFY(item.implicitHeight() >= 3 * item.lineHeight());
        QCOMPARE(std::fmod(item.implicitHeight(), item.lineHeight()), 0.0);
    }

    // --- diff
    void unchangedRunsFold()
    {
        QStringList left = numbered(60);
        left[4] = u"def kernel(a):"_s;
        QStringList right = left;
        right[30] = u"something_else_entirely()"_s;
        const LineDiff diff = diffOf(left, right);
        const QList<DiffViewRow> rows = layoutDiff(diff, false, false, {});
        QCOMPARE(rows.first().kind, DiffViewRow::Kind::Fold);
        QCOMPARE(rows.first().length, 27); // all but three lines of context
        QCOMPARE(rows.last().kind, DiffViewRow::Kind::Fold);
        // Every row of the diff is shown or folded, once and in order.
        int at = 0;
        for (const DiffViewRow &each : rows) {
            QCOMPARE(each.row, at);
            at += each.length;
        }
        QCOMPARE(at, diff.rows.size());
        QCOMPARE(layoutDiff(diff, false, true, {}).size(), diff.rows.size()); // the whole file
        QCOMPARE(layoutDiff(diff, false, false, {0}).first().kind, DiffViewRow::Kind::Line); // opened
    }
    void eightLinesDoNotFold()
    {
        const auto folds = [](int same) {
            QStringList left{u"first_old_thing()"_s}, right{u"completely different"_s};
            left += numbered(same);
            right += numbered(same);
            left << u"last_old_thing()"_s;
            right << u"another matter altogether"_s;
            return std::ranges::count(
                layoutDiff(diffOf(left, right), false, false, {}), DiffViewRow::Kind::Fold, &DiffViewRow::kind);
        };
        QCOMPARE(folds(8), 0);
        QCOMPARE(folds(9), 1);
    }
    void equalFilesAreShownWhole()
    {
        const QStringList lines = numbered(40);
        QCOMPARE(layoutDiff(diffOf(lines, lines), false, false, {}).size(), 40);
        QVERIFY(layoutDiff({}, false, false, {}).isEmpty());
    }
    void unifiedShowsBothSidesOfAChange()
    {
        const LineDiff diff = diffOf(
            {u"a"_s, u"value = load(x)"_s, u"b"_s}, {u"a"_s, u"value = load(x, y)"_s, u"brand new line"_s, u"b"_s});
        QList<DiffViewRow::Kind> kinds;
        for (const DiffViewRow &each : layoutDiff(diff, true, false, {}))
            kinds.append(each.kind);
        using Kind = DiffViewRow::Kind;
        QCOMPARE(kinds, (QList<Kind>{Kind::Line, Kind::Left, Kind::Right, Kind::Right, Kind::Line}));
    }
    void changesAreFound()
    {
        QStringList left = numbered(100), right = left;
        right[20] = u"completely other content"_s;
        right[60] = u"again something else"_s;
        right.insert(90, u"inserted here"_s);
        for (const bool unified : {false, true}) {
            DiffModel model;
            model.setUnified(unified);
            model.setContent({diffOf(left, right), {}, {}});
            QCOMPARE(model.changes(), 3);
            QCOMPARE(model.changeAt(0), -1);
            QCOMPARE(model.rowOfChange(-1), -1);
            QCOMPARE(model.rowOfChange(3), -1);
            for (int n = 0; n < 3; ++n) {
                const int at = model.rowOfChange(n);
                QVERIFY(at >= 0);
                QCOMPARE(model.changeAt(at), n);
                QCOMPARE(model.changeAt(at - 1), n - 1);
                QVERIFY(model.index(at).data(DiffModel::KindRole).toString() != u"same"_s);
                // The place survives another layout.
                const int diffRow = model.diffRowAt(at);
                model.setUnified(!unified);
                QCOMPARE(model.diffRowAt(model.viewRowOf(diffRow)), diffRow);
                model.setWholeFile(true);
                QCOMPARE(model.diffRowAt(model.viewRowOf(diffRow)), diffRow);
                model.setWholeFile(false);
                model.setUnified(unified);
            }
            QCOMPARE(model.changeText(2, true), u"inserted here\n"_s);
            QCOMPARE(model.changeText(2, false), QString());
            QCOMPARE(model.changeText(9, true), QString());
        }
    }
    void foldsOpenInPlace()
    {
        QStringList left = numbered(60), right = left;
        right[30] = u"something_else_entirely()"_s;
        DiffModel model;
        model.setContent({diffOf(left, right), {}, {}});
        const int before = model.rowCount();
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        model.openFold(1); // no fold
        QCOMPARE(model.rowCount(), before);
        model.openFold(0);
        QCOMPARE(reset.size(), 0);
        QCOMPARE(model.rowCount(), before - 1 + 27);
        QCOMPARE(model.index(0).data(DiffModel::LeftNumberRole).toInt(), 1);
        QVERIFY(model.rowOfChange(0) == 30);
        model.openFold(model.rowCount() - 1);
        QCOMPARE(model.rowCount(), 61 - (diffOf(left, right).rows[30].kind == DiffRow::Kind::Changed ? 1 : 0));
        // Opened folds stay open in the other layout.
        model.setUnified(true);
        for (const DiffViewRow &each : model.rows())
            QVERIFY(each.kind != DiffViewRow::Kind::Fold);
    }

    // --- lineage
    void lineagePlacesAndMarks()
    {
        QList<Attempt> attempts{attempt(1, 0, 0, 10), attempt(2, 1, 1, 8), attempt(3, 1, 1, 12),
            attempt(4, 1, 1, 0, Evaluation::Status::Failed), attempt(5, 2, 2, 7, Evaluation::Status::Skipped),
            attempt(6, 2, 2, 6)};
        attempts[5].evaluation.quarantined = true;
        Attempt pending = attempt(7, 2, 2, 0);
        pending.state = Attempt::State::Pending;
        attempts.append(pending);
        const Lineage lineage = layoutLineage(attempts, {2}, 5, true);
        QCOMPARE(lineage.columns, 3);
        QCOMPARE(lineage.rows, 3);
        QCOMPARE(lineage.nodes.size(), 7);
        using Mark = LineageNode::Mark;
        QCOMPARE(node(lineage, 1)->mark, Mark::Beam);
        QCOMPARE(node(lineage, 2)->mark, Mark::Beam);
        QCOMPARE(node(lineage, 3)->mark, Mark::Slower);
        QCOMPARE(node(lineage, 4)->mark, Mark::Failed);
        QCOMPARE(node(lineage, 5)->mark, Mark::Estimate);
        QCOMPARE(node(lineage, 6)->mark, Mark::Quarantined);
        QCOMPARE(node(lineage, 7)->mark, Mark::Pending);
        QCOMPARE(node(lineage, 2)->speedup, 1.25);
        QCOMPARE(node(lineage, 4)->speedup, 0.0);
        for (const qint64 id : {1, 2, 5})
            QVERIFY(node(lineage, id)->onPath);
        for (const qint64 id : {3, 4, 6, 7})
            QVERIFY(!node(lineage, id)->onPath);
        // Two nodes of a column never share a place, and all are inside.
        for (const LineageNode &a : lineage.nodes) {
            QVERIFY(a.row >= 0 && a.row <= lineage.rows - 1);
            for (const LineageNode &b : lineage.nodes)
                QVERIFY(a.id == b.id || a.column != b.column || a.row != b.row);
        }
        // Parents come before their children.
        for (qsizetype i = 0; i < lineage.nodes.size(); ++i) {
            for (qsizetype j = i; j < lineage.nodes.size(); ++j)
                QVERIFY(lineage.nodes[i].parent != lineage.nodes[j].id);
        }
    }
    void failedAreHiddenUnlessSelected()
    {
        const QList<Attempt> attempts{attempt(1, 0, 0, 10), attempt(2, 1, 1, 0, Evaluation::Status::Failed),
            attempt(3, 1, 1, 0, Evaluation::Status::Failed)};
        const Lineage lineage = layoutLineage(attempts, {}, 2, false);
        QVERIFY(node(lineage, 2));
        QVERIFY(!node(lineage, 3));
    }
    void columnsAreBounded()
    {
        QList<Attempt> attempts{attempt(1, 0, 0, 10)};
        for (int i = 2; i <= 400; ++i)
            attempts.append(attempt(i, 1, 1, 9 + i * 0.01));
        const Lineage lineage = layoutLineage(attempts, {300}, 399, true);
        QCOMPARE(lineage.nodes.size(), 8);
        QVERIFY(node(lineage, 300)); // in the beam
        QVERIFY(node(lineage, 399)); // selected
    }
    void aCycleInTheJournalEnds()
    {
        Attempt a = attempt(1, 2, 1, 1), b = attempt(2, 1, 2, 1);
        QCOMPARE(layoutLineage({a, b}, {1, 2}, 1, true).nodes.size(), 2);
        QVERIFY(layoutLineage({}, {}, 5, true).nodes.isEmpty());
    }

    // --- experiences
    void largestChangeIsCutOut()
    {
        QStringList slow = numbered(40), fast = slow;
        for (QString &line : slow)
            line.prepend(u"    "_s);
        for (QString &line : fast)
            line.prepend(u"    "_s);
        fast[3] = u"    quite another statement"_s;
        fast[20] = u"    for i in nl.affine_range(4):"_s;
        fast.insert(21, u"        tile = nl.load(x[i])"_s);
        fast.insert(22, u"        nl.store(y[i], tile)"_s);
        const auto bytes = [](const QStringList &lines) { return (lines.join(u'\n') + u'\n').toUtf8(); };
        const auto data = ExperiencePair::largestChange(bytes(slow), bytes(fast), 5);
        QCOMPARE(data.otherChanges, 1);
        QCOMPARE(data.fast.firstLine, 19);
        QCOMPARE(data.fast.lines.size(), 5);
        QCOMPARE(data.fast.lines[2], u"for i in nl.affine_range(4):"_s); // the common indent is gone
        QVERIFY(data.fast.changed.contains(2));
        QVERIFY(!data.fast.changed.contains(0));
        QVERIFY(std::ranges::any_of(data.fast.colours[2],
            [](const CodeSpan &span) { return span.start == 0 && span.kind == CodeKind::Keyword; }));
        QVERIFY(ExperiencePair::largestChange("a\n", "a\n").fast.lines.isEmpty());
        QVERIFY(ExperiencePair::largestChange({}, {}).fast.lines.isEmpty());
        QCOMPARE(ExperiencePair::largestChange({}, "a\nb\n").fast.lines.size(), 2);
    }
};

QTEST_MAIN(PagePartsTest)
#include "tst_pageparts.moc"
