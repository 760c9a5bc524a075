// SPDX-License-Identifier: GPL-3.0-or-later
#define ACCELOPT_KERNELS kernelsV2
#define ACCELOPT_KERNELS_NAME "x86-64-v2"
#include "neuroncore/kernels.inc"
