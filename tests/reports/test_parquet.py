"""JSON lines as Parquet: nothing is lost, whatever the lines hold."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.claims.hallucinations import Hallucination
from esascore.fact_results import FactVerdict
from esascore.model import Detection, Example, Input, LinkedMention, LinkFailure, Mention, Triple
from esascore.reports import parquet
from esascore.reports.jsontext import to_json
from esascore.reports.lines import detection_record
from esascore.reports.parquet import DETECTIONS, HALLUCINATIONS, SEGMENTS, parquet_pieces

pytest.importorskip("pyarrow", reason="needs esascore[arrow]")
pq = pytest.importorskip("pyarrow.parquet", reason="needs esascore[arrow]")

TRIPLE = Triple("Bionico", "country", "Mexico")


def file_of(records, types):
    lines = (to_json(record) + "\n" for record in records)
    return io.BytesIO(b"".join(parquet_pieces(lines, types)))


def rows_of(records, types):
    return pq.read_table(file_of(records, types)).to_pylist()


def kept(value):
    """What is left of a row without what is null."""
    if isinstance(value, dict):
        return {name: kept(own) for name, own in value.items() if own is not None}
    return [kept(own) for own in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    "links", [None, LinkFailure("down"), (LinkedMention(0, 7, "Bionico", "Bionico", 0.5),)]
)
def test_every_field_of_a_detection_has_a_column(links):
    mention = Mention("Bionico", 0, 7, "Bionico", "string", 0.0)
    found = Detection("Bionico.", ("Bionico", "Mexico", "no"), (mention,), ("Mexico", "no"), links)
    verdict = FactVerdict(TRIPLE, "contradicted", 0.25, known=True, instead=TRIPLE)
    data = {"name": "Bionico", "country": "Mexico", "hot": False}
    record = detection_record(Example("Id1", Input.from_data(data)), found, [verdict])
    [row] = rows_of([record], DETECTIONS)
    assert [one["value"] for one in row["missing"]] == ["Mexico", "false"]
    wanted = json.loads(to_json(record))
    assert kept([{**row, "missing": wanted["missing"]}]) == kept([wanted])


def test_every_field_of_a_hallucination_has_a_column():
    one = Hallucination(0, 4, "Peru", "name", "replacement", "Peru", "Mexico", 0.5, "Mexico", "why", TRIPLE)
    record = {"system": "a", "id": "1", "text": "Peru", "hallucinations": [one.as_dict()]}
    record |= {"language": "en", "linker_failure": "x"}
    assert rows_of([record], HALLUCINATIONS) == [json.loads(to_json(record))]


def test_a_field_without_a_column_is_not_dropped_in_silence():
    with pytest.raises(TypeError, match="there is no column for mood"):
        rows_of([{"system": "a", "id": "1", "scores": {}, "mood": "good"}], SEGMENTS)
    with pytest.raises(TypeError, match="there is no column for mood"):
        rows_of([{"hallucinations": [{"start": 1, "mood": "good"}]}], HALLUCINATIONS)


def test_a_score_that_is_undefined_at_first_has_a_type():
    records = [{"system": "a", "id": str(n), "scores": {"esa": score}} for n, score in enumerate([None, 0.5])]
    assert [row["scores"] for row in rows_of(records, SEGMENTS)] == [{"esa": None}, {"esa": 0.5}]


def test_row_groups_are_bounded(monkeypatch):
    monkeypatch.setattr(parquet, "_ROWS", 3)
    records = [{"system": "a", "id": str(n), "scores": {"esa": 1}} for n in range(10)]
    file = pq.ParquetFile(file_of(records, SEGMENTS))
    assert [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)] == [3, 3, 3, 1]


def test_what_is_half_a_character():
    (row,) = rows_of([{"system": "a\udcff", "id": "1", "scores": {"esa": 1.0}}], SEGMENTS)
    assert row["system"] == "a\ufffd"


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "system": st.text(st.characters(codec="utf-8")),
                "id": st.text(st.characters(codec="utf-8")),
                "scores": st.fixed_dictionaries({"esa": st.none() | st.floats(0, 1)}),
            }
        ),
        min_size=1,
        max_size=5,
    )
)
def test_rows_are_the_lines(records):
    assert rows_of(records, SEGMENTS) == [{**record, "linker_failure": None} for record in records]
