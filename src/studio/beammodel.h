// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/journalreader.h"

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// The beam of one problem: its candidates with latency, fraction of peak, what their plans have brought, parent and
/// age.
class BeamModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QString problem READ problem WRITE setProblem NOTIFY problemChanged)
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(int iteration READ iteration NOTIFY countChanged)
    Q_PROPERTY(bool busy READ busy NOTIFY busyChanged)
    Q_PROPERTY(QString error READ error NOTIFY busyChanged)
public:
    enum Role {
        RankRole = Qt::UserRole,
        KeyRole,
        AttemptRole,
        LatencyRole,
        FractionRole,
        FractionTextRole,
        EstimateRole,
        CellsRole,
        DoneRole,
        PlansRole,
        ParentRole,
        AgeRole,
        NewBestRole,
        OriginRole
    };

    struct Row {
        int rank = 0;
        QString key, latency, fractionText, parent, age, origin;
        qint64 attempt = 0;
        double fraction = 0;
        bool estimate = false, newBest = false;
        QStringList cells; ///< one a plan: better, not-better, failed, working, empty
        int done = 0;
        bool operator==(const Row &) const = default;
    };

    explicit BeamModel(QObject *parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;
    [[nodiscard]] QString problem() const { return m_problem; }
    void setProblem(const QString &problem);
    [[nodiscard]] int count() const { return int(m_rows.size()); }
    [[nodiscard]] int iteration() const { return m_iteration; }
    [[nodiscard]] bool busy() const { return m_busy; }
    [[nodiscard]] QString error() const { return m_error; }
    void setRows(const QList<Row> &rows);

Q_SIGNALS:
    void problemChanged();
    void countChanged();
    void busyChanged();

private:
    void ask();
    QString m_problem, m_error;
    QList<Row> m_rows;
    int m_iteration = 0;
    bool m_busy = false;
};

struct BeamRows {
    int iteration = 0;
    QList<BeamModel::Row> rows;
};
/// Worker thread.
[[nodiscard]] Result<BeamRows> readBeam(const JournalReader &reader, const RunRecord &run, const QString &problem);

} // namespace accelopt
