# SPDX-License-Identifier: GPL-3.0-or-later
"""Neighbouring loops over the same range become one, and a tile that was stored and loaded again stays in SBUF."""
from __future__ import annotations

import ast

from ..edit import Edit, Refusal, substituted
from ..kernel import Kernel, Loop, Stmt, argument, base_name, names_in, norm
from ..loops import leaf_stmts, mentions, subscripts_of
from ..profile import DMA_LATENCY_US, Context, transfer_ms
from .base import Rule, Site, drop_unused


def neighbours(kernel: Kernel) -> list[tuple[Loop, Loop]]:
    """Pairs of affine loops over the same range with only declarations between them."""
    found = []
    for stmt in kernel.stmts:
        if stmt.loop is None or stmt.loop.kind != "affine":
            continue
        after = stmt.next
        while after is not None and _movable_up(kernel, after):
            after = after.next
        if after is None or after.loop is None or after.loop.kind != "affine":
            continue
        try:
            mergeable(kernel, stmt.loop, after.loop)
        except Refusal:
            continue
        found.append((stmt.loop, after.loop))
    return found


def _movable_up(kernel: Kernel, stmt: Stmt) -> bool:
    return stmt.kind == "doc" or (stmt.kind == "assign" and isinstance(stmt.target, ast.Name) and isinstance(stmt.value, ast.Call)
                                  and kernel.allocation(stmt.target.id) is stmt.value)


def mergeable(kernel: Kernel, first: Loop, second: Loop) -> None:
    same = first.trip == second.trip if first.trip is not None and second.trip is not None else first.count_code == second.count_code
    if not same or first.count_code == "" or second.count_code == "":
        raise Refusal("the loops do not run over the same range")
    one, two = list(first.body.walk()), list(second.body.walk())
    if any(s.kind in ("other", "if") and s.loop is None for s in one + two):
        raise Refusal("a loop contains control flow")
    written = [set().union(*(s.mutates for s in body)) for body in (one, two)]
    read = [set().union(*(s.reads | s.mutates for s in body)) for body in (one, two)]
    bound = [set().union(*(s.binds for s in body)) for body in (one, two)]
    shared = ((written[0] & read[1]) | (written[1] & read[0])) - bound[0] - bound[1]
    for name in sorted(shared):
        _same_places(kernel, first, second, name)
    leaking = {n for n in bound[0] - {first.var} for s in kernel.readers.get(n, []) if first not in s.loops() and second not in s.loops() and s is not first.stmt}
    if leaking:
        raise Refusal(f"{sorted(leaking)[0]} is used after the first loop")


def _same_places(kernel: Kernel, first: Loop, second: Loop, name: str) -> None:
    """All accesses in both loops are the same index of the loop variable (after renaming)."""
    texts = set()
    inner = []
    for loop in (first, second):
        variables = {loop.var: "_outer"}
        for depth, stmt in enumerate(s for s in loop.body.walk() if s.loop is not None):
            variables[stmt.loop.var] = f"_inner{depth}"
        inner.append({v for v in variables.values()})
        for stmt in leaf_stmts(loop.body):
            count = mentions(stmt, name)
            subscripts = subscripts_of(stmt, name)
            if count > len(subscripts):
                raise Refusal(f"{name} is used as a whole at line {stmt.line}")
            for node in subscripts:
                if loop.var not in names_in(node):
                    raise Refusal(f"line {stmt.line} uses {name} at a place that does not move with {loop.var}")
                leading = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                moving = [k for k, e in enumerate(leading) if loop.var in names_in(e)]
                texts.add((tuple(moving), tuple(substituted(norm(leading[k]) if not isinstance(leading[k], ast.Slice) else _slice_text(leading[k]),
                                                            variables) for k in moving)))
    if len(texts) != 1:
        raise Refusal(f"the loops use different places of {name}")


def _slice_text(node: ast.Slice) -> str:
    parts = [norm(p) if p is not None else "None" for p in (node.lower, node.upper, node.step)]
    return f"slice({', '.join(parts)})"


def merge(kernel: Kernel, first: Loop, second: Loop) -> str:
    edit = Edit(kernel)
    renamed = {second.var: first.var} if second.var != first.var else {}
    clash = (set().union(*(s.binds for s in first.body.walk())) & set().union(*(s.binds for s in second.body.walk()))) - {first.var, second.var}
    body = _text(kernel, second)
    for name in sorted(clash):
        renamed[name] = kernel.fresh(f"{name}_b")
    edit.after(first.body.stmts[-1], [_renamed_block(line, renamed) for line in body])
    between = first.stmt.next
    while between is not None and between is not second.stmt:
        edit.before(first.stmt, [between.code.strip() + "\n"])
        edit.remove(between)
        between = between.next
    edit.remove(second.stmt)
    return edit.source()


def _text(kernel: Kernel, loop: Loop) -> list[str]:
    import textwrap
    lines = []
    for stmt in loop.body.stmts:
        text = kernel.module.code_for_node(stmt.node)
        lines.append(textwrap.dedent(text).strip("\n") + "\n" if not stmt.inner else _dedented(text))
    return lines


def _dedented(text: str) -> str:
    import textwrap
    return textwrap.dedent(text).strip("\n") + "\n"


def _renamed_block(code: str, renamed: dict[str, str]) -> str:
    """Renames plain names in a statement's text."""
    import libcst as cst
    if not renamed:
        return code
    module = cst.parse_module(code)

    class Rename(cst.CSTTransformer):
        def __init__(self):
            super().__init__()
            self.skipped = set()

        def visit_Attribute(self, node):
            self.skipped.add(id(node.attr))

        def visit_Arg(self, node):
            if node.keyword is not None:
                self.skipped.add(id(node.keyword))

        def leave_Name(self, original_node, updated_node):
            if id(original_node) in self.skipped or original_node.value not in renamed:
                return updated_node
            return updated_node.with_changes(value=renamed[original_node.value])
    return module.visit(Rename()).code


def forwarded(kernel: Kernel) -> list[tuple[Stmt, Stmt]]:
    """(store, load) in one block, where the load reads back exactly what the store wrote."""
    found = []
    for store in kernel.stmts:
        if store.kind != "expr" or not isinstance(store.value, ast.Call) or kernel.api(store.value.func) != "nl.store":
            continue
        destination, value = argument(store.value, 0, "dst"), argument(store.value, 1, "value")
        if not isinstance(destination, ast.Subscript) or not isinstance(value, ast.Name) or argument(store.value, 99, "mask") is not None:
            continue
        base, key = base_name(destination), norm(destination)
        for load in store.block.stmts[store.index + 1:]:
            if load.kind == "assign" and isinstance(load.target, ast.Name) and isinstance(load.value, ast.Call) \
                    and kernel.api(load.value.func) == "nl.load" and len(load.value.args) == 1 and not load.value.keywords \
                    and norm(load.value.args[0]) == key and len(kernel.bindings.get(load.target.id, [])) == 1 \
                    and load.target.id not in kernel.mutations:
                found.append((store, load))
                break
            if base in load.mutates or value.id in load.binds | load.mutates:
                break
    return found


def forward(source: str, shapes) -> str:
    for _ in range(16):
        kernel = Kernel(source, shapes)
        pairs = forwarded(kernel)
        if not pairs:
            return drop_unused(_drop_unread_scratch(source, shapes))
        store, load = pairs[0]
        edit = Edit(kernel)
        edit.remove(load)
        edit.rename(load.target.id, argument(store.value, 1, "value").id)
        source = edit.source()
    return source


def _drop_unread_scratch(source: str, shapes) -> str:
    """Stores into HBM scratch tensors that are neither read nor returned."""
    kernel = Kernel(source, shapes)
    for name in sorted(kernel.mutations):
        call = kernel.allocation(name)
        if call is None or kernel.buffer_of(name) != "hbm":
            continue
        users = [s for s in kernel.readers.get(name, []) + kernel.mutations.get(name, [])]
        if all(s.kind == "expr" and isinstance(s.value, ast.Call) and kernel.api(s.value.func) == "nl.store"
               and base_name(s.value.args[0]) == name and mentions(s, name) == 1 for s in users):
            edit = Edit(kernel)
            for stmt in {id(s): s for s in users}.values():
                edit.remove(stmt)
            edit.remove(kernel.bindings[name][0])
            return _drop_unread_scratch(edit.source(), shapes)
    return source


class MergeLoops(Rule):
    id = "merge-loops"
    title = "Merge neighbouring loops over the same range"
    explanation = ("One pass instead of two: tiles that the first loop made are still in SBUF when the second needs them, so stores and loads of "
                   "intermediate results disappear, and loads overlap with more work.")

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        sites = []
        for first, second in neighbours(kernel):
            trips = kernel.trips(first.stmt) * (first.trip or 8)
            stored = {base_name(s.value.args[0]) for s in first.body.walk() if isinstance(s.value, ast.Call) and s.value.args
                      and kernel.api(s.value.func) == "nl.store"}
            reloads = [s for s in second.body.walk() if isinstance(s.value, ast.Call) and kernel.api(s.value.func) == "nl.load" and stored & s.reads]
            saved = {"dma": sum(kernel.trips(s) * transfer_ms(4.0 * (kernel.shape(s.value) or (128, 512))[-1]) for s in reloads) * 2}
            sites.append(Site(
                f"{self.id}:{first.line}", f"Merge the loops at lines {first.line} and {second.line}",
                f"Both loops run over the same {first.trip or first.count_code} iterations" + (f", and the second loads what the first stored ({len(reloads)} loads)." if reloads else "."),
                f"Run the body of loop {second.var} right after that of loop {first.var} in one loop" + ("; use the tiles in SBUF instead of loading them again." if reloads else "."),
                f"About {saved['dma']:.3f} ms less DMA work." if reloads else "Longer bodies overlap loads and computation better.",
                first.line, {}, saved, 0.02 * DMA_LATENCY_US * 1e-3 * trips))
        for store, load in forwarded(kernel)[:4]:
            saved = {"dma": kernel.trips(load) * transfer_ms(4.0 * (kernel.shape(load.value) or (128, 512))[-1])}
            sites.append(Site(
                f"{self.id}:reuse", f"Use the tile of line {store.line} instead of loading it again",
                f"Line {load.line} loads from HBM what line {store.line} has just stored.", "Keep using the tile in SBUF and drop the load.",
                f"About {saved['dma']:.3f} ms less DMA work and no wait for the round trip.", load.line, {}, saved, DMA_LATENCY_US * 1e-3 * kernel.trips(load)))
            break
        return sites

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        if site.key == f"{self.id}:reuse":
            if not forwarded(kernel):
                raise Refusal("no tile is stored and loaded again in one block")
            return forward(kernel.source, kernel.shapes)
        for first, second in neighbours(kernel):
            if site.key != f"{self.id}:{first.line}":
                continue
            source = merge(kernel, first, second)
            for _ in range(8):         # loops inside the merged body may have become neighbours
                again = Kernel(source, kernel.shapes)
                pairs = [(a, b) for a, b in neighbours(again) if a.line > first.line and len(a.stmt.loops()) > len(first.stmt.loops())]
                if not pairs or variant == 1:
                    break
                source = merge(again, *pairs[0])
            return forward(source, kernel.shapes)
        raise Refusal("the loops of the plan are not neighbours over the same range, or they depend on each other")


