# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the rules share."""
import os
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
for folder in (os.path.join(ROOT, "resources", "rules"), os.path.dirname(os.path.abspath(__file__))):
    if folder not in sys.path:
        sys.path.insert(0, folder)

import numpy as np  # noqa: E402

from accelopt_rules.executor import execute  # noqa: E402
from accelopt_rules.kernel import Kernel  # noqa: E402
from accelopt_rules.planner import plan  # noqa: E402
from accelopt_rules.profile import Context  # noqa: E402
from accelopt_rules.registry import BY_ID  # noqa: E402

import nki_eager  # noqa: E402


def code_of(reply):
    """The code block of a completion, or None."""
    if "```python\n" not in reply:
        return None
    return reply.split("```python\n", 1)[1].rsplit("\n```", 1)[0] + "\n"


def plans(kernel, **context):
    """All plans of a candidate, best first. No rule may stumble over it (the planner would pass over such a rule in silence)."""
    found = []
    for rule in BY_ID.values():
        rule.find(Kernel(kernel), Context({}))
    for index in range(64):
        text = plan({"kernel": kernel, "plan_index": index, "plan_count": 1, "latency_ms": 1.0, **context}, 1)
        if '"rule": "none"' in text:
            return found
        found.append(text)
    raise AssertionError("the plans do not end")


_RESULTS = {}


def result(source, inputs):
    """The kernel's output on these inputs, once per source."""
    key = (source, id(inputs))
    if key not in _RESULTS:
        _RESULTS[key] = nki_eager.run(source, *inputs)
    return _RESULTS[key]


def sites(rule, kernel, context=None):
    return BY_ID[rule].find(Kernel(kernel), Context(context or {}))


def applied(rule, kernel, pick=lambda site: True, variant=0):
    kernel_model = Kernel(kernel)
    for site in BY_ID[rule].find(kernel_model, Context({})):
        if pick(site):
            return BY_ID[rule].apply(kernel_model, site, variant)
    raise AssertionError(f"{rule} found no place")


def relative_error(source, other, inputs):
    one, two = result(source, inputs), nki_eager.run(other, *inputs)
    assert one.shape == two.shape and np.isfinite(one).all()
    difference = float(np.linalg.norm(one.astype(np.float64) - two.astype(np.float64)))
    return difference / max(float(np.linalg.norm(one.astype(np.float64))), 1e-3)


__all__ = ["execute", "plan", "plans", "code_of", "sites", "applied", "relative_error", "BY_ID", "Kernel"]
