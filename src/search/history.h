// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"
#include "domain/plan.h"
#include "domain/problem.h"
#include "search/memory.h"
#include "search/selection.h"

#include <QHash>
#include <QSet>
#include <QStringList>
#include <optional>

namespace accelopt {

/// What makes two kernels the same program: the hash of the normalised syntax tree, or the text's where the source does
/// not parse. Empty without a kernel.
[[nodiscard]] QString programOf(const Attempt &attempt);

/// What a problem's search knows when an iteration starts. Grows only by `absorb`, at the end of each iteration and
/// when a run is resumed: both ways lead to the same knowledge, since attempts are taken in the order of their keys.
class History {
public:
    /// The baseline, evaluated.
    void begin(const Attempt &baseline);
    /// The attempts of the next finished iteration, with its candidates (by place).
    void absorb(const QList<Attempt> &attempts, const QList<Plan> &plans, const QList<Placed> &candidates);

    struct Known {
        qint64 id = 0;
        AttemptKey key;
        QString program, sha256, commit;
        bool eligible = false;
        bool skipped = false;
        double latencyMs = 0;
    };
    [[nodiscard]] const Known *find(qint64 attempt) const;
    [[nodiscard]] Placed placed(qint64 attempt) const;
    /// Who was the first with this program and has a result that another attempt may share.
    struct Owner {
        qint64 attempt = 0;
        AttemptKey key;
        bool skipped = false;
        double latencyMs = 0;
    };
    [[nodiscard]] std::optional<Owner> owner(const QString &program) const;

    /// May enter beam, memory and best: correct, not quarantined, measured in the baseline's environment.
    [[nodiscard]] bool isEligible(const Attempt &attempt) const;
    [[nodiscard]] bool isComparable(const Evaluation &evaluation) const
    {
        return evaluation.environment == m_environment;
    }
    [[nodiscard]] Standing standing(const Attempt &attempt) const;

    [[nodiscard]] const std::optional<Placed> &best() const { return m_best; }
    [[nodiscard]] double baselineMs() const { return m_baselineMs; }
    [[nodiscard]] QStringList triedTitles(qint64 candidate) const { return m_tried.value(candidate); }
    [[nodiscard]] QStringList failures(qint64 candidate) const { return m_failures.value(candidate); }
    [[nodiscard]] const QList<double> &bestByIteration() const { return m_bestByIteration; }
    QSet<QString> &knownPairs() { return m_pairs; } ///< for notablePairs

private:
    void add(const Attempt &attempt);

    EvaluationEnvironment m_environment;
    double m_baselineMs = 0;
    QHash<qint64, Known> m_known;
    QHash<QString, Owner> m_owners;
    QHash<qint64, QStringList> m_tried, m_failures;
    QList<double> m_bestByIteration;
    std::optional<Placed> m_best;
    QSet<QString> m_pairs;
};

} // namespace accelopt
