"""Answers of slow models and services, kept on disk by content.

A cache only saves time. Whatever happens to its file, no result changes: an answer that cannot be read counts
as absent, one that cannot be written is not kept, and a single `CacheWarning` says why.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from pathlib import Path

from esascore.errors import CacheWarning, UsageError

_APPLICATION = 0x45534131  # "ESA1": the application id in the header of our SQLite files, and of no others
_SCHEMA = 1
_OWN_SUFFIXES = (".sqlite", ".sqlite3", ".db")
_COMPANIONS = ("", "-wal", "-shm", "-journal")
_NOT_DAMAGED = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_CANTOPEN,
)


def cache_path() -> Path:
    """Return where answers are kept: ``$ESASCORE_CACHE``, otherwise a file in the user's cache folder.

    That is ``$XDG_CACHE_HOME`` if it is set, otherwise ``~/.cache``, ``~/Library/Caches`` (macOS) or
    ``%LOCALAPPDATA%`` (Windows).

    Examples
    --------
    >>> import os
    >>> from unittest import mock
    >>> with mock.patch.dict(os.environ, {"ESASCORE_CACHE": "answers.sqlite"}):
    ...     cache_path().name
    'answers.sqlite'
    """
    if chosen := os.environ.get("ESASCORE_CACHE"):
        return Path(chosen).expanduser()
    return user_cache_folder() / "esascore" / "answers.sqlite"


def user_cache_folder() -> Path:
    """Return the user's cache folder."""
    # By its specification, a relative XDG_CACHE_HOME is invalid and must be ignored.
    if (named := os.environ.get("XDG_CACHE_HOME")) and Path(named).is_absolute():
        return Path(named)
    if sys.platform == "win32" and (named := os.environ.get("LOCALAPPDATA")):
        return Path(named)
    try:
        home = Path.home()
    except RuntimeError:
        raise UsageError(
            "there is no home folder for the cache: set ESASCORE_CACHE to a file of your choice"
        ) from None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def answer_key(kind: str, version: str, text: str) -> str:
    """Return the key of the answer that one version of a model or service gives for a text.

    Examples
    --------
    >>> answer_key("rel", "v1", "Kestrel Arena")[:12]
    '955c3d9240aa'
    >>> answer_key("a", "bc", "") == answer_key("ab", "c", "")
    False
    """
    return _digest(kind, version, text).hex()


def _digest(*parts: str | bytes) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        # A text may hold lone surrogates, and different lists of parts must give different bytes.
        raw = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.digest()


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What a cache holds.

    Attributes
    ----------
    path
        Its file.
    bytes
        What it takes on disk.
    entries
        How many answers there are of each kind.
    problem
        Why it cannot be used; None if it can.
    """

    path: Path
    bytes: int
    entries: Mapping[str, int] = field(default_factory=dict)
    problem: str | None = None


class _ForeignFileError(Exception):
    """A database of another program, or of another version of this one."""

    def __init__(self, problem: str, *, removable: bool):
        super().__init__(problem)
        self.removable = removable


_DAMAGED = (sqlite3.Error, UnicodeError)  # the latter comes from a damaged name in a message of SQLite
_FAILURES = (*_DAMAGED, OSError, _ForeignFileError)


class AnswerCache:
    """Answers on disk, found by the kind of model or service and a key from `answer_key`.

    It opens its file only while it is used. Any number of threads and processes may use one file; a cache can
    be pickled.

    Parameters
    ----------
    path
        The file; `cache_path()` by default.
    timeout
        How many seconds to wait while another process writes.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = AnswerCache(Path(folder) / "a.sqlite")
    ...     key = answer_key("rel", "v1", "Kestrel Arena")
    ...     cache.put("rel", {key: "[]"})
    ...     cache.get("rel", [key, "unknown"]) == {key: "[]"}
    True
    """

    def __init__(self, path: str | PathLike[str] | None = None, *, timeout: float = 10.0):
        self.path = cache_path() if path is None else Path(path)
        self._timeout = timeout
        self._reads = self._writes = True
        self._warned = False

    def __reduce__(self) -> tuple[object, ...]:
        return partial(AnswerCache, timeout=self._timeout), (self.path,)

    def get(self, kind: str, keys: Sequence[str]) -> dict[str, str]:
        """Return the answers that the cache has, by key."""
        if not keys or not self._reads or not os.path.lexists(self.path):
            return {}
        try:
            with self._transaction("BEGIN") as database:
                rows = database.execute(
                    "SELECT key, value, checksum FROM answers "
                    "WHERE kind = ? AND key IN (SELECT value FROM json_each(?))",
                    (kind, json.dumps(list(keys))),
                ).fetchall()
            return {
                key: value.decode("utf-8", "surrogatepass")
                for key, value, checksum in rows
                if isinstance(value, bytes) and checksum == _digest(kind, key, value)
            }
        except _FAILURES as error:
            self._reads = self._writes = False
            self._warn("read", error)
            return {}

    def put(self, kind: str, answers: Mapping[str, str]) -> None:
        """Keep answers, all or none of them; an existing answer is replaced."""
        if not answers or not self._writes:
            return
        raw = [(key, answer.encode("utf-8", "surrogatepass")) for key, answer in answers.items()]
        rows = [(kind, key, value, _digest(kind, key, value)) for key, value in raw]
        try:
            with self._transaction("BEGIN IMMEDIATE") as database:
                database.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", rows)
        except _FAILURES as error:
            self._writes = False  # each further try might wait for the same lock in vain
            self._warn("written", error)

    def known(self, kind: str, version: str, texts: Iterable[str]) -> dict[str, str]:
        """Return, by text, the answers of one version that the cache has."""
        keys = {answer_key(kind, version, text): text for text in texts}
        return {keys[key]: answer for key, answer in self.get(kind, list(keys)).items()}

    def keep(self, kind: str, version: str, answers: Mapping[str, str]) -> None:
        """Keep the answers of one version by text; see `put`."""
        self.put(kind, {answer_key(kind, version, text): answer for text, answer in answers.items()})

    def info(self) -> CacheInfo:
        """Return what the cache holds, or why it cannot be used."""
        if not os.path.lexists(self.path):
            return CacheInfo(self.path, 0)
        try:
            with self._transaction("BEGIN") as database:
                counts = "SELECT kind, count(*) FROM answers GROUP BY kind ORDER BY kind"
                return CacheInfo(self.path, self._bytes(), dict(database.execute(counts)))
        except _FAILURES as error:
            return CacheInfo(self.path, self._bytes(), problem=_reason(error))

    def clear(self, kind: str | None = None) -> int:
        """Remove all answers, or those of one kind; returns how many there were.

        A damaged file is removed completely. Unlike the rest of the cache, this raises an error if it fails.
        """
        if not os.path.lexists(self.path):
            return 0
        try:
            with self._transaction("BEGIN IMMEDIATE") as database:
                unwanted = "DELETE FROM answers WHERE ?1 IS NULL OR kind = ?1"
                removed = database.execute(unwanted, (kind,)).rowcount
                database.execute("COMMIT")
                with suppress(sqlite3.OperationalError):
                    # Gives the space back; readers in other processes can prevent it, which does no harm.
                    database.execute("VACUUM")
            return removed
        except _ForeignFileError as error:
            if not error.removable:
                raise UsageError(f"{self.path}: {error}, so nothing was removed") from None
        except _DAMAGED as error:
            if (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _NOT_DAMAGED:
                raise UsageError(f"{self.path}: cannot be cleared: {_reason(error)}") from error
            if not self._looks_ours():
                raise UsageError(
                    f"{self.path}: is not an esascore cache, so nothing was removed: remove the file "
                    f"yourself if it is a damaged one, or set ESASCORE_CACHE to another file"
                ) from error
        self._remove()
        return 0

    def _warn(self, undone: str, error: BaseException) -> None:
        if self._warned:
            return
        self._warned = True
        warnings.warn(
            f"the cache {self.path} cannot be {undone}: {_reason(error)}; results are the same without it, "
            f"only slower (esascore doctor cache --clear empties it, ESASCORE_CACHE names another file)",
            CacheWarning,
            stacklevel=3,
        )

    def _bytes(self) -> int:
        total = 0
        for companion in ("", "-wal", "-journal"):  # the third, -shm, is memory that processes share
            with suppress(OSError):
                total += os.stat(f"{self.path}{companion}").st_size  # noqa: PTH116 (a suffix, not a path)
        return total

    def _remove(self) -> None:
        try:
            for companion in _COMPANIONS:
                Path(f"{self.path}{companion}").unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be removed: {error.strerror}") from error
        self._reads = self._writes = True
        self._warned = False

    def _looks_ours(self) -> bool:
        """Return whether a damaged file may be removed: a mistyped ESASCORE_CACHE costs nobody a document."""
        if self.path.suffix in _OWN_SUFFIXES:
            return True
        with suppress(OSError), self.path.open("rb") as file:
            return file.read(72)[68:] == _APPLICATION.to_bytes(4, "big")
        return False

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        """Open the file for one transaction: an open connection must not be passed to another process."""
        path = self.path
        if not path.exists():
            _make_private(path)
        # Even to read a file in WAL mode, SQLite writes next to it unless told that nobody else does.
        frozen = path.exists() and not os.access(path.parent, os.W_OK)
        address = path.absolute().as_uri() + ("?mode=ro&immutable=1" if frozen else "?mode=rwc")
        connect = partial(sqlite3.connect, uri=True, timeout=self._timeout, isolation_level=None)
        with closing(connect(address)) as database:
            database.execute("PRAGMA synchronous = NORMAL")
            _prepare(database)
            database.execute(begin)
            yield database
            if database.in_transaction:
                database.execute("COMMIT")


def _make_private(path: Path) -> None:
    """Make an empty file that only its owner can read, and the folders that it needs.

    Answers reveal what is in the texts. Existing files keep their permissions: a group may share them.
    """
    for folder in reversed(path.parents):
        if not folder.exists():
            folder.mkdir(exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _prepare(database: sqlite3.Connection) -> None:
    if _recognised(database):
        return
    with suppress(sqlite3.OperationalError):  # another process is doing it; the usual journal will do, too
        database.execute("PRAGMA journal_mode = WAL")
    database.execute("BEGIN IMMEDIATE")
    if not _recognised(database):  # otherwise another process was faster
        database.execute(
            "CREATE TABLE answers (kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, "
            "checksum BLOB NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID"
        )
        database.execute(f"PRAGMA application_id = {_APPLICATION}")
        database.execute(f"PRAGMA user_version = {_SCHEMA}")
    database.execute("COMMIT")


def _recognised(database: sqlite3.Connection) -> bool:
    """Return whether the file is a cache; False if it is empty."""
    # Tables first: another process commits them with the identity of the file, which is then there, too.
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (schema,) = database.execute("PRAGMA user_version").fetchone()
    if application == _APPLICATION:
        if schema != _SCHEMA:
            raise _ForeignFileError("it was written by another version of esascore", removable=True)
        return True
    if tables or application:
        raise _ForeignFileError("it is the database of another program", removable=False)
    return False


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)
