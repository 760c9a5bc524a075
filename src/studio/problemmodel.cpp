// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/problemmodel.h"

#include "domain/format.h"
#include "studio/session.h"

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

bool ProblemModel::Row::operator==(const Row &o) const
{
    const auto facts = [](const Row &r) {
        return std::tie(r.status.name, r.status.state, r.status.peakMs, r.status.baselineMs, r.status.bestMs,
            r.status.baselineFraction, r.status.bestFraction, r.status.estimate, r.status.bestAttempt,
            r.status.iteration, r.status.bestFractionByIteration, r.attempts, r.iterations, r.hasResult);
    };
    return facts(*this) == facts(o) && status.bound == o.status.bound;
}

ProblemModel::ProblemModel(QObject *parent)
    : QAbstractTableModel(parent)
{
    connect(
        Session::instance(), &Session::snapshotChanged, this, [this] { setSnapshot(Session::instance()->snapshot()); });
    setSnapshot(Session::instance()->snapshot());
}

int ProblemModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}
int ProblemModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant ProblemModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Problem");
    case BoundColumn:
        return tr("Bound");
    case BarColumn:
        return tr("Fraction of peak");
    case BeforeColumn:
        return tr("Before");
    case BestColumn:
        return tr("Best");
    case BestMsColumn:
        return tr("Best, ms");
    case SpeedupColumn:
        return tr("Speedup");
    case StateColumn:
        return tr("State");
    case TrendColumn:
        return tr("Trend");
    case BaselineMsColumn:
        return tr("Baseline, ms");
    case AttemptsColumn:
        return tr("Attempts");
    default:
        return {};
    }
}

QVariant ProblemModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows.at(index.row());
    const ProblemStatus &s = row.status;
    const auto ms = [&](double value) {
        return value > 0 ? s.estimate ? u"≈\u00a0"_s + QString::number(value, 'f', 2) : format::latencyMs(value)
                         : format::missing();
    };
    const auto fraction = [&](double value) {
        return value > 0 ? s.estimate ? format::estimatedFraction(value) : format::fraction(value) : format::missing();
    };
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case NameColumn:
            return s.name;
        case BoundColumn:
            return row.hasResult ? boundName(s.bound) : QString();
        case BarColumn:
            return tr("%1 to %2").arg(fraction(s.baselineFraction), fraction(s.bestFraction));
        case BeforeColumn:
            return fraction(s.baselineFraction);
        case BestColumn:
            return fraction(s.bestFraction);
        case BestMsColumn:
            return ms(s.bestMs);
        case SpeedupColumn:
            return s.bestMs > 0 && s.baselineMs > 0 ? format::speedup(s.speedup()) : format::missing();
        case StateColumn:
            return s.state;
        case TrendColumn:
            return s.bestFractionByIteration.size() > 1
                ? tr("%n iterations", nullptr, int(s.bestFractionByIteration.size()) - 1)
                : QString();
        case BaselineMsColumn:
            return ms(s.baselineMs);
        case AttemptsColumn:
            return format::count(row.attempts);
        default:
            return {};
        }
    case NameRole:
        return s.name;
    case BaselineRole:
        return s.baselineFraction;
    case BestRole:
        return s.bestFraction;
    case SpeedupRole:
        return s.bestMs > 0 && s.baselineMs > 0 ? s.speedup() : 0.0;
    case EstimateRole:
        return s.estimate;
    case StateRole:
        return s.state;
    case TrendRole:
        return QVariant::fromValue(s.bestFractionByIteration);
    case IterationsRole:
        return row.iterations;
    default:
        return {};
    }
}

QHash<int, QByteArray> ProblemModel::roleNames() const
{
    return {{Qt::DisplayRole, "display"}, {NameRole, "name"}, {BaselineRole, "before"}, {BestRole, "best"},
        {SpeedupRole, "speedup"}, {EstimateRole, "estimate"}, {StateRole, "state"}, {TrendRole, "trend"},
        {IterationsRole, "iterations"}};
}

bool ProblemModel::before(const Row &a, const Row &b) const
{
    const auto number = [&](const Row &row) -> double {
        switch (m_sortColumn) {
        case BarColumn:
        case BestColumn:
            return row.status.bestFraction;
        case BeforeColumn:
            return row.status.baselineFraction;
        case BestMsColumn:
            return row.status.bestMs;
        case BaselineMsColumn:
            return row.status.baselineMs;
        case SpeedupColumn:
        case TrendColumn:
            return row.status.bestMs > 0 ? row.status.speedup() : 0;
        case AttemptsColumn:
            return double(row.attempts);
        default:
            return 0;
        }
    };
    int order = 0;
    if (m_sortColumn == BoundColumn) {
        order = QString::compare(boundName(a.status.bound), boundName(b.status.bound));
    } else if (m_sortColumn == StateColumn) {
        order = QString::compare(a.status.state, b.status.state);
    } else if (m_sortColumn != NameColumn) {
        const double x = number(a), y = number(b);
        if ((x > 0) != (y > 0))
            return x > 0; // missing values are last in both directions
        order = x < y ? -1 : x > y ? 1 : 0;
    }
    if (order != 0)
        return m_sortDescending ? order > 0 : order < 0;
    const int names = QString::compare(a.status.name, b.status.name);
    return m_sortColumn == NameColumn && m_sortDescending ? names > 0 : names < 0;
}

void ProblemModel::reorder()
{
    QList<int> order(m_rows.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](int a, int b) { return before(m_rows.at(a), m_rows.at(b)); });
    if (std::ranges::is_sorted(order))
        return;
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    QList<Row> rows;
    QList<int> place(m_rows.size());
    for (qsizetype i = 0; i < order.size(); ++i) {
        rows.append(m_rows.at(order.at(i)));
        place[order.at(i)] = int(i);
    }
    m_rows = rows;
    const QModelIndexList from = persistentIndexList();
    QModelIndexList to;
    for (const QModelIndex &old : from)
        to.append(index(place.at(old.row()), old.column()));
    changePersistentIndexList(from, to);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void ProblemModel::sortBy(int column, bool descending)
{
    m_sortColumn = column;
    m_sortDescending = descending;
    reorder();
    Q_EMIT sortChanged();
}

void ProblemModel::setHoldOrder(bool hold)
{
    if (hold == m_holdOrder)
        return;
    m_holdOrder = hold;
    Q_EMIT holdOrderChanged();
    if (!hold)
        reorder();
}

int ProblemModel::rowOf(const QString &name) const
{
    const auto found = std::ranges::find_if(m_rows, [&](const Row &row) { return row.status.name == name; });
    return found == m_rows.end() ? -1 : int(found - m_rows.begin());
}

QString ProblemModel::nameAt(int row) const
{
    return row >= 0 && row < m_rows.size() ? m_rows.at(row).status.name : QString();
}

void ProblemModel::setSnapshot(const SnapshotPtr &snapshot)
{
    QList<Row> next;
    if (snapshot) {
        for (const Problem &problem : snapshot->problems) {
            Row row;
            if (const ProblemStatus *status = snapshot->problem(problem.name)) {
                row.status = *status;
                row.hasResult = status->peakMs > 0;
            } else {
                row.status.name = problem.name;
                row.status.state = snapshot->run ? u"waiting"_s : u"ready"_s;
            }
            row.attempts = snapshot->countsByProblem.value(problem.name).total;
            row.iterations = snapshot->run ? snapshot->run->settings.iterations : 0;
            next.append(row);
        }
    }
    const qsizetype sizeBefore = m_rows.size();
    for (qsizetype i = m_rows.size() - 1; i >= 0; --i) {
        const QString name = m_rows.at(i).status.name;
        if (std::ranges::none_of(next, [&](const Row &row) { return row.status.name == name; })) {
            beginRemoveRows({}, int(i), int(i));
            m_rows.removeAt(i);
            endRemoveRows();
        }
    }
    for (const Row &row : std::as_const(next)) {
        const int at = rowOf(row.status.name);
        if (at < 0) {
            const auto place = std::ranges::find_if(m_rows, [&](const Row &other) { return before(row, other); });
            const int position = int(place - m_rows.begin());
            beginInsertRows({}, position, position);
            m_rows.insert(position, row);
            endInsertRows();
        } else if (!(m_rows.at(at) == row)) {
            m_rows[at] = row;
            Q_EMIT dataChanged(index(at, 0), index(at, ColumnCount - 1));
        }
    }
    if (!m_holdOrder)
        reorder();
    if (m_rows.size() != sizeBefore)
        Q_EMIT countChanged();
}

} // namespace accelopt
