// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/runcontext.h"

namespace accelopt {

/// What an evaluation is about.
struct EvaluationSubject {
    ProblemRef ref;
    const Problem *problem = nullptr; ///< outlives the evaluation
    Roofline roofline;
    qint64 attempt = 0;
    AttemptKey key;
    QString sha256; ///< of the committed kernel; the host must have measured exactly this
    QString purpose; ///< search, baseline
};

/// The hosts of a run and the queue before them. An evaluation is claimed in the journal, run on the host with the most
/// free places, and written down with its result. Errors that are not the kernel's are tried again, then pause the run;
/// they are never an attempt's result.
class Evaluations {
public:
    explicit Evaluations(RunContext &context)
        : m_context(context)
    {
    }

    /// Makes and starts the evaluators of the run's hosts; refuses when one does not start.
    QCoro::Task<Result<void>> open();
    QCoro::Task<Result<Evaluation>> evaluate(
        EvaluationSubject subject, QByteArray kernel, std::optional<SkipWindow> skip);
    /// Empty where the source does not parse or nobody can tell.
    QCoro::Task<Result<QString>> programHash(QByteArray kernel);
    void close();
    [[nodiscard]] int places() const { return m_places; }
    [[nodiscard]] QJsonObject facts() const;

private:
    struct Host {
        std::unique_ptr<Evaluator> evaluator;
        int inUse = 0;
    };
    QCoro::Task<Result<Evaluation>> run(EvaluationSubject subject, QByteArray kernel, std::optional<SkipWindow> skip);
    QCoro::Task<Result<Evaluation>> once(Host &host, EvaluationJob job);
    [[nodiscard]] Host &freest();
    void onProgress(const EvaluationProgress &progress);

    RunContext &m_context;
    std::vector<std::unique_ptr<Host>> m_hosts;
    std::unique_ptr<SlotQueue> m_queue;
    int m_places = 0;
    quint64 m_jobs = 0;
    struct Running {
        QString problem;
        AttemptKey key;
        qint64 attempt = 0;
    };
    QMap<QString, Running> m_running; ///< job id -> what it is, for lanes
};

/// Completes what a host said: fraction of peak, quarantine, numbers that are none.
[[nodiscard]] Result<Evaluation> judged(Evaluation evaluation, const Roofline &roofline, const QString &sha256);

/// A latency up to this much below T_peak is taken for measurement noise and not for a kernel that does less than the
/// work.
inline constexpr double quarantineAbove = 1.005;

} // namespace accelopt
