// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/experience.h"

namespace accelopt {

using namespace Qt::Literals::StringLiterals;

QString experienceStateName(Experience::State state)
{
    switch (state) {
    case Experience::State::Active:
        return u"active"_s;
    case Experience::State::Pinned:
        return u"pinned"_s;
    case Experience::State::Disabled:
        return u"disabled"_s;
    case Experience::State::Deleted:
        return u"deleted"_s;
    }
    return {};
}

} // namespace accelopt
