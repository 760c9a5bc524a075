// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/sourcehighlight.h"

#include <KSyntaxHighlighting/AbstractHighlighter>
#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Format>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/State>
#include <algorithm>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

CodeKind kindOf(const KSyntaxHighlighting::Format &format)
{
    using Style = KSyntaxHighlighting::Theme::TextStyle;
    switch (format.textStyle()) {
    case Style::Keyword:
    case Style::ControlFlow:
    case Style::Import:
    case Style::Operator:
        return format.textStyle() == Style::Operator ? CodeKind::Plain : CodeKind::Keyword;
    case Style::BuiltIn:
    case Style::Extension:
    case Style::Attribute:
    case Style::Preprocessor:
    case Style::DataType:
    case Style::Constant:
        return CodeKind::Builtin;
    case Style::String:
    case Style::VerbatimString:
    case Style::SpecialString:
    case Style::Char:
    case Style::SpecialChar:
        return CodeKind::String;
    case Style::Comment:
    case Style::Documentation:
    case Style::Annotation:
    case Style::CommentVar:
        return CodeKind::Comment;
    case Style::DecVal:
    case Style::BaseN:
    case Style::Float:
        return CodeKind::Number;
    default:
        return CodeKind::Plain;
    }
}

class Highlighter : public KSyntaxHighlighting::AbstractHighlighter {
public:
    QList<CodeLine> run(const QStringList &lines)
    {
        // A repository of its own per thread: it loads definitions lazily and is not shared.
        thread_local KSyntaxHighlighting::Repository repository;
        setDefinition(repository.definitionForName(u"Python"_s));
        QList<CodeLine> result;
        result.reserve(lines.size());
        KSyntaxHighlighting::State state;
        for (const QString &line : lines) {
            m_line.clear();
            state = highlightLine(line, state);
            result.append(m_line);
        }
        return result;
    }

protected:
    void applyFormat(int offset, int length, const KSyntaxHighlighting::Format &format) override
    {
        const CodeKind kind = kindOf(format);
        if (kind != CodeKind::Plain && length > 0)
            m_line.append({offset, length, kind});
    }

private:
    CodeLine m_line;
};

/// What must not reach the screen as it is: it would hide text, turn its direction or break the line.
bool isUnseen(QChar c)
{
    const char16_t u = c.unicode();
    return u < 0x20 || (u >= 0x7F && u < 0xA0) || u == 0xAD || u == 0x61C || (u >= 0x200B && u <= 0x200F)
        || (u >= 0x2028 && u <= 0x202E) || (u >= 0x2060 && u <= 0x206F) || u == 0xFEFF || (u >= 0xFFF9 && u <= 0xFFFB);
}

} // namespace

QList<CodeLine> highlightPython(const QStringList &lines)
{
    return Highlighter().run(lines);
}

QColor codeColor(const Tokens &tokens, CodeKind kind)
{
    switch (kind) {
    case CodeKind::Plain:
        return tokens.text;
    case CodeKind::Keyword:
        return tokens.codeKeyword;
    case CodeKind::Builtin:
        return tokens.codeBuiltin;
    case CodeKind::String:
        return tokens.codeString;
    case CodeKind::Comment:
        return tokens.codeComment;
    case CodeKind::Number:
        return tokens.codeNumber;
    }
    return tokens.text;
}

CodeText codeText(const QString &line, const CodeLine &spans, const QList<CodeMark> &marks)
{
    CodeText out;
    out.text.reserve(line.size());
    // Where each character of the line stands in the drawn text; one more for the end.
    QList<int> columns;
    columns.reserve(line.size() + 1);
    for (const QChar c : line) {
        if (out.text.size() >= longestDrawnLine)
            break;
        columns.append(static_cast<int>(out.text.size()));
        if (c == u'\t')
            out.text += QString(tabWidth - out.text.size() % tabWidth, u' ');
        else
            out.text += isUnseen(c) ? QChar(QChar::ReplacementCharacter) : c;
    }
    const qsizetype kept = columns.size();
    if (kept < line.size())
        out.text += u'\u2026';
    columns.append(static_cast<int>(out.text.size()));
    const auto column = [&](qint64 at) { return columns[std::clamp<qint64>(at, 0, kept)]; };
    for (const CodeSpan &span : spans) {
        const int from = column(span.start), to = column(qint64(span.start) + span.length);
        if (to > from)
            out.spans.append({from, to - from, span.kind});
    }
    for (const CodeMark &mark : marks) {
        const int from = column(mark.start), to = column(qint64(mark.start) + mark.length);
        if (to > from)
            out.marks.append({from, to - from});
    }
    return out;
}

} // namespace accelopt
