from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.errors import DataError
from esascore.link.gazetteer.index import (
    ALIAS,
    BARE,
    LABEL,
    PAGE,
    REDIRECT,
    NameIndex,
    NameRecord,
    SectionFile,
    pair_hash,
    word_hash,
    write_sections,
)
from esascore.text.document import read
from esascore.text.words import folded_key

WORDS = st.sampled_from(
    ["a", "ab", "b", "New", "new", "York", "Łódź", "lodz", "Straße", "O'Neil", "12", "北京"]
)
NAMES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


def storable(text: str) -> str:
    """What a trie can hold of a text."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def longest_by_dictionary(names: set[str], words: tuple[str, ...], at: int) -> str | None:
    found = [" ".join(words[at:end]) for end in range(at + 1, len(words) + 1)]
    return next((name for name in reversed(found) if name in names), None)


@settings(deadline=None, max_examples=50)
@given(st.lists(NAMES, max_size=12), st.lists(WORDS, max_size=12))
def test_the_longest_match_is_that_of_a_dictionary(names, text):
    index = NameIndex.of(NameRecord(name, f"E{number}") for number, name in enumerate(names))
    known = {folded_key(name) for name in names}
    words = read(" ".join(text)).words
    for at in range(len(words)):
        expected = longest_by_dictionary(known, words.texts, at)
        found = index.prefixes(words.texts, at)
        assert (found[-1] if found else None) == (None if expected is None else expected + " ")
        if expected is not None:
            hashes = list(map(word_hash, words.texts[at : at + 2]))
            begins = hashes[:1]
            if " " in expected:
                begins.append(pair_hash(*hashes))
            assert any(index.beginnings[h // 8 % len(index.beginnings)] >> h % 8 & 1 for h in begins)


@settings(deadline=None, max_examples=50)
@given(
    st.lists(
        st.builds(
            NameRecord,
            name=st.text(min_size=1, max_size=12).filter(folded_key),
            entity=st.text(st.characters(exclude_characters="_", exclude_categories=["Cs"]), max_size=8),
            kind=st.sampled_from([LABEL, REDIRECT, ALIAS, BARE, PAGE]),
            count=st.integers(0, 2**33),
        ),
        max_size=12,
    )
)
def test_every_name_comes_back_as_it_was_written(records):
    index = NameIndex.of(records)
    expected: dict[tuple[str, str], tuple[int, int]] = {}
    for record in records:
        at = storable(record.name), storable(record.entity).replace(" ", "_")
        best = min(expected.get(at, (9, 0)), (record.kind, -min(record.count, 2**32 - 1)))
        expected[at] = best
    assert {(r.name, r.entity): (r.kind, -r.count) for r in index.records()} == expected
    assert len(index) == len({folded_key(name) for name, _ in expected})


def test_of_several_entities_the_best_comes_first():
    index = NameIndex.of(
        [
            NameRecord("Mercury", "Mercury_(planet)", BARE),
            NameRecord("Mercury", "Mercury_Records", ALIAS, 900),
            NameRecord("Mercury", "Freddie_Mercury", REDIRECT),
            NameRecord("mercury", "Quicksilver", ALIAS, 1000),
            NameRecord("Mercury", "Q3", LABEL, 5),
            NameRecord("Mercury", "Q200", LABEL, 5),
            NameRecord("Mercury", "Q1000", LABEL, 6),
        ]
    )
    assert [(c.entity, c.name) for c in index.find("MERCURY")] == [
        ("Q1000", "Mercury"),
        ("Q3", "Mercury"),
        ("Q200", "Mercury"),
        ("Freddie_Mercury", "Mercury"),
        ("Quicksilver", "mercury"),
        ("Mercury_Records", "Mercury"),
        ("Mercury_(planet)", "Mercury"),
    ]


def test_redirects_are_followed_by_their_exact_title():
    index = NameIndex.of(
        [
            NameRecord("Big Apple", "New_York_City", REDIRECT),
            NameRecord("History of NYC", "New_York_City", PAGE),
            NameRecord("Gotham", "New_York_City", ALIAS),
        ]
    )
    assert index.redirect("Big_Apple") == "New_York_City"
    assert index.redirect("History_of_NYC") == "New_York_City"
    assert index.redirect("Big_apple") is None
    assert index.redirect("Gotham") is None
    assert index.redirect("New_York_City") is None


def test_types_belong_to_entities():
    index = NameIndex.of(
        [NameRecord("A b", "X", LABEL, 0, "Person"), NameRecord("C", "X"), NameRecord("D", "Y")]
    )
    assert [index.find(name)[0].type for name in ("a b", "c", "d")] == ["Person", "Person", None]


def test_an_empty_index_finds_nothing():
    index = NameIndex.of([])
    assert (len(index), index.find("a"), index.prefixes(("a", "b"), 0)) == (0, (), [])


def test_it_can_be_sent_to_another_process():
    index = NameIndex.of([NameRecord("A b", "X_y", ALIAS, 3, "T")])
    assert list(pickle.loads(pickle.dumps(index)).records()) == list(index.records())


# --- the file


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "file"
    with path.open("wb") as out:
        write_sections(out, {"told": "yes"}, {"one": b"abc", "none": b""})
    return path


def test_sections_come_back(file):
    opened = SectionFile.open(file)
    assert opened.facts["told"] == "yes"
    assert (bytes(opened["one"]), bytes(opened["none"])) == (b"abc", b"")


def test_every_changed_or_missing_byte_is_noticed(file):
    whole = file.read_bytes()
    first = whole.rindex(b"abc")
    padding = first - len(whole[:first].rstrip(b"\0"))
    for place in (*range(first - padding), *range(first, first + 3)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(DataError):
            SectionFile.open(file)
        file.write_bytes(whole[:place])
        with pytest.raises(DataError):
            SectionFile.open(file)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not an index of names"),
        (b"PK\x03\x04" + bytes(100), "not an index of names"),
        (b"ESANAMES" + bytes(30), "not an index of names"),
    ],
)
def test_foreign_files(tmp_path, content, message):
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        NameIndex.open(path)


def test_other_versions_and_byte_orders_say_so(file):
    whole = bytearray(file.read_bytes())
    newer = whole.copy()
    newer[8:12] = (99).to_bytes(4, "little") if whole[8] else (99).to_bytes(4, "big")
    file.write_bytes(newer)
    with pytest.raises(DataError, match="format 99, this version reads format 1: build it again"):
        SectionFile.open(file)
    swapped = whole.copy()
    swapped[12:16] = whole[12:16][::-1]
    file.write_bytes(swapped)
    with pytest.raises(DataError, match="byte order"):
        SectionFile.open(file)


@pytest.mark.parametrize("path", ["missing", ".", "a\0b"])
def test_files_that_cannot_be_read(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError):
        NameIndex.open(path)
