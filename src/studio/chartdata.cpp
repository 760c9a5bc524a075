// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/linechart.h"

#include "domain/format.h"

#include <algorithm>
#include <cmath>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

QList<QPointF> stepLine(const QList<QPointF> &points)
{
    QList<QPointF> line;
    line.reserve(points.size() * 2);
    for (qsizetype i = 0; i < points.size(); ++i) {
        if (i > 0)
            line.append({points.at(i).x(), points.at(i - 1).y()});
        line.append(points.at(i));
    }
    return line;
}

QList<QPointF> decimate(const QList<QPointF> &points, double from, double to, int pixels)
{
    const qsizetype cells = std::max(1, pixels);
    if (points.size() <= cells * 2 || to <= from)
        return points;
    QList<QPointF> kept;
    kept.reserve(cells * 2 + 2);
    qsizetype i = 0;
    while (i < points.size()) {
        const auto cell = qint64(std::floor((points.at(i).x() - from) / (to - from) * double(cells)));
        qsizetype low = i, high = i;
        qsizetype end = i;
        while (end < points.size()
            && qint64(std::floor((points.at(end).x() - from) / (to - from) * double(cells))) == cell) {
            if (points.at(end).y() < points.at(low).y())
                low = end;
            if (points.at(end).y() > points.at(high).y())
                high = end;
            ++end;
        }
        kept.append(points.at(std::min(low, high)));
        if (low != high)
            kept.append(points.at(std::max(low, high)));
        i = end;
    }
    return kept;
}

// --- ChartData -------------------------------------------------------------------------------------------------------

int ChartData::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_xs.size());
}
int ChartData::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_series.size()) + 1;
}

double ChartData::valueAt(const ChartSeries &series, double x, bool *found) const
{
    const auto after = std::ranges::upper_bound(series.points, x, {}, &QPointF::x);
    *found = after != series.points.begin()
        && (series.kind == ChartSeries::Kind::Step ? x <= series.points.last().x() : std::prev(after)->x() == x);
    return *found ? std::prev(after)->y() : 0;
}

QVariant ChartData::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::DisplayRole)
        return {};
    const double x = m_xs.at(index.row());
    if (index.column() == 0)
        return QString::number(x);
    bool found = false;
    const double value = valueAt(m_series.at(index.column() - 1), x, &found);
    if (!found)
        return format::missing();
    return m_unit == "%"_L1 ? format::fraction(value) : QString::number(value, 'f', 3);
}

QVariant ChartData::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section > m_series.size())
        return {};
    return section == 0 ? m_xName : m_series.at(section - 1).name;
}

void ChartData::setNames(const QString &xName, const QString &unit)
{
    m_xName = xName;
    m_unit = unit;
}

void ChartData::setSeries(const QList<ChartSeries> &series)
{
    if (series == m_series)
        return;
    QList<double> xs;
    for (const ChartSeries &each : series) {
        for (const QPointF &point : each.points)
            xs.append(point.x());
    }
    std::ranges::sort(xs);
    xs.erase(std::ranges::unique(xs).begin(), xs.end());
    const bool sameShape = xs == m_xs && series.size() == m_series.size()
        && std::ranges::equal(series, m_series, {}, &ChartSeries::name, &ChartSeries::name);
    if (sameShape) {
        m_series = series;
        if (!m_xs.isEmpty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    } else if (series.size() == m_series.size() && xs.size() > m_xs.size()
        && std::ranges::equal(series, m_series, {}, &ChartSeries::name, &ChartSeries::name)
        && std::equal(m_xs.begin(), m_xs.end(), xs.begin())) {
        beginInsertRows({}, int(m_xs.size()), int(xs.size()) - 1);
        m_series = series;
        m_xs = xs;
        endInsertRows();
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    } else {
        beginResetModel(); // other series: another table
        m_series = series;
        m_xs = xs;
        endResetModel();
    }
    Q_EMIT seriesChanged();
}

QByteArray ChartData::csv() const
{
    QString text;
    const auto quoted = [](QString cell) {
        if (cell.contains(u',') || cell.contains(u'"') || cell.contains(u'\n'))
            cell = u'"' + cell.replace(u'"', u"\"\""_s) + u'"';
        return cell;
    };
    for (int column = 0; column < columnCount(); ++column)
        text +=
            (column > 0 ? u","_s : QString()) + quoted(headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    text += u'\n';
    for (const double x : m_xs) {
        text += QString::number(x, 'g', 12);
        for (const ChartSeries &series : m_series) {
            bool found = false;
            const double value = valueAt(series, x, &found);
            text += u',' + (found ? QString::number(value, 'g', 12) : QString());
        }
        text += u'\n';
    }
    return text.toUtf8();
}

} // namespace accelopt
