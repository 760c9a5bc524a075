// SPDX-License-Identifier: GPL-3.0-or-later
// The shell's models under QAbstractItemModelTester, on a synthetic project and on snapshots that change.
#include "fakes/syntheticproject.h"
#include "repository/kernelrepository.h"
#include "studio/beammodel.h"
#include "studio/lanemodel.h"
#include "studio/logmodel.h"
#include "studio/notices.h"
#include "studio/overviewchart.h"
#include "studio/palettemodel.h"
#include "studio/problemmodel.h"
#include "studio/recentmodel.h"
#include "studio/runeditor.h"
#include "studio/runfigures.h"
#include "studio/session.h"

#include <QAbstractItemModelTester>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

namespace {

ProblemStatus status(const QString &name, double baseline, double best)
{
    ProblemStatus s;
    s.name = name;
    s.state = u"running"_s;
    s.peakMs = 1;
    s.baselineFraction = baseline;
    s.bestFraction = best;
    s.baselineMs = 1 / baseline;
    s.bestMs = 1 / best;
    s.bestFractionByIteration = {baseline, best};
    return s;
}

SnapshotPtr snapshot(const QList<ProblemStatus> &problems)
{
    auto s = std::make_shared<Snapshot>();
    s->run = RunRecord{};
    s->run->id = 1;
    for (const ProblemStatus &problem : problems) {
        Problem p;
        p.name = problem.name;
        s->problems.append(p);
    }
    s->status = problems;
    return s;
}

QStringList names(const ProblemModel &model)
{
    QStringList list;
    for (int row = 0; row < model.rowCount(); ++row)
        list.append(model.nameAt(row));
    return list;
}

} // namespace

class TestShellModels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
        QCoreApplication::setOrganizationName(u"AccelOpt"_s);
        QCoreApplication::setApplicationName(u"tst_shellmodels"_s);
        m_project = m_folder.filePath(u"synthetic"_s);
        const auto run = fakes::makeSyntheticProject(m_project);
        QVERIFY2(run.has_value(), run ? "" : qPrintable(run.error().message));
    }

    void problems()
    {
        ProblemModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.setSnapshot(snapshot({status(u"b"_s, 0.2, 0.4), status(u"a"_s, 0.5, 0.6)}));
        QCOMPARE(names(model), (QStringList{u"a"_s, u"b"_s}));
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.setSnapshot(snapshot({status(u"b"_s, 0.2, 0.4), status(u"a"_s, 0.5, 0.7)}));
        QCOMPARE(changes.count(), 1); // one row changed, one row is announced
        QCOMPARE(changes.first().first().toModelIndex().row(), 0);
        model.sortBy(ProblemModel::SpeedupColumn, true);
        QCOMPARE(names(model), (QStringList{u"b"_s, u"a"_s}));
        // A persistent index follows its row.
        const QPersistentModelIndex kept(model.index(model.rowOf(u"a"_s), 0));
        model.sortBy(ProblemModel::SpeedupColumn, false);
        QCOMPARE(kept.data().toString(), u"a"_s);
        // While the pointer is in the table rows stay where they are.
        model.setHoldOrder(true);
        const QStringList before = names(model);
        model.setSnapshot(snapshot({status(u"b"_s, 0.2, 0.21), status(u"a"_s, 0.1, 0.9)}));
        QCOMPARE(names(model), before);
        model.setHoldOrder(false);
        QCOMPARE(names(model), (QStringList{u"b"_s, u"a"_s}));
        // A problem without a result is last in both directions.
        auto waiting = status(u"c"_s, 0.2, 0.4);
        waiting.bestMs = waiting.baselineMs = waiting.bestFraction = waiting.baselineFraction = 0;
        model.setSnapshot(snapshot({status(u"b"_s, 0.2, 0.4), waiting, status(u"a"_s, 0.5, 0.7)}));
        for (const bool descending : {false, true}) {
            model.sortBy(ProblemModel::BestColumn, descending);
            QCOMPARE(names(model).last(), u"c"_s);
        }
        model.setSnapshot(nullptr);
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(resets.count(), 0);
    }

    void log()
    {
        LogModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QList<LogEvent> events;
        const auto add = [&](const QString &kind) {
            LogEvent event;
            event.id = events.isEmpty() ? 1 : events.last().id + 1;
            event.run = 1;
            event.kind = kind;
            event.problem = u"silu"_s;
            event.text = u"line %1"_s.arg(event.id);
            event.at = QDateTime::currentDateTimeUtc();
            events.append(event);
        };
        for (int i = 0; i < 5; ++i)
            add(i % 2 ? u"failed"_s : u"best"_s);
        model.setLog(events);
        QCOMPARE(model.count(), 5);
        QCOMPARE(model.data(model.index(0), LogModel::TextRole).toString(), u"line 5"_s);
        model.setKinds({u"failed"_s});
        QCOMPARE(model.count(), 2);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        QSignalSpy inserts(&model, &QAbstractItemModel::rowsInserted);
        add(u"failed"_s);
        add(u"best"_s);
        events.removeFirst();
        events.removeFirst(); // the window of the snapshot moves on
        model.setLog(events);
        QCOMPARE(inserts.count(), 1);
        QCOMPARE(resets.count(), 0);
        QCOMPARE(model.count(), 2); // line 2 fell out, line 6 came
        QCOMPARE(model.data(model.index(0), LogModel::TextRole).toString(), u"line 6"_s);
        model.setKinds({});
        model.setText(u"LINE 7"_s);
        QCOMPARE(model.count(), 1);
        model.setLog({});
        QCOMPARE(model.count(), 0);
    }

    void lanes()
    {
        LaneModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QDateTime end = QDateTime::currentDateTimeUtc();
        const auto record = [&](const QString &lane, const QString &kind, int from, int to) {
            ActivityRecord r;
            r.lane = lane;
            r.kind = kind;
            r.startedAt = end.addSecs(-from);
            if (to >= 0)
                r.finishedAt = end.addSecs(-to);
            r.outcome = to >= 0 ? u"ok"_s : u"running"_s;
            return r;
        };
        model.setActivity(
            {record(u"simulator worker 1"_s, u"evaluation"_s, 100, 50),
                record(u"simulator worker 2"_s, u"evaluation"_s, 90, 40), record(u"rules"_s, u"planner"_s, 100, 90),
                record(u"rules"_s, u"executor"_s, 80, -1), record(u"old"_s, u"planner"_s, 5000, 4000)},
            end);
        QCOMPARE(model.count(), 2); // models first, then hosts; what lies before the window is not there
        QCOMPARE(model.groups().at(0).name, u"rules"_s);
        QCOMPARE(model.groups().at(0).rows, 1);
        QCOMPARE(model.groups().at(1).name, u"simulator"_s);
        QCOMPARE(model.groups().at(1).rows, 2);
        QVERIFY(model.groups().at(1).estimate);
        // No two spans of a row overlap.
        for (const LaneModel::Group &group : model.groups()) {
            for (const LaneSpan &a : group.spans) {
                QVERIFY(a.from >= a.to);
                for (const LaneSpan &b : group.spans)
                    QVERIFY(&a == &b || a.row != b.row || a.to >= b.from || b.to >= a.from);
            }
        }
        model.setActivity({record(u"rules"_s, u"planner"_s, 100, 90)}, end);
        QCOMPARE(model.count(), 1);
        model.setActivity({}, end);
        QCOMPARE(model.count(), 0);
    }

    void beamRows()
    {
        BeamModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        BeamModel::Row row;
        row.rank = 1;
        model.setRows({row, row});
        row.rank = 2;
        model.setRows({row});
        QCOMPARE(model.rowCount(), 1);
        model.setRows({row, row, row});
        model.setRows({});
        QCOMPARE(model.rowCount(), 0);
    }

    void notices()
    {
        NoticeModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        for (int i = 0; i < 250; ++i)
            model.add(u"info"_s, QString::number(i));
        QCOMPARE(model.count(), 200);
        QCOMPARE(model.unread(), 200);
        QCOMPARE(model.data(model.index(0), NoticeModel::TextRole).toString(), u"249"_s);
        model.markRead();
        QCOMPARE(model.unread(), 0);
        model.clear();
        QCOMPARE(model.count(), 0);
    }

    void recent()
    {
        RecentModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.touch(u"/x/one"_s, u"trn1"_s);
        model.touch(u"/x/two"_s, u"trn2"_s);
        model.touch(u"/x/one"_s, u"trn1"_s);
        QCOMPARE(model.count(), 2);
        QCOMPARE(model.entries().first().name, u"one"_s);
        {
            const RecentModel again; // kept
            QCOMPARE(again.count(), 2);
            QVERIFY(!again.entries().first().exists);
        }
        model.remove(u"/x/one"_s);
        model.remove(u"/x/none"_s);
        QCOMPARE(model.count(), 1);
        for (int i = 0; i < 40; ++i)
            model.touch(u"/x/%1"_s.arg(i), u"trn1"_s);
        QCOMPARE(model.count(), 20);
    }

    void problemChoice()
    {
        ProblemChoice model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRows({{u"a"_s, 0.9}, {u"b"_s, 0.1}, {u"c"_s, 0}});
        model.tick(1, false);
        QCOMPARE(model.ticked(), (QStringList{u"a"_s, u"c"_s}));
        model.setRows({{u"a"_s, 0.9}, {u"b"_s, 0.2}, {u"c"_s, 0}});
        QCOMPARE(model.ticked(), (QStringList{u"a"_s, u"c"_s})); // ticks stay
        model.sortByHeadroom();
        QCOMPARE(model.rows().first().name, u"b"_s);
        QCOMPARE(model.rows().last().name, u"c"_s);
        model.setRows({{u"b"_s, 0.2}, {u"d"_s, 0.3}});
        QCOMPARE(model.rowCount(), 2);
        model.tickAll(true);
        QCOMPARE(model.ticked().size(), 2);
    }

    // The session on a real store: everything the shell shows is filled, from the journal, off this thread.
    void session()
    {
        Session *session = Session::instance();
        ProblemModel problems;
        const QAbstractItemModelTester tester(&problems, QAbstractItemModelTester::FailureReportingMode::QtTest);
        LaneModel lanes;
        LogModel log;
        BeamModel beam;
        OverviewChart chart;
        const QAbstractItemModelTester chartTester(
            chart.data(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        PaletteModel palette;
        const QAbstractItemModelTester paletteTester(&palette, QAbstractItemModelTester::FailureReportingMode::QtTest);
        RunFigures figures;
        RunEditor editor;

        session->openProject(m_folder.filePath(u"nothing-here"_s));
        QTRY_VERIFY(!session->opening());
        QVERIFY(!session->openError().isEmpty());
        QVERIFY(!session->hasProject());

        session->openProject(m_project);
        QTRY_VERIFY(session->loaded());
        QCOMPARE(session->openError(), QString());
        QCOMPARE(session->page(), u"overview"_s);
        QCOMPARE(problems.count(), 3);
        QVERIFY(figures.property("best").toDouble() > figures.property("baseline").toDouble());
        QVERIFY(figures.property("attempts").toDouble() > 10);
        QCOMPARE(figures.property("iterations").toInt(), 8);
        QVERIFY(log.count() > 0);
        QCOMPARE(chart.data()->series().size(), 4); // geomean and three problems
        QCOMPARE(chart.data()->rowCount(), 9);
        QCOMPARE(editor.tickedProblems(), 3);

        beam.setProblem(problems.nameAt(0));
        QTRY_VERIFY(beam.rowCount() > 0);
        QCOMPARE(beam.data(beam.index(0), BeamModel::RankRole).toInt(), 1);

        palette.setQuery(u"#"_s + problems.nameAt(0).left(3));
        QTRY_VERIFY(palette.rowCount() > 1);
        palette.setQuery(u"@"_s);
        QCOMPARE(palette.found(), 3);
        const int row = palette.nextSelectable(-1, 1);
        palette.run(row);
        QCOMPARE(session->page(), u"candidates"_s);
        QVERIFY(!session->problem().isEmpty());
        session->back();
        QCOMPARE(session->page(), u"overview"_s);

        session->compareBestWithBaseline(problems.nameAt(1));
        QCOMPARE(session->page(), u"compare"_s);
        QVERIFY(session->compareA() != 0 && session->compareB() != 0 && session->compareA() != session->compareB());

        session->setViewState(u"overview"_s, u"sort"_s, 3);
        QCOMPARE(session->viewState(u"overview"_s, u"sort"_s).toInt(), 3);
        QCOMPARE(session->recent()->entries().first().folder, m_project);
        QVERIFY(session->recent()->entries().first().best > 0);

        session->closeProject();
        QVERIFY(!session->hasProject());
        QCOMPARE(session->page(), u"start"_s);
        QCOMPARE(problems.count(), 0);
        QCOMPARE(session->viewState(u"overview"_s, u"sort"_s, 7).toInt(), 7);
    }

    // The GUI thread goes on while a big project is read.
    void readingDoesNotBlock()
    {
        const QString big = m_folder.filePath(u"big"_s);
        fakes::SyntheticOptions options;
        options.problems = 6;
        options.totalAttempts = 6000;
        options.repository = false;
        options.calls = false;
        QVERIFY(fakes::makeSyntheticProject(big, options).has_value());
        QVERIFY(KernelRepository::create(big + u"/kernels.git"_s).has_value());
        Session *session = Session::instance();
        session->openProject(big);
        qint64 longest = 0;
        QElapsedTimer sinceTick, total;
        sinceTick.start();
        total.start();
        while (!session->loaded() && total.elapsed() < 20000) {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
            longest = std::max(longest, sinceTick.restart());
        }
        QVERIFY(session->loaded());
        qInfo("read in %lld ms, longest hold of the GUI thread %lld ms", total.elapsed(), longest);
        QCOMPARE_LT(longest,
            total.elapsed() < 400 ? 400 : 250); // generous: machines of tests are busy; the budget is in the benchmark
        session->closeProject();
    }

private:
    QTemporaryDir m_folder;
    QString m_project;
};

QTEST_MAIN(TestShellModels)
#include "tst_shellmodels.moc"
