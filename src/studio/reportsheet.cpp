// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/reportsheet.h"

#include "studio/theme.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextTable>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

void dressTable(QTextTable &table, const Theme &theme)
{
    const Tokens &t = theme.tokens();
    QTextTableFormat format = table.format();
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(t.line);
    format.setCellSpacing(0);
    format.setCellPadding(0);
    format.setBorderCollapse(true);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    format.setTopMargin(theme.scaled(6));
    format.setBottomMargin(theme.scaled(12));
    table.setFormat(format);
    for (int row = 0; row < table.rows(); ++row) {
        for (int column = 0; column < table.columns(); ++column) {
            QTextTableCell cell = table.cellAt(row, column);
            QTextTableCellFormat cellFormat = cell.format().toTableCellFormat();
            cellFormat.setTopPadding(theme.scaled(3));
            cellFormat.setBottomPadding(theme.scaled(3));
            cellFormat.setLeftPadding(theme.scaled(6));
            cellFormat.setRightPadding(theme.scaled(6));
            cell.setFormat(cellFormat);
            QTextCursor cursor = cell.firstCursorPosition();
            cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor::KeepAnchor);
            QTextCharFormat text;
            text.setFont(theme.font(11, row == 0 ? QFont::Medium : QFont::Normal));
            text.setForeground(row == 0 ? t.text2 : t.text);
            cursor.mergeCharFormat(text);
            QTextBlockFormat block;
            // Numbers, names and commits are never broken; sentences are.
            constexpr int longestWhole = 28;
            block.setNonBreakableLines(cell.lastPosition() - cell.firstPosition() <= longestWhole);
            // Heads stand over their column.
            if (row == 0 && table.rows() > 1)
                block.setAlignment(table.cellAt(1, column).firstCursorPosition().blockFormat().alignment());
            cursor.mergeBlockFormat(block);
        }
    }
}

void dressBlock(const QTextBlock &block, const Theme &theme)
{
    const Tokens &t = theme.tokens();
    QTextCursor cursor(block);
    cursor.select(QTextCursor::BlockUnderCursor);
    QTextBlockFormat format = block.blockFormat();
    QTextCharFormat text;
    if (const int level = format.headingLevel(); level > 0) {
        QFont font = theme.font(level == 1 ? 22 : level == 2 ? 16 : 13, QFont::DemiBold);
        text.setFont(font);
        text.setForeground(t.text);
        format.setTopMargin(theme.scaled(level == 1 ? 0 : level == 2 ? 22 : 14));
        format.setBottomMargin(theme.scaled(level == 1 ? 6 : 4));
    } else if (format.hasProperty(QTextFormat::BlockCodeFence)) {
        text.setFont(theme.monoFont(11));
        const bool diff = format.stringProperty(QTextFormat::BlockCodeLanguage) == u"diff"_s;
        const QString line = block.text();
        const bool head = line.startsWith(u"+++"_s) || line.startsWith(u"---"_s);
        const bool added = diff && !head && line.startsWith(u'+'), removed = diff && !head && line.startsWith(u'-');
        format.setBackground(added ? t.diffAdded : removed ? t.diffRemoved : t.sunken);
        text.setForeground(diff && (head || line.startsWith(u"@@"_s)) ? t.text3 : t.text);
        format.setLeftMargin(0);
        format.setTopMargin(0);
        format.setBottomMargin(0);
    } else {
        text.setForeground(format.hasProperty(QTextFormat::BlockQuoteLevel) ? t.estimate : t.text2);
        format.setTopMargin(0);
        format.setBottomMargin(theme.scaled(6));
        format.setLineHeight(130, QTextBlockFormat::ProportionalHeight);
    }
    cursor.setBlockFormat(format);
    cursor.mergeCharFormat(text);
}

void dressFrame(QTextFrame &frame, const Theme &theme)
{
    for (auto it = frame.begin(); !it.atEnd(); ++it) {
        if (QTextFrame *child = it.currentFrame()) {
            if (auto *table = qobject_cast<QTextTable *>(child))
                dressTable(*table, theme);
            else
                dressFrame(*child, theme);
        } else if (it.currentBlock().isValid()) {
            dressBlock(it.currentBlock(), theme);
        }
    }
}

} // namespace

void dressReport(QTextDocument &document, const QString &markdown)
{
    const Theme &theme = *Theme::instance();
    document.setUndoRedoEnabled(false);
    document.setDefaultFont(theme.font(12));
    document.setDocumentMargin(0);
    document.setMarkdown(markdown,
        QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub | QTextDocument::MarkdownNoHTML));
    QTextCursor edit(&document);
    edit.beginEditBlock(); // one new layout, not one for each block
    dressFrame(*document.rootFrame(), theme);
    edit.endEditBlock();
}

} // namespace accelopt
