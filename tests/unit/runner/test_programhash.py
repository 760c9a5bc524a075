# SPDX-License-Identifier: GPL-3.0-or-later
import unittest

from accelopt_runner.programhash import program_hash

BASE = '''
import neuronxcc.nki.language as nl

def kernel(x, scale=2.0):
    """Doubles."""
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(4):
        tile = nl.load(x[i])  # one row
        nl.store(out[i], value=nl.multiply(tile, scale))
    return out
'''


class ProgramHash(unittest.TestCase):
    def same(self, source, other=BASE):
        self.assertEqual(program_hash(source), program_hash(other))

    def other(self, source, base=BASE):
        self.assertNotEqual(program_hash(source), program_hash(base))
        self.assertNotEqual(program_hash(source), "")

    def test_form(self):
        self.assertRegex(program_hash(BASE), "^[0-9a-f]{64}$")
        self.assertEqual(program_hash("def kernel(:"), "")
        self.assertEqual(program_hash("(" * 100000), "")
        self.assertEqual(program_hash("\0"), "")

    def test_what_does_not_count(self):
        self.same(BASE.replace("# one row", "# another comment"))
        self.same(BASE.replace('    """Doubles."""\n', ""))
        self.same(BASE.replace("tile", "t0").replace("out", "result").replace("for i in", "for j in").replace("[i]", "[j]"))
        self.same(BASE.replace("nl.multiply(tile, scale)", "(\n nl . multiply( tile,scale ) )"))
        self.same(BASE.replace("    return out", "    ' end loop i '\n    return out"))
        self.same(BASE.replace("    return out", "    pass\n    return out"))

    def test_what_counts(self):
        self.other(BASE.replace("multiply", "add"))
        self.other(BASE.replace("2.0", "2.5"))
        self.other(BASE.replace("affine_range(4)", "affine_range(8)"))
        self.other(BASE.replace("value=nl.multiply(tile, scale)", "value=tile"))
        self.other(BASE.replace("scale", "factor"))  # parameters can be named by callers
        self.other(BASE.replace("def kernel", "def other"))

    def test_renaming_must_be_consistent(self):
        self.other("def kernel(x):\n    a = 1\n    b = 2\n    return b\n", "def kernel(x):\n    a = 1\n    b = 2\n    return a\n")
        self.same("def kernel(x):\n    a = 1\n    b = 2\n    return a\n", "def kernel(x):\n    b = 1\n    a = 2\n    return b\n")
        # A local name may not take the place of a global one.
        self.other("import math\ndef kernel(x):\n    return math\n", "import math\ndef kernel(x):\n    math = x\n    return math\n")

    def test_inner_scopes(self):
        self.same("def kernel(x):\n    y = 1\n    def f(a):\n        z = a + y\n        return z\n    return f(y)\n",
                  "def kernel(x):\n    p = 1\n    def g(a):\n        q = a + p\n        return q\n    return g(p)\n")
        self.same("def kernel(x):\n    return [i for i in x]\n", "def kernel(x):\n    return [j for j in x]\n")
        self.same("def kernel(x):\n    import math as m\n    return m.pi\n", "def kernel(x):\n    import math as q\n    return q.pi\n")


if __name__ == "__main__":
    unittest.main()
