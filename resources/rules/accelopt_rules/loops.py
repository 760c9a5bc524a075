# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions about loops and what depends on them."""
from __future__ import annotations

import ast

from .kernel import Kernel, Loop, Stmt, names_in
from .shapes import BINARY, REDUCTIONS, UNARY

# Calls whose result depends only on what they are given, and that give back a tile of their own.
PURE = BINARY | UNARY | REDUCTIONS | {
    "nl.load", "nl.transpose", "nisa.nc_transpose", "nl.broadcast_to", "nisa.activation", "nisa.tensor_scalar", "nisa.tensor_tensor",
    "nisa.scalar_tensor_tensor", "nisa.tensor_reduce", "nisa.memset", "nl.load_transpose2d", "nl.static_cast"}


def is_pure(kernel: Kernel, node: ast.AST) -> bool:
    """A tile computed without side effects (and outside PSUM)."""
    if not isinstance(node, ast.Call):
        return False
    name = kernel.api(node.func) or ""
    if name in PURE:
        return all(pure_operand(kernel, a) for a in [*node.args, *(k.value for k in node.keywords)])
    if isinstance(node.func, ast.Attribute) and node.func.attr == "broadcast_to":
        return pure_operand(kernel, node.func.value)
    return False


def pure_operand(kernel: Kernel, node: ast.AST) -> bool:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            name = kernel.api(inner.func) or ""
            helper = name in ("nl.arange", "nl.ds", "nl.par_dim", "np.dtype", "int", "float", "min", "max") or name.endswith(".type")
            broadcast = isinstance(inner.func, ast.Attribute) and inner.func.attr in ("broadcast_to", "reshape")
            if not (helper or name in PURE or broadcast):
                return False
        elif isinstance(inner, (ast.Yield, ast.Await, ast.NamedExpr, ast.Lambda, ast.ListComp, ast.GeneratorExp)):
            return False
    return True


def variant_names(loop: Loop) -> set[str]:
    """Names that may have another value in each iteration."""
    found = {loop.var}
    for stmt in loop.body.walk():
        found |= stmt.binds | stmt.mutates
    return found


def single(kernel: Kernel, name: str) -> Stmt | None:
    """The one statement that binds a name which nothing writes into."""
    stmts = kernel.bindings.get(name, [])
    if len(stmts) != 1 or name in kernel.mutations or name in kernel.param_set:
        return None
    stmt = stmts[0]
    return stmt if stmt.kind == "assign" and isinstance(stmt.target, ast.Name) else None


def depends_on(kernel: Kernel, node: ast.AST, inside: Loop) -> tuple[set[str], list[Stmt]] | None:
    """(loop variables, statements) that an expression needs from within a loop: the statements are the pure definitions inside that
    loop, in program order. None when it needs something that cannot be moved (an accumulator, a mutated tile, an opaque statement)."""
    variables: set[str] = set()
    statements: dict[int, Stmt] = {}
    inner_vars = {inside.var} | {s.loop.var for s in inside.body.walk() if s.loop is not None}
    written = set()
    for stmt in inside.body.walk():
        written |= stmt.mutates
    waiting = list(names_in(node))
    seen = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in inner_vars:
            variables.add(name)
            continue
        if name in written:
            return None
        bound = [s for s in kernel.bindings.get(name, []) if inside in s.loops()]
        if not bound:
            continue
        stmt = single(kernel, name)
        if stmt is None or not (is_pure(kernel, stmt.value) or index_only(kernel, stmt.value)):
            return None
        if stmt.block.owner is None or stmt.block.owner.loop is None:
            return None
        statements[id(stmt)] = stmt
        waiting += list(names_in(stmt.value))
    return variables, sorted(statements.values(), key=lambda s: s.line)


def index_only(kernel: Kernel, node: ast.AST) -> bool:
    """Index arithmetic: names, numbers, nl.arange, nl.ds."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and (kernel.api(inner.func) or "") not in ("nl.arange", "nl.ds", "min", "max", "int"):
            return False
    return not isinstance(node, ast.Constant) or True


def occurrences(node: ast.AST, name: str) -> int:
    return sum(1 for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == name)


def subscripts_of(stmt: Stmt, base: str) -> list[ast.Subscript]:
    found = []
    for tree in (stmt.value, stmt.target):
        if tree is not None:
            found += [n for n in ast.walk(tree) if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and n.value.id == base]
    return found


def mentions(stmt: Stmt, base: str) -> int:
    return sum(occurrences(t, base) for t in (stmt.value, stmt.target) if t is not None)


def leaf_stmts(block):
    """Statements that are no loops or branches themselves."""
    for stmt in block.walk():
        if not stmt.inner:
            yield stmt


def indented(lines: list[str], unit: str = "    ") -> list[str]:
    return [unit + line for line in lines]


