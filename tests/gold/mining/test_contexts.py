"""Which words around a name are learned, and above all which are not."""

from __future__ import annotations

from functools import cache

import pytest

from esascore.gold.mining.contexts import mine_contexts
from esascore.gold.mining.forms import Mined
from esascore.lexicon import UserEntry
from esascore.model import Graph
from esascore.pipeline import Pipeline, build_pipeline

NAMES = ("Arx", "Bolo", "Cedra", "Dunno")


@cache
def pipeline() -> Pipeline:
    return build_pipeline(backend="rapidfuzz")


@pytest.fixture
def learned(make):
    """Learn from (text, annotated string) with one entity each; `N` stands for its name in both."""

    def learn(*cases: tuple[str, str], names=("Arx",), **options) -> dict[tuple[str, str, str], Mined]:
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
        found = mine_contexts(make.texts(*examples), pipeline(), **options)
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
def test_words_beside_a_name_that_people_take_in_or_leave_out(learned, text, mention, kind, form):
    assert learned(*[(text, mention)] * 3) == {(kind, "Arx", form): Mined(kind, "Arx", form, 0.0, 3, 3)}


def test_where_the_rules_do_as_people_nothing_is_learned(learned):
    assert learned(*[("He saw the N today.", "the N")] * 9) == {}
    assert learned(*[("He saw N today.", "N")] * 9) == {}


def test_what_the_rules_tell_apart_is_not_refused_altogether(learned):
    # "the" goes to the name or to the noun after it, and the rules know which
    assert learned(*[("He saw the N today.", "the N")] * 3, *[("He saw the N region.", "N")] * 5) == {}


def test_counts_say_how_often(learned):
    text = "He saw the lovely N today."
    found = learned(*[(text, "the lovely N")] * 3, *[(text, "N")] * 2)
    assert found["before", "Arx", "the lovely"] == Mined("before", "Arx", "the lovely", 0.0, 3, 5)


@pytest.mark.parametrize(("refused", "is_learned"), [(2, True), (3, False)])
def test_the_least_precision(learned, refused, is_learned):
    text = "He saw the lovely N today."
    found = learned(*[(text, "the lovely N")] * 3, *[(text, "N")] * refused)  # 3 of 5; 3 of 6
    assert (("before", "Arx", "the lovely") in found) is is_learned
    assert learned(*[(text, "the lovely N")] * 3, *[(text, "N")] * refused, min_precision=0.7) == {}


def test_the_least_count(learned):
    case = ("He saw the lovely N today.", "the lovely N")
    assert learned(*[case] * 2) == {}
    assert list(learned(*[case] * 2, min_count=2)) == [("before", "Arx", "the lovely")]
    assert learned(*[case] * 3, min_count=4) == {}


def test_a_context_of_any_entity_needs_twice_the_count_and_several_entities(learned):
    case = ("He saw the lovely N today.", "the lovely N")
    general = ("before", "*", "the lovely")
    assert general not in learned(*[case] * 9)  # one entity
    assert general not in learned(*[case] * 5, names=NAMES[:2])  # two
    assert learned(*[case] * 2, names=NAMES[:3])[general] == Mined(*general, 0.0, 6, 6)
    assert general not in learned(*[case] * 2, names=NAMES[:3], min_entities=4)
    assert general not in learned(case, names=NAMES)  # four entities, but four times only


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
def test_capitals_and_digits_are_never_learned(learned, text, mention):
    assert [kind for kind, _, _ in learned(*[(text, mention)] * 9) if not kind.startswith("not-")] == []


def test_an_article_that_begins_a_sentence_is_no_name(learned):
    assert ("before", "Arx", "the lovely") in learned(*[("The lovely N is old.", "The lovely N")] * 3)


def test_contexts_are_of_four_words_at_most(learned):
    four = ("Now big old low red N today.", "big old low red N")
    five = ("Now big old low red wet N today.", "big old low red wet N")
    assert ("before", "Arx", "big old low red") in learned(*[four] * 3)
    assert all(len(form.split()) <= 4 for _, _, form in learned(*[five] * 3))


def test_words_of_a_neighbouring_mention_are_not_learned(make):
    text = "Bolo lovely Arx came."
    gold = [("Bolo", "Bolo"), ("Arx", "Bolo lovely Arx")]
    examples = [
        make.example(f"{n}", [("Bolo", "related", "Arx")], make.reference(text, *gold), category=None)
        for n in range(4)
    ]
    found = mine_contexts(make.texts(*examples), pipeline())
    assert all("bolo" not in one.form for one in found)


def test_annotations_that_are_elsewhere_teach_nothing(learned):
    # the annotated string is not in the text, or does not hold the name
    assert learned(*[("He saw the N today.", "some N")] * 5) == {}
    assert learned(*[("He saw the N today.", "today")] * 5) == {}


def test_what_is_learned_changes_the_border(learned):
    found = learned(*[("He saw the lovely N today.", "the lovely N")] * 3, *[("He saw the N.", "N")] * 3)
    entries = [UserEntry(one.entity, one.form, one.kind) for one in found.values()]
    taught = build_pipeline(lexicon=entries, backend="rapidfuzz")
    graph = Graph.from_triples([("Arx", "related", "Zzyzx_Corner")])
    texts = ["I know the lovely Arx.", "I know the Arx.", "I know an Arx."]
    spans = [[m.text for m in d.mentions] for d in taught.detect([(graph, text) for text in texts])]
    assert spans == [["the lovely Arx"], ["Arx"], ["an Arx"]]


def test_no_texts():
    assert mine_contexts([], pipeline()) == []
