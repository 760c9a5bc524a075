// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/agents.h"

#include "agents/promptfacts.h"
#include "domain/format.h"
#include "domain/paths.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The facts a template may name. Each of them must be named, so that a prompt cannot lose one by a typing error.
const QMap<QString, QStringList> &expectedNames()
{
    static const QMap<QString, QStringList> names{
        {u"planner.system"_s, {u"fields"_s, u"guide"_s}},
        {u"planner.user"_s,
            {u"experiences"_s, u"failures"_s, u"kernel"_s, u"line_costs"_s, u"measured"_s, u"problem_facts"_s,
                u"problem_title"_s, u"profile"_s, u"reference"_s, u"tried"_s, u"variety"_s}},
        {u"executor.system"_s, {u"guide"_s}},
        {u"executor.user"_s,
            {u"entry"_s, u"kernel"_s, u"plan"_s, u"plan_title"_s, u"problem_facts"_s, u"problem_title"_s,
                u"reference"_s, u"variety"_s}},
        {u"fixer.system"_s, {u"guide"_s}},
        {u"fixer.user"_s,
            {u"entry"_s, u"error"_s, u"kernel"_s, u"plan"_s, u"plan_title"_s, u"problem_facts"_s, u"problem_title"_s,
                u"reference"_s, u"round"_s}},
        {u"summarizer.system"_s, {u"guide"_s}},
        {u"summarizer.user"_s, {u"facts"_s, u"fast_kernel"_s, u"slow_kernel"_s}},
    };
    return names;
}

Result<QString> readText(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(Error::Kind::NotFound, u"The prompt %1 cannot be read."_s.arg(QFileInfo(path).fileName()),
            path + u": "_s + file.errorString());
    QString text = QString::fromUtf8(file.readAll());
    text.replace(u"\r\n"_s, u"\n"_s);
    return text;
}

QString titleOf(const Problem &problem)
{
    return problem.title.isEmpty() ? problem.name : problem.title;
}

} // namespace

Result<PromptLibrary> PromptLibrary::load(const QString &folder)
{
    const QDir dir(folder.isEmpty() ? resourcePath(u"prompts/v1"_s) : folder);
    PromptLibrary library;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    QMap<QString, QString> parts;
    for (const QString &name : {u"nki-beta1-guide"_s, u"profile-fields"_s}) {
        const auto text = readText(dir.filePath(name + u".md"_s));
        if (!text)
            return std::unexpected(text.error());
        hash.addData(text->toUtf8());
        parts.insert(name, text->trimmed());
    }
    for (auto it = expectedNames().begin(); it != expectedNames().end(); ++it) {
        const QString file = it.key() + u".md"_s;
        const auto text = readText(dir.filePath(file));
        if (!text)
            return std::unexpected(text.error());
        hash.addData(text->toUtf8());
        const auto parsed = PromptTemplate::parse(*text, file);
        if (!parsed)
            return std::unexpected(parsed.error());
        const QStringList names = parsed->names();
        for (const QString &name : names) {
            if (!it->contains(name))
                return fail(Error::Kind::Invalid,
                    u"The prompt %1 names \"%2\", which is no fact of this role."_s.arg(file, name));
        }
        for (const QString &name : *it) {
            if (!names.contains(name))
                return fail(Error::Kind::Invalid, u"The prompt %1 lacks the place {{%2}}."_s.arg(file, name));
        }
        library.m_templates.insert(it.key(), *parsed);
    }
    for (const QString &role : {u"planner"_s, u"executor"_s, u"fixer"_s, u"summarizer"_s}) {
        library.m_system.insert(role,
            library.m_templates.value(role + u".system"_s)
                .render(
                    {{u"guide"_s, parts.value(u"nki-beta1-guide"_s)}, {u"fields"_s, parts.value(u"profile-fields"_s)}})
                .trimmed());
    }
    library.m_version =
        u"%1-%2"_s.arg(QDir(dir.absolutePath()).dirName(), QString::fromLatin1(hash.result().toHex().left(8)));
    return library;
}

CompletionRequest PromptLibrary::request(
    Role role, const QMap<QString, QString> &values, const QJsonObject &context) const
{
    CompletionRequest request;
    request.role = role;
    const QString name = roleName(role);
    request.messages = {{u"system"_s, m_system.value(name)},
        {u"user"_s, m_templates.value(name + u".user"_s).render(values).trimmed()}};
    request.context = context;
    return request;
}

CompletionRequest PromptLibrary::planner(const PlannerFacts &facts) const
{
    const Evaluation &evaluation = facts.evaluation;
    QJsonObject profile = evaluation.profile;
    const QJsonArray lines = profile.take("lines"_L1).toArray();
    QJsonArray experiences;
    for (const Experience &experience : prompt::usable(facts.experiences))
        experiences.append(QJsonObject{{u"title"_s, experience.title}, {u"summary"_s, experience.text()},
            {u"positive"_s, experience.positive}, {u"speedup"_s, experience.speedup}});

    const QJsonObject context{{u"problem"_s, prompt::problemJson(facts.problem)},
        {u"kernel"_s, QString::fromUtf8(facts.kernel)}, {u"profile"_s, profile},
        {u"latency_ms"_s, evaluation.latency.medianMs},
        {u"fraction_of_peak"_s,
            facts.showFractionOfPeak ? QJsonValue(facts.roofline.fractionOfPeak(evaluation.latency.medianMs))
                                     : QJsonValue()},
        {u"bound"_s, boundName(facts.roofline.bound)}, {u"line_costs"_s, lines},
        {u"tried_titles"_s, QJsonArray::fromStringList(facts.triedTitles)}, {u"experiences"_s, experiences},
        {u"plan_index"_s, facts.planIndex}, {u"plan_count"_s, facts.planCount}};

    // The variety comes last: all plans of a candidate share everything before it, which endpoints cache.
    const QString variety = facts.planCount > 1
        ? u"This is one of %1 independent requests for this kernel (number %2); prefer a good idea that is not everyone's first."_s
              .arg(facts.planCount)
              .arg(facts.planIndex + 1)
        : u"Choose the change with the largest gain."_s;
    return request(Role::Planner,
        {{u"problem_title"_s, titleOf(facts.problem)}, {u"problem_facts"_s, prompt::problemFacts(facts.problem)},
            {u"reference"_s, prompt::codeBlock(facts.problem.referenceSource)},
            {u"experiences"_s, prompt::experiences(facts.experiences)}, {u"kernel"_s, prompt::codeBlock(facts.kernel)},
            {u"measured"_s, prompt::measured(facts)}, {u"profile"_s, prompt::profile(profile)},
            {u"line_costs"_s, prompt::lineCosts(lines, facts.kernel)}, {u"tried"_s, prompt::list(facts.triedTitles)},
            {u"failures"_s, prompt::list(facts.failures)}, {u"variety"_s, variety}},
        context);
}

CompletionRequest PromptLibrary::executor(const ExecutorFacts &facts) const
{
    const QJsonObject context{{u"kernel"_s, QString::fromUtf8(facts.kernel)}, {u"plan"_s, facts.plan.text},
        {u"plan_title"_s, facts.plan.title}, {u"attempt_index"_s, facts.attemptIndex},
        {u"problem"_s, prompt::problemJson(facts.problem)}};
    return request(Role::Executor,
        {{u"problem_title"_s, titleOf(facts.problem)}, {u"problem_facts"_s, prompt::problemFacts(facts.problem)},
            {u"reference"_s, prompt::codeBlock(facts.problem.referenceSource)},
            {u"kernel"_s, prompt::codeBlock(facts.kernel)}, {u"plan_title"_s, facts.plan.title},
            {u"plan"_s, facts.plan.text.trimmed()}, {u"entry"_s, facts.problem.entry},
            {u"variety"_s,
                facts.attemptIndex > 0
                    ? u" This is attempt %1 at this plan; where the plan leaves a choice, choose differently from the obvious."_s
                          .arg(facts.attemptIndex + 1)
                    : QString()}},
        context);
}

CompletionRequest PromptLibrary::fixer(const FixerFacts &facts) const
{
    const QJsonObject error{{u"kind"_s, errorKindName(facts.error.kind)}, {u"id"_s, facts.error.id},
        {u"message"_s, facts.error.message}, {u"line"_s, facts.error.line}, {u"stage"_s, facts.error.stage}};
    const QJsonObject context{{u"kernel"_s, QString::fromUtf8(facts.kernel)}, {u"plan"_s, facts.plan.text},
        {u"plan_title"_s, facts.plan.title}, {u"error"_s, error}, {u"round"_s, facts.round},
        {u"problem"_s, prompt::problemJson(facts.problem)}};
    return request(Role::Fixer,
        {{u"problem_title"_s, titleOf(facts.problem)}, {u"problem_facts"_s, prompt::problemFacts(facts.problem)},
            {u"reference"_s, prompt::codeBlock(facts.problem.referenceSource)},
            {u"kernel"_s, prompt::codeBlock(facts.kernel)}, {u"plan_title"_s, facts.plan.title},
            {u"plan"_s, facts.plan.text.trimmed()}, {u"error"_s, prompt::error(facts.error, facts.kernel)},
            {u"round"_s, QString::number(facts.round)}, {u"entry"_s, facts.problem.entry}},
        context);
}

CompletionRequest PromptLibrary::summarizer(const SummarizerFacts &facts) const
{
    const QJsonObject context{{u"slow_kernel"_s, QString::fromUtf8(facts.slowKernel)},
        {u"fast_kernel"_s, QString::fromUtf8(facts.fastKernel)}, {u"speedup"_s, facts.speedup},
        {u"positive"_s, facts.positive}, {u"plan_title"_s, facts.plan.title}, {u"plan"_s, facts.plan.text}};
    const QString speedup = prompt::plain(format::speedup(facts.speedup));
    QStringList known{u"- The faster kernel is %1 as fast as the slower one"_s.arg(speedup),
        facts.positive
            ? u"- The faster one was made from the slower one: the change helped"_s
            : u"- The slower one was made from the faster one: the change hurt. Describe what the faster one does better"_s};
    if (!facts.plan.title.isEmpty())
        known.append(u"- The plan of the change was titled: %1"_s.arg(facts.plan.title.simplified()));
    return request(Role::Summarizer,
        {{u"slow_kernel"_s, prompt::codeBlock(facts.slowKernel)},
            {u"fast_kernel"_s, prompt::codeBlock(facts.fastKernel)}, {u"facts"_s, known.join(u'\n')}},
        context);
}

} // namespace accelopt
