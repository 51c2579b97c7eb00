"""Literals that enumerate: "tomatoes, guanciale, cheese" in any order and with any joining words.

The items of such a literal are looked for one by one; if they are next to each other, with nothing but
joining words in between, the whole run is one mention.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from esascore.detectors.base import mention
from esascore.lexicon import label
from esascore.model import Entity, Input, Mention, once_per_input
from esascore.text.document import Document
from esascore.text.words import Phrase, name_words

METHOD = "list"
_SEPARATORS = re.compile(r"\s*[,;/]\s*|\s+(?:and|or|&)\s+", re.IGNORECASE)
# What a list has at least one of: _SEPARATORS, what may be stops within one, and what is before a year.
_MAY_ENUMERATE = re.compile(r"[,;/&.]|\s(?:and|or)\s|\s\d{4}$", re.IGNORECASE)
_DIGITS = re.compile(r"\d")
_DOTTED = re.compile(r"\b(?:[A-Za-z]{1,2}\.)+")
_BEFORE_YEAR = re.compile(r"(?<=[A-Za-z.])\s+(?=\d{4}$)")
# Words that may stand between two items of one list.
_JOINTS = frozenset({
    "and", "or", "plus", "also", "as", "well", "both", "either", "with", "a", "an", "the", "some", "of", "in",
    "from", "at", "on", "by", "for", "degree", "graduated", "graduating", "received", "obtained",
})  # fmt: skip
_LONGEST_JOINT = 3
_LONGEST_INITIAL = 2


@dataclass(frozen=True, slots=True)
class Lists:
    """Finds enumerations.

    Parameters
    ----------
    least
        The share of the literal's words that a run must have.
    cost
        The distance of a run that has all items; missing words add their share.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Sauce", "ingredients", '"Tomatoes, guanciale, cheese, olive oil"')])
    >>> document = Document(graph, "It is made of cheese, tomatoes, some olive oil and guanciale.")
    >>> [found] = Lists(least=0.5, cost=0.01).mentions(document)
    >>> found.text, found.distance
    ('cheese, tomatoes, some olive oil and guanciale', 0.01)
    """

    least: float
    cost: float

    def mentions(self, document: Document) -> list[Mention]:
        """Return at most one run for each enumerating literal of the input of a document."""
        lists = _lists(document.input)
        if not lists:
            return []
        words, starts, ends = _undotted_words(document)
        at: dict[str, list[int]] = {}
        for position, word in enumerate(words):
            at.setdefault(word, []).append(position)
        found = []
        for term, items in lists:
            run = _best_run(words, at, items)
            if run is None:
                continue
            first, last, share = run
            if share >= self.least:
                start, end = starts[first], ends[last - 1]
                distance = self.cost + (1.0 - share) / 2
                found.append(mention(document.text, start, end, term, METHOD, distance, label(term)))
        return found


def _best_run(
    words: Sequence[str], at: dict[str, list[int]], items: Sequence[Phrase]
) -> tuple[int, int, float] | None:
    """Return the first and last word of the run with most words of the items, and their share."""
    places = sorted(
        (first, first + len(item), n)
        for n, item in enumerate(items)
        for first in at.get(item[0], ())
        if tuple(words[first : first + len(item)]) == item
    )
    total = sum(map(len, items))
    own = frozenset(word for item in items for word in item)
    best: tuple[int, int, int, int] | None = None  # words, -length, first, last
    for start in range(len(places)):
        first, last, n = places[start]
        seen = {n}
        for following, end, n_next in places[start + 1 :]:
            if following < last:
                continue
            if not _is_joint(words[last:following], own):
                break
            last = end
            seen.add(n_next)
        if len(seen) > 1:
            run = (sum(len(items[k]) for k in seen), first - last, first, last)
            best = run if best is None else max(best, run)
    return None if best is None else (best[2], best[3], best[0] / total)


def _is_joint(words: Sequence[str], own: Set[str]) -> bool:
    """Return whether words between two items are joints, or parts of items: "rice" for "rice vermicelli"."""
    return len(words) <= _LONGEST_JOINT and all(word in _JOINTS or word in own for word in words)


def _undotted_words(document: Document) -> tuple[Sequence[str], Sequence[int], Sequence[int]]:
    """Return the folded words with "M.A." as one word, and where each begins and ends."""
    text, own = document.text, document.words
    if "." not in text:
        return own.texts, own.starts, own.ends
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    before = 0  # letters of the word before
    for word, start, end in zip(own.texts, own.starts, own.ends, strict=True):
        if (
            words
            and end - start <= _LONGEST_INITIAL
            and text[start - 1] == "."
            and before <= _LONGEST_INITIAL
            and text[ends[-1] : start].lstrip() == "."
        ):
            words[-1] += word
            ends[-1] = end
        else:
            words.append(word)
            starts.append(start)
            ends.append(end)
        before = end - start
    return words, starts, ends


@once_per_input
def _lists(input_: Input) -> tuple[tuple[str, tuple[Phrase, ...]], ...]:
    own = [entity for entity in input_.worded if not entity.term.isdecimal()]
    return tuple([(entity.term, items) for entity in own if (items := _items(entity))])


def _items(entity: Entity) -> tuple[Phrase, ...]:
    """Return the items of an enumerating literal, or nothing.

    Terms of a knowledge base do not enumerate: the comma of ``Abilene,_Texas`` says where it is.
    """
    if "_" in entity.term and not entity.term.startswith('"'):
        return ()
    text = label(entity.term)
    if not _MAY_ENUMERATE.search(text):
        return ()
    # "M.A. 1957" are two items, and people write the degree with or without its stops.
    undotted = _DOTTED.sub(lambda degree: degree[0].replace(".", ""), text)
    items = map(name_words, _SEPARATORS.split(_BEFORE_YEAR.sub(", ", undotted)))
    distinct = tuple(dict.fromkeys(filter(None, items)))
    return distinct if len(distinct) > 1 and any(not _DIGITS.search(w) for i in distinct for w in i) else ()
