// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/fault.h"
#include "neuroncore/ir.h"

#include <QByteArray>

namespace accelopt::neuroncore {

/// Reads an IR document and checks all of it: afterwards no id, axis, shape or bound can lead outside a table, and no
/// index overflows. The fault's kind is `compile`, its line the kernel's line where the fault is in an instruction.
[[nodiscard]] Checked<Program> readProgram(const QByteArray &json);
/// The same from a file; at most 256 MiB.
[[nodiscard]] Checked<Program> readProgramFile(const QString &path);

/// The shape rules of every operation (validate.cpp), called by readProgram.
[[nodiscard]] Checked<void> validateInstruction(const Program &program, const Instruction &instruction);

} // namespace accelopt::neuroncore
