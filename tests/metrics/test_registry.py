from __future__ import annotations

import contextlib
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from esascore import metrics, plugins
from esascore.errors import MissingExtraError, UsageError
from esascore.metrics import create_metrics, metric_names
from esascore.metrics.esa import ESA
from fakes import FakeDetector


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "no metric given; known: esa"),
        (["bleurgh"], "there is no metric 'bleurgh': did you mean 'bleu'?"),
        (["esa", "esa"], "metric 'esa' is given twice"),
    ],
)
def test_wrong_names(names, message):
    with pytest.raises(UsageError, match=message):
        create_metrics(names, FakeDetector())


def test_metrics_are_made_in_the_given_order():
    (metric,) = create_metrics(["esa"], FakeDetector())
    assert isinstance(metric, ESA)
    for name in metrics.METRICS:
        if name != "parent-c":
            with contextlib.suppress(MissingExtraError):  # its package need not be installed
                assert create_metrics([name], FakeDetector())[0].name == name


def test_every_column_says_what_it_means_and_the_documentation_says_the_same():
    page = Path(__file__).parents[2].joinpath("docs", "reading-scores.md").read_text("utf-8")
    cells = [line.split("|")[1:-1] for line in page.split("\n") if line.count("|") == 4]
    said = {name: (better.strip(), told.strip()) for names, better, told in cells for name in _names(names)}
    for where in metrics.METRICS.values():
        module, _, name = where.partition(":")
        for column in getattr(import_module(module), name).columns:
            assert column.meaning
            assert said[column.header] == (column.better, column.meaning)


def _names(cell: str) -> list[str]:
    """The columns that a row is about."""
    return cell.strip().split(", ")


def test_a_metric_that_needs_a_file_says_so():
    with pytest.raises(UsageError, match=r"parent-c needs counts of training data.*--cooccurrence FILE"):
        create_metrics(["parent-c"], FakeDetector())


def test_other_packages_offer_metrics(monkeypatch):
    point = EntryPoint(name="mine", value="esascore.metrics.esa:ESA.from_detector", group=plugins.METRICS)
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: [point] if group == point.group else []
    )
    assert metric_names()[-1] == "mine"
    assert isinstance(create_metrics(["mine"], FakeDetector())[0], ESA)
