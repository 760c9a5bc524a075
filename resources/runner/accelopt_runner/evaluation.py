# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulator back end: the stages of one evaluation, from the source to a verdict.

guard -> reference (shapes) -> check (trace in walls, rules) -> timing (estimate) -> correctness -> profile.
The estimate comes before the numbers, so that a kernel that can enter neither beam nor memory is not computed.
"""
import concurrent.futures
import hashlib
import json
import os
import stat
import tempfile
import threading
import time

from . import guards
from .failures import Cancelled, Failure, ProblemFailure
from .neuroncore import estimate_fields
from .processes import Limits, python_command, read_file, remove_tree
from .protocol import MAX_KERNEL, MAX_REFERENCE, ProtocolError, number_field, text_field
from .references import problem_key, public_seeds

DEADLINES = {"guard": 20.0, "reference": 600.0, "check": 60.0, "timing": 120.0, "correctness": 300.0, "profile": 60.0}
TRACE_MEMORY = 2 << 30  # address space of the untrusted child
TRACE_FILES = 256 << 20
MAX_PROGRAM = 64 << 20  # bytes of a traced program
PURPOSES = ("search", "baseline", "verify", "check-only", "estimate-only")


class Problem:
    def __init__(self, fields):
        self.name = text_field(fields, "name", 200, "problem")
        self.reference = text_field(fields, "reference", MAX_REFERENCE)
        self.entry = text_field(fields, "entry", 200, "kernel")
        self.dtype = text_field(fields, "dtype", 40, "float32")
        self.tolerance = float(number_field(fields, "tolerance", 2e-5, 1e-12, 1.0))
        if not self.entry.isidentifier():
            raise ProtocolError("The entry '%s' is not the name of a function." % self.entry[:60])
        values = fields.get("json", {})
        self.key = problem_key(self.reference, json.dumps(values if isinstance(values, dict) else {}, sort_keys=True))


class Job:
    def __init__(self, message):
        self.ident = text_field(message, "id", 200)
        if not isinstance(message.get("problem"), dict):
            raise ProtocolError("The field 'problem' is missing.", self.ident)
        try:
            self.problem = Problem(message["problem"])
        except ProtocolError as error:
            raise ProtocolError(str(error), self.ident)
        self.kernel = text_field(message, "kernel", MAX_KERNEL)
        self.sha256 = hashlib.sha256(self.kernel.encode("utf-8", "surrogatepass")).hexdigest()
        if message.get("sha256") not in (None, "", self.sha256):
            raise ProtocolError("The kernel does not have the SHA-256 that the request names.", self.ident)
        self.target = text_field(message, "target", 40, "trn1")
        self.seeds = int(number_field(message, "seeds", 5, 0, 1000))
        self.hidden = int(number_field(message, "hidden_seeds", 1, 0, 1000))
        self.purpose = text_field(message, "purpose", 40, "search")
        if self.purpose not in PURPOSES:
            raise ProtocolError("The purpose '%s' is unknown." % self.purpose[:40], self.ident)
        skip = message.get("skip")
        self.skip = None
        if isinstance(skip, dict):
            self.skip = (number_field(skip, "from_ms", 0, 0, 1e12), number_field(skip, "to_ms", 0, 0, 1e12))
        wanted = message.get("deadlines")
        self.deadlines = dict(DEADLINES)
        if isinstance(wanted, dict):
            self.deadlines.update({k: float(number_field(wanted, k, 0, 0.05, 86400)) for k in wanted if k in DEADLINES})
        self.cancel = threading.Event()
        self.folder = ""
        self.core = ""


class Evaluator:
    """Evaluates jobs; one call a thread."""

    def __init__(self, launcher, store, static, neuroncore, scratch, cores, versions, report, skip_guard=False):
        self._launcher = launcher
        self._store = store
        self._static = static
        self._neuroncore = neuroncore
        self._scratch = scratch
        self._cores = cores
        self._slots = threading.BoundedSemaphore(cores)
        self._seeds_pool = concurrent.futures.ThreadPoolExecutor(max_workers=max(2, 2 * cores))
        self._versions = versions
        self._report = report  # report(event, **fields)
        self._skip_guard = skip_guard  # for tests of the walls behind the guard

    def evaluate(self, job, worker):
        """The result's dictionary. Raises Cancelled or ProblemFailure."""
        run = _Run(self, job)
        job.core = "simulator worker %d" % worker
        result = {"status": "failed", "error": None, "sha256": job.sha256, "core": job.core, "stage_seconds": run.seconds,
                  "key": {"target": job.target, "host": "simulator", "sdk": self._versions["simulator"], "nki": "beta1", "flags": "",
                          "profiler": self._versions["simulator"]}}
        try:
            job.folder = tempfile.mkdtemp(prefix="job-", dir=self._scratch)
            run.evaluate(result)
        except Failure as failure:
            if not failure.stage:
                failure.stage = run.stage
            result["error"] = failure.as_dict()
        except OSError as error:
            result["error"] = Failure("infrastructure", "The job's folder could not be used: %s." % (error.strerror or error), run.stage).as_dict()
        finally:
            if job.folder:
                remove_tree(job.folder)
        return result


class _Run:
    """One job on its way through the stages."""

    def __init__(self, evaluator, job):
        self._e = evaluator
        self._job = job
        self.seconds = {}
        self.stage = ""

    # --- stages ---

    def evaluate(self, result):
        job = self._job
        self._in("guard", self._guard)
        meta = self._in("reference", self._shapes)
        trace = os.path.join(job.folder, "trace")
        self._in("check", lambda: self._check(trace, meta))
        if job.purpose == "check-only":
            result["status"] = "skipped"
            return
        result.update(self._in("timing", lambda: self._estimate(trace)))
        latency = result["latency_ms"]["median"]
        if job.purpose == "estimate-only" or (job.skip and job.purpose == "search" and job.skip[0] <= latency <= job.skip[1]):
            result["status"] = "skipped"
            return
        try:
            result["relative_error"] = self._in("correctness", lambda: self._correctness(trace, meta))
        except Failure as failure:
            result["relative_error"] = getattr(failure, "relative_error", None)
            raise
        result["status"] = "measured"

    def _in(self, stage, work):
        """Runs a stage: tells the desk, counts its seconds."""
        self._stop_if_cancelled()
        self.stage = stage
        began = time.monotonic()
        self._e._report("started", job=self._job.ident, stage=stage, core=self._job.core)
        try:
            return work()
        finally:
            spent = time.monotonic() - began
            self.seconds[stage] = round(self.seconds.get(stage, 0) + spent, 4)
            self._e._report("finished", job=self._job.ident, stage=stage, seconds=round(spent, 4))

    def _stop_if_cancelled(self):
        if self._job.cancel.is_set():
            raise Cancelled()

    def _guard(self):
        job = self._job
        if self._e._skip_guard:
            return
        error = self._e._static.guard(job.kernel, job.problem.entry, job.problem.dtype, job.deadlines["guard"], job.cancel)
        if error:
            raise Failure(error["kind"], error["message"], "guard", error["id"], error["line"])

    def _shapes(self):
        """Description of the kernel's arguments: from any seed that is there, else the first one is made now."""
        job = self._job
        meta = self._e._store.known(job.problem)
        if meta is None:
            with self._slot():
                seed = self._e._store.get(job.problem, public_seeds(1)[0], False, job.deadlines["reference"], job.cancel)
                meta = seed.meta
                seed.release()
        return meta

    def _check(self, trace, meta):
        job = self._job
        deadline = job.deadlines["check"]
        os.mkdir(trace, 0o700)
        path = os.path.join(trace, "kernel.py")
        with open(path, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            file.write(job.kernel)
        with open(os.path.join(trace, "job.json"), "w", encoding="utf-8") as file:
            json.dump({"kernel": path, "entry": job.problem.entry, "target": job.target, "arguments": meta["arguments"], "out": trace}, file)
        with self._slot():
            began = time.monotonic()
            ended = self._e._launcher.run(python_command("job", trace), trace, Limits(deadline, TRACE_MEMORY, TRACE_FILES, int(deadline) + 5),
                                          cancel=job.cancel)
            self._trace_result(ended, trace, deadline)
            left = max(1.0, deadline - (time.monotonic() - began))
            self._e._neuroncore.call("check", "check", trace, job.target, left, self._folder("check"), memory=4 << 30, files=64 << 20, cancel=job.cancel)

    def _trace_result(self, ended, trace, deadline):
        """Reads what the untrusted child left, or says how it ended."""
        failure = trace_failure(ended, deadline)
        if failure:
            raise failure
        try:
            outcome = json.loads(read_file(os.path.join(trace, "trace.json"), 1 << 20).decode("utf-8"))
            error = outcome["error"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            words = ended.last_words()
            raise Failure("crash", "The kernel's process ended without a result (exit status %d%s)." % (ended.code, ": " + words if words else ""), "check")
        if error is not None:
            if not isinstance(error, dict):
                raise Failure("crash", "The kernel's process left a result that cannot be read.", "check")
            kind = error.get("kind")
            line = error.get("line")
            raise Failure(kind if kind in ("syntax", "guard", "rule", "compile", "memory", "crash", "nonfinite") else "compile",
                          str(error.get("message", ""))[:2000] or "The kernel cannot be traced.", "check", str(error.get("id", ""))[:100],
                          line if isinstance(line, int) and 0 <= line < 10 ** 7 else 0)
        try:
            for entry in os.scandir(trace):
                if not stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
                    raise OSError("'%s' is not a regular file" % entry.name[:60])
            ir = json.loads(read_file(os.path.join(trace, "ir.json"), MAX_PROGRAM).decode("utf-8"))
            if not isinstance(ir, dict):
                raise ValueError("it is not an object")
        except (OSError, ValueError, RecursionError) as problem:
            raise Failure("compile", "The traced program cannot be used: %s." % str(problem)[:200], "check")
        if not self._e._skip_guard:
            guards.check_program(ir, self._job.problem.dtype)

    def _estimate(self, trace):
        job = self._job
        with self._slot():
            answer = self._e._neuroncore.call("estimate", "timing", trace, job.target, job.deadlines["timing"], self._folder("estimate"),
                                              memory=8 << 30, files=256 << 20, cancel=job.cancel)
        return estimate_fields(answer)

    def _correctness(self, trace, meta):
        """Worst relative error over all seeds; raises for the first that fails."""
        job = self._job
        store = self._e._store
        fresh = job.purpose == "verify"
        wanted = [(seed, True) for seed in store.hidden_seeds(job.problem.key, job.hidden, fresh)]
        wanted += [(seed, False) for seed in public_seeds(job.seeds)]
        if not wanted:
            raise Failure("infrastructure", "No seed was asked for, so that nothing can be compared.", "correctness")
        stop = threading.Event()
        together = 2 if self._room_for_two(int(meta.get("bytes", 0))) else 1
        worst, failure = 0.0, None
        pending = list(wanted)
        finished = 0
        running = {}
        try:
            while pending or running:
                while pending and len(running) < together and failure is None:
                    seed, hidden = pending.pop(0)
                    running[self._e._seeds_pool.submit(self._one_seed, trace, seed, hidden, stop, together)] = seed
                done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    running.pop(future)
                    try:
                        worst = max(worst, future.result())
                        finished += 1
                        self._progress(done=finished, total=len(wanted))
                    except Cancelled:
                        if failure is None and job.cancel.is_set():
                            failure = Cancelled()
                    except (Failure, ProblemFailure) as problem:
                        failure = failure or problem
                    except Exception as problem:  # pylint: disable=broad-except
                        failure = failure or Failure("infrastructure", "Comparing failed: %s." % problem, "correctness")
                if failure is not None:
                    stop.set()
                    pending.clear()
        finally:
            stop.set()
        if failure is not None:
            raise failure
        return worst

    def _one_seed(self, trace, number, hidden, stop, together):
        """Relative error of one seed: reference (cached), numbers by neuroncore, comparison by the trusted child."""
        job = self._job
        cancel = _Either(job.cancel, stop)
        store = self._e._store
        with self._slot(cancel):
            seed = store.get(job.problem, number, hidden, job.deadlines["reference"], cancel)
            folder = self._folder("run")
            outputs = os.path.join(folder, "out")
            try:
                os.mkdir(outputs, 0o700)
                began = time.monotonic()
                size = int(seed.meta.get("bytes", 0))
                answer = self._e._neuroncore.call(
                    "run", "correctness", trace, job.target, job.deadlines["correctness"], folder, read=[seed.folder],
                    arguments=["--inputs", seed.folder, "--outputs", outputs, "--threads", str(1 if together > 1 else self._e._cores)],
                    memory=(6 << 30) + 6 * size, files=(1 << 30) + 4 * size, cancel=cancel)
                del answer
                results = sorted((n for n in os.listdir(outputs) if n.startswith("out") and n.endswith(".npy") and n[3:-4].isdigit()),
                                 key=lambda n: int(n[3:-4]))
                left = max(10.0, job.deadlines["correctness"] - (time.monotonic() - began))
                verdict = store.ask(job.problem, {
                    "do": "compare", "seed": number, "seed_folder": seed.folder, "references": len(seed.meta["outputs"]),
                    "outputs": [os.path.join(outputs, n) for n in results], "tolerance": job.problem.tolerance}, left, cancel)
            finally:
                remove_tree(folder)
                if seed.owned:
                    seed.release()
        error = verdict.get("relative_error")
        if "kind" in verdict:
            failure = Failure(verdict["kind"], verdict["message"] if not hidden else _hide(verdict["message"], number), "correctness")
            failure.relative_error = error
            raise failure
        return float(error)

    # --- helpers ---

    def _folder(self, name):
        return tempfile.mkdtemp(prefix=name + "-", dir=self._job.folder)

    def _slot(self, cancel=None):
        return _Slot(self._e._slots, cancel or self._job.cancel, self._progress)

    def _progress(self, **fields):
        """Tells the desk that the job is alive, so that its own deadline starts again."""
        self._e._report("progress", job=self._job.ident, stage=self.stage, **fields)

    def _room_for_two(self, size):
        if self._e._cores < 2:
            return False
        available = memory_available()
        return available is None or available > 2 * 6 * size + (1 << 30)


def _hide(message, seed):
    """A hidden seed stays hidden: its number is in no message."""
    return message.replace("with seed %d" % seed, "with a hidden seed")


def trace_failure(ended, deadline):
    """What the way a tracing child ended says about the kernel; None where it ended by itself."""
    if ended.reason == "seconds":
        return Failure("hang", "Tracing the kernel took longer than %g s." % deadline, "check")
    if ended.reason == "cpu":
        return Failure("hang", "Tracing the kernel used more processor time than %g s." % deadline, "check")
    if ended.reason == "files":
        return Failure("crash", "The kernel wrote more than %d MiB to its folder." % (TRACE_FILES >> 20), "check")
    if ended.reason == "output":
        return Failure("crash", "The kernel printed without end.", "check")
    if ended.reason == "setup":
        return Failure("infrastructure", "The kernel's process could not be started: %s." % (ended.message or ended.last_words()), "check")
    if ended.reason == "lost":
        return Failure("infrastructure", "The kernel's process was ended by somebody else.", "check")
    if ended.reason == "signal":
        if "MemoryError" in ended.errors or ended.number == 9:
            return Failure("memory", "Tracing the kernel used up its memory.", "check")
        return Failure("crash", "The kernel's process was ended by signal %d." % ended.number, "check")
    return None


def memory_available():
    try:
        with open("/proc/meminfo", "r", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None


class _Either:
    """Set when one of two events is."""

    def __init__(self, first, second):
        self._events = (first, second)

    def is_set(self):
        return any(event.is_set() for event in self._events)


class _Slot:
    """A core to compute on; waiting for one can be cancelled and counts against no deadline of a child."""

    def __init__(self, slots, cancel, progress):
        self._slots = slots
        self._cancel = cancel
        self._progress = progress

    def __enter__(self):
        if self._slots.acquire(blocking=False):
            return self
        told = 0.0
        while not self._slots.acquire(timeout=0.1):
            if self._cancel.is_set():
                raise Cancelled()
            if time.monotonic() - told > 5:
                told = time.monotonic()
                self._progress(waiting=True)
        self._progress(waiting=False)
        return self

    def __exit__(self, *_):
        self._slots.release()
