"""Files that are written wholly or not at all."""

from __future__ import annotations

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
def staged(path: str | PathLike[str]) -> Iterator[Path]:
    """A free place for the file or folder that replaces ``path`` at the end of the block.

    If an error leaves the block, all is as it was. A symbolic link is followed.

    Raises
    ------
    UsageError
        If it cannot be written.
    """
    with _reported(path):
        target = _resolved(path)
        with tempfile.TemporaryDirectory(
            prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent, ignore_cleanup_errors=True
        ) as folder:
            made, before = Path(folder, "made"), Path(folder, "before")
            yield made
            if target.is_dir():
                target.replace(before)
            elif target.exists():
                made.chmod(stat.S_IMODE(target.stat().st_mode))
            try:
                made.replace(target)
            except OSError:
                if before.exists():
                    before.replace(target)
                raise


@contextmanager
def atomic_writer(path: str | PathLike[str]) -> Iterator[TextIO]:
    r"""Open a UTF-8 text file that replaces ``path`` at the end of the block, unless an error leaves it.

    A device or a pipe is written to directly, since it cannot be replaced.

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
    with ExitStack() as stack:
        stack.enter_context(_reported(path))
        target = _resolved(path)
        if target.is_file() or not target.exists():
            target = stack.enter_context(staged(path))
        yield stack.enter_context(target.open("w", encoding="utf-8", newline=""))


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
