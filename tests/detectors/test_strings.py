"""Names found as strings: the published rule, and the one with variants."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.detectors.strings import GreedyStrings, VariantStrings, candidates_of
from esascore.lexicon import Lexicon, UserEntry
from esascore.model import Cell, Graph, Input
from esascore.text.document import Document

LABELS = ("label",)
EXACT = (0.0,) * 5


def graph(*objects: str, subject: str = "Quorn_Hill", predicate: str = "related") -> Graph:
    return Graph.from_triples([(subject, predicate, term) for term in objects])


def proposals(detector, input_, text):
    [found] = detector.propose([Document(input_, text)])
    assert all(text[m.start : m.end] == m.text and m.method == "string" for m in found)
    return found


def variant_strings(lexicon: Lexicon | None = None, **options) -> VariantStrings:
    limits = {"lengths": (4, 6, 10, 20), "distances": (0.0, 0.2, 0.25, 0.3, 0.4), "strong": 0.04}
    return VariantStrings(lexicon or Lexicon(LABELS), **{"backend": "rapidfuzz", **limits, **options})


def found_for(term: str, text: str, user=(), **options) -> list[tuple[str, float]]:
    """What is proposed for one entity: string and distance."""
    detector = variant_strings(Lexicon(LABELS, user=user), **options)
    return [
        (m.text, round(m.distance, 3)) for m in proposals(detector, graph(term), text) if m.entity == term
    ]


# The published rule


def greedy(**options) -> GreedyStrings:
    lexicon = Lexicon(sources=LABELS, keep_underscores=True)
    return GreedyStrings(lexicon, max_distance=0.4, backend="rapidfuzz", **options)


@pytest.mark.parametrize(
    ("text", "span", "distance"),
    [
        ("He saw Lake Town.", "Lake Town.", 1 / 9),  # the underscore is one edit; punctuation is none
        ("He saw LAKE TOWN", "LAKE TOWN", 1 / 9),
        ("He saw Lake_Town", "Lake_Town", 0.0),
        ("He saw Lake  Town", "Lake  Town", 1 / 9),  # the span keeps what stands between its words
        ("He saw Lake-Town", "Lake-Town", 1 / 9),
        ("He saw Lake -- Town", "Lake -- Town", 1 / 9),  # a token of which nothing is left
    ],
)
def test_greedy_spans_and_distances(text, span, distance):
    # "quorn_hill" is far from every word of these texts
    [found] = proposals(greedy(), graph("Lake_Town"), text)
    assert (found.entity, found.text) == ("Lake_Town", span)
    assert found.distance == pytest.approx(distance, abs=1e-12)


@pytest.mark.parametrize(
    ("word", "is_near"),
    [
        ("abcde", True),
        ("abcxy", True),  # 2 edits of 5 are 0.4: exactly the limit
        ("abxyz", False),  # 3 edits
        ("abc", True),
        ("ab", False),
    ],
)
def test_greedy_limit_is_inclusive(word, is_near):
    assert bool(proposals(greedy(), graph("Abcde"), word)) is is_near


def test_greedy_gives_each_word_away_once_and_the_nearest_first():
    found = proposals(greedy(), graph("Berga", "Bergo"), "Bergo Bergas")
    assert [(m.entity, m.text) for m in found] == [("Bergo", "Bergo"), ("Berga", "Bergas")]


def test_candidates_are_not_repeated_within_an_entity_and_empty_ones_are_left_out():
    lexicon = Lexicon(sources=("label", "no-parentheses", "before-comma"), keep_underscores=True)
    made = candidates_of(lexicon, Input.from_table((Cell("Oslo (city)"), Cell("..."), Cell("Oslo."))))
    assert made.texts == ("oslo city", "oslo", "oslo")
    assert made.entities == ("Oslo (city)", "Oslo (city)", "Oslo.")
    assert made.variants == ("Oslo (city)", "Oslo", "Oslo.")


# Exact matches of variants


@pytest.mark.parametrize(
    ("term", "text", "spans"),
    [
        ("Lake_Town", "LAKE TOWN, lake town, Lake-Town", ["LAKE TOWN", "lake town", "Lake-Town"]),
        ("Åsa_Ek", "Asa Ek met A\u030asa Ek", ["Asa Ek", "A\u030asa Ek"]),
        ("Lake_Town", "Lake Town's", ["Lake Town"]),  # borders are set later
        ("Ro", "Ro is Rob's Ro", ["Ro", "Ro"]),  # whole words only
        ("Ro", "Rob", []),
        ("Oslo", "", []),
        ("Arx_(film)", "Arx (film) is old", ["Arx (film"]),  # the closing bracket is set later
        ("Arx_(film)", "Arx (a film) is old", []),
    ],
)
def test_exact_matches(term, text, spans):
    assert found_for(term, text, distances=EXACT) == [(span, 0.0) for span in spans]


def test_a_bracket_that_is_never_closed_is_no_mention():
    assert found_for("Arx_(film)", "(Arx (film) and so on", distances=EXACT) != []
    assert found_for("Arx_(film)", "Arx (film of 1999)", distances=EXACT) == []


def test_of_one_string_the_cheapest_variant_counts():
    user = [UserEntry("Lake Town", "Laketown", cost=0.3), UserEntry("Lake Town", "LakeTown", cost=0.1)]
    detector = variant_strings(Lexicon(LABELS, user=tuple(user)), distances=EXACT)
    [found] = proposals(detector, graph("Lake_Town"), "In Laketown")
    assert (found.variant, found.cost) == ("LakeTown", 0.1)


@pytest.mark.parametrize("text", ["Olga Bond", "Olga Maria Bond", "Olga M. Bond", "Olga Maria Ines Bond"])
def test_persons_may_have_middle_names(text):
    assert persons(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Olga Maria Ines Eva Bond",  # three are too many
        "Olga and Bond",  # in lower case: no name
        "Olga, Maria Bond",  # a comma parts them
        "Olga Maria. Peter Bond",  # a sentence ends
    ],
)
def test_what_is_no_middle_name(text):
    assert persons(text) == []


def persons(text):
    person = Graph.from_triples([("Olga_Bond", "birthPlace", "Quito")])
    return [m.text for m in proposals(variant_strings(distances=EXACT), person, text)]


def test_a_match_ends_with_its_sentence_unless_the_name_has_the_same_mark():
    assert persons("This is Olga\nBond is old.") == []
    band = Graph.from_triples([("Yes!_Oslo", "genre", "Rock")])
    assert [m.text for m in proposals(variant_strings(distances=EXACT), band, "By Yes! Oslo.")] == [
        "Yes! Oslo"
    ]


def test_only_persons_have_middle_names():
    place = Graph.from_triples([("Nobody", "birthPlace", "Lake_Town")])
    detector = variant_strings(distances=EXACT)
    assert proposals(detector, place, "Lake Upper Town") == []


def test_a_middle_name_is_a_little_weaker_than_the_label():
    person = Graph.from_triples([("Olga_Bond", "birthPlace", "Quito")])
    [plain] = proposals(variant_strings(), person, "Olga Bond")
    [longer] = proposals(variant_strings(), person, "Olga Maria Bond")
    assert plain.cost == 0 < longer.cost < 0.01


@pytest.mark.parametrize(
    ("text", "cost"),
    [("the Quorn Cup in 2015", 0.012), ("the Quorn Cup in 2014", 0.06), ("the Quorn Cup", 0.06)],
)
def test_a_name_without_its_year_is_as_good_where_the_year_is_said_elsewhere(text, cost):
    detector = variant_strings(Lexicon(("label", "without-year")), distances=EXACT)
    [found] = proposals(detector, graph("2015_Quorn_Cup"), text)
    assert (found.text, found.cost) == ("Quorn Cup", cost)


# Approximate matches


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("Oslo", "Oslu", []),  # 4 characters: exactly or not at all
        ("Turku", "Turko", [("Turko", 0.2)]),  # 5 characters: one edit
        ("Turku", "Turoo", []),
        ("Kuopios", "Kuopias", [("Kuopias", 0.143)]),
        ("Lake_Town", "Lak Twn", [("Lak Twn", 0.222)]),
        ("Lake_Town", "Lak Twin", []),  # 3 edits of 9
        ("Route_1299", "Route 1298", []),  # digits are never approximate
        ("Route_1299", "Roote 1299", [("Roote 1299", 0.1)]),
        ("Granite_Sauce", "Granite, Sauce", [("Granite, Sauce", 0.0)]),
        ("Granite_Sauces", "Granite, Sauce", []),  # a break that the variant does not have
        ("Granite,_Sauces", "Granite, Sauce", [("Granite, Sauce", 0.071)]),
    ],
)
def test_approximate_matches(term, text, found):
    assert found_for(term, text) == found


def test_approximate_only_where_nothing_strong_is_exact():
    assert [span for span, _ in found_for("Kuopios", "Kuopias and Kuopios")] == ["Kuopios"]


def test_a_weak_exact_match_leaves_approximate_ones_open():
    user = (UserEntry("Kuopios", "the K town", cost=0.05),)
    text = "the K town is Kuopias"
    assert [span for span, _ in found_for("Kuopios", text, user=user)] == ["the K town", "Kuopias"]
    assert [span for span, _ in found_for("Kuopios", text, user=user, strong=0.06)] == ["the K town"]


def test_weak_variants_are_not_matched_approximately():
    text = "He saw Wintermore."
    assert found_for("Kuopios", text, user=(UserEntry("Kuopios", "Wintermoor", cost=0.04),)) != []
    assert found_for("Kuopios", text, user=(UserEntry("Kuopios", "Wintermoor", cost=0.05),)) == []


def test_dropped_forms_are_not_found():
    user = (UserEntry("Kuopios", "Kuopios", "drop"),)
    assert found_for("Kuopios", "Kuopios", user=user) == []


NAMES = st.lists(st.text("abA ,.1é_", min_size=1, max_size=8), min_size=1, max_size=4)


@settings(deadline=None, max_examples=60)
@given(names=NAMES, text=st.text("abA ,.1é(\n", max_size=40))
def test_backends_propose_the_same(names, text):
    table = Input.from_table(tuple(Cell(name) for name in names))
    found = [
        variant_strings(Lexicon(), backend=backend).propose([Document(table, text)])
        for backend in ("python", "rapidfuzz")
    ]
    assert found[0] == found[1]


def test_documents_do_not_influence_each_other():
    documents = [
        Document(graph("Kuopios"), "Kuopias"),
        Document(graph("Turku"), "nothing"),
        Document(graph("Turku"), "Turko and Kuopios"),
    ]
    for detector in (variant_strings(), greedy()):
        together = detector.propose(documents)
        assert together == [detector.propose([document])[0] for document in documents]
        assert [bool(found) for found in together] == [True, False, True]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ada won.", ["Ada"]),
        ("Ada Smith won.", []),
        ("Ada and Bo won.", ["Ada"]),
        ("In Oslo President Lovelace won.", ["Lovelace"]),
        ("In Oslo Jane Lovelace won.", []),
        ("Lovelace won.", ["Lovelace"]),
    ],
)
def test_a_part_of_a_name_does_not_prove_a_person_in_the_name_of_another(text: str, found: list[str]) -> None:
    graph = Graph.from_triples([("Ada_Lovelace", "birthPlace", "Nowhere")])
    [proposals] = variant_strings(Lexicon()).propose([Document(graph, text)])
    assert [m.text for m in proposals if m.entity == "Ada_Lovelace"] == found
