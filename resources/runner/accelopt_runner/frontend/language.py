# SPDX-License-Identifier: GPL-3.0-or-later
"""neuronxcc.nki.language: memory, loops, indices and composite functions. Pointwise functions are in pointwise.py."""

import numpy as np

from . import context, shapes
from .affine import INTEGERS, Index, Loop
from .context import fail
from .dtypes import NUMPY_OF
from .emit import REDUCTIONS, as_dtype_checked, check_bounds, copy_to, emit, in_scope, number, op_name, result_dtype, tile, writable
from .tensors import HBM, P_MAX, PRIVATE_HBM, PSUM, SBUF, SHARED_HBM, Buffer, ParDim, Slice, Tensor, View

par_dim = ParDim
MAX_TRIP = 1 << 24
MAX_UNROLL = 4096


# --- loops --------------------------------------------------------------------------------------------------------------------
def _range_arguments(api, arguments):
    if not 1 <= len(arguments) <= 3:
        fail("err_unsupported_operand", "%s takes stop, or start, stop and step." % api)
    values = []
    for value in arguments:
        if isinstance(value, View):
            fail("err_dynamic_control_flow_not_supported", "The bounds of %s depend on values in a tensor; loop bounds must be known when the kernel is "
                 "compiled." % api)
        plain = number(value)
        if plain is None or int(plain) != plain:
            fail("err_unsupported_operand", "The bounds of %s must be integers, not %r." % (api, value))
        values.append(int(plain))
    start, stop, step = (0, values[0], 1) if len(values) == 1 else (values[0], values[1], values[2] if len(values) == 3 else 1)
    if step == 0:
        fail("err_unsupported_operand", "The step of %s is 0." % api)
    trip = max(0, (stop - start + step - (1 if step > 0 else -1)) // step)
    if trip > MAX_TRIP:
        fail("err_trace_too_large", "A loop of %d iterations." % trip, "compile")
    return start, step, trip


def _loop(kind, api, arguments):
    trace = context.current(api)
    start, step, trip = _range_arguments(api, arguments)
    line = trace.line()
    if trip == 0:
        return
    if kind == "static" or line in trace.unroll:
        if trip > MAX_UNROLL:
            fail("err_trace_too_large", "Unrolling the loop of line %s would make %d copies of its body (at most %d)." % (line, trip, MAX_UNROLL), "compile")
        for n in range(trip):
            if kind == "static":
                yield start + n * step
                continue
            scope = trace.open_unrolled(line)
            try:
                yield start + n * step
            finally:
                if scope in trace.scopes:
                    trace.scopes.remove(scope)
                scope.closed = True
        return
    loop = Loop(kind, trace.loop_name(line) or "i%d" % len(trace.all_loops), start, step, trip, line)
    scope = trace.open(loop)
    try:
        yield Index(0, {loop: 1})
    except GeneratorExit:
        if trace.early is None:
            trace.early = scope
        raise
    trace.close(scope)


def affine_range(*arguments, **options):
    return _loop("affine", "nl.affine_range", arguments)


def sequential_range(*arguments, **options):
    return _loop("sequential", "nl.sequential_range", arguments)


def static_range(*arguments, **options):
    return _loop("static", "nl.static_range", arguments)


def python_range(*arguments):
    """What `range` means in a `for` statement of a kernel: a sequential device loop. Outside a trace it is Python's."""
    if context.active() is None:
        return range(*arguments)
    return _loop("sequential", "range", arguments)


# --- index objects -----------------------------------------------------------------------------------------------------------------
def arange(*arguments):
    context.current("nl.arange")
    start, step, trip = _range_arguments("nl.arange", arguments)
    if trip == 0:
        fail("err_unsupported_index_expression", "An empty nl.arange.")
    return Index(start, None, {0: step} if trip > 1 else None, (trip,))


class _Grid(tuple):
    """The result of nl.mgrid[…]: unpacks, and has .p (partitions), .x, .y, .z, .w."""

    p = property(lambda self: self[0])
    x = property(lambda self: self[1])
    y = property(lambda self: self[2])
    z = property(lambda self: self[3])
    w = property(lambda self: self[4])


class _MGrid:
    def __getitem__(self, key):
        context.current("nl.mgrid")
        keys = key if isinstance(key, tuple) else (key,)
        ranges = []
        for k in keys:
            if not isinstance(k, slice):
                fail("err_unsupported_index_expression", "nl.mgrid takes slices: nl.mgrid[0:128, 0:512].")
            start = 0 if k.start is None else k.start
            step = 1 if k.step is None else k.step
            start, step, trip = _range_arguments("nl.mgrid", (start, k.stop, step))
            if trip == 0:
                fail("err_unsupported_index_expression", "An empty range in nl.mgrid.")
            ranges.append((start, step, trip))
        shape = tuple(trip for _, _, trip in ranges)
        return _Grid(Index(start, None, {axis: step} if trip > 1 else None, shape) for axis, (start, step, trip) in enumerate(ranges))


mgrid = _MGrid()


def ds(start, size):
    context.current("nl.ds")
    plain = number(size) if not isinstance(size, View) else None
    if plain is None or int(plain) < 1:
        fail("err_unsupported_index_expression", "The size of nl.ds must be a positive integer.")
    if isinstance(start, View):
        fail("err_dynamic_control_flow_not_supported", "The start of nl.ds depends on values in a tensor.")
    return Slice(start if isinstance(start, Index) else int(start), int(plain))


# --- tensors -----------------------------------------------------------------------------------------------------------------------
def _shape(shape, api):
    if isinstance(shape, INTEGERS) or isinstance(shape, Index):
        shape = (shape,)
    sizes, pdim = [], None
    for axis, n in enumerate(shape):
        plain = number(n) if not isinstance(n, View) else None
        if plain is None or int(plain) != plain or plain < 1:
            fail("err_unsupported_shape", "The shape of %s must be positive integers, not %r." % (api, n))
        if isinstance(n, ParDim):
            if pdim is not None:
                fail("err_unsupported_shape", "More than one nl.par_dim in the shape of %s." % api)
            pdim = axis
        sizes.append(int(plain))
    return tuple(sizes), pdim


def _tensor(shape, dtype, buffer, name, api):
    trace = context.current(api)
    sizes, pdim = _shape(shape, api)
    if isinstance(buffer, str):
        buffer = {"sbuf": SBUF, "psum": PSUM, "hbm": HBM, "private_hbm": PRIVATE_HBM, "shared_hbm": SHARED_HBM}.get(buffer, buffer)
    if buffer is None:
        buffer = SBUF
    if not isinstance(buffer, Buffer):
        fail("err_unsupported_memory", "The buffer of %s is %r; the simulator knows nl.sbuf, nl.psum, nl.hbm, nl.private_hbm and nl.shared_hbm (no direct "
             "allocation)." % (api, getattr(buffer, "api", buffer)), "compile")
    if dtype is None:
        fail("err_unsupported_dtype", "%s needs a dtype." % api)
    kind = as_dtype_checked(dtype)
    if buffer.ir != "hbm":
        if len(sizes) < 2:
            fail("err_insufficient_rank", "Insufficient rank: an SBUF or PSUM tensor needs at least two dimensions, [partitions, free]; got %s." % (sizes,))
        pdim = 0 if pdim is None else pdim
        if pdim == len(sizes) - 1:
            fail("err_insufficient_rank", "Insufficient rank: the partition dimension of %s is the last one; a free dimension must follow it." % (sizes,))
        if sizes[pdim] > P_MAX:
            fail("err_num_partition_exceed_arch_limit", "The partition dimension is %d in the shape %s; the hardware has %d partitions." % (
                sizes[pdim], sizes, P_MAX))
    else:
        pdim = None
        if buffer is SHARED_HBM and (trace.scopes[len(trace.grid):] or trace.depth > 1):
            fail("err_shared_hbm_must_in_kernel_level", "An nl.shared_hbm tensor must be made at the top level of the kernel, not in a loop or another function.")
    tensor = Tensor(str(name or ""), buffer, "temporary", kind, sizes, pdim, trace.line(), trace)
    if buffer is SHARED_HBM:  # one for all programs of a grid
        tensor.scopes, tensor.loops = (), ()
    return tensor


def ndarray(shape, dtype=None, *, buffer=None, name="", **options):
    _no_options("nl.ndarray", options, ("lazy_initialization",))
    return _tensor(shape, dtype, buffer, name, "nl.ndarray").view()


def _no_options(api, options, known=()):
    for option in options:
        if option not in known:
            fail("err_unsupported_api", "%s has no argument %s that the simulator knows." % (api, option), "compile")


def full(shape, fill_value, dtype=None, *, buffer=None, name="", lazy_initialization=False, _api="nl.full", **options):
    _no_options(_api, options)
    value = number(fill_value)
    if value is None:
        fail("err_unsupported_operand", "The fill value of %s must be a number." % _api)
    ir = buffer.ir if isinstance(buffer, Buffer) else "hbm" if isinstance(buffer, str) and "hbm" in buffer else None
    if ir == "hbm":
        context.current(_api)
        fail("err_hbm_tensor_with_init_value_not_supported", "%s cannot make an HBM tensor with a value; use nl.ndarray and nl.store into it." % _api)
    tensor = _tensor(shape, dtype, buffer, name, _api)
    tensor.initialised = True
    if tensor.buffer is PSUM and value == 0:
        tensor.init = 0.0
        return tensor.view()
    _memset_blocks(tensor, value)
    return tensor.view()


def _memset_blocks(tensor, value):
    """One memset per block tile: loops over the block dimensions."""
    trace = context.current()
    scopes, index = [], []
    for n in tensor.shape[:tensor.pdim]:
        if n == 1:
            index.append(Index(0))
            continue
        loop = Loop("affine", "b%d" % len(trace.all_loops), 0, 1, n, tensor.line, implicit=True)
        scopes.append(trace.open(loop))
        index.append(Index(0, {loop: 1}))
    sizes = tensor.shape[tensor.pdim:]
    index += [shapes.unit(axis) if n > 1 else Index(0) for axis, n in enumerate(sizes)]
    view = View(tensor, sizes, tuple(index), 0)
    emit("memset", [value], ["value"], sizes, tensor.dtype, dst=view)
    for scope in reversed(scopes):
        trace.close(scope)


def zeros(shape, dtype=None, *, buffer=None, name="", lazy_initialization=False, **options):
    return full(shape, 0.0, dtype, buffer=buffer, name=name, _api="nl.zeros", **options)


def ones(shape, dtype=None, *, buffer=None, name="", **options):
    return full(shape, 1.0, dtype, buffer=buffer, name=name, _api="nl.ones", **options)


def empty_like(a, dtype=None, *, buffer=None, name="", **options):
    return ndarray(_like(a, "nl.empty_like"), dtype or a.dtype, buffer=buffer or (a.buffer if a.tensor.on_chip() else SBUF), name=name)


def zeros_like(a, dtype=None, *, buffer=None, name="", **options):
    return zeros(_like(a, "nl.zeros_like"), dtype or a.dtype, buffer=buffer or (a.buffer if a.tensor.on_chip() else SBUF), name=name)


def _like(a, api):
    if not isinstance(a, View):
        context.current(api)
        fail("err_unsupported_operand", "%s needs a tensor." % api)
    return tuple(ParDim(n) if axis == a.paxis and a.tensor.on_chip() else n for axis, n in enumerate(a.shape))


def shared_constant(constant, dtype=None, name="", **options):
    trace = context.current("nl.shared_constant")
    data = np.asarray(constant)
    if dtype is not None:
        kind = as_dtype_checked(dtype)
        if kind.name not in NUMPY_OF or kind.name in ("tfloat32", "float32r"):
            fail("err_unsupported_api", "A constant of the type %s is not supported by the simulator; make it float32 and cast it when it is loaded." % kind,
                 "compile")
        data = data.astype(kind.dtype)
    if data.dtype == np.float64:
        data = data.astype(np.float32)
    if data.dtype == np.int64:
        data = data.astype(np.int32)
    if data.size > 1 << 24:
        fail("err_trace_too_large", "A constant of %d elements." % data.size, "compile")
    tensor = Tensor(str(name or "constant"), SHARED_HBM, "constant", as_dtype_checked(data.dtype), tuple(int(n) for n in data.shape), None, trace.line(), trace)
    tensor.data = np.ascontiguousarray(data)
    tensor.written = True
    return tensor.view()


def shared_identity_matrix(n, dtype=np.uint8, **options):
    return shared_constant(np.identity(int(n)), dtype=dtype)


# --- data movement -----------------------------------------------------------------------------------------------------------------
def _hbm(view, api, role):
    if not isinstance(view, View):
        fail("err_unsupported_operand", "The %s of %s is a %s; an HBM tensor is needed." % (role, api, type(view).__name__))
    if view.tensor.on_chip():
        fail("err_unsupported_memory", "The %s of %s is in %s; it must be in HBM (on chip, use nl.copy or an assignment)." % (
            role, api, view.tensor.buffer.ir.upper()))
    in_scope(view)
    if len(view._shape) < 2:
        rank = len(view._shape)
        view = view.remap(view._shape + (1,) * (2 - rank), [shapes.unit(0)] if rank else [])
    if view._shape[0] > P_MAX:
        fail("err_num_partition_exceed_arch_limit", "%s moves a tile of the shape %s: %d partitions, the hardware has %d. The first dimension of the subscript "
             "runs over partitions; loop over blocks of 128." % (api, list(view._shape), view._shape[0], P_MAX))
    return view


def load(src, *, mask=None, dtype=None, **options):
    context.current("nl.load")
    _no_options("nl.load", options)
    view = _hbm(src, "nl.load", "source")
    return emit("load", [view], ["data"], view._shape, result_dtype(dtype, view.dtype), engine="dma", mask=mask, follow=(0,), buffers=("sbuf",))


def store(dst, value, *, mask=None, **options):
    context.current("nl.store")
    _no_options("nl.store", options)
    if isinstance(dst, View):
        writable(dst)
    target = _hbm(dst, "nl.store", "destination")
    plain = number(value)
    if plain is not None:
        emit("store", [plain], ["data"], target._shape, target.dtype, engine="dma", mask=mask, dst=target)
        return
    value = tile(value, "nl.store", "value")
    if target._shape[0] == 1 and value._shape[0] != 1 and len(target._shape) > 2:  # out[b, 0:128, :] written with b as a slice
        leading = next((axis for axis, n in enumerate(target._shape) if n != 1), 0)
        if target._shape[leading] == value._shape[0]:
            shape = target._shape[leading:] + (() if leading + 1 < len(target._shape) else (1,))
            target = target.remap(shape, [Index(0)] * leading + [shapes.unit(a) for a in range(len(target._shape) - leading)])
    copy_to(target, value, "nl.store", op="store", engine="dma", mask=mask)


def load_transpose2d(src, *, mask=None, dtype=None, **options):
    context.current("nl.load_transpose2d")
    if isinstance(src, View) and len(src._shape) == 2 and src._shape[1] > P_MAX:
        fail("err_num_partition_exceed_arch_limit", "nl.load_transpose2d makes %d partitions of the second dimension; the hardware has %d." % (
            src._shape[1], P_MAX))
    if not isinstance(src, View) or src.tensor.on_chip():
        _hbm(src, "nl.load_transpose2d", "source")
    in_scope(src)
    if len(src._shape) != 2:
        fail("err_exceed_max_supported_dimension", "nl.load_transpose2d takes a two-dimensional source, not %s." % list(src._shape))
    if mask is not None:
        fail("err_unsupported_api", "mask= of nl.load_transpose2d is not supported by the simulator.", "compile")
    check_bounds(src, src._shape, [])
    return emit("dma_transpose", [src], ["data"], (src._shape[1], src._shape[0]), result_dtype(dtype, src.dtype), engine="dma", buffers=("sbuf",), check=False)


def copy(src, *, mask=None, dtype=None, **options):
    context.current("nl.copy")
    _no_options("nl.copy", options, ("engine", "name"))
    view = tile(src, "nl.copy", "source")
    return emit("copy", [view], ["data"], view._shape, result_dtype(dtype, view.dtype), mask=mask, follow=(0,))


def static_cast(value, dtype, **options):
    return copy(value, dtype=dtype)


def broadcast_partitions(view, partitions):
    """A [1, …] tile over all partitions: a matmul with ones."""
    shape = (partitions,) + view._shape[1:]
    return emit("partition_broadcast", [view.remap(shape, [Index(0)] + [shapes.unit(a) for a in range(1, len(shape))])], ["data"], shape, view.dtype,
                engine="tensor")


def broadcast_to(src, *, shape, **options):
    context.current("broadcast_to")
    if not isinstance(src, View):
        fail("err_unsupported_operand", "broadcast_to needs a tile.")
    sizes, _ = _shape(shape, "broadcast_to")
    view = tile(src, "broadcast_to", "source")
    if len(view._shape) > len(sizes) or view._shape[0] not in (1, sizes[0]):
        fail("err_shape_mismatch", "A tile of the shape %s cannot be broadcast to %s." % (list(view._shape), list(sizes)))
    target = (view._shape[0],) + sizes[1:]
    if sizes[0] > P_MAX:
        fail("err_num_partition_exceed_arch_limit", "broadcast_to over %d partitions; the hardware has %d." % (sizes[0], P_MAX))
    if view._shape[0] != sizes[0]:
        view = broadcast_partitions(view, sizes[0])
        view.fresh = False
        target = sizes
    result = shapes.broadcast(view, target)
    if result is None:
        fail("err_shape_mismatch", "A tile of the shape %s cannot be broadcast to %s." % (list(src._shape), list(sizes)))
    return result


def expand_dims(data, axis):
    context.current("nl.expand_dims")
    if not isinstance(data, View):
        fail("err_unsupported_operand", "nl.expand_dims needs a tile.")
    return shapes.expand_dims(data, axis)


# --- matrix products and transposes ---------------------------------------------------------------------------------------------------
def transpose(x, *, dtype=None, mask=None, **options):
    context.current("nl.transpose")
    if isinstance(x, View) and x.tensor.on_chip() and len(x._shape) > 2:
        fail("err_exceed_max_supported_dimension", "nl.transpose takes two dimensions, not %s." % list(x._shape))
    from . import isa
    result = isa.transpose_on_tensor_engine(tile(x, "nl.transpose"), dtype, mask, "nl.transpose", {"implicit": True})
    return emit("copy", [result], ["data"], result._shape, result.dtype, follow=(0,), attrs={"implicit": True})


def matmul(x, y, *, transpose_x=False, mask=None, **options):
    trace = context.current("nl.matmul")
    _no_options("nl.matmul", options)
    from . import isa
    for value, role in ((x, "first operand"), (y, "second operand")):
        if isinstance(value, View) and value.tensor.on_chip() and len(value._shape) > 2:
            fail("err_exceed_max_supported_dimension", "The %s of nl.matmul has %d dimensions; it takes two." % (role, len(value._shape)))
    x, y = tile(x, "nl.matmul", "first operand", ("sbuf",)), tile(y, "nl.matmul", "second operand", ("sbuf",))
    contraction = x._shape[0] if transpose_x else x._shape[1]
    if contraction != y._shape[0]:
        fail("err_num_partition_mismatch", "nl.matmul: the contraction dimensions of %s%s and %s differ (%d and %d)." % (
            list(x._shape), " (transposed)" if transpose_x else "", list(y._shape), contraction, y._shape[0]))
    if contraction > P_MAX:
        fail("err_size_of_dimension_exceed_arch_limit", "nl.matmul contracts over %d elements; at most 128 in one instruction." % contraction)
    isa.matmul_limits("nl.matmul", x._shape[1] if transpose_x else x._shape[0], y._shape[1])
    if not transpose_x:
        transposed = isa.transpose_on_tensor_engine(x, None, None, "nl.matmul", {"implicit": True, "nl_matmul": True})
        x = emit("copy", [transposed], ["data"], transposed._shape, transposed.dtype, attrs={"implicit": True, "nl_matmul": True}, follow=(0,))
        x.settle()
    return isa.matmul_instruction(x, y, {} if transpose_x else {"implicit": True}, mask, "nl.matmul")


def loop_reduce(x, op, loop_indices, *, dtype=None, mask=None, **options):
    """dst = dst op x over the listed loops. The destination is the tile that the result is assigned to."""
    trace = context.current("nl.loop_reduce")
    name = op_name(op, "nl.loop_reduce", REDUCTIONS)
    view = tile(x, "nl.loop_reduce")
    loops = []
    for index in loop_indices:
        if not isinstance(index, Index) or len(index.loops) != 1 or index.axes or index.c:
            fail("err_unsupported_operand", "loop_indices of nl.loop_reduce takes the indices of device loops (one of them was unrolled, or is an expression).")
        trace.loops_open(index.loops)
        loops.extend(index.loops)
    if not loops:
        fail("err_unsupported_operand", "nl.loop_reduce needs loop_indices.")
    result = emit("loop_reduce", [view], ["data"], view._shape, result_dtype(dtype, view.dtype), mask=mask, follow=(0,),
                  attrs={"op": name, "loops": loops})
    outermost = min(trace.loops.index(loop) for loop in loops)
    tensor = result.tensor  # lives outside the loops that it is reduced over
    position = next(i for i, scope in enumerate(trace.scopes) if scope.loop is trace.loops[outermost])
    tensor.scopes, tensor.loops = tensor.scopes[:position], tensor.loops[:outermost]
    return result


# --- SPMD ------------------------------------------------------------------------------------------------------------------------------
def program_id(axis=0):
    trace = context.current("nl.program_id")
    if not trace.grid:
        return 0
    if not 0 <= int(axis) < len(trace.grid):
        fail("err_unsupported_operand", "nl.program_id(%s) in a grid of %d dimension(s)." % (axis, len(trace.grid)))
    loop = trace.all_loops[int(axis)]
    return Index(0, {loop: 1}) if loop.trip > 1 else 0


def num_programs(axes=0):
    trace = context.current("nl.num_programs")
    if axes is None:
        return int(np.prod(trace.grid, dtype=np.int64)) if trace.grid else 1
    if isinstance(axes, (tuple, list)):
        return tuple(num_programs(axis) for axis in axes)
    return trace.grid[int(axes)] if trace.grid and int(axes) < len(trace.grid) else 1


def program_ndim():
    return len(context.current("nl.program_ndim").grid)


def device_print(*arguments, **options):
    context.current("nl.device_print")


class TileSize:
    pmax = 128
    psum_fmax = 512
    gemm_stationary_fmax = 128
    gemm_moving_fmax = 512
    bn_stats_fmax = 512
    psum_min_align = 4
    sbuf_min_align = 1
    total_available_sbuf_size = 24 * 1024 * 1024


tile_size = TileSize()


def finfo(dtype):
    kind = as_dtype_checked(dtype)
    if kind.name not in ("float32", "float16"):
        fail("err_unsupported_api", "nl.finfo of %s is not supported by the simulator." % kind, "compile")
    return np.finfo(kind.dtype)


class Fp32Limits:
    min = float(np.finfo(np.float32).min)
    max = float(np.finfo(np.float32).max)
