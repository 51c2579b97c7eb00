"""Every metric with ``--out`` and in a plain run: equal figures under any cut, or the same refusal."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from esascore.cli import main
from esascore.metrics import METRICS
from esascore.reports.tables import FORMATS
from fakes import PhraseReader
from run.invented import CUTS, corpus, rows_of, tables, write_lines, write_plain

for needed in ("pyarrow", "sacrebleu", "sacremoses"):
    pytest.importorskip(needed)

CORPORA = {"graphs": corpus(), "tables": tables()}
REFUSED = {"graphs": {"parent-t"}, "tables": set()}
"""What a plain run refuses too."""

READER = PhraseReader({"location": ["{s} in {o}"], "course": ["low {o}"]})

ALONE = ["--jobs", "1", "-q"]


@pytest.fixture
def needed(tmp_path, monkeypatch) -> list[str]:
    """What metrics need beside a corpus: counts, and a model of facts."""
    monkeypatch.setattr("esascore.facts.verifier.EncoderVerifier", lambda *_: READER)
    counts = str(tmp_path / "counts.txt")
    assert main(["parent", "cooccurrence", write_plain(tmp_path)[0], "-o", counts]) == 0
    return ["--facts", "model", "--cooccurrence", counts]


def written(result: Path, *arguments: object) -> str:
    """What a command writes into a file."""
    assert main([*map(str, arguments), "-o", str(result)]) == 0
    return result.read_text(encoding="utf-8")


def test_figures_with_out_are_those_of_a_plain_run(tmp_path, needed):
    told_apart = set()
    for name, examples in CORPORA.items():
        names = [metric for metric in METRICS if metric not in REFUSED[name]]
        folder = tmp_path / name
        given = ["--metrics", ",".join(names), *needed, *ALONE]
        plain = written(folder / "plain.json", "score", *write_plain(folder, examples), *given)
        for cut, unit in zip(CUTS, (6, 50_000, 9), strict=True):
            own = folder / cut.__name__
            own.mkdir()
            inputs = cut(own, rows_of(examples))
            run = own / "run"
            found = written(own / "found.json", "score", *inputs, *given, "--out", run, "--unit", unit)
            assert found == plain
            assert written(own / "merged.json", "merge", run) == plain
        told_apart |= {metric for metric in names if differs(metric, plain)}
    # A metric that is new here needs an input, a text or an option with which it has something to say.
    assert set(METRICS) - told_apart == set()


def differs(metric: str, document: str) -> bool:
    """Return whether a metric has a score, and not the same figures, for both systems."""
    module, _, name = METRICS[metric].partition(":")
    fields = [column.field for column in getattr(import_module(module), name).columns]
    fluent, wild = ([own[field] for field in fields] for own in json.loads(document)["systems"])
    return fluent != wild and None not in (fluent[0], wild[0])


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_is_that_of_a_plain_run(tmp_path, format_):
    given = ["--metrics", "esa,parent,bleu", "--format", format_, *ALONE]
    plain = written(tmp_path / "plain.out", "score", *write_plain(tmp_path), *given)
    inputs = CUTS[0](tmp_path, rows_of(CORPORA["graphs"]))
    run = tmp_path / "run"
    assert written(tmp_path / "found.out", "score", *inputs, *given, "--out", run) == plain
    assert written(tmp_path / "merged.out", "merge", run, "--format", format_) == plain


@pytest.mark.parametrize(
    ("corpus", "metric"), [(corpus, metric) for corpus in REFUSED for metric in sorted(REFUSED[corpus])]
)
def test_what_a_plain_run_refuses_is_refused_with_out(tmp_path, capsys, corpus, metric):
    examples = CORPORA[corpus]
    given = ["--metrics", metric, *ALONE]
    assert main(["score", *write_plain(tmp_path, examples), *given]) == 3
    reason = capsys.readouterr().err.strip().removeprefix("esascore: error: ")
    run = tmp_path / "run"
    file = write_lines(tmp_path / "rows.jsonl", rows_of(examples))
    assert main(["score", str(file), *given, "--out", str(run)]) == 1
    told = capsys.readouterr().err
    assert reason in told
    assert "1 of 1 units failed" in told
    assert main(["merge", str(run), "-q"]) == 3


def test_a_metric_whose_totals_cannot_be_read_is_refused(tmp_path, capsys, monkeypatch):
    from esascore.metrics.esa import ESA

    monkeypatch.setattr(ESA, "total_type", dict)
    file = write_lines(tmp_path / "rows.jsonl", rows_of(CORPORA["graphs"][:3]))
    assert main(["score", str(file), "--out", str(tmp_path / "run"), *ALONE]) == 2
    assert "the metric 'esa' cannot be scored with --out" in capsys.readouterr().err
