# SPDX-License-Identifier: GPL-3.0-or-later
"""The same tile loaded or computed twice: keep the first."""
from __future__ import annotations

import ast

from ..edit import Edit, Refusal
from ..kernel import Kernel, Stmt, norm
from ..loops import is_pure, single
from ..profile import Context
from .base import Rule, Site
from .hoist import work_ms


def repeated(kernel: Kernel) -> list[tuple[Stmt, Stmt]]:
    """(first, second): two pure definitions of the same value, where the first is still valid at the second."""
    known: dict[str, list[Stmt]] = {}
    found = []
    for stmt in kernel.stmts:
        if stmt.kind != "assign" or not isinstance(stmt.target, ast.Name) or not is_pure(kernel, stmt.value):
            continue
        if single(kernel, stmt.target.id) is not stmt:
            continue
        key = norm(stmt.value)
        for first in known.get(key, []):
            if _valid(kernel, first, stmt):
                found.append((first, stmt))
                break
        else:
            known.setdefault(key, []).append(stmt)
    return found


def _valid(kernel: Kernel, first: Stmt, second: Stmt) -> bool:
    block = second.block
    while block is not None and block is not first.block:
        block = block.owner.block if block.owner is not None else None
    if block is None:
        return False
    changed: set[str] = set()
    for stmt in first.block.stmts[first.index + 1:]:
        changed |= stmt.binds | stmt.mutates
        if stmt is second or any(s is second for inner in stmt.inner for s in inner.walk()):
            break
    return not ((changed - {second.target.id}) & first.reads)


class Reuse(Rule):
    id = "reuse-tile"
    title = "Reuse a tile instead of making it again"
    explanation = "A tile that is already in SBUF needs no second load or computation."

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        pairs = repeated(kernel)
        if not pairs:
            return []
        saved: dict[str, float] = {}
        for _, second in pairs:
            engine, ms = work_ms(kernel, second.value)
            saved[engine] = saved.get(engine, 0.0) + ms * kernel.trips(second)
        first, second = pairs[0]
        return [Site(f"{self.id}:all", f"Reuse `{first.target.id}` instead of making `{second.target.id}` again" + (" and others" if len(pairs) > 1 else ""),
                     f"Line {second.line} repeats `{norm(second.value)[:90]}` of line {first.line}.",
                     "Use the first tile in both places and drop the repetition.", f"Saves {sum(saved.values()):.3f} ms of repeated work, "
                     "if the compiler does not find the repetition itself.", second.line, {}, saved, prior=0.4)]

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        changed = False
        for _ in range(64):
            pairs = repeated(kernel)
            if not pairs:
                break
            first, second = pairs[0]
            edit = Edit(kernel)
            edit.remove(second)
            edit.rename(second.target.id, first.target.id)
            kernel = Kernel(edit.source(), kernel.shapes)
            changed = True
            if variant == 1:
                break
        if not changed:
            raise Refusal("no tile of this kernel is made twice")
        return kernel.source
