// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/notices.h"

#include "domain/format.h"

namespace accelopt {

namespace {
constexpr int s_kept = 200;
} // namespace

int NoticeModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_notices.size());
}

QVariant NoticeModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Notice &notice = m_notices.at(index.row());
    switch (role) {
    case IdRole:
        return notice.id;
    case KindRole:
        return notice.kind;
    case Qt::DisplayRole:
    case TextRole:
        return notice.text;
    case ActionTextRole:
        return notice.actionText;
    case CommandRole:
        return notice.command;
    case TimeRole:
        return format::clock(notice.at);
    case UnreadRole:
        return notice.unread;
    default:
        return {};
    }
}

QHash<int, QByteArray> NoticeModel::roleNames() const
{
    return {{IdRole, "noticeId"}, {KindRole, "kind"}, {TextRole, "text"}, {ActionTextRole, "actionText"},
        {CommandRole, "command"}, {TimeRole, "time"}, {UnreadRole, "unread"}};
}

int NoticeModel::add(const QString &kind, const QString &text, const QString &actionText, const QString &command)
{
    if (m_notices.size() == s_kept) {
        beginRemoveRows({}, s_kept - 1, s_kept - 1);
        m_unread -= m_notices.last().unread ? 1 : 0;
        m_notices.removeLast();
        endRemoveRows();
    }
    const int id = m_nextId++;
    beginInsertRows({}, 0, 0);
    m_notices.prepend({id, kind, text, actionText, command, QDateTime::currentDateTimeUtc(), true});
    ++m_unread;
    endInsertRows();
    Q_EMIT countChanged();
    Q_EMIT unreadChanged();
    return id;
}

const NoticeModel::Notice *NoticeModel::find(int id) const
{
    const auto found = std::ranges::find(m_notices, id, &Notice::id);
    return found == m_notices.end() ? nullptr : &*found;
}

void NoticeModel::markRead()
{
    if (m_unread == 0)
        return;
    for (Notice &notice : m_notices)
        notice.unread = false;
    m_unread = 0;
    Q_EMIT dataChanged(index(0), index(int(m_notices.size()) - 1), {UnreadRole});
    Q_EMIT unreadChanged();
}

void NoticeModel::clear()
{
    if (m_notices.isEmpty())
        return;
    beginRemoveRows({}, 0, int(m_notices.size()) - 1);
    m_notices.clear();
    m_unread = 0;
    endRemoveRows();
    Q_EMIT countChanged();
    Q_EMIT unreadChanged();
}

QString NoticeModel::kindOf(int id) const
{
    return find(id) ? find(id)->kind : QString();
}
QString NoticeModel::textOf(int id) const
{
    return find(id) ? find(id)->text : QString();
}
QString NoticeModel::actionTextOf(int id) const
{
    return find(id) ? find(id)->actionText : QString();
}
QString NoticeModel::commandOf(int id) const
{
    return find(id) ? find(id)->command : QString();
}

} // namespace accelopt
