// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/coderow.h"

#include <QFontMetricsF>
#include <QPainter>
#include <cmath>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double edge = 8; ///< px before the number and after the text
constexpr double signWidth = 18;
constexpr double gap = 14; ///< between number and text where there is no sign

QColor groundColor(const Tokens &t, const QString &ground)
{
    if (ground == "added"_L1)
        return t.diffAdded;
    if (ground == "removed"_L1)
        return t.diffRemoved;
    if (ground == "filler"_L1)
        return t.diffFiller;
    if (ground == "error"_L1)
        return t.failedGround;
    return ground == "sunken"_L1 ? t.sunken : t.panel;
}

/// Diagonals 6 px apart; `phase` is the item's place, so that the lines of one row go on in the next.
void hatch(QPainter *painter, const QSizeF &size, double phase, const QColor &color)
{
    constexpr double period = 6;
    painter->save();
    painter->setClipRect(QRectF({}, size));
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color, 1));
    const double first = -std::fmod(phase, period) - period;
    for (double x = first; x < size.width() + size.height(); x += period)
        painter->drawLine(QPointF(x, 0), QPointF(x - size.height(), size.height()));
    painter->restore();
}

} // namespace

CodeRow::CodeRow(QQuickItem *parent)
    : ThemedItem(parent)
{
    setOpaquePainting(true);
    setImplicitHeight(lineHeight());
    connect(Theme::instance(), &Theme::changed, this, &CodeRow::relayout); // text size, colours
}

CodeRow::~CodeRow() = default;

void CodeRow::setCode(const QVariant &code)
{
    set(m_code, code.value<CodeText>());
}

QFont CodeRow::font() const
{
    return Theme::instance()->monoFont(m_fontSize);
}

double CodeRow::lineHeight() const
{
    return Theme::instance()->scaled(m_fontSize < 12 ? 17 : 18);
}

double CodeRow::characterWidth() const
{
    return QFontMetricsF(font()).horizontalAdvance(u'm');
}

double CodeRow::textLeft() const
{
    if (m_digits <= 0)
        return edge;
    const double column = edge + m_digits * characterWidth();
    return column + (m_secondNumber >= 0 ? column : 0) + (m_signColumn ? signWidth : gap);
}

void CodeRow::relayout()
{
    m_layout.reset();
    if (m_wrap && width() > 0) {
        lay();
        setImplicitHeight(std::max(1, m_layout->lineCount()) * lineHeight());
    } else {
        setImplicitHeight(lineHeight());
    }
    Q_EMIT changed();
    update();
}

void CodeRow::geometryChange(const QRectF &now, const QRectF &before)
{
    ThemedItem::geometryChange(now, before);
    if (now.width() != before.width() && m_wrap)
        relayout();
}

void CodeRow::lay()
{
    const Tokens &t = tokens();
    m_layout = std::make_unique<QTextLayout>(m_code.text, font());
    QTextOption option;
    option.setWrapMode(m_wrap ? QTextOption::WrapAnywhere : QTextOption::NoWrap);
    option.setTextDirection(Qt::LeftToRight);
    m_layout->setTextOption(option);
    m_layout->setCacheEnabled(true);
    QList<QTextLayout::FormatRange> formats;
    const auto add = [&formats](int start, int length, const QColor &color) {
        QTextLayout::FormatRange range;
        range.start = start;
        range.length = length;
        range.format.setForeground(color);
        formats.append(range);
    };
    for (const CodeSpan &span : std::as_const(m_code.spans))
        add(span.start, span.length, codeColor(t, span.kind));
    for (const CodeMark &mark : std::as_const(m_code.marks))
        add(mark.start, mark.length, t.text); // later formats win: inside a mark all is in the text colour
    m_layout->setFormats(formats);
    const double room = std::max(characterWidth() * 8, width() - textLeft() - edge);
    double y = 0;
    m_layout->beginLayout();
    for (QTextLine line = m_layout->createLine(); line.isValid(); line = m_layout->createLine()) {
        line.setLineWidth(m_wrap ? room : 1e7);
        line.setPosition({0, y + (lineHeight() - line.height()) / 2});
        y += lineHeight();
    }
    m_layout->endLayout();
}

void CodeRow::paint(QPainter *painter)
{
    const Tokens &t = tokens();
    painter->fillRect(QRectF(0, 0, width(), height()), groundColor(t, m_ground));
    if (m_ground == "filler"_L1) {
        hatch(painter, size(), m_phase, t.line);
        return;
    }
    const QFont numbers = Theme::instance()->font(11);
    const double column = edge + m_digits * characterWidth();
    painter->setFont(numbers);
    painter->setPen(m_ground == "added"_L1 || m_ground == "removed"_L1 ? t.text2 : t.text3);
    const auto drawNumber = [&](double right, int number) {
        if (number > 0)
            painter->drawText(
                QRectF(0, 0, right, lineHeight()), Qt::AlignRight | Qt::AlignVCenter, QString::number(number));
    };
    if (m_digits > 0) {
        drawNumber(column, m_number);
        if (m_secondNumber >= 0)
            drawNumber(2 * column, m_secondNumber);
    }
    if (!m_sign.isEmpty() && m_signColumn) {
        painter->setFont(Theme::instance()->font(12, QFont::DemiBold));
        painter->setPen(m_ground == "added"_L1 ? t.better : m_ground == "removed"_L1 ? t.worse : t.text3);
        painter->drawText(QRectF(textLeft() - signWidth, 0, signWidth - 2, lineHeight()), Qt::AlignCenter, m_sign);
    }
    if (!m_bar.isEmpty()) {
        const QColor color = m_bar == "current"_L1 ? t.accent
            : m_bar == "error"_L1                  ? t.failed
            : m_bar == "slower"_L1                 ? t.worse
                                                   : t.better;
        painter->fillRect(QRectF(0, 0, 3, height()), color);
    }
    if (m_code.text.isEmpty())
        return;
    if (!m_layout)
        lay();
    painter->setClipRect(QRectF(textLeft() - 2, 0, std::max(0.0, width() - textLeft() + 2), height()));
    const QPointF origin(textLeft() - (m_wrap ? 0 : m_offset), 0);
    const bool removed = m_ground == "removed"_L1;
    for (const CodeMark &mark : std::as_const(m_code.marks)) {
        for (int i = 0; i < m_layout->lineCount(); ++i) {
            const QTextLine line = m_layout->lineAt(i);
            const int from = std::max(mark.start, line.textStart());
            const int to = std::min(mark.start + mark.length, line.textStart() + line.textLength());
            if (from >= to)
                continue;
            const double left = origin.x() + line.cursorToX(from), right = origin.x() + line.cursorToX(to);
            const double top = i * lineHeight();
            painter->fillRect(
                QRectF(left, top + 1, right - left, lineHeight() - 2), removed ? t.diffRemovedMark : t.diffAddedMark);
            painter->fillRect(QRectF(left, top + lineHeight() - 2.5, right - left, 1.5), removed ? t.worse : t.better);
        }
    }
    painter->setPen(t.text);
    m_layout->draw(painter, origin);
}

} // namespace accelopt
