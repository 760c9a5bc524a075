# SPDX-License-Identifier: GPL-3.0-or-later
"""VectorE reads two float32 SBUF tiles at half speed. With one operand in PSUM an operation of two tiles takes one pass."""
from __future__ import annotations

import ast
from dataclasses import dataclass, field

from ..edit import Edit, Refusal, splice
from ..expr import tile_expressions
from ..kernel import PSUM_COLUMNS, Block, Kernel, Stmt, argument
from ..loops import single
from ..profile import Context, cycles_ms, instruction_ms
from ..residency import low_precision
from .base import Rule, Site

PAIR = {"nl.add", "nl.subtract", "nl.multiply", "nl.maximum", "nl.minimum"}
BANKS = 4                 # tiles in PSUM at a time: half of the eight banks, so that two iterations can overlap
# nl functions whose operand may be in PSUM
READERS = PAIR | {"nisa.tensor_tensor", "nisa.scalar_tensor_tensor", "nl.exp", "nl.silu", "nl.sigmoid", "nl.square", "nl.copy", "nisa.activation", "nisa.tensor_scalar", "nl.sqrt", "nl.rsqrt",
                  "nisa.tensor_copy", "nl.tanh", "nl.gelu", "nl.relu", "nisa.reciprocal"}


@dataclass
class Pair:
    """One operation of two full tiles that are named."""
    stmt: Stmt
    node: ast.AST
    one: str
    other: str


@dataclass
class Choice:
    """What to put in PSUM in one block: results to write there, and tiles to copy there first."""
    block: Block
    pairs: list[Pair]
    direct: list[Stmt] = field(default_factory=list)
    copied: list[str] = field(default_factory=list)
    width: int = 0


def operands_of(kernel: Kernel, node: ast.AST) -> tuple[ast.AST, ast.AST] | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        return node.left, node.right
    if isinstance(node, ast.Call) and kernel.api(node.func) in PAIR and len(node.args) >= 2:
        return node.args[0], node.args[1]
    if isinstance(node, ast.Call) and kernel.api(node.func) == "nisa.tensor_tensor":
        one, other = argument(node, 0, "data1"), argument(node, 1, "data2")
        return (one, other) if one is not None and other is not None else None
    return None


def pairs_in(kernel: Kernel, stmt: Stmt) -> list[Pair]:
    """The operations of two full tiles in a statement."""
    found = []
    for node in tile_expressions(stmt.value):
        operands = operands_of(kernel, node)
        if operands is None or not all(isinstance(o, ast.Name) for o in operands) or operands[0].id == operands[1].id:
            continue
        shapes = [kernel.shape(o) for o in operands]
        if shapes[0] is not None and len(shapes[0]) == 2 and shapes[0][1] > 1 and shapes[0] == shapes[1]:
            found.append(Pair(stmt, node, operands[0].id, operands[1].id))
    return found


def choices(kernel: Kernel) -> list[Choice]:
    found, blocks = [], {}
    for stmt in kernel.stmts:
        if stmt.value is not None and stmt.kind in ("assign", "expr"):
            for pair in pairs_in(kernel, stmt):
                blocks.setdefault(id(stmt.block), (stmt.block, []))[1].append(pair)
    for block, pairs in blocks.values():
        choice = _choose(kernel, block, pairs)
        if choice is not None:
            found.append(choice)
    return found


def _movable(kernel: Kernel, name: str, block: Block) -> Stmt | None:
    stmt = single(kernel, name)
    return stmt if stmt is not None and stmt.block is block else None


def _in_psum(kernel: Kernel, name: str) -> bool:
    stmt = single(kernel, name)
    if stmt is not None and isinstance(stmt.value, ast.Call):
        return kernel.api(stmt.value.func) in ("nl.matmul", "nisa.nc_matmul", "nl.transpose", "nisa.nc_transpose")
    return kernel.buffer_of(name) == "psum"


def _only_read_by(kernel: Kernel, name: str, allowed: set[str]) -> bool:
    """Every reader is an elementwise instruction that may take a PSUM operand, by plain name."""
    for stmt in kernel.readers.get(name, []):
        if stmt.value is None:
            return False
        parents = {id(child): node for node in ast.walk(stmt.value) for child in ast.iter_child_nodes(node)}
        for node in ast.walk(stmt.value):
            if isinstance(node, ast.Name) and node.id == name:
                parent = parents.get(id(node))
                if isinstance(parent, ast.keyword):
                    parent = parents.get(id(parent))
                if isinstance(parent, ast.BinOp) and isinstance(parent.op, (ast.Add, ast.Sub, ast.Mult)):
                    continue
                if not isinstance(parent, ast.Call) or kernel.api(parent.func) not in allowed:
                    return False
    return True


def _choose(kernel: Kernel, block: Block, pairs) -> Choice | None:
    width = max(kernel.shape(ast.Name(id=p.one, ctx=ast.Load()))[1] for p in pairs)
    if width > PSUM_COLUMNS or low_precision(kernel):
        return None
    choice = Choice(block, pairs, width=width)
    named = [(p.one, p.other) for p in pairs]
    psum = {n for pair in named for n in pair if _in_psum(kernel, n)}
    partners: dict[str, list[str]] = {}
    for a, b in named:
        partners.setdefault(a, []).append(b)
        partners.setdefault(b, []).append(a)

    def possible(name: str) -> bool:
        return name not in psum and not any(p in psum for p in partners[name])
    for a, b in named:                           # results that are made here anyway
        if a in psum or b in psum or len(choice.direct) + len(choice.copied) >= BANKS:
            continue
        for name in (a, b):
            made = _movable(kernel, name, block)
            if made is not None and possible(name) and _made_elementwise(kernel, made) and _only_read_by(kernel, name, READERS):
                choice.direct.append(made)
                psum.add(name)
                break
    for a, b in named:                           # tiles that must be copied: worth it when they serve several operations
        if a in psum or b in psum or len(choice.direct) + len(choice.copied) >= BANKS:
            continue
        names = sorted((n for n in (a, b) if possible(n)), key=lambda n: (-len(partners[n]), n != a))
        if names and len(partners[names[0]]) >= 1:
            choice.copied.append(names[0])
            psum.add(names[0])
    return choice if choice.direct or choice.copied else None


def _made_elementwise(kernel: Kernel, stmt: Stmt) -> bool:
    value = stmt.value
    if isinstance(value, ast.BinOp):
        return True
    return isinstance(value, ast.Call) and kernel.api(value.func) in READERS and not any(k.arg == "mask" for k in value.keywords)


class PsumOperand(Rule):
    id = "psum-operand"
    title = "Keep one operand in PSUM"
    explanation = ("An elementwise operation of two float32 tiles takes two VectorE cycles per column when both are in SBUF, one when one of them is "
                   "in PSUM. Temporaries can be written there directly; a reused input is copied there by ScalarE.")

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        sites = []
        for choice in choices(kernel):
            trips = kernel.trips(choice.pairs[0].stmt)
            names = {s.target.id for s in choice.direct} | set(choice.copied)
            served = sum(1 for p in choice.pairs if p.one in names or p.other in names)
            saved = {"vector": served * cycles_ms("vector", choice.width) * trips,
                     "scalar": -len(choice.copied) * instruction_ms("scalar", choice.width) * trips}
            line = choice.pairs[0].stmt.line
            shown = ", ".join(f"`{n}`" for n in sorted(names))
            sites.append(Site(
                f"{self.id}:{line}", f"Keep one operand of the elementwise operations at line {line} in PSUM",
                f"{len(choice.pairs)} operations of two SBUF tiles of {choice.width} columns start at line {line}; each takes two VectorE cycles per column.",
                f"Hold {shown} in PSUM tiles" + (f" (copy {', '.join(choice.copied)} there on ScalarE)" if choice.copied else "") + ".",
                f"About {saved['vector']:.3f} ms less VectorE time for {-saved['scalar']:.3f} ms more on ScalarE.", line, {}, saved))
        return sites

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        for choice in choices(kernel):
            if site.key != f"{self.id}:{choice.pairs[0].stmt.line}":
                continue
            if variant == 1 and choice.copied and choice.direct:
                choice.copied = []             # the variation: only what is made here anyway
            edit = Edit(kernel)
            nl = edit.use("nl")

            def declare(name: str, shape) -> str:
                return f"{name} = {nl}.ndarray(({nl}.par_dim({shape[0]}), {shape[1]}), dtype={nl}.float32, buffer={nl}.psum)\n"
            for stmt in choice.direct:
                shape = kernel.shape(stmt.value)
                edit.before(stmt, [declare(stmt.target.id, shape)])
                edit.target(stmt, f"{stmt.target.id}[...]")
            self._copies(kernel, edit, choice, declare)
            return edit.source()
        raise Refusal("the operations of the plan are not in this kernel, or their tiles are too wide for a PSUM bank")

    @staticmethod
    def _copies(kernel: Kernel, edit: Edit, choice: Choice, declare) -> None:
        nl, nisa = edit.use("nl"), edit.use("nisa")
        changed: dict[int, tuple[Stmt, list]] = {}
        for name in choice.copied:
            first = next(p.stmt for p in choice.pairs if name in (p.one, p.other))
            copy = kernel.fresh(f"{name}_psum")
            shape = kernel.shape(ast.Name(id=name, ctx=ast.Load()))
            edit.before(first, [declare(copy, shape), f"{copy}[...] = {nisa}.activation(op={nl}.copy, data={name})\n"])
            for pair in choice.pairs:
                nodes = [n for n in operands_of(kernel, pair.node) or () if isinstance(n, ast.Name) and n.id == name]
                changed.setdefault(id(pair.stmt), (pair.stmt, []))[1].extend((n, copy) for n in nodes)
        for stmt, pieces in changed.values():
            edit.value(stmt, splice(stmt.value_code, pieces))

