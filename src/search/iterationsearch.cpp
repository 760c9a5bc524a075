// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/iterationsearch.h"

#include "search/notes.h"

#include <QCryptographicHash>
#include <algorithm>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

namespace {

QString sha256(const QByteArray &data)
{
    return data.isEmpty() ? QString()
                          : QString::fromLatin1(QCryptographicHash::hash(data, QCryptographicHash::Sha256).toHex());
}

bool isFixable(const Evaluation &evaluation)
{
    switch (evaluation.error.kind) {
    case ErrorKind::Syntax:
    case ErrorKind::Guard:
    case ErrorKind::Rule:
    case ErrorKind::Compile:
    case ErrorKind::Memory:
    case ErrorKind::WrongResult:
    case ErrorKind::NonFinite:
    case ErrorKind::Hang:
    case ErrorKind::Crash:
        return evaluation.status == Evaluation::Status::Failed;
    default:
        return false; // there is no kernel, or it was not the kernel
    }
}

} // namespace

IterationSearch::IterationSearch(RunContext &context, AgentCalls &agents, Evaluations &evaluations,
    const ProblemState &state, int iteration, QList<Candidate> candidates, QList<Experience> experiences)
    : m_context(context)
    , m_agents(agents)
    , m_evaluations(evaluations)
    , m_state(state)
    , m_iteration(iteration)
    , m_candidates(std::move(candidates))
    , m_experiences(std::move(experiences))
    , m_tasks(context.resumer)
    , m_programs(context.resumer)
    , m_progress(context.resumer)
{
    QList<Placed> parents;
    for (const Candidate &candidate : m_candidates) {
        m_facts << plannerFacts(candidate);
        parents << candidate.placed;
    }
    m_window = skipWindow(m_context.settings(), parents);
    m_bestMs = m_state.history.best() ? m_state.history.best()->latencyMs : m_state.history.baselineMs();
    for (int c = 1; c <= m_candidates.size(); ++c) {
        for (int p = 1; p <= m_context.settings().plans; ++p) {
            for (int k = 1; k <= m_context.settings().attempts; ++k)
                m_chains.try_emplace({c, p, k});
        }
    }
}

const Plan *IterationSearch::plan(int candidate, int plan) const
{
    const auto it =
        std::ranges::find_if(m_plans, [&](const Plan &p) { return p.candidate == candidate && p.plan == plan; });
    return it == m_plans.end() ? nullptr : &*it;
}

PlannerFacts IterationSearch::plannerFacts(const Candidate &candidate) const
{
    const RunSettings &settings = m_context.settings();
    PlannerFacts facts;
    facts.problem = m_state.problem;
    facts.kernel = candidate.kernel;
    facts.evaluation = candidate.attempt.evaluation;
    // Which core it was and how long it took differs from run to run; a prompt must not.
    facts.evaluation.core.clear();
    facts.evaluation.stageSeconds = {};
    facts.roofline = m_state.roofline;
    facts.showFractionOfPeak = settings.showFractionOfPeak;
    if (settings.showBestSoFar && m_state.history.best())
        facts.bestMs = m_state.history.best()->latencyMs;
    if (settings.showTriedTitles)
        facts.triedTitles = m_state.history.triedTitles(candidate.placed.attempt);
    if (settings.showFailures)
        facts.failures = m_state.history.failures(candidate.placed.attempt);
    facts.experiences = m_experiences;
    facts.planCount = settings.plans;
    return facts;
}

QCoro::Task<Result<bool>> IterationSearch::run()
{
    if (const auto restored = restore(); !restored)
        co_return std::unexpected(restored.error());
    for (int c = 1; c <= m_candidates.size(); ++c) {
        for (int p = 1; p <= m_context.settings().plans; ++p)
            m_tasks.add(runPlan(c, p));
    }
    co_await m_tasks.all();
    if (m_error)
        co_return std::unexpected(*m_error);
    if (m_incomplete)
        co_return false;
    std::ranges::sort(m_plans, {}, [](const Plan &p) { return std::pair(p.candidate, p.plan); });
    const Result<void> settled = co_await settle();
    if (!settled)
        co_return std::unexpected(settled.error());
    co_return true;
}

// Rows of this iteration from before a resume. Those with a result of their own are known before any work starts, so
// that nobody measures them again.
Result<void> IterationSearch::restore()
{
    AttemptFilter filter;
    filter.run = m_context.run.id;
    filter.problem = m_state.ref.name;
    filter.iterationFrom = filter.iterationTo = m_iteration;
    filter.details = true;
    const auto rows = m_context.reader->attempts(filter);
    if (!rows)
        return std::unexpected(rows.error());
    for (const Attempt &row : *rows) {
        if (row.key.candidate == 0)
            continue; // a person's kernel is not the search's
        m_existing.insert(row.key, row);
        m_keys.insert(row.id, row.key);
    }
    for (const bool own : {true, false}) {
        for (const Attempt &row : std::as_const(m_existing)) {
            const bool sharesEarlier = row.duplicateOf != 0 && m_state.history.find(row.duplicateOf);
            if (row.state == Attempt::State::Done && !programOf(row).isEmpty() && (row.duplicateOf == 0) == own
                && !sharesEarlier)
                m_programs.restore(programOf(row), row);
        }
    }
    return {};
}

void IterationSearch::lose(const Error &error, Chain *chain)
{
    // Cut off by a stop or a drain, or an error that has ended the run already.
    m_incomplete = true;
    if (error.kind != Error::Kind::Cancelled && !m_error)
        m_error = error;
    if (chain) {
        chain->refused = true;
        m_progress.pulse();
    }
}

void IterationSearch::advance(Chain &chain)
{
    ++chain.rounds;
    m_progress.pulse();
}

QCoro::Task<void> IterationSearch::runPlan(int candidate, int planNumber)
{
    const RunSettings &settings = m_context.settings();
    PlannerFacts facts = m_facts[candidate - 1];
    facts.planIndex = planNumber - 1;
    const CallKey key{m_state.ref.name, m_iteration, candidate, planNumber, 0, 0, Role::Planner};
    const auto answer = co_await m_agents.call(m_state.ref, key, m_context.prompts.planner(facts));
    Plan plan;
    plan.iteration = m_iteration;
    plan.candidate = candidate;
    plan.plan = planNumber;
    if (answer) {
        plan.text = answer->completion.text;
        plan.title = parsePlanTitle(plan.text);
        plan.model = settings.model(Role::Planner).name();
        const auto id = co_await m_context.recorder.write<qint64>(
            [&](Journal &journal) { return journal.putPlan(m_context.run.id, m_state.ref.name, plan); });
        if (id) {
            plan.id = *id;
            m_plans << plan;
            const bool empty = saysNothingLeft(plan.text);
            for (int k = 1; k <= settings.attempts; ++k) {
                if (empty) {
                    m_chains[{candidate, planNumber, k}].ended = true;
                    m_progress.pulse();
                } else {
                    m_tasks.add(runAttempt(candidate, planNumber, k));
                }
            }
            co_return;
        }
        lose(id.error(), nullptr);
    } else {
        lose(answer.error(), nullptr);
    }
    for (int k = 1; k <= settings.attempts; ++k)
        m_chains[{candidate, planNumber, k}].refused = true;
    m_progress.pulse();
}

QCoro::Task<void> IterationSearch::runAttempt(int candidate, int planNumber, int attemptNumber)
{
    Chain &chain = m_chains[{candidate, planNumber, attemptNumber}];
    const Plan plan = *this->plan(candidate, planNumber);
    ExecutorFacts facts{m_state.problem, m_candidates[candidate - 1].kernel, plan, attemptNumber - 1};
    facts.plan.id = 0; // row numbers depend on timing; a request must not
    const CallKey key{m_state.ref.name, m_iteration, candidate, planNumber, attemptNumber, 0, Role::Executor};
    const auto answer = co_await m_agents.call(m_state.ref, key, m_context.prompts.executor(facts));
    if (!answer) {
        lose(answer.error(), &chain);
        co_return;
    }
    auto attempt =
        co_await record({m_iteration, candidate, planNumber, attemptNumber, 0}, plan, *answer, Role::Executor);
    if (!attempt) {
        lose(attempt.error(), &chain);
        co_return;
    }
    const auto evaluated = co_await evaluate(*attempt, chain);
    if (!evaluated) {
        lose(evaluated.error(), &chain);
        co_return;
    }
    const auto fixed = co_await fixRounds(*attempt, plan, chain);
    if (!fixed)
        lose(fixed.error(), &chain);
    else if (!*fixed)
        lose(cutOff().error(), &chain);
    chain.ended = !chain.refused;
    m_progress.pulse();
}

// Only who owns its program is fixed: of equal failures one. False: the run drains.
QCoro::Task<Result<bool>> IterationSearch::fixRounds(Attempt attempt, const Plan &plan, Chain &chain)
{
    if (!m_agents.supports(Role::Fixer))
        co_return true;
    for (int round = 1; round <= m_context.settings().fixerRounds; ++round) {
        const bool sharesEarlier = attempt.duplicateOf != 0 && m_state.history.find(attempt.duplicateOf);
        if (!isFixable(attempt.evaluation) || sharesEarlier)
            co_return true;
        const bool known = co_await seniorsKnown(attempt.key);
        if (!known)
            co_return false;
        if (!m_programs.isMostSenior(programOf(attempt), attempt.key))
            co_return true;
        FixerFacts facts{m_state.problem, m_kernels.value(attempt.id), plan, attempt.evaluation.error, round};
        facts.plan.id = 0;
        AttemptKey key = attempt.key;
        key.round = round;
        const CallKey callKey{m_state.ref.name, m_iteration, key.candidate, key.plan, key.attempt, round, Role::Fixer};
        const auto answer = co_await m_agents.call(m_state.ref, callKey, m_context.prompts.fixer(facts));
        if (!answer)
            co_return std::unexpected(answer.error());
        auto next = co_await record(key, plan, *answer, Role::Fixer);
        if (!next)
            co_return std::unexpected(next.error());
        const auto evaluated = co_await evaluate(*next, chain);
        if (!evaluated)
            co_return std::unexpected(evaluated.error());
        attempt = *next;
    }
    co_return true;
}

QCoro::Task<bool> IterationSearch::seniorsKnown(AttemptKey key)
{
    const ChainKey own{key.candidate, key.plan, key.attempt};
    while (!m_context.control.isStopping()) {
        bool certain = true;
        for (const auto &[place, chain] : m_chains) {
            // A chain that stands before this one must have shown its kernel of the same round, any other one that of
            // the round before.
            const int needed = place < own ? key.round + 1 : key.round;
            if (place == own || chain.ended || chain.rounds >= needed)
                continue;
            if (chain.refused)
                co_return false;
            certain = false;
            break;
        }
        if (certain)
            co_return true;
        co_await m_progress.wait();
    }
    co_return false;
}

QCoro::Task<Result<Attempt>> IterationSearch::record(
    AttemptKey key, const Plan &plan, AgentCalls::Answer answer, Role role)
{
    const Candidate &candidate = m_candidates[key.candidate - 1];
    const ParsedKernel parsed = parseKernelReply(answer.completion, m_state.problem.entry);
    QByteArray kernel = parsed.source;
    Attempt attempt = m_existing.value(key);
    if (attempt.id != 0 && attempt.sha256 != sha256(kernel) && !attempt.sha256.isEmpty() && !attempt.commit.isEmpty()) {
        // Another version of the program would take another kernel from this reply; what is committed counts.
        const auto committed = co_await m_context.recorder.file(attempt.commit, u"kernel.py"_s);
        if (!committed)
            co_return std::unexpected(committed.error());
        kernel = *committed;
    }
    if (attempt.id == 0) {
        attempt.run = m_context.run.id;
        attempt.problem = m_state.ref.name;
        attempt.key = key;
        attempt.parent = candidate.placed.attempt;
        attempt.author = m_context.settings().model(role).name();
        attempt.planTitle = plan.title;
        attempt.parseRule = parsed.rule;
        attempt.sha256 = sha256(kernel);
        attempt.createdAt = answer.at;
        if (!kernel.isEmpty()) {
            const auto hash = co_await m_evaluations.programHash(kernel);
            if (!hash)
                co_return std::unexpected(hash.error());
            attempt.programHash = *hash;
        }
        const auto id =
            co_await m_context.recorder.write<qint64>([&](Journal &journal) { return journal.putAttempt(attempt); });
        if (!id)
            co_return std::unexpected(id.error());
        attempt.id = *id;
        m_keys.insert(attempt.id, key);
    }
    m_kernels.insert(attempt.id, kernel);
    if (attempt.commit.isEmpty()) {
        const auto committed = co_await commit(attempt, plan, answer);
        if (!committed)
            co_return std::unexpected(committed.error());
    }
    if (kernel.isEmpty() && attempt.state != Attempt::State::Done) {
        attempt.evaluation.status = Evaluation::Status::Failed;
        attempt.evaluation.error = parsed.error;
        if (!attempt.evaluation.error)
            attempt.evaluation.error = {ErrorKind::Reply, {}, u"The reply holds no kernel."_s, 0, {}};
    }
    m_context.emitEvent(attemptEvent(RunEvent::Kind::AttemptMade, attempt));
    co_return attempt;
}

QCoro::Task<Result<void>> IterationSearch::commit(Attempt &attempt, const Plan &plan, const AgentCalls::Answer &answer)
{
    AttemptCommit commit;
    commit.run = QString::number(m_context.run.id);
    commit.problem = m_state.ref.name;
    commit.key = attempt.key.ascii();
    commit.parentCommit = m_candidates[attempt.key.candidate - 1].attempt.commit;
    commit.kernel = m_kernels.value(attempt.id);
    commit.reference = m_state.problem.referenceSource;
    commit.problemJson = m_state.json;
    if (commit.kernel.isEmpty())
        commit.reply = answer.completion.text.toUtf8();
    commit.title = plan.title.isEmpty() ? attempt.key.ascii() : plan.title;
    commit.body = plan.text;
    commit.model = attempt.author;
    commit.at = answer.at;
    const auto id = co_await m_context.recorder.commit(commit);
    if (!id)
        co_return std::unexpected(id.error());
    attempt.commit = *id;
    co_return co_await m_context.recorder.write<void>(
        [&](Journal &journal) { return journal.setCommit(attempt.id, attempt.commit); });
}

QCoro::Task<Result<void>> IterationSearch::evaluate(Attempt &attempt, Chain &chain)
{
    const QString program = programOf(attempt);
    if (attempt.state == Attempt::State::Done) { // before a resume
        advance(chain);
        done(attempt);
        co_return Result<void>();
    }
    if (program.isEmpty()) {
        advance(chain);
        co_return co_await finish(attempt, attempt.evaluation, 0);
    }
    if (const auto owner = m_state.history.owner(program);
        owner && (!owner->skipped || (m_window && m_window->covers(owner->latencyMs)))) {
        advance(chain);
        const auto row = m_context.reader->attempt(owner->attempt);
        if (!row)
            co_return std::unexpected(row.error());
        co_return co_await finish(attempt, row->evaluation, owner->attempt);
    }

    const IterationPrograms::Place place = m_programs.enter(program, attempt);
    advance(chain);
    if (!place.isMine) {
        co_await place.measurement->done.wait();
        if (!place.measurement->evaluation)
            co_return cutOff();
        co_return co_await finish(attempt, *place.measurement->evaluation, place.measurement->attempt);
    }
    EvaluationSubject subject{
        m_state.ref, &m_state.problem, m_state.roofline, attempt.id, attempt.key, attempt.sha256, u"search"_s};
    std::optional<SkipWindow> skip;
    if (m_window)
        skip = SkipWindow{m_window->fromMs, m_window->toMs};
    const auto evaluation = co_await m_evaluations.evaluate(subject, m_kernels.value(attempt.id), skip);
    if (evaluation)
        place.measurement->evaluation = *evaluation;
    place.measurement->done.set();
    if (!evaluation)
        co_return std::unexpected(evaluation.error());
    attempt.evaluation = *evaluation;
    attempt.state = Attempt::State::Done;
    done(attempt);
    co_return Result<void>();
}

QCoro::Task<Result<void>> IterationSearch::finish(Attempt &attempt, Evaluation evaluation, qint64 duplicateOf)
{
    const auto claim = co_await m_context.recorder.write<Journal::EvaluationClaim>([&](Journal &journal) {
        return journal.beginEvaluation(attempt.id, u"search"_s, evaluation.environment.host);
    });
    if (!claim)
        co_return std::unexpected(claim.error());
    const auto kept = co_await m_context.recorder.write<void>(
        [&](Journal &journal) { return journal.finishEvaluation(attempt.id, u"search"_s, evaluation, duplicateOf); });
    if (!kept)
        co_return std::unexpected(kept.error());
    attempt.evaluation = evaluation;
    attempt.duplicateOf = duplicateOf;
    attempt.state = Attempt::State::Done;
    done(attempt);
    co_return Result<void>();
}

void IterationSearch::done(const Attempt &attempt)
{
    m_attempts.insert(attempt.key, attempt);
    queueNote(attempt);
    m_context.emitEvent(attemptEvent(RunEvent::Kind::EvaluationFinished, attempt));
    const Evaluation &e = attempt.evaluation;
    if (e.quarantined && attempt.duplicateOf == 0) {
        m_context.note(RunEvent::Kind::Warning, u"quarantine"_s, m_state.ref.name, attempt.id,
            u"%1 is faster than the roofline allows and was put in quarantine."_s.arg(attempt.key.display()));
    } else if (m_state.history.isEligible(attempt) && attempt.duplicateOf == 0 && e.latency.medianMs < m_bestMs) {
        m_bestMs = e.latency.medianMs;
        RunEvent event = attemptEvent(RunEvent::Kind::NewBest, attempt);
        event.text = u"%1: %2 is the best so far"_s.arg(m_state.ref.name, attempt.key.display());
        m_context.emitEvent(event);
        m_context.recorder.log({0, m_context.run.id, QDateTime::currentDateTimeUtc(), u"best"_s, m_state.ref.name,
            attempt.id, event.text});
    } else if (e.isCorrect() && !m_state.history.isComparable(e)) {
        m_context.note(RunEvent::Kind::Warning, u"warning"_s, m_state.ref.name, attempt.id,
            u"%1 was measured in another environment than the baseline and is not compared with it."_s.arg(
                attempt.key.display()));
    }
}

RunEvent IterationSearch::attemptEvent(RunEvent::Kind kind, const Attempt &attempt) const
{
    RunEvent event;
    event.kind = kind;
    event.problem = attempt.problem;
    event.key = attempt.key;
    event.attempt = attempt.id;
    event.lane = attempt.evaluation.core;
    event.text = attempt.planTitle;
    if (kind != RunEvent::Kind::AttemptMade) {
        event.latencyMs = attempt.evaluation.latency.medianMs;
        event.fractionOfPeak = attempt.evaluation.fractionOfPeak;
        if (event.latencyMs > 0)
            event.speedup = m_state.history.baselineMs() / event.latencyMs;
    }
    return event;
}

void IterationSearch::queueNote(const Attempt &attempt)
{
    std::optional<AttemptKey> owner;
    if (attempt.duplicateOf != 0) {
        const History::Known *known = m_state.history.find(attempt.duplicateOf);
        owner = known ? known->key : m_keys.value(attempt.duplicateOf);
    }
    m_context.recorder.queueNote(attempt.commit, attemptNote(attempt, owner, m_state.history.baselineMs()));
}

// Gives every program to its most senior attempt, whoever came first.
QCoro::Task<Result<void>> IterationSearch::settle()
{
    QHash<qint64, qint64> recorded;
    for (const Attempt &attempt : std::as_const(m_attempts))
        recorded.insert(attempt.id, attempt.duplicateOf);
    const QList<IterationPrograms::Change> changes = m_programs.settle(recorded);
    for (const IterationPrograms::Change &change : changes) {
        const auto kept = co_await m_context.recorder.write<void>([&](Journal &journal) {
            return journal.settleEvaluation(change.attempt, change.evaluation, change.duplicateOf);
        });
        if (!kept)
            co_return std::unexpected(kept.error());
        Attempt &attempt = m_attempts[m_keys.value(change.attempt)];
        attempt.evaluation = change.evaluation;
        attempt.duplicateOf = change.duplicateOf;
        queueNote(attempt);
    }
    co_return Result<void>();
}

} // namespace accelopt
