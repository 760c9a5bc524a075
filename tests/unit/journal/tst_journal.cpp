// SPDX-License-Identifier: GPL-3.0-or-later
#include "journalfixture.h"

#include <QSignalSpy>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace accelopt;
using namespace accelopt::test;

class TestJournal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void createAndOpen();
    void aSecondWriterIsTold();
    void aLockOfADeadProcessIsTakenOver();
    void problemsKeepTheirFrozenCopies();
    void removeProblem();
    void runRoundTrip();
    void runStatesAndActiveTime();
    void callsAreMadeOnce();
    void failedAndInterruptedCallsAreMadeAgain();
    void attemptsAreUpserts();
    void aFinishedAttemptIsNotTakenBack();
    void evaluationsAreMadeOnce();
    void otherPurposesLeaveTheAttemptAlone();
    void theMeasuredKernelIsTheStoredOne();
    void numbersAreFinite();
    void duplicatesShareAResult();
    void markInterrupted();
    void iterationsFinishOnce();
    void experiencesKeepAPersonsEdits();
    void memoryAndUses();
    void unknownRowsAreNamed();
    void aFailedWriteLeavesTheOthers();
    void manyProducersOneWriter();
    void notifierIsThrottled();
    void everyWriteIsThereAfterClosing();
};

void TestJournal::createAndOpen()
{
    Store store;
    QCOMPARE(Journal::create(store.path).error().kind, Error::Kind::Conflict);
    store.journal.reset();
    QCOMPARE(Journal::create(store.path).error().kind, Error::Kind::Conflict);
    QCOMPARE(Journal::open(store.folder.filePath(u"none.db"_s)).error().kind, Error::Kind::NotFound);
    QVERIFY(Journal::open(store.path));
    QVERIFY(!QFile::exists(store.path + u"-wal"_s)); // closed tidily
}

void TestJournal::aSecondWriterIsTold()
{
    Store store;
    const auto second = Journal::open(store.path);
    QVERIFY(!second);
    QCOMPARE(second.error().kind, Error::Kind::Conflict);
    QVERIFY2(second.error().message.contains(QString::number(QCoreApplication::applicationPid())),
        qPrintable(second.error().message));
    QVERIFY(store.reader()->runs().has_value()); // readers are welcome
}

void TestJournal::aLockOfADeadProcessIsTakenOver()
{
    Store store;
    store.journal.reset();
    int ready[2];
    QVERIFY(::pipe(ready) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto journal = Journal::open(store.path);
        const char answer = journal ? 'y' : 'n';
        (void)!::write(ready[1], &answer, 1);
        ::pause();
        ::_exit(0);
    }
    char answer = 0;
    QCOMPARE(::read(ready[0], &answer, 1), 1);
    QCOMPARE(answer, 'y');
    const auto refused = Journal::open(store.path);
    QVERIFY(!refused);
    QVERIFY(refused.error().message.contains(QString::number(child)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    QVERIFY(Journal::open(store.path));
    ::close(ready[0]);
    ::close(ready[1]);
}

void TestJournal::problemsKeepTheirFrozenCopies()
{
    Store store;
    Problem changed = problem();
    changed.kernelSource = "def kernel(x): return 2 * x\n";
    ok(store.journal->putProblem(changed));
    QCOMPARE(store.reader()->problems().value(), QList<Problem>{changed});
    QCOMPARE(store.reader()->problemsOfRun(store.run).value(), QList<Problem>{problem()});
    ok(store.journal->putProblem(problem())); // back again
    QCOMPARE(store.reader()->problems().value(), QList<Problem>{problem()});
    // A run on a problem that is not in the project does not replace the project's.
    ok(store.journal->createRun({}, facts(), {changed}));
    QCOMPARE(store.reader()->problems().value(), QList<Problem>{problem()});
}

void TestJournal::removeProblem()
{
    Store store;
    QCOMPARE(kindOf(store.journal->removeProblem(u"silu"_s)), Error::Kind::Conflict);
    ok(store.journal->setRunState(store.run, RunState::Finished));
    ok(store.journal->removeProblem(u"silu"_s));
    QVERIFY(store.reader()->problems().value().isEmpty());
    QCOMPARE(store.reader()->problemsOfRun(store.run).value(), QList<Problem>{problem()});
    QCOMPARE(kindOf(store.journal->removeProblem(u"silu"_s)), Error::Kind::NotFound);
    ok(store.journal->putProblem(problem()));
    QCOMPARE(store.reader()->problems().value().size(), 1);
}

void TestJournal::runRoundTrip()
{
    Store store;
    RunSettings settings;
    settings.problems = {u"silu"_s};
    settings.seed = 0xfedcba9876543210ull % (1ull << 53);
    settings.models.insert(
        Role::Planner, ModelChoice::parse(u"openai:gpt-oss-120b@http://127.0.0.1:8000/v1"_s).value());
    const qint64 id = ok(store.journal->createRun(settings, facts(), {problem()}));
    const RunRecord run = store.reader()->run(id).value();
    QCOMPARE(run.settings, settings);
    QCOMPARE(run.facts.peaks, facts().peaks);
    QCOMPARE(run.facts.hosts, facts().hosts);
    QCOMPARE(run.state, RunState::Ready);
    QCOMPARE(run.name, u"Run 2"_s);
    QVERIFY(!run.startedAt.isValid());
    QVERIFY(std::abs(run.createdAt.msecsTo(QDateTime::currentDateTimeUtc())) < 60000);
    QCOMPARE(store.reader()->run(0).value().id, id);
    QCOMPARE(store.reader()->runs().value().size(), 2);
    QCOMPARE(store.reader()->run(99).error().kind, Error::Kind::NotFound);
    QCOMPARE(kindOf(store.journal->createRun(settings, facts(), {})), Error::Kind::Invalid);
}

void TestJournal::runStatesAndActiveTime()
{
    Store store;
    ok(store.journal->setRunState(store.run, RunState::Running));
    QTest::qWait(60);
    ok(store.journal->setRunState(store.run, RunState::Paused, u"You paused it."_s));
    const RunRecord paused = store.reader()->run(store.run).value();
    QVERIFY2(
        paused.activeSeconds >= 0.05 && paused.activeSeconds < 30, qPrintable(QString::number(paused.activeSeconds)));
    QTest::qWait(60);
    const RunRecord later = store.reader()->run(store.run).value();
    QCOMPARE(later.activeSeconds, paused.activeSeconds); // a pause costs nothing
    QCOMPARE(later.stopReason, u"You paused it."_s);
    QCOMPARE(later.state, RunState::Paused);
    QVERIFY(!later.finishedAt.isValid());
    ok(store.journal->setRunState(store.run, RunState::Running));
    ok(store.journal->setRunState(store.run, RunState::Finished));
    const RunRecord finished = store.reader()->run(store.run).value();
    QCOMPARE(finished.startedAt, paused.startedAt);
    QVERIFY(finished.finishedAt.isValid());
    QVERIFY(finished.stopReason.isEmpty());
    for (const RunState state : {RunState::Ready, RunState::Draining, RunState::Stopped, RunState::BudgetReached,
             RunState::Interrupted, RunState::Failed}) {
        ok(store.journal->setRunState(store.run, state));
        QCOMPARE(store.reader()->run(store.run).value().state, state);
    }
}

void TestJournal::callsAreMadeOnce()
{
    Store store;
    const CallKey key{u"silu"_s, 1, 2, 3, 1, 0, Role::Executor};
    const ModelChoice model{u"openai"_s, u"m"_s, u"http://h/v1"_s};
    const QByteArray request(20000, 'q');
    auto claim = ok(store.journal->beginCall(store.run, key, model, request, 0.5));
    QCOMPARE(claim.claim, Claim::Fresh);
    CallRecord record = claim.record;
    record.state = CallRecord::State::Finished;
    record.modelReported = u"m-2"_s;
    record.finishReason = u"stop"_s;
    record.usage = {100, 40, 50, 10, {{u"prompt_tokens"_s, 100}}};
    record.costUsd = 0.25;
    record.reply = "```python\n```";
    record.reasoning = u"Because … ünïcode"_s;
    ok(store.journal->finishCall(record));
    auto again = ok(store.journal->beginCall(store.run, key, model, request, 0.5));
    QCOMPARE(again.claim, Claim::Finished);
    QCOMPARE(again.record.id, record.id);
    QCOMPARE(again.record.reply, record.reply);
    QCOMPARE(again.record.reasoning, record.reasoning);
    QCOMPARE(again.record.request, request);
    QCOMPARE(again.record.usage, record.usage);
    QCOMPARE(again.record.costUsd, record.costUsd);
    // Finishing twice keeps the first result.
    record.reply = "other";
    ok(store.journal->finishCall(record));
    QCOMPARE(store.reader()->call(store.run, key).value().reply, "```python\n```"_ba);
    // Every part of the key counts.
    for (const CallKey &other : {CallKey{u"rope"_s, 1, 2, 3, 1, 0, Role::Executor},
             CallKey{u"silu"_s, 2, 2, 3, 1, 0, Role::Executor}, CallKey{u"silu"_s, 1, 1, 3, 1, 0, Role::Executor},
             CallKey{u"silu"_s, 1, 2, 2, 1, 0, Role::Executor}, CallKey{u"silu"_s, 1, 2, 3, 2, 0, Role::Executor},
             CallKey{u"silu"_s, 1, 2, 3, 1, 1, Role::Executor}, CallKey{u"silu"_s, 1, 2, 3, 1, 0, Role::Fixer}})
        QCOMPARE(ok(store.journal->beginCall(store.run, other, model, {}, 0)).claim, Claim::Fresh);
}

void TestJournal::failedAndInterruptedCallsAreMadeAgain()
{
    Store store;
    const CallKey key{u"silu"_s, 1, 1, 1, 0, 0, Role::Planner};
    auto claim = ok(store.journal->beginCall(store.run, key, {u"rules"_s, {}, {}}, "r", 0.5));
    ok(store.journal->markInterrupted(store.run));
    QCOMPARE(store.reader()->calls(store.run).value().first().state, CallRecord::State::Interrupted);
    QCOMPARE(store.reader()->ledger(store.run).value().inFlightUsd, 0.5);
    claim = ok(store.journal->beginCall(store.run, key, {u"rules"_s, {}, {}}, "r", 0.5));
    QCOMPARE(claim.claim, Claim::Again);
    QCOMPARE(claim.record.tryNumber, 2);
    claim.record.state = CallRecord::State::Failed;
    claim.record.error = u"429"_s;
    claim.record.costUsd = 0.1;
    ok(store.journal->finishCall(claim.record));
    claim = ok(store.journal->beginCall(store.run, key, {u"rules"_s, {}, {}}, "r", 0.5));
    QCOMPARE(claim.claim, Claim::Again);
    QCOMPARE(claim.record.tryNumber, 3);
    // A begun call asked for again was cut off: its possible cost stays in the books.
    claim = ok(store.journal->beginCall(store.run, key, {u"rules"_s, {}, {}}, "r", 0.5));
    QCOMPARE(claim.record.tryNumber, 4);
    claim.record.state = CallRecord::State::Finished;
    claim.record.costUsd = 0.2;
    ok(store.journal->finishCall(claim.record));
    const LedgerTotals totals = store.reader()->ledger(store.run).value();
    QCOMPARE(totals.calls, 4);
    QCOMPARE(totals.inFlightUsd, 1.0);
    QVERIFY(std::abs(totals.costUsd - 0.3) < 1e-12);
    claim.record.state = CallRecord::State::Started;
    QCOMPARE(kindOf(store.journal->finishCall(claim.record)), Error::Kind::Invalid);
}

void TestJournal::attemptsAreUpserts()
{
    Store store;
    const Attempt first = attempt(store.run, {1, 1, 1, 1, 0});
    const qint64 id = ok(store.journal->putAttempt(first));
    QCOMPARE(ok(store.journal->putAttempt(first)), id);
    Attempt poorer = first;
    poorer.sha256.clear();
    poorer.author.clear();
    QCOMPARE(ok(store.journal->putAttempt(poorer)), id);
    ok(store.journal->setCommit(id, QString(40, u'a')));
    QCOMPARE(ok(store.journal->putAttempt(first)), id); // without a commit: keeps the one that is there
    Attempt stored = store.reader()->attempt(id).value();
    Attempt expected = first;
    expected.id = id;
    expected.commit = QString(40, u'a');
    QCOMPARE(stored, expected);
    QCOMPARE(store.reader()->attempt(store.run, u"silu"_s, first.key).value(), expected);
    // Any other key is another attempt.
    QSet<qint64> ids{id};
    for (const AttemptKey &key : {AttemptKey{2, 1, 1, 1, 0}, AttemptKey{1, 2, 1, 1, 0}, AttemptKey{1, 1, 2, 1, 0},
             AttemptKey{1, 1, 1, 2, 0}, AttemptKey{1, 1, 1, 1, 1}})
        ids.insert(ok(store.journal->putAttempt(attempt(store.run, key))));
    QCOMPARE(ids.size(), 6);
    Attempt foreign = first;
    foreign.problem = u"rope"_s; // not in the run
    QCOMPARE(kindOf(store.journal->putAttempt(foreign)), Error::Kind::Conflict);
    const qint64 plan = ok(store.journal->putPlan(store.run, u"silu"_s, {0, 1, 1, 1, u"t"_s, u"text"_s, u"rules"_s}));
    QCOMPARE(ok(store.journal->putPlan(store.run, u"silu"_s, {0, 1, 1, 1, u"t"_s, u"text"_s, u"rules"_s})), plan);
    QCOMPARE(store.reader()->plan(store.run, u"silu"_s, 1, 1, 1).value().text, u"text"_s);
}

void TestJournal::aFinishedAttemptIsNotTakenBack()
{
    Store store;
    Attempt done = attempt(store.run, {1, 1, 1, 1, 0});
    done.state = Attempt::State::Done;
    done.evaluation = failed(ErrorKind::Reply, u"The reply holds no kernel."_s);
    done.sha256.clear();
    const qint64 id = ok(store.journal->putAttempt(done)); // done at once: no kernel, no host
    Attempt again = done;
    again.state = Attempt::State::Pending;
    QCOMPARE(ok(store.journal->putAttempt(again)), id);
    const Attempt stored = store.reader()->attempt(id).value();
    QCOMPARE(stored.state, Attempt::State::Done);
    QCOMPARE(stored.evaluation.error.kind, ErrorKind::Reply);
    again.sha256 = u"another"_s;
    QCOMPARE(kindOf(store.journal->putAttempt(again)), Error::Kind::Conflict);
}

void TestJournal::evaluationsAreMadeOnce()
{
    Store store;
    const qint64 id = ok(store.journal->putAttempt(attempt(store.run, {})));
    QCOMPARE(ok(store.journal->beginEvaluation(id, u"search"_s, u"simulator"_s)).claim, Claim::Fresh);
    QCOMPARE(store.reader()->attempt(id).value().state, Attempt::State::Evaluating);
    QCOMPARE(ok(store.journal->beginEvaluation(id, u"search"_s, u"simulator"_s)).claim, Claim::Again);
    Evaluation evaluation = measured(2.5, 0.4);
    evaluation.sha256 = attempt(store.run, {}).sha256;
    ok(store.journal->finishEvaluation(id, u"search"_s, evaluation));
    ok(store.journal->finishEvaluation(id, u"search"_s, measured(9, 0.1))); // too late
    const auto claim = ok(store.journal->beginEvaluation(id, u"search"_s, u"simulator"_s));
    QCOMPARE(claim.claim, Claim::Finished);
    QCOMPARE(claim.evaluation, evaluation);
    const Attempt stored = store.reader()->attempt(id).value();
    QCOMPARE(stored.evaluation, evaluation);
    QCOMPARE(stored.state, Attempt::State::Done);
    QVERIFY(stored.finishedAt.isValid());
    QCOMPARE(store.reader()->deviceSeconds(store.run).value(), 0.75);
}

void TestJournal::otherPurposesLeaveTheAttemptAlone()
{
    Store store;
    const qint64 id = ok(store.journal->putAttempt(attempt(store.run, {})));
    ok(store.journal->finishEvaluation(id, u"search"_s, measured(2, 0.5)));
    QCOMPARE(ok(store.journal->beginEvaluation(id, u"verify"_s, u"trn-a"_s)).claim, Claim::Fresh);
    QCOMPARE(store.reader()->attempt(id).value().state, Attempt::State::Done);
    ok(store.journal->finishEvaluation(id, u"verify"_s, measured(3, 0.3, false)));
    QCOMPARE(store.reader()->attempt(id).value().evaluation.latency.medianMs, 2.0);
    const auto all = store.reader()->evaluations(id).value();
    QCOMPARE(all.keys(), (QStringList{u"search"_s, u"verify"_s}));
    QCOMPARE(all.value(u"verify"_s).latency.medianMs, 3.0);
}

void TestJournal::theMeasuredKernelIsTheStoredOne()
{
    Store store;
    const qint64 id = ok(store.journal->putAttempt(attempt(store.run, {})));
    Evaluation other = measured(1, 0.5);
    other.sha256 = u"of something else"_s;
    QCOMPARE(kindOf(store.journal->finishEvaluation(id, u"search"_s, other)), Error::Kind::Conflict);
    QCOMPARE(store.reader()->attempt(id).value().state, Attempt::State::Pending);
}

void TestJournal::numbersAreFinite()
{
    Store store;
    const qint64 id = ok(store.journal->putAttempt(attempt(store.run, {})));
    for (const double bad : {qQNaN(), qInf(), -qInf()}) {
        Evaluation evaluation = measured(1, 0.5);
        evaluation.latency.medianMs = bad;
        QCOMPARE(kindOf(store.journal->finishEvaluation(id, u"search"_s, evaluation)), Error::Kind::Invalid);
        evaluation = measured(1, bad);
        QCOMPARE(kindOf(store.journal->finishEvaluation(id, u"search"_s, evaluation)), Error::Kind::Invalid);
        evaluation = measured(1, 0.5);
        evaluation.latency.samplesMs.append(bad);
        QCOMPARE(kindOf(store.journal->finishEvaluation(id, u"search"_s, evaluation)), Error::Kind::Invalid);
    }
}

void TestJournal::duplicatesShareAResult()
{
    Store store;
    const qint64 first = ok(store.journal->putAttempt(attempt(store.run, {1, 1, 1, 1, 0})));
    const qint64 second = ok(store.journal->putAttempt(attempt(store.run, {1, 1, 1, 2, 0})));
    Evaluation evaluation = measured(2, 0.5);
    evaluation.sha256 = attempt(store.run, {1, 1, 1, 1, 0}).sha256;
    ok(store.journal->finishEvaluation(first, u"search"_s, evaluation));
    ok(store.journal->finishEvaluation(second, u"search"_s, evaluation, first));
    const Attempt stored = store.reader()->attempt(second).value();
    QCOMPARE(stored.duplicateOf, first);
    QCOMPARE(stored.evaluation.latency.medianMs, 2.0);
    const AttemptCounts counts = store.reader()->attemptCounts(store.run).value();
    QCOMPARE(counts.correct, 1);
    QCOMPARE(counts.same, 1);
    QCOMPARE(store.reader()->deviceSeconds(store.run).value(), 0.75); // the device worked once
}

void TestJournal::markInterrupted()
{
    Store store;
    ok(store.journal->setRunState(store.run, RunState::Running));
    const qint64 running = ok(store.journal->putAttempt(attempt(store.run, {1, 1, 1, 1, 0})));
    const qint64 done = ok(store.journal->putAttempt(attempt(store.run, {1, 1, 1, 2, 0})));
    (void)ok(store.journal->beginEvaluation(running, u"search"_s, u"simulator"_s));
    ok(store.journal->finishEvaluation(done, u"search"_s, measured(1, 0.5)));
    store.reopen();
    ok(store.journal->markInterrupted(store.run));
    const RunRecord run = store.reader()->run(store.run).value();
    QCOMPARE(run.state, RunState::Interrupted);
    QVERIFY(run.activeSeconds < 60);
    QCOMPARE(store.reader()->attempt(running).value().state, Attempt::State::Pending);
    QCOMPARE(store.reader()->attempt(done).value().state, Attempt::State::Done);
    const auto activity = store.reader()->activity(store.run, {}).value();
    QCOMPARE(activity.size(), 2);
    QVERIFY(std::ranges::any_of(activity, [](const ActivityRecord &a) { return a.outcome == u"interrupted"_s; }));
    QCOMPARE(ok(store.journal->beginEvaluation(running, u"search"_s, u"simulator"_s)).claim, Claim::Again);
    // A run that was over stays so.
    ok(store.journal->setRunState(store.run, RunState::Finished));
    ok(store.journal->markInterrupted(store.run));
    QCOMPARE(store.reader()->run(store.run).value().state, RunState::Finished);
    QCOMPARE(kindOf(store.journal->markInterrupted(77)), Error::Kind::NotFound);
}

void TestJournal::iterationsFinishOnce()
{
    Store store;
    const qint64 base = ok(store.journal->putAttempt(attempt(store.run, {})));
    const qint64 child = ok(store.journal->putAttempt(attempt(store.run, {1, 1, 1, 1, 0}, base)));
    const QList<BeamPlace> first{{u"silu"_s, 1, 1, base, u"parent"_s}};
    const QList<BeamPlace> second{{u"silu"_s, 2, 1, child, u"child"_s}, {u"silu"_s, 2, 2, base, u"parent"_s}};
    ok(store.journal->finishIteration(store.run, u"silu"_s, 0, first));
    ok(store.journal->beginIteration(store.run, u"silu"_s, 1));
    ok(store.journal->beginIteration(store.run, u"silu"_s, 1));
    QCOMPARE(store.reader()->finishedIterations(store.run, u"silu"_s).value(), 0);
    ok(store.journal->finishIteration(store.run, u"silu"_s, 1, second));
    ok(store.journal->finishIteration(store.run, u"silu"_s, 1, second));
    QCOMPARE(kindOf(store.journal->finishIteration(store.run, u"silu"_s, 1, first)), Error::Kind::Conflict);
    QCOMPARE(store.reader()->finishedIterations(store.run, u"silu"_s).value(), 1);
    QCOMPARE(store.reader()->beam(store.run, u"silu"_s, 2).value(), second);
    QCOMPARE(store.reader()->beams(store.run).value(), first + second);
    // A place that points to nothing undoes all of it.
    QVERIFY(!store.journal
            ->finishIteration(
                store.run, u"silu"_s, 2, {{u"silu"_s, 3, 1, child, u"child"_s}, {u"silu"_s, 3, 2, 4711, u"child"_s}})
            .result());
    QCOMPARE(store.reader()->finishedIterations(store.run, u"silu"_s).value(), 1);
    QVERIFY(store.reader()->beam(store.run, u"silu"_s, 3).value().isEmpty());
}

static Experience experience(const Store &store, int rank, qint64 slow, qint64 fast)
{
    Experience e;
    e.run = store.run;
    e.problem = u"silu"_s;
    e.iteration = 1;
    e.rank = rank;
    e.speedup = 1.25;
    e.slowAttempt = slow;
    e.fastAttempt = fast;
    e.title = u"T"_s;
    e.summary = u"S"_s;
    e.createdAt = QDateTime(QDate(2026, 11, 30), QTime(7, 0), QTimeZone::UTC);
    return e;
}

void TestJournal::experiencesKeepAPersonsEdits()
{
    Store store;
    const qint64 a = ok(store.journal->putAttempt(attempt(store.run, {})));
    const qint64 b = ok(store.journal->putAttempt(attempt(store.run, {1, 1, 1, 1, 0}, a)));
    const QList<Experience> wanted{experience(store, 0, a, b), experience(store, 1, a, b)};
    const QList<qint64> ids = ok(store.journal->putExperiences(wanted));
    QCOMPARE(ids.size(), 2);
    ok(store.journal->editExperience(ids.first(), Experience::State::Pinned, u"Mine"_s));
    QCOMPARE(ok(store.journal->putExperiences(wanted)), ids);
    const auto stored = store.reader()->experiences(store.run, u"silu"_s).value();
    QCOMPARE(stored.size(), 2);
    QCOMPARE(stored.last().id, ids.first()); // newest first
    QCOMPARE(stored.last().state, Experience::State::Pinned);
    QCOMPARE(stored.last().text(), u"Mine"_s);
    Experience expected = wanted.last();
    expected.id = ids.last();
    QCOMPARE(stored.first(), expected);
    QCOMPARE(kindOf(store.journal->editExperience(999, Experience::State::Deleted, {})), Error::Kind::NotFound);
}

void TestJournal::memoryAndUses()
{
    Store store;
    const qint64 a = ok(store.journal->putAttempt(attempt(store.run, {})));
    const QList<qint64> ids =
        ok(store.journal->putExperiences({experience(store, 0, a, a), experience(store, 1, a, a)}));
    const QList<qint64> reversed{ids.at(1), ids.at(0)};
    ok(store.journal->putMemory(store.run, u"silu"_s, 1, ids));
    ok(store.journal->putMemory(store.run, u"silu"_s, 1, reversed));
    QCOMPARE(store.reader()->memory(store.run, u"silu"_s, 1).value(), reversed);
    QVERIFY(store.reader()->memory(store.run, u"silu"_s, 2).value().isEmpty());
    ok(store.journal->putMemory(store.run, QString(), 1, ids)); // shared by all problems
    QCOMPARE(store.reader()->memory(store.run, QString(), 1).value(), ids);
    ok(store.journal->recordExperienceUses(store.run, u"silu"_s, 2, 1, reversed));
    ok(store.journal->recordExperienceUses(store.run, u"silu"_s, 2, 1, reversed));
    ok(store.journal->recordExperienceUses(store.run, u"silu"_s, 2, 2, {ids.first()}));
    QCOMPARE(store.reader()->experiencesInPrompt(store.run, u"silu"_s, 2, 1).value(), reversed);
    const auto stored = store.reader()->experiences(store.run).value();
    QCOMPARE(stored.last().uses, 2);
    QCOMPARE(stored.first().uses, 1);
}

void TestJournal::unknownRowsAreNamed()
{
    Store store;
    QCOMPARE(kindOf(store.journal->setCommit(5, u"x"_s)), Error::Kind::NotFound);
    QCOMPARE(kindOf(store.journal->finishEvaluation(5, u"search"_s, measured(1, 1))), Error::Kind::NotFound);
    QCOMPARE(kindOf(store.journal->setRunState(5, RunState::Running)), Error::Kind::NotFound);
    CallRecord record;
    record.id = 5;
    record.state = CallRecord::State::Finished;
    QCOMPARE(kindOf(store.journal->finishCall(record)), Error::Kind::NotFound);
    QVERIFY(!store.journal->beginEvaluation(5, u"search"_s, u"h"_s).result());
    QVERIFY(!store.journal->beginCall(5, {}, {}, {}, 0).result());
}

void TestJournal::aFailedWriteLeavesTheOthers()
{
    Store store;
    QList<QFuture<Result<qint64>>> futures;
    for (int i = 1; i <= 200; ++i) {
        Attempt a = attempt(store.run, {1, 1, i, 1, 0});
        if (i % 10 == 0)
            a.problem = u"nobody"_s;
        futures.append(store.journal->putAttempt(a));
    }
    int good = 0;
    for (auto &future : futures)
        good += future.result().has_value();
    QCOMPARE(good, 180);
    QCOMPARE(store.reader()->attemptCounts(store.run).value().total, 180);
}

void TestJournal::manyProducersOneWriter()
{
    // 8 producers, 10,000 events, half of them on the same keys.
    Store store;
    std::vector<std::thread> producers;
    for (int p = 0; p < 8; ++p) {
        producers.emplace_back([&store, p] {
            for (int i = 0; i < 625; ++i) {
                (void)store.journal->log({0, store.run, {}, u"run"_s, {}, 0, u"%1-%2"_s.arg(p).arg(i)});
                (void)store.journal->putAttempt(attempt(store.run, {1, 1, i + 1, 1, 0}));
            }
        });
    }
    for (std::thread &producer : producers)
        producer.join();
    store.journal->flush();
    QCOMPARE(store.reader()->attemptCounts(store.run).value().total, 625);
    const auto events = store.reader()->log(store.run, 10000).value();
    QCOMPARE(events.size(), 5000);
    QHash<QString, int> next; // each producer's own order is kept
    for (const LogEvent &event : events) {
        const QStringList parts = event.text.split(u'-');
        QCOMPARE(parts.at(1).toInt(), next[parts.at(0)]++);
    }
    QCOMPARE(store.reader()->integrityProblems().value(), QStringList());
}

void TestJournal::notifierIsThrottled()
{
    Store store;
    QSignalSpy changed(store.journal->notifier(), SIGNAL(changed()));
    QElapsedTimer timer;
    timer.start();
    int writes = 0;
    while (timer.elapsed() < 500) {
        ok(store.journal->log({0, store.run, {}, u"run"_s, {}, 0, u"x"_s}));
        ++writes;
    }
    const qint64 span = timer.elapsed();
    QTest::qWait(200);
    QVERIFY(changed.count() >= 2);
    QVERIFY2(changed.count() <= int(span / 50) + 3,
        qPrintable(u"%1 signals for %2 writes"_s.arg(changed.count()).arg(writes)));
    changed.clear();
    ok(store.journal->putValue(u"view"_s, {{u"a"_s, 1}}));
    QTRY_COMPARE(changed.count(), 1); // the last change is always heard
}

void TestJournal::everyWriteIsThereAfterClosing()
{
    Store store;
    for (int i = 0; i < 5000; ++i)
        (void)store.journal->log({0, store.run, {}, u"run"_s, {}, 0, QString::number(i)});
    (void)store.journal->putValue(u"k"_s, {{u"v"_s, 1}});
    store.journal.reset(); // without waiting for a single one
    QCOMPARE(store.reader()->log(store.run, 10000).value().size(), 5000);
    QCOMPARE(store.reader()->value(u"k"_s).value(), (QJsonObject{{u"v"_s, 1}}));
    QVERIFY(store.reader()->value(u"none"_s).value().isEmpty());
}

QTEST_GUILESS_MAIN(TestJournal)
#include "tst_journal.moc"
