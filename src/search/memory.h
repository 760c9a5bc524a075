// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/experience.h"
#include "search/random.h"
#include "search/selection.h"

#include <QSet>

namespace accelopt {

/// A slow and a fast kernel worth a summary.
struct Pair {
    bool positive = true; ///< the child is the fast one
    double speedup = 1; ///< slow latency / fast latency, >= 1
    qint64 slowAttempt = 0, fastAttempt = 0;
    AttemptKey child; ///< whose plan it was

    bool operator==(const Pair &) const = default;
};

struct PairRules {
    MemoryPolicy policy = MemoryPolicy::Fifo;
    double positiveThreshold = 1.04; ///< t_pos
    double negativeThreshold = 1.15; ///< t_neg
    int topK = 8;
};

/// The pairs of an iteration: at most TopK/2 positive ones, fastest first, then as many negative ones, worst first, as
/// TopK leaves. Speedups are against the candidate the attempt was made from. Both thresholds are strict.
///
/// - Fifo (AccelOpt paper, Algorithm 2): a plan group is positive when its greatest speedup is above t_pos, negative
/// when its GREATEST is below 1/t_neg.
/// - Upstream (the published scripts): a group whose greatest speedup is below 1 offers its SLOWEST attempt, which is
/// negative when below 1/t_neg: a group of
///   0.95 and 0.50 is negative here and ignored there.
/// `known` drops pairs of programs (slow '\n' fast) that were summarized before, and is extended; null = as published,
/// nothing is compared.
[[nodiscard]] QList<Pair> notablePairs(const PairRules &rules, const QList<Standing> &attempts,
    const QList<Placed> &parents, QSet<QString> *known = nullptr);

struct MemoryItem {
    qint64 id = 0;
    Experience::State state = Experience::State::Active;

    bool operator==(const MemoryItem &) const = default;
};

/// The memory after an iteration, as the planner will see it: `fresh` (positives, then negatives), then what `capacity`
/// (ExpN) leaves of `old`. Fifo keeps the newest of `old` in their order; Upstream draws at random, in random order.
/// Deleted items go, disabled ones keep their place, pinned ones are never evicted, also where they alone exceed the
/// capacity.
[[nodiscard]] QList<qint64> curate(
    MemoryPolicy policy, const QList<qint64> &fresh, const QList<MemoryItem> &old, int capacity, Random &random);

} // namespace accelopt
