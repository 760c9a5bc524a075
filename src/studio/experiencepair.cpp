// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/experiencepair.h"

#include "domain/attempt.h"
#include "domain/format.h"
#include "repository/linediff.h"
#include "studio/session.h"

#include <algorithm>

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int linesAround = 2; ///< lines shown before and after the change

/// Lines first to last (0-based, both included) of one side, as many as fit; spaces all of them begin with are cut.
void cutOut(ExperiencePair::Side &side, const QStringList &all, const QSet<int> &changed, int first, int last, int most)
{
    const QList<CodeLine> colours = highlightPython(all);
    last = std::min(last, first + most - 1);
    qsizetype indent = 1000;
    for (int i = first; i <= last; ++i) {
        if (const QString &line = all[i]; !line.trimmed().isEmpty())
            indent = std::min<qsizetype>(
                indent, std::distance(line.begin(), std::ranges::find_if(line, [](QChar c) { return !c.isSpace(); })));
    }
    side.firstLine = first + 1;
    for (int i = first; i <= last; ++i) {
        const auto cut = static_cast<int>(std::min<qsizetype>(indent, all[i].size()));
        CodeLine spans;
        for (CodeSpan span : colours.value(i)) {
            const int end = span.start + span.length - cut;
            span.start = std::max(0, span.start - cut);
            span.length = end - span.start;
            if (span.length > 0)
                spans.append(span);
        }
        if (changed.contains(i))
            side.changed.insert(static_cast<int>(side.lines.size()));
        side.lines.append(all[i].mid(cut));
        side.colours.append(spans);
    }
}

Result<ExperiencePair::Data> readPair(ReadContext &context, qint64 slow, qint64 fast)
{
    const auto reader = context.reader();
    const auto repository = context.repository();
    if (!reader || !repository)
        return std::unexpected(reader ? repository.error() : reader.error());
    QByteArray sources[2];
    Attempt attempts[2];
    const qint64 ids[2] = {slow, fast};
    for (const int i : {0, 1}) {
        const auto attempt = (*reader)->attempt(ids[i]);
        if (!attempt)
            return std::unexpected(attempt.error());
        attempts[i] = *attempt;
        if (!attempt->commit.isEmpty()) {
            if (const auto kernel = (*repository)->file(attempt->commit, u"kernel.py"_s))
                sources[i] = *kernel;
        }
    }
    ExperiencePair::Data data = ExperiencePair::largestChange(sources[0], sources[1]);
    const auto describe = [](ExperiencePair::Side &side, const Attempt &attempt) {
        const double ms = attempt.evaluation.latency.medianMs;
        side.name = attempt.key.display();
        side.latency = attempt.evaluation.estimate ? format::estimatedLatency(ms) : format::latency(ms);
    };
    describe(data.slow, attempts[0]);
    describe(data.fast, attempts[1]);
    data.estimate = attempts[1].evaluation.estimate;
    return data;
}

} // namespace

ExperiencePair::Data ExperiencePair::largestChange(const QByteArray &slow, const QByteArray &fast, int most)
{
    Data data;
    const LineDiff diff = diffLines(slow, fast);
    const int n = static_cast<int>(diff.rows.size());
    QSet<int> changedLeft, changedRight;
    int bestFirst = -1, bestLast = -1;
    for (const int first : diff.changes) {
        int last = first;
        while (last + 1 < n && diff.rows[last + 1].kind != DiffRow::Kind::Same)
            ++last;
        if (bestFirst < 0 || last - first > bestLast - bestFirst) {
            bestFirst = first;
            bestLast = last;
        }
    }
    if (bestFirst < 0)
        return data;
    data.otherChanges = static_cast<int>(diff.changes.size()) - 1;
    for (const DiffRow &row : diff.rows) {
        if (row.kind == DiffRow::Kind::Same)
            continue;
        if (row.left >= 0)
            changedLeft.insert(row.left);
        if (row.right >= 0)
            changedRight.insert(row.right);
    }
    int left[2] = {-1, -1}, right[2] = {-1, -1};
    for (int i = std::max(0, bestFirst - linesAround); i <= std::min(n - 1, bestLast + linesAround); ++i) {
        const DiffRow &row = diff.rows[i];
        if (row.left >= 0) {
            left[0] = left[0] < 0 ? row.left : left[0];
            left[1] = row.left;
        }
        if (row.right >= 0) {
            right[0] = right[0] < 0 ? row.right : right[0];
            right[1] = row.right;
        }
    }
    if (left[0] >= 0)
        cutOut(data.slow, diff.left, changedLeft, left[0], left[1], most);
    if (right[0] >= 0)
        cutOut(data.fast, diff.right, changedRight, right[0], right[1], most);
    return data;
}

ExperiencePair::ExperiencePair(QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(20);
    connect(&m_timer, &QTimer::timeout, this, &ExperiencePair::read);
}

void ExperiencePair::setSlow(qlonglong id)
{
    if (m_slow == id)
        return;
    m_slow = id;
    Q_EMIT inputChanged();
    m_timer.start();
}

void ExperiencePair::setFast(qlonglong id)
{
    if (m_fast == id)
        return;
    m_fast = id;
    Q_EMIT inputChanged();
    m_timer.start();
}

void ExperiencePair::read()
{
    const auto show = [this](const Result<Data> &data) {
        m_error = data ? QString() : data.error().message;
        m_data = data ? *data : Data();
        m_ready = data && !data->slow.name.isEmpty();
        m_slowSource.setSource(m_data.slow.lines, m_data.slow.colours, m_data.slow.changed, 0, m_data.slow.firstLine);
        m_fastSource.setSource(m_data.fast.lines, m_data.fast.colours, m_data.fast.changed, 0, m_data.fast.firstLine);
        Q_EMIT changed();
    };
    if (m_slow == 0 || m_fast == 0) {
        show(Data());
        return;
    }
    Session::instance()->query(
        this, u"pair"_s, [slow = m_slow, fast = m_fast](ReadContext &context) { return readPair(context, slow, fast); },
        show);
}

} // namespace accelopt
