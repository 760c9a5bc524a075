// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rulespool.h"

#include <QObject>

namespace accelopt::rules {

/// The offline provider: planner, executor and summarizer without a model, through the Python package accelopt_rules.
/// Costs nothing and answers the same request with the same text.
class RulesProvider : public ModelProvider {
public:
    explicit RulesProvider(const PoolOptions &options);
    ~RulesProvider() override;
    [[nodiscard]] QString id() const override;
    [[nodiscard]] bool supports(Role role) const override { return role != Role::Fixer; }
    [[nodiscard]] QCoro::Task<Result<Completion>> complete(CompletionRequest request, CancelToken token) override;

private:
    std::shared_ptr<Pool> m_pool; ///< shared with the pending calls, which may outlive the provider
};

class RulesProviderFactory : public QObject, public ModelProviderFactory {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID AccelOptModelProviderFactory_iid)
    Q_INTERFACES(accelopt::ModelProviderFactory)
public:
    [[nodiscard]] QString id() const override;
    [[nodiscard]] Result<std::unique_ptr<ModelProvider>> create(
        const ModelChoice &model, const QJsonObject &options) override;
};

} // namespace accelopt::rules
