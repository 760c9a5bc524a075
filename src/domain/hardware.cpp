// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/hardware.h"

#include "domain/paths.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A constant is a number, or an object with value, unit and source.
double number(const QJsonValue &value)
{
    return value.isObject() ? value.toObject().value("value"_L1).toDouble() : value.toDouble();
}

QMap<QString, double> byDtype(const QJsonValue &value)
{
    QMap<QString, double> numbers;
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (number(it.value()) > 0)
            numbers.insert(it.key(), number(it.value()));
    }
    return numbers;
}

double peakOf(const QMap<QString, double> &peaks, const QString &dtype)
{
    return peaks.value(dtype, peaks.value(u"float32"_s));
}

QJsonObject toObject(const QMap<QString, double> &numbers)
{
    QJsonObject object;
    for (auto it = numbers.begin(); it != numbers.end(); ++it)
        object.insert(it.key(), it.value());
    return object;
}

} // namespace

double HardwarePeaks::matmulPeak(const QString &dtype) const
{
    return peakOf(matmulFlops, dtype);
}

double HardwarePeaks::vectorPeak(const QString &dtype) const
{
    return peakOf(vectorFlops, dtype);
}

QJsonObject HardwarePeaks::toJson() const
{
    return {{u"target"_s, target}, {u"bandwidth_bytes_per_s"_s, bandwidth}, {u"matmul_flops"_s, toObject(matmulFlops)},
        {u"vector_flops"_s, toObject(vectorFlops)}, {u"source"_s, source}};
}

Result<HardwarePeaks> HardwarePeaks::fromJson(const QJsonObject &json)
{
    HardwarePeaks peaks;
    peaks.target = json.value("target"_L1).toString();
    const QJsonValue bandwidth = json.value("bandwidth_bytes_per_s"_L1);
    peaks.bandwidth = number(bandwidth);
    peaks.matmulFlops = byDtype(json.value("matmul_flops"_L1));
    peaks.vectorFlops = byDtype(json.value("vector_flops"_L1));
    peaks.source = json.value("source"_L1).toString();
    if (peaks.source.isEmpty())
        peaks.source = bandwidth.toObject().value("source"_L1).toString();
    if (peaks.bandwidth <= 0 || peaks.matmulPeak(u"float32"_s) <= 0 || peaks.vectorPeak(u"float32"_s) <= 0)
        return fail(Error::Kind::Invalid,
            u"The peaks of %1 are not complete: bandwidth_bytes_per_s, matmul_flops.float32 and vector_flops.float32 must be above 0."_s
                .arg(peaks.target));
    return peaks;
}

Result<HardwarePeaks> loadHardwarePeaks(const QString &target, const QString &folder)
{
    const QString base = folder.isEmpty() ? resourcePath(u"hardware"_s) : folder;
    if (!knownTargets().contains(target))
        return fail(Error::Kind::NotFound,
            u"There is no target “%1”; there are %2."_s.arg(target, knownTargets().join(u", "_s)));
    QFile file(base + u'/' + target + u".json"_s);
    if (!file.open(QIODevice::ReadOnly))
        return fail(Error::Kind::NotFound, u"The hardware file of %1 cannot be read."_s.arg(target),
            file.fileName() + u": "_s + file.errorString());
    QJsonParseError error;
    const QJsonObject json = QJsonDocument::fromJson(file.readAll(), &error).object();
    if (error.error != QJsonParseError::NoError)
        return fail(Error::Kind::Invalid, u"The hardware file of %1 is not JSON."_s.arg(target),
            file.fileName() + u": "_s + error.errorString());
    QJsonObject peaks = json.value("peaks"_L1).toObject();
    peaks.insert("target"_L1, target);
    return HardwarePeaks::fromJson(peaks);
}

QStringList knownTargets()
{
    QStringList targets = QDir(resourcePath(u"hardware"_s)).entryList({u"*.json"_s}, QDir::Files, QDir::Name);
    for (QString &target : targets)
        target.chop(5);
    return targets;
}

} // namespace accelopt
