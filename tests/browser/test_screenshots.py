"""Pictures of the example corpus; with ESASCORE_SCREENSHOTS=FOLDER they are kept, for the documentation."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="make test-browser installs it").expect

WIDTHS = {"": (1280, 860), "-narrow": (390, 780)}


@pytest.mark.parametrize("suffix", WIDTHS)
@pytest.mark.parametrize("view", ["overview", "texts", "compare"])
def test_pictures(watch, example_report, tmp_path, view, suffix):
    folder = Path(os.environ.get("ESASCORE_SCREENSHOTS") or tmp_path)
    width, height = WIDTHS[suffix]
    watched = watch(width=width, height=height)
    page = watched.show(example_report, view)
    if view == "texts":
        if suffix:
            page.locator(".folded > summary").click()
        page.select_option("#f-system", label="dreamer")
        page.select_option("#f-missing", "1")
        expect(page.locator(".card h3").first).to_have_text("dreamer")
        watched.unfold(1)
        page.locator(".card").first.scroll_into_view_if_needed()
        page.evaluate("scrollTo(0, 0)")
    if view == "compare":
        page.select_option("#c-b", label="dreamer")
        expect(page.locator(".card h3").nth(1)).to_have_text("dreamer")
    if view == "overview" and not suffix:
        page.set_viewport_size({"width": width, "height": 1180})
    picture = folder / f"report-{view}{suffix}.png"
    page.screenshot(path=picture)
    assert picture.stat().st_size > 10_000
