// SPDX-License-Identifier: GPL-3.0-or-later
//
// Results as git notes. The notes tree is written with git's fan-out of one level (two hex digits, then 38), so that a
// note rewrites one small tree and not one of all notes; whatever fan-out git itself left is read, and brought to this
// form where it is touched.
#include "repository/repositoryprivate.h"

#include <QJsonDocument>
#include <map>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

namespace {

/// Writes refs, blobs and trees of notes with one commit for all.
class NotesWriter {
public:
    NotesWriter(git_repository *repository, git::ObjectWriter &objects)
        : m_repository(repository)
        , m_objects(objects)
    {
    }

    int load(const git_oid *tip)
    {
        if (!tip)
            return 0;
        git::Commit commit;
        if (const int code = git::make(commit, git_commit_lookup, m_repository, tip))
            return code;
        if (const int code = git::make(m_root, git_commit_tree, static_cast<const git_commit *>(commit.get())))
            return code;
        // Flat entries, as git writes few notes: they move into their sub-trees.
        for (size_t i = 0; i < git_tree_entrycount(m_root.get()); ++i) {
            const git_tree_entry *entry = git_tree_entry_byindex(m_root.get(), i);
            const QByteArray name = git_tree_entry_name(entry);
            if (git_tree_entry_type(entry) == GIT_OBJECT_BLOB && name.size() == qsizetype(GIT_OID_SHA1_HEXSIZE)) {
                m_flat.push_back(name);
                m_changes[name.left(2)].emplace(name.mid(2), *git_tree_entry_id(entry));
            }
        }
        return 0;
    }

    int set(const QByteArray &hex, const QByteArray &text)
    {
        git_oid blob;
        if (const int code = m_objects.write(blob, GIT_OBJECT_BLOB, text))
            return code;
        m_changes[hex.left(2)].insert_or_assign(hex.mid(2), blob);
        return 0;
    }

    int writeTree(git_oid &id)
    {
        git::TreeBuilder root;
        if (const int code =
                git::make(root, git_treebuilder_new, m_repository, static_cast<const git_tree *>(m_root.get())))
            return code;
        for (const QByteArray &name : m_flat)
            git_treebuilder_remove(root.get(), name.constData());
        for (const auto &[prefix, entries] : m_changes) {
            git_oid subtree;
            if (const int code = writeSubtree(subtree, prefix, entries))
                return code;
            if (const int code =
                    git_treebuilder_insert(nullptr, root.get(), prefix.constData(), &subtree, GIT_FILEMODE_TREE))
                return code;
        }
        return git_treebuilder_write(&id, root.get());
    }

private:
    using Entries = std::map<QByteArray, git_oid>;

    int writeSubtree(git_oid &id, const QByteArray &prefix, const Entries &entries)
    {
        git::Tree old;
        if (m_root) {
            const git_tree_entry *entry = git_tree_entry_byname(m_root.get(), prefix.constData());
            if (entry && git_tree_entry_type(entry) == GIT_OBJECT_TREE) {
                if (const int code = git::make(old, git_tree_lookup, m_repository, git_tree_entry_id(entry)))
                    return code;
            }
        }
        git::TreeBuilder builder;
        if (const int code =
                git::make(builder, git_treebuilder_new, m_repository, static_cast<const git_tree *>(old.get())))
            return code;
        // A deeper fan-out, as git makes for very many notes: unfolded.
        for (size_t i = 0; old && i < git_tree_entrycount(old.get()); ++i) {
            const git_tree_entry *entry = git_tree_entry_byindex(old.get(), i);
            if (git_tree_entry_type(entry) != GIT_OBJECT_TREE)
                continue;
            const QByteArray folder = git_tree_entry_name(entry);
            git::Tree deeper;
            if (const int code = git::make(deeper, git_tree_lookup, m_repository, git_tree_entry_id(entry)))
                return code;
            git_treebuilder_remove(builder.get(), folder.constData());
            for (size_t k = 0; k < git_tree_entrycount(deeper.get()); ++k) {
                const git_tree_entry *leaf = git_tree_entry_byindex(deeper.get(), k);
                const QByteArray name = folder + git_tree_entry_name(leaf);
                if (const int code = git_treebuilder_insert(nullptr, builder.get(), name.constData(),
                        git_tree_entry_id(leaf), git_tree_entry_filemode(leaf)))
                    return code;
            }
        }
        for (const auto &[name, blob] : entries) {
            if (const int code =
                    git_treebuilder_insert(nullptr, builder.get(), name.constData(), &blob, GIT_FILEMODE_BLOB))
                return code;
        }
        return git_treebuilder_write(&id, builder.get());
    }

    git_repository *m_repository;
    git::ObjectWriter &m_objects;
    git::Tree m_root;
    std::vector<QByteArray> m_flat;
    std::map<QByteArray, Entries> m_changes; ///< first two digits -> the other 38 -> blob
};

QByteArray noteText(const QJsonObject &note)
{
    return QJsonDocument(note).toJson(QJsonDocument::Compact) + '\n';
}

} // namespace

Result<void> KernelRepository::setNote(const QString &commit, const QJsonObject &note)
{
    return setNotes({{commit, note}});
}

Result<void> KernelRepository::setNotes(const QList<std::pair<QString, QJsonObject>> &notes)
{
    const QString what = u"The results were not noted in the kernel repository"_s;
    if (notes.isEmpty())
        return {};
    for (const auto &[id, note] : notes) {
        git_oid oid;
        git::Commit commit;
        if (!git::parse(id, oid) || d->retrying([&] { return d->findCommit(commit, id); }) != 0)
            return fail(Error::Kind::NotFound, u"%1: there is no commit %2."_s.arg(what, id));
    }
    for (int tries = 0; tries < 100; ++tries) {
        git_oid tip;
        const bool exists = d->referenceTarget(notesRef, tip);
        NotesWriter writer(d->repository.get(), d->objects);
        int code = writer.load(exists ? &tip : nullptr);
        for (qsizetype i = 0; code == 0 && i < notes.size(); ++i)
            code = writer.set(notes.at(i).first.toLatin1(), noteText(notes.at(i).second));
        git_oid tree;
        if (code == 0)
            code = writer.writeTree(tree);
        if (code == 0 && exists) {
            git::Commit previous;
            code = git::make(previous, git_commit_lookup, d->repository.get(), static_cast<const git_oid *>(&tip));
            if (code == 0 && git_oid_equal(git_commit_tree_id(previous.get()), &tree))
                return {}; // all of it stands there already
        }
        git_oid commit;
        if (code == 0) {
            const QByteArray message = notes.size() == 1 ? QByteArray("Note a result\n")
                                                         : "Note " + QByteArray::number(notes.size()) + " results\n";
            code = d->objects.write(commit, GIT_OBJECT_COMMIT,
                git::commitText(tree, exists ? std::vector<git_oid>{tip} : std::vector<git_oid>(),
                    QDateTime::currentDateTimeUtc(), message));
        }
        if (code == 0)
            code = d->setReference(notesRef, commit, exists ? &tip : nullptr);
        if (code == 0)
            return {};
        if (code != GIT_EMODIFIED && code != GIT_EEXISTS && code != GIT_ENOTFOUND)
            return std::unexpected(git::error(code, what));
    }
    return fail(Error::Kind::Conflict, what + u": another program keeps changing them."_s);
}

namespace {

QJsonObject parseNote(const git_blob *blob)
{
    const QByteArray text(static_cast<const char *>(git_blob_rawcontent(blob)), qsizetype(git_blob_rawsize(blob)));
    return QJsonDocument::fromJson(text).object();
}

} // namespace

Result<QJsonObject> KernelRepository::note(const QString &commit) const
{
    QJsonObject note;
    const int code = d->retrying([&]() -> int {
        git_oid tip;
        if (!d->referenceTarget(notesRef, tip))
            return 0;
        git::Commit notes;
        if (const int found =
                git::make(notes, git_commit_lookup, d->repository.get(), static_cast<const git_oid *>(&tip)))
            return found;
        git::Tree tree;
        if (const int found = git::make(tree, git_commit_tree, static_cast<const git_commit *>(notes.get())))
            return found;
        const QByteArray hex = commit.toLatin1().toLower();
        if (hex.size() != qsizetype(GIT_OID_SHA1_HEXSIZE))
            return 0;
        for (const QByteArray &path :
            {hex.left(2) + '/' + hex.mid(2), hex, hex.left(2) + '/' + hex.mid(2, 2) + '/' + hex.mid(4)}) {
            git::TreeEntry entry;
            const int found =
                git::make(entry, git_tree_entry_bypath, static_cast<const git_tree *>(tree.get()), path.constData());
            if (found == GIT_ENOTFOUND)
                continue;
            if (found != 0)
                return found;
            git::Blob blob;
            if (const int read = git::make(blob, git_blob_lookup, d->repository.get(), git_tree_entry_id(entry.get())))
                return read;
            note = parseNote(blob.get());
            return 0;
        }
        return 0;
    });
    if (code != 0)
        return std::unexpected(git::error(code, u"The note of %1 could not be read"_s.arg(commit.left(10))));
    return note;
}

int KernelRepository::Private::readNotesTree(const git_oid &root, std::vector<std::pair<QByteArray, git_oid>> &notes)
{
    std::vector<std::pair<QByteArray, git_oid>> open{{QByteArray(), root}};
    while (!open.empty()) {
        const auto [prefix, id] = open.back();
        open.pop_back();
        git::Tree tree;
        if (const int code = git::make(tree, git_tree_lookup, repository.get(), static_cast<const git_oid *>(&id)))
            return code;
        for (size_t i = 0; i < git_tree_entrycount(tree.get()); ++i) {
            const git_tree_entry *entry = git_tree_entry_byindex(tree.get(), i);
            const QByteArray name = prefix + git_tree_entry_name(entry);
            if (git_tree_entry_type(entry) == GIT_OBJECT_TREE && name.size() < qsizetype(GIT_OID_SHA1_HEXSIZE))
                open.emplace_back(name, *git_tree_entry_id(entry));
            else if (name.size() == qsizetype(GIT_OID_SHA1_HEXSIZE))
                notes.emplace_back(name, *git_tree_entry_id(entry));
        }
    }
    std::ranges::sort(notes, {}, [](const auto &note) { return note.first; });
    return 0;
}

Result<QList<std::pair<QString, QJsonObject>>> KernelRepository::notes() const
{
    QList<std::pair<QString, QJsonObject>> result;
    const int code = d->retrying([&]() -> int {
        result.clear();
        git_oid tip;
        if (!d->referenceTarget(notesRef, tip))
            return 0;
        git::Commit commit;
        if (const int found =
                git::make(commit, git_commit_lookup, d->repository.get(), static_cast<const git_oid *>(&tip)))
            return found;
        std::vector<std::pair<QByteArray, git_oid>> notes;
        if (const int found = d->readNotesTree(*git_commit_tree_id(commit.get()), notes))
            return found;
        for (const auto &[hex, id] : notes) {
            git::Blob blob;
            if (const int found =
                    git::make(blob, git_blob_lookup, d->repository.get(), static_cast<const git_oid *>(&id)))
                return found;
            result.emplaceBack(QString::fromLatin1(hex), parseNote(blob.get()));
        }
        return 0;
    });
    if (code != 0)
        return std::unexpected(git::error(code, u"The notes could not be read"_s));
    return result;
}

} // namespace accelopt
