# SPDX-License-Identifier: GPL-3.0-or-later
"""Division and square roots: rsqrt, reciprocal of the small operand, multiplication by a constant's reciprocal."""
from __future__ import annotations

from ..expr import E, Writer, const
from ..kernel import Kernel
from ..profile import DEFAULT_WIDTH, instruction_ms
from .activation import one, one_plus_exp_minus
from .base import ElementwiseRule, Replacement, saving


class Reciprocal(ElementwiseRule):
    id = "reciprocal"
    title = "Replace division by rsqrt or reciprocal"
    explanation = ("1/sqrt(x) is one ScalarE function, and a division by one value per partition is cheaper as the reciprocal of [P, 1] "
                   "followed by a multiplication, which tensor_scalar or activation can absorb.")
    kinds = {
        "rsqrt": ("Replace sqrt and reciprocal by rsqrt", "Use nl.rsqrt: one activation instead of a square root and a reciprocal or division."),
        "divide-rsqrt": ("Multiply by rsqrt instead of dividing by sqrt",
                         "Replace x / sqrt(y) by x * rsqrt(y); the multiplication by one value per partition can then be folded further."),
        "divide-column": ("Divide by a per-partition value through its reciprocal",
                          "Compute nisa.reciprocal of the [P, 1] divisor once and multiply the tile by it."),
        "divide-constant": ("Multiply by the reciprocal of a constant", "Replace x / c by x * (1/c): no division is left at run time."),
        "divide-tile": ("Replace a division of tiles by reciprocal and multiply",
                        "Compute nisa.reciprocal of the divisor and multiply; where the dividend is 1 only the reciprocal stays."),
    }

    def match(self, kernel: Kernel, expr: E) -> Replacement | None:
        width = expr.width() or DEFAULT_WIDTH
        if expr.op == "reciprocal" and expr.args[0].op == "sqrt":
            root = expr.args[0]
            return self._rsqrt(expr, root, width)
        if expr.op != "divide":
            return None
        x, y = expr.args
        if one(x) and y.op == "sqrt":
            return self._rsqrt(expr, y, width)
        if y.op == "sqrt" and y.grouped:
            return Replacement("divide-rsqrt", lambda w: f"{w.edit.use('nl')}.multiply({w.write(x)}, {w.edit.use('nl')}.rsqrt({_of(w, y)}){w.dtype(expr)})",
                               [x, y.args[0]], self._divided(expr, y), "divides by a square root.")
        if y.op == "const" and y.value:
            inverse = const(1.0 / y.value, repr(1.0 / y.value) if _literal(y) else f"1.0 / ({y.code})")
            return Replacement("divide-constant", lambda w: f"{w.edit.use('nl')}.multiply({w.write(x)}, {inverse.code}{w.dtype(expr)})", [x],
                               {"vector": instruction_ms("vector", width) * 0.5}, "divides by a compile-time constant.")
        if y.is_column():
            return Replacement("divide-column",
                               lambda w: f"{w.edit.use('nl')}.multiply({w.write(x)}, {w.edit.use('nisa')}.reciprocal({w.write(y)}){w.dtype(expr)})",
                               [x, y], {"vector": instruction_ms("vector", width) * 0.5}, "divides a tile by one value per partition.")
        if one_plus_exp_minus(y) is None and not y.is_number():
            if one(x):
                return Replacement("divide-tile", lambda w: f"{w.edit.use('nisa')}.reciprocal({w.write(y)}{w.dtype(expr)})", [y],
                                   {"vector": instruction_ms("vector", width) * 0.25}, "divides 1 by a tile.")
            return Replacement("divide-tile",
                               lambda w: f"{w.edit.use('nl')}.multiply({w.write(x)}, {w.edit.use('nisa')}.reciprocal({w.write(y)}){w.dtype(expr)})",
                               [x, y], {"vector": instruction_ms("vector", width) * 0.02}, "divides tile by tile.")
        return None

    @staticmethod
    def _rsqrt(expr: E, root: E, width: int) -> Replacement:
        return Replacement("rsqrt", lambda w: f"{w.edit.use('nl')}.rsqrt({_of(w, root)}{w.dtype(expr)})", [root.args[0]],
                           saving([expr, root], [("scalar", instruction_ms("scalar", width))]), "takes a square root and then its reciprocal.")

    @staticmethod
    def _divided(expr: E, root: E) -> dict[str, float]:
        return {"vector": instruction_ms("vector", expr.width() or DEFAULT_WIDTH) * 0.5}


def _of(w: Writer, root: E) -> str:
    return w.write(root.args[0])


def _literal(expr: E) -> bool:
    return expr.code.replace(".", "").replace("e", "").replace("-", "").replace("+", "").isdigit()
