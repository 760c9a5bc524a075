# SPDX-License-Identifier: GPL-3.0-or-later
"""Generated kernels: whatever the rules propose parses, keeps the signature, and computes the same."""
import ast
import random
import unittest

import kernels
import nki_eager
from support import Kernel, code_of, execute, plans, relative_error

UNARY = ["nl.exp(nl.multiply({0}, 0.25))", "nl.square({0})", "nl.sigmoid({0})", "-{0}", "nl.tanh({0})", "nisa.activation(op=nl.tanh, data={0}, scale=0.5)",
         "nl.multiply({0}, 0.5)", "nl.add({0}, 1.5)", "{0} * 2.0", "1.0 - {0}", "nl.maximum({0}, 0.0)", "nl.rsqrt(nl.add(nl.square({0}), 1.0))",
         "nl.reciprocal(nl.add(nl.square({0}), 2.0))", "nl.copy({0})", "nl.multiply({0}, 1.0)", "{0} / 4.0",
         "nisa.tensor_scalar({0}, op0=nl.multiply, operand0=0.5, op1=nl.add, operand1=1.0)"]
BINARY = ["nl.add({0}, {1})", "nl.multiply({0}, {1})", "{0} - {1}", "nl.maximum({0}, {1})", "nisa.tensor_tensor({0}, {1}, op=nl.add)",
          "nl.divide({0}, nl.add(nl.square({1}), 1.0))", "nl.multiply({0}, nl.sigmoid({0}))", "nl.subtract({1}, nl.multiply({0}, 0.5))"]
COLUMN = ["nl.sum({0}, axis=[1])", "nl.max({0}, axis=[1])", "nl.sum(nl.square({0}), axis=[1])"]


def generate(seed):
    """A random elementwise kernel over one or two inputs, in one of several index styles."""
    rng = random.Random(seed)
    inputs = ["x", "y"][:rng.randint(1, 2)]
    tile, columns = rng.choice([(128, 512), (256, 1024), (128, 256)])
    partitions = rng.choice([128, 128, 64])
    style = rng.choice(["slice", "arange", "ds", "range"])
    space = " " * (8 if style == "range" else 12)
    place = {"slice": f"[i * {partitions}:(i + 1) * {partitions}, j * {tile}:(j + 1) * {tile}]",
             "arange": f"[i * {partitions} + ip, j * {tile} + jf]",
             "ds": f"[nl.ds(i * {partitions}, {partitions}), nl.ds(j * {tile}, {tile})]",
             "range": f"[0:{partitions}, j:j + {tile}]"}[style]
    lines = [f"t{k} = nl.load({name}{place})" for k, name in enumerate(inputs)]
    names = [f"t{k}" for k in range(len(inputs))]
    columns_seen = []
    for k in range(rng.randint(1, 7)):
        kind = rng.random()
        if kind < 0.1:
            lines.append(f"c{k} = " + rng.choice(COLUMN).format(rng.choice(names)))
            columns_seen.append(f"c{k}")
            continue
        if kind < 0.25 and columns_seen:
            lines.append(f"v{k} = nl.multiply({rng.choice(names)}, nl.tanh({rng.choice(columns_seen)}))")
        elif kind < 0.65:
            lines.append(f"v{k} = " + rng.choice(UNARY).format(rng.choice(names[-3:])))
        else:
            lines.append(f"v{k} = " + rng.choice(BINARY).format(rng.choice(names), rng.choice(names)))
        names.append(f"v{k}")
    lines.append(f"nl.store(out{place}, value={names[-1]})")
    rows = partitions if style == "range" else 2 * partitions
    text = kernels.HEADER + f"@nki.jit\ndef kernel({', '.join(inputs)}):\n    out = nl.ndarray(({rows}, {columns}), dtype=nl.float32, buffer=nl.shared_hbm)\n"
    if style == "arange":
        text += f"    ip = nl.arange({partitions})[:, None]\n    jf = nl.arange({tile})[None, :]\n"
    if style == "range":
        text += f"    for j in range(0, {columns}, {tile}):\n"
    else:
        text += f"    for i in nl.affine_range({rows // partitions}):\n        for j in nl.affine_range({columns // tile}):\n"
    text += "".join(f"{space}{line}\n" for line in lines) + "    return out\n"
    return text, [(rows, columns)] * len(inputs)


class Property(unittest.TestCase):
    def test_generated_kernels(self):
        rewritten = 0
        for seed in range(24):
            source, shapes = generate(seed)
            inputs = kernels.arrays(*shapes, seed=seed)
            frontier, seen = [source], {source}
            for depth in range(2):
                following = []
                for kernel in frontier[:3]:
                    for text in plans(kernel):
                        code = code_of(execute({"kernel": kernel, "plan": text, "attempt_index": depth}))
                        title = text.splitlines()[0]
                        self.assertIsNotNone(code, f"seed {seed}: {title} is proposed but not carried out\n{kernel}")
                        if code in seen:
                            continue
                        seen.add(code)
                        ast.parse(code)
                        self.assertEqual(Kernel(code).params, Kernel(source).params)
                        try:
                            error = relative_error(source, code, inputs)
                        except (nki_eager.Limit, AttributeError, IndexError, ValueError, TypeError, NameError) as problem:
                            self.fail(f"seed {seed}: {title} does not run: {problem!r}\n{kernel}\nbecame\n{code}")
                        self.assertLess(error, 2e-5, f"seed {seed}: {title}\n{kernel}\nbecame\n{code}")
                        following.append(code)
                        rewritten += 1
                frontier = following
        self.assertGreater(rewritten, 60)


if __name__ == "__main__":
    unittest.main()
