// SPDX-License-Identifier: GPL-3.0-or-later
//
// The engine's small parts: queues, state machine, who owns a program, seeds, judgement.
#include "search/evaluations.h"
#include "search/notes.h"
#include "search/programs.h"
#include "search/random.h"
#include "search/runcontrol.h"
#include "search/slotqueue.h"

#include <QElapsedTimer>
#include <QSet>
#include <QTest>
#include <QTimer>
#include <cmath>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

namespace {

Attempt attempt(qint64 id, int plan, int round, const QString &sha)
{
    Attempt a;
    a.id = id;
    a.key = {1, 1, plan, 1, round};
    a.sha256 = sha;
    return a;
}

Evaluation measured(double ms)
{
    Evaluation e;
    e.status = Evaluation::Status::Measured;
    e.latency.medianMs = ms;
    return e;
}

struct Holder {
    SlotQueue &queue;
    QStringList &log;
    QCoro::Task<void> take(int problem, int priority, int plan, QString name)
    {
        const SlotQueue::Order order{priority, {1, 1, plan, 0, 0}};
        const bool granted = co_await queue.acquire(problem, order);
        log << (granted ? name : u"-"_s + name);
    }
};

} // namespace

class TestSearchParts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void slotsAreFairAndOrdered()
    {
        Resumer resumer;
        SlotQueue queue(resumer, 1);
        QStringList log;
        Holder holder{queue, log};
        holder.take(0, 0, 1, u"first"_s); // takes the only place
        holder.take(0, 3, 1, u"p0 planner"_s);
        holder.take(0, 2, 7, u"p0 executor 7"_s);
        holder.take(0, 2, 2, u"p0 executor 2"_s);
        holder.take(1, 3, 1, u"p1 planner 1"_s);
        holder.take(1, 3, 2, u"p1 planner 2"_s);
        QTRY_COMPARE(log.size(), 1);
        QCOMPARE(queue.waiting(), 5);
        const auto next = [&](int problem) {
            queue.release(problem);
            QCoreApplication::processEvents();
            return log.last();
        };
        QCOMPARE(next(0), u"p1 planner 1"_s); // the other problem's turn
        QCOMPARE(next(1), u"p0 executor 2"_s); // later stages first, then the key
        QCOMPARE(next(0), u"p1 planner 2"_s);
        QCOMPARE(next(1), u"p0 executor 7"_s);
        QCOMPARE(next(0), u"p0 planner"_s);
        queue.release(0);
        QCOMPARE(queue.inUse(), 0);
    }

    void slotsAdaptAndClose()
    {
        Resumer resumer;
        SlotQueue queue(resumer, 8);
        queue.reportFailure();
        QCOMPARE(queue.limit(), 4);
        for (int i = 0; i < 10; ++i)
            queue.reportFailure();
        QCOMPARE(queue.limit(), 1);
        for (int i = 0; i < 1000; ++i)
            queue.reportSuccess();
        QCOMPARE(queue.limit(), 8);
        QStringList log;
        Holder holder{queue, log};
        for (int i = 0; i < 10; ++i)
            holder.take(0, 0, i, QString::number(i));
        QTRY_COMPARE(log.size(), 8);
        queue.close();
        QTRY_COMPARE(log.size(), 10);
        QCOMPARE(log.last(), u"-9"_s);
        holder.take(0, 0, 11, u"late"_s);
        QTRY_COMPARE(log.last(), u"-late"_s);
    }

    void states()
    {
        Resumer resumer;
        RunControl control(resumer);
        QList<RunState> told;
        control.onState = [&](RunState state, const QString &) { told << state; };
        QStringList log;
        const auto ask = [](RunControl &c, QStringList &l, RunControl::Work work, QString name) -> QCoro::Task<void> {
            const bool admitted = co_await c.admit(work);
            l << (admitted ? name : u"-"_s + name);
        };
        ask(control, log, RunControl::Work::Plan, u"a"_s);
        QCOMPARE(log, QStringList{u"a"_s});
        control.pause(u"no space"_s);
        QCOMPARE(control.reason(), u"no space"_s);
        ask(control, log, RunControl::Work::Plan, u"b"_s);
        ask(control, log, RunControl::Work::Begun, u"c"_s);
        QTest::qWait(20);
        QCOMPARE(log.size(), 1);
        control.drain();
        QTRY_COMPARE(log, (QStringList{u"a"_s, u"-b"_s, u"c"_s})); // what has begun goes on
        control.resume(); // a draining run does not go on
        QCOMPARE(control.state(), RunState::Draining);
        QCOMPARE(control.finalState(false), RunState::Stopped);
        QCOMPARE(control.finalState(true), RunState::Finished);
        control.reachBudget(u"spent"_s);
        QCOMPARE(control.finalState(false), RunState::BudgetReached);
        control.stop();
        ask(control, log, RunControl::Work::Begun, u"d"_s);
        QTRY_COMPARE(log.last(), u"-d"_s);
        QVERIFY(control.token().stop_requested());
        QCOMPARE(control.finalState(false), RunState::Stopped);
        control.fail({Error::Kind::Io, u"broken"_s, {}});
        QCOMPARE(control.finalState(true), RunState::Failed);
        QCOMPARE(told, (QList{RunState::Paused, RunState::Draining, RunState::Draining}));
    }

    void sleepEndsAtAStop()
    {
        Resumer resumer;
        RunControl control(resumer);
        QElapsedTimer clock;
        clock.start();
        std::optional<bool> result;
        const auto sleeper = [](RunControl &c, std::optional<bool> &r) -> QCoro::Task<void> {
            r = co_await c.sleep(60s);
        };
        sleeper(control, result);
        QTimer::singleShot(20, &resumer, [&] { control.stop(); });
        QTRY_VERIFY(result.has_value());
        QVERIFY(!*result);
        QVERIFY(clock.elapsed() < 2000);
    }

    // Whatever the order of arrival, the most senior attempt owns the program, with a measurement of its own text.
    void ownershipIsIndependentOfArrival()
    {
        Resumer resumer;
        const QList<Attempt> attempts{
            attempt(1, 1, 0, u"x"_s), attempt(2, 2, 0, u"y"_s), attempt(3, 3, 0, u"x"_s), attempt(4, 1, 1, u"z"_s)};
        QList<int> order{0, 1, 2, 3};
        do {
            IterationPrograms programs(resumer);
            QHash<qint64, qint64> recorded;
            QHash<qint64, QString> text; // of the measurement an attempt's row has
            for (const int i : std::as_const(order)) {
                const Attempt &a = attempts[i];
                const auto place = programs.enter(u"p"_s, a);
                if (place.isMine) {
                    Evaluation e = measured(1);
                    e.sha256 = a.sha256;
                    place.measurement->evaluation = e;
                }
                QVERIFY(place.measurement->evaluation);
                recorded.insert(a.id, place.isMine ? 0 : place.measurement->attempt);
                text.insert(a.id, place.measurement->evaluation->sha256);
            }
            for (const auto &change : programs.settle(recorded)) {
                recorded.insert(change.attempt, change.duplicateOf);
                text.insert(change.attempt, change.evaluation.sha256);
            }
            QCOMPARE(recorded, (QHash<qint64, qint64>{{1, 0}, {2, 1}, {3, 1}, {4, 1}}));
            for (const qint64 id : {1, 2, 3, 4})
                QCOMPARE(text.value(id), u"x"_s);
            QVERIFY(programs.isMostSenior(u"p"_s, attempts[0].key));
            QVERIFY(!programs.isMostSenior(u"p"_s, attempts[3].key));
            QVERIFY(!programs.isMostSenior(u"p"_s, attempts[1].key));
        } while (std::ranges::next_permutation(order).found);
    }

    // Rows from before a kill, in the middle of arriving and in the middle of settling.
    void ownershipSurvivesARestart()
    {
        Resumer resumer;
        Attempt a = attempt(1, 1, 0, u"x"_s), b = attempt(2, 2, 0, u"y"_s), c = attempt(3, 3, 0, u"y"_s);
        for (Attempt *row : {&a, &b, &c}) {
            row->state = Attempt::State::Done;
            row->evaluation = measured(1);
            row->evaluation.sha256 = row->sha256;
        }
        c.duplicateOf = 2; // 2 came first, then 3; 1 is still on its way
        IterationPrograms programs(resumer);
        programs.restore(u"p"_s, b);
        programs.restore(u"p"_s, c);
        const auto place = programs.enter(u"p"_s, a);
        QVERIFY(place.isMine);
        place.measurement->evaluation = a.evaluation;
        auto changes = programs.settle({{1, 0}, {2, 0}, {3, 2}});
        QCOMPARE(changes.size(), 2);
        for (const auto &change : std::as_const(changes)) {
            QCOMPARE(change.duplicateOf, 1);
            QCOMPARE(change.evaluation.sha256, u"x"_s);
        }
        // Killed after the first of the two changes was written.
        b.duplicateOf = 1;
        b.evaluation = a.evaluation;
        IterationPrograms again(resumer);
        again.restore(u"p"_s, a);
        again.restore(u"p"_s, b);
        again.restore(u"p"_s, c);
        changes = again.settle({{1, 0}, {2, 1}, {3, 2}});
        QCOMPARE(changes.size(), 1);
        QCOMPARE(changes.first().attempt, 3);
        QCOMPARE(changes.first().duplicateOf, 1);
    }

    void seeds()
    {
        QSet<quint64> seen;
        int count = 0;
        for (const Role role : allRoles) {
            for (int i = 0; i < 10; ++i) {
                for (int plan = 0; plan < 10; ++plan, ++count)
                    seen.insert(naturalSeed(42, {u"silu"_s, i, 1, plan, 0, 0, role}));
            }
        }
        QCOMPARE(seen.size(), count);
        const CallKey key{u"silu"_s, 1, 2, 3, 4, 5, Role::Executor};
        QCOMPARE(naturalSeed(42, key), naturalSeed(42, key));
        QVERIFY(naturalSeed(42, key) != naturalSeed(43, key));
        QVERIFY(naturalSeed(42, key) < (1ULL << 53));
        QVERIFY(Random(1).next() != Random(2).next());
        QCOMPARE(Random(0).next(), 0xe220a8397b1dcdafULL); // SplitMix64's published first number for 0
    }

    void judgement()
    {
        const Roofline roof{1.0, Bound::Memory};
        auto good = judged(measured(2.0), roof, u"s"_s);
        QVERIFY(good);
        QCOMPARE(good->fractionOfPeak, 0.5);
        QVERIFY(!good->quarantined);
        QCOMPARE(good->sha256, u"s"_s);
        QVERIFY(!judged(measured(1.0), roof, u"s"_s)->quarantined);
        QVERIFY(!judged(measured(0.997), roof, u"s"_s)->quarantined); // noise
        QVERIFY(judged(measured(0.9), roof, u"s"_s)->quarantined);
        for (const double none : {0.0, -1.0, double(NAN), double(INFINITY)}) {
            const auto bad = judged(measured(none), roof, u"s"_s);
            QVERIFY(bad);
            QCOMPARE(bad->status, Evaluation::Status::Failed);
            QCOMPARE(bad->error.kind, ErrorKind::NonFinite);
            QCOMPARE(bad->latency.medianMs, 0.0);
        }
        Evaluation other = measured(2);
        other.sha256 = u"t"_s;
        QVERIFY(!judged(other, roof, u"s"_s)); // another kernel was measured
        for (const ErrorKind kind : {ErrorKind::Infrastructure, ErrorKind::Host}) {
            Evaluation ours;
            ours.error.kind = kind;
            QVERIFY(!judged(ours, roof, u"s"_s)); // no verdict
        }
        Evaluation failed;
        failed.error.kind = ErrorKind::Hang;
        QVERIFY(judged(failed, roof, u"s"_s));
        QVERIFY(!judged(Evaluation(), roof, u"s"_s)); // failed, without saying how
    }
};

QTEST_GUILESS_MAIN(TestSearchParts)
#include "tst_searchparts.moc"
