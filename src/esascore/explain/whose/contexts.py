"""The numbers of a text and their contexts: the words by which a text says what a number is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from esascore.detectors.units import Unit
from esascore.explain.whose.pieces import DASHES, Pieces
from esascore.model import Span
from esascore.text.stem import stem
from esascore.text.vocabulary import function_words

Sort = Literal["plain", "pair", "implied", "ordinal"]

RIGHT, TWO_RIGHT, AROUND, LEFT, TWO_LEFT, AHEAD, PAIR = "r", "rr", "lr", "l", "ll", "b", "pair"
"""How a key begins: by what is after the number, before it, on both sides, or by two words further on."""

_STOPS = frozenset(",.;(")
_ONES = {"a": 1.0, "an": 1.0}
_LINKS = frozenset(("of", "for", *DASHES))
_FAR_RIGHT, _FAR_LEFT, _FAR_AHEAD = 6, 7, 12


@dataclass(frozen=True, slots=True)
class Said:
    """A number in a text, or two that belong together ("3 - 4", "3-of-4").

    ``keys`` are its contexts, each beginning with a word of this module; ``first`` and ``last`` are its
    pieces, ``unit`` what it is measured in. What is ``implied`` has no number word: "a rebound", "a pair of
    steals".
    """

    values: tuple[float, ...]
    spans: tuple[Span, ...]
    first: int
    last: int
    keys: tuple[str, ...]
    sort: Sort = "plain"
    unit: Unit | None = None


def numbers_said(pieces: Pieces) -> Iterator[Said]:
    """Yield the numbers of a text with their contexts, in text order.

    Examples
    --------
    >>> from esascore.explain.whose.ledger import ledger_of
    >>> from esascore.explain.whose.pieces import pieces_of
    >>> from esascore.model import Graph
    >>> from esascore.text.document import Document
    >>> graph = Graph.from_data({"players": [{"name": "Ann Berg", "points": 2}]})
    >>> text = "Berg tallied 12 points on 5 - 9 shooting, and a block."
    >>> ledger = ledger_of(graph)
    >>> [(s.values, s.sort, s.keys[0]) for s in numbers_said(pieces_of(Document(graph, text), ledger))]
    [((12.0,), 'plain', 'r point'), ((5.0, 9.0), 'pair', 'pair - r shoot'), ((1.0,), 'implied', 'r block')]
    """
    index = 0
    while index < len(pieces):
        number = pieces.numbers[index]
        if number is None:
            if (said := _implied(pieces, index)) is not None:
                yield said
            index += 1
            continue
        value, span = float(abs(number.values[0])), (pieces.starts[index], pieces.ends[index])
        second = None if number.ordinal else _second_of_pair(pieces, index)
        if second is not None:
            other = pieces.numbers[second]
            assert other is not None  # it is what makes a pair
            link = _link(pieces, index, second)
            spans = (span, (pieces.starts[second], pieces.ends[second]))
            keys = [f"{PAIR} {link} {key}" for key in _keys(pieces, index, second)]
            both = (value, float(abs(other.values[0])))
            yield Said(both, spans, index, second, (*keys, f"{PAIR} {link}"), "pair")
            index = second + 1
            continue
        own = tuple(_keys(pieces, index, index))
        sort: Sort = "ordinal" if number.ordinal else "plain"
        yield Said((value,), (span,), index, index, own, sort, number.unit)
        index += 1


def _link(pieces: Pieces, first: int, last: int) -> str:
    """Return how two numbers are joined: by a word, by a dash, or by a dash in brackets."""
    if not DASHES.issuperset(pieces.words[first + 1 : last]):
        return "of"
    return "(" if first and pieces.words[first - 1] == "(" else "-"


def _second_of_pair(pieces: Pieces, index: int) -> int | None:
    second = index + 1
    while pieces.in_sentence(second, index) and pieces.words[second] in _LINKS and second < index + 4:
        second += 1
    between = pieces.words[index + 1 : second]
    if not pieces.in_sentence(second, index) or DASHES.isdisjoint(between):
        return None
    number = pieces.numbers[second]
    return None if number is None or number.ordinal else second


def _implied(pieces: Pieces, index: int) -> Said | None:
    """Return the one that an article stands for, or the two of a pair."""
    word, last = pieces.words[index], index
    if word == "pair" and pieces.in_sentence(index + 2, index) and pieces.words[index + 1] == "of":
        value, last = 2.0, index + 1
    elif word in _ONES and pieces.in_sentence(index + 1, index) and pieces.numbers[index + 1] is None:
        value = _ONES[word]
        if pieces.is_capital(index) or pieces.glued(index):
            return None
        after = pieces.words[index + 2] if pieces.in_sentence(index + 2, index) else "."
        if after in DASHES or (after[0].isalpha() and (after not in function_words() or after == "of")):
            return None  # an adjective or a compound: "a team high", "a double-double"
    else:
        return None
    keys = tuple(key for key in _keys(pieces, index, last) if key.startswith((f"{RIGHT} ", f"{TWO_RIGHT} ")))
    return Said((value,), ((pieces.starts[index], pieces.ends[index]),), index, last, keys, "implied")


def _keys(pieces: Pieces, first: int, last: int) -> Iterator[str]:
    """Yield the contexts of the number from one piece to another."""
    right, left = _right(pieces, last), _left(pieces, first)
    if right:
        yield f"{RIGHT} {right[0]}"
        if len(right) > 1:
            yield f"{TWO_RIGHT} {right[0]} {right[1]}"
        if left:
            yield f"{AROUND} {left[0]} {right[0]}"
    if left:
        yield f"{LEFT} {left[0]}"
        if len(left) > 1:
            yield f"{TWO_LEFT} {left[1]} {left[0]}"
    for one, two in pairwise(_ahead(pieces, last)):
        yield f"{AHEAD} {one} {two}"


def _right(pieces: Pieces, last: int) -> list[str]:
    found: list[str] = []
    for index in range(last + 1, last + _FAR_RIGHT):
        if len(found) == 2 or not pieces.in_sentence(index, last) or pieces.numbers[index] is not None:
            break
        word = pieces.words[index]
        if word in _STOPS:
            if word == "(" and not found:
                found.append(word)
            break
        if word not in DASHES and word not in ("a", "an", "the"):
            found.append(stem(word))
    return found


def _left(pieces: Pieces, first: int) -> list[str]:
    found: list[str] = []
    for index in range(first - 1, first - _FAR_LEFT, -1):
        if len(found) == 2 or not pieces.in_sentence(index, first):
            break
        word = pieces.words[index]
        if word == "(":
            found.append(word)
        elif pieces.numbers[index] is None and not pieces.is_capital(index) and _has_content(word):
            found.append(stem(word))
    return found


def _ahead(pieces: Pieces, last: int) -> list[str]:
    found: list[str] = []
    for index in range(last + 1, last + _FAR_AHEAD):
        if not pieces.in_sentence(index, last) or pieces.numbers[index] is not None:
            break
        word = pieces.words[index]
        if _has_content(word):
            found.append(stem(word))
    return found


def _has_content(word: str) -> bool:
    return word[0].isalpha() and word not in function_words()
