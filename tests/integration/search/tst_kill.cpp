// SPDX-License-Identifier: GPL-3.0-or-later
//
// A run that is killed at random instants and resumed each time ends with the same attempts, beams and memories as one
// that was left alone; journal, notes, refs and objects agree.
#include "tinyproject.h"

#include <QDir>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

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
    static Ended drive(const QString &folder, int killAt, quint32 shuffle)
    {
        QProcess driver;
        driver.start(QStringLiteral(SEARCHDRIVER), {folder, QString::number(killAt), QString::number(shuffle)});
        if (!driver.waitForFinished(120000))
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
};

QTEST_GUILESS_MAIN(TestKill)
#include "tst_kill.moc"
