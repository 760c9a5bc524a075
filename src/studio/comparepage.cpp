// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/comparepage.h"

#include "domain/format.h"
#include "studio/session.h"

#include <algorithm>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray kernelOf(const KernelRepository &repository, const Attempt &attempt)
{
    if (attempt.commit.isEmpty())
        return {};
    const auto kernel = repository.file(attempt.commit, u"kernel.py"_s);
    return kernel ? *kernel : QByteArray();
}

/// Where an evaluation stands under the roof: useful FLOP per HBM byte moved, and useful FLOP per second.
QList<double> rooflinePoint(const Evaluation &evaluation, double flops)
{
    const double bytes = evaluation.profile.value("hbm_read_bytes"_L1).toDouble()
        + evaluation.profile.value("hbm_write_bytes"_L1).toDouble();
    const double seconds = evaluation.latency.medianMs / 1e3;
    return flops > 0 && bytes > 0 && seconds > 0 ? QList<double>{flops / bytes, flops / seconds} : QList<double>();
}

void readRoofline(ComparePage::Data &data, const JournalReader &reader)
{
    const auto run = reader.run(data.b.run);
    const auto problems = reader.problemsOfRun(data.b.run);
    if (!run || !problems)
        return;
    for (const Problem &problem : *problems) {
        if (problem.name != data.b.problem)
            continue;
        const HardwarePeaks &peaks = run->facts.peaks;
        const bool matmul = problem.work.matmulFlops > 0;
        const double flops = matmul ? problem.work.matmulFlops : problem.work.vectorFlops;
        data.bandwidth = peaks.bandwidth;
        data.peakFlops = matmul ? peaks.matmulPeak(problem.dtype) : peaks.vectorPeak(problem.dtype);
        data.peakName = matmul ? u"TensorE"_s : u"VectorE + ScalarE"_s;
        data.pointA = rooflinePoint(data.a.evaluation, flops);
        data.pointB = rooflinePoint(data.b.evaluation, flops);
        data.comparison = compareEvaluations(data.a.evaluation, data.b.evaluation, problem.work);
    }
}

void readChoices(ComparePage::Data &data, const JournalReader &reader)
{
    constexpr int most = 400;
    AttemptFilter filter;
    filter.run = data.b.run;
    filter.problem = data.b.problem;
    filter.order = AttemptOrder::Latency;
    filter.details = false;
    auto attempts = reader.attempts(filter, most);
    if (!attempts)
        return;
    // The baseline first, then by latency; what failed is compared too, but stands last. The pair itself always.
    if (const auto baseline = reader.attempt(data.b.run, data.b.problem, AttemptKey{}))
        attempts->prepend(*baseline);
    for (const Attempt &each : {data.a, data.b}) {
        if (each.problem == data.b.problem && each.run == data.b.run)
            attempts->append(each);
    }
    QList<Attempt> failed;
    const auto add = [&data](const Attempt &attempt) {
        if (data.choiceIds.contains(attempt.id))
            return;
        const double ms = attempt.evaluation.latency.medianMs;
        const bool timed = attempt.evaluation.status != Evaluation::Status::Failed && ms > 0;
        data.choiceNames << attempt.key.display() + u"   "_s
                + (!timed                             ? verdictName(attempt)
                        : attempt.evaluation.estimate ? format::estimatedLatency(ms)
                                                      : format::latency(ms));
        data.choiceIds << attempt.id;
    };
    for (const Attempt &attempt : std::as_const(*attempts)) {
        if (attempt.commit.isEmpty())
            continue; // the reply held no kernel
        if (attempt.state == Attempt::State::Done && attempt.evaluation.status == Evaluation::Status::Failed)
            failed.append(attempt);
        else
            add(attempt);
    }
    for (const Attempt &attempt : std::as_const(failed))
        add(attempt);
}

Result<ComparePage::Data> readPair(ReadContext &context, qint64 a, qint64 b, bool ignoreSpace)
{
    const auto reader = context.reader();
    const auto repository = context.repository();
    if (!reader || !repository)
        return std::unexpected(reader ? repository.error() : reader.error());
    ComparePage::Data data;
    const auto left = (*reader)->attempt(a), right = (*reader)->attempt(b);
    if (!left || !right)
        return std::unexpected(left ? right.error() : left.error());
    data.a = *left;
    data.b = *right;
    const QByteArray sourceA = kernelOf(**repository, data.a), sourceB = kernelOf(**repository, data.b);
    data.kernelA = !sourceA.isEmpty();
    data.kernelB = !sourceB.isEmpty();
    data.content.diff = diffLines(sourceA, sourceB, ignoreSpace);
    data.content.leftColours = highlightPython(data.content.diff.left);
    data.content.rightColours = highlightPython(data.content.diff.right);
    if (!data.a.commit.isEmpty() && !data.b.commit.isEmpty()) {
        if (const auto patch = (*repository)->patch(data.a.commit, data.b.commit))
            data.patch = *patch;
    }
    readRoofline(data, **reader);
    readChoices(data, **reader);
    return data;
}

QString latencyText(const Evaluation &evaluation)
{
    return evaluation.estimate ? format::estimatedLatency(evaluation.latency.medianMs)
                               : format::latency(evaluation.latency.medianMs);
}

QString fractionText(const Evaluation &evaluation)
{
    return evaluation.estimate ? format::estimatedFraction(evaluation.fractionOfPeak)
                               : format::fraction(evaluation.fractionOfPeak);
}

QString spreadText(const Evaluation &evaluation)
{
    const auto number = [](double ms) { return ms < 0.1 ? format::latency(ms) : format::latencyMs(ms); };
    if (!(evaluation.latency.medianMs > 0))
        return {};
    if (evaluation.estimate)
        return evaluation.bandHighMs > 0
            ? ComparePage::tr("%1 to %2").arg(number(evaluation.bandLowMs), number(evaluation.bandHighMs))
            : QString();
    return ComparePage::tr("spread %1\u00a0%").arg(100 * evaluation.latency.spread(), 0, 'f', 2);
}

QList<double> samples(const Evaluation &evaluation)
{
    if (!(evaluation.latency.medianMs > 0))
        return {};
    if (evaluation.estimate && evaluation.bandHighMs > 0)
        return {std::min(evaluation.bandLowMs, evaluation.latency.medianMs), evaluation.latency.medianMs,
            std::max(evaluation.bandHighMs, evaluation.latency.medianMs)};
    return {evaluation.latency.minMs, evaluation.latency.medianMs, evaluation.latency.maxMs};
}

} // namespace

ComparePage::ComparePage(QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &ComparePage::read);
    const auto soon = [this] { m_timer.start(); };
    connect(Session::instance(), &Session::placeChanged, this, soon);
    connect(Session::instance(), &Session::snapshotChanged, this, soon);
    soon();
}

void ComparePage::setIgnoreSpace(bool ignore)
{
    if (m_ignoreSpace == ignore)
        return;
    m_ignoreSpace = ignore;
    Q_EMIT changed();
    m_timer.start();
}

void ComparePage::read()
{
    Session *session = Session::instance();
    const qint64 a = session->compareA(), b = session->compareB();
    if (a == 0 || b == 0) {
        if (m_readA != 0 || m_readB != 0) {
            m_data = {};
            m_diff.setContent({});
            m_metrics.setRows({});
            m_readA = m_readB = 0;
            Q_EMIT changed();
        }
        return;
    }
    // A finished pair does not change under a running search.
    const bool settled = m_data.a.state == Attempt::State::Done && m_data.b.state == Attempt::State::Done;
    if (a == m_readA && b == m_readB && m_ignoreSpace == m_readIgnore && (settled || m_loading))
        return;
    m_readA = a;
    m_readB = b;
    m_readIgnore = m_ignoreSpace;
    m_loading = true;
    Q_EMIT changed();
    session->query(
        this, u"pair"_s,
        [a, b, ignore = m_ignoreSpace](ReadContext &context) { return readPair(context, a, b, ignore); },
        [this](const Result<Data> &data) {
            m_loading = false;
            m_error = data ? QString() : data.error().message;
            m_data = data ? *data : Data();
            m_diff.setContent(m_data.content);
            m_metrics.setRows(m_data.comparison.rows);
            Q_EMIT changed();
        });
}

QString ComparePage::latencyA() const
{
    return latencyText(m_data.a.evaluation);
}

QString ComparePage::latencyB() const
{
    return latencyText(m_data.b.evaluation);
}

QString ComparePage::fractionA() const
{
    return fractionText(m_data.a.evaluation);
}

QString ComparePage::fractionB() const
{
    return fractionText(m_data.b.evaluation);
}

QString ComparePage::spreadA() const
{
    return spreadText(m_data.a.evaluation);
}

QString ComparePage::spreadB() const
{
    return spreadText(m_data.b.evaluation);
}

QString ComparePage::kernelNote() const
{
    if (!ready() || (m_data.kernelA && m_data.kernelB))
        return {};
    if (!m_data.kernelA && !m_data.kernelB)
        return tr("Neither reply held a kernel: there is no source to compare.");
    return m_data.kernelA ? tr("The reply of B held no kernel.") : tr("The reply of A held no kernel.");
}

QString ComparePage::profileNote() const
{
    if (!comparable())
        return {};
    return estimate() ? tr("estimated, same key") : tr("measured, same key");
}

QList<double> ComparePage::samplesA() const
{
    return samples(m_data.a.evaluation);
}

QList<double> ComparePage::samplesB() const
{
    return samples(m_data.b.evaluation);
}

void ComparePage::reload()
{
    m_readA = m_readB = 0;
    m_timer.start();
}

void ComparePage::swap()
{
    Session::instance()->setComparePair(Session::instance()->compareB(), Session::instance()->compareA());
}

void ComparePage::choose(bool right, int choice)
{
    if (choice < 0 || choice >= m_data.choiceIds.size())
        return;
    const qint64 id = m_data.choiceIds[choice];
    Session *session = Session::instance();
    session->setComparePair(right ? session->compareA() : id, right ? id : session->compareB());
}

void ComparePage::nextPair(int step)
{
    const qsizetype at = m_data.choiceIds.indexOf(m_data.b.id);
    const qsizetype to = at + step;
    if (at >= 0 && to >= 0 && to < m_data.choiceIds.size())
        choose(true, static_cast<int>(to));
}

void ComparePage::copyPatch()
{
    Session::instance()->copyToClipboard(QString::fromUtf8(m_data.patch), tr("Patch"));
}

void ComparePage::copySide(bool right)
{
    Session::instance()->copyToClipboard(m_diff.sideText(right), right ? tr("Source of B") : tr("Source of A"));
}

} // namespace accelopt
