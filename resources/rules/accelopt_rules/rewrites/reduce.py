# SPDX-License-Identifier: GPL-3.0-or-later
"""A sum over an activation's result comes with the activation: activation_reduce."""
from __future__ import annotations

import ast
from dataclasses import dataclass

from ..edit import Edit, Refusal
from ..expr import FUNCTIONS, E, Reader, Writer
from ..kernel import Kernel, Stmt, argument
from ..loops import single
from ..profile import Context, cycles_ms, instruction_ms
from .base import Rule, Site


@dataclass
class Place:
    total: Stmt                # total = nl.sum(…)
    made: Stmt | None          # the statement that makes the summed tile; None when it is inside the sum
    node: ast.AST              # the expression of the summed tile
    expr: E
    function: str
    data: E
    scale: E | None
    bias: E | None


def summed(kernel: Kernel, stmt: Stmt) -> ast.AST | None:
    """What a statement sums over its only free axis."""
    if stmt.kind != "assign" or not isinstance(stmt.target, ast.Name) or not isinstance(stmt.value, ast.Call):
        return None
    if single(kernel, stmt.target.id) is not stmt:
        return None
    name = kernel.api(stmt.value.func)
    if name == "nl.sum":
        tile, axis = argument(stmt.value, 0, "x"), argument(stmt.value, 1, "axis")
    elif name == "nisa.tensor_reduce" and (kernel.api(argument(stmt.value, 0, "op")) or "") in ("nl.add", "np.add", "nl.sum"):
        tile, axis = argument(stmt.value, 1, "data"), argument(stmt.value, 2, "axis")
    else:
        return None
    if tile is None or axis is None or any(k.arg not in ("x", "axis", "op", "data", "keepdims") for k in stmt.value.keywords):
        return None
    elements = axis.elts if isinstance(axis, (ast.List, ast.Tuple)) else [axis]
    shape = kernel.shape(tile)
    if shape is None or len(shape) != 2 or len(elements) != 1 or kernel.const(elements[0]) not in (1, -1):
        return None
    return tile


def places(kernel: Kernel) -> list[Place]:
    reader, found = Reader(kernel), []
    for stmt in kernel.stmts:
        tile = summed(kernel, stmt)
        if tile is None:
            continue
        made = None
        if isinstance(tile, ast.Name):
            made = single(kernel, tile.id)
            if made is None or made.block is not stmt.block or made.index >= stmt.index:
                continue
        place = _activation(reader, stmt, made, made.value if made is not None else tile)
        if place is not None:
            found.append(place)
    return found


def _activation(reader: Reader, total: Stmt, made: Stmt | None, node: ast.AST) -> Place | None:
    """The tile as func(data * scale + bias), with operands that stay statements of their own."""
    expr = reader.build(node, made or total)
    if expr.op == "multiply" and expr.args[0].same(expr.args[1]) and expr.args[0].is_tile():
        return Place(total, made, node, expr, "square", expr.args[0], None, None)
    if expr.op not in FUNCTIONS:
        return None
    inner, scale, bias = expr.args[0], None, None
    if inner.op == "add" and not inner.name:
        for x, b in (inner.args, inner.args[::-1]):
            if b.is_column() and x.is_tile():
                inner, bias = x, b
                break
    if inner.op == "multiply" and not inner.name:
        for x, s in (inner.args, inner.args[::-1]):
            if s.is_vector() and x.is_tile():
                inner, scale = x, s
                break
    return Place(total, made, node, expr, expr.op, inner, scale, bias)


class Reduce(Rule):
    id = "combine-reduction"
    title = "Sum while applying the activation"
    explanation = "activation_reduce adds up the results of an activation along the free axis in the same pass, so VectorE need not read the tile again."

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        sites = []
        for place in places(kernel):
            shape = kernel.shape(place.node)
            trips, width = kernel.trips(place.total), (shape or (128, 512))[1]
            saved = {"vector": instruction_ms("vector", width) * trips, "scalar": -cycles_ms("scalar", 64) * trips}
            if place.expr.op == "multiply":
                saved = {"vector": saved["vector"] + instruction_ms("vector", 2 * width) * trips, "scalar": -instruction_ms("scalar", width) * trips}
            line = place.total.line
            sites.append(Site(f"{self.id}:{line}", f"Sum at line {line} with the activation that makes the tile",
                              f"Line {line} reads all {width} columns again on VectorE to add up what `{place.function}` has just produced.",
                              f"Use nisa.activation_reduce with op=nl.{place.function}, reduce_op=nl.add and reduce_res for the sums, and drop the reduction.",
                              f"About {saved['vector']:.3f} ms less VectorE time.", line, {}, saved))
        return sites

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        for place in places(kernel):
            if site.key != f"{self.id}:{place.total.line}":
                continue
            edit = Edit(kernel)
            writer = Writer(edit)
            shape = kernel.shape(place.node)
            name, nl = place.total.target.id, edit.use("nl")
            declare = f"{name} = {nl}.ndarray(({nl}.par_dim({shape[0]}), 1), dtype={nl}.float32, buffer={nl}.sbuf)\n"
            call = f"{edit.use('nisa')}.activation_reduce(op={nl}.{place.function}, data={writer.write(place.data)}, reduce_op={nl}.add, reduce_res={name}[...]"
            call += f", bias={writer.write(place.bias)}" if place.bias is not None else ""
            call += f", scale={writer.write(place.scale)}" if place.scale is not None else ""
            call += writer.dtype(place.expr) + ")"
            if place.made is not None:
                edit.before(place.made, [declare])
                edit.value(place.made, call)
                edit.remove(place.total)
            else:
                edit.replace(place.total, [declare, f"{kernel.fresh(f'{name}_terms')} = {call}\n"])
            return edit.source()
        raise Refusal("no reduction of this kernel sums what an activation makes")


