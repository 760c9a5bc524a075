// SPDX-License-Identifier: GPL-3.0-or-later
#include "neuroncore/kernels.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace accelopt::neuroncore {

const Kernels &kernels()
{
    static const Kernels &best = [] -> const Kernels & {
        const char *wanted = std::getenv("ACCELOPT_KERNELS");
#if defined(__x86_64__)
        if (!(wanted && std::strcmp(wanted, "v2") == 0) && __builtin_cpu_supports("avx2")
            && __builtin_cpu_supports("fma"))
            return kernelsV3();
#endif
        return kernelsV2();
    }();
    return best;
}

float reductionIdentity(Alu op)
{
    switch (op) {
    case Alu::Multiply:
    case Alu::LogicalAnd:
        return 1.0F;
    case Alu::Maximum:
        return -std::numeric_limits<float>::infinity();
    case Alu::Minimum:
        return std::numeric_limits<float>::infinity();
    default:
        return 0.0F;
    }
}

} // namespace accelopt::neuroncore
