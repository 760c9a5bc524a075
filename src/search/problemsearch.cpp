// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/problemsearch.h"

#include "search/notes.h"

#include <QCryptographicHash>
#include <QJsonDocument>
#include <algorithm>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

void Progress::finished(int problem, int iteration)
{
    m_finished[problem] = qMax(m_finished[problem], iteration);
    m_changed.pulse();
}

void Progress::ended(int problem)
{
    m_ended[problem] = true;
    m_changed.pulse();
}

QCoro::Task<void> Progress::all(int iteration)
{
    const auto isThere = [&] {
        for (qsizetype i = 0; i < m_finished.size(); ++i) {
            if (!m_ended[i] && m_finished[i] < iteration)
                return false;
        }
        return true;
    };
    while (!isThere())
        co_await m_changed.wait();
}

ProblemSearch::ProblemSearch(RunContext &context, AgentCalls &agents, Evaluations &evaluations, Progress &progress,
    ProblemRef ref, const Problem &problem)
    : m_context(context)
    , m_agents(agents)
    , m_evaluations(evaluations)
    , m_progress(progress)
{
    m_state.ref = std::move(ref);
    m_state.problem = problem;
    m_state.json = QJsonDocument(problem.json).toJson(QJsonDocument::Indented);
    m_state.roofline = roofline(problem.work, context.run.facts.peaks, problem.dtype);
    m_state.begun = context.run.createdAt;
}

QCoro::Task<void> ProblemSearch::run()
{
    const Result<void> result = co_await search();
    if (!result && result.error().kind != Error::Kind::Cancelled)
        m_context.control.fail(result.error());
    m_progress.ended(m_state.ref.index);
    if (m_outcome != Outcome::Unfinished)
        tell(RunEvent::Kind::ProblemFinished,
            m_outcome == Outcome::Finished ? u"%1 is finished."_s.arg(name())
                                           : u"%1 failed: its baseline does not work."_s.arg(name()),
            0);
}

void ProblemSearch::tell(RunEvent::Kind kind, const QString &text, int iteration)
{
    RunEvent event;
    event.kind = kind;
    event.problem = name();
    event.key.iteration = iteration;
    event.text = text;
    if (const auto &best = m_state.history.best()) {
        event.attempt = best->attempt;
        event.latencyMs = best->latencyMs;
        event.fractionOfPeak = m_state.roofline.fractionOfPeak(best->latencyMs);
        event.speedup = m_state.history.baselineMs() / best->latencyMs;
    }
    m_context.emitEvent(event);
}

QCoro::Task<Result<void>> ProblemSearch::search()
{
    const auto begun = co_await baseline();
    if (!begun)
        co_return std::unexpected(begun.error());
    if (!*begun) {
        m_outcome = Outcome::Failed;
        co_return Result<void>();
    }
    const auto finished = m_context.reader->finishedIterations(m_context.run.id, name());
    if (!finished)
        co_return std::unexpected(finished.error());
    if (const auto loaded = loadHistory(*finished); !loaded)
        co_return std::unexpected(loaded.error());
    m_progress.finished(m_state.ref.index, *finished);

    for (int iteration = *finished + 1; iteration <= m_context.settings().iterations; ++iteration) {
        const bool admitted = co_await m_context.control.admit(RunControl::Work::Plan);
        if (!admitted)
            co_return Result<void>();
        const auto complete = co_await iterate(iteration);
        if (!complete)
            co_return std::unexpected(complete.error());
        if (!*complete)
            co_return Result<void>();
        m_progress.finished(m_state.ref.index, iteration);
        tell(RunEvent::Kind::IterationFinished, u"%1: iteration %2 is finished."_s.arg(name()).arg(iteration),
            iteration);
        m_context.recorder.pack(m_context.control.token());
    }
    m_outcome = Outcome::Finished;
    co_return Result<void>();
}

// Iteration 0: the baseline is committed, evaluated, and is the only candidate of iteration 1.
QCoro::Task<Result<bool>> ProblemSearch::baseline()
{
    const auto stored = m_context.reader->attempt(m_context.run.id, name(), AttemptKey());
    Attempt attempt;
    if (stored) {
        attempt = *stored;
    } else {
        const auto hash = co_await m_evaluations.programHash(m_state.problem.kernelSource);
        if (!hash)
            co_return std::unexpected(hash.error());
        attempt.run = m_context.run.id;
        attempt.problem = name();
        attempt.author = u"baseline"_s;
        attempt.sha256 = QString::fromLatin1(
            QCryptographicHash::hash(m_state.problem.kernelSource, QCryptographicHash::Sha256).toHex());
        attempt.programHash = *hash;
        attempt.createdAt = m_state.begun;
        const auto id =
            co_await m_context.recorder.write<qint64>([&](Journal &journal) { return journal.putAttempt(attempt); });
        if (!id)
            co_return std::unexpected(id.error());
        attempt.id = *id;
    }
    if (attempt.commit.isEmpty()) {
        AttemptCommit commit;
        commit.run = QString::number(m_context.run.id);
        commit.problem = name();
        commit.key = attempt.key.ascii();
        commit.kernel = m_state.problem.kernelSource;
        commit.reference = m_state.problem.referenceSource;
        commit.problemJson = m_state.json;
        commit.title = u"Baseline of %1"_s.arg(name());
        commit.body = m_state.problem.operatorText;
        commit.model = attempt.author;
        commit.at = m_state.begun;
        const auto id = co_await m_context.recorder.commit(commit);
        if (!id)
            co_return std::unexpected(id.error());
        attempt.commit = *id;
        const auto kept = co_await m_context.recorder.write<void>(
            [&](Journal &journal) { return journal.setCommit(attempt.id, attempt.commit); });
        if (!kept)
            co_return std::unexpected(kept.error());
    }
    if (attempt.state != Attempt::State::Done) {
        EvaluationSubject subject{
            m_state.ref, &m_state.problem, m_state.roofline, attempt.id, attempt.key, attempt.sha256, u"baseline"_s};
        const auto evaluation = co_await m_evaluations.evaluate(subject, m_state.problem.kernelSource, std::nullopt);
        if (!evaluation)
            co_return std::unexpected(evaluation.error());
        attempt.evaluation = *evaluation;
        attempt.state = Attempt::State::Done;
    }
    const bool works =
        attempt.evaluation.isCorrect() && !attempt.evaluation.quarantined && attempt.evaluation.latency.medianMs > 0;
    m_context.recorder.queueNote(
        attempt.commit, attemptNote(attempt, std::nullopt, works ? attempt.evaluation.latency.medianMs : 0));
    const auto branched = co_await m_context.recorder.setBranch(name() + u"/baseline"_s, attempt.commit);
    if (!branched)
        co_return std::unexpected(branched.error());
    if (!works) {
        const QString why = attempt.evaluation.quarantined
            ? u"It is faster than the roofline allows; check the work formulas of the problem."_s
            : errorKindName(attempt.evaluation.error.kind) + u": "_s + attempt.evaluation.error.message;
        m_context.note(RunEvent::Kind::Warning, u"failed"_s, name(), attempt.id,
            u"The baseline of %1 does not work. %2"_s.arg(name(), why));
        co_await m_context.recorder.flushNotes();
        co_return false;
    }
    m_state.history.begin(attempt);
    const auto beam = m_context.reader->beam(m_context.run.id, name(), 1);
    if (!beam)
        co_return std::unexpected(beam.error());
    if (beam->isEmpty()) {
        const auto noted = co_await m_context.recorder.flushNotes();
        if (!noted)
            co_return std::unexpected(noted.error());
        const auto best = co_await setBest();
        if (!best)
            co_return std::unexpected(best.error());
        const auto began = co_await m_context.recorder.write<void>(
            [&](Journal &journal) { return journal.beginIteration(m_context.run.id, name(), 0); });
        if (!began)
            co_return std::unexpected(began.error());
        const QList<BeamPlace> places{BeamPlace{name(), 1, 1, attempt.id, u"parent"_s}};
        const auto kept = co_await m_context.recorder.write<void>(
            [&](Journal &journal) { return journal.finishIteration(m_context.run.id, name(), 0, places); });
        if (!kept)
            co_return std::unexpected(kept.error());
    }
    tell(RunEvent::Kind::IterationFinished, u"%1: the baseline is evaluated."_s.arg(name()), 0);
    co_return true;
}

// Knowledge of finished iterations, gained by the same steps as while they ran.
Result<void> ProblemSearch::loadHistory(int finished)
{
    if (finished == 0)
        return {};
    AttemptFilter filter;
    filter.run = m_context.run.id;
    filter.problem = name();
    filter.iterationFrom = 1;
    filter.iterationTo = finished;
    const auto rows = m_context.reader->attempts(filter);
    const auto plans = m_context.reader->plans(m_context.run.id, name());
    const auto beams = m_context.reader->beams(m_context.run.id, name());
    const auto learned = m_context.reader->experiences(m_context.run.id, name());
    if (!rows || !plans || !beams || !learned)
        return std::unexpected(!rows ? rows.error()
                : !plans             ? plans.error()
                : !beams             ? beams.error()
                                     : learned.error());
    for (int iteration = 1; iteration <= finished; ++iteration) {
        QList<Attempt> attempts;
        for (const Attempt &row : *rows) {
            if (row.key.iteration == iteration && row.key.candidate > 0)
                attempts << row;
        }
        QList<Plan> ofIteration;
        std::ranges::copy_if(
            *plans, std::back_inserter(ofIteration), [&](const Plan &p) { return p.iteration == iteration; });
        QList<BeamPlace> places;
        std::ranges::copy_if(
            *beams, std::back_inserter(places), [&](const BeamPlace &p) { return p.iteration == iteration; });
        std::ranges::sort(places, {}, &BeamPlace::candidate);
        QList<Placed> placed;
        for (const BeamPlace &place : std::as_const(places))
            placed << m_state.history.placed(place.attempt);
        m_state.history.absorb(attempts, ofIteration, placed);
    }
    for (const Experience &e : *learned) {
        const History::Known *slow = m_state.history.find(e.slowAttempt), *fast = m_state.history.find(e.fastAttempt);
        if (slow && fast && e.iteration <= finished)
            m_state.history.knownPairs().insert(slow->program + u'\n' + fast->program);
    }
    return {};
}

QCoro::Task<Result<QList<Candidate>>> ProblemSearch::candidates(int iteration)
{
    auto places = m_context.reader->beam(m_context.run.id, name(), iteration);
    if (!places)
        co_return std::unexpected(places.error());
    std::ranges::sort(*places, {}, &BeamPlace::candidate);
    QList<Candidate> list;
    for (const BeamPlace &place : std::as_const(*places)) {
        const auto attempt = m_context.reader->attempt(place.attempt);
        if (!attempt)
            co_return std::unexpected(attempt.error());
        const auto kernel = co_await m_context.recorder.file(attempt->commit, u"kernel.py"_s);
        if (!kernel)
            co_return std::unexpected(kernel.error());
        const Placed placed{attempt->id, attempt->key, programOf(*attempt), attempt->evaluation.latency.medianMs};
        list << Candidate{placed, *attempt, *kernel};
    }
    co_return list;
}

QCoro::Task<Result<bool>> ProblemSearch::iterate(int iteration)
{
    const RunSettings &settings = m_context.settings();
    if (usesMemory() && sharesMemory()) {
        // The one place where problems wait for each other: a shared memory is made of all of them, and must not depend
        // on who was quicker.
        co_await m_progress.all(iteration - 1);
        if (m_context.control.isStopping() || m_context.control.isDraining())
            co_return false;
        if (iteration > 1) {
            const auto remembered = co_await remember(iteration - 1);
            if (!remembered)
                co_return std::unexpected(remembered.error());
        }
    }
    const auto began = co_await m_context.recorder.write<void>(
        [&](Journal &journal) { return journal.beginIteration(m_context.run.id, name(), iteration); });
    if (!began)
        co_return std::unexpected(began.error());
    const auto places = co_await candidates(iteration);
    if (!places)
        co_return std::unexpected(places.error());
    const auto lessons = co_await experiences(iteration, places->size());
    if (!lessons)
        co_return std::unexpected(lessons.error());

    IterationSearch search(m_context, m_agents, m_evaluations, m_state, iteration, *places, *lessons);
    const auto complete = co_await search.run();
    if (!complete || !*complete)
        co_return complete;

    QList<Placed> parents;
    for (const Candidate &candidate : *places)
        parents << candidate.placed;
    QList<Standing> standings;
    for (const Attempt &attempt : search.attempts())
        standings << m_state.history.standing(attempt);
    if (usesMemory()) {
        const auto learned = co_await learn(search);
        if (!learned)
            co_return std::unexpected(learned.error());
    }
    SelectionInput input;
    input.policy = settings.selection;
    input.beam = settings.beam;
    input.attempts = standings;
    input.parents = parents;
    input.best = m_state.history.best();
    m_state.history.absorb(search.attempts(), search.plans(), parents);
    const QList<Selected> selected = select(input);
    QList<BeamPlace> next;
    for (const Selected &s : selected)
        next << BeamPlace{name(), iteration + 1, int(next.size()) + 1, s.attempt, s.origin};

    if (usesMemory() && !sharesMemory()) {
        const auto remembered = co_await remember(iteration);
        if (!remembered)
            co_return std::unexpected(remembered.error());
    }
    const auto noted = co_await m_context.recorder.flushNotes();
    if (!noted)
        co_return std::unexpected(noted.error());
    const auto best = co_await setBest();
    if (!best)
        co_return std::unexpected(best.error());
    const auto kept = co_await m_context.recorder.write<void>(
        [&](Journal &journal) { return journal.finishIteration(m_context.run.id, name(), iteration, next); });
    if (!kept)
        co_return std::unexpected(kept.error());
    m_context.recorder.log(
        {0, m_context.run.id, QDateTime::currentDateTimeUtc(), u"selection"_s, name(), m_state.history.best()->attempt,
            u"%1: iteration %2 chose %3 candidates for the next one."_s.arg(name()).arg(iteration).arg(next.size())});
    co_return true;
}

bool ProblemSearch::usesMemory() const
{
    return m_context.settings().useMemory && m_context.settings().topK > 0 && m_agents.supports(Role::Summarizer);
}

QCoro::Task<Result<void>> ProblemSearch::setBest()
{
    if (!m_state.history.best())
        co_return Result<void>();
    const History::Known *best = m_state.history.find(m_state.history.best()->attempt);
    co_return co_await m_context.recorder.setBranch(name() + u"/best"_s, best->commit);
}

} // namespace accelopt
