// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/ir.h"

#include <QString>
#include <optional>

namespace accelopt::neuroncore {

// The words of the IR document for every enumeration.
[[nodiscard]] std::optional<Op> opFrom(const QString &word);
[[nodiscard]] std::optional<Engine> engineFrom(const QString &word);
[[nodiscard]] std::optional<DType> dtypeFrom(const QString &word);
[[nodiscard]] std::optional<Role> roleFrom(const QString &word);
[[nodiscard]] std::optional<Alu> aluFrom(const QString &word);
[[nodiscard]] std::optional<Func> funcFrom(const QString &word);
[[nodiscard]] std::optional<ReduceCommand> reduceCommandFrom(const QString &word);
[[nodiscard]] bool isReduction(Alu op);
[[nodiscard]] bool isBitwise(Alu op);

} // namespace accelopt::neuroncore
