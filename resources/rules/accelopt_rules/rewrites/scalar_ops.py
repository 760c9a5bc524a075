# SPDX-License-Identifier: GPL-3.0-or-later
"""Two arithmetic instructions in one: tensor_scalar with two operations, scalar_tensor_tensor."""
from __future__ import annotations

from ..expr import ALU, E, Writer
from ..kernel import Kernel
from ..profile import DEFAULT_WIDTH, instruction_ms
from .base import ElementwiseRule, Replacement, saving


def data_and_operand(expr: E) -> tuple[E, E, bool] | None:
    """(data, operand, reversed) of `data op operand` where the operand is a number or one value per partition."""
    if expr.op not in ALU or len(expr.args) != 2:
        return None
    a, b = expr.args
    if b.is_vector() and a.op not in ("const", "scalar"):
        return a, b, False
    if a.is_vector() and b.op not in ("const", "scalar"):
        return b, a, True
    return None


class ScalarOps(ElementwiseRule):
    id = "combine-arithmetic"
    title = "Combine two arithmetic instructions"
    explanation = ("tensor_scalar applies two operations with numbers or per-partition values in one pass; scalar_tensor_tensor joins a "
                   "scaling with the tile-by-tile operation that uses it.")
    kinds = {
        "tensor-scalar": ("Combine two scalar operations into one tensor_scalar",
                          "Use nisa.tensor_scalar with op0/operand0 and op1/operand1: (data op0 operand0) op1 operand1 in one instruction."),
        "scalar-tensor": ("Combine a scaling and a tile operation into one scalar_tensor_tensor",
                          "Use nisa.scalar_tensor_tensor: (data op0 operand0) op1 operand1, where operand1 is the other tile."),
    }

    def match(self, kernel: Kernel, expr: E) -> Replacement | None:
        if expr.op not in ALU or not expr.grouped:
            return None
        outer = data_and_operand(expr)
        if outer is not None:
            first = outer[0]
            inner = data_and_operand(first) if first.grouped else None
            if inner is None or (inner[0].is_vector() and not inner[0].is_column()):
                return None
            return self._two(expr, outer, first, inner)
        return self._three(expr)

    @staticmethod
    def _two(expr: E, outer, first: E, inner) -> Replacement:
        width = expr.width() or DEFAULT_WIDTH

        def write(w: Writer) -> str:
            nl = w.edit.use("nl")
            reverse0 = ", reverse0=True" if inner[2] and first.op == "subtract" else ""
            reverse1 = ", reverse1=True" if outer[2] and expr.op == "subtract" else ""
            return (f"{w.edit.use('nisa')}.tensor_scalar({w.write(inner[0])}, op0={nl}.{first.op}, operand0={w.write(inner[1])}{reverse0}, "
                    f"op1={nl}.{expr.op}, operand1={w.write(outer[1])}{reverse1}{w.dtype(expr, first)})")
        return Replacement("tensor-scalar", write, [inner[0], inner[1], outer[1]],
                           saving([expr, first], [("vector", instruction_ms("vector", width))]),
                           f"{first.op} and then {expr.op} with a number or a per-partition value are two passes over the tile.")

    @staticmethod
    def _three(expr: E) -> Replacement | None:
        a, b = expr.args
        for scaled, tile, reverse in ((a, b, False), (b, a, True)):
            inner = data_and_operand(scaled) if scaled.grouped and scaled.op in ALU else None
            if inner is None or not inner[0].is_tile() or not tile.is_tile():
                continue
            if scaled.shape is None or tile.shape is None or scaled.shape != tile.shape:
                continue
            if inner[0].shape != tile.shape:
                continue
            width = expr.width() or DEFAULT_WIDTH

            def write(w: Writer, scaled=scaled, tile=tile, inner=inner, reverse=reverse) -> str:
                nl = w.edit.use("nl")
                reverse0 = ", reverse0=True" if inner[2] and scaled.op == "subtract" else ""
                reverse1 = ", reverse1=True" if reverse and expr.op == "subtract" else ""
                return (f"{w.edit.use('nisa')}.scalar_tensor_tensor(data={w.write(inner[0])}, op0={nl}.{scaled.op}, "
                        f"operand0={w.write(inner[1])}{reverse0}, op1={nl}.{expr.op}, operand1={w.write(tile)}{reverse1}{w.dtype(expr)})")
            return Replacement("scalar-tensor", write, [inner[0], inner[1], tile],
                               saving([expr, scaled], [("vector", instruction_ms("vector", 2 * width))]),
                               f"a {scaled.op} by a per-partition value is a pass of its own before the {expr.op} of two tiles.")
        return None
