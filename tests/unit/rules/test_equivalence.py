# SPDX-License-Identifier: GPL-3.0-or-later
"""Every plan of every test kernel, both attempts, two rewrites deep: parses, keeps the signature, and computes the same numbers."""
import ast
import unittest

import kernels
import nki_eager
import support

TOLERANCE = 2e-5


class Equivalence(unittest.TestCase):
    def check(self, name, source, inputs, depth, seen):
        count = 0
        for text in support.plans(source):
            for attempt in (0, 1):
                reply = support.execute({"kernel": source, "plan": text, "attempt_index": attempt})
                code = support.code_of(reply)
                title = text.splitlines()[0]
                self.assertIsNotNone(code, f"{name}: {title} attempt {attempt}: {reply}")
                if code in seen:
                    continue
                seen.add(code)
                count += 1
                ast.parse(code)
                try:
                    error = support.relative_error(self.sources[name], code, inputs)
                except (nki_eager.Limit, AttributeError, IndexError, ValueError, TypeError, NameError) as problem:
                    self.fail(f"{name}: {title} attempt {attempt} does not run: {problem!r}\n{code}")
                self.assertLess(error, TOLERANCE, f"{name}: {title} attempt {attempt}\n{code}")
                if depth > 1:
                    count += self.check(name, code, inputs, depth - 1, seen)
        return count

    def test_all_kernels(self):
        self.sources = {}
        for name, (source, shapes) in kernels.ALL.items():
            with self.subTest(name):
                self.sources[name] = source
                inputs = kernels.arrays(*shapes)
                depth = 1 if name == "norm_matmul" else 2      # many rewrites apply there: two levels of them take too long for a test
                self.assertGreater(self.check(name, source, inputs, depth, {source}), 0, f"{name} has no rewrite at all")


if __name__ == "__main__":
    unittest.main()
