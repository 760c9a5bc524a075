// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/kernelrepository.h"
#include "repository/libgit.h"
#include "repository/objectwriter.h"

#include <QHash>
#include <QSet>
#include <functional>

namespace accelopt {

inline constexpr char notesRef[] = "refs/notes/accelopt";

class KernelRepository::Private {
public:
    QString path;
    git::Repository repository;
    git::ObjectWriter objects;

    /// (Re)opens the repository; another process may have replaced packs that this one has in its hands.
    [[nodiscard]] int reopen();
    /// Runs `work` (a libgit2 code), and once more after reopening where it failed for another reason than "not there".
    [[nodiscard]] int retrying(const std::function<int()> &work);

    /// Writes the files, tree and commit; GIT_ENOTFOUND where its parent is not there.
    [[nodiscard]] int writeAttempt(git_oid &id, git_oid &tree, const AttemptCommit &attempt);
    /// Remembers files that the next attempts have too. Only once a reference reaches them: no pruning takes them then.
    void share(std::initializer_list<const QByteArray *> contents);
    /// Sets a reference to `target` if it still points to `expected` (nullptr: does not exist); takes over locks of
    /// dead processes.
    [[nodiscard]] int setReference(
        const QByteArray &name, const git_oid &target, const git_oid *expected, bool force = false);
    [[nodiscard]] bool referenceTarget(const QByteArray &name, git_oid &id);

    /// The attempts one keep reference reaches, as of `tip`.
    struct Kept {
        git_oid tip = {};
        bool exists = false;
        QSet<QByteArray> attempts; ///< raw ids
    };
    [[nodiscard]] int loadKept(const QByteArray &name, Kept &kept);
    QHash<QByteArray, Kept> kept;
    QHash<QByteArray, git_oid> shared; ///< the ids of references and problem files, by their content

    [[nodiscard]] int findCommit(git::Commit &commit, const QString &id);
    [[nodiscard]] int findFile(git::Blob &blob, const QString &commit, const QByteArray &name);
    /// All notes of the tree `root`, whatever its fan-out: annotated id -> blob.
    [[nodiscard]] int readNotesTree(const git_oid &root, std::vector<std::pair<QByteArray, git_oid>> &notes);
};

} // namespace accelopt
