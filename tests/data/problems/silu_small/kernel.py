# SPDX-License-Identifier: GPL-3.0-or-later
import neuronxcc.nki as nki
import neuronxcc.nki.language as nl

TILE_ROWS = 128
TILE_COLUMNS = 512


@nki.jit
def kernel(x):
    """y = x / (1 + exp(-x)), one tile of 128 rows and 512 columns at a time."""
    rows, columns = x.shape
    y = nl.ndarray((rows, columns), dtype=x.dtype, buffer=nl.shared_hbm)

    i_row = nl.arange(TILE_ROWS)[:, None]
    i_column = nl.arange(TILE_COLUMNS)[None, :]

    for r in nl.affine_range(rows // TILE_ROWS):
        for c in nl.affine_range(columns // TILE_COLUMNS):
            x_tile = nl.load(x[r * TILE_ROWS + i_row, c * TILE_COLUMNS + i_column])
            negated = nl.multiply(x_tile, -1.0)
            exponential = nl.exp(negated)
            denominator = nl.add(exponential, 1.0)
            sigmoid = nl.reciprocal(denominator)
            y_tile = nl.multiply(x_tile, sigmoid)
            nl.store(y[r * TILE_ROWS + i_row, c * TILE_COLUMNS + i_column], y_tile)

    return y
