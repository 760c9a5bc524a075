# SPDX-License-Identifier: GPL-3.0-or-later
"""Short kernels for the tests: source text in, numbers or KernelError out."""
import os
import sys
import textwrap

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "resources", "runner"))

from accelopt_runner.frontend import KernelError, TensorSpec, trace_source  # noqa: E402,F401

from interpreter import compute  # noqa: E402

RNG = np.random.default_rng(7)


def normal(*shape):
    return RNG.standard_normal(shape, dtype=np.float32)


def source(body, parameters="x", shape="(128, 512)", dtype="nl.float32", top=""):
    """A kernel around a body that fills `out`."""
    lines = textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    return "%s\n@nki.jit\ndef kernel(%s):\n    out = nl.ndarray(%s, dtype=%s, buffer=nl.shared_hbm)\n%s\n    return out\n" % (
        textwrap.dedent(top), parameters, shape, dtype, lines)


def trace_text(text, *inputs, **options):
    return trace_source(textwrap.dedent(text), "kernel", inputs, **options)


def run(body, *inputs, **options):
    """The output of a kernel with this body."""
    text = source(body, **options)
    return compute(trace_source(text, "kernel", inputs), inputs)[0]


def nodes(ir):
    """All instructions of a document, in order, loops flattened."""
    def walk(body):
        for node in body:
            if "loop" in node:
                yield from walk(node["body"])
            else:
                yield node
    return list(walk(ir["body"]))


def ops(trace):
    return [node["op"] for node in nodes(trace.ir)]
