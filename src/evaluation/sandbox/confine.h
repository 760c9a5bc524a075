// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "options.h"

namespace accelopt::sandbox {

/// Version of the kernel's Landlock, 0 where there is none.
[[nodiscard]] int landlockVersion();
/// Whether seccomp filters can be loaded here.
[[nodiscard]] bool haveSeccomp();

/// Gives up everything the command does not need; called in the child just before exec. Not reversible. Returns what
/// failed, or an empty string. A kernel without Landlock is no failure: the rest still holds, and --facts says so.
[[nodiscard]] std::string confine(const Options &options);

} // namespace accelopt::sandbox
