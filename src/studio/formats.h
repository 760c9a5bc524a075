// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QQmlEngine>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// domain/format.h for QML, as `Format`: every number on the screen goes through here.
class Formats : public QObject {
    Q_OBJECT
    QML_NAMED_ELEMENT(Format)
    QML_SINGLETON
public:
    using QObject::QObject;
    [[nodiscard]] Q_INVOKABLE static QString latency(double ms, bool estimate = false);
    [[nodiscard]] Q_INVOKABLE static QString latencyMs(double ms);
    [[nodiscard]] Q_INVOKABLE static QString fraction(double fraction, bool estimate = false);
    [[nodiscard]] Q_INVOKABLE static QString points(double difference);
    [[nodiscard]] Q_INVOKABLE static QString speedup(double factor);
    [[nodiscard]] Q_INVOKABLE static QString money(double usd, bool known = true);
    [[nodiscard]] Q_INVOKABLE static QString count(double number);
    [[nodiscard]] Q_INVOKABLE static QString tokens(double number);
    [[nodiscard]] Q_INVOKABLE static QString duration(double seconds);
    [[nodiscard]] Q_INVOKABLE static QString percent(double fraction); ///< "64 %", for progress
    [[nodiscard]] Q_INVOKABLE static QString decimal(double number, int decimals);
    [[nodiscard]] Q_INVOKABLE static QString missing();
    /// "better", "same", "worse": factor = old latency / new latency.
    [[nodiscard]] Q_INVOKABLE static QString verdict(double factor);
    /// Icon, colour token and word of a verdict name (correct, same, failed kinds, quarantined, …), problem state or
    /// run state.
    [[nodiscard]] Q_INVOKABLE static QString stateIcon(const QString &state);
    [[nodiscard]] Q_INVOKABLE static QString stateMeaning(
        const QString &state); ///< better, worse, neutral, failed, quarantined, estimate, working
    [[nodiscard]] Q_INVOKABLE static QString stateText(const QString &state);
};

} // namespace accelopt
