"""The files of a directory tree, in an order that people expect and machines agree on."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NoReturn

from esascore.errors import DataError

_DIGITS = re.compile(r"([0-9]+)")


def files_under(directory: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """Find the files below a directory that have one of the suffixes (in any letter case).

    They come in natural order: path by path, part by part, runs of digits compared as numbers
    (``2triples`` before ``10triples``) and the rest by code points. Hidden files and directories are
    skipped, links to directories are not followed.
    """

    def refuse(error: OSError) -> NoReturn:
        raise DataError(f"the directory cannot be read: {error.strerror}", file=directory) from None

    found: list[Path] = []
    for folder, folders, names in os.walk(directory, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        own = [name for name in names if name.lower().endswith(suffixes) and not name.startswith(".")]
        found.extend(Path(folder, name) for name in own)
    return sorted(found, key=lambda path: natural_key(path.relative_to(directory)))


def natural_key(path: Path) -> tuple[object, ...]:
    """Return a sort key under which ``2triples`` comes before ``10triples``.

    Examples
    --------
    >>> names = ["10triples/Food.xml", "2triples/Food.xml", "2triples/City.xml"]
    >>> sorted(names, key=lambda name: natural_key(Path(name)))
    ['2triples/City.xml', '2triples/Food.xml', '10triples/Food.xml']
    """
    parts = [
        # A split with a group alternates between text and digits, so equal places compare alike.
        tuple(int(piece) if place % 2 else piece for place, piece in enumerate(_DIGITS.split(part)))
        for part in path.parts
    ]
    return (parts, path.parts)  # the second decides between "1" and "01"


def corpus_files(path: Path, suffixes: tuple[str, ...]) -> list[tuple[Path, str]]:
    """Return a file, or the files below a directory, each with what its ids begin with.

    That is nothing for a file by itself, and for one in a directory its path there without the suffix.
    """
    if not path.is_dir():
        return [(path, "")]
    files = files_under(path, suffixes)
    if not files:
        raise DataError(f"the directory contains no {', '.join(suffixes)} file", file=path)
    return [(file, file.relative_to(path).with_suffix("").as_posix() + "/") for file in files]
