// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/memory.h"

#include <algorithm>
#include <map>

namespace accelopt {

namespace {

struct Sample {
    Standing standing;
    const Placed *parent = nullptr;
    double speedup = 0; // of the child against its parent; may be below 1
};

QString pairName(const Sample &sample)
{
    const bool faster = sample.speedup > 1;
    const QString &slow = faster ? sample.parent->program : sample.standing.program;
    const QString &fast = faster ? sample.standing.program : sample.parent->program;
    return slow + QLatin1Char('\n') + fast;
}

Pair toPair(const Sample &sample)
{
    const bool positive = sample.speedup > 1;
    Pair pair;
    pair.positive = positive;
    pair.speedup = positive ? sample.speedup : 1 / sample.speedup;
    pair.slowAttempt = positive ? sample.parent->attempt : sample.standing.attempt;
    pair.fastAttempt = positive ? sample.standing.attempt : sample.parent->attempt;
    pair.child = sample.standing.key;
    return pair;
}

} // namespace

QList<Pair> notablePairs(
    const PairRules &rules, const QList<Standing> &attempts, const QList<Placed> &parents, QSet<QString> *known)
{
    std::map<std::pair<int, int>, QList<Sample>> groups;
    QList<Standing> sorted = attempts;
    std::ranges::sort(sorted, {}, [](const Standing &s) { return std::tie(s.key, s.attempt); });
    for (const Standing &s : std::as_const(sorted)) {
        if ((!s.eligible && !s.estimatedOnly) || s.latencyMs <= 0 || s.key.candidate < 1
            || s.key.candidate > parents.size())
            continue;
        const Placed &parent = parents[s.key.candidate - 1];
        if (parent.latencyMs > 0)
            groups[{s.key.candidate, s.key.plan}] << Sample{s, &parent, parent.latencyMs / s.latencyMs};
    }

    const double negativeBelow = 1 / rules.negativeThreshold;
    QList<Sample> positive, negative;
    for (const auto &[group, samples] : groups) {
        // The first of equals, as in the scripts.
        const auto fastest = std::ranges::max_element(samples, {}, &Sample::speedup);
        const auto slowest = std::ranges::min_element(samples, {}, &Sample::speedup);
        // A skipped attempt has a latency and so speaks for its group, but no pair can be made of it: its numbers are
        // not known to be right.
        if (fastest->speedup > rules.positiveThreshold) {
            if (fastest->standing.eligible)
                positive << *fastest;
        } else if (rules.policy == MemoryPolicy::Fifo) {
            if (fastest->speedup < negativeBelow && slowest->standing.eligible)
                negative << *slowest;
        } else if (fastest->speedup < 1 && slowest->speedup < negativeBelow && slowest->standing.eligible) {
            negative << *slowest;
        }
    }
    std::ranges::stable_sort(positive, std::ranges::greater(), &Sample::speedup);
    std::ranges::stable_sort(negative, {}, &Sample::speedup);

    QList<Pair> pairs;
    const auto take = [&pairs, known](const QList<Sample> &from, int upTo) {
        for (const Sample &sample : from) {
            if (pairs.size() >= upTo)
                return;
            if (known) {
                const QString name = pairName(sample);
                if (known->contains(name))
                    continue;
                known->insert(name);
            }
            pairs << toPair(sample);
        }
    };
    take(positive, rules.topK / 2);
    take(negative, rules.topK);
    return pairs;
}

QList<qint64> curate(
    MemoryPolicy policy, const QList<qint64> &fresh, const QList<MemoryItem> &old, int capacity, Random &random)
{
    QList<MemoryItem> kept;
    for (const MemoryItem &item : old) {
        if (item.state != Experience::State::Deleted && !fresh.contains(item.id))
            kept << item;
    }
    const auto isPinned = [](const MemoryItem &item) { return item.state == Experience::State::Pinned; };
    const qsizetype pinned = std::ranges::count_if(kept, isPinned);
    QList<qint64> memory = fresh.first(std::clamp<qsizetype>(capacity - pinned, 0, fresh.size()));
    const qsizetype room = std::max<qsizetype>(0, capacity - pinned - memory.size());

    if (policy == MemoryPolicy::Fifo) {
        qsizetype left = room;
        for (const MemoryItem &item : std::as_const(kept)) {
            if (isPinned(item))
                memory << item.id;
            else if (left-- > 0)
                memory << item.id;
        }
        return memory;
    }
    QList<qint64> others;
    for (const MemoryItem &item : std::as_const(kept)) {
        if (!isPinned(item))
            others << item.id;
        else
            memory << item.id;
    }
    return memory + random.sample(others, room);
}

} // namespace accelopt
