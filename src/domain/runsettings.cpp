// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/runsettings.h"

#include <QJsonArray>
#include <QUrl>
#include <iterator>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

template <typename Enum, std::size_t N> std::optional<Enum> fromName(const QString &name, const char *const (&names)[N])
{
    for (std::size_t i = 0; i < N; ++i) {
        if (name == QLatin1StringView(names[i]))
            return static_cast<Enum>(i);
    }
    return std::nullopt;
}

constexpr const char *selectionNames[] = {"elitist", "paper", "upstream"};
constexpr const char *memoryNames[] = {"fifo", "upstream"};
constexpr const char *scopeNames[] = {"problem", "project"};
constexpr const char *roleNames[] = {"planner", "executor", "fixer", "summarizer"};

Result<void> inRange(const char *name, double value, double low, double high)
{
    if (value >= low && value <= high)
        return {};
    return fail(Error::Kind::Invalid,
        u"%1 is %2; allowed is %3 to %4."_s.arg(QLatin1StringView(name)).arg(value).arg(low).arg(high));
}

} // namespace

QString policyName(SelectionPolicy policy)
{
    return QLatin1StringView(selectionNames[static_cast<int>(policy)]);
}

QString policyName(MemoryPolicy policy)
{
    return QLatin1StringView(memoryNames[static_cast<int>(policy)]);
}

QString scopeName(MemoryScope scope)
{
    return QLatin1StringView(scopeNames[static_cast<int>(scope)]);
}

QString roleName(Role role)
{
    return QLatin1StringView(roleNames[static_cast<int>(role)]);
}

std::optional<Role> roleFromName(const QString &name)
{
    return fromName<Role>(name, roleNames);
}

QString ModelChoice::name() const
{
    return model.isEmpty() ? provider : provider + u':' + model;
}

QString ModelChoice::toString() const
{
    return endpoint.isEmpty() ? name() : name() + u'@' + endpoint;
}

Result<ModelChoice> ModelChoice::parse(const QString &text)
{
    ModelChoice choice;
    QString rest = text.trimmed();
    // The endpoint is a URL and may hold ':'; a model name may hold '@', but not "@http".
    if (const qsizetype at = rest.indexOf(u"@http"_s, 0, Qt::CaseInsensitive); at >= 0) {
        choice.endpoint = rest.mid(at + 1);
        rest.truncate(at);
    }
    const qsizetype colon = rest.indexOf(u':');
    choice.provider = colon < 0 ? rest : rest.left(colon);
    choice.model = colon < 0 ? QString() : rest.mid(colon + 1);
    // A key is never written into the journal, and the choice is; so the sentences do not repeat what may be one
    // either.
    if (choice.endpoint.contains(u'@') || choice.endpoint.contains(u'?') || choice.endpoint.contains(u'#'))
        return fail(Error::Kind::Invalid,
            u"The address of a model may hold no user, password or query: it is written into the journal. Leave them out of --model."_s);
    const QUrl url(choice.endpoint, QUrl::StrictMode);
    const QString scheme = url.scheme().toLower();
    if (!choice.endpoint.isEmpty()
        && (!url.isValid() || url.host().isEmpty() || (scheme != u"http"_s && scheme != u"https"_s)))
        return fail(Error::Kind::Invalid,
            u"“%1” is no address of a model; write http://HOST:PORT/PATH or https://HOST/PATH."_s.arg(choice.endpoint));
    const bool isUrl = choice.model.contains(u"//"_s);
    if (choice.provider.isEmpty() || isUrl || choice.provider.contains(u'/') || choice.provider.contains(u'.'))
        return fail(Error::Kind::Invalid, u"The model is not named as rules, PROVIDER:MODEL or PROVIDER:MODEL@URL."_s);
    if (choice.provider != u"rules"_s && choice.model.isEmpty())
        return fail(
            Error::Kind::Invalid, u"“%1” names the provider but not the model; write %1:MODEL."_s.arg(choice.provider));
    return choice;
}

ModelChoice RunSettings::model(Role role) const
{
    return models.value(role, ModelChoice{u"rules"_s, {}, {}});
}

Result<void> RunSettings::validate() const
{
    const Result<void> checks[] = {inRange("iterations (T)", iterations, 1, 1000), inRange("beam (B)", beam, 1, 64),
        inRange("plans (N)", plans, 1, 256), inRange("attempts (K)", attempts, 1, 64), inRange("topK", topK, 0, 1000),
        inRange("memory capacity (ExpN)", memoryCapacity, 0, 1000),
        inRange("positive threshold", positiveThreshold, 1, 100),
        inRange("negative threshold", negativeThreshold, 1, 100), inRange("fixer rounds", fixerRounds, 0, 16),
        inRange("seeds", seeds, 1, 64), inRange("hidden seeds", hiddenSeeds, 0, 64),
        inRange("concurrent calls", maxConcurrentCalls, 1, 1024), inRange("budget in dollars", budget.usd, 0, 1e9),
        inRange("budget in tokens", budget.tokens, 0, 1e15), inRange("budget in seconds", budget.wallSeconds, 0, 1e9),
        inRange("budget of device seconds", budget.deviceSeconds, 0, 1e9)};
    for (const auto &check : checks) {
        if (!check)
            return check;
    }
    if (hosts.isEmpty())
        return fail(Error::Kind::Invalid, u"A run needs at least one host; “simulator” is built in."_s);
    return {};
}

QJsonObject RunSettings::toJson() const
{
    QJsonObject roles;
    for (auto it = models.begin(); it != models.end(); ++it)
        roles.insert(roleName(it.key()), it.value().toString());
    return {{u"iterations"_s, iterations}, {u"beam"_s, beam}, {u"plans"_s, plans}, {u"attempts"_s, attempts},
        {u"top_k"_s, topK}, {u"memory_capacity"_s, memoryCapacity}, {u"positive_threshold"_s, positiveThreshold},
        {u"negative_threshold"_s, negativeThreshold}, {u"fixer_rounds"_s, fixerRounds},
        {u"selection"_s, policyName(selection)}, {u"memory"_s, policyName(memory)},
        {u"memory_scope"_s, scopeName(memoryScope)}, {u"use_memory"_s, useMemory},
        {u"show_fraction_of_peak"_s, showFractionOfPeak}, {u"show_best_so_far"_s, showBestSoFar},
        {u"show_tried_titles"_s, showTriedTitles}, {u"show_failures"_s, showFailures}, {u"seeds"_s, seeds},
        {u"hidden_seeds"_s, hiddenSeeds}, {u"seed"_s, QString::number(seed)}, {u"target"_s, target},
        {u"problems"_s, QJsonArray::fromStringList(problems)}, {u"hosts"_s, QJsonArray::fromStringList(hosts)},
        {u"models"_s, roles}, {u"max_concurrent_calls"_s, maxConcurrentCalls},
        {u"budget"_s,
            QJsonObject{{u"usd"_s, budget.usd}, {u"tokens"_s, budget.tokens}, {u"wall_seconds"_s, budget.wallSeconds},
                {u"device_seconds"_s, budget.deviceSeconds}}}};
}

Result<RunSettings> RunSettings::fromJson(const QJsonObject &json)
{
    RunSettings s;
    const auto integer = [&json](QLatin1StringView key, int &value) { value = json.value(key).toInt(value); };
    const auto number = [&json](QLatin1StringView key, double &value) { value = json.value(key).toDouble(value); };
    const auto flag = [&json](QLatin1StringView key, bool &value) { value = json.value(key).toBool(value); };
    const auto list = [&json](QLatin1StringView key, QStringList &value) {
        if (!json.contains(key))
            return;
        value.clear();
        for (const QJsonValue &entry : json.value(key).toArray())
            value.append(entry.toString());
    };
    integer("iterations"_L1, s.iterations);
    integer("beam"_L1, s.beam);
    integer("plans"_L1, s.plans);
    integer("attempts"_L1, s.attempts);
    integer("top_k"_L1, s.topK);
    integer("memory_capacity"_L1, s.memoryCapacity);
    number("positive_threshold"_L1, s.positiveThreshold);
    number("negative_threshold"_L1, s.negativeThreshold);
    integer("fixer_rounds"_L1, s.fixerRounds);
    flag("use_memory"_L1, s.useMemory);
    flag("show_fraction_of_peak"_L1, s.showFractionOfPeak);
    flag("show_best_so_far"_L1, s.showBestSoFar);
    flag("show_tried_titles"_L1, s.showTriedTitles);
    flag("show_failures"_L1, s.showFailures);
    integer("seeds"_L1, s.seeds);
    integer("hidden_seeds"_L1, s.hiddenSeeds);
    integer("max_concurrent_calls"_L1, s.maxConcurrentCalls);
    list("problems"_L1, s.problems);
    list("hosts"_L1, s.hosts);
    s.target = json.value("target"_L1).toString(s.target);
    if (json.contains("seed"_L1)) {
        // A string, since JSON numbers hold 53 bits only.
        bool ok = false;
        s.seed = json.value("seed"_L1).toVariant().toString().toULongLong(&ok);
        if (!ok)
            return fail(Error::Kind::Invalid, u"The seed is not a whole number."_s);
    }
    const QJsonObject budget = json.value("budget"_L1).toObject();
    s.budget = {budget.value("usd"_L1).toDouble(), budget.value("tokens"_L1).toDouble(),
        budget.value("wall_seconds"_L1).toDouble(), budget.value("device_seconds"_L1).toDouble()};

    const auto policy = [&json](QLatin1StringView key, auto &value, const auto &names) -> Result<void> {
        if (!json.contains(key))
            return {};
        const auto found = fromName<std::remove_reference_t<decltype(value)>>(json.value(key).toString(), names);
        if (!found)
            return fail(Error::Kind::Invalid, u"“%1” is no value for %2."_s.arg(json.value(key).toString(), key));
        value = *found;
        return {};
    };
    for (const auto &read : {policy("selection"_L1, s.selection, selectionNames),
             policy("memory"_L1, s.memory, memoryNames), policy("memory_scope"_L1, s.memoryScope, scopeNames)}) {
        if (!read)
            return std::unexpected(read.error());
    }
    const QJsonObject roles = json.value("models"_L1).toObject();
    for (auto it = roles.begin(); it != roles.end(); ++it) {
        const auto role = roleFromName(it.key());
        if (!role)
            return fail(Error::Kind::Invalid,
                u"“%1” is no role; roles are planner, executor, fixer and summarizer."_s.arg(it.key()));
        auto choice = ModelChoice::parse(it.value().toString());
        if (!choice)
            return std::unexpected(choice.error());
        s.models.insert(*role, *choice);
    }
    if (auto valid = s.validate(); !valid)
        return std::unexpected(valid.error());
    return s;
}

RunSettings RunSettings::quickPreset()
{
    RunSettings settings;
    settings.iterations = 4;
    settings.beam = 2;
    settings.plans = 4;
    return settings;
}

RunSettings RunSettings::smokePreset()
{
    RunSettings settings;
    settings.iterations = 1;
    settings.beam = 1;
    settings.plans = 2;
    settings.attempts = 1;
    return settings;
}

RunSettings::Volume RunSettings::volumePerProblem() const
{
    // The first iteration has the baseline as its only candidate; As in the AccelOpt paper: calls = N + N·K + (T−1)(B·N
    // + B·N·K + TopK), and one baseline evaluation.
    const int planner = plans + (iterations - 1) * beam * plans;
    return {planner, planner * attempts, iterations * topK, planner * attempts + 1};
}

} // namespace accelopt
