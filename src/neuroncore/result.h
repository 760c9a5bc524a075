// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/estimate.h"
#include "neuroncore/fault.h"
#include "neuroncore/interpreter.h"

#include <QJsonObject>

namespace accelopt::neuroncore {

[[nodiscard]] QJsonObject okResult();
[[nodiscard]] QJsonObject errorResult(const Fault &fault);
[[nodiscard]] QJsonObject runResult(const RunOutcome &outcome);
[[nodiscard]] QJsonObject estimateResult(const Estimate &estimate, const Hardware &hardware);

} // namespace accelopt::neuroncore
