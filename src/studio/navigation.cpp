// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/navigation.h"

namespace accelopt {

void Navigation::go(const Place &place)
{
    if (place == m_places.at(m_index))
        return;
    m_places.resize(m_index + 1);
    m_places.append(place);
    if (m_places.size() > s_limit)
        m_places.removeFirst();
    m_index = m_places.size() - 1;
}

void Navigation::reset(const Place &place)
{
    m_places = {place};
    m_index = 0;
}

} // namespace accelopt
