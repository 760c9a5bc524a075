// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/runeditor.h"

#include "domain/format.h"
#include "domain/hardware.h"
#include "studio/session.h"

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

// --- ProblemChoice ---------------------------------------------------------------------------------------------------

int ProblemChoice::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant ProblemChoice::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case NameRole:
        return row.name;
    case FractionRole:
        return row.fraction;
    case EstimateRole:
        return row.estimate;
    case TickedRole:
        return row.ticked;
    default:
        return {};
    }
}

QHash<int, QByteArray> ProblemChoice::roleNames() const
{
    return {{NameRole, "name"}, {FractionRole, "fraction"}, {EstimateRole, "estimate"}, {TickedRole, "ticked"}};
}

void ProblemChoice::setRows(const QList<Row> &rows)
{
    const bool same = std::ranges::equal(rows, m_rows, {}, &Row::name, &Row::name);
    if (same) {
        for (int i = 0; i < rows.size(); ++i) {
            Row row = rows.at(i);
            row.ticked = m_rows.at(i).ticked;
            if (row == m_rows.at(i))
                continue;
            m_rows[i] = row;
            Q_EMIT dataChanged(index(i), index(i));
        }
        return;
    }
    QMap<QString, Row> next;
    for (const Row &row : rows)
        next.insert(row.name, row);
    for (int i = int(m_rows.size()) - 1; i >= 0; --i) {
        const auto found = next.constFind(m_rows.at(i).name);
        if (found == next.constEnd()) {
            beginRemoveRows({}, i, i);
            m_rows.removeAt(i);
            endRemoveRows();
        } else {
            m_rows[i].fraction = found->fraction;
            m_rows[i].estimate = found->estimate;
            Q_EMIT dataChanged(index(i), index(i));
        }
    }
    for (const Row &row : rows) {
        if (std::ranges::any_of(m_rows, [&](const Row &r) { return r.name == row.name; }))
            continue;
        beginInsertRows({}, int(m_rows.size()), int(m_rows.size()));
        m_rows.append(row);
        endInsertRows();
    }
    Q_EMIT tickedChanged();
}

void ProblemChoice::tick(int row, bool ticked)
{
    if (row < 0 || row >= m_rows.size() || m_rows.at(row).ticked == ticked)
        return;
    m_rows[row].ticked = ticked;
    Q_EMIT dataChanged(index(row), index(row), {TickedRole});
    Q_EMIT tickedChanged();
}

void ProblemChoice::tickAll(bool ticked)
{
    if (m_rows.isEmpty())
        return;
    for (Row &row : m_rows)
        row.ticked = ticked;
    Q_EMIT dataChanged(index(0), index(int(m_rows.size()) - 1), {TickedRole});
    Q_EMIT tickedChanged();
}

void ProblemChoice::sortByHeadroom()
{
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QList<Row> before = m_rows;
    std::ranges::stable_sort(m_rows, {}, [](const Row &row) { return row.fraction > 0 ? row.fraction : 1e9; });
    const QModelIndexList from = persistentIndexList();
    QModelIndexList to;
    for (const QModelIndex &old : from) {
        const auto at = std::ranges::find(m_rows, before.at(old.row()).name, &Row::name);
        to.append(index(int(at - m_rows.begin())));
    }
    changePersistentIndexList(from, to);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

QStringList ProblemChoice::ticked() const
{
    QStringList names;
    for (const Row &row : m_rows) {
        if (row.ticked)
            names.append(row.name);
    }
    return names;
}

// --- RunEditor -------------------------------------------------------------------------------------------------------

namespace {

RunSettings presetSettings(int preset)
{
    return preset == 0 ? RunSettings::quickPreset()
        : preset == 2  ? RunSettings::smokePreset()
                       : RunSettings::paperPreset();
}

bool sameNumbers(const RunSettings &a, const RunSettings &b)
{
    return a.iterations == b.iterations && a.beam == b.beam && a.plans == b.plans && a.attempts == b.attempts;
}

} // namespace

RunEditor::RunEditor(QObject *parent)
    : QObject(parent)
{
    if (auto prices = PriceTable::bundled())
        m_prices = std::move(*prices);
    Session *session = Session::instance();
    connect(session, &Session::snapshotChanged, this, &RunEditor::takeProject);
    connect(session, &Session::projectChanged, this, [this, session] {
        if (session->project())
            m_settings.target = session->project()->defaultTarget();
        m_editing = false;
        Q_EMIT editingChanged();
        takeProject();
    });
    connect(&m_problems, &ProblemChoice::tickedChanged, this, &RunEditor::estimate);
    if (session->project())
        m_settings.target = session->project()->defaultTarget();
    takeProject();
}

void RunEditor::takeProject()
{
    const SnapshotPtr snapshot = Session::instance()->snapshot();
    QList<ProblemChoice::Row> rows;
    m_secondsPerAttempt = 0;
    m_timeSource.clear();
    if (snapshot) {
        for (const Problem &problem : snapshot->problems) {
            const ProblemStatus *status = snapshot->problem(problem.name);
            rows.append({problem.name, status ? status->baselineFraction : 0, status && status->estimate, true});
        }
        if (snapshot->run && snapshot->counts.total > 20 && snapshot->run->activeSeconds > 1) {
            m_secondsPerAttempt = snapshot->run->activeSeconds / double(snapshot->counts.total);
            m_timeSource = tr("at the pace of Run %1").arg(snapshot->run->id);
        }
    }
    m_problems.setRows(rows);
    estimate();
}

void RunEditor::estimate()
{
    m_estimate = estimateRun(settings(), std::max(0, tickedProblems()), m_prices);
    Q_EMIT changed();
}

RunSettings RunEditor::settings() const
{
    RunSettings settings = m_settings;
    settings.problems = m_problems.ticked();
    if (settings.problems.size() == m_problems.rows().size())
        settings.problems.clear(); // all
    return settings;
}

int RunEditor::preset() const
{
    for (const int preset : {0, 1, 2}) {
        if (sameNumbers(m_settings, presetSettings(preset)))
            return preset;
    }
    return 3;
}

void RunEditor::choosePreset(int preset)
{
    if (preset < 0 || preset > 2)
        return;
    const RunSettings from = presetSettings(preset);
    m_settings.iterations = from.iterations;
    m_settings.beam = from.beam;
    m_settings.plans = from.plans;
    m_settings.attempts = from.attempts;
    m_settings.topK = from.topK;
    m_settings.memoryCapacity = from.memoryCapacity;
    m_settings.fixerRounds = from.fixerRounds;
    estimate();
}

QString RunEditor::presetText(int preset) const
{
    const RunSettings s = preset < 3 ? presetSettings(preset) : m_settings;
    return tr("T\u00a0%1  B\u00a0%2  N\u00a0%3  K\u00a0%4").arg(s.iterations).arg(s.beam).arg(s.plans).arg(s.attempts);
}

double RunEditor::presetAttempts(int preset) const
{
    const RunSettings s = preset < 3 ? presetSettings(preset) : m_settings;
    return double(s.volumePerProblem().executorCalls) * tickedProblems();
}

QString RunEditor::modelOf(int role) const
{
    return m_settings.model(Role(role)).toString();
}

QString RunEditor::setModel(int role, const QString &text)
{
    const auto choice = ModelChoice::parse(text.trimmed());
    if (!choice)
        return choice.error().message;
    if (choice->provider == "rules"_L1)
        m_settings.models.remove(Role(role));
    else
        m_settings.models.insert(Role(role), *choice);
    estimate();
    return {};
}

QString RunEditor::priceOf(int role) const
{
    const ModelChoice choice = m_settings.model(Role(role));
    if (choice.provider == "rules"_L1)
        return tr("free");
    const auto price = m_prices.find(choice);
    return price ? u"$%1 / %2"_s.arg(price->input, 0, 'f', 2).arg(price->output, 0, 'f', 2) : u"?"_s;
}

void RunEditor::copyFrom(qlonglong run)
{
    const SnapshotPtr snapshot = Session::instance()->snapshot();
    if (!snapshot)
        return;
    for (const RunRecord &record : snapshot->runs) {
        if (record.id != run)
            continue;
        m_settings = record.settings;
        for (int i = 0; i < m_problems.rows().size(); ++i)
            m_problems.tick(i,
                record.settings.problems.isEmpty() || record.settings.problems.contains(m_problems.rows().at(i).name));
        estimate();
    }
}

bool RunEditor::start()
{
    if (!problem().isEmpty())
        return false;
    if (!Session::instance()->startRun(settings()))
        return false;
    m_editing = false;
    Q_EMIT editingChanged();
    return true;
}

bool RunEditor::paperPrompts() const
{
    return !m_settings.showFractionOfPeak && !m_settings.showBestSoFar && !m_settings.showTriedTitles
        && !m_settings.showFailures;
}

void RunEditor::setPaperPrompts(bool paper)
{
    m_settings.showFractionOfPeak = m_settings.showBestSoFar = m_settings.showTriedTitles = m_settings.showFailures =
        !paper;
    estimate();
}

QStringList RunEditor::targets()
{
    return knownTargets();
}

QString RunEditor::problem() const
{
    if (m_problems.rows().isEmpty())
        return tr("The project has no problem.");
    if (m_problems.ticked().isEmpty())
        return tr("Tick at least one problem.");
    const auto valid = settings().validate();
    return valid ? QString() : valid.error().message;
}

QString RunEditor::selectionText() const
{
    switch (m_settings.selection) {
    case SelectionPolicy::Elitist:
        return tr("Parents and the best so far compete too; duplicates drop out.");
    case SelectionPolicy::Paper:
        return tr("The best of each plan competes; parents only fill free places.");
    case SelectionPolicy::Upstream:
        return tr("As the published code, for comparison with its results.");
    }
    return {};
}

double RunEditor::fixerCalls() const
{
    return executorCalls() * m_settings.fixerRounds;
}

} // namespace accelopt
