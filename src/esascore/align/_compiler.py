"""Compiles kernels, in a process of its own: ``python -m esascore.align._compiler LIBRARY [FOLDER]``.

It writes the name of the file with the code, which is in ``FOLDER`` only where nothing else can be written
to. With ``--background`` it ends at once where another process is at it already.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from esascore.align.compiled import EXTERNAL, FAILED, LIBRARIES, Code, packed, target_machine


def main(name: str, option: str = "") -> None:
    """Compile the library of this name unless that has been done."""
    background = option == "--background"
    library = next(library for library in LIBRARIES if library.name == name)
    paths = library.paths()
    # Of two that want the same one is enough; two that want different things take turns. Nobody who waits
    # for the code has to wait for those: they have the lowest priority, and take long on a busy machine.
    if background:
        if not _lock(f"esascore-{name}", wait=False):
            return
        _lock("esascore-compiler", wait=True)
    path = next(filter(_works, paths), None)
    if path is None:
        spare = [Path(option) / paths[0].name] if option and not background else []
        path = next(filter(_writable, [*paths, *spare]), None)
        if path is None:
            raise OSError(f"none of these can be written: {', '.join(map(str, paths))}")
        try:
            _write(path, machine_code(library.module))
        except Exception as error:
            if background:
                _write(path.with_suffix(FAILED), str(error).encode())
            raise
    sys.stdout.write(str(path))


def machine_code(module: str) -> bytes:
    """Contents of a file with the kernels of a module.

    Numba would optimise every function by itself and again with each that calls it: it is told not to, and
    all are optimised together.
    """
    import llvmlite.binding as llvm
    from numba import njit, types

    from esascore.align._pointers import OPTIONS

    linked = llvm.parse_assembly("")
    for name, (kernel, arguments) in import_module(module).KERNELS.items():
        compiled = njit(types.int64(*arguments), **OPTIONS)(kernel)
        part = llvm.parse_assembly(compiled.inspect_llvm(compiled.signatures[0]))
        defined = [function for function in part.functions if not function.is_declaration]
        (entry,) = [function for function in defined if function.linkage == llvm.Linkage.external]
        entry.name = name
        linked.link_in(part)
    declared = {function.name for function in linked.functions if function.is_declaration}
    if missing := {one for one in declared if not one.startswith("llvm.")} - EXTERNAL:
        raise RuntimeError(f"compiled code needs {', '.join(sorted(missing))}")
    machine = target_machine()
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(linked, passes)
    content = packed(machine.emit_object(linked))
    Code(content)  # where it cannot be loaded this process dies, not one that has work to do
    return content


def _works(path: Path) -> bool:
    with suppress(OSError, ValueError, RuntimeError):
        return bool(Code(path.read_bytes()))
    return False


def _writable(path: Path) -> bool:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(path.parent, os.W_OK)


def _write(path: Path, content: bytes) -> None:
    """Write all of a file or nothing."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.stem, delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)  # whoever may run the package may use it
    Path(file.name).replace(path)


def _lock(name: str, *, wait: bool) -> bool:
    """Take a lock that one process of this machine can have, until it ends, however it ends.

    False where another has it and is not waited for. Where there are no locks, everybody has it.
    """
    path = Path(tempfile.gettempdir()) / f"{name}.lock"
    try:
        with suppress(FileExistsError):
            path.touch(0o644, exist_ok=False)
        handle = os.open(path, os.O_RDONLY)
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError as error:
        return not isinstance(error, BlockingIOError | PermissionError)
    return True


if __name__ == "__main__":
    gc.disable()  # a compiler makes much and throws little away
    main(*sys.argv[1:])
