// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluation/evaluator.h"

#include <QObject>

namespace accelopt {

/// The desk itself as a host: the runner's simulator back end in a process beside this one.
/// Options: workers, python, neuroncore, sandbox, hardware, cache, scratch, cache_bytes, silence_ms, grace_ms,
/// cancel_ms, skip_guard (tests).
class SimulatorHost : public QObject, public EvaluatorFactory {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID AccelOptEvaluatorFactory_iid)
    Q_INTERFACES(accelopt::EvaluatorFactory)
public:
    [[nodiscard]] QString id() const override { return QStringLiteral("simulator"); }
    [[nodiscard]] Result<std::unique_ptr<Evaluator>> create(const QString &host, const QJsonObject &options) override;
};

} // namespace accelopt
