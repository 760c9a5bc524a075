// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/sqlite.h"

namespace accelopt::journal {

/// `PRAGMA user_version` of what this program writes. docs/journal.md lists what each version brought.
inline constexpr int schemaVersion = 2;
/// `PRAGMA application_id`: "ACLO".
inline constexpr int applicationId = 0x41434c4f;

/// Refuses what is not ours or newer than we know, without changing it. The version found (0: an empty file).
[[nodiscard]] Result<int> checkSchema(sqlite::Database &database);
/// Brings the database to `schemaVersion`, each step in one transaction.
[[nodiscard]] Result<void> migrate(sqlite::Database &database, int from);

} // namespace accelopt::journal
