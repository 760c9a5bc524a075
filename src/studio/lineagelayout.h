// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"

#include <QList>
#include <QSet>

namespace accelopt {

/// A node of the lineage: one attempt, placed in its iteration's column and a row of its own.
struct LineageNode {
    enum class Mark { Beam, Correct, Slower, Failed, Quarantined, Estimate, Pending };

    qint64 id = 0, parent = 0;
    int column = 0; ///< iteration
    double row = 0; ///< 0 at the top, in rows
    Mark mark = Mark::Pending;
    QString name;
    double speedup = 0; ///< over the baseline, 0 = none
    bool onPath = false; ///< from the baseline to the selection

    bool operator==(const LineageNode &) const = default;
};

struct Lineage {
    QList<LineageNode> nodes; ///< parents before children
    int columns = 0, rows = 0;
};

/// Lays out what matters around a selection: all ancestors of the beams, the selection and its family, and of the rest
/// as many as fit `mostPerColumn`, best first. Without `showFailed` failed attempts are left out unless selected. Pure.
[[nodiscard]] Lineage layoutLineage(const QList<Attempt> &attempts, const QSet<qint64> &inBeam, qint64 selected,
    bool showFailed, int mostPerColumn = 7);

} // namespace accelopt
