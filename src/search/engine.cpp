// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/engine.h"

#include <algorithm>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

Engine::Engine(Journal &journal, const QString &databasePath, const QString &repositoryPath, qint64 run, RunParts parts)
    : m_journal(journal)
    , m_databasePath(databasePath)
    , m_repositoryPath(repositoryPath)
    , m_run(run)
    , m_parts(std::move(parts))
{
    m_parts.tries = qMax(1, m_parts.tries);
    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, &Engine::tick);
}

Engine::~Engine() = default;

void Engine::begin()
{
    // Made here and not in the constructor: what is inside belongs to the engine thread.
    m_context = std::make_unique<RunContext>(m_journal, m_repositoryPath);
    m_context->run.id = m_run;
    m_context->parts = m_parts;
    m_context->recorder.onStep = m_parts.onStep;
    m_context->sink = [this](RunEvent event) { Q_EMIT happened(event); };
    m_context->control.onState = [this](RunState state, const QString &reason) { onState(state, reason); };
    m_context->control.onStopping = [this] {
        if (m_agents)
            m_agents->close();
        if (m_evaluations)
            m_evaluations->close();
        if (m_progress) {
            for (int i = 0; i < m_frozen.size(); ++i)
                m_progress->ended(i);
        }
    };
    work();
}

void Engine::pause()
{
    m_context->control.pause();
}

void Engine::resume()
{
    m_context->control.resume();
}

void Engine::drain()
{
    m_context->control.drain();
}

void Engine::stop()
{
    m_context->control.stop();
}

void Engine::onState(RunState state, const QString &reason)
{
    // Written without waiting: the row tells what the run does, it does not decide anything.
    m_journal.setRunState(m_context->run.id, state, reason);
    if (!reason.isEmpty())
        m_context->recorder.log({0, m_context->run.id, QDateTime::currentDateTimeUtc(), u"run"_s, {}, 0, reason});
    RunEvent event;
    event.kind = RunEvent::Kind::StateChanged;
    event.state = state;
    event.text = reason;
    m_context->emitEvent(event);
    Q_EMIT stateChanged(state, reason);
}

void Engine::tick()
{
    if (!m_context->budget || m_context->control.isStopping())
        return;
    m_context->budget->setWallSeconds(m_secondsBefore + double(m_clock.elapsed()) / 1000);
    m_context->checkBudget();
}

Result<void> Engine::prepare()
{
    auto reader = JournalReader::open(m_databasePath);
    if (!reader)
        return std::unexpected(reader.error());
    m_context->reader = std::move(*reader);
    const qint64 id = m_context->run.id;
    const auto run = m_context->reader->run(id);
    if (!run)
        return std::unexpected(run.error());
    m_context->run = *run;
    const auto problems = m_context->reader->problemsOfRun(id);
    const auto ledger = m_context->reader->ledger(id);
    const auto device = m_context->reader->deviceSeconds(id);
    if (!problems || !ledger || !device)
        return std::unexpected(!problems ? problems.error() : !ledger ? ledger.error() : device.error());
    m_frozen = *problems;
    m_secondsBefore = run->activeSeconds;
    // Interrupted calls may have been billed: their maximum counts.
    const Spend spent{ledger->costUsd + ledger->inFlightUsd, double(ledger->inputTokens + ledger->outputTokens),
        m_secondsBefore, *device};
    m_context->budget.emplace(run->settings.budget, spent);
    auto prompts = PromptLibrary::load();
    if (!prompts)
        return std::unexpected(prompts.error());
    m_context->prompts = std::move(*prompts);
    m_agents = std::make_unique<AgentCalls>(*m_context);
    if (const auto opened = m_agents->open(); !opened)
        return opened;
    return m_agents->loadFinished();
}

// What the hosts say of themselves, once per run; a host that changed since is worth a warning, since only equal keys
// compare.
QCoro::Task<void> Engine::keepFacts()
{
    const QString key = u"run-%1-hosts"_s.arg(m_context->run.id);
    const QJsonObject facts = m_evaluations->facts();
    const auto before = m_context->reader->value(key);
    if (before && before->isEmpty())
        co_await m_context->recorder.write<void>([&](Journal &journal) { return journal.putValue(key, facts); });
    else if (before && *before != facts)
        m_context->note(RunEvent::Kind::Warning, u"host"_s, {}, 0,
            u"A host is not as it was when the run began; results of both are not compared."_s);
}

QCoro::Task<Result<bool>> Engine::search()
{
    if (const auto prepared = prepare(); !prepared)
        co_return std::unexpected(prepared.error());
    m_evaluations = std::make_unique<Evaluations>(*m_context);
    const auto opened = co_await m_evaluations->open();
    if (!opened)
        co_return std::unexpected(opened.error());
    co_await keepFacts();
    m_clock.start();
    m_tick.start();
    m_progress = std::make_unique<Progress>(m_context->resumer, m_frozen.size());
    for (int i = 0; i < m_frozen.size(); ++i) {
        m_problems.push_back(std::make_unique<ProblemSearch>(
            *m_context, *m_agents, *m_evaluations, *m_progress, ProblemRef{i, m_frozen[i].name}, m_frozen[i]));
    }
    TaskGroup group(m_context->resumer);
    for (const auto &problem : m_problems)
        group.add(problem->run());
    co_await group.all();
    m_tick.stop();
    const auto isOver = [](const auto &problem) { return problem->outcome() != ProblemSearch::Outcome::Unfinished; };
    const auto isFailed = [](const auto &problem) { return problem->outcome() == ProblemSearch::Outcome::Failed; };
    if (std::ranges::all_of(m_problems, isFailed))
        co_return fail(Error::Kind::Invalid, u"No problem of the run has a baseline that works."_s);
    co_return std::ranges::all_of(m_problems, isOver);
}

QCoro::Task<void> Engine::work()
{
    RunControl &control = m_context->control;
    const auto searched = co_await search();
    if (!searched && searched.error().kind != Error::Kind::Cancelled)
        control.fail(searched.error());
    co_await m_context->recorder.close();
    const RunState state = control.finalState(searched && *searched);
    const QString reason = control.failure() ? control.failure()->message
        : control.budgetReached()            ? control.reason()
                                             : QString();
    // Calls and evaluations that were cut off are told as interrupted; what they may cost counts.
    if (state != RunState::Finished)
        co_await m_journal.markInterrupted(m_context->run.id);
    co_await m_journal.setRunState(m_context->run.id, state, reason);
    RunEvent event;
    event.kind = RunEvent::Kind::Finished;
    event.state = state;
    event.text = reason;
    m_context->emitEvent(event);
    m_hasEnded = true;
    Q_EMIT ended(state, reason);
}

} // namespace accelopt
