// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "studio/sourcemodel.h"

#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// The slow and the fast attempt of an experience: names, latencies, and where their kernels differ most. Read on a
/// worker.
class ExperiencePair : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(qlonglong slow READ slow WRITE setSlow NOTIFY inputChanged)
    Q_PROPERTY(qlonglong fast READ fast WRITE setFast NOTIFY inputChanged)
    Q_PROPERTY(bool ready READ ready NOTIFY changed)
    Q_PROPERTY(QString error READ error NOTIFY changed)
    Q_PROPERTY(QString slowName READ slowName NOTIFY changed)
    Q_PROPERTY(QString fastName READ fastName NOTIFY changed)
    Q_PROPERTY(QString slowLatency READ slowLatency NOTIFY changed)
    Q_PROPERTY(QString fastLatency READ fastLatency NOTIFY changed)
    Q_PROPERTY(bool estimate READ estimate NOTIFY changed)
    Q_PROPERTY(int otherChanges READ otherChanges NOTIFY changed) ///< blocks that are not shown
    Q_PROPERTY(accelopt::SourceModel *slowSource READ slowSource CONSTANT)
    Q_PROPERTY(accelopt::SourceModel *fastSource READ fastSource CONSTANT)
public:
    /// One side: some lines of the kernel around the largest change.
    struct Side {
        QString name, latency;
        QStringList lines;
        QList<CodeLine> colours;
        QSet<int> changed;
        int firstLine = 1;
    };
    struct Data {
        Side slow, fast;
        bool estimate = false;
        int otherChanges = 0;
    };

    explicit ExperiencePair(QObject *parent = nullptr);
    [[nodiscard]] qlonglong slow() const { return m_slow; }
    [[nodiscard]] qlonglong fast() const { return m_fast; }
    void setSlow(qlonglong id);
    void setFast(qlonglong id);
    [[nodiscard]] bool ready() const { return m_ready; }
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] QString slowName() const { return m_data.slow.name; }
    [[nodiscard]] QString fastName() const { return m_data.fast.name; }
    [[nodiscard]] QString slowLatency() const { return m_data.slow.latency; }
    [[nodiscard]] QString fastLatency() const { return m_data.fast.latency; }
    [[nodiscard]] bool estimate() const { return m_data.estimate; }
    [[nodiscard]] int otherChanges() const { return m_data.otherChanges; }
    [[nodiscard]] SourceModel *slowSource() { return &m_slowSource; }
    [[nodiscard]] SourceModel *fastSource() { return &m_fastSource; }

    /// The lines of both kernels around the block of changes that is largest, at most `most` a side; pure.
    [[nodiscard]] static Data largestChange(const QByteArray &slow, const QByteArray &fast, int most = 12);

Q_SIGNALS:
    void inputChanged();
    void changed();

private:
    void read();

    SourceModel m_slowSource, m_fastSource;
    Data m_data;
    QString m_error;
    QTimer m_timer;
    qint64 m_slow = 0, m_fast = 0;
    bool m_ready = false;
};

} // namespace accelopt
