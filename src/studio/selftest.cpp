// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/selftest.h"

#include "studio/session.h"
#include "studio/theme.h"

#include <QApplication>
#include <QMutex>
#include <QQuickItem>
#include <QQuickWindow>
#include <cstdio>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

QMutex s_mutex;
QStringList s_messages;
QtMessageHandler s_previous = nullptr;

void countWarning(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    if (type != QtDebugMsg && type != QtInfoMsg) {
        const QMutexLocker lock(&s_mutex);
        s_messages.append(message);
    }
    if (s_previous)
        s_previous(type, context, message);
}

constexpr int s_stepMs = 60;
constexpr int s_patienceMs = 15000;

/// True when the project's data and the page are there.
bool ready(QQuickWindow *window)
{
    const Session *session = Session::instance();
    if (session->opening() || (session->hasProject() && !session->loaded() && session->readError().isEmpty()))
        return false;
    return window->property("currentPage").value<QQuickItem *>() != nullptr;
}

} // namespace

void WarningCounter::install()
{
    s_previous = qInstallMessageHandler(countWarning);
}

int WarningCounter::count()
{
    const QMutexLocker lock(&s_mutex);
    return int(s_messages.size());
}

QStringList WarningCounter::messages()
{
    const QMutexLocker lock(&s_mutex);
    return s_messages;
}

// --- self test -------------------------------------------------------------------------------------------------------

SelfTest::SelfTest(QQuickWindow *window)
    : QObject(window)
    , m_window(window)
{
    for (const bool dark : {false, true}) {
        for (const QSize size : {QSize(1440, 900), QSize(1024, 700)}) {
            for (const QString &page : {u"start"_s, u"overview"_s, u"run"_s, u"candidates"_s, u"compare"_s, u"memory"_s,
                     u"reports"_s, u"settings"_s, u"shortcuts"_s})
                m_steps.append({page, dark, size});
        }
    }
}

void SelfTest::start()
{
    QTimer::singleShot(s_stepMs, this, &SelfTest::next);
}

void SelfTest::next()
{
    if (!ready(m_window) && m_waited < s_patienceMs) {
        m_waited += s_stepMs;
        QTimer::singleShot(s_stepMs, this, &SelfTest::next);
        return;
    }
    // Without a project the window has no other pages.
    if (m_at == 0 && !Session::instance()->hasProject()) {
        m_steps.removeIf([](const Step &step) {
            return step.page != "start"_L1 && step.page != "settings"_L1 && step.page != "shortcuts"_L1;
        });
    }
    if (m_at > 0) {
        const Step &shown = m_steps.at(m_at - 1);
        if (m_waited >= s_patienceMs)
            m_failures.append(u"%1: not ready after %2 s"_s.arg(shown.page).arg(s_patienceMs / 1000));
        const QImage image = m_window->grabWindow();
        bool plain = true;
        for (int x = 0; x < image.width() && plain; x += 7) {
            for (int y = 60; y < image.height() - 40 && plain; y += 7)
                plain = image.pixel(x, y) == image.pixel(0, 60);
        }
        if (image.isNull() || plain)
            m_failures.append(u"%1: nothing was drawn"_s.arg(shown.page));
    }
    if (m_at == m_steps.size()) {
        finish();
        return;
    }
    const Step &step = m_steps.at(m_at++);
    m_waited = 0;
    Theme::instance()->setMode(step.dark ? Theme::Mode::Dark : Theme::Mode::Light);
    m_window->resize(step.size);
    Session *session = Session::instance();
    if (step.page == "compare"_L1 && session->hasRun())
        session->compareBestWithBaseline();
    else
        session->go(step.page);
    QTimer::singleShot(4 * s_stepMs, this, &SelfTest::next);
}

void SelfTest::finish()
{
    const QStringList warnings = WarningCounter::messages();
    std::fprintf(stdout, "self-test: %d pages shown, %d warnings, %d failures\n", int(m_steps.size()),
        int(warnings.size()), int(m_failures.size()));
    for (const QString &text : warnings)
        std::fprintf(stdout, "warning: %s\n", qUtf8Printable(text));
    for (const QString &text : std::as_const(m_failures))
        std::fprintf(stdout, "failure: %s\n", qUtf8Printable(text));
    std::fflush(stdout);
    QApplication::exit(warnings.isEmpty() && m_failures.isEmpty() ? 0 : 1);
}

// --- screenshot ------------------------------------------------------------------------------------------------------

Screenshot::Screenshot(QQuickWindow *window, QString file, bool quit, int settleMs)
    : QObject(window)
    , m_window(window)
    , m_file(std::move(file))
    , m_quit(quit)
    , m_settleMs(settleMs)
{
    m_timer.setInterval(s_stepMs);
    connect(&m_timer, &QTimer::timeout, this, &Screenshot::look);
    m_timer.start();
}

void Screenshot::look()
{
    m_waited += s_stepMs;
    if (!ready(m_window) && m_waited < 2 * s_patienceMs)
        return;
    m_timer.stop();
    QTimer::singleShot(m_settleMs, this, [this] {
        const bool saved = m_window->grabWindow().save(m_file);
        if (!saved)
            std::fprintf(stderr, "%s cannot be written.\n", qUtf8Printable(m_file));
        if (m_quit)
            QApplication::exit(saved ? 0 : 1);
    });
}

} // namespace accelopt
