// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/runnerlines.h"

#include <QJsonDocument>

namespace accelopt {

RunnerLines::RunnerLines(const QByteArray &marker, qsizetype limit)
    : m_prefix(marker + ' ')
    , m_limit(limit)
{
}

QList<QJsonObject> RunnerLines::feed(QByteArrayView data)
{
    QList<QJsonObject> messages;
    while (!data.isEmpty()) {
        const qsizetype end = data.indexOf('\n');
        const QByteArrayView part = end < 0 ? data : data.first(end);
        if (!m_skipping && m_rest.size() + part.size() > m_limit) {
            const bool ours = m_rest.size() >= m_prefix.size()
                ? m_rest.startsWith(m_prefix)
                : (m_rest + part.first(qMin(part.size(), m_prefix.size())).toByteArray()).startsWith(m_prefix);
            ++(ours ? m_broken : m_ignored);
            m_skipping = true;
            m_rest.clear();
        }
        if (end < 0) {
            if (!m_skipping)
                m_rest += part;
            break;
        }
        if (m_skipping) {
            m_skipping = false;
        } else if (m_rest.isEmpty()) {
            take(part, messages);
        } else {
            m_rest += part;
            take(m_rest, messages);
            m_rest.clear();
        }
        data = data.sliced(end + 1);
    }
    return messages;
}

void RunnerLines::take(QByteArrayView line, QList<QJsonObject> &messages)
{
    if (!line.startsWith(m_prefix)) {
        ++m_ignored;
        return;
    }
    // Qt's reader bounds the nesting (1024) itself.
    const QJsonDocument document = QJsonDocument::fromJson(line.sliced(m_prefix.size()).toByteArray());
    if (document.isObject())
        messages.append(document.object());
    else
        ++m_broken;
}

QByteArray RunnerLines::encode(const QByteArray &marker, const QJsonObject &message)
{
    return marker + ' ' + QJsonDocument(message).toJson(QJsonDocument::Compact) + '\n';
}

} // namespace accelopt
