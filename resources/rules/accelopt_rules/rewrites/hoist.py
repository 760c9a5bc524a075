# SPDX-License-Identifier: GPL-3.0-or-later
"""Loop-invariant work: loads, broadcasts, transposes and arithmetic that give the same tile in every iteration."""
from __future__ import annotations

import ast

from ..edit import Edit, Refusal, splice
from ..expr import tile_expressions
from ..kernel import Kernel, Loop, Stmt, names_in, norm
from ..loops import is_pure, single, variant_names
from ..profile import DEFAULT_WIDTH, Context, instruction_ms, transfer_ms
from .base import Rule, Site

TRANSPOSES = {"nl.transpose", "nisa.nc_transpose"}


def work_ms(kernel: Kernel, node: ast.AST) -> tuple[str, float]:
    """(engine, ms) of one execution of a pure call."""
    shape = kernel.shape(node)
    width = 1
    for n in (shape or (128, DEFAULT_WIDTH))[1:]:
        width *= n
    name = kernel.api(node.func) if isinstance(node, ast.Call) else ""
    if name in ("nl.load", "nl.load_transpose2d"):
        return "dma", transfer_ms(width * 4.0, (shape or (128,))[0])
    if name in TRANSPOSES or (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "broadcast_to"):
        return "tensor", instruction_ms("tensor", 4.0 * width)
    if name in ("nl.exp", "nisa.activation", "nl.copy", "nl.sqrt", "nl.rsqrt", "nl.square"):
        return "scalar", instruction_ms("scalar", width)
    return "vector", instruction_ms("vector", width)


class Hoist(Rule):
    id = "hoist-invariant"
    title = "Move loop-invariant work out of the loop"
    explanation = "A tile that is the same in every iteration is loaded or computed once, before the loop, and stays in SBUF."

    def candidates(self, kernel: Kernel) -> list[tuple[Loop, Stmt, ast.AST]]:
        """(outermost loop that it can leave, statement, expression), at most one per statement."""
        found = []
        for stmt in kernel.stmts:
            if stmt.value is None or stmt.loop is not None or stmt.block.owner is None or stmt.block.owner.loop is None:
                continue
            loops = stmt.loops()
            for node in self._expressions(kernel, stmt):
                loop = self._furthest(node, loops, stmt)
                if loop is not None:
                    found.append((loop, stmt, node))
                    break
        return found

    @staticmethod
    def _expressions(kernel: Kernel, stmt: Stmt):
        if stmt.kind == "assign" and isinstance(stmt.target, ast.Name):
            if single(kernel, stmt.target.id) is not stmt:
                if is_pure(kernel, stmt.value):
                    return
        for node in tile_expressions(stmt.value):
            if is_pure(kernel, node):
                yield node

    @staticmethod
    def _furthest(node: ast.AST, loops: list[Loop], stmt: Stmt) -> Loop | None:
        needed = names_in(node)
        own = stmt.target.id if isinstance(stmt.target, ast.Name) else None
        best = None
        for loop in reversed(loops):
            variant = variant_names(loop)
            if node is stmt.value and own is not None:
                variant = variant - {own}
            if needed & variant:
                break
            best = loop
        return best

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        items = self.candidates(kernel)
        if not items:
            return []
        saved: dict[str, float] = {}
        for loop, stmt, node in items:
            engine, ms = work_ms(kernel, node)
            outside = kernel.trips(loop.stmt)
            saved[engine] = saved.get(engine, 0.0) + ms * max(0, kernel.trips(stmt) - outside)
        loop, stmt, node = items[0]
        what = "loads" if any(kernel.api(n.func) == "nl.load" for _, _, n in items if isinstance(n, ast.Call)) else "work"
        title = f"Hoist the loop-invariant {what} out of loop {loop.var}"
        if len({loop.var for loop, _, _ in items}) > 1:
            title += " and others"
        why = f"Line {stmt.line} (`{norm(node)[:100]}`) does not depend on loop {loop.var} (line {loop.line}), yet runs {kernel.trips(stmt)} times" \
              + (f"; {len(items)} such expressions in all." if len(items) > 1 else ".")
        # The Neuron compiler often finds invariant loads itself (measured HBM bytes): half of it is counted.
        return [Site(f"{self.id}:all", title, why, f"Move {'them' if len(items) > 1 else 'it'} before the outermost loop that changes nothing about "
                     f"{'them' if len(items) > 1 else 'it'}.", f"Saves up to {sum(saved.values()):.3f} ms of repeated work, if the compiler does not hoist by itself.",
                     stmt.line, {}, saved, prior=0.35)]

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        changed = False
        for _ in range(64):
            items = self.candidates(kernel)
            if variant == 1:
                loads = [i for i in items if isinstance(i[2], ast.Call) and kernel.api(i[2].func) == "nl.load"]
                items = loads or (items if not changed else [])
            if not items:
                break
            loop, stmt, node = items[0]
            edit = Edit(kernel)
            whole = node is stmt.value and stmt.kind == "assign" and isinstance(stmt.target, ast.Name)
            code = norm(node) if not whole else stmt.value_code.strip()
            if isinstance(node, ast.Call) and kernel.api(node.func) in TRANSPOSES:
                code = f"{edit.use('nl')}.copy({code})"      # a transpose ends in PSUM: keep the copy, not the bank
            name = stmt.target.id if whole else kernel.fresh("invariant")
            edit.before(loop.stmt, [f"{name} = {code}\n"])
            if whole:
                edit.remove(stmt)
            else:
                edit.value(stmt, splice(stmt.value_code, [(node, name)]))
            kernel = Kernel(edit.source(), kernel.shapes)
            changed = True
        if not changed:
            raise Refusal("no loop of this kernel repeats work that could be done once before it")
        return kernel.source
