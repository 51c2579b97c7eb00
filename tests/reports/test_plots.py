"""The heat map: what it shows is in the file, and hostile names are only text."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET

import pytest

from esascore.errors import DataError, MissingExtraError, UsageError
from esascore.reports.plots import check_figure, draw_matrix

HOSTILE = "<script>$\\frac{1$\x1b[31m\u202e"


@pytest.fixture
def texts(tmp_path):
    """Draw a heat map and return its texts, which SVG keeps as text."""
    pytest.importorskip("matplotlib")

    def draw(*arguments, **options):
        path = tmp_path / "figure.svg"
        draw_matrix(path, *arguments, **options)
        found = ET.fromstring(path.read_text(encoding="utf-8"))
        return ["".join(element.itertext()) for element in found.iter("{http://www.w3.org/2000/svg}text")]

    return draw


def test_a_matrix_shows_every_pair_twice(texts):
    pairs = {("esa", "semantics"): 0.72, ("esa", "fluency"): -0.25, ("semantics", "fluency"): None}
    found = texts(["esa", "semantics", "fluency"], pairs, title="2017")
    assert found.count("0.72") == 2
    assert sum(text.endswith("0.25") for text in found) >= 2
    assert {"esa", "semantics", "fluency", "2017"} <= set(found)


def test_hostile_names_are_text(texts):
    found = texts([HOSTILE, "b"], {(HOSTILE, "b"): 1.0}, title=HOSTILE)
    assert any("<script>" in text and r"\x1b" in text and r"\u202e" in text for text in found)


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_equal_input_gives_equal_files(tmp_path, suffix):
    pytest.importorskip("matplotlib")
    one, two = tmp_path / f"one.{suffix}", tmp_path / f"two.{suffix}"
    for path in (one, two):
        draw_matrix(path, ["a", "b"], {("a", "b"): 0.25})
    assert one.read_bytes() == two.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [one.name, two.name]


def test_what_cannot_be_drawn_is_refused(tmp_path):
    pytest.importorskip("matplotlib")
    with pytest.raises(DataError, match="at least two variables"):
        draw_matrix(tmp_path / "a.svg", ["a"], {})
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
