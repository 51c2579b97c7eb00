"""Scores for batches of other engines: the same kind comes back, with the same scores as anywhere."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest

from esascore import evaluate
from esascore.batch import Scorer
from esascore.cli import main
from esascore.errors import DataError, UsageError
from fakes import PhraseReader
from run.invented import rows, write_lines

pa = pytest.importorskip("pyarrow")


def columns() -> dict[str, list]:
    """Rows with triples in columns; one is malformed."""
    some = [row for row in rows(20) if "triples" in row]
    made = {name: [row[name] for row in some] for name in ("id", "system", "text", "references")}
    triples = [[" | ".join(one) for one in row["triples"]] for row in some]
    triples[3] = ["no triple"]
    return {**made, "triples": triples}


@pytest.fixture(scope="module")
def expected():
    return Scorer(["esa", "parent"])(columns())


def test_a_dict_of_lists(expected):
    batch = columns()
    assert list(expected) == [*batch, "esa", "parent", "missing", "error"]
    assert [n for n, error in enumerate(expected["error"]) if error] == [3]
    assert expected["esa"][3] is None
    kept = [n for n in range(len(batch["id"])) if n != 3]
    corpus = [
        {"id": str(n), "triples": batch["triples"][n], "references": batch["references"][n]} for n in kept
    ]
    plain = evaluate(corpus, {"mine": [batch["text"][n] for n in kept]}, metrics=["esa", "parent"])
    for metric in ("esa", "parent"):
        assert [expected[metric][n] for n in kept] == [row["scores"][metric] for row in plain.segments()]


def test_arrays_of_numpy(expected):
    batch = {
        name: np.array(values, dtype=object if isinstance(values[0], list) else None)
        if name != "triples"
        else np.array([np.array(one, object) for one in values] + [None], object)[:-1]
        for name, values in columns().items()
        if name != "references"
    }
    found = Scorer(["esa"])(batch)
    assert found["esa"].dtype == np.float64
    assert math.isnan(found["esa"][3])
    assert [value for value in found["esa"] if not math.isnan(value)] == [
        one for one in expected["esa"] if one is not None
    ]


def test_tables_of_arrow_and_pandas(expected):
    table = Scorer(["esa", "parent"])(pa.table(columns()))
    assert isinstance(table, pa.Table)
    assert table.to_pydict() == expected
    pandas = pytest.importorskip("pandas")
    frame = Scorer(["esa", "parent"])(pandas.DataFrame(columns()))
    assert isinstance(frame, pandas.DataFrame)
    assert [None if math.isnan(one) else one for one in frame["esa"]] == expected["esa"]


def test_columns_of_a_frame_have_one_type_and_a_missing_text_is_blank():
    pandas = pytest.importorskip("pandas")
    triples = ["Bionico | country | Mexico"]
    frame = pandas.DataFrame({"text": ["In Mexico.", None, math.nan], "triples": [triples, triples, ["no"]]})
    scorer = Scorer(["esa"])
    whole = scorer(frame)
    assert whole["esa"].tolist()[:2] == [0.5, 0.0]
    assert whole["missing"].tolist() == [["Bionico"], ["Bionico", "Mexico"], None]
    for part in (frame[:1], frame[1:], frame[2:], frame[:0]):
        assert scorer(part).dtypes.equals(whole.dtypes)
        assert scorer(part).index.equals(part.index)


def test_hugging_face_datasets(expected):
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    dataset = datasets.Dataset.from_dict(columns())
    for size in (4, 1000):
        found = dataset.map(
            Scorer(["esa", "parent"]), batched=True, batch_size=size, load_from_cache_file=False
        )
        assert found["esa"][:] == expected["esa"]
        assert found["parent"][:] == expected["parent"]
        assert found["error"][:] == expected["error"]


def test_it_is_light_to_pickle_after_use(expected):
    scorer = Scorer(["esa", "parent"])
    assert scorer(columns()) == expected
    raw = pickle.dumps(scorer)
    assert len(raw) < 1000
    assert pickle.loads(raw)(columns()) == expected


def test_what_a_run_has_learned_judges_batches_as_the_run_does(tmp_path):
    some = rows(60)
    file = write_lines(tmp_path / "rows.jsonl", some)
    run = tmp_path / "run"
    assert (
        main(["score", str(file), "--out", str(run), "--metrics", "hallucination", "--jobs", "1", "-q"]) == 0
    )
    scorer = Scorer(["hallucination"], learned=run / "learned.json.gz")
    batch = {
        name: [row.get(name) for row in some] for name in ("id", "system", "text", "triples", "references")
    }
    batch["data"] = [json.dumps(row["data"]) if "data" in row else None for row in some]
    found = scorer(batch)
    import pyarrow.parquet as pq

    assert found["hallucination"] == pq.read_table(run / "units").column("hallucination").to_pylist()
    halves = [
        scorer({name: values[part] for name, values in batch.items()})
        for part in (slice(0, 9), slice(9, None))
    ]
    assert halves[0]["hallucination"] + halves[1]["hallucination"] == found["hallucination"]


def test_metrics_of_facts_take_a_model(monkeypatch):
    reader = PhraseReader({"country": ["{s} is from {o}"]})
    monkeypatch.setattr("esascore.facts.verifier.EncoderVerifier", lambda *_: reader)
    batch = {"triples": [["Bionico | country | Mexico"]] * 2, "text": ["Bionico is from Mexico.", "Bionico."]}
    assert Scorer(["facts"], facts="model")(batch)["facts"] == [1.0, 0.0]
    with pytest.raises(UsageError, match="no model that verifies facts"):
        Scorer(["facts"])(batch)


def test_mistakes(tmp_path):
    with pytest.raises(DataError, match="no column triples, records, table, data or of an attribute"):
        Scorer()({"id": ["a"], "text": ["A text."]})
    with pytest.raises(DataError, match=r"nope\.tsv: there is no such file"):
        Scorer(lexicon="nope.tsv")(columns())
    with pytest.raises(DataError, match=r"it cannot be read .*: esascore learn writes it"):
        Scorer(["hallucination"], learned=tmp_path / "k.json.gz")(columns())
    (tmp_path / "other.gz").write_text("{}")
    with pytest.raises(DataError, match="this is not what esascore learn writes"):
        Scorer(["hallucination"], learned=tmp_path / "other.gz")(columns())
    with pytest.raises(UsageError, match="list of names"):
        Scorer("esa")
    with pytest.raises(UsageError, match="on_error"):
        Scorer(on_error="ignore")
    with pytest.raises(UsageError, match="dict of columns"):
        Scorer()(["a"])
    with pytest.raises(DataError, match="different lengths"):
        Scorer()({"text": ["a"], "triples": []})
    for triples in ("['Bionico | country | Mexico']", "[('Bionico', 'country', 'Mexico')]"):
        # What str makes of a list: its brackets would be part of the terms, and its scores wrong.
        scored = Scorer()({"text": ["Bionico"], "triples": [triples]})
        assert scored["esa"] == [None]
        assert "as Python prints it: write it as JSON" in scored["error"][0]
    with pytest.raises(DataError, match="three parts"):
        Scorer(on_error="raise")(columns())
