// SPDX-License-Identifier: GPL-3.0-or-later
// The rules are told one by one in docs/reply-parsing.md.
#include "agents/agents.h"

#include "agents/pythontext.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <algorithm>
#include <vector>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype maxReply = 1024 * 1024; // UTF-16 units
constexpr qsizetype maxFences = 256; // the last ones are looked at
constexpr std::size_t maxClosers = 8; // of one opening fence
constexpr int maxHeads = 16; // beginnings tried where prose stands before the code
constexpr qsizetype maxAnalysed =
    32 * maxReply; // all tries together: bounds the time for hostile replies to about a second

struct Fence {
    qsizetype line;
    qsizetype indent;
    bool quoted; ///< inside a Markdown quotation
    QChar mark;
    qsizetype length;
    QString info;
};

/// A text that could be the kernel.
struct Candidate {
    int score = 0; ///< 0: not the kernel; 1: parts seem left out; 2: by another name; 3: as asked
    QString source;
    QStringList marks; ///< renamed, preamble, trimmed, dedented
};

/// What was seen on the way, for the error's sentence.
struct Signs {
    bool diff = false;
    bool stub = false;
    bool nul = false;
    bool unfinished = false;
    bool code = false;
    QString language;
    QStringList functions;
};

QString normalised(QString text)
{
    text.replace(u"\r\n"_s, u"\n"_s);
    text.replace(u'\r', u'\n');
    text.remove(QChar(0xFEFF)); // byte order marks, also in the middle where files were joined
    return text;
}

/// The answer without the reasoning that some endpoints leave in it; the reasoning is moved to `reasoning`.
QString withoutReasoning(const QString &text, QString *reasoning)
{
    static const QRegularExpression openTag(u"^\\s*<think(ing)?>"_s);
    static const QRegularExpression closeTag(u"</think(ing)?>"_s);
    qsizetype end = -1, length = 0;
    for (auto it = closeTag.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        end = match.capturedStart();
        length = match.capturedLength();
    }
    if (end >= 0) {
        *reasoning += text.left(end);
        return text.mid(end + length);
    }
    if (openTag.match(text).hasMatch()) {
        *reasoning += text;
        return {};
    }
    return text;
}

std::optional<Fence> readFence(const QString &line, qsizetype number)
{
    static const QRegularExpression pattern(u"^(\\s*)((?:>\\s?)*)(\\s*)(`{3,}|~{3,})\\s*(.*?)\\s*$"_s);
    if (line.size() > 400 || (!line.contains(u"```"_s) && !line.contains(u"~~~"_s)))
        return std::nullopt;
    const auto match = pattern.match(line);
    if (!match.hasMatch())
        return std::nullopt;
    const QString marks = match.captured(4), info = match.captured(5);
    if (info.contains(u'`'))
        return std::nullopt; // code inside a line
    return Fence{number, match.capturedLength(1) + match.capturedLength(3), !match.captured(2).isEmpty(), marks.at(0),
        marks.size(), info.toLower()};
}

qsizetype leadingSpaces(QStringView line)
{
    qsizetype count = 0;
    while (count < line.size() && (line[count] == u' ' || line[count] == u'\t'))
        ++count;
    return count;
}

bool looksLikeDiff(const QStringList &lines)
{
    int marks = 0, changed = 0;
    for (const QString &line : lines) {
        if (line.startsWith(u"@@ "_s) || line.startsWith(u"--- "_s) || line.startsWith(u"+++ "_s)
            || line.startsWith(u"<<<<<<< "_s) || line.startsWith(u">>>>>>> "_s) || line.startsWith(u"diff --git "_s))
            ++marks;
        else if (line.startsWith(u'+') || line.startsWith(u'-'))
            ++changed;
    }
    return marks >= 2 || (marks == 1 && changed > 0);
}

/// A line that code begins with; cutting there, or starting there, keeps whole statements.
bool beginsCode(const QString &line)
{
    static const QRegularExpression pattern(
        u"^(import |from \\S+ import|@|def |class |\"\"\"|'''|#!|[A-Za-z_]\\w*\\s*=[^=])"_s);
    return pattern.match(line).hasMatch();
}

bool isDefinition(const QString &line)
{
    static const QRegularExpression pattern(u"^(import |from \\S+ import|@|def |class )"_s);
    return pattern.match(line).hasMatch();
}

class Reader {
public:
    Reader(const QString &entry, bool cutOff)
        : m_entry(entry)
        , m_cutOff(cutOff)
        , m_definition(u"^(?:async +)?def +%1\\s*\\("_s.arg(QRegularExpression::escape(entry)),
              QRegularExpression::MultilineOption)
    {
    }

    ParsedKernel read(const QString &text, bool fencedOnly)
    {
        const QStringList lines = text.split(u'\n');
        std::vector<Fence> fences;
        for (qsizetype i = 0; i < lines.size(); ++i) {
            if (const auto fence = readFence(lines.at(i), i))
                fences.push_back(*fence);
        }
        if (qsizetype(fences.size()) > maxFences)
            fences.erase(fences.begin(), fences.end() - maxFences);

        if (const Candidate found = closedBlocks(lines, fences); found.score > 0)
            return taken(found, u"fenced-entry"_s);
        if (fencedOnly)
            return {};
        if (const Candidate found = json(text, lines, fences); found.score > 0)
            return taken(found, u"json"_s);
        std::size_t opened = 0;
        for (std::size_t k = fences.size(); k-- > 0 && opened < maxClosers;) {
            if (m_paired[k])
                continue;
            ++opened;
            const Candidate found = judge(content(lines, fences[k], lines.size()), true, m_cutOff);
            if (found.score > 0)
                return taken(found, u"unclosed-fence"_s);
        }
        if (const Candidate found = judge(lines, true, m_cutOff); found.score > 0)
            return taken(found, u"no-fence"_s);
        if (!m_invalid.isEmpty() && !m_cutOff)
            return taken({1, m_invalid, {}}, u"fenced-invalid"_s);
        return {};
    }

    [[nodiscard]] const Signs &signs() const { return m_signs; }

private:
    static QStringList content(const QStringList &lines, const Fence &fence, qsizetype end)
    {
        QStringList block;
        block.reserve(end - fence.line);
        for (qsizetype i = fence.line + 1; i < end; ++i) {
            QStringView line = lines.at(i);
            if (fence.quoted) {
                const QStringView inner = line.trimmed();
                if (inner.startsWith(u'>')) {
                    line = inner.sliced(1);
                    if (line.startsWith(u' '))
                        line = line.sliced(1);
                }
            }
            block.append(line.sliced(std::min(fence.indent, leadingSpaces(line))).toString());
        }
        return block;
    }

    /// Pairs the fences. A block ends at the first fence that can close it, unless it then ends inside a string or a
    /// bracket (a fence inside a docstring): then at the next one.
    Candidate closedBlocks(const QStringList &lines, const std::vector<Fence> &fences)
    {
        Candidate best;
        m_paired.assign(fences.size(), false);
        for (std::size_t i = 0; i < fences.size(); ++i) {
            std::size_t first = 0, end = 0; // 0: none
            for (std::size_t j = i + 1, closers = 0; j < fences.size() && closers < maxClosers; ++j) {
                if (!fences[j].info.isEmpty() || fences[j].mark != fences[i].mark
                    || fences[j].length < fences[i].length)
                    continue;
                ++closers;
                const QStringList block = content(lines, fences[i], fences[j].line);
                const bool plain = j == i + 1; // no other fence in it
                const Candidate candidate = judge(block, plain, false);
                if (closers == 1) {
                    first = j;
                    noteBlock(fences[i].info, block);
                }
                if (candidate.score > 0) {
                    end = j;
                    if (candidate.score >= best.score)
                        best = candidate;
                }
                if (candidate.score > 0 || m_lastState != PythonText::State::Unfinished)
                    break;
            }
            if (end == 0 && first == i + 1)
                end = first; // a plain block that is no kernel
            if (end == 0)
                continue; // the fences in it are looked at one by one
            m_paired[i] = m_paired[end] = true;
            i = end;
        }
        return best;
    }

    /// Some endpoints force answers into JSON: {"code": "import …"}.
    Candidate json(const QString &text, const QStringList &lines, const std::vector<Fence> &fences)
    {
        QStringList texts{text.trimmed()};
        for (std::size_t i = 0; i + 1 < fences.size(); ++i)
            texts.append(content(lines, fences[i], fences[i + 1].line).join(u'\n').trimmed());
        for (const QString &each : texts) {
            if (!each.startsWith(u'{') || !each.contains(m_entry))
                continue;
            const QJsonObject object = QJsonDocument::fromJson(each.toUtf8()).object();
            for (const QJsonValue &value : object) {
                const QString inner = normalised(value.toString());
                if (!inner.contains(u"def "_s))
                    continue;
                Reader nested(m_entry, false); // a fenced block inside the string
                if (const ParsedKernel kernel = nested.read(inner, true); !kernel.source.isEmpty())
                    return {3, QString::fromUtf8(kernel.source), {}};
                const Candidate whole = judge(inner.split(u'\n'), true, false);
                if (whole.score > 0)
                    return whole;
            }
        }
        return {};
    }

    /// `trim`: prose before and after the code may be cut. `tail`: the text ends where the reply was cut off, so that
    /// only code with something after it is whole.
    Candidate judge(QStringList lines, bool trim, bool tail)
    {
        Candidate candidate;
        m_lastState = PythonText::State::Complete;
        if (lines.join(QString()).contains(QChar(0))) {
            m_signs.nul = true;
            return candidate;
        }
        dedent(lines, candidate);
        qsizetype begin = 0;
        for (int tries = 0; tries < maxHeads; ++tries) {
            const QString text = lines.sliced(begin).join(u'\n');
            if (!text.contains(u"def "_s) || !spend(text.size()))
                return candidate;
            const PythonText python = PythonText::analyse(text);
            m_lastState = python.state;
            if (python.state == PythonText::State::Complete) {
                if (!tail)
                    accept(candidate, text, python);
                else if (python.defines(m_entry))
                    m_signs.unfinished = true;
                return candidate;
            }
            const qsizetype wrong = begin + std::max(0, python.line - 1);
            const QString &line = lines.at(std::min(wrong, lines.size() - 1));
            const bool inside = !line.isEmpty() && leadingSpaces(line) > 0;
            const bool known =
                python.defines(m_entry) || (!python.functions.isEmpty() && python.functions.constLast().jit);
            if (python.state == PythonText::State::Unfinished && (known || inside || isDefinition(line)))
                m_signs.unfinished = true;
            if (looksLikeDiff(lines))
                m_signs.diff = true;
            if (!trim || inside || isDefinition(line))
                return candidate;
            if (known && wrong > begin) { // prose after the code
                const QString head = lines.sliced(begin, wrong - begin).join(u'\n');
                if (!spend(head.size()))
                    return candidate;
                const PythonText whole = PythonText::analyse(head);
                if (whole.state == PythonText::State::Complete && (whole.defines(m_entry) || canRename(whole))) {
                    mark(candidate, u"trimmed"_s);
                    accept(candidate, head, whole);
                    return candidate;
                }
            }
            qsizetype next = wrong + 1; // prose before the code
            while (next < lines.size() && !beginsCode(lines.at(next)))
                ++next;
            if (next >= lines.size())
                return candidate;
            begin = next;
            mark(candidate, u"trimmed"_s);
        }
        return candidate;
    }

    static void mark(Candidate &candidate, const QString &what)
    {
        if (!candidate.marks.contains(what))
            candidate.marks.append(what);
    }

    static void dedent(QStringList &lines, Candidate &candidate)
    {
        qsizetype common = -1;
        bool first = true;
        for (const QString &line : lines) {
            if (line.trimmed().isEmpty())
                continue;
            const qsizetype spaces = leadingSpaces(line);
            if (first && spaces == 0)
                return;
            first = false;
            common = common < 0 ? spaces : std::min(common, spaces);
        }
        if (common <= 0)
            return;
        for (QString &line : lines)
            line.remove(0, std::min(common, leadingSpaces(line)));
        candidate.marks.append(u"dedented"_s);
    }

    bool canRename(const PythonText &python) const
    {
        return std::ranges::count_if(python.functions, &PythonText::Function::jit) == 1;
    }

    void accept(Candidate &candidate, const QString &text, const PythonText &python)
    {
        m_signs.code |= python.statements > 0;
        for (const auto &function : python.functions) {
            if (!m_signs.functions.contains(function.name) && m_signs.functions.size() < 5)
                m_signs.functions.append(function.name);
        }
        QString source = text;
        if (python.defines(m_entry)) {
            const PythonText::Function *function = python.function(m_entry);
            if (function && function->stub && !python.assigned.contains(m_entry)) {
                m_signs.stub = true;
                return;
            }
            candidate.score = python.elided ? 1 : 3;
        } else if (canRename(python)) {
            const auto function = std::ranges::find_if(python.functions, &PythonText::Function::jit);
            if (function->stub) {
                m_signs.stub = true;
                return;
            }
            withoutTail(source); // its beginning stays: python.futureLine counts from there
            source += u"\n\n\n%1 = %2\n"_s.arg(m_entry, function->name);
            candidate.score = python.elided ? 1 : 2;
            candidate.marks.append(u"renamed"_s);
        } else {
            return;
        }
        addImports(candidate, source, python);
        candidate.source = source;
    }

    /// The usual imports, where their names are used and nothing in the text binds them.
    static void addImports(Candidate &candidate, QString &source, const PythonText &python)
    {
        static const std::pair<QString, QString> usual[] = {
            {u"nki"_s, u"import neuronxcc.nki as nki\n"_s},
            {u"nl"_s, u"import neuronxcc.nki.language as nl\n"_s},
            {u"nisa"_s, u"import neuronxcc.nki.isa as nisa\n"_s},
            {u"nt"_s, u"import neuronxcc.nki.typing as nt\n"_s},
            {u"np"_s, u"import numpy as np\n"_s},
            {u"math"_s, u"import math\n"_s},
        };
        QString preamble;
        for (const auto &[name, line] : usual) {
            if (python.roots.contains(name) && !python.bound.contains(name))
                preamble += line;
        }
        if (preamble.isEmpty())
            return;
        qsizetype at = 0;
        for (int i = 0; i < python.futureLine && at >= 0; ++i)
            at = source.indexOf(u'\n', at) + 1;
        source.insert(at, at == 0 ? preamble + u'\n' : preamble);
        candidate.marks.append(u"preamble"_s);
    }

    bool spend(qsizetype characters)
    {
        m_analysed += characters;
        return m_analysed <= maxAnalysed;
    }

    /// What a closed block that is not the kernel says about the reply.
    void noteBlock(const QString &info, const QStringList &block)
    {
        static const QMap<QString, QString> languages{{u"c"_s, u"C"_s}, {u"cpp"_s, u"C++"_s}, {u"c++"_s, u"C++"_s},
            {u"cuda"_s, u"CUDA"_s}, {u"rust"_s, u"Rust"_s}, {u"bash"_s, u"a shell script"_s},
            {u"sh"_s, u"a shell script"_s}, {u"javascript"_s, u"JavaScript"_s}, {u"java"_s, u"Java"_s},
            {u"go"_s, u"Go"_s}, {u"mlir"_s, u"MLIR"_s}};
        const QString word = info.section(u' ', 0, 0);
        if (languages.contains(word))
            m_signs.language = languages.value(word);
        m_signs.code = true;
        const QString text = block.join(u'\n');
        if (word == u"diff"_s || word == u"patch"_s || looksLikeDiff(block)) {
            m_signs.diff = true;
            return;
        }
        if (!text.contains(QChar(0)) && m_definition.match(text).hasMatch() && spend(text.size())
            && PythonText::analyse(text).state == PythonText::State::Invalid)
            m_invalid = text;
    }

    static void withoutTail(QString &source)
    {
        while (!source.isEmpty() && source.back().isSpace())
            source.chop(1);
    }

    static ParsedKernel taken(const Candidate &candidate, const QString &rule)
    {
        QString source = candidate.source;
        qsizetype begin = 0; // blank lines before the first one that is not
        for (qsizetype i = 0; i < source.size() && source.at(i).isSpace(); ++i) {
            if (source.at(i) == u'\n')
                begin = i + 1;
        }
        source = source.mid(begin);
        withoutTail(source);
        // A line that goes on into a blank one: Python wants that one to be there.
        source += source.endsWith(u'\\') ? u"\n\n"_s : u"\n"_s;
        ParsedKernel kernel;
        kernel.source = source.toUtf8();
        kernel.rule = rule;
        for (const QString &mark : candidate.marks)
            kernel.rule += u'+' + mark;
        return kernel;
    }

    QString m_entry;
    bool m_cutOff;
    QRegularExpression m_definition;
    Signs m_signs;
    QString m_invalid; ///< the last closed block that defines the entry but is no Python: the evaluation says where it
                       ///< is wrong
    qsizetype m_analysed = 0;
    std::vector<bool> m_paired; ///< by fence: opens or closes a block
    PythonText::State m_lastState = PythonText::State::Complete; ///< of the last text that was judged
};

ParsedKernel refused(ErrorKind kind, const QString &id, const QString &message)
{
    ParsedKernel kernel;
    kernel.error.kind = kind;
    kernel.error.id = id;
    kernel.error.message = message;
    return kernel;
}

} // namespace

ParsedKernel parseKernelReply(const Completion &completion, const QString &entry)
{
    const bool cutOff = completion.finishReason == u"length"_s || completion.finishReason == u"max_tokens"_s;
    const qint64 billed = completion.usage.outputTokens;
    if (completion.text.size() > maxReply)
        return refused(ErrorKind::Reply, u"too-long"_s, u"The reply is longer than 1 MiB; it was not read."_s);

    QString reasoning = normalised(completion.reasoning.left(maxReply));
    const QString answer = withoutReasoning(normalised(completion.text), &reasoning);
    if (answer.trimmed().isEmpty()) {
        Reader reader(entry, cutOff);
        if (ParsedKernel kernel = reader.read(reasoning, true); !kernel.source.isEmpty()) {
            kernel.rule.prepend(u"reasoning:"_s);
            return kernel;
        }
        if (cutOff)
            return refused(ErrorKind::Truncated, u"reasoning-only"_s,
                billed > 0 ? u"All %1 output tokens went into reasoning before a kernel was written."_s.arg(billed)
                           : u"The reply was cut off before a kernel was written."_s);
        if (billed > 0)
            return refused(ErrorKind::Reply, u"empty-billed"_s,
                u"The reply is empty although %1 output tokens were billed."_s.arg(billed));
        return refused(ErrorKind::Reply, u"empty"_s, u"The reply is empty."_s);
    }

    Reader reader(entry, cutOff);
    if (ParsedKernel kernel = reader.read(answer, false); !kernel.source.isEmpty())
        return kernel;

    const Signs &signs = reader.signs();
    if (cutOff)
        return refused(ErrorKind::Truncated, u"length"_s,
            u"The reply was cut off at the output limit before the kernel was complete."_s);
    if (signs.nul)
        return refused(ErrorKind::Reply, u"nul"_s, u"The code in the reply holds a NUL byte."_s);
    if (signs.diff)
        return refused(ErrorKind::Reply, u"diff"_s, u"The reply holds a diff instead of the whole kernel."_s);
    if (signs.unfinished)
        return refused(
            ErrorKind::Truncated, u"unfinished"_s, u"The kernel in the reply ends in the middle of a statement."_s);
    if (signs.stub)
        return refused(
            ErrorKind::Reply, u"sketch"_s, u"The reply only sketches `%1`: its body is left out."_s.arg(entry));
    if (!signs.functions.isEmpty())
        return refused(ErrorKind::Reply, u"entry"_s,
            u"The code in the reply defines %1, but no `%2`."_s.arg(signs.functions.join(u", "_s), entry));
    if (!signs.language.isEmpty())
        return refused(ErrorKind::Reply, u"language"_s,
            u"The code in the reply is %1, not a Python kernel."_s.arg(signs.language));
    if (signs.code)
        return refused(ErrorKind::Reply, u"entry"_s, u"The code in the reply does not define `%1`."_s.arg(entry));
    return refused(ErrorKind::Reply, u"no-code"_s, u"The reply holds no code."_s);
}

} // namespace accelopt
