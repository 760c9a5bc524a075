// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QQmlEngine>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// What a Table (AccelOpt.Components) asks of its model, for QML as `TableTools`.
class TableTools : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
public:
    using QObject::QObject;
    /// Rows as tab-separated text with heads: display role (or Qt::EditRole where the model gives it), tabs and line
    /// ends inside a cell become spaces. `columns` in the order they are shown; rows empty = all.
    [[nodiscard]] Q_INVOKABLE static QString tsv(
        QAbstractItemModel *model, const QList<int> &rows, const QList<int> &columns);
    [[nodiscard]] Q_INVOKABLE static QModelIndex index(QAbstractItemModel *model, int row, int column = 0);
    /// Head of a column (display role).
    [[nodiscard]] Q_INVOKABLE static QString head(QAbstractItemModel *model, int column);
};

} // namespace accelopt
