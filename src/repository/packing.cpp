// SPDX-License-Identifier: GPL-3.0-or-later
//
// Packing: loose objects go into a new pack, and with them the packs of one size where there are many. The new pack is
// complete, checked and on the disk before anything it replaces is removed, so that at every instant every object can
// be found.
#include "repository/repositoryprivate.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QMap>
#include <bit>
#include <fcntl.h>
#include <git2/sys/odb_backend.h>
#include <sys/file.h>
#include <unistd.h>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

namespace {

/// Fewer loose objects than this are not worth a pack of their own.
constexpr size_t fewObjects = 64;
/// So many packs of about one size (a power of eight bytes) become one. An object is packed again for every power its
/// pack grows by, not at every packing, and there are O(log n) packs.
constexpr qsizetype manyPacks = 6;
constexpr int bitsOfTier = 3;

struct LooseObject {
    git_oid id;
    QByteArray file;
};

std::vector<LooseObject> looseObjects(const QString &objects)
{
    std::vector<LooseObject> found;
    for (int first = 0; first < 256; ++first) {
        const QString folder = u"%1/%2"_s.arg(objects).arg(first, 2, 16, QLatin1Char('0'));
        const QFileInfoList files = QDir(folder).entryInfoList(QDir::Files);
        for (const QFileInfo &file : files) {
            const QByteArray hex = QByteArray::number(first + 256, 16).mid(1) + file.fileName().toLatin1();
            LooseObject object;
            if (hex.size() == qsizetype(GIT_OID_SHA1_HEXSIZE) && git_oid_fromstr(&object.id, hex.constData()) == 0) {
                object.file = QFile::encodeName(file.filePath());
                found.push_back(object);
            }
        }
    }
    return found;
}

git::Odb packOdb(const QString &indexFile)
{
    git::Odb odb;
    git_odb_backend *backend = nullptr;
    if (git::make(odb, git_odb_new) != 0
        || git_odb_backend_one_pack(&backend, QFile::encodeName(indexFile).constData()) != 0)
        return {};
    if (git_odb_add_backend(odb.get(), backend, 1) != 0) {
        backend->free(backend);
        return {};
    }
    return odb;
}

bool syncToDisk(const QString &path)
{
    const int file = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool synced = ::fsync(file) == 0;
    ::close(file);
    return synced;
}

/// Only one packer at a time; the lock dies with its process.
class PackLock {
public:
    explicit PackLock(const QString &repository)
        : m_file(::open(
              QFile::encodeName(repository + u"/accelopt-pack.lock"_s).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0644))
    {
        m_held = m_file >= 0 && ::flock(m_file, LOCK_EX | LOCK_NB) == 0;
    }
    ~PackLock()
    {
        if (m_file >= 0)
            ::close(m_file);
    }
    Q_DISABLE_COPY_MOVE(PackLock)
    [[nodiscard]] bool isHeld() const { return m_held; }

private:
    int m_file;
    bool m_held = false;
};

/// What a process that was killed while writing left behind. An hour is longer than any write of ours.
void removeOldTemporaryFiles(const QString &objects)
{
    const QDateTime before = QDateTime::currentDateTime().addSecs(-3600);
    QDirIterator files(objects, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QFileInfo file = files.nextFileInfo();
        const QString name = file.fileName();
        if ((name.startsWith("tmp_"_L1) || name.startsWith("pack_git2_"_L1)) && file.lastModified() < before)
            QFile::remove(file.filePath());
    }
}

} // namespace

Result<void> KernelRepository::pack(const CancelToken &token)
{
    const QString what = u"The kernel repository was not packed; nothing is lost"_s;
    const PackLock lock(d->path);
    if (!lock.isHeld())
        return {}; // somebody else does it right now
    const QString objects = d->path + u"/objects"_s, packFolder = objects + u"/pack"_s;
    removeOldTemporaryFiles(objects);
    const std::vector<LooseObject> loose = looseObjects(objects);
    if (loose.size() < fewObjects)
        return {};

    // Packs to take along. Not those a person marked to be kept, and none where git's own index over several packs
    // names them.
    QStringList merged;
    if (!QFileInfo::exists(packFolder + u"/multi-pack-index"_s)) {
        QMap<int, QStringList> tiers;
        const QFileInfoList packs = QDir(packFolder).entryInfoList({u"pack-*.pack"_s}, QDir::Files);
        for (const QFileInfo &info : packs) {
            const QString stem = packFolder + u'/' + info.completeBaseName();
            if (!QFileInfo::exists(stem + u".keep"_s) && QFileInfo::exists(stem + u".idx"_s))
                tiers[int(std::bit_width(quint64(info.size()))) / bitsOfTier].append(stem);
        }
        for (const QStringList &tier : std::as_const(tiers)) {
            if (tier.size() >= manyPacks) {
                merged = tier;
                break;
            }
        }
    }

    // A repository of its own: the packer must not see objects through packs that another instance has already
    // replaced.
    Private own;
    own.path = d->path;
    if (const int code = own.reopen())
        return std::unexpected(git::error(code, what));
    git::PackBuilder builder;
    if (const int code = git::make(builder, git_packbuilder_new, own.repository.get()))
        return std::unexpected(git::error(code, what));
    git_packbuilder_set_threads(builder.get(), 1);
    std::vector<git_oid> packed;
    for (const LooseObject &object : loose)
        packed.push_back(object.id);
    for (const QString &stem : merged) {
        const git::Odb odb = packOdb(stem + u".idx"_s);
        const auto add = [](const git_oid *id, void *list) {
            static_cast<std::vector<git_oid> *>(list)->push_back(*id);
            return 0;
        };
        if (!odb || git_odb_foreach(odb.get(), add, &packed) != 0)
            return fail(Error::Kind::Io, what + u'.', stem);
    }
    for (size_t i = 0; i < packed.size(); ++i) {
        if (i % 256 == 0 && token.stop_requested())
            return fail(Error::Kind::Cancelled, what + u'.');
        if (const int code = git_packbuilder_insert(builder.get(), &packed[i], nullptr))
            return std::unexpected(git::error(code, what));
    }
    auto stopped = [](int, uint32_t, uint32_t, void *payload) {
        return static_cast<const CancelToken *>(payload)->stop_requested() ? -1 : 0;
    };
    git_packbuilder_set_callbacks(builder.get(), stopped, const_cast<CancelToken *>(&token));
    auto stoppedIndexing = [](const git_indexer_progress *, void *payload) {
        return static_cast<const CancelToken *>(payload)->stop_requested() ? -1 : 0;
    };
    if (const int code =
            git_packbuilder_write(builder.get(), nullptr, 0, stoppedIndexing, const_cast<CancelToken *>(&token))) {
        if (token.stop_requested())
            return fail(Error::Kind::Cancelled, what + u'.');
        return std::unexpected(git::error(code, what));
    }
    const QString stem = packFolder + u"/pack-"_s + QString::fromLatin1(git_packbuilder_name(builder.get()));

    // On the disk and complete? Only then what it replaces may go.
    if (!syncToDisk(stem + u".pack"_s) || !syncToDisk(stem + u".idx"_s) || !syncToDisk(packFolder))
        return fail(Error::Kind::Io, what + u'.', stem);
    const git::Odb fresh = packOdb(stem + u".idx"_s);
    for (const git_oid &id : packed) {
        if (!fresh || !git_odb_exists(fresh.get(), &id))
            return fail(Error::Kind::Internal, what + u'.', u"%1 is not in %2"_s.arg(git::toString(id), stem));
    }
    for (const LooseObject &object : loose)
        ::unlink(object.file.constData());
    for (const QString &old : merged) {
        if (old == stem)
            continue;
        // The index first: a pack without one is no pack to anybody.
        for (const QLatin1StringView suffix : {".idx"_L1, ".rev"_L1, ".bitmap"_L1, ".pack"_L1})
            QFile::remove(old + suffix);
    }
    if (const int code = d->reopen())
        return std::unexpected(git::error(code, what));
    return {};
}

} // namespace accelopt
