// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/modelprovider.h"
#include "evaluation/evaluator.h"

#include <chrono>
#include <functional>

namespace accelopt {

/// Where a run gets its providers and evaluators from, and how patient it is. The defaults are the plugins; tests put
/// fakes here.
struct RunParts {
    std::function<Result<std::unique_ptr<ModelProvider>>(const ModelChoice &)>
        provider; ///< empty = createModelProvider
    std::function<Result<std::unique_ptr<Evaluator>>(const QString &host)> evaluator; ///< empty = createEvaluator
    /// An error that is not the kernel's or the model's (network, host) is tried again this often, waiting longer each
    /// time; then the run pauses.
    int tries = 4;
    std::chrono::milliseconds retryDelay{1000};
    /// A job without a verdict after this long is given up and tried again. The runner has its own, shorter deadlines.
    std::chrono::milliseconds evaluationWatchdog{std::chrono::hours(1)};
    /// Told before and after everything that is written down, on whatever thread writes; for tests that kill the
    /// process there.
    std::function<void(const char *what)> onStep;
};

} // namespace accelopt
