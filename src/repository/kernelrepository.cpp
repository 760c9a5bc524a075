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
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

namespace {

/// What a clone checks out; the name can be no problem's, whose names are [a-z0-9_]+.
constexpr char headBranch[] = "accelopt-studio";
/// Of what libgit2 itself writes, which is little; it is packed soon.
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
    shared.clear();
    const QByteArray folder = QFile::encodeName(path);
    objects.setRepository(folder);
    if (const int code = git::make(repository, git_repository_open_ext, folder.constData(),
            unsigned(GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_BARE), static_cast<const char *>(nullptr)))
        return code;
    // The same two stores libgit2 would open, but with quick compression.
    const QByteArray store = folder + "/objects";
    git::Odb odb;
    if (const int code = git::make(odb, git_odb_new))
        return code;
    git_odb_backend *loose = nullptr, *packed = nullptr;
    if (const int code = git_odb_backend_loose(&loose, store.constData(), looseCompression, 0, 0, 0))
        return code;
    if (const int code = git_odb_add_backend(odb.get(), loose, 1)) {
        loose->free(loose);
        return code;
    }
    if (const int code = git_odb_backend_pack(&packed, store.constData()))
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
        code = result->d->objects.write(blob, GIT_OBJECT_BLOB, readme);
    if (code == 0)
        code = result->d->objects.write(tree, GIT_OBJECT_TREE, git::treeText({{"README.md", blob}}));
    if (code == 0) {
        code = result->d->objects.write(commit, GIT_OBJECT_COMMIT,
            git::commitText(
                tree, {}, QDateTime::fromSecsSinceEpoch(1577836800, QTimeZone::UTC), "How to read this repository\n"));
    }
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

int KernelRepository::Private::writeAttempt(git_oid &id, git_oid &tree, const AttemptCommit &attempt)
{
    std::vector<git_oid> parents;
    if (!attempt.parentCommit.isEmpty()) {
        git::Odb odb;
        if (const int code = git::make(odb, git_repository_odb, repository.get()))
            return code;
        git_oid parent;
        if (!git::parse(attempt.parentCommit, parent) || !git_odb_exists(odb.get(), &parent))
            return GIT_ENOTFOUND;
        parents.push_back(parent);
    }
    const QByteArray reply = attempt.kernel.isEmpty() ? attempt.reply : QByteArray();
    const std::pair<const char *, const QByteArray *> contents[] = {{"kernel.py", &attempt.kernel},
        {"problem.json", &attempt.problemJson}, {"reference.py", &attempt.reference}, {"reply.md", &reply}};
    std::vector<std::pair<QByteArray, git_oid>> files; // sorted by name
    for (const auto &[name, data] : contents) {
        if (data->isEmpty())
            continue;
        git_oid blob;
        if (const auto known = shared.constFind(*data); known != shared.cend())
            blob = *known;
        else if (const int code = objects.write(blob, GIT_OBJECT_BLOB, *data))
            return code;
        files.emplace_back(name, blob);
    }
    if (const int code = objects.write(tree, GIT_OBJECT_TREE, git::treeText(files)))
        return code;
    return objects.write(
        id, GIT_OBJECT_COMMIT, git::commitText(tree, parents, attempt.at, git::composeMessage(attempt)));
}

void KernelRepository::Private::share(std::initializer_list<const QByteArray *> contents)
{
    for (const QByteArray *data : contents) {
        if (shared.contains(*data))
            continue;
        if (shared.size() >= 256)
            shared.clear();
        shared.insert(*data, git::ObjectWriter::idOf(GIT_OBJECT_BLOB, *data));
    }
}

bool KernelRepository::Private::referenceTarget(const QByteArray &name, git_oid &id)
{
    return git_reference_name_to_id(&id, repository.get(), name.constData()) == 0;
}

int KernelRepository::Private::setReference(
    const QByteArray &name, const git_oid &target, const git_oid *expected, bool force)
{
    if (expected && !force) {
        const int code = objects.moveReference(name, target, *expected);
        if (code != GIT_ENOTFOUND && code != GIT_ELOCKED)
            return code;
    }
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
    if (const int code = d->writeAttempt(commit, tree, attempt)) {
        if (code == GIT_ENOTFOUND)
            return fail(Error::Kind::NotFound,
                u"%1: its parent %2 is not in the kernel repository."_s.arg(what, attempt.parentCommit));
        return std::unexpected(git::error(code, what));
    }
    const QByteArray name = keepRef(attempt);
    Private::Kept &kept = d->kept[name];
    for (int tries = 0; tries < 100; ++tries) {
        // What we know of the reference is looked at again only where it turns out to be wrong.
        if (tries > 0 || !kept.exists) {
            if (const int code = d->loadKept(name, kept))
                return std::unexpected(git::error(code, what));
        }
        if (kept.attempts.contains(rawId(commit)))
            return git::toString(commit);
        std::vector<git_oid> parents;
        if (kept.exists)
            parents.push_back(kept.tip);
        parents.push_back(commit);
        git_oid keep;
        const QString message = QLatin1StringView(keepTitle) + u"%1, run %2\n"_s.arg(attempt.problem, attempt.run);
        if (const int code =
                d->objects.write(keep, GIT_OBJECT_COMMIT, git::commitText(tree, parents, attempt.at, message.toUtf8())))
            return std::unexpected(git::error(code, what));
        const int code = d->setReference(name, keep, kept.exists ? &kept.tip : nullptr);
        if (code == 0) {
            kept.exists = true;
            kept.tip = keep;
            kept.attempts.insert(rawId(commit));
            d->share({&attempt.reference, &attempt.problemJson});
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
