// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/cancellation.h"
#include "domain/evaluation.h"
#include "domain/problem.h"
#include "domain/result.h"

#include <QCoroTask>
#include <QJsonObject>
#include <functional>
#include <memory>

namespace accelopt {

/// Latencies between which an attempt can enter neither the beam nor the memory: where an estimate comes before the
/// numbers and falls inside, the numbers are not computed (Evaluation::Status::Skipped). Absent = always compute.
struct SkipWindow {
    double fromMs = 0, toMs = 0;
};

struct EvaluationJob {
    QString id; ///< unique in the process; names the job's folder
    Problem problem;
    QByteArray kernel;
    QString target;
    int seeds = 5;
    int hiddenSeeds = 1;
    std::optional<SkipWindow> skip;
    QString purpose = QStringLiteral("search"); ///< search, baseline, verify, check-only, estimate-only
    QJsonObject deadlines; ///< stage -> seconds; absent = the runner's defaults
};

/// What a job does now; for lanes.
struct EvaluationProgress {
    QString job, stage, core;
};

/// Somebody who can say what a kernel is worth. Lives on the engine thread. Never fails for the kernel's sake: a failed
/// attempt is an Evaluation with an error; the Error of the Result means that no verdict was reached (the host is gone,
/// the job was cancelled).
class Evaluator {
public:
    virtual ~Evaluator() = default;
    [[nodiscard]] virtual QString name() const = 0; ///< "simulator", "trn-a"
    [[nodiscard]] virtual int concurrency() const = 0; ///< how many jobs it works on at once
    [[nodiscard]] virtual QJsonObject facts() const = 0; ///< for the run's frozen facts
    [[nodiscard]] virtual QCoro::Task<Result<void>> start(CancelToken token) = 0;
    [[nodiscard]] virtual QCoro::Task<Result<Evaluation>> evaluate(EvaluationJob job, CancelToken token) = 0;
    /// Called on the engine thread whenever a job changes its stage.
    void setProgressHandler(std::function<void(const EvaluationProgress &)> handler)
    {
        m_progress = std::move(handler);
    }

protected:
    std::function<void(const EvaluationProgress &)> m_progress;
};

class EvaluatorFactory {
public:
    virtual ~EvaluatorFactory() = default;
    [[nodiscard]] virtual QString id() const = 0; ///< simulator, ssh
    [[nodiscard]] virtual Result<std::unique_ptr<Evaluator>> create(
        const QString &host, const QJsonObject &options) = 0;
};

/// Loads the plugin that serves `host` ("simulator" today) from pluginPath("hosts").
[[nodiscard]] Result<std::unique_ptr<Evaluator>> createEvaluator(const QString &host, const QJsonObject &options = {});

/// Hash of the normalised syntax tree (comments, spacing, docstrings and local names do not count): equal = same
/// program. Computed by the runner's Python through the evaluator that is at hand; empty when the source does not
/// parse.
class ProgramHasher {
public:
    virtual ~ProgramHasher() = default;
    [[nodiscard]] virtual QCoro::Task<Result<QString>> programHash(QByteArray kernel, CancelToken token) = 0;
};

} // namespace accelopt

#define AccelOptEvaluatorFactory_iid "studio.accelopt.EvaluatorFactory/1"
Q_DECLARE_INTERFACE(accelopt::EvaluatorFactory, AccelOptEvaluatorFactory_iid)
