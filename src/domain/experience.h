// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>

namespace accelopt {

/// One item of the optimization memory: a slow/fast pair and what it teaches.
struct Experience {
    enum class State { Active, Pinned, Disabled, Deleted };

    qint64 id = 0;
    qint64 run = 0;
    QString problem;
    int iteration = 0; ///< the iteration whose pair it is
    int rank = 0; ///< order within the iteration, from 0
    bool positive = true; ///< positive: child faster than its parent
    double speedup = 1; ///< always >= 1: slow latency / fast latency
    qint64 slowAttempt = 0, fastAttempt = 0;
    QString title;
    QString summary; ///< the summarizer's text; "No optimization found" items take a place but reach no prompt
    State state = State::Active;
    QString editedSummary; ///< a person's text, used instead where not empty
    int uses = 0; ///< prompts it went into
    QDateTime createdAt;

    bool operator==(const Experience &) const = default;
    [[nodiscard]] const QString &text() const { return editedSummary.isEmpty() ? summary : editedSummary; }
};
[[nodiscard]] QString experienceStateName(Experience::State state);

} // namespace accelopt
