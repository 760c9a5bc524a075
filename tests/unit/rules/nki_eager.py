# SPDX-License-Identifier: GPL-3.0-or-later
"""NKI kernels run eagerly on NumPy, loop by loop: an oracle for "did the rewrite change the numbers?" that shares no code with the rules
or the simulator. Only what the test kernels and the rules' output need; anything else raises AttributeError."""
import types

import numpy as np


class Tile(np.ndarray):
    """An array with the tile methods kernels use."""

    def broadcast_to(self, shape):
        return tile(np.array(np.broadcast_to(self, shape)))


class Limit(AssertionError):
    """A hardware limit was broken."""


def tile(array):
    return np.asarray(array, dtype=np.float32).view(Tile)


def need(condition, message):
    if not condition:
        raise Limit(message)


def operand(value):
    return value if np.isscalar(value) or isinstance(value, (int, float)) else np.asarray(value)


def rows(*values):
    sizes = {np.shape(v)[0] for v in values if np.ndim(v) >= 2}
    need(len(sizes) <= 1, "operands with different partition counts: %s" % sorted(sizes))


def silu(x):
    return x / (1 + np.exp(-x))


FUNCTIONS = {"exp": np.exp, "log": np.log, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "square": np.square, "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
             "silu": silu, "tanh": np.tanh, "relu": lambda x: np.maximum(x, 0), "copy": lambda x: x, "reciprocal": lambda x: 1 / x, "negative": np.negative}
OPERATIONS = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "maximum": np.maximum, "minimum": np.minimum}
NAMES = {**FUNCTIONS, **OPERATIONS}


def named(function):
    for name, known in NAMES.items():
        if getattr(function, "nki_name", None) == name or function is known:
            return known
    raise AttributeError("no such operation: %r" % (function,))


def unary(name):
    def call(x, dtype=None, mask=None):
        return tile(FUNCTIONS[name](operand(x)))
    call.nki_name = name
    return call


def binary(name):
    def call(x, y, dtype=None, mask=None):
        rows(x, y)
        return tile(OPERATIONS[name](operand(x), operand(y)))
    call.nki_name = name
    return call


def allocate(shape, dtype=None, buffer=None, name=None, value=np.nan):
    if buffer in ("sbuf", "psum", None):
        need(shape[-2] <= 128, "more than 128 partitions")
    if buffer == "psum":
        need(shape[-1] <= 512, "a PSUM tile wider than a bank")
    return tile(np.full(shape, value, dtype=np.float32))


def load(src, dtype=None, mask=None):
    need(np.shape(src)[0] <= 128, "a load over more than 128 partitions")
    return tile(np.array(src))


def store(dst, value=None, mask=None):
    dst[...] = value


def transpose(x, dtype=None, mask=None):
    need(max(np.shape(x)) <= 128, "a transpose larger than 128")
    return tile(np.asarray(x).T.copy())


def matmul(x, y, transpose_x=False, mask=None):
    x = np.asarray(x) if transpose_x else np.asarray(x).T
    need(x.shape[0] == np.shape(y)[0] and x.shape[0] <= 128 and x.shape[1] <= 128 and np.shape(y)[1] <= 512, "matmul limits")
    return tile(x.T @ np.asarray(y))


def activation(op, data, bias=None, scale=1.0, dtype=None, mask=None):
    rows(data, bias if bias is not None else 0.0, scale)
    value = operand(data) * operand(scale)
    return tile(named(op)(value if bias is None else value + operand(bias)))


def activation_reduce(op, data, reduce_op=None, reduce_res=None, bias=None, scale=1.0, dtype=None, mask=None):
    value = activation(op, data, bias, scale)
    reduce_res[...] = np.sum(value, axis=1, keepdims=True)
    return value


def tensor_scalar(data, op0=None, operand0=None, reverse0=False, op1=None, operand1=None, reverse1=False, engine=None, dtype=None, mask=None):
    value = operand(data)
    for op, other, reverse in ((op0, operand0, reverse0), (op1, operand1, reverse1)):
        if op is not None:
            need(np.ndim(other) == 0 or np.shape(other)[-1] == 1, "tensor_scalar takes numbers or [P, 1]")
            value = named(op)(operand(other), value) if reverse else named(op)(value, operand(other))
    return tile(value)


def scalar_tensor_tensor(data, op0, operand0, op1, operand1, reverse0=False, reverse1=False, dtype=None, mask=None):
    need(np.shape(data) == np.shape(operand1), "scalar_tensor_tensor takes tiles of one shape")
    value = tensor_scalar(data, op0, operand0, reverse0)
    return tile(named(op1)(operand(operand1), value) if reverse1 else named(op1)(value, operand(operand1)))


def tensor_tensor(data1, data2, op, dtype=None, mask=None):
    need(np.shape(data1) == np.shape(data2), "tensor_tensor takes tiles of one shape")
    return tile(named(op)(operand(data1), operand(data2)))


def reduction(function):
    def call(x, axis, dtype=None, keepdims=True):
        return tile(function(np.asarray(x), axis=tuple(axis) if isinstance(axis, (list, tuple)) else axis, keepdims=True))
    return call


def tensor_copy(src, engine=None, dtype=None, mask=None):
    return tile(np.array(src))


class Writable(np.ndarray):
    """An HBM tensor: indexing with arange objects gives a copy in NumPy, so stores go through a view that remembers its place."""

    def __getitem__(self, index):
        value = super().__getitem__(index)
        if isinstance(value, np.ndarray) and value.ndim and not np.shares_memory(value, self):
            view = value.view(Place)
            view.parent, view.index = self, index
            return view
        return value


class Place(np.ndarray):
    parent = None
    index = None

    def __setitem__(self, index, value):
        if self.parent is not None:
            self.parent[self.index] = value
        super().__setitem__(index, value)


def hbm(shape, dtype=None, buffer=None, name=None):
    return np.full(shape, np.nan, dtype=np.float32).view(Writable)


def ndarray(shape, dtype=None, buffer=None, name=None):
    return hbm(shape) if buffer in ("hbm", "shared_hbm") else allocate(shape, dtype, buffer)


def modules():
    nl = types.SimpleNamespace(
        float32=np.float32, sbuf="sbuf", psum="psum", hbm="hbm", shared_hbm="shared_hbm", par_dim=lambda n: n, ndarray=ndarray,
        zeros=lambda shape, dtype=None, buffer=None, **_: allocate(shape, dtype, buffer, value=0.0), affine_range=range, sequential_range=range,
        static_range=range, arange=np.arange, mgrid=np.mgrid, ds=lambda start, size: slice(start, start + size), load=load, store=store,
        transpose=transpose, matmul=matmul, sum=reduction(np.sum), max=reduction(np.max), mean=reduction(np.mean),
        broadcast_to=lambda x, shape: tile(np.array(np.broadcast_to(x, shape))),
        tile_size=types.SimpleNamespace(pmax=128, psum_fmax=512, gemm_moving_fmax=512, gemm_stationary_fmax=128),
        **{n: unary(n) for n in FUNCTIONS}, **{n: binary(n) for n in OPERATIONS})
    nisa = types.SimpleNamespace(
        activation=activation, activation_reduce=activation_reduce, tensor_scalar=tensor_scalar, scalar_tensor_tensor=scalar_tensor_tensor,
        tensor_tensor=tensor_tensor, nc_transpose=transpose, reciprocal=lambda data, dtype=None, mask=None: tile(1 / operand(data)), tensor_copy=tensor_copy,
        nc_matmul=lambda stationary, moving: matmul(stationary, moving, transpose_x=True), vector_engine="vector", scalar_engine="scalar",
        tensor_reduce=lambda op, data, axis: tile(np.sum(np.asarray(data), axis=tuple(np.atleast_1d(axis)), keepdims=True)),
        memset=lambda shape, value, dtype=None: allocate(shape, value=value))
    nki = types.SimpleNamespace(jit=lambda f: f, language=nl, isa=nisa)
    return nki, nl, nisa


def run(source, *inputs):
    """Executes the kernel on these arrays; returns what it returns."""
    nki, nl, nisa = modules()
    lines = [line if not line.strip().startswith(("import neuronxcc", "from neuronxcc")) else "" for line in source.splitlines()]
    space = {"nki": nki, "nl": nl, "nisa": nisa, "np": np}
    exec(compile("\n".join(lines), "<kernel>", "exec"), space)
    arrays = [np.array(i).view(Writable) if isinstance(i, np.ndarray) else i for i in inputs]
    with np.errstate(all="ignore"):
        result = space.get("kernel", space.get("optimized_kernel"))(*arrays)
    return np.asarray(result)
