// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/chart.h"

#include "domain/format.h"

#include <algorithm>
#include <cmath>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::report {

namespace {

constexpr double width = 880, left = 64, right = 24, top = 56;

QString number(double value)
{
    return QString::number(value, 'f', 1);
}

QString textAt(double x, double y, const QString &text, const QString &color, const char *anchor = "start",
    int size = 12, const char *extra = "")
{
    return u"<text x=\"%1\" y=\"%2\" text-anchor=\"%3\" font-size=\"%4\" style=\"fill:%5\"%6>%7</text>\n"_s.arg(
        number(x), number(y), QLatin1StringView(anchor), QString::number(size), color, QLatin1StringView(extra),
        text.toHtmlEscaped());
}

QString lineAt(double x1, double y1, double x2, double y2, const QString &color, const char *extra = "")
{
    return u"<line x1=\"%1\" y1=\"%2\" x2=\"%3\" y2=\"%4\" style=\"stroke:%5\"%6/>\n"_s.arg(
        number(x1), number(y1), number(x2), number(y2), color, QLatin1StringView(extra));
}

QString begin(const ChartText &text, double height, const ChartColors &colors)
{
    return u"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1 %2\" width=\"%1\" height=\"%2\" role=\"img\" "
           u"aria-label=\"%3\" "
           "font-family=\"Inter, 'DejaVu Sans', sans-serif\">\n<title>%3</title>\n<desc>%4</desc>\n"_s.arg(
               QString::number(width), QString::number(height), text.title.toHtmlEscaped(),
               text.description.toHtmlEscaped())
        + textAt(left, 22, text.title, colors.text, "start", 15, " font-weight=\"600\"");
}

QString end(const ChartText &text, double height, const ChartColors &colors)
{
    return textAt(width - right, height - 8, text.provenance, colors.muted, "end", 10) + u"</svg>\n"_s;
}

/// A step of 1, 2 or 5 times a power of ten, with at most `count` steps up to `limit`.
double niceStep(double limit, int count)
{
    const double rough = std::max(limit / count, 1e-9);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough)
            return factor * power;
    }
    return 10 * power;
}

} // namespace

ChartColors ChartColors::variables()
{
    ChartColors colors{u"var(--text)"_s, u"var(--muted)"_s, u"var(--grid)"_s, u"var(--accent)"_s, {}};
    for (int i = 1; i <= 8; ++i)
        colors.series.append(u"var(--s%1)"_s.arg(i));
    return colors;
}

ChartColors ChartColors::plain()
{
    return {u"#1b1f24"_s, u"#57606a"_s, u"#d8dee4"_s, u"#0b62c4"_s,
        {u"#0b62c4"_s, u"#b35900"_s, u"#1a7f37"_s, u"#8250df"_s, u"#bf3989"_s, u"#006d77"_s, u"#7a5c00"_s,
            u"#a40e26"_s}};
}

QByteArray lineChart(const ChartText &text, const QList<Series> &series, const ChartColors &colors)
{
    const int legendRows = int((series.size() + 1 + 3) / 4);
    const double plotHeight = 300, bottomAxis = top + plotHeight, height = bottomAxis + 64 + 18 * legendRows;
    qsizetype points = 2;
    double highest = 1;
    for (const Series &line : series) {
        points = std::max(points, line.values.size());
        for (const double value : line.values)
            highest = std::max(highest, value);
    }
    const double step = niceStep(highest * 100, 6), limit = std::ceil(highest * 100 / step - 1e-9) * step; // percent
    const double plotWidth = width - left - right;
    const auto x = [&](double index) { return left + plotWidth * index / double(points - 1); };
    const auto y = [&](double percent) { return bottomAxis - plotHeight * percent / limit; };

    QString svg = begin(text, height, colors);
    for (double percent = 0; percent <= limit + 1e-9; percent += step) {
        svg += lineAt(left, y(percent), width - right, y(percent), colors.grid);
        svg += textAt(left - 8, y(percent) + 4, u"%1 %"_s.arg(percent, 0, 'f', 0), colors.muted, "end", 11);
    }
    const int xStep = std::max(1, int(niceStep(double(points - 1), 12)));
    for (qsizetype index = 0; index < points; index += xStep) {
        svg += lineAt(x(double(index)), bottomAxis, x(double(index)), bottomAxis + 4, colors.muted);
        svg += textAt(x(double(index)), bottomAxis + 18, QString::number(index), colors.muted, "middle", 11);
    }
    svg += lineAt(left, bottomAxis, width - right, bottomAxis, colors.muted);
    svg += lineAt(left, top, left, bottomAxis, colors.muted);
    // The roofline is never dashed: dashes mean an estimate.
    svg += lineAt(left, y(100), width - right, y(100), colors.text, " stroke-width=\"1.5\"");
    svg += textAt(width - right, y(100) - 6, u"peak (roofline)"_s, colors.text, "end", 11);
    svg += textAt(left, top - 12, text.yLabel, colors.muted, "start", 11);
    svg += textAt(left + plotWidth / 2, bottomAxis + 36, text.xLabel, colors.muted, "middle", 11);

    for (qsizetype i = 0; i < series.size(); ++i) {
        const QString color = colors.series.at(i % colors.series.size());
        const QString dash = series.at(i).dashed ? u" stroke-dasharray=\"6 4\""_s : QString();
        QString path;
        // A step line: the best so far does not change between results.
        for (qsizetype k = 0; k < series.at(i).values.size(); ++k) {
            if (k > 0)
                path += u" %1,%2 "_s.arg(number(x(double(k))), number(y(100 * series.at(i).values.at(k - 1))));
            path += u"%1,%2"_s.arg(number(x(double(k))), number(y(100 * series.at(i).values.at(k))));
        }
        if (!path.isEmpty()) {
            svg += u"<polyline points=\"%1\" style=\"fill:none;stroke:%2\" stroke-width=\"2\"%3/>\n"_s.arg(
                path, color, dash);
            svg += u"<circle cx=\"%1\" cy=\"%2\" r=\"3.5\" style=\"fill:%3\"/>\n"_s.arg(
                number(x(double(series.at(i).values.size() - 1))), number(y(100 * series.at(i).values.last())), color);
        }
        const double lx = left + double(i % 4) * (plotWidth / 4), ly = bottomAxis + 58 + 18 * double(i / 4);
        svg += u"<line x1=\"%1\" y1=\"%2\" x2=\"%3\" y2=\"%2\" style=\"stroke:%4\" stroke-width=\"2\"%5/>\n"_s.arg(
            number(lx), number(ly - 4), number(lx + 22), color, dash);
        QString name = series.at(i).name;
        if (name.size() > 24)
            name = name.left(23) + u'…';
        svg += textAt(lx + 28, ly, name, colors.text, "start", 11);
    }
    return (svg + end(text, height, colors)).toUtf8();
}

QByteArray barChart(const ChartText &text, const QList<Bar> &bars, const ChartColors &colors)
{
    const double rowHeight = 26, labels = 170, height = top + rowHeight * double(bars.size()) + 60;
    const double bottomAxis = top + rowHeight * double(bars.size());
    qint64 most = 1;
    for (const Bar &bar : bars)
        most = std::max(most, bar.value);
    const double plot = width - labels - right - 60;
    const double step = std::max(1.0, niceStep(double(most), 6));
    const double limit = std::ceil(double(most) / step) * step;
    QString svg = begin(text, height, colors);
    for (double mark = 0; mark <= limit + 1e-9; mark += step) {
        const double x = labels + plot * mark / limit;
        svg += lineAt(x, top - 8, x, bottomAxis, colors.grid);
        svg += textAt(x, bottomAxis + 16, format::count(qint64(mark)), colors.muted, "middle", 11);
    }
    for (qsizetype i = 0; i < bars.size(); ++i) {
        const double y = top + rowHeight * double(i);
        const double length = plot * double(bars.at(i).value) / limit;
        svg += textAt(labels - 10, y + 13, bars.at(i).name, colors.text, "end", 12);
        svg += u"<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"16\" rx=\"2\" style=\"fill:%4\"/>\n"_s.arg(
            number(labels), number(y), number(length), colors.series.first());
        svg += textAt(labels + length + 6, y + 13, format::count(bars.at(i).value), colors.text, "start", 12);
    }
    svg += textAt(labels + plot / 2, bottomAxis + 34, text.xLabel, colors.muted, "middle", 11);
    return (svg + end(text, height, colors)).toUtf8();
}

} // namespace accelopt::report
