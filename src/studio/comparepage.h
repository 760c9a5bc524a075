// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"
#include "domain/comparison.h"
#include "studio/diffmodel.h"
#include "studio/metricmodel.h"

#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// What the Compare page says of attempts A and B (Session.compareA, Session.compareB). Sources, alignment and colours
/// are made on a worker thread.
class ComparePage : public QObject {
    Q_OBJECT
    QML_NAMED_ELEMENT(CompareController)
    Q_PROPERTY(bool ready READ ready NOTIFY changed)
    Q_PROPERTY(bool loading READ loading NOTIFY changed)
    Q_PROPERTY(QString error READ error NOTIFY changed)
    Q_PROPERTY(bool ignoreSpace READ ignoreSpace WRITE setIgnoreSpace NOTIFY changed)
    Q_PROPERTY(QString problem READ problem NOTIFY changed)
    Q_PROPERTY(QString nameA READ nameA NOTIFY changed)
    Q_PROPERTY(QString nameB READ nameB NOTIFY changed)
    Q_PROPERTY(QString commitA READ commitA NOTIFY changed)
    Q_PROPERTY(QString commitB READ commitB NOTIFY changed)
    Q_PROPERTY(QString latencyA READ latencyA NOTIFY changed)
    Q_PROPERTY(QString latencyB READ latencyB NOTIFY changed)
    Q_PROPERTY(QString fractionA READ fractionA NOTIFY changed)
    Q_PROPERTY(QString fractionB READ fractionB NOTIFY changed)
    Q_PROPERTY(QString spreadA READ spreadA NOTIFY changed) ///< or the range of an estimate
    Q_PROPERTY(QString spreadB READ spreadB NOTIFY changed)
    Q_PROPERTY(QString kernelNote READ kernelNote NOTIFY changed) ///< why a side has no source; empty where both have
    Q_PROPERTY(QString profileNote READ profileNote NOTIFY changed)
    Q_PROPERTY(bool estimateA READ estimateA NOTIFY changed)
    Q_PROPERTY(bool estimate READ estimate NOTIFY changed) ///< B is an estimate
    Q_PROPERTY(bool comparable READ comparable NOTIFY changed)
    Q_PROPERTY(QString headline READ headline NOTIFY changed)
    Q_PROPERTY(QString detail READ detail NOTIFY changed) ///< or the reason why they are not compared
    Q_PROPERTY(QString verdict READ verdict NOTIFY changed)
    Q_PROPERTY(QList<double> samplesA READ samplesA NOTIFY changed) ///< min, median, max in ms
    Q_PROPERTY(QList<double> samplesB READ samplesB NOTIFY changed)
    Q_PROPERTY(double bandwidth READ bandwidth NOTIFY changed)
    Q_PROPERTY(double peakFlops READ peakFlops NOTIFY changed)
    Q_PROPERTY(QString peakName READ peakName NOTIFY changed)
    Q_PROPERTY(QList<double> pointA READ pointA NOTIFY changed) ///< FLOP per byte, FLOP/s
    Q_PROPERTY(QList<double> pointB READ pointB NOTIFY changed)
    Q_PROPERTY(QStringList choices READ choices NOTIFY changed) ///< attempts of the problem to choose from, best first
    Q_PROPERTY(int choiceA READ choiceA NOTIFY changed)
    Q_PROPERTY(int choiceB READ choiceB NOTIFY changed)
    Q_PROPERTY(accelopt::DiffModel *diff READ diff CONSTANT)
    Q_PROPERTY(accelopt::MetricModel *metrics READ metrics CONSTANT)
public:
    explicit ComparePage(QObject *parent = nullptr);
    [[nodiscard]] bool ready() const { return m_data.a.id != 0 && m_data.b.id != 0; }
    [[nodiscard]] bool loading() const { return m_loading; }
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] bool ignoreSpace() const { return m_ignoreSpace; }
    void setIgnoreSpace(bool ignore);
    [[nodiscard]] QString problem() const { return m_data.b.problem; }
    [[nodiscard]] QString nameA() const { return m_data.a.key.display(); }
    [[nodiscard]] QString nameB() const { return m_data.b.key.display(); }
    [[nodiscard]] QString commitA() const { return m_data.a.commit.left(7); }
    [[nodiscard]] QString commitB() const { return m_data.b.commit.left(7); }
    [[nodiscard]] QString latencyA() const;
    [[nodiscard]] QString latencyB() const;
    [[nodiscard]] QString fractionA() const;
    [[nodiscard]] QString fractionB() const;
    [[nodiscard]] QString spreadA() const;
    [[nodiscard]] QString spreadB() const;
    [[nodiscard]] QString kernelNote() const;
    [[nodiscard]] QString profileNote() const;
    [[nodiscard]] bool estimateA() const
    {
        return m_data.a.evaluation.estimate && m_data.a.evaluation.latency.medianMs > 0;
    }
    [[nodiscard]] bool estimate() const
    {
        return m_data.b.evaluation.estimate && m_data.b.evaluation.latency.medianMs > 0;
    }
    [[nodiscard]] bool comparable() const { return m_data.comparison.comparable; }
    [[nodiscard]] QString headline() const { return m_data.comparison.headline; }
    [[nodiscard]] QString detail() const
    {
        return m_data.comparison.comparable ? m_data.comparison.detail : m_data.comparison.reason;
    }
    [[nodiscard]] QString verdict() const { return verdictWord(m_data.comparison.verdict); }
    [[nodiscard]] QList<double> samplesA() const;
    [[nodiscard]] QList<double> samplesB() const;
    [[nodiscard]] double bandwidth() const { return m_data.bandwidth; }
    [[nodiscard]] double peakFlops() const { return m_data.peakFlops; }
    [[nodiscard]] QString peakName() const { return m_data.peakName; }
    [[nodiscard]] QList<double> pointA() const { return m_data.pointA; }
    [[nodiscard]] QList<double> pointB() const { return m_data.pointB; }
    [[nodiscard]] QStringList choices() const { return m_data.choiceNames; }
    [[nodiscard]] int choiceA() const { return static_cast<int>(m_data.choiceIds.indexOf(m_data.a.id)); }
    [[nodiscard]] int choiceB() const { return static_cast<int>(m_data.choiceIds.indexOf(m_data.b.id)); }
    [[nodiscard]] DiffModel *diff() { return &m_diff; }
    [[nodiscard]] MetricModel *metrics() { return &m_metrics; }

    Q_INVOKABLE void reload(); ///< after an error
    Q_INVOKABLE void swap();
    Q_INVOKABLE void choose(bool right, int choice);
    Q_INVOKABLE void copyPatch();
    Q_INVOKABLE void copySide(bool right);
    /// Goes to the pair of the next or previous attempt of the choices, against the same A.
    Q_INVOKABLE void nextPair(int step);

    struct Data {
        Attempt a, b;
        Comparison comparison;
        DiffContent content;
        QByteArray patch;
        double bandwidth = 0, peakFlops = 0;
        QString peakName;
        QList<double> pointA, pointB;
        QStringList choiceNames;
        QList<qint64> choiceIds;
        bool kernelA = false, kernelB = false;
    };

Q_SIGNALS:
    void changed();

private:
    void read();

    Data m_data;
    DiffModel m_diff;
    MetricModel m_metrics;
    QString m_error;
    QTimer m_timer;
    qint64 m_readA = 0, m_readB = 0;
    bool m_ignoreSpace = false, m_readIgnore = false, m_loading = false;
};

} // namespace accelopt
