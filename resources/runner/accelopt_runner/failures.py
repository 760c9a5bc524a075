# SPDX-License-Identifier: GPL-3.0-or-later
"""How a job can end without a latency."""


class Failure(Exception):
    """The kernel's fault, or `infrastructure`: becomes the result's error."""

    def __init__(self, kind, message, stage="", ident="", line=0):
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.stage = stage
        self.ident = ident
        self.line = line

    def as_dict(self):
        return {"kind": self.kind, "id": self.ident, "message": self.message, "line": self.line, "stage": self.stage}


class ProblemFailure(Exception):
    """The problem's own fault (its reference): no verdict about the kernel."""


class Cancelled(Exception):
    """The desk does not want the answer any more."""
