# SPDX-License-Identifier: GPL-3.0-or-later
"""Data types of NKI Beta 1 and their promotion (NKI API reference, "type promotion")."""

import numpy as np

from .errors import KernelError


class DType:
    """A data type as kernels see it: equal to NumPy's type of the same name, usable where NumPy wants a dtype if NumPy has it."""

    __slots__ = ("name", "bits", "kind")

    def __init__(self, name, bits, kind):
        self.name = name
        self.bits = bits
        self.kind = kind  # f(loat), i(nt), u(nsigned), b(ool)

    @property
    def __name__(self):
        return self.name

    @property
    def itemsize(self):
        return self.bits // 8

    @property
    def dtype(self):
        return np.dtype(NUMPY_OF.get(self.name, "float32"))

    def __eq__(self, other):
        try:
            return self.name == as_dtype(other).name
        except KernelError:
            return NotImplemented

    def __ne__(self, other):
        result = self.__eq__(other)
        return result if result is NotImplemented else not result

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return self.name

    def __call__(self, value):
        """nl.float32(3) is used as a number now and then."""
        return self.dtype.type(value)


_ALL = [DType(*spec) for spec in (
    ("float32", 32, "f"), ("bfloat16", 16, "f"), ("float16", 16, "f"), ("tfloat32", 32, "f"), ("float32r", 32, "f"),
    ("float8_e4m3", 8, "f"), ("float8_e5m2", 8, "f"), ("int8", 8, "i"), ("uint8", 8, "u"), ("int16", 16, "i"),
    ("uint16", 16, "u"), ("int32", 32, "i"), ("uint32", 32, "u"), ("bool", 8, "b"))]
BY_NAME = {dtype.name: dtype for dtype in _ALL}
NUMPY_OF = {"float32": "float32", "float16": "float16", "tfloat32": "float32", "float32r": "float32", "int8": "int8", "uint8": "uint8",
            "int16": "int16", "uint16": "uint16", "int32": "int32", "uint32": "uint32", "bool": "bool"}
ALIASES = {"bool_": "bool", "fp32": "float32", "bf16": "bfloat16", "fp16": "float16", "float8_e4m3fn": "float8_e4m3", "float": "float32",
           "int": "int32"}
FLOAT32 = BY_NAME["float32"]
BOOL = BY_NAME["bool"]
INT32 = BY_NAME["int32"]
UINT32 = BY_NAME["uint32"]


def as_dtype(value):
    """The DType of a DType, NumPy dtype or type, or name. Raises KernelError for what the hardware has not."""
    if isinstance(value, DType):
        return value
    if isinstance(value, str):
        name = value
    elif value is float:
        name = "float32"
    elif value is int:
        name = "int32"
    elif value is bool:
        name = "bool"
    else:
        try:
            name = np.dtype(value).name
        except Exception:
            name = getattr(value, "__name__", None) or str(value)
    name = ALIASES.get(name, name)
    if name not in BY_NAME:
        raise KernelError("rule", "err_unsupported_dtype", "The data type %s does not exist on a NeuronCore; use float32, bfloat16, float16 or an "
                          "integer of at most 32 bits." % name)
    return BY_NAME[name]


def promote(a, b):
    """The result type of two tiles."""
    if a.name == b.name:
        return a
    if a.kind == "b":
        return b
    if b.kind == "b":
        return a
    names = {a.name, b.name}
    if names == {"float16", "bfloat16"} or names == {"int32", "uint32"}:
        return FLOAT32
    if names == {"float8_e4m3", "float8_e5m2"}:
        return BY_NAME["bfloat16"]
    if (a.kind == "f") != (b.kind == "f"):
        return a if a.kind == "f" else b
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    if "float32" in names:
        return FLOAT32
    return a if a.kind == "i" else b


def promote_scalar(tile, value):
    """A Python scalar is weak: bool and int as uint8 and int32, float as float32, and it does not widen a float tile."""
    if isinstance(value, (bool, np.bool_)) or tile.kind == "f":
        return tile
    if isinstance(value, (int, np.integer)):
        return INT32 if tile.kind == "b" else tile
    return FLOAT32
