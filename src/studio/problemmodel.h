// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "studio/snapshot.h"

#include <QAbstractTableModel>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// The problems of the shown run with baseline, best, speedup and state. Rows are kept over refreshes: values change,
/// rows do not jump while `holdOrder` is set (pointer or focus in the table).
class ProblemModel : public QAbstractTableModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(bool holdOrder READ holdOrder WRITE setHoldOrder NOTIFY holdOrderChanged)
    Q_PROPERTY(int sortColumn READ sortColumn NOTIFY sortChanged)
    Q_PROPERTY(bool sortDescending READ sortDescending NOTIFY sortChanged)
public:
    enum Column {
        NameColumn,
        BoundColumn,
        BarColumn,
        BeforeColumn,
        BestColumn,
        BestMsColumn,
        SpeedupColumn,
        StateColumn,
        TrendColumn,
        BaselineMsColumn,
        AttemptsColumn,
        ColumnCount
    };
    Q_ENUM(Column)
    enum Role {
        NameRole = Qt::UserRole,
        BaselineRole,
        BestRole,
        SpeedupRole,
        EstimateRole,
        StateRole,
        TrendRole,
        IterationsRole,
        SelectedRole
    };

    explicit ProblemModel(QObject *parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] int count() const { return int(m_rows.size()); }
    [[nodiscard]] bool holdOrder() const { return m_holdOrder; }
    void setHoldOrder(bool hold);
    [[nodiscard]] int sortColumn() const { return m_sortColumn; }
    [[nodiscard]] bool sortDescending() const { return m_sortDescending; }
    Q_INVOKABLE void sortBy(int column, bool descending);
    Q_INVOKABLE int rowOf(const QString &name) const;
    Q_INVOKABLE QString nameAt(int row) const;
    /// For tests and the session: rows from a snapshot.
    void setSnapshot(const SnapshotPtr &snapshot);

Q_SIGNALS:
    void countChanged();
    void holdOrderChanged();
    void sortChanged();

private:
    struct Row {
        ProblemStatus status;
        qint64 attempts = 0;
        int iterations = 0;
        bool hasResult = false;
        bool operator==(const Row &other) const;
    };
    [[nodiscard]] bool before(const Row &a, const Row &b) const;
    void reorder();

    QList<Row> m_rows;
    int m_sortColumn = NameColumn;
    bool m_sortDescending = false;
    bool m_holdOrder = false;
};

} // namespace accelopt
