// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/libgit.h"

#include <QByteArray>
#include <QDateTime>
#include <vector>

namespace accelopt::git {

/// Writes loose objects and moves references with as few system calls as git's formats allow; libgit2 looks through all
/// packs and takes several times as long for each. Objects are written again where they exist already: that costs less
/// than to look, and makes them young, so that no pruning takes them before something points to them.
class ObjectWriter {
public:
    void setRepository(const QByteArray &path); ///< the encoded name of the folder

    /// The id of an object; nothing is written.
    [[nodiscard]] static git_oid idOf(git_object_t type, const QByteArray &data);
    [[nodiscard]] int write(git_oid &id, git_object_t type, const QByteArray &data);
    /// The same for an id that is known.
    [[nodiscard]] int writeAs(const git_oid &id, git_object_t type, const QByteArray &data);

    /// Moves an existing loose reference, under git's own lock file, if it still points to `expected`.
    /// GIT_ENOTFOUND: it is no such plain file (packed, missing, symbolic), use libgit2; GIT_ELOCKED, GIT_EMODIFIED.
    [[nodiscard]] int moveReference(const QByteArray &name, const git_oid &target, const git_oid &expected) const;

private:
    QByteArray m_path;
    QByteArray m_temporary; ///< what this writer's temporary files begin with
    quint64 m_count = 0;
};

/// The text of a commit, as git and libgit2 write it.
[[nodiscard]] QByteArray commitText(
    const git_oid &tree, const std::vector<git_oid> &parents, const QDateTime &at, const QByteArray &message);
/// A tree of plain files; `files` must be sorted by name.
[[nodiscard]] QByteArray treeText(const std::vector<std::pair<QByteArray, git_oid>> &files);

} // namespace accelopt::git
