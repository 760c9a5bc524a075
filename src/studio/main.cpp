// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/selftest.h"
#include "studio/session.h"
#include "studio/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QQmlApplicationEngine>
#include <QQuickStyle>
#include <QQuickWindow>
#include <QSettings>
#include <QTemporaryDir>
#include <QTranslator>
#include <cstdio>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

namespace {

struct Options {
    QString folder, page, problem, theme, screenshot, settings;
    QSize size;
    bool demo = false, startRun = false, quit = false, selfTest = false;
    int settleMs = 700;
    int textSize = 0;
};

int usage(const QString &message)
{
    std::fprintf(stderr, "%s\nSee accelopt-studio --help.\n", qUtf8Printable(message));
    return 2;
}

/// Reads the command line; a number to exit with, or nothing to go on.
std::optional<int> readOptions(const QApplication &app, Options &o)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(u"Makes kernels on AI accelerators faster, by search."_s);
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(u"DIR"_s, u"The project to open."_s, u"[DIR]"_s);
    parser.addOptions({
        {u"demo"_s, u"Open the demo project; it is made when it is not there."_s},
        {u"start-run"_s, u"Begin a run of the project, or go on with the last one."_s},
        {u"page"_s, u"Page to show: overview, run, candidates, compare, memory, reports, settings, shortcuts."_s,
            u"NAME"_s},
        {u"problem"_s, u"Problem to choose."_s, u"NAME"_s},
        {u"theme"_s, u"light, dark or system, for this time."_s, u"NAME"_s},
        {u"text-size"_s, u"90 to 150 per cent, for this time."_s, u"N"_s},
        {u"size"_s, u"Size of the window, for example 1440x900."_s, u"WxH"_s},
        {u"screenshot"_s, u"Save a picture of the window once its data is there."_s, u"FILE"_s},
        {u"settle"_s, u"Milliseconds to wait before the picture (700)."_s, u"MS"_s},
        {u"quit-after-screenshot"_s, u"End after the picture."_s},
        {u"settings"_s, u"Folder of the window's own settings, in place of the user's."_s, u"FOLDER"_s},
        {u"self-test"_s, u"Show every page, exit 1 on any warning."_s},
    });
    parser.process(app);
    if (parser.positionalArguments().size() > 1)
        return usage(u"Name one project folder."_s);
    o.folder = parser.positionalArguments().value(0);
    o.demo = parser.isSet(u"demo"_s);
    o.startRun = parser.isSet(u"start-run"_s);
    o.page = parser.value(u"page"_s);
    o.problem = parser.value(u"problem"_s);
    o.theme = parser.value(u"theme"_s);
    o.screenshot = parser.value(u"screenshot"_s);
    o.settings = parser.value(u"settings"_s);
    o.quit = parser.isSet(u"quit-after-screenshot"_s);
    o.selfTest = parser.isSet(u"self-test"_s);
    if (parser.isSet(u"settle"_s))
        o.settleMs = parser.value(u"settle"_s).toInt();
    o.textSize = parser.value(u"text-size"_s).toInt();
    if (!o.theme.isEmpty() && !QStringList{u"light"_s, u"dark"_s, u"system"_s}.contains(o.theme))
        return usage(u"\"%1\" is no theme: light, dark or system."_s.arg(o.theme));
    if (parser.isSet(u"size"_s)) {
        const QStringList parts = parser.value(u"size"_s).split(u'x');
        o.size = QSize(parts.value(0).toInt(), parts.value(1).toInt());
        if (parts.size() != 2 || o.size.width() < 200 || o.size.height() < 200)
            return usage(u"A size reads like 1440x900."_s);
    }
    return {};
}

void openFirst(const Options &o)
{
    Session *session = Session::instance();
    if (o.demo)
        session->openDemo(o.startRun);
    else if (!o.folder.isEmpty())
        session->openProject(o.folder, o.startRun);
    else if (!o.selfTest && o.screenshot.isEmpty())
        session->restore();
}

/// Goes to the asked page once the project is read.
void goWhenLoaded(const Options &o)
{
    Session *session = Session::instance();
    auto *once = new QObject(session);
    const auto act = [=] {
        if (!session->loaded() && (o.demo || !o.folder.isEmpty()))
            return;
        once->deleteLater();
        if (!o.problem.isEmpty())
            session->selectProblem(o.problem);
        if (o.page == "compare"_L1 && session->hasRun())
            session->compareBestWithBaseline(o.problem);
        else if (!o.page.isEmpty())
            session->go(o.page);
    };
    QObject::connect(session, &Session::snapshotChanged, once, act);
    act();
}

} // namespace

int main(int argc, char *argv[])
{
    QApplication app(argc, argv);
    QCoreApplication::setOrganizationName(u"AccelOpt"_s);
    QCoreApplication::setApplicationName(u"AccelOpt Studio"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(ACCELOPT_VERSION));
    QGuiApplication::setDesktopFileName(u"org.accelopt.Studio"_s);
    Options options;
    if (const auto code = readOptions(app, options))
        return *code;

    // Pictures and tests neither see nor change what the user has set.
    QTemporaryDir scratch;
    if (options.settings.isEmpty() && (options.selfTest || !options.screenshot.isEmpty()))
        options.settings = scratch.path();
    QSettings::setDefaultFormat(QSettings::IniFormat);
    if (!options.settings.isEmpty())
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, options.settings);
    WarningCounter::install();

    QTranslator translator;
    if (translator.load(QLocale(), u"accelopt"_s, u"_"_s, u":/i18n"_s) || translator.load(u":/i18n/accelopt_en"_s))
        QCoreApplication::installTranslator(&translator);
    if (qEnvironmentVariableIsEmpty("QT_QUICK_CONTROLS_STYLE"))
        QQuickStyle::setStyle(u"Fusion"_s);
    if (!options.theme.isEmpty()) {
        Theme::instance()->setMode(options.theme == "light"_L1 ? Theme::Mode::Light
                : options.theme == "dark"_L1                   ? Theme::Mode::Dark
                                                               : Theme::Mode::System,
            false);
    }
    if (options.textSize > 0)
        Theme::instance()->setTextSize(options.textSize, false);

    QQmlApplicationEngine engine;
    engine.addImportPath(u"qrc:/qt/qml"_s);
    engine.loadFromModule("AccelOpt.Shell", "Main");
    auto *window =
        engine.rootObjects().isEmpty() ? nullptr : qobject_cast<QQuickWindow *>(engine.rootObjects().first());
    if (!window)
        return 1;
    QSettings settings;
    if (options.size.isValid())
        window->resize(options.size);
    else if (settings.contains(u"window/size"_s))
        window->resize(settings.value(u"window/size"_s).toSize());
    openFirst(options);
    goWhenLoaded(options);
    if (options.selfTest)
        (new SelfTest(window))->start();
    else if (!options.screenshot.isEmpty())
        new Screenshot(window, options.screenshot, options.quit, options.settleMs);

    QObject::connect(&app, &QCoreApplication::aboutToQuit, window,
        [window] { QSettings().setValue(u"window/size"_s, window->size()); });
    const int code = QApplication::exec();
    Session::instance()->closeForExit();
    return code;
}
