// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakes/syntheticproject.h"
#include "studio/session.h"

#include <QApplication>
#include <QQmlContext>
#include <QQmlEngine>
#include <QQuickStyle>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QtQuickTest/quicktest.h>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

/// What the tests written in QML ask of C++: a project with results.
class Fixture : public QObject {
    Q_OBJECT
public:
    Q_INVOKABLE QString makeProject(const QString &name)
    {
        const QString path = m_folder.filePath(name);
        const auto run = fakes::makeSyntheticProject(path);
        return run ? path : QString();
    }

private:
    QTemporaryDir m_folder;
};

class Setup : public QObject {
    Q_OBJECT
public Q_SLOTS:
    void applicationAvailable()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
        QCoreApplication::setOrganizationName(u"AccelOpt"_s);
        QCoreApplication::setApplicationName(u"tst_shellqml"_s);
        QQuickStyle::setStyle(u"Fusion"_s);
    }
    void qmlEngineAvailable(QQmlEngine *engine)
    {
        engine->addImportPath(u"qrc:/qt/qml"_s);
        qmlRegisterSingletonInstance("AccelOpt.Fixture", 1, 0, "Fixture", &m_fixture);
    }

private:
    QTemporaryDir m_settings;
    Fixture m_fixture;
};

// Qt Charts needs a QApplication; the macro would make a QGuiApplication.
int main(int argc, char *argv[])
{
    QApplication application(argc, argv);
    Setup setup;
    return quick_test_main_with_setup(argc, argv, "shell", nullptr, &setup);
}
#include "tst_shellqml.moc"
