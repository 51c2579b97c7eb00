"""What is learned from annotations, and above all what is not: names and the words around them."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from esascore.gold.mentions.benchmark import annotated_texts, read_annotated
from esascore.gold.mining.contexts import mine_contexts
from esascore.gold.mining.forms import COLUMNS, Mined, lexicon_lines, mine
from esascore.lexicon import Lexicon, UserEntry, read_user_lexicon
from esascore.model import Entity, Example, GoldMention, Graph, Reference
from esascore.pipeline import Pipeline, build_pipeline

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
        ("The Zorb in London is big.", "The Zorb in London"),  # names another entity
        ("The Zorb in Norway is big.", "The Zorb in Norway"),  # names a place
        ("London is big.", "London"),  # is another entity
        ("Zorblax House in Leeds is big.", "Zorblax House in Leeds"),  # has a name beside a known form
        ("The house is big.", "The house"),  # is a description
        ("It was big. It was red.", "was big. It"),  # holds a pronoun
        ("The Zorb of 1921 is big.", "The Zorb of 1921"),  # holds a number that is not the entity's
        ("A Z is big.", "Z"),  # is too short
    ],
)
def test_what_is_never_learned(text, mention):
    texts = corpus(*[(text, [("Zorblax_House", mention)])] * 3)
    assert not [m for m in mine(texts) if m.kind == "alias"]


def test_a_known_form_cut_short_is_not_learned():
    texts = corpus(*[("Zorblax House is big.", [("Zorblax_House", "Zorblax")])] * 3)
    assert not [m for m in mine(texts, lexicon=Lexicon(("label", "number"))) if m.kind == "alias"]


def test_common_words_around_a_known_form_are_learned():
    text = ("The office block Zorblax House is big.", [("Zorblax_House", "The office block Zorblax House")])
    assert learned(corpus(text, text))["Zorblax_House", "office block Zorblax House"].cost == 0


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
def test_the_annotated_corpus_teaches_no_name_of_a_place(dev):
    found = mine(read_annotated(dev))
    kinds = Counter(m.kind for m in found)
    assert kinds["alias"] > 50
    house = [m.form for m in found if m.entity == "Broadcasting_House"]
    assert not [form for form in house if "London" in form]


NAMES = ("Arx", "Bolo", "Cedra", "Dunno")


@cache
def pipeline() -> Pipeline:
    return build_pipeline(backend="rapidfuzz")


@pytest.fixture
def contexts(make):
    """Learn from (text, annotated string) with one entity each; `N` stands for its name in both."""

    def learn(*cases: tuple[str, str], names=("Arx",)) -> dict[tuple[str, str, str], Mined]:
        examples = [
            make.example(
                f"{name}-{n}",
                [(name, "related", "Zzyzx_Corner")],
                make.reference(text.replace("N", name), (name, mention.replace("N", name))),
                category=None,
            )
            for name in names
            for n, (text, mention) in enumerate(cases)
        ]
        found = mine_contexts(make.texts(*examples), pipeline())
        return {(one.kind, one.entity, one.form): one for one in found}

    return learn


@pytest.mark.parametrize(
    ("text", "mention", "kind", "form"),
    [
        ("He saw the lovely N today.", "the lovely N", "before", "the lovely"),
        ("He saw N valley today.", "N valley", "after", "valley"),
        ("He saw the N today.", "N", "not-before", "the"),
        ("He saw N's dog today.", "N", "not-after", "' s"),
    ],
)
def test_words_beside_a_name_that_people_take_in_or_leave_out(contexts, text, mention, kind, form):
    assert contexts(*[(text, mention)] * 3) == {(kind, "Arx", form): Mined(kind, "Arx", form, 0.0, 3, 3)}


def test_where_the_rules_do_as_people_nothing_is_learned(contexts):
    assert contexts(*[("He saw the N today.", "the N")] * 9) == {}
    assert contexts(*[("He saw N today.", "N")] * 9) == {}


def test_what_the_rules_tell_apart_is_not_refused_altogether(contexts):
    # "the" goes to the name or to the noun after it, and the rules know which
    assert contexts(*[("He saw the N today.", "the N")] * 3, *[("He saw the N region.", "N")] * 5) == {}


@pytest.mark.parametrize(("refused", "is_learned"), [(2, True), (3, False)])
def test_the_least_precision(contexts, refused, is_learned):
    text = "He saw the lovely N today."
    found = contexts(*[(text, "the lovely N")] * 3, *[(text, "N")] * refused)  # 3 of 5; 3 of 6
    assert (("before", "Arx", "the lovely") in found) is is_learned
    assert contexts(*[(text, "the lovely N")] * 2) == {}


def test_a_context_of_any_entity_needs_twice_the_count_and_several_entities(contexts):
    case = ("He saw the lovely N today.", "the lovely N")
    general = ("before", "*", "the lovely")
    assert general not in contexts(*[case] * 9)  # one entity
    assert general not in contexts(*[case] * 5, names=NAMES[:2])  # two
    assert contexts(*[case] * 2, names=NAMES[:3])[general] == Mined(*general, 0.0, 6, 6)
    assert general not in contexts(case, names=NAMES)  # four entities, but four times only


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ("He saw Upper N today.", "Upper N"),  # may be the name of a neighbour
        ("He saw N Valley today.", "N Valley"),
        ("He saw the 3 N today.", "the 3 N"),
        ("He saw N 1970 today.", "N 1970"),
        ("He saw the iPod N today.", "the iPod N"),
    ],
)
def test_capitals_and_digits_are_never_learned(contexts, text, mention):
    assert [kind for kind, _, _ in contexts(*[(text, mention)] * 9) if not kind.startswith("not-")] == []


def test_an_article_that_begins_a_sentence_is_no_name(contexts):
    assert ("before", "Arx", "the lovely") in contexts(*[("The lovely N is old.", "The lovely N")] * 3)


def test_contexts_are_of_four_words_at_most(contexts):
    four = ("Now big old low red N today.", "big old low red N")
    five = ("Now big old low red wet N today.", "big old low red wet N")
    assert ("before", "Arx", "big old low red") in contexts(*[four] * 3)
    assert all(len(form.split()) <= 4 for _, _, form in contexts(*[five] * 3))


def test_words_of_a_neighbouring_mention_are_not_learned(make):
    text = "Bolo lovely Arx came."
    gold = [("Bolo", "Bolo"), ("Arx", "Bolo lovely Arx")]
    examples = [
        make.example(f"{n}", [("Bolo", "related", "Arx")], make.reference(text, *gold), category=None)
        for n in range(4)
    ]
    found = mine_contexts(make.texts(*examples), pipeline())
    assert all("bolo" not in one.form for one in found)


def test_annotations_that_are_elsewhere_teach_nothing(contexts):
    # the annotated string is not in the text, or does not hold the name
    assert contexts(*[("He saw the N today.", "some N")] * 5) == {}
    assert contexts(*[("He saw the N today.", "today")] * 5) == {}


def test_what_is_learned_changes_the_border(contexts):
    found = contexts(*[("He saw the lovely N today.", "the lovely N")] * 3, *[("He saw the N.", "N")] * 3)
    entries = [UserEntry(one.entity, one.form, one.kind) for one in found.values()]
    taught = build_pipeline(lexicon=entries, backend="rapidfuzz")
    graph = Graph.from_triples([("Arx", "related", "Zzyzx_Corner")])
    texts = ["I know the lovely Arx.", "I know the Arx.", "I know an Arx."]
    spans = [[m.text for m in d.mentions] for d in taught.detect([(graph, text) for text in texts])]
    assert spans == [["the lovely Arx"], ["Arx"], ["an Arx"]]
