"""Where annotated mentions stand in their text, as far as that can be found out.

The annotations give strings in text order, not positions, and some of the strings do not occur in the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from esascore.gold.mentions.strings import comparable, comparable_with_spans, lowered
from esascore.model import Reference

Span = tuple[int, int]
"""Start and end in code points of the text."""


def locate(reference: Reference) -> list[Span | None]:
    r"""Find the span of each annotated mention of a text.

    Strings are compared without white space and with quotes and dashes unified, at word boundaries; failing
    that also at the border of a number and its unit (``159m``), then without regard to case. Of all ways to
    place the strings, the one that places most of them in their order and without overlap is taken, then the
    one that ends earliest. What is left over is placed where there is room.

    Returns
    -------
    list
        One span for each of ``reference.mentions``; None where a mention could not be located.

    Examples
    --------
    >>> from esascore.model import GoldMention
    >>> text = 'Zorblax, or "Sol", was drawn by Ann Lee. She also drew others.'
    >>> gold = [("Zorblax", "Zorblax"), ("Sol", "`` Sol ''"), ("Ann", "She"), ("Ann", "Lee Ann")]
    >>> spans = locate(Reference("Id1", text, mentions=tuple(GoldMention(*pair) for pair in gold)))
    >>> [span and text[slice(*span)] for span in spans]
    ['Zorblax', '"Sol"', 'She', None]
    """
    text = reference.text
    key, starts, ends = comparable_with_spans(text)
    low = lowered(key)
    places: list[_Place] = []
    for mention, wanted in enumerate(comparable(mention.text) for mention in reference.mentions):
        for same_case, at_border in ((True, _at_word), (True, _at_word_or_number), (False, _at_word)):
            occurrences = (
                (starts[first], ends[last - 1])
                for first, last in (_find(wanted, key) if same_case else _find(lowered(wanted), low))
            )
            found = [span for span in occurrences if at_border(text, span[0]) and at_border(text, span[1])]
            if found:
                places += [_Place(mention, *span) for span in found]
                break
    chosen = _longest_chain(places)
    for place in places:
        if place.mention not in chosen and not any(place.overlaps(other) for other in chosen.values()):
            chosen[place.mention] = place
    placed = [chosen.get(mention) for mention in range(len(reference.mentions))]
    return [None if place is None else (place.start, place.end) for place in placed]


@dataclass(frozen=True, slots=True)
class _Place:
    mention: int
    start: int
    end: int

    def overlaps(self, other: _Place) -> bool:
        return self.start < other.end and other.start < self.end


def _longest_chain(places: Sequence[_Place]) -> dict[int, _Place]:
    """Places in order of their mentions and of the text that do not overlap: as many as can be."""
    best: list[tuple[int, int | None]] = []  # length of the chain that ends here, and the place before
    for n, place in enumerate(places):
        length, before = 0, None
        for m in range(n):
            if places[m].mention < place.mention and places[m].end <= place.start:
                better = best[m][0] > length
                earlier = best[m][0] == length and before is not None and places[m].end < places[before].end
                if better or earlier:
                    length, before = best[m][0], m
        best.append((length + 1, before))
    if not best:
        return {}
    at: int | None = min(range(len(places)), key=lambda n: (-best[n][0], places[n].end))
    chosen: dict[int, _Place] = {}
    while at is not None:
        chosen[places[at].mention] = places[at]
        at = best[at][1]
    return chosen


def _find(wanted: str, key: str) -> Iterator[Span]:
    start = key.find(wanted) if wanted else -1
    while start >= 0:
        yield start, start + len(wanted)
        start = key.find(wanted, start + 1)


def _at_word(text: str, position: int) -> bool:
    if position in (0, len(text)):
        return True
    return not (text[position - 1].isalnum() and text[position].isalnum())


def _at_word_or_number(text: str, position: int) -> bool:
    return _at_word(text, position) or text[position - 1].isdigit() != text[position].isdigit()
