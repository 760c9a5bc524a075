# SPDX-License-Identifier: GPL-3.0-or-later
"""VectorE reads two float32 SBUF tiles at half speed. With one operand in PSUM an operation of two tiles takes one pass."""
from __future__ import annotations

import ast
from dataclasses import dataclass, field

from ..edit import Edit, Refusal
from ..expr import Reader
from ..kernel import PSUM_COLUMNS, Block, Kernel, Stmt, names_in
from ..loops import single
from ..profile import Context, cycles_ms, instruction_ms
from ..residency import low_precision
from .base import Rule, Site

PAIR = {"nl.add", "nl.subtract", "nl.multiply", "nl.maximum", "nl.minimum", "nisa.tensor_tensor"}
BANKS = 4                 # tiles in PSUM at a time: half of the eight banks, so that two iterations can overlap
# nl functions whose operand may be in PSUM
READERS = PAIR | {"nl.exp", "nl.silu", "nl.sigmoid", "nl.square", "nl.copy", "nisa.activation", "nisa.tensor_scalar", "nl.sqrt", "nl.rsqrt",
                  "nisa.tensor_copy", "nl.tanh", "nl.gelu", "nl.relu", "nisa.reciprocal"}


@dataclass
class Choice:
    """What to put in PSUM in one block: results to write there, and tiles to copy there first."""
    block: Block
    pairs: list[tuple[Stmt, str, str]]
    direct: list[Stmt] = field(default_factory=list)
    copied: list[str] = field(default_factory=list)
    width: int = 0


def pair_of(kernel: Kernel, stmt: Stmt) -> tuple[ast.AST, ast.AST] | None:
    """The two full tiles that a statement combines elementwise."""
    value = stmt.value
    if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub, ast.Mult)):
        pair = value.left, value.right
    elif isinstance(value, ast.Call) and kernel.api(value.func) in PAIR and len(value.args) >= 2:
        pair = value.args[0], value.args[1]
    else:
        return None
    shapes = [kernel.shape(p) for p in pair]
    if any(s is None or len(s) != 2 or s[1] == 1 for s in shapes) or shapes[0] != shapes[1]:
        return None
    return pair


def choices(kernel: Kernel) -> list[Choice]:
    found, blocks = [], {}
    for stmt in kernel.stmts:
        if stmt.value is not None and stmt.kind == "assign" and isinstance(stmt.target, ast.Name):
            pair = pair_of(kernel, stmt)
            if pair is not None and all(isinstance(p, ast.Name) for p in pair) and pair[0].id != pair[1].id:
                blocks.setdefault(id(stmt.block), (stmt.block, []))[1].append((stmt, pair[0].id, pair[1].id))
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
        value = stmt.value
        if isinstance(value, ast.BinOp) and isinstance(value.left, (ast.Name, ast.Constant)) and isinstance(value.right, (ast.Name, ast.Constant)):
            continue
        if not isinstance(value, ast.Call) or kernel.api(value.func) not in allowed:
            return False
        operands = [*value.args, *(k.value for k in value.keywords)]
        if any(name in names_in(o) and not isinstance(o, ast.Name) for o in operands):
            return False
    return True


def _choose(kernel: Kernel, block: Block, pairs) -> Choice | None:
    width = 0
    for stmt, one, _ in pairs:
        shape = kernel.shape(ast.Name(id=one, ctx=ast.Load()))
        width = max(width, shape[1])
    if width > PSUM_COLUMNS or low_precision(kernel):
        return None
    choice = Choice(block, pairs, width=width)
    psum = {n for _, a, b in pairs for n in (a, b) if _in_psum(kernel, n)}
    partners: dict[str, list[str]] = {}
    for _, a, b in pairs:
        partners.setdefault(a, []).append(b)
        partners.setdefault(b, []).append(a)

    def possible(name: str) -> bool:
        return name not in psum and not any(p in psum for p in partners[name])
    for stmt, a, b in pairs:                     # results that are made here anyway
        if a in psum or b in psum or len(choice.direct) + len(choice.copied) >= BANKS:
            continue
        for name in (a, b):
            made = _movable(kernel, name, block)
            if made is not None and possible(name) and _made_elementwise(kernel, made) and _only_read_by(kernel, name, READERS):
                choice.direct.append(made)
                psum.add(name)
                break
    for _, a, b in pairs:                        # tiles that must be copied: worth it when they serve several operations
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
            trips = kernel.trips(choice.pairs[0][0])
            names = {s.target.id for s in choice.direct} | set(choice.copied)
            served = sum(1 for _, a, b in choice.pairs if a in names or b in names)
            saved = {"vector": served * cycles_ms("vector", choice.width) * trips,
                     "scalar": -len(choice.copied) * instruction_ms("scalar", choice.width) * trips}
            line = choice.pairs[0][0].line
            shown = ", ".join(f"`{n}`" for n in sorted(names))
            sites.append(Site(
                f"{self.id}:{line}", f"Keep one operand of the elementwise operations at line {line} in PSUM",
                f"{len(choice.pairs)} operations of two SBUF tiles of {choice.width} columns start at line {line}; each takes two VectorE cycles per column.",
                f"Hold {shown} in PSUM tiles" + (f" (copy {', '.join(choice.copied)} there on ScalarE)" if choice.copied else "") + ".",
                f"About {saved['vector']:.3f} ms less VectorE time for {-saved['scalar']:.3f} ms more on ScalarE.", line, {}, saved))
        return sites

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        for choice in choices(kernel):
            if site.key != f"{self.id}:{choice.pairs[0][0].line}":
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
        from ..edit import splice
        nl, nisa = edit.use("nl"), edit.use("nisa")
        changed: dict[int, tuple[Stmt, list]] = {}
        for name in choice.copied:
            first = next(s for s, a, b in choice.pairs if name in (a, b))
            copy = kernel.fresh(f"{name}_psum")
            shape = kernel.shape(ast.Name(id=name, ctx=ast.Load()))
            edit.before(first, [declare(copy, shape), f"{copy}[...] = {nisa}.activation(op={nl}.copy, data={name})\n"])
            for stmt, a, b in choice.pairs:
                if name in (a, b):
                    nodes = [n for n in ast.walk(stmt.value) if isinstance(n, ast.Name) and n.id == name]
                    changed.setdefault(id(stmt), (stmt, []))[1].extend((n, copy) for n in nodes)
        for stmt, pieces in changed.values():
            edit.value(stmt, splice(stmt.value_code, pieces))


__all__ = ["PsumOperand", "Reader"]
