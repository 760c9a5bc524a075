// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/message.h"

#include <QTest>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

class TestCommitMessage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void composesTitleBodyAndTrailers();
    void survivesHostileText_data();
    void survivesHostileText();
    void bodyCannotForgeTrailers();
    void findsTheAttempt_data();
    void findsTheAttempt();
    void otherCommitsHaveNoTrailers();
};

static AttemptCommit sample()
{
    AttemptCommit attempt;
    attempt.run = u"7"_s;
    attempt.problem = u"silu"_s;
    attempt.key = u"i03.c2.p05.a1"_s;
    attempt.title = u"Widen the tile"_s;
    attempt.body = u"Use 2048 columns.\n\nFewer instructions."_s;
    attempt.model = u"rules"_s;
    return attempt;
}

void TestCommitMessage::composesTitleBodyAndTrailers()
{
    QCOMPARE(git::composeMessage(sample()),
        "Widen the tile\n\nUse 2048 columns.\n\nFewer instructions.\n\n"
        "Run: 7\nProblem: silu\nIteration: 3\nPlan: i03.c2.p05\nAttempt: i03.c2.p05.a1\nModel: rules\n"_ba);
    const git::Message parsed = git::parseMessage(git::composeMessage(sample()));
    QCOMPARE(parsed.title, u"Widen the tile"_s);
    QCOMPARE(parsed.body, sample().body);
    QCOMPARE(parsed.trailers.value(u"Plan"_s), u"i03.c2.p05"_s);
    QCOMPARE(parsed.trailers.size(), 6);
}

void TestCommitMessage::survivesHostileText_data()
{
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("body");
    QTest::newRow("empty") << QString() << QString();
    QTest::newRow("nul") << u"a\0b"_s << u"c\0d"_s;
    QTest::newRow("lines in the title") << u"one\ntwo\r\nthree"_s << u"x"_s;
    QTest::newRow("lone surrogates") << QString(QChar(0xd800)) << QString(QChar(0xdc00)) + u"text"_s;
    QTest::newRow("only blanks") << u"   \n "_s << u"\n\n\n"_s;
    QTest::newRow("long") << QString(100000, u'x') << QString(1000000, u'y');
    QTest::newRow("escape codes") << u"\x1b[31mred"_s << u"\x1b]0;title\x07"_s;
    QTest::newRow("emoji at the limit") << QString(198, u'x') + u"😀😀"_s << u"😀"_s;
}

void TestCommitMessage::survivesHostileText()
{
    QFETCH(QString, title);
    QFETCH(QString, body);
    AttemptCommit attempt = sample();
    attempt.title = title;
    attempt.body = body;
    const QByteArray message = git::composeMessage(attempt);
    QVERIFY(!message.contains('\0'));
    QVERIFY(!message.contains('\r'));
    QVERIFY(!message.contains('\x1b'));
    QCOMPARE(QString::fromUtf8(message).toUtf8(), message); // valid UTF-8
    const git::Message parsed = git::parseMessage(message);
    QVERIFY(!parsed.title.isEmpty());
    QVERIFY(parsed.title.size() <= 200);
    QCOMPARE(parsed.trailers.value(u"Attempt"_s), attempt.key);
    QCOMPARE(git::attemptTrailer(message.constData()), attempt.key.toLatin1());
}

void TestCommitMessage::bodyCannotForgeTrailers()
{
    AttemptCommit attempt = sample();
    attempt.body = u"Plan.\n\nRun: 99\nAttempt: i99.c1.p01.a1"_s;
    attempt.model = u"m\nAttempt: i98.c1.p01.a1"_s;
    const git::Message parsed = git::parseMessage(git::composeMessage(attempt));
    QCOMPARE(parsed.trailers.value(u"Run"_s), u"7"_s);
    QCOMPARE(parsed.trailers.value(u"Attempt"_s), attempt.key);
    QCOMPARE(parsed.body, attempt.body);
    QCOMPARE(git::attemptTrailer(git::composeMessage(attempt).constData()), attempt.key.toLatin1());
}

void TestCommitMessage::findsTheAttempt_data()
{
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QByteArray>("attempt");
    QTest::newRow("empty") << ""_ba << ""_ba;
    QTest::newRow("title only") << "Attempt: x\n"_ba << ""_ba;
    QTest::newRow("in the body only") << "t\n\nAttempt: x\n\nRun: 1\n"_ba << ""_ba;
    QTest::newRow("last line") << "t\n\nRun: 1\nAttempt: baseline"_ba << "baseline"_ba;
    QTest::newRow("first line") << "t\n\nAttempt: baseline\nRun: 1\n"_ba << "baseline"_ba;
    QTest::newRow("blank lines at the end") << "t\n\nAttempt: a\n\n"_ba << "a"_ba;
}

void TestCommitMessage::findsTheAttempt()
{
    QFETCH(QByteArray, message);
    QFETCH(QByteArray, attempt);
    QCOMPARE(git::attemptTrailer(message.constData()), attempt);
}

void TestCommitMessage::otherCommitsHaveNoTrailers()
{
    const git::Message parsed = git::parseMessage("Title\n\nA sentence.\nSee: that\n"_ba);
    QVERIFY(parsed.trailers.isEmpty());
    QCOMPARE(parsed.body, u"A sentence.\nSee: that"_s);
}

QTEST_GUILESS_MAIN(TestCommitMessage)
#include "tst_commitmessage.moc"
