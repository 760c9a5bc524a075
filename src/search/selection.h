// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attemptkey.h"
#include "domain/runsettings.h"

#include <QList>
#include <QString>
#include <optional>

namespace accelopt {

/// What selection and memory need to know of one attempt of the iteration at hand. Its plan group is (key.candidate,
/// key.plan).
struct Standing {
    qint64 attempt = 0; ///< journal id
    AttemptKey key;
    QString program; ///< equal = same program; empty when the reply held no kernel
    bool eligible = false; ///< correct, comparable with the baseline, not quarantined
    double latencyMs = 0; ///< of an eligible one; also of a skipped one (see `estimatedOnly`)
    bool estimatedOnly = false; ///< skipped: its latency is known, its numbers were not computed

    bool operator==(const Standing &) const = default;
    [[nodiscard]] bool hasKernel() const { return !program.isEmpty(); }
};

/// A candidate of the iteration at hand, in the order of the beam's places (place 1 first).
struct Placed {
    qint64 attempt = 0;
    AttemptKey key;
    QString program;
    double latencyMs = 0;

    bool operator==(const Placed &) const = default;
};

/// A place of the next beam.
struct Selected {
    qint64 attempt = 0;
    QString origin; ///< child, parent, best, filler

    bool operator==(const Selected &) const = default;
};

struct SelectionInput {
    SelectionPolicy policy = SelectionPolicy::Elitist;
    int beam = 1; ///< B
    QList<Standing> attempts; ///< in any order: the outcome does not depend on it
    QList<Placed> parents; ///< the candidates, by place
    std::optional<Placed> best; ///< the best so far, whether or not it is in the beam
};

/// The next beam, place 1 first. Pure. Ties go to what was there before, then to the smaller key.
///
/// - Elitist: the fastest eligible attempt of each plan group, the parents and the best so far compete on latency; of
/// equal programs only one stays.
/// - Paper (AccelOpt paper, section 2.2): the fastest of each plan group compete; where fewer than B are valid, the
/// candidates fill the free places in their order.
/// - Upstream (as the published scripts do it): a plan group without a valid attempt is represented by its parent with
/// a priority of +infinity;
///   replies without a kernel do not count at all; no place is filled otherwise and nothing is compared for equality.
///   Where nothing at all is left (the scripts would stop there) the old beam stays.
[[nodiscard]] QList<Selected> select(const SelectionInput &input);

/// Latencies that can enter neither the beam nor the memory, under the elitist policy, given the beam at the start of
/// an iteration: not faster than the slowest of a full beam, and not slow enough for a negative experience of any
/// candidate. Nothing where there is no such latency.
struct Window {
    double fromMs = 0, toMs = 0;

    bool operator==(const Window &) const = default;
    [[nodiscard]] bool covers(double latencyMs) const { return latencyMs >= fromMs && latencyMs <= toMs; }
};
[[nodiscard]] std::optional<Window> skipWindow(const RunSettings &settings, const QList<Placed> &parents);

/// True where the last `patience` numbers brought nothing: `bestByIteration` holds the best latency after each
/// iteration, [0] the baseline's. A label only.
[[nodiscard]] bool isPlateau(const QList<double> &bestByIteration, int patience = 3);

} // namespace accelopt
