"""Statements of N-Triples and N-Quads dumps, one per line, and the titles that their addresses hold."""

from __future__ import annotations

import bz2
import gzip
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

from esascore.errors import DataError, unreadable
from esascore.label import label

STATEMENT = re.compile(
    r"<(?P<subject>[^<>\s]*)>\s+<(?P<predicate>[^<>\s]*)>\s+"
    r'(?:<(?P<iri>[^<>\s]*)>|"(?P<text>[^"\\]*(?:\\.[^"\\]*)*)"(?:@(?P<lang>[\w-]+)|\^\^<[^<>\s]*>)?)'
    r"(?:\s+<[^<>\s]*>)?\s*\.\s*(?:#.*)?$"
)
"""One statement: its groups are subject, predicate, and iri or text with lang."""

_Unpacked = BinaryIO | gzip.GzipFile | bz2.BZ2File
_SEPARATORS = re.compile(r"[/#]")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}
# Pages of Wikipedia that are not names of what they lead to.
_NO_NAME = re.compile(
    r"(?i)\(disambiguation\)|^(?:demographics|economy|geography|history|index|lists?|outline|timeline) of\b"
    r"|^(?:category|draft|file|help|module|portal|template|wikipedia):"
)


def is_about_other_pages(title: str) -> bool:
    """Return whether a page lists, explains or divides other pages, so that its title names nothing.

    Examples
    --------
    >>> is_about_other_pages("List of rivers"), is_about_other_pages("Mercury (disambiguation)")
    (True, True)
    """
    if "(" not in title and ":" not in title and " of" not in title.lower():
        return False  # spares most titles the search
    return _NO_NAME.search(title) is not None


def local_name(iri: str) -> str:
    """Return the last part of an address.

    Examples
    --------
    >>> local_name("http://www.w3.org/2000/01/rdf-schema#label")
    'label'
    """
    return _SEPARATORS.split(iri)[-1]


def title_of(iri: str) -> str:
    """Return the title that the address of a resource holds, with spaces.

    Examples
    --------
    >>> title_of("http://dbpedia.org/resource/AC/DC"), title_of("http://www.wikidata.org/entity/Q42")
    ('AC/DC', 'Q42')
    """
    # After /resource/ a slash belongs to the title: AC/DC.
    _, found, title = iri.partition("/resource/")
    title = unescaped(title if found else local_name(iri))
    return label(unquote(title) if "%" in title else title)


def unescaped(text: str) -> str:
    r"""Resolve the escapes of a literal.

    Examples
    --------
    >>> unescaped(r"Caf\u00E9 \"Nord\"")
    'Café "Nord"'
    """
    return _ESCAPE.sub(_resolved, text) if "\\" in text else text


def _resolved(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code is None:
        return _ESCAPED.get(match[3], match[3])
    number = int(code, 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\N{REPLACEMENT CHARACTER}"


@contextmanager
def open_dump(path: Path) -> Iterator[tuple[_Unpacked, BinaryIO]]:
    """Open a dump: decompressed by its suffix, and as it is, whose position shows the progress.

    Raises
    ------
    DataError
        It cannot be read, also later.
    """
    try:
        with path.open("rb") as raw, _decompressed(raw, path.suffix.casefold()) as file:
            yield file, raw
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"the compressed file is broken or truncated: {error}", file=path) from None
    except (OSError, ValueError) as error:  # also broken data of bz2
        raise unreadable(error, path) from None


def _decompressed(file: BinaryIO, suffix: str) -> _Unpacked:
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=file, mode="rb")
    return bz2.BZ2File(file) if suffix == ".bz2" else file
