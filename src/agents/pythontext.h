// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QSet>
#include <QString>
#include <QStringView>

namespace accelopt {

/// What can be said about a text as Python without a parser: its tokens, brackets, strings, indentation and the shape
/// of its statements. Prose is told from code by two operands that stand side by side. It may pass text that Python
/// refuses, and should not refuse what Python 3.13 accepts. Time is linear in the text.
struct PythonText {
    enum class State {
        Complete,
        Unfinished, ///< right so far, but it ends inside a bracket, a string or a statement
        Invalid
    };
    struct Function {
        QString name;
        int line = 0; ///< of `def`
        bool jit = false; ///< decorated with nki.jit or another decorator that ends in "jit"
        bool stub = false; ///< its body is pass, "...", or a docstring alone
    };

    State state = State::Complete;
    int line = 0; ///< 1-based; where the statement begins that is wrong or unfinished
    QString what; ///< "a bracket is not closed"
    QList<Function> functions; ///< at column 0
    QSet<QString> assigned; ///< names assigned at column 0
    QSet<QString> bound; ///< names bound by an import, an assignment or a parameter anywhere
    QSet<QString> roots; ///< names that are used with a dot after them
    bool elided = false; ///< a comment stands for code that was left out: "# ... as before"
    int statements = 0;
    int futureLine = 0; ///< last line of the last `from __future__ import`; 0 where there is none

    [[nodiscard]] bool defines(const QString &name) const;
    [[nodiscard]] const Function *function(const QString &name) const; ///< the last of that name, null if none

    [[nodiscard]] static PythonText analyse(QStringView source);
};

} // namespace accelopt
