"""Why was an entity not found? The span of the text that comes nearest to its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from esascore.align import hits
from esascore.lexicon import Lexicon
from esascore.model import Detection, Input
from esascore.text.normalize import comparable
from esascore.text.tokenize import split_white_space

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


class _Question:
    """A text with undetected entities, made comparable; ``names`` are (name, entity, variant)."""

    def __init__(self, lexicon: Lexicon, input_: Input, found: Detection):
        self.mentions = found.mentions
        self.tokens = split_white_space(found.text)
        self.text = comparable(self.tokens)
        missing = set(found.undetected)
        names: dict[tuple[str, str], str] = {}
        for entity in input_.entities:
            if entity.term in missing:
                for variant in lexicon.variants(entity):
                    if name := comparable(split_white_space(variant.text)).text:
                        names.setdefault((name, entity.term), variant.text)
        self.names = [(*key, variant) for key, variant in names.items()]
        self.answers: dict[str, Nearest] = {}

    def answer(self, candidate: int, first: int, last: int, distance: float) -> None:
        """Note the span nearest to a name, unless a nearer one is known for its entity."""
        _, entity, variant = self.names[candidate]
        if entity not in self.answers:
            start = self.tokens.starts[self.text.tokens[first]]
            end = self.tokens.ends[self.text.tokens[last - 1]]
            taken = next((m.entity for m in self.mentions if m.start < end and start < m.end), None)
            self.answers[entity] = Nearest(entity, start, end, distance, variant, taken)


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
        questions = {
            place: _Question(lexicon, input_, found) for place, input_, found in asked[begin : begin + _BATCH]
        }
        _answer(list(questions.values()), threads)
        for place, question in questions.items():
            results[place] = tuple(question.answers.values())
    return results


def _answer(questions: Sequence[_Question], threads: int) -> None:
    pairs = [([name for name, _, _ in one.names], one.text.text) for one in questions]
    rows = hits(pairs, max_distance=FARTHEST, threads=threads)
    # Rows of an item stand from the best to the worst: the first of a candidate is all that matters.
    widest = max(len(question.names) for question in questions) + 1
    _, first = np.unique(rows.item * widest + rows.candidate, return_index=True)
    first.sort()
    columns = (rows.item, rows.candidate, rows.start, rows.end, rows.distance)
    for item, *best in zip(*(column[first].tolist() for column in columns), strict=True):
        questions[item].answer(*best)
