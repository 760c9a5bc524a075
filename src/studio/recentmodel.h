// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QDateTime>
#include <QJsonObject>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// The projects that were open, newest first, with how they stood when they were last seen. Kept in the user's
/// settings; holds no secrets.
class RecentModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Session.recent")
    Q_PROPERTY(int count READ count NOTIFY countChanged)
public:
    struct Entry {
        QString folder;
        QString name;
        QString target;
        double baseline = 0, best = 0; ///< geometric means of fraction of peak; 0 = no run
        bool estimate = false;
        QList<double> trend; ///< geomean by iteration
        int iterations = 0; ///< planned
        QString runText; ///< "Run 7, iteration 11 of 16"
        QString runState; ///< runStateName, empty without a run
        QDateTime openedAt; ///< UTC
        bool exists = true; ///< the folder was there when the list was read

        bool operator==(const Entry &) const = default;
        [[nodiscard]] QJsonObject toJson() const;
        [[nodiscard]] static Entry fromJson(const QJsonObject &json);
    };
    enum Role {
        NameRole = Qt::UserRole,
        FolderRole,
        ShortFolderRole,
        TargetRole,
        BaselineRole,
        BestRole,
        EstimateRole,
        TrendRole,
        IterationsRole,
        RunTextRole,
        RunStateRole,
        OpenedRole,
        ExistsRole
    };

    explicit RecentModel(QObject *parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] int count() const { return int(m_entries.size()); }
    [[nodiscard]] const QList<Entry> &entries() const { return m_entries; }
    /// Puts the folder first, keeping what is known of it.
    void touch(const QString &folder, const QString &target);
    /// How the project stands now; nothing happens for a folder that is not in the list.
    void update(const Entry &entry);
    Q_INVOKABLE void remove(const QString &folder);
    void insert(int row, const Entry &entry); ///< for undo
    [[nodiscard]] int find(const QString &folder) const;

Q_SIGNALS:
    void countChanged();

private:
    void save() const;
    QList<Entry> m_entries;
};

} // namespace accelopt
