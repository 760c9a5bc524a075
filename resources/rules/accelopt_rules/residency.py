# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeping a family of tiles in SBUF: an expression that depends on inner loops but not on an outer one is computed once for all inner
iterations, before the outer loop, into one wide tile; the inner loop then reads its piece."""
from __future__ import annotations

import ast
import math
import re
from dataclasses import dataclass

from .edit import Edit, Refusal, splice, substituted
from .kernel import Kernel, Loop, Stmt, names_in
from .loops import depends_on, is_pure

MAX_RESIDENT_BYTES = 96 * 1024      # per partition, half of SBUF


@dataclass
class Stage:
    """Where a family of tiles is made: before `outside`, one for each combination of `inner` loops."""
    outside: Loop
    inner: list[Loop]
    inside: list[Stmt]      # definitions that move with the inner loops
    before: list[Stmt]      # definitions that are the same for all of them
    shape: tuple[int, int]

    @property
    def count(self) -> int:
        return math.prod([loop.trip or 1 for loop in self.inner])

    def bytes_per_partition(self) -> int:
        return self.count * self.shape[1] * 4


def low_precision(kernel: Kernel) -> bool:
    return re.search(r"float16|fp8|float8", kernel.source) is not None


def plan_stage(kernel: Kernel, stmt: Stmt, node: ast.AST, transposed: bool = False) -> Stage | None:
    """The outermost loop that the expression can leave, within half of SBUF; None when there is none."""
    shape = kernel.shape(node)
    if shape is None or len(shape) != 2 or shape[0] > 128 or (transposed and shape[1] > 128):
        return None
    if transposed:
        shape = (shape[1], shape[0])
    loops = stmt.loops()
    for at, outside in enumerate(loops):
        found = depends_on(kernel, node, outside)
        if found is None or outside.var in found[0]:
            continue
        variables, statements = found
        inner = [loop for loop in loops[at + 1:] if loop.var in variables]
        if len(inner) != len(variables) or any(not loop.trip or loop.step != 1 or len(loop.stmt.value.args) != 1 for loop in inner):
            continue
        if any(names_in(loop.stmt.value) & {o.var for o in loops[at:]} for loop in inner):
            continue
        moving = {loop.var for loop in inner}
        inside, before = [], []
        for definition in statements:
            if names_in(definition.value) & moving:
                moving.add(definition.target.id)
                inside.append(definition)
            else:
                before.append(definition)
        stage = Stage(outside, inner, inside, before, shape)
        if stage.bytes_per_partition() <= MAX_RESIDENT_BYTES:
            return stage
    return None


def build(kernel: Kernel, edit: Edit, stage: Stage, node: ast.AST, name: str, wrap: str = "{}") -> str:
    """Emits the staging code before the outer loop; returns how the inner loop reads its piece."""
    if low_precision(kernel):
        raise Refusal("the kernel uses a type narrower than float32, whose tiles this rule does not declare")
    nl = edit.use("nl")
    parts, columns = stage.shape
    name = kernel.fresh(name)
    lines = []
    renamed: dict[str, str] = {}

    def fresh(old: str) -> str:
        taken = set(renamed.values())
        new = kernel.fresh(f"{old}_once")
        while new in taken:
            new += "_"
        renamed[old] = new
        return new
    for definition in stage.before:
        code = substituted(definition.value_code.strip(), renamed)
        lines.append(f"{fresh(definition.target.id)} = {code}\n")
    lines.append(f"{name} = {nl}.ndarray(({nl}.par_dim({parts}), {stage.count * columns}), dtype={nl}.float32, buffer={nl}.sbuf)\n")
    body = []
    for loop in stage.inner:
        fresh(loop.var)
    for definition in stage.inside:
        code = substituted(definition.value_code.strip(), renamed)
        body.append(f"{fresh(definition.target.id)} = {code}")
    value = wrap.format(substituted(ast.unparse(node), renamed))
    body.append(f"{name}[{_piece(stage, renamed, parts, columns)}] = {value}")
    indent = ""
    text = ""
    for loop in stage.inner:
        text += f"{indent}for {renamed[loop.var]} in {nl}.affine_range({loop.trip}):\n"
        indent += "    "
    text += "".join(f"{indent}{line}\n" for line in body)
    lines += [text] if stage.inner else [line + "\n" for line in body]
    edit.before(stage.outside.stmt, lines)
    return f"{name}[{_piece(stage, {}, parts, columns)}]"


def _piece(stage: Stage, renamed: dict[str, str], parts: int, columns: int) -> str:
    position = ""
    for loop in stage.inner:
        var = renamed.get(loop.var, loop.var)
        position = var if not position else f"({position} * {loop.trip} + {var})"
    if not position:
        return f"0:{parts}, 0:{columns}"
    return f"0:{parts}, {position} * {columns}:({position} + 1) * {columns}"


def drop_dead(source: str, only: set[str] | None = None) -> str:
    """Removes pure definitions that nothing reads any more."""
    for _ in range(32):
        kernel = Kernel(source)
        edit, dropped = Edit(kernel), False
        for stmt in kernel.stmts:
            if stmt.kind == "assign" and isinstance(stmt.target, ast.Name) and stmt.value is not None and is_pure(kernel, stmt.value):
                name = stmt.target.id
                if name not in kernel.readers and name not in kernel.mutations and (only is None or name in only):
                    edit.remove(stmt)
                    dropped = True
        if not dropped:
            return source
        source = edit.source()
    return source


__all__ = ["Stage", "plan_stage", "build", "drop_dead", "splice"]
