// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/candidatemodel.h"

#include "domain/format.h"
#include "studio/session.h"

#include <algorithm>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

bool isFailed(const CandidateRow &row)
{
    // Verdicts that are no error kind.
    static const QStringList others{
        u"correct"_s, u"same"_s, u"estimated"_s, u"quarantined"_s, u"pending"_s, u"evaluating"_s};
    return !others.contains(row.verdict);
}

bool hasVerdict(const CandidateRow &row, const QString &verdict)
{
    if (verdict == u"failed"_s)
        return isFailed(row);
    return row.verdict == verdict;
}

/// The number a column sorts by; nothing = missing, or a column of text.
std::optional<double> numberOf(const CandidateRow &row, int column)
{
    const auto positive = [](double value) { return value > 0 ? std::optional(value) : std::nullopt; };
    switch (column) {
    case CandidateModel::LatencyColumn:
        return positive(row.ms);
    case CandidateModel::PeakColumn:
        return positive(row.fraction);
    case CandidateModel::ParentColumn:
        return positive(row.overParent);
    case CandidateModel::BaselineColumn:
        return positive(row.overBaseline);
    default:
        return std::nullopt;
    }
}

bool isNumeric(int column)
{
    return column >= CandidateModel::LatencyColumn && column <= CandidateModel::BaselineColumn;
}

QString textOf(const CandidateRow &row, int column)
{
    switch (column) {
    case CandidateModel::PlanColumn:
        return row.plan;
    case CandidateModel::VerdictColumn:
        return row.best ? u" "_s : row.inBeam ? u"!"_s : row.verdict;
    case CandidateModel::AuthorColumn:
        return row.author;
    case CandidateModel::ProblemColumn:
        return row.problem;
    default:
        return {};
    }
}

/// -1, 0, 1 with `descending` taken into account; missing is last either way.
int compareColumn(const CandidateRow &a, const CandidateRow &b, const SortKey &key)
{
    const int sign = key.descending ? -1 : 1;
    if (isNumeric(key.column)) {
        const auto left = numberOf(a, key.column), right = numberOf(b, key.column);
        if (!left || !right)
            return left ? -1 : right ? 1 : 0;
        return *left < *right ? -sign : *left > *right ? sign : 0;
    }
    if (key.column == CandidateModel::NameColumn)
        return a.key < b.key ? -sign : b.key < a.key ? sign : 0;
    const QString left = textOf(a, key.column), right = textOf(b, key.column);
    if (left.isEmpty() || right.isEmpty())
        return left.isEmpty() == right.isEmpty() ? 0 : left.isEmpty() ? 1 : -1;
    return sign * QString::compare(left, right, Qt::CaseInsensitive);
}

CandidateRow rowFrom(const Attempt &attempt)
{
    CandidateRow row;
    row.id = attempt.id;
    row.parent = attempt.parent;
    row.problem = attempt.problem;
    row.key = attempt.key;
    row.name = attempt.key.display();
    row.plan = attempt.key.isBaseline() ? u"Baseline kernel"_s : attempt.planTitle;
    row.author = attempt.author;
    row.verdict = verdictName(attempt);
    if (attempt.state == Attempt::State::Done) {
        row.ms = attempt.evaluation.latency.medianMs;
        row.fraction = attempt.evaluation.fractionOfPeak;
        row.estimate = attempt.evaluation.estimate;
    }
    return row;
}

Result<QList<CandidateRow>> readRows(ReadContext &context, qint64 run)
{
    const auto reader = context.reader();
    if (!reader)
        return std::unexpected(reader.error());
    AttemptFilter filter;
    filter.run = run;
    filter.details = false;
    const auto attempts = (*reader)->attempts(filter);
    const auto beams = (*reader)->beams(run);
    const auto status = (*reader)->problemStatus(run);
    if (!attempts || !beams || !status)
        return std::unexpected(!attempts ? attempts.error() : !beams ? beams.error() : status.error());
    QHash<QString, int> newest;
    for (const BeamPlace &place : *beams)
        newest[place.problem] = std::max(newest.value(place.problem), place.iteration);
    QSet<qint64> inBeam, best;
    for (const BeamPlace &place : *beams) {
        if (place.iteration == newest.value(place.problem))
            inBeam.insert(place.attempt);
    }
    for (const ProblemStatus &problem : *status) {
        if (problem.bestAttempt != 0 && problem.bestAttempt != problem.baselineAttempt)
            best.insert(problem.bestAttempt);
    }
    QHash<qint64, double> msById;
    QHash<QString, double> baselines;
    for (const Attempt &attempt : *attempts) {
        msById.insert(attempt.id, attempt.evaluation.latency.medianMs);
        if (attempt.key.isBaseline())
            baselines.insert(attempt.problem, attempt.evaluation.latency.medianMs);
    }
    QList<CandidateRow> rows;
    rows.reserve(attempts->size());
    for (const Attempt &attempt : *attempts) {
        CandidateRow row = rowFrom(attempt);
        row.inBeam = inBeam.contains(row.id);
        row.best = best.contains(row.id);
        // A quarantined latency is no result, and neither is the estimate of what was not computed: no speedup.
        if (row.ms > 0 && attempt.evaluation.status == Evaluation::Status::Measured
            && !attempt.evaluation.quarantined) {
            const double parent = msById.value(row.parent);
            row.overParent = parent > 0 ? parent / row.ms : 0;
            const double baseline = baselines.value(row.problem);
            row.overBaseline = baseline > 0 ? baseline / row.ms : 0;
        }
        rows.append(row);
    }
    return rows;
}

} // namespace

bool candidateBefore(const CandidateRow &a, const CandidateRow &b, const QList<SortKey> &keys)
{
    for (const SortKey &key : keys) {
        if (const int order = compareColumn(a, b, key); order != 0)
            return order < 0;
    }
    if (a.problem != b.problem)
        return a.problem < b.problem;
    return a.key != b.key ? a.key < b.key : a.id < b.id;
}

CandidateModel::CandidateModel(QObject *parent)
    : QAbstractTableModel(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &CandidateModel::read);
    connect(this, &CandidateModel::filterChanged, this, &CandidateModel::scheduleRead);
    Session *session = Session::instance();
    connect(session, &Session::journalChanged, this, &CandidateModel::scheduleRead);
    connect(session, &Session::snapshotChanged, this, &CandidateModel::scheduleRead);
    connect(session, &Session::projectChanged, this, [this] {
        setContent({});
        m_problems.clear();
        scheduleRead();
    });
    scheduleRead();
}

int CandidateModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

int CandidateModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant CandidateModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Attempt");
    case PlanColumn:
        return tr("Plan");
    case LatencyColumn:
        return tr("Latency, ms");
    case PeakColumn:
        return tr("Peak");
    case ParentColumn:
        return tr("vs parent");
    case BaselineColumn:
        return tr("vs base");
    case VerdictColumn:
        return tr("Verdict");
    case AuthorColumn:
        return tr("Author");
    case ProblemColumn:
        return tr("Problem");
    default:
        return QString();
    }
}

QVariant CandidateModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const CandidateRow &row = *m_content.rows[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case NameColumn:
            return row.name;
        case PlanColumn:
            return row.plan;
        case LatencyColumn:
            return row.ms <= 0 ? format::missing()
                : row.estimate ? u"≈ "_s + QString::number(row.ms, 'f', 2)
                               : format::latencyMs(row.ms);
        case PeakColumn:
            return row.estimate ? format::estimatedFraction(row.fraction) : format::fraction(row.fraction);
        case ParentColumn:
            return format::speedup(row.overParent);
        case BaselineColumn:
            return format::speedup(row.overBaseline);
        case VerdictColumn:
            return data(index, StateRole);
        case AuthorColumn:
            return row.author;
        case ProblemColumn:
            return row.problem;
        default:
            return QString();
        }
    case IdRole:
        return row.id;
    case FactorRole:
        return index.column() == ParentColumn ? row.overParent : row.overBaseline;
    case EstimateRole:
        return row.estimate;
    case StateRole:
        return row.best ? u"best"_s : row.inBeam && row.verdict == u"correct"_s ? u"in beam"_s : row.verdict;
    case QuarantinedRole:
        return row.verdict == u"quarantined"_s;
    default:
        return {};
    }
}

QHash<int, QByteArray> CandidateModel::roleNames() const
{
    return {{Qt::DisplayRole, "display"}, {IdRole, "attemptId"}, {FactorRole, "factor"}, {EstimateRole, "estimate"},
        {StateRole, "verdictState"}, {QuarantinedRole, "quarantined"}};
}

bool CandidateModel::filtered() const
{
    return !m_text.isEmpty() || !m_problem.isEmpty() || !m_verdict.isEmpty() || m_iteration >= 0 || m_fasterOnly;
}

void CandidateModel::clearFilters()
{
    m_text.clear();
    m_problem.clear();
    m_verdict.clear();
    m_iteration = -1;
    m_fasterOnly = false;
    Q_EMIT filterChanged();
}

void CandidateModel::sortBy(int column, bool descending, bool extend)
{
    const SortKey key{column, descending};
    if (!extend)
        m_sort.clear();
    m_sort.removeIf([column](const SortKey &each) { return each.column == column; });
    // The added key is the weaker one, as in every table.
    m_sort.append(key);
    Q_EMIT sortChanged();
    scheduleRead();
}

CandidateModel::Content CandidateModel::prepare(
    const QList<CandidateRow> &all, const Filter &filter, const QList<SortKey> &keys)
{
    Content content;
    content.counts.total = static_cast<int>(all.size());
    for (const CandidateRow &row : all) {
        if (!filter.problem.isEmpty() && row.problem != filter.problem)
            continue;
        if (filter.iteration >= 0 && row.key.iteration != filter.iteration)
            continue;
        if (filter.fasterOnly && !(row.overBaseline > 1.005))
            continue;
        if (!filter.text.isEmpty() && !row.name.contains(filter.text, Qt::CaseInsensitive)
            && !row.key.ascii().contains(filter.text, Qt::CaseInsensitive)
            && !row.plan.contains(filter.text, Qt::CaseInsensitive)
            && !row.verdict.contains(filter.text, Qt::CaseInsensitive)
            && !row.author.contains(filter.text, Qt::CaseInsensitive)
            && !row.problem.contains(filter.text, Qt::CaseInsensitive))
            continue;
        ++content.counts.all;
        content.counts.correct += row.verdict == u"correct"_s ? 1 : 0;
        content.counts.same += row.verdict == u"same"_s ? 1 : 0;
        content.counts.quarantined += row.verdict == u"quarantined"_s ? 1 : 0;
        content.counts.failed += isFailed(row) ? 1 : 0;
        if (filter.verdict.isEmpty() || hasVerdict(row, filter.verdict))
            content.rows.append(std::make_shared<const CandidateRow>(row));
    }
    std::ranges::sort(content.rows,
        [&keys](const CandidateRowPtr &a, const CandidateRowPtr &b) { return candidateBefore(*a, *b, keys); });
    content.rowById.reserve(content.rows.size());
    for (int i = 0; i < content.rows.size(); ++i)
        content.rowById.insert(content.rows[i]->id, i);
    return content;
}

std::optional<QList<CandidateModel::Step>> CandidateModel::stepsBetween(const Content &from, const Content &to)
{
    using Kind = Step::Kind;
    constexpr qsizetype mostSteps = 2000;
    QList<Step> steps;
    // Removals from the bottom, in runs.
    for (int i = static_cast<int>(from.rows.size()) - 1; i >= 0;) {
        if (to.rowById.contains(from.rows[i]->id)) {
            --i;
            continue;
        }
        const int last = i;
        while (i >= 0 && !to.rowById.contains(from.rows[i]->id))
            --i;
        steps.append({Kind::Remove, i + 1, last - i});
    }
    // What both have must stand in the same order; what lies between is new.
    qsizetype at = 0;
    int changedFirst = -1;
    QList<Step> changes;
    const auto endChange = [&](int end) {
        if (changedFirst >= 0)
            changes.append({Kind::Change, changedFirst, end - changedFirst});
        changedFirst = -1;
    };
    for (int i = 0; i < to.rows.size();) {
        if (!from.rowById.contains(to.rows[i]->id)) {
            endChange(i);
            const int first = i;
            while (i < to.rows.size() && !from.rowById.contains(to.rows[i]->id))
                ++i;
            steps.append({Kind::Insert, first, i - first});
            continue;
        }
        while (at < from.rows.size() && !to.rowById.contains(from.rows[at]->id))
            ++at;
        if (at >= from.rows.size() || from.rows[at]->id != to.rows[i]->id)
            return std::nullopt;
        const bool differs = from.rows[at] != to.rows[i] && *from.rows[at] != *to.rows[i];
        if (!differs)
            endChange(i);
        else if (changedFirst < 0)
            changedFirst = i;
        ++at;
        ++i;
    }
    endChange(static_cast<int>(to.rows.size()));
    steps += changes;
    // Nothing in common is another list, not a change of this one.
    if (steps.size() > mostSteps || (at == 0 && !from.rows.isEmpty()))
        return std::nullopt;
    return steps;
}

void CandidateModel::setContent(const Content &content)
{
    apply(content, stepsBetween(m_content, content));
}

void CandidateModel::apply(const Content &content, const std::optional<QList<Step>> &steps)
{
    ++m_revision;
    if (!steps || m_content.rows.isEmpty() || content.rows.isEmpty()) {
        if (!m_content.rows.isEmpty() || !content.rows.isEmpty()) {
            beginResetModel(); // another order or another filter: the rows themselves are new
            m_content = content;
            endResetModel();
        }
        m_content = content;
        Q_EMIT countChanged();
        return;
    }
    QList<Step> changed;
    for (const Step &step : *steps) {
        switch (step.kind) {
        case Step::Kind::Remove:
            beginRemoveRows({}, step.first, step.first + step.count - 1);
            m_content.rows.remove(step.first, step.count);
            endRemoveRows();
            break;
        case Step::Kind::Insert:
            beginInsertRows({}, step.first, step.first + step.count - 1);
            m_content.rows.insert(step.first, step.count, CandidateRowPtr());
            std::ranges::copy_n(content.rows.begin() + step.first, step.count, m_content.rows.begin() + step.first);
            endInsertRows();
            break;
        case Step::Kind::Change:
            changed.append(step);
            break;
        }
    }
    m_content = content;
    for (const Step &step : std::as_const(changed))
        Q_EMIT dataChanged(index(step.first, 0), index(step.first + step.count - 1, ColumnCount - 1));
    Q_EMIT countChanged();
}

const CandidateRow *CandidateModel::rowAt(int row) const
{
    return row >= 0 && row < count() ? m_content.rows[row].get() : nullptr;
}

int CandidateModel::rowOf(qlonglong attempt) const
{
    return m_content.rowById.value(attempt, -1);
}

qlonglong CandidateModel::attemptAt(int row) const
{
    const CandidateRow *at = rowAt(row);
    return at ? at->id : 0;
}

qlonglong CandidateModel::parentOf(int row) const
{
    const CandidateRow *at = rowAt(row);
    return at ? at->parent : 0;
}

qlonglong CandidateModel::bestChildOf(int row) const
{
    const qint64 id = attemptAt(row);
    const CandidateRow *best = nullptr;
    for (const CandidateRowPtr &each : m_content.rows) {
        if (id != 0 && each->parent == id && each->ms > 0 && (!best || each->ms < best->ms))
            best = each.get();
    }
    return best ? best->id : 0;
}

QString CandidateModel::nameAt(int row) const
{
    const CandidateRow *at = rowAt(row);
    return at ? at->problem + u'/' + at->key.ascii() : QString();
}

QString CandidateModel::problemAt(int row) const
{
    const CandidateRow *at = rowAt(row);
    return at ? at->problem : QString();
}

void CandidateModel::scheduleRead()
{
    // Small runs follow at once; a run of 100,000 attempts is not read again ten times a second.
    constexpr int soonMs = 60, largeMs = 1500, large = 5000;
    if (!m_timer.isActive())
        m_timer.start(m_content.counts.total > large && !m_loading ? largeMs : soonMs);
}

void CandidateModel::read()
{
    Session *session = Session::instance();
    if (!m_active)
        return; // becoming active reads again
    if (!session->hasProject() || session->run() == 0) {
        if (m_loading && session->loaded()) {
            m_loading = false;
            Q_EMIT loadingChanged();
        }
        return;
    }
    const Filter filter{m_text.trimmed(), m_problem, m_verdict, m_iteration, m_fasterOnly};
    const QList<SortKey> keys = m_sort;
    struct Answer {
        Content content;
        std::optional<QList<Step>> steps;
        quint64 revision = 0;
        QStringList problems;
        int iterations = 0;
    };
    session->query(
        this, u"candidates"_s,
        [run = session->run(), filter, keys, shown = m_content, revision = m_revision](
            ReadContext &context) -> Result<Answer> {
            const auto rows = readRows(context, run);
            if (!rows)
                return std::unexpected(rows.error());
            Answer answer{prepare(*rows, filter, keys), {}, revision, {}, 0};
            answer.steps = stepsBetween(shown, answer.content);
            for (const CandidateRow &row : *rows) {
                answer.iterations = std::max(answer.iterations, row.key.iteration);
                if (answer.problems.isEmpty() || answer.problems.last() != row.problem)
                    answer.problems.append(row.problem);
            }
            answer.problems.removeDuplicates();
            return answer;
        },
        [this](const Result<Answer> &answer) {
            m_loading = false;
            m_error = answer ? QString() : answer.error().message;
            if (answer) {
                m_problems = answer->problems;
                m_iterations = answer->iterations;
                if (answer->revision == m_revision)
                    apply(answer->content, answer->steps);
                else
                    setContent(answer->content);
            }
            Q_EMIT loadingChanged();
        });
}

} // namespace accelopt
