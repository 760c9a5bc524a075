// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a problem's search learns at the end of an iteration and what its planners read at the start of the next one.
#include "search/problemsearch.h"

#include <algorithm>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

QCoro::Task<void> ProblemSearch::summarize(IterationSearch &search, Pair pair, int rank, Experience &experience)
{
    const auto kernelOf = [&search](qint64 attempt) {
        for (const Candidate &candidate : search.candidates()) {
            if (candidate.placed.attempt == attempt)
                return candidate.kernel;
        }
        return search.kernel(attempt);
    };
    SummarizerFacts facts;
    facts.problem = m_state.problem;
    facts.slowKernel = kernelOf(pair.slowAttempt);
    facts.fastKernel = kernelOf(pair.fastAttempt);
    facts.speedup = pair.speedup;
    facts.positive = pair.positive;
    if (const Plan *plan = search.plan(pair.child.candidate, pair.child.plan))
        facts.plan = *plan;
    facts.plan.id = 0;
    CallKey key;
    key.problem = name();
    key.iteration = pair.child.iteration;
    key.plan = rank + 1;
    key.role = Role::Summarizer;
    const auto answer = co_await m_agents.call(m_state.ref, key, m_context.prompts.summarizer(facts));
    if (!answer)
        co_return;
    const ParsedSummary parsed = parseSummary(answer->completion.text);
    experience.run = m_context.run.id;
    experience.problem = name();
    experience.iteration = pair.child.iteration;
    experience.rank = rank;
    experience.positive = pair.positive;
    experience.speedup = pair.speedup;
    experience.slowAttempt = pair.slowAttempt;
    experience.fastAttempt = pair.fastAttempt;
    experience.title = parsed.title;
    experience.summary = parsed.summary;
    // It takes a place, as in the published code, and is told apart by its text when a prompt is made.
    if (parsed.nothingFound && experience.summary.isEmpty())
        experience.summary = answer->completion.text;
    experience.createdAt = answer->at;
}

QCoro::Task<Result<void>> ProblemSearch::learn(IterationSearch &search)
{
    const RunSettings &settings = m_context.settings();
    QList<Placed> parents;
    for (const Candidate &candidate : search.candidates())
        parents << candidate.placed;
    QList<Standing> standings;
    for (const Attempt &attempt : search.attempts())
        standings << m_state.history.standing(attempt);
    const PairRules rules{settings.memory, settings.positiveThreshold, settings.negativeThreshold, settings.topK};
    // The elitist policy keeps candidates, so the same step is found again and again; it is learned once.
    QSet<QString> known = m_state.history.knownPairs();
    const bool once = settings.selection == SelectionPolicy::Elitist;
    const QList<Pair> pairs = notablePairs(rules, standings, parents, once ? &known : nullptr);

    QList<Experience> experiences(pairs.size());
    {
        TaskGroup calls(m_context.resumer);
        for (int rank = 0; rank < pairs.size(); ++rank)
            calls.add(summarize(search, pairs[rank], rank, experiences[rank]));
        co_await calls.all();
    }
    if (std::ranges::contains(experiences, qint64(0), &Experience::run))
        co_return cutOff();
    if (!experiences.isEmpty()) {
        const auto ids = co_await m_context.recorder.write<QList<qint64>>(
            [&](Journal &journal) { return journal.putExperiences(experiences); });
        if (!ids)
            co_return std::unexpected(ids.error());
    }
    m_state.history.knownPairs() = known;
    co_return Result<void>();
}

QCoro::Task<Result<void>> ProblemSearch::remember(int iteration)
{
    const RunSettings &settings = m_context.settings();
    const auto all = m_context.reader->experiences(m_context.run.id, sharesMemory() ? QString() : name());
    const auto old = m_context.reader->memory(m_context.run.id, name(), iteration - 1);
    if (!all || !old)
        co_return std::unexpected(!all ? all.error() : old.error());
    QHash<qint64, Experience> byId;
    QList<Experience> learned;
    for (const Experience &e : *all) {
        byId.insert(e.id, e);
        if (e.iteration == iteration && e.state != Experience::State::Deleted)
            learned << e;
    }
    // Positives before negatives, the greater speedup first; where problems share a memory their experiences mix.
    std::ranges::sort(learned, [](const Experience &a, const Experience &b) {
        return std::tuple(!a.positive, -a.speedup, a.problem, a.rank)
            < std::tuple(!b.positive, -b.speedup, b.problem, b.rank);
    });
    QList<qint64> fresh;
    for (const Experience &e : std::as_const(learned))
        fresh << e.id;
    QList<MemoryItem> items;
    for (const qint64 id : *old)
        items << MemoryItem{id, byId.value(id).state};
    // A person can pin what was evicted before: it comes back.
    for (const Experience &e : *all) {
        if (e.state == Experience::State::Pinned && e.iteration < iteration && !old->contains(e.id))
            items << MemoryItem{e.id, e.state};
    }
    CallKey key;
    key.problem = sharesMemory() ? QString() : name();
    key.iteration = iteration;
    key.role = Role::Summarizer;
    Random random(naturalSeed(settings.seed, key));
    const QList<qint64> memory = curate(settings.memory, fresh, items, settings.memoryCapacity, random);
    co_return co_await m_context.recorder.write<void>(
        [&](Journal &journal) { return journal.putMemory(m_context.run.id, name(), iteration, memory); });
}

QCoro::Task<Result<QList<Experience>>> ProblemSearch::experiences(int iteration, qsizetype candidates)
{
    QList<Experience> lessons;
    if (!usesMemory())
        co_return lessons;
    const auto frozen = m_context.reader->experiencesInPrompt(m_context.run.id, name(), iteration, 1);
    const auto ids = m_context.reader->memory(m_context.run.id, name(), iteration - 1);
    const auto all = m_context.reader->experiences(m_context.run.id, sharesMemory() ? QString() : name());
    if (!frozen || !ids || !all)
        co_return std::unexpected(!frozen ? frozen.error() : !ids ? ids.error() : all.error());
    QHash<qint64, Experience> byId;
    for (const Experience &e : *all)
        byId.insert(e.id, e);
    // Resumed in the middle: the planners that are still to be asked read what the others read.
    const bool isFrozen = !frozen->isEmpty();
    QList<qint64> used;
    for (const qint64 id : isFrozen ? *frozen : *ids) {
        const Experience e = byId.value(id);
        const bool isShown = e.state == Experience::State::Active || e.state == Experience::State::Pinned;
        if (e.id == 0 || (!isFrozen && (!isShown || parseSummary(e.text()).nothingFound)))
            continue;
        used << id;
        // Row numbers and times differ from run to run; a prompt must not.
        Experience lesson = e;
        lesson.id = lesson.run = lesson.slowAttempt = lesson.fastAttempt = 0;
        lesson.uses = 0;
        lesson.createdAt = {};
        lessons << lesson;
    }
    for (int candidate = 1; candidate <= candidates && !used.isEmpty(); ++candidate) {
        const auto kept = co_await m_context.recorder.write<void>([&](Journal &journal) {
            return journal.recordExperienceUses(m_context.run.id, name(), iteration, candidate, used);
        });
        if (!kept)
            co_return std::unexpected(kept.error());
    }
    co_return lessons;
}

} // namespace accelopt
