"""What is learned from annotations, and above all what is not."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from esascore.gold.mentions.benchmark import annotated_texts, read_annotated
from esascore.gold.mining.forms import COLUMNS, Mined, lexicon_lines, mine
from esascore.lexicon import Lexicon, read_user_lexicon
from esascore.model import Entity, Example, GoldMention, Graph, Reference

TRIPLES = [("Zorblax_House", "location", "London"), ("Zorblax_House", "tenant", "Kestrel_Corporation")]


def corpus(*texts: tuple[str, list[tuple[str, str]]], triples=TRIPLES):
    """Texts of one input, each with its (entity, string[, kind]) annotations."""
    references = tuple(
        Reference(f"Id{n}", text, mentions=tuple(GoldMention(*([*m, "name"][:3])) for m in mentions))
        for n, (text, mentions) in enumerate(texts, 1)
    )
    return annotated_texts([Example("Id1", Graph.from_triples(triples), references)])


def learned(texts, **options) -> dict[tuple[str, str], Mined]:
    return {(m.entity, m.form): m for m in mine(texts, **options)}


def test_an_alias_is_learned_with_its_counts():
    text = "The Zorb is in London. People like the Zorb."
    mentions = [("Zorblax_House", "The Zorb"), ("London", "London")]
    found = learned(corpus((text, mentions), (text, mentions)), min_precision=0.5)
    assert found == {("Zorblax_House", "Zorb"): Mined("alias", "Zorblax_House", "Zorb", 0.05, 2, 4)}


def test_determiners_and_possessives_are_no_part_of_it():
    texts = [
        ("London has the ZH.", [("Zorblax_House", "the ZH"), ("London", "London")]),
        ("ZH's tenants like London.", [("Zorblax_House", "ZH 's"), ("London", "London")]),
    ]
    assert learned(corpus(*texts))["Zorblax_House", "ZH"].annotated == 2


def test_an_article_is_not_mistaken_for_an_initial():
    text = "A.B Korp is a tenant."
    found = learned(corpus((text, [("Kestrel_Corporation", "A.B Korp")])), min_count=1)
    assert list(found) == [("Kestrel_Corporation", "A.B Korp")]


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        pytest.param("The Zorb in London is big.", "The Zorb in London", id="names another entity"),
        pytest.param("The Zorb in Norway is big.", "The Zorb in Norway", id="names a place"),
        pytest.param("London is big.", "London", id="is another entity"),
        pytest.param(
            "Zorblax House in Leeds is big.", "Zorblax House in Leeds", id="has a name beside a known form"
        ),
        pytest.param("The house is big.", "The house", id="is a description"),
        pytest.param("It was big. It was red.", "was big. It", id="holds a pronoun"),
        pytest.param(
            "The Zorb of 1921 is big.", "The Zorb of 1921", id="holds a number that is not the entity's"
        ),
        pytest.param("A Z is big.", "Z", id="is too short"),
    ],
)
def test_what_is_never_learned(text, mention):
    texts = corpus(*[(text, [("Zorblax_House", mention)])] * 3)
    assert not [m for m in mine(texts) if m.kind == "alias"]


def test_a_known_form_cut_short_is_not_learned():
    texts = corpus(*[("Zorblax House is big.", [("Zorblax_House", "Zorblax")])] * 3)
    assert not [m for m in mine(texts, lexicon=Lexicon(("label", "number"))) if m.kind == "alias"]


def test_common_words_around_a_known_form_are_learned():
    texts = corpus(
        *[("The office block Zorblax House is big.", [("Zorblax_House", "The office block Zorblax House")])]
        * 2
    )
    assert learned(texts)["Zorblax_House", "office block Zorblax House"].cost == 0


def test_a_form_that_is_mostly_something_else_is_not_learned():
    right = ("The Zorb is big.", [("Zorblax_House", "The Zorb")])
    wrong = ("Zorblax House beats the Zorb.", [("Zorblax_House", "Zorblax House")])
    assert ("Zorblax_House", "Zorb") in learned(corpus(right, right, wrong))
    assert ("Zorblax_House", "Zorb") not in learned(corpus(right, right, wrong, wrong, wrong))
    assert ("Zorblax_House", "Zorb") in learned(corpus(right, right, wrong, wrong, wrong), min_precision=0.4)


def test_occurrences_inside_longer_mentions_tell_nothing():
    short = ("The Zorb is big.", [("Zorblax_House", "The Zorb")])
    longer = ("The Zorb office is big.", [("Zorblax_House", "The Zorb office")])
    found = learned(corpus(short, short, longer, longer, longer))
    assert found["Zorblax_House", "Zorb"].occurs == 2


def test_a_variant_that_is_never_annotated_is_refused():
    text = ("Kestrel makes noise near Zorblax House.", [("Zorblax_House", "Zorblax House")])
    found = learned(corpus(*[text] * 5))
    assert found == {
        ("Kestrel_Corporation", "Kestrel"): Mined("drop", "Kestrel_Corporation", "Kestrel", 0.0, 0, 5)
    }
    assert learned(corpus(*[text] * 4)) == {}


def test_numbers_and_dates_teach_nothing():
    triples = [("Zorblax_House", "height", "28.0 (metres)"), ("Zorblax_House", "opened", '"1 June 2009"')]
    text = (
        "It is 28 metres, of June 1st, 2009.",
        [("28.0 (metres)", "28 metres"), ('"1 June 2009"', "June 1st , 2009")],
    )
    assert mine(corpus(text, text, triples=triples)) == []


def test_what_is_written_can_be_used(tmp_path):
    text = ("The Zorb is in London.", [("Zorblax_House", "The Zorb")])
    found = mine(corpus(text, text))
    written = "".join(lexicon_lines(found, source="two\ntexts"))
    assert "# source: two texts\n" in written
    assert "# columns: " + "\t".join(COLUMNS) in written
    path = tmp_path / "mined.tsv"
    path.write_text(written, encoding="utf-8")
    lexicon = Lexicon(user=read_user_lexicon(path))
    assert "Zorb" in {v.text for v in lexicon.variants(Entity("Zorblax_House"))}


def test_the_order_of_texts_makes_no_difference():
    texts = corpus(
        ("The Zorb is big.", [("Zorblax_House", "The Zorb")]),
        ("The zorb is big.", [("Zorblax_House", "The zorb")]),
        ("The KCorp is big.", [("Kestrel_Corporation", "The KCorp")]),
    )
    assert mine(texts, min_count=1) == mine(texts[::-1], min_count=1)
    assert ("Zorblax_House", "Zorb") in learned(texts)  # of equally frequent spellings the first in order


@pytest.mark.corpora
def test_the_annotated_corpus_teaches_no_name_of_a_place():
    folder = os.environ.get("ESASCORE_DATA")
    if not folder:
        pytest.skip("ESASCORE_DATA is not set: no annotated corpus")
    texts = read_annotated(Path(folder) / "enriched-webnlg-1.6" / "en" / "dev")
    found = mine(texts)
    kinds = Counter(m.kind for m in found)
    assert kinds["alias"] > 50
    house = [m.form for m in found if m.entity == "Broadcasting_House"]
    assert not [form for form in house if "London" in form]
