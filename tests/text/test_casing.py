"""What capitals tell about names."""

from __future__ import annotations

import pytest

from esascore.text.casing import is_written_as
from esascore.text.document import read


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Oslo is big", False),
        ("It is Oslo", True),
        ("it is oslo", False),
        ("IT IS OSLO", False),
        ("Dr. Bo went. he saw Ada. it was", True),
        ("Über Åland", True),
        ("", None),
    ],
)
def test_where_capitals_tell_something(text, told):
    casing = read(text).casing
    if told is not None:
        assert casing.tell(1) == told


def test_sentences_without_capitals_in_a_text_with_some():
    capitals = read("It is Oslo. it is oslo. It is Rome!").casing
    assert [capitals.tell(n) for n in (0, 3, 6)] == [True, False, True]
    assert [capitals.begins(n) for n in range(9)] == [True, False, False] * 3
    assert capitals.crossed(2, 4)
    assert not capitals.crossed(3, 6)


@pytest.mark.parametrize(
    ("words", "name", "fits"),
    [
        ("University of Zorb", "University Of Zorb", True),
        ("university of Zorb", "University of Zorb", False),
        ("New zorb", "New Zorb", False),
        ("NEW ZORB", "New Zorb", True),
        ("iPhone", "IPhone", True),
        ("Nasa", "NASA", False),
        ("jazz music", "Jazz music", True),
        ("Jazz Music", "Jazz music", True),
    ],
)
def test_how_names_may_be_written(words, name, fits):
    assert is_written_as(words.split(), name.split()) == fits


def test_capitals_on_every_word_tell_nothing():
    assert not read("The Old Hall Of Zorb Stands In Oslo").casing.tell(0)
    assert read("The Old Hall").casing.tell(0)  # too few words to judge
