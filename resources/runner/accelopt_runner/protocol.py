# SPDX-License-Identifier: GPL-3.0-or-later
"""The runner protocol, version 1 (docs/runner-protocol.md): JSON lines behind a marker."""
import json
import os
import threading

VERSION = 1
RUNNER_VERSION = "0.1.0"
MAX_LINE = 16 << 20  # bytes of one line, in both directions
MAX_KERNEL = 1 << 20  # bytes of a kernel's source
MAX_REFERENCE = 4 << 20
MAX_MESSAGE = 2000  # characters of a message for people

STAGES = ("guard", "reference", "check", "compile", "correctness", "timing", "profile", "verify")
KINDS = (
    "reply", "truncated", "syntax", "guard", "rule", "compile", "memory", "wrong-result", "nonfinite", "hang", "crash", "host",
    "infrastructure",
)


class ProtocolError(Exception):
    """A request that cannot be understood; `ident` names it where it is known."""

    def __init__(self, message, ident=""):
        super().__init__(message)
        self.ident = ident


def encode(marker, message):
    """One line, ASCII only, so that no byte of it can be mistaken for an end of line."""
    text = json.dumps(_clean(message), separators=(",", ":"), allow_nan=False)
    return (marker + " " + text + "\n").encode("ascii")


def _clean(value):
    """JSON has no infinities: they become null."""
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {str(key): _clean(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(item) for item in value]
    return value


def decode(marker, line):
    """The message of a line (bytes), or None where the line is not ours."""
    prefix = (marker + " ").encode("ascii")
    if not line.startswith(prefix):
        return None
    if len(line) > MAX_LINE:
        raise ProtocolError("The line is longer than %d bytes." % MAX_LINE)
    try:
        message = json.loads(line[len(prefix):].decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ProtocolError("The line is not JSON: %s" % error)
    if not isinstance(message, dict):
        raise ProtocolError("The line is not a JSON object.")
    return message


class LineReader:
    """Lines from a file descriptor. A line above the limit is skipped up to its end and reported as an empty one."""

    def __init__(self, descriptor, limit=MAX_LINE):
        self._descriptor = descriptor
        self._limit = limit
        self._buffer = bytearray()
        self._skipping = False

    def __iter__(self):
        while True:
            chunk = os.read(self._descriptor, 1 << 16)
            if not chunk:
                return
            start = len(self._buffer)
            self._buffer += chunk
            while True:
                end = self._buffer.find(b"\n", start)
                if end < 0:
                    break
                line = bytes(self._buffer[:end])
                del self._buffer[:end + 1]
                start = 0
                if self._skipping:
                    self._skipping = False
                    yield b""
                else:
                    yield line
            if len(self._buffer) > self._limit:
                self._buffer.clear()
                self._skipping = True


class Writer:
    """Events to the desk; any thread. A desk that is gone ends the runner's work, not with a traceback."""

    def __init__(self, descriptor, marker):
        self._descriptor = descriptor
        self._marker = marker
        self._lock = threading.Lock()
        self.broken = threading.Event()

    def send(self, event, **fields):
        line = encode(self._marker, dict(fields, event=event))
        if len(line) > MAX_LINE:
            line = encode(self._marker, {"event": "error", "id": fields.get("id", fields.get("job", "")), "kind": "infrastructure",
                                         "message": "An event was longer than the protocol allows."})
        with self._lock:
            view = memoryview(line)
            try:
                while view:
                    view = view[os.write(self._descriptor, view):]
            except OSError:
                self.broken.set()


def text_field(message, name, limit, default=None):
    value = message.get(name, default)
    if value is None:
        raise ProtocolError("The field '%s' is missing." % name, str(message.get("id", "")))
    if not isinstance(value, str):
        raise ProtocolError("The field '%s' is not a text." % name, str(message.get("id", "")))
    if len(value.encode("utf-8", "surrogatepass")) > limit:
        raise ProtocolError("The field '%s' is longer than %d bytes." % (name, limit), str(message.get("id", "")))
    return value


def number_field(message, name, default, low, high):
    value = message.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise ProtocolError("The field '%s' is not a number from %g to %g." % (name, low, high), str(message.get("id", "")))
    return value
