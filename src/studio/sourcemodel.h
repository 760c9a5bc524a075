// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "studio/sourcehighlight.h"

#include <QAbstractListModel>
#include <QSet>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// The lines of one kernel with their colours, and which of them are new against the parent.
class SourceModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("AttemptDetail.source")
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(int longestLine READ longestLine NOTIFY countChanged) ///< characters
public:
    enum Role { NumberRole = Qt::UserRole, CodeRole, ChangedRole, ErrorRole };

    explicit SourceModel(QObject *parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;
    [[nodiscard]] int count() const { return static_cast<int>(m_lines.size()); }
    [[nodiscard]] int longestLine() const { return m_longest; }

    void setSource(const QStringList &lines, const QList<CodeLine> &colours, const QSet<int> &changed, int errorLine,
        int firstNumber = 1);

Q_SIGNALS:
    void countChanged();

private:
    QStringList m_lines;
    QList<CodeLine> m_colours;
    QSet<int> m_changed; ///< 0-based
    int m_errorLine = 0; ///< 1-based, 0 = none
    int m_longest = 0, m_firstNumber = 1;
};

} // namespace accelopt
