// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The journal's writer thread: a queue of operations, batched into transactions. Not for other rooms.

#include "journal/journal.h"
#include "journal/lockfile.h"
#include "journal/sqlite.h"

#include <QElapsedTimer>
#include <QHash>
#include <QPromise>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace accelopt::journal {

/// One write. `run` and `finish` are called on the writer thread, `finish` once its transaction is on disk or given up.
class Operation {
public:
    virtual ~Operation() = default;
    /// Nothing when done; an error undoes what this operation wrote, and only that.
    virtual std::optional<Error> run(sqlite::Database &database) = 0;
    virtual void finish(const std::optional<Error> &batchError) = 0;
    bool checkpoint = false; ///< the write-ahead log is synced to the disk before `finish`
};

template <typename T, typename Function> class TypedOperation final : public Operation {
public:
    explicit TypedOperation(Function function)
        : m_function(std::move(function))
    {
        m_promise.start();
    }
    QFuture<Result<T>> future() { return m_promise.future(); }
    std::optional<Error> run(sqlite::Database &database) override
    {
        m_result.emplace(m_function(database));
        return *m_result ? std::nullopt : std::optional<Error>(m_result->error());
    }
    void finish(const std::optional<Error> &batchError) override
    {
        if (batchError)
            m_promise.addResult(Result<T>(std::unexpected(*batchError)));
        else
            m_promise.addResult(std::move(*m_result));
        m_promise.finish();
    }

private:
    Function m_function;
    QPromise<Result<T>> m_promise;
    std::optional<Result<T>> m_result;
};

class Writer {
public:
    explicit Writer(std::unique_ptr<LockFile> lock)
        : m_lock(std::move(lock))
    {
    }
    ~Writer();

    sqlite::Database &database() { return m_database; } ///< before `start` only
    void start();
    template <typename T, typename Function> QFuture<Result<T>> submit(Function function, bool checkpoint = false)
    {
        auto operation = std::make_unique<TypedOperation<T, Function>>(std::move(function));
        operation->checkpoint = checkpoint;
        QFuture<Result<T>> future = operation->future();
        push(std::move(operation));
        return future;
    }
    JournalNotifier *notifier() { return &m_notifier; }

    /// Milliseconds a run has been active since it was last made so in this process; monotonic. Writer thread only.
    QHash<qint64, QElapsedTimer> activeSince;

private:
    using Batch = std::vector<std::unique_ptr<Operation>>;

    void push(std::unique_ptr<Operation> operation);
    void work();
    std::optional<Error> write(Batch &batch);

    std::unique_ptr<LockFile> m_lock;
    sqlite::Database m_database;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::unique_ptr<Operation>> m_queue;
    bool m_stopping = false;
    JournalNotifier m_notifier;
    std::thread m_thread;
};

} // namespace accelopt::journal
