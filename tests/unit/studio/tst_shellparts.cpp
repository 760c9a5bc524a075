// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the shell that have no window: history, undo, fuzzy search, decimation, table copy, read queue.
#include "studio/commands.h"
#include "studio/formats.h"
#include "studio/linechart.h"
#include "studio/navigation.h"
#include "studio/palettemodel.h"
#include "studio/readqueue.h"
#include "studio/tablecopy.h"
#include "studio/undostack.h"

#include <QSettings>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

class TestShellParts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
        QCoreApplication::setOrganizationName(u"AccelOpt"_s);
        QCoreApplication::setApplicationName(u"tst_shellparts"_s);
    }

    void history()
    {
        Navigation n;
        QVERIFY(!n.canGoBack());
        n.reset({.page = u"overview"_s});
        n.go({.page = u"run"_s});
        n.go({.page = u"run"_s}); // the same place is no entry
        n.go({.page = u"candidates"_s, .problem = u"silu"_s});
        n.back();
        QCOMPARE(n.place().page, u"run"_s);
        n.back();
        QCOMPARE(n.place().page, u"overview"_s);
        QVERIFY(!n.canGoBack());
        n.back();
        QCOMPARE(n.place().page, u"overview"_s);
        n.forward();
        n.go({.page = u"memory"_s}); // drops what was ahead
        QVERIFY(!n.canGoForward());
        n.back();
        QCOMPARE(n.place().page, u"run"_s);
        for (int i = 0; i < 500; ++i)
            n.go({.page = u"candidates"_s, .attempt = i + 1});
        QCOMPARE(n.place().attempt, 500);
        int steps = 0;
        while (n.canGoBack()) {
            n.back();
            ++steps;
        }
        QCOMPARE(steps, 199);
    }

    void undo()
    {
        UndoStack stack;
        QStringList list{u"a"_s, u"b"_s};
        list.removeAt(1);
        stack.push(u"b removed"_s, [&] { list.insert(1, u"b"_s); }, [&] { list.removeAt(1); });
        QVERIFY(stack.canUndo());
        stack.undo();
        QCOMPARE(list, (QStringList{u"a"_s, u"b"_s}));
        QCOMPARE(stack.redoText(), u"b removed"_s);
        stack.redo();
        QCOMPARE(list, QStringList{u"a"_s});
        stack.undo();
        stack.push(u"other"_s, [] { }, [] { });
        QVERIFY(!stack.canRedo());
        stack.clear();
        QVERIFY(!stack.canUndo());
    }

    void fuzzy()
    {
        QList<int> marks;
        QVERIFY(fuzzyScore(u"mam"_s, u"mamba"_s, &marks) > 0);
        QCOMPARE(marks, (QList<int>{0, 1, 2}));
        QVERIFY(fuzzyScore(u"xyz"_s, u"mamba"_s) < 0);
        QVERIFY(fuzzyScore(u"comp mam"_s, u"Compare best of mamba with baseline"_s) > 0);
        QVERIFY(fuzzyScore(u"cb"_s, u"Compare best"_s) > fuzzyScore(u"cb"_s, u"scrabble"_s));
        QVERIFY(fuzzyScore(u"silu"_s, u"silu"_s) > fuzzyScore(u"silu"_s, u"silu_and_more"_s));
        QCOMPARE(fuzzyScore({}, u"anything"_s), 0.0);
    }

    void steps()
    {
        QCOMPARE(stepLine({{0, 1}, {2, 3}}), (QList<QPointF>{{0, 1}, {2, 1}, {2, 3}}));
        QCOMPARE(stepLine({}), QList<QPointF>());
    }

    void decimation()
    {
        QList<QPointF> few{{0, 1}, {1, 2}};
        QCOMPARE(decimate(few, 0, 1, 300), few);
        QList<QPointF> many;
        for (int i = 0; i < 100000; ++i)
            many.append({double(i), std::sin(i * 0.01)});
        many[54321].setY(7); // a spike of one point must stay visible
        many[12345].setY(-7);
        const QList<QPointF> kept = decimate(many, 0, 99999, 400);
        QCOMPARE_LE(kept.size(), 2 * 401);
        QVERIFY(kept.contains(QPointF(54321, 7)));
        QVERIFY(kept.contains(QPointF(12345, -7)));
        QVERIFY(std::ranges::is_sorted(kept, {}, &QPointF::x));
    }

    void chartData()
    {
        const std::unique_ptr<ChartData> data(new OwnedChartData);
        data->setNames(u"Iteration"_s, u"%"_s);
        data->setSeries({{u"a, b"_s, {{0, 0.25}, {2, 0.5}}}});
        QCOMPARE(data->rowCount(), 2);
        QCOMPARE(data->csv(), QByteArray("Iteration,\"a, b\"\n0,0.25\n2,0.5\n"));
        QSignalSpy resets(data.get(), &QAbstractItemModel::modelReset);
        data->setSeries({{u"a, b"_s, {{0, 0.25}, {2, 0.5}, {3, 0.75}}}});
        QCOMPARE(data->rowCount(), 3);
        QCOMPARE(resets.count(), 0);
    }

    void tsv()
    {
        QStandardItemModel model(2, 2);
        model.setHorizontalHeaderLabels({u"A"_s, u"B"_s});
        model.setItem(0, 0, new QStandardItem(u"x\ty"_s));
        model.setItem(0, 1, new QStandardItem(u"1"_s));
        model.setItem(1, 0, new QStandardItem(u"line\nend"_s));
        model.setItem(1, 1, new QStandardItem(u"2"_s));
        QCOMPARE(TableTools::tsv(&model, {}, {1, 0}), u"B\tA\n1\tx y\n2\tline end\n"_s);
        QCOMPARE(TableTools::tsv(&model, {1, 99, -1}, {0}), u"A\nline end\n"_s);
        QCOMPARE(TableTools::tsv(nullptr, {}, {0}), QString());
    }

    void commands()
    {
        Commands *all = Commands::instance();
        Command a, b;
        a.setProperty("commandId", u"test.a"_s);
        a.setProperty("text", u"A"_s);
        a.setProperty("shortcut", u"Ctrl+J"_s);
        b.setProperty("commandId", u"test.b"_s);
        b.setProperty("text", u"B"_s);
        b.setProperty("shortcut", u"Ctrl+Y"_s);
        a.componentComplete();
        b.componentComplete();
        QCOMPARE(all->shortcutOf(u"test.a"_s), u"Ctrl+J"_s);
        QVERIFY(!all->setShortcut(u"test.b"_s, u"Ctrl+J"_s).isEmpty()); // taken, and it says by whom
        QCOMPARE(all->shortcutOf(u"test.b"_s), u"Ctrl+Y"_s);
        QCOMPARE(all->setShortcut(u"test.b"_s, u"Ctrl+U"_s), QString());
        QCOMPARE(all->shortcutOf(u"test.b"_s), u"Ctrl+U"_s);
        all->resetShortcuts();
        QCOMPARE(all->shortcutOf(u"test.b"_s), u"Ctrl+Y"_s);
        QSignalSpy spy(&a, &Command::triggered);
        all->trigger(u"test.a"_s);
        a.setProperty("enabled", false);
        all->trigger(u"test.a"_s);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(Commands::keyCaps(u"Ctrl+Shift+R"_s), (QStringList{u"Ctrl"_s, u"⇧"_s, u"R"_s}));
        QCOMPARE(Commands::keyCaps(u"Ctrl++"_s), (QStringList{u"Ctrl"_s, u"+"_s}));
        QCOMPARE(Commands::keyCaps({}), QStringList());
    }

    void words()
    {
        QCOMPARE(Formats::stateMeaning(u"wrong-result"_s), u"failed"_s);
        QCOMPARE(Formats::stateIcon(u"correct"_s), u"check"_s);
        QCOMPARE(Formats::money(0, false), u"?"_s);
        QCOMPARE(Formats::latency(0), u"–"_s);
        QCOMPARE(Formats::verdict(1.2), u"better"_s);
        QCOMPARE(Formats::verdict(1.001), u"same"_s);
        QCOMPARE(Formats::verdict(0.9), u"worse"_s);
    }

    void queue()
    {
        const QString path = m_folder.filePath(u"p"_s);
        const auto project = Project::create(path, {}, u"trn1"_s);
        QVERIFY2(project.has_value(), project ? "" : qPrintable(project.error().message));
        ReadQueue queue;
        queue.setProject(*project);
        QThread *worker = nullptr;
        int first = 0, second = 0;
        // The same guard and tag: only the newest answers.
        queue.run(
            this, u"t"_s,
            [](ReadContext &) -> Result<int> {
                QThread::msleep(30);
                return 1;
            },
            [&](Result<int>) { ++first; });
        queue.run(
            this, u"t"_s,
            [&](ReadContext &context) -> Result<int> {
                worker = QThread::currentThread();
                const auto reader = context.reader();
                return reader ? Result<int>(2) : std::unexpected(reader.error());
            },
            [&](const Result<int> &value) { second = value.value_or(-1); });
        QTRY_COMPARE(second, 2);
        QCOMPARE(first, 0);
        QVERIFY(worker && worker != QThread::currentThread());
        // A guard that is gone hears nothing; a closed project answers nothing.
        int late = 0;
        {
            QObject guard;
            queue.run(&guard, u"g"_s, [](ReadContext &) -> Result<int> { return 3; }, [&](Result<int>) { ++late; });
        }
        queue.run(
            this, u"c"_s,
            [](ReadContext &) -> Result<int> {
                QThread::msleep(20);
                return 3;
            },
            [&](Result<int>) { ++late; });
        queue.setProject({});
        QTRY_VERIFY(!queue.busy());
        QCOMPARE(late, 0);
    }

private:
    class OwnedChartData : public ChartData { };
    QTemporaryDir m_folder;
};

QTEST_MAIN(TestShellParts)
#include "tst_shellparts.moc"
