// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/attempt.h"
#include "domain/attemptkey.h"
#include "domain/ledger.h"
#include "domain/problem.h"
#include "domain/runsettings.h"

#include <QJsonArray>
#include <QTest>

using namespace Qt::Literals::StringLiterals;
using namespace accelopt;

class TestDomain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void attemptKeyForms()
    {
        const AttemptKey key{8, 2, 5, 1, 0};
        QCOMPARE(key.display(), u"i08·c2·p05·a1"_s);
        QCOMPARE(key.ascii(), u"i08.c2.p05.a1"_s);
        QCOMPARE((AttemptKey{8, 2, 5, 1, 2}.ascii()), u"i08.c2.p05.a1.r2"_s);
        QCOMPARE(AttemptKey{}.ascii(), u"baseline"_s);
        for (const AttemptKey &each : {key, AttemptKey{}, AttemptKey{1, 12, 120, 3, 4}, AttemptKey{100, 0, 1, 1, 0}}) {
            QCOMPARE(AttemptKey::parse(each.ascii()), std::optional(each));
            QCOMPARE(AttemptKey::parse(each.display()), std::optional(each));
        }
    }
    void attemptKeyRefusesOtherText_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *text : {"", "i0.c1.p1.a1", "i1.c1.p1", "i1.c1.p1.a1.x", "silu", "i99999999.c1.p1.a1"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void attemptKeyRefusesOtherText()
    {
        QFETCH(QString, text);
        QVERIFY(!AttemptKey::parse(text));
    }
    void attemptKeysStandInOrder()
    {
        QVERIFY((AttemptKey{1, 2, 1, 1, 0}) < (AttemptKey{1, 2, 1, 2, 0}));
        QVERIFY((AttemptKey{1, 9, 9, 9, 0}) < (AttemptKey{2, 1, 1, 1, 0}));
    }

    /// The published table: T_peak on Trainium 1 of silu 0.5335 ms (memory) and of add_rmsnorm_matmul 0.7234 ms
    /// (matmul).
    void rooflineOfPublishedProblems()
    {
        const HardwarePeaks trn1{
            u"trn1"_s, 410.0 * 1024 * 1024 * 1024, {{u"float32"_s, 23.75e12}}, {{u"float32"_s, 286.72e9}}, {}};
        const double m = 4096, n = 7168;
        const Roofline silu = roofline({2 * m * n * 4, 0, 3 * m * n}, trn1, u"float32"_s);
        QCOMPARE(silu.bound, Bound::Memory);
        QVERIFY(qAbs(silu.peakMs - 0.5335) < 5e-5);
        QVERIFY(qAbs(silu.fractionOfPeak(1.3332) - 0.400) < 5e-4);

        const double k = 1024, cols = 2048;
        const Roofline matmul =
            roofline({(2 * m * k + k * cols + k + m * cols) * 4, 2 * m * cols * k, 6 * m * k}, trn1, u"float32"_s);
        QCOMPARE(matmul.bound, Bound::Matmul);
        QVERIFY(qAbs(matmul.peakMs - 0.7234) < 5e-5);
        QCOMPARE(matmul.fractionOfPeak(0), 0.0);
    }
    void peaksFallBackToFloat32()
    {
        const HardwarePeaks peaks{u"x"_s, 1, {{u"float32"_s, 2}, {u"bfloat16"_s, 8}}, {{u"float32"_s, 3}}, {}};
        QCOMPARE(peaks.matmulPeak(u"bfloat16"_s), 8.0);
        QCOMPARE(peaks.matmulPeak(u"float8"_s), 2.0);
        QCOMPARE(HardwarePeaks::fromJson(peaks.toJson()).value(), peaks);
        QVERIFY(!HardwarePeaks::fromJson({{u"bandwidth_bytes_per_s"_s, 0}}));
    }
    void geometricMeans()
    {
        QCOMPARE(geometricMean({2, 8}), 4.0);
        QCOMPARE(geometricMean({}), 0.0);
        QCOMPARE(geometricMean({2, 0}), 0.0);
    }

    void settingsSurviveJson()
    {
        RunSettings settings = RunSettings::quickPreset();
        settings.seed = 0xFFFF'FFFF'FFFF'FFFFULL;
        settings.selection = SelectionPolicy::Upstream;
        settings.memory = MemoryPolicy::Upstream;
        settings.memoryScope = MemoryScope::Project;
        settings.models.insert(
            Role::Planner, ModelChoice{u"openai"_s, u"gpt-oss-120b"_s, u"http://127.0.0.1:8000/v1"_s});
        settings.budget = {240, 1e9, 3600, 60};
        settings.problems = {u"silu"_s};
        QCOMPARE(RunSettings::fromJson(settings.toJson()).value(), settings);
        QCOMPARE(RunSettings::fromJson({}).value(), RunSettings());
    }
    void settingsOutOfRangeAreNamed()
    {
        RunSettings settings;
        settings.beam = 0;
        QVERIFY(settings.validate().error().message.contains(u"beam (B)"_s));
        QVERIFY(!RunSettings::fromJson(settings.toJson()));
        QVERIFY(!RunSettings::fromJson({{u"selection"_s, u"best"_s}}));
        settings = {};
        settings.hosts.clear();
        QVERIFY(!settings.validate());
    }
    /// AccelOpt, code defaults: 1,092 planner calls, 2,184 executor calls, at most 3,396 + one baseline.
    void volumeOfThePaper()
    {
        const auto volume = RunSettings::paperPreset().volumePerProblem();
        QCOMPARE(volume.plannerCalls, 1092);
        QCOMPARE(volume.executorCalls, 2184);
        QCOMPARE(volume.evaluations, 2185);
        QCOMPARE(volume.summarizerCalls, 128);
    }

    void modelChoices()
    {
        const ModelChoice choice = ModelChoice::parse(u"openai:gpt-oss:120b@http://127.0.0.1:8000/v1"_s).value();
        QCOMPARE(choice.provider, u"openai"_s);
        QCOMPARE(choice.model, u"gpt-oss:120b"_s);
        QCOMPARE(choice.endpoint, u"http://127.0.0.1:8000/v1"_s);
        QCOMPARE(ModelChoice::parse(choice.toString()).value(), choice);
        QCOMPARE(ModelChoice::parse(u"rules"_s).value().name(), u"rules"_s);
        QVERIFY(!ModelChoice::parse(u"openai"_s));
        QVERIFY(!ModelChoice::parse(u""_s));
        QVERIFY(!ModelChoice::parse(u"http://host/v1"_s));
        QCOMPARE(ModelChoice::parse(u"openai:@cf/meta/llama@https://host/v1"_s).value().model, u"@cf/meta/llama"_s);
        // The choice goes into the journal: no key may be in it, and the refusal does not repeat it.
        for (const QString &address :
            {u"http://me@host/v1"_s, u"http://me:secret@host/v1"_s, u"HTTPS://me:secret@host/v1"_s,
                u"http://me:sec/ret@host/v1"_s, u"https://host/v1?key=secret"_s, u"https://host/v1#secret"_s,
                u"http://"_s, u"https:secret"_s, u"http://ho st/v1"_s, u"httpx://host"_s, u"ftp://me:secret@host"_s}) {
            const auto parsed = ModelChoice::parse(u"openai:m@"_s + address);
            QVERIFY2(!parsed, qPrintable(address));
            if (address.contains(u'@') || address.contains(u'?'))
                QVERIFY2(!parsed.error().message.contains(u"secret"_s), qPrintable(parsed.error().message));
        }
    }
    void costOfACall()
    {
        PriceTable table;
        table.insert(u"gpt-oss-120b"_s, {0.15, 0.015, 0.60, u"list"_s, u"2025-10-18"_s});
        const ModelChoice known{u"openai"_s, u"gpt-oss-120b"_s, {}};
        Usage usage;
        usage.inputTokens = 1'000'000;
        usage.cachedTokens = 400'000;
        usage.outputTokens = 500'000;
        QVERIFY(qAbs(table.cost(known, usage).value() - (0.6 * 0.15 + 0.4 * 0.015 + 0.5 * 0.60)) < 1e-12);
        QVERIFY(!table.cost({u"openai"_s, u"unheard-of"_s, {}}, usage));
        QCOMPARE(table.cost({u"rules"_s, {}, {}}, usage), std::optional(0.0));
        QCOMPARE(PriceTable::fromJson(table.toJson()).value().cost(known, usage), table.cost(known, usage));
        QVERIFY(!PriceTable::fromJson({{u"m"_s, QJsonObject{{u"input"_s, 1}}}}));
    }

    void evaluationSurvivesJson()
    {
        Evaluation measured;
        measured.status = Evaluation::Status::Measured;
        measured.latency = {2.278, 2.27, 2.29, {2.27, 2.278, 2.29}};
        measured.estimate = true;
        measured.bandLowMs = 2;
        measured.bandHighMs = 3;
        measured.confidence = u"B"_s;
        measured.relativeError = 1.1e-6;
        measured.environment = {u"trn1"_s, u"simulator"_s, {}, u"beta1"_s, {}, {}};
        measured.profile = {{u"hbm_read_bytes"_s, 1e6}};
        QCOMPARE(Evaluation::fromJson(measured.toJson()).value(), measured);

        Evaluation failed;
        failed.error = {
            ErrorKind::WrongResult, u"id"_s, u"relative error 3.1e-3, the limit is 2e-5"_s, 31, u"correctness"_s};
        QCOMPARE(Evaluation::fromJson(failed.toJson()).value(), failed);
    }
    void hostileEvaluationsAreRefused()
    {
        QVERIFY(!Evaluation::fromJson({}));
        QVERIFY(!Evaluation::fromJson({{u"status"_s, u"measured"_s}}));
        QVERIFY(!Evaluation::fromJson({{u"status"_s, u"failed"_s}}));
        QVERIFY(
            !Evaluation::fromJson({{u"status"_s, u"measured"_s}, {u"latency_ms"_s, QJsonObject{{u"median"_s, -1}}}}));
        QVERIFY(
            !Evaluation::fromJson({{u"status"_s, u"failed"_s}, {u"error"_s, QJsonObject{{u"kind"_s, u"made-up"_s}}}}));
    }
    void errorKindNames()
    {
        QCOMPARE(errorKindName(ErrorKind::WrongResult), u"wrong-result"_s);
        for (int kind = 1; kind <= static_cast<int>(ErrorKind::Infrastructure); ++kind)
            QCOMPARE(errorKindFromName(errorKindName(static_cast<ErrorKind>(kind))),
                std::optional(static_cast<ErrorKind>(kind)));
        QVERIFY(!errorKindFromName(QString()));
    }
    void verdicts()
    {
        Attempt attempt;
        QCOMPARE(verdictName(attempt), u"pending"_s);
        attempt.state = Attempt::State::Done;
        attempt.evaluation.error.kind = ErrorKind::Memory;
        QCOMPARE(verdictName(attempt), u"memory"_s);
        attempt.evaluation.error = {};
        attempt.evaluation.status = Evaluation::Status::Measured;
        QCOMPARE(verdictName(attempt), u"correct"_s);
        attempt.duplicateOf = 7;
        QCOMPARE(verdictName(attempt), u"same"_s);
        attempt.evaluation.quarantined = true;
        QCOMPARE(verdictName(attempt), u"quarantined"_s);
    }
};

QTEST_GUILESS_MAIN(TestDomain)
#include "tst_domain.moc"
