# SPDX-License-Identifier: GPL-3.0-or-later
"""Tensors, and the views of them that kernels index, pass to instructions and assign to."""

import numpy as np

from . import context
from .affine import INTEGERS, Index, broadcast_shapes
from .dtypes import as_dtype

P_MAX = 128


class Buffer:
    __slots__ = ("name", "ir")

    def __init__(self, name, ir):
        self.name = name
        self.ir = ir

    def __repr__(self):
        return "nl." + self.name


SBUF, PSUM = Buffer("sbuf", "sbuf"), Buffer("psum", "psum")
HBM, PRIVATE_HBM, SHARED_HBM = Buffer("hbm", "hbm"), Buffer("private_hbm", "hbm"), Buffer("shared_hbm", "hbm")


class ParDim(int):
    """nl.par_dim(n): marks the partition dimension in a shape."""


class Slice:
    """nl.ds(start, size)."""

    __slots__ = ("start", "size")

    def __init__(self, start, size):
        self.start = start
        self.size = size


class Tensor:
    __slots__ = ("name", "buffer", "kind", "dtype", "shape", "pdim", "line", "scopes", "loops", "index", "data", "init", "implicit", "id",
                 "written", "initialised", "mutable", "output_index", "base", "flat", "file_shape")

    def __init__(self, name, buffer, kind, dtype, shape, pdim, line, trace):
        self.name = name
        self.buffer = buffer
        self.kind = kind
        self.dtype = dtype
        self.shape = shape
        self.pdim = pdim
        self.line = line
        self.scopes = tuple(trace.scopes)
        self.loops = tuple(trace.loops)
        self.index = None
        self.data = None
        self.init = None
        self.implicit = False
        self.id = None
        self.written = False
        self.initialised = False   # nl.zeros, nl.full…
        self.mutable = kind != "input"
        self.output_index = None
        self.base = self           # reshaped HBM tensors share the memory of another one
        self.flat = False          # written to the IR as one dimension, because it is accessed in several shapes
        self.file_shape = None     # of an output that is returned in another shape than its own
        trace.add_tensor(self)

    def on_chip(self):
        return self.buffer.ir != "hbm"

    def view(self):
        rank = len(self.shape)
        index = tuple(Index(0, None, {axis: 1} if self.shape[axis] > 1 else None, ()) for axis in range(rank))
        return View(self, tuple(int(n) for n in self.shape), index, self.pdim if self.on_chip() else 0)


class View:
    """Part of a tensor. index: per tensor dimension an expression over this view's axes. paxis: which axis runs over partitions."""

    __slots__ = ("tensor", "_shape", "index", "paxis", "producer", "moved_by", "updated", "fresh", "comparison")
    __array_ufunc__ = None

    def __init__(self, tensor, shape, index, paxis):
        self.tensor = tensor
        self._shape = shape
        self.index = index
        self.paxis = paxis
        self.producer = None     # the instruction whose whole result this is
        self.moved_by = None     # that instruction now writes elsewhere (v[...] = op(...)): (copy line)
        self.updated = False     # += was done in place: the assignment Python makes of it is no instruction
        self.fresh = False       # not used yet
        self.comparison = False

    # --- what a kernel may ask -----------------------------------------------------------------------------------------
    @property
    def shape(self):
        return self._shape

    @property
    def ndim(self):
        return len(self._shape)

    @property
    def dtype(self):
        return self.tensor.dtype

    @property
    def buffer(self):
        return self.tensor.buffer

    @property
    def itemsize(self):
        return self.tensor.dtype.itemsize

    @property
    def size(self):
        return int(np.prod(self._shape, dtype=np.int64))

    def __len__(self):
        return self._shape[0]

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return "%s%s in %s" % (self.tensor.name or "tile", list(self._shape), self.tensor.buffer.name)

    def __iter__(self):
        context.fail("err_dynamic_control_flow_not_supported", "A tensor cannot be iterated over; loop over index ranges instead.")

    def __bool__(self):
        if self.comparison:
            context.fail("err_dynamic_control_flow_not_supported", "The condition depends on values in a tensor, which only the device knows; "
                         "compute both cases and choose with nl.where or a predicate.")
        context.fail("err_ambiguous_tensor_truth_value", "A tensor has no truth value: use &, | or nl.logical_and/or/not instead of and/or/not, "
                     "and nl.where instead of if.")

    def __index__(self):
        context.fail("err_dynamic_control_flow_not_supported", "A tensor value is used where Python needs an integer; only the device knows it.")

    __int__ = __float__ = __index__

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        context.fail("err_unsupported_api", "A tile has no attribute %s (supported: shape, dtype, ndim, broadcast_to, reshape, astype, "
                     "expand_dims, the operators and indexing)." % name, "compile")

    # --- indexing ----------------------------------------------------------------------------------------------------------
    def __getitem__(self, key):
        return self.take(key)

    def take(self, key):
        trace = context.current("Indexing a tensor")
        self.settle()
        keys = key if isinstance(key, tuple) else (key,)
        expressions, shape, paxis = _resolve(self, keys, trace)
        if shape == self._shape and paxis == self.paxis and all(
                not e.c and not e.loops and (e.axes == {axis: 1} or (not e.axes and shape[axis] == 1)) for axis, e in enumerate(expressions)):
            return self
        return View(self.tensor, shape, tuple(e.substitute(expressions) for e in self.index), paxis)

    def __setitem__(self, key, value):
        from . import emit
        target = self.take(key)
        emit.assign(target, value)

    # --- shapes --------------------------------------------------------------------------------------------------------------
    def same_place(self, other):
        return self.tensor is other.tensor and self._shape == other._shape and all(
            a.c == b.c and a.loops == b.loops and a.axes == b.axes for a, b in zip(self.index, other.index))

    def remap(self, shape, expressions, paxis=0):
        """The same elements under other axes: axis k of this view is expressions[k]."""
        view = View(self.tensor, tuple(shape), tuple(e.substitute(expressions) for e in self.index), paxis)
        return view

    def settle(self):
        """Called before any use. If the instruction that made this tile was made to write elsewhere, give the tile its value back: the
        instruction writes the tile, and a copy does the assignment."""
        self.fresh = False
        if self.moved_by is not None:
            from . import emit
            emit.undo_move(self)

    def reshape(self, *shape, **named):
        from . import shapes
        if "shape" in named:
            shape = (named.pop("shape"),)
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = tuple(shape[0])
        return shapes.reshape(self, shape)

    def broadcast_to(self, *shape):
        from . import language
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = tuple(shape[0])
        return language.broadcast_to(self, shape=shape)

    def expand_dims(self, axis):
        from . import shapes
        return shapes.expand_dims(self, axis)

    def astype(self, dtype):
        from . import language
        return self if as_dtype(dtype) == self.dtype else language.copy(self, dtype=dtype)


context._view_types.append(View)


def _scalar(value, what):
    """An int or Index of an integer-like subscript; None if it is something else."""
    if isinstance(value, (bool, np.bool_)):
        return None
    if isinstance(value, INTEGERS):
        return int(value)
    if isinstance(value, Index) and not value.shape:
        return value
    if isinstance(value, (float, np.floating)):
        context.fail("err_unsupported_index_expression", "%s is the number %s; indices are integers (use // instead of /)." % (what, value))
    return None


def _resolve(view, keys, trace):
    """Subscripts of a view -> (an expression per axis of the view, new shape, new partition axis)."""
    old = view._shape
    if any(k is Ellipsis for k in keys):
        position = [i for i, k in enumerate(keys) if k is Ellipsis]
        if len(position) > 1:
            context.fail("err_unsupported_index_expression", "More than one ... in a subscript.")
        missing = len(old) - sum(1 for k in keys if k is not None and k is not Ellipsis)
        if missing < 0:
            context.fail("err_unsupported_index_expression", "%d subscripts on a tensor of %d dimensions." % (len(keys) - 1, len(old)))
        keys = keys[:position[0]] + (slice(None),) * missing + keys[position[0] + 1:]
        had_ellipsis = True
    else:
        had_ellipsis = False
    count = sum(1 for k in keys if k is not None)
    if count > len(old):
        context.fail("err_unsupported_index_expression", "%d subscripts on a tensor of %d dimension(s), shape %s." % (count, len(old), tuple(old)))
    advanced = any(isinstance(k, Index) and k.shape for k in keys)
    for k in keys:
        if isinstance(k, Index):
            trace.loops_open(k.loops)
        elif isinstance(k, View):
            context.fail("err_indirect_indices_not_supported", "Indirect access (a tile of indices as a subscript) is not supported by the simulator yet.",
                         "compile")
        elif isinstance(k, (list, np.ndarray)):
            context.fail("err_unsupported_index_expression", "A list or NumPy array cannot be a subscript; use nl.arange or slices.")
    if advanced:
        if had_ellipsis or any(k is None or isinstance(k, (slice, Slice)) for k in keys):
            context.fail("err_unsupported_mixing_basic_advanced_tensor_indexing", "Slices (or nl.ds, ..., None) and nl.arange/nl.mgrid objects are mixed "
                         "in one subscript; write all of them in one way.")
        return _advanced(view, keys)
    return _basic(view, keys, trace)


def _advanced(view, keys):
    old = view._shape
    if len(keys) != len(old):
        context.fail("err_unsupported_index_expression", "%d subscripts on a tensor of %d dimensions, shape %s; advanced indexing needs one for each." % (
            len(keys), len(old), tuple(old)))
    shape = ()
    for k in keys:
        if isinstance(k, Index) and k.shape:
            if len(k.shape) == 1:
                context.fail("err_1d_arange_not_supported", "nl.arange is used as an index without a new axis; write nl.arange(n)[:, None] for partitions, "
                             "nl.arange(n)[None, :] for the free dimension.")
            shape = k.shape if not shape or shape == k.shape else broadcast_shapes(shape, k.shape)
    rank = len(shape)
    expressions = []
    for axis, k in enumerate(keys):
        if isinstance(k, Index):
            axes = k._shifted(rank) if k.shape else {}
            expressions.append(Index(k.c, k.loops, {a: b for a, b in axes.items() if shape[a] > 1}, ()))
        else:
            value = _scalar(k, "A subscript")
            if value is None:
                context.fail("err_unsupported_index_expression", "A subscript of the type %s." % type(k).__name__)
            expressions.append(Index(value + old[axis] if value < 0 else value))
    if view.tensor.on_chip():
        for axis, e in enumerate(expressions):
            if axis == view.paxis:
                if any(a != 0 for a in e.axes) or e.axes.get(0, 1) != 1:
                    context.fail("err_unsupported_index_expression", "The partition dimension (dimension %d of %s) must be indexed by axis 0 of the index objects "
                                 "with step 1: nl.arange(n)[:, None]." % (axis, view))
            elif 0 in e.axes:
                context.fail("err_unsupported_index_expression", "Axis 0 of the index objects runs over partitions and cannot index dimension %d of %s, "
                             "a free or block dimension." % (axis, view))
        if 0 not in expressions[view.paxis].axes and shape[0] > 1:
            context.fail("err_unsupported_index_expression", "No index object of axis 0 indexes the partition dimension of %s; the free dimensions cannot be spread "
                         "over partitions by indexing (use a transpose)." % view)
    return expressions, tuple(shape), 0


def _basic(view, keys, trace):
    old, on_chip = view._shape, view.tensor.on_chip()
    keys = tuple(keys) + (slice(None),) * (len(old) - sum(1 for k in keys if k is not None))
    expressions, shape, axis, paxis = [], [], 0, None
    for k in keys:
        if k is None:
            shape.append(1)
            continue
        size = old[axis]
        position = len(shape)
        if axis == view.paxis:
            paxis = position
        if isinstance(k, slice):
            start, length, step = _slice(k, size)
        elif isinstance(k, Slice):
            start, length, step = k.start, k.size, 1
        else:
            value = _scalar(k, "Subscript %d" % axis)
            if value is None:
                context.fail("err_unsupported_index_expression", "A subscript of the type %s." % type(k).__name__)
            if isinstance(value, int):
                value = Index(value + size if value < 0 else value)
            expressions.append(Index(value.c, value.loops, None, ()))
            if axis == view.paxis and on_chip:
                shape.append(1)  # a tile keeps its partition axis
            axis += 1
            continue
        start = start if isinstance(start, Index) else Index(int(start))
        trace.loops_open(start.loops)
        if axis == view.paxis and on_chip and step != 1:
            context.fail("err_unsupported_index_expression", "Partitions cannot be taken with a step (%d)." % step)
        expressions.append(Index(start.c, start.loops, {position: step} if length > 1 else None, ()))
        shape.append(length)
        axis += 1
    if on_chip and len(shape) == 1:
        shape.append(1)
    return expressions, tuple(shape), paxis if paxis is not None else 0


def _slice(k, size):
    """A slice whose bounds may be affine -> (start, length, step)."""
    step = 1 if k.step is None else k.step
    if isinstance(step, Index):
        step = int(step)
    if not isinstance(step, INTEGERS) or step < 1:
        context.fail("err_unsupported_index_expression", "The step of a slice must be a positive integer.")
    start = 0 if k.start is None else _scalar(k.start, "A slice's start")
    stop = size if k.stop is None else _scalar(k.stop, "A slice's end")
    if start is None or stop is None:
        if isinstance(k.start, View) or isinstance(k.stop, View):
            context.fail("err_dynamic_control_flow_not_supported", "A slice bound depends on values in a tensor.")
        if any(isinstance(b, Index) and b.shape for b in (k.start, k.stop)):
            context.fail("err_unsupported_mixing_basic_advanced_tensor_indexing", "An nl.arange object is used as the bound of a slice.")
        context.fail("err_unsupported_index_expression", "A slice bound of the type %s." % type(k.start if start is None else k.stop).__name__)
    if isinstance(start, int) and start < 0:
        start += size
    if isinstance(stop, int) and stop < 0:
        stop += size
    length = stop - start
    if isinstance(length, Index):
        if length.loops:
            context.fail("err_unsupported_index_expression", "The size of the slice %s:%s changes with the loop; a tile's size must be constant (use a mask "
                         "for a ragged end)." % (k.start, k.stop))
        length = length.c
    if length <= 0:
        context.fail("err_tensor_access_out_of_bound", "The slice %s:%s of a dimension of %d is empty." % (k.start, k.stop, size))
    return start, (length + step - 1) // step, int(step)
