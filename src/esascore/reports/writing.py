"""Files that are written wholly or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from os import PathLike
from pathlib import Path
from typing import TextIO

from esascore.errors import UsageError


@contextmanager
def atomic_writer(path: str | PathLike[str]) -> Iterator[TextIO]:
    r"""Open a UTF-8 text file that replaces ``path`` at the end of the block, unless an error leaves it.

    A symbolic link is followed; a device or a pipe is written to directly, since it cannot be replaced.

    Raises
    ------
    UsageError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "scores.csv"
    >>> with atomic_writer(target) as file:
    ...     _ = file.write("system\n")
    ...     target.exists()
    False
    >>> target.read_text()
    'system\n'
    """
    with _reported(path):
        target = _resolved(path)
        mode = _mode(target)
    if mode is not None and not stat.S_ISREG(mode):
        with _reported(path), target.open("w", encoding="utf-8", newline="") as file:
            yield file
        return
    with _reported(path):
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent)
    try:
        with _reported(path):
            with open(handle, "w", encoding="utf-8", newline="") as file:  # noqa: PTH123 - a descriptor
                yield file
            Path(name).chmod(stat.S_IMODE(mode) if mode is not None else 0o666 & ~_umask())
            Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_files(contents: Iterable[tuple[str | PathLike[str], Iterable[str]]]) -> None:
    """Write several files from pieces of text; none is replaced before all are written."""
    with ExitStack() as stack:
        for path, pieces in contents:
            stack.enter_context(atomic_writer(path)).writelines(pieces)


def check_writable(path: str | PathLike[str], *, inputs: Iterable[str | PathLike[str]] = ()) -> None:
    """Refuse, before any work is done, a file that could not be written or that is an input.

    Raises
    ------
    UsageError
        If there is no such folder, the path is a folder, or it is one of ``inputs``.
    """
    with _reported(path):
        target = _resolved(path)
        if target.is_dir():
            raise UsageError(f"cannot write {path}: it is a folder, give a file name")
        if not target.parent.is_dir():
            raise UsageError(f"cannot write {path}: there is no folder {Path(path).parent}")
        for other in inputs:
            if target.exists() and Path(other).exists() and target.samefile(other):
                raise UsageError(f"cannot write {path}: it is one of the files to be read")


@contextmanager
def _reported(path: str | PathLike[str]) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def _resolved(path: str | PathLike[str]) -> Path:
    """The path without symbolic links."""
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:  # a path with a NUL
        raise UsageError(f"cannot write {path!r}: {error}") from error


def _mode(path: Path) -> int | None:
    with contextlib.suppress(FileNotFoundError):
        return path.stat().st_mode
    return None


def _umask() -> int:
    # There is no way to read the mask without setting it; the old one is back at once.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
