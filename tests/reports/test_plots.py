"""Figures: what they show is in the file, and hostile names are only text."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET

import pytest

from esascore.errors import DataError, MissingExtraError, UsageError
from esascore.reports.plots import (
    check_figure,
    draw_histogram,
    draw_matrix,
    draw_ranks,
    draw_scatter,
    draw_undetected,
)

HOSTILE = "<script>$\\frac{1$\x1b[31m\u202e"


@pytest.fixture
def texts(tmp_path):
    """Draw a figure and return its texts, which SVG keeps as text."""
    pytest.importorskip("matplotlib")

    def draw(function, *arguments, **options):
        path = tmp_path / "figure.svg"
        function(path, *arguments, **options)
        found = ET.fromstring(path.read_text(encoding="utf-8"))
        return ["".join(element.itertext()) for element in found.iter("{http://www.w3.org/2000/svg}text")]

    return draw


def test_a_matrix_shows_every_pair_twice(texts):
    pairs = {("esa", "semantics"): 0.72, ("esa", "fluency"): -0.25, ("semantics", "fluency"): None}
    found = texts(draw_matrix, ["esa", "semantics", "fluency"], pairs, title="2017")
    assert found.count("0.72") == 2
    assert sum(text.endswith("0.25") for text in found) >= 2
    assert {"esa", "semantics", "fluency", "2017"} <= set(found)


def test_ranks_name_every_system(texts):
    found = texts(draw_ranks, {"a_1": 40.0, "b": 30.0}, {"a_1": 0.2, "b": 0.1})
    assert {"a_1", "b", "rank by BLEU", "rank by ESIC^1"} <= set(found)


def test_bars_have_a_legend_for_each_number(texts):
    found = texts(draw_undetected, {"a": {1: 5, 3: 1}, "b": {}})
    assert {"a", "b", "undetected", "texts"} <= set(found)
    assert found.count("3") >= 1


def test_histogram_and_scatter_are_labelled(texts):
    assert "lambda" in texts(draw_histogram, [0.1, 0.5, 0.5])
    assert {"esa", "semantics"} <= set(
        texts(draw_scatter, [0.0, 0.5, 1.0], [1, 2, 3], metric="esa", aspect="semantics")
    )
    assert texts(draw_scatter, [1.0, 1.0], [1, 2])


def test_hostile_names_are_text(texts):
    found = texts(draw_matrix, [HOSTILE, "b"], {(HOSTILE, "b"): 1.0}, title=HOSTILE)
    assert any("<script>" in text and r"\x1b" in text and r"\u202e" in text for text in found)


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_equal_input_gives_equal_files(tmp_path, suffix):
    pytest.importorskip("matplotlib")
    one, two = tmp_path / f"one.{suffix}", tmp_path / f"two.{suffix}"
    for path in (one, two):
        draw_histogram(path, [0.25, 0.75])
    assert one.read_bytes() == two.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [one.name, two.name]


def test_what_cannot_be_drawn_is_refused(tmp_path):
    pytest.importorskip("matplotlib")
    with pytest.raises(DataError, match="at least one number"):
        draw_histogram(tmp_path / "a.svg", [])
    with pytest.raises(DataError, match="2 scores and 1 ratings"):
        draw_scatter(tmp_path / "a.svg", [1, 2], [1])
    with pytest.raises(DataError, match="at least two variables"):
        draw_matrix(tmp_path / "a.svg", ["a"], {})
    with pytest.raises(DataError, match="same systems"):
        draw_ranks(tmp_path / "a.svg", {"a": 1.0}, {"b": 1.0})
    assert not list(tmp_path.iterdir())


def test_wrong_names_and_a_missing_package_are_told_at_once(tmp_path, monkeypatch):
    with pytest.raises(UsageError, match=r"must end in \.svg, \.png, \.pdf"):
        check_figure(tmp_path / "figure.txt")
    with pytest.raises(UsageError, match="no folder"):
        check_figure(tmp_path / "none" / "figure.svg")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"esascore\[plots\]"):
        check_figure(tmp_path / "figure.svg")
