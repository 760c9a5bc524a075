// SPDX-License-Identifier: GPL-3.0-or-later
// The path of an LLM, walked by the rules: planner -> plan -> executor -> reply parser -> summarizer, on the bundled
// problems, two generations deep. Every kernel must be Python for Python itself and keep its function and parameters.
#include "agents/agents.h"
#include "domain/paths.h"
#include "evaluation/problemfiles.h"

#include <QCoroTask>
#include <QDir>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

class TestRuleAgents : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<ModelProvider> m_provider;
    PromptLibrary m_library;

    struct Step {
        Plan plan;
        ParsedKernel kernel;
    };

    /// All plans for one kernel, asked at once as the search does, and one attempt at each.
    QList<Step> generation(const Problem &problem, const QByteArray &kernel, int plans, const QStringList &tried)
    {
        std::vector<QCoro::Task<Result<Completion>>> calls;
        for (int i = 0; i < plans; ++i) {
            PlannerFacts facts;
            facts.problem = problem;
            facts.kernel = kernel;
            facts.evaluation.latency.medianMs = 2;
            facts.evaluation.profile = {{u"vector_engine_active_time_percent"_s, 0.7},
                {u"scalar_engine_active_time_percent"_s, 0.2}, {u"dma_active_time_percent"_s, 0.5}};
            facts.roofline = {0.9, Bound::Memory};
            facts.triedTitles = tried;
            facts.planIndex = i;
            facts.planCount = plans;
            CompletionRequest request = m_library.planner(facts);
            request.seed = 42 + quint64(i);
            calls.push_back(m_provider->complete(request, {}));
        }
        QList<Step> steps;
        for (auto &call : calls) {
            const auto reply = QCoro::waitFor(call);
            if (!reply)
                qFatal("planner: %s %s", qPrintable(reply.error().message), qPrintable(reply.error().detail));
            Step step;
            step.plan.text = reply->text;
            step.plan.title = parsePlanTitle(reply->text);
            steps.append(step);
        }
        for (Step &step : steps) {
            const auto reply =
                QCoro::waitFor(m_provider->complete(m_library.executor({problem, kernel, step.plan, 0}), {}));
            if (!reply)
                qFatal("executor: %s %s", qPrintable(reply.error().message), qPrintable(reply.error().detail));
            step.kernel = parseKernelReply(*reply, problem.entry);
        }
        return steps;
    }

private Q_SLOTS:
    void initTestCase()
    {
        auto provider = createModelProvider({u"rules"_s, {}, {}});
        QVERIFY2(provider, provider ? "" : qPrintable(provider.error().message));
        m_provider = std::move(*provider);
        const auto library = PromptLibrary::load();
        QVERIFY2(library, library ? "" : qPrintable(library.error().message));
        m_library = *library;
    }

    void cleanupTestCase() { m_provider.reset(); }

    void problems_data()
    {
        QTest::addColumn<QString>("folder");
        const QDir suite(resourcePath(u"suite"_s));
        for (const QString &name : suite.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            if (QFile::exists(suite.filePath(name + u"/problem.json"_s)))
                QTest::newRow(qPrintable(name)) << suite.filePath(name);
        }
    }

    void problems()
    {
        QFETCH(QString, folder);
        const auto problem = readProblemFolder(folder);
        QVERIFY2(problem, problem ? "" : qPrintable(problem.error().message));

        QTemporaryDir dir;
        QStringList files;
        const auto keep = [&](const QByteArray &source) {
            QFile file(dir.filePath(u"%1.py"_s.arg(files.size())));
            if (!file.open(QIODevice::WriteOnly))
                qFatal("cannot write");
            file.write(source);
            files.append(file.fileName());
        };
        keep(problem->kernelSource);

        const QList<Step> first = generation(*problem, problem->kernelSource, 6, {});
        QSet<QByteArray> kernels;
        QStringList titles;
        for (const Step &step : first) {
            QVERIFY2(!step.plan.title.isEmpty() && step.plan.title.size() <= 120, qPrintable(step.plan.text));
            titles.append(step.plan.title);
            if (step.kernel.error) { // a plan that cannot be carried out says so in words, never in broken code
                QCOMPARE(step.kernel.error.kind, ErrorKind::Reply);
                continue;
            }
            QCOMPARE(step.kernel.rule, u"fenced-entry"_s);
            QVERIFY(step.kernel.source != problem->kernelSource);
            kernels.insert(step.kernel.source);
            keep(step.kernel.source);
        }
        QVERIFY2(kernels.size() >= 2, qPrintable(titles.join(u'\n')));
        QVERIFY2(
            QSet<QString>(titles.begin(), titles.end()).size() >= 3, qPrintable(titles.join(u'\n'))); // plans differ

        // Once more from the start: the same plans and kernels, whichever child answers.
        const QList<Step> again = generation(*problem, problem->kernelSource, 6, {});
        for (qsizetype i = 0; i < first.size(); ++i) {
            QCOMPARE(again[i].plan.text, first[i].plan.text);
            QCOMPARE(again[i].kernel.source, first[i].kernel.source);
        }

        // A generation on top of a rewritten kernel, and a note on the pair.
        const auto grown = std::ranges::find_if(first, [](const Step &step) { return !step.kernel.error; });
        for (const Step &step : generation(*problem, grown->kernel.source, 4, {})) {
            if (!step.kernel.error)
                keep(step.kernel.source);
        }
        SummarizerFacts pair;
        pair.problem = *problem;
        pair.slowKernel = problem->kernelSource;
        pair.fastKernel = grown->kernel.source;
        pair.speedup = 1.3;
        pair.plan = grown->plan;
        const auto note = QCoro::waitFor(m_provider->complete(m_library.summarizer(pair), {}));
        QVERIFY2(note, note ? "" : qPrintable(note.error().message));
        const ParsedSummary summary = parseSummary(note->text);
        QVERIFY(!summary.nothingFound && !summary.title.isEmpty());
        pair.fastKernel = pair.slowKernel;
        const auto same = QCoro::waitFor(m_provider->complete(m_library.summarizer(pair), {}));
        QVERIFY(same && parseSummary(same->text).nothingFound);

        QProcess python;
        python.start(u"python3"_s,
            QStringList{u"-c"_s,
                u"import ast, sys\n"
                "def shape(path):\n"
                "    tree = ast.parse(open(path, 'rb').read())\n"
                "    entry = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == sys.argv[1]][-1]\n"
                "    return [a.arg for a in entry.args.args], sum(isinstance(n, ast.Return) for n in ast.walk(entry))\n"
                "first = shape(sys.argv[2])\n"
                "for path in sys.argv[3:]:\n"
                "    assert shape(path) == first, path\n"_s,
                problem->entry}
                + files);
        QVERIFY(python.waitForFinished(60000));
        QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
        qInfo("%lld kernels; plans: %s", qlonglong(files.size()), qPrintable(titles.join(u" | "_s)));
    }
};

QTEST_GUILESS_MAIN(TestRuleAgents)
#include "tst_ruleagents.moc"
