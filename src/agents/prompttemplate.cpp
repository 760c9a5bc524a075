// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/prompttemplate.h"

#include <QRegularExpression>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

Result<PromptTemplate> PromptTemplate::parse(const QString &text, const QString &name)
{
    static const QRegularExpression placePattern(u"\\{\\{([a-z][a-z0-9_]*)\\}\\}"_s);
    static const QRegularExpression partPattern(u"^\\{\\{([?/])([a-z][a-z0-9_]*)\\}\\}$"_s);
    const auto invalid = [&](qsizetype line, const QString &what) {
        return fail(Error::Kind::Invalid, u"The prompt %1 is not usable: line %2 %3."_s.arg(name).arg(line).arg(what));
    };

    PromptTemplate result;
    QString open; // the part we are in
    const QStringList lines = text.split(u'\n');
    for (qsizetype i = 0; i < lines.size(); ++i) {
        QString line = lines.at(i);
        if (const auto part = partPattern.match(line); part.hasMatch()) {
            const QString partName = part.captured(2);
            if (part.captured(1) == u"?"_s) {
                if (!open.isEmpty())
                    return invalid(i + 1, u"opens a part inside the part \"%1\""_s.arg(open));
                open = partName;
                result.m_pieces.append({Piece::Kind::Open, partName});
            } else {
                if (open != partName)
                    return invalid(i + 1, u"closes the part \"%1\", which is not open"_s.arg(partName));
                open.clear();
                result.m_pieces.append({Piece::Kind::Close, partName});
            }
            continue;
        }
        if (i + 1 < lines.size())
            line += u'\n';
        qsizetype from = 0;
        QString literal;
        for (auto it = placePattern.globalMatch(line); it.hasNext();) {
            const auto place = it.next();
            const QString before = line.mid(from, place.capturedStart() - from);
            literal += before;
            result.m_pieces.append({Piece::Kind::Text, before});
            result.m_pieces.append({Piece::Kind::Place, place.captured(1)});
            from = place.capturedEnd();
        }
        const QString rest = line.mid(from);
        literal += rest;
        if (literal.contains(u"{{"_s) || literal.contains(u"}}"_s))
            return invalid(i + 1, u"has braces that are no place for a fact"_s);
        result.m_pieces.append({Piece::Kind::Text, rest});
    }
    if (!open.isEmpty())
        return invalid(lines.size(), u"is the end, but the part \"%1\" is still open"_s.arg(open));
    return result;
}

QStringList PromptTemplate::names() const
{
    QStringList names;
    for (const Piece &piece : m_pieces) {
        if (piece.kind != Piece::Kind::Text)
            names.append(piece.text);
    }
    names.sort();
    names.removeDuplicates();
    return names;
}

QString PromptTemplate::render(const QMap<QString, QString> &values) const
{
    QString out;
    bool shown = true;
    for (const Piece &piece : m_pieces) {
        switch (piece.kind) {
        case Piece::Kind::Open:
            shown = !values.value(piece.text).isEmpty();
            break;
        case Piece::Kind::Close:
            shown = true;
            break;
        case Piece::Kind::Text:
            if (shown)
                out += piece.text;
            break;
        case Piece::Kind::Place:
            if (shown)
                out += values.value(piece.text);
            break;
        }
    }
    return out;
}

} // namespace accelopt
