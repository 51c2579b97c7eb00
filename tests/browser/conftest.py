"""Reports in a real browser, which ``make test-browser`` installs; without it these tests are skipped."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from esascore.examples import example_corpus_path, example_output_paths
from esascore.metrics import create_metrics
from esascore.metrics.base import Batch
from esascore.metrics.esa import ESA
from esascore.model import Detection, Example, Mention
from esascore.pipeline import build_pipeline
from esascore.readers.corpus import read_corpus
from esascore.readers.systems import read_systems
from esascore.reports.html import Flag, write_report
from esascore.run.evaluation import evaluate
from esascore.run.scored import Scored, SystemScores
from example_key import example_key
from fakes import graph_of

FLAGS = [
    "--no-sandbox",  # CI runs as root in a container
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser():
    chromium = os.environ.get("ESASCORE_CHROMIUM")
    if not chromium:
        pytest.skip("make test-browser runs this in Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


class Watched:
    """A page, and everything that went wrong or left the report while it was open."""

    def __init__(self, page):
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("dialog", self._dialog)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))

    def _dialog(self, dialog):
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def show(self, file: Path, view: str = "overview"):
        """Open a view of a report afresh."""
        self.page.goto("about:blank")
        self.page.goto(f"{file.as_uri()}#{view}")
        self.page.wait_for_selector(f"main[data-view={view.partition('?')[0]}]")
        return self.page

    def unfold(self, most: int | None = None):
        """Open the first folds and wait for what they hold: a browser says only later that one was opened."""
        for fold in self.page.locator("details:not(.folded)").all()[:most]:
            fold.locator("> summary").click()
            fold.locator("> summary + *").first.wait_for(state="attached")


@pytest.fixture
def watch(browser):
    """Make pages of a given size and colour scheme; at the end nothing may have been complained about."""
    contexts, watched = [], []

    def make(width=1280, height=900, **more):
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        watched.append(Watched(context.new_page()))
        return watched[-1]

    yield make
    complaints = [complaint for one in watched for complaint in one.complaints]
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def example(browser):
    """The example corpus, with what its key says is made up as hallucinations."""
    examples = read_corpus(example_corpus_path())
    systems = read_systems([f"{name}={path}" for name, path in example_output_paths().items()], examples)
    found = evaluate(
        build_pipeline, examples, systems, partial(create_metrics, ["esa", "bleu"]), keep_detections=True
    )
    texts = {(s.name, e.id): text for s in systems for e, text in zip(examples, s.texts, strict=True)}
    flags: dict[str, list[list[Flag]]] = {system.name: [] for system in systems}
    for entry in example_key():
        text = texts[entry.system, entry.id]
        starts = [(text.index(string), string) for string in entry.hallucinated]
        flags[entry.system].append([Flag(at, at + len(string), "extra") for at, string in starts])
    return found, flags


@pytest.fixture(scope="session")
def example_report(example, tmp_path_factory):
    found, flags = example
    return write_report(
        found, tmp_path_factory.mktemp("example") / "report", title="Example corpus", flags=flags
    )


@pytest.fixture(scope="session")
def example_file(example, tmp_path_factory):
    found, flags = example
    target = tmp_path_factory.mktemp("example") / "report.html"
    return write_report(found, target, title="Example corpus", flags=flags)


@pytest.fixture(scope="session")
def large(browser, tmp_path_factory):
    """26 systems with 45,240 invented texts of usual length, every fifth of them without its last entity."""
    number, systems = 1740, 26
    examples = [
        Example(
            f"test/Id{n}",
            graph_of(
                f"Station_{n} | city | Town_{n % 300}\nStation_{n} | opened | {1800 + n % 200}",
                f"Category{n % 19}",
            ),
            size=1 + n % 7,
        )
        for n in range(number)
    ]
    metric = ESA.from_detector(build_pipeline())
    scored = []
    for system in range(systems):
        found = [_invented(example, n, system) for n, example in enumerate(examples)]
        texts = [one.text for one in found]
        batch = Batch(examples, texts, detect=lambda found=found: found)
        scored.append(SystemScores(f"system{system}", texts, {"esa": metric.statistics(batch)}, found))
    evaluation = Scored(examples, (metric,), tuple(scored))
    return write_report(evaluation, tmp_path_factory.mktemp("large") / "report", title="Large")


def _invented(example, n, system):
    first, second, third = (entity.term for entity in example.input.entities)
    names = [(first, first.replace("_", " ")), (second, second.replace("_", " ")), (third, third)]
    lost = (n + system) % 5 == 0
    text = f"{names[0][1]} is a station in {names[1][1]}, and the people who wait there every morning know it"
    text += f" as system {system} says." if lost else f" since it was opened in {third}."
    mentions = [
        Mention(term, text.index(form), text.index(form) + len(form), form, "string", 0.0, form)
        for term, form in names[: 2 if lost else 3]
    ]
    return Detection(text, (first, second, third), tuple(mentions), (third,) if lost else ())
