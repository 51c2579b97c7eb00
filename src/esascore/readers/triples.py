"""Triples written as text: ``subject | predicate | object``."""

from __future__ import annotations

from pathlib import Path

from esascore.errors import DataError
from esascore.model import Triple
from esascore.readers.limits import MAX_TRIPLES

SEPARATOR = " | "
_SHOWN = 60


def parse_triple(text: str, *, file: Path | None = None, line: int | None = None) -> Triple:
    """Read ``subject | predicate | object``.

    The separator is a bar between spaces; a bar without them belongs to its term. Exactly three parts
    are needed, except that an object in quotes may hold the separator itself. Surrounding white space
    of the parts is dropped, all else is kept as it stands.

    Raises
    ------
    DataError
        There are not three parts, or one is empty.

    Examples
    --------
    >>> parse_triple("Bionico | country | Mexico")
    Triple(subject='Bionico', predicate='country', object='Mexico')
    >>> parse_triple('Duo | name | "This | That"').object
    '"This | That"'
    """
    parts = text.strip().split(SEPARATOR)
    if len(parts) > 3 and parts[2].lstrip().startswith('"'):
        parts = [*parts[:2], SEPARATOR.join(parts[2:])]
    if len(parts) != 3:
        raise DataError(
            f"a triple needs three parts, as in 'subject | predicate | object', "
            f"found {len(parts) if text.strip() else 0} in {shown(text)}",
            file=file,
            line=line,
        )
    return make_triple(parts, file=file, line=line)


def make_triple(parts: list[str], *, file: Path | None = None, line: int | None = None) -> Triple:
    """Make a triple of three strings, none of which may be empty."""
    subject, predicate, object_ = parts[0].strip(), parts[1].strip(), parts[2].strip()
    if not (subject and predicate and object_):
        raise DataError(f"a part of the triple {shown(SEPARATOR.join(parts))} is empty", file=file, line=line)
    return Triple(subject, predicate, object_)


def check_size(count: int, *, file: Path, line: int) -> None:
    """Refuse an example with more triples or cells than `limits.MAX_TRIPLES`."""
    if count > MAX_TRIPLES:
        raise DataError(f"an example may have at most {MAX_TRIPLES:,} triples or cells", file=file, line=line)


def shown(text: str) -> str:
    """Quote a text for an error message: on one line, and not too long."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
