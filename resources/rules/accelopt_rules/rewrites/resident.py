# SPDX-License-Identifier: GPL-3.0-or-later
"""A load inside an inner loop that an outer loop repeats: load all of its tiles once and keep them in SBUF."""
from __future__ import annotations

import ast

from ..edit import Edit, Refusal, splice
from ..kernel import Kernel, Stmt
from ..loops import single
from ..profile import Context, transfer_ms
from ..residency import Stage, build, plan_stage
from .base import Rule, Site


def repeated_loads(kernel: Kernel) -> list[tuple[Stmt, Stage]]:
    found = []
    for stmt in kernel.stmts:
        if stmt.kind != "assign" or not isinstance(stmt.target, ast.Name) or single(kernel, stmt.target.id) is not stmt:
            continue
        if not isinstance(stmt.value, ast.Call) or kernel.api(stmt.value.func) != "nl.load":
            continue
        stage = plan_stage(kernel, stmt, stmt.value)
        if stage is not None and stage.inner:      # without inner loops it is an ordinary loop-invariant load
            found.append((stmt, stage))
    return found


class Resident(Rule):
    id = "keep-operand-resident"
    title = "Keep a reloaded operand in SBUF"
    explanation = "Temporal locality: an operand that fits into SBUF is read from HBM once and reused by all iterations of the outer loop."

    def find(self, kernel: Kernel, context: Context) -> list[Site]:
        sites = []
        for stmt, stage in repeated_loads(kernel):
            loads, once = kernel.trips(stmt), kernel.trips(stage.outside.stmt) * stage.count
            if loads <= once:
                continue
            saved = {"dma": (loads - once) * transfer_ms(stage.shape[1] * 4.0, stage.shape[0])}
            # The compiler keeps small invariant sets by itself (measured up to 192 KiB per partition), hence the low prior.
            sites.append(Site(
                f"{self.id}:{stmt.line}", f"Load `{stmt.target.id}` (line {stmt.line}) once before loop {stage.outside.var} and keep it in SBUF",
                f"The load at line {stmt.line} runs {loads} times for {once} different tiles: it does not depend on loop {stage.outside.var}.",
                f"Load all {stage.count} tiles before loop {stage.outside.var} into one SBUF tile ({stage.bytes_per_partition() // 1024} KiB per partition) "
                "and read its pieces in the inner loop.",
                f"{loads - once} fewer loads, {saved['dma']:.3f} ms less DMA work, if the compiler did not keep them already.",
                stmt.line, {}, saved, prior=0.3))
        return sites

    def apply(self, kernel: Kernel, site: Site, variant: int) -> str:
        for stmt, stage in repeated_loads(kernel):
            if site.key != f"{self.id}:{stmt.line}":
                continue
            edit = Edit(kernel)
            piece = build(kernel, edit, stage, stmt.value, f"{stmt.target.id}_resident")
            for reader in kernel.readers.get(stmt.target.id, []):
                if reader.value is None or reader.inner:
                    raise Refusal(f"line {reader.line} uses the tile in control flow")
                uses = [n for n in ast.walk(reader.value) if isinstance(n, ast.Name) and n.id == stmt.target.id]
                parents = {id(n.value) for n in ast.walk(reader.value) if isinstance(n, (ast.Subscript, ast.Attribute))}
                if any(id(n) in parents for n in uses):
                    raise Refusal(f"line {reader.line} takes a part of the tile")
                edit.value(reader, splice(reader.value_code, [(n, piece) for n in uses]))
            edit.remove(stmt)
            return edit.source()
        raise Refusal("the load of the plan is not in this kernel, or it changes in every iteration")
