# SPDX-License-Identifier: GPL-3.0-or-later
"""What a request says about a candidate: profile, bound, memory. Every field may be missing or of the wrong type."""
from __future__ import annotations

import math
import re

# NKI documentation (v2.26.1) and measured Trainium 1 profiles: clock in GHz, fixed cycles per instruction.
CLOCK_GHZ = {"vector": 1.12, "scalar": 1.4, "tensor": 2.8, "gpsimd": 1.4}
OVERHEAD = {"vector": 105, "scalar": 62, "tensor": 81, "gpsimd": 150}
FP32_PASSES = 4
DMA_GB_PER_S = 272.0
DMA_LATENCY_US = 3.3
DESCRIPTOR_NS = 42.0
DMA_ENGINES = 16
DMA_ENGINE_GB_PER_S = 27.2
DEFAULT_WIDTH = 512


def real(value, default: float = 0.0) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return default
    return float(value) if math.isfinite(value) else default


def plain(title: str) -> str:
    """A title without case, quotes and layout, in which it may have come back."""
    return " ".join(re.findall(r"[a-z0-9]+", title.lower()))[:100]


class Context:
    """The planner's view of one candidate, tolerant of hostile requests."""

    def __init__(self, raw: dict | None):
        raw = raw if isinstance(raw, dict) else {}
        self.raw = raw
        profile = raw.get("profile")
        self.profile = profile if isinstance(profile, dict) else {}
        self.problem = raw.get("problem") if isinstance(raw.get("problem"), dict) else {}
        self.latency_ms = real(raw.get("latency_ms")) or real(self.profile.get("latency")) or real(self.profile.get("total_time")) * 1e3
        self.bound = raw.get("bound") if isinstance(raw.get("bound"), str) else ""
        self.fraction_of_peak = real(raw.get("fraction_of_peak"))
        tried = raw.get("tried_titles")
        self.tried = {plain(t) for t in tried if isinstance(t, str)} if isinstance(tried, list) else set()
        experiences = raw.get("experiences")
        self.experiences = [e for e in experiences if isinstance(e, dict)] if isinstance(experiences, list) else []
        costs = raw.get("line_costs")
        self.line_costs = [c for c in costs if isinstance(c, dict)] if isinstance(costs, list) else []

    def fraction(self, engine: str) -> float | None:
        """Active fraction (0…1) of an engine or of the DMA; None when the profile does not say."""
        key = "dma_active_time_percent" if engine == "dma" else f"{engine}_engine_active_time_percent"
        if key in self.profile:
            value = real(self.profile[key], -1.0)
            if value >= 0:
                return min(1.0, value if value <= 1.5 else value / 100.0)
        if engine == "tensor":       # fp32: the busy fraction of TensorE is about twice hfu (hardware_flops counts two of four passes)
            value = real(self.profile.get("hfu_estimated_percent"), -1.0)
            if value >= 0:
                return min(1.0, 2.0 * (value if value <= 1.0 else value / 100.0))
        if engine == "dma" and self.latency_ms > 0:
            moved = real(self.profile.get("hbm_read_bytes")) + real(self.profile.get("hbm_write_bytes"))
            if moved > 0:
                return min(1.0, moved / (DMA_GB_PER_S * 1e6) / self.latency_ms)
        return None

    def weights(self) -> dict[str, float]:
        """How much a millisecond saved on each engine is worth for the whole: 1 for the busiest."""
        fractions = {e: self.fraction(e) for e in ("vector", "scalar", "tensor", "gpsimd", "dma")}
        known = [f for f in fractions.values() if f]
        top = max(known, default=0.0)
        weights = {}
        for engine, fraction in fractions.items():
            if fraction is None or top <= 0:
                weights[engine] = 0.05 if engine == "gpsimd" and top > 0 else 0.5
            else:
                weights[engine] = max(0.08, min(1.0, (fraction / top) ** 2))
        return weights

    def line_ms(self, line: int) -> float:
        return sum(real(c.get("busy_ms")) for c in self.line_costs if real(c.get("line"), -1.0) == line)

    def busiest(self) -> str:
        best, name = 0.0, ""
        for engine, label in (("vector", "VectorE"), ("scalar", "ScalarE"), ("tensor", "TensorE"), ("dma", "DMA")):
            value = self.fraction(engine) or 0.0
            if value > best:
                best, name = value, f"{label} ({value:.0%} active)"
        return name


def cycles_ms(engine: str, cycles: float) -> float:
    return cycles / (CLOCK_GHZ[engine] * 1e6)


def instruction_ms(engine: str, columns: float) -> float:
    """One elementwise instruction over [128, columns]."""
    return cycles_ms(engine, max(64.0, columns) + OVERHEAD[engine])


def transfer_ms(row_bytes: float, rows: int = 128) -> float:
    """One DMA transfer of `rows` contiguous pieces, spread over the 16 engines, without its latency."""
    per_engine = max(1.0, rows / DMA_ENGINES)
    return max(per_engine * (DESCRIPTOR_NS + row_bytes / DMA_ENGINE_GB_PER_S), rows * row_bytes / DMA_GB_PER_S) * 1e-6
