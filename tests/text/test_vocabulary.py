from __future__ import annotations

import pytest

from esascore.text.vocabulary import english_words, is_misspelt


@pytest.mark.parametrize("word", ["is", "as", "her", "per", "led", "colour", "color", "cities", "happily"])
def test_common_words(word):
    assert word in english_words().common


@pytest.mark.parametrize("word", ["london", "texas", "parkersburg"])
def test_proper_words_are_not_common(word):
    assert word in english_words().proper
    assert word not in english_words().common


@pytest.mark.parametrize(
    ("word", "is_one"),
    [
        ("goverment", True),  # left out
        ("locatted", True),  # put in
        ("univeristy", True),  # swapped
        ("buildong", True),  # changed
        ("zanzibor", False),
        ("oslow", False),  # short words are like too many others
        ("ocated", False),  # people get the first letter right
    ],
)
def test_misspellings(word, is_one):
    assert is_misspelt(word) is is_one
