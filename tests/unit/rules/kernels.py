# SPDX-License-Identifier: GPL-3.0-or-later
"""Small kernels in several styles for the tests of the rules. Each has shapes small enough to run on NumPy."""
import numpy as np

HEADER = "import neuronxcc.nki as nki\nimport neuronxcc.nki.language as nl\nimport neuronxcc.nki.isa as nisa\nimport numpy as np\n\n\n"


def elementwise(body, columns=1024, tile=256, inputs=("x",), result="o", rows=256, extra=""):
    """A kernel that walks over rows and column tiles and applies `body` to the loaded tiles `t0`, `t1`…"""
    loads = "".join(f"            t{k} = nl.load({name}[i * 128:(i + 1) * 128, j * {tile}:(j + 1) * {tile}])\n" for k, name in enumerate(inputs))
    lines = "".join(f"            {line}\n" for line in body.strip().splitlines())
    return (HEADER + f"@nki.jit\ndef kernel({', '.join(inputs)}):\n"
            f"    out = nl.ndarray(({rows}, {columns}), dtype=nl.float32, buffer=nl.shared_hbm)\n{extra}"
            f"    for i in nl.affine_range({rows // 128}):\n        for j in nl.affine_range({columns // tile}):\n{loads}{lines}"
            f"            nl.store(out[i * 128:(i + 1) * 128, j * {tile}:(j + 1) * {tile}], value={result})\n    return out\n")


SILU = elementwise("n = nl.multiply(t0, -1.0)\ne = nl.exp(n)\nd = nl.add(e, 1.0)\nr = nl.divide(1.0, d)\no = nl.multiply(t0, r)")
SILU_OPERATORS = elementwise("e = nl.exp(-t0)\no = t0 / (1.0 + e)")
SILU_ISA = elementwise("e = nisa.activation(op=np.exp, data=t0, scale=-1.0)\nd = nisa.tensor_scalar(data=e, op0=np.add, operand0=1.0)\n"
                       "s = nisa.reciprocal(data=d)\no = nisa.tensor_tensor(t0, s, op=np.multiply)")

ARANGE = HEADER + '''@nki.jit
def kernel(x):
    """Advanced indexing, tiles declared in the loop, a comment that must survive."""
    out = nl.ndarray((256, 1024), dtype=nl.float32, buffer=nl.shared_hbm)
    i_p = nl.arange(128)[:, None]
    i_f = nl.arange(256)[None, :]
    for i in nl.affine_range(2):
        for j in nl.affine_range(4):
            # the tile
            t = nl.ndarray((nl.par_dim(128), 256), dtype=nl.float32, buffer=nl.sbuf)
            t[i_p, i_f] = nl.load(x[i * 128 + i_p, j * 256 + i_f])
            e = nl.exp(t[i_p, i_f])
            nl.store(out[i * 128 + i_p, j * 256 + i_f], value=e)
    return out
'''

NORM_MATMUL = HEADER + '''@nki.jit
def kernel(x, w, g):
    m, k = 256, 256
    n = 512
    out = nl.ndarray((m, n), dtype=nl.float32, buffer=nl.shared_hbm)
    for r in nl.affine_range(m // 128):
        for c in nl.affine_range(n // 128):
            xt = nl.load(x[r * 128:(r + 1) * 128, 0:k])
            s = nl.sum(nl.multiply(xt, xt), axis=[1])
            root = nl.sqrt(s / k)
            xn = nl.divide(xt, root)
            gt = nl.load(g[0:1, 0:k])
            xg = nl.multiply(xn, gt.broadcast_to((128, k)))
            acc = nl.zeros((nl.par_dim(128), 128), dtype=nl.float32, buffer=nl.psum)
            for b in nl.affine_range(k // 128):
                wt = nl.load(w[b * 128:(b + 1) * 128, c * 128:(c + 1) * 128])
                acc += nl.matmul(xg[:, b * 128:(b + 1) * 128], wt)
            res = nl.copy(acc, dtype=nl.float32)
            nl.store(out[r * 128:(r + 1) * 128, c * 128:(c + 1) * 128], value=res)
    return out
'''

ROTATE = HEADER + '''@nki.jit
def kernel(x, cos, sin):
    out = nl.ndarray((128, 2048), dtype=nl.float32, buffer=nl.shared_hbm)
    for s in range(0, 2048, 256):
        lo = nl.load(x[0:64, s:s + 256])
        hi = nl.load(x[64:128, s:s + 256])
        c = nl.load(cos[0:64, s:s + 256])
        d = nl.load(sin[0:64, s:s + 256])
        lc = nl.multiply(lo, c)
        hs = nl.multiply(hi, d)
        ls = nl.multiply(lo, d)
        hc = nl.multiply(hi, c)
        nl.store(out[0:64, s:s + 256], value=nl.subtract(lc, hs))
        nl.store(out[64:128, s:s + 256], value=nl.add(ls, hc))
    return out
'''

TWO_PASSES = HEADER + '''@nki.jit
def kernel(x, y):
    out = nl.ndarray((256, 512), dtype=nl.float32, buffer=nl.shared_hbm)
    tmp = nl.ndarray((256, 512), dtype=nl.float32, buffer=nl.hbm)
    for i in nl.affine_range(2):
        for j in nl.affine_range(2):
            a = nl.load(x[i * 128:(i + 1) * 128, j * 256:(j + 1) * 256])
            s = nl.square(a)
            nl.store(tmp[i * 128:(i + 1) * 128, j * 256:(j + 1) * 256], value=s)
    for p in nl.affine_range(2):
        for q in nl.affine_range(2):
            a = nl.load(tmp[p * 128:(p + 1) * 128, q * 256:(q + 1) * 256])
            b = nl.load(y[p * 128:(p + 1) * 128, q * 256:(q + 1) * 256])
            nl.store(out[p * 128:(p + 1) * 128, q * 256:(q + 1) * 256], value=nl.add(a, b))
    return out
'''

MATMUL = HEADER + '''TILE_N = 128


@nki.jit
def kernel(lhs, rhs):
    out = nl.ndarray((256, 1024), dtype=nl.float32, buffer=nl.shared_hbm)
    for m in nl.affine_range(256 // 128):
        for n in nl.affine_range(1024 // TILE_N):
            acc = nl.zeros((nl.par_dim(128), TILE_N), dtype=nl.float32, buffer=nl.psum)
            for k in nl.affine_range(256 // 128):
                a = nl.load(lhs[k * 128:(k + 1) * 128, m * 128:(m + 1) * 128])
                b = nl.load(rhs[k * 128:(k + 1) * 128, n * TILE_N:(n + 1) * TILE_N])
                acc += nisa.nc_matmul(a, b)
            nl.store(out[m * 128:(m + 1) * 128, n * TILE_N:(n + 1) * TILE_N], value=nl.copy(acc))
    return out
'''

DUMP = '''import numpy as np
from neuronxcc import nki
import neuronxcc.nki.language as nl
import neuronxcc.nki.isa as nisa


@nki.jit
def kernel(v1):
  import neuronxcc.nki as nki
  import neuronxcc.nki.language as nl
  v2 = nl.ndarray((2, 4, nl.par_dim(128), 512), dtype=np.float32, buffer=nl.sbuf, name='v2')
  v3 = nl.ndarray((2, 4, nl.par_dim(128), 512), dtype=np.float32, buffer=nl.sbuf, name='v3')
  v9 = nl.ndarray((256, 2048), dtype=np.float32, buffer=nl.shared_hbm)
  for i0 in nl.affine_range(2):
    for i1 in nl.affine_range(4):
      v2[i0, i1, nl.arange(128)[:, None], nl.arange(512)[None, :]] = nl.load(v1[nl.arange(128)[:, None] + 128 * i0, 512 * i1 + nl.arange(512)[None, :]], dtype=np.float32, mask=None)
      v3[i0, i1, nl.arange(128)[:, None], nl.arange(512)[None, :]] = nisa.activation(op=np.exp, data=v2[i0, i1, nl.arange(128)[:, None], nl.arange(512)[None, :]], bias=None, scale=np.dtype(np.float32).type(-1.0), mask=None, dtype=np.float32)
      v4 = nisa.tensor_scalar(data=v3[i0, i1, nl.arange(128)[:, None], nl.arange(512)[None, :]], op0=np.add, operand0=np.dtype(np.float32).type(1.0), reverse0=False, dtype=np.float32, mask=None)
      v5 = nisa.reciprocal(data=v4, mask=None, dtype=np.float32)
      v6 = nisa.tensor_tensor(v2[i0, i1, nl.arange(128)[:, None], nl.arange(512)[None, :]], v5, op=np.multiply, mask=None)
      nl.store(v9[nl.arange(128)[:, None] + 128 * i0, 512 * i1 + nl.arange(512)[None, :]], value=v6, mask=None)
      ' end loop i1 '
  return v9
'''

SOFTMAX_ROW = elementwise("m = nl.max(t0, axis=[1])\ns = nl.subtract(t0, m)\ne = nl.exp(s)\nz = nl.sum(e, axis=[1])\no = nl.divide(e, z)", columns=512, tile=512)


def arrays(*shapes, seed=7, positive=False):
    rng = np.random.default_rng(seed)
    made = [rng.standard_normal(s).astype(np.float32) for s in shapes]
    return [np.abs(a) + 0.5 for a in made] if positive else made


ALL = {
    "silu": (SILU, [(256, 1024)]), "silu_operators": (SILU_OPERATORS, [(256, 1024)]), "silu_isa": (SILU_ISA, [(256, 1024)]),
    "arange": (ARANGE, [(256, 1024)]), "norm_matmul": (NORM_MATMUL, [(256, 256), (256, 512), (1, 256)]),
    "rotate": (ROTATE, [(128, 2048), (64, 2048), (64, 2048)]), "two_passes": (TWO_PASSES, [(256, 512), (256, 512)]),
    "matmul": (MATMUL, [(256, 256), (256, 1024)]), "dump": (DUMP, [(256, 2048)]), "softmax": (SOFTMAX_ROW, [(256, 512)]),
}
