# SPDX-License-Identifier: GPL-3.0-or-later
"""How a loop walks over a free dimension in tiles of F columns, and how to let it take k·F at a time.

The loop variable j must appear only as j*F inside indices whose piece is F long (slices, nl.ds, nl.arange), and everything that is
F wide because of j must flow only through operations that treat columns alike. Anything else is refused.
"""
from __future__ import annotations

import ast
from dataclasses import dataclass, field

from .edit import Edit, Refusal, splice
from .kernel import Kernel, Loop, Stmt, argument, base_name, names_in, norm
from .loops import leaf_stmts
from .shapes import BINARY, UNARY, arange_axis, index_axes, slice_size

COLUMNWISE = BINARY | UNARY | {"nl.load", "nl.store", "nisa.activation", "nisa.tensor_scalar", "nisa.tensor_tensor",
                               "nisa.scalar_tensor_tensor", "nisa.memset", "nisa.dma_copy", "nisa.tensor_copy"}
ARANGE_FREE_AXIS = 1


@dataclass
class Walk:
    """One loop over columns: `width` F, the statements whose indices move with it, and the tensors it makes F wide."""
    loop: Loop
    width: int
    moving: list[tuple[Stmt, ast.AST]] = field(default_factory=list)       # index elements with the loop variable in them
    wide: set[str] = field(default_factory=set)                            # names of tiles that are F wide because of j
    declared: list[tuple[Stmt, ast.AST]] = field(default_factory=list)     # (declaration, its last shape element)
    local: list[tuple[Stmt, ast.AST]] = field(default_factory=list)        # indices of wide local tiles that spell F
    matmul: bool = False
    psum: bool = False
    loads: int = 0
    stores: int = 0
    operations: int = 0


def element_list(node: ast.Subscript) -> list[ast.AST]:
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


class _Zero(ast.NodeTransformer):
    """nl.arange terms as zeros, to read the rest of an advanced index as a linear expression."""

    def __init__(self, kernel: Kernel):
        self.kernel = kernel

    def visit(self, node):
        if arange_axis(self.kernel, node) is not None:
            return ast.Constant(0)
        return self.generic_visit(node)


def start_and_size(kernel: Kernel, element: ast.AST) -> tuple[dict[str, int], int, str] | None:
    """(start as a linear expression, size, form) of one index element."""
    if isinstance(element, ast.Slice):
        size = slice_size(kernel, element, None)
        start = kernel.linear(element.lower) if element.lower is not None else {"": 0}
        return None if size is None or start is None else (start, size, "slice")
    if isinstance(element, ast.Call) and kernel.api(element.func) == "nl.ds":
        start, size = kernel.linear(argument(element, 0, "start")), kernel.const(argument(element, 1, "size"))
        return None if start is None or size is None else (start, int(size), "ds")
    axes = index_axes(kernel, element)
    if len(axes) == 1 and axes[0][1] == 2 and axes[0][0] == ARANGE_FREE_AXIS:
        import copy
        start = kernel.linear(ast.fix_missing_locations(_Zero(kernel).visit(copy.deepcopy(element))))
        return None if start is None else (start, axes[0][2], "arange")
    return None


def inspect(kernel: Kernel, loop: Loop) -> Walk:
    """Raises Refusal when the loop is not a plain walk over columns."""
    if loop.trip is None or loop.trip < 2:
        raise Refusal(f"loop {loop.var} has no known trip count above 1")
    if loop.step != 1 or len(loop.stmt.value.args) != 1:
        raise Refusal(f"loop {loop.var} does not count 0, 1, 2, …")
    width = None
    walk = Walk(loop, 0)
    for stmt in loop.body.walk():
        if stmt.kind in ("if", "other") and not stmt.loop:
            raise Refusal(f"line {stmt.line} has control flow that depends on the tile")
        for tree in (stmt.value, stmt.target):
            if tree is None or loop.var not in names_in(tree):
                continue
            if stmt.inner:
                raise Refusal(f"the inner loop at line {stmt.line} depends on {loop.var}")
            for element in _moving_elements(kernel, tree, loop.var, stmt):
                found = start_and_size(kernel, element)
                if found is None or found[0].get(loop.var) is None:
                    raise Refusal(f"line {stmt.line} uses {loop.var} in an index that is not a piece of columns")
                if width is None:
                    width = found[1]
                if found[1] != width or found[0][loop.var] != width:
                    raise Refusal(f"line {stmt.line} does not step by its own width")
                walk.moving.append((stmt, element))
    if width is None or width < 2:
        raise Refusal(f"loop {loop.var} does not walk over columns")
    walk.width = width
    _flow(kernel, walk)
    return walk


def _moving_elements(kernel: Kernel, tree: ast.AST, var: str, stmt: Stmt) -> list[ast.AST]:
    found, covered = [], 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            elements = element_list(node)
            inside = [k for k, e in enumerate(elements) if var in names_in(e)]
            if not inside or arange_axis(kernel, node) is not None:
                continue
            if len(inside) != 1 or inside[0] != len(elements) - 1:
                raise Refusal(f"line {stmt.line} uses {var} in another place than the last dimension")
            found.append(elements[-1])
            covered += sum(1 for n in ast.walk(elements[-1]) if isinstance(n, ast.Name) and n.id == var)
    total = sum(1 for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == var)
    if covered != total:
        raise Refusal(f"line {stmt.line} uses {var} outside of an index")
    return found


def _flow(kernel: Kernel, walk: Walk) -> None:
    """Which tiles are F wide because of the loop, and whether everything done with them is columnwise."""
    moving = {id(e) for _, e in walk.moving}
    for _ in range(3):        # forward references within a body do not exist; accumulators need a second look
        before = len(walk.wide)
        walk.loads = walk.stores = walk.operations = 0
        for stmt in leaf_stmts(walk.loop.body):
            if stmt.kind == "doc" or stmt.value is None:
                continue
            if stmt.kind == "annassign":
                raise Refusal(f"line {stmt.line} has an annotation")
            if _is_allocation(kernel, stmt):
                continue
            target_wide = isinstance(stmt.target, ast.Subscript) and id(element_list(stmt.target)[-1]) in moving
            target_wide |= stmt.target is not None and base_name(stmt.target) in walk.wide
            value_wide = _wide(kernel, walk, stmt.value, moving, stmt)
            if value_wide and stmt.target is not None and not target_wide:
                if isinstance(stmt.target, ast.Tuple):
                    raise Refusal(f"line {stmt.line} unpacks a tile")
                name = base_name(stmt.target)
                if isinstance(stmt.target, ast.Subscript) and kernel.allocation(name or "") is None:
                    raise Refusal(f"line {stmt.line} writes a piece of columns into a tensor whose shape is unknown")
                if name is None or name in kernel.param_set:
                    raise Refusal(f"line {stmt.line} writes into a parameter")
                walk.wide.add(name)
            if target_wide and not value_wide and not _narrow(kernel, stmt.value):
                raise Refusal(f"line {stmt.line} mixes tiles that move with {walk.loop.var} and tiles that do not")
        if len(walk.wide) == before:
            break
    _declarations(kernel, walk)
    for stmt in leaf_stmts(walk.loop.body):
        if stmt.value is not None and stmt.kind != "doc" and not _is_allocation(kernel, stmt):
            _local_indices(kernel, walk, stmt, moving)
    for name in walk.wide:      # a wide tile must not leave the loop
        for stmt in kernel.readers.get(name, []) + kernel.mutations.get(name, []):
            if walk.loop not in stmt.loops() and not _is_allocation(kernel, stmt):
                raise Refusal(f"the tile {name} is used outside of loop {walk.loop.var} too")


def _is_allocation(kernel: Kernel, stmt: Stmt) -> bool:
    return isinstance(stmt.value, ast.Call) and isinstance(stmt.target, ast.Name) and kernel.allocation(stmt.target.id) is stmt.value


def _narrow(kernel: Kernel, node: ast.AST) -> bool:
    """Something that broadcasts along columns: a number or one value per partition."""
    if kernel.is_scalar(node) or (isinstance(node, ast.Constant) and node.value is None):
        return True
    shape = kernel.shape(node)
    return shape is not None and len(shape) >= 2 and shape[-1] == 1


def _wide(kernel: Kernel, walk: Walk, node: ast.AST, moving: set[int], stmt: Stmt) -> bool:
    if isinstance(node, ast.Name):
        return node.id in walk.wide
    if isinstance(node, ast.Subscript):
        if id(element_list(node)[-1]) in moving:
            return True
        return base_name(node) in walk.wide
    if isinstance(node, ast.BinOp):
        return _together(kernel, walk, [node.left, node.right], moving, stmt)
    if isinstance(node, ast.UnaryOp):
        return _wide(kernel, walk, node.operand, moving, stmt)
    if isinstance(node, ast.Call):
        name = kernel.api(node.func) or ""
        operands = [a for a in node.args] + [k.value for k in node.keywords
                                             if k.arg not in ("dtype", "op", "op0", "op1", "reverse0", "reverse1", "engine", "name", "buffer", "axis")]
        for keyword in node.keywords:
            if keyword.arg == "mask" and not (isinstance(keyword.value, ast.Constant) and keyword.value.value is None):
                raise Refusal(f"line {stmt.line} has a mask")
        if name in ("nl.load", "nl.store", "nisa.dma_copy"):
            source = _wide(kernel, walk, operands[0], moving, stmt) if operands else False
            rest = [_wide(kernel, walk, o, moving, stmt) for o in operands[1:]]
            if name != "nl.load":
                if source != any(rest) and not (source and all(_narrow(kernel, o) for o in operands[1:])):
                    raise Refusal(f"line {stmt.line} stores a tile that does not move with {walk.loop.var}")
                walk.stores += 1
            elif source:
                walk.loads += 1
            return source
        if name in ("nl.matmul", "nisa.nc_matmul"):
            first, second = _wide(kernel, walk, operands[0], moving, stmt), _wide(kernel, walk, operands[1], moving, stmt)
            if first:
                raise Refusal(f"line {stmt.line} uses the moving columns as the stationary side of a matmul")
            walk.matmul |= second
            return second
        tokens = [o for o in operands if (kernel.api(o) or "").split(".")[0] in ("nl", "np", "nisa") and not isinstance(o, ast.Call)]
        operands = [o for o in operands if o not in tokens]
        if name in COLUMNWISE:
            wide = _together(kernel, walk, operands, moving, stmt)
            walk.operations += wide
            return wide
        if any(_wide(kernel, walk, o, moving, stmt) for o in operands) or (
                isinstance(node.func, ast.Attribute) and base_name(node.func) in walk.wide):
            raise Refusal(f"line {stmt.line}: {name or 'a call'} does not treat columns alike")
        return False
    return False


def _together(kernel: Kernel, walk: Walk, operands: list[ast.AST], moving: set[int], stmt: Stmt) -> bool:
    wide = [_wide(kernel, walk, o, moving, stmt) for o in operands]
    if any(wide):
        for operand, is_wide in zip(operands, wide):
            if not is_wide and not _narrow(kernel, operand):
                raise Refusal(f"line {stmt.line} joins a tile that moves with {walk.loop.var} with one that does not")
    return any(wide)


def _declarations(kernel: Kernel, walk: Walk) -> None:
    for name in sorted(walk.wide):
        call = kernel.allocation(name)
        if call is None:
            continue
        shape = kernel.allocation_shape(call)
        if shape is None or kernel.const(shape[-1]) != walk.width:
            raise Refusal(f"the declaration of {name} does not end in the tile's width")
        walk.declared.append((kernel.bindings[name][0], shape[-1]))
        walk.psum |= kernel.buffer_of(name) == "psum"


def _local_indices(kernel: Kernel, walk: Walk, stmt: Stmt, moving: set[int]) -> None:
    for tree in (stmt.value, stmt.target):
        if tree is None:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Subscript) and base_name(node) in walk.wide and id(element_list(node)[-1]) not in moving:
                last = element_list(node)[-1]
                if isinstance(last, ast.Constant) and last.value is Ellipsis:
                    continue
                if isinstance(last, ast.Slice) and last.lower is None and last.upper is None:
                    continue
                found = start_and_size(kernel, last)
                if found is None or found[1] != walk.width or any(found[0].values()):
                    raise Refusal(f"line {stmt.line} takes a part of the tile {base_name(node)}")
                walk.local.append((stmt, last))


def largest_factor(kernel: Kernel, walk: Walk, limit: int) -> list[int]:
    """All factors k > 1 that divide the trip count and keep the tile within `limit` columns, ascending."""
    trip = walk.loop.trip or 1
    return [k for k in range(2, trip + 1) if trip % k == 0 and walk.width * k <= limit]


def widen(kernel: Kernel, walk: Walk, factor: int) -> str:
    """The source with `factor` times wider tiles in this loop."""
    edit = Edit(kernel)
    loop, new = walk.loop, walk.width * factor
    named = _constant_name(kernel, walk)
    if named is not None:
        edit.value(named, str(new))
        return edit.source()
    trip = (loop.trip or 0) // factor
    iterator = loop.stmt.value_code.strip()
    edit.header(loop.stmt, None, splice(iterator, [(loop.stmt.value.args[0], str(trip))]))
    pieces: dict[int, tuple[Stmt, list]] = {}

    def note(stmt: Stmt, node: ast.AST, code: str) -> None:
        pieces.setdefault(id(stmt), (stmt, []))[1].append((node, code))

    for stmt, element in walk.moving + walk.local:
        note(stmt, element, _piece(kernel, edit, element, loop.var, walk.width, factor))
    for stmt, element in walk.declared:
        note(stmt, element, str(new))
    for stmt, changes in pieces.values():
        in_target = [c for c in changes if _within(stmt.target, c[0])]
        in_value = [c for c in changes if not _within(stmt.target, c[0])]
        if in_value:
            edit.value(stmt, splice(stmt.value_code, in_value))
        if in_target:
            edit.target(stmt, _rewrite_target(stmt, in_target))
    return edit.source()


def _within(tree: ast.AST | None, node: ast.AST) -> bool:
    return tree is not None and any(n is node for n in ast.walk(tree))


def _rewrite_target(stmt: Stmt, changes: list) -> str:
    return splice(stmt.target_source, changes)


def _piece(kernel: Kernel, edit: Edit, element: ast.AST, var: str, width: int, factor: int) -> str:
    found = start_and_size(kernel, element)
    if found is None:
        raise Refusal("an index could not be read again")
    start, size, form = found
    new = size * factor
    others = {k: v for k, v in start.items() if k and k != var}
    rest = "".join(f" + {k} * {v}" for k, v in sorted(others.items()))
    rest += f" + {start.get('', 0)}" if start.get("", 0) else ""
    moves = var in start
    begin = f"{var} * {new}{rest}" if moves else (rest[3:] or "0")
    if form == "ds":
        return f"{edit.use('nl')}.ds({begin}, {new})"
    if form == "slice":
        end = f"({var} + 1) * {new}{rest}" if moves else f"{begin} + {new}" if rest else f"{new}"
        return f"{begin}:{end}"
    whole = f"{edit.use('nl')}.arange({new})[None, :]"
    return f"{begin} + {whole}" if moves or rest else whole


def _constant_name(kernel: Kernel, walk: Walk) -> Stmt | None:
    """The one constant (TILE = 512) that spells the width everywhere in this loop, and nowhere else."""
    for name, stmts in kernel.bindings.items():
        if len(stmts) != 1 or stmts[0].kind != "assign" or not isinstance(stmts[0].value, ast.Constant):
            continue
        if kernel.const(stmts[0].value) != walk.width or kernel.const(ast.Name(id=name, ctx=ast.Load())) != walk.width:
            continue
        spots = [(s, t) for s in kernel.readers.get(name, []) for t in (s.value, s.target) if t is not None and name in names_in(t)]
        used = {id(s) for s, _ in spots}
        needed = {id(s) for s, _ in walk.moving + walk.local + walk.declared} | {id(walk.loop.stmt)}
        if used != needed:
            continue
        if all(name in {n for e in _spelled(walk, s) for n in names_in(e)} for s, _ in walk.moving + walk.declared + walk.local) \
                and _only_there(walk, spots, name):
            count = walk.loop.stmt.value.args[0]
            if isinstance(count, ast.BinOp) and isinstance(count.op, (ast.FloorDiv, ast.Div)) and norm(count.right) == name:
                return stmts[0]
    return None


def _spelled(walk: Walk, stmt: Stmt) -> list[ast.AST]:
    return [e for s, e in walk.moving + walk.local + walk.declared if s is stmt]


def _only_there(walk: Walk, spots: list, name: str) -> bool:
    """Every mention of the constant is inside an index, a declaration or the loop count of this walk, and there is no literal beside it."""
    for stmt, tree in spots:
        total = sum(1 for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name)
        if stmt is walk.loop.stmt:
            continue
        inside = sum(1 for e in _spelled(walk, stmt) if _within(tree, e) for n in ast.walk(e) if isinstance(n, ast.Name) and n.id == name)
        if total != inside:
            return False
    width = walk.width
    return not any(isinstance(n, ast.Constant) and n.value == width for s, e in walk.moving + walk.local + walk.declared for n in ast.walk(e))


ENGINE_SHARE = 0.65      # of the elementwise work of a body on its busier engine


def tile_time_ms(walk: Walk, columns: int, trips: int) -> float:
    """A coarse time of the whole loop at a tile width. Loads run ahead by max(2, 8 KiB / row) tiles (a habit of the Neuron compiler,
    measured on Trainium 1), so a tile costs the slowest of transfer, computation, and the chain load-compute-store over that depth."""
    from .profile import DMA_LATENCY_US, instruction_ms, transfer_ms
    transfer = transfer_ms(columns * 4.0)
    compute = ENGINE_SHARE * max(walk.operations, 1) * instruction_ms("vector", columns)
    if not walk.loads:
        return trips * compute
    depth = max(2.0, 8192.0 / (columns * 4.0))
    chain = 2 * transfer + 2 * DMA_LATENCY_US * 1e-3 + compute
    return trips * max((walk.loads + walk.stores) * transfer, compute, chain / depth)
