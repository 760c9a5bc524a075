# SPDX-License-Identifier: GPL-3.0-or-later
"""The bundled problems, the small test problems, kernels of an AccelOpt checkout where there is one, and broken variants of all of them."""
import importlib.util
import json
import os
import random
import re
import time
import unittest
from unittest import mock

import numpy as np

from interpreter import compute
from support import KernelError, ROOT, TensorSpec, nodes, trace_source

SUITE = os.path.join(ROOT, "resources", "suite")
SMALL = os.path.join(ROOT, "tests", "data", "problems")
UPSTREAM = os.environ.get("ACCELOPT_UPSTREAM", "")


def module(path):
    spec = importlib.util.spec_from_file_location("reference", path)
    result = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(result)
    return result


def problem(folder):
    with open(os.path.join(folder, "problem.json"), encoding="utf-8") as file:
        return json.load(file)


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def specs(described):
    values = described["values"]
    return [TensorSpec([values.get(n, n) for n in item["shape"]], item["dtype"]) if "shape" in item else item["value"] for item in described["inputs"]]


def suite():
    with open(os.path.join(SUITE, "suites.json"), encoding="utf-8") as file:
        return [os.path.join(SUITE, name) for name in json.load(file)["quick"]]


class Problems(unittest.TestCase):
    def test_the_suite_traces_quickly(self):
        for folder in suite():
            described = problem(folder)
            self.assertEqual(described["name"], os.path.basename(folder))
            kernel = text(os.path.join(folder, described["kernel"]))
            trace_source(kernel, described["entry"], specs(described))
            start = time.process_time()
            traced = trace_source(kernel, described["entry"], specs(described))
            self.assertLess(time.process_time() - start, 0.5)
            outputs = [t["shape"] for t in traced.ir["tensors"] if t["kind"] == "output"]
            self.assertEqual(outputs, [[described["values"][n] for n in o["shape"]] for o in described["outputs"]])
            self.assertEqual(traced.unrolled, [])

    def test_the_small_problems_agree_with_their_references(self):
        for name in sorted(os.listdir(SMALL)):
            folder = os.path.join(SMALL, name)
            if not os.path.exists(os.path.join(folder, "problem.json")):
                continue
            described, reference = problem(folder), module(os.path.join(folder, "reference.py"))
            np.random.seed(3)
            inputs = reference.get_inputs()
            wanted = reference.forward(*inputs)
            arguments = reference.transform_to_nki_inputs(inputs)
            traced = trace_source(text(os.path.join(folder, described["kernel"])), described["entry"], arguments)
            results = compute(traced, arguments)
            result = reference.transform_nki_outputs(results[0] if len(results) == 1 else tuple(results), wanted)[0]
            self.assertLess(np.linalg.norm(result - wanted) / np.linalg.norm(wanted), described["tolerance"])

    def test_inputs_depend_on_the_seed_alone(self):
        for folder in (os.path.join(SMALL, "silu_small"), os.path.join(SMALL, "rmsnorm_matmul_small")):
            reference = module(os.path.join(folder, "reference.py"))
            made = []
            for seed in (1, 1, 2):
                np.random.seed(seed)
                made.append(reference.get_inputs()[0])
            self.assertTrue(np.array_equal(made[0], made[1]))
            self.assertFalse(np.array_equal(made[0], made[2]))
            self.assertEqual(made[0].dtype, np.float32)


class Broken(unittest.TestCase):
    """Damaged kernels end in KernelError or in a trace, never in another exception, and errors have a line where they can."""

    def test_mutations(self):
        chance = random.Random(11)
        jobs = [(text(os.path.join(folder, "kernel.py")), specs(problem(folder))) for folder in suite()]
        outcomes = {"traced": 0, "refused": 0}
        for round_ in range(450):
            kernel, arguments = jobs[round_ % len(jobs)]
            tokens = re.findall(r"\w+|\s+|[^\w\s]", kernel)
            for _ in range(chance.choice((1, 1, 2, 4))):
                at = chance.randrange(len(tokens))
                choice = chance.random()
                if choice < 0.3:
                    tokens[at] = chance.choice(tokens)
                elif choice < 0.5:
                    tokens[at] = ""
                elif choice < 0.8 and tokens[at].isdigit():
                    tokens[at] = chance.choice(("0", "1", "-1", "7", "129", "513", "1000000007", "0.5"))
                else:
                    tokens[at] += chance.choice((" + 1", " * 2", "[0]", "[:, None]", ", ", " - ", " // 3", ".x", "()", " % 2"))
            mutated = "".join(tokens)
            if re.search(r"while|import os|sys", mutated):
                continue
            try:
                trace_source(mutated, "kernel", arguments)
                outcomes["traced"] += 1
            except KernelError as error:
                outcomes["refused"] += 1
                self.assertIn(error.kind, ("syntax", "rule", "compile", "guard", "memory"))
                self.assertTrue(error.message and error.id.startswith("err_"))
        self.assertGreater(outcomes["traced"], 20)
        self.assertGreater(outcomes["refused"], 100)

    def test_other_shapes_than_the_kernel_expects(self):
        for folder in suite():
            kernel = text(os.path.join(folder, "kernel.py"))
            arguments = specs(problem(folder))
            for sizes in ((100, 100), (129, 513), (1, 1), (128,), (4, 4, 4)):
                changed = [TensorSpec(sizes) if isinstance(a, TensorSpec) else a for a in arguments]
                try:
                    trace_source(kernel, "kernel", changed)
                except KernelError as error:
                    self.assertTrue(error.message)


@unittest.skipUnless(os.path.isdir(os.path.join(UPSTREAM, "NKIBench")), "needs a checkout of AccelOpt: set ACCELOPT_UPSTREAM to its folder")
class Upstream(unittest.TestCase):
    def arguments(self, path):
        """The kernel's arguments, without drawing the numbers: views of one zero."""
        reference = module(path)

        class Lazy:
            def __init__(self, shape):
                self.shape = shape

            def astype(self, dtype):
                return np.broadcast_to(np.zeros(1, dtype), self.shape)

            __abs__ = __mul__ = __rmul__ = lambda self, *rest: self

        real = np.abs
        with mock.patch("numpy.random.normal", lambda loc=0, scale=1, size=None: Lazy(size)), \
                mock.patch("numpy.abs", lambda v: v if isinstance(v, Lazy) else real(v)):
            inputs = reference.get_inputs()
        return reference.transform_to_nki_inputs(inputs)

    def test_all_kernels_trace(self):
        base = os.path.join(UPSTREAM, "NKIBench")
        with open(os.path.join(base, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        self.assertGreaterEqual(len(summary), 14)
        for name, entry in summary.items():
            for case in entry["cases"].values():
                for implementation in case["impls"]:
                    with self.subTest(name=name):
                        arguments = self.arguments(os.path.join(base, implementation["task"]))
                        traced = trace_source(text(os.path.join(base, implementation["kernel"])), "kernel", arguments)
                        self.assertTrue(any(node["op"] == "store" for node in nodes(traced.ir)))
                        self.assertEqual(traced.unrolled, [])

    def test_samples_trace(self):
        samples = os.path.join(UPSTREAM, "samples", "nki")
        references = os.path.join(UPSTREAM, "NKIBench", "reference")
        for name in sorted(os.listdir(samples)):
            kind = next((k for k in ("mamba", "rope") if name.startswith(k) and name.endswith(".py")), None)
            if kind:
                with self.subTest(name=name):
                    path = next(os.path.join(references, r) for r in sorted(os.listdir(references)) if r.startswith(kind))
                    traced = trace_source(text(os.path.join(samples, name)), "kernel", self.arguments(path))
                    self.assertEqual(bool(traced.unrolled), name == "mamba_optimized.py")


if __name__ == "__main__":
    unittest.main()
