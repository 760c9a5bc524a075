// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSize>
#include <QStringList>
#include <QTimer>

class QQuickWindow;

namespace accelopt {

/// Counts warnings of the program; installed as the message handler in main().
class WarningCounter {
public:
    static void install();
    [[nodiscard]] static int count();
    [[nodiscard]] static QStringList messages();
};

/// `--self-test`: walks all pages in light and dark, in two sizes, and ends the program with 1 where a warning came or
/// a page did not load.
class SelfTest : public QObject {
    Q_OBJECT
public:
    explicit SelfTest(QQuickWindow *window);
    void start();

private:
    void next();
    void finish();
    QQuickWindow *m_window;
    struct Step {
        QString page;
        bool dark = false;
        QSize size;
    };
    QList<Step> m_steps;
    qsizetype m_at = 0;
    int m_waited = 0;
    QStringList m_failures;
};

/// `--screenshot FILE`: grabs the window once the page's data is there, then quits when asked to.
class Screenshot : public QObject {
    Q_OBJECT
public:
    Screenshot(QQuickWindow *window, QString file, bool quit, int settleMs);

private:
    void look();
    QQuickWindow *m_window;
    QString m_file;
    bool m_quit;
    int m_settleMs;
    int m_waited = 0;
    QTimer m_timer;
};

} // namespace accelopt
