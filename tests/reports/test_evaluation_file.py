from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from esascore.errors import DataError, UsageError
from esascore.metrics import create_metrics, restored_metric
from esascore.model import Cell, Detection, Example, Graph, Input, LinkFailure, Reference
from esascore.pipeline import build_pipeline
from esascore.readers.choice import Choice
from esascore.readers.systems import System
from esascore.reports.evaluation_file import load_scored, saved_lines
from esascore.reports.summary import Significance, summarise
from esascore.run.evaluation import evaluate
from esascore.run.scored import Scored, SystemScores

CORPUS = [
    Example(
        "a", Graph.from_triples(["Bionico | country | Mexico"], "Food"), (Reference("r", "Mexican."),), 1
    ),
    Example(
        "b",
        Input.from_table((Cell("Blue Spice", "name", row=2), Cell("x", highlighted=False)), "T"),
        size=2,
        seen=True,
    ),
    Example(
        "c", Graph.from_data({"name": "A Inn", "open": True, "parking": True, "stars": 3}), text="\u2028"
    ),
    Choice(optional=("b*",)).of(Example("d", Graph.from_triples(["A | bb | C", "A | d | E"]))),
    Example("e", Graph()),
]
SYSTEMS = [
    System(
        "one", ("Bionico is from Peru.", "Blue Spice.", "A Inn has 3 stars and 7 rooms.", "A.", "Nothing.")
    ),
    System("two", ("", "null", "A Inn is open \U0001f600 and <b>.", "A C E.", "It is 12.")),
]


def scored(keep: bool = True) -> Scored:
    metrics = partial(create_metrics, ["esa", "hallucination", "faithfulness", "parent"])
    return evaluate(build_pipeline, CORPUS, SYSTEMS, metrics, keep_detections=keep)


def same(one: SystemScores, other: SystemScores) -> bool:
    for name, rows in one.statistics.items():
        assert rows.dtype == other.statistics[name].dtype
        np.testing.assert_array_equal(rows, other.statistics[name])

    def plain(own: SystemScores) -> tuple[object, ...]:
        details = {name: list(found) for name, found in own.details.items()}
        return own.name, own.texts, own.detections and list(own.detections), own.unlinked, details

    return plain(one) == plain(other)


@pytest.mark.parametrize("keep", [True, False])
def test_everything_comes_back(tmp_path: Path, keep: bool) -> None:
    before = scored(keep)
    path = tmp_path / "saved.jsonl"
    path.write_text("".join(saved_lines(before)), "utf-8")
    after = load_scored(path)
    assert list(after.examples) == CORPUS
    assert [e.input.entities for e in after.examples] == [e.input.entities for e in CORPUS]
    assert all(same(*pair) for pair in zip(before.systems, after.systems, strict=True))
    how = Significance("one", resamples=100)
    assert summarise(after, significance=how) == summarise(before, significance=how)
    assert "".join(saved_lines(after)) == path.read_text("utf-8")


def test_texts_without_an_answer_of_the_linker(tmp_path: Path) -> None:
    found = Detection("x", (), (), (), LinkFailure("down"))
    rows = np.array([[1, 0, 0]])
    one = SystemScores("s", ("x",), {"esa": rows}, [found], {0: "down"}, {})
    path = tmp_path / "saved.jsonl"
    path.write_text(
        "".join(saved_lines(Scored([CORPUS[0]], (restored_metric("esa", "a:b"),), (one,)))), "utf-8"
    )
    assert same(load_scored(path).systems[0], one)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: [], ":1: this is not a saved evaluation"),
        (lambda lines: ['{"system": "a"}'], ":1: this is not a saved evaluation"),
        (lambda lines: ["plain"], ":1: not JSON"),
        (lambda lines: lines[:-1], "it was cut off, or saved by a version"),
        (lambda lines: [*lines, lines[-1]], "it was cut off"),
        (
            lambda lines: [lines[0].replace("evaluation-2", "evaluation-9"), *lines[1:]],
            "not a saved evaluation",
        ),
        (lambda lines: [lines[0], *(one.replace("Example", "No") for one in lines[1:])], "cannot be read"),
        (lambda lines: [lines[0], *(line.replace('"id"', '"no"') for line in lines[1:])], "cannot be read"),
        (lambda lines: [line.replace('"statistics"', '"x"') for line in lines], "cannot be read"),
    ],
)
def test_other_files(tmp_path: Path, change, message: str) -> None:
    path = tmp_path / "saved.jsonl"
    path.write_text("\n".join(change("".join(saved_lines(scored())).rstrip("\n").split("\n"))), "utf-8")
    with pytest.raises(DataError) as raised:
        load_scored(path)
    assert message in str(raised.value)


def test_a_metric_that_is_not_here(tmp_path: Path) -> None:
    lines = "".join(saved_lines(scored())).split("\n")
    header = json.loads(lines[0])
    header["signatures"]["strange"] = "a:b"
    path = tmp_path / "saved.jsonl"
    path.write_text("\n".join([json.dumps(header), *lines[1:]]), "utf-8")
    with pytest.raises(UsageError, match="the metric 'strange' is not installed here"):
        load_scored(path)
