// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attemptkey.h"
#include "domain/evaluation.h"

#include <QDateTime>
#include <QString>

namespace accelopt {

/// One executor reply for one plan, whether or not it became a kernel; also the baseline and kernels by a person.
struct Attempt {
    enum class State { Pending, Evaluating, Done };

    qint64 id = 0; ///< journal id
    qint64 run = 0;
    QString problem;
    AttemptKey key;
    qint64 parent = 0; ///< attempt id of the candidate it was made from; 0 for a baseline
    QString author; ///< "rules", "openai:…", "person", "baseline"
    QString planTitle;
    QString parseRule; ///< which rule took the kernel from the reply
    QString sha256; ///< of kernel.py; empty when the reply held none
    QString programHash; ///< of the normalised syntax tree; equal hash = same program
    QString commit; ///< 40 hex digits
    State state = State::Pending;
    qint64 duplicateOf = 0; ///< attempt whose result it shares; 0 for its own
    Evaluation evaluation; ///< meaningful when Done
    QDateTime createdAt; ///< UTC
    QDateTime finishedAt; ///< UTC

    bool operator==(const Attempt &) const = default;
};

/// For people and JSON, one word for how an attempt stands: pending, evaluating, correct, same, estimated, quarantined
/// or an error kind.
[[nodiscard]] QString verdictName(const Attempt &attempt);

} // namespace accelopt
