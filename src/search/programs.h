// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"
#include "search/coroutines.h"

#include <QHash>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

namespace accelopt {

/// Which of two attempts of one iteration owns a program both have: the earlier fixer round, then the smaller key. Not
/// the one that came first.
struct Seniority {
    int round = 0;
    AttemptKey key;

    explicit Seniority(const AttemptKey &of)
        : round(of.round)
        , key(of)
    {
    }
    auto operator<=>(const Seniority &) const = default;
};

/// One evaluation on its way, that several attempts with the same program may wait for.
struct Measurement {
    Measurement(Resumer &resumer, const Attempt &of)
        : seniority(of.key)
        , attempt(of.id)
        , sha256(of.sha256)
        , done(resumer)
    {
    }

    Seniority seniority;
    qint64 attempt;
    QString sha256;
    AsyncEvent done;
    std::optional<Evaluation> evaluation; ///< nothing after `done`: the run was stopped
};

/// The programs of one iteration, so that each is evaluated once. An attempt shares the evaluation of a senior one, or
/// of any with the very same text. A junior attempt may have come first and been evaluated already; once all have come,
/// `settle` gives every program to its most senior attempt, evaluated from its own text. What results does not depend
/// on the order of arrival.
class IterationPrograms {
public:
    explicit IterationPrograms(Resumer &resumer)
        : m_resumer(resumer)
    {
    }

    struct Place {
        std::shared_ptr<Measurement> measurement;
        bool isMine = false; ///< the caller evaluates, and then sets `evaluation` and `done`
    };
    [[nodiscard]] Place enter(const QString &program, const Attempt &attempt);

    /// Tells of rows that were finished before a resume: those with a result of their own first.
    void restore(const QString &program, const Attempt &attempt);

    /// True where nothing senior with this program has come so far.
    [[nodiscard]] bool isMostSenior(const QString &program, const AttemptKey &key) const;

    struct Change {
        qint64 attempt = 0;
        qint64 duplicateOf = 0;
        Evaluation evaluation;
    };
    /// Call when all attempts of the iteration have come and been evaluated. `recorded`: attempt -> what its row says
    /// about duplicateOf. What must be written so that rows say who owns what; owners first.
    [[nodiscard]] QList<Change> settle(const QHash<qint64, qint64> &recorded) const;

private:
    struct Member {
        Seniority seniority;
        qint64 attempt;
        QString sha256;
        std::shared_ptr<Measurement> measurement;
    };
    struct Program {
        std::vector<Member> members;
        std::vector<std::shared_ptr<Measurement>> measurements;
    };
    Resumer &m_resumer;
    QHash<QString, Program> m_programs;
};

} // namespace accelopt
