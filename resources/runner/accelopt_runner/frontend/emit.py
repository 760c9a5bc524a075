# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes instructions: their masks, bounds, destinations, and what assignment does to the instruction just written."""

import numpy as np

from . import context, shapes
from .affine import Condition, Index, exceeds
from .context import Instruction, fail
from .dtypes import BOOL, FLOAT32, as_dtype, promote, promote_scalar
from .tensors import P_MAX, PSUM, SBUF, Tensor, View

NUMBERS = (int, float, np.integer, np.floating, bool, np.bool_)
ON_CHIP = ("sbuf", "psum")

COMPARISONS = frozenset(("equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "logical_and", "logical_or", "logical_xor"))
BITWISE = frozenset(("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", "invert"))
UNARY = frozenset(("rsqrt", "reciprocal", "abs", "invert", "bypass"))
ALU = COMPARISONS | BITWISE | UNARY | frozenset(("add", "subtract", "multiply", "maximum", "minimum", "power"))
REDUCTIONS = frozenset(("add", "subtract", "multiply", "maximum", "minimum", "logical_and", "logical_or", "logical_xor",
                        "bitwise_and", "bitwise_or", "bitwise_xor"))
_ALIASES = {"max": "maximum", "amax": "maximum", "min": "minimum", "amin": "minimum", "sum": "add", "prod": "multiply", "mul": "multiply",
            "sub": "subtract", "absolute": "abs", "pow": "power", "bitwise_not": "invert", "fmax": "maximum", "fmin": "minimum",
            "bitwise_invert": "invert", "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift"}


def op_name(op, api, allowed=ALU):
    """The name of an operator given as nl.add, np.add…"""
    name = op if isinstance(op, str) else getattr(op, "__name__", None)
    name = _ALIASES.get(name, name)
    if name not in allowed:
        fail("err_unsupported_operator", "%s does not take the operator %s; possible are %s." % (api, name or type(op).__name__, ", ".join(sorted(allowed))))
    return name


# --- operands -----------------------------------------------------------------------------------------------------------------
def number(value):
    """A Python number of an operand; loop indices are unrolled. None if it is a tile or something else."""
    if isinstance(value, NUMBERS):
        return value
    if isinstance(value, Index):
        return value._number("as data (use nisa.iota for index values)")
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return value.item()
    return None


def tile(value, api, role="operand", memory=ON_CHIP, rank=None):
    """A view that an instruction may read or write as a tile: on chip, partition axis first."""
    if not isinstance(value, View):
        fail("err_unsupported_operand", "The %s of %s is a %s; a tile is needed." % (role, api, type(value).__name__))
    buffer = value.tensor.buffer.ir
    if buffer not in memory:
        if buffer == "hbm":
            fail("err_unsupported_memory", "The %s of %s is in HBM (%s); nl.load it into SBUF first." % (role, api, value.tensor.name))
        fail("err_unsupported_memory", "The %s of %s is in %s; it must be in %s (use nl.copy)." % (role, api, buffer.upper(), " or ".join(memory).upper()))
    value.settle()
    in_scope(value)
    if value.paxis != 0:
        fail("err_failed_to_infer_tile_from_local_tensor", "The %s of %s, %s, starts with block dimensions; index them so that the partition dimension "
             "comes first." % (role, api, value))
    if rank is not None and len(value._shape) > rank:
        squeezed = shapes.squeeze_to(value, value._shape[:rank])
        if squeezed is None or len(squeezed._shape) != rank:
            fail("err_exceed_max_supported_dimension", "The %s of %s has %d dimensions, shape %s; at most %d are possible." % (
                role, api, len(value._shape), list(value._shape), rank))
        value = squeezed
    return value


def in_scope(view):
    for scope in view.tensor.scopes:
        if scope.closed:
            fail("err_local_variable_used_out_of_scope", "%s was made in line %s inside the loop of line %s and is used outside it; make it before the "
                 "loop and assign with x[...] = (rebinding a name in a loop makes a new tile)." % (view.tensor.name or "The tile", view.tensor.line, scope.line))


def same_partitions(api, *views):
    counts = [view._shape[0] for view in views]
    if len(set(counts)) > 1:
        fail("err_num_partition_mismatch", "%s got operands over %s partitions; they must agree." % (api, " and ".join(str(n) for n in counts)))


def vector(value, api, role, partitions, rank):
    """A [P,1] operand as [P,1,…,1], or a number."""
    plain = number(value)
    if plain is not None:
        return plain
    view = tile(value, api, role)
    same = view._shape[0] == partitions
    if not same or any(n != 1 for n in view._shape[1:]):
        fail("err_num_partition_mismatch" if not same else "err_shape_mismatch", "The %s of %s has the shape %s; it must be a scalar or [%d, 1]." % (
            role, api, list(view._shape), partitions))
    return view.remap((partitions,) + (1,) * (rank - 1), [shapes.unit(0)] + [Index(0)] * (len(view._shape) - 1))


def elementwise(api, *views):
    """Views of one number of elements as views of one shape: (shape, views). Free axes of size 1 broadcast."""
    same_partitions(api, *views)
    shape = views[0]._shape
    if all(view._shape == shape for view in views):
        return shape, list(views)
    rank = max(len(view._shape) for view in views)
    sizes = [1] * rank
    fits = True
    for view in views:
        pad = rank - len(view._shape)
        for axis, n in enumerate(view._shape[1:], 1):
            if n != 1:
                fits = fits and sizes[axis + pad] in (1, n)
                sizes[axis + pad] = n
    sizes[0] = shape[0]
    if fits:
        result = [shapes.broadcast(view, tuple(sizes)) for view in views]
        if all(view is not None for view in result):
            return tuple(sizes), result
    free = list(views[0]._shape[1:])
    for view in views[1:]:
        free = shapes.refine(free, view._shape[1:]) if free is not None else None
    result = [shapes.split(view, free) for view in views] if free is not None else [None]
    if any(view is None for view in result):
        fail("err_shape_mismatch", "%s got tiles of the shapes %s; the free dimensions must agree or be 1." % (
            api, " and ".join(str(list(view._shape)) for view in views)))
    return (shape[0],) + tuple(free), result


# --- masks and bounds ---------------------------------------------------------------------------------------------------------------
def mask_terms(mask, shape):
    """A mask= argument as expressions over the axes of shape that must be >= 0."""
    if mask is None or (isinstance(mask, (bool, np.bool_)) and mask):
        return []
    if isinstance(mask, (bool, np.bool_)):
        return [Index(-1)]
    if isinstance(mask, View):
        fail("err_unsupported_expression_in_mask", "The mask depends on values in a tensor; a mask must be an affine comparison of nl.arange, loop "
             "indices and constants (use nl.where for values).")
    if not isinstance(mask, Condition) or mask.negated:
        fail("err_unsupported_expression_in_mask", "The mask must be affine comparisons of nl.arange, loop indices and constants joined with &, "
             "not %s." % ("!= or ~" if isinstance(mask, Condition) else "a " + type(mask).__name__))
    trace = context.current()
    rank = len(shape)
    terms = []
    for term in mask.terms:
        trace.loops_open(term.loops)
        own = term.shape
        if len(own) == 1:
            fail("err_1d_arange_not_supported", "nl.arange is used in a mask without a new axis; write nl.arange(n)[:, None] or [None, :].")
        positions = list(range(len(own)))
        if len(own) > rank:  # drop free axes of size 1
            surplus, positions, new = len(own) - rank, [], 0
            for axis, n in enumerate(own):
                if axis and n == 1 and surplus:
                    surplus -= 1
                    positions.append(None)
                else:
                    positions.append(new)
                    new += 1
        elif len(own) < rank:
            positions = [axis if axis == 0 else axis + rank - len(own) for axis in range(len(own))]
        axes = {}
        for axis, k in term.axes.items():
            new = positions[axis]
            if new is None or new >= rank or own[axis] != shape[new]:
                fail("err_unsupported_expression_in_mask", "The mask runs over %d positions along axis %d, the tile %s has %s." % (
                    own[axis], axis, list(shape), shape[new] if new is not None and new < rank else "none"))
            axes[new] = k
        result = Index(term.c, term.loops, axes, ())
        if result.interval(shape)[0] < 0:
            terms.append(result)
    return terms


def check_bounds(view, shape, masks):
    """Every index of a view lies inside the tensor, for all positions of `shape` that the masks let exist."""
    sizes = view.tensor.shape
    for dimension, e in enumerate(view.index):
        low, high = e.interval(shape)
        if low < 0 and exceeds(-e, 0, shape, masks):
            _out_of_bound(view, dimension, low)
        if high > sizes[dimension] - 1 and exceeds(e, sizes[dimension] - 1, shape, masks):
            _out_of_bound(view, dimension, high)


def _out_of_bound(view, dimension, value):
    fail("err_tensor_access_out_of_bound", "The index of dimension %d of %s (shape %s) reaches %d, outside 0…%d; correct the index or give a mask." % (
        dimension, view.tensor.name or "the tile", list(view.tensor.shape), value, view.tensor.shape[dimension] - 1))


# --- instructions -----------------------------------------------------------------------------------------------------------------------
def new_tile(shape, dtype, buffer, line, trace, name=None):
    if shape[0] > P_MAX:
        fail("err_num_partition_exceed_arch_limit", "A tile over %d partitions; the hardware has %d. Loop over blocks of 128." % (shape[0], P_MAX))
    tensor = Tensor(name or "", buffer, "temporary", dtype, tuple(int(n) for n in shape), 0, line, trace)
    tensor.implicit = True
    return tensor.view()


def emit(op, sources, roles, shape, dtype, engine="unknown", buffer=SBUF, attrs=None, mask=None, follow=None, buffers=ON_CHIP, name=None,
         dst=None, masked=None, dst_masks=None, check=True):
    """Appends an instruction and returns its result (a fresh tile, or dst). masked: the shape that the mask is about, if not the result's.
    dst_masks: the mask over the dst's axes, where they are not the masked ones."""
    trace = context.current()
    line = trace.line()
    terms = mask_terms(mask, masked or shape)
    if check:
        for view in sources:
            if isinstance(view, View):
                check_bounds(view, masked or shape, terms)
    result = dst if dst is not None else new_tile(shape, dtype, buffer, line, trace, None)
    if dst is not None:
        writable(dst)
        check_bounds(dst, masked or shape, terms if dst_masks is None else dst_masks)
    instruction = Instruction(op, engine, line, result, list(sources), roles, attrs or {}, terms, masked or shape, follow, buffers, name, trace.body)
    trace.append(instruction)
    if dst is None:
        result.producer = instruction
        result.fresh = True
    else:
        result.tensor.base.written = True
    return result


def writable(view):
    tensor = view.tensor.base
    in_scope(view)
    if tensor.kind == "input" and not tensor.mutable:
        fail("err_cannot_update_immutable_parameter", "The parameter %s is written to; annotate it with nki.typing.mutable_tensor and return it, or write "
             "to a tensor of your own." % tensor.name)
    if tensor.kind == "constant":
        fail("err_cannot_update_immutable_parameter", "The constant %s is written to." % tensor.name)


def engine_name(engine):
    name = getattr(engine, "engine", None)
    if engine is None or name is None:
        return "unknown" if engine is None else fail("err_unsupported_engine", "engine= takes nki.isa.tensor_engine, vector_engine, scalar_engine, "
                                                     "gpsimd_engine or unknown_engine, not %r." % (engine,))
    return name


def result_dtype(dtype, default):
    return default if dtype is None else as_dtype_checked(dtype)


def as_dtype_checked(dtype):
    from .errors import KernelError
    try:
        return as_dtype(dtype)
    except KernelError as error:
        fail(error.id, error.message, error.kind)


# --- assignment ------------------------------------------------------------------------------------------------------------------------------
def align(view, shape):
    """The view with free axes of size 1 added and dropped so that it has that shape; None if more would be needed."""
    if view._shape == shape:
        return view
    if view._shape[0] != shape[0]:
        return None
    old = [axis for axis in range(1, len(view._shape)) if view._shape[axis] > 1]
    new = [axis for axis in range(1, len(shape)) if shape[axis] > 1]
    if [view._shape[axis] for axis in old] != [shape[axis] for axis in new]:
        return None
    expressions = [Index(0)] * len(view._shape)
    expressions[0] = shapes.unit(0)
    for a, b in zip(old, new):
        expressions[a] = shapes.unit(b)
    return view.remap(shape, expressions)


def _fit(instruction, target):
    """The target in the shape that the instruction writes; where needed its axes are split. None if that is impossible."""
    shape = instruction.dst._shape
    fitted = align(target, shape)
    if fitted is not None or instruction.follow is None or instruction.dst2 is not None or target._shape[0] != shape[0]:
        return fitted
    free = shapes.refine(shape[1:], target._shape[1:])
    if free is None:
        return None
    fitted, own = shapes.split(target, free), shapes.split(instruction.dst, free)
    expressions = shapes.split_expression(shape, free)
    if fitted is None or own is None or expressions is None:
        return None
    sources = list(instruction.src)
    for position, view in enumerate(sources):
        if isinstance(view, View):
            if position in instruction.follow:
                sources[position] = shapes.split(view, free)
            else:  # a [P,1] operand
                sources[position] = view.remap((view._shape[0],) + (1,) * len(free), [shapes.unit(0)] + [Index(0)] * (len(view._shape) - 1))
            if sources[position] is None:
                return None
    instruction.src = sources
    instruction.dst = own
    instruction.mask = [term.substitute(expressions) for term in instruction.mask]
    instruction.mask_shape = own._shape
    return fitted


def _move(value, target, trace, accumulate=False):
    """Makes the instruction that produced `value`, still unused, write to `target`. False if it cannot."""
    instruction = value.producer
    if instruction is None or not value.fresh or instruction.body is not trace.body or target.tensor.buffer.ir not in instruction.buffers:
        return False
    if target.dtype != value.dtype and value.dtype != FLOAT32 and value.dtype != BOOL:
        return False  # rounded to the narrower type first
    if accumulate and instruction.dst2 is not None:
        return False
    for node in reversed(trace.body):
        if node is instruction:
            break
        if isinstance(node, tuple) or any(view.tensor.base is target.tensor.base for view in node.views()):
            return False
    fitted = _fit(instruction, target)
    if fitted is None:
        return False
    writable(target)
    masks = instruction.mask
    if instruction.op in ("tensor_reduce", "partition_reduce"):
        masks = [term for term in masks if all(fitted._shape[axis] == instruction.mask_shape[axis] for axis in term.axes)]
    check_bounds(fitted, instruction.mask_shape if instruction.op != "partition_reduce" else fitted._shape, masks)
    own = instruction.dst
    instruction.dst = fitted
    instruction.accumulate = accumulate
    value.moved_by = (instruction, own, trace.line())
    value.fresh = False
    return True


def undo_move(value):
    instruction, own, line = value.moved_by
    value.moved_by = None
    target = instruction.dst
    instruction.dst = own
    trace = context.current()
    added = []
    if instruction.accumulate:  # through SBUF: an instruction reads one operand from PSUM at most
        instruction.accumulate = False
        tensor = Tensor("", SBUF, "temporary", own.dtype, own._shape, 0, line, trace)
        tensor.implicit, tensor.scopes, tensor.loops = True, own.tensor.scopes, own.tensor.loops
        partial = tensor.view()
        added.append(Instruction("copy", "unknown", line, partial, [own], ["data"], {}, instruction.mask, instruction.mask_shape, None, ON_CHIP, None,
                                 instruction.body))
        added.append(Instruction("tensor_tensor", "unknown", line, target, [target, partial], ["a", "b"], {"op": "add"}, instruction.mask,
                                 instruction.mask_shape, None, ON_CHIP, None, instruction.body))
    else:
        added.append(Instruction("copy", "unknown", line, target, [own], ["data"], {}, instruction.mask if instruction.mask_shape == own._shape else [],
                                 own._shape, None, ON_CHIP, None, instruction.body))
    trace.instructions += len(added)
    position = instruction.body.index(instruction) + 1
    instruction.body[position:position] = added


def assign(target, value):
    """target = value, both written in the kernel as v[...] = value."""
    trace = context.current()
    if isinstance(value, View) and value.updated and value.same_place(target):
        value.updated = False
        return
    if not target.tensor.on_chip():
        writable(target)
        fail("err_unsupported_memory", "%s is in HBM and cannot be assigned to; use nl.store." % target.tensor.name)
    target = tile(target, "An assignment", "destination")
    plain = number(value)
    if plain is not None:
        emit("memset", [plain], ["value"], target._shape, target.dtype, dst=target)
        return
    if not isinstance(value, View):
        fail("err_unsupported_operand", "A %s cannot be assigned to a tile." % type(value).__name__)
    if not value.tensor.on_chip():
        fail("err_unsupported_memory", "%s is in HBM; nl.load it before assigning it to a tile." % value.tensor.name)
    target.tensor.base.written = True
    if value.producer is not None and _move(value, target, trace):
        return
    value = tile(value, "An assignment", "value")
    copy_to(target, value, "An assignment")


def copy_to(target, value, api, op="copy", engine="unknown", mask=None):
    """dst = value with free axes of size 1 repeated."""
    if value._shape[0] != target._shape[0]:
        fail("err_num_partition_mismatch" if target.tensor.on_chip() else "err_store_dst_shape_smaller_than_other_shape",
             "%s puts %s into %s: the partition counts differ." % (api, list(value._shape), list(target._shape)))
    fitted = align(value, target._shape)
    if fitted is None:
        fitted = shapes.broadcast(value, target._shape)
    if fitted is None:
        free = shapes.refine(target._shape[1:], value._shape[1:])
        parts = (shapes.split(target, free), shapes.split(value, free)) if free is not None else (None, None)
        if parts[0] is None or parts[1] is None:
            fail("err_store_dst_shape_smaller_than_other_shape", "%s puts a value of the shape %s into %s." % (api, list(value._shape), list(target._shape)))
        if mask is not None:
            terms = mask_terms(mask, target._shape)
            expressions = shapes.split_expression(target._shape, free)
            mask = Condition([Index(t.c, t.loops, t.axes, parts[0]._shape) for t in (term.substitute(expressions) for term in terms)]) if terms else None
        target, fitted = parts
    return emit(op, [fitted], ["data"], target._shape, target.dtype, engine=engine, dst=target, mask=mask)


def update(target, value, op, api):
    """target op= value, in place."""
    trace = context.current()
    if not target.tensor.on_chip():
        writable(target)
        fail("err_unsupported_memory", "%s is in HBM; load it, compute, and store it." % target.tensor.name)
    target = tile(target, api, "destination")
    if (op == "add" and isinstance(value, View) and value.producer is not None and value.producer.op == "matmul" and target.tensor.buffer is PSUM
            and _move(value, target, trace, accumulate=True)):
        target.tensor.base.written = True
    else:
        binary(op, target, value, api, dst=target, operator=True)
    target.updated = True
    return target


# --- two-operand arithmetic, shared by nl.*, nisa.tensor_tensor and the Python operators -------------------------------------------------------
def binary(op, a, b, api, dtype=None, mask=None, dst=None, operator=False, engine="unknown"):
    x, y = number(a), number(b)
    if x is not None and y is not None:
        return _python(op, x, y, api)
    comparison = op in COMPARISONS
    if x is not None or y is not None:
        view = tile(b if x is not None else a, api)
        value = x if x is not None else y
        kind = BOOL if comparison else promote_scalar(view.dtype, value)
        if dst is not None and dst._shape != view._shape:
            fail("err_store_dst_shape_smaller_than_other_shape", "%s: the result %s does not fit %s." % (api, list(view._shape), list(dst._shape)))
        result = emit("tensor_scalar", [view, value], ["data", "operand0"], view._shape, result_dtype(dtype, kind),
                      attrs={"op0": op, "reverse0": x is not None}, mask=mask, follow=(0,), dst=dst, engine=engine)
        result.comparison = comparison
        return result
    a, b = tile(a, api, "first operand"), tile(b, api, "second operand")
    if a._shape[0] != b._shape[0]:
        if operator:
            fail("err_num_partition_mismatch", "Partition dimension broadcasting is not supported on operator overloads (%s and %s); use .broadcast_to((%d, …)) "
                 "or the nl function." % (list(a._shape), list(b._shape), max(a._shape[0], b._shape[0])))
        if 1 not in (a._shape[0], b._shape[0]):
            same_partitions(api, a, b)
        from . import language
        partitions = max(a._shape[0], b._shape[0])
        a, b = (v if v._shape[0] == partitions else language.broadcast_partitions(v, partitions) for v in (a, b))
    kind = result_dtype(dtype, BOOL if comparison else promote(a.dtype, b.dtype))
    small_a, small_b = all(n == 1 for n in a._shape[1:]), all(n == 1 for n in b._shape[1:])
    if small_a != small_b and op not in ("power",):
        data, other = (a, b) if small_b else (b, a)
        if dst is not None and dst._shape != data._shape:
            fail("err_store_dst_shape_smaller_than_other_shape", "%s: the result %s does not fit %s." % (api, list(data._shape), list(dst._shape)))
        operand = vector(other, api, "operand", data._shape[0], len(data._shape))
        result = emit("tensor_scalar", [data, operand], ["data", "operand0"], data._shape, kind, attrs={"op0": op, "reverse0": small_a},
                      mask=mask, follow=(0,), dst=dst, engine=engine)
    else:
        shape, (a, b) = elementwise(api, a, b)
        if dst is not None and dst._shape != shape:
            fitted = align(dst, shape)
            dst = shapes.split(dst, shape[1:]) if fitted is None else fitted
            if dst is None or dst._shape != shape:
                fail("err_store_dst_shape_smaller_than_other_shape", "%s: the result of the shape %s does not fit the destination." % (api, list(shape)))
        result = emit("tensor_tensor", [a, b], ["a", "b"], shape, kind, attrs={"op": op}, mask=mask, follow=(0, 1), dst=dst, engine=engine)
    result.comparison = comparison
    return result


def _python(op, x, y, api):
    """nl.add(2, 3): plain numbers stay plain numbers."""
    function = getattr(np, op, None)
    if function is None:
        fail("err_unsupported_operand", "%s got two numbers." % api)
    return function(x, y).item()


def _operators():
    def forward(op, api):
        return lambda self, other: binary(op, self, other, api, operator=True) if _operand(other) else NotImplemented

    def backward(op, api):
        return lambda self, other: binary(op, other, self, api, operator=True) if _operand(other) else NotImplemented

    def in_place(op, api):
        return lambda self, other: update(self, other, op, api) if _operand(other) else NotImplemented

    def _operand(value):
        return isinstance(value, (View, Index)) or number(value) is not None

    names = {"add": "add", "sub": "subtract", "mul": "multiply", "pow": "power", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
             "lshift": "left_shift", "rshift": "right_shift"}
    for python, op in names.items():
        setattr(View, "__%s__" % python, forward(op, "The operator " + op))
        setattr(View, "__r%s__" % python, backward(op, "The operator " + op))
        setattr(View, "__i%s__" % python, in_place(op, "The operator " + op))
    for python, op in {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "eq": "equal", "ne": "not_equal"}.items():
        setattr(View, "__%s__" % python, forward(op, "The comparison " + op))

    def divide(self, other):
        from . import pointwise
        return pointwise.divide_views(self, other, operator=True) if _operand(other) else NotImplemented

    def rdivide(self, other):
        from . import pointwise
        return pointwise.divide_views(other, self, operator=True) if _operand(other) else NotImplemented

    def idivide(self, other):
        from . import pointwise
        plain = number(other)
        if plain is not None:
            return update(self, 1.0 / plain, "multiply", "The operator /=")
        return update(self, pointwise.reciprocal(other), "multiply", "The operator /=")

    View.__truediv__, View.__rtruediv__, View.__itruediv__ = divide, rdivide, idivide
    View.__neg__ = lambda self: binary("multiply", self, -1.0, "The operator -", operator=True)
    View.__pos__ = lambda self: self
    View.__abs__ = lambda self: _abs(self)
    View.__invert__ = lambda self: emit("tensor_scalar", [tile(self, "~"), 0], ["data", "operand0"], self._shape, self.dtype,
                                        attrs={"op0": "invert", "reverse0": False}, follow=(0,))


def _abs(view):
    from . import pointwise
    return pointwise.abs_(view)


_operators()
