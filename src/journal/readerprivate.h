// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/journal.h"
#include "journal/journalreader.h"
#include "journal/rows.h"
#include "journal/sqlite.h"

namespace accelopt {

class JournalReader::Private {
public:
    mutable sqlite::Database db;
};

namespace journal {

/// "SELECT … FROM attempts a LEFT JOIN evaluations e …", for `readAttempt`.
[[nodiscard]] inline std::string selectAttempts()
{
    return std::string("SELECT ") + attemptColumns + ", " + evaluationColumns
        + ", e.details FROM attempts a LEFT JOIN evaluations e ON e.id = a.evaluation";
}

} // namespace journal
} // namespace accelopt
