// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QList>

namespace accelopt {

/// Takes the messages of the runner protocol out of a stream that may hold anything: banners, stray prints, lines
/// without end, forged or broken messages. Knows nothing of processes; any thread. docs/runner-protocol.md says what a
/// line looks like.
class RunnerLines {
public:
    static constexpr qsizetype defaultLimit = 16 << 20; ///< bytes of one line

    explicit RunnerLines(const QByteArray &marker, qsizetype limit = defaultLimit);

    /// Whole messages that end in `data`, in order.
    [[nodiscard]] QList<QJsonObject> feed(QByteArrayView data);
    /// Lines that were not ours, since the start.
    [[nodiscard]] qint64 ignored() const { return m_ignored; }
    /// Lines with our marker that were too long or no JSON object.
    [[nodiscard]] qint64 broken() const { return m_broken; }

    /// One line for the runner.
    [[nodiscard]] static QByteArray encode(const QByteArray &marker, const QJsonObject &message);

private:
    void take(QByteArrayView line, QList<QJsonObject> &messages);

    QByteArray m_prefix;
    qsizetype m_limit;
    QByteArray m_rest; ///< begin of a line whose end has not come yet
    bool m_skipping = false; ///< inside a line that is too long
    qint64 m_ignored = 0, m_broken = 0;
};

} // namespace accelopt
