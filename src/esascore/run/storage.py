"""Storage of inputs and results: files of this machine, or of an object store by their URL.

Arrow's file systems are asked first, then fsspec. Files of this machine are written under another name and
renamed; in an object store a file is there when all of it is.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from esascore.errors import EsascoreError, UsageError, import_extra, unreadable

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_UNFINISHED = ".tmp"
_BUCKETS = frozenset(("s3", "gs", "gcs"))


def arrow(name: str = "pyarrow") -> Any:
    """Return a module of pyarrow.

    Raises
    ------
    MissingExtraError
        It is not installed.
    """
    return import_extra("score --out", name, extra="shards")


def is_url(path: str) -> bool:
    """Return whether a path is a URL, not a file of this machine.

    Examples
    --------
    >>> is_url("s3://bucket/rows"), is_url("rows/a.jsonl"), is_url("C:/rows")
    (True, False, False)
    """
    return _SCHEME.match(path) is not None


def absolute(path: str) -> str:
    """Return a path that means the same wherever this machine reads it; a URL stays as it is."""
    return path if is_url(path) else os.path.realpath(path)


@lru_cache(maxsize=256)
def _of_scheme(root: str) -> tuple[Any, str]:
    fs = arrow("pyarrow.fs")
    try:
        system, path = fs.FileSystem.from_uri(root)
    except arrow().ArrowException:  # a scheme that Arrow does not know
        core = import_extra(f"The URL {root}", "fsspec.core", extra="shards")
        try:
            known, path = core.url_to_fs(root)
        except (ValueError, ImportError) as error:
            raise UsageError(f"{root} cannot be opened: {error}") from None
        system = fs.PyFileSystem(fs.FSSpecHandler(known))
    except OSError as error:
        raise EsascoreError(f"{root} cannot be reached: {_reason(error)}") from None
    return system, path


def located(path: str) -> tuple[Any, str]:
    """Return the file system of a path or URL, and the path there."""
    scheme, is_remote, rest = path.partition("://")
    if is_remote and scheme in _BUCKETS:
        # To make one asks the store where the bucket is: once is enough.
        system, _ = _of_scheme(f"{scheme}://{rest.partition('/')[0]}")
        return system, rest
    if is_url(path):
        return _of_scheme(path)
    return arrow("pyarrow.fs").LocalFileSystem(), absolute(path)


@contextmanager
def locked(folder: Path, *, wait: bool = True) -> Iterator[bool | None]:
    """Lock a folder until the block or the process ends, or see that another process has it locked.

    Tells whether it is locked now; None where there are no such locks.
    """
    if sys.platform == "win32":
        yield None
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    is_locked: bool | None = True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError as error:
        is_locked = False if isinstance(error, BlockingIOError) else None
    try:
        yield is_locked
    finally:
        os.close(handle)


def opened(path: str) -> Any:
    """Open a file of a path or URL for reading anywhere in it; what the system refuses is a `DataError`."""
    system, own = located(path)
    try:
        return system.open_input_file(own)
    except OSError as error:
        raise unreadable(error, path) from None


def checksum_of(value: Mapping[str, Any]) -> str:
    """Return the checksum of an object of JSON, the same when it is read again.

    Examples
    --------
    >>> checksum_of({"rows": 3, "key": "a"})
    '543cfd62be17efc1'
    """
    return blake2b(json.dumps(value).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder of a run, by its path or URL."""

    path: str

    @property
    def is_local(self) -> bool:
        """Whether it is a folder of this machine, as all its nodes see it."""
        return not is_url(self.path)

    def at(self, name: str) -> str:
        """Return the path or URL of a file in the folder."""
        return f"{self.path.rstrip('/')}/{name}" if name else self.path

    def make(self, *names: str) -> None:
        """Make the folder, and folders in it."""
        for name in names or ("",):
            system, own = located(self.at(name))
            try:
                system.create_dir(own, recursive=True)
            except OSError as error:
                raise UsageError(f"cannot write {self.at(name)}: {_reason(error)}") from None

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Keep the folder for one run of this machine; object stores know no locks.

        Raises
        ------
        UsageError
            Another run has it.
        """
        if not self.is_local:
            yield
            return
        with locked(Path(self.path), wait=False) as is_ours:
            if is_ours is False:
                told = "another run is writing to this folder: wait for its end, or choose another"
                raise UsageError(f"{self.path}: {told}")
            yield

    def read(self, name: str) -> bytes | None:
        """Return what a file holds; None if there is none."""
        system, own = located(self.at(name))
        try:
            with system.open_input_stream(own, compression=None) as file:
                return bytes(file.read())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise unreadable(error, self.at(name)) from None

    def write(self, name: str, content: Any) -> None:
        """Write all of a file or nothing; one that is there is replaced."""
        system, own = located(self.at(name))
        try:
            if not self.is_local:
                with system.open_output_stream(own, compression=None) as file:
                    file.write(content)
                return
            target = Path(own)
            made = target.with_name(f".{target.name}.{secrets.token_hex(4)}{_UNFINISHED}")
            try:
                with made.open("wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                made.replace(target)
            finally:
                made.unlink(missing_ok=True)
        except OSError as error:
            raise EsascoreError(f"cannot write {self.at(name)}: {_reason(error)}") from None

    def load(self, name: str) -> dict[str, Any] | None:
        """Return the object in a file of JSON; None if there is no file, {} if it holds something else."""
        raw = self.read(name)
        try:
            plain = b"null" if raw is None else gzip.decompress(raw) if name.endswith(".gz") else raw
            found = json.loads(plain.decode("utf-8", "surrogatepass"))
        except (OSError, ValueError, EOFError):
            found = {}
        return found if raw is None or isinstance(found, dict) else {}

    def save(self, name: str, value: Mapping[str, Any]) -> None:
        """Write an object as JSON."""
        raw = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
        self.write(name, gzip.compress(raw, compresslevel=1, mtime=0) if name.endswith(".gz") else raw)

    def append(self, name: str, line: str) -> None:
        """Add a line to a file of this machine; object stores have no such files, and nothing is written."""
        if self.is_local:
            with Path(self.at(name)).open("a", encoding="utf-8") as file:
                file.write(line)

    def names(self, name: str) -> list[str]:
        """Return the names of the files in a folder of the folder, in order."""
        fs = arrow("pyarrow.fs")
        system, own = located(self.at(name))
        found = system.get_file_info(fs.FileSelector(own, allow_not_found=True))
        return sorted(info.base_name for info in found if info.is_file)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        system, own = located(self.at(name))
        with suppress(OSError):
            system.delete_file(own)

    def clear_up(self, name: str) -> None:
        """Remove what processes that were killed left half written in a folder of the folder."""
        for own in self.names(name):
            if own.startswith(".") and own.endswith(_UNFINISHED):
                self.remove(f"{name}/{own}")


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
