// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakes/syntheticproject.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QQmlContext>
#include <QQmlEngine>
#include <QQuickStyle>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QtQuickTest/quicktest.h>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

/// What the tests written in QML ask of C++: projects, files, the clipboard, and the warnings of QML.
class Fixture : public QObject {
    Q_OBJECT
public:
    Q_INVOKABLE QString makeProject(const QString &name)
    {
        const QString path = m_folder.filePath(name);
        return fakes::makeSyntheticProject(path) ? path : QString();
    }
    Q_INVOKABLE QString path(const QString &name) const { return m_folder.filePath(name); }
    Q_INVOKABLE int sizeOf(const QString &file) const { return static_cast<int>(QFile(file).size()); }
    Q_INVOKABLE QString clipboard() const { return QGuiApplication::clipboard()->text(); }
    Q_INVOKABLE QStringList takeWarnings() { return std::exchange(s_warnings, {}); }

    static void count(QtMsgType type, const QMessageLogContext &context, const QString &message)
    {
        if (type == QtWarningMsg && (message.contains(u".qml"_s) || message.contains(u"qrc:"_s)))
            s_warnings.append(message);
        s_before(type, context, message);
    }
    static inline QStringList s_warnings;
    static inline QtMessageHandler s_before = nullptr;

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
        QCoreApplication::setApplicationName(u"tst_pagesqml"_s);
        QQuickStyle::setStyle(u"Fusion"_s);
    }
    void qmlEngineAvailable(QQmlEngine *engine)
    {
        engine->addImportPath(u"qrc:/qt/qml"_s);
        Fixture::s_before = qInstallMessageHandler(Fixture::count);
        qmlRegisterSingletonInstance("AccelOpt.PagesFixture", 1, 0, "Fixture", &m_fixture);
    }

private:
    QTemporaryDir m_settings;
    Fixture m_fixture;
};

int main(int argc, char *argv[])
{
    QApplication app(argc, argv); // Qt Charts needs one; Qt Quick Test would make a QGuiApplication
    Setup setup;
    return quick_test_main_with_setup(argc, argv, "pages", nullptr, &setup);
}

#include "tst_pagesqml.moc"
