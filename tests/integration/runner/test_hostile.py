# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels that mean harm, through the real runner with the guard taken away: each ends with its own kind, leaves no process behind, and
the next attempt works."""
import os
import time
import unittest

from desk import Desk, processes_with

HEAD = "import os, sys, time, signal, threading\nfrom neuronxcc import nki\nimport neuronxcc.nki.language as nl\n\n@nki.jit\ndef kernel(x):\n"


def hostile(body):
    return HEAD + "".join("    %s\n" % line for line in body.strip().splitlines()) + "    return x\n"


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk(arguments=["--skip-guard"])

    @classmethod
    def tearDownClass(cls):
        folder = cls.desk.folder
        cls.desk.close()
        end = time.monotonic() + 5
        while processes_with(folder) and time.monotonic() < end:
            time.sleep(0.1)
        assert not processes_with(folder), processes_with(folder)

    def fails(self, body, kinds, deadline=20, inside=None, text=None):
        began = time.monotonic()
        answer = self.desk.evaluate(hostile(body), deadlines={"check": deadline}, timeout=90)
        self.assertEqual(answer["event"], "result", answer)
        error = answer["result"]["error"]
        self.assertIsNotNone(error, answer)
        self.assertIn(error["kind"], kinds, error)
        if text:
            self.assertIn(text, error["message"])
        self.assertEqual(self.desk.jobs_left(), [])
        if inside:
            self.assertLess(time.monotonic() - began, inside)
        good = self.desk.evaluate()
        self.assertEqual(good["result"]["status"], "measured", good)
        return error

    def test_loops_for_ever(self):
        self.fails("while True: pass", ["hang"], deadline=4, inside=30)

    def test_sleeps_and_ignores_sigterm(self):
        self.fails("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)", ["hang"], deadline=4, inside=30)

    def test_blocks_all_signals_in_many_threads(self):
        self.fails("signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nfor i in range(50): threading.Thread(target=time.sleep, args=(1000,)).start()\n"
                   "while True: time.sleep(1)", ["hang"], deadline=4, inside=30)

    def test_thread_that_outlives_the_kernel(self):
        answer = self.desk.evaluate(hostile("threading.Thread(target=time.sleep, args=(1000,)).start()"), timeout=60)
        self.assertEqual(self.desk.jobs_left(), [])
        self.assertEqual(answer["event"], "result")

    def test_forks(self):
        error = self.fails("os.fork()", ["compile", "guard"], text="Operation not permitted")
        self.assertGreater(error["line"], 0)

    def test_fork_bomb(self):
        self.fails("while True:\n    try: os.fork()\n    except OSError: pass", ["hang"], deadline=4, inside=30)

    def test_spawns(self):
        self.fails("os.posix_spawn('/bin/sleep', ['sleep', '1000'], {})", ["compile", "guard"])
        self.assertEqual(processes_with("sleep 1000"), [])

    def test_allocates_without_end(self):
        self.fails("a = []\nwhile True: a.append(bytearray(64 << 20))", ["memory"], deadline=60)

    def test_allocates_at_once(self):
        self.fails("a = bytearray(1 << 42)", ["memory"])

    def test_allocates_and_swallows_the_error(self):
        self.fails("a = []\nwhile True:\n    try: a.append(bytearray(64 << 20))\n    except MemoryError: pass", ["hang", "memory"], deadline=5)

    def test_prints_without_end(self):
        self.fails("while True: os.write(1, b'x' * 65536)", ["crash"], text="printed")

    def test_writes_one_huge_file(self):
        self.fails("f = open('big', 'wb')\nwhile True: f.write(b'x' * (1 << 20))", ["crash", "guard", "compile"])

    def test_writes_many_files(self):
        self.fails("i = 0\nwhile True:\n    i += 1\n    open('f%d' % i, 'wb').write(b'x' * (32 << 20))", ["crash"], text="folder")

    def test_makes_countless_folders(self):
        self.fails("i = 0\nwhile True:\n    i += 1\n    os.mkdir('d%d' % i)", ["crash", "hang"], deadline=15)

    def test_closes_descriptors(self):
        self.fails("os.closerange(0, 256)\nos._exit(0)", ["crash"], text="without a result")

    def test_exits(self):
        self.fails("os._exit(0)", ["crash"])
        self.fails("os._exit(3)", ["crash"], text="3")
        self.fails("sys.exit(0)", ["crash", "compile"], text="SystemExit")
        self.fails("raise KeyboardInterrupt", ["crash", "compile"])

    def test_dies_of_a_signal(self):
        self.fails("os.kill(os.getpid(), 11)", ["crash"], text="signal 11")
        self.fails("os.abort()", ["crash"], text="signal 6")
        self.fails("import ctypes; ctypes.string_at(0)", ["crash"])

    def test_deletes_its_folder(self):
        self.fails("import shutil; shutil.rmtree(os.getcwd(), ignore_errors=True)\nos._exit(0)", ["crash"])

    def test_leaves_traps_in_its_folder(self):
        for trap in ("os.symlink('/etc/passwd', 'trace.json')", "os.mkfifo('trace.json')", "os.mkdir('trace.json')",
                     "open('trace.json', 'w').write('{' * 100000)", "open('trace.json', 'w').write('[]')", "open('trace.json', 'w').write('{\"error\": 3}')",
                     "open('trace.json', 'w').write('{\"error\": null}'); open('ir.json', 'w').write('[1]')",
                     "open('trace.json', 'w').write('{\"error\": null}'); os.symlink('/proc/self/environ', 'ir.json')",
                     "open('trace.json', 'w').write('{\"error\": null}'); open('ir.json', 'w').write('[' * 200000)",
                     "open('trace.json', 'w').write('{\"error\": {\"kind\": \"infrastructure\", \"line\": \"x\", \"message\": \"not me\"}}')"):
            answer = self.desk.evaluate(hostile(trap + "\nos._exit(0)"))
            self.assertEqual(answer["event"], "result", trap)
            self.assertEqual(answer["result"]["status"], "failed", trap)
            self.assertIn(answer["result"]["error"]["kind"], ("crash", "compile", "guard"), trap)
        self.assertEqual(self.desk.evaluate()["result"]["status"], "measured")

    def test_makes_a_deep_tree(self):
        self.fails("for i in range(3000):\n    os.mkdir('d'); os.chdir('d')\nos._exit(0)", ["crash"])
        scratch = os.path.join(self.desk.folder, "cache", "jobs")
        self.assertEqual([n for s in os.listdir(scratch) for n in os.listdir(os.path.join(scratch, s)) if n.startswith("job-")], [])

    def test_prints_a_forged_result(self):
        forged = "print('@accelopt:test {\"event\": \"result\", \"id\": \"forged\", \"result\": {}}', flush=True)\nos.write(2, b'@accelopt:test {\"event\": \"result\", \"id\": \"forged\"}\\n')"
        self.fails(forged + "\nos._exit(0)", ["crash"])
        self.assertEqual([m for m in self.desk.seen if m.get("id") == "forged"], [])

    def test_looks_for_secrets(self):
        os.environ["ACCELOPT_TEST_SECRET"] = "hunter2"
        error = self.fails("raise ValueError(repr(dict(os.environ)))", ["compile"])
        self.assertNotIn("hunter2", error["message"])
        self.assertNotIn("accelopt:test", error["message"])
        for path in ("/proc/%d/environ" % self.desk.process.pid, "/proc/self/environ", "/etc/passwd", os.path.expanduser("~/.ssh"), self.desk.folder + "/hardware/trn1.json"):
            error = self.fails("raise ValueError(open(%r).read()[:100])" % path, ["compile", "guard"])
            self.assertRegex(error["message"], "ermission denied|No such file", path)

    def test_connects(self):
        self.fails("import socket; socket.create_connection(('127.0.0.1', 22))", ["compile", "guard"], text="ermi")

    def test_signals_others(self):
        self.fails("os.kill(%d, 9)" % self.desk.process.pid, ["compile", "guard"])
        self.fails("os.kill(-1, 9)", ["compile", "guard", "crash"])
        self.fails("os.kill(os.getppid(), 9)", ["compile", "guard"])
        self.assertIsNone(self.desk.process.poll())

    def test_recurses(self):
        self.fails("def f(): return f()\nf()", ["compile"])

    def test_patches_the_tracer(self):
        self.fails("import json; json.dump = None; json.dumps = None", ["crash", "compile", "guard"])

    def test_cancel_of_a_hang(self):
        self.desk.send("evaluate", id="stuck", **self.desk.job(hostile("while True: pass")))
        time.sleep(3)
        began = time.monotonic()
        self.desk.send("cancel", id="c", job="stuck")
        answer = self.desk.answer("stuck", 20)
        self.assertEqual((answer["event"], answer.get("kind")), ("error", "cancelled"), answer)
        self.assertLess(time.monotonic() - began, 3)
        self.assertEqual(self.desk.jobs_left(), [])


class Guarded(unittest.TestCase):
    def test_the_guard_stands_before_all_that(self):
        desk = Desk()
        try:
            answer = desk.evaluate(hostile("os._exit(0)"))
            self.assertEqual((answer["result"]["error"]["kind"], answer["result"]["error"]["line"]), ("guard", 1))
            answer = desk.evaluate("def kernel(x):\n    return x.__class__\n")
            self.assertEqual((answer["result"]["error"]["kind"], answer["result"]["error"]["line"]), ("guard", 2))
            answer = desk.evaluate("def kernel(x):\n    return (x\n")
            self.assertEqual(answer["result"]["error"]["kind"], "syntax")
            answer = desk.evaluate("x = " + "-" * 200000 + "1\ndef kernel(x): return x\n")
            self.assertEqual(answer["result"]["error"]["kind"], "syntax")
            self.assertEqual(desk.evaluate()["result"]["status"], "measured")
        finally:
            desk.close()


if __name__ == "__main__":
    unittest.main()
