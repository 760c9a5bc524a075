// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/linediff.h"
#include "studio/sourcehighlight.h"

#include <QAbstractListModel>
#include <QSet>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// Both sides of a comparison, aligned and coloured; made on a worker, immutable.
struct DiffContent {
    LineDiff diff;
    QList<CodeLine> leftColours, rightColours;
};

/// One row of the view: a row of the diff (unified: one that is the same on both sides), a fold, or one side of a
/// changed pair.
struct DiffViewRow {
    enum class Kind { Line, Fold, Left, Right };
    Kind kind = Kind::Line;
    int row = 0; ///< row of the diff; of a fold: its first
    int length = 1; ///< rows a fold hides
    bool operator==(const DiffViewRow &) const = default;
};

/// Rows of the side-by-side or unified view. Unchanged runs of more than 8 lines fold to one row that names the
/// enclosing function; pure.
[[nodiscard]] QList<DiffViewRow> layoutDiff(
    const LineDiff &diff, bool unified, bool wholeFile, const QSet<int> &opened);

/// The aligned rows of two kernels for one ListView: both columns of a row are drawn together, so they scroll as one.
class DiffModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("ComparePage.diff")
    Q_PROPERTY(int count READ count NOTIFY layoutReset)
    Q_PROPERTY(int changes READ changes NOTIFY layoutReset)
    Q_PROPERTY(bool unified READ unified WRITE setUnified NOTIFY optionsChanged)
    Q_PROPERTY(bool wholeFile READ wholeFile WRITE setWholeFile NOTIFY optionsChanged)
    Q_PROPERTY(int longestLine READ longestLine NOTIFY layoutReset) ///< characters as drawn
    Q_PROPERTY(int lines READ lines NOTIFY layoutReset) ///< of the longer side
    Q_PROPERTY(int added READ added NOTIFY layoutReset)
    Q_PROPERTY(int removed READ removed NOTIFY layoutReset)
public:
    enum Role {
        KindRole = Qt::UserRole,
        LeftNumberRole,
        RightNumberRole,
        LeftCodeRole,
        RightCodeRole,
        LeftGroundRole,
        RightGroundRole,
        LeftSignRole,
        RightSignRole,
        LeftPlainRole,
        RightPlainRole,
        FoldTextRole,
        FoldPlaceRole,
        SpokenRole
    };

    explicit DiffModel(QObject *parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    void setContent(const DiffContent &content);
    [[nodiscard]] const DiffContent &content() const { return m_content; }
    [[nodiscard]] const QList<DiffViewRow> &rows() const { return m_rows; }
    [[nodiscard]] int count() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] int changes() const { return static_cast<int>(m_content.diff.changes.size()); }
    [[nodiscard]] int added() const { return m_content.diff.added(); }
    [[nodiscard]] int removed() const { return m_content.diff.removed(); }
    [[nodiscard]] int longestLine() const { return m_longest; }
    [[nodiscard]] int lines() const
    {
        return static_cast<int>(std::max(m_content.diff.left.size(), m_content.diff.right.size()));
    }
    [[nodiscard]] bool unified() const { return m_unified; }
    void setUnified(bool unified);
    [[nodiscard]] bool wholeFile() const { return m_wholeFile; }
    void setWholeFile(bool whole);

    Q_INVOKABLE void openFold(int viewRow);
    /// View row of change `n` (0-based); -1 outside.
    [[nodiscard]] Q_INVOKABLE int rowOfChange(int n) const;
    /// 0-based change at or before a view row; -1 before the first.
    [[nodiscard]] Q_INVOKABLE int changeAt(int viewRow) const;
    /// The row of the diff a view row shows (a fold: its first), and the view row that shows a row of the diff: to
    /// keep the place when the layout changes. -1 outside.
    [[nodiscard]] Q_INVOKABLE int diffRowAt(int viewRow) const;
    [[nodiscard]] Q_INVOKABLE int viewRowOf(int diffRow) const;
    [[nodiscard]] Q_INVOKABLE QString sideText(bool right) const; ///< one whole kernel
    [[nodiscard]] Q_INVOKABLE QString changeText(int n, bool right) const; ///< the lines of one change on one side

Q_SIGNALS:
    void layoutReset();
    void optionsChanged();

private:
    void relayout();
    [[nodiscard]] CodeText code(const DiffRow &row, bool right) const;
    [[nodiscard]] QString spoken(const DiffViewRow &view) const;

    DiffContent m_content;
    QList<DiffViewRow> m_rows;
    QSet<int> m_opened; ///< first diff rows of opened folds
    int m_longest = 0;
    bool m_unified = false, m_wholeFile = false;
};

} // namespace accelopt
