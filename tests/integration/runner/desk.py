# SPDX-License-Identifier: GPL-3.0-or-later
"""A desk for tests: starts the real runner with a fake accelopt-neuroncore and talks to it."""
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SANDBOX = os.path.join(os.environ.get("ACCELOPT_BIN", os.path.join(ROOT, "build", "dev", "bin")), "accelopt-sandbox")
FAKE = os.path.join(ROOT, "tests", "fakes", "fake_neuroncore.py")
PROBLEM = os.path.join(ROOT, "tests", "data", "runner", "double")
MARKER = "@accelopt:test"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def processes_with(word):
    """Live processes whose command line mentions `word`, but not this one."""
    found = []
    for pid in os.listdir("/proc"):
        if pid.isdigit() and int(pid) != os.getpid():
            try:
                with open("/proc/%s/cmdline" % pid, "rb") as file:
                    line = file.read().replace(b"\0", b" ").decode("utf-8", "replace")
                with open("/proc/%s/stat" % pid, "rb") as file:
                    zombie = file.read().rpartition(b")")[2].split()[0] == b"Z"
            except OSError:
                continue
            if word in line and not zombie:
                found.append("%s: %s" % (pid, line))
    return found


class Desk:
    def __init__(self, fake=None, arguments=(), sandbox=SANDBOX, environment=None):
        self.folder = tempfile.mkdtemp(prefix="accelopt-desk-")
        hardware = os.path.join(self.folder, "hardware")
        os.mkdir(hardware)
        self.fake(fake or {})
        variables = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": os.path.join(ROOT, "resources", "runner"), "ACCELOPT_RUNNER_MARKER": MARKER,
                     "PYTHONDONTWRITEBYTECODE": "1", "HOME": self.folder, "ACCELOPT_CACHE_DIR": os.path.join(self.folder, "cache")}
        variables.update(environment or {})
        self.process = subprocess.Popen([sys.executable, "-s", "-m", "accelopt_runner", "--neuroncore", FAKE, "--sandbox", sandbox, "--hardware", hardware,
                                         "--workers", "2"] + list(arguments), env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        self.events = queue.Queue()
        self.seen = []
        threading.Thread(target=self._listen, daemon=True).start()
        self._count = 0
        self.facts = self.ask("hello", protocol=1)

    def fake(self, how):
        path = os.path.join(self.folder, "hardware", "trn1.json")
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump({"fake": how}, file)
        os.replace(path + ".new", path)

    def _listen(self):
        for line in self.process.stdout:
            if line.startswith(MARKER.encode() + b" "):
                message = json.loads(line[len(MARKER) + 1:].decode("ascii"))
                self.seen.append(message)
                self.events.put(message)
        self.events.put(None)

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, request, **fields):
        self.write((MARKER + " " + json.dumps(dict(fields, request=request)) + "\n").encode())

    def ask(self, request, timeout=60, **fields):
        """The answer to a request, in order; other requests' answers are lost."""
        self._count += 1
        ident = fields.pop("id", "t%d" % self._count)
        self.send(request, id=ident, **fields)
        return self.answer(ident, timeout)

    def answer(self, ident, timeout=60):
        end = time.monotonic() + timeout
        while True:
            message = self.events.get(timeout=max(0.01, end - time.monotonic()))
            if message is None:
                raise EOFError("the runner ended")
            if message.get("id") == ident and message["event"] in ("hello", "result", "error", "pong"):
                return message

    def job(self, kernel=None, **fields):
        problem = json.loads(read(os.path.join(PROBLEM, "problem.json")))
        described = {"name": "double", "json": problem, "reference": read(os.path.join(PROBLEM, "reference.py")), "entry": "kernel", "dtype": "float32",
                     "tolerance": 2e-5}
        described.update(fields.pop("problem", {}))
        return dict({"kernel": kernel if kernel is not None else read(os.path.join(PROBLEM, "kernel.py")), "target": "trn1", "seeds": 1, "hidden_seeds": 1,
                     "problem": described}, **fields)

    def evaluate(self, kernel=None, timeout=60, **fields):
        return self.ask("evaluate", timeout, **self.job(kernel, **fields))

    def jobs_left(self):
        """Processes of jobs (not the workers that stay) that are still there."""
        return [line for line in processes_with(self.folder) if "/job-" in line]

    def close(self):
        try:
            if not self.process.stdin.closed:
                self.send("bye")
        except OSError:
            pass
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)
