"""Judges what stands after the whole name of an attribute: "Version: 2.9.0", "the final score is 2-0".

What is written there is compared with the value of the input if both are written alike: the same order of
letters, figures and signs, two weekdays, two months, two codes of one kind. Words may be other words for the
same, and are left alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress

from esascore.claims.cells import UNKNOWN, Cell, Record
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.reading import Reading, Span
from esascore.data import last_key, truth_of
from esascore.lexicon.codes import names_of_code
from esascore.literals.keys import GENERIC
from esascore.model import Entity
from esascore.text.vocabulary import WEEKDAYS, month_numbers
from esascore.text.words import Phrase, name_words, spaced

_LINK = re.compile(r"\s*(?:[:=–]|(?<=\s)(?:is|are|was|were|of)(?=\s))?\s*(?=\S)")
_END = re.compile(r"[\n;|(]|[,.](?=\s|$)|\s[–—]\s|$")
_WHOLE = re.compile(r"[+-]?\d+(?:,\d{3})*(?:\.\d+)?")
_RUNS = re.compile(r"(?P<figures>\d+(?:,\d{3})*)|(?P<letters>[^\W\d_]+)|(?P<signs>[#+*-]+(?=\s|$))")
_ROMAN = re.compile(r"(.*\s)?[IVXLC]+")
_LONGEST = 40
_LONGEST_CODE = 3


@dataclass(frozen=True)
class Labels:
    """The cells of an input by the words of their attributes, as far as only one cell has them."""

    cells: Mapping[Phrase, Cell]

    @classmethod
    def of(cls, record: Record) -> Labels:
        """Read a record."""
        found: dict[Phrase, list[Cell]] = defaultdict(list)
        for cell in record.cells:
            words = _words(cell.path)
            if not GENERIC.issuperset(words):  # whose average?
                found[words].append(cell)
        return cls({words: some[0] for words, some in found.items() if words and len(some) == 1})

    @cached_property
    def by_word(self) -> Mapping[str, list[Phrase]]:
        """The names of attributes by their first words."""
        found: dict[str, list[Phrase]] = defaultdict(list)
        for label in self.cells:
            found[label[0]].append(label)
        return found


@lru_cache(maxsize=1 << 12)
def _words(path: str) -> Phrase:
    return name_words(spaced(last_key(path)))


def judge_labels(labels: Labels, reading: Reading) -> tuple[list[Finding], list[Span]]:
    """Return what stands after the name of an attribute and is not its value, and where it is.

    Examples
    --------
    >>> from esascore.claims.cells import record_of
    >>> from esascore.model import Graph
    >>> from esascore.text.document import read
    >>> data = {"version": "3.11.7", "final_score": "3-1", "pets_allowed": False}
    >>> reading = Reading(read("Version: 2.9.0. The final score is 3-1. Pets allowed: no."))
    >>> wrong, right = judge_labels(Labels.of(record_of(Graph.from_data(data))), reading)
    >>> [(reading.text[one.start:one.end], one.reason) for one in wrong]
    [('2.9.0', 'the input says version = 3.11.7')]
    >>> [reading.text[slice(*span)] for span in right]
    ['final score is 3-1', 'Pets allowed: no']
    """
    wrong: list[Finding] = []
    right: list[Span] = []
    for cell, first, start, linked in _labelled(labels, reading):
        end = start + len(cell.value)
        exact = bool(cell.value) and reading.text[start:end] == cell.value
        if exact and not reading.text[end : end + 1].isalnum():
            right.append((first, end))
            continue
        cut = _END.search(reading.text, start)
        said = reading.text[start : cut.start() if cut else len(reading.text)].rstrip()
        place = start, start + len(said)
        if cell.type == "boolean" and (truth := truth_of(said)) is not None:
            if truth == truth_of(cell.value):
                right.append((first, place[1]))
            else:
                wrong.append(contradicted_by(cell, first, place[1], "value", "labelled"))
        elif not linked and _WHOLE.fullmatch(said):
            continue  # its own judge knows more about a number
        elif _is_another(said, cell):
            type_ = "number" if any(map(str.isdigit, said)) else "value"
            wrong.append(contradicted_by(cell, *place, type_, "labelled"))
        elif cell.type == "null" and said and UNKNOWN.fullmatch(said):
            right.append((first, place[1]))
    return wrong, right


def _labelled(labels: Labels, reading: Reading) -> Iterator[tuple[Cell, int, int, bool]]:
    """Yield the cells whose names a text has: where the name begins, what follows it, and if it is linked."""
    words, text = reading.document.words, reading.text
    for at in compress(range(len(words.texts)), map(labels.by_word.__contains__, words.texts)):
        for label in labels.by_word[words.texts[at]]:
            after = at + len(label)
            if words.texts[at:after] != label:
                continue
            link = _LINK.match(text, words.ends[after - 1])
            first = words.starts[at]
            if link is not None and reading.sentence_at(link.end()) == reading.sentence_at(first):
                yield labels.cells[label], first, link.end(), link[0].strip(" ") != ""


def _is_another(said: str, cell: Cell) -> bool:
    """Return whether something is written like the value of a cell, and is another."""
    own = cell.value
    if not said or len(said) > _LONGEST or cell.type in ("boolean", "null", "date", "time"):
        return False
    if said.casefold() == own.casefold():
        return False
    if any(_is_calendar(said, own, known) for known in (frozenset(WEEKDAYS), frozenset(month_numbers()))):
        return True
    if _is_code(said, cell.attribute) and _is_code(own, cell.attribute):
        return True
    if _ROMAN.fullmatch(said) and _ROMAN.fullmatch(own):
        return said.rpartition(" ")[0] == own.rpartition(" ")[0]
    if not _shape(own) or _shape(said) != _shape(own):
        return False
    if _WHOLE.fullmatch(own) and _WHOLE.fullmatch(said):
        decimals = len(said.partition(".")[2])
        return round(_number(own), decimals) != _number(said)
    return True


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def _is_calendar(said: str, own: str, known: frozenset[str]) -> bool:
    a, b = said.casefold(), own.casefold()
    return a in known and b in known and a[:3] != b[:3]


@lru_cache(maxsize=1 << 12)
def _is_code(text: str, attribute: str) -> bool:
    """Return whether something is a code under an attribute: of a country, a language, a currency."""
    short = len(text) <= _LONGEST_CODE and text.isalpha()
    return short and bool(names_of_code(Entity(text, (), (attribute,), "name")))


@lru_cache(maxsize=1 << 12)
def _shape(text: str) -> str:
    """Return how something is written: runs of figures and letters, and the signs between them.

    Words have no shape: other words may say the same.

    Examples
    --------
    >>> [_shape(text) for text in ("3.11.7", "XPS-9320", "A+", "C#", "1920s", "dark green", "Oslo")]
    ['9.9.9', 'A-9', 'A#', 'A#', '9a', '', '']
    """
    if "@" in text or "://" in text:
        return "address" if " " not in text else ""
    runs = _RUNS.sub(_run, text)
    return runs if any(c in runs for c in "9#") else ""


def _run(match: re.Match[str]) -> str:
    if match["figures"]:
        return "9"
    if match["signs"]:
        return "#"
    return match[0] if len(match[0]) > _LONGEST_CODE else "A" if match[0].isupper() else "a"
