// SPDX-License-Identifier: GPL-3.0-or-later
// The models of Candidates, Compare, Memory and Reports under QAbstractItemModelTester, on lists that change and on a
// synthetic project.
#include "fakes/syntheticproject.h"
#include "studio/attemptdetail.h"
#include "studio/candidatemodel.h"
#include "studio/comparepage.h"
#include "studio/diffmodel.h"
#include "studio/experiencemodel.h"
#include "studio/experiencepair.h"
#include "studio/lineageview.h"
#include "studio/metricmodel.h"
#include "studio/reportpage.h"
#include "studio/reportsheet.h"
#include "studio/session.h"
#include "studio/sourcemodel.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QDir>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocument>
#include <QTextTable>
#include <random>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;
using TesterMode = QAbstractItemModelTester::FailureReportingMode;

namespace {

CandidateRow row(qint64 id, double ms)
{
    CandidateRow r;
    r.id = id;
    r.problem = u"silu"_s;
    r.key = {1, 1, 1, static_cast<int>(id), 0};
    r.name = r.key.display();
    r.verdict = u"correct"_s;
    r.ms = ms;
    return r;
}

Experience experience(qint64 id, const QString &problem, bool positive, double speedup, int iteration)
{
    Experience e;
    e.id = id;
    e.problem = problem;
    e.positive = positive;
    e.speedup = speedup;
    e.iteration = iteration;
    e.title = u"Title %1"_s.arg(id);
    e.summary = u"Summary of %1"_s.arg(id);
    return e;
}

QList<qint64> ids(const ExperienceModel &model)
{
    QList<qint64> list;
    for (int i = 0; i < model.rowCount(); ++i)
        list.append(model.index(i).data(ExperienceModel::IdRole).toLongLong());
    return list;
}

} // namespace

class PageModelsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.filePath(u"settings"_s));
        m_project = m_folder.filePath(u"project"_s);
        const auto run = fakes::makeSyntheticProject(m_project);
        QVERIFY2(run, run ? "" : qPrintable(run.error().message));
    }
    void init() { Session::instance()->closeProject(); }

    void candidatesWithoutProject()
    {
        CandidateModel model;
        QAbstractItemModelTester tester(&model, TesterMode::QtTest);
        QTest::qWait(100);
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.attemptAt(0), 0);
        QCOMPARE(model.rowOf(1), -1);
        QCOMPARE(model.bestChildOf(-1), 0);
        QVERIFY(model.nameAt(5).isEmpty());
    }
    void candidatesChangeInPlace()
    {
        CandidateModel model;
        QAbstractItemModelTester tester(&model, TesterMode::QtTest);
        const QList<SortKey> keys{{CandidateModel::LatencyColumn, false}};
        QList<CandidateRow> rows{row(1, 10), row(2, 20), row(3, 30)};
        model.setContent(CandidateModel::prepare(rows, {}, keys));
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset), inserts(&model, &QAbstractItemModel::rowsInserted),
            removes(&model, &QAbstractItemModel::rowsRemoved), changes(&model, &QAbstractItemModel::dataChanged);
        const QPersistentModelIndex third = model.index(2, 0);
        rows.append(row(4, 15));
        rows.append(row(5, 16));
        rows[0].verdict = u"quarantined"_s;
        model.setContent(CandidateModel::prepare(rows, {}, keys));
        QCOMPARE(resets.size(), 0);
        QCOMPARE(inserts.size(), 1); // one run of two rows
        QCOMPARE(changes.size(), 1);
        QCOMPARE(third.row(), 4);
        QCOMPARE(model.attemptAt(third.row()), 3);
        QCOMPARE(model.rowOf(5), 2);
        rows.removeAt(1);
        model.setContent(CandidateModel::prepare(rows, {}, keys));
        QCOMPARE(resets.size(), 0);
        QCOMPARE(removes.size(), 1);
        QCOMPARE(third.row(), 3);
        model.setContent(CandidateModel::prepare(rows, {}, {{CandidateModel::LatencyColumn, true}}));
        QCOMPARE(resets.size(), 1);
        QCOMPARE(model.attemptAt(0), 3);
        model.setContent({});
        QCOMPARE(model.rowCount(), 0);
    }
    void candidatesSurviveRandomLists()
    {
        CandidateModel model;
        QAbstractItemModelTester tester(&model, TesterMode::QtTest);
        std::mt19937 random(3);
        for (int round = 0; round < 150; ++round) {
            QList<CandidateRow> rows;
            for (int id = 1; id <= 20; ++id) {
                if (random() % 3)
                    rows.append(row(id, 1 + random() % 5));
            }
            const auto content = CandidateModel::prepare(rows, {}, {{CandidateModel::NameColumn, random() % 8 == 0}});
            model.setContent(content);
            QCOMPARE(model.rowCount(), content.rows.size());
            for (int i = 0; i < model.rowCount(); ++i) {
                QCOMPARE(model.attemptAt(i), content.rows[i]->id);
                QCOMPARE(model.rowOf(content.rows[i]->id), i);
                QCOMPARE(*model.rows()[i], *content.rows[i]);
            }
        }
    }
    void candidatesTakeAHundredThousandRows()
    {
        CandidateModel model;
        QList<CandidateRow> rows;
        for (int id = 1; id <= 100'000; ++id)
            rows.append(row(id, 1 + (id * 7919LL) % 100'003));
        model.setContent(CandidateModel::prepare(rows, {}, {{CandidateModel::LatencyColumn, false}}));
        QCOMPARE(model.rowCount(), 100'000);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        for (int id = 100'001; id <= 100'100; ++id)
            rows.append(row(id, 1 + (id * 7919LL) % 100'003));
        model.setContent(CandidateModel::prepare(rows, {}, {{CandidateModel::LatencyColumn, false}}));
        QCOMPARE(model.rowCount(), 100'100);
        QCOMPARE(resets.size(), 0); // the view keeps its place
        for (int i = 1; i < model.rowCount(); i += 97)
            QVERIFY(model.rows()[i - 1]->ms <= model.rows()[i]->ms);
    }
    void candidatesOfAProject()
    {
        open();
        CandidateModel model;
        QAbstractItemModelTester tester(&model, TesterMode::QtTest);
        QTRY_VERIFY(model.count() > 0);
        QCOMPARE(model.count(), model.total());
        QCOMPARE(model.allCount(), model.total());
        QVERIFY(model.failedCount() > 0 && model.correctCount() > 0 && model.sameCount() > 0);
        QVERIFY(model.problems().size() > 1);
        QVERIFY(model.iterations() > 1);
        QVERIFY(!model.filtered());
        // Every column has a head; every cell answers.
        for (int column = 1; column < model.columnCount(); ++column)
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
        for (int i = 0; i < model.count(); i += 7) {
            for (int column = 0; column < model.columnCount(); ++column)
                QVERIFY(model.index(i, column).data().isValid());
        }
        const int failed = model.failedCount();
        model.setProperty("verdict", u"failed"_s);
        QTRY_COMPARE(model.count(), failed);
        QVERIFY(model.filtered());
        QCOMPARE(model.failedCount(), failed);
        model.clearFilters();
        QTRY_COMPARE(model.count(), model.total());
        model.sortBy(CandidateModel::LatencyColumn, false, false);
        QCOMPARE(model.sortColumn(), int(CandidateModel::LatencyColumn));
        QTRY_VERIFY(model.rows().first()->ms > 0 && model.rows()[1]->ms >= model.rows().first()->ms);
        // The best has a parent, and that parent's best child is as fast at least.
        const qint64 parent = model.parentOf(0);
        QVERIFY(parent != 0);
        const int parentRow = model.rowOf(parent);
        QVERIFY(parentRow >= 0);
        QVERIFY(model.bestChildOf(parentRow) != 0);
        QVERIFY(model.nameAt(0).contains(u'/'));
        Session::instance()->closeProject();
        QCOMPARE(model.count(), 0);
    }
    void detailOfAnAttempt()
    {
        open();
        CandidateModel candidates;
        candidates.sortBy(CandidateModel::LatencyColumn, false, false);
        QTRY_VERIFY(candidates.count() > 0);
        AttemptDetail detail;
        QAbstractItemModelTester source(detail.source(), TesterMode::QtTest),
            profile(detail.profile(), TesterMode::QtTest);
        QVERIFY(!detail.ready());
        detail.setAttempt(candidates.attemptAt(0));
        QTRY_VERIFY(detail.ready());
        QVERIFY2(detail.error().isEmpty(), qPrintable(detail.error()));
        QCOMPARE(detail.problem(), candidates.problemAt(0));
        QVERIFY(detail.hasLatency());
        QVERIFY(detail.source()->count() > 5);
        QVERIFY(detail.profile()->count() > 0);
        QVERIFY(!detail.planTitle().isEmpty());
        QVERIFY(!detail.facts().isEmpty() && detail.facts().size() % 2 == 0);
        QCOMPARE(detail.stages().size(), 2 * detail.stageShares().size());
        QCOMPARE(detail.commit().size(), 40);
        // One that failed says why; its source marks the line.
        qint64 failed = 0;
        for (int i = 0; i < candidates.count() && failed == 0; ++i) {
            if (candidates.index(i, CandidateModel::VerdictColumn).data().toString() == u"wrong-result"_s)
                failed = candidates.attemptAt(i);
        }
        if (failed != 0) {
            detail.setAttempt(failed);
            QTRY_COMPARE(detail.errorKind(), u"wrong-result"_s);
            QVERIFY(!detail.errorText().isEmpty());
            QVERIFY(!detail.hasLatency());
        }
        detail.setAttempt(999'999'999);
        QTRY_VERIFY(!detail.error().isEmpty());
        QVERIFY(!detail.ready());
        detail.setAttempt(0);
        QVERIFY(!detail.ready());
    }
    void lineageOfAProject()
    {
        open();
        CandidateModel candidates;
        QTRY_VERIFY(candidates.count() > 0);
        LineageView view;
        view.setSize({600, 240});
        view.setProperty("problem", candidates.problemAt(0));
        view.setSelected(candidates.attemptAt(0));
        QTRY_VERIFY(view.columns() > 1);
        QVERIFY(!view.summary().isEmpty());
        QVERIFY(view.neighbour(u"left"_s) != 0);
        view.setSelected(view.neighbour(u"left"_s));
        QTRY_VERIFY(view.neighbour(u"right"_s) != 0);
        // Left until the baseline, which has no parent.
        for (int i = 0; i < 40 && view.neighbour(u"left"_s) != 0; ++i)
            view.setSelected(view.neighbour(u"left"_s));
        QCOMPARE(candidates.nameAt(candidates.rowOf(view.selected())).section(u'/', 1), u"baseline"_s);
    }
    void diffUnderATester()
    {
        DiffModel model;
        QAbstractItemModelTester tester(&model, TesterMode::QtTest);
        const QByteArray left = fakes::syntheticKernel(u"silu"_s, 1, 200),
                         right = fakes::syntheticKernel(u"silu"_s, 9, 200);
        const LineDiff diff = diffLines(left, right);
        model.setContent({diff, highlightPython(diff.left), highlightPython(diff.right)});
        QVERIFY(model.changes() > 0);
        for (int i = 0; i < model.rowCount(); ++i) {
            for (int role = DiffModel::KindRole; role <= DiffModel::SpokenRole; ++role)
                QVERIFY(model.index(i).data(role).isValid());
        }
        for (int i = model.rowCount() - 1; i >= 0; --i)
            model.openFold(i);
        QCOMPARE(model.rowCount(), diff.rows.size());
        model.setUnified(true);
        model.setWholeFile(true);
        model.setUnified(false);
        QCOMPARE(model.sideText(false).toUtf8(), left);
        QCOMPARE(model.sideText(true).toUtf8(), right);
        model.setContent({});
        QCOMPARE(model.rowCount(), 0);
    }
    void metricsUnderATester()
    {
        MetricModel model;
        QAbstractItemModelTester tester(&model, TesterMode::QtTest);
        model.setRows({{u"a"_s, u"HBM read"_s, u"1 MB"_s, u"2 MB"_s, u"100 % more"_s, format::Verdict::Worse},
            {u"b"_s, u"Same"_s, u"3"_s, u"3"_s, u"none"_s, format::Verdict::Same}});
        QCOMPARE(model.count(), 1);
        QCOMPARE(model.index(0).data(MetricModel::VerdictRole).toString(), u"worse"_s);
        model.setDifferencesOnly(false);
        QCOMPARE(model.count(), 2);
    }
    void compareAPair()
    {
        open();
        CandidateModel candidates;
        candidates.sortBy(CandidateModel::LatencyColumn, false, false);
        QTRY_VERIFY(candidates.count() > 0);
        Session *session = Session::instance();
        ComparePage pair;
        QVERIFY(!pair.ready());
        session->compareBestWithBaseline(candidates.problemAt(0));
        QTRY_VERIFY(pair.ready());
        QVERIFY2(pair.error().isEmpty(), qPrintable(pair.error()));
        QCOMPARE(pair.nameA(), u"baseline"_s);
        QVERIFY(pair.comparable());
        QVERIFY(pair.headline().contains(u"faster"_s));
        QCOMPARE(pair.verdict(), u"better"_s);
        QVERIFY(pair.diff()->changes() > 0);
        QVERIFY(pair.metrics()->count() > 0);
        QCOMPARE(pair.samplesA().size(), 3);
        QVERIFY(pair.samplesB()[1] < pair.samplesA()[1]);
        QVERIFY(pair.bandwidth() > 0 && pair.peakFlops() > 0);
        QCOMPARE(pair.choiceA(), 0); // the baseline leads the choices
        QVERIFY(pair.choiceB() > 0);
        QVERIFY(pair.kernelNote().isEmpty());
        const QString nameB = pair.nameB();
        pair.swap();
        QTRY_COMPARE(pair.nameA(), nameB);
        QCOMPARE(pair.verdict(), u"worse"_s);
        pair.swap();
        QTRY_COMPARE(pair.nameB(), nameB);
        const int before = pair.choiceB();
        pair.nextPair(1);
        QTRY_COMPARE(pair.choiceB(), before + 1);
        QCOMPARE(pair.nameA(), u"baseline"_s);
        pair.choose(true, -3);
        pair.choose(true, 100'000);
        QTest::qWait(50);
        QCOMPARE(pair.choiceB(), before + 1);
        // Against itself there is no change and no verdict but "same".
        session->setComparePair(session->compareB(), session->compareB());
        QTRY_COMPARE(pair.diff()->changes(), 0);
        QCOMPARE(pair.verdict(), u"same"_s);
        session->setComparePair(0, 0);
        QTRY_VERIFY(!pair.ready());
        QCOMPARE(pair.diff()->rowCount(), 0);
    }
    void experiencesAreFilteredAndOrdered()
    {
        ExperienceModel model;
        QAbstractItemModelTester tester(&model, TesterMode::QtTest);
        QList<Experience> all{experience(1, u"silu"_s, true, 1.1, 1), experience(2, u"rope"_s, false, 1.9, 2),
            experience(3, u"silu"_s, true, 1.5, 3), experience(4, u"silu"_s, false, 1.2, 4)};
        all[0].uses = 9;
        all[3].state = Experience::State::Disabled;
        model.setExperiences(all);
        QCOMPARE(ids(model), (QList<qint64>{4, 3, 2, 1}));
        QCOMPARE(model.total(), 4);
        QCOMPARE(model.positive(), 2);
        QCOMPARE(model.disabledCount(), 1);
        model.setProperty("order", u"speedup"_s);
        QCOMPARE(ids(model), (QList<qint64>{2, 3, 4, 1}));
        model.setProperty("order", u"uses"_s);
        QCOMPARE(ids(model).first(), 1);
        all[1].state = Experience::State::Pinned;
        model.setExperiences(all);
        QCOMPARE(ids(model).first(), 2); // pinned leads in every order
        model.setProperty("sign", u"positive"_s);
        QCOMPARE(ids(model), (QList<qint64>{1, 3}));
        model.setProperty("text", u"summary OF 3"_s);
        QCOMPARE(ids(model), (QList<qint64>{3}));
        model.clearFilters();
        model.setProperty("use", u"disabled"_s);
        QCOMPARE(ids(model), (QList<qint64>{4}));
        model.setProperty("use", u"used"_s);
        QCOMPARE(model.count(), 3);
        model.clearFilters();
        model.setProperty("problem", u"rope"_s);
        QCOMPARE(ids(model), (QList<qint64>{2}));
        model.clearFilters();
        all[2].state = Experience::State::Deleted;
        model.setExperiences(all);
        QVERIFY(!ids(model).contains(3));
        QCOMPARE(model.total(), 3);
        QCOMPARE(model.value(0, u"experienceId"_s).toLongLong(), 2);
        QVERIFY(!model.value(99, u"title"_s).isValid());
        QVERIFY(!model.value(0, u"no such role"_s).isValid());
    }
    void experiencesAreWrittenAndUndone()
    {
        open();
        Session *session = Session::instance();
        ExperienceModel model;
        QTRY_VERIFY(model.count() > 1);
        const qint64 id = ids(model).last();
        const auto state = [&] { return model.value(model.rowOf(id), u"useState"_s).toString(); };
        QCOMPARE(state(), u"active"_s);
        model.togglePin(model.rowOf(id));
        QTRY_COMPARE(state(), u"pinned"_s);
        QCOMPARE(model.rowOf(id), 0);
        session->undoStack()->undo();
        QTRY_COMPARE(state(), u"active"_s);
        session->undoStack()->redo();
        QTRY_COMPARE(state(), u"pinned"_s);
        model.toggleDisabled(model.rowOf(id));
        QTRY_COMPARE(state(), u"disabled"_s);
        const QString before = model.value(model.rowOf(id), u"summary"_s).toString();
        model.edit(model.rowOf(id), u"  Keep tiles within 512 columns.  "_s);
        QTRY_COMPARE(model.value(model.rowOf(id), u"summary"_s).toString(), u"Keep tiles within 512 columns."_s);
        QCOMPARE(state(), u"disabled"_s); // an edit leaves the state alone
        model.edit(model.rowOf(id), {});
        QTRY_COMPARE(model.value(model.rowOf(id), u"summary"_s).toString(), before);
        const int total = model.total();
        model.remove(model.rowOf(id));
        QTRY_COMPARE(model.rowOf(id), -1);
        QCOMPARE(model.total(), total - 1);
        session->undoStack()->undo();
        QTRY_VERIFY(model.rowOf(id) >= 0);
        QCOMPARE(state(), u"disabled"_s);
    }
    void pairOfAnExperience()
    {
        open();
        ExperienceModel model;
        QTRY_VERIFY(model.count() > 0);
        ExperiencePair pair;
        QAbstractItemModelTester slow(pair.slowSource(), TesterMode::QtTest),
            fast(pair.fastSource(), TesterMode::QtTest);
        pair.setSlow(model.value(0, u"slow"_s).toLongLong());
        pair.setFast(model.value(0, u"fast"_s).toLongLong());
        QTRY_VERIFY(pair.ready());
        QVERIFY(!pair.slowName().isEmpty() && !pair.fastLatency().isEmpty());
        pair.setFast(999'999);
        QTRY_VERIFY(!pair.error().isEmpty());
        pair.setFast(0);
        QTRY_VERIFY(!pair.ready());
        QCOMPARE(pair.slowSource()->count(), 0);
    }
    void reportsAreRenderedAndWritten()
    {
        open();
        ReportPage page;
        QTRY_VERIFY(!page.preview().isEmpty());
        QVERIFY(page.preview().startsWith(u"# "_s));
        QVERIFY(page.formats().contains(u"html"_s));
        const QString file = m_folder.filePath(u"out.md"_s);
        page.saveAs(QUrl::fromLocalFile(file));
        QCOMPARE(page.property("format").toString(), u"md"_s); // the ending chooses
        QTRY_COMPARE_WITH_TIMEOUT(page.savedAs(), file, 20000);
        QVERIFY(QFileInfo(file).size() > 200);
        page.setPath(m_folder.filePath(u"no/such/folder/out.html"_s));
        page.save();
        QTRY_VERIFY(!page.error().isEmpty());
        QVERIFY(page.savedAs().isEmpty());
        QVERIFY(!page.saving());
        for (const QString &format : page.formats()) {
            page.setProperty("format", format);
            QVERIFY2(!page.contents().isEmpty() && !page.formatNote().isEmpty(), qPrintable(format));
        }
    }
    void reportSheetTakesNoHtml()
    {
        QTextDocument document;
        dressReport(document,
            u"# Title\n\n<b>bold</b> <img src=\"file:///etc/passwd\">\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |\n\n```diff\n+new\n-old\n```\n"_s);
        QVERIFY(document.toPlainText().contains(u"<b>bold</b>"_s));
        QVERIFY(document.toPlainText().contains(u"<img"_s));
        QTextTable *table = nullptr;
        for (QTextFrame *frame : document.rootFrame()->childFrames())
            table = table ? table : qobject_cast<QTextTable *>(frame);
        QVERIFY(table);
        QCOMPARE(table->rows(), 2);
        QCOMPARE(table->cellAt(1, 1).firstCursorPosition().blockFormat().alignment() & Qt::AlignHorizontal_Mask,
            Qt::AlignRight);
        dressReport(document, {});
        QVERIFY(document.toPlainText().isEmpty());
    }

private:
    void open()
    {
        Session *session = Session::instance();
        session->openProject(m_project);
        QTRY_VERIFY_WITH_TIMEOUT(session->loaded(), 10000);
    }

    QTemporaryDir m_folder;
    QString m_project;
};

int main(int argc, char *argv[])
{
    QApplication app(argc, argv);
    QCoreApplication::setOrganizationName(u"AccelOpt"_s);
    QCoreApplication::setApplicationName(u"tst_pagemodels"_s);
    PageModelsTest test;
    const int code = QTest::qExec(&test, argc, argv);
    Session::instance()->closeForExit();
    return code;
}
#include "tst_pagemodels.moc"
