// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/terminal.h"

#include <QFile>
#include <QJsonDocument>
#include <cstdio>
#include <unistd.h>

namespace accelopt::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

void write(FILE *stream, const QByteArray &bytes)
{
    std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stream);
    std::fflush(stream);
}

QString kindName(Error::Kind kind)
{
    switch (kind) {
    case Error::Kind::Invalid: return u"invalid"_s;
    case Error::Kind::NotFound: return u"not-found"_s;
    case Error::Kind::Conflict: return u"conflict"_s;
    case Error::Kind::NewerVersion: return u"newer-version"_s;
    case Error::Kind::NoSpace: return u"no-space"_s;
    case Error::Kind::Io: return u"io"_s;
    case Error::Kind::Cancelled: return u"cancelled"_s;
    case Error::Kind::Internal: return u"internal"_s;
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
    write(stdout, line.toUtf8() + '\n');
}

void note(const QString &line)
{
    write(stderr, line.toUtf8() + '\n');
}

int report(const Error &error, bool json)
{
    note(sanitized(error.message));
    if (!error.detail.isEmpty())
        note(u"  "_s + sanitized(error.detail));
    if (json)
        printJson({{u"error"_s, QJsonObject{{u"kind"_s, kindName(error.kind)}, {u"message"_s, error.message}, {u"detail"_s, error.detail}}}});
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
            line += (i > 0 ? u"  "_s : QString()) + (heads[i].startsWith(u'>') ? cell.rightJustified(widths[i]) : cell.leftJustified(widths[i]));
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
