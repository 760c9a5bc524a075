// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/progress.h"

#include "cli/documents.h"
#include "cli/terminal.h"
#include "domain/format.h"

#include <QSocketNotifier>
#include <csignal>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace accelopt::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

int signalPipe[2] = {-1, -1};

void onSignal(int)
{
    const char byte = 1;
    // Nothing to do about a full pipe: a signal is already on its way.
    [[maybe_unused]] const auto written = ::write(signalPipe[1], &byte, 1);
}

int terminalWidth()
{
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

} // namespace

Progress::Progress(const Project &project, RunController *controller, Style style)
    : m_controller(controller)
    , m_style(style)
{
    m_elapsed.start();
    if (m_style == Style::Bar) {
        if (auto reader = project.reader())
            m_reader = std::move(*reader);
        connect(&m_timer, &QTimer::timeout, this, &Progress::draw);
        constexpr int drawMs = 250;
        m_timer.start(drawMs);
    }
    connect(controller, &RunController::event, this, &Progress::onEvent);
}

Progress::~Progress() = default;

void Progress::onEvent(const RunEvent &event)
{
    if (m_style == Style::Events) {
        printJsonLine(eventDocument(event));
        return;
    }
    if (m_style == Style::Silent)
        return;
    using Kind = RunEvent::Kind;
    const bool noteworthy = event.kind == Kind::NewBest || event.kind == Kind::IterationFinished
        || event.kind == Kind::ProblemFinished || event.kind == Kind::BudgetWarning || event.kind == Kind::Warning;
    if (noteworthy && !event.text.isEmpty())
        line(format::clock(event.at) + u"  "_s + event.text);
}

void Progress::line(const QString &text)
{
    if (m_barShown) {
        std::fputs("\r\033[K", stderr);
        m_barShown = false;
    }
    note(sanitized(text));
}

void Progress::draw()
{
    if (!m_reader)
        return;
    const auto run = m_reader->run(m_controller->run());
    const auto problems = m_reader->problemStatus(m_controller->run());
    const auto counts = m_reader->attemptCounts(m_controller->run());
    if (!run || !problems || !counts || problems->isEmpty())
        return;
    const RunSettings &settings = run->settings;
    const auto volume = settings.volumePerProblem();
    const double expected = static_cast<double>(volume.evaluations) * static_cast<double>(problems->size());
    const double done =
        expected > 0 ? std::min(1.0, static_cast<double>(counts->total - counts->pending) / expected) : 0;
    QList<double> before, after;
    bool estimate = false;
    for (const ProblemStatus &problem : *problems) {
        if (problem.baselineFraction > 0) {
            before.append(problem.baselineFraction);
            after.append(problem.bestFraction);
            estimate = estimate || problem.estimate;
        }
    }
    const auto shown = [estimate](double fraction) {
        return estimate ? format::estimatedFraction(fraction) : format::fraction(fraction);
    };
    constexpr int cells = 20;
    const int filled = static_cast<int>(done * cells);
    QString text = u"["_s + QString(filled, u'=') + QString(cells - filled, u' ')
        + u"] %1 %"_s.arg(static_cast<int>(done * 100), 3)
        + u"  %1 attempts, %2 failed"_s.arg(format::count(counts->total), format::count(counts->failed));
    if (!after.isEmpty())
        text += u"  peak "_s + shown(geometricMean(before)) + u" → "_s + shown(geometricMean(after));
    text += u"  "_s + format::duration(static_cast<double>(m_elapsed.elapsed()) / 1e3);
    if (run->state == RunState::Draining)
        text += u"  draining"_s;
    std::fprintf(stderr, "\r\033[K%s", text.left(terminalWidth() - 1).toUtf8().constData());
    std::fflush(stderr);
    m_barShown = true;
}

void Progress::finish()
{
    m_timer.stop();
    if (m_style == Style::Bar) {
        draw();
        if (m_barShown)
            std::fputc('\n', stderr);
        m_barShown = false;
    }
}

InterruptHandler::InterruptHandler(RunController *controller)
{
    if (signalPipe[0] < 0 && ::pipe(signalPipe) != 0)
        return;
    auto *notifier = new QSocketNotifier(signalPipe[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this, controller] {
        char byte = 0;
        if (::read(signalPipe[0], &byte, 1) != 1)
            return;
        if (++m_count == 1) {
            note(
                u"\nDraining: what has begun is finished. Press Ctrl+C again to stop at once; the run can be resumed either way."_s);
            controller->drain();
        } else {
            note(u"\nStopping."_s);
            controller->stop();
        }
    });
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        std::signal(signal, onSignal);
}

InterruptHandler::~InterruptHandler()
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        std::signal(signal, SIG_DFL);
}

} // namespace accelopt::cli
