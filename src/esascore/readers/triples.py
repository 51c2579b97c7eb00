"""Triples written as text: ``subject | predicate | object``."""

from __future__ import annotations

from esascore.data import SEPARATOR, Triple
from esascore.model import triple_parts
from esascore.readers.limits import MAX_TRIPLES
from esascore.readers.located import Place

_SHOWN = 60


def parse_triple(text: str, place: Place) -> Triple:
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
    >>> place = Place("corpus.txt", 1)
    >>> parse_triple("Bionico | country | Mexico", place)
    Triple(subject='Bionico', predicate='country', object='Mexico')
    >>> parse_triple('Duo | name | "This | That"', place).object
    '"This | That"'
    """
    parts = triple_parts(text)
    if len(parts) != 3:
        place.fail(
            f"a triple needs three parts, as in 'subject | predicate | object', "
            f"found {len(parts) if text.strip() else 0} in {shown(text)}"
        )
    return make_triple(parts, place)


def make_triple(parts: list[str], place: Place) -> Triple:
    """Make a triple of three strings, none of which may be empty."""
    subject, predicate, object_ = parts[0].strip(), parts[1].strip(), parts[2].strip()
    if not (subject and predicate and object_):
        place.fail(f"a part of the triple {shown(SEPARATOR.join(parts))} is empty")
    return Triple(subject, predicate, object_)


def check_size(count: int, place: Place) -> None:
    """Reject an example with more triples or cells than `limits.MAX_TRIPLES`."""
    if count > MAX_TRIPLES:
        place.fail(f"an example may have at most {MAX_TRIPLES:,} triples or cells")


def shown(text: str) -> str:
    """Quote a text for an error message: on one line, and not too long."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
