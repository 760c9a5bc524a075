// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "studio/tokens.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace accelopt {

/// What a run of characters is, in the terms of the design language's code colours.
enum class CodeKind : quint8 { Plain, Keyword, Builtin, String, Comment, Number };

struct CodeSpan {
    int start = 0, length = 0; ///< UTF-16 units
    CodeKind kind = CodeKind::Plain;
    bool operator==(const CodeSpan &) const = default;
};
using CodeLine = QList<CodeSpan>; ///< spans that are not Plain, in order

/// Python by KSyntaxHighlighting, line by line. Long for big files: call on a worker thread.
[[nodiscard]] QList<CodeLine> highlightPython(const QStringList &lines);

[[nodiscard]] QColor codeColor(const Tokens &tokens, CodeKind kind);

/// A mark within a line (see linediff.h), drawn as a ground with an underline.
struct CodeMark {
    int start = 0, length = 0;
    bool operator==(const CodeMark &) const = default;
};

/// A line as it is drawn: tabs are spaces, characters that cannot be seen or that turn the reading direction are
/// replacement characters, and what is longer than `longestDrawnLine` is cut. Spans and marks move along.
struct CodeText {
    QString text;
    CodeLine spans;
    QList<CodeMark> marks;
    bool operator==(const CodeText &) const = default;
};
inline constexpr int longestDrawnLine = 4000;
inline constexpr int tabWidth = 4;
/// Spans and marks may overlap, reach past the end or be out of order: a kernel is hostile text.
[[nodiscard]] CodeText codeText(const QString &line, const CodeLine &spans = {}, const QList<CodeMark> &marks = {});

} // namespace accelopt
