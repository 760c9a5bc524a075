// SPDX-License-Identifier: GPL-3.0-or-later
//
// One self-contained page: no script, nothing loaded, light or dark as the reader's system is. Everything that comes
// from kernels, replies and hosts goes through `esc`.
#include "domain/format.h"
#include "report/chart.h"
#include "report/reportmodel.h"
#include "report/reportparts.h"

using namespace Qt::Literals::StringLiterals;

namespace accelopt::report {

namespace {

constexpr char style[] = R"css(
:root{color-scheme:light dark;--bg:#fff;--panel:#f6f8fa;--text:#1b1f24;--muted:#57606a;--grid:#d8dee4;--accent:#0b62c4;--add:#dafbe1;--del:#ffebe9;
--s1:#0b62c4;--s2:#b35900;--s3:#1a7f37;--s4:#8250df;--s5:#bf3989;--s6:#006d77;--s7:#7a5c00;--s8:#a40e26}
@media (prefers-color-scheme:dark){:root{--bg:#14171c;--panel:#1d2229;--text:#e6eaef;--muted:#9aa5b1;--grid:#333a44;--accent:#6cb2ff;--add:#12351f;--del:#42181b;
--s1:#6cb2ff;--s2:#ffa657;--s3:#56d364;--s4:#c297ff;--s5:#ff7bc0;--s6:#4fd1d9;--s7:#e3b341;--s8:#ff8f88}}
*{box-sizing:border-box}body{margin:0 auto;max-width:72rem;padding:2rem 1.5rem 4rem;background:var(--bg);color:var(--text);
font:15px/1.5 Inter,"Segoe UI","DejaVu Sans",sans-serif}
h1{font-size:1.7rem;margin:0 0 .25rem}h2{font-size:1.2rem;margin:2.5rem 0 .75rem;border-bottom:1px solid var(--grid);padding-bottom:.25rem}h3{font-size:1rem;margin:1.5rem 0 .5rem}
.muted{color:var(--muted)}.lead{font-size:1.15rem}.note{background:var(--panel);border-left:3px solid var(--accent);padding:.5rem .75rem;margin:.75rem 0}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--grid);vertical-align:top}
th{color:var(--muted);font-weight:500}.n{text-align:right}.scroll{overflow-x:auto}code,pre{font-family:"JetBrains Mono","DejaVu Sans Mono",monospace;font-size:.85em}
pre{background:var(--panel);padding:.75rem;overflow-x:auto;margin:.5rem 0}.a{background:var(--add)}.d{background:var(--del)}.h{color:var(--muted)}.a,.d,.h,.c{display:block}
svg{max-width:100%;height:auto}details{margin:.5rem 0}summary{cursor:pointer}td code{word-break:break-all}
@media print{body{max-width:none}details>*{display:block}}
)css";

QString esc(const QString &text)
{
    return visible(text).toHtmlEscaped();
}

/// A table from the parts every format shares; columns whose head begins with # hold numbers.
QString table(const Table &table)
{
    QString html = u"<div class=\"scroll\"><table>\n<thead><tr>"_s;
    for (const QString &head : table.head)
        html += head.startsWith(u'#') ? u"<th scope=\"col\" class=\"n\">%1</th>"_s.arg(esc(head.mid(1)))
                                      : u"<th scope=\"col\">%1</th>"_s.arg(esc(head));
    html += u"</tr></thead>\n<tbody>\n"_s;
    for (const QStringList &row : table.rows) {
        html += u"<tr>"_s;
        for (qsizetype i = 0; i < row.size(); ++i)
            html += table.head.value(i).startsWith(u'#') ? u"<td class=\"n\">%1</td>"_s.arg(esc(row.at(i)))
                                                         : u"<td>%1</td>"_s.arg(esc(row.at(i)));
        html += u"</tr>\n"_s;
    }
    return html + u"</tbody></table></div>\n"_s;
}

QString paragraph(const QString &text, const char *name = "")
{
    return text.isEmpty() ? QString() : u"<p class=\"%1\">%2</p>\n"_s.arg(QLatin1StringView(name), esc(text));
}

QString diffBlock(const QByteArray &patch)
{
    const QStringList lines = QString::fromUtf8(patch).split(u'\n');
    QString html = u"<pre>"_s;
    for (qsizetype i = 0; i < lines.size() && i < maximumDiffLines; ++i) {
        const QString &line = lines.at(i);
        if (line.isEmpty() && i + 1 == lines.size())
            break;
        const bool head = line.startsWith("@@"_L1) || line.startsWith("diff "_L1) || line.startsWith("index "_L1)
            || line.startsWith("---"_L1) || line.startsWith("+++"_L1);
        const char *name = head ? "h" : line.startsWith(u'+') ? "a" : line.startsWith(u'-') ? "d" : "c";
        html += u"<span class=\"%1\">%2</span>"_s.arg(QLatin1StringView(name), line.isEmpty() ? u" "_s : esc(line));
    }
    html += u"</pre>\n"_s;
    if (lines.size() > maximumDiffLines)
        html += paragraph(u"%1 more lines are not shown; the commands below show them all."_s.arg(
                              format::count(lines.size() - maximumDiffLines)),
            "muted");
    return html;
}

QString problemSection(const Model &model, const ProblemPart &part)
{
    QString html = u"<h3 id=\"%1\">%2 <span class=\"muted\">%1</span></h3>\n"_s.arg(
        esc(part.problem.name), esc(part.problem.title));
    html += paragraph(part.problem.operatorText, "muted");
    if (!part.lineage.isEmpty()) {
        html += u"<p>How the best kernel came about:</p>\n"_s + table(lineageTable(part));
    }
    if (part.patch.isEmpty())
        html += paragraph(part.patchNote);
    else
        html += u"<details open><summary>Best kernel against its baseline</summary>\n%1</details>\n"_s.arg(
            diffBlock(part.patch));
    const QStringList commands = checkCommands(model, part);
    if (!commands.isEmpty()) {
        html += u"<p>Check the best kernel again, from the folder that holds the project:</p>\n<pre>%1</pre>\n"_s.arg(
            esc(commands.join(u'\n')));
    }
    if (const Table samples = samplesTable(part); !samples.rows.isEmpty())
        html += u"<details><summary>Raw samples</summary>\n%1</details>\n"_s.arg(table(samples));
    return html;
}

} // namespace

QByteArray renderHtml(const Model &model)
{
    const QString title = u"%1, %2"_s.arg(model.projectName, model.run.name);
    QString html =
        u"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" "
        "content=\"AccelOpt Studio %1\">\n"
        "<title>%2</title>\n<style>%3</style>\n</head>\n<body>\n"_s.arg(
            esc(model.programVersion), esc(title), QLatin1StringView(style));
    html += u"<h1>%1</h1>\n"_s.arg(esc(title)) + paragraph(provenance(model), "muted");
    for (const QString &sentence : headlineSentences(model))
        html += paragraph(sentence, "lead");
    if (const QString estimate = estimateSentence(model); !estimate.isEmpty())
        html += paragraph(estimate, "note");
    html += paragraph(stateSentence(model));

    html += u"<h2>Problems</h2>\n"_s + table(problemTable(model));
    html += QString::fromUtf8(lineChart(fractionChartText(model), fractionSeries(model), ChartColors::variables()));
    html += u"<h2>Attempts</h2>\n"_s;
    html += QString::fromUtf8(barChart(verdictChartText(model), verdictBars(model), ChartColors::variables()))
        + table(attemptTable(model));
    if (const Table errors = errorTable(model); !errors.rows.isEmpty())
        html += u"<p>How failed attempts failed:</p>\n"_s + table(errors);

    html += u"<h2>Best kernels</h2>\n"_s;
    for (const ProblemPart &part : model.problems)
        html += problemSection(model, part);

    html += u"<h2>What was learned</h2>\n"_s;
    const Table experiences = experienceTable(model);
    html += experiences.rows.isEmpty() ? paragraph(u"No experience was recorded."_s) : table(experiences);

    html += u"<h2>What it cost</h2>\n"_s + table(ledgerTable(model, model.byModel, u"Model"_s))
        + table(ledgerTable(model, model.byRole, u"Role"_s));
    for (const QString &sentence : costSentences(model))
        html += paragraph(sentence);

    html += u"<h2>Settings and environment</h2>\n"_s + table(environmentTable(model));
    html += u"<details><summary>All settings of the run</summary>\n%1</details>\n"_s.arg(table(settingsTable(model)));
    html += u"<h2>Check it</h2>\n<p>Compares the journal, the commits and their notes:</p>\n<pre>%1</pre>\n"_s.arg(
        esc(verifyCommand(model)));
    html += paragraph(
        u"Written by AccelOpt Studio %1. The best kernel of each problem is the branch PROBLEM/best of kernels.git."_s
            .arg(model.programVersion),
        "muted");
    return (html + u"</body>\n</html>\n"_s).toUtf8();
}

} // namespace accelopt::report
