// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/problem.h"
#include "domain/result.h"

#include <QJsonObject>
#include <QMap>
#include <QString>
#include <QStringList>

namespace accelopt {

/// Reads a folder with problem.json, reference.py and kernel.py. Work formulas are muParser expressions over `values`.
/// Says which file or key is wrong; a reference without `forward` and `get_inputs` is refused (checked in the text,
/// nothing is run).
[[nodiscard]] Result<Problem> readProblemFolder(const QString &folder);
[[nodiscard]] Result<Problem> problemFromParts(
    const QJsonObject &json, const QByteArray &reference, const QByteArray &kernel);
[[nodiscard]] Result<double> evaluateFormula(const QString &formula, const QMap<QString, double> &values);
/// Names of the problems of a bundled suite ("quick", "nkibench"), and of all suites.
[[nodiscard]] Result<QStringList> suiteProblems(const QString &suite);
[[nodiscard]] QStringList suiteNames();

} // namespace accelopt
