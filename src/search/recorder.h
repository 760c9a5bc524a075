// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/journal.h"
#include "repository/kernelrepository.h"
#include "search/runcontrol.h"

#include <QCoroFuture>
#include <QThreadPool>
#include <QTimer>
#include <functional>

namespace accelopt {

/// Everything a run leaves behind goes through here: journal rows and git objects. Awaited on the engine thread; the
/// journal writes on its own thread, git on one here. A full disk pauses the run and the write is made again once the
/// run goes on; any other failure ends the run, since nothing that is not written down may count.
class Recorder {
public:
    Recorder(Journal &journal, const QString &repositoryPath, RunControl &control, Resumer &resumer);
    ~Recorder();

    template <typename T> QCoro::Task<Result<T>> write(std::function<QFuture<Result<T>>(Journal &)> request)
    {
        while (true) {
            step("journal");
            QFuture<Result<T>> future = request(m_journal);
            step("journal asked");
            Result<T> result = co_await future;
            step("journal written");
            if (result)
                co_return result;
            const bool again = co_await mayRepeat(result.error());
            if (!again)
                co_return result;
        }
    }
    QCoro::Task<Result<QString>> commit(AttemptCommit attempt);
    QCoro::Task<Result<QByteArray>> file(QString commit, QString name);
    /// Notes are gathered and written together a little later, at the latest by `flushNotes`.
    void queueNote(const QString &commit, const QJsonObject &note);
    QCoro::Task<Result<void>> flushNotes();
    /// Ends what goes on in the background; the recorder can be destroyed after it.
    QCoro::Task<void> close();
    QCoro::Task<Result<void>> setBranch(QString name, QString commit);
    /// Packs in the background; a second request while one runs is dropped.
    void pack(const CancelToken &token);
    void log(const LogEvent &event); ///< nobody waits for it
    std::function<void(const char *)> onStep; ///< RunParts::onStep

    [[nodiscard]] Journal &journal() { return m_journal; }

private:
    struct Git;
    template <typename T> QCoro::Task<Result<T>> git(std::function<Result<T>(KernelRepository &)> work);
    QCoro::Task<bool> mayRepeat(Error error);
    void step(const char *what) const
    {
        if (onStep)
            onStep(what);
    }
    QCoro::Task<void> flushInBackground();

    Journal &m_journal;
    RunControl &m_control;
    std::shared_ptr<Git> m_git; ///< shared with jobs on the pool
    QThreadPool m_pool; ///< one thread: a KernelRepository is not thread-safe
    QList<std::pair<QString, QJsonObject>> m_notes;
    QTimer m_flushTimer;
    bool m_flushing = false;
    AsyncEvent m_flushed;
    TaskGroup m_background;
    QFuture<void> m_packing;
};

} // namespace accelopt
