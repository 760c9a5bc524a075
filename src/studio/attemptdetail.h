// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"
#include "studio/metricmodel.h"
#include "studio/sourcemodel.h"

#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// Everything the detail pane says of one attempt. Read on a worker; `ready` once the first answer is there.
class AttemptDetail : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(qlonglong attempt READ attempt WRITE setAttempt NOTIFY attemptChanged)
    Q_PROPERTY(bool ready READ ready NOTIFY changed)
    Q_PROPERTY(QString error READ error NOTIFY changed) ///< why it could not be read
    Q_PROPERTY(QString problem READ problem NOTIFY changed)
    Q_PROPERTY(QString name READ name NOTIFY changed)
    Q_PROPERTY(QString asciiName READ asciiName NOTIFY changed)
    Q_PROPERTY(QString state READ state NOTIFY changed) ///< verdict, "best" or "in beam"
    Q_PROPERTY(bool estimate READ estimate NOTIFY changed)
    Q_PROPERTY(bool hasLatency READ hasLatency NOTIFY changed)
    Q_PROPERTY(QString commit READ commit NOTIFY changed)
    Q_PROPERTY(qlonglong parentAttempt READ parentAttempt NOTIFY changed)
    Q_PROPERTY(QString parentName READ parentName NOTIFY changed)
    Q_PROPERTY(QString where READ where NOTIFY changed) ///< "measured on trn-a core 6, 12:47"
    Q_PROPERTY(QString latency READ latency NOTIFY changed)
    Q_PROPERTY(QString spread READ spread NOTIFY changed) ///< "spread 0.41 %" or the estimate's range and class
    Q_PROPERTY(QString fraction READ fraction NOTIFY changed)
    Q_PROPERTY(QString bound READ bound NOTIFY changed)
    Q_PROPERTY(double overBaseline READ overBaseline NOTIFY changed)
    Q_PROPERTY(QString relativeError READ relativeError NOTIFY changed)
    Q_PROPERTY(QString tolerance READ tolerance NOTIFY changed)
    Q_PROPERTY(QString planTitle READ planTitle NOTIFY changed)
    Q_PROPERTY(QString planText READ planText NOTIFY changed)
    Q_PROPERTY(QString errorKind READ errorKind NOTIFY changed)
    Q_PROPERTY(QString errorText READ errorText NOTIFY changed)
    Q_PROPERTY(QString errorWhere READ errorWhere NOTIFY changed)
    Q_PROPERTY(int errorLine READ errorLine NOTIFY changed) ///< 0 = none
    Q_PROPERTY(QString promptText READ promptText NOTIFY changed)
    Q_PROPERTY(QString replyText READ replyText NOTIFY changed)
    Q_PROPERTY(QStringList facts READ facts NOTIFY changed) ///< name, value, name, value, …
    Q_PROPERTY(QStringList stages READ stages NOTIFY changed) ///< name, seconds as text, …
    Q_PROPERTY(QList<double> stageShares READ stageShares NOTIFY changed)
    Q_PROPERTY(QStringList costLines READ costLines NOTIFY changed) ///< "line 31", "VectorE", "0.412 ms", …
    Q_PROPERTY(accelopt::SourceModel *source READ source CONSTANT)
    Q_PROPERTY(accelopt::MetricModel *profile READ profile CONSTANT)
public:
    explicit AttemptDetail(QObject *parent = nullptr);
    [[nodiscard]] qlonglong attempt() const { return m_attempt; }
    void setAttempt(qlonglong id);
    [[nodiscard]] bool ready() const { return m_ready; }
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] QString problem() const { return m_data.attempt.problem; }
    [[nodiscard]] QString name() const { return m_data.attempt.key.display(); }
    [[nodiscard]] QString asciiName() const { return m_data.attempt.problem + u'/' + m_data.attempt.key.ascii(); }
    [[nodiscard]] QString state() const { return m_data.state; }
    [[nodiscard]] bool estimate() const { return m_data.attempt.evaluation.estimate; }
    [[nodiscard]] bool hasLatency() const { return m_data.attempt.evaluation.latency.medianMs > 0; }
    [[nodiscard]] QString commit() const { return m_data.attempt.commit; }
    [[nodiscard]] qlonglong parentAttempt() const { return m_data.attempt.parent; }
    [[nodiscard]] QString parentName() const { return m_data.parentName; }
    [[nodiscard]] QString where() const;
    [[nodiscard]] QString latency() const;
    [[nodiscard]] QString spread() const;
    [[nodiscard]] QString fraction() const;
    [[nodiscard]] QString bound() const { return m_data.bound; }
    [[nodiscard]] double overBaseline() const { return m_data.overBaseline; }
    [[nodiscard]] QString relativeError() const;
    [[nodiscard]] QString tolerance() const;
    [[nodiscard]] QString planTitle() const { return m_data.attempt.planTitle; }
    [[nodiscard]] QString planText() const { return m_data.planText; }
    [[nodiscard]] QString errorKind() const { return errorKindName(m_data.attempt.evaluation.error.kind); }
    [[nodiscard]] QString errorText() const { return m_data.attempt.evaluation.error.message; }
    [[nodiscard]] QString errorWhere() const;
    [[nodiscard]] int errorLine() const { return m_data.attempt.evaluation.error.line; }
    [[nodiscard]] QString promptText() const { return m_data.prompt; }
    [[nodiscard]] QString replyText() const { return m_data.reply; }
    [[nodiscard]] QStringList facts() const { return m_data.facts; }
    [[nodiscard]] QStringList stages() const { return m_data.stages; }
    [[nodiscard]] QList<double> stageShares() const { return m_data.stageShares; }
    [[nodiscard]] QStringList costLines() const { return m_data.costLines; }
    [[nodiscard]] SourceModel *source() { return &m_source; }
    [[nodiscard]] MetricModel *profile() { return &m_profile; }

    struct Data {
        Attempt attempt;
        QString state, parentName, bound, planText, prompt, reply;
        double overBaseline = 0, tolerance = 0;
        QStringList facts, stages, costLines, lines;
        QList<double> stageShares;
        QList<CodeLine> colours;
        QSet<int> changed;
        QList<MetricDelta> profile;
    };

Q_SIGNALS:
    void attemptChanged();
    void changed();

private:
    void read();
    void show(const Data &data);

    SourceModel m_source;
    MetricModel m_profile;
    Data m_data;
    QString m_error;
    QTimer m_timer;
    qint64 m_attempt = 0;
    bool m_ready = false;
};

} // namespace accelopt
