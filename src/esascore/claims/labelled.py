"""Judges what stands after the whole name of an attribute: "Version: 2.9.0", "the final score is 2-0".

It is compared with the value of the input if both have the same form: the same order of letters, figures and
signs, two weekdays, two months, two codes or grades. Other words are not judged, since they may mean the
same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
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
_GRADE = re.compile(r"[A-Z][+-]{0,2}(?![\w+-])")
_WORD_OF_BOTH = re.compile(r"(?=\w*\d)(?=\w*[^\W\d_])\w+(?![\w+-])")
_LONGEST = 40
_LONGEST_CODE = 3


Labels = Mapping[str, list[tuple[Phrase, Cell]]]
"""The cells of an input by the words of their attributes, and these by their first words."""


def labels_of(record: Record) -> Labels:
    """Return the cells whose attributes have words that those of no other cell are."""
    found: dict[Phrase, list[Cell]] = defaultdict(list)
    for cell in record.cells:
        found[_words(cell.path)].append(cell)
    labels: dict[str, list[tuple[Phrase, Cell]]] = defaultdict(list)
    for words, cells in found.items():
        if len(cells) == 1 and not GENERIC.issuperset(words):  # whose average?
            labels[words[0]].append((words, cells[0]))
    return labels


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
    >>> wrong, right = judge_labels(labels_of(record_of(Graph.from_data(data))), reading)
    >>> [(reading.text[one.start:one.end], one.reason) for one in wrong]
    [('2.9.0', 'the input says version = 3.11.7')]
    >>> [reading.text[slice(*span)] for span in right]
    ['final score is 3-1', 'Pets allowed: no']
    """
    wrong: list[Finding] = []
    right: list[Span] = []
    for cell, first, start, linked in _labelled(labels, reading):
        said = _said(reading.text, start, cell.value)
        end = start + len(said)
        truth = truth_of(said) if cell.type == "boolean" else None
        if said and (said == cell.value or (cell.type == "null" and UNKNOWN.fullmatch(said))):
            right.append((first, end))
        elif truth is not None:
            if truth == truth_of(cell.value):
                right.append((first, end))
            else:
                wrong.append(contradicted_by(cell, first, end, "value", "labelled"))
        # The judge of numbers knows more about one that nothing links to the name.
        elif (linked or not _WHOLE.fullmatch(said)) and _is_another(said, cell):
            type_ = "number" if any(map(str.isdigit, said)) else "value"
            wrong.append(contradicted_by(cell, start, end, type_, "labelled"))
    return wrong, right


def _labelled(labels: Labels, reading: Reading) -> Iterator[tuple[Cell, int, int, bool]]:
    """Yield the cells whose names a text has: where the name begins, what follows it, and if it is linked."""
    words, text = reading.document.words, reading.text
    for at in compress(range(len(words.texts)), map(labels.__contains__, words.texts)):
        for label, cell in labels[words.texts[at]]:
            after = at + len(label)
            if words.texts[at:after] != label:
                continue
            link = _LINK.match(text, words.ends[after - 1])
            first = words.starts[at]
            if link is not None and reading.sentence_at(link.end()) == reading.sentence_at(first):
                yield cell, first, link.end(), link[0].strip(" ") != ""


def _said(text: str, start: int, own: str) -> str:
    """Return what a text says from a place on: the value, one such code or grade, or what a stop ends."""
    if text.startswith(own, start) and not text[start + len(own) : start + len(own) + 1].isalnum():
        return own
    for pattern in (_GRADE, _WORD_OF_BOTH):
        if pattern.fullmatch(own):
            found = pattern.match(text, start)
            return found[0] if found else ""
    cut = _END.search(text, start)
    return text[start : cut.start() if cut else len(text)].rstrip()


def _is_another(said: str, cell: Cell) -> bool:
    """Return whether something has the form of a cell's value, but is a different value."""
    own = cell.value
    if not said or len(said) > _LONGEST or cell.type in ("boolean", "null", "date", "time"):
        return False
    if said.casefold() == own.casefold():
        return False
    both = {said.casefold(), own.casefold()}
    is_calendar = both.issubset(WEEKDAYS) or both <= month_numbers().keys()
    if is_calendar and len({word[:3] for word in both}) == 2:
        return True
    if _is_code(said, cell.attribute) and _is_code(own, cell.attribute):
        return True
    if _WHOLE.fullmatch(own) and _WHOLE.fullmatch(said):
        meant, stated = (float(text.replace(",", "")) for text in (own, said))
        return round(meant, len(said.partition(".")[2])) != stated
    return bool(_shape(own)) and _shape(said) == _shape(own)


@lru_cache(maxsize=1 << 12)
def _is_code(text: str, attribute: str) -> bool:
    """Return whether something is a grade, or a code under an attribute: of a country, a currency."""
    if _GRADE.fullmatch(text):
        return True
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
