# SPDX-License-Identifier: GPL-3.0-or-later
"""Every operation of the interpreter against NumPy."""
import math
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.dirname(__file__))
from irbuilder import IR, affine, call, run  # noqa: E402

rng = np.random.default_rng(7)


def array(*shape):
    return rng.standard_normal(shape, dtype=np.float32)


def unary(operation, x, out=None, **attributes):
    """load, one operation on the whole tile, store."""
    ir = IR()
    a = ir.load(ir.input(x.shape))
    b = ir.tensor(out or x.shape)
    ir.do(operation, ir.whole(b), [("data", ir.whole(a))], **attributes)
    ir.store(b)
    return run(ir, x)[0]


class Elementwise(unittest.TestCase):
    def close(self, actual, expected, tolerance, floor):
        expected = np.asarray(expected, dtype=np.float64)
        self.assertEqual(actual.shape, expected.shape)
        error = np.abs(actual - expected) / np.maximum(np.abs(expected), floor)
        self.assertLess(error.max(), tolerance)

    def test_activations(self):
        erf = np.vectorize(math.erf)
        x = (array(128, 301) * 4).astype(np.float32)
        d = x.astype(np.float64)
        sigmoid = 1 / (1 + np.exp(-d))
        positive = np.abs(x) + np.float32(0.01)
        for func, data, expected in [
                ("copy", x, d), ("square", x, d * d), ("sigmoid", x, sigmoid), ("relu", x, np.maximum(d, 0)), ("gelu", x, 0.5 * d * (1 + erf(d / math.sqrt(2)))),
                ("gelu_apprx_sigmoid", x, d / (1 + np.exp(-1.702 * d))), ("silu", x, d * sigmoid), ("silu_dx", x, sigmoid * (1 + d * (1 - sigmoid))),
                ("tanh", x, np.tanh(d)), ("softplus", x, np.log1p(np.exp(d))), ("erf", x, erf(d)), ("exp", x, np.exp(d)), ("log", positive, np.log(positive.astype(np.float64))),
                ("sin", x, np.sin(d)), ("cos", x, np.cos(d)), ("arctan", x, np.arctan(d)), ("sqrt", positive, np.sqrt(positive.astype(np.float64))),
                ("rsqrt", positive, 1 / np.sqrt(positive.astype(np.float64))), ("reciprocal", positive, 1 / positive.astype(np.float64)), ("sign", x, np.sign(d)),
                ("abs", x, np.abs(d)), ("ceil", x, np.ceil(d)), ("floor", x, np.floor(d)), ("rint", x, np.rint(d)), ("trunc", x, np.trunc(d)), ("negative", x, -d)]:
            with self.subTest(func):
                # sums that cancel are accurate to the size of their terms, not of the result
                cancels = "gelu" in func or "_dx" in func or func in ("sin", "cos", "log")
                self.close(unary("activation", data, func=func), expected, 3e-7, 1.0 if cancels else 1e-3)

    def test_exp_is_accurate_over_its_whole_range(self):
        x = np.linspace(-103.5, 88.7, 128 * 600, dtype=np.float32).reshape(128, 600)
        for kernels in ("v2", ""):
            ir = IR()
            a = ir.load(ir.input(x.shape))
            ir.do("activation", ir.whole(a), [("data", ir.whole(a))], func="exp")
            ir.store(a)
            y = run(ir, x, environment={"ACCELOPT_KERNELS": kernels})[0].astype(np.float64)
            expected = np.exp(x.astype(np.float64))
            normal = expected > 1.2e-38
            self.assertLess((np.abs(y - expected) / expected)[normal].max(), 1.5e-7)
            self.assertLess(np.abs(y - expected)[~normal].max(), 1e-44)

    def test_exp_of_extremes(self):
        x = np.array([[np.inf, -np.inf, np.nan, 89.0, -150.0, 0.0]], dtype=np.float32)
        y = unary("activation", x, func="exp")[0]
        self.assertEqual([y[0], y[1], y[3], y[4], y[5]], [np.inf, 0, np.inf, 0, 1])
        self.assertTrue(np.isnan(y[2]))

    def test_activation_scale_and_bias(self):
        x, bias, scale = array(96, 200), array(96, 1), array(96, 1)
        ir = IR()
        a, b, s = ir.load(ir.input(x.shape)), ir.load(ir.input(bias.shape)), ir.load(ir.input(scale.shape))
        y = ir.tensor(x.shape)
        ir.do("activation", ir.whole(y), [("data", ir.whole(a)), ("bias", ir.whole(b)), ("scale", ir.whole(s))], func="exp")
        ir.store(y)
        z = ir.tensor(x.shape)
        ir.do("activation", ir.whole(z), [("data", ir.whole(a)), ("scale", -2.0)], func="square")
        ir.store(z)
        y, z = run(ir, x, bias, scale)
        np.testing.assert_allclose(y, np.exp(x * scale + bias), rtol=2e-6)
        np.testing.assert_allclose(z, (x * -2) ** 2, rtol=1e-6)

    def test_binary_operations(self):
        x, y = array(128, 77), array(128, 77)
        y[:, ::7] = x[:, ::7]
        table = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "maximum": np.maximum, "minimum": np.minimum, "mod": np.mod,
                 "equal": np.equal, "not_equal": np.not_equal, "greater": np.greater, "greater_equal": np.greater_equal, "less": np.less, "less_equal": np.less_equal,
                 "logical_and": np.logical_and, "logical_or": np.logical_or, "abs_max": lambda a, b: np.maximum(np.abs(a), np.abs(b))}
        for op, expected in table.items():
            with self.subTest(op):
                ir = IR()
                a, b = ir.load(ir.input(x.shape)), ir.load(ir.input(y.shape))
                c = ir.tensor(x.shape)
                ir.do("tensor_tensor", ir.whole(c), [("a", ir.whole(a)), ("b", ir.whole(b))], op=op)
                ir.store(c)
                np.testing.assert_allclose(run(ir, x, y)[0], expected(x, y).astype(np.float32), rtol=1e-5, atol=1e-6)

    def test_free_axis_broadcast(self):
        x, y = array(64, 8, 32), array(64, 1, 32)
        ir = IR()
        a, b = ir.input(x.shape), ir.input(y.shape)
        s, t, u = ir.tensor(x.shape), ir.tensor(y.shape), ir.tensor(x.shape)
        ir.do("load", ir.whole(s), [("data", ir.whole(a))])
        ir.do("load", ir.whole(t), [("data", ir.whole(b))])
        ir.do("tensor_tensor", ir.whole(u), [("a", ir.whole(s)), ("b", ir.whole(t, x.shape))], op="subtract")
        ir.store(u)
        np.testing.assert_array_equal(run(ir, x, y)[0], x - y)

    def test_tensor_scalar_two_operations_and_reverse(self):
        x, v = array(100, 130), array(100, 1)
        ir = IR()
        a, b = ir.load(ir.input(x.shape)), ir.load(ir.input(v.shape))
        c = ir.tensor(x.shape)
        ir.do("tensor_scalar", ir.whole(c), [("data", ir.whole(a)), ("operand0", 3.0), ("operand1", ir.whole(b))], op0="subtract", reverse0=True, op1="multiply", reverse1=False)
        ir.store(c)
        np.testing.assert_allclose(run(ir, x, v)[0], (3 - x) * v, rtol=1e-6)

    def test_scalar_tensor_tensor(self):
        x, v, y = array(100, 130), array(100, 1), array(100, 130)
        ir = IR()
        a, b, c = ir.load(ir.input(x.shape)), ir.load(ir.input(v.shape)), ir.load(ir.input(y.shape))
        d = ir.tensor(x.shape)
        ir.do("scalar_tensor_tensor", ir.whole(d), [("data", ir.whole(a)), ("operand0", ir.whole(b)), ("operand1", ir.whole(c))], op0="multiply", op1="subtract", reverse0=False, reverse1=True)
        ir.store(d)
        np.testing.assert_allclose(run(ir, x, v, y)[0], y - x * v, rtol=1e-5, atol=1e-6)

    def test_reciprocal_copy_memset_iota_select(self):
        x = array(128, 40) + np.float32(3)
        np.testing.assert_allclose(unary("reciprocal", x), 1 / x, rtol=1e-6)
        np.testing.assert_array_equal(unary("copy", x), x)
        ir = IR()
        a = ir.load(ir.input(x.shape))
        i, m, p, s = (ir.tensor(x.shape) for _ in range(4))
        ir.do("iota", ir.whole(i), expr=affine(5, None, {0: 2, 1: -1}))
        ir.do("memset", ir.whole(m), [("value", -1.5)])
        ir.do("tensor_scalar", ir.whole(p), [("data", ir.whole(i)), ("operand0", 0.0)], op0="greater")
        ir.do("select", ir.whole(s), [("predicate", ir.whole(p)), ("on_true", ir.whole(a)), ("on_false", ir.whole(m))])
        ir.store(i), ir.store(s)
        iota, chosen = run(ir, x)
        expected = 5 + 2 * np.arange(128)[:, None] - np.arange(40)[None, :]
        np.testing.assert_array_equal(iota, expected)
        np.testing.assert_array_equal(chosen, np.where(expected > 0, x, np.float32(-1.5)))

    def test_rounding_to_bfloat16_and_float16(self):
        x = array(128, 64)
        for dtype in ("bfloat16", "float16"):
            ir = IR()
            a = ir.load(ir.input(x.shape))
            b = ir.tensor(x.shape, dtype=dtype)
            c = ir.tensor(x.shape)
            ir.do("copy", ir.whole(b), [("data", ir.whole(a))])
            ir.do("copy", ir.whole(c), [("data", ir.whole(b))])
            ir.store(c)
            expected = x.astype(np.float16).astype(np.float32) if dtype == "float16" else \
                ((x.view(np.uint32) + 0x7fff + ((x.view(np.uint32) >> 16) & 1)) & 0xffff0000).view(np.float32)
            np.testing.assert_array_equal(run(ir, x)[0], expected)


class Reductions(unittest.TestCase):
    def test_tensor_reduce(self):
        x = array(128, 1000)
        for op, expected in [("add", x.astype(np.float64).sum(1, keepdims=True)), ("maximum", x.max(1, keepdims=True)), ("minimum", x.min(1, keepdims=True))]:
            np.testing.assert_allclose(unary("tensor_reduce", x, out=(128, 1), op=op, axes=[1], negate=False), expected, rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(unary("tensor_reduce", x, out=(128, 1), op="maximum", axes=[1], negate=True), -x.max(1, keepdims=True))

    def test_reduce_of_an_inner_axis_and_a_nan(self):
        x = array(16, 5, 40)
        x[3, 2, 1] = np.nan
        ir = IR()
        s = ir.tensor(x.shape)
        ir.do("load", ir.whole(s), [("data", ir.whole(ir.input(x.shape)))])
        for axes, shape in (([2], (16, 5, 1)), ([1, 2], (16, 1, 1)), ([1], (16, 1, 40))):
            d = ir.tensor(shape)
            ir.do("tensor_reduce", ir.whole(d), [("data", ir.whole(s))], op="maximum", axes=axes)
            ir.store(d)
        a, b, c = run(ir, x)
        np.testing.assert_array_equal(a, x.max(2, keepdims=True))
        np.testing.assert_array_equal(b, x.max((1, 2), keepdims=True))
        np.testing.assert_array_equal(c, x.max(1, keepdims=True))

    def test_masked_reduce_leaves_out_what_does_not_exist(self):
        x = array(32, 50)
        ir = IR()
        s, d = ir.load(ir.input(x.shape)), ir.tensor((32, 1))
        ir.do("tensor_reduce", ir.whole(d), [("data", ir.whole(s))], op="add", axes=[1], mask=[affine(29, None, {1: -1})])
        ir.store(d)
        np.testing.assert_allclose(run(ir, x)[0], x[:, :30].sum(1, keepdims=True), rtol=1e-5, atol=1e-6)

    def test_long_sums_are_accurate(self):
        x = np.abs(array(128, 7168))
        exact = x.astype(np.float64).sum(1, keepdims=True)
        self.assertLess(np.abs(unary("tensor_reduce", x, out=(128, 1), op="add", axes=[1]) / exact - 1).max(), 1e-6)

    def test_scan(self):
        a, b, first = array(64, 90) * np.float32(0.5), array(64, 90), array(64, 1)
        ir = IR()
        s, t, u = ir.load(ir.input(a.shape)), ir.load(ir.input(b.shape)), ir.load(ir.input(first.shape))
        d = ir.tensor(a.shape)
        ir.do("tensor_tensor_scan", ir.whole(d), [("data0", ir.whole(s)), ("data1", ir.whole(t)), ("initial", ir.whole(u))], op0="multiply", op1="add")
        ir.store(d)
        r, expected = first[:, 0], np.empty_like(a)
        for k in range(90):
            expected[:, k] = r = a[:, k] * r + b[:, k]
        np.testing.assert_allclose(run(ir, a, b, first)[0], expected, rtol=2e-5, atol=1e-6)

    def test_reduction_on_the_side(self):
        x = array(128, 300)
        ir = IR()
        a, y, s, z, m = ir.load(ir.input(x.shape)), ir.tensor(x.shape), ir.tensor((128, 1)), ir.tensor(x.shape), ir.tensor((128, 1))
        ir.do("activation", ir.whole(y), [("data", ir.whole(a))], func="square", reduce_op="add", reduce_cmd="reset_reduce", dst2=ir.whole(s))
        ir.do("tensor_scalar", ir.whole(z), [("data", ir.whole(a)), ("operand0", 2.0)], op0="multiply", reduce_op="maximum", dst2=ir.whole(m))
        for t in (y, s, m):
            ir.store(t)
        y, s, m = run(ir, x)
        np.testing.assert_allclose(y, x * x, rtol=1e-6)
        np.testing.assert_allclose(s, (x.astype(np.float64) ** 2).sum(1, keepdims=True), rtol=1e-5)
        np.testing.assert_array_equal(m, 2 * x.max(1, keepdims=True))

    def test_loop_reduce_overwrites_first(self):
        x = array(6, 64, 32)
        ir = IR()
        source, total = ir.input(x.shape), ir.tensor((64, 32))
        with ir.loop(6) as i:
            tile = ir.tensor((64, 32))
            ir.do("load", ir.whole(tile), [("data", ir.access(source, (64, 32), [affine(0, {i: 1}), affine(0, None, {0: 1}), affine(0, None, {1: 1})]))])
            ir.do("loop_reduce", ir.whole(total), [("data", ir.whole(tile))], op="maximum", loops=[i], first="overwrite")
        ir.store(total)
        np.testing.assert_array_equal(run(ir, x)[0], x.max(0))

    def test_bn_stats_and_aggregation(self):
        x = array(128, 300)
        ir = IR()
        a, s, m = ir.load(ir.input(x.shape)), ir.tensor((128, 6)), ir.tensor((128, 2))
        ir.do("bn_stats", ir.whole(s), [("data", ir.whole(a))], engine="vector")
        ir.do("bn_aggr", ir.whole(m), [("data", ir.whole(s))], engine="vector")
        ir.store(m)
        mean, variance = run(ir, x)[0].T
        np.testing.assert_allclose(mean, x.mean(1), atol=1e-6)
        np.testing.assert_allclose(variance, x.var(1), rtol=1e-5)


class TensorEngine(unittest.TestCase):
    def test_accumulated_matmul(self):
        x, w = array(256, 128), array(256, 512)
        ir = IR()
        a, b = ir.input(x.shape), ir.input(w.shape)
        total = ir.tensor((128, 512), "psum", init=0.0)
        with ir.loop(2) as k:
            s, m = ir.tensor((128, 128)), ir.tensor((128, 512))
            ir.do("load", ir.whole(s), [("data", ir.access(a, (128, 128), [affine(0, {k: 128}, {0: 1}), affine(0, None, {1: 1})]))])
            ir.do("load", ir.whole(m), [("data", ir.access(b, (128, 512), [affine(0, {k: 128}, {0: 1}), affine(0, None, {1: 1})]))])
            ir.do("matmul", ir.whole(total), [("stationary", ir.whole(s)), ("moving", ir.whole(m))], accumulate=True)
        y = ir.tensor((128, 512))
        ir.do("copy", ir.whole(y), [("data", ir.whole(total))])
        ir.store(y)
        np.testing.assert_allclose(run(ir, x, w)[0], x.T.astype(np.float64) @ w, rtol=1e-4, atol=1e-4)

    def test_odd_sizes_and_strided_columns(self):
        x, w = array(65, 90), array(65, 200)
        ir = IR()
        a, b = ir.load(ir.input(x.shape)), ir.load(ir.input(w.shape))
        out, y = ir.tensor((30, 100), "psum"), ir.tensor((30, 100))
        ir.do("matmul", ir.whole(out), [("stationary", ir.access(a, (65, 30), [affine(0, None, {0: 1}), affine(1, None, {1: 3})])),
                                        ("moving", ir.access(b, (65, 100), [affine(0, None, {0: 1}), affine(0, None, {1: 2})]))])
        ir.do("copy", ir.whole(y), [("data", ir.whole(out))])
        ir.store(y)
        np.testing.assert_allclose(run(ir, x, w)[0], x[:, 1:90:3].T.astype(np.float64) @ w[:, ::2], rtol=1e-4, atol=1e-4)

    def test_transposes(self):
        x = array(100, 60)
        ir = IR()
        a = ir.load(ir.input(x.shape))
        t, y = ir.tensor((60, 100), "psum"), ir.tensor((60, 100))
        ir.do("transpose", ir.whole(t), [("data", ir.whole(a))])
        ir.do("copy", ir.whole(y), [("data", ir.whole(t))])
        ir.store(y)
        identity = ir.load(ir.input((100, 100)))
        t2, y2 = ir.tensor((60, 100), "psum"), ir.tensor((60, 100))
        ir.do("matmul", ir.whole(t2), [("stationary", ir.whole(a)), ("moving", ir.whole(identity))], is_transpose=True, is_moving_onezero=True)
        ir.do("copy", ir.whole(y2), [("data", ir.whole(t2))])
        ir.store(y2)
        y, y2 = run(ir, x, np.identity(100, dtype=np.float32))
        np.testing.assert_array_equal(y, x.T)
        np.testing.assert_array_equal(y2, x.T)
        answer, _ = call("run", ir, [x, 2 * np.identity(100, dtype=np.float32)])
        self.assertIn("identity", answer["error"]["message"])

    def test_partition_broadcast(self):
        x = array(1, 700)
        ir = IR()
        a, b = ir.load(ir.input(x.shape)), ir.tensor((128, 700))
        ir.do("partition_broadcast", ir.whole(b), [("data", ir.access(a, (128, 700), [affine(0), affine(0, None, {1: 1})]))])
        ir.store(b)
        np.testing.assert_array_equal(run(ir, x)[0], np.broadcast_to(x, (128, 700)))


class Semantics(unittest.TestCase):
    def test_masks_on_a_ragged_edge(self):
        x = array(300, 70)
        ir = IR()
        a, y = ir.input(x.shape), ir.output(x.shape)
        with ir.loop(3) as i:
            rows = affine(0, {i: 128}, {0: 1})
            mask = [affine(299, {i: -128}, {0: -1})]
            t = ir.tensor((128, 70))
            ir.do("load", ir.whole(t), [("data", ir.access(a, (128, 70), [rows, affine(0, None, {1: 1})]))], mask=mask)
            ir.do("activation", ir.whole(t), [("data", ir.whole(t))], func="exp", mask=mask)
            ir.do("store", ir.access(y, (128, 70), [rows, affine(0, None, {1: 1})]), [("data", ir.whole(t))], mask=mask)
        np.testing.assert_allclose(run(ir, x)[0], np.exp(x), rtol=1e-6)

    def test_unwritten_elements_are_nan(self):
        x = array(128, 64)
        ir = IR()
        a, t, y = ir.input(x.shape), ir.tensor((128, 64)), ir.output((128, 96))
        half = lambda tensor: ir.access(tensor, (128, 32), [affine(0, None, {0: 1}), affine(0, None, {1: 1})])  # noqa: E731
        ir.do("load", half(t), [("data", half(a))])
        ir.do("store", ir.access(y, (128, 64), [affine(0, None, {0: 1}), affine(0, None, {1: 1})]), [("data", ir.whole(t))])
        answer, (out,) = call("run", ir, [x])
        self.assertEqual(answer["finite"], False)
        np.testing.assert_array_equal(out[:, :32], x[:, :32])
        self.assertTrue(np.isnan(out[:, 32:]).all())

    def test_a_tile_is_fresh_in_every_iteration(self):
        # Written only in the first iteration (mask), read in all: later ones must not see the first one's values.
        x = array(4, 32, 16)
        ir = IR()
        a, y = ir.input(x.shape), ir.output(x.shape)
        place = lambda tensor, i: ir.access(tensor, (32, 16), [affine(0, {i: 1}), affine(0, None, {0: 1}), affine(0, None, {1: 1})])  # noqa: E731
        with ir.loop(4) as i:
            t = ir.tensor((32, 16))
            ir.do("load", ir.whole(t), [("data", place(a, i))], mask=[affine(0, {i: -1})])
            ir.do("store", place(y, i), [("data", ir.whole(t))])
        out = run(ir, x)[0]
        np.testing.assert_array_equal(out[0], x[0])
        self.assertTrue(np.isnan(out[1:]).all())

    def test_block_dimensions_that_carry_between_loops(self):
        x = array(3, 128, 40)
        ir = IR()
        a, y = ir.input(x.shape), ir.output(x.shape)
        blocks = ir.tensor((3, 128, 40), partition_dim=1)
        place = lambda tensor, i: ir.access(tensor, (128, 40), [affine(0, {i: 1}), affine(0, None, {0: 1}), affine(0, None, {1: 1})])  # noqa: E731
        with ir.loop(3) as i:
            ir.do("load", place(blocks, i), [("data", place(a, i))])
        with ir.loop(3) as j:
            ir.do("store", ir.access(y, (128, 40), [affine(2, {j: -1}), affine(0, None, {0: 1}), affine(0, None, {1: 1})]), [("data", place(blocks, j))])
        np.testing.assert_array_equal(run(ir, x)[0], x[::-1])

    def test_sum_carried_over_an_outer_sequential_loop(self):
        # total[b] is only touched at index b, yet it lives across the outer loop: its block dimension may not be contracted.
        x = array(4, 2, 64, 8)
        ir = IR()
        a, y = ir.input(x.shape), ir.output((2, 64, 8))
        total = ir.tensor((2, 64, 8), partition_dim=1)
        at = lambda tensor, b: ir.access(tensor, (64, 8), [affine(0, {b: 1}), affine(0, None, {0: 1}), affine(0, None, {1: 1})])  # noqa: E731
        with ir.loop(2) as z:
            ir.do("memset", at(total, z), [("value", 0.0)])
        with ir.loop(4, "sequential") as o:
            with ir.loop(2) as b:
                t = ir.tensor((64, 8))
                ir.do("load", ir.whole(t), [("data", ir.access(a, (64, 8), [affine(0, {o: 1}), affine(0, {b: 1}), affine(0, None, {0: 1}), affine(0, None, {1: 1})]))])
                ir.do("tensor_tensor", at(total, b), [("a", at(total, b)), ("b", ir.whole(t))], op="add")
        with ir.loop(2) as s:
            ir.do("store", at(y, s), [("data", at(total, s))])
        np.testing.assert_allclose(run(ir, x)[0], x.sum(0), rtol=1e-5, atol=1e-6)

    def test_threads_do_not_change_results(self):
        x = array(64 * 128, 512)
        ir = IR()
        a, y = ir.input(x.shape), ir.output(x.shape)
        with ir.loop(64) as i:
            place = lambda tensor: ir.access(tensor, (128, 512), [affine(0, {i: 128}, {0: 1}), affine(0, None, {1: 1})])  # noqa: E731
            t, s = ir.tensor((128, 512)), ir.tensor((128, 1))
            ir.do("load", ir.whole(t), [("data", place(a))])
            ir.do("tensor_reduce", ir.whole(s), [("data", ir.whole(t))], op="add", axes=[1])
            ir.do("tensor_scalar", ir.whole(t), [("data", ir.whole(t)), ("operand0", ir.whole(s))], op0="multiply")
            ir.do("store", place(y), [("data", ir.whole(t))])
        one, four = run(ir, x, arguments=["--threads", "1"])[0], run(ir, x, arguments=["--threads", "4"])[0]
        np.testing.assert_array_equal(one, four)
        np.testing.assert_allclose(one, x * x.sum(1, keepdims=True), rtol=1e-4, atol=1e-4)

    def test_loop_values_use_start_and_step(self):
        x = array(10, 128, 8)
        ir = IR()
        a, y = ir.input(x.shape), ir.output((3, 128, 8))
        with ir.loop(3, "sequential", start=2, step=3) as i:
            t = ir.tensor((128, 8))
            ir.do("load", ir.whole(t), [("data", ir.access(a, (128, 8), [affine(0, {i: 1}), affine(0, None, {0: 1}), affine(0, None, {1: 1})]))])
            ir.do("store", ir.access(y, (128, 8), [affine(0), affine(0, None, {0: 1}), affine(0, None, {1: 1})]), [("data", ir.whole(t))])
        out = run(ir, x)[0]
        np.testing.assert_array_equal(out[0], x[8])


if __name__ == "__main__":
    unittest.main()
