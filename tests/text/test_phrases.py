from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from esascore.lexicon.known_names import corpus_names
from esascore.model import Example, Graph, Reference
from esascore.text.phrases import Phrases
from esascore.text.words import name_words

WORD = st.sampled_from(["new", "york", "city", "of", "oslo"])
NAME = st.lists(WORD, min_size=1, max_size=4).map(tuple)


@given(names=st.lists(NAME, max_size=8), words=st.lists(WORD, min_size=1, max_size=9))
def test_the_longest_name_at_each_word_is_found(names, words):
    index = Phrases.of((" ".join(name), " ".join(name)) for name in names)
    for start in range(len(words)):
        here = [name for name in names if tuple(words[start : start + len(name)]) == name]
        expected = max(here, key=len, default=None)
        found = index.longest(words, start)
        assert found == (None if expected is None else (start + len(expected), " ".join(expected)))


def test_of_two_entities_with_one_name_the_first_counts():
    assert Phrases.of([("Oslo!", "first"), ("oslo", "second")]).longest(["oslo"], 0) == (1, "first")


def test_names_are_compared_without_case_accents_and_punctuation():
    assert name_words("Saint-Étienne (Loire)") == ("saint", "etienne", "loire")
    assert name_words("...") == ()


def example(number: int, object_: str, *texts: str) -> Example:
    references = tuple(Reference(f"Id{n}", text) for n, text in enumerate(texts, 1))
    return Example(f"Id{number}", Graph.from_triples([("Zorb", "course", object_)]), references)


def test_common_words_that_references_use_freely_are_no_names():
    graphs = [example(1, "Dessert"), example(2, "Soup", "A dessert."), example(3, "Cake", "This dessert.")]
    assert ("dessert",) not in corpus_names(graphs)
    assert ("dessert",) in corpus_names(graphs[:2])  # one input may be a mistake
    assert ("soup",) in corpus_names(graphs)


def test_a_name_that_is_explained_where_it_is_used_stays_one():
    used = [example(n, "Dessert", "Zorb is a dessert.") for n in range(5)]
    assert ("dessert",) in corpus_names(used)


def test_numbers_are_no_names():
    assert ("1999",) not in corpus_names([example(1, "1999"), example(2, '"1999"^^xsd:gYear')])


def test_what_is_written_in_small_letters_is_no_name():
    names = corpus_names([example(1, "dessert"), example(2, "sour milk"), example(3, "zorblax")])
    assert not {("dessert",), ("sour", "milk"), ("zorblax",)} & set(names.entities)


def test_values_of_data_are_names():
    data = {"name": "The Eagle", "rating": "Low", "area": "City centre", "near": "Café Rouge"}
    names = corpus_names([Example("Id1", Graph.from_data(data))])
    assert {("the", "eagle"), ("city", "centre"), ("cafe", "rouge")} <= set(names.entities)
