# SPDX-License-Identifier: GPL-3.0-or-later
"""What a kernel's source may not contain. These checks are quick and give a line; what they miss still meets the sandbox, and the
precision rule is checked again on the traced program, where no spelling can hide a type."""
import ast
import io
import tokenize

from .failures import Failure

ALLOWED_IMPORTS = ("neuronxcc", "nki", "numpy", "math", "typing", "functools", "itertools", "dataclasses", "enum", "collections", "__future__")
FORBIDDEN_NAMES = frozenset((
    "open", "exec", "eval", "compile", "__import__", "globals", "locals", "vars", "breakpoint", "getattr", "setattr", "delattr",
    "memoryview", "exit", "quit",
))
FORBIDDEN_ATTRIBUTES = frozenset((
    # files, foreign code and tests of NumPy
    "load", "save", "savez", "savez_compressed", "savetxt", "loadtxt", "genfromtxt", "fromfile", "tofile", "fromregex", "memmap", "DataSource",
    "ctypeslib", "ctypes", "f2py", "distutils", "testing", "lib", "core", "fft", "tobytes", "dump", "dumps", "getbuffer",
    # ways from one object to another
    "mro", "gi_frame", "gi_code", "cr_frame", "cr_code", "f_globals", "f_locals", "f_builtins", "f_back", "tb_frame", "tb_next", "func_globals",
    # modules that hang on other modules
    "os", "sys", "subprocess", "builtins", "importlib", "socket", "shutil", "pathlib",
))
# `load` and friends are NKI's own on its modules: nl.load is the way in, np.load is not.
NUMPY_ONLY = frozenset(("load", "save", "lib", "core", "fft", "dump"))
LOW_PRECISION = ("float16", "bfloat16", "float8", "fp8", "tfloat32", "float32r")


def _strip_comments(source):
    """The source with comments blanked, lines kept. Falls back to the source itself where it cannot be read."""
    try:
        lines = source.splitlines(keepends=True)
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                line = lines[row - 1]
                lines[row - 1] = line[:column] + " " * (token.end[1] - column) + line[token.end[1]:]
        return "".join(lines)
    except (tokenize.TokenError, SyntaxError, IndexError, ValueError):
        return source


def _constant_text(node):
    """The text that an expression of constants makes: "flo" + "at16", f"b{'float16'}", "".join(["float", "16"]), "%s16" % "float"."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.BinOp):
        left, right = _constant_text(node.left), _constant_text(node.right)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Mod):
            return left.replace("%s", right).replace("%d", right)
        return None
    if isinstance(node, ast.JoinedStr):
        parts = [_constant_text(v.value if isinstance(v, ast.FormattedValue) else v) for v in node.values]
        return None if None in parts else "".join(parts)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "join" and len(node.args) == 1 and isinstance(node.args[0], (ast.List, ast.Tuple)):
            separator = _constant_text(node.func.value)
            parts = [_constant_text(v) for v in node.args[0].elts]
            return None if separator is None or None in parts else separator.join(parts)
        if node.func.attr == "format":
            text = _constant_text(node.func.value)
            for argument in node.args:
                part = _constant_text(argument)
                if text is None or part is None:
                    return None
                text = text.replace("{}", part, 1)
            return text
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        text = _constant_text(node.value)
        step = node.slice.step
        if text is not None and node.slice.lower is None and node.slice.upper is None and isinstance(step, ast.UnaryOp):
            return text[::-1]
    return None


def _numpy_names(tree):
    names = {"np", "numpy"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(a.asname or a.name.split(".")[0] for a in node.names if a.name.split(".")[0] == "numpy")
    return names


class _Guard(ast.NodeVisitor):
    def __init__(self, numpy_names, low_precision):
        self._numpy = numpy_names
        self._low = low_precision

    def refuse(self, node, ident, message):
        raise Failure("guard", message, "guard", ident, getattr(node, "lineno", 0))

    def _module(self, node, name):
        if name.split(".")[0] not in ALLOWED_IMPORTS:
            self.refuse(node, "guard_import", "The kernel imports '%s'; a kernel may import neuronxcc, nki, numpy, math, typing, functools, "
                        "itertools, dataclasses, enum and collections only." % name)
        for part in name.split(".")[1:]:
            self._attribute(node, part, name.startswith("numpy"))

    def visit_Import(self, node):
        for alias in node.names:
            self._module(node, alias.name)

    def visit_ImportFrom(self, node):
        if node.level:
            self.refuse(node, "guard_import", "The kernel imports a file beside it; a kernel is one file.")
        self._module(node, node.module or "")
        of_numpy = (node.module or "").startswith("numpy")
        for alias in node.names:
            if of_numpy and alias.name == "*":
                self.refuse(node, "guard_import", "The kernel imports all names of numpy; import numpy itself.")
            self._attribute(node, alias.name, of_numpy)

    def _attribute(self, node, name, of_numpy):
        if name.startswith("_"):
            self.refuse(node, "guard_private", "The kernel uses the private attribute '%s'." % name)
        if name in FORBIDDEN_ATTRIBUTES and (of_numpy or name not in NUMPY_ONLY):
            self.refuse(node, "guard_attribute", "The kernel uses '%s', which a kernel has no need of." % name)

    def visit_Attribute(self, node):
        base = node.value
        while isinstance(base, ast.Attribute):
            base = base.value
        self._attribute(node, node.attr, isinstance(base, ast.Name) and base.id in self._numpy)
        self.generic_visit(node)

    def visit_MatchClass(self, node):
        # `case object(sys=found)` reads an attribute as `.sys` does, of whatever stands after `match`.
        for name in node.kwd_attrs:
            self._attribute(node, name, True)
        self.generic_visit(node)

    def visit_Name(self, node):
        if node.id in FORBIDDEN_NAMES:
            self.refuse(node, "guard_name", "The kernel uses '%s', which a kernel has no need of." % node.id)
        if node.id.startswith("__") and node.id not in ("__name__", "__file__"):
            self.refuse(node, "guard_private", "The kernel uses the private name '%s'." % node.id)

    def visit_Global(self, node):
        for name in node.names:
            if name.startswith("__"):
                self.refuse(node, "guard_private", "The kernel uses the private name '%s'." % name)

    def generic_visit(self, node):
        if self._low and isinstance(node, (ast.BinOp, ast.JoinedStr, ast.Call, ast.Subscript)):
            text = _constant_text(node)
            if text and any(name in text for name in self._low):
                self.refuse(node, "guard_precision", "The kernel makes the type name '%s'; this problem is computed in float32." % text[:40])
        super().generic_visit(node)

    visit_BinOp = visit_JoinedStr = visit_Call = visit_Subscript = generic_visit


def check(source, entry="kernel", dtype="float32"):
    """Raises Failure for the first thing that a kernel may not contain."""
    if "\0" in source:
        raise Failure("syntax", "The kernel contains a null character.", "guard", line=source[:source.index("\0")].count("\n") + 1)
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise Failure("syntax", "%s." % (error.msg or "The kernel does not parse").rstrip("."), "guard", line=error.lineno or 0)
    except (RecursionError, MemoryError):
        raise Failure("syntax", "The kernel is nested too deeply to be parsed.", "guard")
    except ValueError as error:
        raise Failure("syntax", "The kernel does not parse: %s." % error, "guard")
    low = ()
    if dtype == "float32":
        low = LOW_PRECISION
        # The upstream rule: the text without its comments does not contain "float16" (which covers bfloat16).
        for number, line in enumerate(_strip_comments(source).splitlines(), 1):
            for name in low:
                if name in line:
                    raise Failure("guard", "The kernel uses %s; this problem is computed in float32." % (
                        "bfloat16" if "bfloat16" in line and name == "float16" else name), "guard", "guard_precision", number)
    try:
        _Guard(_numpy_names(tree), low).visit(tree)
    except RecursionError:
        raise Failure("syntax", "The kernel is nested too deeply to be checked.", "guard")
    names = {n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}
    names.update(t.id for n in tree.body if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name))
    if entry not in names and not (entry == "kernel" and "optimized_kernel" in names):
        raise Failure("syntax", "The kernel does not define the function '%s'." % entry, "guard", "guard_entry")


# Types that a float32 problem may hold anywhere in its traced program.
_EXACT = frozenset(("float32", "int8", "uint8", "int16", "uint16", "int32", "uint32", "bool"))


def check_program(ir, dtype="float32"):
    """The precision rule on the traced program: no alias of a type survives there."""
    if dtype != "float32":
        return
    for tensor in ir.get("tensors", []):
        if isinstance(tensor, dict) and tensor.get("dtype") not in _EXACT:
            raise Failure("guard", "The kernel keeps '%s' as %s; this problem is computed in float32." % (
                str(tensor.get("name", "?"))[:60], str(tensor.get("dtype"))[:20]), "guard", "guard_precision", _line(tensor))


def _line(entry):
    line = entry.get("line", 0)
    return line if isinstance(line, int) and 0 <= line < 10 ** 7 else 0
