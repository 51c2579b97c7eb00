"""Omissions and additions that a person has accepted, in a file of JSON lines.

An entry is an object with ``kind`` (``missing`` or ``added``), ``entity`` or ``span``, and as many of these
as it should depend on: ``id``, ``text`` (the hash of the text), ``attribute`` of the entity, ``class`` of the
span. An absent field matches anything, so an entry without ``id`` and ``text`` applies to every text. The
``note`` is for people. No entry depends on the system, or on the order of texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from esascore.claims.hallucinations import Hallucination
from esascore.data import Value
from esascore.errors import did_you_mean
from esascore.readers.jsonl import iter_objects
from esascore.readers.located import Place
from esascore.reports.jsontext import to_json

_DIGITS = 16
_WHAT = {"missing": "entity", "added": "span"}
_DETAIL = {"missing": "attribute", "added": "class"}


@dataclass(frozen=True, slots=True)
class Entry:
    """What was accepted: ``what`` is an entity or span, ``detail`` its attribute or class; None means any."""

    kind: Literal["missing", "added"]
    what: str
    id: str | None = None
    text: str | None = None
    detail: str | None = None
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the object for the file, without absent fields."""
        named = {
            "id": self.id,
            "text": self.text,
            "kind": self.kind,
            _WHAT[self.kind]: self.what,
            _DETAIL[self.kind]: self.detail,
            "note": self.note or None,
        }
        return {name: value for name, value in named.items() if value is not None}

    def covers(self, other: Entry) -> bool:
        """Return whether this entry accepts what was found.

        Examples
        --------
        >>> Entry("added", "Peru").covers(Entry("added", "Peru", "Id1", "0f", "addition"))
        True
        >>> Entry("added", "Peru", "Id2").covers(Entry("added", "Peru", "Id1", "0f", "addition"))
        False
        """
        pairs = ((self.id, other.id), (self.text, other.text), (self.detail, other.detail))
        return (self.kind, self.what) == (other.kind, other.what) and all(
            own is None or own == found for own, found in pairs
        )


class Accepted:
    """The entries of some files; they remember which of them matched something."""

    def __init__(self, entries: Iterable[Entry] = ()):
        self._entries: dict[tuple[str, str], list[Entry]] = {}
        self._used: dict[Entry, bool] = {}
        for entry in entries:
            self._entries.setdefault((entry.kind, entry.what), []).append(entry)
            self._used[entry] = False

    def covers(self, found: Entry) -> bool:
        """Return whether a person has accepted what was found."""
        fitting = [one for one in self._entries.get((found.kind, found.what), ()) if one.covers(found)]
        self._used.update(dict.fromkeys(fitting, True))
        return bool(fitting)

    @property
    def unused(self) -> list[Entry]:
        """Entries that matched nothing: the text has changed, or is better now."""
        return [entry for entry, used in self._used.items() if not used]


def missing_entry(id_: str, text: str, term: str) -> Entry:
    """The entry that accepts a missing entity."""
    attribute = term.attribute if isinstance(term, Value) else None
    return Entry("missing", str(term), id_, digest(text), attribute)


def added_entry(id_: str, text: str, span: Hallucination) -> Entry:
    """The entry that accepts a span that nothing explains."""
    return Entry("added", span.text, id_, digest(text), span.kind)


def digest(text: str) -> str:
    """Return a short hash of a text: an entry applies only as long as the text is the same.

    Examples
    --------
    >>> digest("Bionico is a dish.")
    '13e71c4b49966549'
    """
    return sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def read_accepted(paths: Iterable[str | PathLike[str]]) -> list[Entry]:
    """Read entries, in the order of files and lines.

    Raises
    ------
    DataError
        A line is not as described; an unknown field is an error, since an absent one would match anything.
    """
    form = 'in {"kind": "added", "span": "Peru", "id": "Id1"}'
    return [_entry(fields, place) for path in paths for place, fields in iter_objects(Path(path), form)]


def accepted_lines(entries: Sequence[Entry]) -> Iterator[str]:
    """The lines of the file, each entry once."""
    return (to_json(entry.as_dict()) + "\n" for entry in dict.fromkeys(entries))


def _entry(fields: dict[str, Any], place: Place) -> Entry:
    kind = fields.get("kind")
    if kind not in _WHAT:
        place.fail(f"kind must be missing or added, found {kind!r}")
    known = ("id", "text", "kind", _WHAT[kind], _DETAIL[kind], "note")
    for name, value in fields.items():
        if name not in known:
            place.fail(f"an entry of the kind {kind} has no field {name!r}{did_you_mean(name, known)}")
        if not isinstance(value, str):
            place.fail(f"{name} must be a string, found {to_json(value)}")
    if not fields.get(_WHAT[kind]):
        place.fail(f"{_WHAT[kind]} is missing: an entry says what was accepted (--write-accept writes some)")
    given = {name: fields.get(name) for name in ("id", "text")}
    detail = fields.get(_DETAIL[kind])
    return Entry(kind, fields[_WHAT[kind]], **given, detail=detail, note=fields.get("note", ""))
