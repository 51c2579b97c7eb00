from __future__ import annotations

import pytest

from esascore.metrics.esa import ESA
from esascore.model import Cell, Example, Input
from esascore.readers.systems import System
from esascore.run.evaluation import evaluate
from fakes import FakeDetector


@pytest.fixture
def score():
    """Evaluate systems, given as name -> texts, on inputs, given as (terms, category)."""

    def run(corpus, systems):
        examples = [
            Example(f"Id{n}", Input.from_table(tuple(map(Cell, terms)), category=category), size=len(terms))
            for n, (terms, category) in enumerate(corpus, 1)
        ]
        listed = [System(name, tuple(texts)) for name, texts in systems.items()]
        return evaluate(FakeDetector, examples, listed, lambda detector: [ESA.from_detector(detector)])

    return run


@pytest.fixture
def small(score):
    return score(
        [("abcd", "Food"), ("ab", "City"), ("abc", "Food")],
        {"perfect": ["a b c d", "a b", "a b c"], "my_system": ["a b", "null", "a b c"]},
    )
