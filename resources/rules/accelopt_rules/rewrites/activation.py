# SPDX-License-Identifier: GPL-3.0-or-later
"""Several elementwise instructions that ScalarE does in one: activation(func, scale, bias), sigmoid, SiLU."""
from __future__ import annotations

from ..expr import FUNCTIONS, E, Writer
from ..kernel import Kernel
from ..profile import DEFAULT_WIDTH, instruction_ms
from .base import ElementwiseRule, Replacement, saving


def one(expr: E) -> bool:
    return expr.op == "const" and expr.value == 1.0


def negated(expr: E) -> E | None:
    """x when expr is -x."""
    if expr.op == "multiply":
        for x, c in (expr.args, expr.args[::-1]):
            if c.op == "const" and c.value == -1.0:
                return x
    if expr.op == "subtract" and expr.args[0].op == "const" and expr.args[0].value == 0.0:
        return expr.args[1]
    return None


def one_plus_exp_minus(expr: E) -> tuple[E, list[E]] | None:
    """(x, the operations) when expr is 1 + exp(-x)."""
    if expr.op != "add":
        return None
    for e, c in (expr.args, expr.args[::-1]):
        if one(c) and e.op == "exp":
            x = negated(e.args[0])
            if x is not None:
                return x, [expr, e, e.args[0]]
    return None


def sigmoid_of(expr: E) -> tuple[E, list[E]] | None:
    """(x, the operations) when expr is the sigmoid of x in any spelling."""
    if expr.op == "sigmoid":
        return expr.args[0], [expr]
    inner = None
    if expr.op == "reciprocal":
        inner = one_plus_exp_minus(expr.args[0])
    elif expr.op == "divide" and one(expr.args[0]):
        inner = one_plus_exp_minus(expr.args[1])
    return None if inner is None else (inner[0], [expr, *inner[1]])


def silu_of(expr: E) -> tuple[E, list[E]] | None:
    if expr.op == "multiply":
        for x, s in (expr.args, expr.args[::-1]):
            found = sigmoid_of(s)
            if found is not None and found[0].same(x) and x.is_tile():
                return x, [expr, *found[1]]
    if expr.op == "divide":
        found = one_plus_exp_minus(expr.args[1])
        if found is not None and found[0].same(expr.args[0]):
            return found[0], [expr, *found[1]]
    return None


class Activation(ElementwiseRule):
    id = "combine-activation"
    title = "Combine instructions into one activation"
    explanation = ("ScalarE computes func(data * scale + bias) in one pass, at the price of func alone, and knows sigmoid and SiLU as "
                   "functions of their own.")
    kinds = {
        "silu": ("Compute x times sigmoid(x) with one SiLU activation",
                 "Replace the whole chain by nl.silu(x): one ScalarE instruction per tile instead of several on two engines."),
        "sigmoid": ("Compute 1 / (1 + exp(-x)) with one sigmoid activation",
                    "Replace the chain by nl.sigmoid(x): one ScalarE instruction per tile."),
        "scale-bias": ("Fold scale and bias into the activation",
                       "Pass the factor as `scale` and the addend as `bias` of nisa.activation and drop the instructions that computed them."),
    }

    def match(self, kernel: Kernel, expr: E) -> Replacement | None:
        found = silu_of(expr)
        if found is not None:
            return self._function("silu", expr, *found, "computes x · 1/(1 + exp(-x)) step by step; ScalarE has SiLU as one function.")
        found = sigmoid_of(expr)
        if found is not None and expr.op != "sigmoid":
            return self._function("sigmoid", expr, *found, "computes the logistic function step by step; ScalarE has it as one function.")
        return self._scale_bias(expr)

    @staticmethod
    def _function(function: str, expr: E, x: E, removed: list[E], note: str) -> Replacement:
        width = expr.width() or DEFAULT_WIDTH
        return Replacement(function, lambda w: f"{w.edit.use('nl')}.{function}({w.write(x)}{w.dtype(expr)})", [x],
                           saving(removed, [("scalar", instruction_ms("scalar", width))]), note)

    @staticmethod
    def _scale_bias(expr: E) -> Replacement | None:
        if expr.op not in FUNCTIONS or not expr.grouped:
            return None
        inner, scale, bias, removed = expr.args[0], None, None, []
        if inner.op == "add" and inner.grouped:
            for x, b in (inner.args, inner.args[::-1]):
                if b.is_column() and x.is_tile():
                    inner, bias = x, b
                    removed.append(expr.args[0])
                    break
        if inner.op == "multiply" and inner.grouped:
            for x, s in (inner.args, inner.args[::-1]):
                if s.is_vector() and x.op not in ("const", "scalar"):
                    removed.append(inner)
                    inner, scale = x, s
                    break
        if not removed:
            return None

        def write(w: Writer) -> str:
            code = f"{w.edit.use('nisa')}.activation(op={w.edit.use('nl')}.{expr.op}, data={w.write(inner)}"
            code += f", bias={w.write(bias)}" if bias is not None else ""
            code += f", scale={w.write(scale)}" if scale is not None else ""
            return code + w.dtype(expr, expr.args[0]) + ")"
        kept = [e for e in (inner, scale, bias) if e is not None]
        return Replacement("scale-bias", write, kept, saving(removed, []),
                           f"scales or shifts the operand of {expr.op} with an instruction of its own; an activation does that on the way for nothing.")
