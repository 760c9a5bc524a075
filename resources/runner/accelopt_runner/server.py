# SPDX-License-Identifier: GPL-3.0-or-later
"""The runner's long-lived process: reads requests, hands jobs to a few threads, reports. Protocol: docs/runner-protocol.md."""
import argparse
import os
import platform
import queue
import signal
import subprocess
import sys
import tempfile
import threading

from . import protocol
from .evaluation import Evaluator, Job
from .failures import Cancelled, Failure, ProblemFailure
from .neuroncore import NeuronCore
from .processes import Launcher, Limits, become_subreaper, python_command, remove_tree
from .protocol import LineReader, ProtocolError, Writer, decode, text_field
from .references import Store
from .workers import LineWorker

HEARTBEAT = 1.0  # seconds


class StaticWorker:
    """The child that parses kernels; started when first needed and again after it died."""

    def __init__(self, launcher, scratch):
        self._launcher = launcher
        self._scratch = scratch
        self._lock = threading.Lock()
        self._worker = None

    def _ask(self, request, seconds, cancel=None):
        with self._lock:
            if self._worker is None:
                folder = tempfile.mkdtemp(prefix="static-", dir=self._scratch)
                self._worker = LineWorker(self._launcher, python_command("staticworker"), folder, Limits(0, 2 << 30, 1 << 20))
            try:
                return self._worker.ask(request, seconds, cancel)
            except (EOFError, TimeoutError, Cancelled):
                worker, self._worker = self._worker, None
                worker.close()
                raise

    def guard(self, source, entry, dtype, seconds, cancel):
        try:
            return self._ask({"do": "guard", "source": source, "entry": entry, "dtype": dtype}, seconds, cancel)["error"]
        except EOFError:
            return Failure("syntax", "The kernel is too complicated to be parsed.", "guard").as_dict()
        except TimeoutError:
            return Failure("hang", "Checking the kernel's source took longer than %g s." % seconds, "guard").as_dict()

    def hash(self, source):
        try:
            return self._ask({"do": "hash", "source": source}, 20)["hash"]
        except (EOFError, TimeoutError, Cancelled):
            return ""

    def close(self):
        with self._lock:
            if self._worker is not None:
                self._worker.close()
                self._worker = None


class Server:
    def __init__(self, options, marker, descriptor_in, descriptor_out):
        self._in = descriptor_in
        self._marker = marker
        self._writer = Writer(descriptor_out, marker)
        self._jobs = {}
        self._lock = threading.Lock()
        self._queue = queue.Queue()
        self._bye = threading.Event()
        self._workers = options.workers
        self._cores = options.cores
        self._scratch = make_scratch(options.scratch)
        self._launcher = Launcher(options.sandbox, self._scratch)
        self._store = Store(self._launcher, options.cache, self._scratch, options.cache_bytes)
        self._static = StaticWorker(self._launcher, self._scratch)
        self._neuroncore = NeuronCore(self._launcher, options.neuroncore, options.hardware, options.unlimited_memory)
        self._versions = {"runner": protocol.RUNNER_VERSION, "python": platform.python_version(), "numpy": _numpy_version(), "nki": "beta1",
                          "simulator": simulator_version(options.neuroncore)}
        self._evaluator = Evaluator(self._launcher, self._store, self._static, self._neuroncore, self._scratch, self._cores, self._versions,
                                    self._writer.send, options.skip_guard)

    def run(self):
        threading.Thread(target=self._beat, daemon=True).start()
        for number in range(self._workers):
            threading.Thread(target=self._work, args=(number + 1,), daemon=True).start()
        try:
            for line in LineReader(self._in):
                try:
                    message = decode(self._marker, line)
                    if message is not None:
                        self._handle(message)
                except ProtocolError as error:
                    self._error(error.ident, "request", str(error))
                if self._bye.is_set() or self._writer.broken.is_set():
                    break
        finally:
            self.close()

    def close(self):
        self._bye.set()
        with self._lock:
            for job in self._jobs.values():
                job.cancel.set()
        self._static.close()
        self._store.close()
        self._launcher.kill_all()
        remove_tree(self._scratch)

    # --- requests ---

    def _handle(self, message):
        ident = message.get("id", "")
        if not isinstance(ident, str) or len(ident) > 200:
            raise ProtocolError("The field 'id' is not a short text.")
        try:
            self._answer(message, ident)
        except ProtocolError as error:
            raise ProtocolError(str(error), ident)

    def _answer(self, message, ident):
        request = message.get("request")
        if request == "hello":
            self._hello(message, ident)
        elif request == "ping":
            self._writer.send("pong", id=ident)
        elif request == "evaluate":
            self._add(Job(message))
        elif request == "hash":
            source = text_field(message, "kernel", protocol.MAX_KERNEL)
            self._queue.put(("hash", ident, source))
        elif request == "cancel":
            with self._lock:
                job = self._jobs.get(text_field(message, "job", 200))
            if job:
                job.cancel.set()
        elif request == "bye":
            self._bye.set()
        else:
            raise ProtocolError("The request '%s' is unknown." % str(request)[:40], ident)

    def _hello(self, message, ident):
        wanted = message.get("protocol")
        if wanted != protocol.VERSION:
            raise ProtocolError("The desk speaks version %s of the protocol, this runner version %d." % (str(wanted)[:20], protocol.VERSION), ident)
        self._writer.send("hello", id=ident, protocol=protocol.VERSION, backend="simulator", versions=self._versions, cores=self._cores,
                          workers=self._workers, requests=["evaluate", "hash", "cancel", "ping", "bye"], targets=self._neuroncore.targets(),
                          stages=["guard", "reference", "check", "timing", "correctness"], containment=self._launcher.facts,
                          cache=self._store.usable, system=platform.system(), machine=platform.machine(), warnings=[self._store.warning] if self._store.warning else [])

    def _add(self, job):
        with self._lock:
            if job.ident in self._jobs:
                raise ProtocolError("There is a job of this name already.", job.ident)
            self._jobs[job.ident] = job
        self._queue.put(("evaluate", job.ident, job))

    # --- threads ---

    def _work(self, number):
        while True:
            kind, ident, what = self._queue.get()
            if self._bye.is_set():
                return
            if kind == "hash":
                self._writer.send("result", id=ident, result={"hash": self._static.hash(what)})
                continue
            try:
                if what.cancel.is_set():
                    raise Cancelled()
                result = self._evaluator.evaluate(what, number)
                self._writer.send("result", id=ident, result=result)
            except Cancelled:
                self._error(ident, "cancelled", "The job was cancelled.")
            except ProblemFailure as error:
                self._error(ident, "problem", str(error))
            except Exception as error:  # pylint: disable=broad-except
                self._error(ident, "infrastructure", "The runner failed: %s: %s" % (type(error).__name__, error))
                import traceback
                traceback.print_exc()
            finally:
                with self._lock:
                    self._jobs.pop(ident, None)

    def _beat(self):
        while not self._bye.wait(HEARTBEAT):
            with self._lock:
                running = len(self._jobs)
            self._writer.send("heartbeat", jobs=running)
            if self._writer.broken.is_set():
                self.close()
                os._exit(1)

    def _error(self, ident, kind, message):
        self._writer.send("error", id=ident, kind=kind, message=message[:protocol.MAX_MESSAGE])


def _numpy_version():
    try:
        import numpy
        return numpy.__version__
    except ImportError:
        return ""


def simulator_version(program):
    """Name and version of accelopt-neuroncore: results of different versions are not compared."""
    try:
        out = subprocess.run([program, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=10, check=False)
        words = out.stdout.decode("utf-8", "replace").split() if out.returncode == 0 else []
        return "neuroncore %s" % words[-1][:40] if words else "neuroncore"
    except (OSError, ValueError, subprocess.SubprocessError):
        return "neuroncore"


def make_scratch(parent):
    """A private folder of this session; those of dead sessions are removed."""
    os.makedirs(parent, mode=0o700, exist_ok=True)
    for name in os.listdir(parent):
        pid = name.split("-")[1] if name.startswith("session-") and name.count("-") >= 2 else ""
        if pid.isdigit() and not _alive(int(pid)):
            remove_tree(os.path.join(parent, name))
    return tempfile.mkdtemp(prefix="session-%d-" % os.getpid(), dir=parent)


def _alive(pid):
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False
    except PermissionError:
        return True


def default_cache():
    folder = os.environ.get("ACCELOPT_CACHE_DIR")
    if not folder:
        folder = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "accelopt-studio")
    return folder


def parse(arguments):
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    cache = default_cache()
    parser = argparse.ArgumentParser(prog="accelopt_runner", description="Evaluates kernels for AccelOpt Studio.")
    parser.add_argument("--backend", choices=["simulator"], default="simulator")
    parser.add_argument("--neuroncore", default=os.environ.get("ACCELOPT_NEURONCORE", ""), help="the program accelopt-neuroncore")
    parser.add_argument("--sandbox", default=os.environ.get("ACCELOPT_SANDBOX", ""), help="the program accelopt-sandbox")
    parser.add_argument("--hardware", default=os.environ.get("ACCELOPT_HARDWARE", ""), help="folder with <target>.json")
    parser.add_argument("--cache", default=os.path.join(cache, "references"))
    parser.add_argument("--cache-bytes", type=float, default=8e9)
    parser.add_argument("--scratch", default=os.path.join(cache, "jobs"))
    parser.add_argument("--workers", type=int, default=max(1, cores))
    parser.add_argument("--cores", type=int, default=cores)
    parser.add_argument("--unlimited-memory", action="store_true", help="no limit of address space for accelopt-neuroncore (sanitized builds)")
    parser.add_argument("--skip-guard", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    options.workers = min(max(1, options.workers), 64)
    options.cores = min(max(1, options.cores), 256)
    return options


def main(arguments=None):
    options = parse(sys.argv[1:] if arguments is None else arguments)
    marker = os.environ.pop("ACCELOPT_RUNNER_MARKER", "")
    if not marker or len(marker) > 100 or not all("!" <= letter <= "~" for letter in marker):
        print("accelopt_runner: the desk must name the marker in ACCELOPT_RUNNER_MARKER.", file=sys.stderr)
        return 2
    become_subreaper()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal is the desk's to handle
    descriptor = os.dup(1)
    os.set_inheritable(descriptor, False)
    os.dup2(2, 1)  # a stray print of a library is a log line, not protocol
    server = Server(options, marker, 0, descriptor)

    def stop(_number, _frame):
        threading.Thread(target=lambda: (server.close(), os._exit(0)), daemon=True).start()
    signal.signal(signal.SIGTERM, stop)
    server.run()
    os._exit(0)  # threads that still wait hold nothing
