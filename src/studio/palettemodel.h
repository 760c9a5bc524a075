// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/journalreader.h"

#include <QAbstractListModel>
#include <QPointer>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

class Command;

/// How well `query` is found in `text` by its letters in order: higher is better, below 0 = not. Words beginning with
/// the letters, and letters side by side, count more. `marks`: the positions found, for bold.
[[nodiscard]] double fuzzyScore(const QString &query, const QString &text, QList<int> *marks = nullptr);

/// The rows of the command palette: a head row, then results, group by group. Attempts come from a query and follow a
/// little later.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QString query READ query WRITE setQuery NOTIFY queryChanged)
    Q_PROPERTY(int found READ found NOTIFY resultsChanged)
    Q_PROPERTY(int shown READ shown NOTIFY resultsChanged)
public:
    enum Role { HeadRole = Qt::UserRole, TitleRole, DetailRole, IconRole, MeaningRole, SequenceRole };

    explicit PaletteModel(QObject *parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] QString query() const { return m_query; }
    void setQuery(const QString &query);
    [[nodiscard]] int found() const { return m_found; }
    [[nodiscard]] int shown() const { return m_shown; }
    Q_INVOKABLE void refresh();
    /// The next row from `from` in a direction that is no head; `from` where there is none.
    [[nodiscard]] Q_INVOKABLE int nextSelectable(int from, int direction) const;
    [[nodiscard]] Q_INVOKABLE QString plain(int row) const; ///< without marks, for readers
    Q_INVOKABLE void run(int row);

Q_SIGNALS:
    void queryChanged();
    void resultsChanged();

private:
    struct Row {
        bool head = false;
        QString title; ///< styled text: what matched is bold
        QString plain;
        QString detail, icon, meaning, sequence;
        double score = 0;
        QString commandId, problem;
        qint64 attempt = 0;
    };
    void build();
    void askAttempts();
    [[nodiscard]] QList<Row> commands(const QString &text) const;
    [[nodiscard]] QList<Row> problems(const QString &text) const;
    [[nodiscard]] QList<Row> attempts(const QString &text) const;

    QString m_query;
    QList<Row> m_rows;
    QList<Attempt> m_attempts;
    QTimer m_ask;
    int m_found = 0, m_shown = 0;
};

} // namespace accelopt
