// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/linechart.h"

#include "domain/format.h"

#include <QChart>
#include <QFile>
#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLineSeries>
#include <QPainter>
#include <QQuickWindow>
#include <QSvgGenerator>
#include <QUrl>
#include <QValueAxis>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

double niceStep(double range, int lines)
{
    const double raw = range / std::max(1, lines);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double step : {1.0, 2.0, 2.5, 5.0, 10.0}) {
        if (step * power >= raw * 0.999)
            return step * power;
    }
    return 10 * power;
}

Qt::PenStyle dash(qsizetype series)
{
    constexpr Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return styles[series % 4];
}

QPen seriesPen(const Tokens &t, const ChartSeries &series, qsizetype index, qsizetype count)
{
    switch (series.emphasis) {
    case ChartSeries::Emphasis::Strong:
        return QPen(t.text, 2.6, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
    case ChartSeries::Emphasis::Selected: {
        QPen pen(t.accent, 1.8, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
        pen.setDashPattern({4, 2});
        return pen;
    }
    case ChartSeries::Emphasis::Muted:
        break;
    case ChartSeries::Emphasis::Normal:
        if (count <= 8)
            return QPen(t.series.at(index % t.series.size()), 1.6, dash(index), Qt::FlatCap, Qt::MiterJoin);
        break;
    }
    return QPen(t.seriesMuted, 1.2, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
}

} // namespace

// --- LineChart -------------------------------------------------------------------------------------------------------

LineChart::LineChart(QQuickItem *parent)
    : ThemedItem(parent)
{
    // Here and not in QML: a revisioned property of Item is not seen on types of another module.
    setActiveFocusOnTab(true);
    setImplicitSize(360, 260);
    setAcceptedMouseButtons(Qt::NoButton);
    connect(this, &LineChart::changed, this, &LineChart::redraw);
    connect(Theme::instance(), &Theme::changed, this, &LineChart::redraw);
}

LineChart::~LineChart() = default;

void LineChart::setChartData(ChartData *data)
{
    if (data == m_data)
        return;
    if (m_data)
        m_data->disconnect(this);
    m_data = data;
    if (m_data) {
        connect(m_data, &ChartData::seriesChanged, this, &LineChart::redraw);
        connect(m_data, &QObject::destroyed, this, [this] { m_data = nullptr; });
    }
    Q_EMIT dataChanged();
    redraw();
}

void LineChart::redraw()
{
    polish();
}

void LineChart::geometryChange(const QRectF &now, const QRectF &before)
{
    QQuickPaintedItem::geometryChange(now, before);
    if (now.size() != before.size())
        redraw();
}

void LineChart::updatePolish()
{
    if (width() < 8 || height() < 8)
        return;
    const double scale = window() ? window()->effectiveDevicePixelRatio() : 1;
    m_image = QImage((QSizeF(width(), height()) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    m_image.setDevicePixelRatio(scale);
    m_image.fill(Qt::transparent);
    QPainter painter(&m_image);
    render(&painter, QSizeF(width(), height()), scale);
    painter.end();
    if (m_hoverSeries >= 0) {
        if (m_data && m_hoverSeries < m_data->series().size()
            && m_hoverPoint < m_data->series().at(m_hoverSeries).points.size())
            m_hoverPosition = toItem(m_data->series().at(m_hoverSeries).points.at(m_hoverPoint));
        else
            m_hoverSeries = -1;
        Q_EMIT hoverChanged();
    }
    update();
}

void LineChart::paint(QPainter *painter)
{
    painter->drawImage(QPointF(0, 0), m_image);
    if (m_hoverSeries >= 0) {
        const Tokens &t = tokens();
        painter->setPen(QPen(t.accent, 1.6));
        painter->setBrush(t.panel);
        painter->drawEllipse(m_hoverPosition, 4, 4);
    }
}

QString LineChart::valueText(double value) const
{
    const QString number = QString::number(value * m_yFactor, 'f', m_decimals);
    return m_yUnit.isEmpty() ? number : m_yUnit == u"×"_s ? number + m_yUnit : number + u'\u00a0' + m_yUnit;
}

QPointF LineChart::toItem(const QPointF &value) const
{
    const double x = m_plot.left() + (value.x() - m_xFrom) / (m_xTo - m_xFrom) * m_plot.width();
    const double y = m_plot.bottom() - (value.y() * m_yFactor - m_yFrom) / (m_yTo - m_yFrom) * m_plot.height();
    return {x, y};
}

void LineChart::render(QPainter *painter, const QSizeF &size, double)
{
    const Tokens &t = tokens();
    static const QList<ChartSeries> none;
    const QList<ChartSeries> &all = m_data ? m_data->series() : none;

    // ranges
    double xLast = m_xMaximum, yHigh = m_yMaximum, yLow = m_yMinimum;
    for (const ChartSeries &series : all) {
        for (const QPointF &point : series.points) {
            if (m_xMaximum <= 0)
                xLast = std::max(xLast, point.x());
            if (m_yMaximum <= 0)
                yHigh = std::max(yHigh, point.y());
            else if (std::isfinite(point.y()))
                yHigh = std::max(yHigh, std::min(point.y() * 1.02, m_yMaximum * 4));
        }
    }
    m_xFrom = zoomed() ? m_viewFrom : 0;
    m_xTo = zoomed() ? m_viewTo : std::max(1.0, xLast);
    if (yHigh <= yLow)
        yHigh = yLow + 1;
    m_yFrom = yLow * m_yFactor;
    m_yTo = (m_yMaximum > 0 ? yHigh : yLow + (yHigh - yLow) * 1.08) * m_yFactor;

    QGraphicsScene scene;
    auto *chart = new QChart;
    scene.addItem(chart); // the scene owns it
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setBackgroundVisible(false);
    chart->setPlotAreaBackgroundVisible(false);
    chart->legend()->hide();
    chart->setMargins({});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    const QFont small = Theme::instance()->font(11);
    const QFontMetricsF metrics(small);
    const auto axis = [&](double from, double to, double step, Qt::Alignment side) {
        auto *a = new QValueAxis;
        a->setRange(from, to);
        a->setTickType(QValueAxis::TicksDynamic);
        a->setTickAnchor(0);
        a->setTickInterval(step);
        a->setLabelsVisible(false); // labels are drawn below, where their place is ours to choose
        a->setGridLineVisible(side == Qt::AlignLeft);
        a->setGridLinePen(QPen(t.line, 1));
        a->setLineVisible(side == Qt::AlignBottom);
        a->setLinePen(QPen(t.lineStrong, 1));
        chart->addAxis(a, side);
        return a;
    };
    const double yStep = niceStep(m_yTo - m_yFrom, size.height() > 240 ? 5 : 4);
    const double xStep = std::max(1.0, niceStep(m_xTo - m_xFrom, size.width() > 300 ? 6 : 4));
    auto *xAxis = axis(m_xFrom, m_xTo, xStep, Qt::AlignBottom);
    auto *yAxis = axis(m_yFrom, m_yTo, yStep, Qt::AlignLeft);

    double labelWidth = 0;
    for (double y = std::ceil(m_yFrom / yStep) * yStep; y <= m_yTo + 1e-9; y += yStep)
        labelWidth = std::max(labelWidth, metrics.horizontalAdvance(valueText(y / m_yFactor)));
    // Where "now" leaves room inside the plot, end labels stand there; else a margin is kept for them.
    const double rightMargin = 8;
    m_plot = QRectF(
        labelWidth + 10, 8, size.width() - labelWidth - 10 - rightMargin, size.height() - 8 - metrics.height() - 10);
    chart->resize(size);
    chart->setPlotArea(m_plot);

    const int pixels = int(m_plot.width());
    // Muted first, so that what matters lies above.
    QList<qsizetype> order(all.size());
    std::iota(order.begin(), order.end(), qsizetype(0));
    std::ranges::stable_sort(order, {}, [&](qsizetype i) {
        switch (all.at(i).emphasis) {
        case ChartSeries::Emphasis::Muted:
            return 0;
        case ChartSeries::Emphasis::Normal:
            return 1;
        case ChartSeries::Emphasis::Selected:
            return 2;
        case ChartSeries::Emphasis::Strong:
            return 3;
        }
        return 1;
    });
    for (const qsizetype i : order) {
        const ChartSeries &series = all.at(i);
        if (series.kind != ChartSeries::Kind::Step && series.kind != ChartSeries::Kind::Line)
            continue;
        auto *line = new QLineSeries;
        line->setPen(seriesPen(t, series, i, all.size()));
        QList<QPointF> points = decimate(series.points, m_xFrom, m_xTo, pixels);
        if (series.kind == ChartSeries::Kind::Step)
            points = stepLine(points);
        for (QPointF &point : points)
            point.setY(point.y() * m_yFactor);
        line->replace(points);
        chart->addSeries(line);
        line->attachAxis(xAxis);
        line->attachAxis(yAxis);
    }
    scene.setSceneRect(QRectF(QPointF(0, 0), size));
    painter->setRenderHint(QPainter::Antialiasing);
    painter->save();
    scene.render(painter, QRectF(QPointF(0, 0), size), QRectF(QPointF(0, 0), size));
    painter->restore();

    // axis labels
    painter->setFont(small);
    painter->setPen(t.text3);
    for (double y = std::ceil(m_yFrom / yStep) * yStep; y <= m_yTo + 1e-9; y += yStep) {
        const double py = m_plot.bottom() - (y - m_yFrom) / (m_yTo - m_yFrom) * m_plot.height();
        painter->drawText(
            QRectF(0, py - 9, labelWidth, 18), Qt::AlignRight | Qt::AlignVCenter, valueText(y / m_yFactor));
    }
    double lastLabel = -1e9;
    for (double x = std::ceil(m_xFrom / xStep) * xStep; x <= m_xTo + 1e-9; x += xStep) {
        const double px = m_plot.left() + (x - m_xFrom) / (m_xTo - m_xFrom) * m_plot.width();
        const QString text = QString::number(x);
        const double w = metrics.horizontalAdvance(text);
        const double left = std::min(px - w / 2, size.width() - w);
        painter->drawLine(QPointF(px, m_plot.bottom()), QPointF(px, m_plot.bottom() + 3));
        painter->drawText(QRectF(left, m_plot.bottom() + 5, w + 1, metrics.height()), Qt::AlignCenter, text);
        lastLabel = left;
    }
    if (!m_xTitle.isEmpty()) {
        const double w = metrics.horizontalAdvance(m_xTitle);
        painter->drawText(QRectF(lastLabel - w - 12, m_plot.bottom() + 5, w + 2, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, m_xTitle);
    }

    // points of their own
    for (qsizetype i = 0; i < all.size(); ++i) {
        const ChartSeries &series = all.at(i);
        if (series.kind == ChartSeries::Kind::Step || series.kind == ChartSeries::Kind::Line)
            continue;
        for (const QPointF &point : decimate(series.points, m_xFrom, m_xTo, pixels)) {
            const QPointF p = toItem(point);
            switch (series.kind) {
            case ChartSeries::Kind::Failed: {
                painter->setPen(QPen(t.failed, 1.2));
                const QPointF at(p.x(), m_plot.bottom() - 6);
                painter->drawLine(at + QPointF(-3, -3), at + QPointF(3, 3));
                painter->drawLine(at + QPointF(-3, 3), at + QPointF(3, -3));
                break;
            }
            case ChartSeries::Kind::Estimates:
                painter->setPen(QPen(t.estimate, 1.4));
                painter->setBrush(Qt::NoBrush);
                painter->drawPolygon(
                    QPolygonF{p + QPointF(0, -4), p + QPointF(4, 0), p + QPointF(0, 4), p + QPointF(-4, 0)});
                break;
            case ChartSeries::Kind::Quarantined:
                painter->setPen(QPen(t.quarantined, 1.4));
                painter->setBrush(Qt::NoBrush);
                painter->drawRoundedRect(QRectF(p.x() - 3, p.y() - 4, 6, 8), 2, 2);
                break;
            default:
                painter->setPen(Qt::NoPen);
                painter->setBrush(seriesPen(t, series, i, all.size()).color());
                painter->drawEllipse(p, 2.2, 2.2);
                break;
            }
        }
    }

    // the roofline is never dashed
    if (m_peak > 0 && m_peak * m_yFactor <= m_yTo) {
        const double y = toItem({0, m_peak}).y();
        painter->setPen(QPen(t.text, 1.5));
        painter->drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
        painter->setPen(t.text2);
        painter->setFont(small);
        painter->drawText(QPointF(m_plot.left() + 6, y + metrics.ascent() + 3), m_peakText);
    }
    if (m_now >= m_xFrom && m_now <= m_xTo && m_now > 0) {
        const double x = toItem({m_now, 0}).x();
        painter->setPen(QPen(t.accent, 1));
        painter->drawLine(QPointF(x, m_plot.top() - 6), QPointF(x, m_plot.bottom()));
        const QString text = QObject::tr("now");
        const double w = metrics.horizontalAdvance(text);
        painter->setFont(small);
        painter->drawText(QPointF(x + 6 + w > size.width() ? x - w - 6 : x + 6, m_plot.bottom() - 6), text);
    }
    if (m_directLabels) {
        const QFont bold = Theme::instance()->font(12, QFont::DemiBold);
        const QFontMetricsF boldMetrics(bold);
        painter->setFont(bold);
        QList<double> taken;
        for (const qsizetype i : order) {
            const ChartSeries &series = all.at(i);
            const bool strong = series.emphasis == ChartSeries::Emphasis::Strong;
            if ((!strong && series.emphasis != ChartSeries::Emphasis::Selected) || series.points.isEmpty())
                continue;
            const QPointF end = toItem(series.points.last());
            const QString value = valueText(series.points.last().y());
            QString text = series.name + u' ' + value;
            double w = boldMetrics.horizontalAdvance(text);
            const double room = size.width() - end.x() - 10;
            double x = end.x() + 8;
            double y = end.y() + boldMetrics.ascent() / 2 - 1;
            if (w > room) {
                // no room at the end: above the line, ending there
                x = std::min(end.x(), size.width() - 4) - w;
                y = end.y() - 8;
            }
            while (std::ranges::any_of(taken, [&](double other) { return std::abs(other - y) < boldMetrics.height(); }))
                y += strong ? -boldMetrics.height() : boldMetrics.height();
            taken.append(y);
            painter->setPen(t.panel); // a rim of ground keeps the words off the lines
            for (const QPointF offset : {QPointF(-1, 0), QPointF(1, 0), QPointF(0, -1), QPointF(0, 1)})
                painter->drawText(QPointF(x, y) + offset, text);
            painter->setPen(strong ? t.text : t.accent);
            painter->drawText(QPointF(x, y), text);
        }
    }
}

QString LineChart::hoverSeries() const
{
    return m_data && m_hoverSeries >= 0 ? m_data->series().at(m_hoverSeries).name : QString();
}

QString LineChart::hoverText() const
{
    if (!m_data || m_hoverSeries < 0)
        return {};
    const QPointF point = m_data->series().at(m_hoverSeries).points.at(m_hoverPoint);
    return tr("%1 %2: %3").arg(m_xTitle).arg(point.x()).arg(valueText(point.y()));
}

LineChart::Near LineChart::nearest(const QPointF &position, double within) const
{
    Near best;
    if (!m_data)
        return best;
    double least = within;
    for (qsizetype s = 0; s < m_data->series().size(); ++s) {
        const ChartSeries &series = m_data->series().at(s);
        for (qsizetype i = 0; i < series.points.size(); ++i) {
            const QPointF p = toItem(series.points.at(i));
            double distance = std::hypot(p.x() - position.x(), p.y() - position.y());
            // The tread of a step belongs to the point it began at.
            if (series.kind == ChartSeries::Kind::Step && i + 1 < series.points.size()) {
                const double end = toItem(series.points.at(i + 1)).x();
                if (position.x() >= p.x() && position.x() <= end)
                    distance = std::abs(p.y() - position.y());
            }
            if (distance < least) {
                least = distance;
                best = {int(s), i};
            }
        }
    }
    return best;
}

void LineChart::setHover(const Near &near)
{
    m_hoverSeries = near.series;
    m_hoverPoint = near.point;
    if (m_hoverSeries >= 0)
        m_hoverPosition = toItem(m_data->series().at(m_hoverSeries).points.at(m_hoverPoint));
    Q_EMIT hoverChanged();
    update();
}

void LineChart::hoverAt(double x, double y)
{
    const Near near = nearest({x, y}, 18);
    if (near.series != m_hoverSeries || near.point != m_hoverPoint)
        setHover(near);
}

void LineChart::leave()
{
    if (m_hoverSeries >= 0)
        setHover({});
}

void LineChart::step(int points, int series)
{
    if (!m_data || m_data->series().isEmpty())
        return;
    const int count = int(m_data->series().size());
    Near near{m_hoverSeries, m_hoverPoint};
    if (near.series < 0) {
        near.series = 0;
        near.point = m_data->series().at(0).points.size() - 1;
    } else {
        near.series = (near.series + series + count) % count;
        near.point += points;
    }
    const qsizetype size = m_data->series().at(near.series).points.size();
    if (size == 0)
        return;
    near.point = std::clamp<qsizetype>(near.point, 0, size - 1);
    setHover(near);
}

QString LineChart::clickedSeries(double x, double y) const
{
    const Near near = nearest({x, y}, 18);
    return near.series >= 0 ? m_data->series().at(near.series).name : QString();
}

void LineChart::fit()
{
    m_viewFrom = m_viewTo = 0;
    Q_EMIT zoomChanged();
    redraw();
}

void LineChart::zoom(double factor, double x)
{
    const double full = m_xMaximum > 0 ? m_xMaximum : m_xTo;
    const double at =
        std::clamp(m_xFrom + (x - m_plot.left()) / std::max(1.0, m_plot.width()) * (m_xTo - m_xFrom), m_xFrom, m_xTo);
    const double range = std::clamp((m_xTo - m_xFrom) / factor, 1.0, full);
    if (range >= full) {
        fit();
        return;
    }
    const double share = (at - m_xFrom) / (m_xTo - m_xFrom);
    m_viewFrom = std::clamp(at - share * range, 0.0, full - range);
    m_viewTo = m_viewFrom + range;
    Q_EMIT zoomChanged();
    redraw();
}

void LineChart::wheelEvent(QWheelEvent *event)
{
    if (!(event->modifiers() & Qt::ControlModifier)) {
        event->ignore();
        return;
    }
    zoom(event->angleDelta().y() > 0 ? 1.25 : 0.8, event->position().x());
    event->accept();
}

QString LineChart::exportTo(const QUrl &file)
{
    const QString path = file.isLocalFile() ? file.toLocalFile() : file.toString();
    if (!m_data)
        return tr("There is nothing to export yet.");
    const auto failed = [&] { return tr("%1 cannot be written. Choose another folder.").arg(path); };
    if (path.endsWith(".csv"_L1, Qt::CaseInsensitive)) {
        QFile out(path);
        const QByteArray text = m_data->csv();
        return out.open(QIODevice::WriteOnly) && out.write(text) == text.size() ? QString() : failed();
    }
    constexpr QSize size(1200, 700);
    const auto draw = [&](QPainter *painter) {
        const Tokens &t = tokens();
        painter->fillRect(QRect(QPoint(0, 0), size), t.panel);
        painter->setPen(t.text);
        painter->setFont(Theme::instance()->font(16, QFont::DemiBold));
        painter->drawText(QRect(24, 16, size.width() - 48, 28), Qt::AlignLeft | Qt::AlignVCenter, m_title);
        painter->setFont(Theme::instance()->font(11));
        painter->setPen(t.text3);
        painter->drawText(
            QRect(24, size.height() - 36, size.width() - 48, 20), Qt::AlignLeft | Qt::AlignVCenter, m_source);
        double x = 24;
        const QFontMetricsF metrics(painter->font());
        const QList<ChartSeries> &all = m_data->series();
        for (qsizetype i = 0; i < all.size() && x < size.width() - 120; ++i) {
            painter->setPen(seriesPen(t, all.at(i), i, all.size()));
            painter->drawLine(QPointF(x, size.height() - 56), QPointF(x + 20, size.height() - 56));
            painter->setPen(t.text2);
            painter->drawText(QPointF(x + 26, size.height() - 52), all.at(i).name);
            x += 44 + metrics.horizontalAdvance(all.at(i).name);
        }
        painter->translate(24, 56);
        render(painter, QSizeF(size.width() - 48, size.height() - 140), 1);
    };
    bool ok = false;
    if (path.endsWith(".svg"_L1, Qt::CaseInsensitive)) {
        QFile out(path);
        if (out.open(QIODevice::WriteOnly)) {
            QSvgGenerator generator;
            generator.setOutputDevice(&out);
            generator.setSize(size);
            generator.setViewBox(QRect(QPoint(0, 0), size));
            generator.setTitle(m_title);
            QPainter painter(&generator);
            draw(&painter);
            ok = painter.end();
        }
    } else {
        QImage image(size * 2, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(2);
        QPainter painter(&image);
        draw(&painter);
        painter.end();
        ok = image.save(path);
    }
    redraw(); // the ranges of the window's own picture again
    return ok ? QString() : failed();
}

} // namespace accelopt
