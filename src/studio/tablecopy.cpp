// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/tablecopy.h"

namespace accelopt {

namespace {

QString cell(QString text)
{
    text.replace(u'\t', u' ').replace(u'\n', u' ').replace(u'\r', u' ');
    return text;
}

} // namespace

QString TableTools::head(QAbstractItemModel *model, int column)
{
    return model ? model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() : QString();
}

QModelIndex TableTools::index(QAbstractItemModel *model, int row, int column)
{
    return model ? model->index(row, column) : QModelIndex();
}

QString TableTools::tsv(QAbstractItemModel *model, const QList<int> &rows, const QList<int> &columns)
{
    if (!model)
        return {};
    QString text;
    const auto line = [&](const auto &value) {
        for (qsizetype i = 0; i < columns.size(); ++i)
            text += (i > 0 ? QStringLiteral("\t") : QString()) + cell(value(columns.at(i)));
        text += u'\n';
    };
    const auto row = [&](int r) {
        line([&](int column) {
            const QModelIndex index = model->index(r, column);
            const QVariant edit = index.data(Qt::EditRole);
            return edit.isValid() ? edit.toString() : index.data(Qt::DisplayRole).toString();
        });
    };
    line([&](int column) { return head(model, column); });
    if (rows.isEmpty()) {
        for (int r = 0; r < model->rowCount(); ++r)
            row(r);
    } else {
        for (const int r : rows) {
            if (r >= 0 && r < model->rowCount())
                row(r);
        }
    }
    return text;
}

} // namespace accelopt
