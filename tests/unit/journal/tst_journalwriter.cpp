// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the journal does when the disk is full, the file is foreign, newer or older: with SQLite beneath in the open.
#include "journal/schema.h"
#include "journal/sqlite.h"
#include "journal/writer.h"
#include "journalfixture.h"

#include <csignal>
#include <sqlite3.h>
#include <sys/resource.h>

using namespace accelopt;
using namespace accelopt::test;

class TestJournalWriter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFullDatabaseChangesNothing();
    void aDiskThatTakesNoMoreChangesNothing();
    void newerVersionsAreLeftAlone();
    void foreignFilesAreLeftAlone_data();
    void foreignFilesAreLeftAlone();
    void migratesVersion1();
    void aReaderMigratesToo();
    void compressionRoundTrip();
};

void TestJournalWriter::aFullDatabaseChangesNothing()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"accelopt.db"_s);
    QVERIFY(Journal::create(path));
    journal::Writer writer(journal::LockFile::take(folder.filePath(u"accelopt.lock"_s)).value());
    sqlite::Database &db = writer.database();
    QVERIFY(db.open(path, sqlite::Database::Mode::ReadWrite));
    const qint64 pages = db.integer("PRAGMA page_count").value().value();
    QVERIFY(db.execute("PRAGMA max_page_count = " + QByteArray::number(pages + 20)));
    writer.start();
    int stored = 0;
    std::optional<Error> error;
    for (int i = 0; i < 1000 && !error; ++i) {
        auto future = writer.submit<void>([i](sqlite::Database &database) {
            return database.run(
                "INSERT INTO project_values(key, json) VALUES(?1, ?2)", QString::number(i), QString(2000, u'x'));
        });
        const Result<void> result = future.result();
        if (result)
            ++stored;
        else
            error = result.error();
    }
    QVERIFY(error);
    QCOMPARE(error->kind, Error::Kind::NoSpace);
    QVERIFY(stored > 0);
    const auto count = [&writer] {
        return writer
            .submit<qint64>([](sqlite::Database &database) -> Result<qint64> {
                return database.integer("SELECT COUNT(*) FROM project_values").value().value_or(-1);
            })
            .result()
            .value();
    };
    QCOMPARE(count(), stored);
    // With room again, it goes on.
    QVERIFY(writer.submit<void>([](sqlite::Database &database) { return database.run("DELETE FROM project_values"); })
            .result());
    QVERIFY(writer
            .submit<void>([](sqlite::Database &database) {
                return database.run("INSERT INTO project_values(key, json) VALUES('a', '{}')");
            })
            .result());
    QCOMPARE(count(), 1);
}

void TestJournalWriter::aDiskThatTakesNoMoreChangesNothing()
{
    Store store;
    const std::shared_ptr<void> restore(
        nullptr, [old = std::signal(SIGXFSZ, SIG_IGN)](void *) { std::signal(SIGXFSZ, old); });
    ok(store.journal->log({0, store.run, {}, u"run"_s, {}, 0, u"before"_s}));
    rlimit before{};
    QVERIFY(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    const rlimit small{rlim_t(QFileInfo(store.path + u"-wal"_s).size() + 40000), before.rlim_max};
    QVERIFY(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    std::optional<Error> error;
    int stored = 0;
    for (int i = 0; i < 200 && !error; ++i) {
        const Result<void> result =
            store.journal->log({0, store.run, {}, u"run"_s, {}, 0, QString(3000, u'x')}).result();
        if (result)
            ++stored;
        else
            error = result.error();
    }
    QVERIFY(::setrlimit(RLIMIT_FSIZE, &before) == 0);
    QVERIFY(error);
    QCOMPARE(error->kind, Error::Kind::NoSpace);
    QCOMPARE(store.reader()->log(store.run, 1000).value().size(), stored + 1);
    ok(store.journal->log({0, store.run, {}, u"run"_s, {}, 0, u"after"_s}));
    store.reopen();
    QCOMPARE(store.reader()->log(store.run, 1000).value().last().text, u"after"_s);
    QCOMPARE(store.reader()->integrityProblems().value(), QStringList());
}

static QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestJournalWriter::newerVersionsAreLeftAlone()
{
    Store store;
    store.journal.reset();
    {
        sqlite::Database db;
        QVERIFY(db.open(store.path, sqlite::Database::Mode::ReadWrite));
        QVERIFY(db.execute("PRAGMA user_version = 99"));
    }
    const QByteArray before = contentOf(store.path);
    const auto writing = Journal::open(store.path);
    QVERIFY(!writing);
    QCOMPARE(writing.error().kind, Error::Kind::NewerVersion);
    const auto reading = JournalReader::open(store.path);
    QVERIFY(!reading);
    QCOMPARE(reading.error().kind, Error::Kind::NewerVersion);
    QCOMPARE(contentOf(store.path), before);
}

void TestJournalWriter::foreignFilesAreLeftAlone_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("text") << QByteArray("this is no database at all, but long enough to be looked at").repeated(40);
    QTemporaryDir folder;
    {
        sqlite::Database db;
        QVERIFY(db.open(folder.filePath(u"x.db"_s), sqlite::Database::Mode::Create));
        QVERIFY(db.execute("CREATE TABLE notes(a)"));
    }
    QTest::newRow("another program's database") << contentOf(folder.filePath(u"x.db"_s));
}

void TestJournalWriter::foreignFilesAreLeftAlone()
{
    QFETCH(QByteArray, content);
    QTemporaryDir folder;
    const QString path = folder.filePath(u"accelopt.db"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    const auto writing = Journal::open(path);
    QVERIFY(!writing);
    QCOMPARE(writing.error().kind, Error::Kind::Invalid);
    QVERIFY(!JournalReader::open(path));
    QCOMPARE(contentOf(path), content);
}

static void makeVersion1(const QString &path)
{
    QFile script(QStringLiteral(JOURNAL_DATA "/version1.sql"));
    QVERIFY(script.open(QIODevice::ReadOnly));
    sqlite::Database db;
    QVERIFY(db.open(path, sqlite::Database::Mode::Create));
    const auto made = db.execute("PRAGMA foreign_keys = OFF;" + script.readAll());
    QVERIFY2(made.has_value(), made ? "" : qPrintable(made.error().detail));
}

void TestJournalWriter::migratesVersion1()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"accelopt.db"_s);
    makeVersion1(path);
    const auto opened = Journal::open(path);
    QVERIFY2(opened.has_value(), opened ? "" : qPrintable(opened.error().message + opened.error().detail));
    const auto reader = JournalReader::open(path).value();
    const AttemptCounts counts = reader->attemptCounts(1).value();
    QCOMPARE(counts.total, 7);
    QCOMPARE(counts.correct, 2);
    QCOMPARE(counts.failed, 1);
    QCOMPARE(counts.same, 1);
    QCOMPARE(counts.quarantined, 1);
    QCOMPARE(counts.skipped, 1);
    QCOMPARE(counts.pending, 1);
    const ProblemStatus status = reader->problemStatus(1).value().first();
    QCOMPARE(status.bestMs, 1.0);
    QCOMPARE(reader->integrityProblems().value(), QStringList());
    // A migrated database and a new one have the same schema.
    QTemporaryDir other;
    QVERIFY(Journal::create(other.filePath(u"new.db"_s)));
    const auto schema = [](const QString &file) {
        sqlite::Database db;
        QStringList lines;
        if (!db.open(file, sqlite::Database::Mode::ReadOnly))
            return lines;
        (void)db.each("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name",
            [&lines](const sqlite::Statement &row) { lines.append(row.text(0).simplified()); });
        return lines;
    };
    QVERIFY(schema(path).size() > 10);
    QCOMPARE(schema(path), schema(other.filePath(u"new.db"_s)));
}

void TestJournalWriter::aReaderMigratesToo()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"accelopt.db"_s);
    makeVersion1(path);
    const auto reader = JournalReader::open(path);
    QVERIFY2(reader.has_value(), reader ? "" : qPrintable(reader.error().message + reader.error().detail));
    QCOMPARE((*reader)->attemptCounts(1).value().total, 7);
}

void TestJournalWriter::compressionRoundTrip()
{
    for (const QByteArray &data :
        {QByteArray(), QByteArray(1, 'x'), QByteArray(100000, 'y'), QByteArray::fromHex("00ff00ff")})
        QCOMPARE(sqlite::decompress(sqlite::compress(data)).value(), data);
    QVERIFY(!sqlite::decompress("not compressed"));
    QByteArray cut = sqlite::compress(QByteArray(1000, 'z') + "abc");
    cut.chop(3);
    QVERIFY(!sqlite::decompress(cut));
    // A header that claims too much is not believed.
    QVERIFY(!sqlite::decompress(QByteArray::fromHex("28b52ffde0ffffffffffffff0f010000")));
}

QTEST_GUILESS_MAIN(TestJournalWriter)
#include "tst_journalwriter.moc"
