# SPDX-License-Identifier: GPL-3.0-or-later
import os
import unittest

from accelopt_runner import guards
from accelopt_runner.failures import Failure

GOOD = """
import neuronxcc.nki as nki
import neuronxcc.nki.language as nl
import neuronxcc.nki.isa as nisa
import numpy as np
import math
from neuronxcc.nki import trace
from functools import partial

@nki.jit
def kernel(x, input=None):
    # float16 in a comment is fine, bfloat16 too
    out = nl.ndarray(x.shape, dtype=nl.float32, buffer=nl.shared_hbm)
    for i in nl.affine_range(32):
        tile = nl.load(x[i * 128 + nl.arange(128)[:, None], nl.arange(512)[None, :]], dtype=np.float32)
        nl.store(out[i * 128 + nl.arange(128)[:, None], nl.arange(512)[None, :]], value=tile)
    ' end loop i '
    return out
"""


def refused(source, dtype="float32", entry="kernel"):
    try:
        guards.check(source, entry, dtype)
    except Failure as failure:
        return failure
    return None


def kernel(line, before=""):
    return "%s\ndef kernel(x):\n    %s\n    return x\n" % (before, line)


class Guards(unittest.TestCase):
    def test_accepts_what_kernels_do(self):
        self.assertIsNone(refused(GOOD))

    def test_accepts_the_bundled_baselines(self):
        root = os.path.join("resources", "suite")
        names = [n for n in os.listdir(root) if os.path.isdir(os.path.join(root, n))]
        self.assertTrue(names)
        for name in names:
            with open(os.path.join(root, name, "kernel.py"), encoding="utf-8") as file:
                self.assertIsNone(refused(file.read()), name)

    def test_imports(self):
        for line in ("import os", "import sys, math", "import subprocess as math", "from os import path", "from . import x", "import socket",
                     "import ctypes", "import numpy.ctypeslib", "from numpy import load", "import importlib", "import torch",
                     "from neuronxcc import _private", "import numpy.lib.npyio", "from numpy.f2py import crackfortran", "import operator",
                     "from numpy import *"):
            failure = refused(kernel("pass", line))
            self.assertIsNotNone(failure, line)
            self.assertEqual(failure.kind, "guard")
            self.assertEqual(failure.line, 1, line)

    def test_names_and_attributes(self):
        for line in ("open('/etc/passwd')", "exec('1')", "eval('1')", "__import__('os')", "getattr(x, 'a')", "x.__class__", "x.__globals__['os']",
                     "np.load('f')", "np.fromfile('f')", "np.lib.npyio", "np._core", "x._private", "nl.sys", "globals()", "vars(x)", "x.tofile('f')",
                     "(lambda: 0).__code__", "__builtins__", "np.ctypeslib", "y = open", "compile('1', '', 'exec')", "np.memmap('f')",
                     "[c for c in ().__class__.__base__.__subclasses__()]", "f'{x.__class__}'", "setattr(nl, 'load', None)"):
            failure = refused(kernel(line, "import numpy as np\nimport neuronxcc.nki.language as nl"))
            self.assertIsNotNone(failure, line)
            self.assertEqual((failure.kind, failure.line), ("guard", 4), line)

    def test_patterns_read_attributes(self):
        for pattern in ("object(sys=found)", "object(__dict__=found)", "[object(fromfile=found), *_]", "{'a': object(_x=1)} | object(sys=1)"):
            failure = refused(kernel("match x:\n        case %s:\n            pass" % pattern))
            self.assertIsNotNone(failure, pattern)
            self.assertEqual((failure.kind, failure.line), ("guard", 4), pattern)
        self.assertIsNone(refused(kernel("match x:\n        case object(shape=(rows, columns)):\n            pass")))

    def test_numpy_under_another_name(self):
        self.assertIsNotNone(refused(kernel("q.load('f')", "import numpy as q")))
        self.assertIsNone(refused(kernel("nl.load(x)", "import neuronxcc.nki.language as nl")))

    def test_low_precision(self):
        for line in ("y = nl.float16", "y = nl.bfloat16", "y = np.dtype('float16')", "y = 'flo' + 'at16'", "y = 'b' + f\"float{16}\"",
                     "y = ''.join(['float', '16'])", "y = '%s16' % 'float'", "y = 'float{}'.format(16)", "y = '61taolf'[::-1]", "y = nl.float8_e4m3",
                     "y = nl.tfloat32", "y = nl.float32r", "y = 'bfl' + ('oat' + '16')"):
            failure = refused(kernel(line, "import numpy as np\nimport neuronxcc.nki.language as nl"))
            self.assertIsNotNone(failure, line)
            self.assertEqual((failure.kind, failure.ident, failure.line), ("guard", "guard_precision", 4), line)
            self.assertIsNone(refused(kernel(line, "import numpy as np\nimport neuronxcc.nki.language as nl"), dtype="bfloat16"), line)

    def test_precision_of_the_program(self):
        program = {"tensors": [{"name": "a", "dtype": "float32"}, {"name": "index", "dtype": "uint16"}]}
        guards.check_program(program)
        program["tensors"].append({"name": "sneaky", "dtype": "bfloat16", "line": 9})
        with self.assertRaises(Failure) as caught:
            guards.check_program(program)
        self.assertEqual((caught.exception.kind, caught.exception.line), ("guard", 9))
        guards.check_program(program, "bfloat16")

    def test_hostile_programs_are_only_data(self):
        for tensors in ([1, None, "x"], [{"dtype": "float32", "line": "many"}], []):
            guards.check_program({"tensors": tensors})
        with self.assertRaises(Failure):
            guards.check_program({"tensors": [{"dtype": None, "line": -1}]})

    def test_syntax(self):
        failure = refused("def kernel(x):\n    return (x\n")
        self.assertEqual(failure.kind, "syntax")
        self.assertEqual(failure.line, 2)
        for source in ("def kernel(x):\n  return " + "(" * 5000, "def kernel(x):\0 pass", "x = " + "-" * 100000 + "1\ndef kernel(x): pass", "\tdef kernel(x):\n  pass"):
            failure = refused(source)
            self.assertIsNotNone(failure, source[:30])
            self.assertEqual(failure.kind, "syntax", source[:30])

    def test_entry(self):
        self.assertEqual(refused("def other(x):\n    return x\n").ident, "guard_entry")
        self.assertIsNone(refused("def optimized_kernel(x):\n    return x\n"))
        self.assertIsNone(refused("def f(x):\n    return x\nkernel = f\n"))
        self.assertIsNone(refused("def main(x):\n    return x\n", entry="main"))


if __name__ == "__main__":
    unittest.main()
