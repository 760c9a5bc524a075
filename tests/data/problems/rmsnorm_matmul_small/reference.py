# SPDX-License-Identifier: GPL-3.0-or-later
"""RMS normalisation without gain, matrix product: small, for tests."""
import numpy as np

M = 256
N = 512
K = 256


def get_inputs():
    rng = np.random.Generator(np.random.SFC64(np.random.randint(2**31 - 1)))
    return [rng.standard_normal((M, K), dtype=np.float32), rng.standard_normal((K, N), dtype=np.float32)]


def forward(x, w):
    return np.matmul(x / np.sqrt(np.mean(np.square(x), axis=-1, keepdims=True)), w)


def transform_to_nki_inputs(inputs):
    return inputs


def transform_nki_outputs(kernel_result, reference):
    return [np.reshape(kernel_result, reference.shape)]
