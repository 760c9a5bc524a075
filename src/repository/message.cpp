// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/message.h"

#include "domain/attemptkey.h"

#include <QRegularExpression>
#include <cstring>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::git {

namespace {
constexpr qsizetype maximumBody = 256 * 1024; // characters; longer plans stand whole in the journal
}

QString cleanText(const QString &text)
{
    QString clean;
    clean.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (c == u'\r') {
            if (i + 1 >= text.size() || text.at(i + 1) != u'\n')
                clean += u'\n';
        } else if (c == u'\n' || c == u'\t') {
            clean += c;
        } else if (c.isHighSurrogate() && i + 1 < text.size() && text.at(i + 1).isLowSurrogate()) {
            clean += c;
            clean += text.at(++i);
        } else if (c.isSurrogate()) {
            clean += QChar::ReplacementCharacter;
        } else if (c.unicode() >= 0x20 && c.unicode() != 0x7f) {
            clean += c;
        }
    }
    qsizetype begin = 0, end = clean.size();
    while (begin < end && clean.at(begin) == u'\n')
        ++begin;
    while (end > begin && clean.at(end - 1).isSpace())
        --end;
    return clean.mid(begin, end - begin);
}

QString cleanLine(const QString &text, qsizetype limit)
{
    QString line = cleanText(text).simplified();
    if (line.size() > limit) {
        line.truncate(limit - 1);
        if (line.back().isHighSurrogate())
            line.chop(1);
        line += u'…';
    }
    return line;
}

QByteArray composeMessage(const AttemptCommit &attempt)
{
    QString title = cleanLine(attempt.title, 200);
    const QString key = cleanLine(attempt.key, 200);
    if (title.isEmpty())
        title = key.isEmpty() ? u"Attempt"_s : key;
    QString body = cleanText(attempt.body);
    if (body.size() > maximumBody)
        body = body.left(maximumBody) + u"\n…"_s;
    QString message = title + u"\n\n"_s;
    if (!body.isEmpty())
        message += body + u"\n\n"_s;
    const auto add = [&message](QLatin1StringView name, const QString &value) {
        if (!value.isEmpty())
            message += name + ": "_L1 + value + u'\n';
    };
    add("Run"_L1, cleanLine(attempt.run, 200));
    add("Problem"_L1, cleanLine(attempt.problem, 200));
    if (const std::optional<AttemptKey> parsed = AttemptKey::parse(attempt.key)) {
        add("Iteration"_L1, QString::number(parsed->iteration));
        // The plan's own place: the key up to its plan.
        if (parsed->plan > 0)
            add("Plan"_L1, key.left(key.indexOf(u".a")));
    }
    add("Attempt"_L1, key);
    add("Model"_L1, cleanLine(attempt.model, 200));
    return message.toUtf8();
}

Message parseMessage(const QByteArray &message)
{
    static const QRegularExpression trailer(u"^([A-Z][A-Za-z-]*): (.*)$"_s);
    Message parsed;
    QString text = QString::fromUtf8(message).trimmed();
    const qsizetype lastParagraph = text.lastIndexOf(u"\n\n"_s);
    if (lastParagraph >= 0) {
        QMap<QString, QString> trailers;
        bool all = true;
        const QStringList lines = text.mid(lastParagraph + 2).split(u'\n');
        for (const QString &line : lines) {
            const QRegularExpressionMatch match = trailer.match(line);
            all = all && match.hasMatch();
            if (match.hasMatch())
                trailers.insert(match.captured(1), match.captured(2).trimmed());
        }
        if (all && trailers.contains(u"Attempt"_s)) {
            parsed.trailers = trailers;
            text.truncate(lastParagraph);
        }
    }
    const qsizetype titleEnd = text.indexOf(u'\n');
    parsed.title = titleEnd < 0 ? text : text.left(titleEnd);
    parsed.body = titleEnd < 0 ? QString() : text.mid(titleEnd + 1).trimmed();
    return parsed;
}

QByteArray attemptTrailer(const char *message)
{
    // Only the last paragraph counts: a plan may well contain the word.
    const char *paragraph = nullptr;
    for (const char *at = std::strstr(message, "\n\n"); at && at[2]; at = std::strstr(at + 1, "\n\n"))
        paragraph = at + 2;
    if (!paragraph)
        return {};
    for (const char *line = paragraph; line && *line; line = std::strchr(line, '\n')) {
        if (*line == '\n')
            ++line;
        if (std::strncmp(line, "Attempt: ", 9) == 0) {
            const char *end = std::strchr(line, '\n');
            const char *value = line + 9;
            return QByteArray(value, end ? end - value : qsizetype(std::strlen(value)));
        }
        if (*line == '\0')
            break;
    }
    return {};
}

} // namespace accelopt::git
