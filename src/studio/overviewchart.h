// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "studio/linechart.h"
#include "studio/snapshot.h"

namespace accelopt {

/// Best fraction of peak (or speedup) by iteration: the geomean strong, the chosen problem selected, the others in
/// series colours, or muted where there are more than eight.
class OverviewChart : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(accelopt::ChartData *data READ data CONSTANT)
    Q_PROPERTY(bool showSpeedup READ showSpeedup WRITE setShowSpeedup NOTIFY changed)
    Q_PROPERTY(double now READ now NOTIFY changed)
    Q_PROPERTY(int iterations READ iterations NOTIFY changed)
    Q_PROPERTY(int others READ others NOTIFY changed) ///< series drawn muted
    Q_PROPERTY(double highest READ highest NOTIFY changed)
    Q_PROPERTY(QStringList names READ names NOTIFY changed) ///< of the series, geomean first
public:
    explicit OverviewChart(QObject *parent = nullptr);
    [[nodiscard]] ChartData *data() { return &m_data; }
    [[nodiscard]] bool showSpeedup() const { return m_showSpeedup; }
    void setShowSpeedup(bool show);
    [[nodiscard]] double now() const { return m_now; }
    [[nodiscard]] int iterations() const { return m_iterations; }
    [[nodiscard]] int others() const { return m_others; }
    [[nodiscard]] double highest() const { return m_highest; }
    [[nodiscard]] QStringList names() const;

Q_SIGNALS:
    void changed();

private:
    void take();
    ChartData m_data;
    bool m_showSpeedup = false;
    double m_now = 0, m_highest = 0;
    int m_iterations = 0, m_others = 0;
};

} // namespace accelopt
