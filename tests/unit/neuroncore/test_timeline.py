# SPDX-License-Identifier: GPL-3.0-or-later
"""The timeline: tiny cases computed by hand, and that the classic rewrites move it the right way."""
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from irbuilder import IR, affine, call, hardware  # noqa: E402

START, LATENCY, COMPLETION = 33e-6, 3.5e-6, 0.2e-6  # of trn1.json
CAP = 272e9


def estimate(ir, target="trn1", arguments=()):
    answer = call("estimate", ir, target=target, arguments=arguments)
    if answer["status"] != "ok":
        raise AssertionError(answer["error"])
    return answer


def raw(ir, **more):
    return estimate(ir, **more)["latency_raw_ms"] * 1e-3


def chain(columns, total, steps, kind="affine", hoisted=None):
    """steps: list of operations on a tile of `columns`, over `total` columns; hoisted: the second operand is loaded inside (False) or before (True)."""
    ir = IR()
    x, y = ir.input((128, total)), ir.output((128, total))
    w = ir.input((128, columns)) if hoisted is not None else None
    outside = ir.load(w) if hoisted else None
    with ir.loop(total // columns, kind) as i:
        place = lambda t: ir.access(t, (128, columns), [affine(0, None, {0: 1}), affine(0, {i: columns}, {1: 1})])  # noqa: E731
        tile = ir.tensor((128, columns))
        ir.do("load", ir.whole(tile), [("data", place(x))])
        other = outside if hoisted or hoisted is None else ir.load(w)
        for step in steps:
            result = ir.tensor((128, columns))
            if step == "exp":
                ir.do("activation", ir.whole(result), [("data", ir.whole(tile))], func="exp")
            elif step == "scale":
                ir.do("tensor_scalar", ir.whole(result), [("data", ir.whole(tile)), ("operand0", 2.0)], op0="add")
            elif step == "scale twice":
                ir.do("tensor_scalar", ir.whole(result), [("data", ir.whole(tile)), ("operand0", 2.0), ("operand1", 3.0)], op0="add", op1="multiply")
            elif step == "gpsimd":
                ir.do("tensor_scalar", ir.whole(result), [("data", ir.whole(tile)), ("operand0", 2.0)], op0="add", engine="gpsimd")
            else:
                ir.do("tensor_tensor", ir.whole(result), [("a", ir.whole(tile)), ("b", ir.whole(other if other is not None else tile))], op=step)
            tile = result
        ir.do("store", place(y), [("data", ir.whole(tile))])
    return ir


class ByHand(unittest.TestCase):
    def test_one_load(self):
        # Not stored: the load alone. 128 rows of 4 KiB: the bandwidth cap is slower than 16 engines' descriptors.
        ir = IR()
        ir.load(ir.input((128, 1024)))
        expected = START + LATENCY + 128 * 4096 / CAP + COMPLETION
        self.assertAlmostEqual(raw(ir) * 1e6, expected * 1e6, delta=0.02)

    def test_small_rows_are_descriptor_bound(self):
        ir = IR()
        ir.load(ir.input((128, 16)))
        expected = START + LATENCY + 128 * (42e-9 + 64 / 27.2e9) / 16 + COMPLETION
        self.assertAlmostEqual(raw(ir) * 1e6, expected * 1e6, delta=0.02)

    def test_load_then_activation_then_store(self):
        ir = chain(512, 512, ["exp"])
        transfer = 128 * 2048 / CAP
        expected = START + (LATENCY + transfer + COMPLETION) + (512 + 62 + 200) / 1.4e9 + 150e-9 + (LATENCY + 2 * transfer + COMPLETION)
        # A store gets the share of the queues that stores have in the kernel: half.
        self.assertAlmostEqual(raw(ir) * 1e6, expected * 1e6, delta=0.25)  # half a bin of the fluid

    def test_engine_time_of_instructions(self):
        busy = estimate(chain(512, 5120, ["exp", "scale", "add"]))["busy_ms"]
        self.assertAlmostEqual(busy["scalar"], 10 * (512 + 62) / 1.4e9 * 1e3, places=9)
        self.assertAlmostEqual(busy["vector"], 10 * ((512 + 105) + (2 * 512 + 105)) / 1.12e9 * 1e3, places=9)

    def test_matmul_costs_four_passes_in_float32(self):
        ir = IR()
        a, b = ir.load(ir.input((128, 128))), ir.load(ir.input((128, 512)))
        p = ir.tensor((128, 512), "psum")
        ir.do("matmul", ir.whole(p), [("stationary", ir.whole(a)), ("moving", ir.whole(b))])
        y = ir.tensor((128, 512))
        ir.do("copy", ir.whole(y), [("data", ir.whole(p))])
        ir.store(y)
        answer = estimate(ir)
        self.assertAlmostEqual(answer["busy_ms"]["tensor"], 4 * (512 + 81) / 2.8e9 * 1e3, places=9)
        profile = answer["profile"]
        self.assertEqual(profile["hardware_flops"], 4 * 128 * 128 * 512)
        self.assertEqual(profile["psum_write_bytes"], 2 * 512 * 4)
        self.assertEqual(profile["psum_read_bytes"], 512 * 4)
        self.assertEqual(profile["hbm_read_bytes"], (128 * 128 + 128 * 512) * 4)
        self.assertEqual(profile["hbm_write_bytes"], 128 * 512 * 4)

    def test_quantum(self):
        answer = estimate(chain(512, 51200, ["scale"]))
        self.assertAlmostEqual(answer["latency_ms"] * 18, round(answer["latency_ms"] * 18), places=9)
        self.assertLessEqual(abs(answer["latency_ms"] - answer["latency_raw_ms"]), 0.5 / 18 + 1e-9)
        on_trn2 = estimate(chain(512, 51200, ["scale"]), target="trn2")
        self.assertEqual(on_trn2["latency_ms"], on_trn2["latency_raw_ms"])


class Rewrites(unittest.TestCase):
    def test_wider_tiles_are_faster(self):
        latencies = [raw(chain(columns, 65536, ["scale", "add", "exp", "scale", "add"])) for columns in (128, 512, 2048)]
        self.assertGreater(latencies[0], 1.1 * latencies[1])
        self.assertGreater(latencies[1], 1.02 * latencies[2])

    def test_combined_operations_are_faster(self):
        self.assertGreater(raw(chain(512, 65536, ["scale"] * 8)), 1.5 * raw(chain(512, 65536, ["scale twice"] * 4)))

    def test_fewer_operations_are_never_slower(self):
        steps = ["scale", "add", "exp", "multiply", "scale"]
        latencies = [raw(chain(512, 65536, steps[:n])) for n in range(1, len(steps) + 1)]
        for less, more in zip(latencies, latencies[1:]):
            self.assertLessEqual(less, more * 1.01)

    def test_moving_work_to_an_idle_engine_helps(self):
        self.assertGreater(raw(chain(512, 65536, ["scale"] * 8)), 1.5 * raw(chain(512, 65536, ["scale", "exp"] * 4)))

    def test_gpsimd_is_slower_than_vector(self):
        self.assertGreater(raw(chain(512, 65536, ["gpsimd"])), raw(chain(512, 65536, ["scale"])))

    def test_hoisting_a_load_by_hand_or_by_the_compiler(self):
        inside, outside = estimate(chain(512, 65536, ["add"], hoisted=False)), estimate(chain(512, 65536, ["add"], hoisted=True))
        self.assertEqual(inside["profile"]["hbm_read_bytes"], outside["profile"]["hbm_read_bytes"])  # Beta 1 hoists it itself
        self.assertEqual(inside["program"]["shared_instructions"], 127)
        literal, moved = (estimate(chain(512, 65536, ["add"], hoisted=h), arguments=["--generation", "nki"]) for h in (False, True))
        self.assertEqual(literal["profile"]["hbm_read_bytes"] - moved["profile"]["hbm_read_bytes"], 127 * 128 * 512 * 4)
        self.assertGreater(literal["latency_raw_ms"], moved["latency_raw_ms"])

    def test_sequential_loops_overlap_less(self):
        self.assertGreater(raw(chain(512, 65536, ["add", "exp"], "sequential")), 1.1 * raw(chain(512, 65536, ["add", "exp"])))

    def test_invariants_of_the_three_figures(self):
        for ir in (chain(512, 65536, ["add", "exp"]), chain(128, 8192, ["exp"], "sequential"), chain(2048, 65536, ["scale", "multiply"])):
            answer = estimate(ir)
            low, high = answer["band_ms"]
            self.assertLessEqual(answer["latency_max_engine_ms"], answer["latency_unlimited_buffers_ms"] * 1.0001)
            self.assertLessEqual(answer["latency_unlimited_buffers_ms"], answer["latency_raw_ms"] * 1.0001)
            self.assertTrue(low <= answer["latency_raw_ms"] <= high)
            self.assertIn(answer["confidence"], "ABC")
            for name, value in answer["profile"].items():
                if name.endswith("_percent"):
                    self.assertTrue(0 <= value <= 1.05, (name, value))

    def test_a_working_set_beyond_sbuf_spills(self):
        def kernel(blocks):
            ir = IR()
            x, y = ir.input((blocks, 128, 2048)), ir.output((blocks, 128, 2048))
            tiles = ir.tensor((blocks, 128, 2048), partition_dim=1)
            at = lambda t, i: ir.access(t, (128, 2048), [affine(0, {i: 1}), affine(0, None, {0: 1}), affine(0, None, {1: 1})])  # noqa: E731
            with ir.loop(blocks) as i:
                t = ir.tensor((128, 2048))
                ir.do("load", ir.whole(t), [("data", at(x, i))])
                ir.do("activation", at(tiles, i), [("data", ir.whole(t))], func="exp")
            with ir.loop(blocks) as j:
                ir.do("store", at(y, j), [("data", at(tiles, j))])
            return ir
        fits, spills = estimate(kernel(16)), estimate(kernel(40))
        self.assertEqual(fits["profile"]["spill_save_bytes"], 0)
        self.assertGreater(spills["profile"]["spill_save_bytes"], 0)
        self.assertEqual(spills["profile"]["spill_save_bytes"] % (128 * 2048 * 4), 0)
        self.assertEqual(spills["confidence"], "C")

    def test_lines_add_up(self):
        answer = estimate(chain(512, 65536, ["add", "exp", "scale"]))
        for engine in ("vector", "scalar"):
            self.assertAlmostEqual(sum(l["busy_ms"] for l in answer["lines"] if l["engine"] == engine), answer["busy_ms"][engine], places=6)
        moved = sum(l["bytes"] for l in answer["lines"])
        self.assertEqual(moved, answer["profile"]["hbm_read_bytes"] + answer["profile"]["hbm_write_bytes"])


class Program(unittest.TestCase):
    def test_trace_is_readable_and_engines_do_not_overlap(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trace.json")
            answer = estimate(chain(512, 16384, ["add", "exp"]), arguments=["--trace", path])
            with open(path) as file:
                events = [e for e in json.load(file)["traceEvents"] if e["ph"] == "X"]
        self.assertEqual(len(events), answer["program"]["machine_instructions"])
        for engine in (1,):
            spans = sorted((e["ts"], e["ts"] + e["dur"]) for e in events if e["tid"] == engine)
            for (_, end), (start, _) in zip(spans, spans[1:]):
                self.assertLessEqual(end, start + 1e-3)
        self.assertLessEqual(max(e["ts"] + e["dur"] for e in events), answer["latency_raw_ms"] * 1e3)

    def test_too_many_instructions_are_refused(self):
        ir = IR()
        t = ir.load(ir.input((128, 8)))
        with ir.loop(3000, "sequential"):
            with ir.loop(3000, "sequential"):
                ir.do("activation", ir.whole(t), [("data", ir.whole(t))], func="exp")
        ir.store(t)
        answer = call("estimate", ir)
        self.assertEqual(answer["error"]["kind"], "compile")
        self.assertIn("unrolls to more than", answer["error"]["message"])

    def test_every_constant_has_a_unit_and_a_source(self):
        def walk(node, path):
            if isinstance(node, dict) and "value" in node:
                self.assertEqual(sorted(node), ["source", "unit", "value"], path)
                self.assertTrue(node["source"] and node["unit"], path)
            elif isinstance(node, dict):
                for key, value in node.items():
                    walk(value, path + "/" + key)
            else:
                self.assertIn(path, ("/schema", "/target", "/name", "/note"))
        for target in ("trn1", "trn2"):
            with open(hardware(target)) as file:
                walk(json.load(file), "")

    def test_broken_hardware_data_is_one_sentence(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file, open(hardware()) as good:
            data = json.load(good)
            del data["engines"]["vector"]["clock"]
            json.dump(data, file)
            file.flush()
            ir = IR()
            ir.store(ir.load(ir.input((128, 8))))
            answer = call("estimate", ir, arguments=["--hardware", file.name])
        self.assertEqual(answer["error"]["kind"], "infrastructure")
        self.assertIn("engines/vector/clock", answer["error"]["message"])


if __name__ == "__main__":
    unittest.main()
