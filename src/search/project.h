// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/problem.h"
#include "domain/result.h"
#include "domain/runsettings.h"
#include "journal/journal.h"
#include "journal/journalreader.h"
#include "repository/kernelrepository.h"

#include <QString>
#include <memory>

namespace accelopt {

/// A project folder: accelopt.db (the journal), kernels.git (the kernels), .gitignore-free and movable: no absolute
/// path is stored inside.
class Project {
public:
    /// Makes the folder (or uses an empty one) and adds the suite's problems. Conflict where a project or other files
    /// are.
    [[nodiscard]] static Result<Project> create(const QString &folder, const QString &suite, const QString &target);
    /// "… is not an AccelOpt project." where there is none.
    [[nodiscard]] static Result<Project> open(const QString &folder);

    [[nodiscard]] QString folder() const { return m_folder; }
    [[nodiscard]] QString name() const; ///< the folder's name
    [[nodiscard]] QString databasePath() const;
    [[nodiscard]] QString repositoryPath() const;
    [[nodiscard]] QString defaultTarget() const;

    [[nodiscard]] Result<std::unique_ptr<JournalReader>> reader() const { return JournalReader::open(databasePath()); }
    [[nodiscard]] Result<std::unique_ptr<KernelRepository>> repository() const
    {
        return KernelRepository::open(repositoryPath());
    }
    /// Adds or replaces a problem; takes the writer for the moment.
    [[nodiscard]] Result<void> addProblem(const Problem &problem) const;

private:
    QString m_folder;
};

/// One difference between journal, notes and refs, in words.
struct Difference {
    QString kind; ///< missing-commit, missing-note, note-differs, unknown-commit, branch, duplicate-attempt, integrity,
                  ///< source-hash
    QString subject; ///< attempt or commit
    QString message;
};
/// Compares journal, notes, refs and objects of a project. Empty = they agree. Long; any thread.
[[nodiscard]] Result<QList<Difference>> verifyProject(const Project &project);

} // namespace accelopt
