// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/metricmodel.h"

#include <QJsonArray>
#include <algorithm>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

int MetricModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant MetricModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const MetricDelta &row = m_shown[index.row()];
    switch (role) {
    case Qt::DisplayRole:
    case NameRole:
        return row.name;
    case ARole:
        return row.a;
    case BRole:
        return row.b;
    case ChangeRole:
        return row.change;
    case VerdictRole:
        return row.word();
    default:
        return {};
    }
}

QHash<int, QByteArray> MetricModel::roleNames() const
{
    return {{Qt::DisplayRole, "display"}, {NameRole, "name"}, {ARole, "a"}, {BRole, "b"}, {ChangeRole, "change"},
        {VerdictRole, "verdict"}};
}

void MetricModel::setDifferencesOnly(bool only)
{
    if (m_differencesOnly == only)
        return;
    m_differencesOnly = only;
    Q_EMIT differencesOnlyChanged();
    refill();
}

void MetricModel::setRows(const QList<MetricDelta> &rows)
{
    if (m_rows == rows)
        return;
    m_rows = rows;
    refill();
}

void MetricModel::refill()
{
    beginResetModel();
    m_shown.clear();
    std::ranges::copy_if(m_rows, std::back_inserter(m_shown),
        [this](const MetricDelta &row) { return !m_differencesOnly || row.differs(); });
    endResetModel();
    Q_EMIT countChanged();
}

QList<MetricDelta> profileRows(const Evaluation &evaluation, const Work &work)
{
    QList<MetricDelta> rows;
    if (!(evaluation.latency.medianMs > 0))
        return rows;
    // The same names and units as in a comparison: an evaluation against itself.
    for (MetricDelta row : compareEvaluations(evaluation, evaluation, work).rows) {
        row.a.clear();
        row.change.clear();
        rows.append(row);
    }
    return rows;
}

} // namespace accelopt
