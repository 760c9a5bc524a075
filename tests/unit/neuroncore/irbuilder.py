# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds kernel IR documents by hand (docs/ir-format.md) and runs accelopt-neuroncore on them."""
import contextlib
import json
import os
import subprocess
import tempfile

import numpy as np

SOURCE = os.environ.get("ACCELOPT_SOURCE", os.getcwd())
PROGRAM = os.path.join(os.environ.get("ACCELOPT_BIN", os.path.join(SOURCE, "build", "dev", "bin")), "accelopt-neuroncore")


def affine(c=0, loops=None, axes=None):
    return {"c": c, "loops": [[k, v] for k, v in (loops or {}).items()], "axes": [[k, v] for k, v in (axes or {}).items()]}


class IR:
    def __init__(self):
        self.tensors, self.loops = [], []
        self.body = []
        self._bodies, self._open = [self.body], []
        self._counts = {"input": 0, "output": 0}
        self.line = 0

    def tensor(self, shape, buffer="sbuf", kind="temporary", partition_dim=0, dtype="float32", loops=None, **more):
        t = {"id": len(self.tensors), "name": more.pop("name", "t%d" % len(self.tensors)), "buffer": buffer, "kind": kind, "dtype": dtype, "shape": list(shape),
             "partition_dim": None if buffer == "hbm" else partition_dim, "line": 1, "loops": list(self._open if loops is None else loops)}
        if kind in self._counts:
            t["index"] = self._counts[kind]
            t["loops"] = []
            self._counts[kind] += 1
        t.update(more)
        self.tensors.append(t)
        return t["id"]

    def input(self, shape, **more):
        return self.tensor(shape, "hbm", "input", **more)

    def output(self, shape, **more):
        return self.tensor(shape, "hbm", "output", **more)

    @contextlib.contextmanager
    def loop(self, trip, kind="affine", start=0, step=1):
        number = len(self.loops)
        self.loops.append({"id": number, "kind": kind, "name": "i%d" % number, "start": start, "step": step, "trip": trip, "line": 2})
        node = {"loop": number, "body": []}
        self._bodies[-1].append(node)
        self._bodies.append(node["body"])
        self._open.append(number)
        yield number
        self._open.pop()
        self._bodies.pop()

    def access(self, tensor, shape, index):
        return {"tensor": tensor, "shape": list(shape), "index": [i if isinstance(i, dict) else affine(i) for i in index]}

    def whole(self, tensor, shape=None):
        """Axis n on dimension n of a tensor without block dimensions; a dimension of size 1 is broadcast."""
        own = self.tensors[tensor]["shape"]
        shape = own if shape is None else shape
        return self.access(tensor, shape, [affine(0, None, {d: 1} if own[d] > 1 else {}) for d in range(len(own))])

    def do(self, operation, dst, sources=(), **more):
        """More: attributes, and engine, line, mask, accumulate, dst2 of the instruction itself."""
        self.line += 1
        engine = more.pop("engine", None) or {"load": "dma", "store": "dma", "dma_copy": "dma", "dma_transpose": "dma", "matmul": "tensor", "transpose": "tensor", "activation": "scalar",
                            "partition_broadcast": "tensor", "iota": "gpsimd", "affine_select": "gpsimd"}.get(operation, "unknown")
        node = {"op": operation, "engine": engine, "line": more.pop("line", self.line), "dst": dst, "src": [], "roles": [], "attrs": {}}
        for role, value in sources:
            node["roles"].append(role)
            node["src"].append(value if isinstance(value, dict) else {"const": value})
        for key in ("mask", "accumulate", "dst2"):
            if key in more:
                node[key] = more.pop(key)
        node["attrs"] = more
        self._bodies[-1].append(node)
        return node

    def load(self, source, shape=None):
        """The whole of a 2-D HBM tensor into a fresh tile."""
        shape = self.tensors[source]["shape"] if shape is None else shape
        tile = self.tensor(shape, dtype=self.tensors[source]["dtype"])
        self.do("load", self.whole(tile), [("data", self.whole(source))])
        return tile

    def store(self, tile, target=None):
        target = self.output(self.tensors[tile]["shape"], dtype=self.tensors[tile]["dtype"]) if target is None else target
        self.do("store", self.whole(target), [("data", self.whole(tile))])
        return target

    def document(self):
        return {"ir": 1, "frontend": "test", "kernel": "kernel", "source": "kernel.py", "tensors": self.tensors, "loops": self.loops, "body": self.body}


def hardware(target="trn1"):
    return os.path.join(SOURCE, "resources", "hardware", target + ".json")


def call(mode, ir, inputs=(), target="trn1", arguments=(), environment=None):
    """The JSON answer, and for run the outputs."""
    document = ir.document() if isinstance(ir, IR) else ir
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ir.json")
        with open(path, "w") as file:
            json.dump(document, file)
        command = [PROGRAM, mode, "--ir", path, "--hardware", hardware(target)] + list(arguments)
        outputs = os.path.join(folder, "out")
        if mode == "run":
            os.mkdir(outputs)
            for n, array in enumerate(inputs):
                np.save(os.path.join(folder, "in%d.npy" % n), array)
            command += ["--inputs", folder, "--outputs", outputs]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=dict(os.environ, **(environment or {})))
        if done.returncode != 0:
            raise AssertionError("exit %d: %s" % (done.returncode, done.stderr))
        answer = json.loads(done.stdout)
        if mode != "run":
            return answer
        return answer, [np.load(os.path.join(outputs, "out%d.npy" % n)) for n in range(len(os.listdir(outputs)))]


def run(ir, *inputs, **more):
    answer, outputs = call("run", ir, inputs, **more)
    if answer["status"] != "ok":
        raise AssertionError(answer["error"])
    return outputs
