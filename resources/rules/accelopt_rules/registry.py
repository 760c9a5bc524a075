# SPDX-License-Identifier: GPL-3.0-or-later
"""All rules, in the order in which ties are broken."""
from __future__ import annotations

from .rewrites.activation import Activation
from .rewrites.reciprocal import Reciprocal
from .rewrites.scalar_ops import ScalarOps
from .rewrites.simplify import Simplify

RULES = [Activation(), ScalarOps(), Reciprocal(), Simplify()]
BY_ID = {rule.id: rule for rule in RULES}
