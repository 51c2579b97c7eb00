"""Judges codes: letters with figures, versions and long numbers are compared as a whole."""

from __future__ import annotations

import re
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
    r"\d+(?:[.,]\d+)?(?:,\d+)*(?:st|nd|rd|th|s)?|\d+(?:\.\d+)?-[a-z-]+|[a-z-]+-\d+s?"
    r"|\d+(?:[.,]\d+)*[-–]\d+(?:[.,]\d+)*|\d+(?:\.\d+)?[ap]m"
)
_DASHED = re.compile(r"[A-Z]{1,5}-\d{3,}")
_UNIT = re.compile(r"\d+(?:[.,]\d+)*-?([^\W\d_]+)")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_NOT_ALNUM = re.compile(r"[\W_]")
_NUMBERED = re.compile(r"([^\W\d_]{3,}) ((?:IX|IV|V?I{1,3}|VI{0,3}|X{1,3}(?:IX|IV|V?I{0,3})))(?![\w-])")
_LEAST_DIGITS = 7
_LEAST_NAME = 4
_LONGEST = 80
_LEAST_MOMENT = 5


@dataclass(frozen=True)
class Codes:
    """The codes of an input."""

    record: Record

    @lazy
    def joined(self) -> str:
        """The letters and figures of its values and spots."""
        cells = self.record.cells
        return "\n".join(["", *map(_key, {cell.value for cell in cells} | {cell.spot for cell in cells}), ""])

    @lazy
    def shapes(self) -> frozenset[str]:
        """The shapes of its codes."""
        values = {cell.value for cell in self.record.cells if len(cell.value) < _LONGEST}
        codes = (word.strip(".,;:()\"'") for value in values for word in value.split())
        return frozenset(_shape(word) for word in codes if _is_code(word) or _DASHED.fullmatch(word))

    @lazy
    def numbered(self) -> Mapping[str, tuple[str, Cell] | None]:
        """The words of values that one Roman numeral follows, each with the numeral."""
        found: dict[str, tuple[str, Cell] | None] = {}
        for cell in self.record.cells:
            for own in () if cell.type == "number" else _NUMBERED.finditer(cell.value):
                known = found.setdefault(own[1], (own[2], cell))
                if known is not None and known[0] != own[2]:
                    found[own[1]] = None
        return found


def judge_numbered(codes: Codes, reading: Reading) -> Iterator[Finding]:
    """Yield the Roman numerals after a word that has another one in the input: "Rocky III"."""
    for own in _NUMBERED.finditer(reading.text) if codes.numbered else ():
        right = codes.numbered.get(own[1])
        if right is not None and right[0] != own[2]:
            yield contradicted_by(right[1], *own.span(2), "name", "code")


def judge_codes(codes: Codes, reading: Reading) -> Iterator[Finding]:
    """Yield the codes of a text that the input does not have; if it has none itself, only long ones."""
    busy = Spans((start, end) for start, end in reading.moments if end - start >= _LEAST_MOMENT)
    for own in _CODE.finditer(reading.text):
        said = own[0]
        long = " " in said and sum(map(str.isdigit, said)) >= _LEAST_DIGITS
        if not (long or _is_code(said) or (_DASHED.fullmatch(said) and _shape(said) in codes.shapes)):
            continue
        if busy.overlap(*own.span()) or _is_known(said, codes) or _is_measure(said):
            continue
        if codes.shapes or _is_named(said):
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


def _is_known(said: str, codes: Codes) -> bool:
    """Return whether the input has a code, the end of a long number, or what a letter calls: T5."""
    key = _key(said)
    if key in codes.joined:
        return True
    if not key.isdigit():
        return f"\n{key[1:]}\n" in codes.joined
    if " " in said and key[-_LEAST_DIGITS:] in codes.joined:
        return True
    return len(key) < _LEAST_DIGITS and _shape(said) not in codes.shapes  # 4.6/5, where none looks like it


def _is_measure(text: str) -> bool:
    own = _UNIT.fullmatch(text)
    return own is not None and (unit_named(own[1]) is not None or len(own[1]) == 1)


def _key(text: str) -> str:
    return _NOT_ALNUM.sub("", text).upper()


def _shape(text: str) -> str:
    return "".join("0" if c.isdigit() else "A" if c.isalpha() else c for c in text)
