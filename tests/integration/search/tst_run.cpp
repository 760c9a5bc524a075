// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whole runs on tiny problems, with a scripted provider and a fake evaluator, on the real journal and the real
// repository.
#include "tinyproject.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;

namespace {
// By value: a loop over a member of a temporary would outlive it.
template <typename T> T taken(Result<T> result)
{
    if (!result)
        qFatal("%s", qPrintable(result.error().message));
    return std::move(*result);
}
} // namespace

class TestRun : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<test::Script> m_script;
    std::shared_ptr<test::FakeHost> m_host;
    int m_projects = 0;

    Project makeProject(const QStringList &names = {u"alpha"_s, u"beta"_s})
    {
        const auto project = test::tinyProject(m_folder->filePath(u"p%1"_s.arg(++m_projects)), names);
        if (!project)
            qFatal("%s %s", qPrintable(project.error().message), qPrintable(project.error().detail));
        return *project;
    }
    RunParts parts() const { return test::fakeParts(m_script, m_host); }
    static QString differences(const Project &project)
    {
        const auto found = verifyProject(project);
        if (!found)
            return found.error().message + found.error().detail;
        QStringList lines;
        for (const Difference &d : taken(found))
            lines << d.kind + u": "_s + d.subject + u": "_s + d.message;
        return lines.join(u'\n');
    }
    // Runs to the end; the snapshot.
    QStringList whole(const RunSettings &settings, const Project &project)
    {
        RunController controller(project, parts());
        QString why;
        connect(&controller, &RunController::finished, this, [&](RunState, const QString &reason) { why = reason; });
        const auto run = controller.start(settings);
        if (!run)
            return {run.error().message};
        if (controller.waitForFinished() != RunState::Finished)
            return {u"not finished: "_s + why};
        return test::snapshot(project).value_or(QStringList{u"no snapshot"_s});
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_script = std::make_shared<test::Script>();
        m_host = std::make_shared<test::FakeHost>();
        m_projects = 0;
    }

    void endToEnd()
    {
        m_script->duplicates = 0.6;
        const Project project = makeProject();
        RunController controller(project, parts());
        QList<RunEvent> events;
        connect(&controller, &RunController::event, this, [&](const RunEvent &event) { events << event; });
        QSignalSpy changed(&controller, &RunController::journalChanged);
        const RunSettings settings = test::tinySettings();
        const auto run = controller.start(settings);
        QVERIFY2(run, run ? "" : qPrintable(run.error().message));
        QVERIFY(controller.isActive());
        QVERIFY(!controller.start(settings)); // one at a time
        QCOMPARE(controller.waitForFinished(), RunState::Finished);
        QVERIFY(!controller.isActive());
        QVERIFY(changed.size() > 0);

        const auto reader = project.reader();
        QVERIFY(reader);
        QCOMPARE((*reader)->run(*run)->state, RunState::Finished);
        for (const QString &name : {u"alpha"_s, u"beta"_s}) {
            AttemptFilter filter;
            filter.run = *run;
            filter.problem = name;
            const auto attempts = (*reader)->attempts(filter);
            QVERIFY(attempts);
            // 1 baseline, N·K of the first iteration, B·N·K of each later one, fixer rounds beside them.
            qsizetype executed = 0;
            for (const Attempt &a : taken(attempts)) {
                QCOMPARE(a.state, Attempt::State::Done);
                QCOMPARE(a.commit.size(), 40);
                executed += a.key.round == 0;
            }
            QCOMPARE(executed, 1 + 3 * 2 + 2 * (2 * 3 * 2));
            QCOMPARE(*(*reader)->finishedIterations(*run, name), 3);
            QCOMPARE((*reader)->beam(*run, name, 1)->size(), 1);
            QCOMPARE((*reader)->beam(*run, name, 4)->size(), 2);
        }
        for (const ProblemStatus &status : taken((*reader)->problemStatus(*run))) {
            QVERIFY(status.speedup() > 1);
            // The beam of the result begins with the best.
            QCOMPARE((*reader)->beam(*run, status.name, 4)->first().attempt, status.bestAttempt);
        }
        const auto counts = *(*reader)->attemptCounts(*run);
        QVERIFY(counts.failed > 0 && counts.same > 0 && counts.correct > 0);
        QCOMPARE(counts.pending, 0);
        QVERIFY((*reader)->experiences(*run)->size() > 3);
        QVERIFY(!(*reader)->memory(*run, u"alpha"_s, 3)->isEmpty()); // the last iteration is summarized too
        QCOMPARE(differences(project), QString());

        const auto count = [&](RunEvent::Kind kind) { return std::ranges::count(events, kind, &RunEvent::kind); };
        QCOMPARE(count(RunEvent::Kind::CallStarted), count(RunEvent::Kind::CallFinished));
        QCOMPARE(count(RunEvent::Kind::CallStarted), m_script->calls.load());
        QCOMPARE(count(RunEvent::Kind::AttemptMade), counts.total - 2);
        QCOMPARE(count(RunEvent::Kind::ProblemFinished), 2);
        QCOMPARE(count(RunEvent::Kind::IterationFinished), 2 * 4);
        QCOMPARE(count(RunEvent::Kind::Finished), 1);
        QVERIFY(count(RunEvent::Kind::NewBest) > 0);
        // Each program of a problem was evaluated once, but for those that came before their owner or were only
        // estimated before.
        QVERIFY(m_host->evaluations < counts.total);
        QVERIFY(!controller.resume(*run)); // nothing left
    }

    // Delays of calls and evaluations are drawn anew: nothing that is kept may differ.
    void arrivalHasNoSay_data()
    {
        QTest::addColumn<RunSettings>("settings");
        RunSettings s = test::tinySettings();
        QTest::newRow("elitist") << s;
        s.selection = SelectionPolicy::Paper;
        QTest::newRow("paper") << s;
        s.selection = SelectionPolicy::Upstream;
        s.memory = MemoryPolicy::Upstream;
        s.memoryCapacity = 3;
        QTest::newRow("upstream") << s;
        s = test::tinySettings();
        s.memoryScope = MemoryScope::Project;
        QTest::newRow("shared memory") << s;
        s = test::tinySettings();
        s.fixerRounds = 3;
        s.useMemory = false;
        QTest::newRow("three fixer rounds, no memory") << s;
    }
    void arrivalHasNoSay()
    {
        QFETCH(RunSettings, settings);
        m_script->failures = 0.4;
        m_script->duplicates = 0.5;
        const QStringList expected = whole(settings, makeProject());
        QCOMPARE(expected.value(0), u"run finished"_s);
        m_script->delayMs = 12;
        m_host->delayMs = 12;
        m_host->randomDelay = true;
        for (quint32 shuffle = 1; shuffle <= 3; ++shuffle) {
            m_script->shuffle = m_host->shuffle = shuffle * 77;
            m_host->concurrency = int(shuffle) * 2;
            settings.maxConcurrentCalls = 13 - int(shuffle) * 4;
            const Project project = makeProject();
            const QStringList got = whole(settings, project);
            for (qsizetype i = 0; i < qMax(got.size(), expected.size()); ++i)
                QCOMPARE(got.value(i), expected.value(i));
            QCOMPARE(differences(project), QString());
        }
    }

    void seedMatters()
    {
        RunSettings settings = test::tinySettings();
        const QStringList first = whole(settings, makeProject());
        settings.seed = 43;
        QVERIFY(whole(settings, makeProject()) != first);
    }

    // Stopped, drained or destroyed at some instant, then resumed: the same end.
    void interruptions_data()
    {
        QTest::addColumn<QString>("how");
        QTest::addColumn<int>("afterEvents");
        for (const QString &how : {u"stop"_s, u"drain"_s, u"destroy"_s, u"pause"_s}) {
            for (const int events : {3, 40, 150, 300})
                QTest::addRow("%s after %d events", qPrintable(how), events) << how << events;
        }
    }
    void interruptions()
    {
        QFETCH(QString, how);
        QFETCH(int, afterEvents);
        static const QStringList expected = whole(test::tinySettings(), makeProject());
        QCOMPARE(expected.value(0), u"run finished"_s);
        m_script->delayMs = m_host->delayMs = 5;
        const Project project = makeProject();
        auto controller = std::make_unique<RunController>(project, parts());
        QEventLoop loop;
        int seen = 0;
        connect(controller.get(), &RunController::event, this, [&] {
            if (++seen == afterEvents)
                loop.quit();
        });
        connect(controller.get(), &RunController::finished, &loop, &QEventLoop::quit);
        const auto run = controller->start(test::tinySettings());
        QVERIFY(run);
        loop.exec();
        if (how == u"pause") {
            controller->pause();
            QTRY_COMPARE(controller->state(), RunState::Paused);
            QTest::qWait(150);
            const int calls = m_script->calls;
            QTest::qWait(100);
            QCOMPARE(m_script->calls.load(), calls); // nothing new begins
            controller->resumeWork();
        } else if (how == u"destroy") {
            QElapsedTimer clock;
            clock.start();
            controller.reset();
            QVERIFY(clock.elapsed() < 3000);
        } else {
            how == u"stop" ? controller->stop() : controller->drain();
            QCOMPARE(controller->waitForFinished(), RunState::Stopped);
            QCOMPARE((*project.reader())->run(*run)->state, RunState::Stopped);
            if (how == u"drain") {
                // What had begun was finished: no call and no attempt is cut off.
                for (const CallRecord &call : taken((*project.reader())->calls(*run)))
                    QCOMPARE(call.state, CallRecord::State::Finished);
            }
            QCOMPARE(differences(project), QString());
        }
        if (how != u"pause") {
            if (!controller)
                controller = std::make_unique<RunController>(project, parts());
            const auto again = controller->resume();
            QVERIFY2(again, again ? "" : qPrintable(again.error().message));
            QCOMPARE(*again, *run);
        }
        QCOMPARE(controller->waitForFinished(), RunState::Finished);
        const auto got = test::snapshot(project);
        QVERIFY(got);
        for (qsizetype i = 0; i < qMax(got->size(), expected.size()); ++i)
            QCOMPARE(got->value(i), expected.value(i));
        QCOMPARE(differences(project), QString());
    }

    // A provider and a host that never answer do not hold the program.
    void destroyedWhileEverythingHangs()
    {
        for (const bool provider : {true, false}) {
            (provider ? m_script->swallow : m_host->swallow) = true;
            auto controller = std::make_unique<RunController>(makeProject(), parts());
            QVERIFY(controller->start(test::tinySettings()));
            QTest::qWait(100);
            QElapsedTimer clock;
            clock.start();
            controller.reset();
            QVERIFY2(clock.elapsed() < 3000, qPrintable(QString::number(clock.elapsed())));
            m_script->swallow = m_host->swallow = false;
        }
    }

    // A host that swallows a job does not hold the run for ever.
    void swallowedJobsAreTriedAgain()
    {
        const QStringList expected = whole(test::tinySettings(), makeProject());
        m_host->swallow = true;
        RunParts patient = parts();
        patient.evaluationWatchdog = std::chrono::milliseconds(60);
        const Project project = makeProject();
        RunController controller(project, patient);
        QVERIFY(controller.start(test::tinySettings()));
        QTRY_COMPARE(controller.state(), RunState::Paused);
        QVERIFY((*project.reader())->run(0)->stopReason.contains(u"no answer in time"_s));
        m_host->swallow = false;
        controller.resumeWork();
        QCOMPARE(controller.waitForFinished(), RunState::Finished);
        QCOMPARE(*test::snapshot(project), expected);
    }

    void troubleOfTheHostPausesTheRun()
    {
        const QStringList expected = whole(test::tinySettings(), makeProject());
        std::atomic<int> failing = 1;
        m_host->failure = [&](const EvaluationJob &) -> std::optional<Error> {
            return failing ? std::optional(Error{Error::Kind::Io, u"The host is gone."_s, {}}) : std::nullopt;
        };
        const Project project = makeProject();
        RunController controller(project, parts());
        QVERIFY(controller.start(test::tinySettings()));
        QTRY_COMPARE(controller.state(), RunState::Paused);
        QVERIFY((*project.reader())->run(0)->stopReason.contains(u"The host is gone."_s));
        failing = 0;
        controller.resumeWork();
        QCOMPARE(controller.waitForFinished(), RunState::Finished);
        QCOMPARE(*test::snapshot(project), expected); // nothing of it became an attempt
    }

    void troubleOfTheModelPausesTheRun()
    {
        const QStringList expected = whole(test::tinySettings(), makeProject());
        std::atomic<int> asked = 0, failing = 1;
        m_script->error = [&](const CompletionRequest &request) -> std::optional<Error> {
            // Now and then a call fails once; executors fail until they are repaired.
            if (request.role == Role::Executor ? failing.load() : ++asked % 5 == 0)
                return Error{Error::Kind::Io, u"Connection refused."_s, {}};
            return std::nullopt;
        };
        const Project project = makeProject();
        RunController controller(project, parts());
        QVERIFY(controller.start(test::tinySettings()));
        QTRY_COMPARE(controller.state(), RunState::Paused);
        QVERIFY((*project.reader())->run(0)->stopReason.contains(u"Connection refused."_s));
        failing = 0;
        controller.resumeWork();
        while (controller.state() != RunState::Finished) {
            QTest::qWait(20);
            if (controller.state() == RunState::Paused)
                controller.resumeWork();
        }
        QCOMPARE(*test::snapshot(project), expected);
        QCOMPARE(differences(project), QString());
    }

    // One call fits the cap: exactly one is made, and a resumed run makes none.
    void tokenBudget()
    {
        RunSettings settings = test::tinySettings();
        settings.models.insert(Role::Planner, {u"openai"_s, u"fake"_s, {}});
        settings.maxConcurrentCalls = 1;
        settings.problems = {u"alpha"_s};
        settings.budget.tokens = 60000;
        m_script->inputTokens = 50000;
        const Project project = makeProject();
        RunController controller(project, parts());
        QString reason;
        connect(&controller, &RunController::finished, this, [&](RunState, const QString &why) { reason = why; });
        const auto run = controller.start(settings);
        QVERIFY(run);
        QCOMPARE(controller.waitForFinished(), RunState::BudgetReached);
        QVERIFY(!reason.isEmpty());
        const auto calls = [&] {
            const auto records = (*project.reader())->calls(*run);
            return std::ranges::count(*records, Role::Planner, [](const CallRecord &c) { return c.key.role; });
        };
        QCOMPARE(calls(), 1);
        for (int again = 0; again < 3; ++again) {
            QVERIFY(controller.resume());
            QCOMPARE(controller.waitForFinished(), RunState::BudgetReached);
            QCOMPARE(calls(), 1);
        }
        QCOMPARE(differences(project), QString());
    }

    void deviceBudget()
    {
        RunSettings settings = test::tinySettings();
        settings.budget.deviceSeconds = 0.3; // an evaluation takes 0.03
        const Project project = makeProject();
        RunController controller(project, parts());
        QVERIFY(controller.start(settings));
        QCOMPARE(controller.waitForFinished(), RunState::BudgetReached);
        QVERIFY2(
            m_host->evaluations >= 9 && m_host->evaluations <= 14, qPrintable(QString::number(m_host->evaluations)));
    }

    void baselineThatFails()
    {
        const Project project = makeProject();
        Problem broken = test::tinyProblem(u"broken"_s);
        broken.kernelSource = "def kernel(x):\n    FAILS = \"compile\"\n    return x\n";
        QVERIFY(project.addProblem(broken));
        Problem cheat = test::tinyProblem(u"cheat"_s, 1e-9);
        QVERIFY(project.addProblem(cheat));
        {
            // The others go on.
            RunController controller(project, parts());
            QVERIFY(controller.start(test::tinySettings()));
            QCOMPARE(controller.waitForFinished(), RunState::Finished);
            QCOMPARE(differences(project), QString());
        }
        RunSettings only = test::tinySettings();
        only.problems = {u"broken"_s, u"cheat"_s};
        RunController controller(project, parts());
        QString reason;
        connect(&controller, &RunController::finished, this, [&](RunState, const QString &why) { reason = why; });
        QVERIFY(controller.start(only));
        QCOMPARE(controller.waitForFinished(), RunState::Failed);
        QVERIFY(reason.contains(u"baseline"_s));
    }

    // A kernel faster than the roofline never becomes the best, a candidate or an experience.
    void quarantine()
    {
        const Project project = makeProject({u"alpha"_s});
        Problem problem = test::tinyProblem(u"alpha"_s);
        problem.work.bytes = 0.7 * 440.2e6; // T_peak = 0.7 ms
        QVERIFY(project.addProblem(problem));
        RunController controller(project, parts());
        const auto run = controller.start(test::tinySettings());
        QVERIFY(run);
        QCOMPARE(controller.waitForFinished(), RunState::Finished);
        const auto reader = project.reader();
        QVERIFY((*reader)->attemptCounts(*run)->quarantined > 0);
        QVERIFY((*reader)->problemStatus(*run)->first().bestMs >= 0.69);
        QHash<qint64, bool> quarantined;
        for (const Attempt &a : taken((*reader)->attempts({})))
            quarantined.insert(a.id, a.evaluation.quarantined);
        for (const BeamPlace &place : taken((*reader)->beams(*run)))
            QVERIFY(!quarantined.value(place.attempt));
        for (const Experience &e : taken((*reader)->experiences(*run)))
            QVERIFY(!quarantined.value(e.slowAttempt) && !quarantined.value(e.fastAttempt));
        QCOMPARE(differences(project), QString());
    }

    // Skipping numbers changes what is computed, not what is chosen.
    void skippingChangesNoBeam()
    {
        RunSettings settings = test::tinySettings();
        settings.iterations = 4;
        settings.useMemory = false; // the widest window
        m_script->failures = 0.1;
        const auto beams = [](const QStringList &lines) {
            QStringList chosen;
            std::ranges::copy_if(
                lines, std::back_inserter(chosen), [](const QString &l) { return l.contains(u" beam "_s); });
            return chosen;
        };
        // Failures tell the planner different things where numbers were not computed.
        settings.showFailures = false;
        m_script->fixes = false;
        const QStringList with = whole(settings, makeProject());
        QVERIFY(m_host->skipped > 0);
        m_host->skips = false;
        const QStringList without = whole(settings, makeProject());
        QCOMPARE(beams(with), beams(without));
    }

    void concurrencyIsBoundedAndUsed()
    {
        m_script->delayMs = 10;
        m_host->delayMs = 10;
        RunSettings settings = test::tinySettings();
        settings.maxConcurrentCalls = 3;
        whole(settings, makeProject());
        QCOMPARE(m_script->mostRunning.load(), 3);
        QCOMPARE(m_host->mostRunning.load(), 2);
    }

    void bad()
    {
        const Project project = makeProject();
        RunController controller(project, parts());
        RunSettings settings = test::tinySettings();
        settings.problems = {u"gamma"_s};
        QVERIFY(controller.start(settings).error().message.contains(u"gamma"_s));
        settings.problems.clear();
        settings.beam = 0;
        QVERIFY(!controller.start(settings));
        QVERIFY(!controller.resume()); // no run
        QVERIFY(!controller.resume(12));
        // A second writer is told who holds the project.
        RunController other(project, parts());
        QVERIFY(controller.journal());
        QCOMPARE(other.start(test::tinySettings()).error().kind, Error::Kind::Conflict);

        QVERIFY(!Project::create(project.folder(), {}, u"trn1"_s));
        QVERIFY(!Project::create(m_folder->filePath(u"x"_s), u"no-such-suite"_s, u"trn1"_s));
        QVERIFY(!Project::create(m_folder->filePath(u"x"_s), {}, u"trn9"_s));
        QVERIFY(!QFileInfo::exists(m_folder->filePath(u"x"_s)));
        QVERIFY(Project::open(m_folder->path()).error().message.endsWith(u"is not an AccelOpt project."_s));
        QVERIFY(!Project::open(m_folder->filePath(u"nowhere"_s)));
    }

    // Each kind of disagreement is found and named.
    void verifyNamesDifferences()
    {
        const Project project = makeProject({u"alpha"_s});
        whole(test::tinySettings(), project);
        QCOMPARE(differences(project), QString());
        AttemptFilter filter;
        filter.iterationFrom = 1;
        const QList<Attempt> attempts = taken((*project.reader())->attempts(filter));
        const auto repository = *project.repository();
        const auto kinds = [&] {
            QStringList list;
            for (const Difference &d : taken(verifyProject(project)))
                list << d.kind;
            list.removeDuplicates();
            list.sort();
            return list.join(u' ');
        };
        const QJsonObject note = *repository->note(attempts[0].commit);
        QVERIFY(repository->setNote(attempts[0].commit, {{u"latency_ms"_s, 1}}));
        QCOMPARE(kinds(), u"note-differs"_s);
        QVERIFY(repository->setNote(attempts[0].commit, note));
        QCOMPARE(kinds(), QString());

        const QString best = *repository->branch(u"alpha/best"_s);
        QVERIFY(repository->setBranch(
            u"alpha/best"_s, attempts[0].commit == best ? attempts[1].commit : attempts[0].commit));
        QCOMPARE(kinds(), u"branch"_s);
        QVERIFY(repository->setBranch(u"alpha/best"_s, best));

        AttemptCommit foreign;
        foreign.run = u"1"_s;
        foreign.problem = u"alpha"_s;
        foreign.key = u"i03.c9.p09.a9"_s;
        foreign.parentCommit = best;
        foreign.kernel = "def kernel(x):\n    pass\n";
        foreign.title = u"Foreign"_s;
        foreign.at = QDateTime::currentDateTimeUtc();
        QVERIFY(repository->commit(foreign));
        QCOMPARE(kinds(), u"unknown-commit"_s);
    }

    void estimate()
    {
        RunSettings settings = RunSettings::paperPreset();
        const PriceTable prices = PriceTable::bundled().value_or(PriceTable());
        const RunEstimate e = estimateRun(settings, 14, prices);
        // accelopt paper, section 4, with the code's first iteration of one candidate: 1,092 and 2,184 a task.
        QCOMPARE(e.plannerCalls, 14 * 1092);
        QCOMPARE(e.executorCalls, 14 * 2184);
        QVERIFY(e.summarizerCalls <= 14 * 128);
        QCOMPARE(e.usd, std::optional(0.0)); // rules
        // The paper's run with one model in all roles cost $139.00.
        PriceTable paper;
        paper.insert(u"gpt-oss-120b"_s, {0.15, 0.15, 0.60, {}, {}});
        for (const Role role : allRoles)
            settings.models.insert(role, {u"openai"_s, u"gpt-oss-120b"_s, {}});
        const auto usd = estimateRun(settings, 14, paper).usd;
        QVERIFY(usd && std::abs(*usd - 139) < 5);
        settings.models.insert(Role::Executor, {u"openai"_s, u"nobody-knows-this-model"_s, {}});
        QVERIFY(!estimateRun(settings, 14, prices).usd);
    }
};

QTEST_GUILESS_MAIN(TestRun)
#include "tst_run.moc"
