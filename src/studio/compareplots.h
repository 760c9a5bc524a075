// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "studio/bars.h"
#include "studio/diffmodel.h"

#include <QPointer>

namespace accelopt {

/// The rail beside the diff: removed left, added right, changed full width; the frame is the viewport; a click jumps.
class DiffRail : public ThemedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(accelopt::DiffModel *model READ model WRITE setModel NOTIFY changed)
    Q_PROPERTY(double viewStart MEMBER m_viewStart NOTIFY changed) ///< 0 to 1
    Q_PROPERTY(double viewSize MEMBER m_viewSize NOTIFY changed)
public:
    explicit DiffRail(QQuickItem *parent = nullptr);
    void paint(QPainter *painter) override;
    [[nodiscard]] DiffModel *model() const { return m_model; }
    void setModel(DiffModel *model);
Q_SIGNALS:
    void changed();
    void jumped(double position); ///< 0 to 1
protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    QPointer<DiffModel> m_model;
    double m_viewStart = 0, m_viewSize = 1;
};

/// Latency of A and B on one axis: box from minimum to maximum (of an estimate: its band, dashed), tick at the median.
class LatencyPlot : public ThemedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QList<double> a MEMBER m_a NOTIFY changed) ///< min, median, max in ms; empty = none
    Q_PROPERTY(QList<double> b MEMBER m_b NOTIFY changed)
    Q_PROPERTY(bool estimateA MEMBER m_estimateA NOTIFY changed)
    Q_PROPERTY(bool estimateB MEMBER m_estimateB NOTIFY changed)
public:
    explicit LatencyPlot(QQuickItem *parent = nullptr);
    void paint(QPainter *painter) override;
    [[nodiscard]] Q_INVOKABLE double rowCenter(int row) const; ///< y of A (0) and B (1)
Q_SIGNALS:
    void changed();

private:
    QList<double> m_a, m_b;
    bool m_estimateA = false, m_estimateB = false;
};

/// FLOP/s over FLOP per HBM byte, both axes logarithmic; A hollow circle, B filled diamond.
class RooflinePlot : public ThemedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(double bandwidth MEMBER m_bandwidth NOTIFY changed) ///< bytes/s
    Q_PROPERTY(double peakFlops MEMBER m_peakFlops NOTIFY changed) ///< FLOP/s
    Q_PROPERTY(QString peakName MEMBER m_peakName NOTIFY changed)
    Q_PROPERTY(QList<double> a MEMBER m_a NOTIFY changed) ///< intensity, FLOP/s; empty = none
    Q_PROPERTY(QList<double> b MEMBER m_b NOTIFY changed)
public:
    explicit RooflinePlot(QQuickItem *parent = nullptr);
    void paint(QPainter *painter) override;
Q_SIGNALS:
    void changed();

private:
    double m_bandwidth = 0, m_peakFlops = 0;
    QString m_peakName;
    QList<double> m_a, m_b;
};

} // namespace accelopt
