"""Figures of one detector, and of two side by side."""

from __future__ import annotations

import json

import pytest

from esascore.examples import example_path
from esascore.gold.mentions.benchmark import match_all, read_annotated, statistics
from esascore.gold.mentions.mistakes import mistakes, tally
from esascore.gold.mentions.summary import break_down, changes, differences, summarise

TEXT = "Bionico is from Mexico. It is sweet."


@pytest.fixture
def two(make):
    gold = make.reference(TEXT, ("Bionico", "Bionico"), ("Mexico", "Mexico"), ("Bionico", "It", "pronoun"))
    texts = make.texts(make.example("A", [("Bionico", "country", "Mexico")], gold))
    before = match_all(texts, make.detector({TEXT: [("Bionico", 0, 7), ("Mexico", 24, 26)]}))
    after = match_all(texts, make.detector({TEXT: [("Bionico", 0, 7), ("Mexico", 16, 22)]}))
    return before, after


def test_a_summary_is_plain_data(two):
    found = summarise(two[1], resamples=10)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["texts"] == 1
    assert (found["gold"], found["found"], found["not_located"]) == (3, 2, 0)
    assert found["exact"] == {"precision": 1.0, "recall": 2 / 3, "f1": 0.8}
    # There is one input only: nothing can be said of other draws.
    assert found["ci"]["exact"] == {"precision": None, "recall": None, "f1": None}
    assert found["mistakes"] == {"miss": {"pronoun": 1}, "spurious": {}}
    assert set(found) >= {"by_type", "by_method", "by_category", "by_size"}
    assert "ci" not in summarise(two[1], resamples=0)


def test_no_text_has_no_figures():
    found = summarise([])
    assert found["exact"] == {"precision": None, "recall": None, "f1": None}
    assert found["by_type"] == {}


def test_differences_are_paired(two):
    found = differences(*two, resamples=20)
    assert found["exact"]["f1"]["value"] == pytest.approx(0.8 - 0.4)
    assert found["exact"]["f1"]["ci"] is None
    assert differences(two[0], two[0])["exact"]["f1"]["value"] == 0.0
    assert differences(*two, resamples=0)["exact"]["f1"]["ci"] is None


def test_the_interval_of_a_difference_has_its_value_in_the_middle(make):
    texts = read_annotated(example_path("annotated.xml"))
    before = match_all(texts, make.detector({}))
    after = match_all(texts, make.finds_labels)
    found = differences(before, after)["exact"]["recall"]
    assert found["ci"][0] < found["value"] < found["ci"][1]


def test_changed_texts_tell_what_was_lost_and_gained(two):
    (changed,) = changes(*two)
    assert (changed["id"], changed["before"], changed["after"]) == ("A/Id1", 1, 2)
    assert [(one["entity"], one["text"], one["right"]) for one in changed["lost"]] == [
        ("Mexico", "It", False)
    ]
    assert [(one["text"], one["right"]) for one in changed["gained"]] == [("Mexico", True)]
    assert (changed["lost_entities"], changed["gained_entities"]) == ([], [])
    assert changes(two[0], two[0]) == []


ONE = "The Bionico is Mexican. It is sweet."
TWO = "Tolma is from Kelland."


@pytest.fixture
def matched(make):
    gold = [("Bionico", "The Bionico", "description"), ("Mexico", "Mexican"), ("Bionico", "It", "pronoun")]
    food = make.example("A", [("Bionico", "country", "Mexico")], make.reference(ONE, *gold))
    river = make.example(
        "B",
        [("Tolma", "country", "Kelland"), ("Tolma", "length", "12")],
        make.reference(TWO, ("Tolma", "Tolma"), ("Kelland", "Kelland")),
        category="River",
    )
    one = [("Bionico", 0, 11), ("Mexico", 15, 22), ("Mexico", 24, 26, "pronoun")]
    two = [("Tolma", 0, 5), ("Kelland", 6, 13, "guess")]
    return match_all(make.texts(food, river), make.detector({ONE: one, TWO: two}))


def exact(parts):
    """Annotated, detected, and share of the detected that is exactly right, of each part."""
    return {
        name: (part.get("gold"), part["found"], part["exact"]["precision"]) for name, part in parts.items()
    }


def test_types_of_annotations_and_of_what_matches_none(matched):
    assert exact(break_down(matched)["type"]) == {
        "name": (3, 3, 2 / 3),  # Mexican, Tolma; "is from" looks like a name
        "description": (1, 1, 1 / 1),
        "pronoun": (1, 1, 0 / 1),  # It was found, but for Mexico
    }


def test_methods_have_a_precision_only(matched):
    methods = break_down(matched)["method"]
    assert exact(methods) == {
        "guess": (None, 1, 0 / 1),
        "pronoun": (None, 1, 0 / 1),
        "string": (None, 3, 3 / 3),
    }
    assert methods["string"]["exact"] == {"precision": 1.0, "recall": None, "f1": None}
    assert "gold" not in methods["string"]


def test_categories_and_sizes_divide_the_texts(matched):
    parts = break_down(matched)
    assert exact(parts["category"]) == {"Food": (3, 3, 2 / 3), "River": (2, 2, 1 / 2)}
    assert exact(parts["size"]) == {"1": (3, 3, 2 / 3), "2": (2, 2, 1 / 2)}
    assert parts["size"]["2"]["texts"] == 1
    assert parts["size"]["2"]["entity"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


def test_entities_and_categories_are_seen_or_unseen(matched, make):
    training = [make.example("T", [("Bionico", "country", "Kelland")], category="Food")]
    parts = break_down(matched, training)
    assert exact(parts["seen_entity"]) == {"seen": (3, 2, 1 / 2), "unseen": (2, 3, 2 / 3)}
    assert exact(parts["seen_category"]) == {"seen": (3, 3, 2 / 3), "unseen": (2, 2, 1 / 2)}
    assert "seen_entity" not in break_down(matched)


def test_sizes_are_in_order_of_number(make):
    examples = [make.example(str(n), [("a", "p", "b")] * n, make.reference("b", ("b", "b"))) for n in (10, 2)]
    matched = match_all(make.texts(*examples), make.finds_labels)
    assert list(break_down(matched)["size"]) == ["2", "10"]


TRIPLES = [
    ("Kestrel_Hall", "architect", "Odd_Harsen"),
    ("Kestrel_Hall", "opened", "1937-04-27"),
    ("Kestrel_Hall", "floors", '"12"'),
    ("Kestrel_Hall", "rooms", '"bar, hall, attic"'),
    ("Kestrel_Hall", "name", '"Odd Harsen"'),
]


def of(make, text, gold, found=()):
    corpus = make.texts(make.example("A", TRIPLES, make.reference(text, *gold)))
    matched = match_all(corpus, make.detector({text: list(found)}))
    listed = list(mistakes(matched))
    annotated, detected, right = statistics(matched)[0, 0]
    assert sum(one["error"] == "miss" for one in listed) == annotated - right
    assert sum(one["error"] == "spurious" for one in listed) == detected - right
    return listed


@pytest.mark.parametrize(
    ("text", "gold", "found", "cause"),
    [
        ("He left.", ("Odd_Harsen", "Harsen"), [], "not-in-text"),
        ("Rome.", ("", "Rome"), [], "no-entity"),
        ("The Kestrel Hall.", ("Kestrel_Hall", "The Kestrel Hall"), [("Kestrel_Hall", 4, 16)], "boundary"),
        ("Odd Harsen.", ("Odd_Harsen", "Odd Harsen"), [('"Odd Harsen"', 0, 10)], "same-label"),
        ("Odd Harsen.", ("Odd_Harsen", "Odd Harsen"), [("Kestrel_Hall", 0, 3)], "other-entity"),
        ("It is.", ("Kestrel_Hall", "It", "pronoun"), [], "pronoun"),
        ("This hall.", ("Kestrel_Hall", "This hall", "demonstrative"), [], "demonstrative"),
        ("In May.", ("1937-04-27", "May"), [], "date"),
        ("Twelve.", ('"12"', "Twelve"), [], "number"),
        ("A bar.", ('"bar, hall, attic"', "A bar"), [], "list"),
        ("The house.", ("Kestrel_Hall", "The house", "description"), [], "description"),
        ("O.H.", ("Odd_Harsen", "O.H."), [], "name"),
    ],
)
def test_causes_of_misses(make, text, gold, found, cause):
    first = of(make, text, [gold], found)[0]
    assert first.items() >= {"error": "miss", "cause": cause, "entity": gold[0], "mention": gold[1]}.items()


@pytest.mark.parametrize(
    ("text", "gold", "found", "cause"),
    [
        ("The Kestrel Hall.", ("Kestrel_Hall", "The Kestrel Hall"), ("Kestrel_Hall", 4, 16), "boundary"),
        ("Odd Harsen.", ("Odd_Harsen", "Odd Harsen"), ('"Odd Harsen"', 0, 10), "same-label"),
        ("Odd Harsen.", ("Odd_Harsen", "Odd Harsen"), ("Kestrel_Hall", 0, 3), "other-entity"),
        ("Harsen.", ("Odd_Harsen", "Oddy"), ("Odd_Harsen", 0, 6), "not-located"),
        ("Kestrel Hall is a hall.", ("Odd_Harsen", "a hall"), ("Kestrel_Hall", 0, 12), "unannotated"),
        ("It has a bar.", ("Odd_Harsen", "has"), ("Kestrel_Hall", 0, 2, "pronoun"), "pronoun"),
        ("11 bars.", ("Odd_Harsen", "bars"), ('"12"', 0, 2), "number"),
        ("Bars.", ("Odd_Harsen", "."), ("Kestrel_Hall", 0, 4), "name"),
    ],
)
def test_causes_of_spurious_mentions(make, text, gold, found, cause):
    last = of(make, text, [gold], [found])[-1]
    mention = text[found[1] : found[2]]
    assert (
        last.items() >= {"error": "spurious", "cause": cause, "entity": found[0], "mention": mention}.items()
    )


def test_the_right_one_of_equal_mentions_is_missed(make):
    text = "It is old. It is big."
    gold = [("Kestrel_Hall", "It", "pronoun"), ("Kestrel_Hall", "It", "pronoun")]
    (missed,) = of(make, text, gold, [("Kestrel_Hall", 0, 2)])
    assert (missed["start"], missed["end"]) == (11, 13)


def test_a_record_tells_place_and_surroundings(make):
    text = "x" * 60 + " the Kestrel Hall " + "y" * 60
    listed = of(make, text, [("Kestrel_Hall", "the Kestrel Hall")], [("Kestrel_Hall", 65, 77)])
    assert listed[0] == {
        "id": "A/Id1",
        "error": "miss",
        "cause": "boundary",
        "entity": "Kestrel_Hall",
        "mention": "the Kestrel Hall",
        "kind": "name",
        "method": None,
        "start": 61,
        "end": 77,
        "near": False,
        "counterpart": {"entity": "Kestrel_Hall", "mention": "Kestrel Hall"},
        "context": "…" + "x" * 49 + " [[the Kestrel Hall]] " + "y" * 49 + "…",
    }
    assert listed[1]["method"] == "string"
    assert tally(listed) == {"miss": {"boundary": 1}, "spurious": {"boundary": 1}}


def test_near_misses_are_marked(make):
    listed = of(
        make, "The Kestrel Halls.", [("Kestrel_Hall", "The Kestrel Halls")], [("Kestrel_Hall", 0, 16)]
    )
    assert [one["near"] for one in listed] == [True, True]
