// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/message.h"
#include "repository/repositoryprivate.h"

#include <QJsonDocument>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

Result<QStringList> KernelRepository::reachableAttempts() const
{
    QStringList attempts;
    const int code = d->retrying([&]() -> int {
        attempts.clear();
        git::RevWalk walk;
        if (const int made = git::make(walk, git_revwalk_new, d->repository.get()))
            return made;
        for (const char *glob : {"refs/heads/*", "refs/accelopt/*", "refs/tags/*"}) {
            if (const int pushed = git_revwalk_push_glob(walk.get(), glob))
                return pushed;
        }
        git_oid id;
        int next = 0;
        while ((next = git_revwalk_next(&id, walk.get())) == 0) {
            git::Commit commit;
            if (const int found =
                    git::make(commit, git_commit_lookup, d->repository.get(), static_cast<const git_oid *>(&id)))
                return found;
            if (!git::attemptTrailer(git_commit_message(commit.get())).isEmpty())
                attempts.append(git::toString(id));
        }
        return next == GIT_ITEROVER ? 0 : next;
    });
    if (code != 0)
        return std::unexpected(git::error(code, u"The attempts in the kernel repository could not be listed"_s));
    return attempts;
}

namespace {

/// Collects what is missing below the references.
class Checker {
public:
    Checker(git_repository *repository, QStringList &problems)
        : m_repository(repository)
        , m_problems(problems)
    {
        (void)git::make(m_odb, git_repository_odb, repository);
    }

    void checkFrom(const git_oid &start, const QString &reference)
    {
        std::vector<git_oid> open{start};
        while (!open.empty()) {
            const git_oid id = open.back();
            open.pop_back();
            if (!see(id))
                continue;
            git::Commit commit;
            if (git::make(commit, git_commit_lookup, m_repository, &id) != 0) {
                m_problems.append(
                    u"commit %1, needed by %2, is missing or damaged"_s.arg(git::toString(id), reference));
                continue;
            }
            checkTree(*git_commit_tree_id(commit.get()), git::toString(id));
            for (unsigned i = 0; i < git_commit_parentcount(commit.get()); ++i)
                open.push_back(*git_commit_parent_id(commit.get(), i));
        }
    }

private:
    bool see(const git_oid &id)
    {
        const QByteArray raw(reinterpret_cast<const char *>(id.id), GIT_OID_SHA1_SIZE);
        const qsizetype before = m_seen.size();
        m_seen.insert(raw);
        return m_seen.size() != before;
    }

    void checkTree(const git_oid &id, const QString &owner)
    {
        if (!see(id))
            return;
        git::Tree tree;
        if (git::make(tree, git_tree_lookup, m_repository, &id) != 0) {
            m_problems.append(u"tree %1 of commit %2 is missing or damaged"_s.arg(git::toString(id), owner));
            return;
        }
        for (size_t i = 0; i < git_tree_entrycount(tree.get()); ++i) {
            const git_tree_entry *entry = git_tree_entry_byindex(tree.get(), i);
            const git_oid *child = git_tree_entry_id(entry);
            if (git_tree_entry_type(entry) == GIT_OBJECT_TREE) {
                checkTree(*child, owner);
            } else if (see(*child)) {
                // Reading also compares the content with its hash.
                git::OdbObject object;
                if (git::make(object, git_odb_read, m_odb.get(), child) != 0)
                    m_problems.append(u"file %1 of commit %2 is missing or damaged"_s.arg(
                        QString::fromUtf8(git_tree_entry_name(entry)), owner));
            }
        }
    }

    git_repository *m_repository;
    git::Odb m_odb;
    QStringList &m_problems;
    QSet<QByteArray> m_seen;
};

} // namespace

Result<QStringList> KernelRepository::check() const
{
    if (const int code = d->reopen())
        return std::unexpected(git::error(code, u"The kernel repository could not be checked"_s));
    QStringList problems;
    Checker checker(d->repository.get(), problems);
    git::ReferenceIterator references;
    if (const int code = git::make(references, git_reference_iterator_new, d->repository.get()))
        return std::unexpected(git::error(code, u"The references of the kernel repository could not be read"_s));
    git_reference *next = nullptr;
    int code = 0;
    while ((code = git_reference_next(&next, references.get())) == 0) {
        const git::Reference reference(next);
        const QString name = QString::fromUtf8(git_reference_name(next));
        const git_oid *target = git_reference_target(next);
        if (!target) {
            problems.append(u"reference %1 points to nothing"_s.arg(name));
            continue;
        }
        checker.checkFrom(*target, name);
    }
    if (code != GIT_ITEROVER)
        problems.append(u"a reference cannot be read: %1"_s.arg(git::error(code, {}).detail));

    git_oid tip;
    git::Commit notesCommit;
    if (d->referenceTarget(notesRef, tip)
        && git::make(notesCommit, git_commit_lookup, d->repository.get(), static_cast<const git_oid *>(&tip)) == 0) {
        std::vector<std::pair<QByteArray, git_oid>> notes;
        if (d->readNotesTree(*git_commit_tree_id(notesCommit.get()), notes) != 0)
            problems.append(u"the notes cannot be read"_s);
        for (const auto &[hex, blobId] : notes) {
            git_oid annotated;
            git::Commit commit;
            if (git_oid_fromstr(&annotated, hex.constData()) != 0
                || git::make(commit, git_commit_lookup, d->repository.get(), static_cast<const git_oid *>(&annotated))
                    != 0)
                problems.append(u"there is a note on %1, but no such commit"_s.arg(QString::fromLatin1(hex)));
            git::Blob blob;
            if (git::make(blob, git_blob_lookup, d->repository.get(), static_cast<const git_oid *>(&blobId)) != 0)
                continue; // reported above
            const QByteArray text(
                static_cast<const char *>(git_blob_rawcontent(blob.get())), qsizetype(git_blob_rawsize(blob.get())));
            if (!QJsonDocument::fromJson(text).isObject())
                problems.append(u"the note on %1 is not a JSON object"_s.arg(QString::fromLatin1(hex)));
        }
    }
    return problems;
}

} // namespace accelopt
