// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tables and charts of a report, as text, the same in every format that shows tables.

#include "report/chart.h"
#include "report/reportmodel.h"

namespace accelopt::report {

inline constexpr qsizetype maximumDiffLines = 2000;

struct Table {
    QStringList head; ///< "#…" marks a column of numbers
    QList<QStringList> rows;
};

[[nodiscard]] Table problemTable(const Model &model);
[[nodiscard]] Table attemptTable(const Model &model);
[[nodiscard]] Table errorTable(const Model &model);
[[nodiscard]] Table lineageTable(const ProblemPart &part);
[[nodiscard]] Table samplesTable(const ProblemPart &part);
[[nodiscard]] Table experienceTable(const Model &model);
[[nodiscard]] Table ledgerTable(const Model &model, const QMap<QString, LedgerTotals> &split, const QString &head);
[[nodiscard]] Table environmentTable(const Model &model);
[[nodiscard]] Table settingsTable(const Model &model);
[[nodiscard]] QStringList costSentences(const Model &model);

[[nodiscard]] ChartText fractionChartText(const Model &model);
[[nodiscard]] QList<Series> fractionSeries(const Model &model);
[[nodiscard]] ChartText verdictChartText(const Model &model);
[[nodiscard]] QList<Bar> verdictBars(const Model &model);

} // namespace accelopt::report
