// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/journalreader.h"
#include "repository/kernelrepository.h"
#include "search/project.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QThread>
#include <atomic>
#include <functional>
#include <memory>

namespace accelopt {

/// What a query on a worker thread may use. Valid only while the query runs, on that thread.
class ReadContext {
public:
    explicit ReadContext(Project project)
        : m_project(std::move(project))
    {
    }
    [[nodiscard]] const Project &project() const { return m_project; }
    [[nodiscard]] Result<JournalReader *> reader();
    [[nodiscard]] Result<KernelRepository *> repository();

private:
    Project m_project;
    std::unique_ptr<JournalReader> m_reader;
    std::unique_ptr<KernelRepository> m_repository;
};

/// A worker thread with its own connections to one project. `run` may be called from the GUI thread only; answers come
/// back to it by a queued call, and are dropped when the guard is gone, the project was closed, or a newer query with
/// the same guard and tag was asked.
class ReadQueue : public QObject {
    Q_OBJECT
public:
    explicit ReadQueue(QObject *parent = nullptr);
    ~ReadQueue() override;

    /// Ends all queries of the project before; their answers are dropped.
    void setProject(const std::optional<Project> &project);
    [[nodiscard]] bool hasProject() const { return m_context != nullptr; }

    /// `work`: Result<T>(ReadContext &) on the worker. `done`: void(Result<T>) on the GUI thread. An empty tag is never
    /// superseded.
    template <typename Work, typename Done> void run(QObject *guard, const QString &tag, Work work, Done done)
    {
        using Answer = std::invoke_result_t<Work, ReadContext &>;
        if (!m_context)
            return;
        const quint64 ticket = newTicket(guard, tag);
        const QPointer<QObject> alive(guard);
        // The context is let go on the worker, whose connections it holds: answers carry a generation, never the
        // context.
        post([this, context = m_context, generation = m_generation, latest = m_latest, key = Key(guard, tag), ticket,
                 alive, work = std::move(work), done = std::move(done)]() mutable {
            std::shared_ptr<Answer> answer;
            if (!superseded(*latest, key, ticket))
                answer = std::make_shared<Answer>(work(*context));
            QMetaObject::invokeMethod(
                this,
                [this, generation, latest, key, ticket, alive, answer, done = std::move(done)]() mutable {
                    --m_pending;
                    if (answer && alive && generation == m_generation && !superseded(*latest, key, ticket))
                        done(std::move(*answer));
                },
                Qt::QueuedConnection);
        });
    }
    /// True while a query is under way or waits.
    [[nodiscard]] bool busy() const { return m_pending > 0; }
    /// For work that needs no open project (opening one). Same rules.
    template <typename Work, typename Done> void detached(QObject *guard, Work work, Done done)
    {
        using Answer = std::invoke_result_t<Work>;
        const QPointer<QObject> alive(guard);
        ++m_pending;
        post([this, alive, work = std::move(work), done = std::move(done)]() mutable {
            auto answer = std::make_shared<Answer>(work());
            QMetaObject::invokeMethod(
                this,
                [this, alive, answer, done = std::move(done)]() mutable {
                    --m_pending;
                    if (alive)
                        done(std::move(*answer));
                },
                Qt::QueuedConnection);
        });
    }

private:
    using Key = std::pair<QObject *, QString>;
    struct Latest; // tickets by key, read on both threads
    quint64 newTicket(QObject *guard, const QString &tag);
    static bool superseded(const Latest &latest, const Key &key, quint64 ticket);
    void post(std::move_only_function<void()> job);

    QThread m_thread;
    QObject *m_worker = nullptr;
    std::shared_ptr<ReadContext> m_context;
    std::shared_ptr<Latest> m_latest;
    quint64 m_nextTicket = 0, m_generation = 0;
    int m_pending = 0;
};

} // namespace accelopt
