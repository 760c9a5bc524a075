# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotary position embedding on (D, B*H*N), the two halves of D being the pairs, with cos and sin of (D/2, B*H*N)."""
import numpy as np

B = 1
H = 64
N = 4096
D = 128


def get_inputs():
    rng = np.random.Generator(np.random.SFC64(np.random.randint(2**31 - 1)))
    x = rng.standard_normal((D, B * H * N), dtype=np.float32)
    cos = rng.standard_normal((D // 2, B * H * N), dtype=np.float32)
    sin = rng.standard_normal((D // 2, B * H * N), dtype=np.float32)
    return [x, cos, sin]


def forward(x, cos, sin):
    half = D // 2
    x0, x1 = x[:half], x[half:]
    y = np.empty_like(x)
    np.multiply(x0, cos, out=y[:half])
    y[:half] -= x1 * sin
    np.multiply(x0, sin, out=y[half:])
    y[half:] += x1 * cos
    return y


def transform_to_nki_inputs(inputs):
    return inputs


def transform_nki_outputs(kernel_result, reference):
    return [np.reshape(kernel_result, reference.shape)]
