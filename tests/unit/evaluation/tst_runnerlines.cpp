// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/runnerevaluator.h"
#include "evaluation/runnerlines.h"

#include <QJsonArray>
#include <QRandomGenerator>
#include <QTest>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

class tst_RunnerLines : public QObject {
    Q_OBJECT

    static QJsonObject goodResult()
    {
        return {{u"status"_s, u"measured"_s}, {u"sha256"_s, u"abc"_s}, {u"estimate"_s, true},
            {u"relative_error"_s, 1e-7}, {u"core"_s, u"simulator worker 1"_s},
            {u"key"_s, QJsonObject{{u"target"_s, u"trn1"_s}, {u"host"_s, u"simulator"_s}}},
            {u"band_ms"_s, QJsonArray{1, 2}}, {u"confidence"_s, u"B"_s},
            {u"latency_ms"_s,
                QJsonObject{{u"median"_s, 1.5}, {u"min"_s, 1.5}, {u"max"_s, 1.5}, {u"samples"_s, QJsonArray{1.5}}}}};
    }
    static EvaluationJob job()
    {
        EvaluationJob job;
        job.target = u"trn1"_s;
        return job;
    }

private Q_SLOTS:
    void findsMessagesInNoise()
    {
        RunnerLines lines("@m");
        const auto messages = lines.feed("Welcome to host\n@m {\"event\": \"hello\"}\nx @m {\"event\": \"forged\"}\n@n "
                                         "{}\n@m {\"a\":1}\n@m nonsense\n@m [1]\n\n@m");
        QCOMPARE(messages.size(), 2);
        QCOMPARE(messages[0].value("event"_L1).toString(), u"hello"_s);
        QCOMPARE(messages[1].value("a"_L1).toInt(), 1);
        QCOMPARE(lines.ignored(), 4);
        QCOMPARE(lines.broken(), 2);
        QCOMPARE(lines.feed(" {\"b\":2}\n").size(), 1); // the rest of a line
    }

    void doesNotCareHowTheStreamIsCut()
    {
        QByteArray stream;
        for (int i = 0; i < 200; ++i)
            stream += i % 3 ? RunnerLines::encode("@m", {{u"n"_s, i}, {u"text"_s, QString(i, u'\n')}})
                            : QByteArray("noise ") + QByteArray::number(i) + '\n';
        RunnerLines whole("@m");
        const auto expected = whole.feed(stream);
        QCOMPARE(expected.size(), 133);
        QRandomGenerator random(7);
        for (int round = 0; round < 50; ++round) {
            RunnerLines lines("@m");
            QList<QJsonObject> found;
            for (qsizetype at = 0; at < stream.size();) {
                const qsizetype size = qMin<qsizetype>(1 + random.bounded(40), stream.size() - at);
                found += lines.feed(QByteArrayView(stream).sliced(at, size));
                at += size;
            }
            QCOMPARE(found, expected);
            QCOMPARE(lines.ignored(), whole.ignored());
        }
    }

    void skipsEndlessLines()
    {
        RunnerLines lines("@m", 1000);
        QVERIFY(lines.feed("@m {\"text\": \"").isEmpty());
        for (int i = 0; i < 1000; ++i)
            QVERIFY(lines.feed(QByteArray(1000, 'x')).isEmpty());
        QCOMPARE(lines.broken(), 1);
        QCOMPARE(lines.feed("\"}\n@m {\"ok\": true}\n").size(), 1);
        QVERIFY(lines.feed(QByteArray(5000, '@') + '\n').isEmpty());
        QCOMPARE(lines.ignored(), 1);
        QCOMPARE(lines.feed("@m {}\n").size(), 1);
    }

    void takesAGoodResult()
    {
        EvaluationJob wanted = job();
        const Evaluation evaluation = evaluationFromRunner(goodResult(), wanted, u"abc"_s);
        QCOMPARE(evaluation.status, Evaluation::Status::Measured);
        QCOMPARE(evaluation.latency.medianMs, 1.5);
        QVERIFY(evaluation.estimate);
        QCOMPARE(evaluation.bandLowMs, 1.);
        QCOMPARE(evaluation.bandHighMs, 2.);
    }

    void distrustsResults_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QJsonValue>("value");
        QTest::newRow("no status") << u"status"_s << QJsonValue();
        QTest::newRow("unknown status") << u"status"_s << QJsonValue(u"brilliant"_s);
        QTest::newRow("other kernel") << u"sha256"_s << QJsonValue(u"def"_s);
        QTest::newRow("no kernel") << u"sha256"_s << QJsonValue();
        QTest::newRow("no latency") << u"latency_ms"_s << QJsonValue();
        QTest::newRow("zero latency") << u"latency_ms"_s << QJsonValue(QJsonObject{{u"median"_s, 0}});
        QTest::newRow("negative latency") << u"latency_ms"_s << QJsonValue(QJsonObject{{u"median"_s, -3}});
        QTest::newRow("text latency") << u"latency_ms"_s << QJsonValue(QJsonObject{{u"median"_s, u"fast"_s}});
        QTest::newRow("error above the tolerance") << u"relative_error"_s << QJsonValue(0.5);
        QTest::newRow("no relative error") << u"relative_error"_s << QJsonValue();
        QTest::newRow("other target") << u"key"_s << QJsonValue(QJsonObject{{u"target"_s, u"trn2"_s}});
        QTest::newRow("failed without reason") << u"status"_s << QJsonValue(u"failed"_s);
    }

    void distrustsResults()
    {
        QFETCH(QString, key);
        QFETCH(QJsonValue, value);
        QJsonObject result = goodResult();
        if (value.isNull())
            result.remove(key);
        else
            result.insert(key, value);
        const Evaluation evaluation = evaluationFromRunner(result, job(), u"abc"_s);
        QCOMPARE(evaluation.status, Evaluation::Status::Failed);
        QCOMPARE(evaluation.error.kind, ErrorKind::Infrastructure);
        QVERIFY(!evaluation.error.message.isEmpty());
    }
};

QTEST_GUILESS_MAIN(tst_RunnerLines)
#include "tst_runnerlines.moc"
