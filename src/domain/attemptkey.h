// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <compare>
#include <optional>

namespace accelopt {

/// Where an attempt stands in a run: the natural key below (run, problem). Iteration, candidate, plan and attempt count
/// from 1 as people see them; iteration 0 with all others 0 is the problem's baseline. Round 0 is the executor's reply,
/// rounds from 1 the fixer's. Candidate 0 (with iteration > 0) is a kernel by a person.
struct AttemptKey {
    int iteration = 0;
    int candidate = 0;
    int plan = 0;
    int attempt = 0;
    int round = 0;

    auto operator<=>(const AttemptKey &) const = default;

    [[nodiscard]] bool isBaseline() const { return iteration == 0; }
    /// For people: "i08·c2·p05·a1", "i08·c2·p05·a1·r1" after a fixer round, "baseline".
    [[nodiscard]] QString display() const;
    /// For files, refs and the command line: "i08.c2.p05.a1", "i08.c2.p05.a1.r1", "baseline".
    [[nodiscard]] QString ascii() const;
    /// Reads both forms; nothing if it is neither.
    [[nodiscard]] static std::optional<AttemptKey> parse(const QString &text);
};

} // namespace accelopt
