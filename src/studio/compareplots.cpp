// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/compareplots.h"

#include "domain/format.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

QFont smallFont()
{
    QFont font(Theme::instance()->sans());
    font.setPixelSize(Theme::instance()->scaled(11));
    return font;
}

constexpr double axisHeight = 18; ///< px below a plot, for its tick labels

/// A step of 1, 2 or 5 times a power of ten that gives about `parts` parts.
double niceStep(double span, int parts)
{
    const double raw = span / parts;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (raw <= factor * power)
            return factor * power;
    }
    return 10 * power;
}

void drawDiamond(QPainter *painter, QPointF at, double r)
{
    QPainterPath diamond;
    diamond.moveTo(at + QPointF(0, -r));
    diamond.lineTo(at + QPointF(r, 0));
    diamond.lineTo(at + QPointF(0, r));
    diamond.lineTo(at + QPointF(-r, 0));
    diamond.closeSubpath();
    painter->drawPath(diamond);
}

} // namespace

DiffRail::DiffRail(QQuickItem *parent)
    : ThemedItem(parent)
{
    setAcceptedMouseButtons(Qt::LeftButton);
    connect(this, &DiffRail::changed, this, [this] { update(); });
}

void DiffRail::setModel(DiffModel *model)
{
    if (m_model == model)
        return;
    m_model = model;
    if (model)
        connect(model, &DiffModel::layoutReset, this, [this] { update(); });
    Q_EMIT changed();
}

void DiffRail::paint(QPainter *painter)
{
    const Tokens &t = tokens();
    painter->fillRect(QRectF(0, 0, width(), height()), t.sunken);
    painter->fillRect(QRectF(0, 0, 1, height()), t.line);
    if (m_model && m_model->count() > 0) {
        const double step = height() / m_model->count();
        const double w = width() - 3;
        for (int i = 0; i < m_model->count(); ++i) {
            const DiffViewRow &view = m_model->rows()[i];
            const DiffRow &row = m_model->content().diff.rows[view.row];
            if (view.kind == DiffViewRow::Kind::Fold || row.kind == DiffRow::Kind::Same)
                continue;
            const double h = std::max(2.0, step);
            switch (row.kind) {
            case DiffRow::Kind::Removed:
                painter->fillRect(QRectF(2, i * step, w / 2, h), t.worse);
                break;
            case DiffRow::Kind::Added:
                painter->fillRect(QRectF(2 + w / 2, i * step, w / 2, h), t.better);
                break;
            default:
                painter->fillRect(QRectF(2, i * step, w, h), t.meterSpent);
                break;
            }
        }
    }
    if (m_viewSize < 1) {
        painter->setPen(QPen(t.lineStrong, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(
            QRectF(1.5, m_viewStart * height() + 0.5, width() - 2.5, std::max(8.0, m_viewSize * height() - 1)), 3, 3);
    }
}

void DiffRail::mousePressEvent(QMouseEvent *event)
{
    Q_EMIT jumped(std::clamp(event->position().y() / std::max(1.0, height()), 0.0, 1.0));
}

void DiffRail::mouseMoveEvent(QMouseEvent *event)
{
    mousePressEvent(event);
}

LatencyPlot::LatencyPlot(QQuickItem *parent)
    : ThemedItem(parent)
{
    connect(this, &LatencyPlot::changed, this, [this] { update(); });
}

void LatencyPlot::paint(QPainter *painter)
{
    if (m_a.size() != 3 && m_b.size() != 3)
        return;
    const Tokens &t = tokens();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(smallFont());
    const QFontMetricsF metrics(painter->font());
    double low = 1e300, high = 0;
    for (const QList<double> &side : {m_a, m_b}) {
        if (side.size() == 3) {
            low = std::min(low, side[0]);
            high = std::max(high, side[2]);
        }
    }
    const double pad = std::max((high - low) * 0.18, high * 0.03);
    const double left = 24, right = width() - 8, bottom = height() - axisHeight;
    // As many ticks as have room for their labels.
    double step = 0, first = 0, last = 0;
    for (int parts = 4; parts >= 1; --parts) {
        step = niceStep(high - low + 2 * pad, parts);
        first = std::max(0.0, std::floor((low - pad) / step) * step);
        last = std::ceil((high + pad) / step) * step;
        if ((last - first) / step * (metrics.horizontalAdvance(u"00.00 ms"_s) + 8) <= right - left)
            break;
    }
    low = first;
    high = last;
    const auto x = [&](double ms) { return left + (ms - low) / (high - low) * (right - left); };
    painter->setPen(QPen(t.line, 1));
    for (double tick = low; tick <= high + step / 2; tick += step) {
        painter->setPen(QPen(t.line, 1));
        painter->drawLine(QPointF(x(tick), 4), QPointF(x(tick), bottom));
        const QString label = QString::number(tick, 'f', step < 0.1 ? 2 : 1) + u" ms"_s;
        painter->setPen(t.text3);
        const double w = metrics.horizontalAdvance(label);
        painter->drawText(QPointF(std::clamp(x(tick) - w / 2, left - 10, right + 8 - w), height() - 3), label);
    }
    const auto drawSide = [&](const QList<double> &side, double y, const QString &letter, const QColor &ink,
                              bool estimate) {
        painter->setPen(t.text);
        painter->drawText(QPointF(4, y + 4), letter);
        painter->setPen(QPen(t.line, 1));
        painter->drawLine(QPointF(left, y), QPointF(right, y));
        if (side.size() != 3)
            return;
        const double from = x(side[0]), to = x(side[2]);
        QPen pen(estimate ? t.estimate : ink, 1.4);
        if (estimate)
            pen.setStyle(Qt::DashLine);
        painter->setPen(pen);
        painter->setBrush(t.panel);
        painter->drawRoundedRect(QRectF(from - 3, y - 7, std::max(6.0, to - from + 6), 14), 2, 2);
        painter->setPen(QPen(estimate ? t.estimate : ink, 2.2));
        painter->drawLine(QPointF(x(side[1]), y - 7), QPointF(x(side[1]), y + 7));
    };
    drawSide(m_a, rowCenter(0), u"A"_s, t.text, m_estimateA);
    drawSide(m_b, rowCenter(1), u"B"_s, t.accent, m_estimateB);
}

double LatencyPlot::rowCenter(int row) const
{
    const double rowHeight = (height() - axisHeight - 4) / 2;
    return 4 + rowHeight * (row + 0.5);
}

RooflinePlot::RooflinePlot(QQuickItem *parent)
    : ThemedItem(parent)
{
    connect(this, &RooflinePlot::changed, this, [this] { update(); });
}

void RooflinePlot::paint(QPainter *painter)
{
    if (m_bandwidth <= 0 || m_peakFlops <= 0)
        return;
    const Tokens &t = tokens();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(smallFont());
    const QFontMetricsF metrics(painter->font());

    const double ridge = m_peakFlops / m_bandwidth;
    double lowX = ridge / 4, highX = ridge * 8, lowY = m_peakFlops / 8;
    for (const QList<double> &side : {m_a, m_b}) {
        if (side.size() == 2 && side[0] > 0 && side[1] > 0) {
            lowX = std::min(lowX, side[0] / 2);
            highX = std::max(highX, side[0] * 2);
            lowY = std::min(lowY, side[1] / 2);
        }
    }
    const double highY = m_peakFlops * 1.8;
    const double left = 44, right = width() - 10, top = 8, bottom = height() - 20;
    const auto x = [&](double v) { return left + std::log(v / lowX) / std::log(highX / lowX) * (right - left); };
    const auto y = [&](double v) { return bottom - std::log(v / lowY) / std::log(highY / lowY) * (bottom - top); };

    // Powers of two below, of ten with 1-2-5 at the side; GFLOP/s.
    for (double v = std::exp2(std::ceil(std::log2(lowX))); v <= highX; v *= 2) {
        const QString label = QString::number(v);
        painter->setPen(t.text3);
        const double w = metrics.horizontalAdvance(label);
        if (std::fmod(std::round(std::log2(v)), (std::log2(highX / lowX) > 7) ? 2 : 1) == 0)
            painter->drawText(QPointF(x(v) - w / 2, height() - 4), label);
    }
    for (double decade = std::pow(10, std::floor(std::log10(lowY))); decade <= highY; decade *= 10) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double v = decade * factor;
            if (v < lowY || v > highY)
                continue;
            painter->setPen(QPen(t.line, 1));
            painter->drawLine(QPointF(left, y(v)), QPointF(right, y(v)));
            painter->setPen(t.text3);
            const QString label = QString::number(v / 1e9);
            painter->drawText(QPointF(left - 6 - metrics.horizontalAdvance(label), y(v) + 4), label);
        }
    }
    painter->setPen(QPen(t.text3, 1));
    painter->drawLine(QPointF(left, bottom), QPointF(right, bottom));

    painter->setPen(QPen(t.text, 1.5));
    QPainterPath roof;
    const double startX = std::max(lowX, lowY / m_bandwidth);
    roof.moveTo(x(startX), y(startX * m_bandwidth));
    roof.lineTo(x(ridge), y(m_peakFlops));
    roof.lineTo(right, y(m_peakFlops));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(roof);
    painter->setPen(t.text2);
    const QString name = u"%1 %2 GFLOP/s"_s.arg(m_peakName).arg(m_peakFlops / 1e9, 0, 'f', 0);
    painter->drawText(QPointF(std::max(left, right - metrics.horizontalAdvance(name)), y(m_peakFlops) - 5), name);
    const QString slope = u"%1 GB/s"_s.arg(m_bandwidth / 1e9, 0, 'f', 0);
    painter->drawText(QPointF(left + 4, top + 10), slope);

    const auto at = [&](const QList<double> &side) { return QPointF(x(side[0]), y(side[1])); };
    const bool hasA = m_a.size() == 2 && m_a[0] > 0 && m_a[1] > 0, hasB = m_b.size() == 2 && m_b[0] > 0 && m_b[1] > 0;
    if (hasA && hasB) {
        painter->setPen(QPen(t.text3, 1, Qt::DashLine));
        painter->drawLine(at(m_a), at(m_b));
    }
    if (hasA) {
        painter->setPen(QPen(t.text, 1.6));
        painter->setBrush(t.panel);
        painter->drawEllipse(at(m_a), 4.2, 4.2);
        painter->drawText(at(m_a) + QPointF(-16, 4), u"A"_s);
    }
    if (hasB) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(t.accent);
        drawDiamond(painter, at(m_b), 5.5);
        painter->setPen(t.accent);
        const QString label = u"B  %1 GFLOP/s"_s.arg(m_b[1] / 1e9, 0, 'f', 0);
        const double room = right - at(m_b).x() - 10;
        const double w = metrics.horizontalAdvance(label);
        painter->drawText(room > w ? at(m_b) + QPointF(10, 4) : at(m_b) + QPointF(-w - 10, -6), label);
    }
}

} // namespace accelopt
