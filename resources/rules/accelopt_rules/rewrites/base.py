# SPDX-License-Identifier: GPL-3.0-or-later
"""What a rule is: find() says where it applies and what it should be worth, apply() rewrites the source or raises Refusal."""
from __future__ import annotations

import ast
from dataclasses import dataclass, field

from ..edit import Edit, Refusal, splice
from ..expr import E, Reader, Writer
from ..kernel import Kernel, Stmt
from ..profile import DEFAULT_WIDTH, Context, instruction_ms


@dataclass
class Site:
    key: str                       # names the place in this source; the executor finds it again by this
    title: str
    why: str                       # from the profile and the source
    change: str                    # what to do
    effect: str                    # expected effect in words
    line: int = 0
    params: dict = field(default_factory=dict)
    saved: dict[str, float] = field(default_factory=dict)   # engine -> ms
    latency: float = 0.0           # ms of waiting (DMA latency, serial chains) expected to go
    prior: float = 1.0             # the rule's own confidence

    def gain(self, context: Context) -> float:
        weights = context.weights()
        busy = sum(ms * weights.get(engine, 0.5) for engine, ms in self.saved.items())
        # Even on an idle engine a shorter chain of dependent instructions helps a little.
        chain = 0.1 * sum(ms for ms in self.saved.values() if ms > 0)
        return self.prior * (busy + chain + self.latency)


class Rule:
    id = ""
    title = ""
    explanation = ""

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        raise NotImplementedError

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        """The new source. `variant` 0 is the site as described, 1 a variation of it. Raises Refusal."""
        raise NotImplementedError


@dataclass
class Replacement:
    """What an elementwise pattern proposes for one sub-expression."""
    kind: str
    write: object                  # Writer -> code
    kept: list[E]                  # the parts of the expression that the new code still mentions
    saved: dict[str, float]
    note: str = ""


def operation_ms(expr: E) -> tuple[str, float]:
    """(engine, ms) of one instruction, after the compiler's habits measured on Trainium 1."""
    width = expr.width() or DEFAULT_WIDTH
    if expr.op in ("leaf", "const", "scalar") or not expr.grouped:
        return "", 0.0
    if expr.op == "sum":
        return "vector", instruction_ms("vector", expr.args[0].width() or DEFAULT_WIDTH)
    if expr.op in ("reciprocal",):
        return "vector", instruction_ms("vector", width)
    if len(expr.args) == 1:
        return "scalar", instruction_ms("scalar", width)
    if all(a.is_tile() for a in expr.args):
        return "vector", instruction_ms("vector", 2 * width)
    if expr.op == "multiply":
        return "scalar", instruction_ms("scalar", width)
    return "vector", instruction_ms("vector", width)


def saving(removed: list[E], added: list[tuple[str, float]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for expr in removed:
        engine, ms = operation_ms(expr)
        if engine:
            total[engine] = total.get(engine, 0.0) + ms
    for engine, ms in added:
        total[engine] = total.get(engine, 0.0) - ms
    return total


class ElementwiseRule(Rule):
    """A rule made of patterns over elementwise expressions. One site per kind of pattern: all its places."""
    kinds: dict[str, tuple[str, str]] = {}        # kind -> (title, what to do)

    def match(self, kernel: Kernel, expr: E) -> Replacement | None:
        raise NotImplementedError

    def matches(self, kernel: Kernel, kind: str | None = None) -> list[tuple[Stmt, ast.AST, E, Replacement]]:
        reader = Reader(kernel)
        found: list = []
        claimed: dict[str, set[int]] = {}
        for stmt, node, expr in reader.sites():
            replacement = self.match(kernel, expr)
            if replacement is None or (kind is not None and replacement.kind != kind):
                continue
            kept = frozenset().union(*(k.uses for k in replacement.kept)) if replacement.kept else frozenset()
            gone = expr.uses - kept
            taken = claimed.setdefault(replacement.kind, set())
            if (gone | {id(stmt)}) & taken:
                continue                          # touches another match: the next round sees it
            taken |= gone | {id(stmt)}
            found.append((stmt, node, expr, replacement, reader.stmts(gone)))
        return found

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        groups: dict[str, list] = {}
        for item in self.matches(kernel):
            groups.setdefault(item[3].kind, []).append(item)
        sites = []
        for kind, items in groups.items():
            title, change = self.kinds[kind]
            saved: dict[str, float] = {}
            for stmt, _, _, replacement, _ in items:
                for engine, ms in replacement.saved.items():
                    saved[engine] = saved.get(engine, 0.0) + ms * kernel.trips(stmt)
            lines = sorted({item[0].line for item in items})
            before = items[0][4][0].line if items[0][4] else items[0][0].line
            shown = f"`{items[0][0].code.strip().splitlines()[0].strip()[:100]}`"
            where = f"line {lines[0]}" if len(lines) == 1 else f"{len(lines)} places, the first at line {lines[0]}"
            why = f"At {where} ({shown}{'' if before == lines[0] else f', fed from line {before}'}) {items[0][3].note}"
            ordered = {e: ms for e, ms in sorted(saved.items()) if ms > 0}
            effect = "Expected to free about " + " and ".join(f"{ms:.3f} ms of {ENGINE_NAMES[e]}" for e, ms in ordered.items()) + "." \
                if ordered else "Fewer dependent instructions."
            sites.append(Site(f"{self.id}:{kind}", title, why, change, effect, lines[0], {"kind": kind}, saved))
        return sites

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        kind = site.params.get("kind")
        if kind not in self.kinds:
            raise Refusal(f"the rule {self.id} has no variation named {kind!r}")
        source, changed = kernel.source, False
        for _ in range(8):
            items = self.matches(kernel, kind)
            if not items:
                break
            if variant == 1 and not changed and len(items) > 1:
                items = items[:1]                 # the variation: only the first place
            edit = Edit(kernel)
            writer = Writer(edit)
            for stmt, node, expr, replacement, gone in items:
                code = replacement.write(writer)
                edit.value(stmt, splice(stmt.value_code, [(node, code)]))
                for temporary in gone:
                    edit.remove(temporary)
            source = drop_unused(edit.source())
            changed = True
            kernel = Kernel(source, kernel.shapes)
            if variant == 1 and len(items) == 1:
                break
        if not changed:
            raise Refusal(f"the pattern for “{self.kinds[kind][0].lower()}” is not in this kernel")
        return source


ENGINE_NAMES = {"vector": "VectorE", "scalar": "ScalarE", "tensor": "TensorE", "gpsimd": "GpSimdE", "dma": "DMA"}


def drop_unused(source: str) -> str:
    """Removes declarations of tensors that nothing mentions any more (left over by a rewrite)."""
    kernel = Kernel(source)
    edit, any_dropped = Edit(kernel), False
    for stmt in kernel.stmts:
        if stmt.kind == "assign" and isinstance(stmt.target, ast.Name) and isinstance(stmt.value, ast.Call) \
                and kernel.api(stmt.value.func) in ("nl.ndarray", "nl.zeros", "nl.empty_like"):
            name = stmt.target.id
            if name not in kernel.readers and name not in kernel.mutations and len(kernel.bindings[name]) == 1 \
                    and kernel.buffer_of(name) in ("sbuf", "psum"):
                edit.remove(stmt)
                any_dropped = True
    return edit.source() if any_dropped else source
