# SPDX-License-Identifier: GPL-3.0-or-later
"""The planner: ranks every (rule, place, parameters) that applies to a candidate and writes the p-th as a plan."""
from __future__ import annotations

import hashlib
import json
import random
import re
from collections import OrderedDict
from dataclasses import dataclass

from .edit import Refusal
from .kernel import Kernel, KernelSyntaxError
from .profile import Context, plain, real
from .registry import BY_ID, RULES
from .rewrites.base import Rule, Site

NOTHING = "**No further rule applies**"


@dataclass
class Option:
    rule: Rule
    site: Site
    score: float = 0.0


def problem_shapes(kernel_source: str, context: Context) -> dict[str, tuple[int, ...]]:
    """Shapes of the kernel's array parameters, where problem.json says them."""
    problem = context.problem
    inputs = problem.get("inputs") or problem.get("kernel_inputs")
    found: dict[str, tuple[int, ...]] = {}
    if isinstance(inputs, dict):
        inputs = [{"name": k, **v} if isinstance(v, dict) else {"name": k, "shape": v} for k, v in inputs.items()]
    if not isinstance(inputs, list):
        return found
    values = problem.get("values") if isinstance(problem.get("values"), dict) else {}
    for item in inputs:
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            continue
        shape = item.get("shape")
        if not isinstance(shape, list):
            continue
        numbers = [values.get(n, n) if isinstance(n, str) else n for n in shape]
        if numbers and all(isinstance(n, int) and not isinstance(n, bool) and 0 < n < 2 ** 31 for n in numbers):
            found[item["name"]] = tuple(numbers)
    return found


def memory_factor(rule: Rule, site: Site, context: Context) -> float:
    """What helped before moves up, what hurt moves down (bounded, newest weigh as much as old ones)."""
    factor = 1.0
    for experience in context.experiences[:64]:
        title = experience.get("title")
        title = title.lower() if isinstance(title, str) else ""
        same = experience.get("rule") == rule.id or similarity(title, site.title.lower()) >= 0.6
        if not same:
            continue
        speedup = max(1.0, min(4.0, real(experience.get("speedup"), 1.0)))
        factor *= 1.0 + 0.5 * (speedup - 1.0) if experience.get("positive") is True else 1.0 / (1.0 + speedup)
    return max(0.1, min(4.0, factor))


def words(text: str) -> set[str]:
    return {w for w in re.findall(r"[a-z]{3,}", text) if w not in {"the", "with", "and", "one", "into", "from", "for"}}


def similarity(one: str, other: str) -> float:
    a, b = words(one), words(other)
    return len(a & b) / len(a | b) if a and b else 0.0


_RANKED: OrderedDict[str, list[Option]] = OrderedDict()     # the N plans of one candidate ask for the same ranking


def remembered(kernel: Kernel, context: Context) -> list[Option]:
    facts = {k: v for k, v in context.raw.items() if k not in ("plan_index", "plan_count")}
    try:
        key = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
    except (TypeError, ValueError, RecursionError):
        return options(kernel, context)
    if key not in _RANKED:
        _RANKED[key] = options(kernel, context)
        while len(_RANKED) > 16:
            _RANKED.popitem(last=False)
    _RANKED.move_to_end(key)
    return _RANKED[key]


def options(kernel: Kernel, context: Context) -> list[Option]:
    """Everything that applies, best first; independent of the request's seed, so that plans of one candidate differ."""
    found: list[Option] = []
    seen: set[str] = set()
    for rule in RULES:
        try:
            sites = rule.find(kernel, context)
        except (Refusal, KernelSyntaxError, RecursionError, ArithmeticError, ValueError, KeyError, IndexError, TypeError, AttributeError):
            continue                       # a rule that cannot read this kernel has nothing to say about it
        for site in sites:
            key = plain(site.title)
            if key in seen or key in context.tried:
                continue
            seen.add(key)
            gain = site.gain(context)
            relative = gain / context.latency_ms if context.latency_ms > 0 else gain
            score = max(0.0, min(relative, 0.8)) + 0.002 * site.prior
            score *= memory_factor(rule, site, context)
            digest = hashlib.sha256(f"{kernel.source}\0{site.key}\0{site.title}".encode()).digest()
            score *= 0.97 + 0.06 * digest[0] / 255.0
            found.append(Option(rule, site, score))
    found.sort(key=lambda o: (-o.score, o.rule.id, o.site.key, o.site.title))
    # The next option of a rule that already has a plan is worth less: try different ideas first.
    ranked: list[Option] = []
    used: dict[str, int] = {}
    rest = found
    while rest:
        best = max(range(len(rest)), key=lambda i: (rest[i].score * 0.55 ** used.get(rest[i].rule.id, 0), -i))
        option = rest.pop(best)
        used[option.rule.id] = used.get(option.rule.id, 0) + 1
        ranked.append(option)
    return ranked


def choose(ranked: list[Option], index: int, count: int, seed: int) -> Option | None:
    """The p-th of N. The last of three or more explores: a seeded pick among all that the others leave."""
    if index >= len(ranked):
        return None
    if count >= 3 and index == count - 1:
        rest = ranked[index:]
        picker = random.Random(f"{seed}:{len(rest)}")
        weights = [1.0 / (1 + k) for k in range(len(rest))]
        return picker.choices(rest, weights)[0]
    return ranked[index]


def whole(value, default: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        return default
    return int(max(low, min(high, value)))


def plan(raw: dict, seed: int) -> str:
    context = Context(raw)
    source = raw.get("kernel")
    if not isinstance(source, str):
        raise ValueError("the planner's context has no kernel")
    count = whole(raw.get("plan_count"), 1, 1, 4096)
    index = whole(raw.get("plan_index"), 0, 0, 4095)
    try:
        kernel = Kernel(source, problem_shapes(source, context))
    except KernelSyntaxError as error:
        return nothing(f"Nothing can be planned: {error}.")
    option = choose(remembered(kernel, context), index, count, seed)
    if option is None:
        return nothing("Every documented rewrite that matches this kernel has been proposed already, or none matches.")
    return write(option, kernel, context)


def nothing(reason: str) -> str:
    return f"{NOTHING}\n\n{reason}\n\n" + block({"rule": "none", "params": {}})


def block(content: dict) -> str:
    return "```json\n" + json.dumps(content, sort_keys=True) + "\n```\n"


def write(option: Option, kernel: Kernel, context: Context) -> str:
    rule, site = option.rule, option.site
    facts = []
    if context.latency_ms > 0:
        facts.append(f"The kernel takes {context.latency_ms:.3f} ms")
        if context.fraction_of_peak > 0:
            facts[-1] += f", {context.fraction_of_peak:.0%} of peak"
        if context.bound:
            facts[-1] += f", bound by {context.bound}"
    busiest = context.busiest()
    if busiest:
        facts.append(f"the busiest engine is {busiest}")
    spent = context.line_ms(site.line)
    if spent > 0:
        facts.append(f"line {site.line} alone keeps its engine busy for {spent:.3f} ms")
    why = ("; ".join(facts) + ". " if facts else "") + site.why
    params = {"site": site.key, "title": site.title, **site.params}
    if kernel.shapes:
        params["shapes"] = {k: list(v) for k, v in sorted(kernel.shapes.items())}
    return (f"**{site.title}**\n\n**Why.** {why}\n\n**What to change.** {site.change} {rule.explanation}\n\n"
            f"**Expected effect.** {site.effect}\n\n" + block({"rule": rule.id, "params": params}))


__all__ = ["plan", "options", "BY_ID"]
