// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/runcontroller.h"

#include "search/engine.h"

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QMutex>
#include <QThread>
#include <QWaitCondition>
#include <algorithm>

using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

namespace accelopt {

namespace {
/// How long work may take to unwind after a stop.
constexpr auto patience = 2800ms;
} // namespace

class RunController::Private {
public:
    Private(RunController *controller, const Project &project_, RunParts parts_)
        : q(controller)
        , project(project_)
        , parts(std::move(parts_))
    {
    }

    Result<Journal *> openJournal();
    Result<void> launch(qint64 id);
    template <typename F> void tell(F command)
    {
        if (engine)
            QMetaObject::invokeMethod(
                engine, [target = engine, command] { (target->*command)(); }, Qt::QueuedConnection);
    }
    void release(); ///< lets the engine end by itself, on its thread
    void end(); ///< takes thread and engine down; waits

    RunController *q;
    Project project;
    RunParts parts;
    std::unique_ptr<Journal> journal;
    std::unique_ptr<QThread> thread;
    Engine *engine = nullptr; ///< lives on `thread`
    RunState state = RunState::Ready;
    qint64 run = 0;
};

Result<Journal *> RunController::Private::openJournal()
{
    if (!journal) {
        auto opened = Journal::open(project.databasePath());
        if (!opened)
            return std::unexpected(opened.error());
        journal = std::move(*opened);
        QObject::connect(qobject_cast<JournalNotifier *>(journal->notifier()), &JournalNotifier::changed, q,
            &RunController::journalChanged, Qt::QueuedConnection);
    }
    return journal.get();
}

Result<void> RunController::Private::launch(qint64 id)
{
    const Result<void> running = journal->setRunState(id, RunState::Running).result();
    if (!running)
        return running;
    end();
    run = id;
    state = RunState::Running;
    engine = new Engine(*journal, project.databasePath(), project.repositoryPath(), id, parts);
    thread = std::make_unique<QThread>();
    thread->setObjectName(u"engine"_s);
    engine->moveToThread(thread.get());
    QObject::connect(engine, &Engine::happened, q, &RunController::event, Qt::QueuedConnection);
    QObject::connect(
        engine, &Engine::stateChanged, q,
        [this](RunState now) {
            state = now;
            Q_EMIT q->stateChanged(now);
        },
        Qt::QueuedConnection);
    QObject::connect(
        engine, &Engine::ended, q,
        [this](RunState now, const QString &reason) {
            state = now;
            release(); // hosts and providers are of no use any more
            Q_EMIT q->stateChanged(now);
            Q_EMIT q->finished(now, reason);
        },
        Qt::QueuedConnection);
    thread->start();
    tell(&Engine::begin);
    Q_EMIT q->stateChanged(state);
    return {};
}

void RunController::Private::release()
{
    if (!engine)
        return;
    Engine *gone = std::exchange(engine, nullptr);
    QObject::connect(gone, &QObject::destroyed, thread.get(), &QThread::quit, Qt::DirectConnection);
    QMetaObject::invokeMethod(gone, [gone] { delete gone; }, Qt::QueuedConnection);
}

void RunController::Private::end()
{
    if (!thread)
        return;
    if (engine)
        QObject::disconnect(engine, nullptr, q, nullptr);
    if (engine && (state == RunState::Running || state == RunState::Paused || state == RunState::Draining)) {
        // Wait for the engine thread's own word, without an event loop here. Shared: it may come after we gave up.
        struct Word {
            QMutex mutex;
            QWaitCondition condition;
            bool over = false;
            RunState state = RunState::Interrupted;
        };
        const auto word = std::make_shared<Word>();
        QObject::connect(
            engine, &Engine::ended, engine,
            [word](RunState now) {
                const QMutexLocker lock(&word->mutex);
                word->state = now;
                word->over = true;
                word->condition.wakeAll();
            },
            Qt::DirectConnection);
        tell(&Engine::stop);
        bool over = false;
        {
            QMutexLocker lock(&word->mutex);
            over = word->over || engine->hasEnded(); // it may have ended before we listened
            if (!over) {
                word->condition.wait(&word->mutex, QDeadlineTimer(patience));
                over = word->over;
            }
            if (word->over)
                state = word->state;
        }
        if (!over) {
            // Something ignores its token. Its frames point into the engine: leave both be rather than pull them away
            // under it.
            qWarning("The run did not end in time; what it was doing is left behind.");
            QObject::disconnect(engine, nullptr, nullptr, nullptr);
            thread->quit();
            if (!thread->wait(100ms))
                thread.release(); // NOLINT(bugprone-unused-return-value)
            thread.reset();
            engine = nullptr;
            journal->markInterrupted(run).waitForFinished();
            state = RunState::Interrupted;
            return;
        }
    }
    release();
    thread->wait();
    thread.reset();
}

RunController::RunController(const Project &project, QObject *parent)
    : RunController(project, RunParts(), parent)
{
}

RunController::RunController(const Project &project, RunParts parts, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, project, std::move(parts)))
{
    qRegisterMetaType<RunEvent>();
    qRegisterMetaType<RunState>();
}

RunController::~RunController()
{
    d->end();
}

Result<qint64> RunController::start(const RunSettings &settings)
{
    if (isActive())
        return fail(Error::Kind::Conflict, u"Run %1 is still at work. Stop it first."_s.arg(d->run));
    if (const auto valid = settings.validate(); !valid)
        return std::unexpected(valid.error());
    const auto journal = d->openJournal();
    if (!journal)
        return std::unexpected(journal.error());
    const auto reader = d->project.reader();
    if (!reader)
        return std::unexpected(reader.error());
    const auto all = (*reader)->problems();
    if (!all)
        return std::unexpected(all.error());
    QList<Problem> chosen;
    if (settings.problems.isEmpty()) {
        chosen = *all;
    } else {
        for (const QString &name : settings.problems) {
            const auto it = std::ranges::find(*all, name, &Problem::name);
            if (it == all->end())
                return fail(Error::Kind::NotFound, u"The project has no problem %1."_s.arg(name));
            if (!std::ranges::contains(chosen, name, &Problem::name))
                chosen << *it;
        }
    }
    if (chosen.isEmpty())
        return fail(Error::Kind::Invalid, u"The project has no problems. Add one first."_s);
    // What nobody can do is refused before there is a run that has to fail.
    if (!d->parts.provider) {
        for (const Role role : allRoles) {
            if (const auto provider = createModelProvider(settings.model(role)); !provider)
                return std::unexpected(provider.error());
        }
    }
    if (!d->parts.evaluator) {
        for (const QString &host : settings.hosts) {
            if (const auto evaluator = createEvaluator(host); !evaluator)
                return std::unexpected(evaluator.error());
        }
    }
    FrozenFacts facts;
    auto peaks = loadHardwarePeaks(settings.target);
    if (!peaks)
        return std::unexpected(peaks.error());
    facts.peaks = std::move(*peaks);
    auto prices = PriceTable::bundled();
    if (!prices)
        return std::unexpected(prices.error());
    facts.prices = std::move(*prices);
    for (const QString &host : settings.hosts)
        facts.hosts.insert(host, QJsonObject());
    const auto id = (*journal)->createRun(settings, facts, chosen).result();
    if (!id)
        return id;
    if (const auto launched = d->launch(*id); !launched)
        return std::unexpected(launched.error());
    return id;
}

Result<qint64> RunController::resume(qint64 run)
{
    if (isActive())
        return fail(Error::Kind::Conflict, u"Run %1 is still at work."_s.arg(d->run));
    const auto journal = d->openJournal();
    if (!journal)
        return std::unexpected(journal.error());
    const auto reader = d->project.reader();
    if (!reader)
        return std::unexpected(reader.error());
    const auto runs = (*reader)->runs();
    if (!runs)
        return std::unexpected(runs.error());
    const RunRecord *chosen = nullptr;
    for (const RunRecord &record : *runs) {
        if (run != 0 ? record.id == run : record.state != RunState::Finished)
            chosen = &record; // oldest first: the last one that fits is the newest
    }
    if (!chosen)
        return run != 0 ? fail(Error::Kind::NotFound, u"The project has no run %1."_s.arg(run))
                        : fail(Error::Kind::NotFound, u"There is no run that could go on."_s);
    if (chosen->state == RunState::Finished)
        return fail(Error::Kind::Conflict, u"Run %1 is finished; there is nothing to resume."_s.arg(chosen->id));
    // We hold the writer, so nobody else works on this run: what looks begun was cut off.
    if (const auto marked = (*journal)->markInterrupted(chosen->id).result(); !marked)
        return std::unexpected(marked.error());
    if (const auto launched = d->launch(chosen->id); !launched)
        return std::unexpected(launched.error());
    return chosen->id;
}

void RunController::pause()
{
    d->tell(&Engine::pause);
}

void RunController::resumeWork()
{
    d->tell(&Engine::resume);
}

void RunController::drain()
{
    d->tell(&Engine::drain);
}

void RunController::stop()
{
    d->tell(&Engine::stop);
}

RunState RunController::state() const
{
    return d->state;
}

qint64 RunController::run() const
{
    return d->run;
}

bool RunController::isActive() const
{
    return d->engine
        && (d->state == RunState::Running || d->state == RunState::Paused || d->state == RunState::Draining);
}

RunState RunController::waitForFinished()
{
    if (isActive()) {
        QEventLoop loop;
        connect(this, &RunController::finished, &loop, &QEventLoop::quit);
        loop.exec();
    }
    return d->state;
}

Result<Journal *> RunController::journal()
{
    return d->openJournal();
}

RunEstimate estimateRun(const RunSettings &settings, int problems, const PriceTable &prices)
{
    const RunSettings::Volume volume = settings.volumePerProblem();
    RunEstimate estimate;
    estimate.problems = problems;
    estimate.plannerCalls = qint64(volume.plannerCalls) * problems;
    estimate.executorCalls = qint64(volume.executorCalls) * problems;
    estimate.summarizerCalls = settings.useMemory ? qint64(volume.summarizerCalls) * problems : 0;
    estimate.evaluations = qint64(volume.evaluations) * problems;
    // Tokens of a call, in and out. The AccelOpt paper publishes none; these are chosen so that its run with
    // gpt-oss-120b in all roles, 14 tasks at T = 16, comes to what it cost there ($139.00 at $0.15 and $0.60 per
    // million). Other models write more or less.
    struct Tokens {
        Role role;
        qint64 calls, input, output;
    };
    const Tokens shares[] = {{Role::Planner, estimate.plannerCalls, 6000, 1500},
        {Role::Executor, estimate.executorCalls, 6000, 4500}, {Role::Summarizer, estimate.summarizerCalls, 5000, 1000}};
    estimate.usd = 0;
    for (const Tokens &share : shares) {
        Usage usage;
        usage.inputTokens = share.calls * share.input;
        usage.outputTokens = share.calls * share.output;
        const auto cost = prices.cost(settings.model(share.role), usage);
        estimate.usd = estimate.usd && cost && share.calls > 0 ? std::optional(*estimate.usd + *cost)
            : share.calls == 0                                 ? estimate.usd
                                                               : std::nullopt;
    }
    estimate.formula =
        u"planner = N + (T−1)·B·N = %1, executor = K · planner = %2, summarizer ≤ T·TopK = %3, evaluations ≤ executor + 1 = %4; × %5"_s
            .arg(volume.plannerCalls)
            .arg(volume.executorCalls)
            .arg(settings.useMemory ? volume.summarizerCalls : 0)
            .arg(volume.evaluations)
            .arg(problems);
    return estimate;
}

} // namespace accelopt
