# SPDX-License-Identifier: GPL-3.0-or-later
"""All rules, in the order in which ties are broken."""
from __future__ import annotations

from .rewrites.activation import Activation
from .rewrites.affine import AffineLoop
from .rewrites.engines import Engines
from .rewrites.hoist import Hoist
from .rewrites.interchange import Interchange
from .rewrites.merge import MergeLoops
from .rewrites.partitions import Partitions
from .rewrites.psum_operand import PsumOperand
from .rewrites.reciprocal import Reciprocal
from .rewrites.reduce import Reduce
from .rewrites.resident import Resident
from .rewrites.reuse import Reuse
from .rewrites.scalar_ops import ScalarOps
from .rewrites.simplify import Simplify
from .rewrites.transpose import TransposeOnce
from .rewrites.widen import Widen, WidenMatmul

RULES = [Activation(), ScalarOps(), Reduce(), Reciprocal(), Simplify(), Hoist(), Reuse(), TransposeOnce(), PsumOperand(), AffineLoop(),
         Widen(), WidenMatmul(), Resident(), MergeLoops(), Partitions(), Engines(), Interchange()]
BY_ID = {rule.id: rule for rule in RULES}
