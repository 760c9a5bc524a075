// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/pythontext.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

template <std::size_t N> bool isOneOf(QStringView word, const std::array<QStringView, N> &words)
{
    return std::ranges::find(words, word) != words.end();
}

// Python 3.13 language reference, "Keywords". The constants among them are operands.
constexpr std::array<QStringView, 32> keywords{u"and", u"as", u"assert", u"async", u"await", u"break", u"class",
    u"continue", u"def", u"del", u"elif", u"else", u"except", u"finally", u"for", u"from", u"global", u"if", u"import",
    u"in", u"is", u"lambda", u"nonlocal", u"not", u"or", u"pass", u"raise", u"return", u"try", u"while", u"with",
    u"yield"};
constexpr std::array<QStringView, 13> blockKeywords{u"async", u"class", u"def", u"elif", u"else", u"except", u"finally",
    u"for", u"if", u"match", u"case", u"try", u"while"};
constexpr std::array<QStringView, 3> softKeywords{u"match", u"case", u"type"};
/// Keywords that never stand inside brackets: there the bracket was not closed.
constexpr std::array<QStringView, 17> statementKeywords{u"assert", u"break", u"class", u"continue", u"def", u"del",
    u"elif", u"except", u"finally", u"global", u"import", u"nonlocal", u"pass", u"raise", u"return", u"while", u"with"};
/// Keywords that may end a statement.
constexpr std::array<QStringView, 6> lastKeywords{u"break", u"continue", u"pass", u"raise", u"return", u"yield"};
constexpr std::array<QStringView, 10> stringPrefixes{u"r", u"u", u"b", u"f", u"t", u"br", u"rb", u"fr", u"rf", u"tr"};
constexpr QStringView operatorCharacters = u"+-*/%@&|^~<>=!.,:;";

struct Token {
    enum class Kind { Name, Keyword, Number, String, Operator, Open, Close };
    Kind kind;
    QStringView text;
    int depth; ///< of brackets; an opening and its closing bracket have the depth outside
};

class Analyser {
public:
    explicit Analyser(QStringView source)
        : m_source(source)
    {
    }

    PythonText run()
    {
        while (m_result.state == PythonText::State::Complete && m_at < m_source.size())
            step();
        if (m_result.state == PythonText::State::Complete)
            finish();
        closeFunction();
        return std::move(m_result);
    }

private:
    using State = PythonText::State;

    [[nodiscard]] QChar peek(qsizetype offset = 0) const
    {
        return m_at + offset < m_source.size() ? m_source[m_at + offset] : QChar();
    }

    void stop(State state, const QString &what) { stopAt(m_tokens.empty() ? m_line : m_statementLine, state, what); }

    void stopAt(int line, State state, const QString &what)
    {
        if (m_result.state != State::Complete)
            return;
        m_result.state = state;
        m_result.what = what;
        m_result.line = line;
    }

    void finish()
    {
        if (!m_brackets.empty())
            return stop(State::Unfinished, u"a bracket is not closed"_s);
        m_atEnd = true;
        endStatement();
        if (m_result.state == State::Complete && m_opensBlock)
            stopAt(m_statementLine, State::Unfinished, u"a block is empty"_s);
    }

    void step()
    {
        const QChar c = peek();
        if (m_atLineStart) {
            m_atLineStart = false;
            if (m_brackets.empty() && m_tokens.empty())
                return readIndentation();
        }
        if (c == u'\n') {
            ++m_at;
            if (m_brackets.empty())
                endStatement();
            ++m_line;
            m_atLineStart = true;
        } else if (c == u' ' || c == u'\t' || c == u'\f' || c == u'\r') {
            ++m_at;
        } else if (c == u'#') {
            readComment();
        } else if (c == u'\\') {
            if (peek(1) != u'\n')
                return stop(
                    m_at + 1 >= m_source.size() ? State::Unfinished : State::Invalid, u"a backslash stands alone"_s);
            m_at += 2;
            ++m_line;
            if (m_at >= m_source.size()) // the line it goes on with is missing
                return stop(State::Unfinished, u"a backslash stands alone"_s);
        } else if (c == u'"' || c == u'\'') {
            readString(m_at, false);
        } else if (c.isLetter() || c == u'_'
            || (c.isHighSurrogate() && peek(1).isLowSurrogate()
                && QChar::isLetter(QChar::surrogateToUcs4(c, peek(1))))) {
            readName();
        } else if (c.isDigit() || (c == u'.' && peek(1).isDigit())) {
            readNumber();
        } else {
            readOperator();
        }
    }

    void readIndentation()
    {
        int column = 0, plain = 0; // tabs to the next multiple of 8, and tabs as one: Python wants both to agree
        while (peek() == u' ' || peek() == u'\t' || peek() == u'\f') {
            column = peek() == u'\t' ? (column / 8 + 1) * 8 : peek() == u'\f' ? 0 : column + 1;
            plain = peek() == u'\f' ? 0 : plain + 1;
            ++m_at;
        }
        m_column = column;
        m_plainColumn = plain;
    }

    void readComment()
    {
        const qsizetype from = m_at + 1;
        while (m_at < m_source.size() && m_source[m_at] != u'\n')
            ++m_at;
        const QStringView text = m_source.sliced(from, m_at - from).trimmed();
        if (text.startsWith(u"...") || text.startsWith(u'\u2026'))
            m_result.elided = true;
    }

    void add(Token::Kind kind, qsizetype from, int depth)
    {
        if (m_tokens.empty())
            m_statementLine = m_line;
        m_tokens.push_back({kind, m_source.sliced(from, m_at - from), depth});
    }

    void add(Token::Kind kind, qsizetype from) { add(kind, from, int(m_brackets.size())); }

    /// `from` is where the prefix begins, m_at the quote.
    void readString(qsizetype from, bool formatted)
    {
        const QChar quote = peek();
        const int line = m_line;
        const bool triple = peek(1) == quote && peek(2) == quote;
        if (m_tokens.empty())
            m_statementLine = line;
        m_at += triple ? 3 : 1;
        int braces = 0;
        while (m_at < m_source.size()) {
            const QChar c = peek();
            if (c == u'\\') {
                if (peek(1) == u'\n')
                    ++m_line;
                m_at += 2;
                continue;
            }
            if (c == u'\n') {
                if (!triple)
                    return stop(State::Invalid, u"a string is not closed"_s);
                ++m_line;
            } else if (formatted && c == u'{') {
                if (braces == 0 && peek(1) == u'{')
                    ++m_at;
                else
                    ++braces;
            } else if (formatted && c == u'}' && braces > 0) {
                --braces;
            } else if (braces > 0 && (c == u'"' || c == u'\'') && !(triple && c == quote)) {
                // Since Python 3.12 the same quotes may stand inside the braces.
                qsizetype end = m_at + 1;
                while (end < m_source.size() && m_source[end] != c && m_source[end] != u'\n')
                    ++end;
                if (end < m_source.size() && m_source[end] == c)
                    m_at = end;
            } else if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
                m_at += triple ? 3 : 1;
                const int last = std::exchange(m_line, line); // the statement begins where the string begins
                add(Token::Kind::String, from);
                m_line = last;
                return;
            }
            ++m_at;
        }
        m_at = m_source.size();
        m_result.state = State::Unfinished;
        m_result.what = u"a string is not closed"_s;
        m_result.line = m_statementLine;
    }

    void readName()
    {
        const qsizetype from = m_at;
        while (m_at < m_source.size()) {
            const QChar c = m_source[m_at];
            if (c.isLetterOrNumber() || c == u'_' || c.isMark())
                ++m_at;
            else if (c.isHighSurrogate() && peek(1).isLowSurrogate()
                && QChar::isLetterOrNumber(QChar::surrogateToUcs4(c, peek(1))))
                m_at += 2; // a lone half is no letter: it would not survive as UTF-8
            else
                break;
        }
        const QStringView name = m_source.sliced(from, m_at - from);
        if ((peek() == u'"' || peek() == u'\'') && name.size() <= 2) {
            const QString prefix = name.toString().toLower();
            if (isOneOf(prefix, stringPrefixes))
                return readString(from, prefix.contains(u'f') || prefix.contains(u't'));
        }
        const bool keyword = isOneOf(name, keywords);
        if (keyword && !m_brackets.empty() && isOneOf(name, statementKeywords))
            return stop(State::Invalid, u"a bracket is not closed"_s);
        add(keyword ? Token::Kind::Keyword : Token::Kind::Name, from);
    }

    void readNumber()
    {
        const qsizetype from = m_at;
        const bool hex = peek() == u'0' && (peek(1) == u'x' || peek(1) == u'X');
        while (m_at < m_source.size()) {
            const QChar c = m_source[m_at];
            const QChar before = m_at > from ? m_source[m_at - 1] : QChar();
            const bool exponentSign = !hex && (c == u'+' || c == u'-') && (before == u'e' || before == u'E');
            if (!c.isLetterOrNumber() && c != u'_' && c != u'.' && !exponentSign)
                break;
            ++m_at;
        }
        add(Token::Kind::Number, from);
    }

    void readOperator()
    {
        const QChar c = peek();
        const qsizetype from = m_at;
        if (c == u'(' || c == u'[' || c == u'{') {
            ++m_at;
            add(Token::Kind::Open, from);
            m_brackets.push_back(c);
            return;
        }
        if (c == u')' || c == u']' || c == u'}') {
            const QChar open = c == u')' ? u'(' : c == u']' ? u'[' : u'{';
            if (m_brackets.empty() || m_brackets.back() != open)
                return stop(State::Invalid, u"a bracket is closed that is not open"_s);
            m_brackets.pop_back();
            ++m_at;
            add(Token::Kind::Close, from);
            return;
        }
        if (!operatorCharacters.contains(c) || (c == u'!' && peek(1) != u'='))
            return stop(State::Invalid, u"it has a character that Python does not know"_s);
        if (c == u'.' && peek(1) == u'.' && peek(2) == u'.') {
            m_at += 3;
            add(Token::Kind::Name, from); // the ellipsis is an operand
            return;
        }
        ++m_at;
        // One token per operator as far as it matters here: "=" alone is told from "==", "+=", "<=".
        const bool compound = !QStringView(u",;.").contains(c) && (c != u':' || peek() == u'=');
        while (compound && m_at - from < 3 && QStringView(u"=<>*/").contains(peek()))
            ++m_at;
        if (c == u';' && m_brackets.empty()) {
            endStatement();
            m_sameLine = true; // what follows has no indentation of its own
            return;
        }
        add(Token::Kind::Operator, from);
    }

    static bool isOperand(const Token &token)
    {
        return token.kind == Token::Kind::Name || token.kind == Token::Kind::Number
            || token.kind == Token::Kind::String;
    }

    void endStatement()
    {
        const bool sameLine = std::exchange(m_sameLine, false);
        if (m_tokens.empty() || m_result.state != State::Complete)
            return;
        if (!sameLine)
            checkIndentation();
        if (m_result.state == State::Complete)
            checkTokens();
        if (m_result.state == State::Complete)
            learn();
        m_tokens.clear();
    }

    void checkIndentation()
    {
        auto [top, plainTop] = m_indents.back();
        if (m_opensBlock) {
            if (m_column <= top)
                return stop(State::Invalid, u"an indented block is missing"_s);
            if (m_plainColumn <= plainTop)
                return stop(State::Invalid, u"tabs and spaces are mixed"_s);
            m_indents.push_back({m_column, m_plainColumn});
            return;
        }
        if (m_column > top)
            return stop(State::Invalid, u"a line is indented for no reason"_s);
        while (m_column < m_indents.back().first)
            m_indents.pop_back();
        if (m_indents.back().first != m_column)
            return stop(State::Invalid, u"a line is indented like none before it"_s);
        if (m_indents.back().second != m_plainColumn)
            return stop(State::Invalid, u"tabs and spaces are mixed"_s);
    }

    void checkTokens()
    {
        const Token &first = m_tokens.front();
        const Token &last = m_tokens.back();
        const bool soft = isOneOf(first.text, softKeywords);
        for (std::size_t i = 1; i < m_tokens.size(); ++i) {
            const Token &before = m_tokens[i - 1];
            const Token &token = m_tokens[i];
            const bool value = isOperand(before) || before.kind == Token::Kind::Close;
            const bool twoStrings = before.kind == Token::Kind::String && token.kind == Token::Kind::String;
            if (value && isOperand(token) && !twoStrings && !(i == 1 && soft))
                return stop(State::Invalid, u"two words stand side by side like in prose"_s);
        }
        if (!isNamedDefinition())
            return stop(State::Invalid, u"a definition has no name"_s);
        const bool block = isOneOf(first.text, blockKeywords) || first.text == u"with";
        const bool endsInColon = last.kind == Token::Kind::Operator && last.text == u":";
        m_opensBlock = false;
        if (block && (!soft || endsInColon)) {
            bool colon = false;
            for (const Token &token : m_tokens)
                colon |= token.kind == Token::Kind::Operator && token.text == u":" && token.depth == 0;
            if (!colon)
                return stop(m_atEnd ? State::Unfinished : State::Invalid, u"a colon is missing"_s);
            m_opensBlock = endsInColon;
            if (endsInColon)
                return;
        }
        const bool openOperator = last.kind == Token::Kind::Operator && last.text != u","
            && !(last.text == u"*" && first.text == u"from"); // from a import *
        const bool openKeyword = last.kind == Token::Kind::Keyword && !isOneOf(last.text, lastKeywords);
        if (openOperator || openKeyword)
            stop(m_atEnd ? State::Unfinished : State::Invalid, u"a statement has no end"_s);
    }

    /// Whether `def` and `class` are followed by a name, and the name by what may follow it, as far as the text goes.
    [[nodiscard]] bool isNamedDefinition() const
    {
        const std::size_t at = m_tokens.front().text == u"async" ? 1 : 0;
        if (m_tokens.size() < at + 2 || (m_tokens[at].text != u"def" && m_tokens[at].text != u"class"))
            return true;
        const Token &name = m_tokens[at + 1];
        if (name.kind != Token::Kind::Name || name.text == u"...")
            return false;
        if (m_tokens.size() == at + 2)
            return true;
        const QStringView after = m_tokens[at + 2].text;
        return after == u"(" || after == u"[" || (m_tokens[at].text == u"class" && after == u":");
    }

    /// Notes what a statement that is right says about names.
    void learn()
    {
        ++m_result.statements;
        const bool top = !inBlock();
        const Token &first = m_tokens.front();
        if (top && first.kind == Token::Kind::Operator && first.text == u"@") {
            closeFunction();
            m_decorated = true;
            // "@nki.jit", "@nki.jit(mode=…)": the last name before the call.
            for (std::size_t i = 1;
                i < m_tokens.size() && m_tokens[i].depth == 0 && m_tokens[i].kind != Token::Kind::Open; ++i)
                m_jit |= m_tokens[i].text == u"jit";
            learnNames();
            return;
        }
        if (top) {
            closeFunction();
            if (first.text == u"def" && m_tokens.size() > 1) {
                m_function = {m_tokens[1].text.toString(), m_statementLine, m_decorated && m_jit, true};
                m_inFunction = true;
                // A one-liner: "def kernel(a): return a".
                m_function.stub = m_opensBlock || m_tokens.back().text == u"pass" || m_tokens.back().text == u"...";
            }
            m_decorated = m_jit = false;
        } else if (m_inFunction) {
            const bool alone = m_tokens.size() == 1;
            const bool ellipsis = alone && first.text == u"...";
            const bool docstring = alone && first.kind == Token::Kind::String;
            const bool empty = ellipsis || docstring || (alone && first.text == u"pass")
                || (first.text == u"raise" && m_tokens.size() > 1 && m_tokens[1].text == u"NotImplementedError");
            m_ellipsis |= ellipsis;
            if (!empty)
                m_function.stub = false;
        }
        learnNames();
        if (first.text == u"from" && m_tokens.size() > 1 && m_tokens[1].text == u"__future__")
            m_result.futureLine = m_line;
    }

    void learnNames()
    {
        const Token &first = m_tokens.front();
        const bool import = first.text == u"import" || first.text == u"from";
        const bool definition = first.text == u"def";
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            const Token &token = m_tokens[i];
            if (token.kind != Token::Kind::Name)
                continue;
            const QStringView before = i > 0 ? m_tokens[i - 1].text : QStringView();
            const QStringView after = i + 1 < m_tokens.size() ? m_tokens[i + 1].text : QStringView();
            if (before == u".")
                continue;
            if (import) {
                // "import a.b" binds a; "import a.b as c" binds c; "from a import b as c" binds c.
                const bool bindsRoot = before == u"import" || before == u"," || before == u"(" || before == u"as";
                std::size_t end = i + 1; // after the dotted name
                while (end + 1 < m_tokens.size() && m_tokens[end].text == u".")
                    end += 2;
                const bool renamed = end < m_tokens.size() && m_tokens[end].text == u"as";
                if (bindsRoot && !renamed)
                    m_result.bound.insert(token.text.toString());
                continue;
            }
            if (after == u".")
                m_result.roots.insert(token.text.toString());
            const bool assigns = token.depth == 0 && (after == u"=" || (after == u":" && i == 0));
            if (assigns && !inBlock())
                m_result.assigned.insert(token.text.toString());
            const bool parameter =
                definition && token.depth == 1 && (before == u"(" || before == u"," || before == u"*");
            if (assigns || parameter || before == u"as" || before == u"for" || (definition && i == 1))
                m_result.bound.insert(token.text.toString());
        }
    }

    /// After checkIndentation a statement at column 0 leaves only the bottom of the stack.
    [[nodiscard]] bool inBlock() const { return m_indents.back().first > 0; }

    void closeFunction()
    {
        if (!m_inFunction)
            return;
        m_inFunction = false;
        m_function.stub |= m_ellipsis;
        m_ellipsis = false;
        m_result.functions.append(m_function);
    }

    QStringView m_source;
    qsizetype m_at = 0;
    int m_line = 1;
    int m_statementLine = 1;
    int m_column = 0, m_plainColumn = 0;
    bool m_atLineStart = true;
    bool m_sameLine = false;
    bool m_opensBlock = false;
    bool m_atEnd = false;
    bool m_decorated = false, m_jit = false;
    bool m_inFunction = false, m_ellipsis = false;
    PythonText::Function m_function;
    std::vector<QChar> m_brackets;
    std::vector<std::pair<int, int>> m_indents{{0, 0}};
    std::vector<Token> m_tokens;
    PythonText m_result;
};

} // namespace

bool PythonText::defines(const QString &name) const
{
    return assigned.contains(name) || function(name);
}

const PythonText::Function *PythonText::function(const QString &name) const
{
    for (qsizetype i = functions.size() - 1; i >= 0; --i) {
        if (functions.at(i).name == name)
            return &functions.at(i);
    }
    return nullptr;
}

PythonText PythonText::analyse(QStringView source)
{
    return Analyser(source).run();
}

} // namespace accelopt
