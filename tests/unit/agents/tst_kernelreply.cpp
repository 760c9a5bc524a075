// SPDX-License-Identifier: GPL-3.0-or-later
// A corpus of replies as models really give them: data/replies/*.txt, what is expected of each in expected.json.
#include "agents/agents.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

namespace {

const QString folder = QStringLiteral(AGENTS_DATA "/replies/");

QByteArray read(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(path));
    return file.readAll();
}

QJsonObject expectations()
{
    return QJsonDocument::fromJson(read(folder + u"expected.json"_s)).object();
}

Completion completionOf(const QString &name, const QJsonObject &expected)
{
    Completion completion;
    completion.text = QString::fromUtf8(read(folder + name + u".txt"_s));
    completion.reasoning = expected["reasoning"_L1].toString();
    completion.finishReason = expected["finish"_L1].toString(u"stop"_s);
    completion.usage.outputTokens = expected["billed"_L1].toInteger();
    return completion;
}

ParsedKernel parse(const QString &name, const QJsonObject &expected)
{
    return parseKernelReply(completionOf(name, expected), expected["entry"_L1].toString(u"kernel"_s));
}

} // namespace

class TestKernelReply : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFileIsExpected()
    {
        QStringList files = QDir(folder).entryList({u"*.txt"_s}, QDir::Files);
        for (QString &file : files)
            file.chop(4);
        files.sort();
        QStringList expected = expectations().keys();
        expected.sort();
        QCOMPARE(files, expected);
        QVERIFY(files.size() >= 40);
    }

    void corpus_data()
    {
        QTest::addColumn<QString>("name");
        for (const QString &name : expectations().keys())
            QTest::newRow(qPrintable(name)) << name;
    }

    void corpus()
    {
        QFETCH(QString, name);
        const QJsonObject expected = expectations()[name].toObject();
        const ParsedKernel kernel = parse(name, expected);
        const QString source = QString::fromUtf8(kernel.source);

        QCOMPARE(kernel.rule, expected["rule"_L1].toString());
        QCOMPARE(errorKindName(kernel.error.kind), expected["error"_L1].toString());
        QCOMPARE(kernel.error.id, expected["id"_L1].toString());
        QVERIFY2(kernel.error.message.contains(expected["message"_L1].toString()), qPrintable(kernel.error.message));
        QCOMPARE(kernel.source.isEmpty(), bool(kernel.error));
        if (kernel.error) {
            QVERIFY2(kernel.error.message.endsWith(u'.'), qPrintable(kernel.error.message));
            return;
        }
        QVERIFY2(source.contains(expected["has"_L1].toString()), qPrintable(source));
        if (expected.contains("lacks"_L1))
            QVERIFY2(!source.contains(expected["lacks"_L1].toString()), qPrintable(source));
        QVERIFY2(source.startsWith(expected["starts"_L1].toString()), qPrintable(source));
        QVERIFY2(source.endsWith(expected["ends"_L1].toString()), qPrintable(source));
        if (const QJsonArray count = expected["count"_L1].toArray(); !count.isEmpty())
            QCOMPARE(source.count(count[0].toString()), count[1].toInt());
        QVERIFY(source.endsWith(u'\n') && !source.endsWith(u"\n\n"_s));
        QVERIFY(!source.contains(u'\r'));
        QVERIFY(!source.contains(u"```"_s) || name.startsWith(u"nested"_s));
    }

    /// What is taken as a kernel is Python for Python itself, and what is taken as broken is not.
    void pythonAgrees()
    {
        QTemporaryDir dir;
        QStringList good, bad;
        const QJsonObject all = expectations();
        for (const QString &name : all.keys()) {
            const QJsonObject expected = all[name].toObject();
            const ParsedKernel kernel = parse(name, expected);
            if (kernel.source.isEmpty())
                continue;
            QFile file(dir.filePath(name + u".py"_s));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(kernel.source);
            (expected["ast"_L1].toBool(true) ? good : bad).append(file.fileName());
        }
        QVERIFY(good.size() > 30 && bad.size() >= 3);
        const QString script =
            u"import ast,sys\n"
            "want = sys.argv[1] == 'good'\n"
            "for path in sys.argv[2:]:\n"
            "    try:\n"
            "        tree = ast.parse(open(path, 'rb').read())\n"
            "        names = [n.name for n in tree.body if isinstance(n, ast.FunctionDef)]\n"
            "        names += [t.id for n in tree.body if isinstance(n, ast.Assign) for t in n.targets]\n"
            "        right = 'kernel' in names or 'optimized_kernel' in names\n"
            "    except SyntaxError:\n"
            "        right = False\n"
            "    if right != want: print(path)\n"_s;
        for (const auto &[kind, files] : {std::pair{u"good"_s, good}, std::pair{u"bad"_s, bad}}) {
            QProcess python;
            python.start(u"python3"_s, QStringList{u"-c"_s, script, kind} + files);
            QVERIFY(python.waitForFinished(30000));
            QCOMPARE(python.exitCode(), 0);
            QCOMPARE(QString::fromUtf8(python.readAllStandardOutput()), QString());
        }
    }

    /// A reply that ends anywhere never crashes, and never gives a kernel that Python would refuse while saying it is
    /// whole.
    void everyPrefix()
    {
        const QString name = u"three-blocks"_s;
        const QJsonObject expected = expectations()[name].toObject();
        Completion completion = completionOf(name, expected);
        const QString text = completion.text;
        const QByteArray whole = parse(name, expected).source;
        completion.finishReason = u"length"_s;
        const qsizetype closed = text.indexOf(u"```\nUsage"_s) + 3;
        for (qsizetype length = 0; length <= text.size(); ++length) {
            completion.text = text.left(length);
            const ParsedKernel kernel = parseKernelReply(completion, u"kernel"_s);
            const bool fenceBegun = length < closed && length > closed - 3; // "``" after the kernel: it is whole
            if (length >= closed || (fenceBegun && !kernel.error)) {
                QCOMPARE(kernel.source, whole);
            } else {
                QCOMPARE(kernel.error.kind, ErrorKind::Truncated);
                QVERIFY(kernel.source.isEmpty());
            }
        }
    }

    void limits()
    {
        Completion completion;
        completion.finishReason = u"stop"_s;
        completion.text = QString(1024 * 1024 + 1, u'x');
        QCOMPARE(parseKernelReply(completion, u"kernel"_s).error.id, u"too-long"_s);

        // Hostile shapes at the limit: bounded time.
        for (const QString &unit : {u"```\n"_s, u"```python\ndef kernel(x):\n    return (x\n"_s, u"("_s, u"'''"_s,
                 u"def kernel(a):\n    \"\"\"\n```\n"_s, u"word word\nimport x\n"_s, u"f'{"_s, u"def f():\n"_s,
                 u"\\\n"_s, u"~~~\n```\n"_s}) {
            completion.text = unit.repeated(1000 * 1024 / unit.size());
            QElapsedTimer timer;
            timer.start();
            const ParsedKernel kernel = parseKernelReply(completion, u"kernel"_s);
            Q_UNUSED(kernel)
            QVERIFY2(timer.elapsed() < 20000, qPrintable(unit));
        }
    }

    void largeKernel()
    {
        QString body = u"@nki.jit\ndef kernel(x):\n"_s;
        while (body.size() < 900 * 1024)
            body += u"    y = nl.add(x, 1.0)\n"_s;
        body += u"    return y\n"_s;
        Completion completion;
        completion.text = u"```python\n"_s + body + u"```\n"_s;
        const ParsedKernel kernel = parseKernelReply(completion, u"kernel"_s);
        QCOMPARE(kernel.rule, u"fenced-entry+preamble"_s);
        QVERIFY(kernel.source.size() > body.size());
    }
};

QTEST_GUILESS_MAIN(TestKernelReply)
#include "tst_kernelreply.moc"
