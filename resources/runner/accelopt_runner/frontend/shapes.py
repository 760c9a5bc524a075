# SPDX-License-Identifier: GPL-3.0-or-later
"""Fitting tiles to one another: broadcasting, splitting and merging of free axes, reshapes of HBM tensors."""

import numpy as np

from . import context
from .affine import INTEGERS, Index
from .tensors import Tensor, View


def unit(axis):
    return Index(0, None, {axis: 1}, ())


def broadcast(view, shape):
    """The view with the given shape, axes of size 1 repeated without a coefficient. Partition axis stays axis 0, free axes align on the right.
    None if it does not fit."""
    old = view._shape
    if old == shape:
        return view
    if len(old) > len(shape):
        squeezed = squeeze_to(view, shape)
        return squeezed if squeezed is None or squeezed._shape == shape else broadcast(squeezed, shape)
    pad = len(shape) - len(old)
    expressions = []
    for axis, size in enumerate(old):
        new = axis if axis == 0 else axis + pad
        if size != 1 and size != shape[new]:
            return None
        expressions.append(unit(new) if size > 1 else Index(0))
    return view.remap(shape, expressions)


def squeeze_to(view, shape):
    """Drops free axes of size 1 until the rank is that of shape; None if there are not enough."""
    surplus = len(view._shape) - len(shape)
    keep = []
    for axis, size in enumerate(view._shape):
        if axis and size == 1 and surplus:
            surplus -= 1
        else:
            keep.append(axis)
    if surplus:
        return None
    expressions = [Index(0)] * len(view._shape)
    for new, axis in enumerate(keep):
        expressions[axis] = unit(new)
    return view.remap(tuple(view._shape[axis] for axis in keep), expressions)


def refine(a, b):
    """The coarsest list of sizes whose products of neighbours give both lists; None if there is none."""
    if int(np.prod(a, dtype=np.int64)) != int(np.prod(b, dtype=np.int64)):
        return None
    result, i, j = [], len(a) - 1, len(b) - 1
    x = y = 1
    while True:  # from the right, as strides grow
        while x == 1 and i >= 0:
            x, i = a[i], i - 1
        while y == 1 and j >= 0:
            y, j = b[j], j - 1
        if x == 1 and y == 1:
            break
        small = min(x, y)
        if max(x, y) % small:
            return None
        result.append(small)
        x, y = x // small, y // small
    return result[::-1]


def split(view, free):
    """The view with its free axes split into the sizes `free` (a refinement of them). None if it is not one."""
    shape = (view._shape[0],) + tuple(free)
    expressions, position = [unit(0)], 0
    for size in view._shape[1:]:
        if size == 1:
            expressions.append(Index(0))
            continue
        first, product = position, 1
        while product < size:
            if position >= len(free):
                return None
            product *= free[position]
            position += 1
        if product != size:
            return None
        axes, stride = {}, 1
        for axis in range(position - 1, first - 1, -1):
            if free[axis] > 1:
                axes[axis + 1] = stride
            stride *= free[axis]
        expressions.append(Index(0, None, axes, ()))
    if position != len(free) and any(size != 1 for size in free[position:]):
        return None
    return view.remap(shape, expressions)


def split_expression(shape, free):
    """Expressions that rewrite axes of `shape` as axes of (shape[0],) + free: for masks. None if free does not refine it."""
    probe = View(None, tuple(shape), tuple(unit(axis) for axis in range(len(shape))), 0)
    result = split(probe, free)
    return None if result is None else list(result.index)


def merge(view, free):
    """The view with neighbouring free axes merged into the sizes `free`, where the strides allow it. None if they do not."""
    groups, position = [], 1
    for size in free:
        group, product = [], 1
        while product < size or (position < len(view._shape) and view._shape[position] == 1):
            if position >= len(view._shape):
                break
            group.append(position)
            product *= view._shape[position]
            position += 1
        if product != size:
            return None
        groups.append(group)
    if position != len(view._shape):
        return None
    index = []
    for e in view.index:
        axes = {0: e.axes[0]} if 0 in e.axes else {}
        for new, group in enumerate(groups):
            stride = None
            size = 1
            for axis in reversed(group):
                if view._shape[axis] > 1:
                    k = e.axes.get(axis, 0)
                    if stride is None:
                        stride = k
                    elif k != stride * size:
                        return None
                    size *= view._shape[axis]
            if stride:
                axes[new + 1] = stride
        index.append(Index(e.c, e.loops, axes, ()))
    return View(view.tensor, (view._shape[0],) + tuple(free), tuple(index), 0)


def _target(view, shape):
    shape = [int(n) for n in shape]
    unknown = [i for i, n in enumerate(shape) if n == -1]
    if len(unknown) == 1:
        rest = int(np.prod([n for n in shape if n != -1], dtype=np.int64))
        if rest and view.size % rest == 0:
            shape[unknown[0]] = view.size // rest
    if int(np.prod(shape, dtype=np.int64)) != view.size or any(n < 1 for n in shape):
        context.fail("err_shape_mismatch", "Cannot reshape %s into %s." % (list(view._shape), shape))
    return tuple(shape)


def reshape(view, shape):
    context.current("reshape")
    view.settle()
    shape = _target(view, shape)
    if shape == view._shape:
        return view
    if not view.tensor.on_chip():
        return _reshape_hbm(view, shape)
    if view.paxis != 0:
        context.fail("err_failed_to_infer_tile_from_local_tensor", "Index the block dimensions of %s before reshaping it." % view)
    if shape[0] != view._shape[0]:
        context.fail("err_unsupported_reshape", "A reshape of an on-chip tile must keep its partition dimension (%d, not %d); use a transpose or go "
                     "through HBM." % (view._shape[0], shape[0]))
    free = refine(view._shape[1:], shape[1:])
    if free is not None:
        parts = split(view, free)
        result = merge(parts, shape[1:]) if parts is not None else None
        if result is not None:
            return result
    context.fail("err_unsupported_reshape", "The tile %s with its strides cannot be seen as %s without moving data; copy it first." % (view, list(shape)))


def _reshape_hbm(view, shape):
    """Row-major memory: axes are split and merged where their strides allow it. The whole tensor may take any shape: then it is written to the
    IR with one dimension."""
    tensor = view.tensor
    # Treat the axes as free ones behind a partition axis of 1, to use the same splitting.
    probe = View(tensor, (1,) + view._shape, tuple(Index(e.c, e.loops, {a + 1: k for a, k in e.axes.items()}, ()) for e in view.index), 0)
    free = refine(view._shape, shape)
    parts = split(probe, free) if free is not None else None
    result = merge(parts, shape) if parts is not None else None
    if result is not None:
        return View(tensor, shape, tuple(Index(e.c, e.loops, {a - 1: k for a, k in e.axes.items()}, ()) for e in result.index), 0)
    if view._shape == tuple(tensor.shape) and view.same_place(tensor.view()):
        return _alias(tensor, shape).view()
    context.fail("err_unsupported_reshape", "This part of %s cannot be seen as %s; index the reshaped whole tensor instead." % (view, list(shape)))


def _alias(tensor, shape):
    trace = context.current()
    alias = Tensor(tensor.name, tensor.buffer, tensor.kind, tensor.dtype, shape, None, tensor.line, trace)
    alias.scopes, alias.loops, alias.mutable = tensor.scopes, tensor.loops, tensor.mutable
    alias.base = tensor.base
    tensor.base.flat = True
    return alias


def expand_dims(view, axis):
    context.current("expand_dims")
    view.settle()
    axes = [axis] if isinstance(axis, INTEGERS) else list(axis)
    rank = len(view._shape) + len(axes)
    axes = {int(a) % rank for a in axes}
    if view.tensor.on_chip() and 0 in axes:
        context.fail("err_unsupported_reshape", "An axis before the partition axis cannot be added to an on-chip tile.")
    shape, expressions, source = [], [], 0
    for new in range(rank):
        if new in axes:
            shape.append(1)
        else:
            expressions.append(unit(new) if view._shape[source] > 1 else Index(0))
            shape.append(view._shape[source])
            source += 1
    paxis = view.paxis + sum(1 for a in axes if a <= view.paxis)
    return view.remap(tuple(shape), expressions, paxis)
