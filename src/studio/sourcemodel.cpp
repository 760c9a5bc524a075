// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/sourcemodel.h"

#include "studio/coderow.h"

namespace accelopt {

SourceModel::SourceModel(QObject *parent)
    : QAbstractListModel(parent)
{
}

int SourceModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant SourceModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int row = index.row();
    switch (role) {
    case Qt::DisplayRole:
        return m_lines[row];
    case NumberRole:
        return row + m_firstNumber;
    case CodeRole:
        return QVariant::fromValue(codeText(m_lines[row], m_colours.value(row)));
    case ChangedRole:
        return m_changed.contains(row);
    case ErrorRole:
        return row + 1 == m_errorLine;
    default:
        return {};
    }
}

QHash<int, QByteArray> SourceModel::roleNames() const
{
    return {{Qt::DisplayRole, "display"}, {NumberRole, "number"}, {CodeRole, "code"}, {ChangedRole, "changed"},
        {ErrorRole, "isError"}};
}

void SourceModel::setSource(
    const QStringList &lines, const QList<CodeLine> &colours, const QSet<int> &changed, int errorLine, int firstNumber)
{
    beginResetModel(); // another file: no row of the old one lives on
    m_lines = lines;
    m_colours = colours;
    m_changed = changed;
    m_errorLine = errorLine;
    m_firstNumber = firstNumber;
    m_longest = 0;
    for (const QString &line : lines)
        m_longest = std::max(m_longest, static_cast<int>(codeText(line).text.size()));
    endResetModel();
    Q_EMIT countChanged();
}

} // namespace accelopt
