# SPDX-License-Identifier: GPL-3.0-or-later
"""Wider tiles: fewer, larger instructions and transfers."""
from __future__ import annotations

from ..edit import Refusal
from ..kernel import MOVING_COLUMNS, PSUM_COLUMNS, SBUF_BYTES, Kernel
from ..privatize import privatize
from ..profile import Context
from ..tiling import Walk, inspect, largest_factor, tile_time_ms, widen
from .base import Rule, Site

MAX_COLUMNS = 8192


def walks(kernel: Kernel) -> tuple[Kernel, list[Walk]]:
    """The loops over columns, in the kernel itself or, where that shows none, with its block tensors as plain tiles."""
    found = _walks(kernel)
    if not found:
        plain = privatize(kernel)
        if plain is not kernel:
            return plain, _walks(plain)
    return kernel, found


def _walks(kernel: Kernel) -> list[Walk]:
    found = []
    for loop in kernel.loops():
        try:
            found.append(inspect(kernel, loop))
        except Refusal:
            continue
    return found


def limit_of(walk: Walk) -> int:
    if walk.matmul or walk.psum:
        return min(MOVING_COLUMNS, PSUM_COLUMNS)
    tiles = max(2, len(walk.wide))
    return min(MAX_COLUMNS, int(0.75 * SBUF_BYTES / (4 * 2 * tiles)))


class Widen(Rule):
    """For loops without a matmul."""
    id = "widen-tile"
    title = "Widen the tile's free dimension"
    explanation = ("Each instruction pays a fixed start (about 60 to 105 cycles) and each DMA transfer a latency and a cost per row piece; "
                   "wider tiles pay them less often. Rows of at least 2 KiB per partition keep the DMA efficient.")
    of_matmul = False

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        sites = []
        kernel, found = walks(kernel)
        for walk in found:
            if (walk.matmul or walk.psum) != self.of_matmul:
                continue
            loop = walk.loop
            outside = kernel.trips(loop.stmt)
            factors = largest_factor(kernel, walk, limit_of(walk))
            now = tile_time_ms(walk, walk.width, loop.trip or 1)
            if not walk.loads and walk.stores == 0 and walk.operations == 0 and not walk.matmul:
                continue
            for factor in _useful(factors):
                then = tile_time_ms(walk, walk.width * factor, (loop.trip or 1) // factor)
                saved = max(0.0, now - then) * outside
                sites.append(self._site(kernel, walk, factor, saved, factors))
        return sites

    def _site(self, kernel: Kernel, walk: Walk, factor: int, saved: float, factors: list[int]) -> Site:
        loop, new = walk.loop, walk.width * factor
        total = kernel.trips(loop.stmt) * (loop.trip or 1)
        return Site(f"{self.id}:{loop.var}@{loop.line}:{factor}",
                    f"Widen the tiles of loop {loop.var} (line {loop.line}) from {walk.width} to {new} columns",
                    f"Loop {loop.var} at line {loop.line} works on {walk.width} columns at a time, {total} tiles in all, "
                    f"with {walk.loads} loads, {walk.stores} stores and {walk.operations} elementwise instructions each.",
                    f"Let loop {loop.var} run {(loop.trip or 0) // factor} times instead of {loop.trip} and take {new} columns in each step; change every "
                    f"slice, index and tile shape that spells {walk.width} for this loop.",
                    f"{total - total // factor} fewer iterations; about {saved:.3f} ms less overhead and waiting by a rough count.",
                    loop.line, {"factor": factor, "factors": factors}, {}, saved, prior=0.8)

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        kernel, found = walks(kernel)
        for walk in found:
            if not site.key.startswith(f"{self.id}:{walk.loop.var}@{walk.loop.line}:"):
                continue
            factor = site.params.get("factor")
            factors = largest_factor(kernel, walk, limit_of(walk))
            if factor not in factors:
                raise Refusal("the trip count does not allow this factor")
            if variant == 1:
                factor = _other(factors, factor)
            return widen(kernel, walk, factor)
        raise Refusal("the loop is not a plain walk over columns")


def _useful(factors: list[int]) -> list[int]:
    """At most four factors, spread over the range: the largest, and those near its half, quarter and eighth."""
    chosen: list[int] = []
    wanted = float(factors[-1]) if factors else 0.0
    for factor in reversed(factors):
        if factor <= wanted and len(chosen) < 4:
            chosen.append(factor)
            wanted = factor / 2
    return chosen


def _other(factors: list[int], factor: int) -> int:
    at = factors.index(factor)
    return factors[at - 1] if at > 0 else factors[min(at + 1, len(factors) - 1)]


class WidenMatmul(Widen):
    id = "widen-matmul"
    title = "Widen the matmul's moving side"
    explanation = ("TensorE streams up to 512 moving columns per instruction into one PSUM bank; narrower matmuls load the stationary "
                   "matrix more often and pay the fixed cost of an instruction for less work.")
    of_matmul = True
