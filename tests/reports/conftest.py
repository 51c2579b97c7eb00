from __future__ import annotations

import pytest

from esascore.engine import evaluate
from esascore.metrics.esa import ESA
from esascore.model import Cell, Detection, Example, Table
from esascore.readers.systems import System


class Said:
    """Finds the terms that the text names, separated by spaces."""

    def detect(self, items, *, threads=1):
        found = []
        for input_, text in items:
            terms = tuple(entity.term for entity in input_.entities)
            found.append(Detection(text, terms, (), tuple(t for t in terms if t not in text.split())))
        return found

    def signature_parts(self):
        return {"profile": "said"}


@pytest.fixture
def score():
    """Evaluate systems, given as name -> texts, on inputs, given as (terms, category)."""

    def run(corpus, systems, **more):
        examples = [
            Example(f"Id{n}", Table(tuple(map(Cell, terms)), category=category), size=len(terms), **more)
            for n, (terms, category) in enumerate(corpus, 1)
        ]
        listed = [System(name, tuple(texts)) for name, texts in systems.items()]
        return evaluate(Said, examples, listed, lambda detector: [ESA.from_detector(detector)])

    return run


@pytest.fixture
def small(score):
    return score(
        [("abcd", "Food"), ("ab", "City"), ("abc", "Food")],
        {"perfect": ["a b c d", "a b", "a b c"], "my_system": ["a b", "null", "a b c"]},
    )
