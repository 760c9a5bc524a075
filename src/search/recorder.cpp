// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/recorder.h"

#include <QtConcurrent>

using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

namespace accelopt {

struct Recorder::Git {
    QString path;
    std::unique_ptr<KernelRepository> repository;

    Result<KernelRepository *> open()
    {
        if (!repository) {
            auto opened = KernelRepository::open(path);
            if (!opened)
                return std::unexpected(opened.error());
            repository = std::move(*opened);
        }
        return repository.get();
    }
};

Recorder::Recorder(Journal &journal, const QString &repositoryPath, RunControl &control, Resumer &resumer)
    : m_journal(journal)
    , m_control(control)
    , m_git(std::make_shared<Git>(repositoryPath))
    , m_flushed(resumer)
    , m_background(resumer)
{
    m_flushTimer.setSingleShot(true);
    m_flushTimer.setInterval(250ms);
    QObject::connect(&m_flushTimer, &QTimer::timeout, &m_flushTimer, [this] { m_background.add(flushInBackground()); });
    m_pool.setMaxThreadCount(1);
    m_pool.setExpiryTimeout(-1);
}

Recorder::~Recorder()
{
    m_pool.waitForDone();
    m_packing.waitForFinished();
}

QCoro::Task<bool> Recorder::mayRepeat(Error error)
{
    if (error.kind == Error::Kind::NoSpace && !m_control.isStopping()) {
        // A draining run cannot pause; it ends and can be resumed.
        if (m_control.isDraining()) {
            m_control.fail(error);
            co_return false;
        }
        m_control.pause(error.message);
        co_return co_await m_control.admit(RunControl::Work::Begun);
    }
    if (error.kind != Error::Kind::Cancelled)
        m_control.fail(error);
    co_return false;
}

template <typename T> QCoro::Task<Result<T>> Recorder::git(std::function<Result<T>(KernelRepository &)> work)
{
    while (true) {
        QFuture<Result<T>> future = QtConcurrent::run(&m_pool, [git = m_git, work, tell = onStep]() -> Result<T> {
            const auto repository = git->open();
            if (!repository)
                return std::unexpected(repository.error());
            if (tell)
                tell("git");
            Result<T> result = work(**repository);
            if (tell)
                tell("git written");
            return result;
        });
        Result<T> result = co_await future;
        if (result || result.error().kind == Error::Kind::NotFound)
            co_return result;
        const bool again = co_await mayRepeat(result.error());
        if (!again)
            co_return result;
    }
}

QCoro::Task<Result<QString>> Recorder::commit(AttemptCommit attempt)
{
    co_return co_await git<QString>([attempt](KernelRepository &repository) { return repository.commit(attempt); });
}

QCoro::Task<Result<QByteArray>> Recorder::file(QString commit, QString name)
{
    co_return co_await git<QByteArray>(
        [commit, name](KernelRepository &repository) { return repository.file(commit, name); });
}

QCoro::Task<Result<void>> Recorder::setBranch(QString name, QString commit)
{
    co_return co_await git<void>(
        [name, commit](KernelRepository &repository) { return repository.setBranch(name, commit); });
}

void Recorder::queueNote(const QString &commit, const QJsonObject &note)
{
    m_notes.emplace_back(commit, note);
    if (!m_flushTimer.isActive())
        m_flushTimer.start();
}

QCoro::Task<void> Recorder::flushInBackground()
{
    co_await flushNotes(); // a failure has ended the run already
}

QCoro::Task<void> Recorder::close()
{
    m_flushTimer.stop();
    co_await flushNotes();
    co_await m_background.all();
}

QCoro::Task<Result<void>> Recorder::flushNotes()
{
    while (m_flushing)
        co_await m_flushed.wait();
    if (m_notes.isEmpty())
        co_return Result<void>();
    m_flushing = true;
    m_flushed.reset();
    const auto notes = std::exchange(m_notes, {});
    const Result<void> result =
        co_await git<void>([notes](KernelRepository &repository) { return repository.setNotes(notes); });
    m_flushing = false;
    m_flushed.set();
    co_return result;
}

void Recorder::pack(const CancelToken &token)
{
    if (!m_packing.isFinished())
        return;
    // An instance of its own, so that commits go on meanwhile.
    m_packing = QtConcurrent::run([path = m_git->path, token] {
        if (const auto repository = KernelRepository::open(path))
            (void)(*repository)->pack(token);
    });
}

void Recorder::log(const LogEvent &event)
{
    m_journal.log(event);
}

} // namespace accelopt
