"""Judges codes: what letters and figures, versions and long numbers stand for compares as a whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from esascore.claims.cells import Cell, Record
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.reading import Reading, Spans
from esascore.lazy import lazy
from esascore.literals.units import unit_named

_CODE = re.compile(
    r"(?<![\w€$£.,/–-])(?=[^\s\d]*\d)[^\W_]+(?:[/.–-][^\W_]+)*\+*(?![\w/])"
    r"|(?<![\w.,$€£])\+?\(?\d[\d ()/-]{5,}\d(?!\w)"
)
_PLAIN = re.compile(
    r"\d+(?:[.,]\d+)?(?:,\d+)*(?:st|nd|rd|th|s)?|\d+(?:\.\d+)?-[a-z-]+|[a-z-]+-\d+"
    r"|\d+(?:[.,]\d+)*[-–]\d+(?:[.,]\d+)*"
)
_DASHED = re.compile(r"[A-Z]{1,5}-\d{3,}")
_UNIT = re.compile(r"\d+(?:[.,]\d+)*-?([^\W\d_]+)")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_NOT_ALNUM = re.compile(r"[\W_]")
_LEAST_DIGITS = 7
_LEAST_NAME = 4
_LONGEST = 80
_LEAST_MOMENT = 5


_ROMAN = r"(?:IX|IV|V?I{1,3}|VI{0,3}|X{1,3}(?:IX|IV|V?I{0,3}))"
_NUMBERED = re.compile(rf"([^\W\d_]{{3,}}) ({_ROMAN})(?![\w-])")
_GRADE = r"[A-Z][+-]{0,2}"
_SLOT = re.compile(rf"(?:{_GRADE}|(?=\w*\d)(?=\w*[^\W\d_])\w+)(?![\w+-])")
_TO_SLOT = r"\W{0,2}\s?(?:is |of |an? |: ?)?"


@dataclass(frozen=True, slots=True)
class Slot:
    """An attribute whose value is a grade or a code: what stands right after its name must be that."""

    cell: Cell
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class Codes:
    """The codes of an input."""

    record: Record

    @lazy
    def joined(self) -> str:
        """The letters and figures of its values and spots."""
        cells = self.record.cells
        return "\n".join(map(_key, {cell.value for cell in cells} | {cell.spot for cell in cells}))

    @lazy
    def shapes(self) -> frozenset[str]:
        """The shapes of its codes."""
        values = {cell.value for cell in self.record.cells if len(cell.value) < _LONGEST}
        codes = (word.strip(".,;:()\"'") for value in values for word in value.split())
        return frozenset(_shape(word) for word in codes if _is_code(word) or _DASHED.fullmatch(word))

    @lazy
    def slots(self) -> tuple[Slot, ...]:
        """The attributes after whose names a grade or a code stands."""
        return tuple(_slots(self.record))

    @lazy
    def numbered(self) -> Mapping[str, tuple[str, Cell]]:
        """The words that a Roman number follows."""
        return _numbered(self.record)


def _slots(record: Record) -> Iterator[Slot]:
    """Yield the attributes of which only one cell has a value that is a grade or a code."""
    cells = [
        cell
        for cell in record.cells
        if cell.type != "boolean" and not cell.value.isdecimal() and _SLOT.fullmatch(cell.value)
    ]
    if not cells:
        return
    number = Counter(cell.key.words for cell in record.cells)
    for cell in cells:
        if number[cell.key.words] == 1 and cell.key.stems:
            words = r"[\s_-]".join(map(re.escape, cell.key.words))
            yield Slot(cell, re.compile(rf"(?<!\w){words}{_TO_SLOT}", re.IGNORECASE))


def _numbered(record: Record) -> dict[str, tuple[str, Cell]]:
    """Return the words of values that a Roman number follows, with the number; none that has several."""
    found: dict[str, tuple[str, Cell]] = {}
    several: set[str] = set()
    for cell in record.cells:
        for own in () if cell.type == "number" else _NUMBERED.finditer(cell.value):
            if found.setdefault(own[1], (own[2], cell))[0] != own[2]:
                several.add(own[1])
    return {word: own for word, own in found.items() if word not in several}


def judge_slots(codes: Codes, reading: Reading) -> Iterator[Finding]:
    """Yield grades and codes after the name of an attribute that has another, and other Roman numbers."""
    for slot in codes.slots:
        for own in slot.pattern.finditer(reading.text):
            said = _SLOT.match(reading.text, own.end())
            if said is None or said[0].upper() == slot.cell.value.upper():
                continue
            if bool(re.fullmatch(_GRADE, said[0])) == bool(re.fullmatch(_GRADE, slot.cell.value)):
                yield contradicted_by(slot.cell, *said.span(), "value", "code")
    for own in _NUMBERED.finditer(reading.text) if codes.numbered else ():
        right = codes.numbered.get(own[1])
        if right is not None and right[0] != own[2]:
            yield contradicted_by(right[1], *own.span(2), "name", "code")


def judge_codes(codes: Codes, reading: Reading) -> Iterator[Finding]:
    """Yield the codes of a text that the input does not have; where it has none itself, only long ones."""
    busy = Spans((start, end) for start, end in reading.moments if end - start >= _LEAST_MOMENT)
    for own in _CODE.finditer(reading.text):
        said = own[0].rstrip("+") if own[0].count("+") > 2 else own[0]
        digits = sum(map(str.isdigit, said))
        long = " " in said and digits >= _LEAST_DIGITS
        alike = _DASHED.fullmatch(said) is not None and _shape(said) in codes.shapes
        if not (long or alike or _is_code(said)) or busy.overlap(*own.span()):
            continue
        key = _key(said)
        if _is_known(key, said, codes) or _is_measure(said) or not (codes.shapes or _is_named(said)):
            continue
        if long and key[-_LEAST_DIGITS:] in codes.joined:
            continue
        yield Finding(*own.span(), "name", "code", "baseless", reason=f"the input has no {said}")


def _is_code(text: str) -> bool:
    """Return whether letters and figures, or figures with a slash or two points, are one thing.

    Examples
    --------
    >>> [_is_code(text) for text in ("KL1041", "18R/36L", "5.0.0", "38-hour", "21st", "1,850", "2019")]
    [True, True, True, False, False, False, False]
    """
    if not any(map(str.isdigit, text)) or len(text) < 2 or _PLAIN.fullmatch(text.lower()):
        return False
    if any(map(str.isalpha, text)) or "/" in text or text.count(".") > 1:
        return True
    return text.count("-") > 1 and sum(map(str.isdigit, text)) > _LEAST_DIGITS and not _ISO_DATE.match(text)


def _is_named(said: str) -> bool:
    """Return whether a code is long enough for a name of its own: "3Arena", not "5G" or "under-18s"."""
    return any(map(str.isupper, said)) and len(_key(said)) > _LEAST_NAME


def _is_known(key: str, said: str, codes: Codes) -> bool:
    """Return whether the input has a code, or a value that a letter before it calls: T5 is terminal 5."""
    if key in codes.joined or key.removeprefix("V") in codes.joined:
        return True
    if key.isdigit() and len(key) < _LEAST_DIGITS:
        return _shape(said) not in codes.shapes  # 4.6/5 is no code where none looks like it
    return key[:1].isalpha() and f"\n{key[1:]}\n" in f"\n{codes.joined}\n"


def _is_measure(text: str) -> bool:
    own = _UNIT.fullmatch(text)
    return own is not None and (unit_named(own[1]) is not None or len(own[1]) == 1)


def _key(text: str) -> str:
    return _NOT_ALNUM.sub("", text).upper()


def _shape(text: str) -> str:
    return "".join("0" if c.isdigit() else "A" if c.isalpha() else c for c in text)
