# SPDX-License-Identifier: GPL-3.0-or-later
"""All rules, in the order in which ties are broken."""
from __future__ import annotations

from .rewrites.activation import Activation
from .rewrites.affine import AffineLoop
from .rewrites.hoist import Hoist
from .rewrites.merge import MergeLoops
from .rewrites.partitions import Partitions
from .rewrites.psum_operand import PsumOperand
from .rewrites.reciprocal import Reciprocal
from .rewrites.resident import Resident
from .rewrites.scalar_ops import ScalarOps
from .rewrites.simplify import Simplify
from .rewrites.transpose import TransposeOnce
from .rewrites.widen import Widen, WidenMatmul

RULES = [Activation(), ScalarOps(), Reciprocal(), Simplify(), Hoist(), TransposeOnce(), PsumOperand(), AffineLoop(),
         Widen(), WidenMatmul(), Resident(), MergeLoops(), Partitions()]
BY_ID = {rule.id: rule for rule in RULES}
