from __future__ import annotations

import pytest

from esascore.errors import DataError, UsageError
from esascore.lexicon import lexicon_digest
from esascore.lexicon.entity_types import nature, nouns, type_words
from esascore.lexicon.places import by_derived_word, by_name
from esascore.model import Entity
from esascore.wordlists import Rows, folder, load, names, read, values


def test_every_lexicon_loads_and_has_rows():
    assert len(names()) >= 13
    for name in names():
        rows = load(name)
        assert rows.rows, name
        assert {len(row) for row in rows.rows} == {len(rows.columns)}


def test_an_unknown_lexicon_is_refused_with_those_that_are_known():
    with pytest.raises(UsageError, match="there is no lexicon 'demonym': known are abbreviations, "):
        load("demonym")
    with pytest.raises(UsageError):
        load("../pyproject")


def test_reading(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_bytes(
        "\ufeff# What: it is.\r\n# source: me\r\n# columns: a\tb\r\n\r\n#9 Dream\tx|y\r\nz\r\n".encode()
    )
    assert read(path) == Rows(
        ("a", "b"), (("What", "it is."), ("source", "me")), (("#9 Dream", "x|y"), ("z", "")), (5, 6)
    )


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        (b"a\tb\n", 1, "a line '# columns: ...' is needed before the rows"),
        (b"# columns: a\nb\tc\n", 2, "2 cells, but the header names 1 columns"),
        (b"# columns: a\nb\n\xff\n", 3, "not UTF-8 (byte 0xff): save the file as UTF-8"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path, content, line, problem):
    path = tmp_path / "a.tsv"
    path.write_bytes(content)
    with pytest.raises(DataError) as raised:
        read(path)
    assert (raised.value.line, raised.value.problem) == (line, problem)


@pytest.mark.parametrize("place", ["missing.tsv", "", "a\0b"])
def test_a_file_that_cannot_be_read(tmp_path, place):
    with pytest.raises(DataError):
        read(f"{tmp_path}/{place}")


def test_only_line_feeds_end_lines(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("# columns: a\nx\u2028y\x0bz\x85\n", encoding="utf-8")
    assert read(path).rows == (("x\u2028y\x0bz\x85",),)


def test_the_digest_depends_on_which_lexicons_are_named():
    assert lexicon_digest(["months", "states"]) == lexicon_digest(["states", "months"])
    assert len({lexicon_digest([name]) for name in names()}) == len(names())


def test_every_demonym_belongs_to_a_place_that_is_found():
    for place, *_ in load("demonyms").rows:
        assert by_name()[place.casefold().removeprefix("the ")].derived, place


@pytest.mark.parametrize("code", ["FR", "DE", "IN", "BR", "JP", "ZA", "CZ", "TR", "MM", "CI", "KR", "NL"])
def test_countries_of_the_world_have_demonyms(code):
    [name] = [values(row[2])[0] for row in load("territories").rows if code in values(row[0])]
    assert by_name()[name.casefold()].adjectives


def test_a_word_can_come_from_several_places():
    assert len(by_derived_word()["congolese"]) == 2


def test_type_words_are_found_however_the_property_is_written():
    assert nature(Entity("X", ("birth_place",))) == nature(Entity("X", ("Birth place",))) == "person"
    assert nature(Entity("X", ("unheard of",))) is None
    assert nature(Entity("X", ("unheard of",), ("leaderName",))) == "person"
    assert nature(Entity("X"), "Airport") == "place"
    assert nouns(Entity("X", (), ("country",)), "Airport") == ("airport", "country", "nation")
    assert nouns(Entity("X"), "Unheard") == ()


def test_natures_are_a_small_vocabulary():
    assert len({kind for kind, _ in type_words().values()}) <= 24


def test_the_lexicons_are_where_the_package_is():
    assert (folder() / "LICENSES.md").is_file()
