// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What synthetic projects are made of: problems, plans, failures, profiles.

#include "domain/evaluation.h"
#include "domain/problem.h"

#include <cmath>
#include <random>
#include <span>

namespace accelopt::fakes {

struct FailureRow {
    ErrorKind kind;
    const char *id, *message, *stage;
};

/// The library's distributions differ between standard libraries; this one is the same everywhere.
class Random {
public:
    explicit Random(quint64 seed)
        : m_engine(seed)
    {
    }
    double uniform() { return double(m_engine() >> 11) * 0x1p-53; }
    int below(int limit) { return int(uniform() * limit); }
    double normal() { return std::sqrt(-2 * std::log(uniform() + 1e-300)) * std::cos(6.283185307179586 * uniform()); }

private:
    std::mt19937_64 m_engine;
};

[[nodiscard]] int syntheticProblemCount();
[[nodiscard]] Problem syntheticProblem(int index);
[[nodiscard]] std::span<const char *const> syntheticPlanTitles();
[[nodiscard]] std::span<const FailureRow> syntheticFailures();
[[nodiscard]] QJsonObject syntheticProfile(const Problem &problem, double ms, double fraction, Random &random);

} // namespace accelopt::fakes
