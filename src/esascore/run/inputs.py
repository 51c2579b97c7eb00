"""From the arguments of a command to files: paths, folders, patterns and URLs of JSON lines and Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from esascore.errors import DataError, UsageError
from esascore.readers.tree import natural_key
from esascore.run.storage import absolute, arrow, is_url, located

SUFFIXES = (".jsonl", ".ndjson", ".parquet", ".pq")
"""Files that are read of a folder."""

_WILD = re.compile(r"[*?\[]")


def find_files(arguments: Iterable[str], *, leave_out: str = "") -> dict[str, int]:
    """Return the files that arguments name, in order, each with its size.

    Parameters
    ----------
    arguments
        Files, folders (all files below that are named like JSON lines or Parquet), patterns with ``*``, or
        URLs of any of them.
    leave_out
        A folder of results, which may be below one of inputs.

    Raises
    ------
    DataError
        There is no such file, or nothing in a folder.
    UsageError
        A file is named twice.
    """
    found: dict[str, int] = {}
    beside = f"{absolute(leave_out).rstrip('/')}/" if leave_out else "\0"
    for argument in arguments:
        all_ = _listed(argument)
        # A file that is named is an input, wherever it is.
        listed = [one for one in all_ if not one[0].startswith(beside) or one[0] == absolute(argument)]
        if not listed:
            where = "here but in the folder of --out, which is left out" if all_ else "here"
            told = f"there is no file of rows {where}: {', '.join(SUFFIXES)} are read"
            raise DataError(told, file=argument)
        for path, info in listed:
            if path in found:
                raise UsageError(f"{path} is given twice: its rows would count twice")
            found[path] = info.size
    return found


def _listed(argument: str) -> list[tuple[str, Any]]:
    """Return the files of an argument, and what is known of each."""
    if argument == "-":
        raise UsageError("with --out nothing is read from standard input: give files, folders or URLs")
    fs = arrow("pyarrow.fs")
    system, own = located(argument)
    try:
        info = system.get_file_info(own)
    except OSError as error:
        raise DataError(f"this cannot be read: {error}", file=argument) from None
    if info.is_file:
        return [(absolute(argument), info)]
    base, pattern = own, ""
    if info.type == fs.FileType.NotFound:
        if (wild := _WILD.search(own)) is None:
            named = "with --out systems are named by the field system of their rows, not by NAME="
            remedy = named if "=" in argument else "check the path"
            raise DataError(f"there is no such file or folder: {remedy}", file=argument)
        base, pattern = own[: wild.start()].rpartition("/")[0] or "/", own
    try:
        infos = system.get_file_info(fs.FileSelector(base, recursive=True, allow_not_found=True))
    except OSError as error:
        raise DataError(f"the folder cannot be read: {error}", file=argument) from None
    files = [(one.path, one) for one in infos if one.is_file and _fits(one.path, base, pattern)]
    files.sort(key=lambda pair: natural_key(Path(pair[0])))
    # What a file system calls a file has no scheme, and may have no leading slash.
    scheme = argument[: len(argument) - len(own)] if is_url(argument) and argument.endswith(own) else ""
    if is_url(argument) and not scheme:
        scheme = f"{argument.partition('://')[0]}://"
    return [(f"{scheme}{path}", one) for path, one in files]


def _fits(path: str, base: str, pattern: str) -> bool:
    if pattern:
        return fnmatchcase(path, pattern) and path.count("/") >= pattern.count("/")
    below = PurePosixPath(path[len(base) :].lstrip("/"))
    hidden = any(part.startswith((".", "_")) for part in below.parts)
    return not hidden and path.lower().endswith(SUFFIXES)
