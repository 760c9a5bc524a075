# SPDX-License-Identifier: GPL-3.0-or-later
"""The suite's operators as an engineer or a model would rewrite them: all must trace and agree with NumPy."""
import unittest

import numpy as np

import interpreter

from support import normal, trace_source
from test_language import Case
import test_language

SILU = {
    "one activation": """
@nki.jit
def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    m, n = x.shape
    for i in nl.affine_range(m // 128):
        tile = nl.load(x[i * 128:(i + 1) * 128, :])
        nl.store(out[i * 128:(i + 1) * 128, :], nisa.activation(op=nl.silu, data=tile))
    return out
""",
    "sigmoid and multiply, wide tiles, ds": """
@nki.jit
def kernel(x):
    M, N = x.shape
    P, F = nl.tile_size.pmax, 512
    out = nl.ndarray((M, N), dtype=x.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(M // P):
        for j in nl.affine_range(N // F):
            t = nl.load(x[nl.ds(i * P, P), nl.ds(j * F, F)])
            s = nl.sigmoid(t)
            nl.store(out[nl.ds(i * P, P), nl.ds(j * F, F)], value=t * s)
    return out
""",
    "negated exponential with scale, two operations in one, in place": """
@nki.jit
def kernel(x):
    M, N = x.shape
    out = nl.ndarray((M, N), dtype=x.dtype, buffer=nl.shared_hbm)
    zero = nisa.memset((128, 1), 0.0, dtype=nl.float32)
    ip, jf = nl.mgrid[0:128, 0:N]
    for i in range(M // 128):
        t = nl.ndarray((nl.par_dim(128), N), dtype=nl.float32, buffer=nl.sbuf)
        t[ip, jf] = nl.load(x[i * 128 + ip, jf])
        e = nl.ndarray((128, N), dtype=nl.float32, buffer=nl.sbuf)
        e[...] = nisa.activation(op=np.exp, data=t, bias=zero, scale=-1.0)
        e[...] = nisa.tensor_scalar(e, op0=np.add, operand0=1.0, op1=nl.multiply, operand1=1.0)
        e[...] = nisa.reciprocal(e)
        t[...] = nisa.tensor_tensor(t, e, op=np.multiply)
        nl.store(out[i * 128 + ip, jf], t)
    return out
""",
    "three-dimensional view of the rows": """
@nki.jit
def kernel(x):
    M, N = x.shape
    out = nl.ndarray((M, N), dtype=x.dtype, buffer=nl.shared_hbm)
    xv, ov = x.reshape((M // 128, 128, N)), out.reshape((M // 128, 128, N))
    for i in nl.affine_range(M // 128):
        tile = nl.load(xv[i])
        nl.store(ov[i], tile / (1.0 + nl.exp(-tile)))
    return out
""",
    "long rows: every partition gets neighbouring rows": """
@nki.jit
def kernel(x):
    M, N = x.shape
    F = M * N // 128
    out = nl.ndarray((M, N), dtype=x.dtype, buffer=nl.shared_hbm)
    xv, ov = x.reshape((128, F)), out.reshape((128, F))
    for j in nl.affine_range(F // 512):
        nl.store(ov[:, j * 512:(j + 1) * 512], nl.silu(nl.load(xv[:, j * 512:(j + 1) * 512])))
    return out
""",
    "several row blocks in one tile": """
@nki.jit
def kernel(x):
    M, N = x.shape
    B = M // 128
    out = nl.ndarray((M, N), dtype=x.dtype, buffer=nl.shared_hbm)
    xv, ov = x.reshape((128, B, N)), out.reshape((128, B, N))
    i0, i1, i2 = nl.arange(128)[:, None, None], nl.arange(B)[None, :, None], nl.arange(N)[None, None, :]
    big = nl.ndarray((nl.par_dim(128), B, N), dtype=nl.float32, buffer=nl.sbuf)
    big[i0, i1, i2] = nl.load(xv[i0, i1, i2])
    nl.store(ov[i0, i1, i2], value=nisa.activation(nl.silu, big))
    return out
""",
    "unrolled with a list of buffers and a helper": """
def silu_tile(t):
    return nl.multiply(t, nl.sigmoid(t))

@nki.jit
def kernel(x):
    M, N = x.shape
    out = nl.ndarray((M, N), dtype=x.dtype, buffer=nl.shared_hbm)
    buffers = [nl.ndarray((128, N), dtype=nl.float32, buffer=nl.sbuf, name="b%d" % i) for i in range(2)]
    for i in nl.static_range(M // 128):
        buffers[i % 2][...] = nl.load(x[i * 128:(i + 1) * 128])
        nl.store(out[i * 128:(i + 1) * 128], silu_tile(buffers[i % 2]))
    return out
""",
    "masks for ragged tiles": """
import math
@nki.jit
def kernel(x):
    M, N = x.shape
    F = 300
    out = nl.ndarray((M, N), dtype=x.dtype, buffer=nl.shared_hbm)
    ip, jf = nl.arange(128)[:, None], nl.arange(F)[None, :]
    for i in nl.affine_range(math.ceil(M / 128)):
        for j in nl.affine_range(math.ceil(N / F)):
            inside = (i * 128 + ip < M) & (j * F + jf < N)
            t = nl.load(x[i * 128 + ip, j * F + jf], mask=inside)
            nl.store(out[i * 128 + ip, j * F + jf], nl.silu(t, mask=inside), mask=inside)
    return out
""",
}

ROPE = {
    "whole head, halves copied to partition 0": """
@nki.jit
def kernel(x, cos, sin):
    D, S = x.shape
    h, T = D // 2, 256
    out = nl.ndarray((D, S), dtype=x.dtype, buffer=nl.shared_hbm)
    for t in nl.affine_range(S // T):
        a = nl.load(x[:, t * T:(t + 1) * T])
        c, s = nl.load(cos[:, t * T:(t + 1) * T]), nl.load(sin[:, t * T:(t + 1) * T])
        lower = nl.copy(a[h:D, :])
        result = nl.ndarray((D, T), dtype=x.dtype, buffer=nl.sbuf)
        result[0:h, :] = nisa.tensor_tensor(nisa.tensor_tensor(a[0:h, :], c, nl.multiply), nisa.tensor_tensor(lower, s, nl.multiply), nl.subtract)
        result[h:D, :] = nisa.tensor_tensor(nisa.tensor_tensor(a[0:h, :], s, nl.multiply), nisa.tensor_tensor(lower, c, nl.multiply), nl.add)
        nl.store(out[:, t * T:(t + 1) * T], result)
    return out
""",
    "doubled tables, one multiply over all partitions": """
@nki.jit
def kernel(x, cos, sin):
    D, S = x.shape
    h, T = D // 2, 512
    out = nl.ndarray((D, S), dtype=x.dtype, buffer=nl.shared_hbm)
    for t in nl.affine_range(S // T):
        sl = nl.ds(t * T, T)
        cc = nl.ndarray((D, T), dtype=x.dtype)
        ss = nl.ndarray((D, T), dtype=x.dtype)
        cc[0:h] = nl.load(cos[0:h, sl])
        cc[h:D] = nl.load(cos[0:h, sl])
        ss[0:h] = nl.load(sin[0:h, sl])
        ss[h:D] = nl.load(sin[0:h, sl])
        straight = nl.load(x[0:D, sl])
        swapped = nl.ndarray((D, T), dtype=x.dtype)
        swapped[0:h] = nl.load(x[h:D, sl])
        swapped[h:D] = nl.load(x[0:h, sl])
        swapped[0:h] *= -1.0
        straight *= cc
        swapped *= ss
        straight += swapped
        nl.store(out[0:D, sl], straight)
    return out
""",
    "range with a step and rebound names": """
@nki.jit
def kernel(x, cos, sin):
    d, S = x.shape
    half = d // 2
    out = nl.ndarray((d, S), dtype=x.dtype, buffer=nl.shared_hbm)
    up = nl.arange(half)[:, None]
    low = up + half
    f = nl.arange(256)[None, :]
    for o in range(0, S, 256):
        pair = nl.ndarray((d, 256), dtype=x.dtype, buffer=nl.sbuf)
        c = pair[up, f]
        c = nl.load(cos[up, f + o])
        s = nl.load(sin[up, f + o])
        e, q = nl.load(x[up, f + o]), nl.load(x[low, f + o])
        nl.store(out[up, f + o], e * c - q * s)
        nl.store(out[low, f + o], e * s + q * c)
    return out
""",
}

RMS = {
    "weights resident, transposed once, reduction beside the activation": """
@nki.jit
def kernel(x, w, eps, z, g):
    M, K = x.shape
    N = w.shape[1]
    KB = K // 128
    out = nl.ndarray((M, N), dtype=x.dtype, buffer=nl.shared_hbm)
    wt = nl.ndarray((nl.par_dim(128), KB, N), dtype=w.dtype, buffer=nl.sbuf)
    for k in nl.affine_range(KB):
        wt[:, k, :] = nl.load(w[k * 128:(k + 1) * 128, :])
    gain = nl.load(g.reshape((1, K))).broadcast_to((128, K))
    eps_tile = nisa.memset((128, 1), eps, dtype=nl.float32)
    for i in nl.affine_range(M // 128):
        y = nl.add(nl.load(x[i * 128:(i + 1) * 128, :]), nl.load(z[i * 128:(i + 1) * 128, :]))
        total = nl.ndarray((128, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.activation_reduce(op=nl.square, data=y, reduce_op=np.add, reduce_res=total[...])
        inverse = nisa.activation(op=nl.rsqrt, data=total, scale=1.0 / K, bias=eps_tile)
        n = nisa.scalar_tensor_tensor(data=y, op0=np.multiply, operand0=inverse, op1=np.multiply, operand1=gain)
        nt_ = nl.ndarray((nl.par_dim(128), KB, 128), dtype=nl.float32, buffer=nl.sbuf)
        for k in nl.affine_range(KB):
            nt_[:, k, :] = nisa.tensor_copy(nisa.nc_transpose(n[:, k * 128:(k + 1) * 128]), engine=nisa.vector_engine)
        for j in nl.affine_range(N // 512):
            acc = nl.zeros((128, 512), dtype=nl.float32, buffer=nl.psum)
            for k in nl.affine_range(KB):
                acc += nisa.nc_matmul(nt_[:, k, :], wt[:, k, j * 512:(j + 1) * 512])
            nl.store(out[i * 128:(i + 1) * 128, j * 512:(j + 1) * 512], nl.copy(acc, dtype=out.dtype))
    return out
""",
    "gain folded into the weights, block dimensions, bn_stats": """
@nki.jit
def kernel(x, w, eps, z, g):
    M, K = x.shape
    N = w.shape[1]
    out = nl.ndarray((M, N), dtype=x.dtype, buffer=nl.shared_hbm)
    wb = nl.ndarray((K // 128, nl.par_dim(128), N), dtype=w.dtype, buffer=nl.sbuf)
    gk = nl.load(g.reshape((K // 128, 128, 1))[0])
    for k in nl.affine_range(K // 128):
        gk = nl.load(g.reshape((K // 128, 128, 1))[k])
        wb[k] = nl.multiply(nl.load(w[nl.ds(k * 128, 128), :]), gk)
    for i in nl.affine_range(M // 128):
        y = nl.load(x[nl.ds(i * 128, 128), :])
        y += nl.load(z[nl.ds(i * 128, 128), :])
        stats = nisa.bn_aggr(nisa.bn_stats(nl.square(y)))
        r = nl.rsqrt(nl.add(stats[:, 0:1], eps))
        yt = nl.ndarray((K // 128, nl.par_dim(128), 128), dtype=nl.float32, buffer=nl.sbuf)
        for k in nl.affine_range(K // 128):
            yt[k] = nl.copy(nl.transpose(y[:, nl.ds(k * 128, 128)]))
        row = nl.ndarray((128, N), dtype=nl.float32, buffer=nl.sbuf)
        for j in nl.affine_range(N // 256):
            acc = nl.zeros((128, 256), dtype=np.float32, buffer=nl.psum)
            for k in nl.affine_range(K // 128):
                acc[...] += nl.matmul(yt[k], wb[k, :, nl.ds(j * 256, 256)], transpose_x=True)
            row[:, nl.ds(j * 256, 256)] = nisa.tensor_scalar(acc, np.multiply, r)
        nl.store(out[nl.ds(i * 128, 128), :], value=row)
    return out
""",
    "identity from a constant, explicit transposes, loop_reduce for the sum": """
@nki.jit
def kernel(x, w, eps, z, g):
    M, K = x.shape
    N = w.shape[1]
    out = nl.ndarray((M, N), dtype=x.dtype, buffer=nl.shared_hbm)
    identity = nl.load(nl.shared_constant(np.identity(128, dtype=np.float32)))
    gain = nl.load(g.reshape((1, K))[nl.arange(1)[:, None], nl.arange(K)[None, :]])
    ip, iq = nl.arange(128)[:, None], nl.arange(128)[None, :]
    for i in nl.affine_range(M // 128):
        y = nl.ndarray((K // 128, nl.par_dim(128), 128), dtype=nl.float32)
        total = nl.ndarray((128, 1), dtype=nl.float32)
        for k in nl.affine_range(K // 128):
            y[k, ip, iq] = nl.load(x[i * 128 + ip, k * 128 + iq])
            y[k, ip, iq] = nl.add(y[k, ip, iq], nl.load(z[i * 128 + ip, k * 128 + iq]))
            part = nisa.tensor_reduce(np.add, nl.square(y[k, ip, iq]), axis=[1])
            total[ip, 0] = nl.loop_reduce(part, op=np.add, loop_indices=[k])
        scale = nl.rsqrt(nisa.tensor_scalar(total, np.multiply, 1.0 / K, op1=np.add, operand1=eps))
        for j in nl.affine_range(N // 512):
            acc = nl.zeros((128, 512), nl.float32, buffer=nl.psum, lazy_initialization=True)
            for k in nl.affine_range(K // 128):
                n = nl.multiply(nl.multiply(y[k], scale), gain[:, k * 128:(k + 1) * 128].broadcast_to((128, 128)))
                t = nl.copy(nisa.nc_matmul(n, identity, is_moving_onezero=True, is_transpose=True))
                acc[ip, nl.arange(512)[None, :]] += nisa.nc_matmul(t, nl.load(w[k * 128:(k + 1) * 128, j * 512:(j + 1) * 512]))
            nl.store(out[i * 128 + ip, j * 512 + nl.arange(512)[None, :]], acc)
    return out
""",
}


class Rewritings(Case):
    def check(self, kernels, inputs, wanted):
        for name, text in kernels.items():
            with self.subTest(name=name):
                traced = trace_source(text, "kernel", inputs)
                self.same(test_language.compute(traced, inputs)[0], wanted, 2e-5)

    def test_unrolled_or_not(self):
        """The same kernels with all loops unrolled: other paths through the tracer, the same numbers."""
        jobs = [(text, [normal(256, 1024)]) for text in SILU.values()]
        jobs += [(text, [normal(128, 1024), normal(64, 1024), normal(64, 1024)]) for text in ROPE.values()]
        jobs += [(text, [normal(256, 256), normal(256, 512), 1e-5, normal(256, 256), normal(256)]) for text in RMS.values() if "loop_reduce" not in text]
        for text, inputs in jobs:
            lines = range(1, text.count("\n") + 1)
            symbolic, unrolled = trace_source(text, "kernel", inputs), trace_source(text, "kernel", inputs, unroll=lines)
            self.assertEqual(unrolled.ir["loops"], [loop for loop in unrolled.ir["loops"] if loop.get("implicit")])
            self.same(interpreter.compute(unrolled, inputs)[0], interpreter.compute(symbolic, inputs)[0], 1e-6)

    def test_silu(self):
        x = normal(256, 1024)
        self.check(SILU, [x], x / (1 + np.exp(-x)))

    def test_rope(self):
        x, cos, sin = normal(128, 1024), normal(64, 1024), normal(64, 1024)
        self.check(ROPE, [x, cos, sin], np.concatenate([x[:64] * cos - x[64:] * sin, x[:64] * sin + x[64:] * cos]))

    def test_add_rmsnorm_matmul(self):
        x, w, z, g = normal(256, 256), normal(256, 512), normal(256, 256), normal(256)
        y = (x + z).astype(np.float64)
        self.check(RMS, [x, w, 1e-5, z, g], y / np.sqrt(np.mean(y * y, -1, keepdims=True) + 1e-5) * g @ w.astype(np.float64))


if __name__ == "__main__":
    unittest.main()
