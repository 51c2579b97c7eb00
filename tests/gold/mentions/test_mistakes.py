"""Each mistake with its likely cause."""

from __future__ import annotations

import pytest

from esascore.gold.mentions.benchmark import match_all, statistics
from esascore.gold.mentions.mistakes import mistakes, tally

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
    assert sum(one.error == "miss" for one in listed) == annotated - right
    assert sum(one.error == "spurious" for one in listed) == detected - right
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
    assert (first.error, first.cause, first.entity, first.mention) == ("miss", cause, gold[0], gold[1])


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
    assert (last.error, last.cause, last.entity) == ("spurious", cause, found[0])
    assert last.mention == text[found[1] : found[2]]


def test_the_right_one_of_equal_mentions_is_missed(make):
    text = "It is old. It is big."
    gold = [("Kestrel_Hall", "It", "pronoun"), ("Kestrel_Hall", "It", "pronoun")]
    (missed,) = of(make, text, gold, [("Kestrel_Hall", 0, 2)])
    assert (missed.start, missed.end) == (11, 13)


def test_a_record_tells_place_and_surroundings(make):
    text = "x" * 60 + " the Kestrel Hall " + "y" * 60
    listed = of(make, text, [("Kestrel_Hall", "the Kestrel Hall")], [("Kestrel_Hall", 65, 77)])
    assert listed[0].as_dict() == {
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
    assert listed[1].method == "string"
    assert tally(listed) == {"miss": {"boundary": 1}, "spurious": {"boundary": 1}}


def test_near_misses_are_marked(make):
    listed = of(
        make, "The Kestrel Halls.", [("Kestrel_Hall", "The Kestrel Halls")], [("Kestrel_Hall", 0, 16)]
    )
    assert [one.near for one in listed] == [True, True]
