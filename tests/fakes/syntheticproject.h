// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/cancellation.h"
#include "domain/result.h"
#include "domain/runsettings.h"
#include "journal/records.h"

#include <QString>
#include <functional>

namespace accelopt::fakes {

/// What `makeSyntheticProject` builds. Equal options give equal rows and equal commits.
struct SyntheticOptions {
    int problems = 3; ///< 1 to 14
    int iterations = 8;
    int beam = 3;
    int plans = 4;
    int attempts = 2;
    qint64 totalAttempts = 0; ///< not 0: as many iterations as that takes, and no attempt more
    int unfinishedIterations =
        0; ///< the last of them have begun and are not over: attempts pending and being evaluated, calls under way
    bool measured = false; ///< latencies as from a Trainium host instead of estimates
    bool repository = true; ///< off: no kernels.git (for the journal's benchmarks)
    bool calls = true;
    quint64 seed = 42;
    RunState state = RunState::Finished; ///< the run's state in the end
};

/// Makes a project folder with one run of plausible results, through Journal and KernelRepository only: correct,
/// failed, same, quarantined and skipped attempts with profiles, plans, calls with their exchanges, experiences,
/// memory, beams, log. The run's id. `progress` hears the number of attempts so far.
[[nodiscard]] Result<qint64> makeSyntheticProject(const QString &folder, const SyntheticOptions &options = {},
    const std::function<void(qint64)> &progress = {}, const CancelToken &token = {});

/// The kernel text of a synthetic attempt; `variant` decides what it looks like. For diff tests and benchmarks.
[[nodiscard]] QByteArray syntheticKernel(const QString &problem, quint32 variant, int lines = 60);

} // namespace accelopt::fakes
