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
};
/// The line as Text.StyledText/RichText: escaped, coloured, marks underlined on `markGround`. Spaces stay.
[[nodiscard]] QString styledLine(const QString &line, const CodeLine &spans, const Tokens &tokens,
    const QList<CodeMark> &marks = {}, const QColor &markGround = {});

} // namespace accelopt
