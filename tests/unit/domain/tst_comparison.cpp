// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/comparison.h"

#include <QTest>

using namespace Qt::Literals::StringLiterals;
using namespace accelopt;

class TestComparison : public QObject {
    Q_OBJECT

    static Evaluation measured(double ms, const QJsonObject &profile = {})
    {
        Evaluation evaluation;
        evaluation.status = Evaluation::Status::Measured;
        evaluation.latency = {ms, ms * 0.999, ms * 1.001, {}};
        evaluation.environment = {u"trn1"_s, u"trn1.32xlarge"_s, u"2.26"_s, u"beta1"_s, {}, {}};
        evaluation.profile = profile;
        return evaluation;
    }
    static const MetricDelta &row(const Comparison &comparison, const QString &key)
    {
        for (const MetricDelta &delta : comparison.rows) {
            if (delta.key == key)
                return delta;
        }
        qFatal("no such row");
    }

private Q_SLOTS:
    /// The mamba pair of the design pictures.
    void fasterInWords()
    {
        const auto comparison = compareEvaluations(measured(2.889,
                                                       {{u"hbm_read_bytes"_s, 181.7e6}, {u"spill_save_bytes"_s, 55.1e6},
                                                           {u"vector_engine_active_time_percent"_s, 0.613}}),
            measured(2.278,
                {{u"hbm_read_bytes"_s, 126.6e6}, {u"spill_save_bytes"_s, 0},
                    {u"vector_engine_active_time_percent"_s, 0.784}}),
            {35.6e6, 0, 0});
        QVERIFY(comparison.comparable);
        QCOMPARE(comparison.headline, u"B is 1.268× faster than A"_s);
        QVERIFY2(comparison.detail.startsWith(u"0.611\u00A0ms less per call."_s), qPrintable(comparison.detail));
        QVERIFY(comparison.detail.contains(u"do not overlap"_s));
        QCOMPARE(row(comparison, u"hbm_read_bytes"_s).change, u"30\u00A0% less"_s);
        QCOMPARE(row(comparison, u"hbm_read_bytes"_s).verdict, format::Verdict::Better);
        QCOMPARE(row(comparison, u"spill_save_bytes"_s).change, u"gone"_s);
        QCOMPARE(row(comparison, u"vector_engine_active_time_percent"_s).change, u"+17.1\u00A0points"_s);
        QVERIFY(row(comparison, u"traffic_efficiency"_s).verdict == format::Verdict::Better);
    }
    void slowerAndSame()
    {
        QCOMPARE(compareEvaluations(measured(1), measured(2)).headline, u"B is 2.000× slower than A"_s);
        QCOMPARE(compareEvaluations(measured(1), measured(2)).verdict, format::Verdict::Worse);
        const auto same = compareEvaluations(measured(1), measured(1.001));
        QCOMPARE(same.headline, u"B is as fast as A"_s);
        QVERIFY(same.detail.contains(u"inside the noise"_s));
    }
    void unequalKeysAreNotCompared()
    {
        Evaluation other = measured(1);
        other.environment.sdk = u"2.28"_s;
        const auto comparison = compareEvaluations(measured(2), other);
        QVERIFY(!comparison.comparable);
        QVERIFY(comparison.reason.contains(u"2.26 and 2.28"_s));

        other = measured(1);
        other.estimate = true;
        QVERIFY(compareEvaluations(measured(2), other).reason.contains(u"estimate"_s));
        QVERIFY(compareEvaluations(measured(2), Evaluation()).reason.contains(u"B has no latency"_s));
    }
    /// silu as one ScalarE instruction: VectorE falls idle, which is no loss.
    void onlyThePaceIsJudged()
    {
        const auto comparison = compareEvaluations(
            measured(2, {{u"vector_engine_active_time_percent"_s, 0.945}, {u"dma_active_time_percent"_s, 0.864}}),
            measured(1, {{u"vector_engine_active_time_percent"_s, 0.0}, {u"dma_active_time_percent"_s, 0.971}}));
        QCOMPARE(row(comparison, u"vector_engine_active_time_percent"_s).word(), QString());
        QCOMPARE(row(comparison, u"vector_engine_active_time_percent"_s).verdict, format::Verdict::Same);
        QCOMPARE(row(comparison, u"dma_active_time_percent"_s).word(), u"better"_s);
    }
    void aFieldOfOneSideIsADash()
    {
        const auto comparison = compareEvaluations(measured(2, {{u"hardware_flops"_s, 2e9}}), measured(1));
        QCOMPARE(row(comparison, u"hardware_flops"_s).b, format::missing());
    }
};

QTEST_GUILESS_MAIN(TestComparison)
#include "tst_comparison.moc"
