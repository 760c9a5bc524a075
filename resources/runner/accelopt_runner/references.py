# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs and reference outputs per problem and seed: made once, kept as .npy files with a cap, shared by all jobs and processes.

    FOLDER/<key>/s42/{in0.npy, …, ref0.npy, …, meta.json}      key = hash of reference.py, problem.json, NumPy's version
    FOLDER/<key>/h1234567/…                                      a hidden seed of one session, removed with it

A seed's folder appears by a rename, so it is whole or not there. A full disk costs only the cache: the files then live with the job.
"""
import hashlib
import json
import os
import secrets
import shutil
import tempfile
import threading
import time

from .failures import Cancelled, Failure, ProblemFailure
from .processes import Limits, python_command, remove_tree
from .workers import LineWorker

FORMAT = "2"  # of the files; a new one leaves old entries to be evicted
RECENT = 600.0  # seconds in which an entry is not evicted: another process may be reading it
PAPER_SEEDS = (0, 21, 42, 63, 84)
WORKER_MEMORY = 64 << 30  # address space of a reference; memory maps count
IDLE_WORKERS = 4


def problem_key(reference, json_text):
    import numpy
    digest = hashlib.sha256()
    for part in (FORMAT, numpy.__version__, json_text, reference):
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()[:32]


def public_seeds(count):
    return [PAPER_SEEDS[i] if i < len(PAPER_SEEDS) else 21 * i for i in range(count)]


class Worker(LineWorker):
    """A refworker process with the problem's reference loaded."""

    def __init__(self, launcher, scratch, store, reference):
        folder = tempfile.mkdtemp(prefix="ref-", dir=scratch)
        self.path = os.path.join(folder, "reference.py")
        with open(self.path, "w", encoding="utf-8", newline="") as file:
            file.write(reference)
        super().__init__(launcher, python_command("refworker"), folder, Limits(0, WORKER_MEMORY), read=[scratch], write=[store, scratch])
        self.opened = False


class Seed:
    """A seed's files, in use while it is held."""

    def __init__(self, folder, meta, owned):
        self.folder = folder
        self.meta = meta
        self.owned = owned  # not in the cache: removed after use

    def release(self):
        if self.owned:
            remove_tree(self.folder)


class Store:
    def __init__(self, launcher, folder, scratch, cap_bytes):
        self._launcher = launcher
        self._folder = folder
        self._scratch = scratch
        self._cap = cap_bytes
        self._lock = threading.Lock()
        self._making = {}
        self._idle = []  # (key, worker), the oldest first
        self._hidden = {}
        self._refused = {}
        self.usable = True
        self.warning = ""
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
        except OSError as error:
            self._without(error)
        self._remove_old_hidden()

    def _without(self, error):
        self.usable = False
        self.warning = "Reference outputs are not kept: %s." % error

    def _remove_old_hidden(self):
        for key in _entries(self._folder):
            for name in _entries(os.path.join(self._folder, key)):
                path = os.path.join(self._folder, key, name)
                if name[:1] in "ht" and _age(path) > 2 * 3600:
                    remove_tree(path)

    def hidden_seeds(self, key, count, fresh=False):
        """Seeds nobody could know: drawn once per session and problem, or now. Beyond all public ones."""
        if fresh:
            return [1000 + secrets.randbelow(2 ** 32 - 1000) for _ in range(count)]
        with self._lock:
            seeds = self._hidden.setdefault(key, [])
            while len(seeds) < count:
                seeds.append(1000 + secrets.randbelow(2 ** 32 - 1000))
            return seeds[:count]

    def close(self):
        with self._lock:
            idle, self._idle = self._idle, []
        for _, worker in idle:
            worker.close()
        for key, seeds in self._hidden.items():
            for seed in seeds:
                remove_tree(os.path.join(self._folder, key, "h%d" % seed))

    # --- workers ---

    def take_worker(self, key, reference):
        with self._lock:
            for index in range(len(self._idle) - 1, -1, -1):
                if self._idle[index][0] == key:
                    return self._idle.pop(index)[1]
        return Worker(self._launcher, self._scratch, self._folder, reference)

    def give_back(self, key, worker):
        dropped = None
        with self._lock:
            self._idle.append((key, worker))
            if len(self._idle) > IDLE_WORKERS:
                dropped = self._idle.pop(0)[1]
        if dropped:
            dropped.close()

    def ask(self, problem, request, seconds, cancel=None):
        """One question to a worker of the problem. Its failures become ours or the problem's, never the kernel's."""
        worker = self.take_worker(problem.key, problem.reference)
        good = False
        try:
            if not worker.opened:
                _raise_for(worker.ask({"do": "open", "path": worker.path}, seconds, cancel))
                worker.opened = True
            answer = worker.ask(request, seconds, cancel)
            _raise_for(answer)
            good = True
            return answer
        except TimeoutError:
            raise ProblemFailure("The reference of '%s' took longer than %g s." % (problem.name, seconds))
        except EOFError as error:
            raise Failure("infrastructure", "The reference's process ended early: %s." % error, "reference")
        finally:
            if good:
                self.give_back(problem.key, worker)
            else:
                worker.close()

    # --- seeds ---

    def known(self, problem):
        """Description of arguments and outputs, where any seed is there already."""
        for seed in PAPER_SEEDS:
            meta = _read_meta(os.path.join(self._folder, problem.key, "s%d" % seed))
            if meta:
                return meta
        return None

    def has(self, problem, seed, hidden=False):
        return _read_meta(os.path.join(self._folder, problem.key, ("h%d" if hidden else "s%d") % seed)) is not None

    def get(self, problem, seed, hidden, seconds, cancel=None):
        """The seed's files, made if they are not there. One maker per seed; the others wait for it."""
        if problem.key in self._refused:
            raise ProblemFailure(self._refused[problem.key])
        name = ("h%d" if hidden else "s%d") % seed
        target = os.path.join(self._folder, problem.key, name)
        with self._lock:
            lock = self._making.setdefault((problem.key, name), threading.Lock())
        while not lock.acquire(timeout=0.1):
            if cancel is not None and cancel.is_set():
                raise Cancelled()
        try:
            meta = _read_meta(target)
            if meta:
                _touch(target)
                return Seed(target, meta, False)
            return self._make(problem, seed, target, seconds, cancel)
        except ProblemFailure as error:
            if "took longer" not in str(error):
                self._refused[problem.key] = str(error)
            raise
        finally:
            lock.release()

    def _make(self, problem, seed, target, seconds, cancel):
        places = []
        if self.usable:
            places.append(os.path.dirname(target))
        places.append(self._scratch)
        for number, place in enumerate(places):
            last = number == len(places) - 1
            folder = ""
            try:
                os.makedirs(place, mode=0o700, exist_ok=True)
                folder = tempfile.mkdtemp(prefix="t", dir=place)
                self.ask(problem, {"do": "make", "seed": seed, "folder": folder}, seconds, cancel)
                meta = _read_meta(folder)
                if last:
                    return Seed(folder, meta, True)
                try:
                    os.rename(folder, target)
                except OSError:
                    remove_tree(folder)  # another process was quicker
                meta = _read_meta(target)
                if meta:
                    self.evict()
                    return Seed(target, meta, False)
            except OSError as error:
                if folder:
                    remove_tree(folder)
                if last:
                    raise Failure("infrastructure", "There is no room for the reference's outputs: %s." % (error.strerror or error), "reference")
                self.warning = "Reference outputs are not kept: %s." % (error.strerror or error)
            except (Failure, ProblemFailure, Cancelled):
                if folder:
                    remove_tree(folder)
                raise
        raise Failure("infrastructure", "The reference's outputs could not be kept.", "reference")

    def evict(self):
        """Removes the seeds that were not used for longest until the rest fits the cap."""
        entries = []
        for key in _entries(self._folder):
            for name in _entries(os.path.join(self._folder, key)):
                path = os.path.join(self._folder, key, name)
                meta = _read_meta(path)
                if meta:
                    entries.append((_age(path), int(meta.get("bytes", 0)), path))
        total = sum(size for _, size, _ in entries)
        cap = self._cap
        try:
            usage = shutil.disk_usage(self._folder)
            cap = min(cap, total + usage.free // 2)
        except OSError:
            pass
        for age, size, path in sorted(entries, reverse=True):
            if total <= cap or age < RECENT:
                break
            remove_tree(path)
            total -= size


def _raise_for(answer):
    if "refused" in answer:
        raise ProblemFailure(answer["refused"])
    failed = answer.get("failed")
    if failed == "memory":
        raise Failure("infrastructure", answer["message"], "reference")
    if failed == "disk":
        raise OSError(answer["errno"], os.strerror(answer["errno"]) if answer["errno"] else answer["message"])
    if failed:
        raise Failure("infrastructure", answer["message"][:300], "reference")


def _entries(folder):
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _age(path):
    try:
        return time.time() - os.stat(os.path.join(path, "meta.json")).st_mtime
    except OSError:
        try:
            return time.time() - os.stat(path).st_mtime
        except OSError:
            return 0.0


def _touch(path):
    try:
        os.utime(os.path.join(path, "meta.json"))
    except OSError:
        pass


def _read_meta(folder):
    try:
        with open(os.path.join(folder, "meta.json"), "r", encoding="utf-8") as file:
            meta = json.load(file)
        return meta if isinstance(meta, dict) else None
    except (OSError, ValueError):
        return None
