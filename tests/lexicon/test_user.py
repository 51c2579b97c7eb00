from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.errors import DataError
from esascore.lexicon import UserEntry, read_user_lexicon, read_user_lexicons


@pytest.fixture
def write(tmp_path):
    def write(content: str | bytes, name: str = "my.tsv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def test_the_plain_form(write):
    path = write(
        "# nicknames\n\nAbilene,_Texas\tKey City\tthe Friendly Frontier\t\n#9_Dream\t number nine \n"
    )
    assert read_user_lexicon(path) == (
        UserEntry("Abilene, Texas", "Key City", "alias", 0.0, "my.tsv", 3),
        UserEntry("Abilene, Texas", "the Friendly Frontier", "alias", 0.0, "my.tsv", 3),
        UserEntry("#9 Dream", "number nine", "alias", 0.0, "my.tsv", 4),
    )


def test_the_form_with_a_header(write):
    path = write(
        "# columns: kind\tentity\tform\tcost\tcount\n"
        "alias\tA\tB\t0.05\t7\n"
        "drop\tA\tC\t\t\n"
        "\tA\tD\n"  # the kind is alias, and what is missing at the end is empty
    )
    assert read_user_lexicon(path) == (
        UserEntry("A", "B", "alias", 0.05, "my.tsv", 2),
        UserEntry("A", "C", "drop", 0.0, "my.tsv", 3),
        UserEntry("A", "D", "alias", 0.0, "my.tsv", 4),
    )


KINDS = "# columns: kind\tentity\tform\n"


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ("A\n", 1, "an entity and a surface form are needed, separated by a tab"),
        ("A B\n", 1, "an entity and a surface form are needed, separated by a tab"),
        ("A\tB\n\tC\n", 2, "the entity is empty"),
        ("A\t\tB\n", 1, "the surface form is empty"),
        ("# columns: entity\n", 1, "the header must name the column 'form' once"),
        ("# columns: entity form\n", 1, "the header must name the column 'entity' once"),
        ("# columns: entity\tform\tform\n", 1, "the header must name the column 'form' once"),
        ("# columns: entity\tform\nA\tB\tC\n", 2, "3 cells, but the header names 2 columns"),
        (KINDS + "alais\tA\tB\n", 2, "unknown kind 'alais': known are alias, drop, before, "),
        ("# columns: entity\tform\tcost\nA\tB\tcheap\n", 2, "the cost 'cheap' is not a number from 0 to 1"),
        ("# columns: entity\tform\tcost\nA\tB\tnan\n", 2, "the cost 'nan' is not a number from 0 to 1"),
        ("# columns: entity\tform\tcost\nA\tB\t-0.1\n", 2, "the cost '-0.1' is not a number from 0 to 1"),
        (KINDS + "alias\tA\tB\ndrop\tA\tB\n", 3, "'B' is alias of 'A' in line 2 and drop here: keep one"),
        (b"A\tB\nC\t\xe9\n", 2, "not UTF-8 (byte 0xe9): save the file as UTF-8"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(write, content, line, problem):
    path = write(content)
    with pytest.raises(DataError) as raised:
        read_user_lexicon(path)
    assert str(raised.value).startswith(f"{path}:{line}: {problem}")


def test_repetitions_are_left_out_and_files_follow_each_other(write):
    first, second = write("A\tB\nA\tB\n", "1.tsv"), write("A\tC\n", "2.tsv")
    assert [(e.form, e.file, e.line) for e in read_user_lexicons([first, second])] == [
        ("B", "1.tsv", 1),
        ("C", "2.tsv", 1),
    ]


def test_a_missing_file(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        read_user_lexicon(tmp_path / "none.tsv")


@given(st.binary(max_size=60))
def test_any_bytes_give_entries_or_a_data_error(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "any.tsv"
    path.write_bytes(content)
    entries = ()
    with suppress(DataError):
        entries = read_user_lexicon(path)
    assert all(entry.entity and entry.form for entry in entries)
