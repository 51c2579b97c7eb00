from __future__ import annotations

import pytest

from esascore.model import Example, Graph
from esascore.readers.seen import categories_of, seen_categories, with_seen


def corpus(*categories):
    return [Example(f"Id{n}", Graph(category=category)) for n, category in enumerate(categories)]


@pytest.mark.parametrize(
    ("categories", "seen"),
    [
        (["Food", "Artist", "City"], [True, False, True]),  # 2017
        (["Food", "Artist", "Film"], [True, True, False]),  # 2020
        (["Company", "Politician"], [True, True]),  # only the 2020 challenge has companies
        (["Scientist", "MusicalWork"], [False, False]),
        (["Food", None], [True, None]),
        (["Food", "Bridge"], [None, None]),
        ([None], [None]),
        ([], []),
    ],
)
def test_published_lists(categories, seen):
    assert [example.seen for example in with_seen(corpus(*categories))] == seen


def test_ten_and_sixteen_categories_were_in_training():
    assert [len(seen_categories(corpus(c)) or ()) for c in ("Food", "Film")] == [10, 16]


def test_a_training_corpus_decides():
    training = categories_of(corpus("Bridge", None, "Food"))
    assert training == {"Bridge", "Food"}
    assert [e.seen for e in with_seen(corpus("Bridge", "Museum", None), training)] == [True, False, None]


def test_what_the_corpus_says_stands():
    example = Example("Id1", Graph(category="Food"), seen=False)
    assert list(with_seen([example])) == [example]
