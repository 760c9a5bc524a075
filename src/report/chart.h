// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace accelopt::report {

/// CSS colours of a chart. In HTML they are variables, so that one picture serves light and dark; elsewhere they are
/// plain.
struct ChartColors {
    QString text, muted, grid, accent;
    QStringList series;

    [[nodiscard]] static ChartColors variables();
    [[nodiscard]] static ChartColors plain();
};

struct Series {
    QString name;
    QList<double> values; ///< index = x
    bool dashed = false; ///< estimates
};

struct ChartText {
    QString title, description, xLabel, yLabel, provenance;
};

/// Lines over whole numbers from 0, in percent, with the line at 100 % and the name of each line at its end and in the
/// legend.
[[nodiscard]] QByteArray lineChart(const ChartText &text, const QList<Series> &series, const ChartColors &colors);

struct Bar {
    QString name;
    qint64 value = 0;
};
[[nodiscard]] QByteArray barChart(const ChartText &text, const QList<Bar> &bars, const ChartColors &colors);

} // namespace accelopt::report
