// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/problemfiles.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

namespace {

const QByteArray goodJson = R"({"name": "double", "values": {"M": 256, "N": 512}, "tolerance": 3e-5,
    "work": {"bytes": "2*M*N*4", "matmul_flops": 0, "vector_flops": "M*N"}})";
const QByteArray goodReference =
    "import numpy as np\n\ndef forward(x):\n    return 2 * x\n\ndef get_inputs():\n    return [np.ones((256, 512))]\n";
const QByteArray goodKernel = "import neuronxcc.nki as nki\n\n@nki.jit\ndef kernel(x):\n    return x\n";

class Folder {
public:
    void write(const QString &name, const QByteArray &text)
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    void writeGood()
    {
        write(u"problem.json"_s, goodJson);
        write(u"reference.py"_s, goodReference);
        write(u"kernel.py"_s, goodKernel);
    }
    QString path() const { return m_folder.path(); }

private:
    QTemporaryDir m_folder;
};

} // namespace

class tst_ProblemFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsAFolder()
    {
        Folder folder;
        folder.writeGood();
        const auto problem = readProblemFolder(folder.path());
        QVERIFY2(problem.has_value(), problem ? "" : qPrintable(problem.error().message));
        QCOMPARE(problem->name, u"double"_s);
        QCOMPARE(problem->title, u"double"_s);
        QCOMPARE(problem->tolerance, 3e-5);
        QCOMPARE(problem->entry, u"kernel"_s);
        QCOMPARE(problem->work, (Work{256. * 512 * 8, 0, 256. * 512}));
        QCOMPARE(problem->values.value(u"N"_s), 512.);
        QCOMPARE(problem->referenceSource, goodReference);
        QCOMPARE(problem->kernelSource, goodKernel);
        QCOMPARE(problem->json.value("work"_L1).toObject().value("bytes"_L1).toString(),
            u"2*M*N*4"_s); // kept as it was written
    }

    void takesTheFileNamesFromTheJson()
    {
        Folder folder;
        folder.writeGood();
        QVERIFY(QFile::rename(folder.path() + u"/reference.py"_s, folder.path() + u"/numbers.py"_s));
        QByteArray json = goodJson;
        folder.write(u"problem.json"_s, json.replace(R"("name")", R"("reference": "numbers.py", "name")"));
        QVERIFY(readProblemFolder(folder.path()).has_value());
        json.replace("numbers.py", "../numbers.py");
        folder.write(u"problem.json"_s, json);
        QVERIFY(!readProblemFolder(folder.path()));
    }

    void saysWhatIsMissing()
    {
        const auto nowhere = readProblemFolder(u"/nowhere/at/all"_s);
        QCOMPARE(nowhere.error().kind, Error::Kind::NotFound);
        for (const QString &name : {u"problem.json"_s, u"reference.py"_s, u"kernel.py"_s}) {
            Folder folder;
            folder.writeGood();
            QVERIFY(QFile::remove(folder.path() + u'/' + name));
            const auto problem = readProblemFolder(folder.path());
            QVERIFY(!problem);
            QCOMPARE(problem.error().kind, Error::Kind::NotFound);
            QVERIFY2(problem.error().message.contains(name), qPrintable(problem.error().message));
        }
    }

    void namesTheLineOfBadJson()
    {
        Folder folder;
        folder.writeGood();
        folder.write(u"problem.json"_s, "{\n  \"name\": \"x\",\n  \"values\" {}\n}\n");
        const auto problem = readProblemFolder(folder.path());
        QVERIFY(!problem);
        QVERIFY2(problem.error().message.contains(u"line 3"_s), qPrintable(problem.error().message));
        folder.write(u"problem.json"_s, "[]");
        QVERIFY(readProblemFolder(folder.path()).error().message.contains(u"object"_s));
    }

    void refusesWrongKeys_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("said");
        QTest::newRow("no name") << QByteArray(R"("name": "double",)") << QByteArray() << u"“name” is missing"_s;
        QTest::newRow("name") << QByteArray(R"("double")") << QByteArray(R"("Double trouble")") << u"“name”"_s;
        QTest::newRow("name is a number") << QByteArray(R"("double")") << QByteArray("3") << u"“name” is not a text"_s;
        QTest::newRow("name with a line break")
            << QByteArray(R"("double")") << QByteArray(R"("double\n")") << u"“name”"_s;
        QTest::newRow("version") << QByteArray(R"("name")") << QByteArray(R"("version": 2, "name")") << u"“version”"_s;
        QTest::newRow("absurd work") << QByteArray("2*M*N*4") << QByteArray("M*1e300") << u"larger than 1e24"_s;
        QTest::newRow("values") << QByteArray(R"({"M": 256, "N": 512})") << QByteArray("[1]") << u"“values”"_s;
        QTest::newRow("value") << QByteArray("256") << QByteArray(R"("big")") << u"“values.M”"_s;
        QTest::newRow("tolerance") << QByteArray("3e-5") << QByteArray("2") << u"“tolerance”"_s;
        QTest::newRow("tolerance text") << QByteArray("3e-5") << QByteArray(R"("tight")") << u"“tolerance”"_s;
        QTest::newRow("no work") << QByteArray(R"("work")") << QByteArray(R"("werk")") << u"“work”"_s;
        QTest::newRow("unknown dimension") << QByteArray("2*M*N*4") << QByteArray("2*M*Q*4") << u"work.bytes"_s;
        QTest::newRow("formula") << QByteArray("2*M*N*4") << QByteArray("2*(M") << u"work.bytes"_s;
        QTest::newRow("division by zero") << QByteArray("2*M*N*4") << QByteArray("M/0") << u"finite"_s;
        QTest::newRow("no bytes") << QByteArray("2*M*N*4") << QByteArray("0") << u"positive"_s;
        QTest::newRow("negative") << QByteArray("\"M*N\"") << QByteArray("-4") << u"negative"_s;
        QTest::newRow("work is a list") << QByteArray("\"M*N\"") << QByteArray("[]") << u"work.vector_flops"_s;
        QTest::newRow("entry") << QByteArray(R"("values")") << QByteArray(R"("entry": "a b", "values")")
                               << u"“entry”"_s;
        QTest::newRow("other entry") << QByteArray(R"("values")") << QByteArray(R"("entry": "main", "values")")
                                     << u"“main”"_s;
    }

    void refusesWrongKeys()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, said);
        QByteArray json = goodJson;
        QVERIFY(json.contains(from));
        json.replace(from, to);
        const QJsonDocument document = QJsonDocument::fromJson(json);
        QVERIFY(document.isObject());
        const auto problem = problemFromParts(document.object(), goodReference, goodKernel);
        QVERIFY(!problem);
        QCOMPARE(problem.error().kind, Error::Kind::Invalid);
        QVERIFY2(problem.error().message.contains(said), qPrintable(problem.error().message));
        QVERIFY2(problem.error().message.endsWith(u'.'), qPrintable(problem.error().message));
    }

    void refusesSourcesWithoutTheirFunctions()
    {
        const QJsonObject json = QJsonDocument::fromJson(goodJson).object();
        QVERIFY(problemFromParts(json, goodReference, goodKernel).has_value());
        const auto without = [](QByteArray text, const char *name) { return text.replace(name, "other"); };
        QVERIFY(problemFromParts(json, without(goodReference, "forward"), goodKernel)
                .error()
                .message.contains(u"“forward”"_s));
        QVERIFY(problemFromParts(json, without(goodReference, "get_inputs"), goodKernel)
                .error()
                .message.contains(u"“get_inputs”"_s));
        QVERIFY(problemFromParts(json, goodReference, without(goodKernel, "kernel"))
                .error()
                .message.contains(u"“kernel”"_s));
        QVERIFY(problemFromParts(json, goodReference, "").error().message.contains(u"empty"_s));
        // A name in a comment, a text or an inner scope is no definition.
        QVERIFY(!problemFromParts(json,
            "# def forward(x)\n'def forward('\nclass A:\n    def forward(self): pass\ndef get_inputs(): pass\n",
            goodKernel));
        // What upstream writes, and what Python allows.
        QVERIFY(problemFromParts(json, goodReference, "def optimized_kernel(x):\n    return x\n").has_value());
        QVERIFY(problemFromParts(json, "from here import forward\nget_inputs = lambda: []\n", goodKernel).has_value());
    }

    void evaluatesFormulas()
    {
        const QMap<QString, double> values{{u"M"_s, 4096}, {u"N"_s, 7168}};
        QCOMPARE(*evaluateFormula(u"2*M*N*4"_s, values), 2. * 4096 * 7168 * 4);
        QCOMPARE(*evaluateFormula(u"(M+N)^2"_s, values), 11264. * 11264);
        for (const QString &wrong :
            {u""_s, u"  "_s, u"M*"_s, u"Q"_s, u"1/0"_s, u"M=3"_s + QString(2000, u' '), u"M = 5"_s, u"\"text\""_s})
            QVERIFY2(!evaluateFormula(wrong, values), qPrintable(wrong));
    }

    void knowsTheBundledSuites()
    {
        QVERIFY(suiteNames().contains(u"quick"_s));
        const auto problems = suiteProblems(u"quick"_s);
        QVERIFY2(problems.has_value(), problems ? "" : qPrintable(problems.error().message));
        QVERIFY(problems->size() >= 3);
        QVERIFY(!suiteProblems(u"nothing"_s));
        QVERIFY(!suiteProblems(u"../quick"_s));
    }
};

QTEST_GUILESS_MAIN(tst_ProblemFiles)
#include "tst_problemfiles.moc"
