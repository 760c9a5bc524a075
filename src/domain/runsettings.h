// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QJsonObject>
#include <QMap>
#include <QString>
#include <QStringList>

namespace accelopt {

enum class SelectionPolicy { Elitist, Paper, Upstream };
enum class MemoryPolicy { Fifo, Upstream };
enum class MemoryScope { Problem, Project };
enum class Role { Planner, Executor, Fixer, Summarizer };
[[nodiscard]] QString policyName(SelectionPolicy policy); ///< elitist, paper, upstream
[[nodiscard]] QString policyName(MemoryPolicy policy); ///< fifo, upstream
[[nodiscard]] QString scopeName(MemoryScope scope); ///< problem, project
[[nodiscard]] QString roleName(Role role); ///< planner, executor, fixer, summarizer
[[nodiscard]] std::optional<Role> roleFromName(const QString &name);
inline constexpr Role allRoles[] = {Role::Planner, Role::Executor, Role::Fixer, Role::Summarizer};

/// A provider with a model, and where it is asked: "rules", "openai:gpt-oss-120b@http://127.0.0.1:8000/v1".
struct ModelChoice {
    QString provider; ///< plugin id: rules, openai, anthropic
    QString model; ///< empty for rules
    QString endpoint; ///< URL; empty = the provider's own

    bool operator==(const ModelChoice &) const = default;
    [[nodiscard]] QString name() const; ///< "rules", "openai:gpt-oss-120b"
    [[nodiscard]] QString toString() const; ///< the form `parse` reads
    [[nodiscard]] static Result<ModelChoice> parse(const QString &text);
};

/// No limit where 0.
struct Budget {
    double usd = 0;
    double tokens = 0;
    double wallSeconds = 0;
    double deviceSeconds = 0;

    bool operator==(const Budget &) const = default;
};

/// Frozen into a run when it starts. Defaults are the paper's.
struct RunSettings {
    int iterations = 16; ///< T
    int beam = 6; ///< B
    int plans = 12; ///< N, per candidate
    int attempts = 2; ///< K, per plan
    int topK = 8; ///< new experiences an iteration
    int memoryCapacity = 16; ///< ExpN
    double positiveThreshold = 1.04; ///< t_pos
    double negativeThreshold = 1.15; ///< t_neg
    int fixerRounds = 1;
    SelectionPolicy selection = SelectionPolicy::Elitist;
    MemoryPolicy memory = MemoryPolicy::Fifo;
    MemoryScope memoryScope = MemoryScope::Problem;
    bool useMemory = true;
    // What the planner sees beyond the paper's prompt.
    bool showFractionOfPeak = true;
    bool showBestSoFar = true;
    bool showTriedTitles = true;
    bool showFailures = true;
    int seeds = 5; ///< the paper's seeds used (0, 21, 42, 63, 84), beside the hidden ones
    int hiddenSeeds = 1; ///< fresh seeds a kernel cannot know
    quint64 seed = 42; ///< of everything that is drawn by the engine
    QString target = QStringLiteral("trn1");
    QStringList problems; ///< empty = all of the project
    QStringList hosts = {QStringLiteral("simulator")};
    QMap<Role, ModelChoice> models; ///< absent role = rules
    int maxConcurrentCalls = 8; ///< per endpoint, upper bound of the adaptive limit
    Budget budget;

    bool operator==(const RunSettings &) const = default;
    [[nodiscard]] ModelChoice model(Role role) const;
    /// One sentence for the first thing that is out of range.
    [[nodiscard]] Result<void> validate() const;
    [[nodiscard]] QJsonObject toJson() const;
    [[nodiscard]] static Result<RunSettings> fromJson(const QJsonObject &json);
    [[nodiscard]] static RunSettings paperPreset() { return {}; }
    [[nodiscard]] static RunSettings quickPreset(); ///< T4 B2 N4 K2
    [[nodiscard]] static RunSettings smokePreset(); ///< T1 B1 N2 K1

    /// Upper bounds of what the run asks for, per problem: the paper's first iteration has one candidate.
    struct Volume {
        int plannerCalls, executorCalls, summarizerCalls, evaluations;
    };
    [[nodiscard]] Volume volumePerProblem() const;
};

} // namespace accelopt
