// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/runnerevaluator.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QStringDecoder>
#include <cmath>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

Evaluation failed(
    ErrorKind kind, const QString &message, const QString &stage, const EvaluationJob &job, const QString &sha256)
{
    Evaluation evaluation;
    evaluation.status = Evaluation::Status::Failed;
    evaluation.error.kind = kind;
    evaluation.error.message = message;
    evaluation.error.stage = stage;
    evaluation.environment.target = job.target;
    evaluation.sha256 = sha256;
    return evaluation;
}

std::optional<QString> utf8(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
    const QString text = decoder.decode(bytes);
    return decoder.hasError() ? std::nullopt : std::optional(text);
}

} // namespace

Evaluation evaluationFromRunner(const QJsonObject &result, const EvaluationJob &job, const QString &sha256)
{
    const auto broken = [&](const QString &what) {
        return failed(
            ErrorKind::Infrastructure, u"The runner's result cannot be used: %1."_s.arg(what), {}, job, sha256);
    };
    auto parsed = Evaluation::fromJson(result);
    if (!parsed)
        return broken(parsed.error().message.chopped(parsed.error().message.endsWith(u'.') ? 1 : 0));
    Evaluation evaluation = std::move(*parsed);
    if (evaluation.sha256 != sha256)
        return broken(u"it is about another kernel"_s);
    if (evaluation.environment.target != job.target)
        return broken(u"it is about another target"_s);
    const bool estimateOnly = job.purpose == u"check-only"_s;
    if (evaluation.status == Evaluation::Status::Failed) {
        if (!evaluation.error)
            return broken(u"it failed without a reason"_s);
    } else {
        evaluation.error = {};
        const bool hasLatency = std::isfinite(evaluation.latency.medianMs) && evaluation.latency.medianMs > 0;
        if (!hasLatency && !(estimateOnly && evaluation.status == Evaluation::Status::Skipped))
            return broken(u"it has no latency"_s);
        if (evaluation.status == Evaluation::Status::Measured
            && !(evaluation.relativeError >= 0 && evaluation.relativeError < job.problem.tolerance))
            return broken(u"its relative error is not within the tolerance"_s);
        if (evaluation.status == Evaluation::Status::Skipped && job.purpose != u"search"_s
            && job.purpose != u"estimate-only"_s && !estimateOnly)
            return broken(u"it skipped what was asked for"_s);
    }
    evaluation.error.message.truncate(2000);
    evaluation.error.id.truncate(100);
    evaluation.core.truncate(100);
    evaluation.quarantined = false; // the engine's to say
    evaluation.fractionOfPeak = 0;
    return evaluation;
}

RunnerEvaluator::RunnerEvaluator(
    QString name, RunnerClient::Command command, RunnerClient::Times times, int concurrency)
    : m_name(std::move(name))
    , m_concurrency(concurrency)
    , m_client(std::make_unique<RunnerClient>(std::move(command), std::move(times)))
{
    QObject::connect(m_client.get(), &RunnerClient::jobEvent, m_client.get(), [this](const QJsonObject &event) {
        if (!m_progress || event.value("event"_L1).toString() != u"started"_s)
            return;
        if (const auto job = m_jobs.constFind(event.value("job"_L1).toString()); job != m_jobs.cend())
            m_progress(
                {*job, event.value("stage"_L1).toString().left(40), event.value("core"_L1).toString().left(100)});
    });
}

RunnerEvaluator::~RunnerEvaluator() = default;

QCoro::Task<Result<void>> RunnerEvaluator::start(CancelToken token)
{
    return m_client->start(std::move(token));
}

QString RunnerEvaluator::newId(const QString &wanted)
{
    return u"%1#%2"_s.arg(wanted.left(100)).arg(++m_count);
}

QCoro::Task<Result<Evaluation>> RunnerEvaluator::evaluate(EvaluationJob job, CancelToken token)
{
    const QString sha256 =
        QString::fromLatin1(QCryptographicHash::hash(job.kernel, QCryptographicHash::Sha256).toHex());
    const auto kernel = utf8(job.kernel);
    if (!kernel || job.kernel.size() > (1 << 20))
        co_return failed(kernel ? ErrorKind::Guard : ErrorKind::Syntax,
            kernel ? u"The kernel is larger than 1 MiB."_s : u"The kernel is not UTF-8 text."_s, u"guard"_s, job,
            sha256);
    const auto reference = utf8(job.problem.referenceSource);
    if (!reference)
        co_return fail(Error::Kind::Invalid, u"The reference of %1 is not UTF-8 text."_s.arg(job.problem.name));

    QJsonObject message{{u"request"_s, u"evaluate"_s}, {u"kernel"_s, *kernel}, {u"sha256"_s, sha256},
        {u"target"_s, job.target}, {u"seeds"_s, job.seeds}, {u"hidden_seeds"_s, job.hiddenSeeds},
        {u"purpose"_s, job.purpose}, {u"deadlines"_s, job.deadlines},
        {u"problem"_s,
            QJsonObject{{u"name"_s, job.problem.name}, {u"json"_s, job.problem.json}, {u"reference"_s, *reference},
                {u"entry"_s, job.problem.entry}, {u"dtype"_s, job.problem.dtype},
                {u"tolerance"_s, job.problem.tolerance}}}};
    if (job.skip)
        message.insert("skip"_L1, QJsonObject{{u"from_ms"_s, job.skip->fromMs}, {u"to_ms"_s, job.skip->toMs}});

    // What is not the kernel's fault is tried once more, on a fresh runner where the old one is gone.
    for (int attempt = 0;; ++attempt) {
        const bool again = attempt == 0;
        if (const auto started = co_await m_client->start(token); !started)
            co_return std::unexpected(started.error());
        const QString id = newId(job.id);
        message.insert("id"_L1, id);
        m_jobs.insert(id, job.id);
        const RunnerReply reply = co_await m_client->request(message, token, job.deadlines);
        m_jobs.remove(id);
        switch (reply.how) {
        case RunnerReply::How::Answered: {
            Evaluation evaluation = evaluationFromRunner(reply.result, job, sha256);
            if (evaluation.error.kind == ErrorKind::Infrastructure && again && !token.stop_requested())
                continue;
            co_return evaluation;
        }
        case RunnerReply::How::Cancelled:
            co_return fail(Error::Kind::Cancelled, u"The evaluation was cancelled."_s);
        case RunnerReply::How::Refused:
            co_return fail(Error::Kind::Invalid, reply.message);
        case RunnerReply::How::Overdue:
            co_return failed(ErrorKind::Hang,
                u"The stage %1 ran over its deadline and the runner had to be restarted."_s.arg(reply.message),
                reply.message, job, sha256);
        case RunnerReply::How::Lost:
            if (token.stop_requested())
                co_return fail(Error::Kind::Cancelled, u"The evaluation was cancelled."_s);
            if (!again)
                co_return failed(ErrorKind::Infrastructure, reply.message, {}, job, sha256);
            continue;
        }
    }
}

QCoro::Task<Result<QString>> RunnerEvaluator::programHash(QByteArray kernel, CancelToken token)
{
    const auto source = utf8(kernel);
    if (!source || kernel.size() > (1 << 20))
        co_return QString();
    for (int attempt = 0;; ++attempt) {
        if (const auto started = co_await m_client->start(token); !started)
            co_return std::unexpected(started.error());
        const RunnerReply reply = co_await m_client->request(
            {{u"request"_s, u"hash"_s}, {u"id"_s, newId(u"hash"_s)}, {u"kernel"_s, *source}}, token);
        if (reply.how == RunnerReply::How::Answered)
            co_return reply.result.value("hash"_L1).toString().left(128);
        if (reply.how == RunnerReply::How::Cancelled)
            co_return fail(Error::Kind::Cancelled, u"The hash was cancelled."_s);
        if (reply.how == RunnerReply::How::Refused || attempt > 0)
            co_return fail(Error::Kind::Io, reply.message);
    }
}

} // namespace accelopt
