// SPDX-License-Identifier: GPL-3.0-or-later
// Prompts against golden files (data/golden; ACCELOPT_UPDATE_GOLDEN=1 writes them anew), and what must never happen to
// them.
#include "agents/agents.h"
#include "agents/promptfacts.h"
#include "domain/paths.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

namespace {

const QByteArray kernel =
    "import neuronxcc.nki.language as nl\n\n\ndef kernel(x):\n    t = nl.load(x[p, f])\n    return t\n";

Problem someProblem()
{
    Problem problem;
    problem.name = u"silu"_s;
    problem.title = u"SiLU"_s;
    problem.operatorText = u"x / (1 + exp(-x))"_s;
    problem.values = {{u"M"_s, 4096}, {u"N"_s, 7168}};
    problem.work.bytes = 234881024;
    problem.referenceSource = "def forward(x):\n    return x\n";
    problem.json = {{u"inputs"_s, QJsonArray{}}, {u"name"_s, u"stale"_s}};
    return problem;
}

PlannerFacts plannerFacts()
{
    PlannerFacts facts;
    facts.problem = someProblem();
    facts.kernel = kernel;
    facts.evaluation.latency.medianMs = 1.3332;
    facts.evaluation.estimate = true;
    facts.evaluation.profile = {{u"hbm_read_bytes"_s, 117440512}, {u"hbm_write_bytes"_s, 117440512.0},
        {u"vector_engine_active_time_percent"_s, 0.7402}, {u"total_time"_s, 0.0013332}, {u"hardware_flops"_s, 1.568e11},
        {u"zz_unknown"_s, 3}, {u"mm_arithmetic_intensity"_s, 12.34},
        {u"lines"_s,
            QJsonArray{QJsonObject{{u"line"_s, 4}, {u"busy_ms"_s, 0.1}},
                QJsonObject{{u"line"_s, 5}, {u"busy_ms"_s, 0.9}, {u"engine"_s, u"vector"_s}, {u"count"_s, 128}}}}};
    facts.roofline = {0.5335, Bound::Memory};
    facts.bestMs = 0.7977;
    facts.triedTitles = {u"Widen the tile"_s, u"Use\nrsqrt"_s};
    facts.failures = {u"wrong-result: relative error 3.1e-3"_s};
    Experience good;
    good.title = u"Hoist loads"_s;
    good.summary = u"**Hoist loads**\nA load in {{kernel}} that …"_s;
    good.speedup = 1.2684;
    Experience bad = good;
    bad.title = u"Split tiles"_s;
    bad.summary = u"Too small tiles."_s;
    bad.editedSummary = u"Tiles below 512 columns cost more than they hide."_s;
    bad.positive = false;
    bad.speedup = 1.5;
    Experience nothing = good;
    nothing.summary = u"No optimization found"_s;
    Experience disabled = good;
    disabled.title = u"Disabled"_s;
    disabled.state = Experience::State::Disabled;
    facts.experiences = {good, nothing, bad, disabled};
    facts.planIndex = 2;
    facts.planCount = 12;
    return facts;
}

QString text(const CompletionRequest &request)
{
    QString all;
    for (const Message &message : request.messages)
        all += u"=== "_s + message.role + u" ===\n"_s + message.content + u'\n';
    return all;
}

} // namespace

class TestPromptLibrary : public QObject {
    Q_OBJECT
private:
    PromptLibrary m_library;

    void golden(const CompletionRequest &request, const QString &name)
    {
        QCOMPARE(request.messages.size(), 2);
        // The system message is the files' own text: the golden file holds what is made of facts.
        const QString actual = request.messages[1].content + u"\n=== context ===\n"_s
            + QString::fromUtf8(QJsonDocument(request.context).toJson());
        const QString path = QStringLiteral(AGENTS_DATA "/golden/") + name;
        QFile file(path);
        if (qEnvironmentVariableIsSet("ACCELOPT_UPDATE_GOLDEN")) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(actual.toUtf8());
            return;
        }
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(path));
        QCOMPARE(actual, QString::fromUtf8(file.readAll()));
    }

private Q_SLOTS:
    void initTestCase()
    {
        const auto library = PromptLibrary::load();
        QVERIFY2(library, library ? "" : qPrintable(library.error().message));
        m_library = *library;
        QVERIFY2(m_library.version().startsWith(u"v1-"_s), qPrintable(m_library.version()));
        QCOMPARE(m_library.version().size(), 11);
    }

    void planner()
    {
        const CompletionRequest request = m_library.planner(plannerFacts());
        QCOMPARE(request.role, Role::Planner);
        golden(request, u"planner.txt"_s);
        const QStringList keys{u"bound"_s, u"experiences"_s, u"fraction_of_peak"_s, u"kernel"_s, u"latency_ms"_s,
            u"line_costs"_s, u"plan_count"_s, u"plan_index"_s, u"problem"_s, u"profile"_s, u"tried_titles"_s};
        QCOMPARE(request.context.keys(), keys);
    }

    void plannerWithTheLeast()
    {
        PlannerFacts facts;
        facts.problem.name = u"p"_s;
        facts.kernel = kernel;
        facts.evaluation.latency.medianMs = 0.05;
        const CompletionRequest request = m_library.planner(facts);
        golden(request, u"planner-least.txt"_s);
        for (const QString &absent : {u"# Experiences"_s, u"# Already tried"_s, u"# How kernels"_s,
                 u"## Where the time goes"_s, u"Fraction of peak"_s})
            QVERIFY2(!request.messages[1].content.contains(absent), qPrintable(absent));
    }

    void fractionCanBeHidden()
    {
        PlannerFacts facts = plannerFacts();
        facts.showFractionOfPeak = false;
        facts.bestMs = 0;
        const CompletionRequest request = m_library.planner(facts);
        QVERIFY(!request.messages[1].content.contains(u"peak"_s));
        QVERIFY(!request.messages[1].content.contains(u"Best kernel"_s));
        QVERIFY(request.context["fraction_of_peak"_L1].isNull());
    }

    void executor()
    {
        ExecutorFacts facts{someProblem(), kernel, {}, 0};
        facts.plan.title = u"Hoist"_s;
        facts.plan.text = u"**Hoist**\nMove it.\n"_s;
        golden(m_library.executor(facts), u"executor.txt"_s);
        facts.attemptIndex = 1;
        const CompletionRequest second = m_library.executor(facts);
        QVERIFY(second.messages[1].content.contains(u"attempt 2"_s));
        QCOMPARE(second.context["attempt_index"_L1].toInt(), 1);
        QCOMPARE(second.context.keys(),
            (QStringList{u"attempt_index"_s, u"kernel"_s, u"plan"_s, u"plan_title"_s, u"problem"_s}));
    }

    void fixer()
    {
        FixerFacts facts;
        facts.problem = someProblem();
        facts.kernel = kernel;
        facts.plan.title = u"Hoist"_s;
        facts.plan.text = u"Move it."_s;
        facts.error = {
            ErrorKind::Rule, u"err_1d_arange_not_supported"_s, u"nl.arange needs a new axis."_s, 5, u"check"_s};
        golden(m_library.fixer(facts), u"fixer.txt"_s);
    }

    void summarizer()
    {
        SummarizerFacts facts;
        facts.problem = someProblem();
        facts.slowKernel = kernel;
        facts.fastKernel = kernel + "# fast\n";
        facts.speedup = 1.268;
        facts.plan.title = u"Hoist"_s;
        golden(m_library.summarizer(facts), u"summarizer.txt"_s);
        facts.positive = false;
        const CompletionRequest negative = m_library.summarizer(facts);
        QVERIFY(negative.messages[1].content.contains(u"the change hurt"_s));
        QCOMPARE(negative.context["positive"_L1].toBool(true), false);
        QCOMPARE(negative.context.keys(),
            (QStringList{u"fast_kernel"_s, u"plan"_s, u"plan_title"_s, u"positive"_s, u"slow_kernel"_s, u"speedup"_s}));
    }

    /// The stable part comes first: calls of a role share the system message, plans of a candidate all but the last
    /// lines.
    void stablePartFirst()
    {
        PlannerFacts facts = plannerFacts();
        const QString a = text(m_library.planner(facts));
        facts.planIndex = 7;
        const QString b = text(m_library.planner(facts));
        QVERIFY(a != b);
        qsizetype same = 0;
        while (same < a.size() && a[same] == b[same])
            ++same;
        QVERIFY2(a.size() - same < 120, qPrintable(a.mid(same)));
        facts.kernel = "other";
        QCOMPARE(m_library.planner(facts).messages[0], m_library.planner(plannerFacts()).messages[0]);
    }

    void sameFactsSamePrompt()
    {
        QCOMPARE(m_library.planner(plannerFacts()).toJson(), m_library.planner(plannerFacts()).toJson());
    }

    /// What is put in is never expanded, and no place is left over.
    void braces()
    {
        PlannerFacts facts = plannerFacts();
        facts.problem.title = u"{{kernel}} {{?experiences}}"_s;
        facts.kernel = "d = {{profile}}\n{{/experiences}}\n{{?tried}}\n";
        facts.experiences[0].summary = u"{{reference}}"_s;
        const QString prompt = m_library.planner(facts).messages[1].content;
        QCOMPARE(prompt.count(u"# Problem: {{kernel}} {{?experiences}}"_s), 1);
        QCOMPARE(prompt.count(u"d = {{profile}}\n{{/experiences}}\n{{?tried}}\n"_s), 1);
        QCOMPARE(prompt.count(u"\n\n{{reference}}\n"_s), 1);
        QCOMPARE(prompt.count(u"{{"_s), 6);

        ExecutorFacts plain{someProblem(), kernel, {}, 0};
        for (const CompletionRequest &request :
            {m_library.planner({someProblem(), kernel, {}, {}, 0, true, {}, {}, {}, 0, 1}), m_library.executor(plain)})
            QVERIFY(!text(request).contains(u"{{"_s) && !text(request).contains(u"}}"_s));
    }

    void fencesAreLongerThanTheCode()
    {
        const QString block = prompt::codeBlock("\"\"\"\n````python\n````\n\"\"\"");
        QVERIFY(block.startsWith(u"`````python\n"_s) && block.endsWith(u"\n`````"_s));
        // A model that answers with what it was shown is understood.
        Completion completion;
        completion.text =
            prompt::codeBlock("def kernel(x):\n    \"\"\"\n```\nkernel(x)\n```\n    \"\"\"\n    return x\n");
        QCOMPARE(parseKernelReply(completion, u"kernel"_s).rule, u"fenced-entry"_s);
    }

    void problemFileCannotOverride()
    {
        const QJsonObject problem = m_library.planner(plannerFacts()).context["problem"_L1].toObject();
        QCOMPARE(problem["name"_L1].toString(), u"silu"_s);
        QVERIFY(problem.contains(u"inputs"_s));
        QCOMPARE(problem["values"_L1]["M"_L1].toInt(), 4096);
    }

    void brokenFolders_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("word");
        QTest::newRow("unknown place") << u"planner.user.md"_s << u"{{profile}}"_s << u"{{profil}}"_s << u"profil"_s;
        QTest::newRow("place gone") << u"executor.user.md"_s << u"{{plan}}"_s << QString() << u"{{plan}}"_s;
        QTest::newRow("part not closed") << u"planner.user.md"_s << u"{{/tried}}"_s << QString() << u"part"_s;
        QTest::newRow("part not open") << u"planner.user.md"_s << u"{{?tried}}"_s << QString() << u"not open"_s;
        QTest::newRow("braces") << u"fixer.user.md"_s << u"{{error}}"_s << u"{{error}} {{ x }}"_s << u"braces"_s;
    }

    void brokenFolders()
    {
        QFETCH(QString, file);
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, word);
        QTemporaryDir dir;
        const QDir source(resourcePath(u"prompts/v1"_s));
        for (const QString &name : source.entryList(QDir::Files)) {
            QFile in(source.filePath(name)), out(dir.filePath(name));
            QVERIFY(in.open(QIODevice::ReadOnly) && out.open(QIODevice::WriteOnly));
            QByteArray content = in.readAll();
            if (name == file) {
                QVERIFY(content.contains(from.toUtf8()));
                content.replace(from.toUtf8(), to.toUtf8());
            }
            out.write(content);
        }
        const auto library = PromptLibrary::load(dir.path());
        QVERIFY(!library);
        QCOMPARE(library.error().kind, Error::Kind::Invalid);
        QVERIFY2(library.error().message.contains(word) && library.error().message.contains(file),
            qPrintable(library.error().message));
        QVERIFY(QFile::remove(dir.filePath(u"nki-beta1-guide.md"_s)));
        QCOMPARE(PromptLibrary::load(dir.path()).error().kind, Error::Kind::NotFound);
    }

    void journalForm()
    {
        CompletionRequest request = m_library.planner(plannerFacts());
        request.model = {u"openai"_s, u"gpt-oss-120b"_s, u"http://127.0.0.1:8000/v1"_s};
        request.seed = 0xffff'ffff'ffff'ffffU;
        const QJsonObject json = request.toJson();
        QCOMPARE(json["role"_L1].toString(), u"planner"_s);
        QCOMPARE(json["seed"_L1].toString(), u"18446744073709551615"_s);
        QCOMPARE(json["model"_L1].toString(), u"openai:gpt-oss-120b@http://127.0.0.1:8000/v1"_s);
        QCOMPARE(json["messages"_L1].toArray().size(), 2);
        QVERIFY(!json.contains("temperature"_L1));
    }
};

QTEST_GUILESS_MAIN(TestPromptLibrary)
#include "tst_promptlibrary.moc"
