// SPDX-License-Identifier: GPL-3.0-or-later
#define ACCELOPT_KERNELS kernelsV3
#define ACCELOPT_KERNELS_NAME "x86-64-v3"
#include "neuroncore/kernels.inc"
