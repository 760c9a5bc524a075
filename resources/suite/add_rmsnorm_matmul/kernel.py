# SPDX-License-Identifier: GPL-3.0-or-later
import neuronxcc.nki as nki
import neuronxcc.nki.language as nl

TILE_M = 128
TILE_K = 128
TILE_N = 512


@nki.jit
def kernel(x, w, eps, z, g):
    """out = rmsnorm(x + z) * g @ w, one block of 128 rows at a time."""
    m, k = x.shape
    _, n = w.shape
    out = nl.ndarray((m, n), dtype=x.dtype, buffer=nl.shared_hbm)
    gain = g.reshape((1, k))

    i_row = nl.arange(TILE_M)[:, None]
    i_k = nl.arange(k)[None, :]
    i_n = nl.arange(TILE_N)[None, :]
    i_one = nl.arange(1)[:, None]

    for r in nl.affine_range(m // TILE_M):
        x_tile = nl.load(x[r * TILE_M + i_row, i_k])
        z_tile = nl.load(z[r * TILE_M + i_row, i_k])
        y = nl.add(x_tile, z_tile)

        # y / sqrt(mean(y^2) + eps)
        squares = nl.square(y)
        total = nl.sum(squares, axis=[1])
        mean = nl.multiply(total, 1.0 / k)
        shifted = nl.add(mean, eps)
        root = nl.sqrt(shifted)
        scale = nl.reciprocal(root)
        normalised = nl.multiply(y, scale)

        g_tile = nl.load(gain[i_one, i_k])
        g_rows = g_tile.broadcast_to((TILE_M, k))
        scaled = nl.multiply(normalised, g_rows)

        for c in nl.affine_range(n // TILE_N):
            product = nl.zeros((TILE_M, TILE_N), dtype=nl.float32, buffer=nl.psum)
            for b in nl.affine_range(k // TILE_K):
                w_tile = nl.load(w[b * TILE_K:(b + 1) * TILE_K, c * TILE_N:(c + 1) * TILE_N])
                product += nl.matmul(scaled[:, b * TILE_K:(b + 1) * TILE_K], w_tile)
            out_tile = nl.copy(product, dtype=x.dtype)
            nl.store(out[r * TILE_M + i_row, c * TILE_N + i_n], out_tile)

    return out
