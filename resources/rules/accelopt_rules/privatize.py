# SPDX-License-Identifier: GPL-3.0-or-later
"""Tensors with block dimensions that are really one tile per iteration, as the Neuron compiler's own dumps declare them:
`t[i, j, p, f] = …` written once and read at the same place in the same body is the same as a plain `t_tile = …`."""
from __future__ import annotations

import ast

from .edit import Edit, Refusal, splice
from .expr import Reader
from .kernel import Kernel, Stmt, norm
from .loops import subscripts_of


def cells(kernel: Kernel) -> dict[str, tuple[str, Stmt, list[Stmt]]]:
    """Tensor name -> (its only subscript, the statement that writes it, all statements that mention it)."""
    reader, found = Reader(kernel), {}
    for name in sorted(kernel.mutations):
        call = kernel.allocation(name)
        if call is None or kernel.buffer_of(name) != "sbuf" or kernel.api(call.func) != "nl.ndarray":
            continue
        writers = kernel.mutations[name]
        users = {id(s): s for s in writers + kernel.readers.get(name, [])}
        if len(writers) != 1 or writers[0].kind != "assign" or not isinstance(writers[0].target, ast.Subscript) or not writers[0].loops():
            continue
        write = writers[0]
        key = norm(write.target)
        if not reader._one_cell(name, key, write) or any(s.index < write.index for s in users.values() if s is not write):
            continue
        whole, part = kernel.whole_shape(name), kernel.shape(write.target)
        if whole is None or part is None or len(part) != 2 or tuple(whole[-2:]) != part or any(n != 1 for n in whole[:-2]) and not _own_block(write):
            continue
        if kernel.shape(write.value) != part:
            continue
        found[name] = (key, write, list(users.values()))
    return found


def _own_block(write: Stmt) -> bool:
    """The leading indices are loop variables around the statement, each once."""
    elements = write.target.slice.elts if isinstance(write.target.slice, ast.Tuple) else [write.target.slice]
    leading = elements[:-2]
    variables = {loop.var for loop in write.loops()}
    return all(isinstance(e, ast.Name) and e.id in variables for e in leading) and len({e.id for e in leading}) == len(leading)


def privatize(kernel: Kernel) -> Kernel:
    """The same kernel with plain tiles, or the kernel itself when there is nothing to do."""
    found = cells(kernel)
    if not found:
        return kernel
    edit = Edit(kernel)
    pieces: dict[int, tuple[Stmt, list]] = {}
    for name, (_, write, users) in found.items():
        tile = kernel.fresh(f"{name}_tile")
        edit.remove(kernel.bindings[name][0])
        edit.target(write, tile)
        for stmt in users:
            inside = [n for n in subscripts_of(stmt, name) if n is not stmt.target]
            if inside:
                pieces.setdefault(id(stmt), (stmt, []))[1].extend((n, tile) for n in inside)
    for stmt, changes in pieces.values():
        edit.value(stmt, splice(stmt.value_code, changes))
    try:
        return Kernel(edit.source(), kernel.shapes)
    except Refusal:
        return kernel
