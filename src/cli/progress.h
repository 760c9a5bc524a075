// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/journalreader.h"
#include "search/runcontroller.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <memory>

namespace accelopt::cli {

/// Shows a run on stderr: a bar where it is a terminal, a line for each noteworthy event elsewhere. Facts come from the
/// journal.
class Progress : public QObject {
    Q_OBJECT
public:
    enum class Style { Bar, Lines, Events, Silent };

    Progress(const Project &project, RunController *controller, Style style);
    ~Progress() override;
    void finish();

private:
    void onEvent(const RunEvent &event);
    void draw();
    void line(const QString &text);

    RunController *m_controller;
    Style m_style;
    std::unique_ptr<JournalReader> m_reader;
    QTimer m_timer;
    QElapsedTimer m_elapsed;
    bool m_barShown = false;
};

/// Ctrl+C: the first drains (what has begun is finished), the second stops at once. SIGTERM and SIGHUP drain too.
class InterruptHandler : public QObject {
    Q_OBJECT
public:
    explicit InterruptHandler(RunController *controller);
    ~InterruptHandler() override;

private:
    int m_count = 0;
};

} // namespace accelopt::cli
