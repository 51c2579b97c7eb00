"""Machine code of the kernels: compiled once on a machine and kept on disk, loaded by every later process.

Numba compiles it, in a process of its own that takes some seconds (`esascore.align._compiler`). Running it
takes llvmlite alone, which loads it in some 50 milliseconds: no process that uses it imports Numba.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from esascore._version import __version__
from esascore.errors import EsascoreError, UsageError

ENVIRONMENT = "ESASCORE_COMPILE"
"""Environment variable; ``off`` forbids compiling in the background."""

FAILED = ".failed"
"""Suffix of a file that says why compiling failed; it is not tried again in the background."""

EXTERNAL = frozenset({"memcpy", "memmove", "memset", "pow"})
"""What compiled code may call: functions of the C library, which every Python has."""

_HERE = Path(__file__).parent
_DIGEST_BYTES = 32


@dataclass(frozen=True, eq=False)
class Library:
    """Kernels that are compiled together: the table ``KERNELS`` of a module, which only the compiler imports.

    Whenever one of the ``sources``, files of this folder, changes, so does the name of the file with code.
    """

    name: str
    module: str
    sources: tuple[str, ...]

    def is_compiled(self) -> bool:
        """Tell whether the code is on the disk, for this processor and these versions."""
        return any(path.is_file() for path in self.paths())

    def is_loaded(self) -> bool:
        """Tell whether this process has the code."""
        return "code" in vars(self)

    @cached_property
    def code(self) -> Code:
        """The code, from the disk or, where it is not there, compiled now.

        Raises
        ------
        EsascoreError
            It cannot be compiled.
        """
        for path in self.paths():
            with suppress(OSError, ValueError, RuntimeError):
                return Code(path.read_bytes())
        from tempfile import TemporaryDirectory

        with TemporaryDirectory(prefix="esascore-") as folder:
            return Code(compile_now(self, folder).read_bytes())

    def paths(self) -> list[Path]:
        """Files that can hold the code: beside the package or, if that is read-only, in the user's cache."""
        if chosen := os.environ.get("NUMBA_CACHE_DIR"):
            return [Path(chosen) / self._file]
        return [folder / self._file for folder in (_HERE / "__pycache__", *_user_cache())]

    @cached_property
    def _file(self) -> str:
        sources = b"".join((_HERE / name).read_bytes() for name in self.sources)
        digest = hashlib.sha256(sources + sys.platform.encode() + _processor().encode()).hexdigest()
        return f"esascore-{__version__}-{self.name}-{digest[:16]}.o"


class Code:
    """Kernels in memory, to be called by name.

    Parameters
    ----------
    content
        A digest and an object file, as `packed` makes it.

    Raises
    ------
    ValueError
        The content is damaged.
    RuntimeError
        It cannot run in this process.
    """

    def __init__(self, content: bytes):
        import llvmlite.binding as llvm

        code = content[_DIGEST_BYTES:]
        if packed(code) != content:
            raise ValueError("the file of compiled code is damaged")
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine())
        if any(llvm.address_of_symbol(name) is None for name in EXTERNAL):
            raise RuntimeError("this process lacks functions of the C library")
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self._functions: dict[str, Callable[..., int]] = {}

    def call(self, name: str, *arguments: NDArray[Any] | int) -> int:
        """Run a kernel without the GIL, and return what it returns.

        Arrays must be contiguous, and of the types for which the kernel was compiled.
        """
        if name not in self._functions:
            address = self._engine.get_function_address(name)
            types = (ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * len(arguments))
            self._functions[name] = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(address)
        # Numba's functions write their result, and what they raised, to where the first two arguments point.
        result, raised = ctypes.c_int64(), ctypes.c_void_p()
        passed = [one.ctypes.data if isinstance(one, np.ndarray) else one for one in arguments]
        self._functions[name](ctypes.addressof(result), ctypes.addressof(raised), *passed)
        return result.value


def packed(code: bytes) -> bytes:
    """Contents of a file with this object code."""
    return hashlib.sha256(code).digest() + code


def target_machine() -> Any:
    """LLVM's notion of this processor; each engine owns one."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    processor, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(cpu=processor, features=features, opt=3, jit=True)


@cache
def can_compile() -> bool:
    """Tell whether this process can start one that compiles."""
    return bool(sys.executable) and not hasattr(sys, "frozen") and find_spec("numba") is not None


def compile_now(library: Library, spare: str = "") -> Path:
    """Compile a library, wait for it, and return the file with the code.

    Parameters
    ----------
    library
        What to compile.
    spare
        A folder for the file where none of the usual ones can be written to.

    Raises
    ------
    EsascoreError
        That is not possible here.
    """
    import subprocess

    if not can_compile():
        raise UsageError("the kernels cannot be compiled here: this needs the package numba")
    command = _command(library.name, spare)
    done = subprocess.run(command, env=_environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip() or "the compiler died").split("\n")[-1]
        raise EsascoreError(f"the kernels could not be compiled: {reason}")
    return Path(done.stdout.strip())


def compile_in_background(library: Library) -> None:
    """See to it that a library is compiled some time soon, and return at once.

    A process of the lowest priority does it, one at a time on a machine; it outlives this one and says
    nothing. None is started where the environment forbids it or compiling failed before.
    """
    failed = any(path.with_suffix(FAILED).is_file() for path in library.paths())
    if os.environ.get(ENVIRONMENT) != "off" and can_compile() and not failed:
        _start(library.name, os.getpid())


@cache
def _start(name: str, _process: int) -> None:
    """Start the process; once in each, since what did not help then does not help now."""
    import shlex
    import subprocess

    command = _command(name, "--background")
    options: dict[str, Any] = {"env": _environment()}
    options |= dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    with suppress(OSError):
        if sys.platform == "win32":
            flags = subprocess.DETACHED_PROCESS | subprocess.IDLE_PRIORITY_CLASS
            # It is meant to outlive us, which Python would warn of.
            subprocess.Popen(command, creationflags=flags, **options).returncode = 0
        else:
            # The shell ends at once and leaves the other process to the system: nobody has to wait for it.
            # Linux shares processors out between sessions first, so the session has to be nice as well.
            script = f"echo 19 >/proc/self/autogroup; nice -n 19 {shlex.join(command)} &"
            subprocess.run(["sh", "-c", script], start_new_session=True, check=False, **options)


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", "esascore.align._compiler", *arguments]


def _environment() -> dict[str, str]:
    """Where the compiler finds the same packages as this process, and Numba leaves optimising to LLVM."""
    kept = {n: v for n, v in os.environ.items() if not n.startswith("NUMBA_") or n == "NUMBA_CACHE_DIR"}
    return kept | {"NUMBA_OPT": "0", "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}


def _processor() -> str:
    """What tells processors apart; where the system says it, LLVM is not loaded for that."""
    with suppress(OSError), Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as lines:
        first = takewhile(str.strip, lines)  # an empty line follows each processor
        wanted = ("model name", "flags", "Features", "CPU ")
        if said := "".join(line for line in first if line.startswith(wanted)):
            return said
    import llvmlite.binding as llvm

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def _user_cache() -> list[Path]:
    named = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    with suppress(RuntimeError):  # there is no home
        return [(Path(named) if named else Path.home() / ".cache") / "esascore"]
    return []


_SHARED = "_compiler.py", "_pointers.py", "_simd.py", "_steps.py"
MATCHING = Library("match", "esascore.align._kernel", ("_kernel.py", *_SHARED))
SEQUENCES = Library("sequences", "esascore.align._sequences_kernel", ("_sequences_kernel.py", *_SHARED))
LIBRARIES = (MATCHING, SEQUENCES)
