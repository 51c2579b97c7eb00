"""What an input explains, word by word."""

from __future__ import annotations

import pickle

import pytest

from esascore.claims.explainer import Explainer
from esascore.lexicon import Lexicon, UserEntry
from esascore.lexicon.wordings import is_worded, property_wordings
from esascore.metrics.faithfulness import Faithfulness
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example, Graph
from esascore.pipeline import build_pipeline
from esascore.profiles import load_profile
from esascore.wordlists import load, values
from fakes import graph_of

ARENA = graph_of("""
    Kestrel_Arena | establishedIn | 1980
    Kestrel_Arena | location | Trondheim
    Trondheim | country | Norway
    Kestrel_Arena | leaderName | Jane_Marlowe
""")


@pytest.fixture(scope="module")
def explained():
    return Explainer(Lexicon()).explain(ARENA)


@pytest.mark.parametrize(
    "word",
    [
        *("kestrel", "arenas", "norwegian", "trondhiem", "ka"),  # labels, derived, misspelt, initials
        *("established", "establishing", "1980", "country", "marlowe"),
    ],
)
def test_explained_words(explained, word):
    assert explained.word(word)


@pytest.mark.parametrize("word", ["1981", "19800", "sweden", "stadium", "stable", "oslo", "x", ""])
def test_unexplained_words(explained, word):
    assert not explained.word(word)


def test_numbers_are_explained_exactly():
    graph = Graph.from_triples([("Arena", "capacity", "12299")])
    known = Explainer(Lexicon()).explain(graph)
    assert (known.word("12299"), known.word("12298"), known.word("1229")) == (True, False, False)


def test_a_word_like_a_person_may_name_another(explained):
    assert explained.unexplained_words.among(["marlawe", "marlowe", "trondhiem", "oslo"]) == {
        "marlawe",
        "oslo",
    }


def test_properties_may_be_put_into_words(explained):
    assert explained.says("founded")
    assert not explained.word("founded")
    assert not explained.says("married")


def test_wordings_name_words_that_can_be_met():
    for names, _, words in load("wordings").rows:
        assert all(word == word.lower() and word.isalpha() for word in (*values(names), *values(words)))
    assert "born" in property_wordings("birthPlace")
    assert "made" in property_wordings("mainIngredients")


@pytest.mark.parametrize(
    ("name", "words", "worded"),
    [
        ("location", "in", True),
        ("birthPlace", "in", False),
        ("birthPlace", "born", True),
        ("of", "in", False),
    ],
)
def test_what_words_a_property(name, words, worded):
    assert is_worded(name, frozenset([words]), frozenset([words])) is worded


def test_hallucinations_and_faithfulness_agree_on_what_is_explained():
    graph = Graph.from_triples([("Kestrel_Arena", "location", "Trondheim")])
    text = "KA is in Trondheim."
    pipeline = build_pipeline()
    assert Hallucinations(pipeline).find([Example("Id1", graph)], [text]) == [()]
    assert Faithfulness().explain(graph, text).unsupported == ()


def test_the_languages_of_the_profile_are_those_of_the_explanation(tmp_path):
    graph = Graph.from_triples([("Kestrel_Arena", "openingDate", "1998-05-04")])
    text = "Die Kestrel Arena ist seit dem 4. Mai 1998 offen, im Mai und Juni."

    def found(profile):
        [some] = Hallucinations(build_pipeline(profile, language="en")).find([Example("Id1", graph)], [text])
        return {one.text for one in some}

    german = tmp_path / "german.toml"
    german.write_text('base = "default"\n[dates]\nlanguages = ["de"]\n', encoding="utf-8")
    assert {"Mai", "Juni"} & found("default")
    assert not {"Mai", "Juni"} & found(load_profile(german))


def test_forms_of_a_user_do_not_explain_the_words_in_them():
    entry = UserEntry("Kestrel Arena", "Kestrel Arena in London")
    explained = Explainer(Lexicon(user=(entry,))).explain(ARENA)
    assert not explained.word("london")


def test_an_explainer_is_pickled_without_what_it_remembers():
    explainer = Explainer(Lexicon(), ("de",))
    explainer.explain(ARENA)
    again = pickle.loads(pickle.dumps(explainer))
    assert again.languages == explainer.languages
    assert again.explain(ARENA) == explainer.explain(ARENA)
