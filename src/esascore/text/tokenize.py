"""Splits a text into tokens that know where they stand in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_RUNS = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of a text as three parallel tuples: ``source[starts[i]:ends[i]] == texts[i]``."""

    texts: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.texts)


def split_white_space(text: str) -> Tokens:
    """Split at white space; punctuation stays attached.

    Examples
    --------
    >>> split_white_space("Cyril Bruce. It")
    Tokens(texts=('Cyril', 'Bruce.', 'It'), starts=(0, 6, 13), ends=(5, 12, 15))
    """
    found = [match.span() for match in _RUNS.finditer(text)]
    return Tokens(
        tuple(text[start:end] for start, end in found),
        tuple(start for start, _ in found),
        tuple(end for _, end in found),
    )
