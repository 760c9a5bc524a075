// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QDateTime>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// What is kept under the bell, newest first; the last 200. GUI thread.
class NoticeModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Session.notices")
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(int unread READ unread NOTIFY unreadChanged)
public:
    struct Notice {
        int id = 0;
        QString kind; ///< info, better, worse, failed, quarantined
        QString text;
        QString actionText, command; ///< one action: the id of a command
        QDateTime at; ///< UTC
        bool unread = true;
    };
    enum Role { IdRole = Qt::UserRole, KindRole, TextRole, ActionTextRole, CommandRole, TimeRole, UnreadRole };

    using QAbstractListModel::QAbstractListModel;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] int count() const { return int(m_notices.size()); }
    [[nodiscard]] int unread() const { return m_unread; }
    int add(const QString &kind, const QString &text, const QString &actionText = {}, const QString &command = {});
    [[nodiscard]] const Notice *find(int id) const;
    Q_INVOKABLE void markRead();
    Q_INVOKABLE void clear();
    // for a toast, which shows one notice by id
    Q_INVOKABLE QString kindOf(int id) const;
    Q_INVOKABLE QString textOf(int id) const;
    Q_INVOKABLE QString actionTextOf(int id) const;
    Q_INVOKABLE QString commandOf(int id) const;

Q_SIGNALS:
    void countChanged();
    void unreadChanged();

private:
    QList<Notice> m_notices;
    int m_nextId = 1;
    int m_unread = 0;
};

} // namespace accelopt
