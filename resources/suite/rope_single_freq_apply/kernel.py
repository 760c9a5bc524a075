# SPDX-License-Identifier: GPL-3.0-or-later
import neuronxcc.nki as nki
import neuronxcc.nki.language as nl

TILE = 512


@nki.jit
def kernel(x, cos, sin):
    """Rotates the halves of x (partitions 0..63 and 64..127) into each other, 512 positions at a time.

    y[:half] = x[:half] * cos - x[half:] * sin
    y[half:] = x[:half] * sin + x[half:] * cos
    """
    d, positions = x.shape
    half = d // 2
    y = nl.ndarray((d, positions), dtype=x.dtype, buffer=nl.shared_hbm)

    i_half = nl.arange(half)[:, None]
    i_tile = nl.arange(TILE)[None, :]

    for t in nl.affine_range(positions // TILE):
        x0 = nl.load(x[i_half, t * TILE + i_tile])
        x1 = nl.load(x[half + i_half, t * TILE + i_tile])
        cos_tile = nl.load(cos[i_half, t * TILE + i_tile])
        sin_tile = nl.load(sin[i_half, t * TILE + i_tile])

        x0_cos = nl.multiply(x0, cos_tile)
        x1_sin = nl.multiply(x1, sin_tile)
        y0 = nl.subtract(x0_cos, x1_sin)
        nl.store(y[i_half, t * TILE + i_tile], y0)

        x0_sin = nl.multiply(x0, sin_tile)
        x1_cos = nl.multiply(x1, cos_tile)
        y1 = nl.add(x0_sin, x1_cos)
        nl.store(y[half + i_half, t * TILE + i_tile], y1)

    return y
