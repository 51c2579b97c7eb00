"""Texts from which an entity was removed: what they say, how they are drawn, and verdicts on them by hand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.errors import UsageError
from esascore.examples import example_path
from esascore.gold.counterfactual.make import make_counterfactuals
from esascore.gold.counterfactual.removal import (
    REMOVERS,
    droppable,
    options_of_date,
    options_of_number,
    with_digit,
)
from esascore.gold.counterfactual.sensitivity import failures, judge, summarise_verdicts
from esascore.gold.mentions.benchmark import read_annotated
from esascore.gold.mentions.forms import content_words, label_of, word_string
from esascore.model import Cell, Detection, Example, Input, Mention
from esascore.readers.corpus import read_corpus

EXAMPLES = read_annotated(example_path("annotated.xml"))


def changed(make, kind, text, *gold, triples, others=(), **options):
    """The texts of all entities removed from one text, by entity; donors come from ``others`` too."""
    examples = [make.example("A", triples, make.reference(text, *gold)), *others]
    made = make_counterfactuals(make.texts(*examples), kinds=[kind], per_text=None, **options)
    return {one.entity: one for one in made if one.source.example.id == "A"}


@pytest.fixture
def donor(make):
    """Another dish, country and creator."""
    return make.example(
        "D",
        [("Brisk_pie", "country", "Arvenia"), ("Brisk_pie", "creator", "Paul_Quill")],
        make.reference(
            "Brisk pie is Arvenia's. It is by Paul Quill.",
            ("Brisk_pie", "Brisk pie"),
            ("Arvenia", "Arvenia 's"),
            ("Brisk_pie", "It", "pronoun"),
            ("Paul_Quill", "Paul Quill"),
        ),
    )


TRIPLES = [("Tolma_stew", "country", "Kelland"), ("Tolma_stew", "creator", "Lena_Voss")]
TEXT = "Tolma stew is Kelland's dish. Its creator is Lena Voss, who loved it."
GOLD = [
    ("Tolma_stew", "Tolma stew"),
    ("Kelland", "Kelland 's"),
    ("Tolma_stew", "Its", "pronoun"),
    ("Lena_Voss", "Lena Voss"),
    ("Tolma_stew", "it", "pronoun"),
]


def test_all_mentions_are_replaced_pronouns_and_possessives_too(make, donor):
    found = changed(make, "replace", TEXT, *GOLD, triples=TRIPLES, others=[donor])
    assert {entity: one.text for entity, one in found.items()} == {
        "Tolma_stew": "Brisk pie is Kelland's dish. Brisk pie's creator is Lena Voss, who loved Brisk pie.",
        "Kelland": "Tolma stew is Arvenia's dish. Its creator is Lena Voss, who loved it.",
        "Lena_Voss": "Tolma stew is Kelland's dish. Its creator is Paul Quill, who loved it.",
    }
    stew = found["Tolma_stew"]
    assert [(span.start, span.text, span.entity) for span in stew.inserted] == [
        (0, "Brisk pie", "Brisk_pie"),
        (29, "Brisk pie", "Brisk_pie"),
        (73, "Brisk pie", "Brisk_pie"),
    ]
    assert (stew.counted, stew.uncounted) == (("Kelland", "Lena_Voss"), ())


def test_her_is_possessive_before_a_noun_only(make, donor):
    text = "Lena Voss met her cook, who liked her."
    gold = [("Lena_Voss", "Lena Voss"), ("Lena_Voss", "her", "pronoun"), ("Lena_Voss", "her", "pronoun")]
    found = changed(make, "replace", text, *gold, triples=TRIPLES, others=[donor])
    assert found["Lena_Voss"].text == "Paul Quill met Paul Quill's cook, who liked Paul Quill."


def test_a_donor_fills_the_same_property_or_has_the_same_category(make):
    text = make.reference("Marl House, Ana Bett", ("Marl_House", "Marl House"), ("Ana_Bett", "Ana Bett"))
    other = make.example("B", [("Marl_House", "architect", "Ana_Bett")], text, category="Building")
    assert changed(make, "replace", TEXT, *GOLD, triples=TRIPLES, others=[other]) == {}


@pytest.mark.parametrize(
    ("triples", "text", "gold"),
    [
        # The donor's name, another name of it, or its label shares a word with text or graph.
        ([("Brisk_pie", "country", "New_Kelland")], "Brisk pie, New Kelland", "New Kelland"),
        ([("Brisk_pie", "country", "The_Dish_Land")], "Brisk pie, Landia", "Landia"),
        # Somewhere in the corpus it is joined with an entity of the graph ...
        ([("Brisk_pie", "country", "Arvenia"), ("Arvenia", "north", "Kelland")], "Arvenia", "Arvenia"),
        # ... and pronouns and gold slips are no names.
        ([("Brisk_pie", "country", "Arvenia")], "Brisk pie is theirs", "theirs"),
        ([("Brisk_pie", "country", "Arvenia")], "Brisk pie is of Arvenia", "of Arvenia"),
    ],
)
def test_related_entities_are_no_donors(make, triples, text, gold):
    other = make.example("D", triples, make.reference(text, (triples[0][2], gold)))
    assert "Kelland" not in changed(make, "replace", TEXT, *GOLD, triples=TRIPLES, others=[other])


def test_an_entity_that_once_had_the_same_name_is_no_donor(make):
    other = [
        make.example("D", [("Pie", "country", "Arvenia")], make.reference("Arvenia", ("Arvenia", "Arvenia"))),
        make.example(
            "E",
            [("Pie", "country", "Arvenia"), ("Cake", "country", "Kelland")],
            make.reference("Nordia and Nordia", ("Arvenia", "Nordia"), ("Kelland", "Nordia")),
        ),
    ]
    assert "Kelland" not in changed(make, "replace", TEXT, *GOLD, triples=TRIPLES, others=other)


def test_texts_that_still_name_the_entity_are_not_made(make, donor):
    def removable(text, *gold, triples=TRIPLES):
        return set(changed(make, "replace", text, *gold, triples=triples, others=[donor]))

    kelland = ("Kelland", "Kelland")
    assert removable("Tolma stew is from Kelland.", kelland) == {"Kelland"}
    # An occurrence that nobody annotated, whole or in part.
    assert removable("Kelland eats it. It is from Kelland.", kelland) == set()
    assert removable("Lena Voss met Voss.", ("Lena_Voss", "Lena Voss")) == set()
    # The same words within another entity's mention.
    two = [*TRIPLES, ("Kelland", "capital", "Kelland_City")]
    assert removable("Kelland, Kelland City", kelland, ("Kelland_City", "Kelland City"), triples=two) == set()
    # Only lower-case words are left: those are no name.
    assert removable("Tolma stew is a stew.", ("Tolma_stew", "Tolma stew")) == {"Tolma_stew"}
    # A mention that cannot be located may be anywhere.
    assert removable("It is from Kelland.", kelland, ("Kelland", "Nowhere")) == set()
    # Another entity with the same label.
    same = [*TRIPLES, ("Tolma_stew", "name", '"Kelland"')]
    assert removable("It is from Kelland.", kelland, triples=same) == set()
    # Pronouns alone are not a name that could be replaced.
    assert removable("It is good.", ("Tolma_stew", "It", "pronoun")) == set()


def test_uncertain_texts_can_be_asked_for(make, donor):
    text, gold = "Kelland eats it. It is from Kelland.", ("Kelland", "Kelland")
    options = {"triples": TRIPLES, "others": [donor], "uncertain": True}
    found = changed(make, "replace", text, gold, **options)["Kelland"]
    assert (found.text, found.certain) == ("Arvenia eats it. It is from Kelland.", False)
    assert all(one.certain for one in changed(make, "replace", TEXT, *GOLD, **options).values())
    same = [*TRIPLES, ("Tolma_stew", "name", '"Kelland"')]
    options["triples"] = same
    assert not changed(make, "replace", "It is from Kelland.", gold, **options)["Kelland"].certain


def test_entities_that_share_a_word_are_not_counted(make, donor):
    triples = [*TRIPLES, ("Tolma_stew", "region", "North_Kelland"), ("Tolma_stew", "served", "Warm")]
    gold = [*GOLD, ("North_Kelland", "the north"), ("Warm", "It", "pronoun")]
    found = changed(make, "replace", TEXT + " It is from the north.", *gold, triples=triples, others=[donor])
    assert found["Kelland"].counted == ("Tolma_stew", "Lena_Voss")
    assert found["Kelland"].uncounted == ("North_Kelland", "Warm")


def test_a_clause_is_deleted_where_nothing_else_is_lost(make):
    found = changed(make, "delete", TEXT, *GOLD, triples=TRIPLES)
    assert {entity: (one.unit, one.text) for entity, one in found.items()} == {
        "Tolma_stew": ("mention", "is Kelland's dish. creator is Lena Voss, who loved."),
        "Kelland": ("mention", "Tolma stew is dish. Its creator is Lena Voss, who loved it."),
        "Lena_Voss": ("clause", "Tolma stew is Kelland's dish."),
    }
    assert all(one.inserted == () for one in found.values())
    assert found["Lena_Voss"].counted == ("Tolma_stew", "Kelland")


def test_a_preposition_goes_with_its_mention(make):
    gold = [("Kelland", "Kelland"), ("Lena_Voss", "Lena Voss")]
    found = changed(make, "delete", "In Kelland, Lena Voss was born.", *gold, triples=TRIPLES)
    assert found["Kelland"].text == "Lena Voss was born."
    assert found["Lena_Voss"].text == "In Kelland, was born."
    only = changed(make, "delete", "Kelland.", ("Kelland", "Kelland"), triples=TRIPLES)
    assert only == {}  # nothing would be left


def test_parts_that_can_be_dropped():
    first, second, third = "Ann met Dr. No in St. Ives", ", who is tall", " and has a dog"
    text = f"{first}{second}{third}. It barks."
    parts = [second, third, f"{first}{second}{third}. ", " It barks."]
    assert [text[slice(*span)] for span in droppable(text, [])] == parts
    assert droppable(text, [(0, len(text))]) == []


NUMBERS = [("Hall", "rooms", "1299"), ("Hall", "opened", "1937-04-27"), ("Hall", "architect", "Odd_Harsen")]


def test_one_digit_of_a_number_changes_alike_in_all_mentions(make):
    gold = [("1299", "1,299"), ("1299", "1299")]
    one = changed(make, "number", "The 1,299 rooms, all 1299, are big.", *gold, triples=NUMBERS)["1299"]
    first, second = (span.text for span in one.inserted)
    assert first.replace(",", "") == second != "1299"
    assert sum(a != b for a, b in zip("1299", second, strict=True)) == 1
    words = [("1299", "1,299"), ("1299", "thirteen hundred")]
    assert changed(make, "number", "1,299, or thirteen hundred", *words, triples=NUMBERS) == {}


def test_one_digit_of_a_date_changes(make):
    gold = ("1937-04-27", "April 27 , 1937")
    found = changed(make, "date", "It opened on April 27, 1937.", gold, triples=NUMBERS)
    (span,) = found["1937-04-27"].inserted
    assert span.text.startswith("April 2")
    assert sum(a != b for a, b in zip("April 27, 1937", span.text, strict=True)) == 1


@given(st.integers(1, 28), st.sampled_from(["{}th of May 1937", "{}/04/1937", "May {}"]))
def test_changed_dates_are_possible(day, form):
    mention = form.format(day)
    for position, digit in options_of_date(mention):
        new = with_digit(mention, position, digit)
        numbers = [int(word) for word in content_words(new) if word.isdecimal()]
        assert new != mention
        assert all(1 <= number <= 28 or 1900 <= number <= 1999 for number in numbers)


@given(st.integers(0, 10**9))
def test_changed_numbers_are_other_numbers_of_the_same_length(number):
    mention = f"{number:,}"
    for position, digit in options_of_number(mention):
        new = with_digit(mention, position, digit)
        assert int(new.replace(",", "")) != number
        assert len(new) == len(mention)
        assert not new.startswith("0")


def test_the_second_word_of_a_name_changes(make, donor):
    gold = [("Lena_Voss", "Lena Voss"), ("Lena_Voss", "Voss 's")]
    found = changed(make, "name", "Lena Voss cooks. Voss's stew.", *gold, triples=TRIPLES, others=[donor])
    assert found["Lena_Voss"].text == "Lena Quill cooks. Quill's stew."
    assert [span.text for span in found["Lena_Voss"].inserted] == ["Lena Quill", "Quill"]
    gold = [("Lena_Voss", "Lena Voss"), ("Lena_Voss", "She", "pronoun")]
    assert changed(make, "name", "Lena Voss. She.", *gold, triples=TRIPLES, others=[donor]) == {}


def test_lower_case_keeps_spans():
    made = make_counterfactuals(EXAMPLES, kinds=list(REMOVERS))
    low = make_counterfactuals(EXAMPLES, kinds=list(REMOVERS), lowercase=True)
    assert [one.text.lower() for one in made] == [one.text for one in low]
    assert all(one.text[span.start : span.end] == span.text for one in low for span in one.inserted)
    assert all(one.lowercased for one in low)
    assert not any(one.lowercased for one in made)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.sampled_from(list(REMOVERS)), min_size=1, unique=True))
def test_what_holds_of_every_counterfactual(seed, kinds):
    made = make_counterfactuals(EXAMPLES, kinds=kinds, seed=seed)
    assert made == make_counterfactuals(EXAMPLES, kinds=kinds, seed=seed)
    assert len({one.id for one in made}) == len(made)
    for one in made:
        terms = [entity.term for entity in one.source.example.input.entities]
        assert {one.entity, *one.counted, *one.uncounted} == set(terms)
        assert len(terms) == 1 + len(one.counted) + len(one.uncounted)
        assert one.text != one.source.reference.text
        assert one.text == one.text.strip()
        assert all(one.text[span.start : span.end] == span.text for span in one.inserted)
        assert bool(one.inserted) == (one.kind != "delete")
        assert word_string(label_of(one.entity)) not in word_string(one.text)
        if one.kind == "replace":
            known = content_words(one.source.reference.text).union(*map(content_words, map(label_of, terms)))
            assert not any(content_words(span.text) & known for span in one.inserted)


def test_texts_do_not_depend_on_the_other_kinds():
    both = make_counterfactuals(EXAMPLES, kinds=["delete", "replace"], seed=4)
    alone = make_counterfactuals(EXAMPLES, kinds=["replace"], seed=4)
    assert [one for one in both if one.kind == "replace"] == alone
    texts = {tuple(one.text for one in make_counterfactuals(EXAMPLES, seed=seed)) for seed in range(5)}
    assert len(texts) > 1


def test_one_entity_of_each_text_or_all():
    one = make_counterfactuals(EXAMPLES, kinds=["replace"], per_text=1)
    every = make_counterfactuals(EXAMPLES, kinds=["replace"], per_text=None)
    assert len({made.source.id for made in one}) == len(one) < len(every)
    assert {made.id for made in one} <= {made.id for made in every}


def test_the_corpus_can_be_read(tmp_path):
    made = make_counterfactuals(EXAMPLES, kinds=list(REMOVERS), per_text=None)
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps(one.as_dict()) + "\n" for one in made), encoding="utf-8")
    read = read_corpus(path)
    assert [(example.id, example.text) for example in read] == [(one.id, one.text) for one in made]
    assert [example.input for example in read] == [one.source.example.input for one in made]


def test_tables_are_passed_over(make):
    text = make.reference("Paris.", ("Paris", "Paris"))
    table = Example("T", Input.from_table((Cell("Paris", "city"),)), references=(text,))
    assert make_counterfactuals(make.texts(table), kinds=list(REMOVERS)) == []


def test_an_unknown_kind_is_refused():
    with pytest.raises(UsageError, match="unknown kind of counterfactual 'swap': choose from replace"):
        make_counterfactuals(EXAMPLES, kinds=["swap"])


def finds_everything(items):
    """Finds every entity, in the whole text."""
    found = []
    for input_, text in items:
        terms = tuple(entity.term for entity in input_.entities)
        whole = tuple(Mention(term, 0, len(text), text, "guess") for term in terms)
        found.append(Detection(text, terms, whole, ()))
    return found


def finds_nothing(items):
    terms = [tuple(entity.term for entity in input_.entities) for input_, _ in items]
    return [Detection(text, own, (), own) for (_, text), own in zip(items, terms, strict=True)]


def test_a_detector_that_finds_everything_or_nothing():
    made, figures = make_counterfactuals(EXAMPLES), ("sensitivity", "specificity", "stability", "claimed")
    everything = summarise_verdicts(judge(made, finds_everything))
    assert [everything[name] for name in figures] == [0, 1, 1, 1]
    assert everything["ci"]["sensitivity"] == [0.0, 0.0]
    nothing = summarise_verdicts(judge(made, finds_nothing))
    assert [nothing[name] for name in figures] == [1, 0, None, 0]
    assert nothing["ci"]["stability"] is None


@pytest.fixture
def verdicts(make):
    """A dish whose country was replaced: the detector loses the dish and keeps on finding the country."""
    triples = [("Tolma_stew", "country", "Kelland"), ("Tolma_stew", "creator", "Lena_Voss")]
    text = "Tolma stew of Kelland is by Lena Voss."
    gold = [("Tolma_stew", "Tolma stew"), ("Kelland", "Kelland"), ("Lena_Voss", "Lena Voss")]
    donor = make.example(
        "D", [("Pie", "country", "Arvenia")], make.reference("Arvenia", ("Arvenia", "Arvenia"))
    )
    texts = make.texts(make.example("A", triples, make.reference(text, *gold)), donor)
    made = make_counterfactuals(texts, kinds=["replace"], per_text=None)
    (one,) = [made_one for made_one in made if made_one.entity == "Kelland"]
    assert one.text == "Tolma stew of Arvenia is by Lena Voss."
    found = {text: [("Tolma_stew", 0, 10)], one.text: [("Kelland", 14, 21)]}
    return judge([one], make.detector(found))


def test_hand_worked_figures(verdicts):
    (verdict,) = verdicts
    assert not verdict.noticed
    assert verdict.lost == ("Tolma_stew", "Lena_Voss")
    assert verdict.before == ("Tolma_stew",)
    found = summarise_verdicts(verdicts, resamples=0)
    assert (found["texts"], found["sensitivity"], found["specificity"]) == (1, 0.0, 0.0)
    assert (found["stability"], found["claimed"]) == (0.0, 1.0)
    assert found["by_kind"] == {
        "replace": {"texts": 1, "sensitivity": 0.0, "specificity": 0.0, "stability": 0.0, "claimed": 1.0}
    }
    assert list(found["by_type"]) == ["name"]
    assert "ci" not in found


def test_failures_say_what_went_wrong(verdicts):
    listed = list(failures(verdicts))
    assert [(one["error"], one["entity"]) for one in listed] == [
        ("still-detected", "Kelland"),
        ("lost", "Tolma_stew"),
        ("never-detected", "Lena_Voss"),
    ]
    (mention,) = listed[0]["mentions"]
    assert mention["text"] == "Arvenia"
    assert listed[0]["id"] == "A/Id1/replace-2"


def test_a_detector_that_loses_texts_is_refused():
    with pytest.raises(ValueError, match="shorter"):
        judge(make_counterfactuals(EXAMPLES), lambda items: [])
