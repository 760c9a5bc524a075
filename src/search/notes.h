// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"

#include <QHash>
#include <QJsonObject>
#include <QList>
#include <optional>

namespace accelopt {

/// The note of an attempt's commit (`refs/notes/accelopt`): what came of it, for any git tool. A function of the
/// journal's row alone, so that the two can be compared. `owner`: the key of the attempt whose result it shares;
/// nothing for its own.
[[nodiscard]] QJsonObject attemptNote(
    const Attempt &attempt, const std::optional<AttemptKey> &owner, double baselineMs);

/// The notes of many attempts of one problem of a run: attempt id -> note. `attempts` holds all of them, the baseline
/// included.
[[nodiscard]] QHash<qint64, QJsonObject> attemptNotes(const QList<Attempt> &attempts);

} // namespace accelopt
