# SPDX-License-Identifier: GPL-3.0-or-later
"""Each feature of the language, traced and computed, against NumPy."""
import unittest

import numpy as np

from interpreter import compute, round_bfloat16
from support import TensorSpec, nodes, normal, ops, run, source, trace_source, trace_text

X = normal(256, 1024)


class Case(unittest.TestCase):
    def same(self, result, wanted, tolerance=1e-6):
        wanted = np.asarray(wanted)
        self.assertEqual(result.shape, wanted.shape)
        error = np.linalg.norm(np.asarray(result, np.float64) - wanted) / max(1e-30, np.linalg.norm(np.asarray(wanted, np.float64)))
        self.assertLess(error, tolerance)

    def loads(self, index, wanted):
        """t = load(index) stored into a tensor of t's shape gives wanted."""
        shape = wanted.shape
        self.same(run("nl.store(out, nl.load(%s))" % index, X, shape=str(shape)), wanted)


class Indexing(Case):
    def test_slices(self):
        self.loads("x[0:128, 0:512]", X[:128, :512])
        self.loads("x[128:, 512:]", X[128:, 512:])
        self.loads("x[-128:, -4:]", X[-128:, -4:])
        self.loads("x[0:128:2, 1:9:3]", X[0:128:2, 1:9:3])
        self.loads("x[nl.ds(3, 100), nl.ds(7, 9)]", X[3:103, 7:16])
        self.loads("x[0:100, ...]", X[:100])
        self.loads("x[3:4]", X[3:4])

    def test_integers(self):
        self.loads("x[0:128, 3]", X[:128, 3:4])
        self.loads("x[0:128, -1]", X[:128, -1:])
        self.loads("x[5, 0:64]", X[5, 0:64].reshape(64, 1))
        self.loads("x[5, 7]", X[5:6, 7:8])

    def test_arange(self):
        self.loads("x[nl.arange(128)[:, None], nl.arange(512)[None, :]]", X[:128, :512])
        self.loads("x[3 + nl.arange(100)[:, None], 2 * nl.arange(100)[None, :] + 5]", X[3:103, 5:205:2])
        self.loads("x[nl.arange(100)[:, None] * 2, 3]", X[:200:2, 3:4])
        self.loads("x[nl.arange(8, 16)[:, None], nl.arange(512)[None, :]]", X[8:16, :512])
        self.loads("x[nl.arange(64)[:, None, None], 128 * nl.arange(8)[None, :, None] + nl.arange(128)[None, None, :]]", X[:64].reshape(64, 8, 128))

    def test_any_dimension_of_hbm_may_be_the_partition(self):
        self.loads("x[nl.arange(4)[None, :], nl.arange(128)[:, None]]", X[:4, :128].T)

    def test_mgrid(self):
        self.loads("x[nl.mgrid[0:128, 0:512]]", X[:128, :512])
        self.same(run("i = nl.mgrid[0:128, 0:512]\nnl.store(out[i.p, i.x], nl.load(x[i.p, i.x]))", X), X[:128, :512])
        self.same(run("p, f = nl.mgrid[0:64, 0:512]\nnl.store(out[p, f], nl.load(x[p + 64, f]))", X, shape="(64, 512)"), X[64:128, :512])
        self.same(run("i = nl.mgrid[0:128, 0:8]\nnl.store(out[i.p, i.x], nl.load(x[i.p, 3]).broadcast_to((128, 8)))", X, shape="(128, 8)"),
                  np.repeat(X[:128, 3:4], 8, 1))

    def test_nested_views(self):
        self.same(run("t = nl.load(x[0:128, 0:1000])\nu = t[64:, 8:][:64, 2:514]\nnl.store(out, nl.copy(u))", X, shape="(64, 512)"), X[64:128, 10:522])

    def test_new_axes_and_reshape(self):
        self.same(run("t = nl.load(x[0:128, 0:512])\nu = t.reshape((128, 4, 128))\nnl.store(out, u[:, 2, :])", X, shape="(128, 128)"), X[:128, 256:384])
        self.same(run("t = nl.load(x[0:128, 0:512]).reshape((128, 4, 128)).reshape((128, 2, 256))\nnl.store(out, t[:, 1])", X, shape="(128, 256)"),
                  X[:128, 256:512])
        self.same(run("t = nl.load(x[0:128, 0:512])\nnl.store(out, t[:, None, :])", X, shape="(128, 1, 512)"), X[:128, None, :512])
        self.same(run("t = nl.load(x[0:128, 0:512])\nnl.store(out, nl.expand_dims(t, 1))", X, shape="(128, 1, 512)"), X[:128, None, :512])

    def test_reshaped_hbm(self):
        self.same(run("v = x.reshape((128, 2, 1024))\nnl.store(out, nl.load(v[:, 1, :]))", X, shape="(128, 1024)"), X.reshape(128, 2, 1024)[:, 1])
        self.same(run("v = x.reshape((1024, 256))\nnl.store(out, nl.load(v[5:100, :]))\nw = nl.load(x[0:4, 0:4])", X, shape="(95, 256)"),
                  X.reshape(1024, 256)[5:100])
        vector = normal(1024)
        self.same(run("nl.store(out, nl.load(x.reshape((1, 1024))[nl.arange(1)[:, None], nl.arange(1024)[None, :]]))", vector, shape="(1, 1024)"), vector[None])
        self.same(run("nl.store(out, nl.load(x.reshape((8, 128))[:, 1:100]))", vector, shape="(8, 99)"), vector.reshape(8, 128)[:, 1:100])
        self.same(run("nl.store(out.reshape((128, 8)), nl.load(x.reshape((128, 8))))", vector, shape="(1024,)"), vector)

    def test_high_rank_parameters(self):
        v = normal(2, 3, 4, 64, 32)
        self.same(run("for i in nl.affine_range(2):\n    for j in nl.affine_range(3):\n        nl.store(out[i, j], nl.load(x[i, j, 3]))", v, shape="(2, 3, 64, 32)"), v[:, :, 3])


class Tensors(Case):
    def test_block_dimensions(self):
        body = """
            t = nl.ndarray((2, 4, nl.par_dim(128), 64), dtype=nl.float32)
            for i in nl.affine_range(2):
                for j in nl.affine_range(4):
                    t[i, j, nl.arange(128)[:, None], nl.arange(64)[None, :]] = nl.load(x[i * 128 + nl.arange(128)[:, None], j * 64 + nl.arange(64)[None, :]])
            for i in nl.affine_range(2):
                for j in nl.affine_range(4):
                    nl.store(out[i * 128:(i + 1) * 128, j * 64:(j + 1) * 64], t[i, 3 - j])
            """
        wanted = X[:, :256].reshape(256, 4, 64)[:, ::-1].reshape(256, 256)
        self.same(run(body, X, shape="(256, 256)"), wanted)

    def test_zeros_full_ones_with_blocks(self):
        for call, value in (("nl.zeros((2, nl.par_dim(128), 8), dtype=nl.float32)", 0), ("nl.ones((2, nl.par_dim(128), 8), nl.float32)", 1),
                            ("nl.full((2, nl.par_dim(128), 8), 2.5, nl.float32, buffer=nl.sbuf)", 2.5),
                            ("nl.full((2, nl.par_dim(128), 8), 2.5, nl.float32, buffer=nl.psum)", 2.5)):
            text = source("t = %s\nfor i in nl.affine_range(2):\n    nl.store(out[i], nl.copy(t[i]))" % call, shape="(2, 128, 8)")
            traced = trace_source(text, "kernel", [X])
            self.same(compute(traced, [X])[0] + 1, np.full((2, 128, 8), value + 1))
            memsets = [node for node in nodes(traced.ir) if node["op"] == "memset"]
            self.assertEqual(len(memsets), 1)
            self.assertTrue(any(loop.get("implicit") and loop["trip"] == 2 for loop in traced.ir["loops"]))

    def test_unused_tensors_are_not_written_down(self):
        traced = trace_source(source("a = nl.ndarray((128, 512), dtype=nl.float32)\nb = a[0:64]\nnl.store(out, nl.load(x[0:128, 0:512]))"), "kernel", [X])
        self.assertEqual([t["kind"] for t in traced.ir["tensors"]], ["input", "output", "temporary"])

    def test_like_and_scalars_assigned(self):
        self.same(run("t = nl.load(x[0:128, 0:512])\nu = nl.zeros_like(t)\nu[0:64] = t[0:64]\nu[64:128, 0:1] = 3.0\nnl.store(out, u)", X),
                  np.concatenate([X[:64, :512], np.concatenate([np.full((64, 1), 3.0, np.float32), np.zeros((64, 511), np.float32)], 1)]))

    def test_hbm_scratch(self):
        self.same(run("s = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.hbm)\nnl.store(s, nl.load(x[0:128, 0:512]))\nnl.store(out, nl.load(s))", X), X[:128, :512])

    def test_constants(self):
        self.same(run("c = nl.shared_constant(np.arange(128 * 4, dtype=np.float32).reshape(128, 4))\nnl.store(out, nl.load(c[0:128, 0:4]))", X, shape="(128, 4)"),
                  np.arange(512).reshape(128, 4))
        self.same(run("c = nl.shared_identity_matrix(128)\nnl.store(out, nl.load(c, dtype=nl.float32))", X, shape="(128, 128)"), np.eye(128))

    def test_dtypes(self):
        self.same(run("nl.store(out, nl.load(x[0:128, 0:512], dtype=nl.bfloat16))", X), round_bfloat16(X[:128, :512]))
        self.same(run("t = nl.copy(nl.load(x[0:128, 0:512]), dtype=np.int32)\nnl.store(out, t)", X * 10, dtype="np.int32"), np.rint(X[:128, :512] * 10).astype(np.int32))
        self.assertEqual(ops(trace_source(source("assert x.dtype == np.float32 and x.dtype == nl.float32 and x.dtype != nl.bfloat16\nnl.store(out, 0.0)"), "kernel", [X])),
                         ["store"])


class Loops(Case):
    BODY = """
        for i in %s:
            nl.store(out[%s:%s + 64, 0:512], nl.multiply(nl.load(x[%s:%s + 64, 0:512]), 2.0))
        """

    def test_every_kind(self):
        for call, kind in (("nl.affine_range(0, 128, 64)", "affine"), ("nl.sequential_range(0, 128, 64)", "sequential"), ("range(0, 128, 64)", "sequential")):
            text = source(self.BODY % (call, "i", "i", "i", "i"))
            traced = trace_source(text, "kernel", [X])
            self.same(compute(traced, [X])[0], 2 * X[:128, :512])
            self.assertEqual([(loop["kind"], loop["start"], loop["step"], loop["trip"], loop["line"]) for loop in traced.ir["loops"]], [(kind, 0, 64, 2, 5)])
        traced = trace_source(source(self.BODY % ("nl.static_range(0, 128, 64)", "i", "i", "i", "i")), "kernel", [X])
        self.same(compute(traced, [X])[0], 2 * X[:128, :512])
        self.assertEqual(traced.ir["loops"], [])

    def test_a_negative_step(self):
        self.same(run(self.BODY % ("range(64, -1, -64)", "i", "i", "i", "i"), X), 2 * X[:128, :512])

    def test_no_iterations(self):
        traced = trace_source(source("for i in nl.affine_range(0):\n    nl.store(out[0:1], 0.0)\nnl.store(out, 1.0)"), "kernel", [X])
        self.assertEqual((traced.ir["loops"], ops(traced)), ([], ["store"]))

    def test_range_in_a_comprehension_stays_python(self):
        self.same(run("sizes = [i * 2 for i in range(3)]\nnl.store(out, float(sum(sizes)))", X), np.full((128, 512), 6.0))

    def test_a_condition_on_the_index_unrolls_that_loop_only(self):
        text = source("""
            for j in nl.affine_range(2):
                for i in nl.affine_range(4):
                    t = nl.load(x[0:128, j * 256 + i * 64:j * 256 + (i + 1) * 64])
                    if i > 0:
                        t = nl.multiply(t, 2.0)
                    nl.store(out[:, j * 256 + i * 64:j * 256 + (i + 1) * 64], t)
            """)
        traced = trace_source(text, "kernel", [X])
        self.assertEqual(traced.unrolled, [6])
        self.assertEqual([loop["trip"] for loop in traced.ir["loops"]], [2])
        wanted = 2 * X[:128, :512]
        wanted[:, 0:64] /= 2
        wanted[:, 256:320] /= 2
        self.same(compute(traced, [X])[0], wanted)

    def test_a_condition_that_is_always_true_unrolls_nothing(self):
        traced = trace_source(source("for i in nl.affine_range(4):\n    assert i < 4 and i >= 0 and i != 7\n    nl.store(out[:, i * 128:(i + 1) * 128], 0.0)"), "kernel", [X])
        self.assertEqual(traced.unrolled, [])

    def test_an_index_of_a_python_list_unrolls(self):
        self.same(run("factors = [1.0, 2.0]\nfor i in nl.affine_range(2):\n    nl.store(out[:, i * 256:(i + 1) * 256], factors[i])", X),
                  np.repeat([[1.0] * 256 + [2.0] * 256], 128, 0))

    def test_an_index_as_a_number_unrolls(self):
        self.same(run("for i in nl.affine_range(2):\n    nl.store(out[:, i * 256:(i + 1) * 256], nl.multiply(nl.load(x[0:128, 0:256]), i + 1))", X),
                  np.concatenate([X[:128, :256], 2 * X[:128, :256]], 1))
        self.same(run("for i in nl.affine_range(4):\n    k = i // 2\n    nl.store(out[:, i * 128:(i + 1) * 128], nl.load(x[0:128, k * 128:(k + 1) * 128]))", X),
                  np.concatenate([X[:128, :128], X[:128, :128], X[:128, 128:256], X[:128, 128:256]], 1))

    def test_keys_bits_and_quotients_unroll(self):
        columns = "nl.store(out[:, i * 128:(i + 1) * 128], float(%s))"
        for expression in ("{0: 5, 1: 6, 2: 7, 3: 8}[i]", "5 + (i & 3)", "5 + divmod(i, 4)[1]", "5 + min(i, 3)", "5 + (i ^ 0)", "5 + ((i << 1) >> 1)"):
            self.same(run("for i in nl.affine_range(4):\n    " + columns % expression, X), np.repeat(np.repeat([[5.0, 6, 7, 8]], 128, 1), 128, 0))

    def test_min_of_an_exact_tiling_unrolls_nothing(self):
        traced = trace_source(source("for i in nl.affine_range(4):\n    e = min((i + 1) * 128, 512)\n    nl.store(out[:, i * 128:e], 0.0)"), "kernel", [X])
        self.assertEqual((traced.unrolled, ops(traced)), ([], ["store"]))
        self.same(run("for i in nl.affine_range(2):\n    e = min((i + 1) * 300, 512)\n    nl.store(out[:, i * 300:e], nl.load(x[0:128, i * 300:e]))", X), X[:128, :512])

    def test_triangular_loops(self):
        text = source("for i in nl.affine_range(4):\n    for j in nl.affine_range(i + 1):\n        nl.store(out[:, j * 128:(j + 1) * 128], float(1))")
        self.assertEqual(ops(trace_source(text, "kernel", [X])), ["store"] * 4)

    def test_exact_division_of_an_index(self):
        traced = trace_source(source("for i in range(0, 512, 128):\n    nl.store(out[:, (i * 4) // 4:i + 128], 0.0)"), "kernel", [X])
        self.assertEqual(traced.unrolled, [])

    def test_lists_of_tiles(self):
        self.same(run("tiles = []\nfor i in nl.static_range(4):\n    tiles.append(nl.load(x[0:128, i * 128:(i + 1) * 128]))\n"
                      "for i in nl.static_range(4):\n    nl.store(out[:, i * 128:(i + 1) * 128], tiles[3 - i])", X),
                  X[:128, :512].reshape(128, 4, 128)[:, ::-1].reshape(128, 512))


class Assignment(Case):
    def traced(self, body, **options):
        return trace_source(source(body, **options), "kernel", [X])

    def test_an_instruction_is_redirected(self):
        traced = self.traced("t = nl.load(x[0:128, 0:512])\nu = nl.ndarray((128, 512), dtype=nl.float32)\nu[...] = nl.exp(t)\nnl.store(out, u)")
        self.assertEqual(ops(traced), ["load", "activation", "store"])
        self.same(compute(traced, [X])[0], np.exp(X[:128, :512]))

    def test_a_result_used_again_is_copied(self):
        traced = self.traced("t = nl.load(x[0:128, 0:512])\nu = nl.ndarray((128, 512), dtype=nl.float32)\ne = nl.exp(t)\nu[...] = e\nu[...] = nl.add(u, 1.0)\n"
                             "nl.store(out, nl.add(u, e))")
        self.assertEqual(ops(traced), ["load", "activation", "copy", "tensor_scalar", "tensor_tensor", "store"])
        self.same(compute(traced, [X])[0], 2 * np.exp(X[:128, :512]) + 1)

    def test_an_older_tile_is_copied(self):
        traced = self.traced("t = nl.load(x[0:128, 0:512])\nu = nl.ndarray((128, 512), dtype=nl.float32)\nv = nl.exp(t)\nu[...] = t\nnl.store(out, nl.add(u, v))")
        self.assertEqual(ops(traced), ["load", "activation", "copy", "tensor_tensor", "store"])

    def test_a_view_of_a_result_is_copied(self):
        traced = self.traced("t = nl.load(x[0:128, 0:512])\nu = nl.zeros((128, 512), dtype=nl.float32)\nu[:, 0:1] = nl.exp(t)[:, 511]\nnl.store(out, u)")
        self.assertEqual(ops(traced), ["load", "memset", "activation", "copy", "store"])

    def test_rounding_is_not_lost(self):
        traced = self.traced("t = nl.load(x[0:128, 0:512])\nu = nl.ndarray((128, 512), dtype=nl.float32)\nu[...] = nl.exp(t, dtype=nl.bfloat16)\nnl.store(out, u)")
        self.same(compute(traced, [X])[0], round_bfloat16(np.exp(X[:128, :512])))

    def test_other_shapes(self):
        body = "t = nl.load(x[0:128, 0:512])\nu = nl.ndarray((128, 4, 128), dtype=nl.float32)\nu[...] = nl.add(t, 1.0)\nnl.store(out, u[:, 3, :])"
        traced = self.traced(body, shape="(128, 128)")
        self.assertEqual(ops(traced), ["load", "tensor_scalar", "store"])
        self.same(compute(traced, [X])[0], X[:128, 384:512] + 1)
        body = "t = nl.load(x[0:128, 0:512]).reshape((128, 4, 128))\nu = nl.ndarray((128, 512), dtype=nl.float32)\nu[...] = nl.add(t, t)\nnl.store(out, u)"
        self.same(run(body, X), 2 * X[:128, :512])
        body = "t = nl.load(x[0:128, 0:1])\nu = nl.ndarray((128, 512), dtype=nl.float32)\nu[...] = nl.exp(t)\nnl.store(out, u)"
        self.same(run(body, X), np.repeat(np.exp(X[:128, :1]), 512, 1))

    def test_overlap(self):
        self.same(run("t = nl.load(x[0:128, 0:513])\nt[:, 1:513] = nl.copy(t[:, 0:512])\nnl.store(out, t[:, 1:513])", X), X[:128, :512])

    def test_updates(self):
        for operator, wanted in (("+=", lambda a, b: a + b), ("-=", lambda a, b: a - b), ("*=", lambda a, b: a * b), ("/=", lambda a, b: a / b)):
            body = "a = nl.load(x[0:128, 0:512])\nb = nl.load(x[128:256, 0:512])\na %s b\nnl.store(out, a)" % operator
            self.same(run(body, X), wanted(X[:128, :512], X[128:, :512]), 1e-5)
            body = "a = nl.load(x[0:128, 0:512])\na[:, 0:256] %s 4.0\nnl.store(out, a)" % operator
            self.same(run(body, X), np.concatenate([wanted(X[:128, :256], 4), X[:128, 256:512]], 1), 1e-5)
        traced = self.traced("a = nl.zeros((2, nl.par_dim(128), 512), dtype=nl.float32)\nfor i in nl.sequential_range(2):\n"
                             "    a[1, 0:128, 0:512] += nl.load(x[i * 128:(i + 1) * 128, 0:512])\nnl.store(out, a[1])")
        self.assertEqual(ops(traced), ["memset", "load", "tensor_tensor", "store"])
        self.same(compute(traced, [X])[0], X[:128, :512] + X[128:, :512])

    def test_names_bound_to_views_and_rebound(self):
        body = """
            both = nl.ndarray((128, 512), dtype=nl.float32)
            a = both[0:64]
            a = nl.load(x[0:64, 0:512])
            b = nl.load(x[64:128, 0:512])
            r = nl.ndarray((128, 512), dtype=nl.float32)
            r[0:64] = nl.subtract(a, b)
            r[64:128] = nl.add(a, b)
            nl.store(out, r)
            """
        self.same(run(body, X), np.concatenate([X[:64, :512] - X[64:128, :512], X[:64, :512] + X[64:128, :512]]))


class Accumulation(Case):
    def test_psum(self):
        w = normal(256, 512)
        body = """
            acc = nl.zeros((128, 512), nl.float32, buffer=nl.psum%s)
            for k in nl.affine_range(2):
                a = nl.load(x[k * 128:(k + 1) * 128, 0:128])
                acc%s += %s(a, nl.load(w[k * 128:(k + 1) * 128, :])%s)
            nl.store(out, nl.copy(acc))
            """
        wanted = X[:, :128].T @ w
        for lazy in ("", ", lazy_initialization=True"):
            for index in ("", "[...]", "[0:128, 0:512]", "[nl.arange(128)[:, None], nl.arange(512)[None, :]]"):
                for call in (("nisa.nc_matmul", ""), ("nl.matmul", ", transpose_x=True")):
                    text = source(body % (lazy, index, call[0], call[1]), parameters="x, w")
                    traced = trace_source(text, "kernel", [X, w])
                    self.assertEqual(ops(traced), ["load", "load", "matmul", "copy", "store"])
                    self.assertTrue(nodes(traced.ir)[2]["accumulate"])
                    self.assertEqual([t.get("init") for t in traced.ir["tensors"] if t["buffer"] == "psum"], [0.0])
                    self.same(compute(traced, [X, w])[0], wanted, 1e-5)

    def test_psum_without_zeros_starts_at_zero_if_it_only_accumulates(self):
        body = "a = nl.load(x[0:128, 0:128])\nacc = nl.ndarray((128, 128), dtype=nl.float32, buffer=nl.psum)\nfor k in nl.affine_range(2):\n" \
               "    acc[...] += nisa.nc_matmul(a, a)\nnl.store(out, acc)"
        self.same(run(body, X, shape="(128, 128)"), 2 * X[:128, :128].T @ X[:128, :128], 1e-5)

    def test_psum_in_blocks_and_assignment_overwrites(self):
        body = """
            acc = nl.zeros((2, nl.par_dim(128), 512), nl.float32, buffer=nl.psum)
            a = nl.load(x[0:128, 0:128])
            for i in nl.affine_range(2):
                for k in nl.sequential_range(3):
                    acc[i, 0:128, 0:512] %s nisa.nc_matmul(a, nl.load(x[0:128, i * 512:(i + 1) * 512]))
            for i in nl.affine_range(2):
                nl.store(out[:, i * 512:(i + 1) * 512], acc[i])
            """
        wanted = X[:128, :128].T @ X[:128]
        self.same(run(body % "+=", X, shape="(128, 1024)"), 3 * wanted, 1e-5)
        self.same(run(body % "=", X, shape="(128, 1024)"), wanted, 1e-5)

    def test_a_product_that_is_accumulated_and_used(self):
        body = "a = nl.load(x[0:128, 0:128])\nacc = nl.zeros((128, 128), nl.float32, buffer=nl.psum)\np = nisa.nc_matmul(a, a)\nacc += p\nacc += nisa.nc_matmul(a, a)\n" \
               "nl.store(out, nl.add(acc, nl.copy(p)))"
        self.same(run(body, X, shape="(128, 128)"), 3 * X[:128, :128].T @ X[:128, :128], 1e-5)

    def test_matmul_with_transposes(self):
        traced = trace_source(source("p = nl.matmul(nl.load(x[0:128, 0:64]), nl.load(x[0:64, 0:512]))\nnl.store(out, p)"), "kernel", [X])
        self.assertEqual(ops(traced), ["load", "load", "transpose", "copy", "matmul", "store"])
        self.assertTrue(nodes(traced.ir)[2]["attrs"]["nl_matmul"])
        self.same(compute(traced, [X])[0], X[:128, :64] @ X[:64, :512], 1e-5)

    def test_transposes(self):
        for call in ("nl.transpose(t)", "nisa.nc_transpose(t)", "nisa.nc_matmul(t, nl.load(nl.shared_constant(np.identity(128, dtype=np.float32))), is_transpose=True)"):
            self.same(run("t = nl.load(x[0:128, 0:100])\nnl.store(out, %s)" % call, X, shape="(100, 128)"), X[:128, :100].T)
        self.same(run("t = nl.load(x[0:32, 0:20])\nnl.store(out, nisa.nc_transpose(t, engine=nisa.vector_engine))", X, shape="(20, 32)"), X[:32, :20].T)
        self.same(run("nl.store(out, nl.load_transpose2d(x[0:256, 0:100]))", X, shape="(100, 256)"), X[:, :100].T)

    def test_moving_operand_of_several_axes(self):
        self.same(run("a = nl.load(x[0:128, 0:64])\nb = nl.load(x[0:128, 0:512]).reshape((128, 4, 128))\nnl.store(out, nisa.nc_matmul(a, b))", X, shape="(64, 4, 128)"),
                  (X[:128, :64].T @ X[:128, :512]).reshape(64, 4, 128), 1e-5)

    def test_loop_reduce(self):
        body = """
            r = %s
            for i in nl.affine_range(2):
                for j in nl.affine_range(4):
                    t = nl.load(x[i * 128:(i + 1) * 128, j * 128:(j + 1) * 128])
                    r[0:128, 0:128] = nl.loop_reduce(t, op=np.%s, loop_indices=[i, j], dtype=np.float32)
            nl.store(out, r)
            """
        stacked = X[:, :512].reshape(2, 128, 4, 128)
        empty, filled = "nl.ndarray((128, 128), dtype=nl.float32)", "nl.full((128, 128), 1.0, nl.float32)"
        self.same(run(body % (empty, "add"), X, shape="(128, 128)"), stacked.sum((0, 2)), 1e-5)
        self.same(run(body % (empty, "max"), X, shape="(128, 128)"), stacked.max((0, 2)))
        self.same(run(body % (filled, "add"), X, shape="(128, 128)"), 1 + stacked.sum((0, 2)), 1e-5)
        named = "for i in nl.affine_range(4):\n    r = nl.loop_reduce(nl.load(x[0:128, i * 128:(i + 1) * 128]), nl.add, [i])\nnl.store(out, r)"
        self.same(run(named, X, shape="(128, 128)"), X[:128, :512].reshape(128, 4, 128).sum(1), 1e-5)


class Masks(Case):
    def test_rows_and_columns(self):
        body = """
            i, j = nl.arange(128)[:, None], nl.arange(512)[None, :]
            for r in nl.affine_range(2):
                for c in nl.affine_range(2):
                    m = (r * 128 + i < 200) & (512 * c + j <= 699)
                    t = nl.load(x[r * 128 + i, c * 512 + j], mask=m)
                    nl.store(out[r * 128 + i, c * 512 + j], nl.multiply(t, 2.0, mask=m), mask=m)
            """
        self.same(run(body, X[:200, :700], shape="(200, 700)"), 2 * X[:200, :700])

    def test_the_compilers_spelling(self):
        body = """
            for r in nl.affine_range(2):
                t = nl.load(x[128 * r + nl.arange(128)[:, None], nl.arange(512)[None, :]], mask=-128 * r + -1 * nl.arange(128)[:, None] + 199 >= 0)
                nl.store(out[128 * r + nl.arange(128)[:, None], nl.arange(512)[None, :]], value=t, mask=-128 * r + -1 * nl.arange(128)[:, None] + 199 >= 0)
            """
        self.same(run(body, X[:200, :512], shape="(200, 512)"), X[:200, :512])

    def test_masked_elements_keep_their_value(self):
        self.same(run("t = nl.zeros((128, 512), dtype=nl.float32)\ni, j = nl.mgrid[0:128, 0:512]\nt[i, j] = nl.load(x[i, j], mask=(j < i))\nnl.store(out, t)", X),
                  np.tril(X[:128, :512], -1))

    def test_reduction_and_slices(self):
        self.same(run("t = nl.load(x[0:128, 0:512])\nnl.store(out, nl.sum(t, axis=1, mask=(nl.arange(512)[None, :] < 100)))", X, shape="(128, 1)"),
                  X[:128, :100].sum(1, keepdims=True), 1e-5)
        self.same(run("for k in nl.affine_range(2):\n    nl.store(out[k * 128:(k + 1) * 128, :], nl.load(x[k * 128:(k + 1) * 128, 0:512], "
                      "mask=(k * 128 + nl.arange(128)[:, None] < 256)))", X, shape="(256, 512)"), X[:, :512])

    def test_matmul(self):
        body = """
            a = nl.load(x[0:128, 0:128])
            b = nl.ndarray((128, 512), dtype=nl.float32)
            b[...] = nl.load(x[0:128, 0:512], mask=(nl.arange(512)[None, :] < 400))
            p = nl.zeros((128, 512), nl.float32, buffer=nl.psum)
            p[...] += nisa.nc_matmul(a, b, mask=(nl.arange(512)[None, :] < 400))
            nl.store(out, nl.copy(p))
            """
        wanted = X[:128, :128].T @ X[:128, :512]
        wanted[:, 400:] = 0
        self.same(run(body, X), wanted, 1e-5)

    def test_affine_select_and_iota(self):
        self.same(run("t = nl.load(x[0:128, 0:512])\ni, j = nl.mgrid[0:128, 0:512]\nnl.store(out, nisa.affine_select(i >= j, t, -9.0))", X),
                  np.where(np.arange(128)[:, None] >= np.arange(512), X[:128, :512], -9))
        self.same(run("for r in nl.affine_range(2):\n    nl.store(out[r * 64:(r + 1) * 64], nisa.iota(64 * r + nl.arange(64)[:, None] + 2 * nl.arange(512)[None, :], dtype=nl.float32))", X),
                  np.arange(128)[:, None] + 2 * np.arange(512))


class Programs(Case):
    def test_a_dump_with_imports_inside_the_body(self):
        traced = trace_text("""
            import numpy as np
            import neuronxcc.nki as nki
            import neuronxcc.nki.language as nl
            from neuronxcc.nki import trace

            @nki.jit
            def kernel(v1):
                import numpy as np
                import neuronxcc.nki as nki
                import neuronxcc.nki.language as nl
                import neuronxcc.nki.typing as nt
                import neuronxcc.nki.isa as nisa
                from neuronxcc.nki import trace
                from neuronxcc.nki.language import par_dim
                v2 = nl.ndarray((256, 1024), dtype=np.float32, buffer=nl.shared_hbm)
                v3 = nl.ndarray((nl.par_dim(128), 1), dtype=np.float32, name='memset.1', buffer=nl.sbuf)
                v4 = nl.ndarray((2, 2, nl.par_dim(128), 512), dtype=np.float32, name='', buffer=nl.sbuf)
                v5 = nl.ndarray((2, 2, nl.par_dim(128), 512), dtype=np.float32, name='', buffer=nl.sbuf)
                v3[nl.arange(128)[:, None], 0] = nisa.memset(shape=(128, 1), value=np.dtype(np.uint16).type(0), dtype=np.float32, mask=None, engine=nki.isa.unknown_engine)
                for i0 in nl.affine_range(2):
                    for i1 in nl.affine_range(2):
                        v4[i0, i1, nl.arange(128)[:, None], nl.arange(512)[None, :]] = nl.load(v1[128 * i0 + nl.arange(128)[:, None], nl.arange(512)[None, :] + 512 * i1], dtype=np.float32, mask=None)
                        v5[i0, i1, nl.arange(128)[:, None], nl.arange(512)[None, :]] = nisa.activation(op=nl.exp, data=v4[i0, i1, nl.arange(128)[:, None], nl.arange(512)[None, :]], bias=v3[nl.arange(128)[:, None], 0], scale=-1.0, mask=None, dtype=np.float32)
                        nl.store(v2[128 * i0 + nl.arange(128)[:, None], nl.arange(512)[None, :] + 512 * i1], value=v5[i0, i1, nl.arange(128)[:, None], nl.arange(512)[None, :]], mask=None)
                        ' end loop i1 '
                    ' end loop i0 '
                return v2
            """, X)
        self.assertEqual(ops(traced), ["memset", "load", "activation", "store"])
        self.same(compute(traced, [X])[0], np.exp(-X))

    def test_several_outputs_helpers_and_plain_arguments(self):
        traced = trace_text("""
            def scaled(t, factor):
                return nl.multiply(t, factor)

            @nki.jit
            def kernel(x, factor, name="none"):
                a = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
                b = nl.ndarray((128, 1), dtype=x.dtype, buffer=nl.shared_hbm)
                t = nl.load(x)
                nl.store(a, scaled(t, factor))
                nl.store(b, nl.sum(t, axis=1))
                return a, b
            """, X[:128], 2.5)
        self.assertEqual(traced.inputs, [0])
        a, b = compute(traced, [X[:128], 2.5])
        self.same(a, 2.5 * X[:128])
        self.same(b, X[:128].sum(1, keepdims=True), 1e-4)

    def test_optimized_kernel_as_entry(self):
        trace_source("@nki.jit\ndef optimized_kernel(x):\n    o = nl.ndarray((1, 1), dtype=nl.float32, buffer=nl.shared_hbm)\n    nl.store(o, 1.0)\n    return o\n", "kernel", [X])

    def test_grid(self):
        text = """
            @nki.jit
            def kernel(x):
                out = nl.ndarray((256, 512), dtype=nl.float32, buffer=nl.shared_hbm)
                i, j = nl.program_id(0), nl.program_id(axis=1)
                assert nl.num_programs(0) == 2 and nl.program_ndim() == 2
                nl.store(out[i * 128:(i + 1) * 128, j * 256:(j + 1) * 256], nl.load(x[i * 128:(i + 1) * 128, j * 256:(j + 1) * 256]))
                return out
            """
        traced = trace_text(text, X, grid=(2, 2))
        self.assertEqual([loop["kind"] for loop in traced.ir["loops"]], ["spmd", "spmd"])
        self.assertEqual([t["loops"] for t in traced.ir["tensors"] if t["kind"] == "output"], [[]])
        self.same(compute(traced, [X])[0], X[:, :512])

    def test_mutable_parameter_written_in_place(self):
        traced = trace_text("@nki.jit\ndef kernel(x: nt.mutable_tensor):\n    nl.store(x[0:128], nl.multiply(nl.load(x[0:128]), 2.0))\n    return x\n", X)
        self.same(compute(traced, [X])[0], np.concatenate([2 * X[:128], X[128:]]))

    def test_a_reshape_of_the_output_is_returned(self):
        body = """
            @nki.jit
            def kernel(x):
                out = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.shared_hbm)
                nl.store(out, nl.multiply(nl.load(x[0:128, 0:512]), nl.finfo(nl.float32).max / 1e38))
                return out.reshape(shape=%s)
            """
        for shape in ((64, 1024), (2, 64, 512), (65536,), (128, 512)):
            self.same(compute(trace_text(body % (shape,), X), [X])[0], 3.4028235 * X[:128, :512].reshape(shape))

    def test_the_real_modules_come_back(self):
        import sys
        trace_source(source("nl.store(out, 0.0)"), "kernel", [X])
        self.assertNotIn("neuronxcc", sys.modules)

    def test_two_traces_agree(self):
        text = source("for i in nl.affine_range(4):\n    t = nl.load(x[0:128, i * 128:(i + 1) * 128])\n    nl.store(out[:, i * 128:(i + 1) * 128], nl.exp(t))")
        self.assertEqual(trace_source(text, "kernel", [X]).ir, trace_source(text, "kernel", [TensorSpec(X.shape)]).ir)

    def test_infinite_constants(self):
        traced = trace_source(source("nl.store(out, nl.maximum(nl.load(x[0:128, 0:512]), float('-inf')))"), "kernel", [X])
        self.assertEqual(nodes(traced.ir)[1]["src"][1], {"const": "-inf"})


if __name__ == "__main__":
    unittest.main()
