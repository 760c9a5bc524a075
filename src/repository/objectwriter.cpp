// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/objectwriter.h"

#include <QCryptographicHash>
#include <QRandomGenerator>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <git2/sys/errors.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accelopt::git {

namespace {

constexpr char author[] = "AccelOpt Studio <studio@localhost>";

/// libgit2's way of telling: its own error, with `errno` as it was (git::error looks at both).
int failed(const char *what)
{
    const int systemError = errno;
    const QByteArray text = QByteArray(what) + ": " + std::strerror(systemError);
    git_error_set_str(GIT_ERROR_OS, text.constData());
    errno = systemError;
    return GIT_ERROR;
}

bool writeAll(int file, const char *data, qsizetype size)
{
    while (size > 0) {
        const ssize_t written = ::write(file, data, size_t(size));
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        data += written;
        size -= written;
    }
    return true;
}

quint32 adler32(const QByteArray &data)
{
    // RFC 1950. 5552 is the most bytes before the sums can overflow 32 bits.
    quint32 a = 1, b = 0;
    for (qsizetype at = 0; at < data.size();) {
        const qsizetype end = std::min<qsizetype>(at + 5552, data.size());
        for (; at < end; ++at) {
            a += quint8(data.at(at));
            b += a;
        }
        a %= 65521;
        b %= 65521;
    }
    return b << 16 | a;
}

/// A zlib stream (RFC 1950, 1951) of stored blocks. Loose objects live until the next packing, which compresses, and
/// most are smaller than a block of the disk: compressing them here would cost time and save nothing.
QByteArray zlibStored(const QByteArray &data)
{
    constexpr qsizetype largestBlock = 0xffff;
    QByteArray stream;
    stream.reserve(data.size() + 5 * (data.size() / largestBlock + 1) + 6);
    stream.append("\x78\x01", 2);
    qsizetype at = 0;
    do {
        const qsizetype size = std::min(largestBlock, data.size() - at);
        const bool last = at + size == data.size();
        const char header[] = {char(last), char(size & 0xff), char(size >> 8), char(~size & 0xff), char(~size >> 8)};
        stream.append(header, sizeof header);
        stream.append(data.constData() + at, size);
        at += size;
    } while (at < data.size());
    const quint32 sum = adler32(data);
    const char trailer[] = {char(sum >> 24), char(sum >> 16), char(sum >> 8), char(sum)};
    stream.append(trailer, sizeof trailer);
    return stream;
}

QByteArray withHeader(git_object_t type, const QByteArray &data)
{
    QByteArray object;
    object.reserve(data.size() + 32);
    object.append(git_object_type2string(type)).append(' ').append(QByteArray::number(data.size())).append('\0');
    return object.append(data);
}

git_oid hashOf(const QByteArray &object)
{
    git_oid id;
    const QByteArray hash = QCryptographicHash::hash(object, QCryptographicHash::Sha1);
    git_oid_fromraw(&id, reinterpret_cast<const unsigned char *>(hash.constData()));
    return id;
}

QByteArray hexOf(const git_oid &id)
{
    QByteArray hex(qsizetype(GIT_OID_SHA1_HEXSIZE), Qt::Uninitialized);
    git_oid_fmt(hex.data(), &id);
    return hex;
}

/// Removes a file unless it is told that it has been moved away.
class TemporaryFile {
public:
    TemporaryFile(QByteArray path, int mode)
        : m_path(std::move(path))
        , m_file(::open(m_path.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode))
    {
    }
    ~TemporaryFile()
    {
        if (m_file < 0)
            return;
        const int systemError = errno;
        ::close(m_file);
        if (!m_moved)
            ::unlink(m_path.constData());
        errno = systemError;
    }
    Q_DISABLE_COPY_MOVE(TemporaryFile)
    [[nodiscard]] bool isOpen() const { return m_file >= 0; }
    [[nodiscard]] bool write(const QByteArray &data) const { return writeAll(m_file, data.constData(), data.size()); }
    [[nodiscard]] bool moveTo(const QByteArray &place)
    {
        m_moved = ::rename(m_path.constData(), place.constData()) == 0;
        return m_moved;
    }

private:
    QByteArray m_path;
    int m_file;
    bool m_moved = false;
};

} // namespace

void ObjectWriter::setRepository(const QByteArray &path)
{
    m_path = path;
    // The prefix is git's: it removes what is left of such files when it prunes.
    m_temporary = "tmp_obj_" + QByteArray::number(QRandomGenerator::system()->generate64(), 36) + '_';
}

git_oid ObjectWriter::idOf(git_object_t type, const QByteArray &data)
{
    return hashOf(withHeader(type, data));
}

int ObjectWriter::write(git_oid &id, git_object_t type, const QByteArray &data)
{
    id = idOf(type, data);
    return writeAs(id, type, data);
}

int ObjectWriter::writeAs(const git_oid &id, git_object_t type, const QByteArray &data)
{
    const QByteArray hex = hexOf(id), folder = m_path + "/objects/" + hex.left(2) + '/';
    const QByteArray temporary = folder + m_temporary + QByteArray::number(++m_count);
    for (int tries = 0; tries < 2; ++tries) {
        // Read only, as git has them; moved to its place when it is whole.
        TemporaryFile file(temporary, 0444);
        if (!file.isOpen()) {
            if (errno == ENOENT && (::mkdir(folder.constData(), 0777) == 0 || errno == EEXIST))
                continue;
            return failed("a folder of objects cannot be written");
        }
        if (!file.write(zlibStored(withHeader(type, data))) || !file.moveTo(folder + hex.mid(2)))
            return failed("an object cannot be written");
        return 0;
    }
    return failed("a folder of objects cannot be made");
}

int ObjectWriter::moveReference(const QByteArray &name, const git_oid &target, const git_oid &expected) const
{
    const QByteArray place = m_path + '/' + name;
    TemporaryFile lock(place + ".lock", 0666);
    if (!lock.isOpen())
        return errno == EEXIST ? GIT_ELOCKED : errno == ENOENT ? GIT_ENOTFOUND : failed("a reference cannot be locked");
    const int file = ::open(place.constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return GIT_ENOTFOUND;
    char text[64];
    const ssize_t size = ::read(file, text, sizeof text);
    ::close(file);
    git_oid current;
    if (size != ssize_t(GIT_OID_SHA1_HEXSIZE + 1) || text[GIT_OID_SHA1_HEXSIZE] != '\n'
        || git_oid_fromstrn(&current, text, GIT_OID_SHA1_HEXSIZE) != 0)
        return GIT_ENOTFOUND;
    if (!git_oid_equal(&current, &expected))
        return GIT_EMODIFIED;
    if (!lock.write(hexOf(target) + '\n') || !lock.moveTo(place))
        return failed("a reference cannot be written");
    return 0;
}

QByteArray commitText(
    const git_oid &tree, const std::vector<git_oid> &parents, const QDateTime &at, const QByteArray &message)
{
    const qint64 seconds = at.isValid() ? std::max<qint64>(0, at.toSecsSinceEpoch()) : 0;
    const QByteArray who = QByteArray(author) + ' ' + QByteArray::number(seconds) + " +0000\n";
    QByteArray text = "tree " + hexOf(tree) + '\n';
    for (const git_oid &parent : parents)
        text += "parent " + hexOf(parent) + '\n';
    return text + "author " + who + "committer " + who + '\n' + message;
}

QByteArray treeText(const std::vector<std::pair<QByteArray, git_oid>> &files)
{
    QByteArray text;
    for (const auto &[name, id] : files) {
        text.append("100644 ").append(name).append('\0');
        text.append(reinterpret_cast<const char *>(id.id), qsizetype(GIT_OID_SHA1_SIZE));
    }
    return text;
}

} // namespace accelopt::git
