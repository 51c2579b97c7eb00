"""From an input and a text to what is detected, with the profiles of the package."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.errors import DataError, UsageError
from esascore.model import Cell, Graph, Input
from esascore.pipeline import Pipeline, build_pipeline
from esascore.profiles import changed, load_profile
from esascore.text.blank import is_blank
from fakes import graph_of

PROFILES = pytest.mark.parametrize("profile", ["default", "paper"])
ANAPHORA = frozenset({"pronoun", "description"})

GRAPH = graph_of("""
    Lake_Town | country | Westernland
    Lake_Town | mayor | Ann_Smith
    Ann_Smith | birthDate | 1970-05-02
    Lake_Town | population | 12345
    Lake_Town | market | "tea, milk, honey"
""")
TERMS = tuple(entity.term for entity in GRAPH.entities)


@cache
def pipeline(profile: str, backend: str = "rapidfuzz") -> Pipeline:
    return build_pipeline(profile, backend=backend)


def detect(text: str, profile: str = "default", graph=GRAPH):
    [found] = pipeline(profile).detect([(graph, text)])
    return found


def mentions(found) -> list[tuple[str, str, str]]:
    return [(m.text, m.entity, m.method) for m in found.mentions]


# Any text

NAMES = ["Lake Town", "lake twon", "Ann Smith", "Ann", "Westernland", "2 May 1970", "12,345", "12346"]
PIECES = [*NAMES, "tea and milk", "the", "it", "She", "the town", "'s", ".", ",", "(", '"', "in", "a", "null"]
HARD = [*"\0\u2028\u2029\ud800\udfff", "\r\n", *"\n\x85\x1c🙂𝔏İß\u0301ﬁ"]
TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from([*PIECES, *HARD]), max_size=14).map(" ".join),
    st.lists(st.sampled_from([*PIECES, *HARD, " "]), max_size=20).map("".join),
)
NAMED = ["Ann_Smith_(mayor)", "Ann", '"Ann"', "Olo,_Westernland", "R&B", "東京", "the", "It"]
SPOKEN_TERMS = st.sampled_from([*TERMS, *NAMED, "3.5e+06", "1970", '"12"', "", "_", '"', "İ", "\ud800", "\0"])
GRAPHS = st.lists(
    st.tuples(SPOKEN_TERMS, st.sampled_from(["country", "birthDate", "mayor", "related"]), SPOKEN_TERMS),
    max_size=5,
).map(Graph.from_triples)
TABLES = st.lists(SPOKEN_TERMS, max_size=4).map(lambda terms: Input.from_table(tuple(Cell(t) for t in terms)))


def check(found, input_, text: str, profile: str) -> None:
    """What holds of every detection."""
    terms = tuple(entity.term for entity in input_.entities)
    assert found.text == text
    assert found.entities == terms
    for m in found.mentions:
        assert text[m.start : m.end] == m.text != ""
        assert {m.entity, *m.also} <= set(terms)
    assert all(one.end <= other.start for one, other in pairwise(found.mentions))
    counts = load_profile(profile).settings["anaphora"]["count"]
    proof = [m for m in found.mentions if counts or m.method not in ANAPHORA]
    proven = {entity for m in proof for entity in (m.entity, *m.also)}
    assert found.undetected == tuple(term for term in terms if term not in proven)
    if is_blank(text):
        assert (found.mentions, found.undetected) == ((), terms)


@PROFILES
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(items=st.lists(st.tuples(st.one_of(GRAPHS, TABLES, st.just(GRAPH)), TEXTS), max_size=3))
def test_any_text_and_input(profile, items):
    results = pipeline(profile).detect(items)
    assert len(results) == len(items)
    for found, (input_, text) in zip(results, items, strict=True):
        check(found, input_, text, profile)
    assert results == [pipeline(profile).detect([item])[0] for item in items]


@PROFILES
@pytest.mark.parametrize("seed", range(3))
def test_long_texts(profile, seed):
    draw = random.Random(seed)
    text = ""
    while len(text) < 100_000:
        text += draw.choice(["Lorem", "ipsum", *HARD, *HARD, *NAMES[:4]] + ["dolor"] * 60) + draw.choice(
            ["", " "]
        )
    found = detect(text, profile)
    check(found, GRAPH, text, profile)
    assert "Lake_Town" not in found.undetected


@PROFILES
@pytest.mark.parametrize(
    "text", ["x" * 100_000, "\0" * 100_000, "." * 100_000, "\u2028Lake Town" + "\n" * 100_000]
)
def test_long_texts_of_one_character(profile, text):
    found = detect(text, profile)
    check(found, GRAPH, text, profile)
    assert ("Lake_Town" in found.undetected) is ("Lake Town" not in text)


@PROFILES
@pytest.mark.parametrize("text", ["", " \r\n", "null", "NaN", '"none"', "\u200b\0", '""'])
def test_blank_texts_mention_nothing(profile, text):
    found = detect(text, profile)
    assert (found.mentions, found.undetected, found.esa) == ((), TERMS, 0.0)


@PROFILES
def test_blank_texts_stay_in_their_place(profile):
    results = pipeline(profile).detect(
        [(GRAPH, ""), (GRAPH, "Lake Town"), (GRAPH, "null"), (GRAPH, "Ann Smith")]
    )
    assert [len(found.undetected) for found in results] == [6, 5, 6, 5]
    assert pipeline(profile).detect([]) == []


@PROFILES
def test_an_input_without_entities(profile):
    found = detect("Lake Town", profile, Graph())
    assert (found.entities, found.mentions, found.undetected, found.esa) == ((), (), (), None)


# The oracle and the fast paths


def corpus(seed: int, size: int):
    """Random graphs of invented names, with texts that say some of them with mistakes."""
    draw = random.Random(seed)
    words = ["".join(draw.choices("abdeknorst", k=draw.randint(2, 8))).title() for _ in range(40)]
    items = []
    for _ in range(size):
        terms = ["_".join(draw.choices(words, k=draw.randint(1, 3))) for _ in range(draw.randint(2, 5))]
        graph = Graph.from_triples([(terms[0], "related", term) for term in terms[1:]])
        said = []
        for term in [*terms, *draw.choices(words, k=6)]:
            name = list(term.replace("_", " "))
            for _ in range(draw.choice([0, 0, 1, 2])):
                name[draw.randrange(len(name))] = draw.choice(["", "x", "e", " ", "y"])
            said.append("".join(name))
        draw.shuffle(said)
        items.append((graph, draw.choice([" ", ", ", " and "]).join(said) + "."))
    return items


@PROFILES
@pytest.mark.parametrize("seed", range(4))
def test_rapidfuzz_agrees_with_the_oracle(profile, seed):
    items = corpus(seed, 12)
    fast = pipeline(profile).detect(items)
    assert fast == pipeline(profile, "python").detect(items)
    assert sum(len(found.mentions) for found in fast) > 24  # there is something to agree on


@PROFILES
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(graph=GRAPHS, text=TEXTS)
def test_rapidfuzz_agrees_with_the_oracle_on_any_text(profile, graph, text):
    item = [(graph, text)]
    assert pipeline(profile).detect(item) == pipeline(profile, "python").detect(item)


def test_numba_agrees_with_rapidfuzz():
    items = [*corpus(7, 150), *((GRAPH, text) for text in [*PIECES, *HARD, "".join(HARD), ""])]
    for profile in ("paper", "default"):
        assert pipeline(profile, "numba").detect(items) == pipeline(profile).detect(items)


# What the profiles do with a whole text

STORY = "The Lake Town is a town in Westernland. Its mayor is Ann Smith, who was born on 2 May 1970."


@pytest.mark.parametrize(
    ("profile", "more", "found", "undetected"),
    [
        (
            "default",
            " The town has 12,345 people and sells milk, honey and tea.",
            "The Lake Town=Lake_Town/string; Westernland=Westernland/string; Its=Lake_Town/pronoun; "
            "Ann Smith=Ann_Smith/string; 2 May 1970=1970-05-02/date; The town=Lake_Town/description; "
            '12,345=12345/number; milk, honey and tea="tea, milk, honey"/list',
            (),
        ),
        (
            "paper",
            "",
            "Lake Town=Lake_Town/string; Westernland.=Westernland/string; Its=Lake_Town/pronoun; "
            "Ann Smith,=Ann_Smith/string; 2 May 1970=1970-05-02/date",
            ("12345", '"tea, milk, honey"'),
        ),
    ],
)
def test_a_profile(profile, more, found, undetected):
    detected = detect(STORY + more, profile)
    assert "; ".join(f"{m.text}={m.entity}/{m.method}" for m in detected.mentions) == found
    assert detected.undetected == undetected


def test_whether_anaphora_prove_presence_is_a_setting():
    text = "It is in Westernland."
    assert "Lake_Town" in detect(text).undetected
    assert "Lake_Town" not in detect(text, "paper").undetected
    assert ("It", "Lake_Town", "pronoun") in mentions(detect(text))
    counting = build_pipeline(changed(load_profile("default"), {"anaphora": {"count": True}}))
    assert "Lake_Town" not in counting.detect([(GRAPH, text)])[0].undetected


@pytest.mark.parametrize(
    ("changes", "lost"),
    [
        ({"dates": {"on": False}}, {("2 May 1970", "1970-05-02", "date")}),
        ({"numbers": {"on": False}}, {("12,345", "12345", "number")}),
        ({"lists": {"on": False}}, {("milk, honey and tea", '"tea, milk, honey"', "list")}),
        ({"descriptions": {"on": False}}, {("The town", "Lake_Town", "description")}),
        ({"pronouns": {"words": []}}, {("Its", "Lake_Town", "pronoun")}),
        ({"boundaries": {"articles": []}}, {("The Lake Town", "Lake_Town", "string")}),
    ],
)
def test_each_part_can_be_switched_off(changes, lost):
    text = STORY + " The town has 12,345 people and sells milk, honey and tea."
    [found] = build_pipeline(changed(load_profile("default"), changes)).detect([(GRAPH, text)])
    assert set(mentions(detect(text))) - set(mentions(found)) == lost


@pytest.mark.parametrize(
    ("text", "is_detected"),
    [
        ("12,345", True),
        ("12345.0", True),
        ("12,346", False),  # never approximately
        ("1,234", False),
    ],
)
def test_numbers_are_never_approximate(text, is_detected):
    assert ("12345" not in detect(f"Lake Town has {text} people.").undetected) is is_detected


def test_two_entities_of_one_name_share_a_mention():
    graph = Graph.from_triples([("Arx", "leader", "Bo"), ("Bo", "nickname", '"Arx"')])
    found = detect("Bo and Arx.", graph=graph)
    [shared] = [m for m in found.mentions if m.text == "Arx"]
    assert {shared.entity, *shared.also} == {"Arx", '"Arx"'}
    assert found.undetected == ()


def test_a_table_has_no_root():
    table = Input.from_table((Cell("Lake Town", "city"), Cell("Ann Smith", "mayor")))
    found = detect("It is led by Ann Smith.", "paper", table)
    assert (mentions(found), found.undetected) == ([("Ann Smith.", "Ann Smith", "string")], ("Lake Town",))


def test_another_resolver_by_name():
    text = "Ann Smith leads Lake Town. She was born on 2 May 1970."
    by_rule, by_root = (build_pipeline(coref=coref).detect([(GRAPH, text)])[0] for coref in ("rules", "root"))
    assert ("She", "Ann_Smith", "pronoun") in mentions(by_rule)
    assert ("She", "Lake_Town", "pronoun") in mentions(by_root)


def test_contexts_of_a_lexicon_set_borders(tmp_path):
    path = tmp_path / "my.tsv"
    path.write_text("# columns: kind\tentity\tform\nbefore\t*\tthe lovely\nnot-before\tLake_Town\tthe\n")
    detector = build_pipeline(lexicon=str(path))  # one file without a list
    text = "The Lake Town is in the lovely Westernland with the Ann Smith."
    [found] = detector.detect([(GRAPH, text)])
    assert [m.text for m in found.mentions] == ["Lake Town", "the lovely Westernland", "the Ann Smith"]


@pytest.mark.parametrize("profile", ["default", "paper"])
def test_what_is_detected_is_the_same_without_boundaries_and_anaphora(profile):
    graph = graph_of("Ada_Hall | location | New_York\nAda_Hall | owner | Bo_Berg", "Building")
    texts = ["The Ada Hall is in New York's centre.", "It is owned by Bo Berg.", "The hall.", "", "Berg"]
    pipeline = build_pipeline(profile)
    items = [(graph, text) for text in texts]
    quick, whole = pipeline.detect(items, whole=False), pipeline.detect(items)
    assert [found.undetected for found in quick] == [found.undetected for found in whole]


@pytest.mark.parametrize(
    ("settings", "kind", "message"),
    [
        ({"profile": 3}, UsageError, "a profile is a name or a path, not int"),
        ({"profile": "x" * 5000}, UsageError, "no profile 'xxx"),
        ({"profile": "a\0b"}, UsageError, "no profile "),
        ({"lexicon": 3}, UsageError, "a lexicon is a path, a list of paths, or a dict, not int"),
        ({"lexicon": "missing.tsv"}, DataError, "missing.tsv: there is no such file"),
        ({"backend": "fortran"}, UsageError, "unknown backend 'fortran'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, kind, message):
    with pytest.raises(kind, match=message):
        build_pipeline(**settings)


@PROFILES
def test_what_is_found_late_is_what_is_found_at_once(profile):
    texts = [
        "It has 12,345 people. Ann Smith is its mayor.",  # the root is proved by a pronoun only
        "Lake Town in Westernland, where she was born on 2 May 1970, sells tea, milk and honey to 12345.",
        "Lake Town of Westernland has the mayor Ann Smith, born on 2 May 1970. It has 12345 people, who sell "
        "tea, milk and honey.",  # pronouns prove nothing new
        "**Lake Town** has its own mayor.",
        "They said nothing.",
        "",
    ]
    items = [(GRAPH, text) for text in texts]
    assert pipeline(profile).detect(items, whole=False) == pipeline(profile).detect(items)
    proved = [not one.undetected for one in pipeline(profile).detect(items)]
    assert set(proved) == {True, False}
