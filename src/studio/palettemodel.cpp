// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/palettemodel.h"

#include "domain/format.h"
#include "studio/commands.h"
#include "studio/session.h"

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int s_perGroup = 6;
constexpr int s_asked = 200; // attempts fetched for one query

QString marked(const QString &text, const QList<int> &marks)
{
    QString out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QString c = QString(text.at(i)).toHtmlEscaped();
        out += marks.contains(int(i)) ? u"<b>"_s + c + u"</b>"_s : c;
    }
    return out.replace("</b><b>"_L1, ""_L1);
}

} // namespace

double fuzzyScore(const QString &query, const QString &text, QList<int> *marks)
{
    QString letters = query;
    letters.remove(u' ');
    if (letters.isEmpty())
        return 0;
    QList<int> found;
    double score = 0;
    qsizetype from = 0;
    qsizetype last = -2;
    for (const QChar letter : std::as_const(letters)) {
        // A letter that goes on with the run, else one that begins a word, else any.
        qsizetype at = -1;
        const auto same = [&](qsizetype i) { return text.at(i).toLower() == letter.toLower(); };
        const auto begins = [&](qsizetype i) { return i == 0 || !text.at(i - 1).isLetterOrNumber(); };
        if (last + 1 < text.size() && last >= 0 && same(last + 1)) {
            at = last + 1;
        } else {
            for (qsizetype i = from; i < text.size() && at < 0; ++i) {
                if (same(i) && begins(i))
                    at = i;
            }
            for (qsizetype i = from; i < text.size() && at < 0; ++i) {
                if (same(i))
                    at = i;
            }
        }
        if (at < 0)
            return -1;
        score += at == last + 1 ? 3 : begins(at) ? 2 : 0.5;
        found.append(int(at));
        last = at;
        from = at + 1;
    }
    score -= double(text.size()) * 0.01; // of equals the shorter
    if (marks)
        *marks = found;
    return std::max(score, 0.01);
}

PaletteModel::PaletteModel(QObject *parent)
    : QAbstractListModel(parent)
{
    m_ask.setSingleShot(true);
    m_ask.setInterval(80);
    connect(&m_ask, &QTimer::timeout, this, &PaletteModel::askAttempts);
}

int PaletteModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant PaletteModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows.at(index.row());
    switch (role) {
    case HeadRole:
        return row.head;
    case TitleRole:
        return row.title;
    case Qt::DisplayRole:
        return row.plain;
    case DetailRole:
        return row.detail;
    case IconRole:
        return row.icon;
    case MeaningRole:
        return row.meaning;
    case SequenceRole:
        return row.sequence;
    default:
        return {};
    }
}

QHash<int, QByteArray> PaletteModel::roleNames() const
{
    return {{HeadRole, "head"}, {TitleRole, "title"}, {DetailRole, "detail"}, {IconRole, "icon"},
        {MeaningRole, "meaning"}, {SequenceRole, "sequence"}};
}

void PaletteModel::setQuery(const QString &query)
{
    if (query == m_query)
        return;
    m_query = query;
    Q_EMIT queryChanged();
    build();
    m_ask.start();
}

void PaletteModel::refresh()
{
    m_attempts.clear();
    build();
    m_ask.start();
}

QList<PaletteModel::Row> PaletteModel::commands(const QString &text) const
{
    QList<Row> rows;
    const QString page = Session::instance()->page();
    for (const Command *command : Commands::instance()->all()) {
        if (!command->isEnabled() || !command->inPalette() || (!command->page().isEmpty() && command->page() != page))
            continue;
        QList<int> marks;
        const double score = fuzzyScore(text, command->text(), &marks);
        if (score < 0)
            continue;
        Row row;
        row.plain = command->text();
        row.title = marked(row.plain, marks);
        row.icon = command->icon();
        row.sequence = command->sequence();
        row.score = score + (command->page() == page ? 0.5 : 0);
        row.commandId = command->id();
        rows.append(row);
    }
    return rows;
}

QList<PaletteModel::Row> PaletteModel::problems(const QString &text) const
{
    QList<Row> rows;
    const SnapshotPtr snapshot = Session::instance()->snapshot();
    if (!snapshot)
        return rows;
    for (const Problem &problem : snapshot->problems) {
        QList<int> marks;
        const double score = fuzzyScore(text, problem.name, &marks);
        if (score < 0)
            continue;
        Row row;
        row.plain = problem.name;
        row.title = marked(row.plain, marks);
        row.icon = u"target"_s;
        row.problem = problem.name;
        row.score = score;
        if (const ProblemStatus *status = snapshot->problem(problem.name); status && status->bestFraction > 0) {
            const auto fraction = [&](double f) {
                return status->estimate ? format::estimatedFraction(f) : format::fraction(f);
            };
            row.detail =
                tr("%1 to %2 of peak, %n attempt(s)", nullptr, int(snapshot->countsByProblem.value(problem.name).total))
                    .arg(fraction(status->baselineFraction), fraction(status->bestFraction));
        }
        rows.append(row);
    }
    return rows;
}

QList<PaletteModel::Row> PaletteModel::attempts(const QString &text) const
{
    QList<Row> rows;
    const SnapshotPtr snapshot = Session::instance()->snapshot();
    for (const Attempt &attempt : m_attempts) {
        QList<int> marks;
        Row row;
        row.plain = attempt.problem + u' ' + attempt.key.display();
        double score = fuzzyScore(text, row.plain, &marks);
        if (score < 0)
            score = fuzzyScore(text, attempt.problem + u' ' + attempt.key.ascii(), nullptr), marks.clear();
        if (score < 0)
            score = fuzzyScore(text, attempt.planTitle, nullptr) * 0.5, marks.clear();
        if (score < 0)
            continue;
        row.title = marked(row.plain, marks);
        const QString verdict = verdictName(attempt);
        const Evaluation &e = attempt.evaluation;
        const ProblemStatus *status = snapshot ? snapshot->problem(attempt.problem) : nullptr;
        const bool best = status && status->bestAttempt == attempt.id;
        row.icon = best                             ? u"flag"_s
            : attempt.state != Attempt::State::Done ? u"clock"_s
            : e.isCorrect()                         ? u"dot"_s
                                                    : u"x"_s;
        row.meaning = best ? u"better"_s
            : attempt.state == Attempt::State::Done && !e.isCorrect() && e.status == Evaluation::Status::Failed
            ? u"failed"_s
            : QString();
        QStringList parts;
        if (best)
            parts.append(tr("best"));
        if (e.latency.medianMs > 0) {
            parts.append(
                e.estimate ? format::estimatedLatency(e.latency.medianMs) : format::latency(e.latency.medianMs));
            if (e.fractionOfPeak > 0)
                parts.append(tr("%1 of peak")
                        .arg(e.estimate ? format::estimatedFraction(e.fractionOfPeak)
                                        : format::fraction(e.fractionOfPeak)));
        } else {
            parts.append(verdict);
        }
        row.detail = parts.join(u", "_s);
        row.score = score + (best ? 1 : 0);
        row.attempt = attempt.id;
        rows.append(row);
    }
    return rows;
}

void PaletteModel::build()
{
    QString text = m_query.trimmed();
    const QChar first = text.isEmpty() ? QChar() : text.at(0);
    const bool narrowed = first == u'>' || first == u'#' || first == u'@';
    if (narrowed)
        text = text.mid(1).trimmed();
    QList<Row> rows;
    m_found = m_shown = 0;
    const auto group = [&](const QString &title, QList<Row> found, int limit) {
        if (found.isEmpty())
            return;
        std::ranges::stable_sort(found, std::greater{}, &Row::score);
        m_found += int(found.size());
        if (found.size() > limit)
            found.resize(limit);
        m_shown += int(found.size());
        Row head;
        head.head = true;
        head.title = head.plain = title;
        rows.append(head);
        rows.append(found);
    };
    const int limit = narrowed ? 60 : text.isEmpty() ? 8 : s_perGroup;
    if (!narrowed || first == u'>')
        group(tr("Commands"), commands(text), limit);
    if (first == u'#' || (!narrowed && !text.isEmpty()))
        group(tr("Attempts"), attempts(text), limit);
    if (!narrowed || first == u'@')
        group(tr("Problems"), problems(text), limit);
    beginResetModel(); // another question, other rows
    m_rows = rows;
    endResetModel();
    Q_EMIT resultsChanged();
}

void PaletteModel::askAttempts()
{
    Session *session = Session::instance();
    QString text = m_query.trimmed();
    if (!session->hasRun() || (text.isEmpty() || text.startsWith(u'>') || text.startsWith(u'@')))
        return;
    if (text.startsWith(u'#'))
        text = text.mid(1).trimmed();
    const qint64 run = session->run();
    QStringList names;
    for (const Problem &problem : session->snapshot()->problems) {
        // "mam i08": the first word may name a problem.
        if (fuzzyScore(text.section(u' ', 0, 0), problem.name) >= 1.5 * double(text.section(u' ', 0, 0).size()))
            names.append(problem.name);
    }
    const QString last = text.section(u' ', -1);
    session->query(
        this, u"attempts"_s,
        [run, text, names, last](ReadContext &context) -> Result<QList<Attempt>> {
            const auto reader = context.reader();
            if (!reader)
                return std::unexpected(reader.error());
            QList<Attempt> found;
            const auto add = [&](const AttemptFilter &filter) {
                if (const auto attempts = (*reader)->attempts(filter, s_asked); attempts) {
                    for (const Attempt &attempt : *attempts) {
                        if (std::ranges::none_of(found, [&](const Attempt &a) { return a.id == attempt.id; }))
                            found.append(attempt);
                    }
                }
            };
            if (const auto key = AttemptKey::parse(last)) {
                for (const QString &name : names) {
                    if (const auto attempt = (*reader)->attempt(run, name, *key); attempt)
                        found.append(*attempt);
                }
            }
            const auto status = (*reader)->problemStatus(run);
            if (status) {
                for (const ProblemStatus &problem : *status) {
                    if (names.isEmpty() || names.contains(problem.name)) {
                        if (const auto best = (*reader)->attempt(problem.bestAttempt); best && problem.bestAttempt)
                            found.append(*best);
                    }
                }
            }
            for (const QString &name : names)
                add({.run = run,
                    .problem = name,
                    .iterationFrom = -1,
                    .iterationTo = -1,
                    .verdict = {},
                    .text = {},
                    .parent = 0});
            add({.run = run,
                .problem = {},
                .iterationFrom = -1,
                .iterationTo = -1,
                .verdict = {},
                .text = text,
                .parent = 0});
            return found;
        },
        [this](const Result<QList<Attempt>> &attempts) {
            if (attempts) {
                m_attempts = *attempts;
                build();
            }
        });
}

int PaletteModel::nextSelectable(int from, int direction) const
{
    for (int row = from + direction; row >= 0 && row < m_rows.size(); row += direction) {
        if (!m_rows.at(row).head)
            return row;
    }
    return from;
}

QString PaletteModel::plain(int row) const
{
    if (row < 0 || row >= m_rows.size())
        return {};
    const Row &r = m_rows.at(row);
    return r.detail.isEmpty() ? r.plain : r.plain + u", "_s + r.detail;
}

void PaletteModel::run(int row)
{
    if (row < 0 || row >= m_rows.size() || m_rows.at(row).head)
        return;
    const Row chosen = m_rows.at(row);
    Session *session = Session::instance();
    if (!chosen.commandId.isEmpty())
        Commands::instance()->trigger(chosen.commandId);
    else if (chosen.attempt)
        session->showAttempt(chosen.attempt);
    else
        session->showProblem(chosen.problem);
}

} // namespace accelopt
