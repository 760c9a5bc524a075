// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

namespace accelopt {

/// Every long call takes one and ends within 3 s of a stop request. A default constructed token never stops.
using CancelToken = std::stop_token;
using CancelSource = std::stop_source;

} // namespace accelopt
