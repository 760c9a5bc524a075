# SPDX-License-Identifier: GPL-3.0-or-later
"""Algebra that costs instructions for nothing: x*1, x+0, --x, folded constants, copies of copies."""
from __future__ import annotations

from ..expr import E, number
from ..kernel import Kernel
from ..profile import DEFAULT_WIDTH, instruction_ms
from .base import ElementwiseRule, Replacement, saving

LOWEST = -3.0e38


class Simplify(ElementwiseRule):
    id = "simplify"
    title = "Simplify the algebra"
    explanation = "Operations with neutral constants, double negations and chains of constants can be folded before they reach an engine."
    kinds = {
        "neutral": ("Remove operations with neutral constants", "Drop x * 1, x + 0, x - 0, x / 1 and max(x, lowest): the value is x."),
        "fold": ("Fold chains of constants", "Combine (x * a) * b into x * (a*b) and (x + a) + b into x + (a+b)."),
        "negation": ("Remove double negations and negated addends", "Replace -(-x) by x and a + (-x) by a - x."),
        "square": ("Square with an activation instead of a tile product",
                   "Replace x * x by nl.square(x): ScalarE does it in one pass, VectorE needs two per element for two SBUF operands."),
    }

    def match(self, kernel: Kernel, expr: E) -> Replacement | None:
        if not expr.grouped or len(expr.args) != 2:
            return None
        width = expr.width() or DEFAULT_WIDTH
        a, b = expr.args
        for x, c in ((a, b), (b, a)):
            if c.op == "const" and x.op not in ("const", "scalar") and self._neutral(expr.op, c.value, c is b):
                return Replacement("neutral", lambda w, x=x: w.write(x), [x], saving([expr], []), "applies an operation that changes nothing.")
        if expr.op == "multiply":
            for x, c in ((a, b), (b, a)):
                if c.op == "const" and x.op == "multiply" and x.grouped:
                    for y, d in (x.args, x.args[::-1]):
                        if d.op == "const" and y.op not in ("const", "scalar"):
                            if c.value * d.value == 1.0:
                                return Replacement("negation", lambda w, y=y: w.write(y), [y], saving([expr, x], []), "negates twice.")
                            return Replacement("fold", lambda w, y=y, v=c.value * d.value: f"{w.edit.use('nl')}.multiply({w.write(y)}, {number(v)}{w.dtype(expr)})",
                                               [y], saving([x], []), "multiplies by two constants one after the other.")
            if a.is_tile() and a.same(b) and a.op == "leaf":
                return Replacement("square", lambda w: f"{w.edit.use('nl')}.square({w.write(a)}{w.dtype(expr)})", [a],
                                   saving([expr], [("scalar", instruction_ms("scalar", width))]), "multiplies a tile by itself on VectorE.")
        if expr.op == "add":
            for x, c in ((a, b), (b, a)):
                if c.op == "const" and x.op == "add" and x.grouped:
                    for y, d in (x.args, x.args[::-1]):
                        if d.op == "const" and y.op not in ("const", "scalar"):
                            return Replacement("fold", lambda w, y=y, v=c.value + d.value: f"{w.edit.use('nl')}.add({w.write(y)}, {number(v)}{w.dtype(expr)})",
                                               [y], saving([x], []), "adds two constants one after the other.")
            for x, n in ((a, b), (b, a)):
                if n.op == "multiply" and n.grouped and x.op not in ("const", "scalar"):
                    for y, d in (n.args, n.args[::-1]):
                        if d.op == "const" and d.value == -1.0 and y.is_tile():
                            return Replacement("negation", lambda w, x=x, y=y: f"{w.edit.use('nl')}.subtract({w.write(x)}, {w.write(y)}{w.dtype(expr)})",
                                               [x, y], saving([n], []), "negates a tile before adding it.")
        return None

    @staticmethod
    def _neutral(op: str, value: float, right: bool) -> bool:
        return (op == "multiply" and value == 1.0) or (op == "add" and value == 0.0) or (op == "subtract" and value == 0.0 and right) \
            or (op == "divide" and value == 1.0 and right) or (op == "maximum" and value < LOWEST)
