// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "journal/journal.h"
#include "journal/journalreader.h"

#include <QTemporaryDir>
#include <QTest>
#include <QTimeZone>

namespace accelopt::test {

using namespace Qt::Literals::StringLiterals;

/// The value of a write that must succeed.
template <typename T> T ok(QFuture<Result<T>> future)
{
    const Result<T> result = future.result();
    if (!result)
        qFatal("%s %s", qPrintable(result.error().message), qPrintable(result.error().detail));
    if constexpr (!std::is_void_v<T>)
        return *result;
}

template <typename T> Error::Kind kindOf(QFuture<Result<T>> future)
{
    const Result<T> result = future.result();
    if (result)
        qFatal("this write should have failed");
    return result.error().kind;
}

inline Problem problem(const QString &name = u"silu"_s)
{
    Problem p;
    p.name = name;
    p.title = u"SiLU"_s;
    p.operatorText = u"y = x / (1 + exp(-x))"_s;
    p.values = {{u"M"_s, 4096}, {u"N"_s, 7168}};
    p.work = {2e8, 0, 9e7};
    p.referenceSource = "def forward(x): return x\n";
    p.kernelSource = "def kernel(x): return x\n";
    p.json = {{u"name"_s, name}, {u"inputs"_s, 1}};
    return p;
}

inline FrozenFacts facts()
{
    FrozenFacts frozen;
    frozen.peaks.target = u"trn1"_s;
    frozen.peaks.bandwidth = 400e9;
    frozen.peaks.matmulFlops = {{u"float32"_s, 23e12}};
    frozen.peaks.vectorFlops = {{u"float32"_s, 0.4e12}};
    frozen.peaks.source = u"test"_s;
    frozen.hosts = {{u"simulator"_s, QJsonObject{{u"version"_s, 1}}}};
    return frozen;
}

inline Attempt attempt(qint64 run, const AttemptKey &key, qint64 parent = 0)
{
    Attempt a;
    a.run = run;
    a.problem = u"silu"_s;
    a.key = key;
    a.parent = parent;
    a.author = key.isBaseline() ? u"baseline"_s : u"rules"_s;
    a.planTitle = u"Plan %1"_s.arg(key.plan);
    a.parseRule = u"only-block"_s;
    a.sha256 = u"sha-"_s + key.ascii();
    a.programHash = u"hash-"_s + key.ascii();
    a.createdAt = QDateTime(QDate(2026, 11, 30), QTime(6, 0), QTimeZone::UTC).addMSecs(key.iteration * 1000 + key.plan);
    return a;
}

inline Evaluation measured(double ms, double fraction, bool estimate = true)
{
    Evaluation e;
    e.status = Evaluation::Status::Measured;
    e.latency = {ms, ms * 0.99, ms * 1.02, {ms * 0.99, ms, ms * 1.02}};
    e.estimate = estimate;
    e.bandLowMs = ms * 0.9;
    e.bandHighMs = ms * 1.1;
    e.confidence = u"B"_s;
    e.fractionOfPeak = fraction;
    e.relativeError = 1.25e-7;
    e.profile = {{u"total_time"_s, ms / 1000}, {u"hbm_read_bytes"_s, 1e8}};
    e.environment = {u"trn1"_s, u"simulator"_s, u"2.26"_s, u"beta1"_s, u"-O2"_s, u"p1"_s};
    e.core = u"simulator worker 1"_s;
    e.stageSeconds = {{u"check"_s, 0.25}, {u"timing"_s, 0.5}};
    return e;
}

inline Evaluation failed(ErrorKind kind, const QString &message)
{
    Evaluation e;
    e.status = Evaluation::Status::Failed;
    e.error = {kind, u"err_1"_s, message, 12, u"check"_s};
    return e;
}

/// A project database in a folder of its own, with a run on one problem.
struct Store {
    QTemporaryDir folder;
    QString path = folder.filePath(u"accelopt.db"_s);
    std::unique_ptr<Journal> journal;
    qint64 run = 0;

    Store()
    {
        auto made = Journal::create(path);
        if (!made)
            qFatal("%s %s", qPrintable(made.error().message), qPrintable(made.error().detail));
        journal = std::move(*made);
        ok(journal->putProblem(problem()));
        run = ok(journal->createRun(RunSettings::quickPreset(), facts(), {problem()}));
    }
    std::unique_ptr<JournalReader> reader() const { return JournalReader::open(path).value(); }
    void reopen()
    {
        journal.reset();
        journal = Journal::open(path).value();
    }
};

} // namespace accelopt::test
