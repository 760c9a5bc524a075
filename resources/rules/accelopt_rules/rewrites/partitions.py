# SPDX-License-Identifier: GPL-3.0-or-later
"""Half-empty tiles: an instruction over 64 partitions takes as long as one over 128. Stack two column tiles on the partitions."""
from __future__ import annotations

import ast

from ..edit import Edit, Refusal, splice
from ..kernel import PARTITIONS, Kernel, Stmt, argument, names_in
from ..loops import leaf_stmts, single
from ..profile import Context, instruction_ms
from ..tiling import Walk, element_list, inspect
from .base import Rule, Site


def stackable(kernel: Kernel, walk: Walk) -> tuple[int, list[Stmt], list[Stmt]]:
    """(partitions of a tile, loads, stores). Raises Refusal when the loop is not plain loads, elementwise work and stores of equal tiles."""
    loop = walk.loop
    if walk.matmul or walk.declared or walk.local:
        raise Refusal(f"loop {loop.var} fills tiles of its own or multiplies matrices")
    loads, stores, parts = [], [], None
    for stmt in leaf_stmts(loop.body):
        if stmt.kind == "doc":
            continue
        call = stmt.value if isinstance(stmt.value, ast.Call) else None
        name = kernel.api(call.func) if call is not None else None
        if name == "nl.load":
            if stmt.kind != "assign" or not isinstance(stmt.target, ast.Name) or single(kernel, stmt.target.id) is not stmt:
                raise Refusal(f"line {stmt.line} does not load into a tile of its own")
            loads.append(stmt)
        elif name == "nl.store":
            stores.append(stmt)
        elif stmt.kind != "assign" or not isinstance(stmt.target, ast.Name) or single(kernel, stmt.target.id) is not stmt:
            raise Refusal(f"line {stmt.line} is not a plain elementwise statement")
        for node in ast.walk(stmt.value):
            if isinstance(node, ast.Call) and kernel.api(node.func) == "nl.load" and node is not stmt.value:
                raise Refusal(f"line {stmt.line} loads inside an expression")
            if isinstance(node, ast.Name) and node.id not in walk.wide and kernel.shape(node) is not None and not kernel.is_scalar(node) \
                    and node.id not in kernel.param_set and kernel.buffer_of(node.id) != "hbm":
                raise Refusal(f"line {stmt.line} uses the tile {node.id}, which would have to be stacked too")
        if name != "nl.store":
            shape = kernel.shape(stmt.value)
            if shape is None or len(shape) != 2 or shape[1] != walk.width or (parts is not None and shape[0] != parts):
                raise Refusal(f"line {stmt.line} makes a tile of another shape")
            parts = shape[0]
            if name != "nl.load" and any(isinstance(n, ast.Subscript) for n in ast.walk(stmt.value)):
                raise Refusal(f"line {stmt.line} takes a part of a tile")
    if parts is None or not loads or not stores or parts not in (32, 64):
        raise Refusal(f"the tiles of loop {loop.var} do not cover 32 or 64 partitions")
    for stmt in stores:
        value = argument(stmt.value, 1, "value")
        if stmt.loops()[-1] is not loop or value is None or kernel.shape(value) != (parts, walk.width):
            raise Refusal(f"line {stmt.line} does not store a whole tile")
    if any(stmt.loops()[-1] is not loop for stmt in loads):
        raise Refusal("a load is in an inner loop")
    return parts, loads, stores


class Partitions(Rule):
    id = "fill-partitions"
    title = "Fill all 128 partitions"
    explanation = ("Engines work on 128 partitions at once and take equally long when half of them are empty. Two column tiles stacked on the "
                   "partitions (one at partition 0, one at 64) are processed by the same instructions.")

    def candidates(self, kernel: Kernel):
        for loop in kernel.loops():
            try:
                walk = inspect(kernel, loop)
                parts, loads, stores = stackable(kernel, walk)
            except Refusal:
                continue
            if (loop.trip or 0) % 2 == 0:
                yield walk, parts, loads, stores

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        sites = []
        for walk, parts, loads, stores in self.candidates(kernel):
            trips = kernel.trips(walk.loop.stmt) * (walk.loop.trip or 1)
            saved = {"vector": walk.operations * instruction_ms("vector", 2 * walk.width) * trips / 2}
            loop = walk.loop
            sites.append(Site(
                f"{self.id}:{loop.var}@{loop.line}", f"Stack two tiles of loop {loop.var} (line {loop.line}) on all {2 * parts} partitions",
                f"The tiles of loop {loop.var} cover only {parts} of {PARTITIONS} partitions, so each of the {walk.operations} elementwise instructions does "
                f"{parts / PARTITIONS:.0%} of what it could.",
                f"Let one iteration take two column tiles: load the first into partitions 0 to {parts - 1} and the second into {parts} to {2 * parts - 1} of the "
                "same tile, compute on both at once, and store each half to its own columns.",
                f"Half as many elementwise instructions, about {saved['vector']:.3f} ms of engine time.", loop.line, {}, saved))
        return sites

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        for walk, parts, loads, stores in self.candidates(kernel):
            if site.key != f"{self.id}:{walk.loop.var}@{walk.loop.line}":
                continue
            return stack(kernel, walk, parts, loads, stores)
        raise Refusal("the loop of the plan has no tiles that could be stacked")


def stack(kernel: Kernel, walk: Walk, parts: int, loads: list[Stmt], stores: list[Stmt]) -> str:
    edit = Edit(kernel)
    nl, loop, width = edit.use("nl"), walk.loop, walk.width
    moving = {id(e): e for _, e in walk.moving}
    edit.header(loop.stmt, None, splice(loop.stmt.value_code.strip(), [(loop.stmt.value.args[0], str((loop.trip or 0) // 2))]))

    def half(code: str, tree: ast.AST, second: bool) -> str:
        pieces = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Subscript) and id(element_list(node)[-1]) in moving:
                element = element_list(node)[-1]
                pieces.append((element, shifted(kernel, edit, element, loop.var, width, second)))
        return splice(code, pieces)
    for stmt in loads:
        name = stmt.target.id
        declare = f"{name} = {nl}.ndarray(({nl}.par_dim({2 * parts}), {width}), dtype={nl}.float32, buffer={nl}.sbuf)\n"
        edit.replace(stmt, [declare] + [f"{name}[{k * parts}:{(k + 1) * parts}, 0:{width}] = {half(stmt.value_code, stmt.value, bool(k))}\n" for k in (0, 1)])
    for stmt in stores:
        value = argument(stmt.value, 1, "value")
        before, name = [], value.id if isinstance(value, ast.Name) else ""
        if not name:
            name = kernel.fresh(f"result_{stmt.line}")
            before = [f"{name} = {ast.unparse(value)}\n"]
        destination = stmt.value.args[0]
        lines = []
        for k in (0, 1):
            code = half(ast.unparse(destination), _reparsed(destination, moving), bool(k))
            lines.append(f"{nl}.store({code}, value={name}[{k * parts}:{(k + 1) * parts}, 0:{width}])\n")
        edit.replace(stmt, before + lines)
    if any(loop.var in names_in(s.value) for s in leaf_stmts(loop.body) if s not in loads and s not in stores and s.value is not None):
        raise Refusal("the loop variable is used outside of loads and stores")
    return edit.source()


def _reparsed(node: ast.AST, moving: dict[int, ast.AST]) -> ast.AST:
    """The expression as `ast.unparse` lays it out, with its moving elements marked again."""
    again = ast.parse(ast.unparse(node), mode="eval").body
    for old, new in zip(ast.walk(node), ast.walk(again)):
        if id(old) in moving:
            moving[id(new)] = new
    return again


def shifted(kernel: Kernel, edit: Edit, element: ast.AST, var: str, width: int, second: bool) -> str:
    """The index of the first or second of two neighbouring column tiles, in the form the kernel uses."""
    from ..tiling import start_and_size
    found = start_and_size(kernel, element)
    if found is None:
        raise Refusal("an index could not be read again")
    start, size, form = found
    rest = "".join(f" + {k} * {v}" for k, v in sorted(start.items()) if k and k != var)
    offset = start.get("", 0) + (width if second else 0)
    begin = f"{var} * {2 * width}{rest}" + (f" + {offset}" if offset else "")
    if form == "ds":
        return f"{edit.use('nl')}.ds({begin}, {size})"
    if form == "slice":
        return f"{begin}:{var} * {2 * width}{rest} + {offset + size}"
    return f"{begin} + {edit.use('nl')}.arange({size})[None, :]"


