// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal/sqlite.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QTimeZone>
#include <QUrl>
#include <cmath>
#include <sqlite3.h>
#include <zstd.h>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::sqlite {

Statement::~Statement()
{
    if (m_statement)
        reset();
}

void Statement::reset()
{
    sqlite3_reset(m_statement);
    sqlite3_clear_bindings(m_statement);
}

void Statement::bind(int index, qint64 value)
{
    sqlite3_bind_int64(m_statement, index, value);
}

void Statement::bind(int index, double value)
{
    // SQLite turns NaN into NULL; infinity is turned here, so that no number in the store is not finite.
    if (std::isfinite(value))
        sqlite3_bind_double(m_statement, index, value);
    else
        sqlite3_bind_null(m_statement, index);
}

void Statement::bind(int index, const QString &value)
{
    const QByteArray utf8 = value.toUtf8();
    sqlite3_bind_text64(
        m_statement, index, utf8.constData(), sqlite3_uint64(utf8.size()), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void Statement::bind(int index, const QByteArray &value)
{
    if (value.isNull())
        sqlite3_bind_null(m_statement, index);
    else
        sqlite3_bind_blob64(m_statement, index, value.constData(), sqlite3_uint64(value.size()), SQLITE_TRANSIENT);
}

void Statement::bind(int index, const QDateTime &value)
{
    if (value.isValid())
        sqlite3_bind_int64(m_statement, index, value.toMSecsSinceEpoch());
    else
        sqlite3_bind_null(m_statement, index);
}

void Statement::bind(int index, const QJsonObject &value)
{
    const QByteArray text = QJsonDocument(value).toJson(QJsonDocument::Compact);
    sqlite3_bind_text64(
        m_statement, index, text.constData(), sqlite3_uint64(text.size()), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void Statement::bind(int index, std::nullopt_t)
{
    sqlite3_bind_null(m_statement, index);
}

Result<bool> Statement::step()
{
    const int code = sqlite3_step(m_statement);
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    return std::unexpected(m_database->error());
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}

qint64 Statement::integer(int column) const
{
    return sqlite3_column_int64(m_statement, column);
}

double Statement::real(int column) const
{
    return sqlite3_column_double(m_statement, column);
}

QString Statement::text(int column) const
{
    const auto *text = reinterpret_cast<const char *>(sqlite3_column_text(m_statement, column));
    return QString::fromUtf8(text, sqlite3_column_bytes(m_statement, column));
}

QByteArray Statement::blob(int column) const
{
    if (isNull(column))
        return {};
    const auto *data = static_cast<const char *>(sqlite3_column_blob(m_statement, column));
    const int size = sqlite3_column_bytes(m_statement, column);
    return data ? QByteArray(data, size) : QByteArray("");
}

QDateTime Statement::time(int column) const
{
    return isNull(column) ? QDateTime() : QDateTime::fromMSecsSinceEpoch(integer(column), QTimeZone::UTC);
}

QJsonObject Statement::json(int column) const
{
    const auto *text = reinterpret_cast<const char *>(sqlite3_column_text(m_statement, column));
    return QJsonDocument::fromJson(QByteArray::fromRawData(text, sqlite3_column_bytes(m_statement, column))).object();
}

Result<void> Database::open(const QString &path, Mode mode)
{
    close();
    m_path = path;
    int flags = SQLITE_OPEN_FULLMUTEX;
    flags |= mode == Mode::ReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    if (mode == Mode::Create)
        flags |= SQLITE_OPEN_CREATE;
    QByteArray name = QFile::encodeName(QFileInfo(path).absoluteFilePath());
    if (mode == Mode::ReadOnly) {
        // A WAL database in a folder we may not write (another machine's project on a read-only medium) can only be
        // read as immutable, which is right exactly when no writer can be there.
        const QFileInfo info(path);
        if (info.exists() && !QFileInfo(info.absolutePath()).isWritable() && !QFileInfo::exists(path + "-wal"_L1)) {
            name = "file:" + QUrl::toPercentEncoding(info.absoluteFilePath(), "/") + "?immutable=1";
            flags |= SQLITE_OPEN_URI;
        }
    }
    const int code = sqlite3_open_v2(name.constData(), &m_database, flags, nullptr);
    if (code != SQLITE_OK) {
        Error error = this->error();
        close();
        return std::unexpected(error);
    }
    sqlite3_extended_result_codes(m_database, 1);
    sqlite3_busy_timeout(m_database, 5000);
    // The file may come from another machine: its schema must not be able to call anything.
    sqlite3_db_config(m_database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(m_database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(m_database, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
    return {};
}

void Database::close()
{
    for (const auto &[sql, statement] : m_statements)
        sqlite3_finalize(statement);
    m_statements.clear();
    if (m_database)
        sqlite3_close_v2(m_database);
    m_database = nullptr;
}

Result<Statement> Database::prepare(std::string_view sql)
{
    std::string key(sql);
    const auto found = m_statements.find(key);
    if (found != m_statements.end())
        return Statement(this, found->second);
    sqlite3_stmt *statement = nullptr;
    const int code =
        sqlite3_prepare_v3(m_database, sql.data(), int(sql.size()), SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK)
        return std::unexpected(error());
    m_statements.emplace(std::move(key), statement);
    return Statement(this, statement);
}

Result<void> Database::execute(const QByteArray &sql)
{
    if (sqlite3_exec(m_database, sql.constData(), nullptr, nullptr, nullptr) != SQLITE_OK)
        return std::unexpected(error());
    return {};
}

qint64 Database::lastInsertId() const
{
    return sqlite3_last_insert_rowid(m_database);
}

qint64 Database::changes() const
{
    return sqlite3_changes64(m_database);
}

bool Database::inTransaction() const
{
    return !sqlite3_get_autocommit(m_database);
}

Error Database::error() const
{
    const int extended = m_database ? sqlite3_extended_errcode(m_database) : SQLITE_CANTOPEN;
    const QString detail = u"%1 (SQLite %2, %3)"_s.arg(
        m_database ? QString::fromUtf8(sqlite3_errmsg(m_database)) : QString(), QString::number(extended), m_path);
    switch (extended & 0xff) {
    case SQLITE_FULL:
        return {
            Error::Kind::NoSpace, u"The disk is full. Nothing was changed; free some space and try again."_s, detail};
    case SQLITE_IOERR:
        return {Error::Kind::NoSpace,
            u"The project's database could not be written, most likely because the disk is full. Nothing was changed."_s,
            detail};
    case SQLITE_CONSTRAINT:
        return {Error::Kind::Conflict,
            u"The project's database already holds something that contradicts this; it was not changed."_s, detail};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {Error::Kind::Conflict, u"The project's database is in use by another program; nothing was changed."_s,
            detail};
    case SQLITE_NOTADB:
        return {Error::Kind::Invalid,
            u"The file %1 is not an AccelOpt database; it was not changed."_s.arg(QFileInfo(m_path).fileName()),
            detail};
    case SQLITE_CORRUPT:
        return {Error::Kind::Io, u"The project's database is damaged. Nothing was changed; restore it from a copy."_s,
            detail};
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return {Error::Kind::Io, u"The project's database may not be written to; nothing was changed."_s, detail};
    case SQLITE_CANTOPEN:
        return {Error::Kind::Io, u"The project's database %1 cannot be opened."_s.arg(QDir::toNativeSeparators(m_path)),
            detail};
    default:
        return {Error::Kind::Internal, u"The project's database refused a request; nothing was changed."_s, detail};
    }
}

QByteArray compress(const QByteArray &data)
{
    if (data.isEmpty())
        return data;
    QByteArray packed(qsizetype(ZSTD_compressBound(size_t(data.size()))), Qt::Uninitialized);
    const size_t size = ZSTD_compress(packed.data(), size_t(packed.size()), data.constData(), size_t(data.size()), 3);
    if (ZSTD_isError(size))
        return {};
    packed.resize(qsizetype(size));
    packed.squeeze();
    return packed;
}

std::optional<QByteArray> decompress(const QByteArray &data)
{
    if (data.isEmpty())
        return data;
    const unsigned long long size = ZSTD_getFrameContentSize(data.constData(), size_t(data.size()));
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > (256ull << 20))
        return std::nullopt;
    QByteArray plain(qsizetype(size), Qt::Uninitialized);
    const size_t got = ZSTD_decompress(plain.data(), size_t(plain.size()), data.constData(), size_t(data.size()));
    if (ZSTD_isError(got) || got != size)
        return std::nullopt;
    return plain;
}

} // namespace accelopt::sqlite
