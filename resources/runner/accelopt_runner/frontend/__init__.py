# SPDX-License-Identifier: GPL-3.0-or-later
"""Front ends that trace a kernel into the IR of docs/ir-format.md. Standard library and NumPy only.

    trace(kernel_path, entry, inputs, target) -> Trace(ir, constants)
"""

from .errors import KernelError
from .tracer import TensorSpec, Trace, trace, trace_source

__all__ = ["KernelError", "TensorSpec", "Trace", "trace", "trace_source"]
