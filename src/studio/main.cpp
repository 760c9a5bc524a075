// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/theme.h"

#include <QApplication>
#include <QQmlApplicationEngine>
#include <QQuickStyle>

int main(int argc, char *argv[])
{
    QApplication app(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("AccelOpt"));
    QCoreApplication::setApplicationName(QStringLiteral("AccelOpt Studio"));
    QQuickStyle::setStyle(QStringLiteral("Fusion"));
    QQmlApplicationEngine engine;
    engine.addImportPath(QStringLiteral("qrc:/qt/qml"));
    engine.loadFromModule("AccelOpt.Shell", "Main");
    return engine.rootObjects().isEmpty() ? 1 : QApplication::exec();
}
