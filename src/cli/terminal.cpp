// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/terminal.h"

#include <QFile>
#include <QJsonDocument>
#include <cerrno>
#include <cstdio>
#include <unistd.h>

namespace accelopt::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

int outputError = 0; ///< errno of the first write to stdout that failed

void write(FILE *stream, const QByteArray &bytes)
{
    const std::size_t size = static_cast<std::size_t>(bytes.size());
    if ((std::fwrite(bytes.constData(), 1, size, stream) != size || std::fflush(stream) != 0) && stream == stdout
        && outputError == 0)
        outputError = errno;
}

QString kindName(Error::Kind kind)
{
    switch (kind) {
    case Error::Kind::Invalid:
        return u"invalid"_s;
    case Error::Kind::NotFound:
        return u"not-found"_s;
    case Error::Kind::Conflict:
        return u"conflict"_s;
    case Error::Kind::NewerVersion:
        return u"newer-version"_s;
    case Error::Kind::NoSpace:
        return u"no-space"_s;
    case Error::Kind::Io:
        return u"io"_s;
    case Error::Kind::Cancelled:
        return u"cancelled"_s;
    case Error::Kind::Internal:
        return u"internal"_s;
    }
    return {};
}

} // namespace

void printJson(const QJsonObject &json)
{
    write(stdout, QJsonDocument(json).toJson(QJsonDocument::Indented));
}

void printJsonLine(const QJsonObject &json)
{
    write(stdout, QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n');
}

void print(const QString &line)
{
    write(stdout, sanitized(line).toUtf8() + '\n');
}

void note(const QString &line)
{
    write(stderr, sanitized(line).toUtf8() + '\n');
}

void printBytes(const QByteArray &bytes)
{
    write(stdout, bytes);
}

bool outputIsComplete()
{
    if (outputError != 0)
        note(u"The output could not be written: %1."_s.arg(qt_error_string(outputError)));
    return outputError == 0;
}

int report(const Error &error, bool json)
{
    // One sentence on one line, also where a name in it holds a line break.
    note(QString(error.message).replace(u'\n', u' '));
    if (!error.detail.isEmpty())
        note(u"  "_s + error.detail);
    if (json)
        printJson({{u"error"_s,
            QJsonObject{
                {u"kind"_s, kindName(error.kind)}, {u"message"_s, error.message}, {u"detail"_s, error.detail}}}});
    return error.kind == Error::Kind::Cancelled ? Stopped : Failed;
}

QString sanitized(const QString &text)
{
    QString safe;
    safe.reserve(text.size());
    for (const QChar c : text) {
        const bool control = (c < u' ' && c != u'\n' && c != u'\t') || (c >= QChar(0x7F) && c < QChar(0xA0));
        // Also the marks that turn the direction of text: a diff must read as it is.
        const bool direction = (c >= QChar(0x202A) && c <= QChar(0x202E)) || (c >= QChar(0x2066) && c <= QChar(0x2069));
        if (control || direction)
            safe += u"\\u%1"_s.arg(static_cast<int>(c.unicode()), 4, 16, QChar(u'0'));
        else
            safe += c;
    }
    return safe;
}

QString table(const QStringList &heads, const QList<QStringList> &rows)
{
    QList<qsizetype> widths;
    QStringList names;
    for (const QString &head : heads) {
        names.append(head.startsWith(u'>') ? head.mid(1) : head);
        widths.append(names.last().size());
    }
    for (const QStringList &row : rows) {
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], sanitized(row[i]).size());
    }
    QStringList lines;
    const auto add = [&](const QStringList &cells) {
        QString line;
        for (qsizetype i = 0; i < cells.size(); ++i) {
            const QString cell = sanitized(cells[i]).replace(u'\n', u' ');
            line += (i > 0 ? u"  "_s : QString())
                + (heads[i].startsWith(u'>') ? cell.rightJustified(widths[i]) : cell.leftJustified(widths[i]));
        }
        while (line.endsWith(u' '))
            line.chop(1);
        lines.append(line);
    };
    add(names);
    for (const QStringList &row : rows)
        add(row);
    return lines.join(u'\n');
}

bool stderrIsTerminal()
{
    return isatty(STDERR_FILENO) == 1;
}

bool stdoutIsTerminal()
{
    return isatty(STDOUT_FILENO) == 1;
}

} // namespace accelopt::cli
