// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/pdf/pdfwriter.h"

#include "domain/format.h"
#include "report/chart.h"
#include "report/reportparts.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgRenderer>
#include <QTextDocument>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::report {

namespace {

constexpr int resolution = 144; // dots an inch; the content is vectors, this is only the unit
constexpr double marginMm = 16;

QString esc(const QString &text)
{
    return visible(text).toHtmlEscaped();
}

QString tableHtml(const Table &table)
{
    QString html = u"<table width=\"100%\" cellspacing=\"0\" cellpadding=\"3\" border=\"0\"><tr>"_s;
    for (const QString &head : table.head) {
        const bool numbers = head.startsWith(u'#');
        html += u"<th align=\"%1\" style=\"color:#57606a;font-weight:500\">%2</th>"_s.arg(
            numbers ? u"right"_s : u"left"_s, esc(numbers ? head.mid(1) : head));
    }
    html += u"</tr>"_s;
    bool shaded = true;
    for (const QStringList &row : table.rows) {
        html += shaded ? u"<tr bgcolor=\"#f4f6f8\">"_s : u"<tr>"_s;
        shaded = !shaded;
        for (qsizetype i = 0; i < row.size(); ++i)
            html += u"<td align=\"%1\">%2</td>"_s.arg(
                table.head.value(i).startsWith(u'#') ? u"right"_s : u"left"_s, esc(row.at(i)));
        html += u"</tr>"_s;
    }
    return html + u"</table>"_s;
}

QString diffHtml(const QByteArray &patch)
{
    QString html = u"<pre style=\"font-family:'JetBrains Mono','DejaVu Sans Mono',monospace;font-size:7pt\">"_s;
    const QStringList lines = QString::fromUtf8(patch).split(u'\n');
    constexpr qsizetype most = 400; // paper is not where long diffs are read
    for (qsizetype i = 0; i < lines.size() && i < most; ++i) {
        const QString &line = lines.at(i);
        const QString color = line.startsWith(u'+') ? u"#dafbe1"_s : line.startsWith(u'-') ? u"#ffebe9"_s : QString();
        html += color.isEmpty() ? esc(line) + u'\n'
                                : u"<span style=\"background-color:%1\">%2</span>\n"_s.arg(color, esc(line));
    }
    html += u"</pre>"_s;
    if (lines.size() > most)
        html += u"<p>%1 more lines are in the HTML report.</p>"_s.arg(format::count(lines.size() - most));
    return html;
}

/// Flows blocks of HTML and vector pictures over pages, with a foot on each.
class Pages {
public:
    Pages(const Model &model, QIODevice *device)
        : m_writer(device)
        , m_foot(visible(provenance(model)))
    {
        m_writer.setResolution(resolution);
        m_writer.setPageSize(QPageSize(QPageSize::A4));
        m_writer.setPageMargins(QMarginsF(marginMm, marginMm, marginMm, marginMm), QPageLayout::Millimeter);
        m_writer.setTitle(u"%1, %2"_s.arg(visible(model.projectName), visible(model.run.name)));
        m_writer.setCreator(u"AccelOpt Studio "_s + model.programVersion);
        m_painter.begin(&m_writer);
        m_size = QSizeF(m_writer.width(), m_writer.height() - 40);
        foot();
    }

    void add(const QString &html, double keep = 60)
    {
        QTextDocument document;
        document.documentLayout()->setPaintDevice(&m_writer);
        QFont font(u"Inter"_s);
        font.setStyleHint(QFont::SansSerif);
        font.setPointSizeF(9);
        document.setDefaultFont(font);
        document.setDocumentMargin(0);
        document.setTextWidth(m_size.width());
        document.setHtml(html);
        // Cut at line borders: a document laid out in pages never splits a line.
        if (m_y + keep > m_size.height())
            nextPage();
        const double height = document.size().height();
        if (m_y + height <= m_size.height()) {
            paint(document, 0, height);
            return;
        }
        if (m_y > 0)
            nextPage();
        document.setPageSize(m_size);
        for (int page = 0; page < document.pageCount(); ++page) {
            if (page > 0)
                nextPage();
            const double rest = std::min(m_size.height(), document.size().height() - page * m_size.height());
            paint(document, page * m_size.height(), rest);
        }
    }

    void addPicture(const QByteArray &svg)
    {
        QSvgRenderer renderer(svg);
        const QSizeF natural = renderer.defaultSize();
        if (natural.isEmpty())
            return;
        const double height = m_size.width() * natural.height() / natural.width();
        if (m_y + height > m_size.height())
            nextPage();
        renderer.render(&m_painter, QRectF(0, m_y, m_size.width(), height));
        m_y += height + 12;
    }

    void end() { m_painter.end(); }

private:
    void paint(QTextDocument &document, double from, double height)
    {
        m_painter.save();
        m_painter.translate(0, m_y - from);
        QAbstractTextDocumentLayout::PaintContext context;
        context.palette.setColor(QPalette::Text, QColor(0x1b, 0x1f, 0x24));
        context.clip = QRectF(0, from, m_size.width(), height);
        m_painter.setClipRect(context.clip);
        document.documentLayout()->draw(&m_painter, context);
        m_painter.restore();
        m_y += height;
    }

    void nextPage()
    {
        m_writer.newPage();
        m_y = 0;
        ++m_page;
        foot();
    }

    void foot()
    {
        m_painter.save();
        QFont font(u"Inter"_s);
        font.setStyleHint(QFont::SansSerif);
        font.setPointSizeF(7);
        m_painter.setFont(font);
        m_painter.setPen(QColor(0x57, 0x60, 0x6a));
        const QRectF line(0, m_size.height() + 14, m_size.width(), 24);
        m_painter.drawText(line, Qt::AlignLeft | Qt::AlignBottom, m_foot);
        m_painter.drawText(line, Qt::AlignRight | Qt::AlignBottom, QString::number(m_page));
        m_painter.restore();
    }

    QPdfWriter m_writer;
    QString m_foot;
    QPainter m_painter;
    QSizeF m_size;
    double m_y = 0;
    int m_page = 1;
};

} // namespace

QByteArray renderPdfPages(const Model &model)
{
    QByteArray pdf;
    QBuffer buffer(&pdf);
    buffer.open(QIODevice::WriteOnly);
    Pages pages(model, &buffer);
    const auto heading = [](const QString &text) { return u"<h2>%1</h2>"_s.arg(esc(text)); };
    QString head = u"<h1>%1, %2</h1><p style=\"color:#57606a\">%3</p>"_s.arg(
        esc(model.projectName), esc(model.run.name), esc(provenance(model)));
    for (const QString &sentence : headlineSentences(model))
        head += u"<p style=\"font-size:11pt\">%1</p>"_s.arg(esc(sentence));
    head += u"<p>%1</p><p>%2</p>"_s.arg(esc(estimateSentence(model)), esc(stateSentence(model)));
    pages.add(head);
    pages.add(heading(u"Problems"_s) + tableHtml(problemTable(model)), 160);
    pages.addPicture(lineChart(fractionChartText(model), fractionSeries(model), ChartColors::plain()));
    pages.add(heading(u"Attempts"_s), 400);
    pages.addPicture(barChart(verdictChartText(model), verdictBars(model), ChartColors::plain()));
    pages.add(tableHtml(attemptTable(model)));
    if (const Table errors = errorTable(model); !errors.rows.isEmpty())
        pages.add(u"<p>How failed attempts failed:</p>"_s + tableHtml(errors), 120);
    pages.add(heading(u"Best kernels"_s), 200);
    for (const ProblemPart &part : model.problems) {
        pages.add(u"<h3>%1</h3><p>%2</p>"_s.arg(esc(part.problem.title), esc(part.problem.operatorText)), 140);
        if (!part.lineage.isEmpty())
            pages.add(tableHtml(lineageTable(part)));
        pages.add(part.patch.isEmpty() ? u"<p>%1</p>"_s.arg(esc(part.patchNote)) : diffHtml(part.patch));
        if (const QStringList commands = checkCommands(model, part); !commands.isEmpty()) {
            pages.add(u"<p>Check the best kernel again, from the folder that holds the project:</p><pre "
                      u"style=\"font-family:'DejaVu Sans Mono',monospace;"
                      "font-size:7pt\">%1</pre>"_s.arg(esc(commands.join(u'\n'))),
                160);
        }
        if (const Table samples = samplesTable(part); !samples.rows.isEmpty())
            pages.add(tableHtml(samples));
    }
    const Table experiences = experienceTable(model);
    pages.add(heading(u"What was learned"_s)
            + (experiences.rows.isEmpty() ? u"<p>No experience was recorded.</p>"_s : tableHtml(experiences)),
        160);
    QString cost = heading(u"What it cost"_s) + tableHtml(ledgerTable(model, model.byModel, u"Model"_s)) + u"<br>"_s
        + tableHtml(ledgerTable(model, model.byRole, u"Role"_s));
    for (const QString &sentence : costSentences(model))
        cost += u"<p>%1</p>"_s.arg(esc(sentence));
    pages.add(cost, 200);
    pages.add(heading(u"Settings and environment"_s) + tableHtml(environmentTable(model)) + u"<br>"_s
            + tableHtml(settingsTable(model)),
        160);
    pages.add(heading(u"Check it"_s)
            + u"<p>Compares the journal, the commits and their notes:</p><p><code>%1</code></p>"_s.arg(
                esc(verifyCommand(model))),
        120);
    pages.end();
    return pdf;
}

} // namespace accelopt::report
