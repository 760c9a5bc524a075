// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/agents.h"

#include <QTest>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

class TestPlanText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingLeft()
    {
        QVERIFY(saysNothingLeft(QString()));
        QVERIFY(saysNothingLeft(u" \n"_s));
        QVERIFY(saysNothingLeft(u"**No further rule applies**\n\nEvery rewrite was proposed already."_s));
        QVERIFY(!saysNothingLeft(u"**Hoist the load**\n\nNo further loads are left in the loop."_s));
    }

    void title_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("title");
        const auto row = [](const char *name, const QString &text, const QString &title) {
            QTest::newRow(name) << text << title;
        };
        row("bold", u"**Load each tile once**\n\nMove the load."_s, u"Load each tile once"_s);
        row("bold with a product", u"**Replace x * y by one call**\n\n**Why** it is dear."_s,
            u"Replace x * y by one call"_s);
        row("bold label why", u"**Why:**\n\n**Merge loops**"_s, u"Merge loops"_s);
        row("bold later", u"Looking at the profile, VectorE is busy.\n\n**Use tensor_scalar**\n"_s,
            u"Use tensor_scalar"_s);
        row("bold with colon", u"**Fuse the two loops:** they read the same tile."_s, u"Fuse the two loops"_s);
        row("bold label", u"**Plan:** Hoist the load of `v2`. It is invariant."_s, u"Hoist the load of v2"_s);
        row("bold label alone", u"**Optimization Plan**\n\n**Step 1: Widen the tile to 2048 columns**"_s,
            u"Widen the tile to 2048 columns"_s);
        row("bold label then heading", u"**Plan**\n\n# Keep the weights in SBUF\ntext"_s,
            u"Keep the weights in SBUF"_s);
        row("title label inside", u"**Title: Merge the loops**"_s, u"Merge the loops"_s);
        row("heading", u"## Optimization plan: Reorder the loops\n\nText."_s, u"Reorder the loops"_s);
        row("heading after label", u"# Plan\n\n## Reorder the loops\n\nText."_s, u"Reorder the loops"_s);
        row("sentence", u"Move the load out of the loop. Then measure 3.5 ms again."_s,
            u"Move the load out of the loop"_s);
        row("number in sentence", u"Use 2.5 times wider tiles. Good."_s, u"Use 2.5 times wider tiles"_s);
        row("list", u"1. Transpose once and keep the result"_s, u"Transpose once and keep the result"_s);
        row("code is no title", u"```python\n**kwargs** = 1\n```\nReplace the division. So."_s,
            u"Replace the division"_s);
        row("power in text", u"Compute x**2 and y**2 with Square. Fine."_s, u"Compute x**2 and y**2 with Square"_s);
        row("thinking", u"<think>**Wrong idea**</think>\n**Right idea**"_s, u"Right idea"_s);
        row("crlf", u"**A**\r\n\r\ntext\r\n"_s, u"A"_s);
        row("bold over lines is none", u"a ** b\nc ** d\n"_s, u"a b"_s);
        row("empty", QString(), QString());
        row("only code", u"```\nx\n```"_s, QString());
        row("unicode", u"**Größe × 2 → schneller**"_s, u"Größe × 2 → schneller"_s);
    }

    void title()
    {
        QFETCH(QString, text);
        QFETCH(QString, title);
        QCOMPARE(parsePlanTitle(text).simplified(), title);
    }

    void titleIsShort()
    {
        const QString title = parsePlanTitle(u"**"_s + u"word "_s.repeated(100) + u"end**"_s);
        QVERIFY2(title.size() <= 120 && title.size() > 60, qPrintable(title));
        QVERIFY(title.endsWith(QChar(0x2026)));
        const QString rocket = parsePlanTitle(u"\U0001F680"_s.repeated(200));
        QVERIFY(rocket.size() <= 120);
        QVERIFY(rocket.isValidUtf16());
        QVERIFY(parsePlanTitle(u"**a"_s.repeated(300000)).size() <= 120); // time stays bounded
    }

    void summary()
    {
        const ParsedSummary parsed = parseSummary(
            u"**Hoist invariant loads**\n\nA load that does not depend on the loop …\n\nOriginal code:\n```\na\n```\n"_s);
        QVERIFY(!parsed.nothingFound);
        QCOMPARE(parsed.title, u"Hoist invariant loads"_s);
        QVERIFY(parsed.summary.startsWith(u"**Hoist"_s) && parsed.summary.endsWith(u"```"_s));
        QCOMPARE(parseSummary(u"<think>**No**</think>**Yes** x"_s).title, u"Yes"_s);
        QVERIFY(parseSummary(QString(100000, u'x')).summary.size() <= 16 * 1024);
    }

    void nothingFound_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("nothing");
        QTest::newRow("plain") << u"No optimization found"_s << true;
        QTest::newRow("dressed") << u"  **No Optimization Found.**\n"_s << true;
        QTest::newRow("british") << u"No optimisation found"_s << true;
        QTest::newRow("heading") << u"# No optimization found\nThe kernels are equal."_s << true;
        QTest::newRow("was") << u"No optimization was found."_s << true;
        QTest::newRow("quoted") << u"\"No optimization found\""_s << true;
        QTest::newRow("empty") << QString() << true;
        QTest::newRow("blank") << u" \n\t"_s << true;
        QTest::newRow("only thinking") << u"<think>hm</think>"_s << true;
        QTest::newRow("mentioned") << u"**Widen tiles**\nIn other loops no optimization found its place."_s << false;
        QTest::newRow("other") << u"No optimization foundation exists, but: widen."_s << false;
    }

    void nothingFound()
    {
        QFETCH(QString, text);
        QFETCH(bool, nothing);
        QCOMPARE(parseSummary(text).nothingFound, nothing);
        if (nothing)
            QVERIFY(parseSummary(text).title.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestPlanText)
#include "tst_plantext.moc"
