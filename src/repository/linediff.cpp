// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/linediff.h"

#include <QHash>
#include <algorithm>
#include <git2.h>
#include <vector>

namespace accelopt {

namespace {

/// Lines of one side with less in common than this are one removed and one added line.
constexpr double pairingThreshold = 0.6;
/// Above so many pairs in one block, lines are paired in order: nobody reads a block of thousands of lines pair by
/// pair.
constexpr qsizetype largestPairingTable = 200 * 200;
/// Longer lines get no marks.
constexpr std::size_t mostTokens = 400;

QStringList splitLines(const QByteArray &source)
{
    QString text = QString::fromUtf8(source);
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    QStringList lines = text.split(u'\n');
    if (lines.size() > 1 && lines.last().isEmpty())
        lines.removeLast();
    if (source.isEmpty())
        lines.clear();
    return lines;
}

struct Token {
    int start, length;
    QStringView text;
    bool isSpace;
};

std::vector<Token> tokenize(QStringView line)
{
    const auto kindOf = [](QChar c) { return c.isSpace() ? 0 : c.isLetterOrNumber() || c == u'_' ? 1 : 2; };
    std::vector<Token> tokens;
    for (qsizetype i = 0; i < line.size();) {
        const int kind = kindOf(line[i]);
        qsizetype end = i + 1;
        // Punctuation stands alone: "](" changes one sign at a time.
        while (kind != 2 && end < line.size() && kindOf(line[end]) == kind)
            ++end;
        tokens.push_back({static_cast<int>(i), static_cast<int>(end - i), line.mid(i, end - i), kind == 0});
        i = end;
    }
    return tokens;
}

/// Dice coefficient over the tokens that are no space, weighted by their length.
double similarity(const std::vector<Token> &left, const std::vector<Token> &right)
{
    QHash<QStringView, int> bag;
    qsizetype total = 0, common = 0;
    for (const Token &token : left) {
        if (!token.isSpace) {
            ++bag[token.text];
            total += token.length;
        }
    }
    for (const Token &token : right) {
        if (token.isSpace)
            continue;
        total += token.length;
        if (const auto it = bag.find(token.text); it != bag.end() && it.value() > 0) {
            --it.value();
            common += token.length;
        }
    }
    return total > 0 ? 2.0 * static_cast<double>(common) / static_cast<double>(total) : 0;
}

void appendMark(QList<DiffMark> &marks, const Token &token)
{
    if (!marks.isEmpty() && marks.last().start + marks.last().length == token.start)
        marks.last().length += token.length;
    else
        marks.append({token.start, token.length});
}

/// White space at the ends of a mark says nothing.
void trimMarks(QList<DiffMark> &marks, const QString &line)
{
    for (DiffMark &mark : marks) {
        while (mark.length > 0 && line[mark.start].isSpace()) {
            ++mark.start;
            --mark.length;
        }
        while (mark.length > 0 && line[mark.start + mark.length - 1].isSpace())
            --mark.length;
    }
    marks.removeIf([](const DiffMark &mark) { return mark.length == 0; });
}

/// Marks the tokens outside the longest common subsequence.
void markWords(DiffRow &row, const QString &leftLine, const QString &rightLine, const std::vector<Token> &left,
    const std::vector<Token> &right)
{
    const std::size_t n = left.size(), m = right.size();
    if (n > mostTokens || m > mostTokens)
        return;
    std::vector<int> table((n + 1) * (m + 1), 0);
    const auto at = [&table, m](std::size_t i, std::size_t j) -> int & { return table[i * (m + 1) + j]; };
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = m; j-- > 0;)
            at(i, j) = left[i].text == right[j].text ? at(i + 1, j + 1) + left[i].length
                                                     : std::max(at(i + 1, j), at(i, j + 1));
    }
    std::size_t i = 0, j = 0;
    while (i < n || j < m) {
        if (i < n && j < m && left[i].text == right[j].text && at(i, j) == at(i + 1, j + 1) + left[i].length) {
            ++i;
            ++j;
        } else if (j == m || (i < n && at(i + 1, j) >= at(i, j + 1))) {
            appendMark(row.leftMarks, left[i++]);
        } else {
            appendMark(row.rightMarks, right[j++]);
        }
    }
    trimMarks(row.leftMarks, leftLine);
    trimMarks(row.rightMarks, rightLine);
}

class Builder {
public:
    Builder(LineDiff &diff, bool ignoreSpace)
        : m_diff(diff)
        , m_ignoreSpace(ignoreSpace)
    {
    }

    void same(int left, int right)
    {
        // Blank lines are no anchors: kept back until it is known whether a change goes on behind them.
        if (m_blockOpen && m_diff.left[left].trimmed().isEmpty() && m_diff.right[right].trimmed().isEmpty()) {
            m_blanks.append({left, right});
            return;
        }
        closeBlock();
        emitSame(left, right);
    }
    void removed(int left)
    {
        openBlock();
        m_removed.append(left);
    }
    void added(int right)
    {
        openBlock();
        m_added.append(right);
    }
    void closeBlock()
    {
        if (m_blockOpen) {
            m_diff.changes.append(static_cast<int>(m_diff.rows.size()));
            emitBlock();
            m_removed.clear();
            m_added.clear();
            m_blockOpen = false;
        }
        for (const auto &[left, right] : std::as_const(m_blanks))
            emitSame(left, right);
        m_blanks.clear();
    }

private:
    void openBlock()
    {
        for (const auto &[left, right] : std::as_const(m_blanks)) {
            m_removed.append(left);
            m_added.append(right);
        }
        m_blanks.clear();
        m_blockOpen = true;
    }
    void emitSame(int left, int right)
    {
        DiffRow row{DiffRow::Kind::Same, left, right};
        row.spaceOnly = m_ignoreSpace && m_diff.left[left] != m_diff.right[right];
        m_diff.rows.append(row);
    }
    void emitPair(int left, int right, const std::vector<Token> &leftTokens, const std::vector<Token> &rightTokens)
    {
        if (m_diff.left[left] == m_diff.right[right]) {
            emitSame(left, right);
            return;
        }
        DiffRow row{DiffRow::Kind::Changed, left, right};
        markWords(row, m_diff.left[left], m_diff.right[right], leftTokens, rightTokens);
        m_diff.rows.append(row);
    }
    /// Best monotone pairing of the block's removed and added lines by similarity (Needleman-Wunsch without gap cost).
    void emitBlock()
    {
        const qsizetype n = m_removed.size(), m = m_added.size();
        std::vector<std::vector<Token>> left, right;
        for (const int line : std::as_const(m_removed))
            left.push_back(tokenize(m_diff.left[line]));
        for (const int line : std::as_const(m_added))
            right.push_back(tokenize(m_diff.right[line]));

        std::vector<double> score, like;
        const bool pairing = n > 0 && m > 0 && n * m <= largestPairingTable;
        const auto cell = [m](qsizetype i, qsizetype j) { return static_cast<std::size_t>(i * (m + 1) + j); };
        if (pairing) {
            score.assign(static_cast<std::size_t>((n + 1) * (m + 1)), 0);
            like.assign(score.size(), 0);
            for (qsizetype i = n; i-- > 0;) {
                for (qsizetype j = m; j-- > 0;) {
                    const double s = similarity(left[static_cast<std::size_t>(i)], right[static_cast<std::size_t>(j)]);
                    like[cell(i, j)] = s;
                    const double paired = s >= pairingThreshold ? score[cell(i + 1, j + 1)] + s : 0;
                    score[cell(i, j)] = std::max({paired, score[cell(i + 1, j)], score[cell(i, j + 1)]});
                }
            }
        }
        qsizetype i = 0, j = 0;
        while (i < n || j < m) {
            const bool paired = pairing && i < n && j < m && like[cell(i, j)] >= pairingThreshold
                && score[cell(i, j)] == score[cell(i + 1, j + 1)] + like[cell(i, j)];
            if (paired) {
                emitPair(
                    m_removed[i], m_added[j], left[static_cast<std::size_t>(i)], right[static_cast<std::size_t>(j)]);
                ++i;
                ++j;
            } else if (i < n && (j == m || !pairing || score[cell(i, j)] == score[cell(i + 1, j)])) {
                m_diff.rows.append({DiffRow::Kind::Removed, m_removed[i++], -1});
            } else {
                m_diff.rows.append({DiffRow::Kind::Added, -1, m_added[j++]});
            }
        }
    }

    LineDiff &m_diff;
    bool m_ignoreSpace;
    bool m_blockOpen = false;
    QList<int> m_removed, m_added;
    QList<std::pair<int, int>> m_blanks;
};

} // namespace

int LineDiff::added() const
{
    return static_cast<int>(std::ranges::count_if(rows,
        [](const DiffRow &row) { return row.kind == DiffRow::Kind::Added || row.kind == DiffRow::Kind::Changed; }));
}

int LineDiff::removed() const
{
    return static_cast<int>(std::ranges::count_if(rows,
        [](const DiffRow &row) { return row.kind == DiffRow::Kind::Removed || row.kind == DiffRow::Kind::Changed; }));
}

LineDiff diffLines(const QByteArray &leftSource, const QByteArray &rightSource, bool ignoreSpace)
{
    LineDiff diff;
    diff.left = splitLines(leftSource);
    diff.right = splitLines(rightSource);
    Builder builder(diff, ignoreSpace);

    // Both sides as libgit2 sees them: the same lines, each with an end.
    const QByteArray left = diff.left.isEmpty() ? QByteArray() : diff.left.join(u'\n').toUtf8() + '\n';
    const QByteArray right = diff.right.isEmpty() ? QByteArray() : diff.right.join(u'\n').toUtf8() + '\n';

    git_libgit2_init();
    git_diff_options options = GIT_DIFF_OPTIONS_INIT;
    options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC
        | (ignoreSpace ? static_cast<uint32_t>(GIT_DIFF_IGNORE_WHITESPACE) : 0U);
    options.context_lines = 0;
    git_patch *patch = nullptr;
    int i = 0, j = 0; // the next line of each side that has no row
    const auto catchUp = [&](int leftEnd, int rightEnd) {
        while (i < leftEnd && j < rightEnd)
            builder.same(i++, j++);
    };
    if (git_patch_from_buffers(&patch, left.constData(), static_cast<size_t>(left.size()), nullptr, right.constData(),
            static_cast<size_t>(right.size()), nullptr, &options)
        == 0) {
        for (size_t h = 0; h < git_patch_num_hunks(patch); ++h) {
            const git_diff_hunk *hunk = nullptr;
            size_t lines = 0;
            git_patch_get_hunk(&hunk, &lines, patch, h);
            for (size_t l = 0; l < lines; ++l) {
                const git_diff_line *line = nullptr;
                git_patch_get_line_in_hunk(&line, patch, h, l);
                if (line->origin == GIT_DIFF_LINE_DELETION) {
                    // What stands before a removed line on the left is the same on the right, line by line.
                    catchUp(line->old_lineno - 1, static_cast<int>(diff.right.size()));
                    builder.removed(i++);
                } else if (line->origin == GIT_DIFF_LINE_ADDITION) {
                    catchUp(static_cast<int>(diff.left.size()), line->new_lineno - 1);
                    builder.added(j++);
                }
            }
        }
        git_patch_free(patch);
    }
    catchUp(static_cast<int>(diff.left.size()), static_cast<int>(diff.right.size()));
    builder.closeBlock();
    git_libgit2_shutdown();
    return diff;
}

} // namespace accelopt
