// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace accelopt::cli {

/// What the chosen subcommand does once the whole line has been read; gives the exit code.
using Action = std::function<int()>;

// Each adds its subcommands to `app`; the one that is chosen sets `action`.
void addProjectCommands(CLI::App &app, Action &action); ///< new, problem add|list, import
void addEvaluateCommand(CLI::App &app, Action &action); ///< evaluate
void addRunCommands(CLI::App &app, Action &action); ///< run, resume, status
void addInspectCommands(CLI::App &app, Action &action); ///< candidates, show, diff, report, verify, hosts, models

} // namespace accelopt::cli
