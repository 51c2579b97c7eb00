"""The report without a browser: what is in the data, and what happens to files. tests/browser looks at it."""

from __future__ import annotations

import json
import re
import stat
from functools import partial
from pathlib import Path

import pytest

import esascore
from esascore.errors import DataError, EsascoreError, UsageError
from esascore.metrics import create_metrics
from esascore.metrics.esa import ESA
from esascore.model import Cell, Example, Graph, Input, Reference
from esascore.pipeline import build_pipeline
from esascore.readers.systems import System
from esascore.reports.html import Flag, content, read_flags, site, write_report
from esascore.reports.summary import Significance
from esascore.run.evaluation import evaluate
from fakes import graph_of

EVIL = '</script><script>alert(1)</script>"><img src=x onerror=alert(1)>\u202e\u2028\x1b[31m'
CORPUS = [
    Example(
        "Id1",
        graph_of("Kestrel_Arena | location | Trondheim\nTrondheim | country | Norway", "Building"),
        (Reference("Id1", "Kestrel Arena is in Trondheim, Norway."),),
        size=2,
    ),
    Example("Id2", Graph.from_triples([("Bionico", "country", "Mexico")], "Food"), size=1),
    Example(
        "Id3", Input.from_table((Cell("Oslo", "city"), Cell("x", "y", highlighted=False)), "Towns"), size=1
    ),
]
SYSTEMS = [
    System("good", ("Kestrel Arena is in Trondheim in Norway.", "Bionico is from Mexico.", "Oslo.")),
    System("bad", ("The Kestral stands in Trondheim. It is big.", "null", "Bergen.")),
]


@pytest.fixture
def evaluation():
    return evaluation_of()


def evaluation_of(examples=CORPUS, systems=SYSTEMS, **more):
    return evaluate(
        build_pipeline, examples, systems, partial(create_metrics, ["esa"]), keep_detections=True, **more
    )


def data(page, name):
    """A part of the data, read back from a folder or from one file."""
    if page.name != "index.html":
        block = re.search(
            f'<script type="application/json" id="data-{name}">(.*?)</script>', page.read_text("utf-8")
        )
        return json.loads(block[1])
    text = (page.parent / "data" / f"{name}.js").read_text("utf-8")
    return json.loads(text.removeprefix(f'esascore.store.receive("{name}", ').removesuffix(");\n"))


@pytest.fixture(params=["report", "report.html"])
def page(request, tmp_path, evaluation):
    flags = {"bad": [[Flag(0, 11, "extra", "name", None, "Kestrel_Arena", 0.75)], [], []]}
    return write_report(evaluation, tmp_path / request.param, title="A <b>", flags=flags)


def test_the_overview(page):
    overview = data(page, "overview")
    columns = [column[0] for column in overview["columns"]]
    good, bad = overview["systems"]
    assert (good["name"], bad["name"]) == ("good", "bad")
    assert dict(zip(columns, good["figures"], strict=True))["esa_c"] == 1.0
    # bad leaves out Kestrel_Arena and Norway of the first input, all of the second, Oslo of the third.
    assert bad["bars"] == [0, 1, 2, 0]
    assert good["bars"] == [3, 0, 0, 0]
    assert overview["warnings"] == ["bad: 1 of 3 outputs are blank or null-like and score 0."]
    assert [group["by"] for group in overview["groups"]] == ["category", "size"]
    assert overview["groups"][0]["labels"] == ["Building", "Food", ""]
    assert overview["signature"].startswith("esascore:")
    assert overview["comparison"] == "Below a figure: its 95% interval."
    assert columns[overview["mains"][0]] == "esa_c"
    assert good["ci"][overview["mains"][0]] == [1.0, 1.0]
    assert overview["flagged"] is True


def test_the_index(page):
    index = data(page, "index")
    assert index["ids"] == ["Id1", "Id2", "Id3"]
    assert index["category"] == [0, 1, -1]
    names = [" ".join(index["names"][number] for number in some) for some in index["entities"]]
    assert names == ["Kestrel_Arena Trondheim Norway", "Bionico Mexico", "Oslo"]
    assert index["missing"][0] == [0, 0, 0]
    assert index["missing"][1] == [[0, 2], [0, 1], [0]]
    assert index["blank"] == [[], [1]]
    assert (index["kinds"], index["flags"]) == (["extra"], [[], [[0], 0, 0]])


def test_the_details(page):
    first, _, third = data(page, "details-0")
    assert first["triples"][1] == ["Trondheim", "country", "Norway"]
    assert first["root"] == "Kestrel_Arena"
    assert first["references"] == ["Kestrel Arena is in Trondheim, Norway."]
    assert third["cells"] == [["city", "Oslo"]]
    good, bad = first["systems"]
    text = data(page, "texts-0")[0][0]
    spans = [(text[m[1] : m[2]], m[0]) for m in good["mentions"]]
    assert spans == [("Kestrel Arena", 0), ("Trondheim", 1), ("Norway", 2)]
    assert good["missing"] == []
    assert bad["flags"] == [[0, 11, "extra", "name", None, "Kestrel_Arena", 0.75, None, ""]]
    assert [2] in bad["missing"]  # nothing like Norway
    assert data(page, "scores-0")[0] == [1.0, 1.0, 1.0]


def test_figures_of_groups_are_those_of_score(evaluation):
    groups = dict(content.Content(evaluation, "x").parts())["overview"]["groups"][0]
    at = [column.field for column in evaluation.metrics[0].columns].index("esa_c") + 2
    assert [row[at] for row in groups["figures"][1]][1:] == [0.0, 0.0]


def test_intervals_and_marks_where_asked(tmp_path, evaluation):
    page = write_report(evaluation, tmp_path / "r", significance=Significance("good", resamples=20))
    overview = data(page, "overview")
    at = [column[0] for column in overview["columns"]].index("esa_c")
    assert overview["systems"][0]["ci"][at] == [1.0, 1.0]
    assert overview["systems"][0]["p"][at] is None
    assert 0 < overview["systems"][1]["p"][at] <= 1
    assert "differs from good, p < 0.05" in overview["comparison"]


def test_ranks_and_clusters_of_all_pairs(tmp_path, evaluation):
    page = write_report(evaluation, tmp_path / "r", significance=Significance("all", resamples=200))
    overview = data(page, "overview")
    names = [column[0] for column in overview["columns"]]
    at, other = names.index("esa_c"), names.index("esic_1")
    assert overview["columns"][at][3] == "higher"
    assert overview["columns"][other][3] == "lower"
    for system in overview["systems"]:
        assert system["rank"][at] is not None
        assert system["rank"][other] is None  # shown for the figure of a metric only
        assert system["cluster"][at] >= 1
    assert "a line ends a cluster" in overview["comparison"]


def test_no_field_becomes_markup(tmp_path):
    graph = Graph.from_triples([(EVIL, EVIL + "p", EVIL + "o")], EVIL)
    corpus = [Example(EVIL, graph, (Reference(EVIL, EVIL),), size=1)]
    found = evaluation_of(corpus, [System(EVIL, (EVIL,))])
    flags = {EVIL: [[Flag(0, 5, EVIL, EVIL, EVIL, EVIL)]]}
    for name in ("r", "r.html"):
        page = write_report(found, tmp_path / name, title=EVIL, flags=flags, warnings=[EVIL])
        files = [page] if name == "r.html" else [path for path in page.parent.rglob("*") if path.is_file()]
        for file in files:
            assert "<img" not in file.read_text("utf-8")
            assert "alert(1)</script>" not in file.read_text("utf-8")
        assert data(page, "texts-0") == [[EVIL]]
        assert data(page, "index")["ids"] == [EVIL]
        assert EVIL in data(page, "overview")["warnings"]


def test_the_policy_allows_no_script_but_ours(page):
    text = page.read_text("utf-8")
    policy = re.search('http-equiv="Content-Security-Policy" content="(.*?)"', text)[1].replace("&#x27;", "'")
    assert policy.startswith("default-src 'none'; script-src '")
    assert "unsafe" not in policy
    scripts = re.findall(r"<script([^>]*)>", text)
    if page.name == "index.html":
        (nonce,) = set(re.findall(r"'nonce-([^']+)'", policy))
        assert len(nonce) >= 22
        assert all(f'nonce="{nonce}"' in one and 'src="assets/' in one for one in scripts)
    else:
        assert [one for one in scripts if "application/json" not in one] == [""]
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)


def test_a_report_replaces_a_report_and_nothing_else(tmp_path, evaluation):
    target = tmp_path / "r"
    page = write_report(evaluation, target)
    (target / "data" / "details-9.js").write_text("old")
    assert write_report(evaluation, target) == page
    assert not (target / "data" / "details-9.js").exists()
    assert stat.S_IMODE(target.stat().st_mode) & 0o700 == 0o700
    (target / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"contains notes\.txt, which is not part of a report"):
        write_report(evaluation, target)
    assert (target / "notes.txt").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_after_an_error_nothing_has_changed(tmp_path, evaluation, monkeypatch):
    page = write_report(evaluation, tmp_path / "r")
    before = page.read_bytes()

    def full(*_arguments, **_more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(EsascoreError, match=r"cannot write .*: No space left on device"):
        write_report(evaluation, tmp_path / "r")
    assert page.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_targets_that_cannot_be(tmp_path, evaluation):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="it is a file"):
        write_report(evaluation, tmp_path / "file")
    for name in ("no/r", "no/r.html"):
        with pytest.raises(UsageError, match="there is no folder"):
            write_report(evaluation, tmp_path / name)


def test_one_file_has_a_limit(tmp_path, evaluation, monkeypatch):
    monkeypatch.setattr(site, "LARGEST_FILE", 100)
    with pytest.raises(UsageError, match="too much for one page"):
        write_report(evaluation, tmp_path / "r.html")
    assert not list(tmp_path.iterdir())


def test_parts_cover_every_input_once(tmp_path, monkeypatch):
    monkeypatch.setattr(content, "TEXTS_CHARACTERS", 60)
    monkeypatch.setattr(content, "DETAILS_CHARACTERS", 400)
    things = [f"Thing{n}" for n in range(23)]
    corpus = [Example(thing, Graph.from_triples([(thing, "in", "Oslo")]), size=1) for thing in things]
    found = evaluation_of(corpus, [System("s", tuple(f"{thing} is in Oslo." for thing in things))])
    page = write_report(found, tmp_path / "r")
    overview = data(page, "overview")
    assert len(overview["texts"]) > 5
    assert len(overview["details"]) > 3
    texts = [text for part in range(len(overview["texts"])) for text in data(page, f"texts-{part}")[0]]
    assert texts == list(found.systems[0].texts)
    sizes = [len(data(page, f"details-{part}")) for part in range(len(overview["details"]))]
    assert sum(sizes) == len(things)
    assert overview["details"] == [sum(sizes[:part]) for part in range(len(sizes))]


def test_detections_are_needed(tmp_path):
    found = evaluate(build_pipeline, CORPUS, SYSTEMS, partial(create_metrics, ["esa"]))
    with pytest.raises(UsageError, match="kept its detections"):
        write_report(found, tmp_path / "r")


class Shouting(ESA):
    """A metric that flags words in capitals, and says where they are."""

    def statistics(self, batch):
        found = [re.finditer(r"\b[A-Z]{2,}\b", text) for text in batch.texts]
        batch.details["loud"] = [[Flag(*match.span(), "loud", "word") for match in some] for some in found]
        return super().statistics(batch)


def test_metrics_that_find_spans_have_them_marked(tmp_path):
    systems = [System("s", ("Kestrel Arena is BIG.", "Bionico.", "Oslo IS OK."))]
    found = evaluate(
        build_pipeline, CORPUS, systems, lambda d: [Shouting.from_detector(d)], keep_detections=True
    )
    page = write_report(found, tmp_path / "r")
    details = data(page, "details-0")
    flags = [[flag[:4] for flag in one["systems"][0]["flags"]] for one in details]
    assert flags == [[[17, 20, "loud", "word"]], [], [[5, 7, "loud", "word"], [8, 10, "loud", "word"]]]
    assert data(page, "overview")["flagged"] is True
    for system in found.systems:  # what else metrics leave is no flag
        system.details["other"] = [("no span",)] * len(system.texts)
    assert data(write_report(found, tmp_path / "r"), "details-0") == details
    page = write_report(evaluation_of(), tmp_path / "r")
    assert data(page, "overview")["flagged"] is False


BERGEN = {"system": "bad", "id": "Id3"}


class TestFlags:
    def read(self, tmp_path, evaluation, *records):
        path = tmp_path / "flags.jsonl"
        lines = [one if isinstance(one, str) else json.dumps(one) for one in records]
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        return read_flags(path, evaluation)

    def test_they_are_read_by_system_and_id(self, tmp_path, evaluation):
        span = {"start": 0, "end": 7, "text": "Bergen.", "class": "extra", "type": "place", "confidence": 1}
        span |= {"expected": "Oslo", "reason": "another place"}
        another = {"system": "another", "id": "?", "hallucinations": []}
        found = self.read(tmp_path, evaluation, BERGEN | {"hallucinations": [span]}, another)
        flag = Flag(0, 7, "extra", "place", confidence=1.0, expected="Oslo", reason="another place")
        assert found == {"good": [(), (), ()], "bad": [(), (), (flag,)]}

    @pytest.mark.parametrize(
        ("record", "problem"),
        [
            ("{", "flags.jsonl:1: not JSON"),
            (BERGEN, "system, id and hallucinations"),
            ({"system": "bad", "id": "Id9", "hallucinations": []}, "no example 'Id9'"),
            (BERGEN | {"hallucinations": [{"start": 0, "end": 99}]}, "not a span of the text"),
            (BERGEN | {"hallucinations": [{"start": True, "end": 2}]}, "not a span of the text"),
            (BERGEN | {"hallucinations": [{"start": 0, "end": 2, "text": "Os"}]}, "no 'Os' at 0"),
            (BERGEN | {"hallucinations": ["Bergen"]}, "must be an object"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, tmp_path, evaluation, record, problem):
        with pytest.raises(DataError, match=problem):
            self.read(tmp_path, evaluation, record)


def test_values_of_data_and_marks_of_markdown(tmp_path):
    has = dict.fromkeys(("pets", "wifi", "pool"), True)
    found = esascore.evaluate([{"name": "Blue Inn", **has, "text": "**Blue Inn**: pets"}], optional="pool")
    page = esascore.report(found, tmp_path / "report")
    index = data(page, "index")
    assert [index["attributes"][n] for n in index["entities"][0]] == ["name", "pets", "wifi", "pool"]
    [system] = data(page, "details-0")[0]["systems"]
    assert system["marks"] == [[0, 2], [10, 12]]
    assert (system["unsaid"], [one[0] for one in system["missing"]]) == ([3], [2])
