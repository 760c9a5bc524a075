# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of one trace: loops that are open, instructions so far, and the rules about both."""

import re
import sys

from . import affine
from .errors import KernelError

# Limits on what a kernel may make us do; each ends in a KernelError that says so.
MAX_INSTRUCTIONS = 30000
MAX_TENSORS = 30000
MAX_DEPTH = 24

_FOR = re.compile(r"\s*for\s+([A-Za-z_]\w*)\s+in\b")

_active = []  # the traces being made, innermost last (one, but for tests)
_view_types = []


def view_type():
    return _view_types[0]


def active():
    return _active[-1] if _active else None


def current(api=None):
    if not _active:
        raise KernelError("rule", "err_nki_api_outside_of_nki_kernel", "%s was called outside a kernel; NKI calls work only while a function "
                          "decorated with @nki.jit runs." % (api or "An NKI API"), line_in(None))
    return _active[-1]


def line_in(filename):
    """The innermost line of the kernel's file on the stack."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if name == filename or (filename is None and name.startswith("<kernel:")):
            return frame.f_lineno
        frame = frame.f_back
    return None


def fail(id, message, kind="rule", line=None):
    """Raises KernelError with the kernel's line; remembered, so that a kernel's own try/except cannot hide it."""
    trace = active()
    error = KernelError(kind, id, message, line or (trace.line() if trace else line_in(None)))
    if trace is not None and trace.error is None:
        trace.error = error
    raise error


class Instruction:
    """One IR instruction under construction. dst and src hold Views (or numbers)."""

    __slots__ = ("op", "engine", "line", "dst", "src", "roles", "attrs", "mask", "mask_shape", "accumulate", "dst2", "name", "body",
                 "follow", "buffers")

    def __init__(self, op, engine, line, dst, src, roles, attrs, mask, mask_shape, follow, buffers, name, body):
        self.op = op
        self.engine = engine
        self.line = line
        self.dst = dst
        self.src = src
        self.roles = roles
        self.attrs = attrs
        self.mask = mask
        self.mask_shape = mask_shape
        self.accumulate = False
        self.dst2 = None
        self.name = name
        self.body = body
        self.follow = follow    # positions of the sources that have the dst's shape, axis by axis; None: the dst's shape is fixed
        self.buffers = buffers  # where the dst may be

    def views(self):
        for view in [self.dst, self.dst2] + self.src:
            if isinstance(view, view_type()):
                yield view


class Scope:
    """A loop body: what is made in it ends with it. loop is None for a body that was unrolled."""

    __slots__ = ("loop", "line", "closed")

    def __init__(self, loop, line):
        self.loop = loop
        self.line = line
        self.closed = False


class TraceState:
    def __init__(self, filename, unroll, grid):
        self.filename = filename
        self.unroll = unroll          # lines of loops to unroll
        self.grid = grid or ()
        self.error = None
        self.body = []                # the body that is written to
        self.root = self.body
        self.loops = []               # open Loops, outermost first
        self.scopes = []              # open Scopes (also those of unrolled loops)
        self.bodies = []              # bodies of the enclosing nodes
        self.all_loops = []
        self.tensors = []
        self.instructions = 0
        self.depth = 0                # nested kernel functions
        self.source = ()              # the kernel's lines
        self.early = None             # the scope of a device loop that break or return left
        self.generation = 2
        for axis, extent in enumerate(self.grid):
            loop = affine.Loop("spmd", "program_id(%d)" % axis, 0, 1, int(extent), None)
            self.open(loop)

    def line(self):
        return line_in(self.filename)

    def loop_name(self, line):
        """The variable of the `for` statement in that line."""
        match = _FOR.match(self.source[line - 1]) if line and line <= len(self.source) else None
        return match.group(1) if match else None

    # --- loops ------------------------------------------------------------------------------------------------------
    def open(self, loop, scope=True):
        if len(self.loops) >= MAX_DEPTH:
            fail("err_trace_too_large", "Loops are nested more than %d deep." % MAX_DEPTH, "compile")
        self.all_loops.append(loop)
        self.loops.append(loop)
        self.bodies.append(self.body)
        body = []
        self.body.append((loop, body))
        self.body = body
        entry = Scope(loop, loop.line)
        self.scopes.append(entry)
        return entry

    def close(self, entry):
        if not self.scopes or self.scopes[-1] is not entry:
            self.left_early(self.scopes[-1] if self.scopes else entry)
        entry.closed = True
        self.scopes.pop()
        if entry.loop is not None:
            self.loops.pop()
            self.body = self.bodies.pop()

    def left_early(self, entry):
        fail("err_dynamic_control_flow_not_supported", "The loop in line %s was left early (break or return). A device loop runs all its "
             "iterations; use nl.static_range for a loop that Python steers." % entry.line, line=entry.line)

    def open_unrolled(self, line):
        entry = Scope(None, line)
        self.scopes.append(entry)
        return entry

    def loops_open(self, loops):
        for loop in loops:
            if loop not in self.loops:
                fail("err_local_variable_used_out_of_scope", "The index of the loop in line %s is used outside that loop." % loop.line)

    # --- instructions ---------------------------------------------------------------------------------------------------
    def append(self, instruction):
        self.instructions += 1
        if self.instructions > MAX_INSTRUCTIONS:
            fail("err_trace_too_large", "The kernel has more than %d instructions after unrolling; use nl.affine_range or nl.sequential_range "
                 "instead of nl.static_range for large loops." % MAX_INSTRUCTIONS, "compile")
        self.body.append(instruction)

    def add_tensor(self, tensor):
        if len(self.tensors) >= MAX_TENSORS:
            fail("err_trace_too_large", "The kernel makes more than %d tensors after unrolling." % MAX_TENSORS, "compile")
        self.tensors.append(tensor)
