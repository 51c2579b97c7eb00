"""Texts as word pieces, and claims with markers around the mentions of the fact's two entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from esascore.errors import DataError
from esascore.facts.claims import Claim

SUBJECT_OPENS, SUBJECT_CLOSES, OBJECT_OPENS, OBJECT_CLOSES = 1, 2, 3, 4
"""Markers: pieces that BERT's vocabulary keeps unused."""

TOKENIZER = "tokenizer.json"
TILE = 4
"""What sizes are rounded up to: the last bits of what is read of an item depend on the sizes of its batch."""

_LONGEST_PREDICATE = 12
_AFTER_THE_MARKERS = 12


@dataclass(frozen=True, slots=True)
class Encoded:
    """What a model reads as numbers of word pieces; the text begins at ``text_at``."""

    pieces: tuple[int, ...]
    text_at: int


class WordPieces:
    """Cuts texts into word pieces, with the tokenizer of a transformer.

    Parameters
    ----------
    folder
        Where the tokenizer is.
    longest
        How many pieces are read at once.
    """

    def __init__(self, folder: Path, longest: int):
        from tokenizers import Tokenizer

        try:
            self._tokenizer: Any = Tokenizer.from_file(str(folder / TOKENIZER))
        except Exception as error:  # the package raises nothing narrower
            raise DataError(f"cannot be read as a tokenizer: {error}", file=folder / TOKENIZER) from error
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        special: list[Any] = [self._tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]")]
        if None in special:
            raise DataError("is not the tokenizer of a BERT model", file=folder / TOKENIZER)
        self.first, self.between = special
        self.longest = longest

    def plain(self, text: str) -> list[int]:
        """Cut a text into word pieces."""
        return self.placed(text)[0]

    def placed(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Cut a text into word pieces, and say where in the text each begins and ends."""
        found = self._tokenizer.encode(text, add_special_tokens=False)
        return found.ids, found.offsets

    def joined(self, first: Sequence[int], text: Sequence[int]) -> Encoded:
        """Put what is asked for before the text."""
        begin = [self.first, *first, self.between]
        return Encoded((*begin, *text, self.between), len(begin))


class Pieces(WordPieces):
    """Cuts claims into word pieces."""

    def encode(self, claim: Claim) -> Encoded | None:
        """Encode a claim: predicate, then the text with its markers; None if they lie too far apart.

        Of a text that is too long, the window is kept that holds the first mention of both entities.
        """
        predicate = self.plain(claim.predicate)[:_LONGEST_PREDICATE]
        text = self._marked(claim)
        room = self.longest - len(predicate) - 3
        if len(text) > room:
            first = [text.index(SUBJECT_OPENS), text.index(OBJECT_OPENS)]
            start = min(*first, max(0, max(first) + _AFTER_THE_MARKERS - room))
            text = text[start : start + room]
            if SUBJECT_OPENS not in text or OBJECT_OPENS not in text:
                return None
        return self.joined(predicate, text)

    def _marked(self, claim: Claim) -> list[int]:
        # What closes at a place closes before anything opens there; of two that open, the longer comes first.
        marks = [
            mark
            for spans, opens, closes in (
                (claim.subject, SUBJECT_OPENS, SUBJECT_CLOSES),
                (claim.object, OBJECT_OPENS, OBJECT_CLOSES),
            )
            for start, end in spans
            for mark in ((start, 1, -end, opens), (end, 0, -start, closes))
        ]
        found: list[int] = []
        done = 0
        for place, _, _, mark in sorted(marks):
            found += self.plain(claim.text[done:place])
            found.append(mark)
            done = place
        return found + self.plain(claim.text[done:])


def batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Group items of about equal length, so that no group has more than ``budget`` pieces with its padding.

    Examples
    --------
    >>> batches([3, 9, 4, 8], budget=18)
    [[0, 2], [3, 1]]
    """
    groups: list[list[int]] = []
    for item in sorted(range(len(lengths)), key=lambda number: (lengths[number], number)):
        if groups and lengths[item] * (len(groups[-1]) + 1) <= budget:
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def steady_batches(sizes: Sequence[tuple[int, ...]], budget: int) -> list[list[int]]:
    """Group items so that what is read of one depends on nothing else in its group.

    Only items whose sizes, the first of which is their length, need as many tiles are read together.

    Examples
    --------
    >>> steady_batches([(3, 1), (9, 1), (4, 2), (8, 5), (2, 1)], budget=24)
    [[0, 2, 4], [3], [1]]
    """
    alike: dict[tuple[int, ...], list[int]] = {}
    for item, own in enumerate(sizes):
        alike.setdefault(tuple(map(whole_tiles, own)), []).append(item)
    groups = []
    for own, items in sorted(alike.items()):
        most = max(budget // own[0], 1)
        groups += [items[start : start + most] for start in range(0, len(items), most)]
    return groups


def head_places(number: int) -> int:
    """Return the number of places at which the head of a claim is computed: the same for most claims."""
    return max(2 * TILE, whole_tiles(number))


def whole_tiles(size: int) -> int:
    """Round a size up to whole tiles."""
    return -(-size // TILE) * TILE
