// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal/lockfile.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::journal {

Result<std::unique_ptr<LockFile>> LockFile::take(const QString &path)
{
    std::unique_ptr<LockFile> lock(new LockFile);
    lock->m_file = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (lock->m_file < 0) {
        const int code = errno;
        const Error::Kind kind = code == ENOSPC || code == EDQUOT ? Error::Kind::NoSpace : Error::Kind::Io;
        return fail(kind,
            kind == Error::Kind::NoSpace ? u"The disk is full. Nothing was changed; free some space and try again."_s
                                         : u"The project's folder may not be written to; nothing was changed."_s,
            u"%1: %2"_s.arg(QDir::toNativeSeparators(path), QString::fromLocal8Bit(std::strerror(code))));
    }
    if (::flock(lock->m_file, LOCK_EX | LOCK_NB) != 0) {
        char text[32] = {};
        const ssize_t size = ::pread(lock->m_file, text, sizeof text - 1, 0);
        const QString owner = size > 0 ? QString::fromLatin1(text, size).trimmed() : u"unknown"_s;
        ::close(std::exchange(lock->m_file, -1));
        return fail(Error::Kind::Conflict,
            u"The project is open for writing in another program (process %1). Close it there, or wait until its run is over."_s
                .arg(owner),
            QDir::toNativeSeparators(path));
    }
    const QByteArray pid = QByteArray::number(QCoreApplication::applicationPid()) + '\n';
    // A lock whose text cannot be written (full disk) still locks.
    if (::ftruncate(lock->m_file, 0) == 0)
        (void)!::pwrite(lock->m_file, pid.constData(), size_t(pid.size()), 0);
    return lock;
}

LockFile::~LockFile()
{
    // The file stays: removing a lock file lets two processes lock two different files of one name.
    if (m_file >= 0) {
        (void)!::ftruncate(m_file, 0);
        ::close(m_file);
    }
}

} // namespace accelopt::journal
