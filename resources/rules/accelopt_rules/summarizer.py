# SPDX-License-Identifier: GPL-3.0-or-later
"""The summarizer: states a slow/fast pair as an experience, from the difference of the two kernels."""
from __future__ import annotations

import ast
import difflib

from .executor import instructions
from .kernel import canonical
from .profile import real
from .registry import BY_ID

MAX_LINES = 40


def normalized(source: str) -> str:
    try:
        return ast.unparse(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "\n".join(line.rstrip() for line in source.strip().splitlines())


def snippets(slow: str, fast: str) -> tuple[str, str]:
    """The lines that differ, with a line of context, cut to a readable size."""
    a, b = slow.rstrip().splitlines(), fast.rstrip().splitlines()
    left: list[str] = []
    right: list[str] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes() if len(a) * len(b) < 4_000_000 \
            else [("replace", 0, len(a), 0, len(b))]:
        if tag == "equal":
            continue
        if left and left[-1] != "…":
            left.append("…")
        if right and right[-1] != "…":
            right.append("…")
        left += a[max(0, i1 - 1):i2] if i1 == i2 else a[i1:i2]
        right += b[max(0, j1 - 1):j2] if j1 == j2 else b[j1:j2]
    return "\n".join(cut(left)), "\n".join(cut(right))


def cut(lines: list[str]) -> list[str]:
    lines = [line for k, line in enumerate(lines) if not (line == "…" and (k == 0 or k == len(lines) - 1))]
    lines = [line[:200].replace("```", "'''") for line in lines]
    return lines if len(lines) <= MAX_LINES else lines[:MAX_LINES] + [f"# … {len(lines) - MAX_LINES} more lines"]


def api_counts(source: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return counts
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = canonical(ast.unparse(node.func))
            if name.split(".")[0] in ("nl", "nisa", "nki") and len(name) < 60:
                counts[name] = counts.get(name, 0) + 1
    return counts


def difference(slow: str, fast: str) -> str:
    before, after = api_counts(slow), api_counts(fast)
    gone = sorted(k for k in before if after.get(k, 0) < before[k])
    new = sorted(k for k in after if before.get(k, 0) < after[k])
    parts = []
    if gone:
        parts.append("fewer calls of " + ", ".join(gone[:6]))
    if new:
        parts.append("more calls of " + ", ".join(new[:6]))
    return "The fast kernel has " + " and ".join(parts) + "." if parts else "Both kernels call the same APIs; sizes, order or loops differ."


def summarize(raw: dict) -> str:
    slow, fast = raw.get("slow_kernel"), raw.get("fast_kernel")
    if not isinstance(slow, str) or not isinstance(fast, str):
        raise ValueError("the summarizer's context needs slow_kernel and fast_kernel")
    if normalized(slow) == normalized(fast):
        return "No optimization found"
    plan = raw.get("plan") if isinstance(raw.get("plan"), str) else ""
    title = raw.get("plan_title") if isinstance(raw.get("plan_title"), str) else ""
    title = " ".join(title.replace("*", "").split())[:160]
    name, _ = instructions(plan)
    rule = BY_ID.get(name or "")
    positive = raw.get("positive") is not False
    if not title:
        title = rule.title if rule else "Rewrite of the kernel"
    speedup = real(raw.get("speedup"))
    ratio = f" by a factor of {max(speedup, 1.0 / speedup):.3f}" if speedup > 0 else ""
    what = rule.explanation if rule else "The plan was not one of the documented rewrites; the difference of the pair is shown."
    verdict = (f"This made the kernel faster{ratio}; try it on kernels with the same pattern." if positive else
               f"Avoid it here: doing this made the kernel slower{ratio}. The original is the slow, rewritten kernel; the optimized code is the one to keep.")
    left, right = snippets(slow, fast)
    shown = title if positive else (title if title.lower().startswith("avoid") else f"Avoid: {title}")
    return (f"**{shown}**\n\n{what} {difference(slow, fast)} {verdict}\n\n"
            f"Original code:\n```python\n{left}\n```\n\nOptimized code:\n```python\n{right}\n```\n")
