// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/kernelrepository.h"

#include "domain/attemptkey.h"
#include "repository/message.h"
#include "repository/repositoryprivate.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QThread>
#include <QTimeZone>
#include <git2/sys/commit.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

namespace {

constexpr char authorName[] = "AccelOpt Studio";
constexpr char authorEmail[] = "studio@localhost";
/// What a clone checks out; the name can be no problem's, whose names are [a-z0-9_]+.
constexpr char headBranch[] = "accelopt-studio";
/// Loose objects are packed soon: quick to write counts more than small.
constexpr int looseCompression = 1;
/// A reference lock older than this, and unchanged while we waited, belongs to a process that was killed: git and
/// libgit2 hold one for microseconds.
constexpr int staleLockMs = 2000;

constexpr char readme[] = R"(# Kernels of an AccelOpt Studio project

Every kernel that was generated in this project is a commit: `kernel.py`, `reference.py`, `problem.json`, with the plan as its message.
A commit's parent is the candidate it was made from.

- Branches: `PROBLEM/baseline` and `PROBLEM/best`.
- All attempts, those that were not taken included: `refs/accelopt/RUN/PROBLEM/ITERATION`.
- Results: notes, one JSON object each, in `refs/notes/accelopt`.

    git clone -c remote.origin.fetch='+refs/*:refs/*' --bare PROJECT/kernels.git copy.git
    git -C copy.git log --notes=accelopt silu/best
    git -C copy.git diff silu/baseline silu/best -- kernel.py
)";

git::Signature signatureAt(const QDateTime &at)
{
    git::Signature signature;
    const qint64 seconds = at.isValid() ? std::max<qint64>(0, at.toSecsSinceEpoch()) : 0;
    (void)git::make(signature, git_signature_new, authorName, authorEmail, git_time_t(seconds), 0);
    return signature;
}

QByteArray keepRef(const AttemptCommit &attempt)
{
    const std::optional<AttemptKey> key = AttemptKey::parse(attempt.key);
    return u"refs/accelopt/%1/%2/%3"_s
        .arg(attempt.run, attempt.problem, key ? QString::number(key->iteration) : u"other"_s)
        .toUtf8();
}

QByteArray rawId(const git_oid &id)
{
    return QByteArray(reinterpret_cast<const char *>(id.id), GIT_OID_SHA1_SIZE);
}

constexpr char keepTitle[] = "Keep attempts of ";

} // namespace

KernelRepository::KernelRepository()
    : d(std::make_unique<Private>())
{
    git::initialize();
}

KernelRepository::~KernelRepository() = default;

int KernelRepository::Private::reopen()
{
    repository.reset();
    kept.clear();
    blobs.clear();
    const QByteArray folder = QFile::encodeName(path);
    if (const int code = git::make(repository, git_repository_open_ext, folder.constData(),
            unsigned(GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_BARE), static_cast<const char *>(nullptr)))
        return code;
    // The same two stores libgit2 would open, but with quick compression.
    const QByteArray objects = folder + "/objects";
    git::Odb odb;
    if (const int code = git::make(odb, git_odb_new))
        return code;
    git_odb_backend *loose = nullptr, *packed = nullptr;
    if (const int code = git_odb_backend_loose(&loose, objects.constData(), looseCompression, 0, 0, 0))
        return code;
    if (const int code = git_odb_add_backend(odb.get(), loose, 1)) {
        loose->free(loose);
        return code;
    }
    if (const int code = git_odb_backend_pack(&packed, objects.constData()))
        return code;
    if (const int code = git_odb_add_backend(odb.get(), packed, 2)) {
        packed->free(packed);
        return code;
    }
    return git_repository_set_odb(repository.get(), odb.get());
}

int KernelRepository::Private::retrying(const std::function<int()> &work)
{
    int code = work();
    if (code != 0 && code != GIT_ENOTFOUND && code != GIT_EAMBIGUOUS && code != GIT_EINVALIDSPEC && reopen() == 0)
        code = work();
    return code;
}

Result<std::unique_ptr<KernelRepository>> KernelRepository::create(const QString &path)
{
    if (QFileInfo::exists(path))
        return fail(Error::Kind::Conflict,
            u"There is already something at %1; it was not changed."_s.arg(QDir::toNativeSeparators(path)));
    std::unique_ptr<KernelRepository> result(new KernelRepository);
    // Made beside its place and moved there whole: a creation that is cut off leaves no half repository.
    const QString partial = path + u".partial"_s;
    QDir(partial).removeRecursively();
    result->d->path = partial;
    git_repository_init_options options = GIT_REPOSITORY_INIT_OPTIONS_INIT;
    options.flags = GIT_REPOSITORY_INIT_BARE | GIT_REPOSITORY_INIT_MKPATH | GIT_REPOSITORY_INIT_NO_REINIT;
    options.initial_head = headBranch;
    options.description = "Kernels of an AccelOpt Studio project";
    const QString what = u"The kernel repository could not be made"_s;
    git::Repository repository;
    int code = git::make(repository, git_repository_init_ext, QFile::encodeName(partial).constData(), &options);
    if (code == 0)
        code = result->d->reopen();
    git_oid blob, tree, commit;
    if (code == 0)
        code = git_blob_create_from_buffer(&blob, result->d->repository.get(), readme, sizeof readme - 1);
    git::TreeBuilder builder;
    if (code == 0)
        code = git::make(
            builder, git_treebuilder_new, result->d->repository.get(), static_cast<const git_tree *>(nullptr));
    if (code == 0)
        code = git_treebuilder_insert(nullptr, builder.get(), "README.md", &blob, GIT_FILEMODE_BLOB);
    if (code == 0)
        code = git_treebuilder_write(&tree, builder.get());
    if (code == 0)
        code = result->d->writeKeep(commit, tree, {}, QDateTime::fromSecsSinceEpoch(1577836800, QTimeZone::UTC),
            u"How to read this repository\n"_s);
    if (code == 0)
        code = result->d->setReference(QByteArray("refs/heads/") + headBranch, commit, nullptr);
    if (code != 0) {
        const Error error = git::error(code, what);
        QDir(partial).removeRecursively();
        return std::unexpected(error);
    }
    repository.reset();
    result->d->repository.reset();
    if (!QDir().rename(partial, path))
        return fail(Error::Kind::Io, what + u'.', QDir::toNativeSeparators(path));
    result->d->path = path;
    if (const int reopened = result->d->reopen())
        return std::unexpected(git::error(reopened, what));
    return result;
}

Result<std::unique_ptr<KernelRepository>> KernelRepository::open(const QString &path)
{
    if (!QFileInfo(path).isDir())
        return fail(Error::Kind::NotFound, u"There is no kernel repository %1."_s.arg(QDir::toNativeSeparators(path)));
    std::unique_ptr<KernelRepository> result(new KernelRepository);
    result->d->path = path;
    if (const int code = result->d->reopen())
        return std::unexpected(
            git::error(code, u"The kernel repository %1 cannot be opened"_s.arg(QDir::toNativeSeparators(path))));
    return result;
}

// --- writing
// ---------------------------------------------------------------------------------------------------------------

int KernelRepository::Private::writeBlob(git_oid &id, const QByteArray &data)
{
    const auto known = blobs.constFind(data);
    if (known != blobs.cend()) {
        id = *known;
        return 0;
    }
    const int code = git_blob_create_from_buffer(&id, repository.get(), data.constData(), size_t(data.size()));
    if (code == 0) {
        if (blobs.size() > 256)
            blobs.clear();
        blobs.insert(data, id);
    }
    return code;
}

int KernelRepository::Private::writeTree(git_oid &id, const AttemptCommit &attempt)
{
    git::TreeBuilder builder;
    if (const int code =
            git::make(builder, git_treebuilder_new, repository.get(), static_cast<const git_tree *>(nullptr)))
        return code;
    const std::pair<const char *, QByteArray> files[] = {{"kernel.py", attempt.kernel},
        {"reference.py", attempt.reference}, {"problem.json", attempt.problemJson},
        {"reply.md", attempt.kernel.isEmpty() ? attempt.reply : QByteArray()}};
    for (const auto &[name, data] : files) {
        if (data.isEmpty())
            continue;
        git_oid blob;
        if (const int code = writeBlob(blob, data))
            return code;
        if (const int code = git_treebuilder_insert(nullptr, builder.get(), name, &blob, GIT_FILEMODE_BLOB))
            return code;
    }
    return git_treebuilder_write(&id, builder.get());
}

int KernelRepository::Private::writeCommit(git_oid &id, const AttemptCommit &attempt, const git_oid &tree)
{
    const QByteArray message = git::composeMessage(attempt);
    const git::Signature signature = signatureAt(attempt.at);
    git_oid parent;
    const git_oid *parents[] = {&parent};
    const bool hasParent = !attempt.parentCommit.isEmpty();
    if (hasParent && (!git::parse(attempt.parentCommit, parent)))
        return GIT_EINVALIDSPEC;
    git::Odb odb;
    if (const int code = git::make(odb, git_repository_odb, repository.get()))
        return code;
    if (hasParent && !git_odb_exists(odb.get(), &parent))
        return GIT_ENOTFOUND;
    return git_commit_create_from_ids(&id, repository.get(), nullptr, signature.get(), signature.get(), nullptr,
        message.constData(), &tree, hasParent ? 1 : 0, parents);
}

int KernelRepository::Private::writeKeep(
    git_oid &id, const git_oid &tree, const std::vector<git_oid> &parents, const QDateTime &at, const QString &message)
{
    std::vector<const git_oid *> pointers;
    for (const git_oid &parent : parents)
        pointers.push_back(&parent);
    const git::Signature signature = signatureAt(at);
    return git_commit_create_from_ids(&id, repository.get(), nullptr, signature.get(), signature.get(), nullptr,
        message.toUtf8().constData(), &tree, pointers.size(), pointers.data());
}

bool KernelRepository::Private::referenceTarget(const QByteArray &name, git_oid &id)
{
    return git_reference_name_to_id(&id, repository.get(), name.constData()) == 0;
}

int KernelRepository::Private::setReference(
    const QByteArray &name, const git_oid &target, const git_oid *expected, bool force)
{
    // The zero id stands for "must not exist"; compared under the reference's lock, which libgit2's own check for it is
    // not.
    const git_oid none = {};
    QElapsedTimer waited;
    waited.start();
    for (;;) {
        git::Reference reference;
        const int code =
            git::make(reference, git_reference_create_matching, repository.get(), name.constData(), &target, 1,
                force          ? nullptr
                    : expected ? expected
                               : &none,
                "accelopt");
        if (code != GIT_ELOCKED)
            return code;
        // Held by somebody who writes this very moment, or left behind by a process that was killed while it did.
        const QFileInfo lock(path + u'/' + QString::fromUtf8(name) + u".lock"_s);
        if (waited.elapsed() > staleLockMs && lock.exists()
            && lock.lastModified().msecsTo(QDateTime::currentDateTime()) > staleLockMs)
            QFile::remove(lock.filePath());
        else if (waited.elapsed() > 3 * staleLockMs)
            return code;
        QThread::usleep(500);
    }
}

int KernelRepository::Private::loadKept(const QByteArray &name, Kept &known)
{
    git_oid tip;
    if (!referenceTarget(name, tip)) {
        known = Kept();
        return 0;
    }
    if (known.exists && git_oid_equal(&tip, &known.tip))
        return 0;
    known = Kept();
    known.tip = tip;
    known.exists = true;
    // A chain of keep commits: the first parent is the one before, the last is the attempt.
    std::vector<git_oid> open{tip};
    while (!open.empty()) {
        git::Commit commit;
        if (const int code =
                git::make(commit, git_commit_lookup, repository.get(), static_cast<const git_oid *>(&open.back())))
            return code;
        open.pop_back();
        if (!QByteArrayView(git_commit_message(commit.get())).startsWith(keepTitle)) {
            known.attempts.insert(rawId(*git_commit_id(commit.get())));
            continue;
        }
        for (unsigned i = 0; i < git_commit_parentcount(commit.get()); ++i)
            open.push_back(*git_commit_parent_id(commit.get(), i));
    }
    return 0;
}

Result<QString> KernelRepository::commit(const AttemptCommit &attempt)
{
    if (attempt.run.isEmpty() || attempt.problem.isEmpty() || attempt.key.isEmpty())
        return fail(Error::Kind::Invalid, u"A commit needs its run, problem and attempt."_s);
    const QString what = u"The attempt %1 of %2 was not committed"_s.arg(attempt.key, attempt.problem);
    git_oid tree, commit;
    // Objects first, the reference last: whoever is killed in between leaves objects nobody points to, never the
    // reverse.
    if (const int code = d->writeTree(tree, attempt))
        return std::unexpected(git::error(code, what));
    if (const int code = d->writeCommit(commit, attempt, tree)) {
        if (code == GIT_ENOTFOUND || code == GIT_EINVALIDSPEC)
            return fail(Error::Kind::NotFound,
                u"%1: its parent %2 is not in the kernel repository."_s.arg(what, attempt.parentCommit));
        return std::unexpected(git::error(code, what));
    }
    const QByteArray name = keepRef(attempt);
    for (int tries = 0; tries < 100; ++tries) {
        Private::Kept &kept = d->kept[name];
        if (const int code = d->loadKept(name, kept))
            return std::unexpected(git::error(code, what));
        if (kept.attempts.contains(rawId(commit)))
            return git::toString(commit);
        std::vector<git_oid> parents;
        if (kept.exists)
            parents.push_back(kept.tip);
        parents.push_back(commit);
        git_oid keep;
        const QString message = QLatin1StringView(keepTitle) + u"%1, run %2\n"_s.arg(attempt.problem, attempt.run);
        if (const int code = d->writeKeep(keep, tree, parents, attempt.at, message))
            return std::unexpected(git::error(code, what));
        const int code = d->setReference(name, keep, kept.exists ? &kept.tip : nullptr);
        if (code == 0) {
            kept.exists = true;
            kept.tip = keep;
            kept.attempts.insert(rawId(commit));
            return git::toString(commit);
        }
        // Another instance was quicker: go on from where it left.
        if (code != GIT_EMODIFIED && code != GIT_EEXISTS && code != GIT_ENOTFOUND)
            return std::unexpected(git::error(code, what));
    }
    return fail(Error::Kind::Conflict, what + u": another program keeps changing the kernel repository."_s);
}

Result<void> KernelRepository::setBranch(const QString &name, const QString &commit)
{
    const QString what = u"The branch %1 was not set"_s.arg(name);
    const QByteArray ref = "refs/heads/" + name.toUtf8();
    int valid = 0;
    if (git_reference_name_is_valid(&valid, ref.constData()) != 0 || !valid)
        return fail(Error::Kind::Invalid, u"%1: git does not allow this name."_s.arg(what));
    git::Commit target;
    if (const int code = d->retrying([&] { return d->findCommit(target, commit); }))
        return std::unexpected(git::error(code, what));
    git_oid current;
    if (d->referenceTarget(ref, current) && git_oid_equal(&current, git_commit_id(target.get())))
        return {};
    if (const int code = d->setReference(ref, *git_commit_id(target.get()), nullptr, true))
        return std::unexpected(git::error(code, what));
    return {};
}

// --- reading
// ---------------------------------------------------------------------------------------------------------------

int KernelRepository::Private::findCommit(git::Commit &commit, const QString &id)
{
    const QByteArray hex = id.toLatin1().toLower();
    git_oid prefix;
    if (hex.size() < 4 || hex.size() > qsizetype(GIT_OID_SHA1_HEXSIZE)
        || git_oid_fromstrn(&prefix, hex.constData(), size_t(hex.size())) != 0)
        return GIT_ENOTFOUND;
    return git::make(
        commit, git_commit_lookup_prefix, repository.get(), static_cast<const git_oid *>(&prefix), size_t(hex.size()));
}

int KernelRepository::Private::findFile(git::Blob &blob, const QString &id, const QByteArray &name)
{
    git::Commit commit;
    if (const int code = findCommit(commit, id))
        return code;
    git::Tree tree;
    if (const int code = git::make(tree, git_commit_tree, static_cast<const git_commit *>(commit.get())))
        return code;
    git::TreeEntry entry;
    if (const int code =
            git::make(entry, git_tree_entry_bypath, static_cast<const git_tree *>(tree.get()), name.constData()))
        return code;
    return git::make(blob, git_blob_lookup, repository.get(), git_tree_entry_id(entry.get()));
}

Result<QString> KernelRepository::branch(const QString &name) const
{
    git_oid id;
    if (!d->referenceTarget("refs/heads/" + name.toUtf8(), id))
        return fail(Error::Kind::NotFound, u"There is no branch %1 in the kernel repository."_s.arg(name));
    return git::toString(id);
}

Result<QByteArray> KernelRepository::file(const QString &commit, const QString &name) const
{
    git::Blob blob;
    if (const int code = d->retrying([&] { return d->findFile(blob, commit, name.toUtf8()); }))
        return std::unexpected(git::error(code, u"The commit %1 has no file %2"_s.arg(commit.left(10), name)));
    return QByteArray(
        static_cast<const char *>(git_blob_rawcontent(blob.get())), qsizetype(git_blob_rawsize(blob.get())));
}

Result<CommitInfo> KernelRepository::info(const QString &id) const
{
    git::Commit commit;
    if (const int code = d->retrying([&] { return d->findCommit(commit, id); })) {
        return std::unexpected(git::error(code,
            code == GIT_EAMBIGUOUS ? u"More than one commit begins with %1"_s.arg(id)
                                   : u"There is no commit %1 in the kernel repository"_s.arg(id)));
    }
    CommitInfo info;
    info.id = git::toString(*git_commit_id(commit.get()));
    for (unsigned i = 0; i < git_commit_parentcount(commit.get()); ++i)
        info.parents.append(git::toString(*git_commit_parent_id(commit.get(), i)));
    const git::Message message = git::parseMessage(git_commit_message(commit.get()));
    info.title = message.title;
    info.body = message.body;
    info.trailers = message.trailers;
    info.at = QDateTime::fromSecsSinceEpoch(git_commit_time(commit.get()), QTimeZone::UTC);
    return info;
}

Result<bool> KernelRepository::contains(const QString &commit) const
{
    git::Commit found;
    const int code = d->retrying([&] { return d->findCommit(found, commit); });
    if (code == 0)
        return true;
    if (code == GIT_ENOTFOUND || code == GIT_EAMBIGUOUS)
        return false;
    return std::unexpected(git::error(code, u"The commit %1 could not be looked up"_s.arg(commit.left(10))));
}

Result<QByteArray> KernelRepository::patch(const QString &from, const QString &to) const
{
    git::Blob old, fresh;
    for (const auto &[id, blob] : {std::pair(&from, &old), std::pair(&to, &fresh)}) {
        const int code = d->retrying([&] { return d->findFile(*blob, *id, "kernel.py"); });
        if (code == GIT_ENOTFOUND && *contains(*id))
            continue; // an attempt without a kernel compares as an empty one
        if (code != 0)
            return std::unexpected(git::error(code, u"There is no kernel in commit %1"_s.arg(id->left(10))));
    }
    git::Patch patch;
    if (!old && !fresh)
        return QByteArray();
    git_diff_options options = GIT_DIFF_OPTIONS_INIT;
    options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;
    int code = git::make(patch, git_patch_from_blobs, static_cast<const git_blob *>(old.get()), "kernel.py",
        static_cast<const git_blob *>(fresh.get()), "kernel.py", static_cast<const git_diff_options *>(&options));
    git_buf text = GIT_BUF_INIT;
    if (code == 0)
        code = git_patch_to_buf(&text, patch.get());
    if (code != 0)
        return std::unexpected(git::error(code, u"The kernels could not be compared"_s));
    QByteArray result(text.ptr, qsizetype(text.size));
    git_buf_dispose(&text);
    return result;
}

} // namespace accelopt
