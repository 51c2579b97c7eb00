"""Why was an entity not found? The span of the text that comes nearest to its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from esascore.align import hits
from esascore.lexicon import Lexicon
from esascore.model import Detection, Input, Mention
from esascore.text.normalize import Comparable, comparable
from esascore.text.tokenize import Tokens, split_white_space

if TYPE_CHECKING:
    from esascore.align import Matches

FARTHEST = 0.6
"""Distance beyond which a span has nothing to do with a name: two words of a language are often as near."""

_NAMES = ("label", "no-parentheses", "before-comma")
_BATCH = 1024


@dataclass(frozen=True, slots=True)
class Nearest:
    """The span that comes nearest to ``entity``, and the form of its name that was compared.

    ``taken`` is the entity that a standing mention in that span realises, if there is one.
    """

    entity: str
    start: int
    end: int
    distance: float
    variant: str
    taken: str | None = None


@dataclass(frozen=True, slots=True)
class _Question:
    """A text with undetected entities, made comparable; ``names`` are (name, entity, variant)."""

    place: int
    tokens: Tokens
    text: Comparable
    names: tuple[tuple[str, str, str], ...]


def nearest_spans(
    inputs: Sequence[Input], detections: Sequence[Detection], *, threads: int = 1
) -> list[tuple[Nearest, ...]]:
    """Find, for the undetected entities of each text, the span nearest to their names.

    Entities to which no span of the text is within `FARTHEST` have no entry.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Bionico", "country", "Mexico")])
    >>> found = Detection("Bionika is a dish.", ("Bionico", "Mexico"), (), ("Bionico", "Mexico"))
    >>> [[near]] = nearest_spans([graph], [found])
    >>> near.entity, found.text[near.start:near.end], round(near.distance, 3)
    ('Bionico', 'Bionika', 0.286)
    """
    lexicon = Lexicon(_NAMES)
    results: list[tuple[Nearest, ...]] = [()] * len(detections)
    asked = [
        (place, input_, found)
        for place, (input_, found) in enumerate(zip(inputs, detections, strict=True))
        if found.undetected and not found.text.isspace()
    ]
    for begin in range(0, len(asked), _BATCH):
        questions = [_question(lexicon, *some) for some in asked[begin : begin + _BATCH]]
        pairs = [([name for name, _, _ in one.names], one.text.text) for one in questions]
        rows = hits(pairs, max_distance=FARTHEST, threads=threads)
        for question, near in zip(questions, _best(questions, rows), strict=True):
            mentions = detections[question.place].mentions
            results[question.place] = tuple(_answer(question, *some, mentions) for some in near)
    return results


def _question(lexicon: Lexicon, place: int, input_: Input, found: Detection) -> _Question:
    tokens = split_white_space(found.text)
    missing = set(found.undetected)
    names: dict[tuple[str, str], str] = {}
    for entity in input_.entities:
        if entity.term in missing:
            for variant in lexicon.variants(entity):
                if name := comparable(split_white_space(variant.text)).text:
                    names.setdefault((name, entity.term), variant.text)
    listed = tuple((*key, variant) for key, variant in names.items())
    return _Question(place, tokens, comparable(tokens), listed)


def _best(questions: Sequence[_Question], rows: Matches) -> list[list[tuple[int, int, int, float]]]:
    """Per question and entity the best row, as (candidate, start, end, distance)."""
    best: list[dict[str, tuple[int, int, int, float]]] = [{} for _ in questions]
    # Rows of an item stand from the best to the worst: the first of a candidate is all that matters.
    widest = max((len(question.names) for question in questions), default=0) + 1
    _, first = np.unique(rows.item * widest + rows.candidate, return_index=True)
    first.sort()
    columns = (rows.item, rows.candidate, rows.start, rows.end, rows.distance)
    for item, candidate, start, end, distance in zip(*(c[first].tolist() for c in columns), strict=True):
        _, entity, _ = questions[item].names[candidate]
        best[item].setdefault(entity, (candidate, start, end, distance))
    return [list(of_item.values()) for of_item in best]


def _answer(
    question: _Question, candidate: int, first: int, last: int, distance: float, mentions: Sequence[Mention]
) -> Nearest:
    start = question.tokens.starts[question.text.tokens[first]]
    end = question.tokens.ends[question.text.tokens[last - 1]]
    taken = next((m.entity for m in mentions if m.start < end and start < m.end), None)
    _, entity, variant = question.names[candidate]
    return Nearest(entity, start, end, distance, variant, taken)
