# SPDX-License-Identifier: GPL-3.0-or-later
"""Affine index expressions over loop variables and arange axes, the comparisons between them, and bounds by interval arithmetic."""

import numpy as np

from . import context
from .errors import NeedUnroll

INTEGERS = (int, np.integer)


class Loop:
    """A loop of the IR. Its variable has the values start, start + step, … (trip of them)."""

    __slots__ = ("kind", "name", "start", "step", "trip", "line", "implicit", "id")

    def __init__(self, kind, name, start, step, trip, line, implicit=False):
        self.kind = kind
        self.name = name
        self.start = start
        self.step = step
        self.trip = trip
        self.line = line
        self.implicit = implicit
        self.id = None

    def bounds(self):
        last = self.start + self.step * (self.trip - 1)
        return (self.start, last) if self.step > 0 else (last, self.start)


def _merge(a, b, sign):
    if not b:
        return a
    result = dict(a)
    for key, coefficient in b.items():
        value = result.get(key, 0) + sign * coefficient
        if value:
            result[key] = value
        else:
            result.pop(key, None)
    return result


class Index:
    """c + sum(coefficient * loop variable) + sum(coefficient * position along a tile axis). Immutable.

    shape is the shape of the index object in the NumPy sense: () for a number, (128, 1) for nl.arange(128)[:, None]."""

    __slots__ = ("c", "loops", "axes", "shape")
    __array_ufunc__ = None  # NumPy scalars and arrays leave the operators to us

    def __init__(self, c=0, loops=None, axes=None, shape=()):
        self.c = c
        self.loops = loops or {}
        self.axes = axes or {}
        self.shape = shape

    # --- what a kernel may ask -------------------------------------------------------------------------------------
    @property
    def ndim(self):
        return len(self.shape)

    def is_constant(self):
        return not self.loops and not self.axes

    def __hash__(self):
        return hash(self._number("as the key of a dictionary or set"))

    def __repr__(self):
        parts = ["%d*%s" % (k, loop.name) for loop, k in self.loops.items()]
        parts += ["%d*axis%d" % (k, axis) for axis, k in self.axes.items()]
        return " + ".join(parts + [str(self.c)]) if parts else str(self.c)

    # --- arithmetic --------------------------------------------------------------------------------------------------
    def _shifted(self, rank):
        """Axes of this object inside a broadcast result of that rank (NumPy aligns on the right)."""
        by = rank - len(self.shape)
        return self.axes if by == 0 else {axis + by: k for axis, k in self.axes.items()}

    def _combine(self, other, sign):
        if isinstance(other, Index):
            shape = self.shape if self.shape == other.shape else broadcast_shapes(self.shape, other.shape)
            rank = len(shape)
            return Index(self.c + sign * other.c, _merge(self.loops, other.loops, sign),
                         _merge(self._shifted(rank), other._shifted(rank), sign), shape)
        if isinstance(other, (bool, np.bool_)) or isinstance(other, INTEGERS):
            return Index(self.c + sign * int(other), self.loops, self.axes, self.shape)
        return None

    def __add__(self, other):
        result = self._combine(other, 1)
        return self._concrete("added to %s" % _kind(other), "add", other) if result is None else result

    __radd__ = __add__

    def __sub__(self, other):
        result = self._combine(other, -1)
        return self._concrete("subtracted from", "sub", other) if result is None else result

    def __rsub__(self, other):
        return (-self) + other

    def __neg__(self):
        return self._scaled(-1)

    def __pos__(self):
        return self

    def _scaled(self, k):
        if k == 0:
            return Index(0, None, None, self.shape)
        return Index(self.c * k, {key: v * k for key, v in self.loops.items()}, {key: v * k for key, v in self.axes.items()}, self.shape)

    def __mul__(self, other):
        if isinstance(other, INTEGERS):
            return self._scaled(int(other))
        if isinstance(other, Index):
            if other.is_constant() and not other.shape:
                return self._scaled(other.c)
            if self.is_constant() and not self.shape:
                return other._scaled(self.c)
            scalar = self if not self.axes else other
            if not scalar.axes:
                raise NeedUnroll(scalar.loops, "an index multiplied by another index")
            context.fail("err_unsupported_index_expression", "The product of two nl.arange expressions is not affine; use sums of "
                         "constant multiples.")
        return self._concrete("multiplied with %s" % _kind(other), "mul", other)

    __rmul__ = __mul__

    def _divides(self, k):
        return isinstance(k, INTEGERS) and k > 0 and all(v % k == 0 for v in self.loops.values()) and all(v % k == 0 for v in self.axes.values())

    def __floordiv__(self, other):
        if self._divides(other):
            k = int(other)
            return Index(self.c // k, {key: v // k for key, v in self.loops.items()}, {key: v // k for key, v in self.axes.items()}, self.shape)
        return self._concrete("divided", "floordiv", other)

    def __mod__(self, other):
        if self._divides(other):
            return Index(self.c % int(other), None, None, self.shape)
        return self._concrete("used with %", "mod", other)

    def _concrete(self, what, operation, other):
        """Not affine: the value itself is needed, so that the loops must be unrolled; impossible for an arange."""
        if isinstance(other, context.view_type()):
            return NotImplemented
        if self.axes:
            context.fail("err_unsupported_expression_in_mask" if operation in ("floordiv", "mod") else "err_unsupported_index_expression",
                         "An nl.arange expression was %s: index and mask expressions must be affine (sums of constant integer multiples; "
                         "no //, %% or floating point)." % what)
        if not self.loops:
            import operator
            return getattr(operator, operation)(self.c, other)
        loops = dict(self.loops)
        if isinstance(other, Index):
            loops.update(other.loops)
        raise NeedUnroll(loops, "a loop index %s" % what)

    def _number(self, what):
        if self.axes:
            context.fail("err_control_flow_condition_depending_on_arange", "An nl.arange expression has no single value; it cannot be "
                         "used %s." % what)
        if self.loops:
            raise NeedUnroll(self.loops, "a loop index used %s" % what)
        return self.c

    def __index__(self):
        return self._number("where Python needs an integer")

    def __int__(self):
        return self._number("in int()")

    def __float__(self):
        return float(self._number("in float()"))

    def __bool__(self):
        low, high = self.interval()
        if not self.axes and (low > 0 or high < 0):
            return True
        return bool(self._number("as a condition"))

    def __truediv__(self, other):
        return self._number("in a division") / other

    def __rtruediv__(self, other):
        return other / self._number("in a division")

    def __rfloordiv__(self, other):
        return other // self._number("in a division")

    def __rmod__(self, other):
        return other % self._number("with %")

    def __pow__(self, other):
        return self._number("with **") ** other

    def __rpow__(self, other):
        return other ** self._number("with **")

    def __divmod__(self, other):
        return self // other, self % other

    def __and__(self, other):
        return self._number("with a bitwise operator") & other

    def __or__(self, other):
        return self._number("with a bitwise operator") | other

    def __xor__(self, other):
        return self._number("with a bitwise operator") ^ other

    def __lshift__(self, other):
        return self._number("with a bitwise operator") << other

    def __rshift__(self, other):
        return self._number("with a bitwise operator") >> other

    def __abs__(self):
        low, high = self.interval()
        if low >= 0:
            return self
        return -self if high <= 0 else abs(self._number("in abs()"))

    # --- comparisons: conditions and masks ----------------------------------------------------------------------------
    def _difference(self, other):
        result = self._combine(other, -1)
        if result is None:
            return Index(self._number("in a comparison with %s" % _kind(other))) - int(np.floor(other)) if _is_real(other) else None
        return result

    def __ge__(self, other):
        if _is_real(other):
            other = int(np.ceil(other))
        d = self._difference(other)
        return NotImplemented if d is None else Condition([d])

    def __gt__(self, other):
        if _is_real(other):
            other = int(np.floor(other))
        d = self._difference(other)
        return NotImplemented if d is None else Condition([d - 1])

    def __le__(self, other):
        if _is_real(other):
            other = int(np.floor(other))
        d = self._difference(other)
        return NotImplemented if d is None else Condition([-d])

    def __lt__(self, other):
        if _is_real(other):
            other = int(np.ceil(other))
        d = self._difference(other)
        return NotImplemented if d is None else Condition([-d - 1])

    def __eq__(self, other):
        d = self._combine(other, -1)
        return NotImplemented if d is None else Condition([d, -d])

    def __ne__(self, other):
        d = self._combine(other, -1)
        return NotImplemented if d is None else Condition([d, -d], negated=True)

    # --- subscripts: only new axes -------------------------------------------------------------------------------------
    def __getitem__(self, key):
        keys = key if isinstance(key, tuple) else (key,)
        shape, axes, position = [], {}, 0
        c = self.c
        given = sum(1 for k in keys if k is not None and k is not Ellipsis)
        expanded = []
        for k in keys:
            if k is Ellipsis:
                expanded += [slice(None)] * (len(self.shape) - given)
            else:
                expanded.append(k)
        for k in expanded:
            if k is None:
                shape.append(1)
                continue
            if position >= len(self.shape):
                context.fail("err_unsupported_index_expression", "Too many subscripts on an nl.arange of %d dimension(s)." % len(self.shape))
            size = self.shape[position]
            if isinstance(k, slice):
                start, stop, step = k.indices(size)
                length = len(range(start, stop, step))
                if length == 0:
                    context.fail("err_unsupported_index_expression", "An empty slice of an nl.arange.")
                if position in self.axes:
                    c += self.axes[position] * start
                    if length > 1:
                        axes[len(shape)] = self.axes[position] * step
                shape.append(length)
            elif isinstance(k, INTEGERS):
                if not -size <= k < size:
                    context.fail("err_tensor_access_out_of_bound", "Position %d of an nl.arange of %d." % (k, size))
                c += self.axes.get(position, 0) * (int(k) % size)
            else:
                context.fail("err_unsupported_index_expression", "An nl.arange takes only new axes (None) and slices as subscripts.")
            position += 1
        for rest in range(position, len(self.shape)):
            if rest in self.axes:
                axes[len(shape)] = self.axes[rest]
            shape.append(self.shape[rest])
        return Index(c, self.loops, axes, tuple(shape))

    def __setitem__(self, key, value):
        context.fail("err_cannot_assign_to_index", "An index object (nl.arange, nl.mgrid) cannot be assigned to; make a tile with nisa.iota "
                     "for index values as data.")

    def __iter__(self):
        context.fail("err_control_flow_condition_depending_on_arange", "An index object cannot be iterated over.")

    # --- substitution and bounds ---------------------------------------------------------------------------------------
    def substitute(self, expressions):
        """Replaces axis k by expressions[k] (an Index over other axes)."""
        if not self.axes:
            return self
        c, loops, axes = self.c, dict(self.loops), {}
        for axis, k in self.axes.items():
            e = expressions[axis]
            c += k * e.c
            for key, v in e.loops.items():
                loops[key] = loops.get(key, 0) + k * v
            for key, v in e.axes.items():
                axes[key] = axes.get(key, 0) + k * v
        return Index(c, {a: b for a, b in loops.items() if b}, {a: b for a, b in axes.items() if b}, self.shape)

    def interval(self, shape=None):
        """Smallest and largest value, over all iterations and positions of a tile of that shape."""
        shape = self.shape if shape is None else shape
        low = high = self.c
        for loop, k in self.loops.items():
            first, last = loop.bounds()
            low += min(k * first, k * last)
            high += max(k * first, k * last)
        for axis, k in self.axes.items():
            extent = k * (shape[axis] - 1)
            if extent < 0:
                low += extent
            else:
                high += extent
        return low, high

    def json(self):
        result = {}
        if self.c:
            result["c"] = int(self.c)
        if self.loops:
            result["loops"] = sorted([loop.id, int(k)] for loop, k in self.loops.items())
        if self.axes:
            result["axes"] = sorted([int(axis), int(k)] for axis, k in self.axes.items())
        return result


class Condition:
    """Affine expressions that must all be >= 0 (or, negated, not all)."""

    __slots__ = ("terms", "negated")
    __array_ufunc__ = None

    def __init__(self, terms, negated=False):
        self.terms = terms
        self.negated = negated

    def __and__(self, other):
        if isinstance(other, (bool, np.bool_)):
            return self if other else Condition([Index(-1)])
        if isinstance(other, Condition):
            if self.negated or other.negated:
                _mask_expression("!= or ~")
            return Condition(self.terms + other.terms)
        return NotImplemented

    __rand__ = __and__

    def __or__(self, other):
        _mask_expression("|")

    __ror__ = __xor__ = __rxor__ = __or__

    def __invert__(self):
        if not self.negated and len(self.terms) == 1:
            return Condition([-self.terms[0] - 1])
        return Condition(self.terms, not self.negated)

    def __bool__(self):
        undecided, value = {}, True
        arange = False
        for term in self.terms:
            low, high = term.interval()
            if low >= 0:
                continue
            if high < 0:
                return self.negated
            arange = arange or bool(term.axes)
            undecided.update(term.loops)
        if arange:
            context.fail("err_control_flow_condition_depending_on_arange", "A condition on nl.arange cannot steer Python control flow; "
                         "pass it as mask= (joined with &, not and).")
        if undecided:
            raise NeedUnroll(undecided, "a condition on a loop index")
        return value != self.negated

    def __hash__(self):
        return id(self)


def _mask_expression(what):
    context.fail("err_unsupported_expression_in_mask", "A mask may only be affine comparisons joined with &; %s is not possible. Split the "
                 "instruction in two with one mask each." % what)


def _is_real(value):
    return isinstance(value, (float, np.floating))


def _kind(value):
    return "a %s" % type(value).__name__


def broadcast_shapes(a, b):
    rank = max(len(a), len(b))
    result = []
    for x, y in zip((1,) * (rank - len(a)) + tuple(a), (1,) * (rank - len(b)) + tuple(b)):
        if x != y and x != 1 and y != 1:
            context.fail("err_shape_mismatch", "Index objects of the shapes %s and %s do not broadcast." % (a, b))
        result.append(max(x, y) if 0 not in (x, y) else 0)
    return tuple(result)


def exceeds(expression, limit, shape, masks):
    """Whether expression can be larger than limit where all masks are >= 0. Sound: False is a proof (a non-negative multiple of a mask may be
    added to what has to stay <= 0), True may be a false alarm for masks of an unrelated form."""
    f = expression - limit
    if f.interval(shape)[1] <= 0:
        return False

    def search(f, remaining):
        for position, m in enumerate(remaining):
            ratios = set()
            for mine, theirs in ((f.loops, m.loops), (f.axes, m.axes)):
                for key, k in theirs.items():
                    if key in mine and mine[key] * k < 0:
                        ratios.add((abs(mine[key]), abs(k)))
            for p, q in ratios:
                combined = Index(f.c * q + m.c * p, _merge({a: b * q for a, b in f.loops.items()}, {a: b * p for a, b in m.loops.items()}, 1),
                                 _merge({a: b * q for a, b in f.axes.items()}, {a: b * p for a, b in m.axes.items()}, 1))
                if combined.interval(shape)[1] <= 0:
                    return False
                if len(remaining) > 1 and not search(combined, remaining[:position] + remaining[position + 1:]):
                    return False
        return True

    return search(f, list(masks)[:4])
