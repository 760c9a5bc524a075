// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/lanemodel.h"

#include "domain/format.h"
#include "studio/session.h"

#include <QPainter>
#include <QRegularExpression>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

LaneModel::LaneModel(QObject *parent)
    : QAbstractListModel(parent)
{
    connect(Session::instance(), &Session::snapshotChanged, this, &LaneModel::take);
    take();
}

int LaneModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_groups.size());
}

QVariant LaneModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Group &group = m_groups.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case NameRole:
        return group.name;
    case IconRole:
        return group.icon;
    case DetailRole:
        return group.detail;
    case RateRole:
        return group.rate;
    case NoteRole:
        return group.note;
    case RowsRole:
        return group.rows;
    case SpansRole:
        return QVariant::fromValue(group.spans);
    case EstimateRole:
        return group.estimate;
    default:
        return {};
    }
}

QHash<int, QByteArray> LaneModel::roleNames() const
{
    return {{NameRole, "name"}, {IconRole, "icon"}, {DetailRole, "detail"}, {RateRole, "rate"}, {NoteRole, "note"},
        {RowsRole, "rows"}, {SpansRole, "spans"}, {EstimateRole, "estimate"}};
}

void LaneModel::setSeconds(int seconds)
{
    if (seconds == m_seconds)
        return;
    m_seconds = seconds;
    take();
    Q_EMIT windowChanged();
}

QStringList LaneModel::ticks() const
{
    QStringList times;
    for (int i = 0; i <= 4; ++i)
        times.append(m_end.addSecs(-m_seconds + m_seconds * i / 4)
                .toLocalTime()
                .toString(m_seconds > 300 ? u"HH:mm"_s : u"HH:mm:ss"_s));
    return times;
}

void LaneModel::take()
{
    const SnapshotPtr snapshot = Session::instance()->snapshot();
    if (!snapshot) {
        setActivity({}, QDateTime::currentDateTimeUtc());
        return;
    }
    // A run that is over shows its last minutes, not an empty strip.
    QDateTime end = snapshot->readAt;
    if (!Session::instance()->runActive()) {
        QDateTime last;
        for (const ActivityRecord &record : snapshot->activity)
            last = std::max(last, record.finishedAt.isValid() ? record.finishedAt : record.startedAt);
        if (last.isValid())
            end = last.addSecs(1);
    }
    setActivity(snapshot->activity, end);
}

void LaneModel::setActivity(const QList<ActivityRecord> &activity, const QDateTime &end)
{
    static const QRegularExpression s_place(u"^(.*) (core|worker) \\d+$"_s);
    m_end = end;
    QMap<QString, QList<const ActivityRecord *>> byGroup;
    QStringList order;
    for (const ActivityRecord &record : activity) {
        const QDateTime until = record.finishedAt.isValid() ? record.finishedAt : end;
        if (until < end.addSecs(-m_seconds))
            continue;
        // A reply without a kernel and a program that was evaluated before occupied nobody.
        if (record.lane.isEmpty())
            continue;
        const QRegularExpressionMatch match = s_place.match(record.lane);
        const QString name = match.hasMatch() ? match.captured(1) : record.lane;
        if (!byGroup.contains(name))
            order.append(name);
        byGroup[name].append(&record);
    }
    order.sort();
    // Models first, hosts after them.
    std::ranges::stable_sort(
        order, {}, [&](const QString &name) { return byGroup.value(name).first()->kind == "evaluation"_L1 ? 1 : 0; });

    QList<Group> groups;
    for (const QString &name : std::as_const(order)) {
        QList<const ActivityRecord *> records = byGroup.value(name);
        std::ranges::stable_sort(records, {}, [](const ActivityRecord *r) { return r->startedAt; });
        Group group;
        group.name = name;
        const bool host = records.first()->kind == "evaluation"_L1;
        group.estimate = host && name.contains("simulator"_L1);
        group.icon = !host ? u"models"_s : group.estimate ? u"cpu"_s : u"hosts"_s;
        QStringList kinds;
        QList<double> rowEnds; // seconds from the window's start
        QList<double> seconds;
        double busy = 0;
        int running = 0;
        for (const ActivityRecord *record : std::as_const(records)) {
            const double from = double(record->startedAt.msecsTo(end)) / 1000;
            const double to = record->finishedAt.isValid() ? double(record->finishedAt.msecsTo(end)) / 1000 : 0;
            LaneSpan span{
                std::min(from, double(m_seconds)), std::max(to, 0.0), 0, record->kind, record->outcome, group.estimate};
            auto row = std::ranges::find_if(rowEnds, [&](double rowEnd) { return rowEnd >= span.from - 1e-6; });
            if (row == rowEnds.end()) {
                rowEnds.append(span.to);
                span.row = int(rowEnds.size()) - 1;
            } else {
                span.row = int(row - rowEnds.begin());
                *row = span.to;
            }
            busy += span.from - span.to;
            if (record->finishedAt.isValid())
                seconds.append(from - to);
            else
                ++running;
            if (!kinds.contains(record->kind))
                kinds.append(record->kind);
            group.spans.append(span);
        }
        group.rows = std::max(1, int(rowEnds.size()));
        std::ranges::sort(seconds);
        const double window =
            std::min(double(m_seconds), std::max(1.0, double(records.first()->startedAt.msecsTo(end)) / 1000));
        group.detail = host ? tr("%n in use", nullptr, group.rows) : kinds.join(u", "_s);
        group.rate = u"%1\u00a0/\u00a0min"_s.arg(double(records.size()) / window * 60, 0, 'f', 1);
        group.note = group.estimate ? tr("≈ estimate")
            : host                  ? tr("%1 % busy").arg(qRound(100 * busy / (window * group.rows)))
            : seconds.isEmpty()     ? QString()
                                    : tr("p50 %1").arg(format::duration(seconds.at(seconds.size() / 2)));
        if (running > 0)
            group.detail += tr(", %n running", nullptr, running);
        groups.append(group);
    }
    // Rows by name: values change in place.
    const bool sameNames = std::ranges::equal(groups, m_groups, {}, &Group::name, &Group::name);
    if (sameNames) {
        for (int i = 0; i < groups.size(); ++i) {
            if (groups.at(i) == m_groups.at(i))
                continue;
            m_groups[i] = groups.at(i);
            Q_EMIT dataChanged(index(i), index(i));
        }
    } else {
        for (int i = int(m_groups.size()) - 1; i >= 0; --i) {
            if (std::ranges::none_of(groups, [&](const Group &g) { return g.name == m_groups.at(i).name; })) {
                beginRemoveRows({}, i, i);
                m_groups.removeAt(i);
                endRemoveRows();
            }
        }
        for (int i = 0; i < groups.size(); ++i) {
            if (i < m_groups.size() && m_groups.at(i).name == groups.at(i).name) {
                m_groups[i] = groups.at(i);
                Q_EMIT dataChanged(index(i), index(i));
            } else {
                beginInsertRows({}, i, i);
                m_groups.insert(i, groups.at(i));
                endInsertRows();
            }
        }
        Q_EMIT countChanged();
    }
    Q_EMIT windowChanged();
}

// --- Lanes -----------------------------------------------------------------------------------------------------------

Lanes::Lanes(QQuickItem *parent)
    : ThemedItem(parent)
{
    connect(this, &Lanes::changed, this, [this] { update(); });
}

void Lanes::setSpans(const QVariant &spans)
{
    m_spans = spans.value<QList<LaneSpan>>();
    Q_EMIT changed();
}

void Lanes::paint(QPainter *painter)
{
    const Tokens &t = tokens();
    painter->setRenderHint(QPainter::Antialiasing, false);
    const int rows = std::max(1, m_rows);
    const double pitch = height() / rows;
    const bool dense = pitch < 3; // one density row instead of lines nobody can see
    if (dense) {
        const int cells = std::max(1, int(width() / 3));
        QList<double> load(cells, 0.0);
        for (const LaneSpan &span : std::as_const(m_spans)) {
            const int from = std::clamp(int((1 - span.from / m_seconds) * cells), 0, cells - 1);
            const int to = std::clamp(int((1 - span.to / m_seconds) * cells), 0, cells - 1);
            for (int cell = from; cell <= to; ++cell)
                load[cell] += 1;
        }
        for (int cell = 0; cell < cells; ++cell) {
            const double part = std::min(1.0, load.at(cell) / rows);
            painter->fillRect(QRectF(cell * 3, height() * (1 - part), 2.5, height() * part), t.barBase);
        }
        return;
    }
    const double h = std::clamp(std::floor(pitch * 0.75), 2.0, 8.0);
    for (const LaneSpan &span : std::as_const(m_spans)) {
        const double x = std::round(width() * (1 - span.from / m_seconds));
        const double w = std::max(2.0, std::round(width() * (1 - span.to / m_seconds)) - x - 1);
        const QRectF rect(x, std::round(span.row * pitch + (pitch - h) / 2), w, h);
        if (span.outcome == "failed"_L1) {
            painter->setPen(QPen(t.failed, 1));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(rect.adjusted(0, 0, -1, -1));
        } else if (span.outcome == "interrupted"_L1) {
            painter->fillRect(rect, QBrush(t.worse, Qt::BDiagPattern));
        } else if (span.outcome == "running"_L1) {
            painter->fillRect(rect, t.accent);
        } else if (span.estimate) {
            painter->fillRect(rect, t.estimate);
        } else {
            painter->fillRect(rect, span.kind == "evaluation"_L1 ? t.accent : t.barBase);
        }
    }
}

} // namespace accelopt
