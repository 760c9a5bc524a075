# SPDX-License-Identifier: GPL-3.0-or-later
"""A hash of what a kernel does as a program: comments, spacing, docstrings and the names of local variables do not count."""
import ast
import hashlib


class _Scope:
    def __init__(self, names, outer):
        self.names = names
        self.outer = outer
        self.numbers = {}


def _bound_names(function):
    """Names that belong to this function: parameters and what is assigned in it, without nested functions' own."""
    bound, free = set(), set()

    def targets(node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                bound.add(child.name)
                for part in list(child.decorator_list):
                    targets(part)
                continue
            if isinstance(child, ast.Lambda):
                continue
            if isinstance(child, ast.Name) and isinstance(child.ctx, (ast.Store, ast.Del)):
                bound.add(child.id)
            elif isinstance(child, (ast.Global, ast.Nonlocal)):
                free.update(child.names)
            elif isinstance(child, (ast.Import, ast.ImportFrom)):
                for alias in child.names:
                    bound.add(alias.asname or alias.name.split(".")[0])
            elif isinstance(child, ast.ExceptHandler) and child.name:
                bound.add(child.name)
            targets(child)

    if isinstance(function, ast.Lambda):
        targets(ast.Expression(body=function.body))
    else:
        targets(ast.Module(body=function.body, type_ignores=[]))
    # Keyword names are part of how a function is called, so parameters keep theirs.
    arguments = function.args
    parameters = {a.arg for a in list(getattr(arguments, "posonlyargs", [])) + arguments.args + arguments.kwonlyargs}
    parameters.update(a.arg for a in (arguments.vararg, arguments.kwarg) if a)
    return bound - free - parameters


class _Normaliser(ast.NodeTransformer):
    def __init__(self):
        self._scope = None

    def _name(self, name):
        scope = self._scope
        while scope:
            if name in scope.names:
                if name not in scope.numbers:
                    scope.numbers[name] = "v%d_%d" % (scope.depth, len(scope.numbers))
                return scope.numbers[name]
            scope = scope.outer
        return name

    def _body(self, body):
        """Without statements that do nothing: docstrings, bare constants, pass beside others."""
        kept = [s for s in body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)) and not isinstance(s, ast.Pass)]
        return kept or [ast.Pass()]

    def _function(self, node):
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.returns = None
        node.args = self.visit(node.args)
        node.name = self._name(node.name)
        self._enter(node)
        node.body = [self.visit(s) for s in self._body(node.body)]
        self._scope = self._scope.outer
        return node

    def _enter(self, node):
        scope = _Scope(_bound_names(node), self._scope)
        scope.depth = self._scope.depth + 1 if self._scope else 0
        self._scope = scope

    visit_FunctionDef = _function
    visit_AsyncFunctionDef = _function

    def visit_Lambda(self, node):
        node.args = self.visit(node.args)
        self._enter(node)
        node.body = self.visit(node.body)
        self._scope = self._scope.outer
        return node

    def visit_arg(self, node):
        node.annotation = self.visit(node.annotation) if node.annotation else None
        return node

    def visit_Name(self, node):
        node.id = self._name(node.id)
        return node

    def visit_alias(self, node):
        bound = node.asname or node.name.split(".")[0]
        new = self._name(bound)
        if new != bound:
            node.asname = new
        return node

    def visit_ExceptHandler(self, node):
        if node.name:
            node.name = self._name(node.name)
        return self.generic_visit(node)

    def generic_visit(self, node):
        for field in ("body", "orelse", "finalbody"):
            part = getattr(node, field, None)
            if isinstance(part, list) and part:
                kept = self._body(part)
                setattr(node, field, [] if field != "body" and len(kept) == 1 and isinstance(kept[0], ast.Pass) else kept)
        return super().generic_visit(node)


def program_hash(source):
    """64 hex digits, or an empty text where the source does not parse."""
    try:
        tree = _Normaliser().visit(ast.parse(source))
        text = ast.dump(tree, annotate_fields=True, include_attributes=False)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
