// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/records.h"
#include "search/project.h"

#include <QMap>
#include <functional>
#include <optional>

namespace accelopt::report {

/// One problem of the run.
struct ProblemPart {
    Problem problem;
    ProblemStatus status;
    AttemptCounts counts;
    std::optional<Attempt> baseline, best;
    QByteArray patch; ///< baseline -> best, unified
    QString patchNote; ///< why there is none, where there is none
    QList<Experience> experiences; ///< oldest first
    QList<Attempt> lineage; ///< baseline to best, where they differ
};

/// Geometric means over the problems of one kind; estimates and measurements are never in one mean.
struct Headline {
    int problems = 0;
    double before = 0, after = 0; ///< fractions of peak
    double speedup = 1;
};

/// What every format tells: read once from journal and repository.
struct Model {
    QString projectName, folder; ///< `folder` as the commands name it
    QString programVersion;
    QDateTime writtenAt;
    RunRecord run;
    QJsonObject settings; ///< without anything secret
    QList<ProblemPart> problems;
    Headline measured, estimated;
    int withoutResult = 0; ///< problems whose baseline has no latency
    AttemptCounts counts;
    QMap<QString, AttemptCounts> countsByProblem;
    QMap<QString, qint64> errors; ///< error kind -> attempts
    LedgerTotals ledger;
    QMap<QString, LedgerTotals> byModel, byRole;
    double deviceSeconds = 0;
    QList<EvaluationEnvironment> environments; ///< of the baselines and best kernels, each once
};

[[nodiscard]] Result<Model> load(const Project &project, qint64 run);
/// Calls `row` for every attempt of the run, by problem and key, with all details; a few thousand in memory at a time.
[[nodiscard]] Result<void> eachAttempt(
    const Project &project, qint64 run, const std::function<void(const Attempt &)> &row);

/// "user:password@" of addresses becomes "…@", in every string below.
[[nodiscard]] QJsonObject withoutSecrets(const QJsonObject &json);
/// Every setting as path and text: "models.planner" -> "rules".
[[nodiscard]] QList<std::pair<QString, QString>> flatten(const QJsonObject &json);

// Sentences and numbers that more than one format uses. Estimates are marked in each of them.
[[nodiscard]] QString latencyText(double ms, bool estimate);
[[nodiscard]] QString fractionText(double fraction, bool estimate);
[[nodiscard]] QStringList headlineSentences(const Model &model);
[[nodiscard]] QString estimateSentence(const Model &model); ///< empty without estimates
[[nodiscard]] QString stateSentence(const Model &model);
[[nodiscard]] QString provenance(
    const Model &model, const QString &commit = {}); ///< project, run, target, time, commit
[[nodiscard]] QStringList checkCommands(const Model &model, const ProblemPart &part);
[[nodiscard]] QString verifyCommand(const Model &model);
/// Cost with its unknown part: "$1.20", "$1.20 and 3 calls of unknown price", "?".
[[nodiscard]] QString costText(const LedgerTotals &totals);
/// Text without control characters; those that change the direction of text are shown as their code.
[[nodiscard]] QString visible(const QString &text);

[[nodiscard]] QByteArray renderHtml(const Model &model);
[[nodiscard]] QByteArray renderMarkdown(const Model &model);
[[nodiscard]] Result<QByteArray> renderJson(const Model &model, const Project &project);
[[nodiscard]] Result<QByteArray> renderCsv(const Model &model, const Project &project);

} // namespace accelopt::report
