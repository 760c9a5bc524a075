// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/agents.h"

#include <QRegularExpression>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype maxTitle = 120;
constexpr qsizetype maxText = 64 * 1024; // of a plan or summary that is looked at
constexpr qsizetype maxSummary = 16 * 1024; // kept of a summary: it goes into every later prompt

QString visible(const QString &text)
{
    QString clean = text.left(maxText);
    clean.replace(u"\r\n"_s, u"\n"_s);
    clean.remove(QChar(0xFEFF));
    clean.remove(QChar(0));
    static const QRegularExpression reasoning(
        u"^\\s*(<think(ing)?>)?.*</think(ing)?>"_s, QRegularExpression::DotMatchesEverythingOption);
    return clean.remove(reasoning).trimmed();
}

QString withoutCode(const QString &text)
{
    QString out;
    QString fence;
    for (const QString &line : text.split(u'\n')) {
        const QString start = line.trimmed().left(3);
        if (start == u"```"_s || start == u"~~~"_s) {
            if (fence.isEmpty())
                fence = start;
            else if (fence == start)
                fence.clear();
            continue;
        }
        if (fence.isEmpty())
            out += line + u'\n';
    }
    return out;
}

/// "Plan", "Step 1:", "Title" say nothing: what follows them is the title.
bool isLabel(const QString &text)
{
    static const QRegularExpression label(
        u"^(the )?(optimi[sz]ation |proposed |final |short |overall |concrete )?"
        "(plan|step|title|optimi[sz]ation|summary|idea|proposal|description|analysis|goal|recommendation|why|what|how|reason|reasoning|profile|change|changes|expected gain|gain)( ?#?\\d+)?( of \\d+)?[:.]?$"_s,
        QRegularExpression::CaseInsensitiveOption);
    return label.match(text.trimmed()).hasMatch();
}

QString tidy(QString text)
{
    static const QRegularExpression lead(u"^(?:[#>*\\-\\s]+|\\d+[.)]\\s+)+"_s);
    static const QRegularExpression label(
        u"^(?:optimi[sz]ation )?(?:plan|step|title|optimi[sz]ation)(?: ?#?\\d+)?\\s*[:\u2013\u2014-]\\s+"_s,
        QRegularExpression::CaseInsensitiveOption);
    text = text.simplified();
    text.remove(lead);
    text.remove(label);
    static const QRegularExpression boldMark(u"(?<!\\w)\\*\\*|\\*\\*(?!\\w)"_s); // not the power in x**2
    text.remove(boldMark);
    text.remove(u'`');
    text = text.trimmed();
    while (text.endsWith(u':') || text.endsWith(u'.') || text.endsWith(u','))
        text.chop(1);
    if (text.size() <= maxTitle)
        return text.trimmed();
    text.truncate(maxTitle - 1);
    if (text.back().isHighSurrogate())
        text.chop(1);
    if (const qsizetype space = text.lastIndexOf(u' '); space > maxTitle / 2)
        text.truncate(space);
    return text + QChar(0x2026);
}

} // namespace

QString parsePlanTitle(const QString &text)
{
    const QString prose = withoutCode(visible(text));
    static const QRegularExpression bold(
        u"(?<![\\w*])\\*\\*(?=\\S)((?:[^*\\n]|\\*(?!\\*))+?)(?<=\\S)\\*\\*(?![\\w*])"_s);
    for (auto it = bold.globalMatch(prose); it.hasNext();) {
        const auto match = it.next();
        if (const QString title = tidy(match.captured(1)); !title.isEmpty() && !isLabel(title))
            return title;
        // "**Step 1:** Hoist the load": the rest of the line.
        const qsizetype end = prose.indexOf(u'\n', match.capturedEnd());
        QString rest = prose.mid(match.capturedEnd(), end < 0 ? -1 : end - match.capturedEnd());
        if (const qsizetype next = rest.indexOf(u"**"_s); next >= 0)
            rest.truncate(next);
        static const QRegularExpression punctuation(u"^[\\s:.\u2013\u2014-]+"_s);
        rest.remove(punctuation);
        if (const QString title = tidy(rest.section(u". "_s, 0, 0)); title.size() > 3)
            return title;
    }
    QString sentence;
    for (const QString &line : prose.split(u'\n')) {
        const QString trimmed = line.trimmed();
        if (trimmed.isEmpty())
            continue;
        const QString title = tidy(trimmed);
        if (title.isEmpty() || isLabel(title))
            continue;
        if (trimmed.startsWith(u'#'))
            return title;
        if (sentence.isEmpty())
            sentence = trimmed;
    }
    static const QRegularExpression sentenceEnd(u"[.!?](?=\\s|$)"_s);
    const auto end = sentenceEnd.match(sentence, 3);
    return tidy(end.hasMatch() ? sentence.left(end.capturedStart()) : sentence);
}

ParsedSummary parseSummary(const QString &text)
{
    ParsedSummary result;
    QString clean = visible(text);
    static const QRegularExpression marks(u"[*_#`\"'>\\s]+"_s);
    QString first = clean.left(200);
    first.replace(marks, u" "_s);
    static const QRegularExpression nothing(
        u"^ ?no optimi[sz]ations? (?:was |were )?found\\b"_s, QRegularExpression::CaseInsensitiveOption);
    if (clean.isEmpty() || nothing.match(first).hasMatch()) {
        result.nothingFound = true;
        result.summary = clean.left(maxSummary);
        return result;
    }
    if (clean.size() > maxSummary) {
        clean.truncate(maxSummary - 1);
        if (clean.back().isHighSurrogate())
            clean.chop(1);
        clean += QChar(0x2026);
    }
    result.title = parsePlanTitle(clean);
    result.summary = clean;
    return result;
}

bool saysNothingLeft(const QString &planText)
{
    return planText.trimmed().isEmpty() || parsePlanTitle(planText).startsWith(u"no further "_s, Qt::CaseInsensitive);
}

} // namespace accelopt
