# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulator's budgets: numbers against the NumPy reference of the same problem, and the timeline's speed. Prints Google Benchmark's JSON.

    tests/bench/neuroncore/bench_neuroncore.py [--benchmark_filter=REGEX]      (ACCELOPT_BIN: folder with accelopt-neuroncore)
"""
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

SOURCE = pathlib.Path(os.environ.get("ACCELOPT_SOURCE", pathlib.Path(__file__).resolve().parents[3]))
PROGRAM = os.path.join(os.environ.get("ACCELOPT_BIN", SOURCE / "build" / "dev" / "bin"), "accelopt-neuroncore")
HARDWARE = str(SOURCE / "resources" / "hardware" / "trn1.json")
REPEATS = 3

sys.path.insert(0, str(SOURCE / "resources" / "runner"))


def call(*arguments):
    done = subprocess.run([PROGRAM, *arguments, "--hardware", HARDWARE], capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    if answer["status"] != "ok":
        raise RuntimeError(answer["error"]["message"])
    return answer


def numbers(name):
    """Seconds of the simulator and of the NumPy reference, both the best of some runs."""
    from accelopt_runner.frontend import trace
    folder = SOURCE / "resources" / "suite" / name
    spec = importlib.util.spec_from_file_location("reference_" + name, folder / "reference.py")
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    np.random.seed(1)
    inputs = reference.get_inputs()
    arguments = reference.transform_to_nki_inputs(inputs)
    traced = trace(str(folder / "kernel.py"), "kernel", arguments, "trn1")
    with tempfile.TemporaryDirectory() as work:
        with open(os.path.join(work, "ir.json"), "w") as file:
            json.dump(traced.ir, file)
        for file, constant in traced.constants.items():
            np.save(os.path.join(work, file), constant)
        for n, position in enumerate(traced.inputs):
            np.save(os.path.join(work, "in%d.npy" % n), np.ascontiguousarray(arguments[position]))
        os.mkdir(os.path.join(work, "out"))
        simulated, expected = [], []
        for _ in range(REPEATS):
            simulated.append(call("run", "--ir", os.path.join(work, "ir.json"), "--inputs", work, "--outputs", os.path.join(work, "out"))["seconds"])
            start = time.perf_counter()
            reference.forward(*inputs)
            expected.append(time.perf_counter() - start)
    return min(simulated), min(expected)


def long_program(instructions):
    """A loop of four elementwise instructions, unrolled to this many."""
    def access(tensor, index):
        return {"tensor": tensor, "shape": [128, 128], "index": index}
    tile = [{"axes": [[0, 1]]}, {"axes": [[1, 1]]}]
    place = [{"loops": [[0, 128]], "axes": [[0, 1]]}, {"axes": [[1, 1]]}]
    trip = instructions // 4
    hbm = {"buffer": "hbm", "dtype": "float32", "shape": [128 * trip, 128], "partition_dim": None, "line": 1, "loops": [], "index": 0}
    chip = {"buffer": "sbuf", "kind": "temporary", "dtype": "float32", "shape": [128, 128], "partition_dim": 0, "line": 1, "loops": [0]}
    return {"ir": 1, "frontend": "bench", "kernel": "kernel", "source": "kernel.py",
            "tensors": [dict(hbm, id=0, name="x", kind="input"), dict(hbm, id=1, name="y", kind="output"), dict(chip, id=2, name="t"), dict(chip, id=3, name="u")],
            "loops": [{"id": 0, "kind": "affine", "name": "i", "start": 0, "step": 1, "trip": trip, "line": 1}],
            "body": [{"loop": 0, "body": [
                {"op": "load", "engine": "dma", "line": 2, "dst": access(2, tile), "src": [access(0, place)], "roles": ["data"], "attrs": {}},
                {"op": "activation", "engine": "scalar", "line": 3, "dst": access(3, tile), "src": [access(2, tile)], "roles": ["data"], "attrs": {"func": "exp"}},
                {"op": "tensor_tensor", "engine": "vector", "line": 4, "dst": access(3, tile), "src": [access(3, tile), access(2, tile)], "roles": ["a", "b"], "attrs": {"op": "add"}},
                {"op": "store", "engine": "dma", "line": 5, "dst": access(1, place), "src": [access(3, tile)], "roles": ["data"], "attrs": {}}]}]}


def timeline(instructions):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(long_program(instructions), file)
        file.flush()
        return min(call("estimate", "--ir", file.name, "--no-band")["seconds"] for _ in range(REPEATS))


def main():
    pattern = next((a.split("=", 1)[1] for a in sys.argv[1:] if a.startswith("--benchmark_filter=")), "")
    found = []

    def entry(name, seconds, **rates):
        found.append(dict(rates, name=name, run_type="iteration", real_time=seconds, time_unit="s"))
    for name in sorted(p.name for p in (SOURCE / "resources" / "suite").iterdir() if (p / "kernel.py").exists()):
        if re.search(pattern, "neuroncore/numbers/" + name):
            simulated, expected = numbers(name)
            entry("neuroncore/numbers/" + name, simulated, numpy_seconds=expected, ratio=simulated / expected)
    for instructions in (100_000, 1_000_000):
        label = "neuroncore/timeline/%d" % instructions
        if re.search(pattern, label):
            seconds = timeline(instructions)
            entry(label, seconds, instructions_per_second=instructions / seconds)
    print(json.dumps({"benchmarks": found}))


if __name__ == "__main__":
    main()
