// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluation/evaluator.h"
#include "evaluation/runnerclient.h"

#include <QHash>

namespace accelopt {

/// An evaluator over a runner process, wherever that runs. Also the program hasher. Lives on the engine thread.
class RunnerEvaluator : public Evaluator, public ProgramHasher {
public:
    RunnerEvaluator(QString name, RunnerClient::Command command, RunnerClient::Times times, int concurrency);
    ~RunnerEvaluator() override;

    [[nodiscard]] QString name() const override { return m_name; }
    [[nodiscard]] int concurrency() const override { return m_concurrency; }
    [[nodiscard]] QJsonObject facts() const override { return m_client->facts(); }
    [[nodiscard]] QCoro::Task<Result<void>> start(CancelToken token) override;
    [[nodiscard]] QCoro::Task<Result<Evaluation>> evaluate(EvaluationJob job, CancelToken token) override;
    [[nodiscard]] QCoro::Task<Result<QString>> programHash(QByteArray kernel, CancelToken token) override;

    [[nodiscard]] RunnerClient &client() { return *m_client; }

private:
    [[nodiscard]] QString newId(const QString &wanted);

    QString m_name;
    int m_concurrency;
    std::unique_ptr<RunnerClient> m_client;
    QHash<QString, QString> m_jobs; ///< id on the wire -> the job's own
    quint64 m_count = 0;
};

/// The runner's result, which is untrusted, as an Evaluation of this job; what cannot be true becomes an infrastructure
/// failure.
[[nodiscard]] Evaluation evaluationFromRunner(
    const QJsonObject &result, const EvaluationJob &job, const QString &sha256);

} // namespace accelopt
