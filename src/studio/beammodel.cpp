// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/beammodel.h"

#include "domain/format.h"
#include "studio/session.h"

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

Result<BeamRows> readBeam(const JournalReader &reader, const RunRecord &run, const QString &problem)
{
    const auto beams = reader.beams(run.id, problem);
    if (!beams)
        return std::unexpected(beams.error());
    BeamRows answer;
    for (const BeamPlace &place : *beams)
        answer.iteration = std::max(answer.iteration, place.iteration);
    const auto attempts = reader.attempts({.run = run.id,
        .problem = problem,
        .iterationFrom = answer.iteration,
        .iterationTo = answer.iteration,
        .verdict = {},
        .text = {},
        .parent = 0});
    if (!attempts)
        return std::unexpected(attempts.error());
    double bestMs = 0;
    for (const BeamPlace &place : *beams) {
        if (place.iteration != answer.iteration)
            continue;
        const auto attempt = reader.attempt(place.attempt);
        if (!attempt)
            return std::unexpected(attempt.error());
        const Evaluation &e = attempt->evaluation;
        BeamModel::Row row;
        row.rank = place.candidate;
        row.key = attempt->key.display();
        row.attempt = place.attempt;
        row.origin = place.origin;
        row.estimate = e.estimate;
        row.latency = e.latency.medianMs > 0
            ? e.estimate ? format::estimatedLatency(e.latency.medianMs) : format::latency(e.latency.medianMs)
            : format::missing();
        row.fraction = e.fractionOfPeak;
        row.fractionText = e.fractionOfPeak > 0
            ? e.estimate ? format::estimatedFraction(e.fractionOfPeak) : format::fraction(e.fractionOfPeak)
            : format::missing();
        row.newBest = place.origin == "child"_L1 && attempt->key.iteration == answer.iteration - 1
            && (bestMs == 0 || e.latency.medianMs < bestMs) && place.candidate == 1;
        if (bestMs == 0 || e.latency.medianMs < bestMs)
            bestMs = e.latency.medianMs;
        if (attempt->parent) {
            if (const auto parent = reader.attempt(attempt->parent); parent)
                row.parent = parent->key.display();
        }
        int age = 0;
        for (int i = answer.iteration; i > 0; --i) {
            const bool there = std::ranges::any_of(
                *beams, [&](const BeamPlace &p) { return p.iteration == i && p.attempt == place.attempt; });
            if (!there)
                break;
            ++age;
        }
        row.age = BeamModel::tr("kept %n iteration(s)", nullptr, age);
        for (int plan = 1; plan <= run.settings.plans; ++plan) {
            bool any = false, working = false, better = false, correct = false;
            for (const Attempt &a : *attempts) {
                if (a.key.candidate != place.candidate || a.key.plan != plan)
                    continue;
                any = true;
                if (a.state != Attempt::State::Done) {
                    working = true;
                } else if (a.evaluation.status != Evaluation::Status::Failed) {
                    correct = true;
                    better = better
                        || (a.evaluation.isCorrect() && a.evaluation.latency.medianMs > 0 && e.latency.medianMs > 0
                            && format::compare(e.latency.medianMs / a.evaluation.latency.medianMs)
                                == format::Verdict::Better);
                }
            }
            row.cells.append(better ? u"better"_s
                    : working       ? u"working"_s
                    : correct       ? u"not-better"_s
                    : any           ? u"failed"_s
                                    : u"empty"_s);
            row.done += any && !working ? 1 : 0;
        }
        answer.rows.append(row);
    }
    std::ranges::sort(answer.rows, {}, &BeamModel::Row::rank);
    return answer;
}

BeamModel::BeamModel(QObject *parent)
    : QAbstractListModel(parent)
{
    connect(Session::instance(), &Session::journalChanged, this, &BeamModel::ask);
}

int BeamModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant BeamModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows.at(index.row());
    switch (role) {
    case RankRole:
        return row.rank;
    case Qt::DisplayRole:
    case KeyRole:
        return row.key;
    case AttemptRole:
        return double(row.attempt);
    case LatencyRole:
        return row.latency;
    case FractionRole:
        return row.fraction;
    case FractionTextRole:
        return row.fractionText;
    case EstimateRole:
        return row.estimate;
    case CellsRole:
        return row.cells;
    case DoneRole:
        return row.done;
    case PlansRole:
        return int(row.cells.size());
    case ParentRole:
        return row.parent;
    case AgeRole:
        return row.age;
    case NewBestRole:
        return row.newBest;
    case OriginRole:
        return row.origin;
    default:
        return {};
    }
}

QHash<int, QByteArray> BeamModel::roleNames() const
{
    return {{RankRole, "rank"}, {KeyRole, "key"}, {AttemptRole, "attempt"}, {LatencyRole, "latency"},
        {FractionRole, "fraction"}, {FractionTextRole, "fractionText"}, {EstimateRole, "estimate"},
        {CellsRole, "cells"}, {DoneRole, "done"}, {PlansRole, "plans"}, {ParentRole, "parentKey"}, {AgeRole, "age"},
        {NewBestRole, "newBest"}, {OriginRole, "origin"}};
}

void BeamModel::setProblem(const QString &problem)
{
    if (problem == m_problem)
        return;
    m_problem = problem;
    Q_EMIT problemChanged();
    ask();
}

void BeamModel::ask()
{
    const SnapshotPtr snapshot = Session::instance()->snapshot();
    if (m_problem.isEmpty() || !snapshot || !snapshot->run) {
        setRows({});
        return;
    }
    m_busy = true;
    Q_EMIT busyChanged();
    Session::instance()->query(
        this, u"beam"_s,
        [run = *snapshot->run, problem = m_problem](ReadContext &context) -> Result<BeamRows> {
            const auto reader = context.reader();
            if (!reader)
                return std::unexpected(reader.error());
            return readBeam(**reader, run, problem);
        },
        [this](const Result<BeamRows> &answer) {
            m_busy = false;
            m_error = answer ? QString() : answer.error().message;
            Q_EMIT busyChanged();
            if (answer) {
                m_iteration = answer->iteration;
                setRows(answer->rows);
            }
        });
}

void BeamModel::setRows(const QList<Row> &rows)
{
    const qsizetype common = std::min(rows.size(), m_rows.size());
    for (qsizetype i = 0; i < common; ++i) {
        if (rows.at(i) == m_rows.at(i))
            continue;
        m_rows[i] = rows.at(i);
        Q_EMIT dataChanged(index(int(i)), index(int(i)));
    }
    if (rows.size() > common) {
        beginInsertRows({}, int(common), int(rows.size()) - 1);
        m_rows = rows;
        endInsertRows();
    } else if (m_rows.size() > common) {
        beginRemoveRows({}, int(common), int(m_rows.size()) - 1);
        m_rows.resize(common);
        endRemoveRows();
    }
    Q_EMIT countChanged();
}

} // namespace accelopt
