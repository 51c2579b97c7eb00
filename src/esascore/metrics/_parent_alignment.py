"""The alignment as an entailment model of PARENT: what a detected mention covers is entailed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from esascore.align.sequences import Sequences, occurs_in
from esascore.metrics._parent import Hooks, Indices, Layout
from esascore.model import Detection, Input
from esascore.text.tokenize import split_white_space, split_words


def alignment_hooks(
    inputs: Sequence[Input],
    texts: Sequence[Detection],
    references: Sequence[Sequence[Detection]],
    *,
    words: bool,
) -> Hooks:
    """Make the model of detections in texts and in their references, one entry an input.

    ``words`` says that tokens are words, not runs between white space.
    """
    split = split_words if words else split_white_space

    def weigh(sequences: Sequences, layout: Layout, strings: Sequence[str], begin: int) -> NDArray[np.bool_]:
        entailed = occurs_in(sequences, layout.source)
        found = [
            *texts[begin : begin + len(layout.text)],
            *(one for listed in references[begin : begin + len(layout.text)] for one in listed),
        ]
        for number, detection in zip((*layout.text, *layout.reference), found, strict=True):
            begin_token, end_token = sequences.offsets[number], sequences.offsets[number + 1]
            entailed[begin_token:end_token] |= covered(detection, words=words)
        return entailed

    def recall(common: NDArray[Any], lengths: Indices, layout: Layout, begin: int) -> NDArray[Any]:
        least: list[int] = []
        for number in range(begin, begin + len(layout.text)):
            there = set(texts[number].entities) - set(texts[number].undetected)
            for record in _pieces(inputs[number]):
                least.append(sum(len(split(written)) for term, written in record if term in there))
        mentioned: NDArray[np.int64] = np.maximum(common, np.minimum(np.array(least, np.int64), lengths))
        return mentioned

    return Hooks(weigh, recall)


def covered(detection: Detection, *, words: bool = False) -> NDArray[np.bool_]:
    """Tell for every token of a text whether a mention touches it.

    Examples
    --------
    >>> from esascore.model import Mention
    >>> mention = Mention("1965-12-22", 8, 24, "December 22, 1965", "date")
    >>> covered(Detection("born on December 22, 1965.", ("1965-12-22",), (mention,), ())).tolist()
    [False, False, True, True, True]
    """
    tokens = split_words(detection.text) if words else split_white_space(detection.text)
    touched = np.zeros(len(tokens), np.bool_)
    starts, ends = np.array(tokens.starts, np.int64), np.array(tokens.ends, np.int64)
    for mention in detection.mentions:
        first = np.searchsorted(ends, mention.start, side="right")
        last = np.searchsorted(starts, mention.end, side="left")
        touched[first:last] = True
    return touched


def _pieces(source: Input) -> list[list[tuple[str, str]]]:
    """Per record the terms that make its value, each with the way PARENT writes it."""
    if source.table is not None:
        return [[(cell.value, cell.value)] if cell.highlighted else [] for cell in source.table.cells]
    return [
        [(term, term.replace("_", " ")) for term in (triple.subject, triple.object)]
        for triple in source.triples
    ]
