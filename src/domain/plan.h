// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attemptkey.h"

#include <QString>

namespace accelopt {

/// One planner reply for one candidate.
struct Plan {
    qint64 id = 0; ///< journal id, 0 before it is stored
    int iteration = 0, candidate = 0, plan = 0;
    QString title;
    QString text; ///< the reply as it came
    QString model; ///< "rules", "openai:gpt-oss-120b", …

    bool operator==(const Plan &) const = default;
};

} // namespace accelopt
