# SPDX-License-Identifier: GPL-3.0-or-later
"""Edits of a kernel by statement, through LibCST, so that comments and layout around them stay."""
from __future__ import annotations

import ast

import libcst as cst

from .kernel import Kernel, KernelSyntaxError, Stmt


class Refusal(Exception):
    """The rewrite does not apply; the message is one sentence for people."""


class Edit:
    def __init__(self, kernel: Kernel):
        self.kernel = kernel
        self._values: dict[int, str] = {}
        self._targets: dict[int, str] = {}
        self._replaced: dict[int, list[str]] = {}
        self._before: dict[int, list[str]] = {}
        self._after: dict[int, list[str]] = {}
        self._renamed: dict[str, str] = {}
        self._headers: dict[int, tuple[str | None, str | None]] = {}
        self._keep: dict[int, Stmt] = {}
        self._imports: list[str] = []

    def _note(self, stmt: Stmt) -> int:
        self._keep[id(stmt.node)] = stmt
        return id(stmt.node)

    def value(self, stmt: Stmt, code: str) -> None:
        """Gives a statement another right side."""
        self._values[self._note(stmt)] = code

    def target(self, stmt: Stmt, code: str) -> None:
        self._targets[self._note(stmt)] = code

    def current(self, stmt: Stmt) -> str:
        return self._values.get(id(stmt.node), stmt.value_code)

    def replace(self, stmt: Stmt, lines: list[str]) -> None:
        """Other statements in its place; an empty list removes it."""
        self._replaced[self._note(stmt)] = lines

    def remove(self, stmt: Stmt) -> None:
        self.replace(stmt, [])

    def before(self, stmt: Stmt, lines: list[str]) -> None:
        self._before.setdefault(self._note(stmt), []).extend(lines)

    def after(self, stmt: Stmt, lines: list[str]) -> None:
        self._after.setdefault(self._note(stmt), []).extend(lines)

    def header(self, loop_stmt: Stmt, variable: str | None = None, iterator: str | None = None) -> None:
        """Another loop variable or iterator."""
        self._headers[self._note(loop_stmt)] = (variable, iterator)

    def rename(self, old: str, new: str) -> None:
        """A name, everywhere in the file where it is a plain name."""
        self._renamed[old] = new

    def use(self, module: str) -> str:
        """The spelling of nl/nisa/np, with its import added when it is missing."""
        line = self.kernel.needs_import(module)
        if line and line not in self._imports:
            self._imports.append(line)
        return self.kernel.spell(module)

    def source(self) -> str:
        """The new source. Raises Refusal rather than return text that does not parse."""
        kernel = self.kernel
        config = kernel.module.config_for_parsing
        try:
            new = kernel.module.visit(_Apply(self, config))
            if self._imports:
                new = new.with_changes(body=_with_imports(list(new.body), self._imports, config))
            text = new.code
            ast.parse(text)
        except (cst.ParserSyntaxError, cst.CSTValidationError, SyntaxError, ValueError, RecursionError, KernelSyntaxError) as error:
            raise Refusal(f"the rewritten text would not parse ({str(error).splitlines()[0]})") from None
        return text


def parse_lines(lines: list[str], config) -> list[cst.BaseStatement]:
    return [cst.parse_statement(line, config=config) for line in lines]


def _with_imports(body: list, lines: list[str], config) -> list:
    at = 0
    for index, stmt in enumerate(body):
        if isinstance(stmt, cst.SimpleStatementLine) and any(isinstance(s, (cst.Import, cst.ImportFrom)) for s in stmt.body):
            at = index + 1
    return body[:at] + parse_lines(lines, config) + body[at:]


class _Apply(cst.CSTTransformer):
    def __init__(self, edit: Edit, config):
        super().__init__()
        self.edit, self.config, self.skipped = edit, config, set()

    def visit_Attribute(self, node):
        self.skipped.add(id(node.attr))

    def visit_Arg(self, node):
        if node.keyword is not None:
            self.skipped.add(id(node.keyword))

    def leave_Name(self, original_node, updated_node):
        new = self.edit._renamed.get(original_node.value)
        if new is None or id(original_node) in self.skipped:
            return updated_node
        return updated_node.with_changes(value=new)

    def on_leave(self, original, updated):
        updated = super().on_leave(original, updated)
        edit, key = self.edit, id(original)
        if key not in edit._keep:
            if isinstance(original, cst.IndentedBlock) and isinstance(updated, cst.IndentedBlock) and not updated.body:
                return updated.with_changes(body=[cst.parse_statement("pass\n", config=self.config)])
            return updated
        if key in edit._replaced:
            lines = parse_lines(edit._replaced[key], self.config)
            if lines and getattr(original, "leading_lines", None):
                lines[0] = lines[0].with_changes(leading_lines=original.leading_lines)
            middle = lines
        else:
            middle = [self._changed(original, updated)]
        before = parse_lines(edit._before.get(key, []), self.config)
        after = parse_lines(edit._after.get(key, []), self.config)
        if before and middle and getattr(middle[0], "leading_lines", None) is not None:
            before[0] = before[0].with_changes(leading_lines=middle[0].leading_lines)
            middle = [middle[0].with_changes(leading_lines=[]), *middle[1:]]
        everything = [*before, *middle, *after]
        if not everything:
            return cst.RemoveFromParent()
        return everything[0] if len(everything) == 1 else cst.FlattenSentinel(everything)

    def _changed(self, original, updated):
        edit, key = self.edit, id(original)
        if key in edit._headers:
            variable, iterator = edit._headers[key]
            if variable is not None:
                updated = updated.with_changes(target=cst.parse_expression(variable, config=self.config))
            if iterator is not None:
                updated = updated.with_changes(iter=cst.parse_expression(iterator, config=self.config))
        if key in edit._values or key in edit._targets:
            small = updated.body[0]
            if key in edit._values:
                small = small.with_changes(value=cst.parse_expression(edit._values[key].strip(), config=self.config))
            if key in edit._targets:
                target = cst.parse_expression(edit._targets[key], config=self.config)
                if isinstance(small, cst.Assign):
                    small = small.with_changes(targets=[small.targets[0].with_changes(target=target)])
                else:
                    small = small.with_changes(target=target)
            updated = updated.with_changes(body=[small])
        return updated


def splice(code: str, pieces: list[tuple[ast.AST, str]]) -> str:
    """Replaces sub-expressions of an expression's text. The nodes come from parsing exactly `code.strip()`."""
    code = code.strip()
    raw = code.encode("utf-8")
    starts = [0]
    for line in raw.split(b"\n")[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    # An expression that parses only inside parentheses was given one: see kernel._expression.
    try:
        ast.parse(code, mode="eval")
        shift = 0
    except SyntaxError:
        shift = 1

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + column - (shift if line == 1 else 0)

    spans = sorted(((offset(n.lineno, n.col_offset), offset(n.end_lineno, n.end_col_offset), text) for n, text in pieces), reverse=True)
    last = len(raw) + 1
    for begin, end, text in spans:
        if end > last:
            continue                     # inside a piece that was already replaced
        raw = raw[:begin] + text.encode("utf-8") + raw[end:]
        last = begin
    return raw.decode("utf-8")


def substituted(code: str, mapping: dict[str, str]) -> str:
    """Puts other expressions in the place of plain names in an expression's text."""
    from .kernel import parse_expression
    tree = parse_expression(code)
    if tree is None:
        raise Refusal("an expression could not be read")
    keyword_safe = [(n, mapping[n.id]) for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in mapping]
    return splice(code, keyword_safe) if keyword_safe else code
