// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "search/project.h"

#include <QByteArray>
#include <QStringList>

namespace accelopt {

/// One report model, several writers: "html", "pdf", "md", "csv", "json".
[[nodiscard]] QStringList reportFormats();
/// Renders a run (0 = the newest) of a project. Any thread; reads the journal and the repository. PDF needs Qt Gui and
/// is there only with the window's build (or headless through the offscreen platform).
[[nodiscard]] Result<QByteArray> renderReport(const Project &project, qint64 run, const QString &format);

} // namespace accelopt
