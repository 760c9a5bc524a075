# SPDX-License-Identifier: GPL-3.0-or-later
"""neuronxcc.nki.isa: instructions as the hardware has them. Dimension limits as in the NKI ISA reference (Beta 1)."""

import numpy as np

from . import context, shapes
from .affine import Condition, Index
from .context import fail
from .dtypes import FLOAT32, UINT32, promote
from .emit import (ALU, BITWISE, REDUCTIONS, UNARY, align, as_dtype_checked, check_bounds, elementwise, emit, engine_name, in_scope, mask_terms,
                   number, op_name, result_dtype, same_partitions, tile, vector, writable)
from .pointwise import reduce_tile
from .tensors import P_MAX, PSUM, SBUF, View

MOVING_MAX, STATIONARY_MAX, VECTOR_TRANSPOSE_MAX, BN_STATS_MAX = 512, 128, 32, 512
FUNCTIONS = frozenset(("copy", "square", "sigmoid", "relu", "gelu", "gelu_dx", "gelu_apprx_tanh", "gelu_apprx_sigmoid", "silu", "silu_dx", "tanh",
                       "softplus", "mish", "erf", "erf_dx", "exp", "log", "sin", "arctan", "sqrt", "rsqrt", "reciprocal", "sign", "abs"))


class Engine:
    def __init__(self, name):
        self.engine = name

    def __repr__(self):
        return "nki.isa.%s_engine" % self.engine


tensor_engine, vector_engine, scalar_engine = Engine("tensor"), Engine("vector"), Engine("scalar")
gpsimd_engine, unknown_engine = Engine("gpsimd"), Engine("unknown")


class reduce_cmd:
    idle, reset, reduce, reset_reduce = "idle", "reset", "reduce", "reset_reduce"


class nc_version:
    gen2, gen3, gen4 = 2, 3, 4


class oob_mode:
    error, skip = 0, 1


class dge_mode:
    unknown, none, swdge, hwdge = 0, 1, 2, 3


def get_nc_version():
    return context.current("nisa.get_nc_version").generation


def _no_options(api, options):
    for option in options:
        fail("err_unsupported_api", "%s has no argument %s that the simulator knows." % (api, option), "compile")


def _start(api, options):
    context.current(api)
    _no_options(api, options)


# --- tensor engine ----------------------------------------------------------------------------------------------------------------
def matmul_limits(api, rows, columns):
    if rows > STATIONARY_MAX:
        fail("err_size_of_dimension_exceed_arch_limit", "%s: the stationary operand has %d columns; at most %d." % (api, rows, STATIONARY_MAX))
    if columns > MOVING_MAX:
        fail("err_size_of_dimension_exceed_arch_limit", "%s: the moving operand has %d columns; at most %d." % (api, columns, MOVING_MAX))


def matmul_instruction(stationary, moving, attrs, mask, api, name=None, dtype=FLOAT32):
    """stationary [K, M], moving [K, n…] -> psum [M, n…]."""
    if len(stationary._shape) != 2:
        flat = shapes.merge(stationary, (int(np.prod(stationary._shape[1:])),))
        if flat is None:
            fail("err_exceed_max_supported_dimension", "The stationary operand of %s has the shape %s; it takes two dimensions." % (
                api, list(stationary._shape)))
        stationary = flat
    shape = (stationary._shape[1],) + moving._shape[1:]
    terms = mask_terms(mask, shape)
    for view, rename in ((stationary, lambda axis: 1 if axis == 0 else None), (moving, lambda axis: axis if axis else None)):
        own = []
        for term in terms:
            axes = {rename(axis): k for axis, k in term.axes.items()}
            if None not in axes:
                own.append(Index(term.c, term.loops, axes, ()))
        check_bounds(view, view._shape, own)
    return emit("matmul", [stationary, moving], ["stationary", "moving"], shape, dtype, engine="tensor", buffer=PSUM, attrs=attrs, mask=mask,
                buffers=("psum",), name=name, check=False)


def nc_matmul(stationary, moving, *, is_stationary_onezero=False, is_moving_onezero=False, is_transpose=False, tile_position=(), tile_size=(),
              mask=None, name="", **options):
    _start("nisa.nc_matmul", options)
    stationary = tile(stationary, "nisa.nc_matmul", "stationary operand", ("sbuf",))
    moving = tile(moving, "nisa.nc_matmul", "moving operand", ("sbuf",))
    same_partitions("nisa.nc_matmul", stationary, moving)
    matmul_limits("nisa.nc_matmul", int(np.prod(stationary._shape[1:])), int(np.prod(moving._shape[1:])))
    attrs = {}
    for key, value in (("is_stationary_onezero", is_stationary_onezero), ("is_moving_onezero", is_moving_onezero), ("is_transpose", is_transpose)):
        if value:
            attrs[key] = True
    dtype = FLOAT32
    if is_transpose:
        if moving.size != moving._shape[0] ** 2:
            fail("err_shape_mismatch", "nisa.nc_matmul(is_transpose=True) needs a square identity as the moving operand, not %s." % list(moving._shape))
        dtype = stationary.dtype
    return matmul_instruction(stationary, moving, attrs, mask, "nisa.nc_matmul", name, dtype)


def _flat(view, api):
    """[P, F] of a tile with several free axes."""
    if len(view._shape) == 2:
        return view
    flat = shapes.merge(view, (int(np.prod(view._shape[1:])),))
    if flat is None:
        fail("err_exceed_max_supported_dimension", "%s takes two dimensions, not %s." % (api, list(view._shape)))
    return flat


def transpose_on_tensor_engine(view, dtype, mask, api, attrs=None):
    view = _flat(view, api)
    for n in view._shape:
        if n > P_MAX:
            fail("err_size_of_dimension_exceed_arch_limit", "%s of %s: the tensor engine transposes at most 128 x 128." % (api, list(view._shape)))
    if view.tensor.buffer.ir != "sbuf":
        fail("err_unsupported_memory", "%s reads SBUF; its operand is in PSUM (use nl.copy)." % api)
    return _transpose(view, "tensor", PSUM, ("psum",), dtype, mask, attrs)


def _transpose(view, engine, buffer, buffers, dtype, mask, attrs):
    shape = (view._shape[1], view._shape[0])
    terms = mask_terms(mask, shape)
    own = [Index(t.c, t.loops, {1 - axis: k for axis, k in t.axes.items()}, ()) for t in terms]
    check_bounds(view, view._shape, own)
    return emit("transpose", [view], ["data"], shape, result_dtype(dtype, view.dtype), engine=engine, buffer=buffer, mask=mask, attrs=attrs,
                buffers=buffers, check=False)


def nc_transpose(data, *, mask=None, dtype=None, engine=unknown_engine, name="", **options):
    _start("nisa.nc_transpose", options)
    view = tile(data, "nisa.nc_transpose")
    if engine_name(engine) == "vector":
        view = _flat(view, "nisa.nc_transpose")
        if max(view._shape) > VECTOR_TRANSPOSE_MAX:
            fail("err_size_of_dimension_exceed_arch_limit", "nisa.nc_transpose of %s on the vector engine: at most 32 x 32 (the tensor engine takes 128 x 128)." %
                 list(view._shape))
        return _transpose(view, "vector", SBUF, ("sbuf", "psum"), dtype, mask, None)
    return transpose_on_tensor_engine(view, dtype, mask, "nisa.nc_transpose")


# --- scalar engine ----------------------------------------------------------------------------------------------------------------
def activation(op, data, *, bias=None, scale=1.0, reduce_op=None, reduce_res=None, reduce_cmd="idle", mask=None, dtype=None, name="", **options):
    _start("nisa.activation", options)
    return _activation("nisa.activation", op, data, bias, scale, reduce_op, reduce_res, reduce_cmd or "idle", mask, dtype, name)


def activation_reduce(op, data, *, reduce_op=None, reduce_res=None, bias=None, scale=1.0, mask=None, dtype=None, name="", **options):
    _start("nisa.activation_reduce", options)
    if reduce_res is None:
        fail("err_unsupported_operand", "nisa.activation_reduce needs reduce_res=, a [P,1] tile.")
    return _activation("nisa.activation_reduce", op, data, bias, scale, reduce_op or "add", reduce_res, "reset_reduce", mask, dtype, name)


def _activation(api, op, data, bias, scale, reduce_op, reduce_res, command, mask, dtype, name):
    func = op_name(op, api, FUNCTIONS) if not isinstance(op, str) else op_name(op, api, FUNCTIONS)
    view = tile(data, api, "data")
    partitions, rank = view._shape[0], len(view._shape)
    sources, roles = [view], ["data"]
    if bias is not None:
        if not isinstance(bias, View):
            fail("err_activation_bias_invalid_type", "The bias of %s must be a [P,1] tile of float32, float16 or bfloat16, not %r (nisa.memset makes one)." % (api, bias))
        if bias.dtype.name not in ("float32", "float16", "bfloat16"):
            fail("err_activation_bias_invalid_type", "The bias of %s is %s; it must be float32, float16 or bfloat16." % (api, bias.dtype))
        sources.append(vector(bias, api, "bias", partitions, rank))
        roles.append("bias")
    if isinstance(scale, View):
        if scale.dtype.name != "float32":
            fail("err_activation_scale_invalid_type", "The scale of %s is a %s tile; it must be a number or a float32 tile." % (api, scale.dtype))
        if any(n != 1 for n in scale._shape[1:]):
            fail("err_activation_scale_scalar_or_vector", "The scale of %s has the shape %s; it must be a number or [P,1]." % (api, list(scale._shape)))
        sources.append(vector(scale, api, "scale", partitions, rank))
        roles.append("scale")
    else:
        value = number(scale)
        if value is None:
            fail("err_activation_scale_invalid_type", "The scale of %s must be a number or a float32 [P,1] tile, not a %s." % (api, type(scale).__name__))
        if value != 1:
            sources.append(value)
            roles.append("scale")
    attrs = {"func": func}
    dst2 = None
    if command != "idle" or reduce_res is not None:
        attrs["reduce_op"] = op_name(reduce_op or "add", api, frozenset(("add",)))
        attrs["reduce_cmd"] = command
        if reduce_res is not None:
            dst2 = _side(reduce_res, api, partitions, rank)
    result = emit("activation", sources, roles, view._shape, result_dtype(dtype, view.dtype), engine="scalar", attrs=attrs, mask=mask, follow=(0,), name=name)
    result.producer.dst2 = dst2
    return result


def _side(view, api, partitions, rank):
    """A reduction register's destination: [P,1] on chip."""
    if not isinstance(view, View):
        fail("err_unsupported_operand", "reduce_res of %s must be a [P,1] tile." % api)
    target = vector(view, api, "reduce_res", partitions, rank)
    writable(target)
    check_bounds(target, target._shape, [])
    target.tensor.base.written = True
    return target


# --- vector engine ----------------------------------------------------------------------------------------------------------------
def _same_class(api, op0, op1):
    if op1 is not None and (op0 in BITWISE) != (op1 in BITWISE):
        fail("err_unsupported_operator", "%s: %s and %s are of different classes (arithmetic and bitwise); both must be of one." % (api, op0, op1))


def _scalar_operand(value, api, role, view):
    operand = vector(value, api, role, view._shape[0], len(view._shape))
    if isinstance(operand, View) and operand.dtype.name != "float32" and operand.dtype.kind == "f" and view.dtype.kind == "f":
        fail("err_unsupported_dtype", "The %s of %s is a %s tile; a vector operand must be float32." % (role, api, operand.dtype))
    return operand


def _tensor_scalar(api, data, op0, operand0, reverse0, op1, operand1, reverse1, dtype, mask, engine, name, reduce_op=None, reduce_res=None):
    view = tile(data, api, "data")
    op0 = op_name(op0, api)
    sources = [view, _scalar_operand(0.0 if operand0 is None and op0 in UNARY else operand0, api, "operand0", view)]
    roles = ["data", "operand0"]
    attrs = {"op0": op0, "reverse0": bool(reverse0)}
    if op1 is not None:
        op1 = op_name(op1, api)
        _same_class(api, op0, op1)
        if operand1 is None and op1 not in UNARY:
            fail("err_unsupported_operand", "%s has op1 but no operand1." % api)
        sources.append(_scalar_operand(0.0 if operand1 is None else operand1, api, "operand1", view))
        roles.append("operand1")
        attrs.update(op1=op1, reverse1=bool(reverse1))
    dst2 = None
    if reduce_res is not None:
        attrs["reduce_op"] = op_name(reduce_op, api, REDUCTIONS)
        dst2 = _side(reduce_res, api, view._shape[0], len(view._shape))
    result = emit("tensor_scalar", sources, roles, view._shape, result_dtype(dtype, view.dtype), engine=engine_name(engine), attrs=attrs, mask=mask,
                  follow=(0,), name=name)
    result.producer.dst2 = dst2
    return result


def tensor_scalar(data, op0, operand0, reverse0=False, op1=None, operand1=None, reverse1=False, *, dtype=None, mask=None, engine=unknown_engine,
                  name="", **options):
    _start("nisa.tensor_scalar", options)
    return _tensor_scalar("nisa.tensor_scalar", data, op0, operand0, reverse0, op1, operand1, reverse1, dtype, mask, engine, name)


def tensor_scalar_reduce(*, data, op0, operand0, reduce_op, reduce_res, reverse0=False, dtype=None, mask=None, name="", **options):
    _start("nisa.tensor_scalar_reduce", options)
    return _tensor_scalar("nisa.tensor_scalar_reduce", data, op0, operand0, reverse0, None, None, False, dtype, mask, vector_engine, name, reduce_op, reduce_res)


def tensor_tensor(data1, data2, op, *, dtype=None, mask=None, engine=unknown_engine, name="", **options):
    _start("nisa.tensor_tensor", options)
    name_of_op = op_name(op, "nisa.tensor_tensor", ALU - UNARY)
    a, b = tile(data1, "nisa.tensor_tensor", "first operand"), tile(data2, "nisa.tensor_tensor", "second operand")
    shape, (a, b) = elementwise("nisa.tensor_tensor", a, b)
    return emit("tensor_tensor", [a, b], ["a", "b"], shape, result_dtype(dtype, promote(a.dtype, b.dtype)), engine=engine_name(engine),
                attrs={"op": name_of_op}, mask=mask, follow=(0, 1), name=name)


def scalar_tensor_tensor(*, data, op0, operand0, op1, operand1, reverse0=False, reverse1=False, dtype=None, mask=None, name="", **options):
    api = "nisa.scalar_tensor_tensor"
    _start(api, options)
    op0, op1 = op_name(op0, api, ALU - UNARY), op_name(op1, api, ALU - UNARY)
    _same_class(api, op0, op1)
    a, b = tile(data, api, "data"), tile(operand1, api, "operand1")
    shape, (a, b) = elementwise(api, a, b)
    return emit("scalar_tensor_tensor", [a, _scalar_operand(operand0, api, "operand0", a), b], ["data", "operand0", "operand1"], shape,
                result_dtype(dtype, promote(a.dtype, b.dtype)), attrs={"op0": op0, "reverse0": bool(reverse0), "op1": op1, "reverse1": bool(reverse1)},
                mask=mask, follow=(0, 2), name=name, engine="vector")


def tensor_tensor_scan(data0, data1, initial, op0, op1, reverse0=False, reverse1=False, *, dtype=None, mask=None, name="", **options):
    api = "nisa.tensor_tensor_scan"
    _start(api, options)
    if reverse0 or reverse1:
        fail("err_unsupported_api", "%s with reversed operands is not supported by the simulator." % api, "compile")
    a, b = tile(data0, api, "data0"), tile(data1, api, "data1")
    shape, (a, b) = elementwise(api, a, b)
    start = vector(initial, api, "initial", shape[0], len(shape))
    return emit("tensor_tensor_scan", [a, b, start], ["data0", "data1", "initial"], shape, result_dtype(dtype, promote(a.dtype, b.dtype)), engine="vector",
                attrs={"op0": op_name(op0, api, ALU - UNARY), "op1": op_name(op1, api, ALU - UNARY)}, mask=mask, follow=(0, 1), name=name)


def tensor_reduce(op, data, axis, *, mask=None, dtype=None, negate=False, keepdims=False, name="", **options):
    _start("nisa.tensor_reduce", options)
    return reduce_tile(op_name(op, "nisa.tensor_reduce", REDUCTIONS), data, axis, "nisa.tensor_reduce", dtype, mask, negate, keepdims, engine="vector",
                       trailing=True)


def tensor_partition_reduce(op, data, *, mask=None, dtype=None, name="", **options):
    api = "nisa.tensor_partition_reduce"
    _start(api, options)
    view = tile(data, api, "data", ("sbuf",))
    op = op_name(op, api, frozenset(("add", "maximum", "bitwise_or", "bitwise_and")))
    return emit("partition_reduce", [view], ["data"], (1,) + view._shape[1:], result_dtype(dtype, view.dtype), engine="gpsimd", attrs={"op": op},
                mask=mask, masked=view._shape)


def tensor_copy(src, *, mask=None, dtype=None, engine=unknown_engine, name="", **options):
    _start("nisa.tensor_copy", options)
    view = tile(src, "nisa.tensor_copy", "source")
    return emit("copy", [view], ["data"], view._shape, result_dtype(dtype, view.dtype), engine=engine_name(engine), mask=mask, follow=(0,), name=name)


def tensor_copy_predicated(*, src, dst, predicate, mask=None, dtype=None, reverse_pred=False, name="", **options):
    api = "nisa.tensor_copy_predicated"
    _start(api, options)
    target = tile(dst, api, "destination")
    shape = target._shape
    plain = number(src)
    sources = [plain if plain is not None else tile(src, api, "source"), tile(predicate, api, "predicate")]
    for position, view in enumerate(sources):
        if isinstance(view, View):
            same_partitions(api, view, target)
            sources[position] = align(view, shape)
            if sources[position] is None:
                sources[position] = shapes.broadcast(view, shape)
            if sources[position] is None:
                fail("err_shape_mismatch", "%s got the shapes %s and %s." % (api, list(view._shape), list(shape)))
    emit("copy_predicated", sources, ["data", "predicate"], shape, target.dtype, engine="vector", attrs={"reverse_pred": bool(reverse_pred)}, mask=mask, dst=target)


def reciprocal(data, *, dtype=None, mask=None, name="", **options):
    _start("nisa.reciprocal", options)
    view = tile(data, "nisa.reciprocal", "data")
    return emit("reciprocal", [view], ["data"], view._shape, result_dtype(dtype, view.dtype), engine="vector", mask=mask, follow=(0,), name=name)


def memset(shape, value, dtype, *, mask=None, engine=unknown_engine, name="", **options):
    from .language import _shape
    _start("nisa.memset", options)
    sizes, _ = _shape(shape, "nisa.memset")
    if len(sizes) < 2:
        fail("err_insufficient_rank", "Insufficient rank: nisa.memset makes a tile [partitions, free], got %s." % (sizes,))
    plain = number(value)
    if plain is None:
        fail("err_unsupported_operand", "The value of nisa.memset must be a number.")
    return emit("memset", [plain], ["value"], sizes, as_dtype_checked(dtype), engine=engine_name(engine), mask=mask, follow=(), name=name)


# --- statistics, search, shuffles ----------------------------------------------------------------------------------------------------
def _rows(api, mask, view):
    """A mask that only leaves out partitions."""
    terms = mask_terms(mask, view._shape)
    if any(axis for term in terms for axis in term.axes):
        fail("err_unsupported_api", "A mask over the free dimension of %s is not supported by the simulator; give it a slice." % api, "compile")
    check_bounds(view, view._shape, terms)
    return terms


def _whole_rows(op, view, shape, dtype, terms):
    result = emit(op, [view], ["data"], shape, dtype, engine="vector", check=False)
    result.producer.mask = terms
    return result


def bn_stats(data, *, mask=None, dtype=None, name="", **options):
    _start("nisa.bn_stats", options)
    view = _flat(tile(data, "nisa.bn_stats", "data"), "nisa.bn_stats")
    if view._shape[1] > BN_STATS_MAX:
        fail("err_size_of_dimension_exceed_arch_limit", "nisa.bn_stats of %d elements; at most %d." % (view._shape[1], BN_STATS_MAX))
    return _whole_rows("bn_stats", view, (view._shape[0], 6), result_dtype(dtype, view.dtype), _rows("nisa.bn_stats", mask, view))


def bn_aggr(data, *, mask=None, dtype=None, name="", **options):
    _start("nisa.bn_aggr", options)
    view = _flat(tile(data, "nisa.bn_aggr", "data"), "nisa.bn_aggr")
    if view._shape[1] % 3:
        fail("err_shape_mismatch", "nisa.bn_aggr takes the results of nisa.bn_stats (a multiple of 3 values), not %d." % view._shape[1])
    return _whole_rows("bn_aggr", view, (view._shape[0], 2), result_dtype(dtype, view.dtype), _rows("nisa.bn_aggr", mask, view))


def _search(api, view):
    view = _flat(tile(view, api, "data"), api)
    if not 8 <= view._shape[1] <= 16384:
        fail("err_size_of_dimension_exceed_arch_limit", "%s takes 8 to 16384 elements per partition, not %d." % (api, view._shape[1]))
    check_bounds(view, view._shape, [])
    return view


def max8(*, src, mask=None, dtype=None, name="", **options):
    _start("nisa.max8", options)
    view = _search("nisa.max8", src)
    _unmasked("nisa.max8", mask)
    return emit("max8", [view], ["data"], (view._shape[0], 8), result_dtype(dtype, view.dtype), engine="vector", check=False)


def _unmasked(api, mask):
    if mask is not None:
        fail("err_unsupported_api", "mask= of %s is not supported by the simulator." % api, "compile")


def _eight(api, vals, view):
    vals = _flat(tile(vals, api, "vals"), api)
    same_partitions(api, view, vals)
    if vals._shape[1] != 8:
        fail("err_shape_mismatch", "The vals of %s must be [P, 8], not %s." % (api, list(vals._shape)))
    check_bounds(vals, vals._shape, [])
    return vals


def nc_find_index8(*, data, vals, mask=None, dtype=None, name="", **options):
    api = "nisa.nc_find_index8"
    _start(api, options)
    view = _search(api, data)
    _unmasked(api, mask)
    return emit("find_index8", [view, _eight(api, vals, view)], ["data", "values"], (view._shape[0], 8), result_dtype(dtype, UINT32), engine="vector", check=False)


def nc_match_replace8(*, data, vals, imm, mask=None, dtype=None, name="", **options):
    api = "nisa.nc_match_replace8"
    _start(api, options)
    view = _search(api, data)
    _unmasked(api, mask)
    value = number(imm)
    if value is None:
        fail("err_unsupported_operand", "imm of %s must be a number." % api)
    return emit("match_replace8", [view, _eight(api, vals, view), value], ["data", "values", "value"], view._shape, result_dtype(dtype, view.dtype),
                engine="vector", check=False)


def nc_stream_shuffle(src, dst, shuffle_mask, *, mask=None, name="", **options):
    api = "nisa.nc_stream_shuffle"
    _start(api, options)
    _unmasked(api, mask)
    source, target = tile(src, api, "source"), tile(dst, api, "destination")
    lanes = [number(lane) for lane in shuffle_mask]
    if len(lanes) != 32 or any(lane is None or not (0 <= int(lane) < 32 or int(lane) == 255) for lane in lanes):
        fail("err_unsupported_operand", "shuffle_mask of %s must be 32 partitions 0…31 (255 keeps the destination)." % api)
    if source._shape[0] % 32 or source._shape != target._shape:
        fail("err_shape_mismatch", "%s needs source and destination of one shape over a multiple of 32 partitions, not %s and %s." % (
            api, list(source._shape), list(target._shape)))
    emit("shuffle", [source], ["data"], target._shape, target.dtype, engine="vector", attrs={"shuffle_mask": [int(lane) for lane in lanes]}, dst=target)


# --- GpSimd ----------------------------------------------------------------------------------------------------------------------------
def iota(expr, dtype, *, mask=None, name="", **options):
    _start("nisa.iota", options)
    if not isinstance(expr, Index) or len(expr.shape) < 2:
        fail("err_unsupported_operand", "nisa.iota takes an index expression of at least two dimensions, such as nl.arange(128)[:, None] + nl.arange(512)[None, :].")
    context.current().loops_open(expr.loops)
    return emit("iota", [], [], expr.shape, as_dtype_checked(dtype), engine="gpsimd", mask=mask, attrs={"expr": Index(expr.c, expr.loops, expr.axes, ())})


def affine_select(pred, on_true_tile, on_false_value, *, mask=None, dtype=None, name="", **options):
    api = "nisa.affine_select"
    _start(api, options)
    view = tile(on_true_tile, api, "on_true_tile")
    value = number(on_false_value)
    if value is None:
        fail("err_unsupported_operand", "on_false_value of %s must be a number." % api)
    if not isinstance(pred, Condition):
        fail("err_unsupported_expression_in_mask", "pred of %s must be an affine comparison of nl.arange expressions." % api)
    return emit("affine_select", [view, value], ["on_true", "on_false"], view._shape, result_dtype(dtype, view.dtype), engine="gpsimd",
                attrs={"pred": mask_terms(pred, view._shape)}, mask=mask, name=name)


# --- DMA --------------------------------------------------------------------------------------------------------------------------------
def dma_copy(*, dst, src, mask=None, dst_rmw_op=None, oob_mode=0, dge_mode=0, name="", **options):
    api = "nisa.dma_copy"
    _start(api, options)
    views = []
    for view, role in ((dst, "destination"), (src, "source")):
        if not isinstance(view, View):
            fail("err_unsupported_operand", "The %s of %s is a %s." % (role, api, type(view).__name__))
        views.append(tile(view, api, role) if view.tensor.on_chip() else _dma_view(view))
    target, source = views
    writable(target)
    if target._shape != source._shape:
        fitted = align(source, target._shape) if source._shape[0] == target._shape[0] else None
        if fitted is None:
            fail("err_store_dst_shape_smaller_than_other_shape", "%s from %s to %s." % (api, list(source._shape), list(target._shape)))
        source = fitted
    attrs = {}
    if dst_rmw_op is not None:
        attrs["rmw"] = op_name(dst_rmw_op, api, frozenset(("add",)))
    emit("dma_copy", [source], ["data"], target._shape, target.dtype, engine="dma", attrs=attrs, mask=mask, dst=target)


def _dma_view(view):
    """HBM to HBM moves rows without regard to partitions."""
    in_scope(view)
    if len(view._shape) < 2:
        rank = len(view._shape)
        view = view.remap((1,) * (2 - rank) + view._shape, [shapes.unit(1)] if rank else [])
    return view
