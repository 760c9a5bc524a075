// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "studio/bars.h"
#include "studio/snapshot.h"

#include <QAbstractListModel>

namespace accelopt {

/// One piece of work in a lane, in seconds before now.
struct LaneSpan {
    double from = 0, to = 0; ///< seconds before the end of the window: from > to >= 0
    int row = 0;
    QString kind; ///< planner, executor, fixer, summarizer, evaluation
    QString outcome; ///< ok, failed, running, interrupted
    bool estimate = false;
    bool operator==(const LaneSpan &) const = default;
};

/// What runs now: a group for each model and each host, its spans laid into rows so that none overlap.
class LaneModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(int seconds READ seconds WRITE setSeconds NOTIFY windowChanged) ///< the window: 600, 3600
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(QStringList ticks READ ticks NOTIFY windowChanged) ///< clock times from the left
public:
    enum Role { NameRole = Qt::UserRole, IconRole, DetailRole, RateRole, NoteRole, RowsRole, SpansRole, EstimateRole };

    explicit LaneModel(QObject *parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;
    [[nodiscard]] int count() const { return int(m_groups.size()); }
    [[nodiscard]] int seconds() const { return m_seconds; }
    void setSeconds(int seconds);
    [[nodiscard]] QStringList ticks() const;
    /// `end`: right edge of the window, UTC.
    void setActivity(const QList<ActivityRecord> &activity, const QDateTime &end);

    struct Group {
        QString name, icon, detail, rate, note;
        int rows = 1;
        bool estimate = false;
        QList<LaneSpan> spans;
        bool operator==(const Group &) const = default;
    };
    [[nodiscard]] const QList<Group> &groups() const { return m_groups; }

Q_SIGNALS:
    void windowChanged();
    void countChanged();

private:
    void take();
    QList<Group> m_groups;
    QDateTime m_end;
    int m_seconds = 600;
};

/// A strip of a lane group. Stages go by height and lightness, not hue.
class Lanes : public ThemedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QVariant spans READ spans WRITE setSpans NOTIFY changed) ///< the "spans" role
    Q_PROPERTY(int rows MEMBER m_rows NOTIFY changed)
    Q_PROPERTY(int seconds MEMBER m_seconds NOTIFY changed)
public:
    explicit Lanes(QQuickItem *parent = nullptr);
    void paint(QPainter *painter) override;
    [[nodiscard]] QVariant spans() const { return QVariant::fromValue(m_spans); }
    void setSpans(const QVariant &spans);

Q_SIGNALS:
    void changed();

private:
    QList<LaneSpan> m_spans;
    int m_rows = 1;
    int m_seconds = 600;
};

} // namespace accelopt

Q_DECLARE_METATYPE(QList<accelopt::LaneSpan>)
