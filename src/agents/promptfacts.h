// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/agents.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QString>

/// Facts as text for a model and as JSON for the rules. Pure; any thread.
namespace accelopt::prompt {

/// A fenced block whose fence is longer than any in the code.
[[nodiscard]] QString codeBlock(const QByteArray &code);
[[nodiscard]] QString problemFacts(const Problem &problem); ///< a list: operator, dimensions, dtype, tolerance, entry
[[nodiscard]] QJsonObject problemJson(const Problem &problem);
[[nodiscard]] QString measured(const PlannerFacts &facts);
/// The numbers of a profile with units, in a fixed order: known fields first.
[[nodiscard]] QString profile(const QJsonObject &profile);
/// The profile's "lines": the dearest first, each with its source text.
[[nodiscard]] QString lineCosts(const QJsonArray &lines, const QByteArray &kernel);
/// Those that teach something and are not disabled.
[[nodiscard]] QList<Experience> usable(const QList<Experience> &experiences);
[[nodiscard]] QString experiences(const QList<Experience> &experiences);
[[nodiscard]] QString error(const EvaluationError &error, const QByteArray &kernel);
[[nodiscard]] QString list(const QStringList &items);
/// What domain/format.h writes, with plain spaces and an x for times.
[[nodiscard]] QString plain(QString text);

} // namespace accelopt::prompt
