// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/format.h"
#include "report/reportmodel.h"
#include "report/reportparts.h"

#include <QRegularExpression>

using namespace Qt::Literals::StringLiterals;

namespace accelopt::report {

namespace {

/// Text in a line of Markdown: nothing in it has a meaning.
QString esc(const QString &text)
{
    static const QRegularExpression special(u"([\\\\`*_{}\\[\\]<>#|~!&])"_s);
    return visible(text).simplified().replace(special, u"\\\\1"_s);
}

QString table(const Table &table)
{
    QString text = u"|"_s, rule = u"|"_s;
    for (const QString &head : table.head) {
        const bool numbers = head.startsWith(u'#');
        text += u' ' + esc(numbers ? head.mid(1) : head) + u" |"_s;
        rule += numbers ? u" ---: |"_s : u" --- |"_s;
    }
    text += u'\n' + rule + u'\n';
    for (const QStringList &row : table.rows) {
        text += u'|';
        for (const QString &cell : row)
            text += u' ' + esc(cell) + u" |"_s;
        text += u'\n';
    }
    return text + u'\n';
}

/// A fence longer than any in the text.
QString fenced(const QString &text, const QString &language)
{
    static const QRegularExpression ticks(u"`+"_s);
    qsizetype longest = 2;
    for (auto match = ticks.globalMatch(text); match.hasNext();)
        longest = std::max(longest, match.next().capturedLength());
    const QString fence(longest + 1, u'`');
    return fence + language + u'\n' + text + (text.endsWith(u'\n') ? u""_s : u"\n"_s) + fence + u"\n\n"_s;
}

} // namespace

QByteArray renderMarkdown(const Model &model)
{
    QString text = u"# %1, %2\n\n%3\n\n"_s.arg(esc(model.projectName), esc(model.run.name), esc(provenance(model)));
    for (const QString &sentence : headlineSentences(model))
        text += u"**%1**\n\n"_s.arg(esc(sentence));
    if (const QString estimate = estimateSentence(model); !estimate.isEmpty())
        text += u"> %1\n\n"_s.arg(esc(estimate));
    text += esc(stateSentence(model)) + u"\n\n"_s;
    text += u"## Problems\n\n"_s + table(problemTable(model));
    text += u"### Best fraction of peak over iterations\n\n"_s;
    Table fractions{{u"#Iteration"_s}, {}};
    const QList<Series> series = fractionSeries(model);
    qsizetype points = 0;
    for (const Series &line : series) {
        fractions.head.append(u'#' + line.name);
        points = std::max(points, line.values.size());
    }
    for (qsizetype i = 0; i < points; ++i) {
        QStringList row{QString::number(i)};
        for (const Series &line : series)
            row.append(i < line.values.size() ? fractionText(line.values.at(i), line.dashed) : format::missing());
        fractions.rows.append(row);
    }
    text += table(fractions);
    text += u"## Attempts\n\n"_s + table(attemptTable(model));
    if (const Table errors = errorTable(model); !errors.rows.isEmpty())
        text += u"How failed attempts failed:\n\n"_s + table(errors);
    text += u"## Best kernels\n\n"_s;
    for (const ProblemPart &part : model.problems) {
        text += u"### %1\n\n%2\n\n"_s.arg(
            esc(part.problem.title.isEmpty() ? part.problem.name : part.problem.title), esc(part.problem.operatorText));
        if (!part.lineage.isEmpty())
            text += table(lineageTable(part));
        if (part.patch.isEmpty()) {
            text += esc(part.patchNote) + u"\n\n"_s;
        } else {
            QStringList lines = visible(QString::fromUtf8(part.patch)).split(u'\n');
            const qsizetype more = lines.size() - maximumDiffLines;
            if (more > 0)
                lines.resize(maximumDiffLines);
            text += fenced(lines.join(u'\n'), u"diff"_s);
            if (more > 0)
                text +=
                    u"%1 more lines are not shown; the commands below show them all.\n\n"_s.arg(format::count(more));
        }
        if (const QStringList commands = checkCommands(model, part); !commands.isEmpty())
            text += u"Check the best kernel again, from the folder that holds the project:\n\n"_s
                + fenced(commands.join(u'\n'), u"sh"_s);
        if (const Table samples = samplesTable(part); !samples.rows.isEmpty())
            text += u"Raw samples:\n\n"_s + table(samples);
    }
    text += u"## What was learned\n\n"_s;
    const Table experiences = experienceTable(model);
    text += experiences.rows.isEmpty() ? u"No experience was recorded.\n\n"_s : table(experiences);
    text += u"## What it cost\n\n"_s + table(ledgerTable(model, model.byModel, u"Model"_s))
        + table(ledgerTable(model, model.byRole, u"Role"_s));
    for (const QString &sentence : costSentences(model))
        text += esc(sentence) + u"\n\n"_s;
    text += u"## Settings and environment\n\n"_s + table(environmentTable(model)) + table(settingsTable(model));
    text += u"## Check it\n\nCompares the journal, the commits and their notes:\n\n"_s
        + fenced(verifyCommand(model), u"sh"_s);
    return text.toUtf8();
}

} // namespace accelopt::report
