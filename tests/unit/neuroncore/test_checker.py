# SPDX-License-Identifier: GPL-3.0-or-later
"""Each rule of the checker with what breaks it, and with what nearly does."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from irbuilder import IR, affine, call  # noqa: E402


def rows(tensor, ir, shape, index):
    return ir.access(tensor, shape, index)


class Checker(unittest.TestCase):
    def passes(self, ir, target="trn1", mode="check"):
        answer = call(mode, ir, target=target)
        self.assertEqual(answer["status"], "ok", answer.get("error"))

    def fails(self, ir, text, identity=None, line=None, kind="rule", target="trn1"):
        answer = call("check", ir, target=target)
        self.assertEqual(answer["status"], "error", "accepted")
        error = answer["error"]
        self.assertEqual(error["kind"], kind)
        self.assertIn(text, error["message"])
        self.assertGreater(error["line"], 0)
        if identity is not None:
            self.assertEqual(error["id"], identity)
        if line is not None:
            self.assertEqual(error["line"], line)

    def two_tiles(self, buffer_a, buffer_b, operation="tensor_tensor", **attributes):
        """Two tiles filled by memset, combined, stored."""
        ir = IR()
        a, b, c = ir.tensor((128, 64), buffer_a), ir.tensor((128, 64), buffer_b), ir.tensor((128, 64))
        ir.do("memset", ir.whole(a), [("value", 1.0)])
        ir.do("memset", ir.whole(b), [("value", 2.0)])
        roles = [("a", ir.whole(a)), ("b", ir.whole(b))] if operation == "tensor_tensor" else [("data", ir.whole(a))]
        ir.do(operation, ir.whole(c), roles, **attributes)
        ir.store(c)
        return ir

    def test_both_inputs_in_psum(self):
        self.fails(self.two_tiles("psum", "psum", op="add"), "both inputs in PSUM", "err_unsupported_memory", 3)
        self.passes(self.two_tiles("psum", "sbuf", op="add"))
        self.passes(self.two_tiles("sbuf", "psum", op="add"))

    def test_gpsimd_cannot_see_psum(self):
        self.fails(self.two_tiles("psum", "sbuf", op="add", engine="gpsimd"), "GpSimd", "err_unsupported_memory", 3)
        self.passes(self.two_tiles("sbuf", "sbuf", op="add", engine="gpsimd"))

    def test_engines_have_their_operations(self):
        self.fails(self.two_tiles("sbuf", "sbuf", op="add", engine="scalar"), "cannot run on the scalar engine", line=3)
        self.fails(self.two_tiles("sbuf", "sbuf", "copy", engine="tensor"), "cannot run on the tensor engine")
        self.passes(self.two_tiles("sbuf", "sbuf", "copy", engine="scalar"))

    def matmul(self, k, m, n):
        ir = IR()
        s, v, p, y = ir.load(ir.input((k, m))), ir.load(ir.input((k, n))), ir.tensor((min(m, 128), n), "psum"), ir.tensor((min(m, 128), n))
        out = ir.whole(p) if m <= 128 else ir.access(p, (m, n), [affine(0, None, {0: 1}), affine(0, None, {1: 1})])
        ir.do("matmul", out, [("stationary", ir.whole(s)), ("moving", ir.whole(v))])
        ir.do("copy", ir.whole(y), [("data", ir.whole(p))])
        ir.store(y)
        return ir

    def test_matmul_limits(self):
        self.passes(self.matmul(128, 128, 512))
        self.fails(self.matmul(128, 128, 513), "at most 512", "err_size_of_dimension_exceed_arch_limit", 3)
        self.fails(self.matmul(128, 129, 512), "128", None)

    def transpose(self, rows_, columns, engine):
        ir = IR()
        a = ir.load(ir.input((rows_, columns)))
        t, y = ir.tensor((columns, rows_), "psum" if engine == "tensor" else "sbuf"), ir.tensor((columns, rows_))
        ir.do("transpose", ir.whole(t), [("data", ir.whole(a))], engine=engine)
        ir.do("copy", ir.whole(y), [("data", ir.whole(t))])
        ir.store(y)
        return ir

    def test_transpose_limits(self):
        self.passes(self.transpose(128, 128, "tensor"))
        self.passes(self.transpose(32, 32, "vector"))
        self.fails(self.transpose(32, 33, "vector"), "larger than 32x32", "err_size_of_dimension_exceed_arch_limit")

    def test_psum_tile_fits_a_bank(self):
        ir = IR()
        p, y = ir.tensor((128, 513), "psum"), ir.tensor((128, 513))
        ir.do("memset", ir.whole(p), [("value", 0.0)])
        ir.do("copy", ir.whole(y), [("data", ir.whole(p))])
        ir.store(y)
        self.fails(ir, "PSUM bank", "err_size_of_dimension_exceed_arch_limit", 1)

    def start(self, first, count):
        ir = IR()
        a = ir.load(ir.input((128, 16)))
        y = ir.tensor((count, 16))
        ir.do("copy", ir.whole(y), [("data", ir.access(a, (count, 16), [affine(first, None, {0: 1}), affine(0, None, {1: 1})]))])
        ir.store(y)
        return ir

    def test_start_partitions(self):
        for first, count in ((0, 128), (64, 64), (64, 33), (96, 32), (32, 1)):
            self.passes(self.start(first, count))
        for first, count in ((32, 64), (32, 33), (16, 16), (1, 1), (64 - 32, 96)):
            self.fails(self.start(first, count), "from partition %d" % first, line=2)

    def ragged(self, extent, mask):
        ir = IR()
        a, y = ir.input((300, 8)), ir.output((extent, 8))
        with ir.loop(3) as i:
            index = [affine(0, {i: 128}, {0: 1}), affine(0, None, {1: 1})]
            t = ir.tensor((128, 8))
            ir.do("load", ir.whole(t), [("data", ir.access(a, (128, 8), index))], mask=[affine(299, {i: -128}, {0: -1})])
            ir.do("store", ir.access(y, (128, 8), index), [("data", ir.whole(t))], **({"mask": [mask(i)]} if mask else {}))
        return ir

    def test_bounds(self):
        self.passes(self.ragged(300, lambda i: affine(299, {i: -128}, {0: -1})))
        self.passes(self.ragged(300, lambda i: affine(598, {i: -256}, {0: -2})))  # the same, doubled
        self.passes(self.ragged(384, None))
        self.fails(self.ragged(300, None), "reaches index 383", "err_tensor_access_out_of_bound", 2)
        self.fails(self.ragged(300, lambda i: affine(300, {i: -128}, {0: -1})), "reaches index", "err_tensor_access_out_of_bound", 2)

    def race(self, index, kind="affine", shape=(4, 128, 16), op=None, declared_inside=False):
        ir = IR()
        x = ir.input((128, 16))
        t = None if declared_inside else ir.tensor(shape, partition_dim=1)
        with ir.loop(4, kind) as i:
            if declared_inside:
                t = ir.tensor(shape, partition_dim=1)
            dst = ir.access(t, (128, 16), index(i))
            if op:
                ir.do("memset", dst, [("value", 0.0)]) if op == "memset" else ir.do("tensor_tensor", dst, [("a", dst), ("b", dst)], op=op)
            else:
                ir.do("load", dst, [("data", ir.whole(x))])
            y = ir.tensor((128, 16))
            ir.do("copy", ir.whole(y), [("data", dst)])
        ir.store(ir.load(x))
        return ir

    def test_races_between_affine_iterations(self):
        own = lambda i: [affine(0, {i: 1}), affine(0, None, {0: 1}), affine(0, None, {1: 1})]  # noqa: E731
        shared = lambda i: [affine(0), affine(0, None, {0: 1}), affine(0, None, {1: 1})]  # noqa: E731
        overlapping = lambda i: [affine(0), affine(0, None, {0: 1}), affine(0, {i: 8}, {1: 1})]  # noqa: E731
        touching = lambda i: [affine(0), affine(0, None, {0: 1}), affine(0, {i: 16}, {1: 1})]  # noqa: E731
        self.passes(self.race(own))
        self.fails(self.race(shared), "affine_range", "err_unexpected_output_dependencies", 1)
        self.passes(self.race(shared, "sequential"))
        self.passes(self.race(shared, declared_inside=True))
        self.fails(self.race(overlapping, shape=(1, 128, 64)), "affine_range", "err_unexpected_output_dependencies")
        self.passes(self.race(touching, shape=(1, 128, 64)))

    def test_sbuf_capacity(self):
        def tile(columns):
            ir = IR()
            ir.store(ir.load(ir.input((128, columns))))
            return ir
        self.passes(tile(48 * 1024))  # 192 KiB
        self.fails(tile(48 * 1024 + 1), "bytes per partition of SBUF", "GCA035", kind="memory")
        self.passes(tile(48 * 1024 + 1), target="trn2")  # 224 KiB

    def test_more_open_accumulations_than_banks(self):
        def groups(count):
            ir = IR()
            a, b = ir.load(ir.input((128, 128))), ir.load(ir.input((128, 512)))
            totals = [ir.tensor((128, 512), "psum", init=0.0) for _ in range(count)]
            with ir.loop(2, "sequential"):
                for total in totals:
                    ir.do("matmul", ir.whole(total), [("stationary", ir.whole(a)), ("moving", ir.whole(b))], accumulate=True)
            for total in totals:
                y = ir.tensor((128, 512))
                ir.do("copy", ir.whole(y), [("data", ir.whole(total))])
                ir.store(y)
            return ir
        self.passes(groups(8))
        self.fails(groups(9), "9 matmul accumulations", "GCA035", kind="memory")

    def test_reading_what_nothing_wrote(self):
        ir = IR()
        t, y = ir.tensor((128, 16)), ir.tensor((128, 16))
        ir.do("copy", ir.whole(y), [("data", ir.whole(t))])
        ir.store(y)
        self.fails(ir, "nothing ever writes", line=1)

        def columns(written):
            document = IR()
            x, tile, out = document.input((128, 16)), document.tensor((128, 32)), document.tensor((128, 16))
            document.do("load", document.access(tile, (128, 16), [affine(0, None, {0: 1}), affine(written, None, {1: 1})]), [("data", document.whole(x))])
            document.do("copy", document.whole(out), [("data", document.access(tile, (128, 16), [affine(0, None, {0: 1}), affine(0, None, {1: 1})]))])
            document.store(out)
            return document
        self.passes(columns(0))
        self.fails(columns(16), "nothing has written before", line=2)

    def test_output_without_a_store(self):
        ir = IR()
        ir.store(ir.load(ir.input((128, 8))))
        ir.output((128, 8))
        self.fails(ir, "never stored", "err_tensor_output_not_written_to")

    def test_operands_in_the_wrong_memory(self):
        ir = IR()
        x, t = ir.input((128, 8)), ir.tensor((128, 8))
        ir.do("activation", ir.whole(t), [("data", ir.whole(x))], func="exp")
        self.fails(ir, "is in HBM", "err_unsupported_memory", 1)

    def test_partition_counts_must_agree(self):
        ir = IR()
        a, b = ir.load(ir.input((128, 8))), ir.load(ir.input((64, 8)))
        c = ir.tensor((128, 8))
        ir.do("tensor_tensor", ir.whole(c), [("a", ir.whole(a)), ("b", ir.whole(b))], op="add")
        self.fails(ir, "128", "err_num_partition_mismatch", 3)


if __name__ == "__main__":
    unittest.main()
