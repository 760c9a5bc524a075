// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "neuroncore/ir.h"

#include <cstddef>

namespace accelopt::neuroncore {

/// The inner loops of the interpreter over contiguous float rows. Built twice (x86-64-v2 and -v3) and chosen at run
/// time. dst may be one of the sources, else they do not overlap.
struct Kernels {
    const char *name;
    /// dst = a op b. `aScalar`/`bScalar`: that source is one value.
    void (*binary)(Alu op, float *dst, const float *a, bool aScalar, const float *b, bool bScalar, size_t n);
    void (*activation)(Func func, float *dst, const float *x, size_t n);
    /// dst = x * scale + bias
    void (*scaleBias)(float *dst, const float *x, float scale, float bias, size_t n);
    void (*scaleVector)(float *dst, const float *x, const float *scale, const float *bias, size_t n);
    /// Σ, max, min… of a row; `op` is a reduction. The first element is not special: start is given.
    float (*reduce)(Alu op, float start, const float *x, size_t n);
    void (*fill)(float *dst, float value, size_t n);
    void (*round)(DType dtype, float *x, size_t n);
    /// r[i] = (d0[i] op0 r[i-1]) op1 d1[i]
    void (*scan)(Alu op0, Alu op1, float *dst, const float *d0, bool d0Scalar, const float *d1, bool d1Scalar,
        float initial, size_t n);
    void (*transpose)(float *dst, size_t dstStride, const float *src, size_t srcStride, size_t rows, size_t columns);
    bool (*allFinite)(const float *x, size_t n);
};

/// The best of this machine; ACCELOPT_KERNELS=v2 forces the baseline.
[[nodiscard]] const Kernels &kernels();
[[nodiscard]] const Kernels &kernelsV2();
[[nodiscard]] const Kernels &kernelsV3();
/// What a reduction starts from.
[[nodiscard]] float reductionIdentity(Alu op);

} // namespace accelopt::neuroncore
