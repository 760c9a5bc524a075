# SPDX-License-Identifier: GPL-3.0-or-later
"""Each rule: what it makes of a kernel it matches, and kernels where it must refuse."""
import unittest

import kernels
from kernels import elementwise
from support import Kernel, applied, code_of, execute, plans, sites


class Activations(unittest.TestCase):
    def test_silu_in_three_spellings(self):
        for name in ("SILU", "SILU_OPERATORS", "SILU_ISA"):
            with self.subTest(name):
                code = applied("combine-activation", getattr(kernels, name), lambda s: s.params["kind"] == "silu")
                self.assertIn("nl.silu(t0)", code)
                for gone in ("exp", "reciprocal", "divide", "1.0"):
                    self.assertNotIn(gone, code)

    def test_silu_needs_the_same_operand(self):
        other = elementwise("e = nl.exp(nl.multiply(t1, -1.0))\no = nl.multiply(t0, nl.reciprocal(nl.add(e, 1.0)))", inputs=("x", "y"))
        self.assertEqual([s.params["kind"] for s in sites("combine-activation", other) if s.params["kind"] == "silu"], [])

    def test_sigmoid_needs_one_plus(self):
        other = elementwise("e = nl.exp(nl.multiply(t0, -1.0))\no = nl.reciprocal(nl.add(e, 2.0))")
        self.assertNotIn("sigmoid", [s.params["kind"] for s in sites("combine-activation", other)])

    def test_temporary_with_two_readers_stays(self):
        twice = elementwise("n = nl.multiply(t0, -1.0)\ne = nl.exp(n)\no = nl.add(e, n)")
        self.assertEqual(sites("combine-activation", twice), [])

    def test_mutated_temporary_stays(self):
        changed = elementwise("n = nl.multiply(t0, -1.0)\nn[...] = nl.add(n, 1.0)\no = nl.exp(n)")
        self.assertEqual(sites("combine-activation", changed), [])

    def test_scale(self):
        code = applied("combine-activation", elementwise("n = nl.multiply(t0, 0.5)\no = nl.exp(n)"))
        self.assertIn("nisa.activation(op=nl.exp, data=t0, scale=0.5)", code)

    def test_mask_is_left_alone(self):
        masked = elementwise("n = nl.multiply(t0, 0.5, mask=(j > 0))\no = nl.exp(n)")
        self.assertEqual(sites("combine-activation", masked), [])


class Arithmetic(unittest.TestCase):
    def test_two_scalar_operations(self):
        code = applied("combine-arithmetic", elementwise("a = nl.multiply(t0, 2.0)\no = nl.add(a, 3.0)"))
        self.assertIn("nisa.tensor_scalar(t0, op0=nl.multiply, operand0=2.0, op1=nl.add, operand1=3.0)", code)

    def test_reversed_subtraction(self):
        code = applied("combine-arithmetic", elementwise("a = nl.subtract(1.0, t0)\no = nl.multiply(a, 3.0)"))
        self.assertIn("op0=nl.subtract, operand0=1.0, reverse0=True", code)

    def test_scaled_tile_and_tile(self):
        code = applied("combine-arithmetic", elementwise("a = nl.multiply(t0, 2.0)\no = nl.subtract(t1, a)", inputs=("x", "y")))
        self.assertIn("nisa.scalar_tensor_tensor(data=t0, op0=nl.multiply, operand0=2.0, op1=nl.subtract, operand1=t1, reverse1=True)", code)

    def test_refuses_division_and_index_arithmetic(self):
        self.assertEqual(sites("combine-arithmetic", elementwise("a = nl.divide(t0, 2.0)\no = nl.divide(a, t0)")), [])

    def test_reduction_on_the_side(self):
        kernel = elementwise("s = nl.square(t0)\nz = nl.sum(s, axis=[1])\no = nl.multiply(t0, z)")
        code = applied("combine-reduction", kernel)
        self.assertIn("nisa.activation_reduce(op=nl.square, data=t0, reduce_op=nl.add, reduce_res=z[...])", code)
        self.assertNotIn("nl.sum", code)
        self.assertEqual(sites("combine-reduction", elementwise("s = nl.maximum(t0, t1)\nz = nl.sum(s, axis=[1])\no = nl.multiply(t0, z)", inputs=("x", "y"))), [])


class Divisions(unittest.TestCase):
    def test_rsqrt(self):
        code = applied("reciprocal", elementwise("r = nl.sqrt(t0)\no = nl.reciprocal(r)"), lambda s: s.params["kind"] == "rsqrt")
        self.assertIn("o = nl.rsqrt(t0)", code)

    def test_division_by_a_constant_and_by_a_column(self):
        code = applied("reciprocal", elementwise("o = nl.divide(t0, 4.0)"), lambda s: s.params["kind"] == "divide-constant")
        self.assertIn("nl.multiply(t0, 0.25)", code)
        column = elementwise("z = nl.sum(t0, axis=[1])\no = nl.divide(t0, z)")
        self.assertIn("nl.multiply(t0, nisa.reciprocal(z))", applied("reciprocal", column, lambda s: s.params["kind"] == "divide-column"))

    def test_nothing_to_divide(self):
        self.assertEqual(sites("reciprocal", elementwise("o = nl.exp(t0)")), [])
        self.assertEqual(sites("reciprocal", elementwise("o = nl.divide(t0, 0.0)")), [])


class Algebra(unittest.TestCase):
    def test_neutral_fold_negate(self):
        kernel = elementwise("a = nl.multiply(t0, 1.0)\nb = nl.multiply(a, 2.0)\nc = nl.multiply(b, 3.0)\nd = nl.multiply(c, -1.0)\no = nl.add(t1, d)",
                             inputs=("x", "y"))
        kinds = {s.params["kind"] for s in sites("simplify", kernel)}
        self.assertEqual(kinds, {"neutral", "fold", "negation"})
        self.assertIn("nl.subtract(t1, c)", applied("simplify", kernel, lambda s: s.params["kind"] == "negation"))

    def test_square(self):
        self.assertIn("nl.square(t0)", applied("simplify", elementwise("o = nl.multiply(t0, t0)")))
        self.assertEqual(sites("simplify", elementwise("o = nl.multiply(t0, t1)", inputs=("x", "y"))), [])


class Loops(unittest.TestCase):
    def test_hoist(self):
        code = applied("hoist-invariant", kernels.NORM_MATMUL)
        head, tail = code.split("for c in", 1)
        for expected in ("nl.load(x[", "nl.load(g[", "nl.sqrt"):
            self.assertIn(expected, head)
            self.assertNotIn(expected, tail)
        self.assertLess(code.index("nl.load(g["), code.index("for r in"))
        self.assertIn("nl.load(w[", tail)

    def test_hoist_refuses_what_changes(self):
        self.assertEqual(sites("hoist-invariant", kernels.SILU), [])
        written = kernels.HEADER + ("@nki.jit\ndef kernel(x):\n    buf = nl.ndarray((128, 256), dtype=nl.float32, buffer=nl.shared_hbm)\n"
                                    "    for i in nl.sequential_range(4):\n        t = nl.load(buf[0:128, 0:256])\n        nl.store(buf[0:128, 0:256], value=nl.add(t, 1.0))\n    return buf\n")
        self.assertEqual(sites("hoist-invariant", written), [])

    def test_reuse(self):
        code = applied("reuse-tile", elementwise("again = nl.load(x[i * 128:(i + 1) * 128, j * 256:(j + 1) * 256])\no = nl.add(t0, again)"))
        self.assertIn("nl.add(t0, t0)", code)
        self.assertEqual(code.count("nl.load"), 1)
        self.assertEqual(sites("reuse-tile", kernels.ROTATE), [])

    def test_widen_slices(self):
        code = applied("widen-tile", kernels.SILU, lambda s: s.params["factor"] == 4)
        self.assertIn("for j in nl.affine_range(1):", code)
        self.assertIn("x[i * 128:(i + 1) * 128, j * 1024:(j + 1) * 1024]", code)
        self.assertNotIn("256:(j", code)

    def test_widen_arange_and_declarations(self):
        code = applied("widen-tile", kernels.ARANGE, lambda s: s.params["factor"] == 2)
        self.assertIn("nl.ndarray((nl.par_dim(128), 512)", code)
        self.assertIn("# the tile", code)
        self.assertNotIn("+ i_f", code)

    def test_widen_changes_a_constant_where_it_can(self):
        named = kernels.HEADER + ("@nki.jit\ndef kernel(x):\n    F = 256\n    out = nl.ndarray((128, 1024), dtype=nl.float32, buffer=nl.shared_hbm)\n"
                                  "    for j in nl.affine_range(1024 // F):\n        t = nl.load(x[0:128, j * F:(j + 1) * F])\n"
                                  "        nl.store(out[0:128, j * F:(j + 1) * F], value=nl.exp(t))\n    return out\n")
        code = applied("widen-tile", named, lambda s: s.params["factor"] == 4)
        self.assertIn("F = 1024", code)
        self.assertIn("nl.affine_range(1024 // F)", code)

    def test_widen_refuses_reductions_masks_and_other_uses_of_the_variable(self):
        for body in ("z = nl.sum(t0, axis=[1])\no = nl.multiply(t0, z)", "o = nl.exp(t0, mask=(j < 3))", "o = nl.multiply(t0, j)",
                     "u = t0[:, 0:128]\no = nl.exp(t0)"):
            with self.subTest(body):
                self.assertEqual([s for s in sites("widen-tile", elementwise(body)) if "loop j" in s.title], [])

    def test_widen_matmul_up_to_a_psum_bank(self):
        titles = [s.title for s in sites("widen-matmul", kernels.MATMUL)]
        self.assertTrue(any("from 128 to 512 columns" in t for t in titles))
        self.assertFalse(any("to 1024" in t for t in titles))

    def test_affine(self):
        code = applied("independent-loop", kernels.ROTATE)
        self.assertIn("for s_index in nl.affine_range(8):", code)
        carried = kernels.HEADER + ("@nki.jit\ndef kernel(x):\n    out = nl.ndarray((128, 256), dtype=nl.float32, buffer=nl.shared_hbm)\n"
                                    "    acc = nl.zeros((128, 256), dtype=nl.float32, buffer=nl.sbuf)\n    for i in nl.sequential_range(4):\n"
                                    "        acc += nl.load(x[i * 128:(i + 1) * 128, 0:256])\n    nl.store(out[0:128, 0:256], value=acc)\n    return out\n")
        self.assertEqual(sites("independent-loop", carried), [])
        overlapping = kernels.ROTATE.replace("out[0:64, s:s + 256]", "out[0:64, 0:256]")
        self.assertEqual(sites("independent-loop", overlapping), [])

    def test_merge_and_forward(self):
        code = applied("merge-loops", kernels.TWO_PASSES)
        self.assertNotIn("tmp", code)
        self.assertEqual(code.count("nl.load"), 2)
        shifted = kernels.TWO_PASSES.replace("tmp[p * 128:(p + 1) * 128", "tmp[(1 - p) * 128:(2 - p) * 128")
        self.assertEqual([s for s in sites("merge-loops", shifted) if "Merge" in s.title], [])
        shorter = kernels.TWO_PASSES.replace("for p in nl.affine_range(2)", "for p in nl.affine_range(1)")
        self.assertEqual([s for s in sites("merge-loops", shorter) if "lines 1" in s.title and "Merge" in s.title], [])

    def test_transpose_once(self):
        code = applied("transpose-once", kernels.NORM_MATMUL)
        self.assertIn("transpose_x=True", code)
        self.assertLess(code.index("nc_transpose"), code.index("for c in"))
        self.assertEqual(sites("transpose-once", kernels.MATMUL), [])

    def test_resident_operand(self):
        code = applied("keep-operand-resident", kernels.MATMUL, lambda s: "`b`" in s.title)
        self.assertLess(code.index("nl.load(rhs"), code.index("for m in"))
        huge = kernels.MATMUL.replace("1024", "65536")
        self.assertEqual([s for s in sites("keep-operand-resident", huge) if "`b`" in s.title and "loop m" in s.title], [])

    def test_interchange(self):
        kernel = kernels.HEADER + ("@nki.jit\ndef kernel(x, y):\n    out = nl.ndarray((256, 1024), dtype=nl.float32, buffer=nl.shared_hbm)\n"
                                   "    for i in nl.affine_range(2):\n        for j in nl.affine_range(2):\n            a = nl.load(x[0:128, j * 512:(j + 1) * 512])\n"
                                   "            b = nl.load(y[i * 128:(i + 1) * 128, 0:1])\n"
                                   "            nl.store(out[i * 128:(i + 1) * 128, j * 512:(j + 1) * 512], value=nl.multiply(a, b))\n    return out\n")
        code = applied("interchange-loops", kernel)
        self.assertLess(code.index("for j"), code.index("for i"))
        self.assertEqual(sites("interchange-loops", code), [])


class Engines(unittest.TestCase):
    def test_psum_operand(self):
        code = applied("psum-operand", kernels.ROTATE)
        self.assertIn("buffer=nl.psum", code)
        self.assertIn("lo_psum[...] = nisa.activation(op=nl.copy, data=lo)", code)
        wide = kernels.ROTATE.replace("256", "1024")
        self.assertEqual(sites("psum-operand", wide), [], "a tile wider than a PSUM bank")

    def test_partitions(self):
        affine = applied("independent-loop", kernels.ROTATE)
        code = applied("fill-partitions", affine)
        self.assertIn("nl.ndarray((nl.par_dim(128), 256)", code)
        self.assertIn("nl.affine_range(4)", code)
        self.assertEqual(sites("fill-partitions", kernels.SILU), [], "its tiles have 128 partitions already")

    def test_move_to_the_idle_engine_only(self):
        kernel = elementwise("o = nisa.reciprocal(t0)")
        busy = {"profile": {"vector_engine_active_time_percent": 0.9, "scalar_engine_active_time_percent": 0.1}}
        idle = {"profile": {"vector_engine_active_time_percent": 0.1, "scalar_engine_active_time_percent": 0.9}}
        self.assertEqual(len(sites("move-engine", kernel, busy)), 1)
        self.assertEqual(sites("move-engine", kernel, idle), [])
        self.assertIn("nisa.activation(op=nl.reciprocal, data=t0)", applied("move-engine", kernel))


class Imports(unittest.TestCase):
    def test_missing_import_is_added(self):
        kernel = elementwise("n = nl.multiply(t0, 0.5)\no = nl.exp(n)").replace("import neuronxcc.nki.isa as nisa\n", "").replace(
            "import neuronxcc.nki as nki\n", "from neuronxcc.nki import jit\n").replace("@nki.jit", "@jit")
        code = applied("combine-activation", kernel)
        self.assertIn("import neuronxcc.nki.isa as nisa", code)

    def test_foreign_alias_is_used(self):
        kernel = elementwise("n = nl.multiply(t0, 0.5)\no = nl.exp(n)").replace("nl.", "lang.").replace("as nl\n", "as lang\n")
        self.assertIn("op=lang.exp", applied("combine-activation", kernel))


class CompilerDump(unittest.TestCase):
    def test_dump_is_understood_and_never_breaks(self):
        code = applied("combine-activation", kernels.DUMP, lambda s: s.params["kind"] == "silu")
        self.assertIn("nl.silu(v2[i0, i1,", code)
        self.assertNotIn("v3", code)
        for text in plans(kernels.DUMP):
            for attempt in (0, 1):
                code = code_of(execute({"kernel": kernels.DUMP, "plan": text, "attempt_index": attempt}))
                if code is not None:
                    self.assertEqual(Kernel(code).params, ["v1"])


if __name__ == "__main__":
    unittest.main()
