// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QJsonObject>
#include <QList>
#include <QString>
#include <optional>

namespace accelopt {

/// How an attempt can fail. The names (kebab case) are part of the runner protocol, the journal and the CLI's JSON.
enum class ErrorKind {
    None,
    Reply, ///< no kernel in the model's reply
    Truncated, ///< the reply was cut off
    Syntax,
    Guard, ///< the source tries what a kernel may not
    Rule, ///< an NKI or hardware rule, with its id and line
    Compile,
    Memory, ///< SBUF, PSUM or HBM does not hold it
    WrongResult,
    NonFinite,
    Hang,
    Crash,
    Host,
    Infrastructure ///< ours, not the kernel's: repeated, never counted against the attempt
};
[[nodiscard]] QString errorKindName(ErrorKind kind); ///< "wrong-result"; empty for None
[[nodiscard]] std::optional<ErrorKind> errorKindFromName(const QString &name);

struct EvaluationError {
    ErrorKind kind = ErrorKind::None;
    QString id; ///< rule id, for example "err_tensor_access_out_of_bound"; may be empty
    QString message; ///< one sentence for people
    int line = 0; ///< line of the kernel, 0 where there is none
    QString stage; ///< guard, check, compile, correctness, timing, profile, verify

    bool operator==(const EvaluationError &) const = default;
    explicit operator bool() const { return kind != ErrorKind::None; }
};

/// Milliseconds. Median is the latency everywhere; spread = (max - min) / median.
struct Latency {
    double medianMs = 0;
    double minMs = 0;
    double maxMs = 0;
    QList<double> samplesMs;

    bool operator==(const Latency &) const = default;
    [[nodiscard]] double spread() const { return medianMs > 0 ? (maxMs - minMs) / medianMs : 0; }
};

/// Only evaluations with equal keys are compared.
struct EvaluationEnvironment {
    QString target; ///< trn1, trn2
    QString host; ///< "simulator" or the host's kind (two hosts of one instance type compare)
    QString sdk;
    QString nki;
    QString flags;
    QString profiler;

    bool operator==(const EvaluationEnvironment &) const = default;
    [[nodiscard]] QJsonObject toJson() const;
    [[nodiscard]] static EvaluationEnvironment fromJson(const QJsonObject &json);
};

/// What a host said about an attempt.
struct Evaluation {
    enum class Status {
        Measured, ///< correct, with a latency (an estimate where `estimate` is set)
        Failed,
        Skipped ///< estimated only: it could enter neither beam nor memory, so its numbers were not computed
    };
    Status status = Status::Failed;
    EvaluationError error;
    Latency latency;
    bool estimate = false; ///< the latency comes from the simulator
    double bandLowMs = 0, bandHighMs = 0; ///< of an estimate; 0 where there is none
    QString confidence; ///< of an estimate: "A", "B", "C"
    double fractionOfPeak = 0; ///< filled by the engine from the run's frozen peaks
    bool quarantined = false; ///< faster than the roofline allows
    double relativeError = -1; ///< worst L2 relative error over outputs and seeds; -1 where it was not computed
    QJsonObject profile; ///< neuron-profile summary-json names and units; plus "lines", "bounds" where known
    EvaluationEnvironment environment;
    QString sha256; ///< of the kernel source, lower-case hex
    QString core; ///< where it ran: "trn-a core 6", "simulator worker 1"
    QJsonObject stageSeconds; ///< stage -> seconds

    bool operator==(const Evaluation &) const = default;
    [[nodiscard]] bool isCorrect() const { return status == Status::Measured; }
    [[nodiscard]] QJsonObject toJson() const;
    [[nodiscard]] static Result<Evaluation> fromJson(const QJsonObject &json);
};
[[nodiscard]] QString statusName(Evaluation::Status status); ///< measured, failed, skipped

} // namespace accelopt
