// SPDX-License-Identifier: GPL-3.0-or-later
// The real plugin, the real runner, real children in the real sandbox. Where a test is about the conversation and not
// about numbers, tests/fakes/fake_neuroncore.py stands in for accelopt-neuroncore.
#include "domain/paths.h"
#include "evaluation/evaluator.h"
#include "evaluation/problemfiles.h"

#include <QCoroTask>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <signal.h>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Names and arguments of live processes that mention `word`.
QStringList processesWith(const QString &word)
{
    QStringList found;
    for (const QString &pid : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
        QFile file(u"/proc/"_s + pid + u"/cmdline"_s);
        if (file.open(QIODevice::ReadOnly)) {
            const QString line = QString::fromLocal8Bit(file.readAll().replace('\0', ' '));
            if (line.contains(word))
                found.append(pid + u": "_s + line);
        }
    }
    return found;
}

} // namespace

class tst_SimulatorHost : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    Problem m_problem;

    /// Hardware data that tells the fake what to do.
    QString hardware(const QString &name, const QByteArray &fake)
    {
        const QString path = m_folder.filePath(u"hw-"_s + name);
        QDir().mkpath(path);
        QFile file(path + u"/trn1.json"_s);
        if (file.open(QIODevice::WriteOnly))
            file.write("{\"fake\": " + fake + "}");
        return path;
    }

    std::unique_ptr<Evaluator> host(const QByteArray &fake = "{}", QJsonObject options = {})
    {
        static int count = 0;
        options.insert(u"neuroncore"_s, QStringLiteral(ACCELOPT_TEST_DATA "/../fakes/fake_neuroncore.py"));
        options.insert(u"hardware"_s, hardware(QString::number(++count), fake));
        options.insert(u"cache"_s, m_folder.filePath(u"references"_s));
        options.insert(u"scratch"_s, m_folder.filePath(u"jobs"_s));
        auto evaluator = createEvaluator(u"simulator"_s, options);
        if (!evaluator) {
            qWarning().noquote() << evaluator.error().message << evaluator.error().detail;
            return nullptr;
        }
        return std::move(*evaluator);
    }

    EvaluationJob job(const QByteArray &kernel = {}) const
    {
        EvaluationJob job;
        job.id = u"test"_s;
        job.problem = m_problem;
        job.kernel = kernel.isEmpty() ? m_problem.kernelSource : kernel;
        job.target = u"trn1"_s;
        job.seeds = 2;
        job.hiddenSeeds = 1;
        return job;
    }

    static Result<Evaluation> run(Evaluator &evaluator, const EvaluationJob &job, CancelToken token = {})
    {
        return QCoro::waitFor(evaluator.evaluate(job, std::move(token)));
    }

private Q_SLOTS:
    void initTestCase()
    {
        const auto problem = readProblemFolder(QStringLiteral(ACCELOPT_TEST_DATA "/runner/double"));
        QVERIFY2(problem.has_value(), problem ? "" : qPrintable(problem.error().message));
        m_problem = *problem;
    }

    void evaluates()
    {
        const auto evaluator = host();
        QVERIFY(evaluator);
        QStringList stages;
        evaluator->setProgressHandler([&](const EvaluationProgress &progress) {
            QCOMPARE(progress.job, u"test"_s);
            QVERIFY(progress.core.startsWith(u"simulator worker"_s));
            stages.append(progress.stage);
        });
        const auto result = run(*evaluator, job());
        QVERIFY2(result.has_value(), result ? "" : qPrintable(result.error().message));
        QVERIFY2(result->status == Evaluation::Status::Measured, qPrintable(result->error.message));
        QCOMPARE(result->latency.medianMs, 1.5);
        QVERIFY(result->estimate);
        QCOMPARE(result->bandLowMs, 1.2);
        QCOMPARE(result->confidence, u"B"_s);
        QCOMPARE(result->relativeError, 0.);
        QCOMPARE(result->environment.target, u"trn1"_s);
        QCOMPARE(result->environment.host, u"simulator"_s);
        QCOMPARE(result->environment.nki, u"beta1"_s);
        QCOMPARE(result->sha256.size(), 64);
        QVERIFY(result->profile.contains("lines"_L1));
        QVERIFY(result->profile.contains("bounds"_L1));
        QVERIFY(result->stageSeconds.contains("correctness"_L1));
        QCOMPARE(stages, (QStringList{u"guard"_s, u"reference"_s, u"check"_s, u"timing"_s, u"correctness"_s}));
        QCOMPARE(evaluator->facts().value("backend"_L1).toString(), u"simulator"_s);
        QVERIFY(evaluator->facts().value("containment"_L1).toObject().value("sandbox"_L1).toBool());
    }

    void failsWithTheRightKind_data()
    {
        QTest::addColumn<QByteArray>("fake");
        QTest::addColumn<ErrorKind>("kind");
        QTest::addColumn<QString>("stage");
        QTest::newRow("rule") << QByteArray(R"({"check": "error:rule"})") << ErrorKind::Rule << u"check"_s;
        QTest::newRow("memory") << QByteArray(R"({"check": "error:memory"})") << ErrorKind::Memory << u"check"_s;
        QTest::newRow("compile") << QByteArray(R"({"estimate": "error:compile"})") << ErrorKind::Compile << u"timing"_s;
        QTest::newRow("unknown kind") << QByteArray(R"({"check": "error:nonsense"})") << ErrorKind::Infrastructure
                                      << u"check"_s;
        QTest::newRow("crash of ours") << QByteArray(R"({"check": "crash"})") << ErrorKind::Infrastructure
                                       << u"check"_s;
        QTest::newRow("no answer") << QByteArray(R"({"estimate": "silent"})") << ErrorKind::Infrastructure
                                   << u"timing"_s;
        QTest::newRow("garbage") << QByteArray(R"({"estimate": "garbage"})") << ErrorKind::Infrastructure
                                 << u"timing"_s;
        QTest::newRow("wrong") << QByteArray(R"({"run": "wrong"})") << ErrorKind::WrongResult << u"correctness"_s;
        QTest::newRow("nan") << QByteArray(R"({"run": "nan"})") << ErrorKind::NonFinite << u"correctness"_s;
        QTest::newRow("shape") << QByteArray(R"({"run": "shape"})") << ErrorKind::WrongResult << u"correctness"_s;
        QTest::newRow("no output") << QByteArray(R"({"run": "none"})") << ErrorKind::WrongResult << u"correctness"_s;
        QTest::newRow("hang") << QByteArray(R"({"run": "hang"})") << ErrorKind::Hang << u"correctness"_s;
    }

    void failsWithTheRightKind()
    {
        QFETCH(QByteArray, fake);
        QFETCH(ErrorKind, kind);
        QFETCH(QString, stage);
        const auto evaluator = host(fake);
        QVERIFY(evaluator);
        EvaluationJob wanted = job();
        wanted.deadlines = {{u"correctness"_s, kind == ErrorKind::Hang ? 2 : 100}};
        const auto result = run(*evaluator, wanted);
        QVERIFY2(result.has_value(), result ? "" : qPrintable(result.error().message));
        QCOMPARE(result->status, Evaluation::Status::Failed);
        QVERIFY2(result->error.kind == kind,
            qPrintable(errorKindName(result->error.kind) + u": "_s + result->error.message));
        QCOMPARE(result->error.stage, stage);
        QVERIFY(!result->error.message.isEmpty());
        if (kind == ErrorKind::Rule) {
            QCOMPARE(result->error.line, 7);
            QCOMPARE(result->error.id, u"err_fake"_s);
        }
        if (QByteArray(QTest::currentDataTag()) == "wrong") {
            QVERIFY(result->relativeError > 0.01);
            QVERIFY2(result->error.message.contains(u"[3, 17]"_s), qPrintable(result->error.message));
        }
        QVERIFY(processesWith(u"fake_neuroncore.py check"_s).isEmpty()
            && processesWith(u"fake_neuroncore.py run"_s).isEmpty());
    }

    void skipsWhatCannotMatter()
    {
        const auto evaluator = host(R"({"run": "wrong"})");
        QVERIFY(evaluator);
        EvaluationJob wanted = job();
        wanted.skip = SkipWindow{1, 2};
        QCOMPARE(run(*evaluator, wanted)->status, Evaluation::Status::Skipped);
        wanted.skip = SkipWindow{2, 3};
        QCOMPARE(run(*evaluator, wanted)->error.kind, ErrorKind::WrongResult);
        wanted.skip = SkipWindow{1, 2};
        wanted.purpose = u"baseline"_s; // always computed
        QCOMPARE(run(*evaluator, wanted)->error.kind, ErrorKind::WrongResult);
        wanted.purpose = u"estimate-only"_s;
        const auto estimated = run(*evaluator, wanted);
        QCOMPARE(estimated->status, Evaluation::Status::Skipped);
        QCOMPARE(estimated->latency.medianMs, 1.5);
        wanted.purpose = u"check-only"_s;
        const auto checked = run(*evaluator, wanted);
        QCOMPARE(checked->status, Evaluation::Status::Skipped);
        QCOMPARE(checked->latency.medianMs, 0.);
    }

    void refusesABadReference()
    {
        const auto evaluator = host();
        QVERIFY(evaluator);
        EvaluationJob wanted = job();
        wanted.problem.referenceSource = "import numpy as np\ndef forward(x):\n    return 0 * x\ndef get_inputs():\n   "
                                         " return [np.ones((4, 4), np.float32)]\n";
        const auto zero = run(*evaluator, wanted);
        QVERIFY(!zero);
        QCOMPARE(zero.error().kind, Error::Kind::Invalid);
        QVERIFY2(zero.error().message.contains(u"zero"_s), qPrintable(zero.error().message));
        wanted.problem.referenceSource = "def forward(x):\n    return x\n";
        QVERIFY(run(*evaluator, wanted).error().message.contains(u"get_inputs"_s));
        QVERIFY(run(*evaluator, job())->isCorrect()); // and the next one works
    }

    void hashesPrograms()
    {
        const auto evaluator = host();
        auto *hasher = dynamic_cast<ProgramHasher *>(evaluator.get());
        QVERIFY(hasher);
        const auto hash = [&](const QByteArray &source) {
            return QCoro::waitFor(hasher->programHash(source, {})).value_or(u"failed"_s);
        };
        const QString one = hash("def kernel(x):\n    '''Doubles.'''\n    y = x * 2  # twice\n    return y\n");
        QCOMPARE(one.size(), 64);
        QCOMPARE(hash("def kernel( x ):\n\n    twice = (x * 2)\n    return twice\n"), one);
        QVERIFY(hash("def kernel(x):\n    y = x * 3\n    return y\n") != one);
        QCOMPARE(hash("def kernel(x:\n"), QString());
        QCOMPARE(hash("\xff\xfe"), QString());
    }

    void cancels()
    {
        const auto evaluator = host(R"({"run": "hang"})");
        QVERIFY(evaluator);
        CancelSource source;
        QTimer::singleShot(4000, [&] { source.request_stop(); });
        QElapsedTimer timer;
        timer.start();
        const auto result = run(*evaluator, job(), source.get_token());
        QVERIFY(!result);
        QCOMPARE(result.error().kind, Error::Kind::Cancelled);
        QVERIFY2(timer.elapsed() < 4000 + 3000, qPrintable(QString::number(timer.elapsed())));
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(u"fake_neuroncore.py run"_s).isEmpty(), 5000);
    }

    void survivesTheDeathOfTheRunner()
    {
        const auto evaluator = host();
        QVERIFY(evaluator);
        QVERIFY(run(*evaluator, job())->isCorrect());
        int kills = 0;
        evaluator->setProgressHandler([&](const EvaluationProgress &progress) {
            if (progress.stage == u"check"_s && kills++ == 0) {
                for (const QString &line : processesWith(m_folder.path())) {
                    if (line.contains(u"-m accelopt_runner"_s))
                        ::kill(line.section(u':', 0, 0).toInt(), SIGKILL);
                }
            }
        });
        const auto result = run(*evaluator, job());
        QVERIFY2(result.has_value(), result ? "" : qPrintable(result.error().message));
        QVERIFY2(result->isCorrect(), qPrintable(result->error.message));
        QVERIFY(kills >= 2);
    }

    void leavesNoProcess()
    {
        {
            const auto evaluator = host();
            QVERIFY(run(*evaluator, job())->isCorrect());
            QVERIFY(!processesWith(m_folder.path()).isEmpty());
        }
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(m_folder.path()).isEmpty(), 5000);
        QCOMPARE(QDir(m_folder.filePath(u"jobs"_s)).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
    }

    void reportsAMissingPart()
    {
        const auto evaluator = host("{}", {{u"sandbox"_s, u"/nowhere"_s}});
        QVERIFY(evaluator);
        QVERIFY(run(*evaluator, job())->isCorrect()); // contained less, and says so
        QVERIFY(!evaluator->facts().value("containment"_L1).toObject().value("sandbox"_L1).toBool());
        QVERIFY(!createEvaluator(u"nowhere"_s));
    }

    void repeatsOnceWhatIsNotTheKernelsFault()
    {
        const auto evaluator = host("{}", {{u"python"_s, u"/bin/false"_s}});
        QVERIFY(evaluator);
        QElapsedTimer timer;
        timer.start();
        const auto result = run(*evaluator, job());
        QVERIFY(!result);
        QCOMPARE(result.error().kind, Error::Kind::Io);
        QVERIFY(timer.elapsed() < 10'000);
    }
};

QTEST_GUILESS_MAIN(tst_SimulatorHost)
#include "tst_simulatorhost.moc"
