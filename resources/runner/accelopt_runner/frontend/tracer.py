# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a kernel against the stand-in modules and writes down what it did: trace() and its result."""

import ast
import inspect
import math
import os
import re
import sys
import warnings

import numpy as np

from . import context, language, modules
from .affine import Index
from .context import TraceState
from .dtypes import as_dtype
from .errors import KernelError, NeedUnroll
from .tensors import HBM, SHARED_HBM, Tensor, View

MAX_RETRACES = 40
MAX_SOURCE = 1 << 20
_RANGE = re.compile(br"(?<![\w.])range\s*\(")  # not affine_range( or nl.range(
ENTRIES = ("kernel", "optimized_kernel")
GENERATION = {"trn1": 2, "inf2": 2, "trn2": 3, "trn3": 4}


class TensorSpec:
    """Shape and dtype of an array argument, for tracing without data."""

    __slots__ = ("shape", "dtype")

    def __init__(self, shape, dtype="float32"):
        self.shape = tuple(int(n) for n in shape)
        self.dtype = dtype


class Trace:
    """ir: the document of docs/ir-format.md. constants: file name -> array. inputs: positions of the array arguments, in the order of the inputs' index.
    unrolled: lines of loops that were unrolled because Python needed their index."""

    __slots__ = ("ir", "constants", "inputs", "unrolled")

    def __init__(self, ir, constants, inputs, unrolled):
        self.ir = ir
        self.constants = constants
        self.inputs = inputs
        self.unrolled = unrolled


def trace(kernel_path, entry="kernel", inputs=(), target="trn1", grid=None):
    """Traces the kernel file with these arguments (arrays, TensorSpecs, numbers). Raises KernelError for all that is the kernel's fault."""
    try:
        with open(kernel_path, "rb") as file:
            source = file.read(MAX_SOURCE + 1)
    except OSError as error:
        raise KernelError("syntax", "err_no_source", "The kernel file cannot be read: %s." % error.strerror)
    if len(source) > MAX_SOURCE:
        raise KernelError("guard", "err_source_too_large", "The kernel file is larger than %d bytes." % MAX_SOURCE)
    return trace_source(source, entry, inputs, target, grid, os.path.basename(str(kernel_path)))


def _device_ranges(tree):
    """`range` of a `for` statement becomes a device loop; in comprehensions and elsewhere it stays Python's."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range":
            node.iter.func = ast.copy_location(ast.Name(id="__device_range__", ctx=ast.Load()), node.iter.func)
    return tree


def _compile(source, filename):
    try:
        if _RANGE.search(source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass")):
            source = _device_ranges(ast.parse(source, filename))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(source, "<kernel:%s>" % filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise KernelError("syntax", "err_syntax", "%s: %s" % (type(error).__name__, error.msg), error.lineno)
    except (ValueError, RecursionError, MemoryError) as error:
        raise KernelError("syntax", "err_syntax", "The kernel cannot be parsed: %s." % error)


def trace_source(source, entry="kernel", inputs=(), target="trn1", grid=None, filename="kernel.py", unroll=()):
    """trace() of a text. unroll: lines of loops to unroll from the start."""
    code = _compile(source, filename)
    unroll = set(unroll)
    lines = (source.decode("utf-8", "replace") if isinstance(source, bytes) else source).splitlines()
    limit = sys.getrecursionlimit()
    with modules.installed():
        for _ in range(MAX_RETRACES):
            state = TraceState(code.co_filename, frozenset(unroll), grid)
            state.generation = GENERATION.get(target, 2)
            state.source = lines
            try:
                sys.setrecursionlimit(max(300, min(limit, 1000)))
                result, positions, parameters = _run(code, entry, inputs, state, filename)
                ir, constants = _write(result, parameters, state, entry, filename)
                return Trace(ir, constants, positions, sorted(unroll))
            except NeedUnroll as request:
                lines = {loop.line for loop in request.loops if loop.kind != "spmd" and not loop.implicit}
                if not lines - unroll:
                    raise KernelError("compile", "err_dynamic_control_flow_not_supported", "The kernel needs the value of %s as a Python number (%s), which cannot "
                                      "be unrolled." % ("the program id" if any(loop.kind == "spmd" for loop in request.loops) else "a loop index", request.what),
                                      _line(request, state))
                unroll |= lines
            finally:
                sys.setrecursionlimit(limit)
    raise KernelError("compile", "err_trace_too_large", "The kernel steers Python control flow with more than %d loops." % MAX_RETRACES)


def _line(error, state):
    line, traceback = None, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == state.filename:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def _guarded(state, function, *arguments):
    """Runs the kernel's code; whatever it raises becomes a KernelError with the kernel's line."""
    try:
        result = function(*arguments)
    except NeedUnroll:
        if state.error is not None:
            raise state.error
        raise
    except KernelError as error:
        raise state.error or _with_line(error, state)
    except RecursionError as error:
        raise state.error or KernelError("compile", "err_recursion", "The kernel recurses without end.", _line(error, state))
    except MemoryError as error:
        raise state.error or KernelError("memory", "err_python_memory", "The kernel's Python code ran out of memory.", _line(error, state))
    except (Exception, SystemExit, GeneratorExit) as error:
        raise state.error or _python_error(error, state)
    if state.error is not None:
        raise state.error
    return result


def _with_line(error, state):
    if error.line is None:
        error.line = _line(error, state)
    return error


def _python_error(error, state):
    text = str(error).strip() or "no message"
    line = _line(error, state)
    if isinstance(error, AssertionError):
        return KernelError("compile", "err_assertion", "An assertion of the kernel failed: %s." % text if str(error) else "An assertion of the kernel failed.", line)
    if isinstance(error, (ImportError, ModuleNotFoundError)):
        return KernelError("compile", "err_import", "The kernel's import failed: %s." % text, line)
    if isinstance(error, IndexError):
        text += " (the body of a loop over range or nl.affine_range is traced once; fill Python lists in nl.static_range loops)"
    return KernelError("compile", "err_python", "%s: %s" % (type(error).__name__, text[:500]), line)


def _run(code, entry, inputs, state, filename):
    space = dict(modules.preamble(), __name__="accelopt_kernel", __file__=filename, __device_range__=language.python_range)
    _guarded(state, exec, code, space)
    function = space.get(entry)
    if function is None:
        function = next((space[name] for name in ENTRIES if name in space), None)
    if function is None or not callable(function):
        raise KernelError("compile", "err_no_entry", "The kernel file defines no function %s." % entry)
    real = function.function if isinstance(function, modules.Kernel) else function
    context._active.append(state)
    try:
        arguments, positions, parameters = _arguments(real, inputs, state)
        kernel = function if isinstance(function, modules.Kernel) else modules.Kernel(function)
        result = _guarded(state, kernel, *arguments)
        if state.early is not None:
            state.left_early(state.early)
        for _ in state.grid:
            state.close(state.scopes[-1])
    finally:
        context._active.remove(state)
    return result, positions, parameters


def _arguments(function, inputs, state):
    code = getattr(function, "__code__", None)
    names = list(code.co_varnames[:code.co_argcount]) if code else []
    annotations = getattr(function, "__annotations__", {})
    try:
        inspect.signature(function).bind(*inputs)
    except TypeError as error:
        raise KernelError("compile", "err_arguments", "The kernel does not take the problem's %d argument(s): %s." % (len(inputs), error),
                          code.co_firstlineno if code else None)
    except ValueError:
        pass
    arguments, positions, parameters = [], [], []
    for position, value in enumerate(inputs):
        shape = getattr(value, "shape", None)
        if shape is None or isinstance(value, (np.generic, Index)) or (len(shape) == 0):
            arguments.append(value.item() if isinstance(value, (np.generic, np.ndarray)) else value)
            continue
        name = names[position] if position < len(names) else "input%d" % len(parameters)
        tensor = Tensor(name, HBM, "input", as_dtype(value.dtype), tuple(int(n) for n in shape), None, code.co_firstlineno if code else None, state)
        tensor.scopes, tensor.loops = (), ()
        tensor.index = len(parameters)
        tensor.mutable = "mutable_tensor" in repr(annotations.get(name, ""))
        parameters.append(tensor)
        positions.append(position)
        arguments.append(tensor.view())
    return arguments, positions, parameters


# --- writing the document -------------------------------------------------------------------------------------------------------------
def _whole(view):
    """Whether a view of an HBM tensor is all of it in row-major order, in whatever shape."""
    linear = Index(0)
    for size, e in zip(view.tensor.shape, view.index):
        linear = linear._scaled(size) + e
    strides, stride = {}, 1
    for axis in range(len(view._shape) - 1, -1, -1):
        if view._shape[axis] > 1:
            strides[axis] = stride
        stride *= view._shape[axis]
    return stride == int(np.prod(view.tensor.shape, dtype=np.int64)) and not linear.c and not linear.loops and linear.axes == strides


def _outputs(result, parameters):
    results = list(result) if isinstance(result, (tuple, list)) else [result]
    if result is None or not results:
        raise KernelError("rule", "err_tensor_output_not_written_to", "The kernel returns nothing; it must return its nl.shared_hbm output tensor(s).")
    outputs = []
    for value in results:
        if not isinstance(value, View):
            raise KernelError("rule", "err_unsupported_output", "The kernel returns a %s; it must return HBM tensors." % type(value).__name__)
        tensor = value.tensor.base
        if tensor.on_chip():
            raise KernelError("rule", "err_unsupported_memory", "The kernel returns a tile in %s; nl.store it into an nl.shared_hbm tensor and return that." %
                              tensor.buffer.ir.upper(), tensor.line)
        if not _whole(value):
            raise KernelError("rule", "err_unsupported_output", "The kernel returns a part of %s; it must return whole tensors." % (tensor.name or "a tensor"), tensor.line)
        if tensor.kind == "temporary" and tensor.buffer is not SHARED_HBM:
            raise KernelError("rule", "err_unsupported_output", "The returned tensor %s is made with buffer=%r; an output must be nl.shared_hbm." % (
                tensor.name or "", tensor.buffer), tensor.line)
        if tensor.kind == "constant" or (tensor.kind == "input" and not tensor.mutable):
            raise KernelError("rule", "err_unsupported_output", "The kernel returns %s, a%s, unchanged." % (
                tensor.name, " constant" if tensor.kind == "constant" else "n immutable parameter"), tensor.line)
        if not tensor.written and tensor.kind != "input":
            raise KernelError("rule", "err_tensor_output_not_written_to", "The output tensor %smade here is never stored to." % (
                tensor.name + " " if tensor.name else ""), tensor.line)
        if tensor in outputs:
            raise KernelError("rule", "err_unsupported_output", "The kernel returns one tensor twice.", tensor.line)
        if value._shape != tensor.shape:  # a reshape is returned
            tensor.flat, tensor.file_shape = True, value._shape
        outputs.append(tensor)
    for tensor in parameters:
        if tensor.mutable and tensor.written and tensor not in outputs:
            raise KernelError("rule", "err_mutable_parameter_not_returned", "The mutable parameter %s is written but not returned." % tensor.name, tensor.line)
    return outputs


def _write(result, parameters, state, entry, filename):
    outputs = _outputs(result, parameters)
    for position, tensor in enumerate(outputs):
        if tensor.kind == "input":
            tensor.output_index = position
        else:
            tensor.kind = "output"
            tensor.index = position
    loops, tensors = [], []

    def keep(tensor):
        if tensor.id is None:
            tensor.id = len(tensors)
            tensors.append(tensor)
        return tensor.id

    for tensor in parameters + outputs:
        keep(tensor)

    def number_loops(body):
        for node in body:
            if isinstance(node, tuple):
                if _empty(node[1]):
                    continue
                node[0].id = len(loops)
                loops.append(node[0])
                number_loops(node[1])

    number_loops(state.root)

    def access(view):
        tensor = view.tensor
        index = view.index
        if tensor.base.flat:
            flat = Index(0)
            for size, e in zip(tensor.shape, index):
                flat = flat._scaled(size) + Index(e.c, e.loops, e.axes, ()) if (flat.c or flat.loops or flat.axes) else Index(e.c, e.loops, e.axes, ())
            index = (flat,)
        return {"tensor": keep(tensor.base), "shape": list(view._shape), "index": [e.json() for e in index]}

    def operand(value):
        return access(value) if isinstance(value, View) else {"const": _constant(value)}

    def attribute(value):
        if isinstance(value, Index):
            return value.json()
        if isinstance(value, (list, tuple)):
            return [item.id if hasattr(item, "trip") else attribute(item) for item in value]
        return value

    def write(body):
        nodes = []
        for node in body:
            if isinstance(node, tuple):
                if not _empty(node[1]):
                    nodes.append({"loop": node[0].id, "body": write(node[1])})
                continue
            entry = {"op": node.op, "engine": node.engine, "line": node.line or 0, "dst": access(node.dst), "src": [operand(s) for s in node.src],
                     "roles": list(node.roles), "attrs": {key: attribute(value) for key, value in node.attrs.items()}}
            if node.op == "loop_reduce":
                entry["attrs"]["first"] = "accumulate" if node.dst.tensor.base.initialised else "overwrite"
            if node.mask:
                entry["mask"] = [e.json() for e in node.mask]
            if node.accumulate:
                entry["accumulate"] = True
            if node.dst2 is not None:
                entry["dst2"] = access(node.dst2)
            if node.name:
                entry["name"] = str(node.name)
            nodes.append(entry)
        return nodes

    _accumulators(state.root)
    body = write(state.root)
    constants, described = {}, []
    for tensor in tensors:
        item = {"id": tensor.id, "name": tensor.name, "buffer": tensor.buffer.ir, "kind": tensor.kind, "dtype": tensor.dtype.name,
                "shape": [int(np.prod(tensor.shape, dtype=np.int64))] if tensor.flat else list(tensor.shape), "partition_dim": tensor.pdim,
                "line": tensor.line or 0, "loops": [loop.id for loop in tensor.loops]}
        if tensor.flat:
            item["shape_of_file"] = list(tensor.file_shape or tensor.shape)
        if tensor.index is not None:
            item["index"] = tensor.index
        if tensor.output_index is not None:
            item["output_index"] = tensor.output_index
        if tensor.init is not None:
            item["init"] = tensor.init
        if tensor.implicit:
            item["implicit"] = True
        if tensor.data is not None:
            item["file"] = "c%d.npy" % len(constants)
            constants[item["file"]] = tensor.data
        described.append(item)
    ir = {"ir": 1, "frontend": "neuronxcc.nki", "kernel": entry, "source": filename, "tensors": described,
          "loops": [_describe(loop) for loop in loops], "body": body}
    return ir, constants


def _accumulators(body):
    """A PSUM tensor that only accumulating matmuls write to starts at zero, as if nl.zeros had made it: the first matmul overwrites."""
    accumulated, written = [], set()

    def walk(nodes):
        for node in nodes:
            if isinstance(node, tuple):
                walk(node[1])
            elif node.accumulate:
                accumulated.append(node.dst.tensor)
            else:
                written.add(id(node.dst.tensor))

    walk(body)
    for tensor in accumulated:
        if tensor.init is None and not tensor.initialised and id(tensor) not in written:
            tensor.init = 0.0


def _empty(body):
    return all(isinstance(node, tuple) and _empty(node[1]) for node in body)


def _describe(loop):
    item = {"id": loop.id, "kind": loop.kind, "name": loop.name, "start": loop.start, "step": loop.step, "trip": loop.trip, "line": loop.line or 0}
    if loop.implicit:
        item["implicit"] = True
    return item


def _constant(value):
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    value = float(value)
    if math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
