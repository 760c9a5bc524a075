// SPDX-License-Identifier: GPL-3.0-or-later
//
// A process that commits, notes, packs and journals is killed at random moments; what it leaves must be sound, and
// nothing it was told is stored may be missing.
#include "journal/journal.h"
#include "journal/journalreader.h"
#include "repository/kernelrepository.h"

#include <QDir>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

class TestKilled : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void repositoryIsAlwaysSound();
    void journalKeepsWhatItConfirmed();
};

static AttemptCommit attemptOf(int number)
{
    AttemptCommit commit;
    commit.run = u"1"_s;
    commit.problem = u"silu"_s;
    commit.key = u"i%1.c1.p%2.a1"_s.arg(1 + number / 50, 2, 10, QChar(u'0')).arg(1 + number % 50, 2, 10, QChar(u'0'));
    commit.kernel = "def kernel(x):\n    return x * " + QByteArray::number(number) + "\n";
    commit.reference = "def forward(x): return x\n";
    commit.problemJson = "{}\n";
    commit.title = u"Change %1"_s.arg(number);
    commit.model = u"rules"_s;
    commit.at = QDateTime::fromSecsSinceEpoch(1700000000 + number);
    return commit;
}

/// Runs `work` in a child that reports what is stored through a pipe, one 41 byte line each, and kills it after
/// `milliseconds`. The reports.
template <typename Work> static QByteArrayList killedAfter(int milliseconds, Work work)
{
    int pipes[2];
    if (::pipe(pipes) != 0)
        qFatal("no pipe");
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(pipes[0]);
        work([&](QByteArray line) {
            line = line.leftJustified(40, ' ', true) + '\n';
            (void)!::write(pipes[1], line.constData(), size_t(line.size()));
        });
        ::_exit(0);
    }
    ::close(pipes[1]);
    QByteArray said;
    std::thread reader([&] {
        char buffer[4096];
        for (ssize_t size; (size = ::read(pipes[0], buffer, sizeof buffer)) > 0;)
            said.append(buffer, size);
    });
    ::usleep(useconds_t(milliseconds) * 1000);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    reader.join();
    ::close(pipes[0]);
    QByteArrayList lines;
    for (qsizetype at = 0; at + 41 <= said.size(); at += 41)
        lines.append(said.mid(at, 40).trimmed());
    return lines;
}

void TestKilled::repositoryIsAlwaysSound()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"kernels.git"_s);
    QVERIFY(KernelRepository::create(path));
    QSet<QString> told;
    int done = 0, cutShort = 0;
    for (int kill = 0; kill < 25; ++kill) {
        const QByteArrayList lines = killedAfter(20 + int(QRandomGenerator::global()->bounded(400)), [&](auto report) {
            const auto repository = KernelRepository::open(path).value();
            for (int i = done; i < done + 2000; ++i) {
                const auto id = repository->commit(attemptOf(i));
                if (!id)
                    report("error");
                else
                    report(id->toLatin1());
                if (i % 7 == 0)
                    (void)repository->setNote(*id, {{u"n"_s, i}});
                if (i % 5 == 0)
                    (void)repository->setBranch(u"silu/best"_s, *id);
                if (i % 20 == 19)
                    (void)repository->pack({});
            }
        });
        for (const QByteArray &line : lines) {
            QVERIFY(line != "error");
            told.insert(QString::fromLatin1(line));
        }
        done += int(lines.size());
        cutShort += lines.size() < 2000;
        const auto repository = KernelRepository::open(path).value();
        QCOMPARE(repository->check().value(), QStringList());
        QProcess fsck;
        fsck.start(u"git"_s,
            {u"-c"_s, u"safe.directory=*"_s, u"-C"_s, path, u"fsck"_s, u"--strict"_s, u"--full"_s, u"--no-dangling"_s,
                u"--no-progress"_s});
        QVERIFY(fsck.waitForFinished(60000));
        QCOMPARE(QString::fromUtf8(fsck.readAllStandardOutput() + fsck.readAllStandardError()), QString());
        QCOMPARE(fsck.exitCode(), 0);
        // Everything that was reported as committed is there, and can be reached.
        const QStringList reachable = repository->reachableAttempts().value();
        const QSet<QString> there(reachable.begin(), reachable.end());
        for (const QString &id : std::as_const(told))
            QVERIFY2(there.contains(id), qPrintable(id));
        QVERIFY(reachable.size() <= told.size() + kill + 1); // at most the one that was under way, each time
    }
    QVERIFY(cutShort >= 20);
    QVERIFY(done > 25);
    // And the next writer goes on at once, where another was killed.
    const auto repository = KernelRepository::open(path).value();
    QVERIFY(repository->commit(attemptOf(done)));
    QVERIFY(repository->setNote(repository->commit(attemptOf(done)).value(), {{u"last"_s, true}}));
}

void TestKilled::journalKeepsWhatItConfirmed()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"accelopt.db"_s);
    qint64 run = 0;
    {
        auto journal = Journal::create(path).value();
        Problem problem;
        problem.name = u"silu"_s;
        run = journal->createRun(RunSettings::quickPreset(), {}, {problem}).result().value();
    }
    QSet<QByteArray> told;
    int cutShort = 0;
    for (int kill = 0; kill < 20; ++kill) {
        const QByteArrayList lines = killedAfter(20 + int(QRandomGenerator::global()->bounded(250)), [&](auto report) {
            const auto journal = Journal::open(path).value();
            for (int i = 0; i < 100000; ++i) {
                // Several under way at once, as in a run; reported when confirmed.
                QList<QFuture<Result<qint64>>> futures;
                for (int k = 0; k < 8; ++k) {
                    Attempt attempt;
                    attempt.run = run;
                    attempt.problem = u"silu"_s;
                    attempt.key = {1 + kill, 1, 1 + i, 1 + k, 0};
                    attempt.author = u"rules"_s;
                    futures.append(journal->putAttempt(attempt));
                }
                for (auto &future : futures) {
                    const auto id = future.result();
                    if (id)
                        (void)journal->beginEvaluation(*id, u"search"_s, u"simulator"_s);
                    report(id ? QByteArray::number(*id) : QByteArray("error"));
                }
            }
        });
        cutShort += !lines.isEmpty();
        for (const QByteArray &line : lines) {
            QVERIFY(line != "error");
            told.insert(line);
        }
        const auto journal = Journal::open(path); // the dead one's lock is no obstacle
        QVERIFY2(journal.has_value(), journal ? "" : qPrintable(journal.error().message));
        QVERIFY((*journal)->markInterrupted(run).result());
        const auto reader = JournalReader::open(path).value();
        QCOMPARE(reader->integrityProblems().value(), QStringList());
        const QList<qint64> ids = reader->attemptIds({.run = run}).value();
        const QSet<qint64> there(ids.begin(), ids.end());
        for (const QByteArray &id : std::as_const(told))
            QVERIFY(there.contains(id.toLongLong()));
        QCOMPARE(reader->attemptCounts(run).value().pending, ids.size());
    }
    QVERIFY(cutShort >= 10);
}

QTEST_GUILESS_MAIN(TestKilled)
#include "tst_killed.moc"
