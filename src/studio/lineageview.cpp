// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/lineageview.h"

#include "domain/format.h"
#include "studio/session.h"

#include <QCursor>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr double sideMargin = 26, topMargin = 28, bottomMargin = 24, radius = 4.5;
}

LineageView::LineageView(QQuickItem *parent)
    : ThemedItem(parent)
{
    setAcceptHoverEvents(true);
    setAcceptedMouseButtons(Qt::LeftButton);
    setFlag(ItemIsFocusScope, false);
    setActiveFocusOnTab(true);
    m_timer.setSingleShot(true);
    m_timer.setInterval(60);
    connect(&m_timer, &QTimer::timeout, this, &LineageView::read);
    const auto later = [this] {
        if (!m_timer.isActive())
            m_timer.start();
    };
    connect(this, &LineageView::inputChanged, this, later);
    connect(Session::instance(), &Session::journalChanged, this, later);
    connect(Session::instance(), &Session::snapshotChanged, this, later);
    connect(this, &QQuickItem::activeFocusChanged, this, [this] { update(); });
}

void LineageView::setSelected(qlonglong id)
{
    if (m_selected == id)
        return;
    m_selected = id;
    Q_EMIT inputChanged();
}

QString LineageView::summary() const
{
    int failed = 0;
    for (const LineageNode &node : m_lineage.nodes)
        failed += node.mark == LineageNode::Mark::Failed ? 1 : 0;
    return tr("Lineage of %n attempt(s) in %1 iterations, %2 failed", nullptr, static_cast<int>(m_lineage.nodes.size()))
        .arg(std::max(0, m_lineage.columns - 1))
        .arg(failed);
}

void LineageView::setLineage(const Lineage &lineage)
{
    m_lineage = lineage;
    Q_EMIT lineageChanged();
    update();
}

void LineageView::read()
{
    Session *session = Session::instance();
    if (!session->hasProject() || session->run() == 0 || m_problem.isEmpty()) {
        setLineage({});
        return;
    }
    session->query(
        this, u"lineage"_s,
        [run = session->run(), problem = m_problem, selected = m_selected, showFailed = m_showFailed](
            ReadContext &context) -> Result<Lineage> {
            const auto reader = context.reader();
            if (!reader)
                return std::unexpected(reader.error());
            AttemptFilter filter;
            filter.run = run;
            filter.problem = problem;
            const auto attempts = (*reader)->attempts(filter);
            const auto beams = (*reader)->beams(run, problem);
            if (!attempts || !beams)
                return std::unexpected(attempts ? beams.error() : attempts.error());
            QSet<qint64> inBeam;
            for (const BeamPlace &place : *beams)
                inBeam.insert(place.attempt);
            return layoutLineage(*attempts, inBeam, selected, showFailed);
        },
        [this](const Result<Lineage> &lineage) {
            if (lineage)
                setLineage(*lineage);
        });
}

QPointF LineageView::place(const LineageNode &node) const
{
    const double columnStep = m_lineage.columns > 1 ? (width() - 2 * sideMargin) / (m_lineage.columns - 1) : 0;
    const double rowStep = m_lineage.rows > 1 ? (height() - topMargin - bottomMargin) / (m_lineage.rows - 1) : 0;
    const double y = m_lineage.rows > 1 ? topMargin + node.row * rowStep : (height() - bottomMargin) / 2;
    return {sideMargin + node.column * columnStep, y};
}

void LineageView::drawNode(QPainter *painter, const LineageNode &node) const
{
    using Mark = LineageNode::Mark;
    const Tokens &t = tokens();
    const QPointF at = place(node);
    const QColor ink = node.onPath ? t.accent : t.text2;
    const QPen line(ink, 1.6);
    painter->setPen(line);
    painter->setBrush(Qt::NoBrush);
    switch (node.mark) {
    case Mark::Beam:
        painter->setPen(Qt::NoPen);
        painter->setBrush(ink);
        painter->drawEllipse(at, radius, radius);
        break;
    case Mark::Correct:
    case Mark::Pending:
        painter->setPen(QPen(node.mark == Mark::Pending ? t.text3 : ink, node.mark == Mark::Pending ? 1.0 : 1.6));
        painter->setBrush(t.panel);
        painter->drawEllipse(at, radius, radius);
        break;
    case Mark::Slower: {
        painter->setBrush(t.panel);
        painter->drawEllipse(at, radius, radius);
        QPainterPath triangle;
        triangle.moveTo(at + QPointF(-2.4, -1.4));
        triangle.lineTo(at + QPointF(2.4, -1.4));
        triangle.lineTo(at + QPointF(0, 2.4));
        triangle.closeSubpath();
        painter->fillPath(triangle, t.worse);
        break;
    }
    case Mark::Failed:
        painter->setPen(QPen(t.failed, 1.4));
        painter->drawLine(at + QPointF(-3, -3), at + QPointF(3, 3));
        painter->drawLine(at + QPointF(-3, 3), at + QPointF(3, -3));
        break;
    case Mark::Quarantined: {
        QPainterPath shield;
        shield.moveTo(at + QPointF(-4, -4.4));
        shield.lineTo(at + QPointF(4, -4.4));
        shield.lineTo(at + QPointF(4, 0.6));
        shield.quadTo(at + QPointF(3.4, 3.6), at + QPointF(0, 5.2));
        shield.quadTo(at + QPointF(-3.4, 3.6), at + QPointF(-4, 0.6));
        shield.closeSubpath();
        painter->setPen(QPen(t.quarantined, 1.4));
        painter->setBrush(t.panel);
        painter->drawPath(shield);
        break;
    }
    case Mark::Estimate: {
        QPainterPath diamond;
        diamond.moveTo(at + QPointF(0, -5));
        diamond.lineTo(at + QPointF(5, 0));
        diamond.lineTo(at + QPointF(0, 5));
        diamond.lineTo(at + QPointF(-5, 0));
        diamond.closeSubpath();
        painter->setPen(QPen(t.estimate, 1.5));
        painter->setBrush(t.panel);
        painter->drawPath(diamond);
        break;
    }
    }
    if (node.id == m_selected) {
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(t.accent, 1.8));
        painter->drawEllipse(at, radius + 3, radius + 3);
    }
}

void LineageView::paint(QPainter *painter)
{
    const Tokens &t = tokens();
    painter->setRenderHint(QPainter::Antialiasing);
    QFont font(Theme::instance()->sans());
    font.setPixelSize(Theme::instance()->scaled(11));
    painter->setFont(font);
    const QFontMetricsF metrics(font);

    // Columns, every second or fifth label where they come close.
    const double columnStep = m_lineage.columns > 1 ? (width() - 2 * sideMargin) / (m_lineage.columns - 1) : width();
    const int every = columnStep > 24 ? 1 : columnStep > 12 ? 2 : 5;
    int selectedColumn = -1;
    for (const LineageNode &node : m_lineage.nodes) {
        if (node.id == m_selected)
            selectedColumn = node.column;
    }
    for (int column = 0; column < m_lineage.columns; ++column) {
        const double x = sideMargin + column * (m_lineage.columns > 1 ? columnStep : 0);
        painter->setPen(QPen(t.line, 1));
        painter->drawLine(QPointF(x, 4), QPointF(x, height() - bottomMargin + 4));
        if (column % every != 0 && column != selectedColumn)
            continue;
        painter->setPen(column == selectedColumn ? t.text : t.text3);
        const QString label = column == 0 ? tr("base") : QString::number(column);
        painter->drawText(QPointF(x - metrics.horizontalAdvance(label) / 2, height() - 6), label);
    }

    QHash<qint64, const LineageNode *> byId;
    for (const LineageNode &node : m_lineage.nodes)
        byId.insert(node.id, &node);
    for (const bool onPath : {false, true}) {
        for (const LineageNode &node : m_lineage.nodes) {
            const LineageNode *parent = byId.value(node.parent);
            if (!parent || (node.onPath && parent->onPath) != onPath)
                continue;
            const QPointF from = place(*parent), to = place(node);
            QPainterPath curve(from);
            const double middle = (from.x() + to.x()) / 2;
            curve.cubicTo(QPointF(middle, from.y()), QPointF(middle, to.y()), to);
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(onPath ? t.accent : t.seriesMuted, onPath ? 2.2 : 1.0));
            painter->drawPath(curve);
        }
    }
    for (const LineageNode &node : m_lineage.nodes)
        drawNode(painter, node);

    // The steps that gained along the path, and the selection.
    double last = 1;
    font.setWeight(QFont::Medium);
    painter->setFont(font);
    const QFontMetricsF mediumMetrics(font);
    for (const LineageNode &node : m_lineage.nodes) {
        if (!node.onPath || node.speedup <= 0 || (node.speedup < last * 1.005 && node.id != m_selected)
            || node.column == 0)
            continue;
        last = std::max(last, node.speedup);
        const QString label = format::speedup(node.speedup);
        const double w = mediumMetrics.horizontalAdvance(label) + 6;
        const QPointF at = place(node);
        const QRectF ground(
            std::clamp(at.x() - w / 2, 0.0, std::max(0.0, width() - w)), std::max(0.0, at.y() - 22), w, 14);
        QColor veil = t.panel;
        veil.setAlphaF(0.8F);
        painter->fillRect(ground, veil);
        painter->setPen(t.accent);
        painter->drawText(ground, Qt::AlignCenter, label);
    }
    if (hasActiveFocus()) {
        painter->setPen(QPen(t.focus, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(1, 1, width() - 2, height() - 2), 4, 4);
    }
}

qlonglong LineageView::nodeAt(double x, double y) const
{
    constexpr double reach = 12;
    qint64 best = 0;
    double distance = reach;
    for (const LineageNode &node : m_lineage.nodes) {
        const QPointF at = place(node);
        if (const double away = std::hypot(at.x() - x, at.y() - y); away < distance) {
            distance = away;
            best = node.id;
        }
    }
    return best;
}

qlonglong LineageView::neighbour(const QString &direction) const
{
    const LineageNode *here = nullptr;
    for (const LineageNode &node : m_lineage.nodes) {
        if (node.id == m_selected)
            here = &node;
    }
    if (!here)
        return m_lineage.nodes.isEmpty() ? 0 : m_lineage.nodes.first().id;
    if (direction == u"left"_s)
        return here->parent;
    const LineageNode *best = nullptr;
    for (const LineageNode &node : m_lineage.nodes) {
        if (direction == u"right"_s) {
            if (node.parent == here->id && (!best || node.speedup > best->speedup))
                best = &node;
        } else if (node.column == here->column && node.id != here->id) {
            const bool up = direction == u"up"_s;
            if ((up ? node.row < here->row : node.row > here->row)
                && (!best || std::abs(node.row - here->row) < std::abs(best->row - here->row)))
                best = &node;
        }
    }
    return best ? best->id : 0;
}

void LineageView::hoverMoveEvent(QHoverEvent *event)
{
    const qint64 id = nodeAt(event->position().x(), event->position().y());
    QString text;
    for (const LineageNode &node : m_lineage.nodes) {
        if (node.id == id)
            text = node.speedup > 0 ? node.name + u", "_s + format::speedup(node.speedup) : node.name;
    }
    if (text != m_hoverText) {
        m_hoverText = text;
        setCursor(QCursor(id != 0 ? Qt::PointingHandCursor : Qt::ArrowCursor));
        Q_EMIT hoverChanged();
    }
}

void LineageView::hoverLeaveEvent(QHoverEvent *)
{
    if (!m_hoverText.isEmpty()) {
        m_hoverText.clear();
        Q_EMIT hoverChanged();
    }
}

void LineageView::mousePressEvent(QMouseEvent *event)
{
    forceActiveFocus(Qt::MouseFocusReason);
    if (const qint64 id = nodeAt(event->position().x(), event->position().y()); id != 0)
        Q_EMIT chosen(id);
}

void LineageView::keyPressEvent(QKeyEvent *event)
{
    qint64 to = 0;
    switch (event->key()) {
    case Qt::Key_Left:
        to = neighbour(u"left"_s);
        break;
    case Qt::Key_Right:
        to = neighbour(u"right"_s);
        break;
    case Qt::Key_Up:
        to = neighbour(u"up"_s);
        break;
    case Qt::Key_Down:
        to = neighbour(u"down"_s);
        break;
    default:
        event->ignore();
        return;
    }
    if (to != 0)
        Q_EMIT chosen(to);
}

} // namespace accelopt
