# SPDX-License-Identifier: GPL-3.0-or-later
"""A child that answers questions: one JSON object a line in, one a line out."""
import json
import threading
import time

from .failures import Cancelled
from .processes import remove_tree

MAX_ANSWERS = 64 << 20  # bytes


class LineWorker:
    """Asked one thing at a time. Of no use after a failed question: close it then."""

    def __init__(self, launcher, command, folder, limits, read=(), write=()):
        self.folder = folder
        self._child = launcher.start(command, folder, limits, read=read, write=write, stdin=-1)
        self._answers = []
        self._ready = threading.Condition()
        self._over = False
        self._words = bytearray()
        for target in (self._read_answers, self._read_words):
            threading.Thread(target=target, daemon=True).start()

    def _read_answers(self):
        try:
            while True:
                line = self._child.process.stdout.readline(MAX_ANSWERS)
                if not line:
                    break
                with self._ready:
                    self._answers.append(line)
                    self._ready.notify_all()
        except (OSError, ValueError):
            pass
        with self._ready:
            self._over = True
            self._ready.notify_all()

    def _read_words(self):
        try:
            while True:
                data = self._child.process.stderr.read1(1 << 14)
                if not data:
                    return
                self._words += data
                del self._words[:-4096]
        except (OSError, ValueError):
            pass

    def ask(self, request, seconds, cancel=None):
        """The answer. Raises Cancelled, TimeoutError, or EOFError where the worker died."""
        deadline = time.monotonic() + seconds
        try:
            self._child.process.stdin.write((json.dumps(request) + "\n").encode("utf-8"))
            self._child.process.stdin.flush()
        except (OSError, ValueError):
            raise EOFError("the process is gone")
        with self._ready:
            while not self._answers:
                if self._over:
                    words = self._words.decode("utf-8", "replace").strip().splitlines()
                    raise EOFError(words[-1][:300] if words else "the process ended without a word")
                if cancel is not None and cancel.is_set():
                    raise Cancelled()
                if time.monotonic() > deadline:
                    raise TimeoutError()
                self._ready.wait(0.1)
            try:
                return json.loads(self._answers.pop(0).decode("utf-8"))
            except ValueError:
                raise EOFError("the process answered in another language")

    def close(self):
        try:
            self._child.finish()
        except Cancelled:
            pass
        remove_tree(self.folder)
