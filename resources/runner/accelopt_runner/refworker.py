# SPDX-License-Identifier: GPL-3.0-or-later
"""The trusted child of a problem: makes inputs and reference outputs per seed, and compares a kernel's outputs with them.

It never sees a kernel. One JSON object a line on standard input, one on standard output; whatever the reference prints goes elsewhere.
"""
import contextlib
import importlib.util
import json
import os
import sys

import numpy as np

MINIMUM_NORM = 1e-12


class Refused(Exception):
    """The reference is not usable; the text says why."""


def as_list(value):
    return list(value) if isinstance(value, (tuple, list)) else [value]


class Reference:
    def __init__(self, path):
        spec = importlib.util.spec_from_file_location("reference", path)
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException as error:  # pylint: disable=broad-except
            raise Refused("The reference cannot be loaded: %s: %s." % (type(error).__name__, str(error)[:300].rstrip(".")))
        for name in ("forward", "get_inputs"):
            if not callable(getattr(module, name, None)):
                raise Refused("The reference does not define the function '%s'." % name)
        self.module = module

    def inputs(self, seed):
        """(what forward takes, what the kernel takes) for one seed."""
        with self._blame("fails with seed %d" % seed):
            np.random.seed(seed)
            inputs = as_list(self.module.get_inputs())
            convert = getattr(self.module, "transform_to_nki_inputs", None)
            return inputs, as_list(convert(inputs)) if convert else inputs

    def outputs(self, inputs, seed):
        with self._blame("fails with seed %d" % seed):
            outputs = [np.asarray(o) for o in as_list(self.module.forward(*inputs))]
        for number, output in enumerate(outputs):
            if output.dtype.kind not in "fiub":
                raise Refused("Output %d of the reference is not an array of numbers." % number)
            size = norm(output)
            if not np.isfinite(size):
                raise Refused("Output %d of the reference is not finite with seed %d." % (number, seed))
            if output.size == 0 or size <= MINIMUM_NORM * max(1.0, output.size ** 0.5):
                raise Refused("Output %d of the reference is zero with seed %d, so that it could not tell a kernel that does nothing from a right one."
                              % (number, seed))
        if not outputs:
            raise Refused("The reference returns nothing.")
        return outputs

    @staticmethod
    @contextlib.contextmanager
    def _blame(what):
        try:
            yield
        except (MemoryError, Refused):
            raise
        except BaseException as error:  # pylint: disable=broad-except
            raise Refused("The reference %s: %s: %s." % (what, type(error).__name__, str(error)[:300].rstrip(".")))

    def to_reference_layout(self, results, outputs):
        convert = getattr(self.module, "transform_nki_outputs", None)
        if not convert:
            return results
        try:
            return as_list(convert(results[0] if len(results) == 1 else tuple(results), outputs[0] if len(outputs) == 1 else tuple(outputs)))
        except Exception as error:  # pylint: disable=broad-except
            raise ShapeMismatch("The kernel's outputs do not fit the reference: %s: %s" % (type(error).__name__, str(error)[:200]))


class ShapeMismatch(Exception):
    pass


CHUNK = 1 << 16  # elements: what is converted to float64 at once stays in the cache


def _flat(array):
    return np.ascontiguousarray(array).reshape(-1)


def _first_not_finite(flat):
    for start in range(0, flat.size, CHUNK):
        finite = np.isfinite(flat[start:start + CHUNK])
        if not finite.all():
            return start + int(np.argmin(finite))
    return -1


def norm(array):
    """L2 norm in float64; infinite or NaN where an element is."""
    flat = _flat(array)
    total = 0.0
    for start in range(0, flat.size, CHUNK):
        part = flat[start:start + CHUNK].astype(np.float64)
        total += float(np.dot(part, part))
    return total ** 0.5


def compare_arrays(result, reference, tolerance):
    """(relative error, first differing flat index or -1, first flat index that is not finite or -1)."""
    result, reference = _flat(result), _flat(reference)
    difference_square = reference_square = 0.0
    part, wanted = np.empty(CHUNK), np.empty(CHUNK)
    with np.errstate(invalid="ignore", over="ignore"):
        for start in range(0, reference.size, CHUNK):
            size = min(CHUNK, reference.size - start)
            np.copyto(part[:size], result[start:start + size])
            np.copyto(wanted[:size], reference[start:start + size])
            reference_square += float(np.dot(wanted[:size], wanted[:size]))
            np.subtract(part[:size], wanted[:size], out=part[:size])
            difference_square += float(np.dot(part[:size], part[:size]))
    if not np.isfinite(difference_square):
        broken = _first_not_finite(result)
        if broken >= 0:
            return float("inf"), -1, broken
    error = (difference_square / reference_square) ** 0.5 if reference_square > 0 else float("inf")
    first = -1
    if not error < tolerance:
        mean = (reference_square / max(1, reference.size)) ** 0.5
        for start in range(0, reference.size, CHUNK):
            part = result[start:start + CHUNK].astype(np.float64)
            wanted = reference[start:start + CHUNK].astype(np.float64)
            wrong = np.abs(part - wanted) > tolerance * np.maximum(np.abs(wanted), mean)
            if wrong.any():
                first = start + int(np.argmax(wrong))
                break
    return error, first, -1


def compare(reference, results, outputs, tolerance, seed):
    """A dictionary: relative_error, and where the kernel fails kind and message."""
    worst = 0.0
    try:
        results = reference.to_reference_layout(results, outputs)
    except ShapeMismatch as error:
        return {"kind": "wrong-result", "message": "%s." % error, "relative_error": None}
    if len(results) != len(outputs):
        return {"kind": "wrong-result", "relative_error": None,
                "message": "The kernel returns %d outputs, the reference %d." % (len(results), len(outputs))}
    for number, (result, wanted) in enumerate(zip(results, outputs)):
        result = np.asarray(result)
        name = "The output" if len(outputs) == 1 else "Output %d" % number
        if result.shape != wanted.shape:
            return {"kind": "wrong-result", "relative_error": None,
                    "message": "%s has the shape %s, the reference's is %s." % (name, tuple(result.shape), tuple(wanted.shape))}
        error, first, broken = compare_arrays(result, wanted, tolerance)
        if broken >= 0:
            index = [int(i) for i in np.unravel_index(broken, wanted.shape)]
            value = result[tuple(index)]
            return {"kind": "nonfinite", "relative_error": None,
                    "message": "%s is %s at %s with seed %d (never written, or an overflow)." % (name, "NaN" if value != value else "infinite", index, seed)}
        worst = max(worst, error)
        if not error < tolerance:
            where = ""
            if first >= 0:
                index = [int(i) for i in np.unravel_index(first, wanted.shape)]
                where = "; first at %s: %.6g instead of %.6g" % (index, float(result[tuple(index)]), float(wanted[tuple(index)]))
            return {"kind": "wrong-result", "relative_error": error,
                    "message": "%s differs from the reference with seed %d: relative error %.3g, limit %.3g%s." % (name, seed, error, tolerance, where)}
    return {"relative_error": worst}


def save(path, array):
    with open(path, "wb") as file:
        np.save(file, np.ascontiguousarray(array), allow_pickle=False)


def load(path):
    return np.load(path, mmap_mode="r", allow_pickle=False)


def make(reference, seed, folder):
    inputs, arguments = reference.inputs(seed)
    described, arrays, size = [], 0, 0
    # The kernel's arguments are written before the reference runs: it may work in place.
    for argument in arguments:
        if isinstance(argument, np.ndarray) and argument.ndim > 0:
            save(os.path.join(folder, "in%d.npy" % arrays), argument)
            described.append({"shape": list(argument.shape), "dtype": str(argument.dtype), "array": arrays})
            arrays += 1
            size += argument.nbytes
        elif isinstance(argument, (np.generic, np.ndarray)):
            described.append({"value": argument.item()})
        elif argument is None or isinstance(argument, (bool, int, float, str)):
            described.append({"value": argument})
        else:
            raise Refused("get_inputs returns a %s; only arrays and numbers can be given to a kernel." % type(argument).__name__)
    outputs = reference.outputs(inputs, seed)
    for number, output in enumerate(outputs):
        save(os.path.join(folder, "ref%d.npy" % number), output)
        size += output.nbytes
    meta = {"seed": seed, "arguments": described, "outputs": [{"shape": list(o.shape), "dtype": str(o.dtype)} for o in outputs], "bytes": size}
    with open(os.path.join(folder, "meta.json"), "w", encoding="utf-8") as file:
        json.dump(meta, file)
    return meta


def serve(read, write):
    reference = None
    for line in read:
        request = json.loads(line)
        try:
            if request["do"] == "open":
                reference = Reference(request["path"])
                answer = {}
            elif request["do"] == "make":
                answer = make(reference, request["seed"], request["folder"])
            else:
                outputs = [load(os.path.join(request["seed_folder"], "ref%d.npy" % n)) for n in range(request["references"])]
                results = [load(path) for path in request["outputs"]]
                answer = compare(reference, results, outputs, request["tolerance"], request["seed"])
        except Refused as error:
            answer = {"refused": str(error)}
        except MemoryError:
            answer = {"failed": "memory", "message": "The reference used up its memory."}
        except OSError as error:
            answer = {"failed": "disk", "errno": error.errno or 0, "message": str(error)}
        except ValueError as error:
            answer = {"failed": "value", "message": str(error)}
        write.write(json.dumps(answer) + "\n")
        write.flush()


def main(_arguments):
    write = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    serve(sys.stdin, write)
