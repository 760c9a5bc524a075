// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/selection.h"

#include <QSet>
#include <algorithm>
#include <limits>
#include <map>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

namespace {

// One competitor for a place.
struct Entry {
    double latencyMs = 0;
    int seniority = 0; // 0 was in the beam or the best, 1 is new
    AttemptKey key;
    qint64 attempt = 0;
    QString program;
    QString origin;
};

bool before(const Entry &a, const Entry &b)
{
    return std::tie(a.latencyMs, a.seniority, a.key, a.attempt) < std::tie(b.latencyMs, b.seniority, b.key, b.attempt);
}

using Group = std::pair<int, int>; // candidate, plan

QList<Standing> byKey(QList<Standing> attempts)
{
    std::ranges::sort(attempts, {}, [](const Standing &s) { return std::tie(s.key, s.attempt); });
    return attempts;
}

// The fastest eligible attempt of each plan group; the smaller key where two are equally fast.
QList<Entry> representatives(const QList<Standing> &attempts)
{
    std::map<Group, Entry> best;
    for (const Standing &s : byKey(attempts)) {
        if (!s.eligible)
            continue;
        const Entry entry{s.latencyMs, 1, s.key, s.attempt, s.program, u"child"_s};
        const auto [it, isNew] = best.try_emplace({s.key.candidate, s.key.plan}, entry);
        if (!isNew && before(entry, it->second))
            it->second = entry;
    }
    QList<Entry> list;
    for (auto &[group, entry] : best)
        list << entry;
    std::ranges::sort(list, before);
    return list;
}

QList<Selected> selectElitist(const SelectionInput &input)
{
    QList<Entry> pool = representatives(input.attempts);
    for (const Placed &p : input.parents)
        pool << Entry{p.latencyMs, 0, p.key, p.attempt, p.program, u"parent"_s};
    if (input.best && !std::ranges::contains(input.parents, input.best->attempt, &Placed::attempt))
        pool << Entry{input.best->latencyMs, 0, input.best->key, input.best->attempt, input.best->program, u"best"_s};
    std::ranges::sort(pool, before);
    QList<Selected> beam;
    QSet<QString> programs;
    QSet<qint64> attempts;
    for (const Entry &entry : std::as_const(pool)) {
        if (beam.size() >= input.beam)
            break;
        if (attempts.contains(entry.attempt) || (!entry.program.isEmpty() && programs.contains(entry.program)))
            continue;
        attempts.insert(entry.attempt);
        programs.insert(entry.program);
        beam << Selected{entry.attempt, entry.origin};
    }
    return beam;
}

QList<Selected> selectPaper(const SelectionInput &input)
{
    QList<Selected> beam;
    for (const Entry &entry : representatives(input.attempts)) {
        if (beam.size() >= input.beam)
            break;
        beam << Selected{entry.attempt, entry.origin};
    }
    for (const Placed &p : input.parents) {
        if (beam.size() >= input.beam)
            break;
        beam << Selected{p.attempt, u"filler"_s};
    }
    return beam;
}

QList<Selected> selectUpstream(const SelectionInput &input)
{
    // Of an attempt with fixer rounds only the last round is recorded by the scripts.
    std::map<std::tuple<int, int, int>, Standing> samples;
    for (const Standing &s : byKey(input.attempts)) {
        if (s.hasKernel())
            samples.insert_or_assign({s.key.candidate, s.key.plan, s.key.attempt}, s);
    }
    std::map<Group, Entry> groups; // in the order of (candidate, plan), as the scripts insert them
    for (const auto &[place, s] : samples) {
        const int candidate = s.key.candidate;
        Entry entry;
        if (s.eligible)
            entry = {s.latencyMs, 1, s.key, s.attempt, s.program, u"child"_s};
        else if (candidate >= 1 && candidate <= input.parents.size())
            entry = {std::numeric_limits<double>::infinity(), 1, s.key, input.parents[candidate - 1].attempt, {},
                u"parent"_s};
        else
            continue;
        const auto [it, isNew] = groups.try_emplace({candidate, s.key.plan}, entry);
        if (!isNew && entry.latencyMs < it->second.latencyMs)
            it->second = entry;
    }
    QList<Entry> list;
    for (auto &[group, entry] : groups)
        list << entry;
    std::ranges::stable_sort(list, {}, &Entry::latencyMs);
    QList<Selected> beam;
    for (const Entry &entry : std::as_const(list)) {
        if (beam.size() >= input.beam)
            break;
        beam << Selected{entry.attempt, entry.origin};
    }
    if (beam.isEmpty()) {
        for (const Placed &p : input.parents)
            beam << Selected{p.attempt, u"filler"_s};
    }
    return beam;
}

} // namespace

QList<Selected> select(const SelectionInput &input)
{
    switch (input.policy) {
    case SelectionPolicy::Elitist:
        return selectElitist(input);
    case SelectionPolicy::Paper:
        return selectPaper(input);
    case SelectionPolicy::Upstream:
        return selectUpstream(input);
    }
    return {};
}

std::optional<Window> skipWindow(const RunSettings &settings, const QList<Placed> &parents)
{
    if (settings.selection != SelectionPolicy::Elitist || parents.isEmpty() || parents.size() < settings.beam)
        return std::nullopt;
    const auto [fastest, slowest] = std::ranges::minmax(parents, {}, &Placed::latencyMs);
    Window window;
    window.fromMs = slowest.latencyMs; // a tie goes to what is in the beam
    // Without a memory nothing slow is of use; the bound is finite because it travels as JSON.
    window.toMs = settings.useMemory ? fastest.latencyMs * settings.negativeThreshold : 1e12;
    if (window.fromMs <= 0 || window.toMs <= window.fromMs)
        return std::nullopt;
    return window;
}

bool isPlateau(const QList<double> &bestByIteration, int patience)
{
    if (patience < 1 || bestByIteration.size() <= patience)
        return false;
    const double now = bestByIteration.last();
    return now >= bestByIteration[bestByIteration.size() - 1 - patience];
}

} // namespace accelopt
