"""Where mentions begin and end."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.detectors.boundaries import LONGEST_CONTEXT, Boundaries, Contexts
from esascore.lexicon import UserEntry
from esascore.model import Graph, Mention
from esascore.text.document import Document

TOWN = "Lake_Town"
PLAIN = Graph.from_triples([(TOWN, "related", "Arx")])


def boundaries(articles=("the", "a", "an"), heads=(), **options) -> Boundaries:
    return Boundaries(articles, heads, **options)


def named(text: str, *marks: tuple[str, str], method: str = "string", variant: str | None = None):
    """Mentions of (entity, string), each string looked for after the one before."""
    found, at = [], 0
    for entity, string in marks:
        start = text.index(string, at)
        at = start + len(string)
        found.append(Mention(entity, start, at, string, method, 0.0, variant))
    return found


def extended(text: str, *marks: tuple[str, str], rules=None, graph=PLAIN, **options) -> list[str]:
    found = (rules or boundaries()).extend(Document(graph, text), named(text, *marks, **options))
    assert [m.entity for m in found] == [entity for entity, _ in marks]
    assert all(text[m.start : m.end] == m.text for m in found)
    return [m.text for m in found]


@pytest.mark.parametrize(
    ("core", "span"),
    [
        ("in Lake Town", "Lake Town"),
        ("of Lake Town and", "Lake Town"),
        ("of from Lake Town", "Lake Town"),
        ("in", "in"),  # a mention is never trimmed away
        ("Into Lake Town", "Into Lake Town"),
        ("Lake Town is", "Lake Town"),
        ("Lake Town where", "Lake Town"),
    ],
)
def test_1_prepositions_and_conjunctions_at_the_edge_go(core, span):
    assert extended(f"x {core} x", (TOWN, core)) == [span]


@pytest.mark.parametrize(
    ("text", "core", "variant", "span"),
    [
        ("Arx (film) ran", "Arx (film", None, "Arx (film)"),
        ("Arx [film] ran", "Arx [film", None, "Arx [film]"),
        ("(Arx) ran", "Arx", None, "Arx"),  # not opened within
        ("Arx (film] ran", "Arx (film", None, "Arx (film"),
        ("the N.V. was", "N.V", None, "the N.V."),  # a letter after a stop
        ("Quay Co. was", "Quay Co", "Quay Co.", "Quay Co."),  # written with a stop by the data
        ("Quay Co. was", "Quay Co", "Quay Co", "Quay Co"),
        ("He left N.V. They", "N.V", None, "N.V"),  # may end the sentence
        ("He left N.V.", "N.V", None, "N.V"),
        ("He left Quay Co.", "Quay Co", "Quay Co.", "Quay Co"),
    ],
)
def test_2_brackets_and_stops_that_the_mention_began(text, core, variant, span):
    assert extended(text, ("Arx", core), variant=variant) == [span]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ('He read "Arx" twice', '"Arx"'),
        ("He read “Arx” twice", "“Arx”"),
        ("He read 'Arx' twice", "'Arx'"),
        ("He read «Arx» twice", "«Arx»"),
        ('He read the "Arx" twice', 'the "Arx"'),
        ('He read "Arx twice"', "Arx"),  # not right around it
        ("He read “Arx« twice", "Arx"),
    ],
)
def test_3_quotes_right_around(text, span):
    assert extended(text, ("Arx", "Arx")) == [span]
    if span.strip("the “«\"'”»") != span:
        assert extended(text, ("Arx", "Arx"), rules=boundaries(quotes=False)) == ["Arx"]


@pytest.mark.parametrize(
    ("text", "core", "span"),
    [
        ('He met "Bo" Berg today', 'Bo" Berg', '"Bo" Berg'),
        ('He met Berg "Bo" today', 'Berg "Bo', 'Berg "Bo"'),
        ('He met Berg "Bo today', 'Berg "Bo', 'Berg "Bo'),  # never closed
    ],
)
def test_3_of_a_pair_of_quotes_both(text, core, span):
    assert extended(text, ("Bo_Berg", core)) == [span]
    assert extended(text, ("Bo_Berg", core), rules=boundaries(quotes=False)) == [core]


BOOK = Graph.from_triples([("Arx", "author", "Ann_Smith"), ("Ann_Smith", "birthPlace", TOWN)])


@pytest.mark.parametrize(
    ("text", "mark", "span"),
    [
        ("He read the novel Arx twice", ("Arx", "Arx"), "the novel Arx"),
        ("He read the novel, Arx, twice", ("Arx", "Arx"), "the novel, Arx"),
        ("He read the novel of Arx twice", ("Arx", "Arx"), "the novel of Arx"),
        ("The book Arx is long", ("Arx", "Arx"), "The book Arx"),
        ("He read a novel Arx twice", ("Arx", "Arx"), "Arx"),  # with the definite article only
        ("He read the film Arx twice", ("Arx", "Arx"), "Arx"),  # no noun for its type
        ("He read the novel about Arx twice", ("Arx", "Arx"), "Arx"),
        ("He met the writer Ann Smith", ("Ann_Smith", "Ann Smith"), "the writer Ann Smith"),
        # not felt as part of a place's name
        ("He saw the town Lake Town", (TOWN, "Lake Town"), "Lake Town"),
        ("He saw the town of Lake Town", (TOWN, "Lake Town"), "Lake Town"),
    ],
)
def test_4_a_noun_for_the_type_before_the_name(text, mark, span):
    assert extended(text, mark, graph=BOOK) == [span]


def test_4_can_be_switched_off():
    rules = boundaries(appositions=False)
    assert extended("the novel Arx", ("Arx", "Arx"), graph=BOOK, rules=rules) == ["Arx"]


def test_4_the_category_tells_the_type_of_the_root_only():
    graph = Graph.from_triples([("Quorn", "related", "Arx")], category="Food")
    assert extended("He ate the dish Quorn", ("Quorn", "Quorn"), graph=graph) == ["the dish Quorn"]
    assert extended("He ate the dish Arx", ("Arx", "Arx"), graph=graph) == ["Arx"]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("He saw the Arx", "the Arx"),
        ("The Arx is old", "The Arx"),
        ("He saw an Arx", "an Arx"),
        ("He saw a Arx", "a Arx"),
        ("He saw the old Arx", "Arx"),
        ("He saw this Arx", "Arx"),
        ("He saw the Arx region", "Arx"),  # the article of the noun
        ("He saw the Arx crew", "Arx"),
        ("He saw the Arx cat", "the Arx"),
    ],
)
def test_5_articles(text, span):
    assert extended(text, ("Arx", "Arx"), rules=boundaries(heads=("crew",))) == [span]


@pytest.mark.parametrize(
    ("method", "article", "is_taken"),
    [("date", "the", False), ("number", "the", True), ("number", "a", False), ("list", "a", True)],
)
def test_5_dates_take_no_article_and_numbers_only_the_definite(method, article, is_taken):
    taken = extended(f"on {article} 12 x", ("12", "12"), method=method)
    assert taken == [f"{article} 12" if is_taken else "12"]


def test_5_articles_and_heads_are_settings():
    rules = boundaries(articles=("this",), heads=("cat",))
    assert extended("He saw this Arx crew", ("Arx", "Arx"), rules=rules) == ["this Arx"]
    assert extended("He saw this Arx cat", ("Arx", "Arx"), rules=rules) == ["Arx"]
    assert extended("He saw the Arx", ("Arx", "Arx"), rules=rules) == ["Arx"]


@pytest.mark.parametrize(
    "marked",
    [
        *("[Arx's] owner", "[Arx’s] owner", "[the Arx's] owner"),
        *("[Arx]' owner", "[Arx]'t owner", "[Arx] s owner", "[Arx]."),
    ],
)
def test_6_possessives(marked):
    text, span = re.sub(r"[\[\]]", "", marked), re.search(r"\[(.*)\]", marked)[1]
    assert extended(text, ("Arx", "Arx")) == [span]
    assert not extended(text, ("Arx", "Arx"), rules=boundaries(possessive=False))[0].endswith("s")


BIG_LAND = ("Big_Land", "Big Land")


@pytest.mark.parametrize(
    ("text", "city", "spans"),
    [
        ("Akra, Olo, Big Land", ("Akra,_Olo", "Akra, Olo"), ["Akra", "Olo, Big Land"]),
        ("Akra, Olo, the Big Land", ("Akra,_Olo", "Akra, Olo"), ["Akra", "Olo, the Big Land"]),
        ("Akra, Olo in Big Land", ("Akra,_Olo", "Akra, Olo"), ["Akra, Olo", "Big Land"]),
        # A literal is no place.
        ("Akra, Olo, Big Land", ('"Akra, Olo"', "Akra, Olo"), ["Akra, Olo", "Big Land"]),
        ("Akra, Big Land", ("Akra,_Olo", "Akra"), ["Akra", "Big Land"]),  # there is no middle
    ],
)
def test_chains_of_places(text, city, spans):
    assert extended(text, city, BIG_LAND) == spans
    assert extended(text, city, BIG_LAND, rules=boundaries(chains=False))[0] == city[1]


def test_nothing_of_another_mention_is_taken():
    marks = ("The", "The"), ("Arx", "Arx")
    assert extended("The Arx's", *marks) == ["The", "Arx's"]
    assert extended("Arx 's Quorn", ("Arx", "Arx"), ("s", "s"), ("Quorn", "Quorn")) == ["Arx", "s", "Quorn"]


def test_a_mention_inside_a_word_stays_as_it_is():
    assert extended("the 159m track's", ("159", "159"), ("track", "track")) == ["159", "track's"]
    assert extended("the unArx's", ("Arx", "Arx")) == ["Arx"]


def test_no_mentions():
    assert boundaries().extend(Document(PLAIN, "the Arx"), []) == []


# What was learned


@pytest.mark.parametrize(
    ("contexts", "before", "after", "expected"),
    [
        ({"left": {"*": {"the old": True}}}, ["saw", "the", "old"], [], (2, 0)),
        ({"left": {"*": {"the old": True}}}, ["saw", "an", "old"], [], (0, 0)),
        ({"left": {"*": {"old": True, "the old": True}}}, ["the", "old"], [], (2, 0)),  # the longest
        ({"left": {"Lake Town": {"the old": True}}}, ["the", "old"], [], (2, 0)),
        ({"left": {"Arx": {"the old": True}}}, ["the", "old"], [], (0, 0)),  # another entity's
        ({"left": {"*": {"old": True}, "Lake Town": {"old": False}}}, ["the", "old"], [], (0, 0)),
        ({"left": {"*": {"old": False}, "Lake Town": {"old": True}}}, ["the", "old"], [], (1, 0)),
        ({"right": {"*": {"city": True}}}, [], ["city", "in"], (0, 1)),
        ({"right": {"*": {"city": True}}}, ["city"], ["in"], (0, 0)),
        ({}, ["the", "old"], ["city"], (0, 0)),
    ],
)
def test_contexts(contexts, before, after, expected):
    learned = Contexts(**contexts)
    assert (learned.before(TOWN, before, 0), learned.after(TOWN, after, 0)) == expected


def test_what_the_rules_take_stays_unless_it_is_refused():
    assert Contexts().before(TOWN, ["saw", "the"], 1) == 1
    assert Contexts(left={"*": {"the": False}}).before(TOWN, ["saw", "the"], 1) == 0
    assert Contexts(left={"*": {"the": False}, "Lake Town": {"the": True}}).before(TOWN, ["the"], 1) == 1
    assert Contexts(right={"*": {"' s": False}}).after(TOWN, ["'", "s"], 2) == 0


def test_contexts_of_a_lexicon():
    entries = [
        UserEntry("*", "the city of", "before"),
        UserEntry("Lake Town", "the", "not-before"),
        UserEntry("Lake Town", "area", "after"),
        UserEntry("Lake Town", "' s", "not-after"),
        UserEntry("Lake Town", "Laketown", "alias"),
        UserEntry("Lake Town", "Lake", "drop"),
    ]
    contexts = Contexts.of(entries)
    assert contexts.left == {"*": {"the city of": True}, "Lake Town": {"the": False}}
    assert contexts.right == {"Lake Town": {"area": True, "' s": False}}
    assert contexts
    assert not Contexts.of(entries[-2:])


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("He saw The City of Lake Town", "The City of Lake Town"),
        ("He saw the Lake Town", "Lake Town"),
        ("He saw Lake Town area maps", "Lake Town area"),
        ("He saw Lake Town's maps", "Lake Town"),
        ("He saw a Lake Town", "a Lake Town"),
    ],
)
def test_what_was_learned_goes_before_the_rules(text, span):
    contexts = Contexts(
        left={"*": {"the city of": True}, "Lake Town": {"the": False}},
        right={"Lake Town": {"area": True, "' s": False}},
    )
    assert extended(text, (TOWN, "Lake Town"), rules=boundaries(contexts=contexts)) == [span]


def test_longer_contexts_are_not_looked_at_and_neighbours_limit_them():
    words = ["one", "two", "three", "four", "five"]
    longest, too_long = " ".join(words[-LONGEST_CONTEXT:]), " ".join(words)
    text = f"{too_long} Arx"
    taken = boundaries(contexts=Contexts(left={"*": {longest: True}}))
    ignored = boundaries(contexts=Contexts(left={"*": {too_long: True}}))
    assert extended(text, ("Arx", "Arx"), rules=taken) == [f"{longest} Arx"]
    assert extended(text, ("Arx", "Arx"), rules=ignored) == ["Arx"]
    assert extended(text, ("four", "four"), ("Arx", "Arx"), rules=taken) == ["four", "Arx"]


PIECES = st.lists(
    st.sampled_from(
        ["the", "Arx", "'s", "(", ")", '"', ",", ".", "Akra, Olo", "in", "novel", " ", "city", "\n", "ü"]
    ),
    max_size=12,
)


@settings(deadline=None, max_examples=200)
@given(pieces=PIECES, spaced=st.booleans())
def test_spans_never_overlap_and_stay_in_order(pieces, spaced):
    text, marks = "", []
    for piece in pieces:
        if piece in ("Arx", "Akra, Olo"):
            term = piece.replace(" ", "_")
            marks.append(Mention(term, len(text), len(text) + len(piece), piece, "string", 0.0))
        text += piece + " " * spaced
    contexts = Contexts(left={"*": {"novel": True}}, right={"*": {"city": True}})
    for rules in (boundaries(), boundaries(contexts=contexts)):
        found = rules.extend(Document(BOOK, text), marks)
        assert [m.entity for m in found] == [m.entity for m in marks]
        assert all(text[m.start : m.end] == m.text != "" for m in found)
        assert all(a.end <= b.start for a, b in pairwise(found))
