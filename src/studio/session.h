// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/project.h"
#include "studio/navigation.h"
#include "studio/notices.h"
#include "studio/readqueue.h"
#include "studio/recentmodel.h"
#include "studio/snapshot.h"
#include "studio/undostack.h"

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QObject>
#include <QQmlEngine>
#include <QTimer>
#include <QUrl>
#include <QVariantMap>
#include <QtQml/qqmlregistration.h>

namespace accelopt {

class RunController;
class Journal;

/// The window's state and its only way to a project: which one is open, which run is shown, where the user is, and what
/// happens. GUI thread. One object for the program; QML sees it as `Session` (import AccelOpt.Studio).
///
/// How a page reads data
///   1. Cheap and shared: `snapshot()` (problems, runs, status, counts, ledger, beams, log, activity), renewed at most
///   10 times a second;
///      `snapshotChanged` says when. Never null while a project is open and its first read is done.
///   2. Anything else: `query(this, u"tag"_s, work, done)`. `work` gets a ReadContext on a worker thread (its own
///   JournalReader and
///      KernelRepository) and returns Result<T>; `done` gets that on the GUI thread. The same guard and tag again
///      supersedes the query before, so asking on every `journalChanged` is safe. Nothing comes back after the project
///      was closed or the guard destroyed.
///   3. `journalChanged` (at most 10 Hz): rows were written. Re-query what is on screen; put rows into models with
///   insert and dataChanged.
/// How a page writes: `journal()` is the single writer (through the RunController), its futures must not be waited for
/// on this thread. What is removed by a user is pushed to `undoStack()` with the text for the toast. Pages set a
/// selection with `selectProblem`/`selectAttempt` (no entry in the history) and move with `go`/`showAttempt`/`compare`
/// (one entry).
class Session : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    // the project
    Q_PROPERTY(bool hasProject READ hasProject NOTIFY projectChanged)
    Q_PROPERTY(QString projectName READ projectName NOTIFY projectChanged)
    Q_PROPERTY(QString projectFolder READ projectFolder NOTIFY projectChanged)
    Q_PROPERTY(bool opening READ opening NOTIFY openingChanged) ///< a project is being opened or made
    Q_PROPERTY(QString openError READ openError NOTIFY openingChanged) ///< why the last one could not be opened
    Q_PROPERTY(bool loaded READ loaded NOTIFY snapshotChanged) ///< the first snapshot is there
    Q_PROPERTY(QString readError READ readError NOTIFY
            snapshotChanged) ///< why the project cannot be read; empty while all is well
    Q_PROPERTY(accelopt::RecentModel *recent READ recent CONSTANT)
    // the shown run
    Q_PROPERTY(qlonglong run READ run WRITE showRun NOTIFY snapshotChanged) ///< id, 0 = none yet
    Q_PROPERTY(bool hasRun READ hasRun NOTIFY snapshotChanged)
    Q_PROPERTY(bool runActive READ runActive NOTIFY
            runStateChanged) ///< this window's controller works (running, paused, draining)
    Q_PROPERTY(QString runState READ runState NOTIFY runStateChanged) ///< runStateName of the shown run, "" without one
    Q_PROPERTY(
        bool starting READ starting NOTIFY runStateChanged) ///< start or resume was asked, the engine is not there yet
    // where the user is
    Q_PROPERTY(QString page READ page NOTIFY
            placeChanged) ///< start, overview, run, candidates, compare, memory, reports, settings, shortcuts
    Q_PROPERTY(QString problem READ problem NOTIFY placeChanged) ///< the chosen problem, "" = none
    Q_PROPERTY(qlonglong attempt READ attempt NOTIFY placeChanged) ///< the chosen attempt, 0 = none
    Q_PROPERTY(qlonglong compareA READ compareA NOTIFY placeChanged)
    Q_PROPERTY(qlonglong compareB READ compareB NOTIFY placeChanged)
    Q_PROPERTY(bool canGoBack READ canGoBack NOTIFY placeChanged)
    Q_PROPERTY(bool canGoForward READ canGoForward NOTIFY placeChanged)
    Q_PROPERTY(bool slimRail READ slimRail WRITE setSlimRail NOTIFY slimRailChanged)
    // messages and undo
    Q_PROPERTY(accelopt::NoticeModel *notices READ notices CONSTANT)
    Q_PROPERTY(accelopt::UndoStack *undoStack READ undoStack CONSTANT)

public:
    explicit Session(QObject *parent); ///< no default: QML would make an object of its own instead of asking create()
    ~Session() override;
    [[nodiscard]] static Session *instance();
    [[nodiscard]] static Session *create(QQmlEngine *, QJSEngine *);

    // --- project
    [[nodiscard]] bool hasProject() const { return m_project.has_value(); }
    [[nodiscard]] const std::optional<Project> &project() const { return m_project; }
    [[nodiscard]] QString projectName() const;
    [[nodiscard]] QString projectFolder() const;
    [[nodiscard]] bool opening() const { return m_opening > 0; }
    [[nodiscard]] QString openError() const { return m_openError; }
    [[nodiscard]] RecentModel *recent() { return &m_recent; }
    /// Opens a folder (a path or a file: URL) on a worker; `projectChanged` follows, or `openError` says why not. An
    /// open project stays until then.
    Q_INVOKABLE void openProject(const QString &folder, bool startRun = false);
    /// Makes a project of a suite ("quick", "nkibench", "" = no problems) and opens it.
    Q_INVOKABLE void createProject(const QString &folder, const QString &suite, const QString &target);
    /// The demo project in the user's data folder; made when it is not there. `startRun` begins a run when it has none
    /// yet, or goes on with it.
    Q_INVOKABLE void openDemo(bool startRun = false);
    Q_INVOKABLE void closeProject();
    Q_INVOKABLE void removeRecent(const QString &folder); ///< from the list only; can be undone
    /// The project that was open when the program ended last; nothing where it is gone.
    void restore();
    /// Ends the run and the workers; for the end of main(). The project stays the one to restore.
    void closeForExit();
    /// Where the demo lives.
    [[nodiscard]] static QString demoFolder();

    // --- reading
    [[nodiscard]] SnapshotPtr snapshot() const { return m_snapshot; }
    [[nodiscard]] bool loaded() const { return m_snapshot != nullptr; }
    [[nodiscard]] QString readError() const { return m_readError; }
    template <typename Work, typename Done> void query(QObject *guard, const QString &tag, Work work, Done done)
    {
        m_queries.run(guard, tag, std::move(work), std::move(done));
    }
    /// Reads the snapshot again, soon. `journalChanged` follows.
    Q_INVOKABLE void refresh();

    // --- runs
    [[nodiscard]] qint64 run() const;
    [[nodiscard]] bool hasRun() const { return run() != 0; }
    void showRun(qint64 run); ///< 0 = the newest
    [[nodiscard]] QString runState() const;
    [[nodiscard]] bool runActive() const;
    [[nodiscard]] bool starting() const { return m_starting; }
    /// The one controller of the open project; made on first use. Null without a project.
    [[nodiscard]] RunController *controller();
    /// The writer, or why there is none (another program holds it).
    [[nodiscard]] Result<Journal *> journal();
    Result<void> startRun(const RunSettings &settings);
    Q_INVOKABLE void resumeRun(qlonglong run = 0); ///< after a stop, a cut-off or a restart
    Q_INVOKABLE void pauseOrResume();
    Q_INVOKABLE void drain();
    Q_INVOKABLE void stop(); ///< no question: the dialog has asked

    // --- place
    [[nodiscard]] QString page() const { return m_navigation.place().page; }
    [[nodiscard]] QString problem() const { return m_navigation.place().problem; }
    [[nodiscard]] qint64 attempt() const { return m_navigation.place().attempt; }
    [[nodiscard]] qint64 compareA() const { return m_navigation.place().compareA; }
    [[nodiscard]] qint64 compareB() const { return m_navigation.place().compareB; }
    [[nodiscard]] bool canGoBack() const { return m_navigation.canGoBack(); }
    [[nodiscard]] bool canGoForward() const { return m_navigation.canGoForward(); }
    Q_INVOKABLE void go(const QString &page);
    Q_INVOKABLE void showProblem(const QString &name); ///< its candidates
    Q_INVOKABLE void showAttempt(qlonglong id); ///< on Candidates
    Q_INVOKABLE void compare(qlonglong a, qlonglong b); ///< on Compare
    Q_INVOKABLE void compareBestWithBaseline(const QString &problem = {}); ///< "" = the chosen problem, else the first
    Q_INVOKABLE void selectProblem(const QString &name);
    Q_INVOKABLE void selectAttempt(qlonglong id);
    Q_INVOKABLE void setComparePair(qlonglong a, qlonglong b); ///< stays on the page, no history entry
    Q_INVOKABLE void back();
    Q_INVOKABLE void forward();
    [[nodiscard]] bool slimRail() const { return m_slimRail; }
    void setSlimRail(bool slim);

    /// The QML file of a page's module (AccelOpt.<Page>), empty where it is not part of the program.
    [[nodiscard]] Q_INVOKABLE static QUrl pageUrl(const QString &page);

    /// State of a page kept per project (splits, widths, sort, filters): small values only. Kept across restarts.
    Q_INVOKABLE QVariant viewState(const QString &page, const QString &key, const QVariant &fallback = {}) const;
    Q_INVOKABLE void setViewState(const QString &page, const QString &key, const QVariant &value);

    // --- messages
    [[nodiscard]] NoticeModel *notices() { return &m_notices; }
    [[nodiscard]] UndoStack *undoStack() { return &m_undo; }
    /// A toast, kept under the bell. `kind`: info, better, worse, failed, quarantined. `command`: id of a Command for
    /// the one action.
    Q_INVOKABLE void notify(
        const QString &kind, const QString &text, const QString &actionText = {}, const QString &command = {});
    Q_INVOKABLE void copyToClipboard(
        const QString &text, const QString &what = {}); ///< `what`: for the toast, "Attempt id"
    void notify(const Error &error) { notify(QStringLiteral("failed"), error.message); }

Q_SIGNALS:
    void projectChanged(); ///< opened, closed or another one
    void openingChanged();
    void snapshotChanged();
    void journalChanged(); ///< at most 10 Hz
    void runStateChanged();
    void placeChanged();
    void slimRailChanged();
    void toast(int id); ///< a row of `notices` to show for 6 s
    void announced(const QString &text); ///< for screen readers, at most one in 10 s

private:
    void opened(const Result<Project> &project, bool startAfter);
    void setProject(const std::optional<Project> &project);
    void readNow();
    void follow();
    void place(const Navigation::Place &place, bool remember);
    void watchRun(RunController *controller);
    QString stateGroup() const;

    std::optional<Project> m_project;
    std::unique_ptr<RunController> m_controller;
    ReadQueue m_snapshots, m_queries;
    SnapshotPtr m_snapshot;
    QString m_openError, m_readError;
    RecentModel m_recent;
    NoticeModel m_notices;
    UndoStack m_undo;
    Navigation m_navigation;
    QFileSystemWatcher m_watcher;
    QTimer m_refresh; ///< holds journalChanged back to 10 Hz
    QElapsedTimer m_lastAnnouncement;
    qint64 m_shownRun = 0;
    int m_opening = 0;
    bool m_reading = false, m_readAgain = false;
    bool m_starting = false;
    bool m_startAfterOpen = false;
    bool m_slimRail = false;
};

} // namespace accelopt
