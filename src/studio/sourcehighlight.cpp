// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/sourcehighlight.h"

#include <KSyntaxHighlighting/AbstractHighlighter>
#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Format>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/State>

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

QString hex(const QColor &color)
{
    return color.name(QColor::HexRgb);
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

QString styledLine(const QString &line, const CodeLine &spans, const Tokens &tokens, const QList<CodeMark> &marks,
    const QColor &markGround)
{
    // A colour and a mark for each character, then runs of equals: spans and marks overlap freely.
    const qsizetype n = line.size();
    QList<CodeKind> kinds(n, CodeKind::Plain);
    QList<bool> marked(n, false);
    for (const CodeSpan &span : spans) {
        for (qsizetype i = std::max(0, span.start); i < std::min<qsizetype>(n, span.start + span.length); ++i)
            kinds[i] = span.kind;
    }
    for (const CodeMark &mark : marks) {
        for (qsizetype i = std::max(0, mark.start); i < std::min<qsizetype>(n, mark.start + mark.length); ++i)
            marked[i] = true;
    }
    QString out;
    for (qsizetype i = 0; i < n;) {
        qsizetype end = i + 1;
        while (end < n && kinds[end] == kinds[i] && marked[end] == marked[i])
            ++end;
        QString text;
        for (const QChar c : QStringView(line).mid(i, end - i)) {
            // Spaces are kept, control characters are shown: a kernel is hostile text.
            if (c == u' ')
                text += QChar(QChar::Nbsp);
            else if (c == u'\t')
                text += QString(4, QChar(QChar::Nbsp));
            else if (c < u' ' || (c >= QChar(0x202A) && c <= QChar(0x202E))
                || (c >= QChar(0x2066) && c <= QChar(0x2069)))
                text += QChar(QChar::ReplacementCharacter);
            else
                text += c;
        }
        text = text.toHtmlEscaped();
        if (marked[i])
            out += u"<span style=\"color:%1;background-color:%2;text-decoration:underline\">%3</span>"_s.arg(
                hex(tokens.text), hex(markGround), text);
        else if (kinds[i] != CodeKind::Plain)
            out += u"<span style=\"color:%1\">%2</span>"_s.arg(hex(codeColor(tokens, kinds[i])), text);
        else
            out += text;
        i = end;
    }
    return out;
}

} // namespace accelopt
