from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.claims.hallucinations import Hallucination
from esascore.data import Value
from esascore.errors import DataError
from esascore.gate.accepted import (
    Accepted,
    Entry,
    accepted_lines,
    added_entry,
    digest,
    missing_entry,
    read_accepted,
)

ANY = st.none() | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
ENTRIES = st.builds(
    Entry,
    st.sampled_from(["missing", "added"]),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5),
    ANY,
    ANY,
    ANY,
    st.text(st.characters(exclude_categories=["Cs"]), max_size=3),
)
PERU = Hallucination(0, 4, "Peru", "name", "addition", None, None, 0.5)


@given(entries=st.lists(ENTRIES, max_size=5))
def test_files_round_trip(tmp_path_factory: pytest.TempPathFactory, entries: list[Entry]) -> None:
    path = tmp_path_factory.mktemp("accept") / "a.jsonl"
    path.write_text("".join(accepted_lines(entries)), "utf-8")
    assert read_accepted([path]) == list(dict.fromkeys(entries))


def test_an_entry_holds_for_its_text_only() -> None:
    known = Accepted([added_entry("Id1", "In Peru.", PERU), missing_entry("Id1", "In Peru.", "Mexico")])
    assert known.covers(added_entry("Id1", " In Peru.\n", PERU))
    assert not known.covers(added_entry("Id1", "In Peru!", PERU))
    assert not known.covers(added_entry("Id2", "In Peru.", PERU))
    assert not known.covers(missing_entry("Id1", "In Peru.", "Peru"))
    assert [entry.what for entry in known.unused] == ["Mexico"]


def test_equal_values_of_two_attributes_are_two() -> None:
    known = Accepted([missing_entry("a", "x", Value("yes", "parking"))])
    assert known.covers(missing_entry("a", "x", Value("yes", "parking")))
    assert not known.covers(missing_entry("a", "x", Value("yes", "breakfast")))
    assert Accepted([Entry("missing", "yes")]).covers(missing_entry("a", "x", Value("yes", "breakfast")))


def test_the_hash_is_that_of_the_text() -> None:
    assert digest("a") == digest(" a\n") != digest("b")
    assert digest("\ud800")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"span": "Peru"}', "kind must be missing or added, found None"),
        ('{"kind": "other", "span": "Peru"}', "kind must be missing or added, found 'other'"),
        ('{"kind": "added"}', "span is missing: an entry says what was accepted"),
        ('{"kind": "missing", "span": "Peru"}', "an entry of the kind missing has no field 'span'"),
        ('{"kind": "added", "span": "Peru", "ids": "Id1"}', "no field 'ids': did you mean 'id'?"),
        ('{"kind": "added", "span": "Peru", "id": 1}', "id must be a string, found 1"),
        ('["added"]', "one JSON object per line is needed"),
        ("added", "not JSON"),
    ],
)
def test_lines_that_cannot_be_read(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n" + line, "utf-8")
    with pytest.raises(DataError) as raised:
        read_accepted([path])
    assert f"{path}:2: " in str(raised.value)
    assert message in str(raised.value)
