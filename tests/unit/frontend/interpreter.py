# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes a document of docs/ir-format.md with NumPy, slowly and literally. Only for tests: it proves traces without the C++ program.

Tiles are poisoned with NaN (integers with an odd pattern) whenever their life starts, so that a read of something never written shows.
"""
import math

import numpy as np

NUMPY = {"float32": np.float32, "bfloat16": np.float32, "float16": np.float16, "tfloat32": np.float32, "float32r": np.float32, "int8": np.int8,
         "uint8": np.uint8, "int16": np.int16, "uint16": np.uint16, "int32": np.int32, "uint32": np.uint32, "bool": np.uint8}

erf = np.vectorize(math.erf, otypes=[np.float32])


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


FUNCTIONS = {
    "copy": lambda x: x, "square": np.square, "sigmoid": _sigmoid, "relu": lambda x: np.maximum(x, 0), "silu": lambda x: x * _sigmoid(x),
    "tanh": np.tanh, "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "reciprocal": lambda x: 1 / x, "sign": np.sign,
    "abs": np.abs, "sin": np.sin, "cos": np.cos, "tan": np.tan, "arctan": np.arctan, "erf": erf, "gelu": lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2))),
    "gelu_apprx_sigmoid": lambda x: x * _sigmoid(1.702 * x), "softplus": lambda x: np.log1p(np.exp(x)), "ceil": np.ceil, "floor": np.floor,
    "rint": np.rint, "trunc": np.trunc, "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "gelu_apprx_tanh": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))),
}


def _bits(function):
    return lambda a, b: function(np.asarray(a).astype(np.int64), np.asarray(b).astype(np.int64))


OPERATORS = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum, "power": np.power,
    "equal": np.equal, "not_equal": np.not_equal, "greater": np.greater, "greater_equal": np.greater_equal, "less": np.less, "less_equal": np.less_equal,
    "logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor, "bitwise_and": _bits(np.bitwise_and),
    "bitwise_or": _bits(np.bitwise_or), "bitwise_xor": _bits(np.bitwise_xor), "left_shift": _bits(np.left_shift), "right_shift": _bits(np.right_shift),
    "abs": lambda a, b: np.abs(a), "rsqrt": lambda a, b: 1 / np.sqrt(a), "reciprocal": lambda a, b: 1 / a, "bypass": lambda a, b: a,
    "invert": lambda a, b: np.invert(np.asarray(a).astype(np.int64)),
}
NEUTRAL = {"add": 0, "subtract": 0, "multiply": 1, "maximum": -np.inf, "minimum": np.inf, "logical_and": 1, "logical_or": 0}


def round_bfloat16(array):
    bits = np.ascontiguousarray(array, dtype=np.float32).view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)
    return np.where(np.isnan(array), np.float32(np.nan), rounded)


class Interpreter:
    def __init__(self, ir, constants, inputs):
        assert ir["ir"] == 1
        self.ir = ir
        self.values = {}
        self.storage = {}
        self.accumulators = np.zeros(128, np.float32)
        self.by_loop = {}
        self.executed = 0
        arrays = {}
        for tensor in ir["tensors"]:
            if tensor["kind"] == "input":
                arrays[tensor["id"]] = np.array(inputs[tensor["index"]]).reshape(tensor["shape"]).astype(NUMPY[tensor["dtype"]])
            elif tensor["kind"] == "constant":
                arrays[tensor["id"]] = np.array(constants[tensor["file"]]).reshape(tensor["shape"])
        self.storage.update(arrays)
        for tensor in ir["tensors"]:
            if tensor["id"] not in self.storage:
                assert tensor["kind"] in ("temporary", "output")
                self.fresh(tensor)
                if tensor["loops"]:
                    self.by_loop.setdefault(tensor["loops"][-1], []).append(tensor)

    def fresh(self, tensor):
        kind = NUMPY[tensor["dtype"]]
        poison = np.nan if np.issubdtype(kind, np.floating) else 0x55
        self.storage[tensor["id"]] = np.full(tensor["shape"], tensor.get("init", poison), kind)

    def run(self):
        self.block(self.ir["body"])
        outputs = {}
        for tensor in self.ir["tensors"]:
            if tensor["kind"] == "output":
                outputs[tensor["index"]] = self.storage[tensor["id"]].reshape(tensor.get("shape_of_file", tensor["shape"]))
            elif "output_index" in tensor:
                outputs[tensor["output_index"]] = self.storage[tensor["id"]].reshape(tensor.get("shape_of_file", tensor["shape"]))
        return [outputs[i] for i in range(len(outputs))]

    def block(self, nodes):
        for node in nodes:
            if "loop" in node:
                loop = self.ir["loops"][node["loop"]]
                assert loop["trip"] >= 1
                for n in range(loop["trip"]):
                    self.values[loop["id"]] = loop["start"] + loop["step"] * n
                    for tensor in self.by_loop.get(loop["id"], ()):
                        self.fresh(tensor)
                    self.block(node["body"])
                del self.values[loop["id"]]
            else:
                self.executed += 1
                self.instruction(node)

    # --- indices ---------------------------------------------------------------------------------------------------
    def affine(self, expression, shape):
        value = np.full((1,) * len(shape), expression.get("c", 0), np.int64)
        for loop, k in expression.get("loops", ()):
            value = value + k * self.values[loop]
        for axis, k in expression.get("axes", ()):
            value = value + (k * np.arange(shape[axis])).reshape((1,) * axis + (shape[axis],) + (1,) * (len(shape) - axis - 1))
        return value

    def positions(self, access, shape=None):
        tensor = self.ir["tensors"][access["tensor"]]
        shape = tuple(access["shape"])
        assert len(access["index"]) == len(tensor["shape"]) and len(shape) >= 2
        assert shape[0] <= 128 or tensor["buffer"] == "hbm"
        if tensor["buffer"] != "hbm":
            for dimension, e in enumerate(access["index"]):
                axes = [a for a, _ in e.get("axes", ())]
                assert (axes in ([], [0]) if dimension == tensor["partition_dim"] else 0 not in axes), access
        return tuple(np.broadcast_to(self.affine(e, shape), shape) for e in access["index"])

    def inside(self, access, positions):
        sizes = self.ir["tensors"][access["tensor"]]["shape"]
        ok = np.ones(positions[0].shape, bool)
        for p, size in zip(positions, sizes):
            ok &= (p >= 0) & (p < size)
        return ok

    def read(self, operand, mask=None):
        if "const" in operand:
            return np.float32(float(operand["const"])) if not isinstance(operand["const"], int) else operand["const"]
        positions = self.positions(operand)
        ok = self.inside(operand, positions)
        if not ok.all():
            assert mask is not None and not (np.broadcast_to(mask, ok.shape) & ~ok).any(), "read outside a tensor: %s" % operand
            positions = tuple(np.where(ok, p, 0) for p in positions)
        value = self.storage[operand["tensor"]][positions]
        return value.astype(np.float32) if np.issubdtype(value.dtype, np.floating) else value

    def write(self, access, value, mask):
        tensor = self.ir["tensors"][access["tensor"]]
        positions = self.positions(access)
        shape = tuple(access["shape"])
        value = np.broadcast_to(np.asarray(value), shape)
        if tensor["dtype"] == "bfloat16":
            value = round_bfloat16(value)
        with np.errstate(all="ignore"):
            if np.issubdtype(NUMPY[tensor["dtype"]], np.integer) and np.issubdtype(value.dtype, np.floating):
                value = np.rint(value)  # to nearest, ties to even
            value = value.astype(NUMPY[tensor["dtype"]])
        exists = np.ones(shape, bool) if mask is None else np.broadcast_to(mask, shape)
        assert not (exists & ~self.inside(access, positions)).any(), "write outside a tensor: %s" % access
        self.storage[access["tensor"]][tuple(p[exists] for p in positions)] = value[exists]

    # --- instructions --------------------------------------------------------------------------------------------------
    def instruction(self, node):
        dst, op, attrs = node["dst"], node["op"], node["attrs"]
        shape = tuple(dst["shape"])
        roles = dict(zip(node["roles"], node["src"]))
        assert len(node["roles"]) == len(node["src"])
        masked = tuple(roles["data"]["shape"]) if op in ("tensor_reduce", "partition_reduce") else shape
        mask = None
        if node.get("mask"):
            mask = np.ones(masked, bool)
            for term in node["mask"]:
                mask &= self.affine(term, masked) >= 0
        with np.errstate(all="ignore"):
            getattr(self, "op_" + op)(node, dst, {k: v for k, v in roles.items()}, attrs, mask, shape)

    def _move(self, node, dst, roles, attrs, mask, shape):
        value = self.read(roles["data"], mask)
        if attrs.get("rmw") == "add":
            value = self.read(dst, mask) + value
        self.write(dst, value, mask)

    op_load = op_store = op_copy = op_dma_copy = op_partition_broadcast = _move

    def op_dma_transpose(self, node, dst, roles, attrs, mask, shape):
        assert tuple(roles["data"]["shape"]) == shape[::-1]
        data = self.read(roles["data"], None if mask is None else mask.T)
        self.write(dst, data.T, mask)

    op_transpose = op_dma_transpose

    def op_memset(self, node, dst, roles, attrs, mask, shape):
        self.write(dst, self.read(roles["value"]), mask)

    def op_activation(self, node, dst, roles, attrs, mask, shape):
        x = self.read(roles["data"], mask).astype(np.float32)
        if "scale" in roles:
            x = x * np.float32(1) * self.read(roles["scale"])
        if "bias" in roles:
            x = x + self.read(roles["bias"])
        value = FUNCTIONS[attrs["func"]](x.astype(np.float32)).astype(np.float32)
        command = attrs.get("reduce_cmd")
        if command:
            exists = value if mask is None else np.where(mask, value, 0)
            total = exists.reshape(shape[0], -1).sum(1, dtype=np.float32)
            if command in ("reset", "reset_reduce"):
                self.accumulators[:shape[0]] = 0
            if command in ("reduce", "reset_reduce"):
                self.accumulators[:shape[0]] += total
        self.write(dst, value, mask)
        if "dst2" in node:
            self.write(node["dst2"], self.accumulators[:shape[0]].reshape((shape[0],) + (1,) * (len(shape) - 1)), None)

    def _apply(self, op, reverse, a, b):
        if isinstance(a, np.ndarray) and np.issubdtype(a.dtype, np.floating) and isinstance(b, int):
            b = np.float32(b)
        return OPERATORS[op](b, a) if reverse else OPERATORS[op](a, b)

    def op_tensor_scalar(self, node, dst, roles, attrs, mask, shape):
        x = self._apply(attrs["op0"], attrs["reverse0"], self.read(roles["data"], mask), self.read(roles["operand0"]))
        if "op1" in attrs:
            x = self._apply(attrs["op1"], attrs["reverse1"], x, self.read(roles["operand1"]))
        self.write(dst, x, mask)
        if "dst2" in node:
            x = np.broadcast_to(x, shape)
            if mask is not None:
                x = np.where(mask, x, NEUTRAL[attrs["reduce_op"]])
            total = OPERATORS[attrs["reduce_op"]].reduce(x.reshape(shape[0], -1), axis=1)
            self.write(node["dst2"], total.reshape((shape[0],) + (1,) * (len(shape) - 1)), None)

    def op_tensor_tensor(self, node, dst, roles, attrs, mask, shape):
        a, b = self.read(roles["a"], mask), self.read(roles["b"], mask)
        assert a.shape == b.shape == shape
        self.write(dst, OPERATORS[attrs["op"]](a, b), mask)

    def op_scalar_tensor_tensor(self, node, dst, roles, attrs, mask, shape):
        x = self._apply(attrs["op0"], attrs["reverse0"], self.read(roles["data"], mask), self.read(roles["operand0"]))
        self.write(dst, self._apply(attrs["op1"], attrs["reverse1"], x, self.read(roles["operand1"], mask)), mask)

    def op_tensor_tensor_scan(self, node, dst, roles, attrs, mask, shape):
        a, b = (self.read(roles[r], mask).reshape(shape[0], -1) for r in ("data0", "data1"))
        state = np.broadcast_to(np.asarray(self.read(roles["initial"]), np.float32).reshape(-1, 1), (shape[0], 1)) if not np.isscalar(
            self.read(roles["initial"])) else np.full((shape[0], 1), self.read(roles["initial"]), np.float32)
        result = np.empty_like(a)
        for i in range(a.shape[1]):
            state = OPERATORS[attrs["op1"]](OPERATORS[attrs["op0"]](a[:, i:i + 1], state), b[:, i:i + 1])
            result[:, i:i + 1] = state
        self.write(dst, result.reshape(shape), mask)

    def op_tensor_reduce(self, node, dst, roles, attrs, mask, shape):
        x = self.read(roles["data"], mask)
        assert tuple(1 if a in attrs["axes"] else n for a, n in enumerate(x.shape)) == shape
        exists = None
        if mask is not None:
            exists = mask.any(axis=tuple(attrs["axes"]), keepdims=True)
            x = np.where(mask, x, NEUTRAL[attrs["op"]])
        result = OPERATORS[attrs["op"]].reduce(x, axis=tuple(attrs["axes"]), keepdims=True)
        self.write(dst, -result if attrs["negate"] else result, exists)

    def op_partition_reduce(self, node, dst, roles, attrs, mask, shape):
        x = self.read(roles["data"], mask)
        if mask is not None:
            x = np.where(mask, x, NEUTRAL[attrs["op"]])
        self.write(dst, OPERATORS[attrs["op"]].reduce(x, axis=0, keepdims=True), None)

    def op_matmul(self, node, dst, roles, attrs, mask, shape):
        a, b = self.read(roles["stationary"]), self.read(roles["moving"])
        assert self.ir["tensors"][dst["tensor"]]["buffer"] == "psum" and a.ndim == 2 and a.shape[0] == b.shape[0]
        assert shape == (a.shape[1],) + b.shape[1:], (shape, a.shape, b.shape)
        if attrs.get("is_transpose"):
            assert np.array_equal(b, np.identity(b.shape[0], np.float32))
        value = (a.T @ b.reshape(b.shape[0], -1)).reshape(shape)
        if node.get("accumulate"):
            value = self.read(dst, mask) + value
        self.write(dst, value, mask)

    def op_reciprocal(self, node, dst, roles, attrs, mask, shape):
        self.write(dst, 1 / self.read(roles["data"], mask), mask)

    def op_select(self, node, dst, roles, attrs, mask, shape):
        self.write(dst, np.where(self.read(roles["predicate"], mask) != 0, self.read(roles["on_true"], mask), self.read(roles["on_false"], mask)), mask)

    def op_copy_predicated(self, node, dst, roles, attrs, mask, shape):
        chosen = (self.read(roles["predicate"], mask) != 0) != attrs["reverse_pred"]
        self.write(dst, self.read(roles["data"], mask), chosen if mask is None else chosen & mask)

    def op_affine_select(self, node, dst, roles, attrs, mask, shape):
        chosen = np.ones(shape, bool)
        for term in attrs["pred"]:
            chosen &= self.affine(term, shape) >= 0
        self.write(dst, np.where(chosen, self.read(roles["on_true"], mask), self.read(roles["on_false"])), mask)

    def op_iota(self, node, dst, roles, attrs, mask, shape):
        self.write(dst, np.broadcast_to(self.affine(attrs["expr"], shape), shape), mask)

    def op_loop_reduce(self, node, dst, roles, attrs, mask, shape):
        x = self.read(roles["data"], mask)
        first = all(self.values[i] == self.ir["loops"][i]["start"] for i in attrs["loops"])
        if not (first and attrs["first"] == "overwrite"):
            x = OPERATORS[attrs["op"]](self.read(dst, mask), x)
        self.write(dst, x, mask)

    def op_bn_stats(self, node, dst, roles, attrs, mask, shape):
        x = self.read(roles["data"])
        parts = [x[:, 0::2], x[:, 1::2]]
        self.write(dst, np.concatenate([np.stack([np.full(x.shape[0], p.shape[1], np.float32), p.mean(1), p.shape[1] * p.var(1)], 1) for p in parts], 1), mask)

    def op_bn_aggr(self, node, dst, roles, attrs, mask, shape):
        x = self.read(roles["data"]).reshape(shape[0], -1, 3).astype(np.float64)
        count, average, spread = x[..., 0], x[..., 1], x[..., 2]
        total = count.sum(1)
        mean = (count * average).sum(1) / total
        variance = (spread + count * np.square(average - mean[:, None])).sum(1) / total
        self.write(dst, np.stack([mean, variance], 1), mask)

    def op_max8(self, node, dst, roles, attrs, mask, shape):
        self.write(dst, -np.sort(-self.read(roles["data"]), axis=1)[:, :8], mask)

    def _matches(self, data, values):
        """Position of each value in its row; a repeated value takes successive places."""
        found = np.zeros(values.shape, np.int64)
        for p in range(data.shape[0]):
            used = set()
            for k in range(8):
                found[p, k] = next(i for i in np.flatnonzero(data[p] == values[p, k]) if i not in used)
                used.add(found[p, k])
        return found

    def op_find_index8(self, node, dst, roles, attrs, mask, shape):
        self.write(dst, self._matches(self.read(roles["data"]), self.read(roles["values"])), mask)

    def op_match_replace8(self, node, dst, roles, attrs, mask, shape):
        data = np.array(self.read(roles["data"]))
        for p, row in enumerate(self._matches(data, self.read(roles["values"]))):
            data[p, row] = self.read(roles["value"])
        self.write(dst, data, mask)

    def op_shuffle(self, node, dst, roles, attrs, mask, shape):
        data, old = self.read(roles["data"]), self.read(dst)
        lanes = attrs["shuffle_mask"]
        result = np.array(old)
        for p in range(shape[0]):
            lane = lanes[p % 32]
            if lane != 255:
                result[p] = data[p // 32 * 32 + lane]
        self.write(dst, result, mask)


def compute(trace, inputs):
    """Outputs of a Trace for the kernel's arguments (arrays and numbers)."""
    arrays = [np.asarray(inputs[position]) for position in trace.inputs]
    return Interpreter(trace.ir, trace.constants, arrays).run()
