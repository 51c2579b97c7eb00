"""Where annotated mentions are in their text, as far as they can be located.

The annotations give strings in text order, not positions, and some of the strings do not occur in the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from esascore.gold.mentions.forms import untokenised, untokenised_with_spans
from esascore.model import GoldMention, Reference, Span
from esascore.text.normalize import lowered_in_place


def locate(reference: Reference) -> list[Span | None]:
    r"""Find the span of each annotated mention of a text.

    Strings are compared without white space and with quotes and dashes unified, at word boundaries; failing
    that also at the border of a number and its unit (``159m``), then without regard to case. Of all ways to
    place the strings, the one is chosen that places most of them in order and without overlap, then the one
    that ends earliest. The rest is placed where there is room.

    Returns
    -------
    list
        One span for each of ``reference.mentions``; None if a mention could not be located.

    Examples
    --------
    >>> text = 'Zorblax, or "Sol", was drawn by Ann Lee. She also drew others.'
    >>> gold = [("Zorblax", "Zorblax"), ("Sol", "`` Sol ''"), ("Ann", "She"), ("Ann", "Lee Ann")]
    >>> spans = locate(Reference("Id1", text, mentions=tuple(GoldMention(*pair) for pair in gold)))
    >>> [span and text[slice(*span)] for span in spans]
    ['Zorblax', '"Sol"', 'She', None]
    """
    text = reference.text
    key, starts, ends = untokenised_with_spans(text)
    low = lowered_in_place(key)
    places: list[_Place] = []
    for mention, wanted in enumerate(untokenised(mention.text) for mention in reference.mentions):
        for same_case, at_border in ((True, _at_word), (True, _at_word_or_number), (False, _at_word)):
            places_in_key = _find(wanted, key) if same_case else _find(lowered_in_place(wanted), low)
            spans = ((starts[first], ends[last - 1]) for first, last in places_in_key)
            found = [span for span in spans if at_border(text, span[0]) and at_border(text, span[1])]
            if found:
                places += [_Place(mention, span) for span in found]
                break
    chosen = _longest_chain(places)
    for place in places:
        if place.mention not in chosen and not any(overlap(place.span, other) for other in chosen.values()):
            chosen[place.mention] = place.span
    return [chosen.get(mention) for mention in range(len(reference.mentions))]


def located(reference: Reference) -> list[tuple[GoldMention, Span]]:
    """Return the annotated mentions of a text that could be located, each with its span."""
    pairs = zip(reference.mentions, locate(reference), strict=True)
    return [(mention, span) for mention, span in pairs if span is not None]


def overlap(one: Span, other: Span) -> bool:
    """Return whether two spans share a character.

    Examples
    --------
    >>> overlap((0, 4), (3, 9)), overlap((0, 4), (4, 9))
    (True, False)
    """
    return one[0] < other[1] and other[0] < one[1]


class _Place(NamedTuple):
    mention: int
    span: Span


def _longest_chain(places: Sequence[_Place]) -> dict[int, Span]:
    """Return places in order of their mentions and of the text that do not overlap: as many as can be."""
    length: list[int] = []  # of the longest chain that ends at each place
    before: list[int | None] = []  # the place before it in that chain

    def merit(n: int) -> tuple[int, int]:
        return -length[n], places[n].span[1]

    for n, (mention, span) in enumerate(places):
        fitting = [m for m in range(n) if places[m].mention < mention and places[m].span[1] <= span[0]]
        before.append(last := min(fitting, key=merit, default=None))
        length.append(1 if last is None else length[last] + 1)
    at = min(range(len(places)), key=merit, default=None)
    chosen: dict[int, Span] = {}
    while at is not None:
        chosen[places[at].mention] = places[at].span
        at = before[at]
    return chosen


def _find(wanted: str, key: str) -> Iterator[Span]:
    start = key.find(wanted) if wanted else -1
    while start >= 0:
        yield start, start + len(wanted)
        start = key.find(wanted, start + 1)


def _at_word(text: str, position: int) -> bool:
    return position in (0, len(text)) or not (text[position - 1].isalnum() and text[position].isalnum())


def _at_word_or_number(text: str, position: int) -> bool:
    return _at_word(text, position) or text[position - 1].isdigit() != text[position].isdigit()
