# SPDX-License-Identifier: GPL-3.0-or-later
"""A kernel as the rules see it: blocks of statements, loops, names, constants and tile shapes.

The source is parsed twice: LibCST holds the tree that is edited (so that comments and layout survive), `ast` holds the
expression inside each statement, where patterns are looked for. Edits are made per statement; see edit.py.
"""
from __future__ import annotations

import ast
from dataclasses import dataclass, field

import libcst as cst

from .compiletime import CompileTime, norm, parse_expression

MAX_SOURCE = 256 * 1024
PARTITIONS = 128            # nl.tile_size.pmax, all NeuronCores
PSUM_COLUMNS = 512          # one PSUM bank holds 2 KiB per partition = 512 float32
MOVING_COLUMNS = 512        # nl.tile_size.gemm_moving_fmax
STATIONARY_COLUMNS = 128    # nl.tile_size.gemm_stationary_fmax
SBUF_BYTES = 192 * 1024     # per partition, NeuronCore-v2

PREFIXES = (("neuronxcc.nki.language", "nl"), ("neuronxcc.nki.isa", "nisa"), ("neuronxcc.nki.typing", "nt"),
            ("neuronxcc.nki", "nki"), ("nki.language", "nl"), ("nki.isa", "nisa"), ("numpy", "np"))
CONVENTIONAL = {"nl": "nl", "nisa": "nisa", "nki": "nki", "np": "np", "numpy": "np"}
LOOP_KINDS = {"nl.affine_range": "affine", "nl.sequential_range": "sequential", "nl.static_range": "static", "range": "range"}
ALLOCATIONS = {"nl.ndarray", "nl.zeros", "nl.ones", "nl.full", "nl.empty_like", "nl.zeros_like", "nisa.memset"}


class KernelSyntaxError(ValueError):
    """The text is not a kernel: the message says why, in one sentence."""


def canonical(dotted: str) -> str:
    for prefix, short in PREFIXES:
        if dotted == prefix or dotted.startswith(prefix + "."):
            return short + dotted[len(prefix):]
    return dotted


def dotted_name(node: ast.AST) -> str | None:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def names_in(node: ast.AST) -> set[str]:
    """The plain names an expression reads."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


@dataclass(eq=False, repr=False)
class Stmt:
    """One statement of the entry function. `kind`: assign, aug, expr, for, if, return, doc, other."""
    node: cst.CSTNode
    kind: str
    line: int
    block: "Block"
    index: int
    code: str
    target: ast.AST | None = None
    value: ast.AST | None = None
    value_code: str = ""
    target_source: str = ""
    op: str = ""
    loop: "Loop | None" = None
    inner: list["Block"] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)
    binds: set[str] = field(default_factory=set)      # names given a new value
    mutates: set[str] = field(default_factory=set)    # tensors written in place (or stored to)
    own: tuple[set[str], set[str], set[str]] | None = None    # reads, binds, mutates without those of inner blocks

    @property
    def target_code(self) -> str:
        return norm(self.target) if self.target is not None else ""

    @property
    def next(self) -> "Stmt | None":
        return self.block.stmts[self.index + 1] if self.index + 1 < len(self.block.stmts) else None

    def loops(self) -> list["Loop"]:
        """The loops around this statement, outermost first."""
        found, block = [], self.block
        while block is not None:
            if block.owner is not None and block.owner.loop is not None:
                found.append(block.owner.loop)
            block = block.owner.block if block.owner is not None else None
        return found[::-1]


@dataclass(eq=False, repr=False)
class Block:
    owner: Stmt | None
    stmts: list[Stmt] = field(default_factory=list)

    def walk(self):
        for stmt in self.stmts:
            yield stmt
            for inner in stmt.inner:
                yield from inner.walk()


@dataclass(eq=False, repr=False)
class Loop:
    stmt: Stmt
    var: str
    kind: str
    count_code: str          # the code of the trip count (range with one argument), else ""
    trip: int | None
    step: int = 1

    @property
    def body(self) -> Block:
        return self.stmt.inner[0]

    @property
    def line(self) -> int:
        return self.stmt.line


class Kernel(CompileTime):
    def __init__(self, source: str, shapes: dict[str, tuple[int, ...]] | None = None):
        if not isinstance(source, str) or not source.strip():
            raise KernelSyntaxError("the kernel is empty")
        if len(source) > MAX_SOURCE:
            raise KernelSyntaxError(f"the kernel is longer than {MAX_SOURCE // 1024} KiB")
        if "\x00" in source:
            raise KernelSyntaxError("the kernel contains a NUL character")
        try:
            self.ast = ast.parse(source)
            self.module = cst.parse_module(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError, cst.ParserSyntaxError) as error:
            message = str(error).split("\n", 1)[0]
            raise KernelSyntaxError(f"the kernel is not valid Python: {message}") from None
        self.source = source
        self.shapes = {k: tuple(v) for k, v in (shapes or {}).items()}
        try:
            self._read()
        except RecursionError:
            raise KernelSyntaxError("the kernel is nested too deeply") from None

    # --- reading -------------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        self.aliases = dict(CONVENTIONAL)
        self.imported: set[str] = set()
        for node in ast.walk(self.ast):
            if isinstance(node, ast.Import):
                for item in node.names:
                    if item.asname:
                        self.aliases[item.asname] = canonical(item.name)
                        self.imported.add(item.asname)
                    else:
                        self.imported.add(item.name.split(".")[0])
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for item in node.names:
                    name = item.asname or item.name
                    self.aliases[name] = canonical(f"{node.module}.{item.name}")
                    self.imported.add(name)
        self.function = self._entry()
        at = [s for s in self.module.body if isinstance(s, cst.FunctionDef)].index(self.function)
        self._nodes: dict[int, ast.stmt] = {}
        self._raw = [line.encode("utf-8") for line in self.source.split("\n")]
        self._number(self.function.body, [s for s in self.ast.body if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef))][at].body)
        self.params = [p.name.value for p in self.function.params.params]
        self.param_set = set(self.params) | {p.name.value for p in self.function.params.kwonly_params}
        self.stmts: list[Stmt] = []
        self.body = self._block(self.function.body, None)
        self.bindings: dict[str, list[Stmt]] = {}
        self.mutations: dict[str, list[Stmt]] = {}
        self.readers: dict[str, list[Stmt]] = {}
        for stmt in self.stmts:
            own_reads, own_binds, own_mutates = stmt.own or (stmt.reads, stmt.binds, stmt.mutates)
            for name in sorted(own_binds):
                self.bindings.setdefault(name, []).append(stmt)
            for name in sorted(own_mutates):
                self.mutations.setdefault(name, []).append(stmt)
            for name in sorted(own_reads):
                self.readers.setdefault(name, []).append(stmt)
        self._constants: dict[str, float | None] = {}
        self._module_constants = self._module_level()
        self._unpacked: dict[str, int] = {}
        self._unpacked = self._shape_unpacking()
        self._shape_memo: dict[str, tuple[int, ...] | None] = {}
        for stmt in self.stmts:     # trip counts need the constants
            if stmt.loop is not None:
                self._trip(stmt.loop)

    def _entry(self) -> cst.FunctionDef:
        functions = [s for s in self.module.body if isinstance(s, cst.FunctionDef)]
        for wanted in ("kernel", "optimized_kernel"):
            for function in functions:
                if function.name.value == wanted:
                    return self._checked(function)
        for function in functions:
            if any("jit" in self.module.code_for_node(d.decorator) for d in function.decorators):
                return self._checked(function)
        raise KernelSyntaxError("the file defines no function named kernel or optimized_kernel, and none marked with nki.jit")

    @staticmethod
    def _checked(function: cst.FunctionDef) -> cst.FunctionDef:
        if not isinstance(function.body, cst.IndentedBlock):
            raise KernelSyntaxError("the kernel function has no body of its own")
        return function

    def _number(self, body, statements: list[ast.stmt]) -> None:
        """Lines of the statements: both parsers see the same ones in the same order (LibCST's positions cost far more)."""
        waiting = iter(statements)
        for node in body.body:
            if isinstance(node, cst.SimpleStatementLine):
                numbers = [next(waiting) for _ in node.body]
                self._nodes[id(node)] = numbers[0]
                continue
            statement = next(waiting)
            self._nodes[id(node)] = statement
            if isinstance(node, (cst.For, cst.While, cst.With, cst.If)) and isinstance(node.body, cst.IndentedBlock):
                self._number(node.body, statement.body)
            branch, below = (node.orelse, statement.orelse) if isinstance(node, cst.If) else (None, [])
            while branch is not None:
                if isinstance(branch, cst.If):
                    if isinstance(branch.body, cst.IndentedBlock):
                        self._number(branch.body, below[0].body)
                    branch, below = branch.orelse, below[0].orelse
                else:
                    if isinstance(branch.body, cst.IndentedBlock):
                        self._number(branch.body, below)
                    branch = None

    def line_of(self, node: cst.CSTNode) -> int:
        found = self._nodes.get(id(node))
        return found.lineno if found is not None else 0

    def _segment(self, node: ast.AST | None) -> str:
        """The source of an expression; in parentheses when it runs over several lines, so that it stands on its own."""
        if node is None:
            return ""
        first, last = node.lineno - 1, node.end_lineno - 1
        if first == last:
            return self._raw[first][node.col_offset:node.end_col_offset].decode("utf-8")
        lines = [self._raw[first][node.col_offset:], *self._raw[first + 1:last], self._raw[last][:node.end_col_offset]]
        text = b"\n".join(lines).decode("utf-8").replace("\r", "")
        return text if isinstance(node, ast.stmt) else f"({text})"

    def _block(self, body, owner: Stmt | None) -> Block:
        block = Block(owner)
        if not isinstance(body, cst.IndentedBlock):
            # `for …: x = 1` on one line: keep it opaque
            code = self.module.code_for_node(body)    # opaque: one line holds it all
            stmt = Stmt(body, "other", self.line_of(body), block, 0, code)
            stmt.reads = set(_safe_names(code))
            stmt.mutates = set(stmt.reads)
            block.stmts.append(stmt)
            self.stmts.append(stmt)
            return block
        for node in body.body:
            stmt = self._stmt(node, block)
            block.stmts.append(stmt)
        return block

    def _stmt(self, node, block: Block) -> Stmt:
        code = self._segment(self._nodes.get(id(node)))
        if isinstance(node, cst.SimpleStatementLine) and len(node.body) != 1:
            code = self.module.code_for_node(node).strip()
        stmt = Stmt(node, "other", self.line_of(node), block, len(block.stmts), code)
        self.stmts.append(stmt)
        if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1:
            self._simple(stmt, node.body[0])
        elif isinstance(node, cst.For) and node.orelse is None and node.asynchronous is None:
            self._for(stmt, node)
        elif isinstance(node, (cst.If, cst.While, cst.With, cst.Try, cst.For)):
            stmt.kind = "if" if isinstance(node, cst.If) else "other"
            self._opaque_reads(stmt, code)
            bodies = [node.body]
            if isinstance(node, cst.If):
                branch = node.orelse
                while branch is not None:
                    bodies.append(branch.body)
                    branch = branch.orelse if isinstance(branch, cst.If) else None
            for body in bodies:
                stmt.inner.append(self._block(body, stmt))
            self._absorb(stmt)
        else:
            self._opaque_reads(stmt, code)
        return stmt

    def _opaque_reads(self, stmt: Stmt, code: str) -> None:
        stmt.reads = set(_safe_names(code))
        stmt.mutates = set(stmt.reads) - set(self.aliases) - {"range"}

    @staticmethod
    def _absorb(stmt: Stmt) -> None:
        stmt.own = (set(stmt.reads), set(stmt.binds), set(stmt.mutates))
        for block in stmt.inner:
            for inner in block.stmts:
                stmt.reads |= inner.reads
                stmt.mutates |= inner.mutates
                stmt.binds |= inner.binds

    def _simple(self, stmt: Stmt, node) -> None:
        tree = self._nodes[id(stmt.node)]
        if isinstance(node, cst.Assign) and len(node.targets) == 1:
            target, value = tree.targets[0], tree.value
            stmt.kind = "assign"
        elif isinstance(node, cst.AnnAssign) and node.value is not None:
            target, value = tree.target, tree.value
            stmt.kind = "annassign"
        elif isinstance(node, cst.AugAssign):
            target, value = tree.target, tree.value
            stmt.kind, stmt.op = "aug", self.module.code_for_node(node.operator).strip()
        elif isinstance(node, (cst.Expr, cst.Return)):
            target, value = None, tree.value
            stmt.kind = "return" if isinstance(node, cst.Return) else "expr"
        else:
            if not isinstance(node, (cst.Import, cst.ImportFrom, cst.Pass)):
                self._opaque_reads(stmt, stmt.code)
            return
        if value is None:
            return
        stmt.value_code = self._segment(value)
        stmt.value = parse_expression(stmt.value_code)
        if stmt.value is None:
            stmt.kind = "other"
            self._opaque_reads(stmt, stmt.code)
            return
        if stmt.kind == "expr" and isinstance(stmt.value, ast.Constant):
            stmt.kind = "doc"
        stmt.reads = names_in(stmt.value)
        if target is not None:
            stmt.target_source = self._segment(target)
            stmt.target = parse_expression(stmt.target_source)
            if stmt.target is None:
                stmt.kind = "other"
                self._opaque_reads(stmt, stmt.code)
                return
            if isinstance(stmt.target, ast.Name):
                if stmt.kind == "aug":
                    stmt.mutates.add(stmt.target.id)
                    stmt.reads.add(stmt.target.id)
                else:
                    stmt.binds.add(stmt.target.id)
            elif isinstance(stmt.target, ast.Subscript):
                base = base_name(stmt.target)
                if base:
                    stmt.mutates.add(base)
                stmt.reads |= names_in(stmt.target)
            else:
                stmt.binds |= names_in(stmt.target)
        for call in ast.walk(stmt.value):
            if isinstance(call, ast.Call):
                stmt.mutates |= self._written_by_call(call)

    def _written_by_call(self, call: ast.Call) -> set[str]:
        name, found = self.api(call.func), set()
        if name in ("nl.store", "nisa.dma_copy", "nl.atomic_rmw") and call.args:
            found.add(base_name(call.args[0]) or "")
        for keyword in call.keywords:
            if keyword.arg in ("dst", "reduce_res", "out"):
                found.add(base_name(keyword.value) or "")
        if name is None or name.split(".")[0] not in ("nl", "nisa", "np", "nki"):
            method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            if method not in ("reshape", "broadcast_to", "astype", "view", "expand_dims", "ap", "type", "format") \
                    and name not in ("range", "int", "float", "min", "max", "len", "tuple", "list", "np.dtype"):
                for argument in [*call.args, *(k.value for k in call.keywords)]:
                    found |= names_in(argument)    # an unknown function may write what it is given
        return found - {""}

    def _for(self, stmt: Stmt, node: cst.For) -> None:
        stmt.kind = "for"
        tree = self._nodes[id(node)]
        iterator, target = parse_expression(self._segment(tree.iter)), parse_expression(self._segment(tree.target))
        kind = LOOP_KINDS.get(self.api(iterator.func) or "") if isinstance(iterator, ast.Call) else None
        if kind and isinstance(target, ast.Name) and not iterator.keywords and 1 <= len(iterator.args) <= 3:
            single = len(iterator.args) == 1
            stmt.loop = Loop(stmt, target.id, kind, norm(iterator.args[0]) if single else "", None)
            stmt.value = iterator
            stmt.value_code = self._segment(tree.iter)
        else:
            stmt.kind = "other"
        stmt.reads = names_in(iterator) if iterator is not None else set()
        stmt.binds = names_in(target) if target is not None else set()
        stmt.inner.append(self._block(node.body, stmt))
        self._absorb(stmt)

    def _trip(self, loop: Loop) -> None:
        values = [self.const(a) for a in loop.stmt.value.args]
        if any(v is None or v != int(v) for v in values):
            return
        values = [int(v) for v in values]
        start, stop, step = (0, values[0], 1) if len(values) == 1 else (*values, 1)[:3]
        if step > 0:
            loop.trip, loop.step = max(0, -(-(stop - start) // step)), step

    # --- names and constants -------------------------------------------------------------------------------------------

    def api(self, node: ast.AST) -> str | None:
        """The canonical dotted name of an API: nl.load for nki.language.load, whatever the import looked like."""
        dotted = dotted_name(node)
        if dotted is None:
            return None
        first, _, rest = dotted.partition(".")
        first = self.aliases.get(first, first)
        return canonical(f"{first}.{rest}" if rest else first)

    def spell(self, module: str) -> str:
        """How this kernel writes nl, nisa or np."""
        wanted = {"nl": "nl", "nisa": "nisa", "np": "np"}[module]
        for alias in sorted(self.imported):
            if self.aliases.get(alias) == wanted:
                return alias
        if self.imported and module != "np" and "nki" in self.imported and self.aliases.get("nki") == "nki":
            return {"nl": "nki.language", "nisa": "nki.isa"}[module]
        return wanted

    def needs_import(self, module: str) -> str | None:
        """The import line that is missing before `spell(module)` may be used, or None."""
        spelled = self.spell(module).split(".")[0]
        if not self.imported or spelled in self.imported:
            return None
        return {"nl": "import neuronxcc.nki.language as nl", "nisa": "import neuronxcc.nki.isa as nisa",
                "np": "import numpy as np"}[module]

    # --- shapes --------------------------------------------------------------------------------------------------------

    def allocation(self, name: str) -> ast.Call | None:
        """The nl.ndarray/zeros/… call that declares a tensor, when the name is bound once by it."""
        stmts = self.bindings.get(name, [])
        if len(stmts) == 1 and isinstance(stmts[0].value, ast.Call) and isinstance(stmts[0].target, ast.Name) \
                and self.api(stmts[0].value.func) in ALLOCATIONS:
            return stmts[0].value
        return None

    def allocation_shape(self, call: ast.Call) -> list[ast.AST] | None:
        shape = argument(call, 0, "shape")
        return list(shape.elts) if isinstance(shape, (ast.Tuple, ast.List)) else None

    def whole_shape(self, name: str) -> tuple[int, ...] | None:
        """The declared shape of a parameter or an allocated tensor."""
        if name in self.shapes:
            return self.shapes[name]
        call = self.allocation(name)
        elements = self.allocation_shape(call) if call is not None else None
        if elements is None:
            return None
        values = tuple(self.const(e) for e in elements)
        return values if all(isinstance(v, int) for v in values) else None

    def buffer_of(self, name: str) -> str:
        """hbm, sbuf or psum; '' when unknown."""
        if name in self.param_set:
            return "hbm"
        call = self.allocation(name)
        if call is None:
            return ""
        buffer = argument(call, 99, "buffer")
        spelled = (self.api(buffer) or norm(buffer)) if buffer is not None else "nl.sbuf"
        if "hbm" in spelled or "shared_constant" in spelled:
            return "hbm"
        return "psum" if "psum" in spelled else "sbuf"

    def shape(self, node: ast.AST | str | None) -> tuple[int, ...] | None:
        """The shape of the tile an expression makes, or None."""
        from .shapes import infer
        if isinstance(node, str):
            node = parse_expression(node)
        if node is None:
            return None
        key = norm(node)
        if key not in self._shape_memo:
            self._shape_memo[key] = None
            self._shape_memo[key] = infer(self, node)
        return self._shape_memo[key]

    # --- questions rules ask -------------------------------------------------------------------------------------------

    def loops(self) -> list[Loop]:
        return [s.loop for s in self.stmts if s.loop is not None]

    def trips(self, stmt: Stmt) -> int:
        """How often a statement is executed (loops of unknown length count 8 times)."""
        total = 1
        for loop in stmt.loops():
            total *= loop.trip if loop.trip else 8
        return total

    def is_scalar(self, node: ast.AST) -> bool:
        """A Python number at trace time: a constant, or a parameter that is never used as a tensor."""
        if self.const(node) is not None:
            return True
        if isinstance(node, ast.Name) and node.id in self.param_set and node.id not in self.shapes:
            for stmt in self.readers.get(node.id, []):
                for inner in ast.walk(stmt.value) if stmt.value is not None else ():
                    if isinstance(inner, (ast.Subscript, ast.Attribute)) and base_name(inner) == node.id:
                        return False
                    if isinstance(inner, ast.Call) and self.api(inner.func) in ("nl.load", "nl.store"):
                        if any(isinstance(a, ast.Name) and a.id == node.id for a in inner.args):
                            return False
            return True
        return False

    def fresh(self, wanted: str) -> str:
        taken = names_in(self.ast) | set(self.aliases) | self.param_set
        if wanted not in taken:
            return wanted
        number = 2
        while f"{wanted}_{number}" in taken:
            number += 1
        return f"{wanted}_{number}"


def _safe_names(code: str) -> set[str]:
    import re
    return set(re.findall(r"[^\W\d]\w*", code))


def base_name(node: ast.AST | None) -> str | None:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def argument(call: ast.Call, position: int, name: str) -> ast.AST | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    if position < len(call.args) and not any(isinstance(a, ast.Starred) for a in call.args):
        return call.args[position]
    return None
