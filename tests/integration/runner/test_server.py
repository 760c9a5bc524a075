# SPDX-License-Identifier: GPL-3.0-or-later
"""The conversation with the real runner."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from desk import MARKER, ROOT, Desk, processes_with


class Server(unittest.TestCase):
    def setUp(self):
        self.desk = Desk()

    def tearDown(self):
        self.desk.close()

    def test_hello(self):
        facts = self.desk.facts
        self.assertEqual((facts["event"], facts["protocol"], facts["backend"]), ("hello", 1, "simulator"))
        self.assertEqual(facts["targets"], ["trn1"])
        self.assertEqual(facts["workers"], 2)
        self.assertTrue(facts["containment"]["sandbox"])
        self.assertEqual(facts["versions"]["simulator"], "neuroncore fake")
        refused = self.desk.ask("hello", protocol=2)
        self.assertEqual((refused["event"], refused["kind"]), ("error", "request"))

    def test_a_job_from_start_to_end(self):
        answer = self.desk.evaluate(id="one", seeds=2, hidden_seeds=1)
        result = answer["result"]
        self.assertEqual((result["status"], result["error"]), ("measured", None))
        self.assertEqual(result["relative_error"], 0)
        self.assertEqual(result["latency_ms"], {"median": 1.5, "min": 1.5, "max": 1.5, "samples": [1.5]})
        self.assertEqual(result["key"]["target"], "trn1")
        mine = [m for m in self.desk.seen if m.get("job") == "one"]
        stages = [m["stage"] for m in mine if m["event"] == "started"]
        self.assertEqual(stages, ["guard", "reference", "check", "timing", "correctness"])
        self.assertEqual(stages, [m["stage"] for m in mine if m["event"] == "finished"])
        self.assertEqual([m["done"] for m in mine if "done" in m], [1, 2, 3])

    def test_bad_requests_do_no_harm(self):
        for line in (b"garbage\n", b"@other {}\n", MARKER.encode() + b" {\n", MARKER.encode() + b" [1]\n", MARKER.encode() + b' {"request": "dance", "id": "d"}\n',
                     MARKER.encode() + b' {"request": 3}\n', MARKER.encode() + b' {"request": "ping", "id": 7}\n', MARKER.encode() + b" " + b"[" * 100000 + b"\n",
                     MARKER.encode() + b' {"request": "evaluate", "id": "e"}\n', MARKER.encode() + b" \xff\xfe\n", b"\n\n",
                     MARKER.encode() + b' {"request": "hash", "id": "x"}\n', MARKER.encode() + b' {"request": "cancel", "id": "c"}\n'):
            self.desk.write(line)
        self.assertEqual(self.desk.ask("ping")["event"], "pong")
        errors = [m for m in self.desk.seen if m["event"] == "error"]
        self.assertTrue(all(m["kind"] == "request" and m["message"] for m in errors), errors)
        self.assertEqual({m["id"] for m in errors if m["id"]}, {"d", "e", "x", "c"})

    def test_refuses_wrong_jobs(self):
        for change in ({"kernel": 3}, {"target": ["trn1"]}, {"seeds": -1}, {"seeds": "many"}, {"seeds": True}, {"purpose": "fun"}, {"sha256": "0" * 64},
                       {"deadlines": {"check": -1}}, {"problem": {"tolerance": 7}}, {"problem": {"entry": "a b"}}, {"problem": {"reference": None}},
                       {"kernel": "x" * ((1 << 20) + 1)}, {"skip": {"from_ms": "a", "to_ms": 3}}):
            answer = self.desk.evaluate(**change)
            self.assertEqual((answer["event"], answer["kind"]), ("error", "request"), change)
        self.assertEqual(self.desk.evaluate(target="trn9")["result"]["error"]["kind"], "infrastructure")
        self.assertEqual(self.desk.evaluate(sha256="", more="fields are ignored")["result"]["status"], "measured")

    def test_an_endless_line_is_skipped(self):
        self.desk.write(MARKER.encode() + b' {"request": "ping", "id": "')
        for _ in range(20):
            self.desk.write(b"x" * (1 << 20))
        self.desk.write(b'"}\n')
        self.assertEqual(self.desk.ask("ping")["event"], "pong")

    def test_the_same_name_twice(self):
        self.desk.fake({"check": "hang"})
        self.desk.send("evaluate", id="a", **self.desk.job())
        self.desk.send("evaluate", id="a", **self.desk.job())
        self.assertEqual(self.desk.answer("a")["kind"], "request")
        self.desk.send("cancel", id="c", job="a")
        self.assertEqual(self.desk.answer("a")["kind"], "cancelled")

    def test_cancel_of_a_waiting_job(self):
        self.desk.fake({"check": "hang"})
        for name in ("a", "b", "c"):
            self.desk.send("evaluate", id=name, **self.desk.job())
        time.sleep(1)
        for name in ("c", "a", "b"):
            self.desk.send("cancel", id="x", job=name)
        answers = {}
        while len(answers) < 3:
            message = self.desk.events.get(timeout=30)
            if message["event"] == "error":
                answers[message["id"]] = message["kind"]
        self.assertEqual(set(answers.values()), {"cancelled"})

    def test_jobs_at_once(self):
        names = ["j%d" % i for i in range(6)]
        for name in names:
            self.desk.send("evaluate", id=name, **self.desk.job(seeds=1, hidden_seeds=0))
        answers = {}
        while len(answers) < len(names):
            message = self.desk.events.get(timeout=120)
            if message["event"] in ("result", "error"):
                answers[message["id"]] = message
        self.assertEqual({m["result"]["status"] for m in answers.values()}, {"measured"})
        self.assertEqual({m["result"]["core"] for m in answers.values()}, {"simulator worker 1", "simulator worker 2"})

    def test_heartbeat(self):
        time.sleep(2.5)
        self.assertGreaterEqual(len([m for m in self.desk.seen if m["event"] == "heartbeat"]), 2)

    def test_hash(self):
        one = self.desk.ask("hash", kernel="def kernel(x):\n    y = x  # a\n    return y\n")["result"]["hash"]
        self.assertEqual(self.desk.ask("hash", kernel="def kernel(x):\n    z = x\n    return z\n")["result"]["hash"], one)
        self.assertEqual(self.desk.ask("hash", kernel="def (")["result"]["hash"], "")
        self.assertEqual(self.desk.ask("hash", kernel="-" * 500000 + "1")["result"]["hash"], "")
        self.assertEqual(len(one), 64)

    def test_references_are_made_once(self):
        self.desk.evaluate(seeds=5)
        store = os.path.join(self.desk.folder, "cache", "references")
        (key,) = os.listdir(store)
        seeds = sorted(n for n in os.listdir(os.path.join(store, key)) if n.startswith("s"))
        self.assertEqual(seeds, ["s0", "s21", "s42", "s63", "s84"])
        stamps = {n: os.stat(os.path.join(store, key, n, "ref0.npy")).st_mtime_ns for n in seeds}
        self.assertEqual(self.desk.evaluate(seeds=5)["result"]["status"], "measured")
        self.assertEqual(stamps, {n: os.stat(os.path.join(store, key, n, "ref0.npy")).st_mtime_ns for n in seeds})
        self.assertEqual(len([n for n in os.listdir(os.path.join(store, key)) if n.startswith("h")]), 1)

    def test_a_cache_that_cannot_be_written(self):
        store = os.path.join(self.desk.folder, "cache", "references")
        shutil.rmtree(store)
        with open(store, "w", encoding="utf-8") as file:
            file.write("in the way")
        self.assertEqual(self.desk.evaluate(seeds=2)["result"]["status"], "measured")

    def test_verify_draws_new_hidden_seeds(self):
        self.desk.evaluate(purpose="verify", seeds=0, hidden_seeds=2)
        self.desk.evaluate(purpose="verify", seeds=0, hidden_seeds=2)
        (key,) = os.listdir(os.path.join(self.desk.folder, "cache", "references"))
        hidden = [n for n in os.listdir(os.path.join(self.desk.folder, "cache", "references", key)) if n.startswith("h")]
        self.assertEqual(len(hidden), 4)

    def test_a_hidden_seed_stays_hidden(self):
        self.desk.fake({"run": "wrong"})
        message = self.desk.evaluate(seeds=0, hidden_seeds=1)["result"]["error"]["message"]
        self.assertIn("with a hidden seed", message)
        self.assertIn("[3, 17]", message)
        self.desk.fake({"run": "wrong"})
        self.assertIn("with seed 0", self.desk.evaluate(seeds=1, hidden_seeds=0)["result"]["error"]["message"])

    def test_references_that_cannot_be_used(self):
        head = "import numpy as np\n"
        inputs = "def get_inputs():\n    return [np.ones((4, 4), np.float32)]\n"
        for reference, word in ((head + inputs, "forward"), (head + "def forward(x): return x\n", "get_inputs"), ("def forward(", "cannot be loaded"),
                                (head + inputs + "def forward(x): return 0 * x\n", "zero"), (head + inputs + "def forward(x): return x / 0\n", "not finite"),
                                (head + inputs + "def forward(x): raise ValueError('no')\n", "ValueError: no"),
                                (head + inputs + "def forward(x): return 'text'\n", "not an array"), (head + inputs + "def forward(x, y): return x\n", "TypeError"),
                                (head + "def get_inputs(): return [object()]\ndef forward(x): return np.ones(3)\n", "only arrays"),
                                (head + inputs + "def forward(x): import sys; sys.exit(3)\n", "SystemExit")):
            answer = self.desk.evaluate(problem={"reference": reference})
            self.assertEqual((answer["event"], answer.get("kind")), ("error", "problem"), (word, answer))
            self.assertIn(word, answer["message"])
        slow = head + inputs + "def forward(x):\n    import time\n    time.sleep(1000)\n"
        answer = self.desk.evaluate(problem={"reference": slow}, deadlines={"reference": 2})
        self.assertIn("longer than 2 s", answer["message"])
        dying = head + inputs + "def forward(x):\n    import os\n    os._exit(3)\n"
        self.assertEqual(self.desk.evaluate(problem={"reference": dying})["result"]["error"]["kind"], "infrastructure")
        noisy = head + inputs + "print('hello')\ndef forward(x):\n    print('{}', flush=True)\n    return x * 2\n"
        self.assertEqual(self.desk.evaluate("import neuronxcc.nki.language as nl\ndef kernel(x):\n    o = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)\n"
                                            "    nl.store(o, nl.load(x))\n    return o\n", problem={"reference": noisy})["result"]["status"], "measured")

    def test_several_outputs_and_layouts(self):
        reference = ("import numpy as np\ndef get_inputs(): return [np.random.normal(0, 1, (128, 64)).astype(np.float32), 3, np.float32(2)]\n"
                     "def forward(x, n, s): x *= s; return x.T\n"  # in place: the kernel must still get the input as it was
                     "def transform_nki_outputs(k, ref): return k.T\n")
        kernel = ("import neuronxcc.nki.language as nl\ndef kernel(x, n, s):\n    assert n == 3 and s == 2.0\n"
                  "    o = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)\n    nl.store(o, nl.load(x))\n    return o\n")
        answer = self.desk.evaluate(kernel, problem={"reference": reference}, seeds=2)
        self.assertEqual(answer["result"]["status"], "measured", answer)

    def test_missing_neuroncore(self):
        desk = Desk(arguments=["--neuroncore", "/no/such/program"])
        try:
            error = desk.evaluate()["result"]["error"]
            self.assertEqual(error["kind"], "infrastructure")
            self.assertIn("accelopt-neuroncore is missing", error["message"])
        finally:
            desk.close()

    def test_without_the_sandbox(self):
        desk = Desk(sandbox="/no/such/program")
        try:
            self.assertFalse(desk.facts["containment"]["sandbox"])
            self.assertEqual(desk.evaluate()["result"]["status"], "measured")
            desk.fake({"check": "hang"})
            self.assertEqual(desk.evaluate(deadlines={"check": 3})["result"]["error"]["kind"], "hang")
            self.assertEqual(desk.jobs_left(), [])
        finally:
            desk.close()

    def test_end_of_input_ends_everything(self):
        self.desk.fake({"check": "hang"})
        self.desk.send("evaluate", id="a", **self.desk.job())
        time.sleep(2)
        self.desk.process.stdin.close()
        self.assertEqual(self.desk.process.wait(10), 0)
        self.gone()

    def test_death_of_the_runner_ends_everything(self):
        self.desk.fake({"check": "hang"})
        self.desk.send("evaluate", id="a", **self.desk.job())
        time.sleep(2)
        self.assertTrue(self.desk.jobs_left())
        self.desk.process.kill()
        self.desk.process.wait()
        self.gone()

    def gone(self):
        end = time.monotonic() + 8
        while processes_with(self.desk.folder) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertEqual(processes_with(self.desk.folder), [])

    def test_scratch_of_a_dead_session_is_removed(self):
        self.desk.process.kill()
        self.desk.process.wait()
        scratch = os.path.join(self.desk.folder, "cache", "jobs")
        (old,) = os.listdir(scratch)
        other = Desk(arguments=["--scratch", scratch])
        try:
            self.assertNotIn(old, os.listdir(scratch))
        finally:
            other.close()

    def test_needs_a_marker(self):
        for marker in ("", "with space", "x" * 200):
            environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.path.join(ROOT, "resources", "runner"), "ACCELOPT_RUNNER_MARKER": marker,
                           "ACCELOPT_CACHE_DIR": tempfile.gettempdir()}
            result = subprocess.run([sys.executable, "-m", "accelopt_runner"], env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, timeout=30)
            self.assertEqual(result.returncode, 2)
            self.assertIn(b"MARKER", result.stderr)

    def test_the_marker_is_not_inherited(self):
        self.assertEqual(self.desk.evaluate()["result"]["status"], "measured")
        for line in processes_with(self.desk.folder):
            if "-m accelopt_runner" not in line:
                try:
                    with open("/proc/%s/environ" % line.split(":")[0], "rb") as file:
                        self.assertNotIn(MARKER.encode(), file.read())
                except OSError:
                    pass

    def test_lines_are_ascii_json(self):
        self.desk.ask("hash", id="größe", kernel="x = 'ä'\n")
        self.assertTrue(all(json.dumps(m).isascii() for m in self.desk.seen))


if __name__ == "__main__":
    unittest.main()
