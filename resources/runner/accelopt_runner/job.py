# SPDX-License-Identifier: GPL-3.0-or-later
"""The untrusted child of a job: runs the kernel's Python once, to trace it. It sees shapes and types, never numbers; the numbers are
computed elsewhere, from the traced program. What it leaves is read as if a stranger had written it."""
import json
import os
import sys
import traceback


def _line_of(error, path):
    line = 0
    for frame in traceback.extract_tb(error.__traceback__):
        if os.path.abspath(frame.filename) == os.path.abspath(path):
            line = frame.lineno or 0
    return line


def _message(error):
    text = str(error).strip().splitlines()
    return "%s: %s" % (type(error).__name__, text[0][:500]) if text else type(error).__name__


def _inputs(arguments):
    from accelopt_runner.frontend import TensorSpec
    values = []
    for argument in arguments:
        if "shape" in argument:
            values.append(TensorSpec(tuple(argument["shape"]), argument["dtype"]))
        else:
            values.append(argument["value"])
    return values


def _trace(job):
    from accelopt_runner.frontend import KernelError, trace
    path = job["kernel"]
    try:
        return trace(path, job["entry"], _inputs(job["arguments"]), job["target"]), None
    except KernelError as error:
        return None, {"kind": str(error.kind), "id": str(error.id or ""), "message": str(error.message), "line": int(error.line or 0)}
    except MemoryError as error:
        return None, {"kind": "memory", "id": "", "message": "Tracing the kernel used up its memory.", "line": _line_of(error, path)}
    except RecursionError as error:
        return None, {"kind": "compile", "id": "", "message": "The kernel's Python recurses without end.", "line": _line_of(error, path)}
    except SystemExit as error:
        return None, {"kind": "crash", "id": "", "message": "The kernel ended its process (SystemExit).", "line": _line_of(error, path)}
    except SyntaxError as error:
        return None, {"kind": "syntax", "id": "", "message": "%s." % (error.msg or "invalid syntax"), "line": int(error.lineno or 0)}
    except OSError as error:
        return None, {"kind": "guard", "id": "guard_system", "message": "The kernel was refused by the system: %s" % _message(error),
                      "line": _line_of(error, path)}
    except BaseException as error:  # pylint: disable=broad-except
        line = _line_of(error, path)
        if line == 0:
            traceback.print_exc(limit=-8)
        return None, {"kind": "compile", "id": "", "message": _message(error), "line": line}


def main(arguments):
    folder = arguments[0]
    with open(os.path.join(folder, "job.json"), "r", encoding="utf-8") as file:
        job = json.load(file)
    traced, error = _trace(job)
    os.makedirs(folder, exist_ok=True)
    out = job["out"]
    if error is None:
        import numpy
        for name, array in traced.constants.items():
            numpy.save(os.path.join(out, os.path.basename(name)), array, allow_pickle=False)
        with open(os.path.join(out, "ir.json"), "w", encoding="utf-8") as file:
            json.dump(traced.ir, file, separators=(",", ":"))
    with open(os.path.join(out, "trace.json"), "w", encoding="utf-8") as file:
        json.dump({"error": error}, file)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # threads that the kernel left do not keep us
