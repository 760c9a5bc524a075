// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/lineagelayout.h"

#include <QHash>
#include <algorithm>
#include <map>

namespace accelopt {

namespace {

LineageNode::Mark markOf(const Attempt &attempt, bool inBeam, double parentMs)
{
    using Mark = LineageNode::Mark;
    if (attempt.state != Attempt::State::Done)
        return Mark::Pending;
    if (attempt.evaluation.quarantined)
        return Mark::Quarantined;
    switch (attempt.evaluation.status) {
    case Evaluation::Status::Failed:
        return Mark::Failed;
    case Evaluation::Status::Skipped:
        return Mark::Estimate;
    case Evaluation::Status::Measured:
        break;
    }
    if (inBeam || attempt.key.isBaseline())
        return Mark::Beam;
    return parentMs > 0 && attempt.evaluation.latency.medianMs > parentMs * 1.005 ? Mark::Slower : Mark::Correct;
}

} // namespace

Lineage layoutLineage(
    const QList<Attempt> &attempts, const QSet<qint64> &inBeam, qint64 selected, bool showFailed, int mostPerColumn)
{
    Lineage lineage;
    QHash<qint64, const Attempt *> byId;
    double baselineMs = 0;
    for (const Attempt &attempt : attempts) {
        byId.insert(attempt.id, &attempt);
        if (attempt.key.isBaseline())
            baselineMs = attempt.evaluation.latency.medianMs;
    }
    QSet<qint64> path, wanted;
    for (const Attempt *at = byId.value(selected); at && !path.contains(at->id); at = byId.value(at->parent))
        path.insert(at->id);
    // Whatever has stood in a beam explains the search; so do its ancestors.
    for (const Attempt &attempt : attempts) {
        if (!inBeam.contains(attempt.id) && !attempt.key.isBaseline())
            continue;
        for (const Attempt *at = &attempt; at && !wanted.contains(at->id); at = byId.value(at->parent))
            wanted.insert(at->id);
    }

    std::map<int, QList<const Attempt *>> columns;
    for (const Attempt &attempt : attempts) {
        const bool failed =
            attempt.state == Attempt::State::Done && attempt.evaluation.status == Evaluation::Status::Failed;
        if (failed && !showFailed && !path.contains(attempt.id))
            continue;
        columns[attempt.key.iteration].append(&attempt);
    }
    QHash<qint64, double> rowOf;
    for (auto &[iteration, column] : columns) {
        // Best first: path, then beam, then family of the selection, then by latency with failures last.
        const auto rank = [&](const Attempt *attempt) {
            if (path.contains(attempt->id))
                return 0;
            if (wanted.contains(attempt->id))
                return 1;
            return path.contains(attempt->parent) ? 2 : 3;
        };
        const auto latency = [](const Attempt *attempt) {
            const double ms = attempt->evaluation.latency.medianMs;
            return attempt->evaluation.status != Evaluation::Status::Failed && ms > 0 ? ms : 1e300;
        };
        std::ranges::stable_sort(column, [&](const Attempt *a, const Attempt *b) {
            return std::make_tuple(rank(a), latency(a), a->key) < std::make_tuple(rank(b), latency(b), b->key);
        });
        if (column.size() > mostPerColumn)
            column.resize(mostPerColumn);
        // The best in the middle, the others around it; then children near their parents: by the parent's row.
        QList<const Attempt *> arranged;
        for (qsizetype i = 0; i < column.size(); ++i) {
            if (i % 2 == 0)
                arranged.append(column[i]);
            else
                arranged.prepend(column[i]);
        }
        column = arranged;
        std::ranges::stable_sort(
            column, {}, [&rowOf](const Attempt *attempt) { return rowOf.value(attempt->parent, 0.0); });
        const double first = -0.5 * static_cast<double>(column.size() - 1);
        for (int i = 0; i < column.size(); ++i) {
            const Attempt &attempt = *column[i];
            const Attempt *parent = byId.value(attempt.parent);
            LineageNode node;
            node.id = attempt.id;
            node.parent = attempt.parent;
            node.column = iteration;
            node.row = first + i;
            node.mark = markOf(attempt, inBeam.contains(attempt.id), parent ? parent->evaluation.latency.medianMs : 0);
            node.name = attempt.key.display();
            node.onPath = path.contains(attempt.id);
            const double ms = attempt.evaluation.latency.medianMs;
            node.speedup = attempt.state == Attempt::State::Done
                    && attempt.evaluation.status == Evaluation::Status::Measured && !attempt.evaluation.quarantined
                    && ms > 0 && baselineMs > 0
                ? baselineMs / ms
                : 0;
            rowOf.insert(attempt.id, node.row);
            lineage.nodes.append(node);
        }
        lineage.rows = std::max(lineage.rows, static_cast<int>(column.size()));
        lineage.columns = std::max(lineage.columns, iteration + 1);
    }
    const double shift = 0.5 * (lineage.rows - 1);
    for (LineageNode &node : lineage.nodes)
        node.row += shift;
    return lineage;
}

} // namespace accelopt
