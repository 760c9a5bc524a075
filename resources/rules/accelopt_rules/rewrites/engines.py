# SPDX-License-Identifier: GPL-3.0-or-later
"""Work that either engine can do goes to the one that waits: VectorE or ScalarE."""
from __future__ import annotations

import ast

from ..edit import Edit, Refusal, splice
from ..expr import E, Reader, Writer, tile_expressions
from ..kernel import Kernel, Stmt, argument
from ..profile import DEFAULT_WIDTH, Context, instruction_ms
from .base import ENGINE_NAMES, Rule, Site

OTHER = {"vector": "scalar", "scalar": "vector"}


def movable(kernel: Kernel, reader: Reader, stmt: Stmt, node: ast.AST) -> tuple[str, object, int] | None:
    """(engine it is on by habit, Writer -> code for the other engine, columns)."""
    if not isinstance(node, (ast.Call, ast.BinOp)):
        return None
    shape = kernel.shape(node)
    if shape is None or len(shape) != 2 or shape[1] < 64:
        return None
    width = shape[1]
    if isinstance(node, ast.Call):
        name = kernel.api(node.func)
        if any(k.arg in ("mask", "engine") and not (isinstance(k.value, ast.Constant) and k.value.value is None) for k in node.keywords):
            return None
        if name == "nl.copy":
            source, dtype = argument(node, 0, "src") or argument(node, 0, "x"), argument(node, 99, "dtype")
            tail = f", dtype={ast.unparse(dtype)}" if dtype is not None else ""
            if source is None or isinstance(source, ast.Call):
                return None
            return "scalar", lambda w: f"{w.edit.use('nisa')}.tensor_copy({ast.unparse(source)}{tail}, engine={w.edit.use('nisa')}.vector_engine)", width
    expr = reader.build(node, stmt)
    return _elementwise(expr, width)


def _elementwise(expr: E, width: int) -> tuple[str, object, int] | None:
    if any(a.name and a.op not in ("leaf", "const", "scalar") and not a.grouped for a in expr.args):
        return None

    def operand(w: Writer, e: E) -> str:
        return w.write(e)
    if expr.op == "reciprocal":
        return "vector", lambda w: f"{w.edit.use('nisa')}.activation(op={w.edit.use('nl')}.reciprocal, data={operand(w, expr.args[0])}{w.dtype(expr)})", width
    if expr.op == "maximum" and any(c.op == "const" and c.value == 0.0 for c in expr.args):
        x = next(a for a in expr.args if not (a.op == "const" and a.value == 0.0))
        return "vector", lambda w: f"{w.edit.use('nl')}.relu({operand(w, x)}{w.dtype(expr)})", width
    if expr.op in ("add", "multiply") and len(expr.args) == 2:
        for x, c in (expr.args, expr.args[::-1]):
            if not x.is_tile() or not c.is_vector():
                continue
            if expr.op == "add" and c.is_column():
                return "vector", lambda w: (f"{w.edit.use('nisa')}.activation(op={w.edit.use('nl')}.copy, data={operand(w, x)}, "
                                            f"bias={operand(w, c)}{w.dtype(expr)})"), width
            if expr.op == "multiply":
                return "scalar", lambda w: (f"{w.edit.use('nisa')}.tensor_scalar({operand(w, x)}, op0={w.edit.use('nl')}.multiply, "
                                            f"operand0={operand(w, c)}, engine={w.edit.use('nisa')}.vector_engine{w.dtype(expr)})"), width
    return None


class Engines(Rule):
    id = "move-engine"
    title = "Move an operation to the less busy engine"
    explanation = "Copies, scalings, reciprocals and additions of a bias can run on VectorE or on ScalarE; the two work at the same time on different tiles."

    @staticmethod
    def places(kernel: Kernel, engine: str) -> list[tuple[Stmt, ast.AST, object, int]]:
        reader, found = Reader(kernel), []
        for stmt in kernel.stmts:
            if stmt.value is None or stmt.loop is not None or stmt.kind not in ("assign", "expr"):
                continue
            for node in tile_expressions(stmt.value):
                place = movable(kernel, reader, stmt, node)
                if place is not None and place[0] == engine:
                    found.append((stmt, node, place[1], place[2]))
                    break
        return found

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        sites = []
        busy = {e: context.fraction(e) for e in OTHER}
        for engine, other in OTHER.items():
            if busy[engine] is not None and busy[other] is not None and busy[engine] <= busy[other]:
                continue
            for stmt, node, _, width in self.places(kernel, engine):
                trips = kernel.trips(stmt)
                saved = {engine: instruction_ms(engine, width or DEFAULT_WIDTH) * trips, other: -instruction_ms(other, width or DEFAULT_WIDTH) * trips}
                known = f" ({busy[engine]:.0%} against {busy[other]:.0%} active)" if busy[engine] is not None and busy[other] is not None else ""
                sites.append(Site(
                    f"{self.id}:{engine}:{stmt.line}", f"Move line {stmt.line} from {ENGINE_NAMES[engine]} to {ENGINE_NAMES[other]}",
                    f"`{ast.unparse(node)[:90]}` at line {stmt.line} runs on {ENGINE_NAMES[engine]}, the busier of the two{known}.",
                    f"Write it in the form that {ENGINE_NAMES[other]} executes.",
                    f"Moves {saved[engine]:.3f} ms from {ENGINE_NAMES[engine]} to {-saved[other]:.3f} ms on {ENGINE_NAMES[other]}.",
                    stmt.line, {}, saved, prior=0.8))
        return sites

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        parts = site.key.split(":")
        places = self.places(kernel, parts[1]) if len(parts) == 3 and parts[1] in OTHER else []
        chosen = [p for p in places if str(p[0].line) == parts[2]]
        if not chosen:
            raise Refusal("the operation of the plan is not in this kernel or cannot run on the other engine")
        edit = Edit(kernel)
        writer = Writer(edit)
        for stmt, node, write, _ in places if variant == 1 and len(places) > 1 else chosen:
            edit.value(stmt, splice(stmt.value_code, [(node, write(writer))]))
        return edit.source()
