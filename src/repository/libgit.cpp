// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/libgit.h"

#include <cerrno>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::git {

void initialize()
{
    static const int count = [] {
        const int started = git_libgit2_init();
        // Objects are checked by their hash when read; ours were hashed by ourselves when written, and their parts are
        // known to be there.
        git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 0);
        // A project on a shared or mounted folder belongs to whoever made it; we never run anything from it.
        git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
        return started;
    }();
    (void)count;
}

Error error(int code, const QString &what)
{
    const int systemError = errno;
    const git_error *last = git_error_last();
    const QString detail =
        u"%1 (libgit2 %2)"_s.arg(last && last->message ? QString::fromUtf8(last->message) : QString()).arg(code);
    if (last && last->klass == GIT_ERROR_OS && (systemError == ENOSPC || systemError == EDQUOT))
        return {Error::Kind::NoSpace, u"%1: the disk is full. What was there before is unchanged."_s.arg(what), detail};
    switch (code) {
    case GIT_ENOTFOUND:
    case GIT_EAMBIGUOUS:
        return {Error::Kind::NotFound, what + u'.', detail};
    case GIT_ELOCKED:
    case GIT_EMODIFIED:
        return {Error::Kind::Conflict, u"%1: another program is changing the kernel repository."_s.arg(what), detail};
    default:
        return {Error::Kind::Io, u"%1: the kernel repository could not be used."_s.arg(what), detail};
    }
}

QString toString(const git_oid &id)
{
    char text[GIT_OID_SHA1_HEXSIZE + 1];
    git_oid_tostr(text, sizeof text, &id);
    return QString::fromLatin1(text);
}

bool parse(const QString &text, git_oid &id)
{
    const QByteArray hex = text.toLatin1();
    return hex.size() == GIT_OID_SHA1_HEXSIZE && git_oid_fromstr(&id, hex.constData()) == 0;
}

} // namespace accelopt::git
