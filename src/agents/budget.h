// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/runsettings.h"

#include <QList>
#include <QMap>
#include <QString>
#include <optional>

namespace accelopt {

/// What a budget counts. Dollars where the price is known; tokens are input + output.
struct Spend {
    std::optional<double> usd = 0; ///< nothing = the price is unknown
    double tokens = 0;
    double wallSeconds = 0;
    double deviceSeconds = 0;

    bool operator==(const Spend &) const = default;
};

enum class BudgetKind { Usd, Tokens, Wall, Device };
[[nodiscard]] QString budgetKindName(BudgetKind kind); ///< usd, tokens, wall, device

/// Keeps a run inside its budget: what is spent plus the most that the work in flight may still cost never passes a
/// limit by more than what a call turns out to cost above its own maximum. Pure; the engine thread owns it.
class BudgetGuard {
public:
    /// `spent`: by the run so far, so that a resumed run goes on counting. Warnings that were due by then are not
    /// repeated.
    explicit BudgetGuard(const Budget &limits, const Spend &spent = {});

    enum class Verdict {
        Start,
        Wait, ///< it may fit when work in flight turns out cheaper than its maximum
        Stop ///< it cannot fit any more: drain
    };
    struct Answer {
        Verdict verdict = Verdict::Start;
        std::optional<BudgetKind> kind; ///< which limit is in the way
        QString reason; ///< one sentence; empty for Start
    };
    /// May work that costs at most `most` start now? Does not start it.
    [[nodiscard]] Answer mayStart(const Spend &most) const;

    /// Counts `most` as in flight until `finish`. The caller asked `mayStart` before.
    qint64 start(const Spend &most);
    /// Replaces the maximum by what it was. An unknown ticket is ignored (a result may come twice).
    void finish(qint64 ticket, const Spend &actual);
    /// Interrupted: what it may have cost stays counted as spent, since the provider may bill it.
    void interrupt(qint64 ticket);
    /// Wall time is told from outside; it never goes back.
    void setWallSeconds(double seconds);

    struct Warning {
        BudgetKind kind;
        int percent; ///< 50, 80, 95
        bool operator==(const Warning &) const = default;
    };
    /// Thresholds passed by what is spent since the last call, each told once; only the highest new one of a kind.
    [[nodiscard]] QList<Warning> takeWarnings();

    [[nodiscard]] const Spend &spent() const { return m_spent; }
    [[nodiscard]] Spend inFlight() const;
    [[nodiscard]] qsizetype callsInFlight() const { return m_inFlight.size(); }
    /// The first limit that is reached; nothing while there is room.
    [[nodiscard]] std::optional<BudgetKind> exhausted() const;

private:
    [[nodiscard]] double limit(BudgetKind kind) const;
    void add(const Spend &cost);
    int passed(BudgetKind kind) const;

    Budget m_limits;
    Spend m_spent;
    QMap<qint64, Spend> m_inFlight;
    QMap<BudgetKind, int> m_warned; ///< highest threshold told
    qint64 m_lastTicket = 0;
};

} // namespace accelopt
