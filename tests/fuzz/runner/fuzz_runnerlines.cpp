// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/runnerevaluator.h"
#include "evaluation/runnerlines.h"

#include <QtGlobal>
#include <cstdlib>

using namespace accelopt;

/// The first byte says how the stream is cut; whatever comes, the same messages come out as from the whole, and no
/// result breaks the reader.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const qsizetype step = 1 + data[0];
    const QByteArrayView stream(reinterpret_cast<const char *>(data) + 1, static_cast<qsizetype>(size) - 1);
    RunnerLines whole("@m", 200), pieces("@m", 200);
    const QList<QJsonObject> messages = whole.feed(stream);
    QList<QJsonObject> found;
    for (qsizetype at = 0; at < stream.size(); at += step)
        found += pieces.feed(stream.sliced(at, qMin(step, stream.size() - at)));
    if (found != messages || whole.ignored() != pieces.ignored() || whole.broken() != pieces.broken())
        std::abort();
    EvaluationJob job;
    job.target = QStringLiteral("trn1");
    for (const QJsonObject &message : messages) {
        const Evaluation evaluation = evaluationFromRunner(message, job, QStringLiteral("abc"));
        if (evaluation.status == Evaluation::Status::Failed ? !evaluation.error : bool(evaluation.error))
            std::abort();
    }
    return 0;
}
