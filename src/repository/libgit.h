// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Owning handles for libgit2 objects and its errors in the project's words. Not for other rooms.

#include "domain/result.h"

#include <git2.h>
#include <memory>

namespace accelopt::git {

template <auto Free> struct Deleter {
    template <typename T> void operator()(T *object) const { Free(object); }
};
template <typename T, auto Free> using Handle = std::unique_ptr<T, Deleter<Free>>;

using Repository = Handle<git_repository, git_repository_free>;
using Odb = Handle<git_odb, git_odb_free>;
using OdbObject = Handle<git_odb_object, git_odb_object_free>;
using Object = Handle<git_object, git_object_free>;
using Commit = Handle<git_commit, git_commit_free>;
using Tree = Handle<git_tree, git_tree_free>;
using TreeEntry = Handle<git_tree_entry, git_tree_entry_free>;
using TreeBuilder = Handle<git_treebuilder, git_treebuilder_free>;
using Blob = Handle<git_blob, git_blob_free>;
using Reference = Handle<git_reference, git_reference_free>;
using ReferenceIterator = Handle<git_reference_iterator, git_reference_iterator_free>;
using RevWalk = Handle<git_revwalk, git_revwalk_free>;
using Signature = Handle<git_signature, git_signature_free>;
using Patch = Handle<git_patch, git_patch_free>;
using PackBuilder = Handle<git_packbuilder, git_packbuilder_free>;

/// Fills a handle through libgit2's out parameter: `make(handle, git_x_new, arguments…)`; its code.
template <typename T, auto Free, typename Function, typename... Arguments>
[[nodiscard]] int make(Handle<T, Free> &handle, Function function, Arguments... arguments)
{
    T *raw = nullptr;
    const int code = function(&raw, arguments...);
    if (code == 0)
        handle.reset(raw);
    return code;
}

/// libgit2 needs to be started once; it stays so until the program ends.
void initialize();
/// The text of the last error is per thread and short-lived: it is copied here at once. `what` ends without a full
/// stop.
[[nodiscard]] Error error(int code, const QString &what);
[[nodiscard]] QString toString(const git_oid &id);
[[nodiscard]] bool parse(const QString &text, git_oid &id); ///< 40 hex digits

} // namespace accelopt::git
