# SPDX-License-Identifier: GPL-3.0-or-later
"""Sequential loops whose iterations are independent: affine_range lets the compiler overlap them."""
from __future__ import annotations

import ast

from ..edit import Edit, Refusal, splice
from ..kernel import Kernel, Loop, base_name, names_in, norm
from ..loops import leaf_stmts, mentions, subscripts_of
from ..profile import DMA_LATENCY_US, Context
from ..shapes import index_axes, slice_size
from .base import Rule, Site


def independent(kernel: Kernel, loop: Loop) -> None:
    """Raises Refusal when an iteration may need what another one wrote."""
    if loop.trip is None or loop.trip < 2:
        raise Refusal(f"the trip count of loop {loop.var} is unknown or 1")
    bound, mutated = set(), set()
    for stmt in loop.body.walk():
        if stmt.kind in ("if", "other") and stmt.loop is None:
            raise Refusal(f"line {stmt.line} steers Python control flow")
        if stmt.loop is not None and loop.var in names_in(stmt.value):
            raise Refusal(f"the inner loop at line {stmt.line} depends on {loop.var}")
        bound |= stmt.binds
        mutated |= stmt.mutates
    for name in bound - {loop.var}:
        outside = [s for s in kernel.bindings.get(name, []) if loop not in s.loops() and s is not loop.stmt]
        readers = [s for s in kernel.readers.get(name, []) if loop not in s.loops() and s is not loop.stmt]
        if outside or readers:
            raise Refusal(f"{name} is given a value inside and outside of loop {loop.var}")
        first = min((s.line for s in kernel.bindings[name] if loop in s.loops()), default=0)
        if any(s.line < first for s in kernel.readers.get(name, []) if loop in s.loops()):
            raise Refusal(f"{name} carries a value from one iteration to the next")
    for name in sorted(mutated - bound):
        _own_slot(kernel, loop, name)


def _own_slot(kernel: Kernel, loop: Loop, name: str) -> None:
    texts = set()
    for stmt in leaf_stmts(loop.body):
        count = mentions(stmt, name)
        if not count:
            continue
        if stmt.kind == "aug" and isinstance(stmt.target, (ast.Name, ast.Subscript)) and base_name(stmt.target) == name \
                and kernel.buffer_of(name) == "psum" and isinstance(stmt.value, ast.Call) \
                and kernel.api(stmt.value.func) in ("nl.matmul", "nisa.nc_matmul"):
            continue                     # accumulation in PSUM is associative
        subscripts = subscripts_of(stmt, name)
        if len(subscripts) < count:
            raise Refusal(f"line {stmt.line} uses {name} as a whole")
        for node in subscripts:
            if not any(_steps(kernel, loop, element) for element in (node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])):
                raise Refusal(f"line {stmt.line} writes {name} at a place that does not move with {loop.var}")
            texts.add(norm(node))
    if len(texts) > 1 and any(name in s.reads and s.kind != "expr" for s in leaf_stmts(loop.body)) and not _same_step(kernel, loop, name):
        raise Refusal(f"loop {loop.var} reads {name} at another place than it writes")


def _same_step(kernel: Kernel, loop: Loop, name: str) -> bool:
    """Writes only (an output that several statements store into, each in its own rows)."""
    for stmt in leaf_stmts(loop.body):
        if stmt.value is not None and any(base_name(n) == name for n in ast.walk(stmt.value) if isinstance(n, ast.Subscript)):
            if not (isinstance(stmt.value, ast.Call) and kernel.api(stmt.value.func) == "nl.store" and base_name(stmt.value.args[0]) == name
                    and sum(1 for n in ast.walk(stmt.value) if isinstance(n, ast.Name) and n.id == name) == 1):
                return False
    return True


def _steps(kernel: Kernel, loop: Loop, element: ast.AST) -> bool:
    """The index moves with the loop by at least as much as it covers."""
    if loop.var not in names_in(element):
        return False
    if isinstance(element, ast.Slice):
        size, start = slice_size(kernel, element, None), kernel.linear(element.lower) if element.lower is not None else None
        return size is not None and start is not None and abs(start.get(loop.var, 0)) * loop.step >= size
    if isinstance(element, ast.Call) and kernel.api(element.func) == "nl.ds" and len(element.args) == 2:
        size, start = kernel.const(element.args[1]), kernel.linear(element.args[0])
        return size is not None and start is not None and abs(start.get(loop.var, 0)) * loop.step >= size
    start = kernel.linear(element)
    if start is not None:
        return start.get(loop.var, 0) != 0
    axes = index_axes(kernel, element)
    from ..tiling import start_and_size
    found = start_and_size(kernel, element)
    if found is not None:
        return abs(found[0].get(loop.var, 0)) * loop.step >= found[1]
    if len(axes) == 1:
        import copy
        from ..tiling import _Zero
        start = kernel.linear(ast.fix_missing_locations(_Zero(kernel).visit(copy.deepcopy(element))))
        return start is not None and abs(start.get(loop.var, 0)) * loop.step >= axes[0][2]
    return False


class AffineLoop(Rule):
    id = "independent-loop"
    title = "Let independent iterations overlap"
    explanation = ("range and sequential_range promise an order, so loads of the next iteration wait for this one; affine_range says that the "
                   "iterations are independent and lets loads run ahead.")

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        sites = []
        for loop in kernel.loops():
            if loop.kind == "affine":
                continue
            try:
                independent(kernel, loop)
                self._header(kernel, loop)
            except Refusal:
                continue
            loads = sum(1 for s in leaf_stmts(loop.body) if s.value is not None and any(
                isinstance(n, ast.Call) and kernel.api(n.func) == "nl.load" for n in ast.walk(s.value)))
            waiting = DMA_LATENCY_US * 1e-3 * kernel.trips(loop.stmt) * (loop.trip or 1) * (1 if loads else 0)
            name = {"range": "range", "sequential": "sequential_range", "static": "static_range"}[loop.kind]
            sites.append(Site(
                f"{self.id}:{loop.var}@{loop.line}", f"Run loop {loop.var} (line {loop.line}) as affine_range",
                f"Loop {loop.var} is a {name}, but no iteration reads what another one writes; each iteration waits for its own loads.",
                f"Iterate with nl.affine_range" + ("" if loop.step == 1 and len(loop.stmt.value.args) == 1 else
                                                    f" over {loop.trip} iterations and compute {loop.var} from the counter") + ".",
                f"Loads overlap with the previous iteration: up to {waiting:.3f} ms less waiting.", loop.line, {}, {}, waiting,
                prior=1.0 if loop.kind != "static" else 0.2))
        return sites

    @staticmethod
    def _header(kernel: Kernel, loop: Loop) -> int:
        values = [kernel.const(a) for a in loop.stmt.value.args]
        if any(v is None for v in values):
            raise Refusal("the range has bounds that are not known")
        return int(values[0]) if len(values) > 1 else 0

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        for loop in kernel.loops():
            if site.key != f"{self.id}:{loop.var}@{loop.line}" or loop.kind == "affine":
                continue
            independent(kernel, loop)
            start = self._header(kernel, loop)
            edit = Edit(kernel)
            nl = edit.use("nl")
            arguments = loop.stmt.value.args
            if len(arguments) == 1:
                edit.header(loop.stmt, None, f"{nl}.affine_range({norm(arguments[0])})")
                return edit.source()
            counter = kernel.fresh(f"{loop.var}_index")
            edit.header(loop.stmt, counter, f"{nl}.affine_range({loop.trip})")
            offset = f"{start} + " if start else ""
            place = f"({offset}{counter} * {loop.step})" if loop.step != 1 else f"({offset}{counter})"
            for stmt in loop.body.walk():
                self._substitute(edit, stmt, loop.var, place)
            return edit.source()
        raise Refusal("the loop of the plan is not in this kernel")

    @staticmethod
    def _substitute(edit: Edit, stmt, var: str, place: str) -> None:
        if stmt.inner:
            if stmt.value is not None and var in names_in(stmt.value):
                raise Refusal("an inner loop depends on the loop variable")
            return
        if stmt.value is not None:
            nodes = [n for n in ast.walk(stmt.value) if isinstance(n, ast.Name) and n.id == var]
            if nodes:
                edit.value(stmt, splice(stmt.value_code, [(n, place) for n in nodes]))
        if isinstance(stmt.target, ast.Subscript) and var in names_in(stmt.target):
            from ..tiling import _rewrite_target
            nodes = [n for n in ast.walk(stmt.target) if isinstance(n, ast.Name) and n.id == var]
            edit.target(stmt, _rewrite_target(stmt, [(n, place) for n in nodes]))
