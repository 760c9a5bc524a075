// SPDX-License-Identifier: GPL-3.0-or-later
#include "confine.h"
#include "monitor.h"

#include <cstdio>

int main(int argc, char **argv)
{
    using namespace accelopt::sandbox;
    Options options;
    if (const std::string problem = parseOptions(argc, argv, options); !problem.empty()) {
        std::fprintf(stderr, "accelopt-sandbox: %s\n%s", problem.c_str(), usage());
        return 125;
    }
    if (options.facts) {
        std::printf("{\"landlock\": %d, \"seccomp\": %s}\n", landlockVersion(), haveSeccomp() ? "true" : "false");
        return 0;
    }
    return supervise(options);
}
