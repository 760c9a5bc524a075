// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/evaluations.h"

#include <QTimer>
#include <algorithm>
#include <cmath>

using namespace Qt::Literals::StringLiterals;

namespace accelopt {

Result<Evaluation> judged(Evaluation evaluation, const Roofline &roofline, const QString &sha256)
{
    if (evaluation.error.kind == ErrorKind::Infrastructure || evaluation.error.kind == ErrorKind::Host)
        return fail(Error::Kind::Io,
            evaluation.error.message.isEmpty() ? u"The host reached no verdict."_s : evaluation.error.message);
    if (!evaluation.sha256.isEmpty() && evaluation.sha256 != sha256)
        return fail(Error::Kind::Internal,
            u"The host evaluated another kernel than the one that was sent; its result was not used."_s,
            evaluation.sha256 + u" != "_s + sha256);
    evaluation.sha256 = sha256;
    if (evaluation.status == Evaluation::Status::Failed) {
        if (!evaluation.error)
            return fail(Error::Kind::Io, u"The host reported a failure without saying which."_s);
        return evaluation;
    }
    const double median = evaluation.latency.medianMs;
    if (!std::isfinite(median) || median <= 0) {
        evaluation.status = Evaluation::Status::Failed;
        evaluation.error = {
            ErrorKind::NonFinite, {}, u"The measured latency is not a positive number."_s, 0, u"timing"_s};
        evaluation.latency = {};
        return evaluation;
    }
    evaluation.fractionOfPeak = roofline.fractionOfPeak(median);
    evaluation.quarantined = evaluation.fractionOfPeak > quarantineAbove;
    return evaluation;
}

QCoro::Task<Result<void>> Evaluations::open()
{
    QStringList names = m_context.settings().hosts;
    names.removeDuplicates();
    // Estimates are never results beside real hosts.
    if (names.size() > 1)
        names.removeAll(u"simulator"_s);
    for (const QString &name : std::as_const(names)) {
        auto evaluator = m_context.parts.evaluator ? m_context.parts.evaluator(name) : createEvaluator(name);
        if (!evaluator)
            co_return std::unexpected(evaluator.error());
        auto host = std::make_unique<Host>();
        host->evaluator = std::move(*evaluator);
        host->evaluator->setProgressHandler([this](const EvaluationProgress &progress) { onProgress(progress); });
        const Result<void> started = co_await host->evaluator->start(m_context.control.token());
        if (!started)
            co_return std::unexpected(started.error());
        m_places += qMax(1, host->evaluator->concurrency());
        m_hosts.push_back(std::move(host));
    }
    if (m_hosts.empty())
        co_return fail(Error::Kind::Invalid, u"The run has no host to evaluate on."_s);
    m_queue = std::make_unique<SlotQueue>(m_context.resumer, m_places);
    co_return Result<void>();
}

QJsonObject Evaluations::facts() const
{
    QJsonObject facts;
    for (const auto &host : m_hosts)
        facts.insert(host->evaluator->name(), host->evaluator->facts());
    return facts;
}

void Evaluations::close()
{
    if (m_queue)
        m_queue->close();
}

void Evaluations::onProgress(const EvaluationProgress &progress)
{
    const auto it = m_running.constFind(progress.job);
    if (it == m_running.cend())
        return;
    RunEvent event;
    event.kind = RunEvent::Kind::EvaluationStage;
    event.problem = it->problem;
    event.key = it->key;
    event.attempt = it->attempt;
    event.lane = progress.core;
    event.stage = progress.stage;
    m_context.emitEvent(event);
}

Evaluations::Host &Evaluations::freest()
{
    const auto free = [](const std::unique_ptr<Host> &host) { return host->evaluator->concurrency() - host->inUse; };
    return **std::ranges::max_element(m_hosts, {}, free);
}

QCoro::Task<Result<QString>> Evaluations::programHash(QByteArray kernel)
{
    auto *hasher = dynamic_cast<ProgramHasher *>(m_hosts.front()->evaluator.get());
    if (!hasher)
        co_return QString();
    for (int tryNumber = 1;; ++tryNumber) {
        Result<QString> hash = co_await hasher->programHash(kernel, m_context.control.token());
        if (hash)
            co_return hash;
        if (m_context.control.isStopping())
            co_return cutOff();
        if (tryNumber % m_context.parts.tries == 0) {
            m_context.control.pause(hash.error().message);
            const bool admitted = co_await m_context.control.admit(RunControl::Work::Begun);
            if (!admitted || m_context.control.isDraining())
                co_return cutOff();
        } else {
            const bool goOn = co_await m_context.control.sleep(m_context.parts.retryDelay);
            if (!goOn)
                co_return cutOff();
        }
    }
}

QCoro::Task<Result<Evaluation>> Evaluations::evaluate(
    EvaluationSubject subject, QByteArray kernel, std::optional<SkipWindow> skip)
{
    const SlotQueue::Order order{0, subject.key};
    const bool granted = co_await m_queue->acquire(subject.ref.index, order);
    if (!granted)
        co_return cutOff();
    Result<Evaluation> evaluation = co_await run(subject, kernel, skip);
    m_queue->release(subject.ref.index);
    co_return evaluation;
}

// One job under a watchdog: a host that swallows a job does not hold the run for ever.
QCoro::Task<Result<Evaluation>> Evaluations::once(Host &host, EvaluationJob job)
{
    CancelSource own;
    const std::stop_callback link(m_context.control.token(), [&own] { own.request_stop(); });
    QTimer watchdog;
    watchdog.setSingleShot(true);
    bool lost = false;
    QObject::connect(&watchdog, &QTimer::timeout, &watchdog, [&own, &lost] {
        lost = true;
        own.request_stop();
    });
    watchdog.start(m_context.parts.evaluationWatchdog);
    ++host.inUse;
    Result<Evaluation> evaluation = co_await host.evaluator->evaluate(job, own.get_token());
    --host.inUse;
    if (!evaluation && lost && !m_context.control.isStopping())
        co_return fail(Error::Kind::Io, u"%1 gave no answer in time."_s.arg(host.evaluator->name()));
    co_return evaluation;
}

QCoro::Task<Result<Evaluation>> Evaluations::run(
    EvaluationSubject subject, QByteArray kernel, std::optional<SkipWindow> skip)
{
    for (int tryNumber = 1;; ++tryNumber) {
        const bool admitted = co_await m_context.control.admit(RunControl::Work::Begun);
        if (!admitted)
            co_return cutOff();
        if (const auto limit = m_context.budget->exhausted(); limit == BudgetKind::Device) {
            m_context.control.reachBudget(u"The budget for device time is spent."_s);
            co_return cutOff();
        }
        Host &host = freest();
        const auto claim = co_await m_context.recorder.write<Journal::EvaluationClaim>([&](Journal &journal) {
            return journal.beginEvaluation(subject.attempt, subject.purpose, host.evaluator->name());
        });
        if (!claim)
            co_return std::unexpected(claim.error());
        if (claim->claim == Claim::Finished)
            co_return claim->evaluation;

        EvaluationJob job;
        job.id = u"r%1-%2-%3-%4"_s.arg(m_context.run.id).arg(subject.ref.name, subject.key.ascii()).arg(++m_jobs);
        job.problem = *subject.problem;
        job.kernel = kernel;
        job.target = m_context.settings().target;
        job.seeds = m_context.settings().seeds;
        job.hiddenSeeds = m_context.settings().hiddenSeeds;
        job.skip = skip;
        job.purpose = subject.purpose;
        m_running.insert(job.id, {subject.ref.name, subject.key, subject.attempt});
        Result<Evaluation> said = co_await once(host, job);
        m_running.remove(job.id);
        if (!said && m_context.control.isStopping())
            co_return cutOff();
        Result<Evaluation> evaluation =
            said ? judged(std::move(*said), subject.roofline, subject.sha256) : std::move(said);
        if (evaluation) {
            const auto kept = co_await m_context.recorder.write<void>([&](Journal &journal) {
                return journal.finishEvaluation(subject.attempt, subject.purpose, *evaluation);
            });
            if (!kept)
                co_return std::unexpected(kept.error());
            Spend spent;
            for (const QJsonValueConstRef seconds : std::as_const(evaluation->stageSeconds))
                spent.deviceSeconds += seconds.toDouble();
            m_context.budget->finish(m_context.budget->start({}), spent);
            m_context.checkBudget();
            co_return evaluation;
        }

        m_context.note(RunEvent::Kind::Warning, u"host"_s, subject.ref.name, subject.attempt,
            u"%1: %2"_s.arg(host.evaluator->name(), evaluation.error().message));
        if (tryNumber % m_context.parts.tries == 0) {
            if (m_context.control.isDraining())
                co_return cutOff(); // evaluated when the run is resumed
            m_context.control.pause(
                u"%1 cannot evaluate: %2"_s.arg(host.evaluator->name(), evaluation.error().message));
        } else {
            const bool goOn = co_await m_context.control.sleep(
                m_context.parts.retryDelay * (1 << ((tryNumber - 1) % m_context.parts.tries)));
            if (!goOn)
                co_return cutOff();
        }
    }
}

} // namespace accelopt
