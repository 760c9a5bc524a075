// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <memory>

namespace accelopt::journal {

/// An exclusive lock on a file, which the system gives up by itself when the process dies, however it dies: a lock file
/// left behind by a dead process is taken over. The file holds the owner's process id, for the message of whoever comes
/// second.
class LockFile {
public:
    [[nodiscard]] static Result<std::unique_ptr<LockFile>> take(const QString &path);
    ~LockFile();

private:
    LockFile() = default;
    int m_file = -1;
};

} // namespace accelopt::journal
