// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the git program says of our repositories: clone, fsck, log with notes, diff, checkout, gc.
#include "fakes/syntheticproject.h"
#include "journal/journalreader.h"
#include "repository/kernelrepository.h"

#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

class TestRealGit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void fsckIsClean_data();
    void fsckIsClean();
    void cloneChecksOut();
    void everyAttemptIsInAFullClone();
    void logTellsTheResults();
    void diffMatchesOurs();
    void gitsOwnNotesAreRead();
    void gitsGcIsSurvived();
    void trailersAreGitTrailers();

private:
    QString git(const QStringList &arguments, const QString &folder = {}, int expected = 0);

    QTemporaryDir m_folder;
    QString m_path;
    std::unique_ptr<JournalReader> m_reader;
    QList<Attempt> m_attempts;
};

QString TestRealGit::git(const QStringList &arguments, const QString &folder, int expected)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"GIT_CONFIG_GLOBAL"_s, u"/dev/null"_s);
    environment.insert(u"GIT_CONFIG_SYSTEM"_s, u"/dev/null"_s);
    environment.insert(u"GIT_AUTHOR_NAME"_s, u"Someone"_s);
    environment.insert(u"GIT_AUTHOR_EMAIL"_s, u"someone@example.org"_s);
    environment.insert(u"GIT_COMMITTER_NAME"_s, u"Someone"_s);
    environment.insert(u"GIT_COMMITTER_EMAIL"_s, u"someone@example.org"_s);
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder.isEmpty() ? m_path : folder);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(u"git"_s, QStringList{u"-c"_s, u"safe.directory=*"_s} + arguments);
    if (!process.waitForFinished(120000) || process.exitCode() != expected)
        qWarning("git %s: %s", qPrintable(arguments.join(u' ')), process.readAll().constData());
    return QString::fromUtf8(process.readAll());
}

void TestRealGit::initTestCase()
{
    fakes::SyntheticOptions options;
    options.problems = 2;
    options.iterations = 5;
    const auto run = fakes::makeSyntheticProject(m_folder.filePath(u"project"_s), options);
    QVERIFY2(run.has_value(), run ? "" : qPrintable(run.error().message + run.error().detail));
    m_path = m_folder.filePath(u"project/kernels.git"_s);
    m_reader = JournalReader::open(m_folder.filePath(u"project/accelopt.db"_s)).value();
    m_attempts = m_reader->attempts(AttemptFilter()).value();
    QVERIFY(m_attempts.size() > 150);
}

void TestRealGit::fsckIsClean_data()
{
    QTest::addColumn<bool>("packed");
    QTest::newRow("loose") << false;
    QTest::newRow("packed") << true;
}

void TestRealGit::fsckIsClean()
{
    QFETCH(bool, packed);
    if (packed)
        QVERIFY(KernelRepository::open(m_path).value()->pack({}));
    const QString said = git({u"fsck"_s, u"--strict"_s, u"--full"_s, u"--no-dangling"_s, u"--no-progress"_s});
    QCOMPARE(said.trimmed(), QString());
    const QString counted = git({u"count-objects"_s, u"-v"_s});
    QVERIFY(counted.contains(u"garbage: 0"_s));
    QCOMPARE(counted.contains(u"\npacks: 0\n"_s), !packed);
}

void TestRealGit::cloneChecksOut()
{
    const QString clone = m_folder.filePath(u"clone"_s);
    const QString said = git({u"clone"_s, u"--no-local"_s, u"--quiet"_s, m_path, clone});
    QCOMPARE(said.trimmed(), QString()); // no warning about a missing HEAD
    QVERIFY(QFile::exists(clone + u"/README.md"_s));
    git({u"checkout"_s, u"--quiet"_s, u"silu/best"_s}, clone);
    QFile kernel(clone + u"/kernel.py"_s);
    QVERIFY(kernel.open(QIODevice::ReadOnly));
    const auto repository = KernelRepository::open(m_path).value();
    QCOMPARE(kernel.readAll(), repository->file(repository->branch(u"silu/best"_s).value(), u"kernel.py"_s).value());
    QVERIFY(QFile::exists(clone + u"/reference.py"_s));
    QVERIFY(QFile::exists(clone + u"/problem.json"_s));
}

void TestRealGit::everyAttemptIsInAFullClone()
{
    const QString clone = m_folder.filePath(u"full.git"_s);
    git({u"clone"_s, u"--no-local"_s, u"--quiet"_s, u"--mirror"_s, m_path, clone});
    const QStringList known = git({u"rev-list"_s, u"--all"_s}, clone).split(u'\n');
    const QSet<QString> ids(known.begin(), known.end());
    for (const Attempt &attempt : std::as_const(m_attempts))
        QVERIFY2(ids.contains(attempt.commit), qPrintable(attempt.key.ascii()));
    // And as many references as there are iterations, not attempts.
    const qsizetype references = git({u"for-each-ref"_s, u"--format=%(refname)"_s, u"refs/accelopt"_s}, clone)
                                     .split(u'\n', Qt::SkipEmptyParts)
                                     .size();
    QCOMPARE(references, 2 * 6);
    QCOMPARE(KernelRepository::open(clone).value()->reachableAttempts().value().size(), m_attempts.size());
}

void TestRealGit::logTellsTheResults()
{
    const auto status = m_reader->problemStatus(1).value();
    const Attempt best = m_reader->attempt(status.first().bestAttempt).value();
    const QString text = git({u"log"_s, u"--notes=accelopt"_s, u"-1"_s, u"--format=%H%n%s%n%N"_s, u"silu/best"_s});
    const QStringList lines = text.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.at(0), best.commit);
    QCOMPARE(lines.at(1), best.planTitle);
    const QJsonObject note = QJsonDocument::fromJson(lines.at(2).toUtf8()).object();
    QCOMPARE(note.value(u"latency_ms"_s).toDouble(), best.evaluation.latency.medianMs);
    QCOMPARE(note.value(u"attempt"_s).toString(), best.key.ascii());
    // The lineage is the history of the branch.
    const auto lineage = m_reader->lineage(best.id).value();
    QStringList commits;
    for (const Attempt &attempt : lineage)
        commits.prepend(attempt.commit);
    QCOMPARE(git({u"rev-list"_s, u"silu/best"_s}).split(u'\n', Qt::SkipEmptyParts), commits);
    QCOMPARE(
        git({u"notes"_s, u"--ref=accelopt"_s, u"list"_s}).split(u'\n', Qt::SkipEmptyParts).size(), m_attempts.size());
}

void TestRealGit::diffMatchesOurs()
{
    const auto repository = KernelRepository::open(m_path).value();
    const QByteArray ours =
        repository->patch(repository->branch(u"silu/baseline"_s).value(), repository->branch(u"silu/best"_s).value())
            .value();
    const QString theirs = git({u"diff"_s, u"silu/baseline"_s, u"silu/best"_s, u"--"_s, u"kernel.py"_s});
    const auto changed = [](const QString &patch) {
        QStringList lines = patch.split(u'\n').filter(QRegularExpression(u"^[+-][^+-]"_s));
        return lines;
    };
    QVERIFY(!changed(theirs).isEmpty());
    QCOMPARE(changed(QString::fromUtf8(ours)), changed(theirs));
}

void TestRealGit::gitsOwnNotesAreRead()
{
    const auto repository = KernelRepository::open(m_path).value();
    const QString commit = m_attempts.first().commit;
    const QJsonObject before = repository->note(commit).value();
    QVERIFY(!before.isEmpty());
    git({u"notes"_s, u"--ref=accelopt"_s, u"add"_s, u"-f"_s, u"-m"_s, u"{\"by\": \"git\"}"_s, commit});
    QCOMPARE(repository->note(commit).value(), (QJsonObject{{u"by"_s, u"git"_s}}));
    QCOMPARE(repository->notes().value().size(), m_attempts.size());
    QVERIFY(repository->setNote(commit, before));
    QCOMPARE(repository->note(commit).value(), before);
    QCOMPARE(repository->notes().value().size(), m_attempts.size());
    QCOMPARE(git({u"notes"_s, u"--ref=accelopt"_s, u"show"_s, commit}).trimmed(),
        QString::fromUtf8(QJsonDocument(before).toJson(QJsonDocument::Compact)));
    // Few notes, which git writes flat, and then one of ours.
    QTemporaryDir folder;
    const QString path = folder.filePath(u"few.git"_s);
    const auto few = KernelRepository::create(path).value();
    AttemptCommit attempt{u"1"_s, u"silu"_s, u"baseline"_s, {}, "k", "r", "{}", {}, u"Baseline"_s, {}, u"baseline"_s,
        QDateTime::fromSecsSinceEpoch(1)};
    const QString first = few->commit(attempt).value();
    attempt.key = u"i01.c1.p01.a1"_s;
    const QString second = few->commit(attempt).value();
    git({u"notes"_s, u"--ref=accelopt"_s, u"add"_s, u"-m"_s, u"{\"a\": 1}"_s, first}, path);
    QCOMPARE(few->note(first).value(), (QJsonObject{{u"a"_s, 1}}));
    QVERIFY(few->setNote(second, {{u"b"_s, 2}}));
    QCOMPARE(few->notes().value().size(), 2);
    QCOMPARE(git({u"notes"_s, u"--ref=accelopt"_s, u"list"_s}, path).split(u'\n', Qt::SkipEmptyParts).size(), 2);
    QCOMPARE(few->check().value(), QStringList());
}

void TestRealGit::gitsGcIsSurvived()
{
    const auto repository = KernelRepository::open(m_path).value();
    QVERIFY(repository->file(m_attempts.first().commit, u"kernel.py"_s));
    git({u"gc"_s, u"--quiet"_s, u"--prune=now"_s});
    for (const Attempt &attempt : std::as_const(m_attempts))
        QVERIFY(repository->contains(attempt.commit).value());
    QVERIFY(!repository->branch(u"silu/best"_s).value().isEmpty()); // now in packed-refs
    AttemptCommit more{u"2"_s, u"silu"_s, u"baseline"_s, {}, "k", "r", "{}", {}, u"Baseline"_s, {}, u"baseline"_s,
        QDateTime::fromSecsSinceEpoch(1)};
    QVERIFY(repository->commit(more));
    QVERIFY(repository->pack({}));
    QCOMPARE(repository->check().value(), QStringList());
    QCOMPARE(git({u"fsck"_s, u"--strict"_s, u"--no-dangling"_s, u"--no-progress"_s}).trimmed(), QString());
}

void TestRealGit::trailersAreGitTrailers()
{
    const Attempt &attempt = m_attempts.at(5);
    const QString text =
        git({u"log"_s, u"-1"_s, u"--format=%(trailers:key=Attempt,valueonly)"_s, attempt.commit}).trimmed();
    QCOMPARE(text, attempt.key.ascii());
}

QTEST_GUILESS_MAIN(TestRealGit)
#include "tst_realgit.moc"
