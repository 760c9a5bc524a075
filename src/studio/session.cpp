// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/session.h"

#include "domain/format.h"
#include "search/runcontroller.h"

#include <QClipboard>
#include <QCryptographicHash>
#include <QDir>
#include <QGuiApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QUrl>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

Session *s_instance = nullptr;
constexpr int s_refreshMs = 100; // 10 Hz
constexpr qint64 s_announceMs = 10000;

QString localFolder(const QString &folder)
{
    const QUrl url(folder);
    const QString path = url.isLocalFile() ? url.toLocalFile() : folder;
    return QDir::cleanPath(QDir(path).absolutePath());
}

} // namespace

Session::Session(QObject *parent)
    : QObject(parent)
{
    m_slimRail = QSettings().value(u"window/slimRail"_s, false).toBool();
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(s_refreshMs);
    connect(&m_refresh, &QTimer::timeout, this, &Session::readNow);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &Session::refresh);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] {
        follow();
        refresh();
    });
    if (!s_instance)
        s_instance = this;
}

Session::~Session()
{
    m_controller.reset();
    if (s_instance == this)
        s_instance = nullptr;
}

Session *Session::instance()
{
    if (!s_instance)
        s_instance = new Session(qApp);
    return s_instance;
}

Session *Session::create(QQmlEngine *, QJSEngine *)
{
    Session *session = instance();
    QJSEngine::setObjectOwnership(session, QJSEngine::CppOwnership);
    return session;
}

// --- project ---------------------------------------------------------------------------------------------------------

QString Session::projectName() const
{
    return m_project ? m_project->name() : QString();
}
QString Session::projectFolder() const
{
    return m_project ? m_project->folder() : QString();
}

QString Session::demoFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/demo"_s;
}

void Session::restore()
{
    const QString folder = QSettings().value(u"session/project"_s).toString();
    if (!folder.isEmpty() && QFileInfo::exists(folder + u"/accelopt.db"_s))
        openProject(folder);
}

void Session::closeForExit()
{
    m_controller.reset();
    m_snapshots.setProject({});
    m_queries.setProject({});
}

void Session::openProject(const QString &folder, bool startRun)
{
    const QString path = localFolder(folder);
    ++m_opening;
    m_openError.clear();
    Q_EMIT openingChanged();
    m_queries.detached(
        this, [path] { return Project::open(path); },
        [this, startRun](const Result<Project> &project) { opened(project, startRun); });
}

void Session::createProject(const QString &folder, const QString &suite, const QString &target)
{
    const QString path = localFolder(folder);
    ++m_opening;
    m_openError.clear();
    Q_EMIT openingChanged();
    m_queries.detached(
        this, [path, suite, target] { return Project::create(path, suite, target); },
        [this](const Result<Project> &project) { opened(project, false); });
}

void Session::openDemo(bool startRun)
{
    const QString path = demoFolder();
    ++m_opening;
    m_openError.clear();
    Q_EMIT openingChanged();
    m_queries.detached(
        this,
        [path]() -> Result<Project> {
            if (QFileInfo::exists(path + u"/accelopt.db"_s))
                return Project::open(path);
            QDir().mkpath(path);
            return Project::create(path, u"quick"_s, u"trn1"_s);
        },
        [this, startRun](const Result<Project> &project) { opened(project, startRun); });
}

void Session::opened(const Result<Project> &project, bool startAfter)
{
    --m_opening;
    if (!project) {
        m_openError = project.error().message;
        Q_EMIT openingChanged();
        notify(project.error());
        return;
    }
    m_startAfterOpen = startAfter;
    setProject(*project);
    Q_EMIT openingChanged();
}

void Session::closeProject()
{
    setProject({});
}

void Session::removeRecent(const QString &folder)
{
    const int row = m_recent.find(folder);
    if (row < 0)
        return;
    const RecentModel::Entry entry = m_recent.entries().at(row);
    m_recent.remove(folder);
    m_undo.push(
        tr("%1 removed from the list").arg(entry.name), [this, row, entry] { m_recent.insert(row, entry); },
        [this, folder] { m_recent.remove(folder); });
    notify(u"info"_s, tr("%1 removed from the list. The folder stays.").arg(entry.name), tr("Undo"), u"undo"_s);
}

void Session::setProject(const std::optional<Project> &project)
{
    m_controller.reset(); // ends a run under way within 3 s; what is in flight is marked interrupted
    m_starting = false;
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    if (!m_watcher.directories().isEmpty())
        m_watcher.removePaths(m_watcher.directories());
    m_project = project;
    m_snapshots.setProject(project);
    m_queries.setProject(project);
    m_snapshot.reset();
    m_readError.clear();
    m_shownRun = 0;
    m_reading = m_readAgain = false;
    m_undo.clear();
    QSettings settings;
    if (project) {
        m_recent.touch(project->folder(), project->defaultTarget());
        settings.setValue(u"session/project"_s, project->folder());
        m_navigation.reset({.page = u"overview"_s, .problem = viewState(u"session"_s, u"problem"_s).toString()});
        follow();
    } else {
        settings.remove(u"session/project"_s);
        m_navigation.reset({});
    }
    Q_EMIT projectChanged();
    Q_EMIT snapshotChanged();
    Q_EMIT runStateChanged();
    Q_EMIT placeChanged();
    if (project)
        readNow();
}

// --- reading ---------------------------------------------------------------------------------------------------------

void Session::follow()
{
    // Another program (the command line) may write: the write-ahead log changes with each of its commits.
    if (!m_project)
        return;
    const QString database = m_project->databasePath();
    for (const QString &path : {database, database + u"-wal"_s}) {
        if (QFileInfo::exists(path) && !m_watcher.files().contains(path))
            m_watcher.addPath(path);
    }
    if (m_watcher.directories().isEmpty())
        m_watcher.addPath(m_project->folder());
}

void Session::refresh()
{
    if (m_project && !m_refresh.isActive())
        m_refresh.start();
}

void Session::readNow()
{
    if (!m_project)
        return;
    if (m_reading) {
        m_readAgain = true;
        return;
    }
    m_reading = true;
    m_snapshots.run(
        this, {},
        [run = m_shownRun](ReadContext &context) -> Result<SnapshotPtr> {
            const auto reader = context.reader();
            if (!reader)
                return std::unexpected(reader.error());
            return readSnapshot(**reader, run);
        },
        [this](Result<SnapshotPtr> snapshot) {
            m_reading = false;
            const bool first = m_snapshot == nullptr;
            if (snapshot) {
                m_snapshot = std::move(*snapshot);
                m_readError.clear();
            } else {
                m_readError = snapshot.error().message;
            }
            Q_EMIT snapshotChanged();
            Q_EMIT runStateChanged();
            Q_EMIT journalChanged();
            if (m_snapshot && m_project) {
                const Snapshot &s = *m_snapshot;
                RecentModel::Entry entry;
                const int row = m_recent.find(m_project->folder());
                if (row >= 0)
                    entry = m_recent.entries().at(row);
                entry.baseline = s.baselineGeomean;
                entry.best = s.bestGeomean;
                entry.estimate = s.estimate;
                entry.trend = s.geomeanByIteration;
                if (s.run) {
                    const int iterations = s.run->settings.iterations;
                    entry.iterations = iterations;
                    entry.runState = runStateName(s.run->state);
                    entry.runText = s.run->state == RunState::Running
                        ? tr("Run %1, iteration %2 of %3").arg(s.run->id).arg(s.iteration).arg(iterations)
                        : tr("Run %1, %2").arg(s.run->id).arg(runState());
                }
                m_recent.update(entry);
            }
            if (first && m_snapshot && m_startAfterOpen) {
                m_startAfterOpen = false;
                if (!m_snapshot->run)
                    (void)startRun(RunSettings::quickPreset());
                else if (m_snapshot->run->state != RunState::Finished)
                    resumeRun();
            }
            if (m_readAgain) {
                m_readAgain = false;
                refresh();
            }
        });
}

// --- runs ------------------------------------------------------------------------------------------------------------

qint64 Session::run() const
{
    return m_snapshot && m_snapshot->run ? m_snapshot->run->id : 0;
}

void Session::showRun(qint64 run)
{
    if (run == m_shownRun)
        return;
    m_shownRun = run;
    readNow();
}

QString Session::runState() const
{
    if (m_controller && m_controller->isActive() && (m_controller->run() == run() || run() == 0))
        return runStateName(m_controller->state());
    return m_snapshot && m_snapshot->run ? runStateName(m_snapshot->run->state) : QString();
}

bool Session::runActive() const
{
    return m_controller && m_controller->isActive();
}

RunController *Session::controller()
{
    if (!m_project)
        return nullptr;
    if (!m_controller) {
        m_controller = std::make_unique<RunController>(*m_project);
        watchRun(m_controller.get());
    }
    return m_controller.get();
}

void Session::watchRun(RunController *controller)
{
    connect(controller, &RunController::journalChanged, this, &Session::refresh);
    connect(controller, &RunController::stateChanged, this, [this] {
        Q_EMIT runStateChanged();
        refresh();
    });
    connect(controller, &RunController::finished, this, [this](RunState state, const QString &reason) {
        refresh();
        Q_EMIT runStateChanged();
        const QString kind = state == RunState::Finished ? u"better"_s
            : state == RunState::Failed                  ? u"failed"_s
                                                         : u"worse"_s;
        if (state == RunState::Finished)
            notify(kind, reason.isEmpty() ? tr("The run is done.") : reason, tr("Show"), u"page.overview"_s);
        else if (!reason.isEmpty())
            notify(kind, reason, tr("Show"), u"page.run"_s);
    });
    connect(controller, &RunController::event, this, [this](const RunEvent &event) {
        if (event.kind == RunEvent::Kind::NewBest) {
            // Read to assistive technology at most once in 10 s; seen in the table and under What changed.
            if (!m_lastAnnouncement.isValid() || m_lastAnnouncement.elapsed() > s_announceMs) {
                m_lastAnnouncement.start();
                Q_EMIT announced(event.text);
            }
        } else if (event.kind == RunEvent::Kind::BudgetWarning || event.kind == RunEvent::Kind::Warning) {
            notify(u"worse"_s, event.text, tr("Show"), u"page.run"_s);
        }
    });
}

Result<Journal *> Session::journal()
{
    RunController *c = controller();
    if (!c)
        return fail(Error::Kind::NotFound, tr("No project is open."));
    return c->journal();
}

Result<void> Session::startRun(const RunSettings &settings)
{
    RunController *c = controller();
    if (!c)
        return fail(Error::Kind::NotFound, tr("No project is open."));
    const auto id = c->start(settings);
    if (!id) {
        notify(id.error());
        return std::unexpected(id.error());
    }
    m_shownRun = 0; // the new one is the newest
    Q_EMIT runStateChanged();
    refresh();
    return {};
}

void Session::resumeRun(qlonglong run)
{
    RunController *c = controller();
    if (!c)
        return;
    if (c->isActive()) {
        if (c->state() == RunState::Paused)
            c->resumeWork();
        return;
    }
    if (const auto id = c->resume(run); !id)
        notify(id.error());
    Q_EMIT runStateChanged();
    refresh();
}

void Session::pauseOrResume()
{
    if (!m_controller || !m_controller->isActive()) {
        resumeRun(run());
        return;
    }
    if (m_controller->state() == RunState::Paused)
        m_controller->resumeWork();
    else
        m_controller->pause();
    Q_EMIT runStateChanged();
}

void Session::drain()
{
    if (m_controller)
        m_controller->drain();
    Q_EMIT runStateChanged();
}

void Session::stop()
{
    if (m_controller)
        m_controller->stop();
    Q_EMIT runStateChanged();
}

// --- place -----------------------------------------------------------------------------------------------------------

void Session::place(const Navigation::Place &place, bool remember)
{
    if (place == m_navigation.place())
        return;
    if (place.problem != m_navigation.place().problem)
        setViewState(u"session"_s, u"problem"_s, place.problem);
    if (remember)
        m_navigation.go(place);
    else
        m_navigation.replace(place);
    Q_EMIT placeChanged();
}

void Session::go(const QString &page)
{
    Navigation::Place next = m_navigation.place();
    next.page = page;
    place(next, true);
}

void Session::showProblem(const QString &name)
{
    Navigation::Place next = m_navigation.place();
    next.page = u"candidates"_s;
    next.problem = name;
    place(next, true);
}

void Session::showAttempt(qlonglong id)
{
    Navigation::Place next = m_navigation.place();
    next.page = u"candidates"_s;
    next.attempt = id;
    place(next, true);
}

void Session::compare(qlonglong a, qlonglong b)
{
    Navigation::Place next = m_navigation.place();
    next.page = u"compare"_s;
    next.compareA = a;
    next.compareB = b;
    place(next, true);
}

void Session::compareBestWithBaseline(const QString &problem)
{
    if (!m_snapshot || m_snapshot->status.isEmpty())
        return;
    const ProblemStatus *status = m_snapshot->problem(problem.isEmpty() ? this->problem() : problem);
    if (!status)
        status = &m_snapshot->status.first();
    if (status->bestAttempt == 0 || status->baselineAttempt == 0) {
        notify(u"info"_s, tr("%1 has no result yet.").arg(status->name));
        return;
    }
    Navigation::Place next = m_navigation.place();
    next.page = u"compare"_s;
    next.problem = status->name;
    next.compareA = status->baselineAttempt;
    next.compareB = status->bestAttempt;
    place(next, true);
}

void Session::selectProblem(const QString &name)
{
    Navigation::Place next = m_navigation.place();
    next.problem = name;
    place(next, false);
}

void Session::selectAttempt(qlonglong id)
{
    Navigation::Place next = m_navigation.place();
    next.attempt = id;
    place(next, false);
}

void Session::setComparePair(qlonglong a, qlonglong b)
{
    Navigation::Place next = m_navigation.place();
    next.compareA = a;
    next.compareB = b;
    place(next, false);
}

void Session::back()
{
    m_navigation.back();
    Q_EMIT placeChanged();
}

void Session::forward()
{
    m_navigation.forward();
    Q_EMIT placeChanged();
}

void Session::setSlimRail(bool slim)
{
    if (slim == m_slimRail)
        return;
    m_slimRail = slim;
    QSettings().setValue(u"window/slimRail"_s, slim);
    Q_EMIT slimRailChanged();
}

QUrl Session::pageUrl(const QString &page)
{
    if (page.isEmpty())
        return {};
    const QString name = page.at(0).toUpper() + page.mid(1);
    const QString file = u"/qt/qml/AccelOpt/%1/%1Page.qml"_s.arg(name);
    return QFileInfo::exists(u':' + file) ? QUrl(u"qrc:"_s + file) : QUrl();
}

QString Session::stateGroup() const
{
    const QByteArray folder = m_project ? m_project->folder().toUtf8() : QByteArray("none");
    return u"view/"_s
        + QString::fromLatin1(QCryptographicHash::hash(folder, QCryptographicHash::Sha1).toHex().left(12));
}

QVariant Session::viewState(const QString &page, const QString &key, const QVariant &fallback) const
{
    return QSettings().value(stateGroup() + u'/' + page + u'/' + key, fallback);
}

void Session::setViewState(const QString &page, const QString &key, const QVariant &value)
{
    QSettings().setValue(stateGroup() + u'/' + page + u'/' + key, value);
}

// --- messages --------------------------------------------------------------------------------------------------------

void Session::notify(const QString &kind, const QString &text, const QString &actionText, const QString &command)
{
    const int id = m_notices.add(kind, text, actionText, command);
    Q_EMIT toast(id);
    Q_EMIT announced(text);
}

void Session::copyToClipboard(const QString &text, const QString &what)
{
    QGuiApplication::clipboard()->setText(text);
    notify(u"info"_s, what.isEmpty() ? tr("Copied.") : tr("%1 copied.").arg(what));
}

} // namespace accelopt
