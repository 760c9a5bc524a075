// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/budget.h"
#include "domain/ledger.h"

#include <QRandomGenerator>
#include <QTest>

using namespace accelopt;
using namespace Qt::Literals::StringLiterals;
using Verdict = BudgetGuard::Verdict;

class TestBudget : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noLimits()
    {
        const BudgetGuard guard({});
        QCOMPARE(guard.mayStart({1e9, 1e12, 1e9, 1e9}).verdict, Verdict::Start);
        QCOMPARE(guard.mayStart({std::nullopt, 1, 1, 1}).verdict,
            Verdict::Start); // an unknown price matters only to dollars
        QVERIFY(!guard.exhausted());
    }

    void unknownPrice()
    {
        const BudgetGuard guard({10, 0, 0, 0});
        const auto answer = guard.mayStart({std::nullopt, 1, 0, 0});
        QCOMPARE(answer.verdict, Verdict::Stop);
        QCOMPARE(answer.kind, std::optional(BudgetKind::Usd));
        QVERIFY(answer.reason.contains(u"price"_s));
    }

    void startWaitStop()
    {
        BudgetGuard guard({10, 0, 0, 0});
        const Spend four{4, 0, 0, 0};
        const qint64 a = guard.start(four), b = guard.start(four);
        QCOMPARE(guard.callsInFlight(), 2);
        QCOMPARE(guard.inFlight().usd, std::optional(8.0));
        QCOMPARE(guard.mayStart({2, 0, 0, 0}).verdict, Verdict::Start); // exactly on the limit
        const auto waits = guard.mayStart(four);
        QCOMPARE(waits.verdict, Verdict::Wait);
        QVERIFY(waits.reason.contains(u"$10"_s));
        QCOMPARE(guard.mayStart({11, 0, 0, 0}).verdict, Verdict::Stop); // would not fit even alone
        guard.finish(a, {1, 0, 0, 0});
        QCOMPARE(guard.mayStart(four).verdict, Verdict::Start); // 1 + 4 + 4
        guard.finish(b, {7, 0, 0, 0}); // more than its maximum: counted as it was
        QCOMPARE(guard.spent().usd, std::optional(8.0));
        const auto stops = guard.mayStart(four);
        QCOMPARE(stops.verdict, Verdict::Stop);
        QVERIFY2(stops.reason.contains(u"$2.00"_s), qPrintable(stops.reason));
        guard.finish(b, {7, 0, 0, 0}); // told twice: counted once
        guard.finish(999, {7, 0, 0, 0});
        QCOMPARE(guard.spent().usd, std::optional(8.0));
        guard.finish(guard.start({2, 0, 0, 0}), {2, 0, 0, 0});
        QCOMPARE(guard.exhausted(), std::optional(BudgetKind::Usd));
        QCOMPARE(guard.mayStart({0, 0, 0, 0}).verdict, Verdict::Stop); // even what is free: the run drains
    }

    void everyKind_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("word");
        QTest::newRow("usd") << int(BudgetKind::Usd) << u"$"_s;
        QTest::newRow("tokens") << int(BudgetKind::Tokens) << u"tokens"_s;
        QTest::newRow("device") << int(BudgetKind::Device) << u"device time"_s;
    }

    void everyKind()
    {
        QFETCH(int, kind);
        QFETCH(QString, word);
        const auto only = [&](double value) {
            return Spend{kind == int(BudgetKind::Usd) ? value : 0, kind == int(BudgetKind::Tokens) ? value : 0, 0,
                kind == int(BudgetKind::Device) ? value : 0};
        };
        const Spend limit = only(100);
        BudgetGuard guard({*limit.usd, limit.tokens, limit.wallSeconds, limit.deviceSeconds});
        guard.finish(guard.start(only(90)), only(80));
        QCOMPARE(guard.mayStart(only(20)).verdict, Verdict::Start);
        const auto answer = guard.mayStart(only(21));
        QCOMPARE(answer.verdict, Verdict::Stop);
        QCOMPARE(answer.kind, std::optional(BudgetKind(kind)));
        QVERIFY2(answer.reason.contains(word) && answer.reason.endsWith(u'.'), qPrintable(answer.reason));
        QCOMPARE(guard.takeWarnings(), (QList<BudgetGuard::Warning>{{BudgetKind(kind), 80}}));
    }

    void wallTime()
    {
        BudgetGuard guard({0, 0, 60, 0});
        QCOMPARE(guard.mayStart({0, 0, 1000, 0}).verdict,
            Verdict::Start); // a call's own length is not known: until the time is up
        guard.setWallSeconds(59);
        guard.setWallSeconds(30); // never back
        QCOMPARE(guard.spent().wallSeconds, 59.0);
        QCOMPARE(guard.mayStart({}).verdict, Verdict::Start);
        guard.setWallSeconds(60);
        QCOMPARE(guard.mayStart({}).verdict, Verdict::Stop);
        QCOMPARE(guard.exhausted(), std::optional(BudgetKind::Wall));
    }

    void warnings()
    {
        BudgetGuard guard({100, 1000, 0, 0});
        const auto spend = [&](double usd, double tokens) {
            guard.finish(guard.start({usd, tokens, 0, 0}), {usd, tokens, 0, 0});
        };
        spend(49.999, 10);
        QVERIFY(guard.takeWarnings().isEmpty());
        spend(0.001, 0);
        QCOMPARE(guard.takeWarnings(), (QList<BudgetGuard::Warning>{{BudgetKind::Usd, 50}})); // on the boundary
        QVERIFY(guard.takeWarnings().isEmpty());
        guard.start({45, 900, 0, 0}); // in flight warns of nothing yet
        QVERIFY(guard.takeWarnings().isEmpty());
        spend(45, 800);
        QCOMPARE(guard.takeWarnings(),
            (QList<BudgetGuard::Warning>{
                {BudgetKind::Usd, 95}, {BudgetKind::Tokens, 80}})); // 80 % of dollars was jumped over
    }

    void resume()
    {
        BudgetGuard guard({100, 0, 0, 0}, {85, 0, 0, 0});
        QVERIFY(guard.takeWarnings().isEmpty()); // told before the run was stopped
        QCOMPARE(guard.mayStart({16, 0, 0, 0}).verdict, Verdict::Stop);
        QCOMPARE(guard.mayStart({15, 0, 0, 0}).verdict, Verdict::Start);
        guard.finish(guard.start({15, 0, 0, 0}), {11, 0, 0, 0});
        QCOMPARE(guard.takeWarnings(), (QList<BudgetGuard::Warning>{{BudgetKind::Usd, 95}}));
    }

    void interrupted()
    {
        BudgetGuard guard({10, 0, 0, 0});
        const qint64 ticket = guard.start({6, 100, 0, 0});
        guard.interrupt(ticket);
        guard.interrupt(ticket);
        QCOMPARE(guard.spent().usd, std::optional(6.0)); // it may be billed
        QCOMPARE(guard.callsInFlight(), 0);
        QCOMPARE(guard.mayStart({5, 0, 0, 0}).verdict, Verdict::Stop);
    }

    /// Whatever the order, calls that keep to their maximum never pass the limit.
    void neverPassed()
    {
        QRandomGenerator random(4711);
        for (int round = 0; round < 200; ++round) {
            BudgetGuard guard({50, 5000, 0, 0});
            QList<std::pair<qint64, Spend>> flying;
            for (int i = 0; i < 300; ++i) {
                const Spend most{random.bounded(5.0), random.bounded(400.0), 0, 0};
                if (random.bounded(2) == 0 && guard.mayStart(most).verdict == Verdict::Start)
                    flying.append({guard.start(most), most});
                else if (!flying.isEmpty()) {
                    const auto [ticket, limit] = flying.takeAt(random.bounded(int(flying.size())));
                    if (random.bounded(8) == 0)
                        guard.interrupt(ticket);
                    else
                        guard.finish(ticket, {*limit.usd * random.bounded(1.0), limit.tokens, 0, 0});
                }
                QVERIFY(*guard.spent().usd + *guard.inFlight().usd <= 50 + 1e-9);
                QVERIFY(guard.spent().tokens + guard.inFlight().tokens <= 5000 + 1e-6);
            }
        }
    }

    void names()
    {
        QCOMPARE(budgetKindName(BudgetKind::Usd), u"usd"_s);
        QCOMPARE(budgetKindName(BudgetKind::Tokens), u"tokens"_s);
        QCOMPARE(budgetKindName(BudgetKind::Wall), u"wall"_s);
        QCOMPARE(budgetKindName(BudgetKind::Device), u"device"_s);
    }

    /// The bundled prices: every row has figures, a source and a date; the figures are the paper's.
    void prices()
    {
        const auto table = PriceTable::bundled();
        QVERIFY2(table, table ? "" : qPrintable(table.error().message));
        const QJsonObject rows = table->toJson();
        QVERIFY(rows.size() >= 6);
        for (auto it = rows.begin(); it != rows.end(); ++it) {
            const auto price = table->find({u"openai"_s, it.key(), {}});
            QVERIFY2(price && price->input > 0 && price->cachedInput > 0 && price->cachedInput <= price->input
                    && price->output > price->input,
                qPrintable(it.key()));
            QVERIFY(!price->source.isEmpty());
            QVERIFY(QDate::fromString(price->date, Qt::ISODate).isValid());
        }
        const Usage usage{1'000'000, 0, 1'000'000, 0, {}};
        QCOMPARE(table->cost({u"openai"_s, u"gpt-oss-120b"_s, {}}, usage), std::optional(0.75));
        QCOMPARE(table->cost({u"anthropic"_s, u"claude-sonnet-4"_s, {}}, usage), std::optional(18.0));
        QCOMPARE(table->cost({u"openai"_s, u"somebody-elses-model"_s, {}}, usage), std::optional<double>());
    }
};

QTEST_GUILESS_MAIN(TestBudget)
#include "tst_budget.moc"
