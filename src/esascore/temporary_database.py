"""Tables in a temporary file, for data that do not fit into memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from esascore.errors import EsascoreError


@contextmanager
def temporary_database() -> Iterator[sqlite3.Connection]:
    """Yield an empty database that uses little memory and is deleted at the end.

    Raises
    ------
    EsascoreError
        The disk is full, or there is no folder for temporary files.

    Examples
    --------
    >>> with temporary_database() as database:
    ...     _ = database.execute("CREATE TABLE words (word TEXT)")
    ...     _ = database.executemany("INSERT INTO words VALUES (?)", [("b",), ("a",)])
    ...     list(database.execute("SELECT word FROM words ORDER BY word"))
    [('a',), ('b',)]
    """
    with closing(sqlite3.connect("")) as database:
        try:
            database.execute("PRAGMA journal_mode = OFF")
            yield database
        except sqlite3.Error as error:
            raise EsascoreError(
                f"temporary files cannot be written: {error}; free space, or set SQLITE_TMPDIR"
            ) from error
