// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/format.h"
#include "domain/paths.h"
#include "fakes/syntheticproject.h"
#include "journal/journal.h"
#include "report/chart.h"
#include "report/report.h"
#include "report/reportmodel.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

class TestReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void unknownFormatAndRun();
    void htmlIsSelfContained();
    void htmlHoldsWhatIsPromised();
    void estimatesAreMarked();
    void measuredAreNot();
    void markdown();
    void csvHasOneRowPerAttempt();
    void jsonRoundTrip();
    void pdf();
    void hostileTextIsEscaped_data();
    void hostileTextIsEscaped();
    void secretsStayOut();
    void unknownPricesAreNotZero();
    void aRunWithoutResults();
    void chartsAreXml();
    void visibleText();

private:
    QByteArray render(const QString &format) const { return renderReport(*m_project, 0, format).value(); }

    QTemporaryDir m_folder;
    std::optional<Project> m_project, m_measured;
};

void TestReport::initTestCase()
{
    fakes::SyntheticOptions options;
    options.problems = 2;
    options.iterations = 4;
    QVERIFY(fakes::makeSyntheticProject(m_folder.filePath(u"demo"_s), options));
    m_project = Project::open(m_folder.filePath(u"demo"_s)).value();
    options.measured = true;
    options.problems = 1;
    QVERIFY(fakes::makeSyntheticProject(m_folder.filePath(u"with space"_s), options));
    m_measured = Project::open(m_folder.filePath(u"with space"_s)).value();
}

void TestReport::unknownFormatAndRun()
{
    QCOMPARE(renderReport(*m_project, 0, u"docx"_s).error().kind, Error::Kind::Invalid);
    QCOMPARE(renderReport(*m_project, 77, u"html"_s).error().kind, Error::Kind::NotFound);
    QCOMPARE(reportFormats(), (QStringList{u"html"_s, u"pdf"_s, u"md"_s, u"csv"_s, u"json"_s}));
}

void TestReport::htmlIsSelfContained()
{
    const QString html = QString::fromUtf8(render(u"html"_s));
    QVERIFY(html.startsWith("<!DOCTYPE html>"_L1));
    QVERIFY(!html.contains("<script"_L1));
    QVERIFY(!html.contains("src="_L1));
    QVERIFY(!html.contains("href="_L1));
    QVERIFY(!html.contains("@import"_L1));
    QVERIFY(html.contains("prefers-color-scheme:dark"_L1));
    QVERIFY(!html.contains(m_folder.path())); // no path of this machine
}

void TestReport::htmlHoldsWhatIsPromised()
{
    const auto reader = m_project->reader().value();
    const auto status = reader->problemStatus(0).value();
    const QString html = QString::fromUtf8(render(u"html"_s));
    for (const ProblemStatus &s : status) {
        const Attempt best = reader->attempt(s.bestAttempt).value();
        QVERIFY(html.contains(s.name));
        QVERIFY2(html.contains(format::estimatedLatency(s.bestMs)), qPrintable(s.name));
        QVERIFY(html.contains(format::speedup(s.speedup())));
        QVERIFY(html.contains(best.commit)); // in the command that checks it
        QVERIFY(html.contains(u"git -C demo/kernels.git show %1:kernel.py &gt; kernel.py"_s.arg(best.commit)));
    }
    QVERIFY(html.contains("accelopt evaluate kernel.py reference.py --target trn1"_L1));
    QVERIFY(html.contains("accelopt verify demo"_L1));
    QCOMPARE(html.count("<svg"_L1), 2);
    QVERIFY(html.contains("<span class=\"a\">+"_L1));
    QVERIFY(html.contains("models.planner"_L1) || html.contains("openai:gpt-oss-120b"_L1));
    QVERIFY(html.contains("Raw samples"_L1));
    QVERIFY(html.contains("Summarizer"_L1) || html.contains("summarizer"_L1));
}

void TestReport::estimatesAreMarked()
{
    for (const QString &format : {u"html"_s, u"md"_s}) {
        const QString text = QString::fromUtf8(render(format));
        QVERIFY(text.contains(u"≈"_s));
        QVERIFY(text.contains("estimates of the simulator, not measurements"_L1));
        QVERIFY(!text.contains(", measured:"_L1));
    }
}

void TestReport::measuredAreNot()
{
    const QString html = QString::fromUtf8(renderReport(*m_measured, 0, u"html"_s).value());
    QVERIFY(!html.contains(u"≈"_s));
    QVERIFY(html.contains(", measured:"_L1));
    QVERIFY(html.contains("git -C &#39;with space/kernels.git&#39;"_L1)
        || html.contains("git -C 'with space/kernels.git'"_L1));
}

void TestReport::markdown()
{
    const QString text = QString::fromUtf8(render(u"md"_s));
    QVERIFY(text.startsWith("# demo, Run 1\n"_L1));
    QVERIFY(text.contains("```diff\n"_L1));
    // Every row of a table has as many cells as its head.
    qsizetype columns = 0;
    static const QRegularExpression bar(u"(?<!\\\\)\\|"_s);
    const QStringList lines = text.split(u'\n');
    bool fence = false;
    for (const QString &line : lines) {
        if (line.startsWith("```"_L1))
            fence = !fence;
        if (fence || !line.startsWith(u'|')) {
            columns = 0;
            continue;
        }
        const qsizetype count = line.count(bar);
        if (columns == 0)
            columns = count;
        QCOMPARE(count, columns);
    }
}

/// The cells of RFC 4180 text.
static QList<QStringList> parseCsv(const QString &text)
{
    QList<QStringList> rows;
    QStringList row;
    QString cell;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (quoted) {
            if (c == u'"' && i + 1 < text.size() && text.at(i + 1) == u'"')
                cell += text.at(++i);
            else if (c == u'"')
                quoted = false;
            else
                cell += c;
        } else if (c == u'"') {
            quoted = true;
        } else if (c == u',') {
            row.append(std::exchange(cell, {}));
        } else if (c == u'\n') {
            row.append(std::exchange(cell, {}));
            rows.append(std::exchange(row, {}));
        } else if (c != u'\r') {
            cell += c;
        }
    }
    return rows;
}

void TestReport::csvHasOneRowPerAttempt()
{
    const auto reader = m_project->reader().value();
    const auto attempts = reader->attempts(AttemptFilter()).value();
    const QList<QStringList> rows = parseCsv(QString::fromUtf8(render(u"csv"_s)));
    QCOMPARE(rows.size(), attempts.size() + 1);
    const QStringList head = rows.first();
    QCOMPARE(head.mid(0, 8),
        (QStringList{
            u"run"_s, u"problem"_s, u"iteration"_s, u"candidate"_s, u"plan"_s, u"attempt"_s, u"round"_s, u"key"_s}));
    const qsizetype latency = head.indexOf(u"latency_ms"_s), verdict = head.indexOf(u"verdict"_s),
                    commit = head.indexOf(u"commit"_s);
    for (qsizetype i = 0; i < attempts.size(); ++i) {
        const QStringList &row = rows.at(i + 1);
        QCOMPARE(row.size(), head.size());
        QCOMPARE(row.at(head.indexOf(u"key"_s)), attempts.at(i).key.ascii());
        QCOMPARE(row.at(latency).toDouble(), attempts.at(i).evaluation.latency.medianMs); // exact
        QCOMPARE(row.at(verdict), verdictName(attempts.at(i)));
        QCOMPARE(row.at(commit), attempts.at(i).commit);
    }
}

void TestReport::jsonRoundTrip()
{
    const QJsonObject json = QJsonDocument::fromJson(render(u"json"_s)).object();
    const auto reader = m_project->reader().value();
    QCOMPARE(json.value(u"version"_s).toInt(), 1);
    QCOMPARE(json.value(u"attempts"_s).toArray().size(), reader->attemptCounts(1).value().total);
    const auto status = reader->problemStatus(1).value();
    const QJsonArray problems = json.value(u"problems"_s).toArray();
    QCOMPARE(problems.size(), 2);
    QCOMPARE(problems.first().toObject().value(u"best_ms"_s).toDouble(), status.first().bestMs);
    QVERIFY(problems.first().toObject().value(u"patch"_s).toString().contains("+++ b/kernel.py"_L1));
    const double before =
        json.value(u"headline"_s).toObject().value(u"estimated"_s).toObject().value(u"fraction_before"_s).toDouble();
    QCOMPARE(before, geometricMean({status.at(0).baselineFraction, status.at(1).baselineFraction}));
    QCOMPARE(json.value(u"headline"_s).toObject().value(u"measured"_s).toObject().value(u"problems"_s).toInt(), 0);
    QCOMPARE(json.value(u"settings"_s).toObject(), reader->run(1).value().settings.toJson());
}

void TestReport::pdf()
{
    const auto pdf = renderReport(*m_project, 0, u"pdf"_s);
    if (!QFileInfo(programPath(u"accelopt-report-pdf"_s)).isExecutable()) {
        QCOMPARE(pdf.error().kind, Error::Kind::NotFound); // the build without a window says so
        QVERIFY(pdf.error().message.contains("Choose html"_L1));
        return;
    }
    QVERIFY2(pdf.has_value(), pdf ? "" : qPrintable(pdf.error().message + pdf.error().detail));
    QVERIFY(pdf->startsWith("%PDF-1"));
    QVERIFY(pdf->trimmed().endsWith("%%EOF"));
    QVERIFY(pdf->count("/Type /Page\n") >= 3);
}

void TestReport::hostileTextIsEscaped_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("script") << u"<script>alert(1)</script>"_s;
    QTest::newRow("attribute") << u"\" onmouseover=\"alert(1)"_s;
    QTest::newRow("formula") << u"=HYPERLINK(\"http://x\",\"y\")"_s;
    QTest::newRow("formula 2") << u"@SUM(A1)"_s;
    QTest::newRow("table") << u"a | b\n| --- |\n# head"_s;
    QTest::newRow("fence") << u"```\nafter"_s;
    QTest::newRow("bidi") << u"abc\u202etxt.exe"_s;
    QTest::newRow("control") << u"a\x1b[31mb\0c"_s;
}

void TestReport::hostileTextIsEscaped()
{
    QFETCH(QString, text);
    QTemporaryDir folder;
    const QString path = folder.filePath(u"p"_s);
    {
        fakes::SyntheticOptions options;
        options.problems = 1;
        options.iterations = 1;
        QVERIFY(fakes::makeSyntheticProject(path, options));
        const auto journal = Journal::open(path + u"/accelopt.db"_s).value();
        const auto repository = KernelRepository::open(path + u"/kernels.git"_s).value();
        AttemptCommit commit;
        commit.run = u"1"_s;
        commit.problem = u"silu"_s;
        commit.key = u"i01.c1.p99.a1"_s;
        commit.kernel = text.toUtf8() + "\n";
        commit.title = text;
        Attempt attempt;
        attempt.run = 1;
        attempt.problem = u"silu"_s;
        attempt.key = {1, 1, 99, 1, 0};
        attempt.parent = 1;
        attempt.author = text;
        attempt.planTitle = text;
        attempt.commit = repository->commit(commit).value();
        const qint64 id = journal->putAttempt(attempt).result().value();
        Evaluation evaluation;
        evaluation.status = Evaluation::Status::Measured;
        evaluation.estimate = true;
        evaluation.latency = {1e-3, 1e-3, 1e-3, {}};
        evaluation.fractionOfPeak = 0.99;
        evaluation.environment.host = text;
        QVERIFY(journal->finishEvaluation(id, u"search"_s, evaluation).result());
        Experience experience;
        experience.run = 1;
        experience.problem = u"silu"_s;
        experience.iteration = 1;
        experience.rank = 50;
        experience.slowAttempt = 1;
        experience.fastAttempt = id;
        experience.title = experience.summary = text;
        QVERIFY(journal->putExperiences({experience}).result());
        QVERIFY(journal->setRunState(1, RunState::Stopped, text).result());
    }
    const Project project = Project::open(path).value();
    const QString html = QString::fromUtf8(renderReport(project, 0, u"html"_s).value());
    QVERIFY(!html.contains("<script"_L1));
    QVERIFY(!html.contains("\" onmouseover"_L1));
    QVERIFY(!html.contains(u'\u202e') && !html.contains(u'\x1b') && !html.contains(QChar(0)));
    const QString md = QString::fromUtf8(renderReport(project, 0, u"md"_s).value());
    QVERIFY(!md.contains("\n# head"_L1) && !md.contains(u'\u202e'));
    const QList<QStringList> rows = parseCsv(QString::fromUtf8(renderReport(project, 0, u"csv"_s).value()));
    for (const QStringList &row : rows) {
        QCOMPARE(row.size(), rows.first().size());
        for (const QString &cell : row)
            QVERIFY2(cell.isEmpty() || !QStringView(u"=+-@").contains(cell.at(0)), qPrintable(cell));
    }
    QVERIFY(QJsonDocument::fromJson(renderReport(project, 0, u"json"_s).value()).isObject());
}

void TestReport::secretsStayOut()
{
    const QJsonObject clean = report::withoutSecrets({{u"endpoint"_s, u"https://me:sk-canary@host/v1"_s},
        {u"list"_s, QJsonArray{u"openai:m@https://user:sk-canary@h"_s}},
        {u"deep"_s, QJsonObject{{u"x"_s, u"http://sk-canary@h"_s}}}});
    QVERIFY(!QJsonDocument(clean).toJson().contains("canary"));
    QCOMPARE(clean.value(u"endpoint"_s).toString(), u"https://…@host/v1"_s);
    QCOMPARE(report::withoutSecrets({{u"m"_s, u"openai:gpt@http://127.0.0.1:8000/v1"_s}}).value(u"m"_s).toString(),
        u"openai:gpt@http://127.0.0.1:8000/v1"_s);
}

void TestReport::unknownPricesAreNotZero()
{
    QCOMPARE(report::costText({3, 10, 0, 10, 0, 3, 0}), u"?"_s);
    QCOMPARE(report::costText({3, 10, 0, 10, 1.5, 0, 0}), u"$1.50"_s);
    QCOMPARE(report::costText({3, 10, 0, 10, 1.5, 1, 0}), u"$1.50 and one call of unknown price"_s);
    QCOMPARE(report::costText({5, 10, 0, 10, 1.5, 2, 0}), u"$1.50 and 2 calls of unknown price"_s);
    QVERIFY(QString::fromUtf8(render(u"html"_s))
            .contains("<td class=\"n\">?</td>"_L1)); // the executor's model has no price
}

void TestReport::aRunWithoutResults()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"empty"_s);
    const Project project = Project::create(path, QString(), u"trn1"_s).value();
    QCOMPARE(renderReport(project, 0, u"html"_s).error().kind, Error::Kind::NotFound);
    {
        const auto journal = Journal::open(project.databasePath()).value();
        Problem problem;
        problem.name = u"silu"_s;
        QVERIFY(journal->createRun({}, {}, {problem}).result());
    }
    for (const QString &format : {u"html"_s, u"md"_s, u"csv"_s, u"json"_s})
        QVERIFY(renderReport(project, 0, format).has_value());
    QVERIFY(QString::fromUtf8(renderReport(project, 0, u"html"_s).value())
            .contains("No problem of this run has a latency yet."_L1));
}

void TestReport::chartsAreXml()
{
    const report::ChartText text{u"A <title> & \"more\""_s, u"d"_s, u"x"_s, u"y"_s, u"p"_s};
    QList<report::Series> series;
    for (int i = 0; i < 14; ++i)
        series.append({u"problem <%1>"_s.arg(i), {0.1, 0.2, i / 10.0}, i % 2 == 0});
    for (const QByteArray &svg : {report::lineChart(text, series, report::ChartColors::plain()),
             report::lineChart(text, {}, report::ChartColors::variables()),
             report::lineChart(text, {{u"one"_s, {0.5}, false}}, report::ChartColors::plain()),
             report::barChart(text, {{u"<b>"_s, 3}, {u"c"_s, 0}}, report::ChartColors::plain()),
             report::barChart(text, {{u"c"_s, 0}}, report::ChartColors::plain())}) {
        QXmlStreamReader xml(svg);
        bool title = false;
        while (!xml.atEnd()) {
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == "title"_L1)
                title = xml.readElementText() == text.title;
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(title);
        QVERIFY(!svg.contains("nan") && !svg.contains("inf"));
    }
    QVERIFY(report::lineChart(text, {{u"fast"_s, {0.5, 1.3}, false}}, report::ChartColors::plain())
            .contains("150 %")); // above the peak is drawn, not cut
}

void TestReport::visibleText()
{
    QCOMPARE(report::visible(u"a\u202eb\x1b[0mc\td\n"_s), u"a⟨U+202E⟩b[0mc\td\n"_s);
}

QTEST_GUILESS_MAIN(TestReport)
#include "tst_report.moc"
