// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/kernelrepository.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <QTimeZone>
#include <thread>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

class TestKernelRepository : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void createRefusesWhatIsThere();
    void openRefusesWhatIsNone();
    void sameContentGivesTheSameId();
    void everyMemberCounts();
    void readsBackWhatItWrote();
    void aReplyWithoutKernelIsKept();
    void refusesAnUnknownParent();
    void shortIds();
    void branches();
    void notesOneAndMany();
    void notesInGitsOwnLayouts();
    void patchOfTwoKernels();
    void packingKeepsEverything();
    void packsStayFew();
    void packingCanBeCancelled();
    void anotherInstancePacksWhileThisOneReads();
    void twoInstancesWrite();
    void aLockLeftBehindIsTakenOver();
    void checkFindsMissingObjects();

private:
    AttemptCommit attempt(int number, const QString &parent = {}) const;
    int looseCount() const;
    int packCount() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    std::unique_ptr<KernelRepository> m_repository;
};

void TestKernelRepository::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(u"kernels.git"_s);
    auto made = KernelRepository::create(m_path);
    QVERIFY2(made.has_value(), made ? "" : qPrintable(made.error().message + made.error().detail));
    m_repository = std::move(*made);
}

void TestKernelRepository::cleanup()
{
    m_repository.reset();
    m_folder.reset();
}

AttemptCommit TestKernelRepository::attempt(int number, const QString &parent) const
{
    AttemptCommit commit;
    commit.run = u"1"_s;
    commit.problem = u"silu"_s;
    commit.key = number == 0 ? u"baseline"_s : u"i01.c1.p%1.a1"_s.arg(number, 2, 10, QChar(u'0'));
    commit.parentCommit = parent;
    commit.kernel = "def kernel(x):\n    return x * " + QByteArray::number(number) + "\n";
    commit.reference = "def forward(x):\n    return x\n";
    commit.problemJson = "{\"name\": \"silu\"}\n";
    commit.title = u"Change %1"_s.arg(number);
    commit.body = u"The plan of change %1."_s.arg(number);
    commit.model = u"rules"_s;
    commit.at = QDateTime(QDate(2026, 11, 30), QTime(12, 0), QTimeZone::UTC).addSecs(number);
    return commit;
}

int TestKernelRepository::looseCount() const
{
    int count = 0;
    QDirIterator files(m_path + u"/objects"_s, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        count += files.nextFileInfo().dir().dirName().size() == 2;
    return count;
}

int TestKernelRepository::packCount() const
{
    return int(QDir(m_path + u"/objects/pack"_s).entryList({u"*.pack"_s}).size());
}

void TestKernelRepository::createRefusesWhatIsThere()
{
    const auto again = KernelRepository::create(m_path);
    QVERIFY(!again);
    QCOMPARE(again.error().kind, Error::Kind::Conflict);
}

void TestKernelRepository::openRefusesWhatIsNone()
{
    const auto missing = KernelRepository::open(m_folder->filePath(u"nothing"_s));
    QVERIFY(!missing);
    QCOMPARE(missing.error().kind, Error::Kind::NotFound);
    QVERIFY(QDir().mkpath(m_folder->filePath(u"plain"_s)));
    QVERIFY(!KernelRepository::open(m_folder->filePath(u"plain"_s)));
}

void TestKernelRepository::sameContentGivesTheSameId()
{
    const QString first = m_repository->commit(attempt(0)).value();
    QCOMPARE(m_repository->commit(attempt(0)).value(), first);
    QTemporaryDir other;
    const auto elsewhere = KernelRepository::create(other.filePath(u"k.git"_s)).value();
    QCOMPARE(elsewhere->commit(attempt(0)).value(), first);
    const auto reopened = KernelRepository::open(m_path).value();
    QCOMPARE(reopened->commit(attempt(0)).value(), first);
    QCOMPARE(m_repository->reachableAttempts().value(), QStringList{first});
}

void TestKernelRepository::everyMemberCounts()
{
    QSet<QString> ids{m_repository->commit(attempt(0)).value()};
    const auto changed = [&](auto change) {
        AttemptCommit other = attempt(0);
        change(other);
        ids.insert(m_repository->commit(other).value());
    };
    changed([](AttemptCommit &c) { c.run = u"2"_s; });
    changed([](AttemptCommit &c) { c.problem = u"rope"_s; });
    changed([](AttemptCommit &c) { c.key = u"i01.c1.p01.a1"_s; });
    changed([](AttemptCommit &c) { c.kernel += "#"; });
    changed([](AttemptCommit &c) { c.reference += "#"; });
    changed([](AttemptCommit &c) { c.problemJson += " "; });
    changed([](AttemptCommit &c) { c.title += u"!"_s; });
    changed([](AttemptCommit &c) { c.body += u"!"_s; });
    changed([](AttemptCommit &c) { c.model = u"person"_s; });
    changed([](AttemptCommit &c) { c.at = c.at.addSecs(1); });
    QCOMPARE(ids.size(), 11);
}

void TestKernelRepository::readsBackWhatItWrote()
{
    const QString base = m_repository->commit(attempt(0)).value();
    const QString child = m_repository->commit(attempt(1, base)).value();
    const CommitInfo info = m_repository->info(child).value();
    QCOMPARE(info.id, child);
    QCOMPARE(info.parents, QStringList{base});
    QCOMPARE(info.title, u"Change 1"_s);
    QCOMPARE(info.body, u"The plan of change 1."_s);
    QCOMPARE(info.at, attempt(1).at);
    QCOMPARE(info.trailers.value(u"Attempt"_s), u"i01.c1.p01.a1"_s);
    QCOMPARE(m_repository->file(child, u"kernel.py"_s).value(), attempt(1).kernel);
    QCOMPARE(m_repository->file(child, u"reference.py"_s).value(), attempt(1).reference);
    QCOMPARE(m_repository->file(child, u"problem.json"_s).value(), attempt(1).problemJson);
    QCOMPARE(m_repository->file(child, u"reply.md"_s).error().kind, Error::Kind::NotFound);
    QVERIFY(m_repository->contains(child).value());
    QVERIFY(!m_repository->contains(QString(40, u'0')).value());
    QVERIFY(!m_repository->contains(u"no id"_s).value());
    QCOMPARE(m_repository->info(QString(40, u'0')).error().kind, Error::Kind::NotFound);
}

void TestKernelRepository::aReplyWithoutKernelIsKept()
{
    AttemptCommit commit = attempt(1);
    commit.kernel.clear();
    commit.reply = "I cannot help with that.";
    const QString id = m_repository->commit(commit).value();
    QCOMPARE(m_repository->file(id, u"reply.md"_s).value(), commit.reply);
    QCOMPARE(m_repository->file(id, u"kernel.py"_s).error().kind, Error::Kind::NotFound);
    QVERIFY(m_repository->patch(id, m_repository->commit(attempt(2)).value()).value().contains("+def kernel"));
}

void TestKernelRepository::refusesAnUnknownParent()
{
    for (const QString &parent : {QString(40, u'1'), u"junk"_s}) {
        const auto made = m_repository->commit(attempt(1, parent));
        QVERIFY(!made);
        QCOMPARE(made.error().kind, Error::Kind::NotFound);
    }
    QVERIFY(m_repository->reachableAttempts().value().isEmpty());
}

void TestKernelRepository::shortIds()
{
    const QString id = m_repository->commit(attempt(0)).value();
    QCOMPARE(m_repository->info(id.left(12)).value().id, id);
    QCOMPARE(m_repository->info(id.left(12).toUpper()).value().id, id);
    QCOMPARE(m_repository->info(id.left(2)).error().kind, Error::Kind::NotFound);
}

void TestKernelRepository::branches()
{
    const QString base = m_repository->commit(attempt(0)).value();
    const QString child = m_repository->commit(attempt(1, base)).value();
    QCOMPARE(m_repository->branch(u"silu/best"_s).error().kind, Error::Kind::NotFound);
    QVERIFY(m_repository->setBranch(u"silu/best"_s, base));
    QVERIFY(m_repository->setBranch(u"silu/best"_s, child));
    QVERIFY(m_repository->setBranch(u"silu/best"_s, child));
    QCOMPARE(m_repository->branch(u"silu/best"_s).value(), child);
    QCOMPARE(m_repository->setBranch(u"silu/best"_s, QString(40, u'2')).error().kind, Error::Kind::NotFound);
    QCOMPARE(m_repository->setBranch(u"../evil"_s, child).error().kind, Error::Kind::Invalid);
}

void TestKernelRepository::notesOneAndMany()
{
    QList<std::pair<QString, QJsonObject>> notes;
    for (int i = 0; i < 300; ++i)
        notes.emplaceBack(
            m_repository->commit(attempt(i)).value(), QJsonObject{{u"latency_ms"_s, i}, {u"verdict"_s, u"correct"_s}});
    QVERIFY(m_repository->note(notes.first().first).value().isEmpty());
    QVERIFY(m_repository->setNote(notes.first().first, {{u"old"_s, true}}));
    QVERIFY(m_repository->setNotes(notes));
    for (const auto &[id, note] : notes)
        QCOMPARE(m_repository->note(id).value(), note);
    auto all = m_repository->notes().value();
    std::ranges::sort(notes, {}, [](const auto &note) { return note.first; });
    QCOMPARE(all, notes);
    QCOMPARE(m_repository->setNote(QString(40, u'3'), {}).error().kind, Error::Kind::NotFound);
    // Nothing new, nothing written.
    const int before = looseCount();
    QVERIFY(m_repository->setNotes(notes));
    QCOMPARE(looseCount(), before);
    QCOMPARE(m_repository->check().value(), QStringList());
    QCOMPARE(m_repository->reachableAttempts().value().size(), 300); // notes are no attempts
}

void TestKernelRepository::notesInGitsOwnLayouts()
{
    // What `git notes` writes: flat for few notes. Made by hand here: the integration test does it with git itself.
    const QString id = m_repository->commit(attempt(0)).value();
    QVERIFY(m_repository->setNote(id, {{u"a"_s, 1}}));
    QVERIFY(m_repository->setNote(id, {{u"a"_s, 2}}));
    QCOMPARE(m_repository->notes().value().size(), 1);
    QCOMPARE(m_repository->note(id).value().value(u"a"_s).toInt(), 2);
}

void TestKernelRepository::patchOfTwoKernels()
{
    const QString base = m_repository->commit(attempt(0)).value();
    const QString child = m_repository->commit(attempt(1, base)).value();
    const QByteArray patch = m_repository->patch(base, child).value();
    QVERIFY(patch.contains("--- a/kernel.py\n+++ b/kernel.py\n"));
    QVERIFY(patch.contains("-    return x * 0\n+    return x * 1\n"));
    QVERIFY(m_repository->patch(base, base).value().isEmpty());
    QVERIFY(!m_repository->patch(base, QString(40, u'4')));
}

void TestKernelRepository::packingKeepsEverything()
{
    QStringList ids;
    for (int i = 0; i < 200; ++i)
        ids.append(m_repository->commit(attempt(i, i ? ids.first() : QString())).value());
    QVERIFY(m_repository->setBranch(u"silu/best"_s, ids.last()));
    QVERIFY(looseCount() > 600);
    QVERIFY(m_repository->pack({}));
    QCOMPARE(looseCount(), 0);
    QCOMPARE(packCount(), 1);
    for (int i = 0; i < ids.size(); ++i) {
        QCOMPARE(m_repository->file(ids.at(i), u"kernel.py"_s).value(), attempt(i).kernel);
        QCOMPARE(m_repository->commit(attempt(i, i ? ids.first() : QString())).value(), ids.at(i));
    }
    QCOMPARE(m_repository->check().value(), QStringList());
    QCOMPARE(m_repository->reachableAttempts().value().size(), 200);
}

void TestKernelRepository::packsStayFew()
{
    int number = 0;
    for (int round = 0; round < 24; ++round) {
        for (int i = 0; i < 25; ++i)
            QVERIFY(m_repository->commit(attempt(++number)));
        QVERIFY(m_repository->pack({}));
    }
    QVERIFY2(packCount() <= 6, qPrintable(QString::number(packCount())));
    QCOMPARE(m_repository->reachableAttempts().value().size(), number);
    QCOMPARE(m_repository->check().value(), QStringList());
}

void TestKernelRepository::packingCanBeCancelled()
{
    for (int i = 0; i < 50; ++i)
        QVERIFY(m_repository->commit(attempt(i)));
    const int before = looseCount();
    CancelSource source;
    source.request_stop();
    QCOMPARE(m_repository->pack(source.get_token()).error().kind, Error::Kind::Cancelled);
    QCOMPARE(looseCount(), before);
    QCOMPARE(packCount(), 0);
}

void TestKernelRepository::anotherInstancePacksWhileThisOneReads()
{
    QStringList ids;
    const auto packer = KernelRepository::open(m_path).value();
    for (int round = 0; round < 8; ++round) {
        for (int i = 0; i < 25; ++i)
            ids.append(m_repository->commit(attempt(int(ids.size()))).value());
        for (int i = 0; i < ids.size(); i += 7)
            QVERIFY(m_repository->file(ids.at(i), u"kernel.py"_s));
        QVERIFY(packer->pack({}));
        for (int i = 0; i < ids.size(); ++i)
            QCOMPARE(m_repository->file(ids.at(i), u"kernel.py"_s).value(), attempt(i).kernel);
    }
}

void TestKernelRepository::twoInstancesWrite()
{
    // Both write into the same references at once; nothing may be lost.
    const auto write = [this](int first) {
        const auto own = KernelRepository::open(m_path).value();
        for (int i = first; i < first + 100; ++i) {
            const QString id = own->commit(attempt(i)).value();
            if (i % 10 == 0 && !own->setNote(id, {{u"n"_s, i}}))
                qFatal("no note");
        }
    };
    std::thread other(write, 1000);
    write(2000);
    other.join();
    QCOMPARE(m_repository->reachableAttempts().value().size(), 200);
    QCOMPARE(m_repository->notes().value().size(), 20);
    QCOMPARE(m_repository->check().value(), QStringList());
}

void TestKernelRepository::aLockLeftBehindIsTakenOver()
{
    QVERIFY(m_repository->commit(attempt(0)));
    QFile lock(m_path + u"/refs/accelopt/1/silu/1.lock"_s);
    QVERIFY(lock.open(QIODevice::WriteOnly));
    lock.close();
    QVERIFY(m_repository->commit(attempt(1)));
    QVERIFY(!lock.exists());
}

void TestKernelRepository::checkFindsMissingObjects()
{
    const QString id = m_repository->commit(attempt(0)).value();
    QCOMPARE(m_repository->check().value(), QStringList());
    const QString file = m_path + u"/objects/"_s + id.left(2) + u'/' + id.mid(2);
    QVERIFY(QFile::remove(file));
    const QStringList found = m_repository->check().value();
    QVERIFY2(!found.isEmpty() && found.first().contains(id), qPrintable(found.join(u'\n')));
}

QTEST_GUILESS_MAIN(TestKernelRepository)
#include "tst_kernelrepository.moc"
