// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/readqueue.h"

#include <QMutex>

namespace accelopt {

Result<JournalReader *> ReadContext::reader()
{
    if (!m_reader) {
        auto opened = m_project.reader();
        if (!opened)
            return std::unexpected(opened.error());
        m_reader = std::move(*opened);
    }
    return m_reader.get();
}

Result<KernelRepository *> ReadContext::repository()
{
    if (!m_repository) {
        auto opened = m_project.repository();
        if (!opened)
            return std::unexpected(opened.error());
        m_repository = std::move(*opened);
    }
    return m_repository.get();
}

struct ReadQueue::Latest {
    mutable QMutex mutex;
    QHash<Key, quint64> tickets;
};

ReadQueue::ReadQueue(QObject *parent)
    : QObject(parent)
    , m_worker(new QObject)
    , m_latest(std::make_shared<Latest>())
{
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("reader"));
    m_thread.start();
}

ReadQueue::~ReadQueue()
{
    setProject({});
    m_thread.quit();
    m_thread.wait();
}

void ReadQueue::setProject(const std::optional<Project> &project)
{
    // Queries of the old project that have not begun see a ticket of 0 and return at once.
    {
        const QMutexLocker lock(&m_latest->mutex);
        for (quint64 &ticket : m_latest->tickets)
            ticket = 0;
    }
    m_latest = std::make_shared<Latest>();
    ++m_generation;
    // The connections belong to the worker: they are closed there, after whatever runs now.
    if (m_context)
        post([context = std::move(m_context)]() mutable { context.reset(); });
    m_context = project ? std::make_shared<ReadContext>(*project) : nullptr;
}

quint64 ReadQueue::newTicket(QObject *guard, const QString &tag)
{
    ++m_pending;
    const quint64 ticket = ++m_nextTicket;
    const QMutexLocker lock(&m_latest->mutex);
    if (tag.isEmpty())
        return ticket;
    m_latest->tickets.insert(Key(guard, tag), ticket);
    return ticket;
}

bool ReadQueue::superseded(const Latest &latest, const Key &key, quint64 ticket)
{
    const QMutexLocker lock(&latest.mutex);
    const auto found = latest.tickets.constFind(key);
    return found != latest.tickets.constEnd() && *found != ticket;
}

void ReadQueue::post(std::move_only_function<void()> job)
{
    auto shared = std::make_shared<std::move_only_function<void()>>(std::move(job));
    QMetaObject::invokeMethod(m_worker, [shared] { (*shared)(); }, Qt::QueuedConnection);
}

} // namespace accelopt
