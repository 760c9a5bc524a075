# SPDX-License-Identifier: GPL-3.0-or-later
"""neuronxcc.nki.language: pointwise functions, reductions and what is made of them."""

import numpy as np

from . import context, shapes
from .affine import INTEGERS
from .context import fail
from .dtypes import promote, promote_scalar
from .emit import binary, elementwise, emit, number, result_dtype, tile
from .tensors import View


def _name(function, name):
    function.__name__ = function.__qualname__ = name
    return function


# --- one operand -----------------------------------------------------------------------------------------------------------------
ACTIVATIONS = ("exp", "log", "sqrt", "rsqrt", "square", "sigmoid", "silu", "silu_dx", "gelu", "gelu_dx", "gelu_apprx_tanh", "gelu_apprx_sigmoid", "tanh",
               "relu", "softplus", "mish", "erf", "erf_dx", "sin", "cos", "tan", "arctan", "sign", "ceil", "floor", "rint", "trunc")


def _activation(name):
    api = "nl." + name

    def function(x, *, dtype=None, mask=None, **options):
        context.current(api)
        _no_options(api, options)
        view = tile(x, api)
        default = view.dtype
        return emit("activation", [view], ["data"], view._shape, result_dtype(dtype, default), engine="scalar", attrs={"func": name}, mask=mask, follow=(0,))

    return _name(function, name)


def _no_options(api, options):
    for option in options:
        fail("err_unsupported_api", "%s has no argument %s that the simulator knows." % (api, option), "compile")


for _each in ACTIVATIONS:
    globals()[_each] = _activation(_each)
abs_ = _name(_activation("abs"), "abs")


def reciprocal(x, *, dtype=None, mask=None, **options):
    context.current("nl.reciprocal")
    _no_options("nl.reciprocal", options)
    view = tile(x, "nl.reciprocal")
    return emit("reciprocal", [view], ["data"], view._shape, result_dtype(dtype, view.dtype), engine="vector", mask=mask, follow=(0,))


def negative(x, *, dtype=None, mask=None, **options):
    context.current("nl.negative")
    return binary("multiply", x, -1.0, "nl.negative", dtype, mask)


def invert(x, *, dtype=None, mask=None, **options):
    context.current("nl.invert")
    view = tile(x, "nl.invert")
    if view.dtype.kind == "f":
        fail("err_unsupported_dtype", "nl.invert takes integers, not %s." % view.dtype)
    return emit("tensor_scalar", [view, 0], ["data", "operand0"], view._shape, result_dtype(dtype, view.dtype), attrs={"op0": "invert", "reverse0": False},
                mask=mask, follow=(0,))


def logical_not(x, *, dtype=None, mask=None, **options):
    context.current("nl.logical_not")
    return binary("equal", x, 0.0, "nl.logical_not", dtype, mask)


# --- two operands -----------------------------------------------------------------------------------------------------------------
def _two(name):
    api = "nl." + name

    def function(x, y, *, dtype=None, mask=None, **options):
        context.current(api)
        _no_options(api, options)
        return binary(name, x, y, api, dtype, mask)

    return _name(function, name)


for _each in ("add", "subtract", "multiply", "maximum", "minimum", "power", "equal", "not_equal", "greater", "greater_equal", "less", "less_equal",
              "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"):
    globals()[_each] = _two(_each)


def divide(x, y, *, dtype=None, mask=None, **options):
    context.current("nl.divide")
    _no_options("nl.divide", options)
    return divide_views(x, y, dtype=dtype, mask=mask)


def divide_views(x, y, dtype=None, mask=None, operator=False):
    """There is no division in the ALU: multiply by the reciprocal (of the smaller operand where one is [P,1])."""
    api = "The operator /" if operator else "nl.divide"
    a, b = number(x), number(y)
    if a is not None and b is not None:
        return a / b
    if b is not None:
        if b == 0:
            fail("err_unsupported_operand", "%s divides by 0." % api)
        return binary("multiply", x, float(np.float32(1.0) / np.float32(b)), api, dtype, mask, operator=operator)
    view = tile(y, api, "divisor")
    kind = promote(x.dtype, view.dtype) if isinstance(x, View) else promote_scalar(view.dtype, a)
    if kind.kind != "f":
        kind = result_dtype("float32", None)
    same = isinstance(x, View) and x._shape == view._shape
    inverse = emit("reciprocal", [view], ["data"], view._shape, kind, engine="vector", mask=mask if same or a is not None else None, follow=(0,))
    if a == 1:
        return inverse
    return binary("multiply", x, inverse, api, dtype, mask, operator=operator)


def where(condition, x, y, *, dtype=None, mask=None, **options):
    context.current("nl.where")
    predicate = tile(condition, "nl.where", "condition")
    values = [number(x), number(y)]
    views = [predicate] + [tile(v, "nl.where") for v, plain in zip((x, y), values) if plain is None]
    shape, fitted = elementwise("nl.where", *views)
    rest = iter(fitted[1:])
    sources = [fitted[0]] + [plain if plain is not None else next(rest) for plain in values]
    kinds = [v.dtype for v in views[1:]]
    if len(kinds) == 2:
        kind = promote(*kinds)
    elif kinds:
        kind = promote_scalar(kinds[0], next(v for v in values if v is not None))
    else:
        kind = result_dtype("float32", None)
    follow = tuple(i for i, s in enumerate(sources) if isinstance(s, View))
    return emit("select", sources, ["predicate", "on_true", "on_false"], shape, result_dtype(dtype, kind), mask=mask, follow=follow)


# --- reductions along the free axes ------------------------------------------------------------------------------------------------
def reduce_axes(axis, rank, api, trailing=True):
    """axis= as sorted free axes; the instruction reduces the last ones only."""
    axes = [axis] if isinstance(axis, INTEGERS) else list(axis) if axis is not None else list(range(1, rank))
    result = []
    for a in axes:
        a = int(a)
        if not -rank <= a < rank:
            fail("err_unsupported_axis", "%s: axis %d of a tile of %d dimensions." % (api, a, rank))
        result.append(a % rank)
    result = sorted(set(result))
    if 0 in result:
        fail("err_unsupported_axis", "%s reduces along axis 0, the partitions, which the engines cannot do; transpose first, multiply with ones on the tensor "
             "engine, or use nisa.tensor_partition_reduce." % api)
    if trailing and result != list(range(result[0], rank)):
        fail("err_unsupported_axis", "%s reduces the axes %s; they must be the last ones, up to axis %d." % (api, result, rank - 1))
    return result


def reduce_tile(op, data, axis, api, dtype=None, mask=None, negate=False, keepdims=False, engine="unknown", trailing=False):
    view = tile(data, api, "data")
    rank = len(view._shape)
    axes = reduce_axes(axis, rank, api, trailing)
    if axes != list(range(axes[0], rank)):  # read the free axes in another order, which costs nothing
        if mask is not None:
            fail("err_unsupported_api", "mask= with a reduction of the axes %s, which are not the last ones, is not supported by the simulator." % axes, "compile")
        order = [a for a in range(rank) if a not in axes] + axes
        kept = tuple(1 if a in axes else n for a, n in enumerate(view._shape))
        view = view.remap(tuple(view._shape[a] for a in order), [shapes.unit(order.index(a)) for a in range(rank)])
        result = reduce_tile(op, view, list(range(rank - len(axes), rank)), api, dtype, None, negate, True, engine)
        return rerank(result, kept if keepdims else tuple(view._shape[:rank - len(axes)]))
    shape = tuple(1 if a in axes else n for a, n in enumerate(view._shape))
    result = emit("tensor_reduce", [view], ["data"], shape, result_dtype(dtype, view.dtype), engine=engine,
                  attrs={"op": op, "axes": axes, "negate": bool(negate)}, mask=mask, masked=view._shape)
    if keepdims or len(axes) == len(shape) - 1:
        if keepdims or len(shape) == 2:
            return result
        shape = (shape[0], 1)
    else:
        shape = shape[:axes[0]]
    return rerank(result, shape)


def rerank(result, shape):
    """A fresh result with axes of size 1 dropped, still the result of its instruction."""
    from .emit import align
    view = align(result, shape)
    view.producer, view.fresh = result.producer, True
    return view


def _reduction(name, op):
    api = "nl." + name

    def function(x, axis=None, *, dtype=None, mask=None, keepdims=False, **options):
        context.current(api)
        _no_options(api, options)
        return reduce_tile(op, x, axis, api, dtype, mask, keepdims=keepdims)

    return _name(function, name)


sum_, max_, min_, prod_ = _reduction("sum", "add"), _reduction("max", "maximum"), _reduction("min", "minimum"), _reduction("prod", "multiply")
all_ = _reduction("all", "logical_and")


def _count(view, axes):
    n = 1
    for axis in axes:
        n *= view._shape[axis]
    return n


def mean(x, axis=None, *, dtype=None, mask=None, keepdims=False, **options):
    context.current("nl.mean")
    _no_options("nl.mean", options)
    if mask is not None:
        fail("err_unsupported_api", "mask= of nl.mean is not supported by the simulator; use nl.sum and scale.", "compile")
    view = tile(x, "nl.mean")
    axes = reduce_axes(axis, len(view._shape), "nl.mean", False)
    total = reduce_tile("add", view, axis, "nl.mean", keepdims=keepdims)
    return binary("multiply", total, 1.0 / _count(view, axes), "nl.mean", dtype)


def var(x, axis=None, *, dtype=None, mask=None, keepdims=False, **options):
    context.current("nl.var")
    if mask is not None:
        fail("err_unsupported_api", "mask= of nl.var is not supported by the simulator.", "compile")
    view = tile(x, "nl.var")
    axes = reduce_axes(axis, len(view._shape), "nl.var", False)
    average = binary("multiply", reduce_tile("add", view, axis, "nl.var", keepdims=True), 1.0 / _count(view, axes), "nl.var")
    difference = binary("subtract", view, average, "nl.var")
    squared = globals()["square"](difference)
    total = reduce_tile("add", squared, axis, "nl.var", keepdims=keepdims)
    return binary("multiply", total, 1.0 / _count(view, axes), "nl.var", dtype)


def softmax(x, axis=-1, *, dtype=None, compute_dtype=None, mask=None, **options):
    context.current("nl.softmax")
    _no_options("nl.softmax", options)
    if mask is not None:
        fail("err_unsupported_api", "mask= of nl.softmax is not supported by the simulator.", "compile")
    view = tile(x, "nl.softmax")
    top = reduce_tile("maximum", view, axis, "nl.softmax", keepdims=True)
    e = globals()["exp"](binary("subtract", view, top, "nl.softmax"))
    total = reduce_tile("add", e, axis, "nl.softmax", keepdims=True)
    return binary("multiply", e, reciprocal(total), "nl.softmax", dtype)


def rms_norm(x, w, axis=-1, n=None, epsilon=1e-6, *, dtype=None, compute_dtype=None, mask=None, **options):
    context.current("nl.rms_norm")
    _no_options("nl.rms_norm", options)
    if mask is not None:
        fail("err_unsupported_api", "mask= of nl.rms_norm is not supported by the simulator.", "compile")
    view = tile(x, "nl.rms_norm")
    axes = reduce_axes(axis, len(view._shape), "nl.rms_norm")
    count = number(n) if n is not None else _count(view, axes)
    total = reduce_tile("add", globals()["square"](view), axis, "nl.rms_norm", keepdims=True)
    scaled = emit("tensor_scalar", [tile(total, "nl.rms_norm"), 1.0 / count, float(epsilon)], ["data", "operand0", "operand1"], total._shape, total.dtype,
                  attrs={"op0": "multiply", "reverse0": False, "op1": "add", "reverse1": False}, follow=(0,))
    normalised = binary("multiply", view, globals()["rsqrt"](scaled), "nl.rms_norm")
    return binary("multiply", normalised, w, "nl.rms_norm", dtype)
