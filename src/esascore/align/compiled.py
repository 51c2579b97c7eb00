"""Machine code of the kernels: compiled when the package is built, loaded by processes with enough work.

Numba compiles it (`esascore.align._compiler`), once for each `Target`; a process takes the fastest one that
its processor can run. Loading takes llvmlite alone: no process that finds its code imports Numba. Where
nothing fits (another system than the package was built on, sources that were not built) the code is compiled
in the process that needs it, and kept in the user's cache folder.
"""

from __future__ import annotations

import ctypes
import hashlib
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from esascore.align._compiler import EXTERNAL, Kernels, machine_code
from esascore.errors import EsascoreError, UsageError

_HERE = Path(__file__).parent

BUILT = _HERE / "kernels"
"""Folder of the code that was built with the package."""

_AVX2 = (
    *("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf", "sse3"),
    *("sse4.1", "sse4.2", "ssse3", "xsave"),
)
_AVX512 = *_AVX2, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl", "avx512vpopcntdq"

# AVX2 is also known as x86-64-v3. What AVX-512 gains is in vpopcntdq, which x86-64-v4 lacks.
_LEVELS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "x86_64": {"avx512": _AVX512, "avx2": _AVX2, "baseline": ()}
}
"""Architecture -> sets of processor features that code is built for, the fastest first."""

_ONE_LEVEL: Mapping[str, tuple[str, ...]] = {"baseline": ()}
"""The same for other architectures: what all their processors can do (on AArch64 that includes vectors)."""

_DIGEST_BYTES = 32


@dataclass(frozen=True, slots=True)
class Target:
    """Processors that can run the same code: one system, one architecture, some features."""

    name: str
    features: tuple[str, ...]

    def machine(self) -> Any:
        """LLVM's notion of them; each engine owns one."""
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        features = ",".join(f"+{feature}" for feature in self.features)
        return llvm.Target.from_default_triple().create_target_machine(features=features, opt=3, jit=True)


def targets(features: Mapping[str, bool] | None = None) -> list[Target]:
    """What code is built for on this system, or what of it runs with these features; the fastest first.

    Examples
    --------
    >>> [target.name.rpartition("-")[2] for target in targets({})]
    ['baseline']
    """
    import llvmlite.binding as llvm

    architecture = llvm.get_process_triple().partition("-")[0]
    return [
        Target(f"{sys.platform}-{architecture}-{level}", needed)
        for level, needed in _LEVELS.get(architecture, _ONE_LEVEL).items()
        if features is None or all(map(features.get, needed))
    ]


def fitting_targets() -> list[Target]:
    """Return the targets whose code this processor can run."""
    import llvmlite.binding as llvm

    return targets(llvm.get_host_cpu_features())


@dataclass(frozen=True, eq=False)
class Library:
    """Kernels that are compiled together.

    ``kernels`` imports them, and Numba; ``sources`` are the files of this folder that they are made of.
    """

    name: str
    kernels: Callable[[], Kernels]
    sources: tuple[str, ...]

    def is_loaded(self) -> bool:
        """Return whether this process has the code."""
        return "code" in vars(self)

    @cached_property
    def code(self) -> Code:
        """The code, from a file or, where no file fits, compiled now and kept.

        Raises
        ------
        EsascoreError
            It cannot be compiled.
        """
        for _, content in self.stored():
            with suppress(RuntimeError):
                return Code(content)
        target = fitting_targets()[0]
        try:
            (content,) = machine_code(self.kernels(), [target.machine()])
            code = Code(content)
        except Exception as error:  # whatever Numba or LLVM cannot do here
            reason = str(error).partition("\n")[0]
            raise EsascoreError(f"the kernels could not be compiled: {reason}") from error
        with suppress(OSError, UsageError):
            _write(_user_folder() / self.file(target), content)
        return code

    def stored(self) -> Iterator[tuple[Path, bytes]]:
        """Files with code for this processor, and the code: first what was built, the fastest first."""
        files = [self.file(target) for target in fitting_targets()]
        for folder in _folders():
            for file in files:
                with suppress(OSError, ValueError):
                    yield folder / file, _unpacked(folder / file)

    def file(self, target: Target) -> str:
        """Name of the file with the code; where the sources or the features change, so does the name."""
        version = hashlib.sha256(self._source + " ".join(target.features).encode()).hexdigest()[:16]
        return f"{self.name}-{target.name}-{version}.o"

    @cached_property
    def _source(self) -> bytes:
        return b"".join((_HERE / name).read_bytes() for name in self.sources)


class Code:
    """Kernels in memory, to be called by name.

    Raises
    ------
    RuntimeError
        The object code cannot run in this process.
    """

    def __init__(self, content: bytes):
        import llvmlite.binding as llvm

        machine = Target("any", ()).machine()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        if any(llvm.address_of_symbol(name) is None for name in EXTERNAL):
            raise RuntimeError("this process lacks functions of the C library")
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(content))
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


def build(folder: Path) -> None:
    """Fill a folder with the code of all kernels, for every target of this system, and with nothing else."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for library in LIBRARIES:
        chosen = targets()
        contents = machine_code(library.kernels(), [target.machine() for target in chosen])
        for target, content in zip(chosen, contents, strict=True):
            Code(content)  # what cannot be loaded must not be delivered
            _write(folder / library.file(target), content)


def _write(path: Path, content: bytes) -> None:
    """Write all of a file with this code or nothing; the digest says whose code it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.stem, delete=False) as file:
        file.write(_digest(path, content) + content)
    Path(file.name).chmod(0o644)  # everybody who can run the package can use it
    Path(file.name).replace(path)


def _unpacked(path: Path) -> bytes:
    """Return the code in a file; raise ValueError where it is damaged or was stored under another name."""
    stored = path.read_bytes()
    digest, content = stored[:_DIGEST_BYTES], stored[_DIGEST_BYTES:]
    if digest != _digest(path, content):
        raise ValueError(f"{path} does not hold the code that its name says")
    return content


def _digest(path: Path, content: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + content).digest()


def _folders() -> Iterator[Path]:
    yield BUILT
    with suppress(UsageError):  # there is no home
        yield _user_folder()


def _user_folder() -> Path:
    from esascore.cache import user_cache_folder

    return user_cache_folder() / "esascore"


def _matching() -> Kernels:
    from esascore.align._kernel import KERNELS

    return KERNELS


def _sequences() -> Kernels:
    from esascore.align._sequences_kernel import KERNELS

    return KERNELS


_SHARED = "_compiler.py", "_pointers.py", "_simd.py", "_steps.py"
MATCHING = Library("match", _matching, ("_kernel.py", *_SHARED))
SEQUENCES = Library("sequences", _sequences, ("_sequences_kernel.py", *_SHARED))
LIBRARIES = (MATCHING, SEQUENCES)
