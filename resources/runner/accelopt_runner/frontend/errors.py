# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong while a kernel is traced."""


class KernelError(Exception):
    """The kernel's fault. kind: syntax, rule, compile, guard, memory. id: the err_ id of the NKI error reference, or ours."""

    def __init__(self, kind, id, message, line=None):
        super().__init__(message)
        self.kind = kind
        self.id = id
        self.message = message
        self.line = line

    def __str__(self):
        where = " (line %d)" % self.line if self.line else ""
        return "[%s] %s%s" % (self.id, self.message, where)


class NeedUnroll(BaseException):
    """Python code asked for the value of a loop index: trace again with these loops unrolled. No `except Exception` of a kernel may stop it."""

    def __init__(self, loops, what):
        super().__init__(what)
        self.loops = tuple(loops)
        self.what = what
