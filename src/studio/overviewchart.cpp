// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/overviewchart.h"

#include "studio/session.h"

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

OverviewChart::OverviewChart(QObject *parent)
    : QObject(parent)
{
    connect(Session::instance(), &Session::snapshotChanged, this, &OverviewChart::take);
    connect(Session::instance(), &Session::placeChanged, this, &OverviewChart::take);
    take();
}

void OverviewChart::setShowSpeedup(bool show)
{
    if (show == m_showSpeedup)
        return;
    m_showSpeedup = show;
    take();
}

QStringList OverviewChart::names() const
{
    QStringList names;
    for (const ChartSeries &series : m_data.series())
        names.append(series.name);
    return names;
}

void OverviewChart::take()
{
    const Session *session = Session::instance();
    const SnapshotPtr snapshot = session->snapshot();
    QList<ChartSeries> all;
    m_now = 0;
    m_highest = 0;
    m_iterations = 0;
    m_others = 0;
    if (snapshot && snapshot->run) {
        m_iterations = snapshot->run->settings.iterations;
        const auto line = [&](const QString &name, const QList<double> &values) {
            ChartSeries series;
            series.name = name;
            const double base = values.value(0);
            for (qsizetype i = 0; i < values.size(); ++i) {
                const double y = m_showSpeedup ? (base > 0 ? values.at(i) / base : 1) : values.at(i);
                series.points.append({double(i), y});
                m_highest = std::max(m_highest, y);
            }
            m_now = std::max(m_now, double(values.size()) - 1);
            return series;
        };
        if (snapshot->status.size() > 1 && !snapshot->geomeanByIteration.isEmpty()) {
            ChartSeries mean = line(tr("geomean"), snapshot->geomeanByIteration);
            mean.emphasis = ChartSeries::Emphasis::Strong;
            all.append(mean);
        }
        const bool many = snapshot->status.size() > 8;
        for (const ProblemStatus &problem : snapshot->status) {
            if (problem.bestFractionByIteration.isEmpty())
                continue;
            ChartSeries series = line(problem.name, problem.bestFractionByIteration);
            if (problem.name == session->problem()) {
                series.emphasis = ChartSeries::Emphasis::Selected;
            } else if (many || !session->problem().isEmpty()) {
                series.emphasis = ChartSeries::Emphasis::Muted;
                ++m_others;
            }
            all.append(series);
        }
    }
    m_data.setNames(tr("Iteration"), m_showSpeedup ? u"×"_s : u"%"_s);
    m_data.setSeries(all);
    Q_EMIT changed();
}

} // namespace accelopt
