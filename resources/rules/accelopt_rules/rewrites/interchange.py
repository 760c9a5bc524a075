# SPDX-License-Identifier: GPL-3.0-or-later
"""Two nested loops in the other order, so that the larger of two operands is loaded in the outer one and reused."""
from __future__ import annotations

import ast

from ..edit import Edit, Refusal
from ..kernel import Kernel, Loop, names_in
from ..loops import leaf_stmts
from ..profile import Context, transfer_ms
from .affine import independent
from .base import Rule, Site


def nests(kernel: Kernel) -> list[tuple[Loop, Loop]]:
    """Perfect nests of two affine loops that do not depend on each other."""
    found = []
    for outer in kernel.loops():
        body = [s for s in outer.body.stmts if s.kind != "doc"]
        if outer.kind != "affine" or len(body) != 1 or body[0].loop is None or body[0].loop.kind != "affine":
            continue
        inner = body[0].loop
        if outer.var in names_in(inner.stmt.value) or outer.trip is None or inner.trip is None:
            continue
        try:
            independent(kernel, outer)
            independent(kernel, inner)
        except Refusal:
            continue
        found.append((outer, inner))
    return found


def traffic(kernel: Kernel, inner: Loop, variable: str, other: str) -> float:
    """ms of loads in the body that depend on `variable` but not on `other`."""
    total = 0.0
    for stmt in leaf_stmts(inner.body):
        if stmt.value is None:
            continue
        for node in ast.walk(stmt.value):
            if isinstance(node, ast.Call) and kernel.api(node.func) == "nl.load":
                names = names_in(node)
                if variable in names and other not in names:
                    shape = kernel.shape(node) or (128, 512)
                    total += transfer_ms(4.0 * shape[-1], shape[0]) * kernel.trips(stmt)
    return total


class Interchange(Rule):
    id = "interchange-loops"
    title = "Interchange two loops"
    explanation = "The operand that depends only on the outer loop is loaded once per outer iteration; the larger operand should be that one."

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        sites = []
        for outer, inner in nests(kernel):
            now, then = traffic(kernel, inner, outer.var, inner.var), traffic(kernel, inner, inner.var, outer.var)
            if then <= now or then <= 0:
                continue
            saved = {"dma": then - now}
            sites.append(Site(
                f"{self.id}:{outer.line}", f"Interchange loops {outer.var} and {inner.var} (line {outer.line})",
                f"In the innermost body {then:.3f} ms of loads depend on {inner.var} alone and only {now:.3f} ms on {outer.var} alone.",
                f"Make {inner.var} the outer loop and {outer.var} the inner one, so that what depends on {inner.var} alone can stay in SBUF.",
                f"Up to {saved['dma']:.3f} ms less DMA work once the invariant loads are hoisted.", outer.line, {}, saved, prior=0.3))
        return sites

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        for outer, inner in nests(kernel):
            if site.key == f"{self.id}:{outer.line}":
                edit = Edit(kernel)
                edit.header(outer.stmt, inner.var, inner.stmt.value_code.strip())
                edit.header(inner.stmt, outer.var, outer.stmt.value_code.strip())
                source = edit.source()
                if variant == 0:                  # hoist what has become invariant
                    from .hoist import Hoist
                    try:
                        return Hoist().apply(Kernel(source, kernel.shapes), site, 0)
                    except Refusal:
                        return source
                return source
        raise Refusal("the loops of the plan are not a perfect nest of independent loops")
