# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON lines on stdin and stdout: one request per line, one reply per line with the same id.

Request: {"id", "role": planner|executor|fixer|summarizer, "seed", "context": {…}}
Reply:   {"id", "text", "reasoning", "usage": {"input_tokens": 0, "output_tokens": 0}} or {"id", "error": "one sentence"}
The same request gets the same reply, byte for byte. End of input ends the process.
"""
from __future__ import annotations

import json
import sys

from .executor import execute
from .planner import plan, whole
from .summarizer import summarize

MAX_LINE = 8 * 1024 * 1024


def answer(line: bytes) -> dict:
    identity = None
    try:
        if len(line) > MAX_LINE:
            return {"id": None, "error": f"the request is longer than {MAX_LINE // 1024 // 1024} MiB"}
        try:
            request = json.loads(line.decode("utf-8", errors="strict"))
        except (ValueError, RecursionError):
            return {"id": None, "error": "the request is not one line of JSON in UTF-8"}
        if not isinstance(request, dict):
            return {"id": None, "error": "the request is not a JSON object"}
        identity = request.get("id")
        if identity is not None and not isinstance(identity, (str, int)):
            return {"id": None, "error": "the id must be a string or a number"}
        context = request.get("context")
        if not isinstance(context, dict):
            return {"id": identity, "error": "the request has no context object"}
        role, seed = request.get("role"), whole(request.get("seed"), 0, -2 ** 63, 2 ** 63)
        if role == "planner":
            text = plan(context, seed)
        elif role == "executor":
            text = execute(context)
        elif role == "fixer":
            text = "The rules do not repair kernels: a rewrite that failed its check is left as it is, so there is no code to give."
        elif role == "summarizer":
            text = summarize(context)
        else:
            return {"id": identity, "error": f"unknown role {str(role)[:40]!r}; known are planner, executor, fixer, summarizer"}
        text.encode("utf-8")
        return {"id": identity, "text": text, "reasoning": "", "usage": {"input_tokens": 0, "output_tokens": 0}}
    except Exception as error:  # noqa: BLE001 - a request must never end the process
        return {"id": identity, "error": f"{type(error).__name__}: {str(error)[:300]}"}


def main() -> int:
    sys.setrecursionlimit(4000)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while True:
        line = source.readline(MAX_LINE + 2)
        if not line:
            return 0
        if len(line) > MAX_LINE and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):      # swallow the rest of an endless line
                line = source.readline(MAX_LINE)
            reply = {"id": None, "error": f"the request is longer than {MAX_LINE // 1024 // 1024} MiB"}
        elif not line.strip():
            continue
        else:
            reply = answer(line)
        sink.write(json.dumps(reply, ensure_ascii=True, sort_keys=True).encode("ascii") + b"\n")
        sink.flush()


if __name__ == "__main__":
    sys.exit(main())
