"""The page of ``esascore serve`` in a real browser."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="make test-browser installs it").expect

RUN = "window.ran=1"
INJECTIONS = [
    f"<script>{RUN}</script>",
    f'"><img src=x onerror="{RUN}"><svg onload={RUN}>',
    f"javascript:{RUN}",
    "</textarea></p><iframe src=//example.org>",
    "__proto__",
    "\u202eevil\u2066 \x1b[31m",
]
WRONG = {"name": "Casa do Rio", "city": "Porto", "rooms": 27}


@pytest.fixture(scope="session")
def served(browser):
    pytest.importorskip("uvicorn", reason="the page needs esascore[serve]")
    from esascore.serve.limits import Limits
    from esascore.serve.server import Server

    limits = Limits(workers=1)
    with Server({}, port=0, limits=limits) as server:
        yield server.url


def opened(watched, url, fragment=""):
    watched.page.goto(url + "/" + fragment)
    watched.page.wait_for_selector("#examples button")
    return watched.page


def typed(page, data, text):
    page.fill("#data", data if isinstance(data, str) else json.dumps(data))
    page.fill("#text", text)


def test_who_types_sees_what_is_wrong(watch, served):
    watched = watch()
    page = opened(watched, served)
    typed(page, WRONG, "Casa do Rio in Porto has 32 rooms.")
    page.wait_for_selector("mark.flag")
    assert page.inner_text("mark.flag").startswith("32")
    assert page.inner_text("#status").startswith("Not OK: 1 flag")
    assert "27" in page.inner_text("#result")
    page.fill("#text", "Casa do Rio in Porto has 27 rooms.")
    expect(page.locator("#status")).to_contain_text(re.compile(r"^OK"))
    assert page.locator("mark.flag").count() == 0
    page.fill("#data", "{")
    expect(page.locator("#status")).to_contain_text(re.compile(r"^The data are not JSON"))
    assert {url.partition("#")[0].removeprefix(served).partition("?")[0] for url in watched.requests} <= {
        *("/", "/v1/check", "/v1/rulers"),
        *(f"/page/{name}" for name in ("dom.js", "card.js", "page.js", "shared.css", "page.css")),
        *("/page/examples.json", "/page/icon.svg"),
    }


def test_examples_profiles_and_permalinks(watch, served):
    page = opened(watch(), served)
    names = page.locator("#examples button").all_inner_texts()
    assert len(names) == 6
    for name in names:
        page.fill("#text", "")
        page.click(f"#examples button:text-is('{name}')")
        expect(page.locator("#status")).to_contain_text(re.compile(r"^Not OK"))
    page.select_option("#profile", "paper")
    expect(page.locator("#result .signature")).to_contain_text("profile:paper")
    link = page.evaluate("location.href")
    other = opened(watch(), served, link.removeprefix(served + "/"))
    other.wait_for_selector("#result .signature")
    assert other.input_value("#text") == page.input_value("#text")
    assert other.input_value("#profile") == "paper"


def test_files_become_a_table_and_a_report(watch, served, tmp_path):
    page = opened(watch(), served)
    corpus, texts = tmp_path / "corpus.jsonl", tmp_path / "mine.txt"
    corpus.write_text("".join(json.dumps({"data": {**WRONG, "rooms": n}}) + "\n" for n in range(2_000)))
    texts.write_text("".join(f"Casa do Rio in Porto has {n} rooms.\n" for n in range(2_000)))
    page.evaluate(
        """() => {
        window.steps = new Set();
        new MutationObserver(() => window.steps.add(document.querySelector('#progress').value))
          .observe(document.querySelector('#files-status'), { childList: true });
        }"""
    )
    page.set_input_files("#corpus", str(corpus))
    page.set_input_files("#outputs", str(texts))
    page.click("#score")
    page.wait_for_selector("#files-result table", timeout=60_000)
    assert "mine" in page.inner_text("#files-result tbody")
    assert page.evaluate("[...window.steps].some((step) => step > 0 && step < 1)")
    with page.expect_download() as download:
        page.click("a.download")
    saved = Path(download.value.path()).read_text("utf-8")
    assert saved.startswith("<!DOCTYPE html>")


def test_files_can_be_dropped(watch, served):
    page = opened(watch(), served)
    page.evaluate(
        """() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['{"data": {"name": "Oslo"}}\\n'], 'corpus.jsonl'));
        transfer.items.add(new File(['Oslo.\\n'], '<img src=x onerror=alert(1)>.txt'));
        document.querySelector('#drop').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer }));
        }"""
    )
    page.wait_for_selector("#files-result table")
    assert page.locator("#files-result img").count() == 0


@pytest.mark.parametrize("evil", INJECTIONS)
def test_nothing_that_is_typed_becomes_code(watch, served, evil):
    page = opened(watch(), served)
    typed(page, {"name": evil, evil: evil, "rooms": 27}, f"{evil} has 32 rooms. Zzyx {evil}")
    page.wait_for_selector("#result .card")
    for mark in page.locator("#result mark").all()[:3]:
        mark.hover()
    assert page.locator("#result script, #result img, #result iframe, #tip img").count() == 0
    assert page.evaluate("window.ran === undefined")


SIZES = {"desktop": (1280, 1000, "light"), "phone": (390, 844, "light"), "dark": (1280, 1000, "dark")}


@pytest.mark.parametrize("kind", SIZES)
def test_it_is_accessible_and_fits(watch, served, kind):
    width, height, colours = SIZES[kind]
    watched = watch(width, height, color_scheme=colours, bypass_csp=True)
    page = opened(watched, served)
    page.click("#examples button:text-is('Hotel')")
    page.wait_for_selector("mark.flag")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.keyboard.press("Tab")
    if (folder := os.environ.get("ESASCORE_SCREENSHOTS")) is not None:
        page.screenshot(path=Path(folder) / f"serve-{kind}.png", full_page=True)
    if not (axe := os.environ.get("ESASCORE_AXE")):
        pytest.skip("axe-core is missing: make test-browser installs it")
    page.evaluate(Path(axe).read_text("utf-8"))
    found = page.evaluate("axe.run(document, {preload: false})")
    bad = [
        (one["id"], one["impact"]) for one in found["violations"] if one["impact"] in ("serious", "critical")
    ]
    assert bad == []


def test_everything_can_be_reached_by_keyboard(watch, served):
    page = opened(watch(), served)
    page.click("#examples button:text-is('Hotel')")
    page.wait_for_selector("mark.flag")
    page.evaluate("document.activeElement.blur()")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert reached >= {"data", "text", "profile", "corpus", "outputs", "score", "MARK"}
