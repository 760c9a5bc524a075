# SPDX-License-Identifier: GPL-3.0-or-later
"""Residual add, RMS normalisation with gain, matrix product."""
import numpy as np

M = 4096
N = 2048
K = 1024


def get_inputs():
    rng = np.random.Generator(np.random.SFC64(np.random.randint(2**31 - 1)))
    x = rng.standard_normal((M, K), dtype=np.float32)
    w = rng.standard_normal((K, N), dtype=np.float32)
    eps = 1e-5
    z = rng.standard_normal((M, K), dtype=np.float32)
    g = rng.standard_normal((K,), dtype=np.float32)
    return [x, w, eps, z, g]


def forward(x, w, eps, z, g):
    y = x + z
    mean = np.mean(np.square(y), axis=-1, keepdims=True)
    y /= np.sqrt(mean + np.float32(eps))
    y *= g
    return np.matmul(y, w)


def transform_to_nki_inputs(inputs):
    return inputs


def transform_nki_outputs(kernel_result, reference):
    return [np.reshape(kernel_result, reference.shape)]
