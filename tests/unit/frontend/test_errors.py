# SPDX-License-Identifier: GPL-3.0-or-later
"""Every error id of the front end, with its line, and beside each a near miss that must pass."""
import unittest

import numpy as np

from support import KernelError, TensorSpec, source, trace_source, trace_text

X = TensorSpec((256, 1024))
LOAD = "t = nl.load(x[0:128, 0:512])\n"
STORE = "\nnl.store(out[0:128, 0:512], t)"
FILL = "nl.store(out[0:128, 0:512], nl.load(x[0:128, 0:512]))\n"

# id, body that fails with "# here" on the line that must be named, body that passes
CASES = [
    ("err_1d_arange_not_supported",
     "t = nl.load(x[nl.arange(128), nl.arange(512)])  # here" + STORE,
     "t = nl.load(x[nl.arange(128)[:, None], nl.arange(512)[None, :]])" + STORE),
    ("err_unsupported_mixing_basic_advanced_tensor_indexing",
     "t = nl.load(x[nl.arange(128)[:, None], 0:512])  # here" + STORE,
     "t = nl.load(x[nl.arange(128)[:, None], nl.arange(512)[None, :]])" + STORE),
    ("err_unsupported_mixing_basic_advanced_tensor_indexing",
     "t = nl.load(x[nl.arange(128)[:, None], nl.ds(0, 512)])  # here" + STORE,
     "t = nl.load(x[nl.ds(0, 128), nl.ds(0, 512)])" + STORE),
    ("err_cannot_update_immutable_parameter",
     FILL + "nl.store(x[0:128, 0:512], 1.0)  # here",
     FILL + "nl.store(out[0:128, 0:512], 1.0)"),
    ("err_cannot_assign_to_index",
     FILL + "i = nl.arange(128)[:, None]\ni[0, 0] = 3  # here",
     FILL + "i = nl.arange(128)[:, None]\ni = i + 3"),
    ("err_local_variable_used_out_of_scope",
     "for i in nl.affine_range(2):\n    t = nl.load(x[i * 128:(i + 1) * 128, 0:512])\nnl.store(out[0:128, 0:512], t)  # here",
     "t = nl.ndarray((128, 512), dtype=nl.float32)\nfor i in nl.sequential_range(2):\n    t[...] = nl.load(x[i * 128:(i + 1) * 128, 0:512])\n"
     "nl.store(out[0:128, 0:512], t)"),
    ("err_local_variable_used_out_of_scope",
     "for i in nl.affine_range(2):\n    nl.store(out[0:128, i * 256:(i + 1) * 256], 1.0)\nnl.store(out[0:128, i:i + 1], 0.0)  # here",
     "for i in nl.affine_range(2):\n    nl.store(out[0:128, i * 256:(i + 1) * 256], 1.0)\nnl.store(out[0:128, 0:1], 0.0)"),
    ("err_local_variable_used_out_of_scope",  # rebinding a name makes a new tile
     LOAD + "for i in nl.sequential_range(2):\n    t = nl.add(t, 1.0)\nnl.store(out[0:128, 0:512], t)  # here",
     LOAD + "for i in nl.sequential_range(2):\n    t[...] = nl.add(t, 1.0)\nnl.store(out[0:128, 0:512], t)"),
    ("err_dynamic_control_flow_not_supported",
     LOAD + "if t[0:1, 0:1] > 0.0:  # here\n    t = nl.exp(t)" + STORE,
     LOAD + "if t.shape[0] > 64:\n    t = nl.exp(t)" + STORE),
    ("err_dynamic_control_flow_not_supported",
     LOAD + "for i in nl.affine_range(t[0:1, 0:1]):  # here\n    pass" + STORE,
     LOAD + "for i in nl.affine_range(t.shape[0]):\n    pass" + STORE),
    ("err_dynamic_control_flow_not_supported",
     FILL + "for i in nl.affine_range(4):  # here\n    nl.store(out[0:128, 0:512], 1.0)\n    break",
     FILL + "for i in nl.static_range(4):\n    nl.store(out[0:128, 0:512], 1.0)\n    break"),
    ("err_dynamic_control_flow_not_supported",
     LOAD + "while nl.max(t) > 0.0:  # here\n    pass" + STORE,
     LOAD + "n = 3\nwhile n > 0:\n    n -= 1" + STORE),
    ("err_ambiguous_tensor_truth_value",
     LOAD + "u = t and t  # here" + STORE,
     LOAD + "u = nl.logical_and(t, t)" + STORE),
    ("err_control_flow_condition_depending_on_arange",
     FILL + "i = nl.arange(128)[:, None]\nif i < 64:  # here\n    pass",
     FILL + "i = nl.arange(128)[:, None]\nif i < 128:\n    pass"),
    ("err_control_flow_condition_depending_on_arange",  # `and` of two masks
     "i = nl.arange(128)[:, None]\nj = nl.arange(512)[None, :]\nt = nl.load(x[i, j], mask=(i < 100) and (j < 400))  # here" + STORE,
     "i = nl.arange(128)[:, None]\nj = nl.arange(512)[None, :]\nt = nl.load(x[i, j], mask=(i < 100) & (j < 400))" + STORE),
    ("err_unsupported_expression_in_mask",
     "i = nl.arange(128)[:, None]\nj = nl.arange(512)[None, :]\nt = nl.load(x[i, j], mask=(i % 2 == 0))  # here" + STORE,
     "i = nl.arange(128)[:, None]\nj = nl.arange(512)[None, :]\nt = nl.load(x[i, j], mask=(i * 2 <= 100))" + STORE),
    ("err_unsupported_expression_in_mask",
     "i = nl.arange(128)[:, None]\nj = nl.arange(512)[None, :]\nt = nl.load(x[i, j], mask=(i < 100) | (j < 400))  # here" + STORE,
     "i = nl.arange(128)[:, None]\nj = nl.arange(512)[None, :]\nt = nl.load(x[i, j], mask=(i < 100) & (j < 400) & True)" + STORE),
    ("err_unsupported_expression_in_mask",
     LOAD + "u = nl.exp(t, mask=nl.greater(t, 0.0))  # here" + STORE,
     LOAD + "u = nl.where(nl.greater(t, 0.0), t, 0.0)" + STORE),
    ("err_tensor_access_out_of_bound",
     "t = nl.load(x[200 + nl.arange(128)[:, None], nl.arange(512)[None, :]])  # here" + STORE,
     "t = nl.load(x[128 + nl.arange(128)[:, None], nl.arange(512)[None, :]])" + STORE),
    ("err_tensor_access_out_of_bound",
     FILL + "for i in nl.affine_range(3):\n    t = nl.load(x[i * 100 + nl.arange(100)[:, None], nl.arange(512)[None, :]])  # here",
     FILL + "for i in nl.affine_range(3):\n    t = nl.load(x[i * 100 + nl.arange(100)[:, None], nl.arange(512)[None, :]], "
     "mask=(i * 100 + nl.arange(100)[:, None] < 256))"),
    ("err_tensor_access_out_of_bound",
     FILL + "for i in nl.affine_range(2):\n    t = nl.load(x[0:128, i - 1:i + 511])  # here",
     FILL + "for i in nl.affine_range(2):\n    t = nl.load(x[0:128, i + 512:i + 1023])"),
    ("err_shared_hbm_must_in_kernel_level",
     FILL + "for i in nl.affine_range(2):\n    a = nl.ndarray((128, 4), dtype=nl.float32, buffer=nl.shared_hbm)  # here",
     FILL + "for i in nl.affine_range(2):\n    a = nl.ndarray((128, 4), dtype=nl.float32, buffer=nl.hbm)"),
    ("err_hbm_tensor_with_init_value_not_supported",
     FILL + "a = nl.zeros((128, 4), dtype=nl.float32, buffer=nl.hbm)  # here",
     FILL + "a = nl.zeros((128, 4), dtype=nl.float32, buffer=nl.sbuf)"),
    ("err_num_partition_exceed_arch_limit",
     "t = nl.load(x[0:256, 0:512])  # here\nnl.store(out[0:128, 0:512], 0.0)",
     "t = nl.load(x[0:128, 0:512])\nnl.store(out[0:128, 0:512], 0.0)"),
    ("err_num_partition_exceed_arch_limit",
     FILL + "a = nl.ndarray((4, nl.par_dim(129), 4), dtype=nl.float32)  # here",
     FILL + "a = nl.ndarray((129, nl.par_dim(128), 4), dtype=nl.float32)"),
    ("err_num_partition_mismatch",
     LOAD + "u = nl.load(x[0:64, 0:512])\nt = nisa.tensor_tensor(t, u, nl.add)  # here" + STORE,
     LOAD + "u = nl.load(x[128:256, 0:512])\nt = nisa.tensor_tensor(t, u, nl.add)" + STORE),
    ("err_num_partition_mismatch",  # operators do not broadcast partitions, nl functions do
     LOAD + "u = nl.load(x[0:1, 0:512])\nt = t + u  # here" + STORE,
     LOAD + "u = nl.load(x[0:1, 0:512])\nt = nl.add(t, u)" + STORE),
    ("err_num_partition_mismatch",
     "a = nl.load(x[0:64, 0:128])\nb = nl.load(x[0:128, 0:512])\nt = nl.copy(nisa.nc_matmul(a, b))  # here" + STORE,
     "a = nl.load(x[0:128, 0:128])\nb = nl.load(x[0:128, 0:512])\nt = nl.copy(nisa.nc_matmul(a, b))" + STORE),
    ("err_unsupported_memory",
     "t = nl.exp(x[0:128, 0:512])  # here" + STORE,
     "t = nl.exp(nl.load(x[0:128, 0:512]))" + STORE),
    ("err_unsupported_memory",
     LOAD + "u = nl.load(t[0:128, 0:512])  # here" + STORE,
     LOAD + "u = nl.copy(t[0:128, 0:512])" + STORE),
    ("err_unsupported_memory",  # a matmul operand in PSUM
     "a = nl.load(x[0:128, 0:128])\np = nisa.nc_matmul(a, a)\nq = nisa.nc_matmul(p, a)  # here\nnl.store(out[0:128, 0:512], 0.0)",
     "a = nl.load(x[0:128, 0:128])\np = nl.copy(nisa.nc_matmul(a, a))\nq = nisa.nc_matmul(p, a)\nnl.store(out[0:128, 0:512], 0.0)"),
    ("err_unsupported_memory",
     LOAD + "out[0:128, 0:512] = t  # here",
     LOAD + "nl.store(out[0:128, 0:512], t)"),
    ("err_unsupported_memory",
     "t = nl.ndarray((128, 512), dtype=nl.float32)\nt[...] = x[0:128, 0:512]  # here" + STORE,
     "t = nl.ndarray((128, 512), dtype=nl.float32)\nt[...] = nl.load(x[0:128, 0:512])" + STORE),
    ("err_insufficient_rank",
     FILL + "a = nl.ndarray((128,), dtype=nl.float32)  # here",
     FILL + "a = nl.ndarray((128, 1), dtype=nl.float32)"),
    ("err_insufficient_rank",
     FILL + "a = nl.ndarray((4, nl.par_dim(128)), dtype=nl.float32)  # here",
     FILL + "a = nl.ndarray((4, nl.par_dim(128), 1), dtype=nl.float32)"),
    ("err_size_of_dimension_exceed_arch_limit",
     "a = nl.load(x[0:128, 0:256])\nb = nl.load(x[0:128, 0:512])\np = nisa.nc_matmul(a, b)  # here\nnl.store(out[0:128, 0:512], 0.0)",
     "a = nl.load(x[0:128, 0:128])\nb = nl.load(x[0:128, 0:512])\np = nisa.nc_matmul(a, b)\nnl.store(out[0:128, 0:512], 0.0)"),
    ("err_size_of_dimension_exceed_arch_limit",
     "a = nl.load(x[0:128, 0:128])\nb = nl.load(x[0:128, 0:513])\np = nl.matmul(a, b)  # here\nnl.store(out[0:128, 0:512], 0.0)",
     "a = nl.load(x[0:128, 0:128])\nb = nl.load(x[0:128, 0:512])\np = nl.matmul(a, b)\nnl.store(out[0:128, 0:512], 0.0)"),
    ("err_size_of_dimension_exceed_arch_limit",
     LOAD + "u = nisa.nc_transpose(t)  # here" + STORE,
     LOAD + "u = nisa.nc_transpose(t[:, 0:128])" + STORE),
    ("err_size_of_dimension_exceed_arch_limit",
     LOAD + "u = nisa.nc_transpose(t[0:32, 0:33], engine=nisa.vector_engine)  # here" + STORE,
     LOAD + "u = nisa.nc_transpose(t[0:32, 0:32], engine=nisa.vector_engine)" + STORE),
    ("err_size_of_dimension_exceed_arch_limit",
     "a = nl.load(x[0:128, 0:513])\ns = nisa.bn_stats(a)  # here\nnl.store(out[0:128, 0:512], 0.0)",
     "a = nl.load(x[0:128, 0:512])\ns = nisa.bn_stats(a)\nnl.store(out[0:128, 0:512], 0.0)"),
    ("err_exceed_max_supported_dimension",
     LOAD + "u = nl.transpose(t.reshape((128, 4, 128)))  # here" + STORE,
     LOAD + "u = nl.transpose(t.reshape((128, 4, 128))[:, 0, :])" + STORE),
    ("err_failed_to_infer_tile_from_local_tensor",
     "a = nl.zeros((4, nl.par_dim(128), 512), dtype=nl.float32)\nt = nl.exp(a)  # here" + STORE,
     "a = nl.zeros((4, nl.par_dim(128), 512), dtype=nl.float32)\nt = nl.exp(a[1])" + STORE),
    ("err_activation_bias_invalid_type",
     LOAD + "t = nisa.activation(nl.exp, t, bias=1.0)  # here" + STORE,
     LOAD + "t = nisa.activation(nl.exp, t, bias=nisa.memset((128, 1), 1.0, nl.float32))" + STORE),
    ("err_activation_bias_invalid_type",
     LOAD + "t = nisa.activation(nl.exp, t, bias=nisa.memset((128, 1), 1, nl.int32))  # here" + STORE,
     LOAD + "t = nisa.activation(nl.exp, t, bias=nisa.memset((128, 1), 1, nl.bfloat16))" + STORE),
    ("err_activation_scale_invalid_type",
     LOAD + "t = nisa.activation(nl.exp, t, scale=nisa.memset((128, 1), 1.0, nl.bfloat16))  # here" + STORE,
     LOAD + "t = nisa.activation(nl.exp, t, scale=nisa.memset((128, 1), 1.0, nl.float32))" + STORE),
    ("err_activation_scale_scalar_or_vector",
     LOAD + "t = nisa.activation(nl.exp, t, scale=t)  # here" + STORE,
     LOAD + "t = nisa.activation(nl.exp, t, scale=t[:, 3])" + STORE),
    ("err_shape_mismatch",
     LOAD + "t = nl.add(t, nl.load(x[0:128, 0:500]))  # here" + STORE,
     LOAD + "t = nl.add(t, nl.load(x[0:128, 0:1]))" + STORE),
    ("err_store_dst_shape_smaller_than_other_shape",
     "t = nl.ndarray((128, 256), dtype=nl.float32)\nt[...] = nl.load(x[0:128, 0:512])  # here\nnl.store(out[0:128, 0:512], 0.0)",
     "t = nl.ndarray((128, 512), dtype=nl.float32)\nt[...] = nl.load(x[0:128, 0:512])" + STORE),
    ("err_store_dst_shape_smaller_than_other_shape",
     LOAD + "nl.store(out[0:64, 0:512], t)  # here",
     LOAD + "nl.store(out[0:64, 0:512], t[0:64])"),
    ("err_nested_kernel_with_spmd_grid",
     FILL + "kernel[2](x)  # here",
     FILL + "pass"),
    ("err_unsupported_axis",
     LOAD + "u = nl.sum(t, axis=0)  # here" + STORE,
     LOAD + "u = nl.sum(t, axis=1)" + STORE),
    ("err_unsupported_axis",
     LOAD + "u = nisa.tensor_reduce(nl.add, t.reshape((128, 4, 128)), axis=[1])  # here" + STORE,
     LOAD + "u = nl.sum(t.reshape((128, 4, 128)), axis=1)" + STORE),
    ("err_unsupported_operator",
     LOAD + "t = nisa.tensor_tensor(t, t, np.divide)  # here" + STORE,
     LOAD + "t = nisa.tensor_tensor(t, t, np.multiply)" + STORE),
    ("err_unsupported_operator",
     LOAD + "t = nisa.tensor_scalar(t, nl.add, 1.0, op1=nl.bitwise_and, operand1=1)  # here" + STORE,
     LOAD + "t = nisa.tensor_scalar(t, nl.add, 1.0, op1=nl.multiply, operand1=2.0)" + STORE),
    ("err_unsupported_engine",
     LOAD + "t = nisa.tensor_copy(t, engine='vector')  # here" + STORE,
     LOAD + "t = nisa.tensor_copy(t, engine=nisa.vector_engine)" + STORE),
    ("err_unsupported_dtype",
     FILL + "t = nl.ndarray((128, 4), dtype=np.float64)  # here",
     FILL + "t = nl.ndarray((128, 4), dtype=np.float32)"),
    ("err_unsupported_shape",
     FILL + "t = nl.ndarray((128, 0), dtype=nl.float32)  # here",
     FILL + "t = nl.ndarray((128, 1), dtype=nl.float32)"),
    ("err_unsupported_operand",
     FILL + "t = nl.exp(3.0)  # here",
     FILL + "t = nl.exp(nl.load(x[0:128, 0:3]))"),
    ("err_unsupported_reshape",
     LOAD + "u = t.reshape((64, 1024))  # here" + STORE,
     LOAD + "u = t.reshape((128, 2, 256))" + STORE),
    ("err_unsupported_index_expression",
     LOAD + "u = t[0.5, 0]  # here" + STORE,
     LOAD + "u = t[0:128, 0]" + STORE),
    ("err_unsupported_index_expression",  # free index objects cannot run over partitions
     LOAD + "u = nl.copy(t[nl.arange(4)[None, :], nl.arange(128)[:, None]])  # here" + STORE,
     LOAD + "u = nl.copy(t[nl.arange(128)[:, None], nl.arange(4)[None, :]])" + STORE),
    ("err_unsupported_index_expression",  # a slice whose size changes
     FILL + "for i in nl.affine_range(2):\n    t = nl.load(x[0:128, 0:i * 4 + 4])  # here",
     FILL + "for i in nl.affine_range(2):\n    t = nl.load(x[0:128, i * 4:i * 4 + 4])"),
    ("err_indirect_indices_not_supported",
     LOAD + "u = nl.load(x[t[0:128, 0:1], nl.arange(4)[None, :]])  # here" + STORE,
     LOAD + "u = nl.load(x[nl.arange(128)[:, None], nl.arange(4)[None, :]])" + STORE),
    ("err_unsupported_api",
     LOAD + "t = nl.dropout(t, 0.5)  # here" + STORE,
     LOAD + "t = nl.sigmoid(t)" + STORE),
    ("err_unknown_api",
     LOAD + "t = nl.no_such_thing(t)  # here" + STORE,
     LOAD + "t = nl.tanh(t)" + STORE),
    ("err_unsupported_api",
     FILL + "a = nl.ndarray((128, 4), dtype=nl.float32, address=3)  # here",
     FILL + "a = nl.ndarray((128, 4), dtype=nl.float32, name='a')"),
    ("err_trace_too_large",
     FILL + "for i in nl.static_range(100000):  # here\n    pass",
     FILL + "for i in nl.static_range(1000):\n    pass"),
    ("err_recursion",
     FILL + "def f(n):\n    return f(n + 1)  # here\nf(0)",
     FILL + "def f(n):\n    return n if n > 100 else f(n + 1)\nf(0)"),
    ("err_assertion",
     FILL + "assert x.shape[0] == 3, 'three rows'  # here",
     FILL + "assert x.shape == (256, 1024)"),
    ("err_python",
     FILL + "[1, 2][5]  # here",
     FILL + "[1, 2][1]"),
    ("err_import",
     FILL + "import no_such_module_here  # here",
     FILL + "import math"),
    ("err_python",
     FILL + "u = np.exp(nl.load(x[0:128, 0:4]))  # here",
     FILL + "u = nl.exp(nl.load(x[0:128, 0:4]))"),
]


class Errors(unittest.TestCase):
    def test_cases(self):
        for number, (id, bad, good) in enumerate(CASES):
            with self.subTest(number=number, id=id):
                text = source(bad)
                with self.assertRaises(KernelError) as caught:
                    trace_source(text, "kernel", [X])
                error = caught.exception
                line = next(i for i, content in enumerate(text.splitlines(), 1) if "# here" in content)
                self.assertEqual((error.id, error.line), (id, line), error.message)
                self.assertGreater(len(error.message), 20)
                try:
                    trace_source(source(good), "kernel", [X])
                except KernelError as near:
                    self.fail("the near miss fails: %s" % near)

    def whole(self, text, id, line=None, inputs=(X,), **options):
        with self.assertRaises(KernelError) as caught:
            trace_text(text, *inputs, **options)
        self.assertEqual(caught.exception.id, id, caught.exception.message)
        if line is not None:
            self.assertEqual(caught.exception.line, line)
        return caught.exception

    def test_output_not_written(self):
        self.whole("""
            @nki.jit
            def kernel(x):
                out = nl.ndarray((128, 4), dtype=nl.float32, buffer=nl.shared_hbm)
                for i in nl.affine_range(0):
                    nl.store(out[0:128, 0:4], 0.0)
                return out
            """, "err_tensor_output_not_written_to", 4)
        self.whole("@nki.jit\ndef kernel(x):\n    pass\n", "err_tensor_output_not_written_to")

    def test_output_must_be_a_whole_shared_hbm_tensor(self):
        body = """
            @nki.jit
            def kernel(x):
                out = nl.ndarray((128, 4), dtype=nl.float32, buffer=%s)
                nl.store(out[0:128, 0:4], 0.0)
                return %s
            """
        self.whole(body % ("nl.hbm", "out"), "err_unsupported_output")
        self.whole(body % ("nl.shared_hbm", "out[0:64, 0:4]"), "err_unsupported_output")
        self.whole(body % ("nl.shared_hbm", "x"), "err_unsupported_output")
        self.whole(body % ("nl.shared_hbm", "3"), "err_unsupported_output")
        self.whole(body % ("nl.shared_hbm", "(out, out)"), "err_unsupported_output")
        self.whole(body % ("nl.shared_hbm", "nl.load(out[0:128, 0:4])"), "err_unsupported_memory")
        trace_text(body % ("nl.shared_hbm", "out"), X)

    def test_mutable_parameter(self):
        body = """
            @nki.jit
            def kernel(x: nt.mutable_tensor):
                out = nl.ndarray((128, 4), dtype=nl.float32, buffer=nl.shared_hbm)
                nl.store(out[0:128, 0:4], 0.0)
                nl.store(x[0:128, 0:4], 0.0)
                return %s
            """
        self.whole(body % "out", "err_mutable_parameter_not_returned")
        traced = trace_text(body % "(out, x)", X)
        self.assertEqual(traced.ir["tensors"][0]["output_index"], 1)
        self.whole("@nki.jit\ndef kernel(x: nt.tensor):\n    nl.store(x[0:128, 0:4], 0.0)\n    return x\n", "err_cannot_update_immutable_parameter", 3)

    def test_api_outside_a_kernel(self):
        self.whole("t = nl.arange(4)\n@nki.jit\ndef kernel(x):\n    pass\n", "err_nki_api_outside_of_nki_kernel", 1)

    def test_syntax(self):
        error = self.whole("@nki.jit\ndef kernel(x):\n    return (\n", "err_syntax")
        self.assertEqual(error.kind, "syntax")

    def test_no_entry_and_arguments(self):
        self.whole("def helper(x):\n    pass\n", "err_no_entry")
        self.whole("@nki.jit\ndef kernel(x, y):\n    pass\n", "err_arguments")

    def test_two_kernels_may_call_each_other_without_a_grid(self):
        trace_text("""
            @nki.jit
            def inner(x, out):
                nl.store(out[0:128, 0:4], nl.load(x[0:128, 0:4]))

            @nki.jit
            def kernel(x):
                out = nl.ndarray((128, 4), dtype=nl.float32, buffer=nl.shared_hbm)
                inner(x, out)
                return out
            """, X)
        self.whole("""
            @nki.jit
            def inner(x):
                return nl.ndarray((128, 4), dtype=nl.float32, buffer=nl.shared_hbm)

            @nki.jit
            def kernel(x):
                out = inner(x)
                nl.store(out[0:128, 0:4], 0.0)
                return out
            """, "err_shared_hbm_must_in_kernel_level", 4)

    def test_a_kernel_cannot_swallow_an_error(self):
        self.whole(source("""
            try:
                t = nl.load(x[0:256, 0:512])
            except Exception:
                t = nl.load(x[0:128, 0:512])
            nl.store(out[0:128, 0:512], t)
            """), "err_num_partition_exceed_arch_limit", 6)

    def test_a_type_that_the_hardware_has_not(self):
        with self.assertRaises(KernelError) as caught:
            trace_source(source(FILL), "kernel", [np.zeros((256, 1024))])
        self.assertEqual(caught.exception.id, "err_unsupported_dtype")

    def test_size_limits(self):
        self.whole(source(FILL + "for i in nl.static_range(4000):\n    for j in nl.static_range(1000):\n        nl.store(out[0:128, 0:1], 0.0)"),
                   "err_trace_too_large")
        error = self.whole(source(FILL + "while True:\n    nl.store(out[0:128, 0:1], 0.0)"), "err_trace_too_large")
        self.assertEqual(error.kind, "compile")


if __name__ == "__main__":
    unittest.main()
