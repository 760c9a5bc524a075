# SPDX-License-Identifier: GPL-3.0-or-later
"""The language tests once more, computed by accelopt-neuroncore: both sides read docs/ir-format.md alike. Skipped where it is not built."""
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np

import interpreter
import test_instructions
import test_language
import test_rewritings
from support import ROOT

PROGRAM = os.path.join(os.environ.get("ACCELOPT_BIN", ""), "accelopt-neuroncore")
HARDWARE = os.path.join(ROOT, "resources", "hardware", "trn1.json")


def compute(trace, inputs):
    """What interpreter.compute() does, by the program; and both results agree."""
    wanted = interpreter.compute(trace, inputs)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("in", "out"):
            os.mkdir(os.path.join(folder, name))
        with open(os.path.join(folder, "ir.json"), "w", encoding="utf-8") as file:
            json.dump(trace.ir, file)
        for name, array in trace.constants.items():
            np.save(os.path.join(folder, name), array)
        for number, position in enumerate(trace.inputs):
            np.save(os.path.join(folder, "in", "in%d.npy" % number), np.ascontiguousarray(inputs[position]))
        done = subprocess.run([PROGRAM, "run", "--ir", os.path.join(folder, "ir.json"), "--hardware", HARDWARE, "--inputs", os.path.join(folder, "in"),
                               "--outputs", os.path.join(folder, "out"), "--threads", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
        try:
            result = json.loads(done.stdout.decode())
        except ValueError:
            raise AssertionError("accelopt-neuroncore said: %s %s" % (done.stdout[-500:], done.stderr[-500:]))
        if result["status"] != "ok":
            raise AssertionError("%s\n%s" % (result.get("error"), json.dumps(trace.ir)[:3000]))
        outputs = [np.load(os.path.join(folder, "out", "out%d.npy" % number)) for number in range(len(wanted))]
    for mine, theirs in zip(wanted, outputs):
        np.testing.assert_allclose(np.asarray(theirs, np.float64).reshape(mine.shape), mine, rtol=2e-4, atol=2e-4)
    return [np.asarray(theirs).reshape(mine.shape).astype(mine.dtype) for mine, theirs in zip(wanted, outputs)]


def again(base):
    @unittest.skipUnless(os.path.exists(PROGRAM), "accelopt-neuroncore is not built (ACCELOPT_BIN does not hold it)")
    class Again(base):
        def setUp(self):
            import support
            self._saved = (support.compute, test_language.compute)
            support.compute = test_language.compute = compute

        def tearDown(self):
            import support
            support.compute, test_language.compute = self._saved

    Again.__name__ = Again.__qualname__ = "Neuroncore" + base.__name__
    Again.__module__ = __name__
    return Again


for _base in (test_language.Indexing, test_language.Tensors, test_language.Loops, test_language.Assignment, test_language.Accumulation, test_language.Masks,
              test_instructions.Arithmetic, test_instructions.Instructions, test_language.Programs,
              test_rewritings.Rewritings):
    globals()["Neuroncore" + _base.__name__] = again(_base)
del _base

if __name__ == "__main__":
    unittest.main()
