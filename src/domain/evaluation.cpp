// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/evaluation.h"

#include <QJsonArray>
#include <cmath>
#include <iterator>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr const char *errorKinds[] = {"", "reply", "truncated", "syntax", "guard", "rule", "compile", "memory",
    "wrong-result", "nonfinite", "hang", "crash", "host", "infrastructure"};
static_assert(std::size(errorKinds) == static_cast<std::size_t>(ErrorKind::Infrastructure) + 1);

/// Numbers from a host are untrusted: what is not a finite number is as if it were absent.
double finite(const QJsonValue &value, double otherwise = 0)
{
    const double number = value.toDouble(otherwise);
    return std::isfinite(number) ? number : otherwise;
}

} // namespace

QString errorKindName(ErrorKind kind)
{
    return QString::fromLatin1(errorKinds[static_cast<std::size_t>(kind)]);
}

std::optional<ErrorKind> errorKindFromName(const QString &name)
{
    for (std::size_t i = 1; i < std::size(errorKinds); ++i) {
        if (name == QLatin1StringView(errorKinds[i]))
            return static_cast<ErrorKind>(i);
    }
    return std::nullopt;
}

QString statusName(Evaluation::Status status)
{
    switch (status) {
    case Evaluation::Status::Measured:
        return u"measured"_s;
    case Evaluation::Status::Failed:
        return u"failed"_s;
    case Evaluation::Status::Skipped:
        return u"skipped"_s;
    }
    return {};
}

QJsonObject EvaluationEnvironment::toJson() const
{
    return {{u"target"_s, target}, {u"host"_s, host}, {u"sdk"_s, sdk}, {u"nki"_s, nki}, {u"flags"_s, flags},
        {u"profiler"_s, profiler}};
}

EvaluationEnvironment EvaluationEnvironment::fromJson(const QJsonObject &json)
{
    return {json.value("target"_L1).toString(), json.value("host"_L1).toString(), json.value("sdk"_L1).toString(),
        json.value("nki"_L1).toString(), json.value("flags"_L1).toString(), json.value("profiler"_L1).toString()};
}

QJsonObject Evaluation::toJson() const
{
    QJsonObject json{{u"status"_s, statusName(status)}, {u"estimate"_s, estimate}, {u"target"_s, environment.target},
        {u"key"_s, environment.toJson()}, {u"sha256"_s, sha256}, {u"core"_s, core}, {u"stage_seconds"_s, stageSeconds}};
    if (status != Status::Failed || latency.medianMs > 0) {
        QJsonArray samples;
        for (const double sample : latency.samplesMs)
            samples.append(sample);
        json.insert("latency_ms"_L1,
            QJsonObject{{u"median"_s, latency.medianMs}, {u"min"_s, latency.minMs}, {u"max"_s, latency.maxMs},
                {u"samples"_s, samples}});
        json.insert("fraction_of_peak"_L1, fractionOfPeak);
    }
    if (estimate) {
        json.insert("band_ms"_L1, QJsonArray{bandLowMs, bandHighMs});
        json.insert("confidence"_L1, confidence);
    }
    if (error)
        json.insert("error"_L1,
            QJsonObject{{u"kind"_s, errorKindName(error.kind)}, {u"id"_s, error.id}, {u"message"_s, error.message},
                {u"line"_s, error.line}, {u"stage"_s, error.stage}});
    if (quarantined)
        json.insert("quarantined"_L1, true);
    if (relativeError >= 0)
        json.insert("relative_error"_L1, relativeError);
    if (!profile.isEmpty())
        json.insert("profile"_L1, profile);
    return json;
}

Result<Evaluation> Evaluation::fromJson(const QJsonObject &json)
{
    Evaluation evaluation;
    const QString status = json.value("status"_L1).toString();
    if (status == u"measured"_s)
        evaluation.status = Status::Measured;
    else if (status == u"skipped"_s)
        evaluation.status = Status::Skipped;
    else if (status == u"failed"_s)
        evaluation.status = Status::Failed;
    else
        return fail(Error::Kind::Invalid, u"An evaluation has the unknown status “%1”."_s.arg(status.left(40)));

    const QJsonObject latency = json.value("latency_ms"_L1).toObject();
    evaluation.latency.medianMs = finite(latency.value("median"_L1));
    evaluation.latency.minMs = finite(latency.value("min"_L1));
    evaluation.latency.maxMs = finite(latency.value("max"_L1));
    for (const QJsonValue &sample : latency.value("samples"_L1).toArray())
        evaluation.latency.samplesMs.append(finite(sample));
    if (evaluation.status == Status::Measured
        && !(evaluation.latency.medianMs > 0)) // a check without an estimate is skipped, without a latency
        return fail(Error::Kind::Invalid, u"An evaluation without an error has no latency above 0."_s);

    evaluation.estimate = json.value("estimate"_L1).toBool();
    const QJsonArray band = json.value("band_ms"_L1).toArray();
    evaluation.bandLowMs = finite(band.at(0));
    evaluation.bandHighMs = finite(band.at(1));
    evaluation.confidence = json.value("confidence"_L1).toString();
    evaluation.fractionOfPeak = finite(json.value("fraction_of_peak"_L1));
    evaluation.quarantined = json.value("quarantined"_L1).toBool();
    evaluation.relativeError = finite(json.value("relative_error"_L1), -1);
    evaluation.profile = json.value("profile"_L1).toObject();
    evaluation.environment = EvaluationEnvironment::fromJson(json.value("key"_L1).toObject());
    evaluation.sha256 = json.value("sha256"_L1).toString();
    evaluation.core = json.value("core"_L1).toString();
    evaluation.stageSeconds = json.value("stage_seconds"_L1).toObject();

    if (const QJsonObject error = json.value("error"_L1).toObject(); !error.isEmpty()) {
        const auto kind = errorKindFromName(error.value("kind"_L1).toString());
        if (!kind)
            return fail(Error::Kind::Invalid,
                u"An evaluation has the unknown error kind “%1”."_s.arg(error.value("kind"_L1).toString().left(40)));
        evaluation.error = {*kind, error.value("id"_L1).toString(), error.value("message"_L1).toString(),
            error.value("line"_L1).toInt(), error.value("stage"_L1).toString()};
    }
    if (evaluation.status == Status::Failed && !evaluation.error)
        return fail(Error::Kind::Invalid, u"A failed evaluation names no error."_s);
    return evaluation;
}

} // namespace accelopt
