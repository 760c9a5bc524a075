// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/modelprovider.h"
#include "agents/prompttemplate.h"
#include "domain/attempt.h"
#include "domain/experience.h"
#include "domain/plan.h"
#include "domain/problem.h"

namespace accelopt {

/// What the planner may know of a candidate. Filled by the search at the start of an iteration, so that it does not
/// depend on timing.
struct PlannerFacts {
    Problem problem;
    QByteArray kernel;
    Evaluation evaluation; ///< of the candidate
    Roofline roofline;
    double bestMs = 0; ///< 0 = not shown
    bool showFractionOfPeak = true;
    QStringList triedTitles;
    QStringList failures; ///< "wrong-result: relative error …", distinct, newest last
    QList<Experience> experiences; ///< in order
    int planIndex = 0; ///< 0-based
    int planCount = 1;
};

struct ExecutorFacts {
    Problem problem;
    QByteArray kernel; ///< the candidate's source
    Plan plan;
    int attemptIndex = 0; ///< 0-based
};

struct FixerFacts {
    Problem problem;
    QByteArray kernel; ///< that failed
    Plan plan;
    EvaluationError error;
    int round = 1;
};

struct SummarizerFacts {
    Problem problem;
    QByteArray slowKernel, fastKernel;
    double speedup = 1;
    bool positive = true;
    Plan plan;
};

/// Turns facts into requests: prompts are files in resources/prompts (versioned by their folder), the stable part
/// first. Pure; any thread.
class PromptLibrary {
public:
    [[nodiscard]] static Result<PromptLibrary> load(const QString &folder = {});
    [[nodiscard]] CompletionRequest planner(const PlannerFacts &facts) const;
    [[nodiscard]] CompletionRequest executor(const ExecutorFacts &facts) const;
    [[nodiscard]] CompletionRequest fixer(const FixerFacts &facts) const;
    [[nodiscard]] CompletionRequest summarizer(const SummarizerFacts &facts) const;
    /// The folder's name and a hash of the files: "v1-3fa9c1d2".
    [[nodiscard]] QString version() const { return m_version; }

private:
    [[nodiscard]] CompletionRequest request(
        Role role, const QMap<QString, QString> &values, const QJsonObject &context) const;

    QString m_version;
    QMap<QString, PromptTemplate> m_templates;
    QMap<QString, QString> m_system; ///< role -> its system message, the same for every call
};

/// What was taken from an executor's or fixer's reply.
struct ParsedKernel {
    QByteArray source; ///< UTF-8, LF, ends with a newline; empty where nothing was taken
    QString rule; ///< which rule took it: "fenced-entry", "unclosed-fence", "no-fence", …
    EvaluationError error; ///< Reply or Truncated where nothing was taken
};
/// The block that defines `entry` wins (the last complete one that is Python and not a sketch); see
/// docs/reply-parsing.md. Never runs anything.
[[nodiscard]] ParsedKernel parseKernelReply(const Completion &completion, const QString &entry);

/// Title: the first **bold** run, else the first heading or sentence, at most 120 characters.
[[nodiscard]] QString parsePlanTitle(const QString &text);
/// True where a planner says that it has nothing left to propose: an empty reply, or a title that begins with "No
/// further". Such a plan is kept and has no attempts.
[[nodiscard]] bool saysNothingLeft(const QString &planText);
/// Title and text of an experience; `isEmpty` for "No optimization found".
struct ParsedSummary {
    QString title, summary;
    bool nothingFound = false;
};
[[nodiscard]] ParsedSummary parseSummary(const QString &text);

} // namespace accelopt
