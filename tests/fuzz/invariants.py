"""What holds of every input and every text, and the functions that are called to see whether it does."""

from __future__ import annotations

import json
import math
import pickle
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from esascore import Parent
from esascore.align import match
from esascore.cache import answer_key
from esascore.claims.classes import CLASSES
from esascore.claims.evidence import TYPES
from esascore.errors import EsascoreError
from esascore.metrics import METRICS, create_metrics
from esascore.metrics.base import Batch
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Cell, Detection, Example, Input
from esascore.pipeline import Pipeline, build_pipeline
from esascore.readers.corpus import read_corpus
from esascore.readers.systems import System
from esascore.run.evaluation import evaluate
from esascore.text.normalize import comparable
from esascore.text.tokenize import split_white_space
from esascore.triples import Triples

T = TypeVar("T")
BACKENDS = ("python", "rapidfuzz", "numba")
WHOLE = 100.0
"""The greatest score of BLEU; all others end at 1."""


class Calls:
    """Calls functions of the package and counts how often."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, function: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """Call a function."""
        self.number += 1
        return function(*arguments, **named)


class Invariants:
    """The pipelines, made once, and what has to hold of what they say."""

    def __init__(self) -> None:
        self.call = Calls()
        match([(["a"], "a")], backend="numba")  # compiles, which may take longer than a call
        self.default = build_pipeline()
        self.paper = build_pipeline("paper")
        self.linked = build_pipeline(linker="gazetteer")
        self.backends = [build_pipeline(backend=backend) for backend in BACKENDS[:2]]

        self.metrics = [name for name in METRICS if _can_be_made(name, self.default)]

    def corpus(self, examples: Sequence[Example], texts: Sequence[str]) -> None:
        """Everything that is cheap, of a small corpus."""
        items = [(example.input, text) for example, text in zip(examples, texts, strict=True)]
        found = self._detections(self.default, items)
        self._detections(self.paper, items)
        self._detections(self.linked, items)
        for pipeline in self.backends:
            assert self.call(pipeline.detect, items) == found, "backends agree"
        assert pickle.loads(pickle.dumps((examples, found))) == (list(examples), found)
        self._hallucinations(examples, texts)
        self._metrics(examples, texts, found)
        for input_, text in items:
            self._alignment(input_, text)
            self.call(answer_key, "kind", "1", text)
        self._written(examples)

    def processes(self, examples: Sequence[Example], texts: Sequence[str]) -> None:
        """One process or two: the same numbers."""
        systems = [System("a", tuple(texts))]
        make = partial(create_metrics, ["esa", "hallucination"])
        one, two = (
            self.call(evaluate, build_pipeline, examples, systems, make, keep_detections=True, jobs=jobs)
            for jobs in (1, 2)
        )
        assert one.systems[0].detections == two.systems[0].detections
        for name, rows in one.systems[0].statistics.items():
            np.testing.assert_array_equal(rows, two.systems[0].statistics[name])

    def _detections(self, pipeline: Pipeline, items: list[tuple[Input, str]]) -> list[Detection]:
        found = self.call(pipeline.detect, items)
        assert len(found) == len(items), "as many detections as texts"
        for (input_, text), one in zip(items, found, strict=True):
            _check_detection(input_, text, one)
        assert [self.call(pipeline.detect, [item])[0] for item in items] == found, "a batch is its texts"
        assert self.call(pipeline.detect, items[::-1]) == found[::-1], "order changes nothing"
        return found

    def _hallucinations(self, examples: Sequence[Example], texts: Sequence[str]) -> None:
        finder = Hallucinations(self.default)
        found = self.call(finder.find, examples, texts)
        assert len(found) == len(texts)
        for text, listed in zip(texts, found, strict=True):
            for one in listed:
                assert 0 <= one.start < one.end <= len(text), one
                assert text[one.start : one.end] == one.text, one
                assert 0 <= one.confidence <= 1, one
                assert one.type in TYPES, one
                assert one.kind in CLASSES, one
            assert [one.start for one in listed] == sorted(one.start for one in listed)
        again = self.call(Hallucinations(self.default).find, examples[::-1], texts[::-1])
        assert again[::-1] == found, "order changes nothing"

    def _metrics(self, examples: Sequence[Example], texts: Sequence[str], found: Sequence[Detection]) -> None:
        tables = all(example.input.table is not None for example in examples)
        names = [name for name in self.metrics if tables or name != "parent-t"]
        for metric in create_metrics(names, self.default):
            rows = self.call(metric.statistics, Batch(examples, texts, detect=lambda: found))
            assert len(rows) == len(texts), metric.name
            most = WHOLE if metric.name.startswith("bleu") else 1.0
            scores = self.call(metric.segment_scores, rows)
            if metric.name == "hallucination":  # of a text it is a number of spans
                scores = [None if score is None else min(score, 1.0) for score in scores]
            for score in (*scores, self.call(metric.score_statistics, rows).value):
                assert score is None or -1e-9 <= score <= most + 1e-9, (metric.name, score)
            parts = self.call(metric.total, rows[:1]) + self.call(metric.total, rows[1:])
            assert metric.fields(parts) == metric.fields(self.call(metric.total, rows)), metric.name
        references = [[reference.text for reference in example.references] for example in examples]
        entries = [[("a", entity.term) for entity in example.input.entities] for example in examples]
        together = self.call(Parent().segments, texts, references, entries)
        alone = [
            self.call(Parent().segments, [t], [r], [e])[0]
            for t, r, e in zip(texts, references, entries, strict=True)
        ]
        np.testing.assert_array_equal(together, np.stack(alone))
        assert np.isnan(together).all(axis=1).tolist() == [
            not any(own) if not own else False for own in references
        ]

    def _alignment(self, input_: Input, text: str) -> None:
        names, words = [entity.term for entity in input_.entities], self.call(split_white_space, text)
        items = [(names, self.call(comparable, words).text)]
        columns = [
            [column.tolist() for column in (found.candidate, found.start, found.end, found.distance)]
            for found in (self.call(match, items, backend=backend) for backend in BACKENDS)
        ]
        assert columns[0] == columns[1] == columns[2], "backends agree"

    def _written(self, examples: Sequence[Example]) -> None:
        """Graphs written as JSON lines are read as they were."""
        graphs = [e for e in examples if isinstance(e.input.given, Triples)]
        rows = [
            {"id": f"i{n}", "triples": [[t.subject, t.predicate, t.object] for t in example.input.triples]}
            for n, example in enumerate(graphs)
        ]
        if not rows:
            return
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "c.jsonl")
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            try:
                read = self.call(read_corpus, path)
            except EsascoreError:
                return  # a part of a triple that no corpus may have, such as an empty one
        assert len(read) == len(rows), "as many examples as lines"


def _can_be_made(name: str, pipeline: Pipeline) -> bool:
    """Whether a metric needs neither a file nor a model."""
    example, text = Example("Id1", Input.from_table((Cell("Oslo"),))), "Oslo."
    try:
        (metric,) = create_metrics([name], pipeline)
        metric.statistics(Batch([example], [text], detect=lambda: pipeline.detect([(example.input, text)])))
    except EsascoreError:
        return False
    return True


def _check_detection(input_: Input, text: str, found: Detection) -> None:
    known = {entity.term for entity in input_.entities}
    terms = tuple(entity.term for entity in input_.entities if not entity.optional)
    assert found.text == text
    assert found.entities == terms, "all entities, in order"
    assert set(found.undetected) <= set(terms), "missing entities are entities"
    assert (found.esa is None) == (not terms)
    assert found.esa is None or (0 <= found.esa <= 1 and math.isfinite(found.esa))
    for mention in found.mentions:
        assert mention.entity in known, mention
        assert 0 <= mention.start < mention.end <= len(text), mention
        assert text[mention.start : mention.end] == mention.text, mention
    starts = [mention.start for mention in found.mentions]
    assert starts == sorted(starts), "mentions in text order"
