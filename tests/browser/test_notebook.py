"""What notebooks show, in a browser: it looks right in both colour schemes, and everyone can read it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import esascore
from esascore.api import Evaluation
from esascore.examples import example_corpus_path, example_output_paths

HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script>'


@pytest.fixture(scope="session")
def page_file(browser, tmp_path_factory):
    """A page like a notebook with every result that shows itself, one of them with hostile names."""
    found = esascore.evaluate(example_corpus_path(), example_output_paths(), metrics=["esa", "hallucination"])
    hostile = esascore.evaluate(
        [{"id": HOSTILE, "triples": [[HOSTILE, "p", HOSTILE + "2"]]}], {HOSTILE: [HOSTILE + " in Peru"]}
    )
    results = [
        found,
        found.significance("fluent"),
        found.significance(),
        found.show("Id7"),
        Evaluation(hostile.scored),
        esascore.detect([("Bionico", "country", "Mexico")], "Bionico\nis a dish."),
        esascore.hallucinations([("Bionico", "country", "Mexico")], "Bionico is from Peru."),
        esascore.check(example_corpus_path(), example_output_paths(), min_esa=0.9),
    ]
    body = "\n".join(f"<section>{one._repr_html_()}</section>" for one in results)
    file = tmp_path_factory.mktemp("notebook") / "page.html"
    file.write_text(
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Notebook</title></head>'
        f"<body><main><h1>Notebook</h1>{body}</main></body></html>",
        "utf-8",
    )
    return file


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_notebook_output(page_file, watch, scheme):
    watched = watch(color_scheme=scheme)
    page = watched.page
    page.goto(page_file.as_uri())
    assert page.locator("mark.flag").count() > 3
    # Line breaks are line breaks.
    boxes = (
        page.get_by_text("is a dish.").first.bounding_box(),
        page.locator("mark", has_text="Bionico").first.bounding_box(),
    )
    assert boxes[0]["height"] > 1.5 * boxes[1]["height"]
    assert page.locator("section img, section script").count() == 0
    assert watched.requests == [page_file.as_uri()]
    # Nothing outside of our element is styled.
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).fontWeight") == "700"
    if folder := os.environ.get("ESASCORE_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"notebook-{scheme}.png", full_page=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everyone_can_read_notebook_output(page_file, watch, scheme):
    axe = os.environ.get("ESASCORE_AXE")
    if not axe:
        pytest.skip("make test-browser installs axe-core")
    page = watch(color_scheme=scheme).page
    page.goto(page_file.as_uri())
    page.evaluate(Path(axe).read_text("utf-8"))
    found = page.evaluate("axe.run(document, {preload: false})")
    told = [(one["id"], one["impact"], one["nodes"][0]["html"][:200]) for one in found["violations"]]
    assert told == []
