// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/reportmodel.h"

namespace accelopt::report {

/// A4 pages with the report; needs a QGuiApplication. Charts are drawn as vectors.
[[nodiscard]] QByteArray renderPdfPages(const Model &model);

} // namespace accelopt::report
