// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/bars.h"

#include <QPainter>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

QColor meaningColor(const Tokens &t, const QString &meaning)
{
    if (meaning == "better"_L1)
        return t.better;
    if (meaning == "worse"_L1)
        return t.worse;
    if (meaning == "neutral"_L1)
        return t.neutral;
    if (meaning == "failed"_L1)
        return t.failed;
    if (meaning == "quarantined"_L1)
        return t.quarantined;
    if (meaning == "estimate"_L1)
        return t.estimate;
    if (meaning == "working"_L1)
        return t.accent;
    if (meaning == "track"_L1)
        return t.barTrack;
    return t.text;
}

void fillBarred(QPainter *painter, const QRectF &rect, const QColor &color, const QColor &ground)
{
    painter->fillRect(rect, ground);
    for (double x = rect.left(); x < rect.right() - 0.5; x += 4)
        painter->fillRect(QRectF(x, rect.top(), std::min(3.0, rect.right() - x), rect.height()), color);
}

ThemedItem::ThemedItem(QQuickItem *parent)
    : QQuickPaintedItem(parent)
{
    setAntialiasing(true);
    connect(Theme::instance(), &Theme::changed, this, [this] { update(); });
}

PeakBar::PeakBar(QQuickItem *parent)
    : ThemedItem(parent)
{
    setImplicitSize(120, 16);
    connect(this, &PeakBar::changed, this, [this] { update(); });
}

void PeakBar::paint(QPainter *painter)
{
    const Tokens &t = tokens();
    painter->setRenderHint(QPainter::Antialiasing, false);
    const double h = m_barHeight > 0 ? m_barHeight : std::round(8 * Theme::instance()->scale());
    const double y = std::round((height() - h) / 2);
    const double top = std::max(0.0, y - 4);
    const double tickHeight = std::min(height(), y + h + 4) - top;
    // The scale ends at the peak, or at a best above it.
    const double ceiling = std::max(1.0, m_best * 1.02);
    const double w = width() - 2;
    const auto at = [&](double fraction) { return std::round(std::clamp(fraction / ceiling, 0.0, 1.0) * w); };
    painter->fillRect(QRectF(0, y, w, h), t.barTrack);
    if (m_mono) {
        painter->fillRect(QRectF(0, y, at(m_best), h), t.meterSpent);
    } else {
        painter->fillRect(QRectF(0, y, at(std::min(m_baseline, m_best > 0 ? m_best : m_baseline)), h), t.barBase);
        if (m_best > m_baseline) {
            const QRectF gain(at(m_baseline), y, at(std::min(m_best, 1.0)) - at(m_baseline), h);
            if (m_estimate)
                fillBarred(painter, gain, t.estimate, t.barTrack);
            else
                painter->fillRect(gain, t.better);
            if (m_best > 1)
                painter->fillRect(QRectF(at(1), y, at(m_best) - at(1), h), m_accepted ? t.better : t.quarantined);
        }
        if (m_best > 0)
            painter->fillRect(QRectF(at(m_best) - 1, top + 1, 2, tickHeight - 2), t.text);
    }
    if (m_peakLine)
        painter->fillRect(QRectF(at(1), top, 2, tickHeight), t.text);
}

Spark::Spark(QQuickItem *parent)
    : ThemedItem(parent)
{
    setImplicitSize(56, 22);
    connect(this, &Spark::changed, this, [this] { update(); });
}

void Spark::paint(QPainter *painter)
{
    const Tokens &t = tokens();
    painter->setPen(QPen(t.line, 1));
    painter->drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
    if (m_values.isEmpty())
        return;
    const auto [low, high] = std::ranges::minmax(m_values);
    const double range = high - low;
    const double w = width() - 5;
    const double h = height() - 9;
    const int steps = std::max({1, m_iterations, int(m_values.size()) - 1});
    const auto x = [&](qsizetype i) { return 1 + w * double(i) / steps; };
    const auto y = [&](double v) { return range > 1e-9 ? 3 + h * (1 - (v - low) / range) : 3 + h; };
    QPolygonF line;
    for (qsizetype i = 0; i < m_values.size(); ++i) {
        if (i > 0)
            line << QPointF(x(i), y(m_values.at(i - 1)));
        line << QPointF(x(i), y(m_values.at(i)));
    }
    const QColor ink = m_estimate ? t.estimate : t.text2;
    painter->setPen(QPen(ink, 1.4, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter->drawPolyline(line);
    painter->setPen(Qt::NoPen);
    painter->setBrush(ink);
    painter->drawEllipse(line.last(), 2.2, 2.2);
}

Meter::Meter(QQuickItem *parent)
    : ThemedItem(parent)
{
    setImplicitSize(80, 6);
    connect(this, &Meter::changed, this, [this] { update(); });
}

void Meter::paint(QPainter *painter)
{
    const Tokens &t = tokens();
    const QRectF bar(0, std::round((height() - std::min(height(), 6.0)) / 2), width(), std::min(height(), 6.0));
    const auto part = [&](double fraction, const QColor &color) {
        const double w = std::clamp(fraction, 0.0, 1.0) * bar.width();
        if (w <= 0)
            return;
        painter->setBrush(color);
        painter->drawRoundedRect(QRectF(bar.x(), bar.y(), std::max(w, 2.0), bar.height()), 2, 2);
    };
    painter->setPen(Qt::NoPen);
    part(1, t.progressTrack);
    part(m_forecast, t.meterForecast);
    part(m_spent, m_progress ? t.accent : m_spent >= 0.95 ? t.worse : t.meterSpent);
    if (m_ticks) {
        painter->setRenderHint(QPainter::Antialiasing, false);
        for (const double tick : {0.5, 0.8, 0.95})
            painter->fillRect(
                QRectF(std::round(tick * bar.width()), 0, 1, height()), tick <= m_spent ? t.panel : t.text);
    }
}

StackBar::StackBar(QQuickItem *parent)
    : ThemedItem(parent)
{
    setImplicitSize(120, 8);
    connect(this, &StackBar::changed, this, [this] { update(); });
}

void StackBar::paint(QPainter *painter)
{
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->fillRect(QRectF(0, 0, width(), height()), tokens().barTrack);
    double total = 0;
    for (const double part : std::as_const(m_parts))
        total += std::max(0.0, part);
    if (total <= 0)
        return;
    double x = 0;
    for (qsizetype i = 0; i < m_parts.size(); ++i) {
        // A part that is there is seen, however small.
        const double w = m_parts.at(i) > 0 ? std::max(2.0, width() * m_parts.at(i) / total) : 0;
        const QString meaning = m_meanings.value(i);
        const QRectF rect(std::round(x), 0, std::min(std::round(x + w), width()) - std::round(x), height());
        if (meaning == "estimate"_L1)
            fillBarred(painter, rect, tokens().estimate, tokens().barTrack);
        else
            painter->fillRect(rect, meaningColor(tokens(), meaning));
        x += w;
    }
}

DashedFrame::DashedFrame(QQuickItem *parent)
    : ThemedItem(parent)
{
    connect(this, &DashedFrame::changed, this, [this] { update(); });
}

void DashedFrame::paint(QPainter *painter)
{
    QPen pen(m_color, 1);
    pen.setDashPattern({3, 2});
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(0.5, 0.5, width() - 1, height() - 1), m_radius, m_radius);
}

} // namespace accelopt
