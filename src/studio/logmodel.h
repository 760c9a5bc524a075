// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "studio/snapshot.h"

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// The run's log from the snapshot, newest first, narrowed by kinds and text. Follows the session; new lines are
/// inserted on top.
class LogModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QStringList kinds READ kinds WRITE setKinds NOTIFY filterChanged) ///< empty = all
    Q_PROPERTY(QString text READ text WRITE setText NOTIFY filterChanged)
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(int errors READ errors NOTIFY countChanged) ///< lines of kind failed in the log, whatever the filter
public:
    enum Role {
        KindRole = Qt::UserRole,
        ProblemRole,
        TextRole,
        TimeRole,
        ShortTimeRole,
        AttemptRole,
        IconRole,
        MeaningRole
    };

    explicit LogModel(QObject *parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] QStringList kinds() const { return m_kinds; }
    void setKinds(const QStringList &kinds);
    [[nodiscard]] QString text() const { return m_text; }
    void setText(const QString &text);
    [[nodiscard]] int count() const { return int(m_rows.size()); }
    [[nodiscard]] int errors() const { return m_errors; }
    void setLog(const QList<LogEvent> &log); ///< newest last

Q_SIGNALS:
    void filterChanged();
    void countChanged();

private:
    [[nodiscard]] bool matches(const LogEvent &event) const;
    void filter();
    QStringList m_kinds;
    QString m_text;
    QList<LogEvent> m_log; ///< newest last
    QList<LogEvent> m_rows; ///< newest first
    int m_errors = 0;
};

} // namespace accelopt
