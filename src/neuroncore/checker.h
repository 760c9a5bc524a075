// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/fault.h"
#include "neuroncore/hardware.h"
#include "neuroncore/ir.h"
#include "neuroncore/stream.h"

#include <optional>

namespace accelopt::neuroncore {

/// The rules of the hardware and of the program as a whole: engines, partitions, limits, bounds, races, capacity over
/// live ranges, reads of what nothing wrote. The first violation in program order, with the NKI error id where one
/// exists.
[[nodiscard]] Checked<void> checkProgram(
    const Program &program, const Hardware &hardware, std::optional<Stream> *unrolled = nullptr);

// The parts, for tests.
[[nodiscard]] Checked<void> checkInstructions(const Program &program, const Hardware &hardware);
[[nodiscard]] Checked<void> checkBounds(const Program &program);
[[nodiscard]] Checked<void> checkRaces(const Program &program); // races.cpp
[[nodiscard]] Checked<void> checkCapacity(
    const Program &program, const Hardware &hardware, std::optional<Stream> *unrolled = nullptr);

} // namespace accelopt::neuroncore
