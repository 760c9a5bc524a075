# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls accelopt-neuroncore and turns its answer into values or failures (docs/ir-format.md names both)."""
import json
import os

from .failures import Failure
from .processes import Limits

MAX_ANSWER = 8 << 20
KNOWN_KINDS = ("rule", "compile", "memory", "nonfinite", "guard", "syntax", "hang", "infrastructure")


class NeuronCore:
    def __init__(self, launcher, program, hardware, unlimited=False):
        self._unlimited = unlimited
        self._launcher = launcher
        self.program = program
        self._hardware = hardware

    def hardware(self, target):
        path = os.path.join(self._hardware, target + ".json")
        if not target.isalnum() or not os.path.isfile(path):
            raise Failure("infrastructure", "There is no hardware data for the target '%s'." % target[:40])
        return path

    def targets(self):
        try:
            return sorted(n[:-5] for n in os.listdir(self._hardware) if n.endswith(".json"))
        except OSError:
            return []

    def call(self, mode, stage, trace, target, seconds, folder, read=(), arguments=(), memory=0, files=0, cancel=None):
        """The answer of `accelopt-neuroncore MODE` on the program in `trace`; raises Failure with the kernel's error or ours."""
        if not self.program or not os.access(self.program, os.X_OK):
            raise Failure("infrastructure", "The program accelopt-neuroncore is missing; build or install it beside AccelOpt Studio.", stage)
        hardware = self.hardware(target)
        command = [self.program, mode, "--ir", os.path.join(trace, "ir.json"), "--hardware", hardware] + list(arguments)
        ended = self._launcher.run(command, folder, Limits(seconds, 0 if self._unlimited else memory, files), read=[trace, hardware, self.program] + list(read),
                                   environment={"ASAN_OPTIONS": "detect_leaks=0"} if self._unlimited else {}, cancel=cancel, keep=MAX_ANSWER)
        return interpret(ended, stage, seconds, mode)


def interpret(ended, stage, seconds, mode):
    doing = {"check": "Checking", "estimate": "Estimating", "run": "Computing"}.get(mode, "Computing")
    if ended.reason in ("seconds", "cpu"):
        raise Failure("hang", "%s the kernel took longer than %g s." % (doing, seconds), stage)
    if ended.reason == "files":
        raise Failure("infrastructure", "%s the kernel wrote more than its folder may hold." % doing, stage)
    if ended.reason == "setup":
        raise Failure("infrastructure", "accelopt-neuroncore could not be started: %s." % (ended.message or ended.last_words()), stage)
    answer = None
    try:
        answer = json.loads(ended.output.strip().splitlines()[-1]) if ended.output.strip() else None
        if answer is None or not isinstance(answer, dict):
            answer = None
    except ValueError:
        try:
            answer = json.loads(ended.output)
        except ValueError:
            answer = None
    if answer is None or not isinstance(answer, dict):
        how = "signal %d" % ended.number if ended.number else "exit status %d" % ended.code
        words = ended.last_words()
        raise Failure("infrastructure", "accelopt-neuroncore gave no answer while %s the kernel (%s%s)." % (
            doing.lower(), how, ": " + words if words else ""), stage)
    error = answer.get("error")
    if answer.get("status") != "ok" or error:
        error = error if isinstance(error, dict) else {}
        kind = error.get("kind")
        line = error.get("line")
        raise Failure(kind if kind in KNOWN_KINDS else "infrastructure", str(error.get("message") or "accelopt-neuroncore failed without a reason.")[:2000],
                      stage, str(error.get("id") or "")[:100], line if isinstance(line, int) and 0 <= line < 10 ** 7 else 0)
    return answer


def number(answer, name, default=None):
    value = answer.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        return default
    return float(value)


def estimate_fields(answer, stage="timing"):
    """The part of a result that an estimate gives."""
    latency = number(answer, "latency_ms")
    if latency is None or not 0 < latency < 1e9:
        raise Failure("infrastructure", "accelopt-neuroncore gave no latency.", stage)
    band = answer.get("band_ms")
    if not (isinstance(band, list) and len(band) == 2 and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in band)):
        band = [0, 0]
    profile = answer.get("profile")
    profile = dict(profile) if isinstance(profile, dict) else {}
    lines = answer.get("lines")
    if isinstance(lines, list):
        profile["lines"] = lines[:2000]
    bounds = {}
    for name, key in (("max_engine_ms", "latency_max_engine_ms"), ("unlimited_buffers_ms", "latency_unlimited_buffers_ms"), ("raw_ms", "latency_raw_ms")):
        value = number(answer, key)
        if value is not None:
            bounds[name] = value
    if isinstance(answer.get("bounds"), dict):
        bounds.update(answer["bounds"])
    if bounds:
        profile["bounds"] = bounds
    return {
        "latency_ms": {"median": latency, "min": latency, "max": latency, "samples": [latency]},
        "estimate": True, "band_ms": band, "confidence": str(answer.get("confidence") or "")[:8], "profile": profile,
    }
