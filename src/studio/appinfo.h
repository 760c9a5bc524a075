// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QQmlEngine>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

/// Versions and folders, for Settings.
class AppInfo : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    Q_PROPERTY(QString version READ version CONSTANT)
    Q_PROPERTY(QString qtVersion READ qtVersion CONSTANT)
    Q_PROPERTY(QString demoFolder READ demoFolder CONSTANT)
    Q_PROPERTY(QString resourceFolder READ resourceFolder CONSTANT)
    Q_PROPERTY(QString cacheFolder READ cacheFolder CONSTANT)
    Q_PROPERTY(QString settingsFile READ settingsFile CONSTANT)
public:
    using QObject::QObject;
    [[nodiscard]] static QString version();
    [[nodiscard]] static QString qtVersion();
    [[nodiscard]] static QString demoFolder();
    [[nodiscard]] static QString resourceFolder();
    [[nodiscard]] static QString cacheFolder();
    [[nodiscard]] static QString settingsFile();
};

} // namespace accelopt
