# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules that stand in for neuronxcc.nki while a kernel is traced."""

import contextlib
import functools
import sys
import types

from . import context, dtypes, isa, language, pointwise, tensors
from .context import fail

# Public names of Beta 1 that the simulator does not have: a kernel that uses one is told so, with the line.
_UNSUPPORTED = {
    "neuronxcc.nki.language": "all_reduce atomic_rmw dropout gather_flattened rand random_seed rfft spmd_dim nc fmod mod bitwise_not "
                              "logical_shift tanh_dx softmax_dx conv any nonzero",
    "neuronxcc.nki.isa": "builtin_custom_op dma_transpose dropout local_gather nc_transpose_dma range_select select_reduce sequence_bounds "
                         "tensor_copy_dynamic_dst tensor_copy_dynamic_src rand rng set_rng_seed",
    "neuronxcc.nki": "simulate_kernel",
}


class Unsupported:
    """A name that exists in NKI and not here. It may be imported; it fails when it is used."""

    def __init__(self, api):
        self.api = api

    def _fail(self, *arguments, **options):
        fail("err_unsupported_api", "%s is not supported by the simulator." % self.api, "compile")

    __call__ = _fail

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Unsupported(self.api + "." + name)


class Kernel:
    """A function under @nki.jit."""

    def __init__(self, function):
        self.function = function
        functools.update_wrapper(self, function)

    def __call__(self, *arguments, **options):
        trace = context.current("The kernel %s" % getattr(self.function, "__name__", ""))
        trace.depth += 1
        try:
            return self.function(*arguments, **options)
        finally:
            trace.depth -= 1

    def __getitem__(self, grid):
        if context.active() is not None:
            fail("err_nested_kernel_with_spmd_grid", "A kernel is called with a grid inside a kernel; call it without [grid] or write a plain function.")
        return self


def jit(function=None, **options):
    if callable(function):
        return function if isinstance(function, Kernel) else Kernel(function)
    return lambda real: jit(real)


def _switch(function=None, **options):
    """A decorator that passes the kernel through, with or without arguments."""
    return function if callable(function) else lambda real: real


class _Module(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError("module %s has no attribute %s" % (self.__name__, name))
        short = {"neuronxcc.nki.language": "nl.", "neuronxcc.nki.isa": "nisa."}.get(self.__name__, self.__name__ + ".")
        if name in _UNSUPPORTED.get(self.__name__, "").split():
            return Unsupported(short + name)
        fail("err_unknown_api", "%s%s does not exist in NKI Beta 1, or the simulator does not know it." % (short, name), "compile")


def _module(name, contents):
    module = _Module(name)
    module.__dict__.update(contents)
    module.__path__ = []
    return module


def _language():
    helpers = ("python_range", "reduce_tile", "reduce_axes", "rerank", "divide_views", "broadcast_partitions", "sum_", "max_", "min_", "prod_", "all_", "abs_")
    names = {name: value for source in (pointwise, language) for name, value in vars(source).items()
             if callable(value) and getattr(value, "__module__", "") == source.__name__ and not name.startswith("_") and not isinstance(value, type)
             and name not in helpers}
    names.update({"sum": pointwise.sum_, "max": pointwise.max_, "min": pointwise.min_, "prod": pointwise.prod_, "all": pointwise.all_, "abs": pointwise.abs_})
    names.update(mgrid=language.mgrid, par_dim=tensors.ParDim, tile_size=language.tile_size, fp32=language.Fp32Limits, sbuf=tensors.SBUF, psum=tensors.PSUM,
                 hbm=tensors.HBM, private_hbm=tensors.PRIVATE_HBM, shared_hbm=tensors.SHARED_HBM, bool_=dtypes.BOOL)
    names.update(dtypes.BY_NAME)
    names.pop("bool")
    return names


def _isa():
    names = {name: value for name, value in vars(isa).items()
             if callable(value) and getattr(value, "__module__", "") == isa.__name__ and not name.startswith("_") and not isinstance(value, type)}
    for helper in ("matmul_limits", "matmul_instruction", "transpose_on_tensor_engine"):
        names.pop(helper)
    for name in ("tensor_engine", "vector_engine", "scalar_engine", "gpsimd_engine", "unknown_engine", "reduce_cmd", "nc_version", "oob_mode", "dge_mode"):
        names[name] = getattr(isa, name)
    return names


class _Annotation:
    """nt.tensor[…], nt.mutable_tensor: only the annotation matters."""

    def __init__(self, name):
        self.name = name

    def __getitem__(self, key):
        return self

    def __call__(self, *arguments, **options):
        return self

    def __repr__(self):
        return self.name


@functools.lru_cache(maxsize=1)
def standins():
    """Module name -> module."""
    # Compiler switches change the schedule, not the meaning; allocation by hand does not get past nl.ndarray.
    switches = {name: _switch for name in ("enable_stack_allocator", "force_auto_alloc", "skip_middle_end_transformations")}
    compiler = _module("neuronxcc.nki.compiler", dict(switches, no_reorder=contextlib.nullcontext, sbuf=Unsupported("nki.compiler.sbuf"), psum=Unsupported("nki.compiler.psum")))
    typing = _module("neuronxcc.nki.typing", {"tensor": _Annotation("tensor"), "mutable_tensor": _Annotation("mutable_tensor"),
                                              "scalar": _Annotation("scalar")})
    nl = _module("neuronxcc.nki.language", _language())
    nisa = _module("neuronxcc.nki.isa", _isa())
    decorators = {name: jit for name in ("jit", "baremetal", "benchmark", "profile", "trace")}
    nki = _module("neuronxcc.nki", dict(decorators, language=nl, isa=nisa, typing=typing, compiler=compiler, tensor=_Annotation("tensor")))
    root = _module("neuronxcc", {"nki": nki})
    return {"neuronxcc": root, "neuronxcc.nki": nki, "neuronxcc.nki.language": nl, "neuronxcc.nki.isa": nisa, "neuronxcc.nki.typing": typing,
            "neuronxcc.nki.compiler": compiler}


@contextlib.contextmanager
def installed():
    """The stand-ins in sys.modules, whatever was there before put back afterwards."""
    modules = standins()
    before = {name: module for name, module in sys.modules.items() if name == "neuronxcc" or name.startswith("neuronxcc.")}
    for name in before:
        del sys.modules[name]
    sys.modules.update(modules)
    try:
        yield modules
    finally:
        for name in [n for n in sys.modules if n == "neuronxcc" or n.startswith("neuronxcc.")]:
            del sys.modules[name]
        sys.modules.update(before)


def preamble():
    """Names that published kernel samples take for granted when they come without imports."""
    import math

    import numpy
    modules = standins()
    return {"nki": modules["neuronxcc.nki"], "nl": modules["neuronxcc.nki.language"], "nisa": modules["neuronxcc.nki.isa"],
            "nt": modules["neuronxcc.nki.typing"], "np": numpy, "numpy": numpy, "math": math, "par_dim": tensors.ParDim}
