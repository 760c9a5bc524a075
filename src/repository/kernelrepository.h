// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/cancellation.h"
#include "domain/result.h"

#include <QByteArray>
#include <QDateTime>
#include <QJsonObject>
#include <QList>
#include <QString>
#include <memory>

namespace accelopt {

/// What becomes the commit of an attempt.
struct AttemptCommit {
    QString run; ///< "7"
    QString problem;
    QString key; ///< AttemptKey::ascii()
    QString parentCommit; ///< 40 hex digits; empty for a baseline
    QByteArray kernel; ///< kernel.py; empty = the reply held no kernel, then `reply` is stored as reply.md
    QByteArray reference; ///< reference.py
    QByteArray problemJson; ///< problem.json
    QByteArray reply;
    QString title; ///< first line of the message
    QString body; ///< the plan's text
    QString model;
    QDateTime at; ///< UTC
};

struct CommitInfo {
    QString id;
    QStringList parents;
    QString title, body;
    QDateTime at;
    QMap<QString, QString> trailers; ///< Run, Problem, Attempt, Plan, Model
};

/// `PROJECT/kernels.git`, bare: every attempt a commit, results as notes (`refs/notes/accelopt`, one JSON object each),
/// branches PROBLEM/baseline and PROBLEM/best, rejects reachable with O(iterations) refs
/// (`refs/accelopt/<run>/<problem>/<iteration>`: a merge-free keep commit or an octopus of that iteration's attempts).
/// `git fsck --strict` is clean at every instant, also after kill -9. Not thread-safe: one instance per thread; two may
/// work on one repository.
class KernelRepository {
public:
    [[nodiscard]] static Result<std::unique_ptr<KernelRepository>> create(const QString &path);
    [[nodiscard]] static Result<std::unique_ptr<KernelRepository>> open(const QString &path);
    ~KernelRepository();

    /// Writes the commit and makes it reachable. The same content (all members) gives the same id, so that a resumed
    /// run repeats nothing.
    [[nodiscard]] Result<QString> commit(const AttemptCommit &attempt);
    [[nodiscard]] Result<void> setNote(const QString &commit, const QJsonObject &note);
    [[nodiscard]] Result<void> setNotes(
        const QList<std::pair<QString, QJsonObject>> &notes); ///< one notes commit for all
    [[nodiscard]] Result<QJsonObject> note(const QString &commit) const; ///< empty object where there is none
    [[nodiscard]] Result<QList<std::pair<QString, QJsonObject>>> notes() const;
    [[nodiscard]] Result<void> setBranch(const QString &name, const QString &commit); ///< "silu/best"
    [[nodiscard]] Result<QString> branch(const QString &name) const;

    [[nodiscard]] Result<QByteArray> file(
        const QString &commit, const QString &name) const; ///< "kernel.py"; NotFound where it has none
    [[nodiscard]] Result<CommitInfo> info(const QString &commit) const; ///< full or unambiguous short id
    [[nodiscard]] Result<bool> contains(const QString &commit) const;
    [[nodiscard]] Result<QStringList> reachableAttempts() const; ///< commits with an Attempt trailer, from all refs
    [[nodiscard]] Result<QByteArray> patch(const QString &from, const QString &to) const; ///< unified diff of kernel.py

    /// Packs loose objects of finished iterations; safe against a kill at any instant. Long: call off the GUI and
    /// engine threads.
    [[nodiscard]] Result<void> pack(const CancelToken &token);
    /// What `git fsck --strict` would complain about that this library can see: missing objects, refs to nothing, notes
    /// on nothing.
    [[nodiscard]] Result<QStringList> check() const;

private:
    KernelRepository();
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace accelopt
