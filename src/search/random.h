// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/records.h"

#include <QList>
#include <QtTypes>

namespace accelopt {

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine and library, which std:: distributions do
/// not promise.
class Random {
public:
    explicit Random(quint64 seed)
        : m_state(seed)
    {
    }
    [[nodiscard]] quint64 next();
    [[nodiscard]] quint64 below(quint64 bound); ///< 0 … bound - 1, without bias; bound >= 1

    /// `count` of `list` without replacement, in random order; all of it (shuffled) where it is shorter.
    template <typename T> [[nodiscard]] QList<T> sample(QList<T> list, qsizetype count)
    {
        count = std::min(count, list.size());
        for (qsizetype i = 0; i < count; ++i)
            list.swapItemsAt(i, i + static_cast<qsizetype>(below(static_cast<quint64>(list.size() - i))));
        list.resize(std::max<qsizetype>(count, 0));
        return list;
    }

private:
    quint64 m_state;
};

/// A seed of a unit of work, from the run's seed and the unit's natural key: the same call always gets the same one,
/// whenever it is made. Below 2^53, so that it survives JSON.
[[nodiscard]] quint64 naturalSeed(quint64 runSeed, const CallKey &key);

} // namespace accelopt
