// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/evaluation.h"
#include "domain/format.h"
#include "domain/problem.h"

#include <QList>
#include <QString>

namespace accelopt {

/// One row of "B against A": both values as people read them and the difference in words.
struct MetricDelta {
    QString key; ///< profile field, "latency", "fraction_of_peak", "traffic_efficiency", "relative_error"
    QString name; ///< "HBM read"
    QString a, b; ///< "181.7 MB"; an en dash where a side has none
    QString change; ///< "30 % less", "+7.6 points", "gone", "none"
    format::Verdict verdict = format::Verdict::Same;
    bool judged = true; ///< false where more is neither better nor worse: an engine that does not set the pace, an
                        ///< error inside the tolerance

    bool operator==(const MetricDelta &) const = default;
    [[nodiscard]] bool differs() const { return a != b; }
    /// better, same or worse; empty where nothing is judged.
    [[nodiscard]] QString word() const;
};

/// What B is against A, in words. Only evaluations with equal environments are compared.
struct Comparison {
    bool comparable = false;
    QString reason; ///< why not: "These results cannot be compared: neuronx-cc 2.21 and 2.19."
    double factor = 1; ///< latency of A / latency of B
    format::Verdict verdict = format::Verdict::Same;
    QString headline; ///< "B is 1.268× faster than A"
    QString detail; ///< "0.611 ms less per call; the gain is far above the spread of both."
    QList<MetricDelta> rows;
};
/// `work` gives traffic efficiency (least bytes / moved bytes); 0 bytes leaves that row out.
[[nodiscard]] Comparison compareEvaluations(const Evaluation &a, const Evaluation &b, const Work &work = {});

[[nodiscard]] QString verdictWord(format::Verdict verdict); ///< better, same, worse

} // namespace accelopt
