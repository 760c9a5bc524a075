// SPDX-License-Identifier: GPL-3.0-or-later
// The plugin against a small stand-in that can crash, hang and babble, then against the real rules.
#include "agents/agents.h"
#include "domain/paths.h"

#include <QCoroTask>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <thread>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Does what the context's "do" says; counts its starts in a file.
const char standIn[] = R"PY(
import json, os, sys, time
starts = os.path.join(sys.argv[1], 'starts')
with open(starts, 'a') as f: f.write('x')
print('a stray print', flush=True)
for line in sys.stdin:
    r = json.loads(line)
    c = r['context']
    do = c.get('do', 'echo')
    def reply(**more): print(json.dumps({'id': r['id'], **more}), flush=True)
    once = os.path.join(sys.argv[1], 'once')
    if do == 'echo': reply(text=c['say'], reasoning='', usage={'input_tokens': 3, 'output_tokens': 4})
    elif do == 'request': reply(text=json.dumps(r, sort_keys=True))
    elif do == 'environment': reply(text=json.dumps({**os.environ, 'cwd': os.getcwd()}))
    elif do == 'pid': time.sleep(0.05); reply(text=str(os.getpid()))
    elif do == 'error': reply(error='the kernel has no loop')
    elif do == 'notext': reply(reasoning='x')
    elif do == 'crash': sys.stderr.write('Boom: bad things\n'); sys.stderr.flush(); os._exit(3)
    elif do == 'crash-once':
        if os.path.exists(once): reply(text='second')
        else: open(once, 'w').close(); os.kill(os.getpid(), 9)
    elif do == 'hang': time.sleep(1000)
    elif do == 'long': reply(text='y' * 200000)
    elif do == 'endless':
        while True: sys.stdout.write('z' * 65536)
    elif do == 'noise': print('[]'); print('{"id": 999999, "text": "wrong"}'); print('\xff not json', flush=True); reply(text='right')
    elif do == 'late': time.sleep(0.3); reply(text='late')
)PY";

CompletionRequest ask(const QString &what, const QString &say = {})
{
    CompletionRequest request;
    request.context = {{u"do"_s, what}, {u"say"_s, say}};
    return request;
}

} // namespace

class TestRulesProvider : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<QTemporaryDir> m_dir;

    std::unique_ptr<ModelProvider> create(QJsonObject options = {})
    {
        options.insert(u"arguments"_s, QJsonArray{m_dir->filePath(u"standin.py"_s), m_dir->path()});
        auto provider = createModelProvider({u"rules"_s, {}, {}}, options);
        if (!provider)
            qFatal("%s", qPrintable(provider.error().message + provider.error().detail));
        return std::move(*provider);
    }

    qint64 starts() const { return QFile(m_dir->filePath(u"starts"_s)).size(); }

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        QFile file(m_dir->filePath(u"standin.py"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(standIn);
    }

    void unknownProvider()
    {
        for (const QString &id : {u"nonsense"_s, u"../models/rules"_s, QString()}) {
            const auto provider = createModelProvider({id, {}, {}});
            QVERIFY(!provider);
            QCOMPARE(provider.error().kind, Error::Kind::NotFound);
            QVERIFY2(provider.error().message.contains(u"rules"_s), qPrintable(provider.error().message));
            QVERIFY(provider.error().message.endsWith(u'.'));
        }
    }

    void roles()
    {
        const auto provider = create();
        QCOMPARE(provider->id(), u"rules"_s);
        QVERIFY(provider->supports(Role::Planner) && provider->supports(Role::Executor)
            && provider->supports(Role::Summarizer));
        QVERIFY(!provider->supports(Role::Fixer));
        CompletionRequest request = ask(u"echo"_s);
        request.role = Role::Fixer;
        const auto reply = QCoro::waitFor(provider->complete(request, {}));
        QCOMPARE(reply.error().kind, Error::Kind::Invalid);
        QCOMPARE(starts(), 0); // no child before it is needed
    }

    void request()
    {
        const auto provider = create();
        CompletionRequest request = ask(u"request"_s, u"\u00e9\n\u2028 {{kernel}}"_s);
        request.role = Role::Summarizer;
        request.seed = 0xffff'ffff'ffff'fff1U; // larger than JSON's exact integers and than 63 bits
        const auto reply = QCoro::waitFor(provider->complete(request, {}));
        QVERIFY2(reply, reply ? "" : qPrintable(reply.error().message));
        QCOMPARE(reply->text,
            u"{\"context\": {\"do\": \"request\", \"say\": \"\\u00e9\\n\\u2028 {{kernel}}\"}, \"id\": 1, \"role\": \"summarizer\", \"seed\": 9223372036854775793}"_s);
        QCOMPARE(reply->finishReason, u"stop"_s);
        QVERIFY(reply->seconds > 0 && reply->seconds < 60);
    }

    void usageCostsNothing()
    {
        const auto provider = create();
        const auto reply = QCoro::waitFor(provider->complete(ask(u"echo"_s, u"hello"_s), {}));
        QVERIFY(reply);
        QCOMPARE(reply->text, u"hello"_s);
        QCOMPARE(reply->usage.inputTokens, 3);
        QCOMPARE(reply->usage.outputTokens, 4);
        QCOMPARE(PriceTable().cost({u"rules"_s, {}, {}}, reply->usage), std::optional<double>(0));
    }

    void cleanEnvironment()
    {
        qputenv("ACCELOPT_CANARY", "secret");
        qputenv("PYTHONSTARTUP", "/nonexistent");
        const auto provider = create();
        const auto reply = QCoro::waitFor(provider->complete(ask(u"environment"_s), {}));
        QVERIFY(reply);
        QVERIFY2(
            !reply->text.contains(u"secret"_s) && !reply->text.contains(u"PYTHONSTARTUP"_s), qPrintable(reply->text));
        QVERIFY(reply->text.contains(u"\"PYTHONHASHSEED\": \"0\""_s));
        QVERIFY(reply->text.contains(u"\"cwd\": \"/\""_s));
        QVERIFY(reply->text.contains(resourcePath(u"rules"_s)));
    }

    void manyAtOnce()
    {
        const auto provider = create({{u"processes"_s, 2}});
        std::vector<QCoro::Task<Result<Completion>>> tasks;
        for (int i = 0; i < 200; ++i)
            tasks.push_back(provider->complete(ask(u"echo"_s, QString::number(i)), {}));
        for (int i = 0; i < 200; ++i) {
            const auto reply = QCoro::waitFor(tasks[std::size_t(i)]);
            QVERIFY(reply);
            QCOMPARE(reply->text, QString::number(i));
        }
        QCOMPARE(starts(), 2);
    }

    void runsSideBySide()
    {
        const auto provider = create({{u"processes"_s, 2}});
        std::vector<QCoro::Task<Result<Completion>>> tasks;
        for (int i = 0; i < 8; ++i)
            tasks.push_back(provider->complete(ask(u"pid"_s), {}));
        QSet<QString> pids;
        for (auto &task : tasks)
            pids.insert(QCoro::waitFor(task)->text);
        QCOMPARE(pids.size(), 2);
    }

    void errorReply()
    {
        const auto provider = create({{u"processes"_s, 1}});
        const auto reply = QCoro::waitFor(provider->complete(ask(u"error"_s), {}));
        QVERIFY(!reply);
        QCOMPARE(reply.error().kind, Error::Kind::Invalid);
        QVERIFY(reply.error().message.contains(u"the kernel has no loop"_s));
        QVERIFY(!QCoro::waitFor(provider->complete(ask(u"notext"_s), {})));
        QVERIFY(QCoro::waitFor(provider->complete(ask(u"echo"_s, u"still there"_s), {})));
        QCOMPARE(starts(), 1);
    }

    void crashIsAskedAgainOnce()
    {
        const auto provider = create({{u"processes"_s, 1}});
        auto first = provider->complete(ask(u"crash-once"_s), {});
        auto next = provider->complete(ask(u"echo"_s, u"next"_s), {});
        const auto reply = QCoro::waitFor(first);
        QVERIFY(reply);
        QCOMPARE(reply->text, u"second"_s);
        QCOMPARE(reply->remarks.size(), 1);
        QCOMPARE(QCoro::waitFor(next)->text, u"next"_s); // waited behind the crash, untouched
        QCOMPARE(starts(), 2);
    }

    void crashTwiceFails()
    {
        const auto provider = create({{u"processes"_s, 1}});
        auto first = provider->complete(ask(u"crash"_s), {});
        auto next = provider->complete(ask(u"echo"_s, u"next"_s), {});
        const auto reply = QCoro::waitFor(first);
        QVERIFY(!reply);
        QCOMPARE(reply.error().kind, Error::Kind::Io);
        QVERIFY2(reply.error().message.contains(u"Boom: bad things"_s), qPrintable(reply.error().message));
        QVERIFY(reply.error().detail.contains(u"Boom"_s));
        QCOMPARE(QCoro::waitFor(next)->text, u"next"_s);
        QCOMPARE(starts(), 3);
    }

    void hang()
    {
        const auto provider = create({{u"processes"_s, 1}, {u"timeout_s"_s, 0.4}});
        const auto reply = QCoro::waitFor(provider->complete(ask(u"hang"_s), {}));
        QVERIFY(!reply);
        QVERIFY2(reply.error().message.contains(u"0.4 s"_s), qPrintable(reply.error().message));
    }

    void sizeLimits()
    {
        const auto provider =
            create({{u"processes"_s, 1}, {u"max_reply_bytes"_s, 100000}, {u"max_request_bytes"_s, 5000}});
        const auto big = QCoro::waitFor(provider->complete(ask(u"echo"_s, QString(6000, u'x')), {}));
        QCOMPARE(big.error().kind, Error::Kind::Invalid);
        QVERIFY(!QCoro::waitFor(provider->complete(ask(u"long"_s), {})));
        const auto endless = QCoro::waitFor(provider->complete(ask(u"endless"_s), {}));
        QVERIFY(!endless);
        QVERIFY2(endless.error().message.contains(u"100000 bytes"_s), qPrintable(endless.error().message));
        QVERIFY(QCoro::waitFor(provider->complete(ask(u"echo"_s, u"fine"_s), {})));
    }

    void noiseIsIgnored()
    {
        const auto provider = create({{u"processes"_s, 1}});
        const auto reply = QCoro::waitFor(provider->complete(ask(u"noise"_s), {}));
        QVERIFY(reply);
        QCOMPARE(reply->text, u"right"_s);
    }

    void cancellation()
    {
        const auto provider = create({{u"processes"_s, 1}});
        CancelSource source;
        auto running = provider->complete(ask(u"late"_s), source.get_token());
        auto waiting = provider->complete(ask(u"echo"_s, u"never"_s), source.get_token());
        auto other = provider->complete(ask(u"echo"_s, u"other"_s), {});
        QElapsedTimer timer;
        timer.start();
        std::jthread thread([&source] { source.request_stop(); }); // from any thread
        QCOMPARE(QCoro::waitFor(running).error().kind, Error::Kind::Cancelled);
        QCOMPARE(QCoro::waitFor(waiting).error().kind, Error::Kind::Cancelled);
        QVERIFY(timer.elapsed() < 3000);
        QCOMPARE(QCoro::waitFor(other)->text, u"other"_s); // the late reply went to nobody else
        QCOMPARE(QCoro::waitFor(provider->complete(ask(u"echo"_s), source.get_token())).error().kind,
            Error::Kind::Cancelled);
    }

    void providerGoesFirst()
    {
        auto provider = create({{u"processes"_s, 1}});
        auto running = provider->complete(ask(u"hang"_s), {});
        auto waiting = provider->complete(ask(u"echo"_s), {});
        QTest::qWait(300);
        QElapsedTimer timer;
        timer.start();
        provider.reset();
        QVERIFY(timer.elapsed() < 3000);
        QCOMPARE(QCoro::waitFor(running).error().kind, Error::Kind::Cancelled);
        QCOMPARE(QCoro::waitFor(waiting).error().kind, Error::Kind::Cancelled);
    }

    void noPython()
    {
        const auto provider = createModelProvider({u"rules"_s, {}, {}}, {{u"program"_s, u"/nonexistent/python3"_s}});
        QVERIFY(provider);
        const auto reply = QCoro::waitFor((*provider)->complete(ask(u"echo"_s), {}));
        QVERIFY(!reply);
        QVERIFY2(reply.error().message.contains(u"/nonexistent/python3 could not be started"_s),
            qPrintable(reply.error().message));
    }

    void packageMissing()
    {
        const auto provider = createModelProvider({u"rules"_s, {}, {}}, {{u"python_path"_s, m_dir->path()}});
        const auto reply = QCoro::waitFor((*provider)->complete(ask(u"echo"_s), {}));
        QVERIFY(!reply);
        QVERIFY2(
            reply.error().message.contains(u"No module named accelopt_rules"_s), qPrintable(reply.error().message));
    }

    /// The real rules: plan, kernel and summary come back, and do not depend on which child answers.
    void realRules()
    {
        if (!QFile::exists(resourcePath(u"rules/accelopt_rules/__main__.py"_s)))
            QSKIP("the rules are not there");
        const auto provider = createModelProvider({u"rules"_s, {}, {}}, {{u"processes"_s, 2}});
        QVERIFY(provider);
        const auto library = PromptLibrary::load();
        QVERIFY2(library, library ? "" : qPrintable(library.error().message));
        Problem problem;
        problem.name = u"halves"_s;
        const QByteArray kernel =
            "import neuronxcc.nki as nki\nimport neuronxcc.nki.language as nl\n\n\n@nki.jit\ndef kernel(x):\n"
            "    out = nl.ndarray((4096, 512), dtype=nl.float32, buffer=nl.shared_hbm)\n"
            "    for i in nl.affine_range(32):\n"
            "        p = nl.arange(128)[:, None]\n        f = nl.arange(512)[None, :]\n"
            "        t = nl.load(x[i * 128 + p, f])\n"
            "        s = nl.sqrt(t)\n        r = nl.divide(1.0, s)\n"
            "        nl.store(out[i * 128 + p, f], value=r)\n    return out\n";
        PlannerFacts facts;
        facts.problem = problem;
        facts.kernel = kernel;
        facts.evaluation.latency.medianMs = 1;
        facts.planCount = 2;
        std::vector<QCoro::Task<Result<Completion>>> tasks;
        for (int i = 0; i < 6; ++i)
            tasks.push_back((*provider)->complete(library->planner(facts), {}));
        QString text;
        for (auto &task : tasks) {
            const auto reply = QCoro::waitFor(task);
            QVERIFY2(reply, reply ? "" : qPrintable(reply.error().message + reply.error().detail));
            QVERIFY(!reply->text.isEmpty());
            QVERIFY(text.isEmpty() || reply->text == text);
            text = reply->text;
        }
        QVERIFY(!parsePlanTitle(text).isEmpty());

        ExecutorFacts work;
        work.problem = problem;
        work.kernel = kernel;
        work.plan.text = text;
        work.plan.title = parsePlanTitle(text);
        const auto reply = QCoro::waitFor((*provider)->complete(library->executor(work), {}));
        QVERIFY2(reply, reply ? "" : qPrintable(reply.error().message));
        const ParsedKernel parsed = parseKernelReply(*reply, problem.entry);
        QVERIFY2(!parsed.error, qPrintable(parsed.error.message + reply->text));
        QVERIFY(parsed.source != kernel);

        SummarizerFacts pair;
        pair.problem = problem;
        pair.slowKernel = kernel;
        pair.fastKernel = parsed.source;
        pair.speedup = 1.2;
        pair.plan = work.plan;
        const auto summary = QCoro::waitFor((*provider)->complete(library->summarizer(pair), {}));
        QVERIFY2(summary, summary ? "" : qPrintable(summary.error().message));
        QVERIFY(!parseSummary(summary->text).summary.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestRulesProvider)
#include "tst_rulesprovider.moc"
