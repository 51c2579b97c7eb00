"""Where the mentions stand that a linker found: its way of counting, brought to ours and checked."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from esascore.link.base import LinkedMention
from esascore.model import Span

Unit = Literal["code points", "UTF-16"]

_CHARACTER = re.compile("&(?:amp;)*|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a linker says of a mention, in its own way of counting.

    Attributes
    ----------
    start, length
        Where it is in the text that was sent; ``length`` None for that of the mention.
    mention
        Its words, by which offsets are checked.
    entity, confidence, type
        As in `LinkedMention`.
    """

    start: int
    length: int | None
    mention: str
    entity: str
    confidence: float | None = None
    type: str | None = None


@dataclass(frozen=True, slots=True)
class PlainText:
    """A text with ``&`` instead of ``&amp;``, and where each of its characters comes from.

    REL's server makes this replacement before it counts. A text without ``&amp;`` (and ``&amp;amp;``) is
    understood in the same way by every server.

    Examples
    --------
    >>> plain = PlainText.of("Bell &amp; Howell in Ohio")
    >>> plain.text, plain.original(0, 13), plain.original(17, 21)
    ('Bell & Howell in Ohio', (0, 17), (21, 25))
    """

    text: str
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> PlainText:
        """Replace ``&amp;``, also where it was written several times over."""
        starts = (*(match.start() for match in _CHARACTER.finditer(text)), len(text))
        return cls("".join(text[start] for start in starts[:-1]), starts)

    def original(self, start: int, end: int) -> Span:
        """Return where a span stands in the text with ``&amp;``."""
        return self.starts[start], self.starts[end]


def located(text: str, claims: Sequence[Claim], units: Sequence[Unit]) -> list[Span] | None:
    """Return the spans of claims in code points, or None if their mentions do not stand where they say.

    Ways of counting are tried in the given order, each for all claims together: what fits some of them by
    chance is not believed. White space in mentions may differ, as tokenisers change it.

    Examples
    --------
    >>> claims = [Claim(3, 4, "Oslo", "Oslo")]
    >>> located("😀 Oslo", claims, ["code points"]), located("😀 Oslo", claims, ["code points", "UTF-16"])
    (None, [(2, 6)])
    """
    for unit in units:
        found = places(text, unit)
        spans = [
            (found.get(claim.start, -1), found.get(claim.start + _length(claim, unit), -1))
            for claim in claims
        ]
        if all(
            0 <= start < end and _same_words(text[start:end], claim.mention)
            for (start, end), claim in zip(spans, claims, strict=True)
        ):
            return spans
    return None


def places(text: str, unit: Unit) -> dict[int, int]:
    """Return for each offset, counted in a unit, where in the text that is, in code points.

    Examples
    --------
    >>> places("😀 a", "UTF-16")
    {0: 0, 2: 1, 3: 2, 4: 3}
    """
    return {offset: place for place, offset in enumerate(accumulate(_sizes(text, unit), initial=0))}


def without_overlaps(mentions: Iterable[LinkedMention]) -> tuple[LinkedMention, ...]:
    """Return mentions in text order, the longer of two that overlap; of equals the surer, then the first.

    Examples
    --------
    >>> some = [LinkedMention(4, 8, "York", "York"), LinkedMention(0, 8, "New York", "New_York_City")]
    >>> [mention.entity for mention in without_overlaps(some)]
    ['New_York_City']
    """
    ordered = sorted(mentions, key=lambda m: (m.start - m.end, m.start, -(m.confidence or 0.0)))
    kept: list[LinkedMention] = []
    for mention in ordered:
        place = bisect_left(kept, mention.start, key=lambda m: m.start)
        before_ends = place == 0 or kept[place - 1].end <= mention.start
        after_starts = place == len(kept) or mention.end <= kept[place].start
        if before_ends and after_starts:
            kept.insert(place, mention)
    return tuple(kept)


def _same_words(one: str, other: str) -> bool:
    return one == other or (bool(words := one.split()) and words == other.split())


def _length(claim: Claim, unit: Unit) -> int:
    return sum(_sizes(claim.mention, unit)) if claim.length is None else claim.length


def _sizes(text: str, unit: Unit) -> Iterator[int]:
    return (2 if unit == "UTF-16" and character > "\uffff" else 1 for character in text)
