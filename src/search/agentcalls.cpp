// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/agentcalls.h"

#include "search/random.h"

#include <QJsonDocument>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

namespace {

// Later stages first: what has begun is finished before something new begins, so that evaluations have work early.
int priority(Role role)
{
    switch (role) {
    case Role::Summarizer:
        return 0;
    case Role::Fixer:
        return 1;
    case Role::Executor:
        return 2;
    case Role::Planner:
        return 3;
    }
    return 3;
}

// An upper bound of the input tokens of a request without its tokenizer: English and code take more than two bytes a
// token.
qint64 mostInputTokens(const CompletionRequest &request)
{
    qint64 bytes = 0;
    for (const Message &message : request.messages)
        bytes += message.content.toUtf8().size() + 16;
    return bytes / 2;
}

RunEvent callEvent(RunEvent::Kind kind, const CallKey &key, const ModelChoice &model)
{
    RunEvent event;
    event.kind = kind;
    event.problem = key.problem;
    event.key = {key.iteration, key.candidate, key.plan, key.attempt, key.round};
    event.lane = model.name();
    event.stage = roleName(key.role);
    return event;
}

} // namespace

QString AgentCalls::endpointName(const ModelChoice &model)
{
    return model.provider + u'@' + model.endpoint;
}

Result<void> AgentCalls::open()
{
    m_callEnded = std::make_unique<AsyncEvent>(m_context.resumer);
    for (const Role role : allRoles) {
        const ModelChoice model = m_context.settings().model(role);
        const QString name = model.toString();
        if (!m_providers.contains(name)) {
            auto provider = m_context.parts.provider ? m_context.parts.provider(model) : createModelProvider(model);
            if (!provider)
                return std::unexpected(provider.error());
            m_providers.emplace(name, std::move(*provider));
        }
        auto &queue = m_queues[endpointName(model)];
        if (!queue)
            queue = std::make_unique<SlotQueue>(m_context.resumer, m_context.settings().maxConcurrentCalls);
    }
    return {};
}

bool AgentCalls::supports(Role role) const
{
    const auto it = m_providers.find(m_context.settings().model(role).toString());
    return it != m_providers.end() && it->second->supports(role);
}

Result<void> AgentCalls::loadFinished()
{
    const auto calls = m_context.reader->calls(m_context.run.id);
    if (!calls)
        return std::unexpected(calls.error());
    for (const CallRecord &record : *calls) {
        if (record.state == CallRecord::State::Finished)
            m_finished.insert(record.key);
    }
    return {};
}

void AgentCalls::close()
{
    for (auto &[name, queue] : m_queues)
        queue->close();
    if (m_callEnded)
        m_callEnded->pulse();
}

AgentCalls::Answer AgentCalls::fromRecord(const CallRecord &record)
{
    Answer answer;
    answer.completion.text = QString::fromUtf8(record.reply);
    answer.completion.reasoning = record.reasoning;
    answer.completion.finishReason = record.finishReason;
    answer.completion.modelReported = record.modelReported;
    answer.completion.usage = record.usage;
    answer.at = record.finishedAt;
    return answer;
}

QCoro::Task<Result<AgentCalls::Answer>> AgentCalls::call(ProblemRef problem, CallKey key, CompletionRequest request)
{
    request.role = key.role;
    request.model = m_context.settings().model(key.role);
    request.seed = naturalSeed(m_context.settings().seed, key);

    if (m_finished.contains(key)) {
        const auto record = m_context.reader->call(m_context.run.id, key);
        if (record && record->state == CallRecord::State::Finished)
            co_return fromRecord(*record);
    }
    SlotQueue &queue = *m_queues.at(endpointName(request.model));
    const SlotQueue::Order order{priority(key.role), {key.iteration, key.candidate, key.plan, key.attempt, key.round}};
    const bool granted = co_await queue.acquire(problem.index, order);
    if (!granted)
        co_return cutOff();
    Result<Answer> answer = co_await make(problem, key, request, *m_providers.at(request.model.toString()), queue);
    queue.release(problem.index);
    co_return answer;
}

QCoro::Task<bool> AgentCalls::fitsBudget(Spend most)
{
    while (!m_context.control.isStopping()) {
        const BudgetGuard::Answer answer = m_context.budget->mayStart(most);
        if (answer.verdict == BudgetGuard::Verdict::Start)
            co_return true;
        if (answer.verdict == BudgetGuard::Verdict::Stop || m_context.budget->callsInFlight() == 0) {
            m_context.control.reachBudget(answer.reason);
            co_return false;
        }
        co_await m_callEnded->wait();
    }
    co_return false;
}

QCoro::Task<Result<AgentCalls::Answer>> AgentCalls::make(
    ProblemRef problem, CallKey key, CompletionRequest request, ModelProvider &provider, SlotQueue &queue)
{
    const auto work = key.role == Role::Planner ? RunControl::Work::Plan : RunControl::Work::Begun;
    Usage mostUsage;
    mostUsage.inputTokens = mostInputTokens(request);
    mostUsage.outputTokens = request.maxOutputTokens;
    Spend most;
    most.usd = m_context.run.facts.prices.cost(request.model, mostUsage);
    // What costs nothing has no tokens to count either: the rules provider.
    const bool isFree = most.usd && *most.usd == 0;
    most.tokens = isFree ? 0 : double(mostUsage.inputTokens + mostUsage.outputTokens);
    const QByteArray stored = QJsonDocument(request.toJson()).toJson(QJsonDocument::Compact);
    const auto failedTry = [this](Error error) {
        return error.kind == Error::Kind::Cancelled && m_context.control.isStopping();
    };

    for (int tryNumber = 1;; ++tryNumber) {
        const bool admitted = co_await m_context.control.admit(work);
        if (!admitted)
            co_return cutOff();
        const bool fits = co_await fitsBudget(most);
        if (!fits)
            co_return cutOff();
        const qint64 ticket = m_context.budget->start(most);
        const auto claim = co_await m_context.recorder.write<Journal::CallClaim>([&](Journal &journal) {
            return journal.beginCall(m_context.run.id, key, request.model, stored, most.usd.value_or(0));
        });
        if (!claim) {
            m_context.budget->finish(ticket, {});
            co_return std::unexpected(claim.error());
        }
        if (claim->claim == Claim::Finished) {
            m_context.budget->finish(ticket, {});
            co_return fromRecord(claim->record);
        }
        m_context.emitEvent(callEvent(RunEvent::Kind::CallStarted, key, request.model));
        Result<Completion> completion = co_await provider.complete(request, m_context.control.token());
        RunEvent finished = callEvent(RunEvent::Kind::CallFinished, key, request.model);
        if (!completion && failedTry(completion.error())) {
            m_context.budget->interrupt(ticket); // its row stays `started` and is marked interrupted when the run ends
            co_return cutOff();
        }

        CallRecord record = claim->record;
        record.run = m_context.run.id;
        record.key = key;
        record.model = request.model;
        record.maximumUsd = most.usd.value_or(0);
        record.finishedAt = QDateTime::currentDateTimeUtc();
        if (completion) {
            record.state = CallRecord::State::Finished;
            record.modelReported = completion->modelReported;
            record.finishReason = completion->finishReason;
            record.usage = completion->usage;
            record.costUsd = m_context.run.facts.prices.cost(request.model, completion->usage);
            record.reply = completion->text.toUtf8();
            record.reasoning = completion->reasoning;
        } else {
            record.state = CallRecord::State::Failed;
            record.error = completion.error().message;
            record.finishReason = u"error"_s;
        }
        const auto kept =
            co_await m_context.recorder.write<void>([&](Journal &journal) { return journal.finishCall(record); });
        m_context.budget->finish(ticket,
            completion
                ? Spend{record.costUsd, isFree ? 0 : double(record.usage.inputTokens + record.usage.outputTokens), 0, 0}
                : Spend{});
        m_callEnded->pulse();
        m_context.checkBudget();
        finished.text = completion ? QString() : completion.error().message;
        m_context.emitEvent(finished);
        if (!kept)
            co_return std::unexpected(kept.error());
        if (completion) {
            queue.reportSuccess();
            co_return Answer{std::move(*completion), record.finishedAt};
        }

        queue.reportFailure();
        m_context.note(RunEvent::Kind::Warning, u"call"_s, problem.name, 0,
            u"%1 (%2): %3"_s.arg(request.model.name(), roleName(key.role), completion.error().message));
        if (tryNumber % m_context.parts.tries == 0) {
            if (m_context.control.isDraining())
                co_return cutOff(); // a draining run does not wait for an endpoint; the call is made when the run is
                                    // resumed
            m_context.control.pause(
                u"The model %1 cannot be reached: %2"_s.arg(request.model.name(), completion.error().message));
        } else {
            const bool goOn = co_await m_context.control.sleep(
                m_context.parts.retryDelay * (1 << ((tryNumber - 1) % m_context.parts.tries)));
            if (!goOn)
                co_return cutOff();
        }
    }
}

void RunContext::checkBudget()
{
    for (const BudgetGuard::Warning &warning : budget->takeWarnings()) {
        RunEvent::Kind kind = RunEvent::Kind::BudgetWarning;
        note(kind, u"budget"_s, {}, 0,
            u"%1 % of the budget for %2 is spent."_s.arg(warning.percent).arg(budgetKindName(warning.kind)));
    }
    if (const auto exhausted = budget->exhausted())
        control.reachBudget(u"The budget for %1 is spent."_s.arg(budgetKindName(*exhausted)));
}

} // namespace accelopt
