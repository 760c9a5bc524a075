// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/notes.h"

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

QJsonObject attemptNote(const Attempt &attempt, const std::optional<AttemptKey> &owner, double baselineMs)
{
    const Evaluation &e = attempt.evaluation;
    QJsonObject note{
        {u"run"_s, attempt.run},
        {u"problem"_s, attempt.problem},
        {u"attempt"_s, attempt.key.ascii()},
        {u"author"_s, attempt.author},
        {u"status"_s, statusName(e.status)},
    };
    if (!attempt.sha256.isEmpty())
        note.insert(u"sha256"_s, attempt.sha256);
    if (!attempt.programHash.isEmpty())
        note.insert(u"program_hash"_s, attempt.programHash);
    if (owner)
        note.insert(u"same_as"_s, owner->ascii());
    if (e.error) {
        QJsonObject error{{u"kind"_s, errorKindName(e.error.kind)}, {u"message"_s, e.error.message}};
        if (!e.error.id.isEmpty())
            error.insert(u"id"_s, e.error.id);
        if (e.error.line > 0)
            error.insert(u"line"_s, e.error.line);
        if (!e.error.stage.isEmpty())
            error.insert(u"stage"_s, e.error.stage);
        note.insert(u"error"_s, error);
    }
    if (e.latency.medianMs > 0) {
        note.insert(u"latency_ms"_s, e.latency.medianMs);
        note.insert(u"estimate"_s, e.estimate || e.status == Evaluation::Status::Skipped);
        note.insert(u"fraction_of_peak"_s, e.fractionOfPeak);
        if (baselineMs > 0 && e.isCorrect())
            note.insert(u"speedup"_s, baselineMs / e.latency.medianMs);
        note.insert(u"key"_s, e.environment.toJson());
    }
    if (e.quarantined)
        note.insert(u"quarantined"_s, true);
    return note;
}

QHash<qint64, QJsonObject> attemptNotes(const QList<Attempt> &attempts)
{
    QHash<qint64, AttemptKey> keys;
    double baselineMs = 0;
    for (const Attempt &attempt : attempts) {
        keys.insert(attempt.id, attempt.key);
        if (attempt.key.isBaseline() && attempt.evaluation.isCorrect() && !attempt.evaluation.quarantined)
            baselineMs = attempt.evaluation.latency.medianMs;
    }
    QHash<qint64, QJsonObject> notes;
    for (const Attempt &attempt : attempts) {
        const auto owner = attempt.duplicateOf != 0 ? std::optional(keys.value(attempt.duplicateOf)) : std::nullopt;
        notes.insert(attempt.id, attemptNote(attempt, owner, baselineMs));
    }
    return notes;
}

} // namespace accelopt
