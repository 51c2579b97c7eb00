"""Whether the Numba kernel has been compiled on this machine, told without importing Numba.

Compiling takes tens of seconds, loading the result less than one. So a mark is left when it has been done;
the mark of another version, processor or Numba has another name.
"""

from __future__ import annotations

import hashlib
import os
import platform
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from esascore._version import __version__

_HERE = Path(__file__).parent
_KERNEL_SOURCES = ("_kernel.py", "_simd.py", "_steps.py")


@cache
def stamp() -> str:
    """Return what changes whenever the kernel's code does."""
    sources = b"".join((_HERE / name).read_bytes() for name in _KERNEL_SOURCES)
    return f"{__version__} {hashlib.sha256(sources).hexdigest()}"


def is_compiled() -> bool:
    """Tell whether compiled code is likely to be in Numba's cache."""
    return any((folder / _name()).is_file() for folder in _folders())


def mark_compiled() -> None:
    """Leave the mark, in the first place that can be written to."""
    if is_compiled():
        return
    for folder in _folders():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _name()).touch()
            return


@cache
def _name() -> str:
    try:
        numba = version("numba")
    except PackageNotFoundError:
        numba = "none"
    known = f"{stamp()} {numba} {platform.python_version()} {platform.machine()} {_processor()}"
    return f"esascore-kernel-{hashlib.sha256(known.encode()).hexdigest()[:16]}"


def _processor() -> str:
    """Return the model of the processor where the system tells it cheaply."""
    with suppress(OSError), Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as info:
        return next((line for line in info if line.startswith("model name")), "")
    return platform.processor()


def _folders() -> tuple[Path, ...]:
    """Return where Numba keeps what it compiled for this package: beside it, or where the user caches."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return (Path(chosen),)
    user = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    home = Path(user) if user else Path.home() / ".cache"
    return _HERE / "__pycache__", home / "esascore"
