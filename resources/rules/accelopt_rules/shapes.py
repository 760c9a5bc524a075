# SPDX-License-Identifier: GPL-3.0-or-later
"""Tile shapes, read from the source. Everything here may answer None ("unknown"); no rule may depend on a guess."""
from __future__ import annotations

import ast

from .kernel import Kernel, argument, base_name

BINARY = {"nl.add", "nl.subtract", "nl.multiply", "nl.divide", "nl.maximum", "nl.minimum", "nl.power"}
UNARY = {"nl.exp", "nl.log", "nl.sqrt", "nl.rsqrt", "nl.square", "nl.sigmoid", "nl.silu", "nl.gelu", "nl.tanh", "nl.relu", "nl.copy",
         "nl.negative", "nl.reciprocal", "nl.abs", "nl.sin", "nl.erf", "nl.softplus", "nl.sign", "nisa.tensor_copy", "nisa.reciprocal",
         "nl.cos", "nl.mish"}
REDUCTIONS = {"nl.sum", "nl.max", "nl.min", "nl.mean", "nl.prod", "nl.var"}


def slice_size(kernel: Kernel, node: ast.Slice, extent: int | None) -> int | None:
    """How many elements start:stop has; both ends may move with a loop as long as the length does not."""
    if node.step is not None and kernel.const(node.step) != 1:
        return None
    lower = kernel.linear(node.lower) if node.lower is not None else {"": 0}
    upper = kernel.linear(node.upper) if node.upper is not None else ({"": extent} if extent is not None else None)
    if lower is None or upper is None:
        return None
    if {k: v for k, v in lower.items() if k} != {k: v for k, v in upper.items() if k}:
        return None
    size = upper.get("", 0) - lower.get("", 0)
    return size if size > 0 else None


def arange_axis(kernel: Kernel, node: ast.AST, depth: int = 0) -> tuple[int, int, int] | None:
    """(axis, rank, size) of nl.arange(n)[None, :] (or a name bound to it, or a mgrid name), else None."""
    if isinstance(node, ast.Name) and depth < 8:
        stmts = kernel.bindings.get(node.id, [])
        if len(stmts) == 1 and stmts[0].kind == "assign":
            if isinstance(stmts[0].target, ast.Name):
                return arange_axis(kernel, stmts[0].value, depth + 1)
            return _mgrid_axis(kernel, stmts[0], node.id)
        return None
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Call) and kernel.api(node.value.func) == "nl.arange":
        call, index = node.value, node.slice
        elements = list(index.elts) if isinstance(index, ast.Tuple) else [index]
        axes = [k for k, e in enumerate(elements) if isinstance(e, ast.Slice)]
        others = [e for e in elements if not isinstance(e, ast.Slice)]
        values = [kernel.const(a) for a in call.args]
        if len(axes) == 1 and all(isinstance(e, ast.Constant) and e.value is None for e in others) and values and None not in values:
            size = values[0] if len(values) == 1 else values[1] - values[0]
            return axes[0], len(elements), int(size)
    return None


def _mgrid_axis(kernel: Kernel, stmt, name: str) -> tuple[int, int, int] | None:
    if not isinstance(stmt.target, ast.Tuple) or not isinstance(stmt.value, ast.Subscript) or kernel.api(stmt.value.value) != "nl.mgrid":
        return None
    elements = list(stmt.value.slice.elts) if isinstance(stmt.value.slice, ast.Tuple) else [stmt.value.slice]
    names = [e.id if isinstance(e, ast.Name) else "" for e in stmt.target.elts]
    if len(elements) != len(names) or name not in names:
        return None
    axis = names.index(name)
    if not isinstance(elements[axis], ast.Slice):
        return None
    size = slice_size(kernel, elements[axis], None)
    return None if size is None else (axis, len(elements), size)


def index_axes(kernel: Kernel, node: ast.AST) -> list[tuple[int, int, int]]:
    """All arange axes that one index expression is made of."""
    found = arange_axis(kernel, node)
    if found:
        return [found]
    if isinstance(node, ast.BinOp):
        return index_axes(kernel, node.left) + index_axes(kernel, node.right)
    return []


def view_shape(kernel: Kernel, whole: tuple[int, ...] | None, node: ast.Subscript) -> tuple[int, ...] | None:
    """The shape of tensor[index]; `whole` may be None when every index says its own size."""
    elements = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    advanced = [a for e in elements if not isinstance(e, ast.Slice) for a in index_axes(kernel, e)]
    if advanced:
        rank = max(a[1] for a in advanced)
        sizes = [1] * rank
        for axis, _, size in advanced:
            sizes[axis] = max(sizes[axis], size)
        return tuple(sizes)
    if any(isinstance(e, ast.Constant) and e.value is Ellipsis for e in elements):
        if whole is None:
            return None
        at = next(k for k, e in enumerate(elements) if isinstance(e, ast.Constant) and e.value is Ellipsis)
        fill = [ast.Slice()] * (len(whole) - len(elements) + 1)
        elements = elements[:at] + fill + elements[at + 1:]
    result: list[int] = []
    dims = list(whole) if whole is not None else [None] * len(elements)
    position = 0
    for element in elements:
        if isinstance(element, ast.Constant) and element.value is None:
            result.append(1)
            continue
        if position >= len(dims):
            return None
        extent = dims[position]
        position += 1
        if isinstance(element, ast.Slice):
            size = slice_size(kernel, element, extent)
        elif isinstance(element, ast.Call) and kernel.api(element.func) == "nl.ds":
            value = kernel.const(argument(element, 1, "size"))
            size = int(value) if value is not None else None
        elif kernel.linear(element) is not None:
            continue                                       # an integer index drops the dimension
        else:
            return None
        if size is None:
            return None
        result.append(size)
    for extent in dims[position:]:
        if extent is None:
            return None
        result.append(extent)
    if len(result) == 1 and whole is not None and len(elements) == len(whole):
        result.append(1)                                   # t[0:128, 3] stays a [128, 1] tile
    return tuple(result) if len(result) >= 2 else None


def broadcast(one, other) -> tuple[int, ...] | None:
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple(max(a, b) if 1 in (a, b) or a == b else 0 for a, b in zip(one, other))


def infer(kernel: Kernel, node: ast.AST) -> tuple[int, ...] | None:
    if isinstance(node, ast.Name):
        stmts = kernel.bindings.get(node.id, [])
        if node.id in kernel.param_set or kernel.allocation(node.id) is not None:
            return kernel.whole_shape(node.id)
        if len(stmts) == 1 and stmts[0].kind == "assign" and isinstance(stmts[0].target, ast.Name):
            return kernel.shape(stmts[0].value)
        if stmts and all(s.kind == "assign" and isinstance(s.target, ast.Name) for s in stmts):
            shapes = {kernel.shape(s.value) for s in stmts}
            return shapes.pop() if len(shapes) == 1 else None
        return None
    if isinstance(node, ast.Subscript):
        base = node.value
        if isinstance(base, ast.Name):
            return view_shape(kernel, kernel.shape(base), node)
        return view_shape(kernel, kernel.shape(base), node) if base_name(node) else None
    if isinstance(node, ast.BinOp):
        if kernel.is_scalar(node.right):
            return kernel.shape(node.left)
        if kernel.is_scalar(node.left):
            return kernel.shape(node.right)
        return broadcast(kernel.shape(node.left), kernel.shape(node.right))
    if isinstance(node, ast.UnaryOp):
        return kernel.shape(node.operand)
    if isinstance(node, ast.Call):
        return _call(kernel, node)
    return None


def _call(kernel: Kernel, node: ast.Call) -> tuple[int, ...] | None:
    name = kernel.api(node.func) or ""
    first = argument(node, 0, "x") or argument(node, 0, "src") or argument(node, 0, "data")
    if name == "nl.load":
        source = argument(node, 0, "src")
        return kernel.shape(source) if isinstance(source, (ast.Subscript, ast.Name)) else None
    if name in BINARY:
        other = argument(node, 1, "y")
        if other is None or first is None:
            return None
        if kernel.is_scalar(other):
            return kernel.shape(first)
        if kernel.is_scalar(first):
            return kernel.shape(other)
        return broadcast(kernel.shape(first), kernel.shape(other))
    if name in UNARY:
        return kernel.shape(first)
    if name in REDUCTIONS:
        shape, axis = kernel.shape(first), argument(node, 1, "axis")
        return reduced(kernel, shape, axis)
    if name == "nisa.tensor_reduce":
        return reduced(kernel, kernel.shape(argument(node, 1, "data")), argument(node, 2, "axis"))
    if name == "nisa.activation":
        return kernel.shape(argument(node, 1, "data"))
    if name in ("nisa.tensor_scalar", "nisa.scalar_tensor_tensor", "nisa.activation_reduce"):
        return kernel.shape(argument(node, 1 if name == "nisa.activation_reduce" else 0, "data"))
    if name == "nisa.tensor_tensor":
        return broadcast(kernel.shape(argument(node, 0, "data1")), kernel.shape(argument(node, 1, "data2")))
    if name in ("nl.transpose", "nisa.nc_transpose"):
        shape = kernel.shape(argument(node, 0, "x") or argument(node, 0, "data"))
        return shape[::-1] if shape is not None and len(shape) == 2 else None
    if name == "nl.matmul":
        x, y = kernel.shape(argument(node, 0, "x")), kernel.shape(argument(node, 1, "y"))
        if x is None or y is None or len(x) != 2 or len(y) != 2:
            return None
        flag = argument(node, 2, "transpose_x")
        return (x[1] if isinstance(flag, ast.Constant) and flag.value is True else x[0], y[1])
    if name == "nisa.nc_matmul":
        x, y = kernel.shape(argument(node, 0, "stationary")), kernel.shape(argument(node, 1, "moving"))
        return (x[1], y[1]) if x and y and len(x) == 2 and len(y) == 2 else None
    if isinstance(node.func, ast.Attribute) and node.func.attr == "broadcast_to":
        elements = node.args[0].elts if len(node.args) == 1 and isinstance(node.args[0], (ast.Tuple, ast.List)) else node.args
        values = tuple(kernel.const(e) for e in elements)
        return values if all(isinstance(v, int) for v in values) else None
    if name == "nl.broadcast_to":
        shape = argument(node, 1, "shape")
        if isinstance(shape, (ast.Tuple, ast.List)):
            values = tuple(kernel.const(e) for e in shape.elts)
            return values if all(isinstance(v, int) for v in values) else None
    return None


def reduced(kernel: Kernel, shape, axis) -> tuple[int, ...] | None:
    if shape is None or axis is None:
        return None
    elements = axis.elts if isinstance(axis, (ast.List, ast.Tuple)) else [axis]
    axes = [kernel.const(e) for e in elements]
    if any(not isinstance(a, int) for a in axes):
        return None
    axes = [a % len(shape) for a in axes]
    return tuple(1 if k in axes else n for k, n in enumerate(shape))


def describe(shape) -> str:
    return "×".join(str(n) for n in shape) if shape else "unknown shape"


