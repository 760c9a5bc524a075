// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace accelopt {

/// Where the user is, and the way there. A plain value; Session owns one.
class Navigation {
public:
    struct Place {
        QString page = QStringLiteral("start");
        QString problem;
        qint64 attempt = 0;
        qint64 compareA = 0, compareB = 0;
        bool operator==(const Place &) const = default;
    };

    [[nodiscard]] const Place &place() const { return m_places.at(m_index); }
    /// A new entry; what was ahead is dropped. The same place again is no entry.
    void go(const Place &place);
    /// Changes the entry itself.
    void replace(const Place &place) { m_places[m_index] = place; }
    [[nodiscard]] bool canGoBack() const { return m_index > 0; }
    [[nodiscard]] bool canGoForward() const { return m_index + 1 < m_places.size(); }
    void back() { m_index -= canGoBack() ? 1 : 0; }
    void forward() { m_index += canGoForward() ? 1 : 0; }
    /// Forgets all: another project.
    void reset(const Place &place);

private:
    static constexpr qsizetype s_limit = 200;
    QList<Place> m_places{Place{}};
    qsizetype m_index = 0;
};

} // namespace accelopt
