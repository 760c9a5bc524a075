# SPDX-License-Identifier: GPL-3.0-or-later
"""Parses kernels in a process of its own: a source that breaks Python's parser breaks only this child.

One JSON object a line: {"do": "guard"|"hash", "source", "entry", "dtype"} -> {"error": {…}|null} or {"hash": "…"}.
"""
import json
import os
import sys

from . import guards, programhash
from .failures import Failure


def answer(request):
    if request["do"] == "hash":
        return {"hash": programhash.program_hash(request["source"])}
    try:
        guards.check(request["source"], request["entry"], request["dtype"])
        return {"error": None}
    except Failure as failure:
        return {"error": failure.as_dict()}


def main(_arguments):
    write = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    sys.setrecursionlimit(3000)
    for line in sys.stdin:
        write.write(json.dumps(answer(json.loads(line))) + "\n")
        write.flush()
