# SPDX-License-Identifier: GPL-3.0-or-later
"""nl.matmul(x, y) transposes x on TensorE in every call. Where x is the same for an outer loop, transpose it once and reuse it."""
from __future__ import annotations

import ast

from ..edit import Edit, Refusal, splice
from ..kernel import Kernel, Stmt, argument
from ..profile import FP32_PASSES, Context, instruction_ms
from ..residency import Stage, build, drop_dead, plan_stage
from .base import Rule, Site


def plain_matmuls(kernel: Kernel) -> list[tuple[Stmt, ast.Call, ast.AST, Stage]]:
    """(statement, nl.matmul call without transpose_x, its left operand, where that operand could be transposed once)."""
    found = []
    for stmt in kernel.stmts:
        if stmt.value is None or stmt.loop is not None:
            continue
        for node in ast.walk(stmt.value):
            if not isinstance(node, ast.Call) or kernel.api(node.func) != "nl.matmul":
                continue
            flag, left = argument(node, 2, "transpose_x"), argument(node, 0, "x")
            if left is None or (flag is not None and not (isinstance(flag, ast.Constant) and flag.value is False)):
                continue
            stage = plan_stage(kernel, stmt, left, transposed=True)
            if stage is not None:
                found.append((stmt, node, left, stage))
                break
    return found


class TransposeOnce(Rule):
    id = "transpose-once"
    title = "Transpose the matmul's left operand once"
    explanation = ("nl.matmul without transpose_x puts a TensorE transpose and a PSUM to SBUF copy before each product, and the compiler keeps "
                   "one per call. Transposed once into SBUF, the operand serves every tile of the moving side.")

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        sites = []
        for stmt, node, left, stage in plain_matmuls(kernel):
            calls = kernel.trips(stmt)
            once = kernel.trips(stage.outside.stmt) * stage.count
            if calls <= once:
                continue
            rows = stage.shape[1]
            per_call = instruction_ms("tensor", (FP32_PASSES - 1) * rows)
            saved = {"tensor": per_call * (calls - once), "scalar": instruction_ms("scalar", rows) * (calls - once)}
            sites.append(Site(
                f"{self.id}:{stmt.line}", f"Transpose the left operand of the matmul at line {stmt.line} once and reuse it",
                f"nl.matmul at line {stmt.line} transposes `{ast.unparse(left)[:80]}` {calls} times, but it takes only {once} different values: "
                f"it does not depend on loop {stage.outside.var} (line {stage.outside.line}).",
                f"Before loop {stage.outside.var}, transpose the {stage.count} tile(s) into one SBUF tile of {stage.count * rows} columns "
                "and call nl.matmul with transpose_x=True on its pieces.",
                f"{calls - once} fewer TensorE transposes and PSUM copies, about {saved['tensor']:.3f} ms of TensorE time.", stmt.line, {}, saved))
        return sites

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        for stmt, node, left, stage in plain_matmuls(kernel):
            if site.key != f"{self.id}:{stmt.line}":
                continue
            edit = Edit(kernel)
            nisa_known = kernel.needs_import("nisa") is None
            wrap = f"{edit.use('nisa')}.nc_transpose({{}})" if nisa_known else f"{edit.use('nl')}.transpose({{}})"
            piece = build(kernel, edit, stage, left, "left_transposed", wrap)
            right = argument(node, 1, "y")
            if right is None:
                raise Refusal("the matmul has no right operand")
            call = f"{edit.use('nl')}.matmul({piece}, {ast.unparse(right)}, transpose_x=True)"
            edit.value(stmt, splice(stmt.value_code, [(node, call)]))
            moved = {s.target.id for s in stage.inside + stage.before}
            return drop_dead(edit.source(), moved)
        raise Refusal("the matmul of the plan is not in this kernel, or its left operand changes in every call")
