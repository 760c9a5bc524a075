// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace accelopt {

/// A file or folder below resources/: from ACCELOPT_RESOURCES, else beside an installed program, else in the source
/// tree.
[[nodiscard]] QString resourcePath(const QString &relative);
/// The folder of plugins of a kind ("models", "hosts", "reports").
[[nodiscard]] QString pluginPath(const QString &kind);
/// A program of ours that stands beside this one ("accelopt-neuroncore", "accelopt-sandbox").
[[nodiscard]] QString programPath(const QString &name);
/// A folder for what can be made again (reference outputs); made when missing. ACCELOPT_CACHE_DIR overrides it.
[[nodiscard]] QString cachePath(const QString &relative);

} // namespace accelopt
