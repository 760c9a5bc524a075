# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the tables of docs/simulator-fidelity.md: estimates of the bundled baselines beside what Trainium 1 measured on the published kernels
of the same problems, and, with ACCELOPT_UPSTREAM set to a checkout of github.com/zhang677/AccelOpt, of those kernels themselves.

    ./dev exec python3 tests/bench/neuroncore/fidelity.py        (ACCELOPT_BIN: folder with accelopt-neuroncore)
"""
import csv
import importlib.util
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

SOURCE = pathlib.Path(os.environ.get("ACCELOPT_SOURCE", pathlib.Path(__file__).resolve().parents[3]))
PROGRAM = os.path.join(os.environ.get("ACCELOPT_BIN", SOURCE / "build" / "dev" / "bin"), "accelopt-neuroncore")
sys.path.insert(0, str(SOURCE / "resources" / "runner"))

# Baselines of profile_results.csv in the AccelOpt repository: ms, MB (10^6 bytes), GFLOP, fractions.
MEASURED = {
    "silu": {"latency": 1.333, "hbm_read": 117.44, "hbm_write": 117.44, "sbuf_read": 120.19, "sbuf_write": 120.19, "scalar": 0.315, "vector": 0.739},
    "rope_single_freq_apply": {"latency": 4.333, "hbm_read": 268.44, "hbm_write": 134.22, "sbuf_read": 136.31, "sbuf_write": 270.53, "scalar": 0.141, "vector": 0.716},
    "add_rmsnorm_matmul": {"latency": 1.222, "hbm_read": 42.01, "hbm_write": 33.55, "sbuf_read": 41.29, "sbuf_write": 43.07, "psum_read": 0.79, "psum_write": 5.25,
                           "flops": 42.95, "transpose": 8.59, "scalar": 0.225, "vector": 0.148}}
ROWS = [("latency", "latency, ms", None, 1), ("hbm_read", "HBM read, MB", "hbm_read_bytes", 1e6), ("hbm_write", "HBM written, MB", "hbm_write_bytes", 1e6),
        ("sbuf_read", "SBUF read, MB", "sbuf_read_bytes", 1e6), ("sbuf_write", "SBUF written, MB", "sbuf_write_bytes", 1e6),
        ("psum_read", "PSUM read, MB", "psum_read_bytes", 1e6), ("psum_write", "PSUM written, MB", "psum_write_bytes", 1e6),
        ("flops", "hardware GFLOP", "hardware_flops", 1e9), ("transpose", "of them transposes", "transpose_flops", 1e9),
        ("scalar", "ScalarE active", "scalar_engine_active_time_percent", 1), ("vector", "VectorE active", "vector_engine_active_time_percent", 1)]


def arguments_of(reference):
    spec = importlib.util.spec_from_file_location("reference_" + pathlib.Path(reference).stem, reference)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    np.random.seed(0)
    return module.transform_to_nki_inputs(module.get_inputs())


def estimate(kernel, reference, target="trn1"):
    from accelopt_runner.frontend import trace
    traced = trace(str(kernel), "kernel", arguments_of(str(reference)), target)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ir.json")
        with open(path, "w") as file:
            json.dump(traced.ir, file)
        done = subprocess.run([PROGRAM, "estimate", "--ir", path, "--hardware", str(SOURCE / "resources" / "hardware" / (target + ".json"))], capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    if answer["status"] != "ok":
        raise RuntimeError("%s: %s" % (kernel, answer["error"]["message"]))
    return answer


def bundled():
    for name, measured in MEASURED.items():
        folder = SOURCE / "resources" / "suite" / name
        first, second = (estimate(folder / "kernel.py", folder / "reference.py", target) for target in ("trn1", "trn2"))
        print("### %s\n" % name)
        low, high = first["band_ms"]
        print("trn1: %.3f ms (unquantised %.3f, band %.2f to %.2f, class %s%s). trn2: %.3f ms (class %s, nothing measured).\n" % (
            first["latency_ms"], first["latency_raw_ms"], low, high, first["confidence"],
            "".join("; " + reason for reason in first["confidence_reasons"]), second["latency_ms"], second["confidence"]))
        print("| trn1 | estimate, bundled baseline | measured, published kernel |\n|---|---|---|")
        for key, label, field, unit in ROWS:
            value = first["latency_ms"] if field is None else first["profile"].get(field, 0) / unit
            if value or key in measured:
                print("| %s | %.3f | %s |" % (label, value, "%.3f" % measured[key] if key in measured else "not reported"))
        print()


def upstream(checkout):
    table = pathlib.Path(checkout) / "experiments" / "full_complete_local" / "profile_results.csv"
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    print("| kernel | measured, ms | estimate, ms | error | band, ms | class |\n|---|---|---|---|---|---|")
    errors = []
    for kernel in sorted((pathlib.Path(checkout) / "NKIBench" / "kernels").glob("*_0.py")):
        stem = kernel.stem[:-2]
        row = next(r for r in rows if pathlib.PurePath(r["kernel"]).name == kernel.name)
        reference = next((pathlib.Path(checkout) / "NKIBench" / "reference").glob(stem + "_numpy_*.py"))
        answer = estimate(kernel, reference)
        measured = float(json.loads(row["profile"])["latency"])
        errors.append(answer["latency_raw_ms"] / measured - 1)
        print("| %s | %.3f | %.3f | %+.1f %% | %.2f to %.2f | %s |" % (stem, measured, answer["latency_raw_ms"], 100 * errors[-1], *answer["band_ms"], answer["confidence"]))
    sizes = [abs(e) for e in errors]
    print("\nMean of the absolute errors %.1f %%, median %.1f %%, worst %.1f %%." % (100 * statistics.mean(sizes), 100 * statistics.median(sizes), 100 * max(sizes)))


if __name__ == "__main__":
    bundled()
    if os.environ.get("ACCELOPT_UPSTREAM"):
        print("### The published kernels\n")
        upstream(os.environ["ACCELOPT_UPSTREAM"])
