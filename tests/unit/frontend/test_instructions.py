# SPDX-License-Identifier: GPL-3.0-or-later
"""Arithmetic of nl and the instructions of nisa, traced and computed, against NumPy."""
import unittest

import numpy as np

from support import nodes, ops, run, source, trace_source
from test_language import Case, X


class Arithmetic(Case):
    def test_functions(self):
        positive = np.abs(X) + 0.1
        table = {"exp": np.exp, "log": np.log, "sqrt": np.sqrt, "rsqrt": lambda v: 1 / np.sqrt(v), "square": np.square, "reciprocal": lambda v: 1 / v,
                 "sigmoid": lambda v: 1 / (1 + np.exp(-v)), "silu": lambda v: v / (1 + np.exp(-v)), "tanh": np.tanh, "relu": lambda v: np.maximum(v, 0),
                 "abs": np.abs, "negative": np.negative, "sign": np.sign, "sin": np.sin, "cos": np.cos, "floor": np.floor, "ceil": np.ceil,
                 "softplus": lambda v: np.log1p(np.exp(v)), "copy": lambda v: v}
        for name, function in table.items():
            data = positive if name in ("log", "sqrt", "rsqrt") else X
            self.same(run("nl.store(out, nl.%s(nl.load(x[0:128, 0:512])))" % name, data), function(data[:128, :512]), 1e-5)

    def test_two_operands(self):
        a, b = X[:128, :512], X[128:, 512:]
        table = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "maximum": np.maximum, "minimum": np.minimum}
        for name, function in table.items():
            load = "a = nl.load(x[0:128, 0:512])\nb = nl.load(x[128:256, 512:1024])\n"
            self.same(run(load + "nl.store(out, nl.%s(a, b))" % name, X), function(a, b), 1e-5)
            self.same(run(load + "nl.store(out, nl.%s(a, 3.0))" % name, X), function(a, np.float32(3)), 1e-5)
            self.same(run(load + "nl.store(out, nl.%s(3.0, b))" % name, X), function(np.float32(3), b), 1e-5)
            self.same(run(load + "nl.store(out, nl.%s(a, b[:, 0:1]))" % name, X), function(a, b[:, 0:1]), 1e-5)
            self.same(run(load + "nl.store(out, nl.%s(a[:, 3], b))" % name, X), function(a[:, 3:4], b), 1e-5)
            self.same(run(load + "nl.store(out, nl.%s(a[0:1], b))" % name, X), function(a[0:1], b), 1e-5)
        self.assertEqual(ops(trace_source(source("nl.store(out, nl.add(nl.load(x[0:128, 0:512]), nl.load(x[0:1, 0:512])))"), "kernel", [X])),
                         ["load", "load", "partition_broadcast", "tensor_tensor", "store"])

    def test_operators(self):
        load = "a = nl.load(x[0:128, 0:512])\nb = nl.load(x[128:256, 512:1024])\n"
        a, b = X[:128, :512], X[128:, 512:]
        for text, wanted in (("a + b", a + b), ("a - b", a - b), ("a * b", a * b), ("a / b", a / b), ("-a", -a), ("2 - a", 2 - a), ("2 * a + b / 4", 2 * a + b / 4),
                             ("1 / b", 1 / b), ("a * b[:, 0:1]", a * b[:, :1]), ("abs(a)", np.abs(a)), ("np.float32(2) * a", 2 * a), ("(a > b)", (a > b) * 1.0),
                             ("(a <= 0.0) * a", np.minimum(a, 0)), ("a[:, 0:1] - b", a[:, :1] - b)):
            self.same(run(load + "nl.store(out, %s)" % text, X), wanted, 1e-5)

    def test_where_and_predicates(self):
        a, b = X[:128, :512], X[128:, :512]
        load = "a = nl.load(x[0:128, 0:512])\nb = nl.load(x[128:256, 0:512])\n"
        self.same(run(load + "nl.store(out, nl.where(a > b, a, b))", X), np.maximum(a, b))
        self.same(run(load + "nl.store(out, nl.where(nl.greater(a, 0.0), a, 0.0))", X), np.maximum(a, 0))
        self.same(run(load + "nisa.tensor_copy_predicated(src=b, dst=a, predicate=nl.less(a, b))\nnl.store(out, a)", X), np.maximum(a, b))

    def test_reductions(self):
        a = X[:128, :512]
        load = "a = nl.load(x[0:128, 0:512])\n"
        for name, function in (("sum", np.sum), ("max", np.max), ("min", np.min), ("mean", np.mean), ("var", np.var)):
            for axis in ("axis=1", "axis=[1]", "axis=-1", "axis=(1,), keepdims=True"):
                self.same(run(load + "nl.store(out, nl.%s(a, %s))" % (name, axis), X, shape="(128, 1)"), function(a, axis=1, keepdims=True), 1e-4)
        self.same(run(load + "nl.store(out, nl.sum(a.reshape((128, 4, 128)), axis=2))", X, shape="(128, 4)"), a.reshape(128, 4, 128).sum(2), 1e-4)
        self.same(run(load + "nl.store(out, nl.max(a.reshape((128, 4, 128)), axis=1))", X, shape="(128, 128)"), a.reshape(128, 4, 128).max(1))
        self.same(run(load + "nl.store(out, nl.mean(a.reshape((128, 4, 2, 64)), axis=[1, 3]))", X, shape="(128, 2)"), a.reshape(128, 4, 2, 64).mean((1, 3)), 1e-4)
        self.same(run(load + "nl.store(out, nl.sum(a.reshape((128, 4, 128)), axis=1, keepdims=True))", X, shape="(128, 1, 128)"),
                  a.reshape(128, 4, 128).sum(1, keepdims=True), 1e-4)
        self.same(run(load + "nl.store(out, nl.sum(a.reshape((128, 4, 128)), axis=[1, 2]))", X, shape="(128, 1)"), a.sum(1, keepdims=True), 1e-4)
        self.same(run(load + "r = nl.ndarray((128, 1), dtype=nl.float32)\nr[...] = nisa.tensor_reduce(np.max, a, axis=[1], negate=True)\nnl.store(out, r)", X, shape="(128, 1)"),
                  -a.max(1, keepdims=True))
        self.same(run(load + "nl.store(out, nisa.tensor_partition_reduce(nl.add, a))", X, shape="(1, 512)"), a.sum(0, keepdims=True), 1e-4)

    def test_composites(self):
        a = X[:128, :512]
        e = np.exp(a - a.max(1, keepdims=True))
        self.same(run("nl.store(out, nl.softmax(nl.load(x[0:128, 0:512]), axis=-1))", X), e / e.sum(1, keepdims=True), 1e-5)
        self.same(run("nl.store(out, nl.rms_norm(nl.load(x[0:128, 0:512]), nl.load(x[200:201, 0:512]), axis=-1, n=512, epsilon=1e-5))", X),
                  a / np.sqrt(np.mean(a * a, 1, keepdims=True) + 1e-5) * X[200:201, :512], 1e-5)

    def test_broadcast_to(self):
        self.same(run("g = nl.load(x[3:4, 0:512])\nnl.store(out, nl.multiply(nl.load(x[0:128, 0:512]), g.broadcast_to((128, 512))))", X), X[:128, :512] * X[3:4, :512])
        self.same(run("g = nl.load(x[0:128, 5])\nnl.store(out, g.broadcast_to((128, 512)))", X), np.repeat(X[:128, 5:6], 512, 1))
        self.same(run("g = nl.load(x[0:1, 0:1])\nnl.store(out, nl.broadcast_to(g, shape=(128, 512)))", X), np.full((128, 512), X[0, 0]))


class Instructions(Case):
    LOAD = "a = nl.load(x[0:128, 0:512])\nb = nl.load(x[128:256, 0:512])\nv = nl.load(x[0:128, 1000])\n"
    A, B, V = X[:128, :512], X[128:, :512], X[:128, 1000:1001]

    def check(self, call, wanted, tolerance=1e-5, **options):
        self.same(run(self.LOAD + call, X, **options), wanted, tolerance)

    def test_activation(self):
        self.check("nl.store(out, nisa.activation(op=nl.exp, data=a, scale=-0.5))", np.exp(-0.5 * self.A))
        self.check("nl.store(out, nisa.activation(np.exp, a, bias=v, scale=v))", np.exp(self.A * self.V + self.V))
        self.check("nl.store(out, nisa.activation(nl.square, a, bias=v, dtype=nl.bfloat16))", np.square(self.A + self.V), 1e-2)

    def test_activation_reductions(self):
        self.check("r = nl.ndarray((128, 1), dtype=nl.float32)\nnisa.activation_reduce(nl.exp, a, reduce_op=np.add, reduce_res=r[...], bias=v)\nnl.store(out, r)",
                   np.exp(self.A + self.V).sum(1, keepdims=True), shape="(128, 1)")
        self.check("""
r = nl.ndarray((128, 1), dtype=nl.float32)
nisa.activation(nl.copy, a, reduce_op=nl.add, reduce_cmd=nisa.reduce_cmd.reset_reduce)
nisa.activation(nl.copy, b, reduce_op=nl.add, reduce_res=r, reduce_cmd=nisa.reduce_cmd.reduce)
nl.store(out, r)""", (self.A + self.B).sum(1, keepdims=True), 1e-4, shape="(128, 1)")
        self.check("r = nl.ndarray((128, 1), dtype=nl.float32)\nt = nisa.tensor_scalar_reduce(data=a, op0=nl.multiply, operand0=v, reduce_op=np.max, reduce_res=r)\n"
                   "nl.store(out, nl.subtract(t, r))", self.A * self.V - (self.A * self.V).max(1, keepdims=True))

    def test_tensor_scalar(self):
        self.check("nl.store(out, nisa.tensor_scalar(a, np.multiply, 2.0, op1=np.add, operand1=v))", 2 * self.A + self.V)
        self.check("nl.store(out, nisa.tensor_scalar(data=a, op0=nl.subtract, operand0=v, reverse0=True, op1=np.subtract, operand1=1.0, reverse1=True))",
                   1 - (self.V - self.A))
        self.check("nl.store(out, nisa.tensor_scalar(a, np.maximum, np.float32(0), engine=nisa.gpsimd_engine))", np.maximum(self.A, 0))

    def test_tensor_tensor(self):
        self.check("nl.store(out, nisa.tensor_tensor(a, b, nl.subtract, engine=nisa.vector_engine))", self.A - self.B)
        self.check("nl.store(out, nisa.tensor_tensor(a.reshape((128, 4, 128)), b, np.multiply))", self.A * self.B)
        self.check("nl.store(out, nisa.scalar_tensor_tensor(data=a, op0=nl.multiply, operand0=v, op1=nl.subtract, operand1=b))", self.A * self.V - self.B)

    def test_scan(self):
        small = X * 0.3
        state, rows = small[:128, 1000], []
        for i in range(64):
            state = small[:128, i] * state + small[128:, i]
            rows.append(state)
        self.same(run(self.LOAD + "nl.store(out, nisa.tensor_tensor_scan(a[:, 0:64], b[:, 0:64], initial=v, op0=np.multiply, op1=np.add))", small, shape="(128, 64)"),
                  np.stack(rows, 1), 1e-5)

    def test_copies(self):
        self.check("nl.store(out, nisa.tensor_copy(a, engine=nisa.scalar_engine))", self.A)
        self.check("nisa.dma_copy(dst=out[0:128, 0:512], src=x[128:256, 0:512])", self.B)
        self.check("nisa.dma_copy(dst=a, src=x[128:256, 0:512], dst_rmw_op=np.add)\nnl.store(out, a)", self.A + self.B)
        self.check("c = nl.ndarray((64, 512), dtype=nl.float32)\nc[...] = nl.copy(a[64:128])\nnl.store(out, c)", self.A[64:], shape="(64, 512)")

    def test_statistics_and_search(self):
        self.check("nl.store(out, nisa.bn_aggr(nisa.bn_stats(a)))", np.stack([self.A.mean(1), self.A.var(1)], 1), 1e-5, shape="(128, 2)")
        self.check("nl.store(out, nisa.max8(src=a))", -np.sort(-self.A, 1)[:, :8], shape="(128, 8)")
        self.check("nl.store(out, nisa.nc_find_index8(data=a, vals=nisa.max8(src=a)))", np.argsort(-self.A, 1, kind="stable")[:, :8], shape="(128, 8)", dtype="nl.uint32")
        replaced = self.A.copy()
        np.put_along_axis(replaced, np.argsort(-self.A, 1)[:, :8], -100.0, 1)
        self.check("nl.store(out, nisa.nc_match_replace8(data=a, vals=nisa.max8(src=a), imm=-100.0))", replaced)

    def test_statistics_of_some_rows(self):
        rows = "mask=(nl.arange(128)[:, None] < 100)"
        self.check("s = nl.zeros((128, 2), dtype=nl.float32)\nt = nisa.bn_stats(a, %s)\ns[...] = nisa.bn_aggr(t, %s)\nnl.store(out, s)" % (rows, rows),
                   np.stack([self.A.mean(1), self.A.var(1)], 1) * (np.arange(128) < 100)[:, None], 1e-5, shape="(128, 2)")

    def test_shuffle(self):
        self.check("nisa.nc_stream_shuffle(src=a, dst=b, shuffle_mask=list(range(31, -1, -1)))\nnl.store(out, b)", self.A.reshape(4, 32, 512)[:, ::-1].reshape(128, 512))

    def test_names_engines_and_lines(self):
        text = source("\n\nt = nl.load(x[0:128, 0:512])\nu = nisa.tensor_tensor(\n    t, t, nl.add,\n    engine=nisa.gpsimd_engine)\nnl.store(out, u)")
        found = nodes(trace_source(text, "kernel", [X]).ir)
        self.assertEqual([node["engine"] for node in found], ["dma", "gpsimd", "dma"])
        self.assertEqual([found[0]["line"], found[2]["line"]], [5, 9])
        self.assertIn(found[1]["line"], (6, 7, 8))


if __name__ == "__main__":
    unittest.main()
