# SPDX-License-Identifier: GPL-3.0-or-later
"""The executor: carries out a plan, working from the plan's text alone, as a model would."""
from __future__ import annotations

import ast
import json
import re

import libcst as cst

from .edit import Refusal
from .kernel import Kernel, KernelSyntaxError
from .planner import similarity, whole
from .profile import Context
from .registry import BY_ID, RULES
from .rewrites.base import Rule, Site

FENCE = re.compile(r"```json[ \t]*\n(.*?)\n[ \t]*```", re.DOTALL)


def instructions(plan: str) -> tuple[str | None, dict]:
    """The rule and its parameters from the last JSON block of a plan; (None, {}) when a plan has none (a model wrote it)."""
    for text in reversed(FENCE.findall(plan)[-8:]):
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(content, dict) and isinstance(content.get("rule"), str):
            params = content.get("params")
            return content["rule"], params if isinstance(params, dict) else {}
    return None, {}


def shapes_of(params: dict) -> dict[str, tuple[int, ...]]:
    found = {}
    raw = params.get("shapes")
    for name, shape in raw.items() if isinstance(raw, dict) else ():
        if isinstance(shape, list) and shape and all(isinstance(n, int) and not isinstance(n, bool) and 0 < n < 2 ** 31 for n in shape):
            found[name] = tuple(shape)
    return found


def pick(rule: Rule, kernel: Kernel, params: dict) -> Site:
    sites = rule.find(kernel, Context({}))
    for wanted in (lambda s: s.key == params.get("site") and s.title == params.get("title"), lambda s: s.key == params.get("site")):
        for site in sites:
            if wanted(site):
                return site
    if params.get("site") is not None:
        raise Refusal("the place that the plan names is not in this kernel")
    if not sites:
        raise Refusal("nothing in this kernel matches the rule")
    return sites[0]


def by_words(plan: str, kernel: Kernel) -> tuple[Rule, Site]:
    """A plan in free words (written by a model or a person): the documented rewrite whose words it shares most."""
    title = plan.strip().splitlines()[0] if plan.strip() else ""
    best, found = 0.0, None
    for rule in RULES:
        for site in rule.find(kernel, Context({})):
            score = max(similarity(title.lower(), site.title.lower()), 0.8 * similarity(plan[:4000].lower(), (site.title + " " + site.change).lower()))
            if score > best:
                best, found = score, (rule, site)
    if found is None or best < 0.18:
        raise Refusal("the plan names no rule that this executor knows, and its words match none")
    return found


def execute(raw: dict) -> str:
    source, plan = raw.get("kernel"), raw.get("plan")
    if not isinstance(source, str) or not isinstance(plan, str):
        raise ValueError("the executor's context needs a kernel and a plan")
    variant = whole(raw.get("attempt_index"), 0, 0, 1024)
    name, params = instructions(plan)
    if name == "none":
        return "The plan asks for no change: no documented rewrite is left for this kernel, so there is no code to give."
    try:
        kernel = Kernel(source, shapes_of(params))
        if name is None:
            rule, site = by_words(plan, kernel)
        elif name in BY_ID:
            rule = BY_ID[name]
            site = pick(rule, kernel, params)
        else:
            return f"The plan names the rule {name[:80]!r}, which this executor does not know, so there is no code to give."
        text, note = attempt(rule, kernel, site, variant)
        check(kernel, text)
    except Refusal as refusal:
        return f"The rewrite does not apply: {refusal}. The kernel stays as it is, so there is no code to give."
    except KernelSyntaxError as error:
        return f"The rewrite does not apply: {error}. There is no code to give."
    except (RecursionError, ArithmeticError, ValueError, KeyError, IndexError, TypeError, AttributeError, cst.ParserSyntaxError, cst.CSTValidationError):
        return "The rewrite does not apply: the kernel uses a form that the rule cannot follow. There is no code to give."
    return f"{site.change}{note} Everything else is unchanged.\n\n```python\n{text.rstrip()}\n```\n"


def attempt(rule: Rule, kernel: Kernel, site: Site, variant: int) -> tuple[str, str]:
    """(source, remark). Later attempts vary the plan: the rule's own variation or, where it has none, the same with wider tiles,
    which the shorter body often allows."""
    text = rule.apply(kernel, site, min(variant, 1))
    if variant == 0:
        return text, ""
    if text != rule.apply(kernel, site, 0):
        return text, " This attempt is the variation of the plan."
    after = Kernel(text, kernel.shapes)
    wider = BY_ID["widen-tile"]
    choices = [s for s in wider.find(after, Context({})) if s.latency > 0] if rule is not wider else []
    if not choices:
        return text, ""
    best = max(choices, key=lambda s: (s.latency, -s.line, s.key))
    try:
        return wider.apply(after, best, 0), f" This attempt also does: {best.title.lower()}."
    except Refusal:
        return text, ""


def check(kernel: Kernel, text: str) -> None:
    """A reply must parse, keep the entry point and its parameters, and be free of fences that would cut it."""
    ast.parse(text)
    again = Kernel(text)
    if again.function.name.value != kernel.function.name.value or again.params != kernel.params:
        raise Refusal("the rewritten kernel would have another signature")
    if "```" in text:
        raise Refusal("the kernel's text contains a code fence")
