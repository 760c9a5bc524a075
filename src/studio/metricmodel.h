// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/comparison.h"

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// Rows of "B against A", or of one profile (only name and b are filled then).
class MetricModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by its page")
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(bool differencesOnly READ differencesOnly WRITE setDifferencesOnly NOTIFY differencesOnlyChanged)
public:
    enum Role { NameRole = Qt::UserRole, ARole, BRole, ChangeRole, VerdictRole };

    using QAbstractListModel::QAbstractListModel;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;
    [[nodiscard]] int count() const { return static_cast<int>(m_shown.size()); }
    [[nodiscard]] bool differencesOnly() const { return m_differencesOnly; }
    void setDifferencesOnly(bool only);
    void setRows(const QList<MetricDelta> &rows);

Q_SIGNALS:
    void countChanged();
    void differencesOnlyChanged();

private:
    void refill();

    QList<MetricDelta> m_rows, m_shown;
    bool m_differencesOnly = true;
};

/// One profile in words: HBM, spill, busy shares, counts, the bounds and the lines that cost most.
[[nodiscard]] QList<MetricDelta> profileRows(const Evaluation &evaluation, const Work &work);

} // namespace accelopt
