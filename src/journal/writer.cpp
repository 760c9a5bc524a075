// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal/writer.h"

#include <chrono>
#include <sqlite3.h>

namespace accelopt::journal {

namespace {
// Long enough that a burst costs few transactions, short enough that one does not wait long for another.
constexpr size_t maximumBatch = 1024;
constexpr std::chrono::milliseconds notifyInterval(50);
} // namespace

Writer::~Writer()
{
    if (m_thread.joinable()) {
        {
            const std::lock_guard guard(m_mutex);
            m_stopping = true;
        }
        m_wake.notify_one();
        m_thread.join();
    }
    m_database.close(); // the last connection checkpoints and removes the write-ahead log
}

void Writer::start()
{
    m_thread = std::thread([this] { work(); });
}

void Writer::push(std::unique_ptr<Operation> operation)
{
    {
        const std::lock_guard guard(m_mutex);
        m_queue.push_back(std::move(operation));
    }
    m_wake.notify_one();
}

void Writer::work()
{
    using Clock = std::chrono::steady_clock;
    Clock::time_point lastNotice = Clock::now() - notifyInterval;
    bool notice = false;
    Batch batch;
    for (;;) {
        {
            std::unique_lock guard(m_mutex);
            const auto ready = [this] { return m_stopping || !m_queue.empty(); };
            if (notice)
                m_wake.wait_until(guard, lastNotice + notifyInterval, ready);
            else
                m_wake.wait(guard, ready);
            if (m_queue.empty() && m_stopping)
                break;
            while (!m_queue.empty() && batch.size() < maximumBatch) {
                batch.push_back(std::move(m_queue.front()));
                m_queue.pop_front();
            }
        }
        if (!batch.empty()) {
            const std::optional<Error> error = write(batch);
            for (const std::unique_ptr<Operation> &operation : batch)
                operation->finish(error);
            batch.clear();
            notice = notice || !error;
        }
        if (notice && Clock::now() >= lastNotice + notifyInterval) {
            lastNotice = Clock::now();
            notice = false;
            Q_EMIT m_notifier.changed();
        }
    }
    if (notice)
        Q_EMIT m_notifier.changed();
}

std::optional<Error> Writer::write(Batch &batch)
{
    if (Result<void> begun = m_database.run("BEGIN IMMEDIATE"); !begun)
        return begun.error();
    bool checkpoint = false;
    for (const std::unique_ptr<Operation> &operation : batch) {
        checkpoint = checkpoint || operation->checkpoint;
        if (Result<void> point = m_database.run("SAVEPOINT operation"); !point) {
            (void)m_database.run("ROLLBACK");
            return point.error();
        }
        const std::optional<Error> error = operation->run(m_database);
        // On a full disk SQLite may already have undone the whole transaction. Whoever came with this one then fails
        // too: a half-written batch would be worse than one that its owners can send again.
        if (error && (error->kind == Error::Kind::NoSpace || !m_database.inTransaction())) {
            if (m_database.inTransaction())
                (void)m_database.run("ROLLBACK");
            return error;
        }
        if (error)
            (void)m_database.run("ROLLBACK TO operation");
        if (Result<void> released = m_database.run("RELEASE operation"); !released) {
            if (m_database.inTransaction())
                (void)m_database.run("ROLLBACK");
            return released.error();
        }
    }
    if (Result<void> committed = m_database.run("COMMIT"); !committed) {
        if (m_database.inTransaction())
            (void)m_database.run("ROLLBACK");
        return committed.error();
    }
    // PASSIVE never waits for readers. It syncs the log first, so that what is in it survives a power cut.
    if (checkpoint)
        sqlite3_wal_checkpoint_v2(m_database.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    return std::nullopt;
}

} // namespace accelopt::journal
