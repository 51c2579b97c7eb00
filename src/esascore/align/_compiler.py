"""Compiles kernels to object code, with Numba; `esascore.align.compiled` says when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Kernels = Mapping[str, tuple[Callable[..., int], tuple[Any, ...]]]
"""Name of a kernel -> its function and the types of its arguments."""

EXTERNAL = frozenset({"memcpy", "memmove", "memset", "pow"})
"""What compiled code may call: functions of the C library, which every Python has."""


def machine_code(kernels: Kernels, machines: Iterable[Any]) -> list[bytes]:
    """Object code of all kernels together, for each of LLVM's target machines.

    All functions are optimised together, for one machine after the other. Numba optimises each by itself,
    and again with each that calls it: where it is told not to (``NUMBA_OPT=0``, before it is imported) that
    takes less time, and what is not for this processor is not optimised for it first.
    """
    import llvmlite.binding as llvm
    from numba import njit, types

    from esascore.align._pointers import OPTIONS

    linked = llvm.parse_assembly("")
    for name, (kernel, arguments) in kernels.items():
        compiled = njit(types.int64(*arguments), **OPTIONS)(kernel)
        part = llvm.parse_assembly(compiled.inspect_llvm(compiled.signatures[0]))
        defined = [function for function in part.functions if not function.is_declaration]
        (entry,) = [function for function in defined if function.linkage == llvm.Linkage.external]
        entry.name = name
        linked.link_in(part)
    return [_optimised(linked.clone(), machine) for machine in machines]


def _optimised(module: Any, machine: Any) -> bytes:
    import llvmlite.binding as llvm

    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    declared = {function.name for function in module.functions if function.is_declaration}
    if missing := {one for one in declared if not one.startswith("llvm.")} - EXTERNAL:
        raise RuntimeError(f"compiled code needs {', '.join(sorted(missing))}")
    code: bytes = machine.emit_object(module)
    return code
