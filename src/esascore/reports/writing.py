"""Files that are written wholly or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from os import PathLike
from pathlib import Path
from typing import Self, TextIO

from esascore.errors import UsageError

_PIECE = 1 << 20


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


class Spool:
    """Lines of several systems that come by turns, kept on disk until they are read system by system.

    Parameters
    ----------
    folder
        Where; by default where the system keeps temporary files. Nothing is left of them.

    Raises
    ------
    UsageError
        If nothing can be written there.

    Examples
    --------
    >>> with Spool() as spool:
    ...     for system, line in [("a", "1 "), ("b", "2 "), ("a", "3 ")]:
    ...         spool.add(system, [line])
    ...     "".join(spool.pieces())
    '1 3 2 '
    """

    def __init__(self, folder: str | PathLike[str] | None = None):
        self._folder = folder
        self._files: dict[str, TextIO] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(self, system: str, lines: Iterable[str]) -> None:
        """Add lines of a system."""
        with _reported(self._folder or tempfile.gettempdir()):
            if system not in self._files:
                made = tempfile.TemporaryFile("w+", encoding="utf-8", newline="", dir=self._folder)  # noqa: SIM115
                self._files[system] = self._stack.enter_context(made)
            self._files[system].writelines(lines)

    def pieces(self) -> Iterator[str]:
        """All lines of the first system, then those of the next, in pieces that are no lines."""
        for file in self._files.values():
            file.seek(0)
            while piece := file.read(_PIECE):
                yield piece


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
