// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "studio/bars.h"
#include "studio/lineagelayout.h"

#include <QTimer>

namespace accelopt {

/// The lineage around the chosen attempt: one column per iteration, shapes for verdicts, the path of the selection in
/// accent. Arrow keys move along the tree, Enter emits `chosen`.
class LineageView : public ThemedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QString problem MEMBER m_problem NOTIFY inputChanged)
    Q_PROPERTY(qlonglong selected READ selected WRITE setSelected NOTIFY inputChanged)
    Q_PROPERTY(bool showFailed MEMBER m_showFailed NOTIFY inputChanged)
    Q_PROPERTY(QString hoverText READ hoverText NOTIFY hoverChanged) ///< of the node under the pointer, empty = none
    Q_PROPERTY(QString summary READ summary NOTIFY lineageChanged) ///< for readers
    Q_PROPERTY(int columns READ columns NOTIFY lineageChanged)
public:
    explicit LineageView(QQuickItem *parent = nullptr);
    void paint(QPainter *painter) override;

    [[nodiscard]] qlonglong selected() const { return m_selected; }
    void setSelected(qlonglong id);
    [[nodiscard]] QString hoverText() const { return m_hoverText; }
    [[nodiscard]] QString summary() const;
    [[nodiscard]] int columns() const { return m_lineage.columns; }
    /// For tests: what is drawn.
    [[nodiscard]] const Lineage &lineage() const { return m_lineage; }
    void setLineage(const Lineage &lineage);
    [[nodiscard]] Q_INVOKABLE qlonglong nodeAt(double x, double y) const; ///< 0 = none
    /// The node to go to from the selection: "left" parent, "right" best child, "up" and "down" in the column.
    [[nodiscard]] Q_INVOKABLE qlonglong neighbour(const QString &direction) const;

Q_SIGNALS:
    void inputChanged();
    void lineageChanged();
    void hoverChanged();
    void chosen(qlonglong attempt);

protected:
    void hoverMoveEvent(QHoverEvent *event) override;
    void hoverLeaveEvent(QHoverEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void read();
    [[nodiscard]] QPointF place(const LineageNode &node) const;
    void drawNode(QPainter *painter, const LineageNode &node) const;

    Lineage m_lineage;
    QString m_problem, m_hoverText;
    QTimer m_timer;
    qint64 m_selected = 0;
    bool m_showFailed = true;
};

} // namespace accelopt
