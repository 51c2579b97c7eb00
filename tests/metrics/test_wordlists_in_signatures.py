"""Every word list that a metric reads is in its signature."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
from esascore.readers import read_corpus, read_outputs
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
