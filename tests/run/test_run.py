"""Shards through the command line: the same figures as a plain run, whatever the cut; resuming; mistakes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from esascore.cli import main
from esascore.learned.gathering import Gathered
from esascore.metrics import create_metrics
from esascore.pipeline import Ruler
from esascore.readers.choice import Choice
from esascore.run import blocks, files
from esascore.run.engines import local_engine
from esascore.run.files import score_files
from esascore.run.storage import Folder
from run.invented import CUTS, METRICS, rows, write_lines, write_plain

pytest.importorskip("pyarrow")
import pyarrow as pa
import pyarrow.parquet as pq


def scored(*arguments: object, code: int = 0) -> None:
    assert main(["score", *map(str, arguments), "--jobs", "1", "-q"]) == code


def figures(file: Path) -> dict:
    document = json.loads(file.read_text(encoding="utf-8"))
    return {"signature": document["signature"], **{one["system"]: one for one in document["systems"]}}


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plain")
    scored(*write_plain(folder), "--metrics", METRICS, "-o", folder / "scores.json")
    return figures(folder / "scores.json")


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("unit", [6, 50_000])
def test_any_cut_gives_the_figures_of_a_plain_run(tmp_path, plain, cut, unit):
    arguments = *cut(tmp_path, rows()), "--metrics", METRICS, "--unit", unit, "--out", tmp_path / "run"
    scored(*arguments, "-o", tmp_path / "scores.json")
    assert figures(tmp_path / "scores.json") == plain
    assert main(["merge", str(tmp_path / "run"), "-o", str(tmp_path / "again.json")]) == 0
    assert figures(tmp_path / "again.json") == plain


def test_what_a_result_holds(tmp_path):
    some = rows()[:12]
    file = write_lines(tmp_path / "rows.jsonl", some)
    scored(file, "--out", tmp_path / "run", "--metrics", "esa,hallucination")
    [file] = (tmp_path / "run" / "units").iterdir()
    table = pq.read_table(file)
    assert table.column_names == [
        *("id", "system", "row", "esa", "hallucination", "missing", "flagged", "error", "statistics")
    ]
    assert table.column("id").to_pylist() == [row["id"] for row in some]
    spans = [
        (row["text"][span["start"] : span["end"]], span["text"])
        for row, found in zip(some, table.column("flagged").to_pylist(), strict=True)
        for span in found
    ]
    assert spans
    assert all(cut == text for cut, text in spans)
    assert [file.name for file in tmp_path.joinpath("run").rglob(".*")] == []


def units(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mtime_ns for file in (folder / "units").iterdir()}


def test_the_same_command_again_scores_only_what_is_missing(tmp_path):
    file = write_lines(tmp_path / "rows.jsonl", rows(30))
    command = file, "--metrics", "esa", "--unit", 15, "--out", tmp_path / "run"
    scored(*command, "-o", tmp_path / "first.json")
    before = units(tmp_path / "run")
    assert len(before) >= 3
    gone = sorted(before)[1]
    (tmp_path / "run" / "units" / gone).unlink()
    assert main(["merge", str(tmp_path / "run"), "-q"]) == 3  # one is missing
    scored(*command, "-o", tmp_path / "second.json")
    after = units(tmp_path / "run")
    assert [name for name in after if after[name] != before.get(name)] == [gone]
    assert figures(tmp_path / "first.json") == figures(tmp_path / "second.json")


def flipped(content: bytes, bits: range) -> Iterator[bytes]:
    for bit in bits:
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        yield bytes(damaged)


@pytest.mark.parametrize(("name", "step"), [("units/*.parquet", 101), ("run.json", 53)])
def test_a_bit_that_flips_changes_no_figure(tmp_path, name, step):
    command = write_lines(tmp_path / "rows.jsonl", rows()[:12]), "--metrics", "esa", "--out", tmp_path / "run"
    scored(*command, "-o", tmp_path / "scores.json")
    expected, again = figures(tmp_path / "scores.json"), tmp_path / "again.json"
    [file] = (tmp_path / "run").glob(name)
    whole = file.read_bytes()
    refused = 0
    for damaged in flipped(whole, range(0, 8 * len(whole), step)):
        file.write_bytes(damaged)
        code = main(["merge", str(tmp_path / "run"), "-q", "-o", str(again)])
        assert code in (0, 3)
        assert code == 3 or figures(again) == expected
        refused += code == 3
    assert refused > 20


def test_a_damaged_unit_is_scored_again(tmp_path):
    command = write_lines(tmp_path / "rows.jsonl", rows()[:12]), "--metrics", "esa", "--out", tmp_path / "run"
    scored(*command)
    [file] = (tmp_path / "run" / "units").iterdir()
    table, whole = pq.read_table(file), file.read_bytes()
    at = 8 * whole.index(b'"totals"')
    page = 8 * pq.ParquetFile(file).metadata.row_group(0).column(0).data_page_offset + 8 * 40
    for damaged in flipped(whole, range(at, at + 64, 8)), flipped(whole, range(page, page + 64, 8)):
        for content in damaged:
            file.write_bytes(content)
            scored(*command)
            assert pq.read_table(file).equals(table)
            assert file.read_bytes() != content


def test_two_runs_in_one_folder_are_told_so(tmp_path, capsys, monkeypatch):
    file, run = write_lines(tmp_path / "rows.jsonl", rows()[:12]), tmp_path / "run"
    command = file, "--metrics", "esa", "--out", run
    run.mkdir()
    with Folder(str(run)).claimed():
        scored(*command, code=2)
    assert "another run is writing to this folder" in capsys.readouterr().err
    assert not (run / "run.json").exists()
    scored(*command)
    # Without locks it is noticed at the end.
    folder = Folder(str(run))

    def meanwhile(*_arguments):
        folder.save("run.json", {**folder.load("run.json"), "key": "other"})
        return ()

    monkeypatch.setattr(files, "results", meanwhile)
    scored(*command, code=6)
    assert "another run wrote to this folder meanwhile" in capsys.readouterr().err


def test_other_settings_and_other_rows_are_scored_again(tmp_path):
    some = rows()
    file = write_lines(tmp_path / "rows.jsonl", some)
    command = file, "--metrics", "esa", "--unit", 12, "--out", tmp_path / "run"
    scored(*command)
    before = units(tmp_path / "run")
    scored(*command, "--profile", "paper", "-o", tmp_path / "paper.json")
    paper = units(tmp_path / "run")
    assert all(paper[name] != before[name] for name in before)
    plain = write_plain(tmp_path / "plain")
    scored(*plain, "--metrics", "esa", "--profile", "paper", "-o", tmp_path / "expected.json")
    assert figures(tmp_path / "paper.json") == figures(tmp_path / "expected.json")
    # A row of the same length: neither name nor size of the file changes.
    changed = max(n for n, row in enumerate(some) if row["text"])
    some[changed]["text"] = "x" * len(some[changed]["text"])
    write_lines(file, some)
    scored(*command, "--profile", "paper")
    after = units(tmp_path / "run")
    assert sum(after[name] != paper[name] for name in after) == 1


def test_what_was_learned_is_known_for_the_same_rows(tmp_path, plain, monkeypatch):
    file = write_lines(tmp_path / "rows.jsonl", rows())
    scores = tmp_path / "scores.json"
    command = file, "--metrics", METRICS, "--unit", 10, "--out", tmp_path / "run", "-o", scores
    looked_at = []
    gather = Gathered.add
    monkeypatch.setattr(Gathered, "add", lambda self, *row: (looked_at.append(row), gather(self, *row)))
    for _ in range(2):
        scored(*command)
        assert figures(scores) == plain
        assert len(looked_at) == len(rows())
    write_lines(file, rows(30))
    scored(*command)
    assert len(looked_at) == len(rows()) + 60


def test_progress_is_told_in_the_middle_of_a_unit(tmp_path):
    file = str(write_lines(tmp_path / "rows.jsonl", rows(600)))
    told = []
    how = {"choice": Choice(), "progress": lambda *done: told.append(done)}
    with local_engine(2) as engine:
        make_metrics = partial(create_metrics, ["esa"])
        score_files([file], str(tmp_path / "run"), Ruler(learned="none"), make_metrics, engine, **how)
    assert told == [(blocks.BATCH, 1200), (1200, 1200), (1200, 1200)]


def test_a_unit_of_malformed_rows_alone(tmp_path, plain):
    write_lines(tmp_path / "in" / "good.jsonl", rows())
    write_lines(tmp_path / "in" / "bad.jsonl", [{"id": "x"}])
    run, scores = tmp_path / "run", tmp_path / "scores.json"
    scored(tmp_path / "in", "--metrics", METRICS, "--max-malformed", 0.1, "--out", run, "-o", scores)
    assert figures(scores) == plain
    assert len({pq.read_schema(file).remove_metadata() for file in (run / "units").iterdir()}) == 1


def test_what_is_no_longer_an_input_no_longer_counts(tmp_path):
    one, two = (
        write_lines(tmp_path / "in" / f"{name}.jsonl", some)
        for name, some in (("a", rows()[:9]), ("b", rows()[9:]))
    )
    scored(tmp_path / "in", "--out", tmp_path / "run")
    two.unlink()
    earlier = pa.table({"esa": [0.5]}).replace_schema_metadata({"esascore": "{}"})  # of another version
    pq.write_table(earlier, tmp_path / "run" / "units" / "earlier.parquet")
    scored(tmp_path / "in", "--out", tmp_path / "run", "-o", tmp_path / "scores.json")
    assert len(units(tmp_path / "run")) == 1
    assert figures(tmp_path / "scores.json")["fluent"]["texts"] == 9
    assert one.exists()


def test_malformed_rows_are_recorded(tmp_path, capsys):
    good = [json.dumps(row) for row in rows()]
    twice = json.dumps({**rows()[19], "text": "Another text."})
    bad = [
        "{",
        json.dumps({"id": "x", "text": "No input."}),
        json.dumps({**rows()[1], "id": None}),
        twice,
        "",
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join([*good[:20], *bad, *good[20:]]) + "\n", encoding="utf-8")
    command = file, "--metrics", "esa", "--unit", 30, "--out", tmp_path / "run"
    scored(*command, code=3)
    assert "--max-malformed" in capsys.readouterr().err
    scored(*command, "--max-malformed", "0.01", code=3)
    capsys.readouterr()
    given = [*command, "--max-malformed", 0.1, "--jobs", 1, "-o", tmp_path / "s.json"]
    assert main(["score", *map(str, given)]) == 0
    told = capsys.readouterr().err
    assert "rows.jsonl:21: not JSON" in told
    assert "rows.jsonl:22: triples or records or table or data is missing" in told
    assert "rows.jsonl:23: id is missing" in told
    expected = write_plain(tmp_path / "plain")
    scored(*expected, "--metrics", "esa", "-o", tmp_path / "expected.json")
    found, wanted = figures(tmp_path / "s.json"), figures(tmp_path / "expected.json")
    assert found == wanted
    table = pq.read_table(tmp_path / "run" / "units")
    assert table.num_rows == len(good) + 4
    assert sum(error is not None for error in table.column("error").to_pylist()) == 4


def test_a_row_that_is_in_two_units_is_refused(tmp_path, capsys):
    file = write_lines(tmp_path / "rows.jsonl", [*rows(), rows()[20]])
    scored(file, "--unit", 5, "--out", tmp_path / "run", code=3)
    assert "would count twice" in capsys.readouterr().err


def test_runs_of_two_machines_add_up(tmp_path, capsys):
    some = rows()
    given = "--metrics", "esa,parent", "--profile", "paper"
    for name, part in (("a", some[:17]), ("b", some[17:])):
        scored(write_lines(tmp_path / f"{name}.jsonl", part), *given, "--out", tmp_path / name)
    assert main(["merge", str(tmp_path / "a"), str(tmp_path / "b"), "-o", str(tmp_path / "both.json")]) == 0
    scored(*write_plain(tmp_path / "plain"), *given, "-o", tmp_path / "expected.json")
    assert figures(tmp_path / "both.json") == figures(tmp_path / "expected.json")
    # What was learned from other rows cannot be added up.
    more = rows(120)
    for name, part in (("a", more[:70]), ("b", more[50:120])):
        own = write_lines(tmp_path / f"{name}.jsonl", part)
        scored(own, "--metrics", "hallucination", "--out", tmp_path / name)
    assert main(["merge", str(tmp_path / "a"), str(tmp_path / "b"), "-q"]) == 3
    assert "learned from other rows" in capsys.readouterr().err
    scored(tmp_path / "b.jsonl", "--metrics", "parent", "--out", tmp_path / "b")
    assert main(["merge", str(tmp_path / "a"), str(tmp_path / "b"), "-q"]) == 3
    assert "settings" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--engine", "ray"], "--out"),
        (
            ["--out", "RUN", "--by", "size"],
            "--by cannot be used with --out: it needs the scores of all texts",
        ),
        (
            ["--out", "RUN", "--significance", "all"],
            "omit --out, or compute it from the files in DIR/units",
        ),
        (["--out", "RUN", "--segments", "x"], "the scores of each text are in the files in DIR/units"),
        (["--out", "RUN", "--input-format", "jsonl"], "rows are JSON lines or Parquet"),
        (["--out", "RUN", "--address", "auto"], "--engine ray"),
        (["-", "--out", "RUN"], "standard input"),
        (["ROWS", "--out", "RUN"], "given twice"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, capsys, more, told):
    file = str(write_lines(tmp_path / "rows.jsonl", rows()[:4]))
    names = {"RUN": str(tmp_path / "run"), "ROWS": file}
    scored(file, *(names.get(one, one) for one in more), code=2)
    assert told in capsys.readouterr().err


def test_what_is_no_file_of_rows_is_refused(tmp_path, capsys):
    xml = tmp_path / "corpus.xml"
    xml.write_text("<benchmark/>", encoding="utf-8")
    cut_off = tmp_path / "rows.parquet"
    cut_off.write_bytes(b"PAR1 and no more")
    (tmp_path / "empty").mkdir()
    for name, told in (
        ("corpus.xml", "neither"),
        ("rows.parquet", "Parquet"),
        ("empty", "no file of rows"),
        ("gone", "no such file"),
    ):
        scored(tmp_path / name, "--out", tmp_path / "run", code=3)
        assert told in capsys.readouterr().err
    assert main(["merge", str(tmp_path / "empty")]) == 3


def test_a_named_file_in_the_folder_of_results_is_an_input(tmp_path, capsys):
    file = write_lines(tmp_path / "rows.jsonl", rows()[:6])
    scored(file, "--out", tmp_path, "-o", tmp_path / "scores.json")
    assert figures(tmp_path / "scores.json")["fluent"]["texts"] == 6
    scored(tmp_path, "--out", tmp_path, code=3)
    assert "except in the folder of --out" in capsys.readouterr().err


def test_what_cannot_be_merged(tmp_path, capsys):
    file = write_lines(tmp_path / "rows.jsonl", rows()[:4])
    scored(file, "--out", tmp_path / "run")
    for arguments, code, told in (
        ([file], 3, "this is not a folder with a run"),
        ([tmp_path / "gone"], 3, "this is not a folder with a run"),
        ([tmp_path / "run", tmp_path / "run"], 2, "is given twice"),
    ):
        assert main(["merge", *map(str, arguments)]) == code
        assert told in capsys.readouterr().err


def test_a_folder_of_results_below_that_of_inputs_is_no_input(tmp_path):
    write_lines(tmp_path / "rows.jsonl", rows()[:6])
    for _ in range(2):
        scored(tmp_path, "--out", tmp_path / "run", "-o", tmp_path / "scores.json")
    assert figures(tmp_path / "scores.json")["fluent"]["texts"] == 6


def test_without_pyarrow_the_message_names_the_extra(tmp_path, capsys, monkeypatch):
    file = write_lines(tmp_path / "rows.jsonl", rows()[:4])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.fs", None)
    scored(file, "--out", tmp_path / "run", code=5)
    assert "pip install 'esascore[shards]'" in capsys.readouterr().err


def test_without_ray_the_message_names_the_extra(tmp_path, capsys, monkeypatch):
    file = write_lines(tmp_path / "rows.jsonl", rows()[:4])
    monkeypatch.setitem(sys.modules, "ray", None)
    scored(file, "--out", tmp_path / "run", "--engine", "ray", code=5)
    assert "pip install 'esascore[ray]'" in capsys.readouterr().err


def test_urls_of_arrow_and_of_fsspec(tmp_path):
    file = write_lines(tmp_path / "in" / "rows.jsonl", rows()[:6])
    scored(f"file://{file.parent}", "--out", f"file://{tmp_path}/run", "-o", tmp_path / "arrow.json")
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/in/rows.jsonl", file.read_bytes())
    scored("memory://in/rows.jsonl", "--out", "memory://run", "-o", tmp_path / "fsspec.json")
    assert figures(tmp_path / "arrow.json") == figures(tmp_path / "fsspec.json")


@pytest.mark.parametrize("url", ["s3://no bucket/rows", "nothing://rows"])
def test_a_url_that_cannot_be_opened_is_one_line(tmp_path, capsys, url):
    assert main(["score", url, "--out", str(tmp_path / "run"), "-q"]) in (2, 3, 5, 6)
    assert capsys.readouterr().err.count("\n") == 1


def test_files_of_others_stay_in_a_folder_that_is_no_run(tmp_path, capsys):
    file = write_lines(tmp_path / "rows.jsonl", rows()[:4])
    mine = tmp_path / "mine"
    (mine / "units").mkdir(parents=True)
    (mine / "units" / "chapter.txt").write_text("keep")
    pq.write_table(pa.table({"keep": [1]}), mine / "units" / "measures.parquet")
    scored(file, "--out", mine)
    assert (mine / "units" / "chapter.txt").read_text() == "keep"
    assert pq.read_table(mine / "units" / "measures.parquet").num_rows == 1
    other = tmp_path / "other"
    other.mkdir()
    (other / "run.json").write_text('{"mine": 1}')
    scored(file, "--out", other, code=3)
    assert "would replace it: choose another DIR" in capsys.readouterr().err
    assert [one.name for one in other.iterdir()] == ["run.json"]
    assert main(["merge", str(other)]) == 3
    assert "this is not from esascore score --out" in capsys.readouterr().err


def test_metrics_without_references_are_warned_of(tmp_path, capsys):
    some = [{name: value for name, value in row.items() if name != "references"} for row in rows()[:4]]
    file = write_lines(tmp_path / "rows.jsonl", some)
    scored(file, "--out", tmp_path / "run", "--metrics", "esa,parent,bleu")
    capsys.readouterr()
    assert main(["merge", str(tmp_path / "run")]) == 0
    assert "no row has references: parent, bleu cannot score any" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["fluent.txt"], "every argument holds rows"),
        (["name=rows.jsonl"], "named by the field system of their rows"),
    ],
)
def test_arguments_of_a_plain_run_are_told_apart(tmp_path, monkeypatch, capsys, arguments, told):
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "rows.jsonl", rows()[:4])
    (tmp_path / "fluent.txt").write_text("A text.\n")
    scored("rows.jsonl", *arguments, "--out", "run", code=3)
    assert told in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_what_is_missing_is_named_by_its_attribute(tmp_path):
    row = {"id": "a", "system": "x", "name": "Blue Inn", "wifi": True, "pool": True, "text": "It has wifi."}
    file = write_lines(tmp_path / "rows.jsonl", [row])
    scored(file, "--out", tmp_path / "run")
    [found] = list((tmp_path / "run" / "units").glob("*.parquet"))
    assert pq.read_table(found)["missing"].to_pylist() == [["Blue Inn (name)", "yes (pool)"]]
