// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "options.h"

namespace accelopt::sandbox {

/// Starts the command in its walls, waits for its end, kills whatever is left of it and returns the exit status of
/// accelopt-sandbox.
[[nodiscard]] int supervise(const Options &options);

} // namespace accelopt::sandbox
