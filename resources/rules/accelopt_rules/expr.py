# SPDX-License-Identifier: GPL-3.0-or-later
"""Elementwise expressions, whatever API spells them.

`nl.exp(nl.multiply(x, -1))`, `n = -x; e = nisa.activation(op=nl.exp, data=n)` and `nisa.activation(op=np.exp, data=x, scale=-1.0)`
all read as exp(multiply(x, -1)). A temporary that is written once and read once in the same block is looked through; the
statements that a match looked through are those it makes needless.
"""
from __future__ import annotations

import ast
from dataclasses import dataclass

from .kernel import Kernel, Stmt, argument, norm

BINARY = {"add", "subtract", "multiply", "divide", "maximum", "minimum"}
COMMUTATIVE = {"add", "multiply", "maximum", "minimum"}
FUNCTIONS = {"exp", "log", "sqrt", "rsqrt", "square", "sigmoid", "silu", "tanh", "relu", "gelu", "sin", "erf", "abs", "softplus", "sign"}
ONE_TO_ONE = FUNCTIONS | {"reciprocal", "copy"}
OPERATORS = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide"}
ALU = {"add", "subtract", "multiply", "maximum", "minimum"}
NUMPY_NAMES = {"max": "maximum", "min": "minimum", "sum": "add", "mult": "multiply"}


@dataclass(frozen=True)
class E:
    op: str                                  # const, scalar, leaf, or an operation
    args: tuple["E", ...] = ()
    value: float | None = None
    code: str = ""
    uses: frozenset = frozenset()            # ids of the statements looked through
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    axis: str = ""
    grouped: int = 1                         # this and its arguments are one instruction already (0: inner part of one)
    name: str = ""                           # the temporary that held this value, when it was looked through

    def is_number(self) -> bool:
        return self.op in ("const", "scalar")

    def is_vector(self) -> bool:
        """One value per partition: what activation and tensor_scalar take as scale, bias or operand."""
        return self.is_number() or (self.shape is not None and len(self.shape) >= 2 and all(n == 1 for n in self.shape[1:]))

    def is_column(self) -> bool:
        return self.is_vector() and not self.is_number()

    def is_tile(self) -> bool:
        return not self.is_vector()

    def same(self, other: "E") -> bool:
        return self.code == other.code and self.op == other.op

    def width(self) -> int | None:
        if self.shape is None:
            return None
        total = 1
        for n in self.shape[1:]:
            total *= n
        return total


def const(value: float, code: str | None = None) -> E:
    return E("const", value=float(value), code=code if code is not None else number(value))


def number(value: float) -> str:
    value = float(value)
    return repr(value)


class Reader:
    def __init__(self, kernel: Kernel):
        self.kernel = kernel
        self._stmt_by_id = {id(s): s for s in kernel.stmts}
        self._loop_variables = {loop.var for loop in kernel.loops()}
        self._counts: dict[int, dict[str, int]] = {}
        self._definitions: dict[tuple[str, int], Stmt | None] = {}
        self._mentions: dict[str, list[Stmt]] = {}
        for stmt in kernel.stmts:
            for name in stmt.reads | stmt.mutates | stmt.binds:
                if stmt.loop is None and not stmt.inner:
                    self._mentions.setdefault(name, []).append(stmt)

    def stmts(self, ids) -> list[Stmt]:
        return sorted((self._stmt_by_id[i] for i in ids), key=lambda s: (s.line, s.index))

    # --- temporaries ---------------------------------------------------------------------------------------------------

    def _count(self, stmt: Stmt, key: str) -> int:
        table = self._counts.get(id(stmt))
        if table is None:
            table = self._counts[id(stmt)] = {}
            trees = [stmt.value] if stmt.value is not None else []
            if isinstance(stmt.target, ast.Subscript):
                trees.append(stmt.target)
            for tree in trees:
                for node in ast.walk(tree):
                    if isinstance(node, ast.Name):
                        table[node.id] = table.get(node.id, 0) + 1
                    elif isinstance(node, ast.Subscript):
                        text = norm(node)
                        table[text] = table.get(text, 0) + 1
            if isinstance(stmt.target, ast.Subscript):       # its own target is written, not read
                table[norm(stmt.target)] -= 1
            if stmt.kind == "aug" and isinstance(stmt.target, ast.Name):
                table[stmt.target.id] = table.get(stmt.target.id, 0) + 1
        return table.get(key, 0)

    def definition(self, node: ast.AST, user: Stmt) -> Stmt | None:
        """The statement whose result `node` is, if that result is read nowhere else and may be moved to its reader."""
        key = norm(node)
        memo = (key, id(user))
        if memo not in self._definitions:
            self._definitions[memo] = self._definition(node, key, user)
        return self._definitions[memo]

    def _definition(self, node: ast.AST, key: str, user: Stmt) -> Stmt | None:
        kernel = self.kernel
        if isinstance(node, ast.Name):
            base = node.id
            if base in kernel.param_set or base in kernel.mutations:
                return None
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
            base = node.value.id
            if kernel.buffer_of(base) not in ("sbuf", "psum") or not self._one_cell(base, key, user):
                return None
        else:
            return None
        block = user.block
        found = None
        for stmt in reversed(block.stmts[:user.index]):
            if base in stmt.binds or base in stmt.mutates:
                found = stmt
                break
        if found is None or found.kind != "assign" or found.target is None or norm(found.target) != key:
            return None
        # Who else reads this result?
        total, again = 0, False
        for stmt in block.stmts[found.index + 1:]:
            if stmt.inner:
                if base in stmt.reads or base in stmt.binds or base in stmt.mutates:
                    return None
            else:
                total += self._count(stmt, key)
            if base in stmt.binds or base in stmt.mutates:
                again = True
                break
        if total != 1 or self._count(user, key) != 1:
            return None
        if not again:
            for stmt in kernel.readers.get(base, []):
                if stmt.block is not block and not (stmt.inner and self._encloses(stmt, block)):
                    return None
            for stmt in block.stmts[:found.index]:      # read before it is written: carried from the last iteration
                if base in stmt.reads:
                    return None
                if base in stmt.binds or base in stmt.mutates:
                    break
        hazards = found.reads
        for stmt in block.stmts[found.index + 1:user.index]:
            if (stmt.binds | stmt.mutates) & hazards:
                return None
        return found

    @staticmethod
    def _encloses(stmt: Stmt, block) -> bool:
        while block is not None:
            if block.owner is stmt:
                return True
            block = block.owner.block if block.owner is not None else None
        return False

    def _one_cell(self, base: str, key: str, user: Stmt) -> bool:
        """All uses of a local tensor are the same subscript, in one block."""
        for stmt in self._mentions.get(base, []):
            if base in stmt.binds:
                continue
            if stmt.block is not user.block:
                return False
            for tree in (stmt.value, stmt.target):
                if tree is None:
                    continue
                inside = set()
                for inner in ast.walk(tree):
                    if isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Name) and inner.value.id == base:
                        if norm(inner) != key:
                            return False
                        inside.add(id(inner.value))
                for inner in ast.walk(tree):
                    if isinstance(inner, ast.Name) and inner.id == base and id(inner) not in inside:
                        return False
        return True

    # --- expressions ---------------------------------------------------------------------------------------------------

    def build(self, node: ast.AST, stmt: Stmt, depth: int = 0) -> E:
        kernel = self.kernel
        value = kernel.const(node)
        if value is not None:
            return E("const", value=float(value), code=norm(node))
        if kernel.is_scalar(node) or (isinstance(node, ast.Name) and node.id in self._loop_variables):
            return E("scalar", code=norm(node))
        if depth < 40:
            if isinstance(node, (ast.Name, ast.Subscript)):
                definition = self.definition(node, stmt)
                if definition is not None:
                    inner = self.build(definition.value, definition, depth + 1)
                    if inner.op not in ("leaf",):
                        return _with(inner, uses=inner.uses | {id(definition)}, name=norm(node))
            elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
                return self._op(OPERATORS[type(node.op)], [self.build(node.left, stmt, depth + 1), self.build(node.right, stmt, depth + 1)], node)
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
                return self._op("multiply", [self.build(node.operand, stmt, depth + 1), const(-1.0)], node)
            elif isinstance(node, ast.Call):
                built = self._call(node, stmt, depth)
                if built is not None:
                    return built
        return E("leaf", code=norm(node), shape=kernel.shape(node))

    def _op(self, op: str, args: list[E], node: ast.AST | None, dtype: str | None = None, axis: str = "", grouped: int = 1) -> E:
        uses = frozenset().union(*(a.uses for a in args))
        code = f"{op}({', '.join(a.code for a in args)})" + axis
        shape = self.kernel.shape(node) if node is not None else (args[0].shape if args else None)
        return E(op, tuple(args), code=code, uses=uses, shape=shape, dtype=dtype, axis=axis, grouped=grouped)

    def _plain(self, node: ast.Call, allowed: set[str]) -> tuple[bool, str | None]:
        """Whether a call has no mask and no argument outside `allowed`, and its dtype."""
        dtype = None
        for keyword in node.keywords:
            if keyword.arg == "mask":
                if not (isinstance(keyword.value, ast.Constant) and keyword.value.value is None):
                    return False, None
            elif keyword.arg == "dtype":
                if not (isinstance(keyword.value, ast.Constant) and keyword.value.value is None):
                    dtype = norm(keyword.value)
                    if (self.kernel.api(keyword.value) or "") not in ("np.float32", "nl.float32"):
                        return False, None
            elif keyword.arg not in allowed:
                return False, None
        if any(isinstance(a, ast.Starred) for a in node.args):
            return False, None
        return True, dtype

    def token(self, node: ast.AST | None) -> str | None:
        """The operation a token names: nl.add, np.add and nl.max as `op=`."""
        name = self.kernel.api(node) if node is not None else None
        if name is None or name.split(".")[0] not in ("nl", "np"):
            return None
        short = name.split(".")[-1]
        return NUMPY_NAMES.get(short, short)

    def _call(self, node: ast.Call, stmt: Stmt, depth: int) -> E | None:
        name = self.kernel.api(node.func) or ""
        short = name.split(".")[-1]

        def sub(child):
            return self.build(child, stmt, depth + 1)
        if name.startswith("nl.") and short in BINARY:
            ok, dtype = self._plain(node, {"x", "y"})
            x, y = argument(node, 0, "x"), argument(node, 1, "y")
            return self._op(short, [sub(x), sub(y)], node, dtype) if ok and x is not None and y is not None else None
        if name.startswith("nl.") and (short in FUNCTIONS or short in ("reciprocal", "negative")):
            ok, dtype = self._plain(node, {"x"})
            x = argument(node, 0, "x")
            if not ok or x is None:
                return None
            return self._op("multiply", [sub(x), const(-1.0)], node, dtype) if short == "negative" else self._op(short, [sub(x)], node, dtype)
        if name == "nisa.reciprocal":
            ok, dtype = self._plain(node, {"data"})
            x = argument(node, 0, "data")
            return self._op("reciprocal", [sub(x)], node, dtype) if ok and x is not None else None
        if name == "nisa.activation":
            return self._activation(node, sub)
        if name == "nisa.tensor_scalar":
            return self._tensor_scalar(node, sub)
        if name == "nisa.tensor_tensor":
            ok, dtype = self._plain(node, {"data1", "data2", "op"})
            a, b, op = argument(node, 0, "data1"), argument(node, 1, "data2"), self.token(argument(node, 2, "op"))
            return self._op(op, [sub(a), sub(b)], node, dtype) if ok and op in BINARY and a is not None and b is not None else None
        if name == "nl.sum":
            ok, dtype = self._plain(node, {"x", "axis"})
            x, axis = argument(node, 0, "x"), argument(node, 1, "axis")
            if ok and x is not None and axis is not None and dtype is None:
                return self._op("sum", [sub(x)], node, axis=norm(axis))
        if name == "nisa.tensor_reduce":
            ok, dtype = self._plain(node, {"op", "data", "axis"})
            op, x, axis = self.token(argument(node, 0, "op")), argument(node, 1, "data"), argument(node, 2, "axis")
            if ok and op == "add" and x is not None and axis is not None:
                return self._op("sum", [sub(x)], node, dtype, axis=norm(axis))
        return None

    def _activation(self, node: ast.Call, sub) -> E | None:
        ok, dtype = self._plain(node, {"op", "data", "bias", "scale"})
        op, data = self.token(argument(node, 0, "op")), argument(node, 1, "data")
        if not ok or op not in ONE_TO_ONE or data is None:
            return None
        bias, scale = argument(node, 99, "bias"), argument(node, 99, "scale")
        inner = sub(data)
        if scale is not None and self.kernel.const(scale) != 1:
            inner = self._op("multiply", [inner, sub(scale)], None, grouped=0)
        if bias is not None and not (isinstance(bias, ast.Constant) and bias.value is None):
            inner = self._op("add", [inner, sub(bias)], None, grouped=0)
        return inner if op == "copy" and inner.op == "leaf" else self._op(op, [inner], node, dtype)

    def _tensor_scalar(self, node: ast.Call, sub) -> E | None:
        ok, dtype = self._plain(node, {"data", "op0", "operand0", "reverse0", "op1", "operand1", "reverse1"})
        data = argument(node, 0, "data")
        result = sub(data) if ok and data is not None else None
        for step, at in (("0", 1), ("1", 4)):
            op_node = argument(node, at, f"op{step}")
            if result is None or (step == "1" and (op_node is None or (isinstance(op_node, ast.Constant) and op_node.value is None))):
                break
            op, operand = self.token(op_node), argument(node, at + 1, f"operand{step}")
            reverse = argument(node, at + 2, f"reverse{step}")
            if op not in BINARY or operand is None or (reverse is not None and not isinstance(reverse, ast.Constant)):
                return None
            pair = [result, sub(operand)]
            if reverse is not None and reverse.value:
                pair.reverse()
            has_second = argument(node, 4, "op1")
            single = step == "1" or has_second is None or (isinstance(has_second, ast.Constant) and has_second.value is None)
            result = self._op(op, pair, node if single else None, dtype if single else None, grouped=1 if single else 0)
        return result

    def sites(self):
        """Every elementwise sub-expression of every statement, outermost first, with its reading."""
        for stmt in self.kernel.stmts:
            if stmt.value is None or stmt.loop is not None or stmt.kind not in ("assign", "aug", "expr", "return"):
                continue
            for node in tile_expressions(stmt.value):
                if isinstance(node, (ast.Call, ast.BinOp, ast.UnaryOp)):
                    expr = self.build(node, stmt)
                    if expr.op in BINARY or expr.op in ONE_TO_ONE or expr.op == "sum":
                        yield stmt, node, expr


def tile_expressions(tree: ast.AST):
    """All sub-expressions, outermost first, except those inside an index, a mask or a shape."""
    waiting = [tree]
    while waiting:
        node = waiting.pop(0)
        yield node
        if isinstance(node, ast.Subscript):
            waiting.append(node.value)
        elif isinstance(node, ast.Call):
            waiting += [a for a in node.args if not isinstance(a, (ast.Tuple, ast.List))]
            waiting += [k.value for k in node.keywords if k.arg not in ("mask", "shape", "axis", "name", "dtype", "buffer")]
        else:
            waiting += list(ast.iter_child_nodes(node))


def _with(expr: E, **changes) -> E:
    from dataclasses import replace
    return replace(expr, **changes)


class Writer:
    """Expressions back to code, in the kernel's own spelling of the modules."""

    def __init__(self, edit):
        self.edit = edit

    def write(self, expr: E) -> str:
        if expr.name:
            return expr.name                 # the temporary stays, it is not part of the match
        if expr.op in ("leaf", "const", "scalar"):
            return expr.code
        nl = self.edit.use("nl")
        if expr.op == "sum":
            return f"{nl}.sum({self.write(expr.args[0])}, axis={expr.axis})"
        if expr.op == "copy":
            return f"{nl}.copy({self.write(expr.args[0])})"
        if expr.op == "reciprocal":
            return f"{self.edit.use('nisa')}.reciprocal({self.write(expr.args[0])})"
        tail = f", dtype={expr.dtype}" if expr.dtype else ""
        return f"{nl}.{expr.op}({', '.join(self.write(a) for a in expr.args)}{tail})"

    @staticmethod
    def dtype(*exprs: E) -> str:
        for expr in exprs:
            if expr.dtype:
                return f", dtype={expr.dtype}"
        return ""


