// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/agents.h"
#include "agents/budget.h"
#include "journal/journalreader.h"
#include "search/parts.h"
#include "search/recorder.h"
#include "search/runcontroller.h"
#include "search/slotqueue.h"

#include <QMap>

namespace accelopt {

/// A problem's name beside its place in the run: queues are fair between places.
struct ProblemRef {
    int index = 0;
    QString name;
};

/// What all parts of a running run share. Lives on the engine thread, made by Engine, outlives every coroutine of the
/// run.
struct RunContext {
    RunContext(Journal &journal, const QString &repositoryPath)
        : control(resumer)
        , recorder(journal, repositoryPath, control, resumer)
    {
    }

    Resumer resumer;
    RunControl control;
    Recorder recorder;
    RunRecord run;
    RunParts parts;
    std::unique_ptr<JournalReader> reader;
    PromptLibrary prompts;
    std::optional<BudgetGuard> budget;
    std::function<void(RunEvent)> sink; ///< towards the controller

    [[nodiscard]] const RunSettings &settings() const { return run.settings; }

    void emitEvent(RunEvent event) const
    {
        event.run = run.id;
        event.at = QDateTime::currentDateTimeUtc();
        if (sink)
            sink(event);
    }
    void note(RunEvent::Kind kind, const QString &logKind, const QString &problem, qint64 attempt, const QString &text)
    {
        recorder.log({0, run.id, QDateTime::currentDateTimeUtc(), logKind, problem, attempt, text});
        RunEvent event;
        event.kind = kind;
        event.problem = problem;
        event.attempt = attempt;
        event.text = text;
        emitEvent(event);
    }
    /// Tells new budget warnings; drains when a limit is reached.
    void checkBudget();
};

/// What unwinds a coroutine whose work may not begin or was cut off; never shown to people.
[[nodiscard]] inline std::unexpected<Error> cutOff()
{
    return fail(Error::Kind::Cancelled, QStringLiteral("The run was stopped."));
}

} // namespace accelopt
