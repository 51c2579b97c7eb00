from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore import metrics, plugins
from esascore.errors import MissingExtraError, UsageError
from esascore.metrics import create_metrics, metric_names
from esascore.metrics.base import Batch, Score, Signature
from esascore.metrics.esa import ESA
from esascore.model import Detection, Example, Graph
from fakes import FakeDetector

keys = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,8}", fullmatch=True)


@given(st.dictionaries(keys, st.text(max_size=10), min_size=1, max_size=4))
def test_signature_reads_its_own_printed_form(parts):
    signature = Signature.of(parts)
    printed = str(signature)
    assert Signature.parse(printed) == signature
    assert printed.count("|") == len(parts) - 1
    assert printed.isprintable() or not all(value.isprintable() for value in parts.values())


@pytest.mark.parametrize("key", ["", "A", "a:b", "a|b", "a b", "ä"])
def test_signature_keys_are_plain(key):
    with pytest.raises(ValueError, match="cannot be a key"):
        Signature.of({key: "x"})


def test_score_prints_undefined_as_a_dash_and_leaves_out_distributions():
    score = Score("m", None, {"x": None, "n": 3, "spread": {"1": 2}}, Signature.of({"k": "v"}))
    assert str(score) == "m = - (x -, n 3) k:v"


def test_batch_detects_once_and_only_when_asked():
    calls = []

    def detect():
        calls.append(1)
        return [Detection("t", ("a", "b"), (), ("b",))]

    batch = Batch([Example("Id1", Graph())], ["t"], detect=detect)
    assert not calls
    assert batch.coverage.tolist() == [[2, 1]]
    assert batch.detections[0].undetected == ("b",)
    assert len(calls) == 1


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
    [mine], [own] = create_metrics(["mine"], FakeDetector()), create_metrics(["esa"], FakeDetector())
    assert (mine.name, mine.signature()) == (own.name, own.signature())


PROJECT = Path(__file__).parents[2]
METRICS = ("esa", "hallucination", "faithfulness", "faithfulness-ref", "parent-e")
PROFILES = ("default", "paper")

# Prints the word lists that a metric reads while it scores the texts of an example system.
TRACE = """
import json, sys
from esascore import wordlists
read, load = set(), wordlists.load
wordlists.load = lambda name: (read.add(name), load(name))[1]
from esascore.examples import example_corpus_path, example_output_paths
from esascore.metrics import create_metrics
from esascore.metrics.base import Batch
from esascore.pipeline import build_pipeline
from esascore.readers.corpus import read_corpus
from esascore.readers.outputs import read_outputs
profile, name = sys.argv[1:]
examples = list(read_corpus(example_corpus_path()))
pipeline = build_pipeline(profile)
[metric] = create_metrics([name], pipeline)
for path in example_output_paths().values():
    texts = read_outputs(path)
    items = [(example.input, text) for example, text in zip(examples, texts, strict=True)]
    metric.statistics(Batch(examples, texts, detect=lambda: pipeline.detect(items)))
print(json.dumps(sorted(read)))
"""
SIGN = """
import json, sys
from esascore.metrics import create_metrics
from esascore.pipeline import build_pipeline
metrics, profiles = json.loads(sys.argv[1])
made = {profile: create_metrics(metrics, build_pipeline(profile)) for profile in profiles}
print(json.dumps([[f"{p} {m.name}", str(m.signature())] for p in profiles for m in made[p]]))
"""


def run(script: str, source: Path, *arguments: str):
    environment = {**os.environ, "PYTHONPATH": str(source)}
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """A copy of package and word lists in which lines may be changed."""
    place = tmp_path_factory.mktemp("copy")
    shutil.copytree(PROJECT / "src", place / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PROJECT / "lexicons", place / "lexicons")
    return place


def test_a_changed_line_changes_the_signature_of_each_metric_that_reads_the_file(copy):
    read = {
        f"{profile} {metric}": set(run(TRACE, copy / "src", profile, metric))
        for profile in PROFILES
        for metric in METRICS
    }
    chosen = json.dumps([METRICS, PROFILES])
    before = dict(run(SIGN, copy / "src", chosen))
    for path in sorted((copy / "lexicons").glob("*.tsv")):
        own = path.read_text("utf-8")
        path.write_text(own.rstrip("\n")[:-1] + "\n", encoding="utf-8")  # one letter of the last line
        after = dict(run(SIGN, copy / "src", chosen))
        path.write_text(own, encoding="utf-8")
        unchanged = {name for name in read if before[name] == after[name]}
        assert not {name for name in unchanged if path.stem in read[name]}, path.stem
    assert read["paper esa"] < read["default esa"] < read["default hallucination"]
