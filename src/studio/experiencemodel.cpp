// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/experiencemodel.h"

#include "studio/session.h"

#include <algorithm>
#include <tuple>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

ExperienceModel::ExperienceModel(QObject *parent)
    : QAbstractListModel(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(50);
    connect(&m_timer, &QTimer::timeout, this, &ExperienceModel::read);
    const auto later = [this] {
        if (!m_timer.isActive())
            m_timer.start();
    };
    connect(Session::instance(), &Session::journalChanged, this, later);
    connect(Session::instance(), &Session::snapshotChanged, this, later);
    connect(this, &ExperienceModel::filterChanged, this, &ExperienceModel::refill);
    later();
}

int ExperienceModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant ExperienceModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Experience &row = m_rows[index.row()];
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole:
        return row.title.isEmpty() ? tr("No optimization found") : row.title;
    case IdRole:
        return row.id;
    case SummaryRole:
        return row.text();
    case PositiveRole:
        return row.positive;
    case SpeedupRole:
        return row.speedup;
    case WhereRole:
        return tr("%1, iteration %2").arg(row.problem).arg(row.iteration)
            + (row.editedSummary.isEmpty() ? QString() : tr(", edited by you"));
    case UsesRole:
        return row.uses;
    case StateRole:
        return experienceStateName(row.state);
    case EditedRole:
        return !row.editedSummary.isEmpty();
    case SlowRole:
        return row.slowAttempt;
    case FastRole:
        return row.fastAttempt;
    case ProblemRole:
        return row.problem;
    case IterationRole:
        return row.iteration;
    default:
        return {};
    }
}

QHash<int, QByteArray> ExperienceModel::roleNames() const
{
    return {{Qt::DisplayRole, "display"}, {IdRole, "experienceId"}, {TitleRole, "title"}, {SummaryRole, "summary"},
        {PositiveRole, "positive"}, {SpeedupRole, "speedup"}, {WhereRole, "where"}, {UsesRole, "uses"},
        {StateRole, "useState"}, {EditedRole, "edited"}, {SlowRole, "slow"}, {FastRole, "fast"},
        {ProblemRole, "problem"}, {IterationRole, "iteration"}};
}

QVariant ExperienceModel::value(int row, const QString &role) const
{
    return row >= 0 && row < count() ? data(index(row), roleNames().key(role.toLatin1(), -1)) : QVariant();
}

int ExperienceModel::rowOf(qlonglong id) const
{
    const auto it = std::ranges::find(m_rows, id, &Experience::id);
    return it == m_rows.end() ? -1 : static_cast<int>(it - m_rows.begin());
}

void ExperienceModel::clearFilters()
{
    m_text.clear();
    m_problem.clear();
    m_sign.clear();
    m_use.clear();
    Q_EMIT filterChanged();
}

void ExperienceModel::read()
{
    Session *session = Session::instance();
    if (!session->hasProject()) {
        setExperiences({});
        return;
    }
    session->query(
        this, u"experiences"_s,
        [run = session->run()](ReadContext &context) -> Result<QList<Experience>> {
            const auto reader = context.reader();
            return reader ? (*reader)->experiences(run) : std::unexpected(reader.error());
        },
        [this](const Result<QList<Experience>> &experiences) {
            m_error = experiences ? QString() : experiences.error().message;
            setExperiences(experiences ? *experiences : QList<Experience>());
        });
}

void ExperienceModel::setExperiences(const QList<Experience> &experiences)
{
    const bool first = m_loading;
    m_loading = false;
    if (experiences == m_all && !first)
        return;
    m_all = experiences;
    m_total = m_positive = m_disabled = 0;
    m_problems.clear();
    for (const Experience &each : experiences) {
        if (each.state == Experience::State::Deleted)
            continue;
        ++m_total;
        m_positive += each.positive ? 1 : 0;
        m_disabled += each.state == Experience::State::Disabled ? 1 : 0;
        if (!m_problems.contains(each.problem))
            m_problems.append(each.problem);
    }
    m_problems.sort();
    refill();
}

void ExperienceModel::refill()
{
    QList<Experience> rows;
    for (const Experience &each : std::as_const(m_all)) {
        const bool fits = each.state != Experience::State::Deleted && (m_problem.isEmpty() || each.problem == m_problem)
            && (m_sign.isEmpty() || (m_sign == u"positive"_s) == each.positive)
            && (m_use.isEmpty() || (m_use == u"disabled"_s) == (each.state == Experience::State::Disabled))
            && (m_text.isEmpty() || each.title.contains(m_text, Qt::CaseInsensitive)
                || each.text().contains(m_text, Qt::CaseInsensitive));
        if (fits)
            rows.append(each);
    }
    // Pinned first, then as chosen; of equals the newest.
    std::ranges::stable_sort(rows, [this](const Experience &a, const Experience &b) {
        const bool pinnedA = a.state == Experience::State::Pinned, pinnedB = b.state == Experience::State::Pinned;
        if (pinnedA != pinnedB)
            return pinnedA;
        if (m_order == u"uses"_s && a.uses != b.uses)
            return a.uses > b.uses;
        if (m_order == u"speedup"_s && a.speedup != b.speedup)
            return a.speedup > b.speedup;
        return std::tie(a.iteration, a.id) > std::tie(b.iteration, b.id);
    });
    const auto sameIds = std::ranges::equal(rows, m_rows, {}, &Experience::id, &Experience::id);
    if (sameIds) {
        for (int i = 0; i < rows.size(); ++i) {
            if (rows[i] != m_rows[i]) {
                m_rows[i] = rows[i];
                Q_EMIT dataChanged(index(i), index(i));
            }
        }
    } else {
        beginResetModel();
        m_rows = rows;
        endResetModel();
    }
    Q_EMIT countChanged();
}

void ExperienceModel::write(
    const Experience &before, Experience::State state, const QString &edited, const QString &what)
{
    Session *session = Session::instance();
    const auto put = [session](qint64 id, Experience::State newState, const QString &text) {
        const auto journal = session->journal();
        if (!journal) {
            session->notify(journal.error());
            return false;
        }
        // The future is not waited for: the row shows when the journal says it changed.
        (*journal)->editExperience(id, newState, text).then(session, [session](const Result<void> &result) {
            if (!result)
                session->notify(result.error());
            session->refresh();
        });
        return true;
    };
    if (!put(before.id, state, edited))
        return;
    session->undoStack()->push(
        what, [put, before] { put(before.id, before.state, before.editedSummary); },
        [put, id = before.id, state, edited] { put(id, state, edited); });
}

void ExperienceModel::togglePin(int row)
{
    if (row < 0 || row >= count())
        return;
    const Experience each = m_rows[row];
    const bool pinned = each.state == Experience::State::Pinned;
    write(each, pinned ? Experience::State::Active : Experience::State::Pinned, each.editedSummary,
        pinned ? tr("Experience unpinned") : tr("Experience pinned"));
}

void ExperienceModel::toggleDisabled(int row)
{
    if (row < 0 || row >= count())
        return;
    const Experience each = m_rows[row];
    const bool disabled = each.state == Experience::State::Disabled;
    write(each, disabled ? Experience::State::Active : Experience::State::Disabled, each.editedSummary,
        disabled ? tr("Experience enabled") : tr("Experience disabled"));
}

void ExperienceModel::remove(int row)
{
    if (row < 0 || row >= count())
        return;
    const Experience each = m_rows[row];
    write(each, Experience::State::Deleted, each.editedSummary, tr("Experience removed"));
    Session::instance()->notify(
        u"info"_s, tr("Experience removed. It stays in the prompts that used it."), tr("Undo"), u"undo"_s);
}

void ExperienceModel::edit(int row, const QString &summary)
{
    if (row < 0 || row >= count())
        return;
    const Experience each = m_rows[row];
    const QString text = summary.trimmed() == each.summary.trimmed() ? QString() : summary.trimmed();
    if (text != each.editedSummary)
        write(each, each.state, text, tr("Experience edited"));
}

} // namespace accelopt
