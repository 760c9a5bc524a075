// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/cancellation.h"
#include "domain/ledger.h"
#include "domain/result.h"
#include "domain/runsettings.h"

#include <QCoroTask>
#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QString>
#include <functional>
#include <memory>

namespace accelopt {

struct Message {
    QString role; ///< system, user, assistant
    QString content;
    bool operator==(const Message &) const = default;
};

struct CompletionRequest {
    Role role = Role::Planner;
    ModelChoice model;
    QList<Message> messages;
    QJsonObject context; ///< the facts the messages were made from; the rules provider reads this, an LLM never sees it
    quint64 seed = 0; ///< from the call's natural key: the same call always gets the same seed
    int maxOutputTokens = 16384;
    std::optional<double> temperature;
    QString reasoningEffort; ///< empty = the model's own

    [[nodiscard]] QJsonObject toJson() const; ///< without keys; what the journal keeps
};

struct Completion {
    QString text;
    QString reasoning;
    QString finishReason; ///< stop, length, error
    QString modelReported;
    Usage usage;
    double seconds = 0;
    QStringList remarks; ///< what the provider stripped or retried
};

/// One way to reach models. Lives on the engine thread; `complete` is called there and may be pending many times at
/// once.
class ModelProvider {
public:
    virtual ~ModelProvider() = default;
    [[nodiscard]] virtual QString id() const = 0; ///< rules, openai, anthropic
    /// False where the provider has nothing to say for a role (rules has no fixer): the engine then skips the role.
    [[nodiscard]] virtual bool supports(Role role) const = 0;
    [[nodiscard]] virtual QCoro::Task<Result<Completion>> complete(CompletionRequest request, CancelToken token) = 0;
};

/// The Qt plugin of a provider: plugins/models/*.
class ModelProviderFactory {
public:
    virtual ~ModelProviderFactory() = default;
    [[nodiscard]] virtual QString id() const = 0;
    [[nodiscard]] virtual Result<std::unique_ptr<ModelProvider>> create(
        const ModelChoice &model, const QJsonObject &options) = 0;
};

/// Loads the plugin `id` from pluginPath("models"). NotFound with the list of what is there.
[[nodiscard]] Result<std::unique_ptr<ModelProvider>> createModelProvider(
    const ModelChoice &model, const QJsonObject &options = {});

} // namespace accelopt

#define AccelOptModelProviderFactory_iid "studio.accelopt.ModelProviderFactory/1"
Q_DECLARE_INTERFACE(accelopt::ModelProviderFactory, AccelOptModelProviderFactory_iid)
