# SPDX-License-Identifier: GPL-3.0-or-later
import neuronxcc.nki as nki
import neuronxcc.nki.language as nl


@nki.jit
def kernel(x, w):
    m, k = x.shape
    _, n = w.shape
    out = nl.ndarray((m, n), dtype=x.dtype, buffer=nl.shared_hbm)
    for r in nl.affine_range(m // 128):
        y = nl.load(x[r * 128:(r + 1) * 128, :])
        total = nl.sum(nl.square(y), axis=[1])
        scaled = nl.multiply(y, nl.reciprocal(nl.sqrt(total / k)))
        for c in nl.affine_range(n // 256):
            product = nl.zeros((128, 256), dtype=nl.float32, buffer=nl.psum)
            for b in nl.affine_range(k // 128):
                w_tile = nl.load(w[b * 128:(b + 1) * 128, c * 256:(c + 1) * 256])
                product += nl.matmul(scaled[:, b * 128:(b + 1) * 128], w_tile)
            nl.store(out[r * 128:(r + 1) * 128, c * 256:(c + 1) * 256], nl.copy(product))
    return out
