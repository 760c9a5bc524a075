# SPDX-License-Identifier: GPL-3.0-or-later
"""Child processes that are not trusted: started in walls, bounded in time, memory and output, and never left behind.

On the desk every child runs under `accelopt-sandbox`. Where that program is missing (a host that is not Linux) a child gets its own
session and POSIX limits, and `hello` says that this is all.
"""
import ctypes
import json
import os
import selectors
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time

from .failures import Cancelled, Failure

MAX_OUTPUT = 16 << 20  # bytes a child may print before it is ended
KEPT_OUTPUT = 32 << 10  # bytes of that which are kept, from the end
RUNNER_PATH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def become_subreaper():
    """Orphans of our children become our children, so that none can hide (Linux)."""
    try:
        ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    except (OSError, AttributeError):
        pass


def python_command(module, *arguments):
    """A Python of ours with nothing of the user's: no site of the user, no folder of the job on the path."""
    code = "import sys; sys.path[:] = [p for p in sys.path if p]; sys.path.insert(0, %r); from accelopt_runner import %s as m; m.main(sys.argv[1:])" % (
        RUNNER_PATH, module)
    return [sys.executable, "-I", "-B", "-X", "utf8", "-c", code] + list(arguments)


def python_paths():
    """What an interpreter must be able to read."""
    paths = {sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.path.realpath(sys.executable)), RUNNER_PATH}
    return sorted(path for path in paths if path not in ("/usr", "/", "/usr/bin"))


class Limits:
    def __init__(self, seconds, memory=0, files=0, cpu=0, processes=1):
        self.seconds = seconds
        self.memory = memory
        self.files = files
        self.cpu = cpu
        self.processes = processes


class Ended:
    """How a child ended. reason: exited, signal, seconds, cpu, files, output, cancelled, setup, lost."""

    def __init__(self, reason, code=0, number=0, message="", output="", errors="", seconds=0.0, max_rss=0):
        self.reason = reason
        self.code = code
        self.number = number
        self.message = message
        self.output = output
        self.errors = errors
        self.seconds = seconds
        self.max_rss = max_rss

    @property
    def good(self):
        return self.reason == "exited" and self.code == 0

    def last_words(self):
        lines = [line.strip() for line in self.errors.splitlines() if line.strip()]
        return lines[-1][:300] if lines else ""


class Launcher:
    """Knows how children are contained here."""

    def __init__(self, sandbox, scratch):
        self.sandbox = sandbox if sandbox and os.access(sandbox, os.X_OK) else ""
        self.scratch = scratch
        self.facts = {"landlock": 0, "seccomp": False, "sandbox": False}
        self._live = set()
        self._lock = threading.Lock()
        if self.sandbox:
            try:
                out = subprocess.run([self.sandbox, "--facts"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=10, check=True).stdout
                self.facts = dict(json.loads(out.decode()), sandbox=True)
            except (OSError, ValueError, subprocess.SubprocessError):
                self.sandbox = ""

    def start(self, command, folder, limits, read=(), write=(), environment=None, stdin=subprocess.DEVNULL):
        return Child(self, command, folder, limits, read, write, environment or {}, stdin)

    def run(self, command, folder, limits, read=(), write=(), environment=None, cancel=None, keep=KEPT_OUTPUT):
        child = self.start(command, folder, limits, read, write, environment)
        return child.wait(limits.seconds, cancel, keep)

    def kill_all(self):
        with self._lock:
            live = list(self._live)
        for child in live:
            child.kill()


class Child:
    def __init__(self, launcher, command, folder, limits, read, write, environment, stdin):
        self._launcher = launcher
        self._limits = limits
        self._report = ""
        self._watch = -1
        self.began = time.monotonic()
        variables = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "MALLOC_ARENA_MAX": "2"}
        variables.update(environment)
        passed = ()
        if launcher.sandbox:
            descriptor, self._report = tempfile.mkstemp(prefix="end-", dir=launcher.scratch)
            os.close(descriptor)
            watch, self._watch = os.pipe()
            arguments = [launcher.sandbox, "--folder", folder, "--report", self._report, "--watch", str(watch),
                         "--seconds", "%.3f" % (limits.seconds + 1 if limits.seconds else 0), "--processes", str(limits.processes)]
            for name, value in (("--memory", limits.memory), ("--files", limits.files), ("--cpu", limits.cpu)):
                if value:
                    arguments += [name, str(int(value))]
            for path in list(read) + python_paths():
                arguments += ["--read", path]
            for path in write:
                arguments += ["--write", path]
            for name, value in variables.items():
                arguments += ["--env", "%s=%s" % (name, value)]
            command = arguments + ["--"] + command
            passed = (watch,)
            environment = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
        else:
            environment = dict(variables, PATH="/usr/local/bin:/usr/bin:/bin", HOME=folder, TMPDIR=folder, LANG="C.UTF-8")
        try:
            self.process = subprocess.Popen(command, cwd=folder, env=environment, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                            start_new_session=True, close_fds=True, pass_fds=passed)
        except OSError as error:
            self._close()
            raise Failure("infrastructure", "A process could not be started: %s." % error)
        finally:
            if passed:
                os.close(passed[0])
        if not launcher.sandbox:
            self._limit()
        with launcher._lock:
            launcher._live.add(self)

    def _limit(self):
        try:
            import resource
            pid = self.process.pid
            for name, value in (("RLIMIT_AS", self._limits.memory), ("RLIMIT_FSIZE", self._limits.files), ("RLIMIT_CPU", self._limits.cpu)):
                if value:
                    resource.prlimit(pid, getattr(resource, name), (int(value), int(value)))
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
        except (ImportError, AttributeError, OSError, ValueError):
            pass  # not on this system; the deadline still holds

    def _close(self):
        if self._watch >= 0:
            os.close(self._watch)
            self._watch = -1

    def kill(self):
        """Ends the child and everything it started: first asked, then forced. Returns when it is gone, within 3 s."""
        process = self.process
        if process.poll() is None:
            _signal(process, signal.SIGTERM)
            if not _wait(process, 1.0):
                self._close()  # the sandbox sees the hang-up and kills
                if not _wait(process, 1.0):
                    for pid in descendants(process.pid):
                        _kill(pid)
                    _signal(process, signal.SIGKILL)
                    _wait(process, 1.0)
        if not self._launcher.sandbox:
            _signal(process, signal.SIGKILL)  # what is left of its group

    def wait(self, seconds, cancel=None, keep=KEPT_OUTPUT):
        """Reads the child's output until it ends; ends it at the deadline, when cancelled, or when it prints without end."""
        process = self.process
        streams = {process.stdout: bytearray(), process.stderr: bytearray()}
        printed = 0
        reason = ""
        deadline = self.began + seconds if seconds else None
        with selectors.DefaultSelector() as selector:
            for stream in streams:
                os.set_blocking(stream.fileno(), False)
                selector.register(stream, selectors.EVENT_READ)
            while True:
                if selector.get_map():
                    for key, _ in selector.select(0.1):
                        data = key.fileobj.read(1 << 16)
                        if data == b"":
                            selector.unregister(key.fileobj)
                        elif data:
                            printed += len(data)
                            kept = streams[key.fileobj]
                            kept += data
                            if len(kept) > 2 * keep:
                                del kept[:-keep]
                    if not selector.get_map():
                        _wait(process, 0.05)
                else:
                    _wait(process, 0.05)
                if process.poll() is not None:
                    break
                if cancel is not None and cancel.is_set():
                    reason = "cancelled"
                elif deadline is not None and time.monotonic() > deadline:
                    reason = "seconds"
                elif printed > MAX_OUTPUT:
                    reason = "output"
                if reason:
                    self.kill()
                    break
            for stream, kept in streams.items():  # what was still in the pipes
                while True:
                    data = stream.read(1 << 16)
                    if not data:
                        break
                    kept += data
                    if len(kept) > 2 * keep:
                        del kept[:-keep]
        return self.finish(reason, *(bytes(kept[-keep:]).decode("utf-8", "replace") for kept in streams.values()))

    def finish(self, reason="", output="", errors=""):
        process = self.process
        self.kill()
        self._close()
        with self._launcher._lock:
            self._launcher._live.discard(self)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                try:
                    stream.close()
                except OSError:
                    pass
        seconds = time.monotonic() - self.began
        status = process.returncode if process.returncode is not None else -9
        ended = Ended("exited" if status >= 0 else "signal", max(status, 0), max(-status, 0), "", output, errors, seconds)
        if self._report:
            ended = _read_report(self._report, ended)
        if reason:
            ended.reason = reason
        elif ended.reason == "signal" and ended.number == signal.SIGXCPU:
            ended.reason = "cpu"
        elif ended.reason == "signal" and ended.number == signal.SIGXFSZ:
            ended.reason = "files"
        if ended.reason == "cancelled":
            raise Cancelled()
        return ended


def _read_report(path, ended):
    try:
        with open(path, "r") as file:
            report = json.load(file)
        ended.reason = {"terminated": "lost"}.get(report["reason"], report["reason"])
        ended.code, ended.number = report["exit"], report["signal"]
        ended.message, ended.max_rss = report["message"], report["max_rss_bytes"]
    except (OSError, ValueError, KeyError):
        ended.reason = "lost"  # the sandbox itself was killed
    try:
        os.unlink(path)
    except OSError:
        pass
    return ended


def _signal(process, number):
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        try:
            process.send_signal(number)
        except (ProcessLookupError, PermissionError):
            pass


def _kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def _wait(process, seconds):
    try:
        process.wait(seconds)
        return True
    except subprocess.TimeoutExpired:
        return False


def descendants(root):
    """Process ids below `root`, from /proc; empty where there is none."""
    parents = {}
    try:
        entries = os.listdir("/proc")
    except OSError:
        return []
    for entry in entries:
        if entry.isdigit():
            try:
                with open("/proc/%s/stat" % entry, "rb") as file:
                    parents[int(entry)] = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, ValueError, IndexError):
                pass
    found, level = [], {root}
    while level:
        level = {pid for pid, parent in parents.items() if parent in level}
        found.extend(level)
    return found


def remove_tree(path):
    """Removes what a hostile child made: closed folders, very deep ones, links (never followed)."""
    def open_up(function, name, _error):
        try:
            os.chmod(os.path.dirname(name), stat.S_IRWXU)
            os.chmod(name, stat.S_IRWXU, follow_symlinks=False) if os.chmod in os.supports_follow_symlinks else None
            function(name)
        except OSError:
            pass
    try:
        shutil.rmtree(path, onerror=open_up)
    except (OSError, RecursionError):
        pass
    if os.path.lexists(path):
        subprocess.run(["rm", "-rf", "--", path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def read_file(path, limit):
    """The bytes of a regular file that a hostile child may have made; never follows a link, never blocks on a pipe."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            raise OSError("not a regular file")
        if info.st_size > limit:
            raise OSError("larger than %d bytes" % limit)
        return file.read(limit + 1)[:limit]
