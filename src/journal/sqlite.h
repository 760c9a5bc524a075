// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The journal's own thin layer over SQLite's C interface. Not for other rooms.

#include "domain/result.h"

#include <QByteArray>
#include <QDateTime>
#include <QJsonObject>
#include <QString>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <unordered_map>

struct sqlite3;
struct sqlite3_stmt;

namespace accelopt::sqlite {

/// Leaves the function with the error of `expression`, if it is one.
#define ACCELOPT_TRY(expression)                                                                                       \
    do {                                                                                                               \
        if (auto accelopt_result = (expression); !accelopt_result) [[unlikely]]                                        \
            return std::unexpected(std::move(accelopt_result).error());                                                \
    } while (false)

class Database;

/// A prepared statement borrowed from the connection's cache; reset when it goes out of scope.
class Statement {
public:
    explicit Statement(Database *database = nullptr, sqlite3_stmt *statement = nullptr)
        : m_database(database)
        , m_statement(statement)
    {
    }
    Statement(Statement &&other) noexcept
        : m_database(std::exchange(other.m_database, nullptr))
        , m_statement(std::exchange(other.m_statement, nullptr))
    {
    }
    Statement &operator=(Statement &&) = delete;
    ~Statement();

    void bind(int index, qint64 value);
    void bind(int index, int value) { bind(index, qint64(value)); }
    void bind(int index, bool value) { bind(index, qint64(value)); }
    void bind(int index, double value);
    void bind(int index, const QString &value);
    void bind(int index, const QByteArray &value); ///< a blob; null where isNull()
    void bind(int index, const QDateTime &value); ///< milliseconds since 1970 UTC; null where invalid
    void bind(int index, const QJsonObject &value); ///< compact JSON text
    void bind(int index, std::nullopt_t);
    template <typename T> void bind(int index, const std::optional<T> &value)
    {
        if (value)
            bind(index, *value);
        else
            bind(index, std::nullopt);
    }
    template <typename... Arguments> void bindAll(const Arguments &...arguments)
    {
        int index = 0;
        (bind(++index, arguments), ...);
    }

    /// True while there is a row.
    [[nodiscard]] Result<bool> step();
    void reset();

    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] qint64 integer(int column) const;
    [[nodiscard]] int number(int column) const { return int(integer(column)); }
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] QString text(int column) const;
    [[nodiscard]] QByteArray blob(int column) const;
    [[nodiscard]] QDateTime time(int column) const;
    [[nodiscard]] QJsonObject json(int column) const;

private:
    Database *m_database;
    sqlite3_stmt *m_statement;
};

/// One connection; belongs to one thread.
class Database {
public:
    enum class Mode { ReadOnly, ReadWrite, Create };

    Database() = default;
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;
    ~Database() { close(); }

    [[nodiscard]] Result<void> open(const QString &path, Mode mode);
    void close();

    [[nodiscard]] Result<Statement> prepare(std::string_view sql);
    /// One or several statements without parameters, not cached.
    [[nodiscard]] Result<void> execute(const QByteArray &sql);
    template <typename... Arguments> [[nodiscard]] Result<void> run(std::string_view sql, const Arguments &...arguments)
    {
        Result<Statement> statement = prepare(sql);
        if (!statement)
            return std::unexpected(statement.error());
        statement->bindAll(arguments...);
        if (Result<bool> stepped = statement->step(); !stepped)
            return std::unexpected(stepped.error());
        return {};
    }
    /// The first column of the first row.
    template <typename... Arguments>
    [[nodiscard]] Result<std::optional<qint64>> integer(std::string_view sql, const Arguments &...arguments)
    {
        Result<Statement> statement = prepare(sql);
        if (!statement)
            return std::unexpected(statement.error());
        statement->bindAll(arguments...);
        Result<bool> row = statement->step();
        if (!row)
            return std::unexpected(row.error());
        if (!*row || statement->isNull(0))
            return std::optional<qint64>();
        return std::optional<qint64>(statement->integer(0));
    }
    /// Calls `row` for every row; stops at its first error.
    template <typename Row, typename... Arguments>
    [[nodiscard]] Result<void> each(std::string_view sql, Row row, const Arguments &...arguments)
    {
        Result<Statement> statement = prepare(sql);
        if (!statement)
            return std::unexpected(statement.error());
        statement->bindAll(arguments...);
        return eachRow(*statement, row);
    }
    template <typename Row> [[nodiscard]] static Result<void> eachRow(Statement &statement, Row row)
    {
        for (;;) {
            Result<bool> stepped = statement.step();
            if (!stepped)
                return std::unexpected(stepped.error());
            if (!*stepped)
                return {};
            if constexpr (std::is_void_v<decltype(row(statement))>)
                row(statement);
            else if (Result<void> done = row(statement); !done)
                return done;
        }
    }

    [[nodiscard]] qint64 lastInsertId() const;
    [[nodiscard]] qint64 changes() const;
    [[nodiscard]] bool inTransaction() const;
    [[nodiscard]] bool isOpen() const { return m_database != nullptr; }
    [[nodiscard]] const QString &path() const { return m_path; }
    /// The connection's last error in the project's words.
    [[nodiscard]] Error error() const;
    [[nodiscard]] sqlite3 *handle() const { return m_database; }

private:
    sqlite3 *m_database = nullptr;
    QString m_path;
    std::unordered_map<std::string, sqlite3_stmt *> m_statements;
};

/// Zstandard; an empty array stays empty. Level 3 is about 5 µs for a kilobyte.
[[nodiscard]] QByteArray compress(const QByteArray &data);
/// Nothing where it is not what `compress` made, or claims more than 256 MB.
[[nodiscard]] std::optional<QByteArray> decompress(const QByteArray &data);

} // namespace accelopt::sqlite
