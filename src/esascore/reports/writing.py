"""Files that are written completely or not at all."""

from __future__ import annotations

import errno
import glob
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import Self, TextIO

from esascore.errors import EsascoreError, UsageError
from esascore.run.storage import locked

_FULL = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


@contextmanager
def staged(path: str | PathLike[str]) -> Iterator[Path]:
    """Give a free path for the file or folder that replaces ``path`` at the end of the block.

    If an error leaves the block, all is as it was. A symbolic link is followed. What a process that was
    killed left of an earlier try is removed.

    Raises
    ------
    UsageError
        If it cannot be written.
    EsascoreError
        If there is no space left.
    """
    with _resolved(path) as target, _workplace(target) as folder:
        made, before = folder / "made", folder / "before"
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
def _workplace(target: Path) -> Iterator[Path]:
    """Give a folder next to the target, with a lock that ends with this process, however it ends."""
    prefix, suffix = f".{target.name[:40]}.", ".tmp"
    with ExitStack() as stack:
        with locked(target.parent):  # nobody takes a folder that has no lock yet for one that was left
            for left in target.parent.glob(f"{glob.escape(prefix)}*{suffix}"):
                _clear_up(left, target)
            folder = stack.enter_context(
                tempfile.TemporaryDirectory(
                    prefix=prefix, suffix=suffix, dir=target.parent, ignore_cleanup_errors=True
                )
            )
            stack.enter_context(locked(Path(folder)))
        yield Path(folder)


def _clear_up(left: Path, target: Path) -> None:
    """Remove what a killed process left, and bring back a folder that it had put aside."""
    with suppress(OSError), locked(left, wait=False) as is_ours:
        if is_ours:
            if not target.exists() and (left / "before").exists():
                (left / "before").replace(target)
            shutil.rmtree(left)


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
    with _replacing(path) as target, target.open("w", encoding="utf-8", newline="") as file:
        yield file


@contextmanager
def _replacing(path: str | PathLike[str]) -> Iterator[Path]:
    """Give the path to write to instead of a file; a device or a pipe is written to directly."""
    with ExitStack() as stack:
        target = stack.enter_context(_resolved(path))
        if target.is_file() or not target.exists():
            target = stack.enter_context(staged(path))
        yield target


def write_files(contents: Iterable[tuple[str | PathLike[str], Iterable[str] | Iterable[bytes]]]) -> None:
    """Write several files from pieces of text or of bytes; none is replaced before all are written."""
    with ExitStack() as stack:
        for path, pieces in contents:
            file = stack.enter_context(stack.enter_context(_replacing(path)).open("wb"))
            file.writelines(piece.encode() if isinstance(piece, str) else piece for piece in pieces)


class Spool:
    """Lines of several systems that arrive interleaved, kept on disk until they are read system by system.

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
    ...     "".join(spool.lines())
    '1 3 2 '
    """

    def __init__(self, folder: str | PathLike[str] | None = None):
        self._folder = folder
        self._files: dict[str, TextIO] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # of what is still to be written nothing is needed
            self._stack.close()

    def add(self, system: str, lines: Iterable[str]) -> None:
        """Add lines of a system."""
        with _resolved(self._folder or tempfile.gettempdir()):
            if system not in self._files:
                made = tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n", dir=self._folder)  # noqa: SIM115
                self._files[system] = self._stack.enter_context(made)
            self._files[system].writelines(lines)

    def lines(self) -> Iterator[str]:
        """Yield all lines of the first system, then those of the next."""
        for file in self._files.values():
            with _resolved(self._folder or tempfile.gettempdir()):
                file.seek(0)  # which writes what is not yet on the disk
            yield from file


def check_writable(path: str | PathLike[str], *, inputs: Iterable[str | PathLike[str]] = ()) -> None:
    """Reject, before any work is done, a file that could not be written or that is an input.

    Raises
    ------
    UsageError
        If there is no such folder, the path is a folder, or it is one of ``inputs``.
    """
    with _resolved(path) as target:
        if target.is_dir():
            raise UsageError(f"cannot write {path}: it is a folder, give a file name")
        if not target.parent.is_dir():
            raise UsageError(f"cannot write {path}: there is no folder {Path(path).parent}")
        for other in inputs:
            if target.exists() and Path(other).exists() and target.samefile(other):
                raise UsageError(f"cannot write {path}: it is one of the files to be read")


def unwritable(what: str, error: OSError) -> EsascoreError:
    """Return the error that something cannot be written; a full disk counts as a fault of the machine."""
    problem = f"cannot write {what}: {error.strerror or error}"
    if error.errno in _FULL:
        return EsascoreError(f"{problem}: free some space, and run the same command again")
    return UsageError(problem)


@contextmanager
def _resolved(path: str | PathLike[str]) -> Iterator[Path]:
    """Give the path without symbolic links, and report what goes wrong with it."""
    try:
        target = Path(os.path.realpath(path))
    except ValueError as error:  # a path with a NUL
        raise UsageError(f"cannot write {path!r}: {error}") from error
    try:
        yield target
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unwritable(str(path), error) from error
