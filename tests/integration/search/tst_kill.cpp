// SPDX-License-Identifier: GPL-3.0-or-later
//
// A run that is killed at random instants and resumed each time ends with the same attempts, beams and memories as one
// that was left alone; journal, notes, refs and objects agree.
#include "evaluation/problemfiles.h"
#include "tinyproject.h"

#include <QDir>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

class TestKill : public QObject {
    Q_OBJECT

    struct Ended {
        bool killed = false;
        int exitCode = 0;
        int steps = 0;
        QString errors;
    };
    static Ended drive(const QString &folder, int killAt, quint32 shuffle, bool real = false)
    {
        QProcess driver;
        driver.start(QStringLiteral(SEARCHDRIVER),
            {folder, QString::number(killAt), QString::number(shuffle), real ? u"real"_s : u"fake"_s});
        if (!driver.waitForFinished(240000))
            driver.kill();
        return {driver.exitStatus() == QProcess::CrashExit, driver.exitCode(),
            driver.readAllStandardOutput().trimmed().toInt(), QString::fromLocal8Bit(driver.readAllStandardError())};
    }
    static QString fsck(const QString &repository)
    {
        QProcess git;
        git.start(u"git"_s, {u"-C"_s, repository, u"fsck"_s, u"--strict"_s, u"--no-dangling"_s});
        git.waitForFinished(120000);
        return git.exitCode() == 0 && git.exitStatus() == QProcess::NormalExit
            ? QString()
            : QString::fromLocal8Bit(git.readAllStandardOutput() + git.readAllStandardError())
                + u"exit %1"_s.arg(git.exitCode());
    }
    static QString differences(const Project &project)
    {
        const auto found = verifyProject(project);
        if (!found)
            return found.error().message + found.error().detail;
        QStringList lines;
        for (const Difference &d : *found)
            lines << d.kind + u": "_s + d.subject + u": "_s + d.message;
        return lines.join(u'\n');
    }

private Q_SLOTS:
    void killedRunsEndAlike()
    {
        QTemporaryDir folder;
        const auto calm = test::tinyProject(folder.filePath(u"calm"_s));
        QVERIFY2(calm, calm ? "" : qPrintable(calm.error().message + calm.error().detail));
        const Ended reference = drive(calm->folder(), 0, 1);
        QVERIFY2(!reference.killed && reference.exitCode == 0, qPrintable(reference.errors));
        QVERIFY(reference.steps > 300);
        const auto expected = test::snapshot(*calm);
        QVERIFY(expected);
        QCOMPARE(differences(*calm), QString());
        QCOMPARE(fsck(calm->repositoryPath()), QString());

        const bool isEnough = qEnvironmentVariableIsSet("ACCELOPT_KILL_SEED");
        QRandomGenerator random(isEnough ? qEnvironmentVariableIntValue("ACCELOPT_KILL_SEED") : 20260101);
        int kills = 0, trials = 0;
        while (kills < 54) {
            const auto project = test::tinyProject(folder.filePath(u"trial%1"_s.arg(++trials)));
            QVERIFY(project);
            bool finished = false;
            QList<int> points;
            for (int round = 0; !finished && round < 40; ++round) {
                // Mostly early in what is left, so that a run is cut into many pieces; sometimes anywhere.
                const int killAt =
                    1 + int(random.bounded(random.bounded(4) == 0 ? reference.steps : reference.steps / 8));
                points << killAt;
                const Ended ended = drive(project->folder(), killAt, quint32(random.bounded(1000000)));
                if (ended.killed) {
                    ++kills;
                    QCOMPARE(fsck(project->repositoryPath()), QString());
                } else {
                    QVERIFY2(ended.exitCode == 0, qPrintable(ended.errors));
                    finished = true;
                }
            }
            if (!finished)
                QCOMPARE(drive(project->folder(), 0, 7).exitCode, 0);
            const auto got = test::snapshot(*project);
            QVERIFY(got);
            for (qsizetype i = 0; i < qMax(got->size(), expected->size()); ++i) {
                if (got->value(i) != expected->value(i)) {
                    QStringList numbers;
                    for (const int point : std::as_const(points))
                        numbers << QString::number(point);
                    qWarning().noquote() << "kill points" << numbers.join(u' ');
                }
                QCOMPARE(got->value(i), expected->value(i));
            }
            QCOMPARE(differences(*project), QString());
            QCOMPARE(fsck(project->repositoryPath()), QString());
        }
        qInfo("%d kills in %d runs of %d steps", kills, trials, reference.steps);
        QVERIFY(kills >= 50);
    }

    // The same with the rules provider and the simulator, on two small problems.
    void killedRealRunsEndAlike()
    {
        QTemporaryDir folder;
        qputenv("ACCELOPT_CACHE_DIR", folder.filePath(u"cache"_s).toLocal8Bit());
        const auto make = [&folder](const QString &name) {
            const auto project = Project::create(folder.filePath(name), {}, u"trn1"_s);
            for (const QString &problem : {u"silu_small"_s, u"rmsnorm_matmul_small"_s}) {
                const auto read = readProblemFolder(QStringLiteral(ACCELOPT_TEST_DATA) + u"/problems/"_s + problem);
                if (!read || !project || !project->addProblem(*read))
                    qFatal("%s", read ? "The project could not be made." : qPrintable(read.error().message));
            }
            return *project;
        };
        const Project calm = make(u"calm"_s);
        const Ended reference = drive(calm.folder(), 0, 1, true);
        QVERIFY2(!reference.killed && reference.exitCode == 0, qPrintable(reference.errors));
        const auto expected = test::snapshot(calm);
        QVERIFY(expected);
        QCOMPARE(differences(calm), QString());
        QVERIFY(std::ranges::any_of(*expected, [](const QString &line) { return line.contains(u" measured "); }));

        QRandomGenerator random(4711);
        const Project project = make(u"killed"_s);
        int kills = 0;
        bool finished = false;
        while (!finished) {
            const Ended ended =
                drive(project.folder(), kills < 6 ? 1 + int(random.bounded(reference.steps / 3)) : 0, 1, true);
            kills += ended.killed;
            finished = !ended.killed;
            QVERIFY2(ended.killed || ended.exitCode == 0, qPrintable(ended.errors));
        }
        const auto got = test::snapshot(project);
        QVERIFY(got);
        for (qsizetype i = 0; i < qMax(got->size(), expected->size()); ++i)
            QCOMPARE(got->value(i), expected->value(i));
        QCOMPARE(differences(project), QString());
        QCOMPARE(fsck(project.repositoryPath()), QString());
        qInfo("%d kills", kills);
        QVERIFY(kills >= 3);
    }
};

QTEST_GUILESS_MAIN(TestKill)
#include "tst_kill.moc"
