// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/diffmodel.h"

#include "studio/coderow.h"

#include <algorithm>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int longestUnfolded = 8;
constexpr int context = 3; ///< lines kept on each side of a change

/// "def kernel(delta, u, A, B, C):" above a line, for the head of a fold.
QString enclosingFunction(const QStringList &lines, int line)
{
    for (int i = std::min(line, static_cast<int>(lines.size()) - 1); i >= 0; --i) {
        const QString trimmed = lines[i].trimmed();
        if (trimmed.startsWith(u"def "_s) || trimmed.startsWith(u"class "_s))
            return trimmed.left(100);
    }
    return {};
}

/// Characters a line takes when it is drawn, without making it.
int drawnLength(const QString &line)
{
    int length = 0;
    for (const QChar c : line)
        length += c == u'\t' ? tabWidth - length % tabWidth : 1;
    return std::min(length, longestDrawnLine + 1);
}

} // namespace

QList<DiffViewRow> layoutDiff(const LineDiff &diff, bool unified, bool wholeFile, const QSet<int> &opened)
{
    QList<DiffViewRow> rows;
    const int n = static_cast<int>(diff.rows.size());
    for (int i = 0; i < n;) {
        if (diff.rows[i].kind == DiffRow::Kind::Same) {
            int end = i;
            while (end < n && diff.rows[end].kind == DiffRow::Kind::Same)
                ++end;
            // The ends of the file need no context on their outer side.
            const int first = i == 0 ? i : std::min(end, i + context);
            const int last = end == n ? end : std::max(first, end - context);
            const bool fold =
                !wholeFile && end - i > longestUnfolded && last - first > 1 && !opened.contains(first) && n > end - i;
            for (; i < end; ++i) {
                if (fold && i == first) {
                    rows.append({DiffViewRow::Kind::Fold, first, last - first});
                    i = last - 1;
                } else {
                    rows.append({DiffViewRow::Kind::Line, i});
                }
            }
            continue;
        }
        if (!unified) {
            rows.append({DiffViewRow::Kind::Line, i++});
            continue;
        }
        // Unified: the block's left lines, then its right ones.
        int end = i;
        while (end < n && diff.rows[end].kind != DiffRow::Kind::Same)
            ++end;
        for (int row = i; row < end; ++row) {
            if (diff.rows[row].left >= 0)
                rows.append({DiffViewRow::Kind::Left, row});
        }
        for (int row = i; row < end; ++row) {
            if (diff.rows[row].right >= 0)
                rows.append({DiffViewRow::Kind::Right, row});
        }
        i = end;
    }
    return rows;
}

DiffModel::DiffModel(QObject *parent)
    : QAbstractListModel(parent)
{
}

int DiffModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

CodeText DiffModel::code(const DiffRow &row, bool right) const
{
    const int line = right ? row.right : row.left;
    if (line < 0)
        return {};
    QList<CodeMark> marks;
    for (const DiffMark &mark : right ? row.rightMarks : row.leftMarks)
        marks.append({mark.start, mark.length});
    return codeText(right ? m_content.diff.right[line] : m_content.diff.left[line],
        (right ? m_content.rightColours : m_content.leftColours).value(line), marks);
}

QString DiffModel::spoken(const DiffViewRow &view) const
{
    const DiffRow &row = m_content.diff.rows[view.row];
    const auto line = [this](int at, bool right) {
        return u"%1: %2"_s.arg(at + 1).arg((right ? m_content.diff.right : m_content.diff.left)[at].trimmed());
    };
    if (row.kind == DiffRow::Kind::Same)
        return line(row.right, true);
    const bool left = view.kind != DiffViewRow::Kind::Right && row.left >= 0;
    const bool right = view.kind != DiffViewRow::Kind::Left && row.right >= 0;
    if (left && right)
        return tr("changed from line %1 to line %2").arg(line(row.left, false), line(row.right, true));
    return left ? tr("removed line %1").arg(line(row.left, false)) : tr("added line %1").arg(line(row.right, true));
}

QVariant DiffModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const DiffViewRow &view = m_rows[index.row()];
    const DiffRow &row = m_content.diff.rows[view.row];
    const bool fold = view.kind == DiffViewRow::Kind::Fold;
    const bool showLeft = !fold && view.kind != DiffViewRow::Kind::Right;
    const bool showRight = !fold && view.kind != DiffViewRow::Kind::Left;
    const bool changed = row.kind != DiffRow::Kind::Same;
    switch (role) {
    case KindRole:
        if (fold)
            return u"fold"_s;
        switch (row.kind) {
        case DiffRow::Kind::Same:
            return u"same"_s;
        case DiffRow::Kind::Changed:
            return u"changed"_s;
        case DiffRow::Kind::Removed:
            return u"removed"_s;
        case DiffRow::Kind::Added:
            return u"added"_s;
        }
        return {};
    case LeftNumberRole:
        return showLeft && row.left >= 0 ? row.left + 1 : 0;
    case RightNumberRole:
        return showRight && row.right >= 0 ? row.right + 1 : 0;
    case LeftCodeRole:
        return QVariant::fromValue(showLeft ? code(row, false) : CodeText());
    case RightCodeRole:
        return QVariant::fromValue(showRight ? code(row, true) : CodeText());
    case LeftGroundRole:
        return fold || !changed ? QString() : showLeft && row.left >= 0 ? u"removed"_s : u"filler"_s;
    case RightGroundRole:
        return fold || !changed ? QString() : showRight && row.right >= 0 ? u"added"_s : u"filler"_s;
    case LeftSignRole:
        return !showLeft || row.left < 0 ? QString()
            : changed                    ? QString(QChar(0x2212))
            : row.spaceOnly              ? u"·"_s
                                         : QString();
    case RightSignRole:
        return !showRight || row.right < 0 ? QString() : changed ? u"+"_s : row.spaceOnly ? u"·"_s : QString();
    case LeftPlainRole:
        return showLeft && row.left >= 0 ? m_content.diff.left[row.left] : QString();
    case RightPlainRole:
    case Qt::DisplayRole:
        return showRight && row.right >= 0 ? m_content.diff.right[row.right] : QString();
    case FoldTextRole:
        if (!fold)
            return QString();
        return view.length == 1 ? tr("1 unchanged line") : tr("%1 unchanged lines").arg(view.length);
    case FoldPlaceRole:
        // What the folded lines lead up to: the function the next shown line stands in.
        return fold ? enclosingFunction(m_content.diff.right, m_content.diff.rows[view.row + view.length - 1].right)
                    : QString();
    case SpokenRole:
        return fold ? data(index, FoldTextRole) : spoken(view);
    default:
        return {};
    }
}

QHash<int, QByteArray> DiffModel::roleNames() const
{
    return {{Qt::DisplayRole, "display"}, {KindRole, "kind"}, {LeftNumberRole, "leftNumber"},
        {RightNumberRole, "rightNumber"}, {LeftCodeRole, "leftCode"}, {RightCodeRole, "rightCode"},
        {LeftGroundRole, "leftGround"}, {RightGroundRole, "rightGround"}, {LeftSignRole, "leftSign"},
        {RightSignRole, "rightSign"}, {LeftPlainRole, "leftPlain"}, {RightPlainRole, "rightPlain"},
        {FoldTextRole, "foldText"}, {FoldPlaceRole, "foldPlace"}, {SpokenRole, "spoken"}};
}

void DiffModel::setContent(const DiffContent &content)
{
    m_content = content;
    m_opened.clear();
    m_longest = 0;
    for (const QStringList &side : {m_content.diff.left, m_content.diff.right}) {
        for (const QString &line : side)
            m_longest = std::max(m_longest, drawnLength(line));
    }
    relayout();
}

void DiffModel::setUnified(bool unified)
{
    if (m_unified == unified)
        return;
    m_unified = unified;
    Q_EMIT optionsChanged();
    relayout();
}

void DiffModel::setWholeFile(bool whole)
{
    if (m_wholeFile == whole)
        return;
    m_wholeFile = whole;
    m_opened.clear();
    Q_EMIT optionsChanged();
    relayout();
}

void DiffModel::relayout()
{
    beginResetModel(); // rows of another layout are other rows
    m_rows = layoutDiff(m_content.diff, m_unified, m_wholeFile, m_opened);
    endResetModel();
    Q_EMIT layoutReset();
}

void DiffModel::openFold(int viewRow)
{
    if (viewRow < 0 || viewRow >= count() || m_rows[viewRow].kind != DiffViewRow::Kind::Fold)
        return;
    const DiffViewRow fold = m_rows[viewRow];
    m_opened.insert(fold.row);
    // One row goes, its lines come: the view keeps its place.
    beginRemoveRows({}, viewRow, viewRow);
    m_rows.removeAt(viewRow);
    endRemoveRows();
    beginInsertRows({}, viewRow, viewRow + fold.length - 1);
    for (int i = 0; i < fold.length; ++i)
        m_rows.insert(viewRow + i, {DiffViewRow::Kind::Line, fold.row + i});
    endInsertRows();
    Q_EMIT layoutReset();
}

int DiffModel::viewRowOf(int diffRow) const
{
    if (diffRow < 0 || m_rows.isEmpty())
        return -1;
    // Unified, a block's right lines stand below all its left ones: the first view row of a block is its first left
    // one.
    for (int i = 0; i < count(); ++i) {
        const DiffViewRow &view = m_rows[i];
        if (view.row <= diffRow && diffRow < view.row + view.length)
            return i;
    }
    return diffRow < m_content.diff.rows.size() ? count() - 1 : -1;
}

int DiffModel::diffRowAt(int viewRow) const
{
    return viewRow >= 0 && viewRow < count() ? m_rows[viewRow].row : -1;
}

int DiffModel::rowOfChange(int n) const
{
    if (n < 0 || n >= changes())
        return -1;
    // Rows of a change are never folded. A block of added lines alone has no left rows, so its first row is a right
    // one.
    const int target = m_content.diff.changes[n];
    for (int i = 0; i < count(); ++i) {
        if (m_rows[i].kind != DiffViewRow::Kind::Fold && m_rows[i].row >= target)
            return i;
    }
    return -1;
}

int DiffModel::changeAt(int viewRow) const
{
    if (viewRow < 0 || m_rows.isEmpty())
        return -1;
    const int row = m_rows[std::min(viewRow, count() - 1)].row;
    const auto after = std::ranges::upper_bound(m_content.diff.changes, row);
    return static_cast<int>(after - m_content.diff.changes.begin()) - 1;
}

QString DiffModel::changeText(int n, bool right) const
{
    QStringList lines;
    const QList<DiffRow> &rows = m_content.diff.rows;
    if (n >= 0 && n < changes()) {
        for (qsizetype i = m_content.diff.changes[n]; i < rows.size() && rows[i].kind != DiffRow::Kind::Same; ++i) {
            if (const int line = right ? rows[i].right : rows[i].left; line >= 0)
                lines.append((right ? m_content.diff.right : m_content.diff.left)[line]);
        }
    }
    return lines.isEmpty() ? QString() : lines.join(u'\n') + u'\n';
}

QString DiffModel::sideText(bool right) const
{
    const QStringList &lines = right ? m_content.diff.right : m_content.diff.left;
    return lines.isEmpty() ? QString() : lines.join(u'\n') + u'\n';
}

} // namespace accelopt
