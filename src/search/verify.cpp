// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/notes.h"
#include "search/project.h"

#include <QCryptographicHash>
#include <QSet>
#include <algorithm>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

namespace {

class Verification {
public:
    Verification(const JournalReader &reader, const KernelRepository &repository)
        : m_reader(reader)
        , m_repository(repository)
    {
    }

    Result<QList<Difference>> all();

private:
    Result<void> run(const RunRecord &run);
    Result<void> problem(const RunRecord &run, const QString &name);
    Result<void> attempt(const Attempt &attempt, const QJsonObject &expectedNote);
    Result<void> commits();
    Result<void> branches();
    void add(const QString &kind, const QString &subject, const QString &message)
    {
        m_differences << Difference{kind, subject, message};
    }
    static QString display(const Attempt &a) { return u"run %1, %2, %3"_s.arg(a.run).arg(a.problem, a.key.display()); }

    const JournalReader &m_reader;
    const KernelRepository &m_repository;
    QList<Difference> m_differences;
    QHash<QString, QJsonObject> m_notes; ///< by commit
    QHash<QString, qint64> m_commits; ///< commit -> attempt
    struct Branches {
        QString baseline;
        QStringList
            best; ///< any of them is right: while a run is under way the branch may be one step ahead of the journal
    };
    QMap<QString, Branches> m_branches; ///< by problem; of the newest run that has it
};

Result<void> Verification::attempt(const Attempt &a, const QJsonObject &expectedNote)
{
    const QString subject = display(a);
    if (a.commit.isEmpty()) {
        if (a.state == Attempt::State::Done)
            add(u"missing-commit"_s, subject, u"The attempt was evaluated, but the journal names no commit."_s);
        return {};
    }
    if (m_commits.contains(a.commit))
        add(u"duplicate-attempt"_s, subject,
            u"Two attempts of the journal name the commit %1."_s.arg(a.commit.first(12)));
    m_commits.insert(a.commit, a.id);
    const auto exists = m_repository.contains(a.commit);
    if (!exists)
        return std::unexpected(exists.error());
    if (!*exists) {
        add(u"missing-commit"_s, subject, u"The commit %1 is not in kernels.git."_s.arg(a.commit.first(12)));
        return {};
    }
    const auto kernel = m_repository.file(a.commit, u"kernel.py"_s);
    if (!kernel && kernel.error().kind != Error::Kind::NotFound)
        return std::unexpected(kernel.error());
    const QString hash =
        kernel ? QString::fromLatin1(QCryptographicHash::hash(*kernel, QCryptographicHash::Sha256).toHex()) : QString();
    if (hash != a.sha256)
        add(u"source-hash"_s, subject,
            u"The committed kernel is not the one in the journal (SHA-256 %1, expected %2)."_s.arg(
                hash.first(qMin(12, hash.size())), a.sha256.first(qMin(12, a.sha256.size()))));
    if (a.state == Attempt::State::Done && a.duplicateOf == 0 && !a.evaluation.sha256.isEmpty()
        && a.evaluation.sha256 != a.sha256)
        add(u"source-hash"_s, subject, u"The evaluated kernel is not the committed one."_s);
    const auto info = m_repository.info(a.commit);
    if (!info)
        return std::unexpected(info.error());
    if (info->trailers.value(u"Attempt"_s) != a.key.ascii())
        add(u"unknown-commit"_s, subject,
            u"The commit %1 says it is attempt %2."_s.arg(a.commit.first(12), info->trailers.value(u"Attempt"_s)));
    if (a.state != Attempt::State::Done)
        return {};
    const auto note = m_notes.constFind(a.commit);
    if (note == m_notes.cend() || note->isEmpty()) {
        add(u"missing-note"_s, subject, u"The commit %1 has no note with its result."_s.arg(a.commit.first(12)));
    } else if (*note != expectedNote) {
        QStringList keys;
        for (const QString &key : expectedNote.keys() + note->keys()) {
            if (expectedNote.value(key) != note->value(key) && !keys.contains(key))
                keys << key;
        }
        keys.sort();
        add(u"note-differs"_s, subject,
            u"The note of commit %1 and the journal disagree on: %2."_s.arg(a.commit.first(12), keys.join(u", "_s)));
    }
    return {};
}

Result<void> Verification::problem(const RunRecord &run, const QString &name)
{
    AttemptFilter filter;
    filter.run = run.id;
    filter.problem = name;
    filter.details = true;
    const auto attempts = m_reader.attempts(filter);
    if (!attempts)
        return std::unexpected(attempts.error());
    const QHash<qint64, QJsonObject> notes = attemptNotes(*attempts);
    QHash<qint64, const Attempt *> byId;
    QSet<QString> keys;
    for (const Attempt &a : *attempts) {
        byId.insert(a.id, &a);
        if (keys.contains(a.key.ascii()))
            add(u"duplicate-attempt"_s, display(a), u"The journal has this attempt twice."_s);
        keys.insert(a.key.ascii());
        if (const auto checked = attempt(a, notes.value(a.id)); !checked)
            return checked;
        if (a.parent != 0 && byId.contains(a.parent) && !a.commit.isEmpty()) {
            const auto info = m_repository.info(a.commit);
            if (info && !info->parents.contains(byId.value(a.parent)->commit))
                add(u"unknown-commit"_s, display(a),
                    u"The parent of commit %1 is not the candidate it was made from."_s.arg(a.commit.first(12)));
        }
    }

    // What the branches must point to: the baseline, and the best as of a finished iteration or as of now.
    Branches branches;
    const auto finished = m_reader.finishedIterations(run.id, name);
    if (!finished)
        return std::unexpected(finished.error());
    const Attempt *baseline = nullptr;
    const Attempt *settled = nullptr, *now = nullptr;
    for (const Attempt &a : *attempts) {
        if (a.key.isBaseline())
            baseline = &a;
        // A person's kernel (candidate 0) is measured like any other, but it is not what the search found.
        const bool isSearch = a.key.isBaseline() || a.key.candidate > 0;
        if (!isSearch || !baseline || a.state != Attempt::State::Done || !a.evaluation.isCorrect()
            || a.evaluation.quarantined || a.duplicateOf != 0)
            continue;
        if (a.evaluation.environment != baseline->evaluation.environment || a.evaluation.latency.medianMs <= 0)
            continue;
        if (!now || a.evaluation.latency.medianMs < now->evaluation.latency.medianMs)
            now = &a;
        if (a.key.iteration <= *finished
            && (!settled || a.evaluation.latency.medianMs < settled->evaluation.latency.medianMs))
            settled = &a;
    }
    if (!baseline || baseline->state != Attempt::State::Done)
        return {}; // this run has not said anything about the problem yet
    branches.baseline = baseline->commit;
    if (settled)
        branches.best << settled->commit;
    if (now && run.state != RunState::Finished)
        branches.best << now->commit;
    m_branches.insert(name, branches); // runs come oldest first: the newest stays
    return {};
}

Result<void> Verification::run(const RunRecord &run)
{
    const auto problems = m_reader.problemsOfRun(run.id);
    if (!problems)
        return std::unexpected(problems.error());
    for (const Problem &p : *problems) {
        if (const auto checked = problem(run, p.name); !checked)
            return checked;
    }
    return {};
}

Result<void> Verification::commits()
{
    const auto reachable = m_repository.reachableAttempts();
    if (!reachable)
        return std::unexpected(reachable.error());
    const QSet<QString> known(reachable->cbegin(), reachable->cend());
    for (const QString &commit : known) {
        if (!m_commits.contains(commit))
            add(u"unknown-commit"_s, commit,
                u"kernels.git has the attempt %1, the journal does not."_s.arg(commit.first(12)));
    }
    for (auto it = m_commits.cbegin(); it != m_commits.cend(); ++it) {
        const auto exists = m_repository.contains(it.key());
        if (exists && *exists && !known.contains(it.key()))
            add(u"missing-commit"_s, it.key(),
                u"The commit %1 is not reachable from any ref; git may delete it."_s.arg(it.key().first(12)));
    }
    for (auto it = m_notes.cbegin(); it != m_notes.cend(); ++it) {
        if (!m_commits.contains(it.key()))
            add(u"note-differs"_s, it.key(),
                u"There is a note on %1, which is no attempt of the journal."_s.arg(it.key().first(12)));
    }
    return {};
}

Result<void> Verification::branches()
{
    for (auto it = m_branches.cbegin(); it != m_branches.cend(); ++it) {
        const auto check = [&](const QString &branch, const QStringList &expected) -> Result<void> {
            if (expected.isEmpty())
                return {};
            const auto is = m_repository.branch(branch);
            if (!is && is.error().kind != Error::Kind::NotFound)
                return std::unexpected(is.error());
            if (!is || is->isEmpty())
                add(u"branch"_s, branch, u"The branch %1 is missing."_s.arg(branch));
            else if (!expected.contains(*is))
                add(u"branch"_s, branch,
                    u"The branch %1 points to %2, expected %3."_s.arg(
                        branch, is->first(12), expected.first().first(12)));
            return {};
        };
        if (const auto checked = check(it.key() + u"/baseline"_s, {it->baseline}); !checked)
            return checked;
        if (const auto checked = check(it.key() + u"/best"_s, it->best); !checked)
            return checked;
    }
    return {};
}

Result<QList<Difference>> Verification::all()
{
    const auto integrity = m_reader.integrityProblems();
    if (!integrity)
        return std::unexpected(integrity.error());
    for (const QString &text : *integrity)
        add(u"integrity"_s, u"accelopt.db"_s, text);
    const auto objects = m_repository.check();
    if (!objects)
        return std::unexpected(objects.error());
    for (const QString &text : *objects)
        add(u"integrity"_s, u"kernels.git"_s, text);
    const auto notes = m_repository.notes();
    if (!notes)
        return std::unexpected(notes.error());
    for (const auto &[commit, note] : *notes)
        m_notes.insert(commit, note);
    const auto runs = m_reader.runs();
    if (!runs)
        return std::unexpected(runs.error());
    for (const RunRecord &record : *runs) {
        if (const auto checked = run(record); !checked)
            return std::unexpected(checked.error());
    }
    if (const auto checked = commits(); !checked)
        return std::unexpected(checked.error());
    if (const auto checked = branches(); !checked)
        return std::unexpected(checked.error());
    return m_differences;
}

} // namespace

Result<QList<Difference>> verifyProject(const Project &project)
{
    const auto reader = project.reader();
    if (!reader)
        return std::unexpected(reader.error());
    const auto repository = project.repository();
    if (!repository)
        return std::unexpected(repository.error());
    return Verification(**reader, **repository).all();
}

} // namespace accelopt
