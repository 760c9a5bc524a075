// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/logmodel.h"

#include "domain/format.h"
#include "studio/session.h"

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

struct KindLook {
    QLatin1StringView kind, icon, meaning;
};
constexpr KindLook s_looks[] = {
    {"best"_L1, "up"_L1, "better"_L1},
    {"failed"_L1, "x"_L1, "failed"_L1},
    {"quarantine"_L1, "shield"_L1, "quarantined"_L1},
    {"selection"_L1, "flag"_L1, "neutral"_L1},
    {"call"_L1, "models"_L1, "neutral"_L1},
    {"host"_L1, "hosts"_L1, "worse"_L1},
    {"budget"_L1, "dollar"_L1, "worse"_L1},
    {"run"_L1, "playfill"_L1, "working"_L1},
    {"warning"_L1, "alert"_L1, "worse"_L1},
    {"result"_L1, "check"_L1, "neutral"_L1},
    {"same"_L1, "copy"_L1, "neutral"_L1},
};

const KindLook &look(const QString &kind)
{
    static constexpr KindLook other{""_L1, "dot"_L1, "neutral"_L1};
    const auto found = std::ranges::find(s_looks, kind, &KindLook::kind);
    return found == std::end(s_looks) ? other : *found;
}

} // namespace

LogModel::LogModel(QObject *parent)
    : QAbstractListModel(parent)
{
    const auto take = [this] {
        const SnapshotPtr snapshot = Session::instance()->snapshot();
        setLog(snapshot ? snapshot->log : QList<LogEvent>());
    };
    connect(Session::instance(), &Session::snapshotChanged, this, take);
    take();
}

int LogModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant LogModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const LogEvent &event = m_rows.at(index.row());
    switch (role) {
    case KindRole:
        return event.kind;
    case ProblemRole:
        return event.problem;
    case Qt::DisplayRole:
    case TextRole:
        return event.text;
    case TimeRole:
        return format::clock(event.at);
    case ShortTimeRole:
        return event.at.toLocalTime().toString(u"HH:mm"_s);
    case AttemptRole:
        return double(event.attempt);
    case IconRole:
        return QString(look(event.kind).icon);
    case MeaningRole:
        return QString(look(event.kind).meaning);
    default:
        return {};
    }
}

QHash<int, QByteArray> LogModel::roleNames() const
{
    return {{KindRole, "kind"}, {ProblemRole, "problem"}, {TextRole, "text"}, {TimeRole, "time"},
        {ShortTimeRole, "shortTime"}, {AttemptRole, "attempt"}, {IconRole, "icon"}, {MeaningRole, "meaning"}};
}

bool LogModel::matches(const LogEvent &event) const
{
    return (m_kinds.isEmpty() || m_kinds.contains(event.kind))
        && (m_text.isEmpty() || event.text.contains(m_text, Qt::CaseInsensitive)
            || event.problem.contains(m_text, Qt::CaseInsensitive));
}

void LogModel::setKinds(const QStringList &kinds)
{
    if (kinds == m_kinds)
        return;
    m_kinds = kinds;
    Q_EMIT filterChanged();
    filter();
}

void LogModel::setText(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    Q_EMIT filterChanged();
    filter();
}

void LogModel::filter()
{
    beginResetModel(); // another question, other rows
    m_rows.clear();
    for (auto event = m_log.crbegin(); event != m_log.crend(); ++event) {
        if (matches(*event))
            m_rows.append(*event);
    }
    endResetModel();
    Q_EMIT countChanged();
}

void LogModel::setLog(const QList<LogEvent> &log)
{
    const qint64 last = m_log.isEmpty() ? -1 : m_log.last().id;
    const bool continues =
        !m_log.isEmpty() && !log.isEmpty() && log.last().id >= last && log.first().run == m_log.first().run;
    m_log = log;
    m_errors = int(std::ranges::count(m_log, u"failed"_s, &LogEvent::kind));
    if (!continues) {
        if (!m_rows.isEmpty() || !log.isEmpty())
            filter();
        return;
    }
    QList<LogEvent> fresh; // newest first
    for (auto event = m_log.crbegin(); event != m_log.crend() && event->id > last; ++event) {
        if (matches(*event))
            fresh.append(*event);
    }
    if (!fresh.isEmpty()) {
        beginInsertRows({}, 0, int(fresh.size()) - 1);
        m_rows = fresh + m_rows;
        endInsertRows();
    }
    // The snapshot holds the newest lines only: what fell out of it is let go at the end.
    const qint64 first = m_log.first().id;
    qsizetype kept = m_rows.size();
    while (kept > 0 && m_rows.at(kept - 1).id < first)
        --kept;
    if (kept < m_rows.size()) {
        beginRemoveRows({}, int(kept), int(m_rows.size()) - 1);
        m_rows.resize(kept);
        endRemoveRows();
    }
    Q_EMIT countChanged();
}

} // namespace accelopt
