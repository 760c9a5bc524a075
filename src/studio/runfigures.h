// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QObject>
#include <QQmlEngine>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// The figures of the shown run for top bar, status bar, Overview and Run; taken from the session's snapshot. GUI
/// thread.
class RunFigures : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    Q_PROPERTY(QString runName MEMBER m_runName NOTIFY changed) ///< "Run 7"
    Q_PROPERTY(QString target MEMBER m_target NOTIFY changed)
    Q_PROPERTY(QString settingsText MEMBER m_settingsText NOTIFY changed) ///< "elitist policy, T 16  B 6  N 12  K 2"
    Q_PROPERTY(QString timeText MEMBER m_timeText NOTIFY changed) ///< "started 08:20, running 6 h 12 min"
    Q_PROPERTY(QString stopReason MEMBER m_stopReason NOTIFY changed)
    Q_PROPERTY(QString modelsText MEMBER m_modelsText NOTIFY changed)
    Q_PROPERTY(QString hostsText MEMBER m_hostsText NOTIFY changed)
    Q_PROPERTY(QString savedText MEMBER m_savedText NOTIFY changed) ///< "All changes saved 14:32:07"
    Q_PROPERTY(int problems MEMBER m_problems NOTIFY changed)
    Q_PROPERTY(int betterProblems MEMBER m_betterProblems NOTIFY changed)
    Q_PROPERTY(int iteration MEMBER m_iteration NOTIFY changed)
    Q_PROPERTY(int iterations MEMBER m_iterations NOTIFY changed)
    Q_PROPERTY(double iterationProgress MEMBER m_iterationProgress NOTIFY
            changed) ///< of the iteration under way, from attempts
    Q_PROPERTY(
        QList<double> geomeans MEMBER m_geomeans NOTIFY changed) ///< fraction of peak by iteration, [0] the baselines
    Q_PROPERTY(double progress MEMBER m_progress NOTIFY changed)
    Q_PROPERTY(double activeSeconds MEMBER m_activeSeconds NOTIFY changed)
    Q_PROPERTY(double secondsLeft MEMBER m_secondsLeft NOTIFY changed) ///< 0 = not known
    Q_PROPERTY(double baseline MEMBER m_baseline NOTIFY changed) ///< geomean of fractions of peak
    Q_PROPERTY(double best MEMBER m_best NOTIFY changed)
    Q_PROPERTY(double speedup MEMBER m_speedup NOTIFY changed) ///< geomean; 0 = none yet
    Q_PROPERTY(bool estimate MEMBER m_estimate NOTIFY changed)
    Q_PROPERTY(double cost MEMBER m_cost NOTIFY changed)
    Q_PROPERTY(bool costKnown MEMBER m_costKnown NOTIFY changed)
    Q_PROPERTY(double inFlight MEMBER m_inFlight NOTIFY changed)
    Q_PROPERTY(double forecast MEMBER m_forecast NOTIFY changed) ///< dollars at the end, 0 = not known
    Q_PROPERTY(double budget MEMBER m_budget NOTIFY changed) ///< dollars, 0 = none
    Q_PROPERTY(double attempts MEMBER m_attempts NOTIFY changed)
    Q_PROPERTY(double planned MEMBER m_planned NOTIFY changed)
    Q_PROPERTY(double correct MEMBER m_correct NOTIFY changed)
    Q_PROPERTY(double same MEMBER m_same NOTIFY changed)
    Q_PROPERTY(double failed MEMBER m_failed NOTIFY changed)
    Q_PROPERTY(double skipped MEMBER m_skipped NOTIFY changed)
    Q_PROPERTY(double quarantined MEMBER m_quarantined NOTIFY changed)
    Q_PROPERTY(double pending MEMBER m_pending NOTIFY changed)
    Q_PROPERTY(double positive MEMBER m_positive NOTIFY changed)
    Q_PROPERTY(double negative MEMBER m_negative NOTIFY changed)
    Q_PROPERTY(double memoryPlaces MEMBER m_memoryPlaces NOTIFY changed)
    Q_PROPERTY(double calls MEMBER m_calls NOTIFY changed)
    Q_PROPERTY(double tokens MEMBER m_tokens NOTIFY changed)
    Q_PROPERTY(double deviceSeconds MEMBER m_deviceSeconds NOTIFY changed)
    Q_PROPERTY(double attemptsPerMinute MEMBER m_attemptsPerMinute NOTIFY changed) ///< over the time worked
    Q_PROPERTY(QStringList roleNames MEMBER m_roleNames NOTIFY changed)
    Q_PROPERTY(QStringList roleCalls MEMBER m_roleCalls NOTIFY changed) ///< in the order of roleNames
    Q_PROPERTY(QStringList roleCosts MEMBER m_roleCosts NOTIFY changed)
    Q_PROPERTY(QList<double> roleShares MEMBER m_roleShares NOTIFY
            changed) ///< of the largest, by cost, or by calls while all is free
    Q_PROPERTY(QStringList problemNames MEMBER m_problemNames NOTIFY problemNamesChanged)
public:
    explicit RunFigures(QObject *parent = nullptr);

Q_SIGNALS:
    void changed();
    void problemNamesChanged();

private:
    void take();

    QString m_runName, m_target, m_settingsText, m_timeText, m_stopReason, m_modelsText, m_hostsText, m_savedText;
    int m_problems = 0, m_betterProblems = 0, m_iteration = 0, m_iterations = 0;
    double m_progress = 0, m_iterationProgress = 0, m_activeSeconds = 0, m_secondsLeft = 0, m_baseline = 0, m_best = 0,
           m_speedup = 0;
    double m_cost = 0, m_inFlight = 0, m_forecast = 0, m_budget = 0;
    double m_attempts = 0, m_planned = 0, m_correct = 0, m_same = 0, m_failed = 0, m_skipped = 0, m_quarantined = 0,
           m_pending = 0;
    double m_positive = 0, m_negative = 0, m_memoryPlaces = 0, m_calls = 0, m_tokens = 0, m_deviceSeconds = 0,
           m_attemptsPerMinute = 0;
    bool m_estimate = false, m_costKnown = true;
    QStringList m_roleNames, m_roleCalls, m_roleCosts, m_problemNames;
    QList<double> m_roleShares, m_geomeans;
};

} // namespace accelopt
