# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers that are known when a kernel is traced: constants, sizes, and index expressions that are linear in loop variables."""
from __future__ import annotations

import ast

# Hardware sizes by which kernels call them: partitions, one PSUM bank and the two sides of a matmul (NKI documentation).
TILE_SIZES = {"nl.tile_size.pmax": 128, "nl.tile_size.psum_fmax": 512, "nl.tile_size.gemm_moving_fmax": 512, "nl.tile_size.gemm_stationary_fmax": 128}


def norm(node: ast.AST) -> str:
    """The one spelling of an expression, for comparing."""
    return ast.unparse(node)


def parse_expression(code: str) -> ast.AST | None:
    try:
        return ast.parse(code.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        try:
            return ast.parse(f"({code.strip()}\n)", mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def arithmetic(op, left, right):
    try:
        match op:
            case ast.Add(): return left + right
            case ast.Sub(): return left - right
            case ast.Mult(): return left * right
            case ast.Div(): return left / right
            case ast.FloorDiv(): return left // right
            case ast.Mod(): return left % right
            case ast.Pow() if abs(right) <= 64 and abs(left) <= 1e9: return left ** right
    except (ArithmeticError, TypeError):
        pass
    return None


LARGEST = 2 ** 62


class CompileTime:
    """The part of Kernel that evaluates numbers. Kernel provides the names: bindings, mutations, param_set, shapes, api()."""

    def const(self, node: ast.AST | str | None):
        """The value of a compile-time number of a sane size, or None."""
        value = self._value(node)
        return value if value is not None and abs(value) < LARGEST else None

    def _value(self, node: ast.AST | str | None):
        if isinstance(node, str):
            node = parse_expression(node)
        if node is None:
            return None
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, (int, float)) and not isinstance(node.value, bool) else None
        if isinstance(node, ast.Name):
            return self._named_constant(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            value = self.const(node.operand)
            return None if value is None else (-value if isinstance(node.op, ast.USub) else value)
        if isinstance(node, ast.BinOp):
            left, right = self.const(node.left), self.const(node.right)
            return None if left is None or right is None else arithmetic(node.op, left, right)
        if isinstance(node, ast.Attribute):
            return TILE_SIZES.get(self.api(node) or "")
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            shape = self.whole_shape(norm(node.value.value))
            index = self.const(node.slice)
            if shape is not None and isinstance(index, int) and -len(shape) <= index < len(shape):
                return shape[index]
            return None
        if isinstance(node, ast.Call):
            return self._constant_call(node)
        return None

    def _constant_call(self, node: ast.Call):
        name = self.api(node.func) or ""
        arguments = [self.const(a) for a in node.args]
        if any(a is None for a in arguments) or node.keywords or not arguments:
            return None
        if name in ("int", "float", "min", "max", "abs"):
            try:
                return {"int": int, "float": float, "min": min, "max": max, "abs": abs}[name](*arguments)
            except (TypeError, ValueError, OverflowError):
                return None
        if name in ("np.float32", "np.float64", "nl.par_dim") and len(arguments) == 1:
            return arguments[0]
        function = node.func      # np.dtype(np.float32).type(v)
        if isinstance(function, ast.Attribute) and function.attr == "type" and isinstance(function.value, ast.Call) \
                and self.api(function.value.func) == "np.dtype" and len(arguments) == 1:
            return arguments[0]
        return None

    def _named_constant(self, name: str):
        if name in self._constants:
            return self._constants[name]
        self._constants[name] = None
        value = None
        stmts = self.bindings.get(name, [])
        if name in self._unpacked:
            value = self._unpacked[name]
        elif len(stmts) == 1 and name not in self.param_set and not stmts[0].loops() and name not in self.mutations:
            if stmts[0].kind in ("assign", "annassign") and isinstance(stmts[0].target, ast.Name):
                value = self.const(stmts[0].value)
        elif not stmts and name not in self.param_set:
            value = self.const(self._module_constants.get(name))
        self._constants[name] = value
        return value

    def _module_level(self) -> dict[str, ast.AST]:
        found: dict[str, ast.AST] = {}
        twice = set()
        for node in self.ast.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if name in found:
                    twice.add(name)
                found[name] = node.value
        return {k: v for k, v in found.items() if k not in twice}

    def _shape_unpacking(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for stmt in self.stmts:
            if stmt.kind != "assign" or not isinstance(stmt.target, ast.Tuple):
                continue
            names = [e.id if isinstance(e, ast.Name) else None for e in stmt.target.elts]
            values: list = []
            if isinstance(stmt.value, ast.Attribute) and stmt.value.attr == "shape":
                values = list(self.shapes.get(norm(stmt.value.value), ()))
            elif isinstance(stmt.value, ast.Tuple):
                values = [self.const(e) for e in stmt.value.elts]
            if len(values) == len(names):
                for name, value in zip(names, values):
                    if name and value is not None and len(self.bindings.get(name, [])) == 1:
                        found[name] = value
        return found

    def linear(self, node: ast.AST | str) -> dict[str, int] | None:
        """An index expression as {variable: coefficient}, the constant under ''. None when it is not linear."""
        if isinstance(node, str):
            node = parse_expression(node)
        if node is None:
            return None
        value = self.const(node)
        if value is not None:
            return {"": int(value)} if value == int(value) else None
        if isinstance(node, ast.Name):
            return {node.id: 1, "": 0}
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.linear(node.operand)
            return None if inner is None else {k: -v for k, v in inner.items()}
        if isinstance(node, ast.BinOp):
            left, right = self.linear(node.left), self.linear(node.right)
            if left is None or right is None:
                return None
            if isinstance(node.op, (ast.Add, ast.Sub)):
                sign = 1 if isinstance(node.op, ast.Add) else -1
                total = dict(left)
                for key, coefficient in right.items():
                    total[key] = total.get(key, 0) + sign * coefficient
                return {k: v for k, v in total.items() if v or not k} | ({} if "" in total else {"": 0})
            if isinstance(node.op, ast.Mult):
                for one, other in ((left, right), (right, left)):
                    if set(one) <= {""}:
                        return {k: v * one.get("", 0) for k, v in other.items()}
        return None
