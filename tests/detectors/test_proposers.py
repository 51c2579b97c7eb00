"""What detectors propose: dates, numbers, values, lists and links, and what a user refuses."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.claims.explainer import Explainer
from esascore.claims.unexplained import find_unexplained
from esascore.detectors.base import is_taken, mention
from esascore.detectors.dates import DateDetector
from esascore.detectors.linked import Linked
from esascore.detectors.lists import Lists
from esascore.detectors.quantities import number_mentions
from esascore.errors import LinkerError, UsageError
from esascore.lexicon import Lexicon, UserEntry
from esascore.link.equality import EntityNames
from esascore.literals.dates import FORMS
from esascore.model import Cell, Graph, Input, LinkedMention, LinkFailure, Mention
from esascore.pipeline import build_pipeline
from esascore.run.evaluation import detect_all
from esascore.text.document import Document


def test_a_document_splits_its_words_once():
    document = Document(Graph(), "Café “Ada”, 1,299 m.")
    assert document.tokens is document.tokens
    assert document.words is document.words
    assert document.tokens.texts == ("Café", "“", "Ada", "”", ",", "1", ",", "299", "m", ".")
    assert document.words.joined == "cafe ada 1 299 m"
    assert document.word_tokens == (0, 2, 5, 7, 8)


def test_a_document_of_punctuation_has_no_words_to_compare():
    document = Document(Graph(), "... !")
    assert document.words.joined == ""
    assert document.word_tokens == ()


def test_a_mention_takes_its_string_from_the_text():
    made = mention("In Åbo 🙂.", 3, 6, "Turku", "string", 0.25, "Abo", 0.02)
    assert made == Mention("Turku", 3, 6, "Åbo", "string", 0.25, "Abo", 0.02)
    assert mention("It", 0, 2, "Turku", "pronoun") == Mention("Turku", 0, 2, "It", "pronoun", None, None, 0.0)


@settings(deadline=None)
@given(borders=st.sets(st.integers(0, 20)).map(sorted), start=st.integers(0, 20), length=st.integers(1, 6))
def test_whether_a_span_is_taken(borders, start, length):
    mentions = [Mention("A", a, b, "", "string") for a, b in zip(borders[::2], borders[1::2], strict=False)]
    taken = any(set(range(m.start, m.end)) & set(range(start, start + length)) for m in mentions)
    assert is_taken(mentions, start, start + length) is taken


def dates_in(term: str, text: str, detector: DateDetector | None = None) -> list[tuple[str, float | None]]:
    document = Document(Graph.from_triples([("Alex", "someDate", term)]), text)
    mentions = (detector or DateDetector(tuple(FORMS))).mentions(document)
    assert all((m.entity, m.method, m.text) == (term, "date", text[m.start : m.end]) for m in mentions)
    return [(m.text, m.distance) for m in mentions]


def test_detector_proposes_what_agrees() -> None:
    text = "Alex was born on 04/05/1937, moved in 1937 and died on 5 April 1999."
    assert dates_in('"1937-05-04"', text) == [("04/05/1937", 0.0), ("1937", 0.2)]
    assert dates_in('"1937-05-04"', text, DateDetector(forms=("full",))) == [("04/05/1937", 0.0)]
    assert dates_in("Berlin", text) == []
    assert dates_in("1937-04-27", "İİİ on 27 April 1937 İ") == [("27 April 1937", 0.0)]


def test_detector_refuses_unknown_forms() -> None:
    with pytest.raises(UsageError, match="'fuzzy'"):
        DateDetector(forms=("fuzzy",))


def test_detector_keeps_documents_apart() -> None:
    graphs = [
        Graph.from_triples([("Alex", "birthDate", term)]) for term in ("1937-04-27", "1938-04-27", "Rome")
    ]
    documents = [Document(graph, "Born on 27 April 1938.") for graph in graphs]
    detector = DateDetector(("full",))
    assert [len(detector.mentions(document)) for document in documents] == [0, 1, 0]


@given(st.text(alphabet=" 0123456789-/.,'()–stndrhofMayApril\n\u2028İ", max_size=60))
def test_almost_dates_are_searched_for_themselves(text: str) -> None:
    dates_in(text, text)


def numbers_in(term: str, text: str, name: str = "value") -> list[str]:
    mentions = number_mentions(Document(Graph.from_triples([("Alex", name, term)]), text))
    assert all((m.entity, m.method, m.text) == (term, "number", text[m.start : m.end]) for m in mentions)
    return [m.text for m in mentions]


@pytest.mark.parametrize(
    ("term", "text", "spans"),
    [
        ("2989.0", "It is 2,989 metres long.", ["2,989"]),  # the term names no unit
        ("2989.0", "It is 2989m long.", ["2989m"]),  # glued
        ("2989.0 (metres)", "It is 2,989 metres long.", ["2,989 metres"]),
        ("2989.0 (metres)", "It is 2.989 km long.", ["2.989 km"]),
        ('"110 million (dollars)"', "It cost $110 million.", ["$110 million"]),
        ("110000000", "It cost $110 million.", ["110 million"]),
        ("-6", "It is at -6 all day, not 6.", ["-6"]),
        ("Rome", "12 of them", []),
        ("1299", "İİ 1,299 İ", ["1,299"]),  # letters that grow when lowered
    ],
)
def test_marks_what_people_mark(term: str, text: str, spans: list[str]) -> None:
    assert numbers_in(term, text) == spans


def test_value_in_another_unit_than_the_property_names_keeps_its_unit() -> None:
    assert numbers_in("2900.0", "Its runway of 2.9 km is long.", "length_(in_metres)") == ["2.9 km"]


@given(st.text(alphabet=" 0123456789-−/.,:'\"()$€%~xe^⁵+&;\n\u2028İmkbnstinus", max_size=60))
def test_almost_numbers_are_searched_for_themselves(text: str) -> None:
    numbers_in(text, text)


INN = {"name": "Grey Heron", "familyFriendly": "no", "price": "moderate"}


def found(data, text, *entries):
    """The values that are detected in a text, with their words."""
    graph = data if isinstance(data, Input) else Graph.from_data(data)
    [detection] = build_pipeline(lexicon=entries).detect([(graph, text)])
    return {str(m.entity): m.text for m in detection.mentions if m.entity not in ("Grey Heron",)}


def test_a_truth_value_and_another_form_of_a_word():
    text = "Grey Heron isn't family-friendly, and moderately priced."
    assert found(INN, text) == {"no": "isn't family-friendly", "moderate": "moderately"}


@pytest.mark.parametrize(
    "text", ["Grey Heron is family-friendly.", "No, Grey Heron.", "Grey Heron has no bar."]
)
def test_the_opposite_and_the_bare_word_prove_nothing(text):
    assert "no" not in found(INN, text)


@pytest.mark.parametrize(
    ("value", "text", "proven"),
    [
        ("family friendly", "It is family friendly.", True),
        ("family friendly", "It is not family friendly.", False),
        ("not family friendly", "It is family friendly.", False),
        ("not family friendly", "It is not family friendly.", True),
    ],
)
def test_negation_counts_in_values_that_are_texts(value, text, proven):
    assert (value in found({"name": "Grey Heron", "for": value}, text)) is proven


def test_truth_values_of_triples_and_tables():
    triples = Graph.from_triples([("Grey Heron", "hasParking", "true")])
    assert found(triples, "Grey Heron has parking.") == {"true": "parking"}
    table = Input.from_table((Cell("Grey Heron", "inn"), Cell("no", "hasParking")))
    assert found(table, "Grey Heron has no parking.") == {"no": "no parking"}


def test_lines_of_a_lexicon_prove_each_of_their_values():
    cheap = UserEntry("price=low|under 10", "a bargain")
    for value in ("low", "under 10"):
        assert found({"name": "Grey Heron", "price": value}, "A real bargain.", cheap) == {value: "bargain"}
    assert found({"name": "Grey Heron", "price": "high"}, "A real bargain.", cheap) == {}
    assert found({"name": "Grey Heron", "rating": "low"}, "A real bargain.", cheap) == {}


def test_refused_words_of_a_value_prove_nothing():
    drop = UserEntry("price=high", "high", "drop")
    data = {"name": "Grey Heron", "price": "high"}
    assert found(data, "High hopes.") == {"high": "High"}
    assert found(data, "High hopes.", drop) == {}
    # Beside its attribute a value needs no other words.
    assert found(data, "The price is high, and high are the hopes.", drop).keys() == {"high"}


@pytest.mark.parametrize(
    ("data", "text", "undetected"),
    [
        ({"name": "Oslo Owls", "city": "Oslo"}, "Oslo Owls won.", ()),
        (
            {"name": "Grey Heron", "food": "Indian", "near": "Indian Museum"},
            "Grey Heron, Indian Museum.",
            ("Indian",),
        ),
    ],
)
def test_a_value_is_found_in_the_name_of_its_subject_alone(data, text, undetected):
    [detection] = build_pipeline().detect([(Graph.from_data(data), text)])
    assert detection.undetected == undetected


def test_a_phrase_takes_no_article():
    data = {"name": "Grey Heron", "price": "moderate"}
    assert found(data, "Grey Heron is at a moderately low level.") == {"moderate": "moderately"}


GRAPH = Graph.from_triples([("Ada", "country", "Turkey"), ("Ada", "team", "Harrow_Gulls")])
DROPS = [
    UserEntry("Turkey", "Turkey", "drop"),
    UserEntry("Turkey", "Turkay", "alias"),
    UserEntry("Harrow Gulls", "Gulls", "drop"),
]


@pytest.mark.parametrize("profile", ["default", "paper"])
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ada saw Turkey.", False),
        ("Ada saw Turkeys.", False),  # nearer to what is refused than to the alias
        ("Ada saw Turkayi.", True),
        ("Ada saw Turkay.", True),
    ],
)
def test_what_resembles_a_refused_form_is_refused_too(profile, text, found):
    [seen] = build_pipeline(profile, lexicon=DROPS).detect([(GRAPH, text)])
    assert ("Turkey" not in seen.undetected) is found


def test_without_the_line_it_is_found():
    [seen] = build_pipeline(lexicon=DROPS[1:]).detect([(GRAPH, "Ada saw Turkeys.")])
    assert "Turkey" not in seen.undetected


def test_other_forms_of_the_entity_stand():
    [seen] = build_pipeline(lexicon=DROPS).detect([(GRAPH, "The Harrow Gulls have a Turkish Ada.")])
    assert seen.undetected == ()


TEA = '"tea, milk, brown sugar, salt"'  # five words


def runs(literal: str, text: str, **options):
    document = Document(Graph.from_triples([("Brew", "ingredient", literal)]), text)
    mentions = Lists(**{"least": 0.5, "cost": 0.01, **options}).mentions(document)
    assert all(m.entity == literal and m.method == "list" for m in mentions)
    assert all(text[m.start : m.end] == m.text for m in mentions)
    return mentions


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("It has tea, milk, brown sugar, salt.", "tea, milk, brown sugar, salt"),
        ("It has salt, brown sugar, milk and tea.", "salt, brown sugar, milk and tea"),
        ("It has TEA; Milk / brown sugar & salt.", "TEA; Milk / brown sugar & salt"),
        ("It has tea with some milk, as well as brown sugar plus salt!", None),
        ("It has tea with milk, as well as brown sugar plus salt!", None),
        ("It has salt, sugar, tea, milk, brown sugar!", None),  # a part of an item joins, too
    ],
)
def test_any_order_and_joints(text, span):
    [mention] = runs(TEA, text)
    assert mention.text == (span or text.removeprefix("It has ").rstrip("!"))
    assert mention.distance == 0.01


@pytest.mark.parametrize(
    ("text", "span", "share"),
    [
        ("It has tea, milk and brown sugar.", "tea, milk and brown sugar", 4 / 5),
        ("It has milk and brown sugar.", "milk and brown sugar", 3 / 5),
        ("It has tea, tea, milk and brown sugar.", "tea, milk and brown sugar", 4 / 5),
    ],
)
def test_missing_words_add_half_their_share(text, span, share):
    [mention] = runs(TEA, text)
    assert mention.text == span
    assert mention.distance == pytest.approx(0.01 + (1 - share) / 2, abs=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "It has tea and milk.",  # two words of five
        "It has brown sugar.",  # one item is no list
        "It has milk, then comes brown sugar.",  # a word that is no joint
        "It has milk and also a some brown sugar.",  # too many joints
        "It has brown milk sugar salts.",  # items are whole
        "Nothing of it.",
        "",
    ],
)
def test_what_is_no_run(text):
    assert runs(TEA, text) == []


def test_one_item_is_no_run_even_if_it_has_most_of_the_words():
    assert runs('"brown sugar, tea"', "It has brown sugar.") == []
    assert [m.text for m in runs('"brown sugar, tea"', "It has brown sugar, tea.")] == ["brown sugar, tea"]


def test_the_least_share_and_the_cost_are_settings():
    assert [m.text for m in runs(TEA, "It has tea and milk.", least=0.4)] == ["tea and milk"]
    assert runs(TEA, "It has tea and milk.", least=0.41) == []
    [mention] = runs(TEA, "It has tea, milk, brown sugar, salt.", cost=0.2)
    assert mention.distance == 0.2


def test_of_several_runs_the_one_with_most_words_then_the_shortest():
    text = "First tea and milk, now salt and the tea or milk, later brown sugar."
    [mention] = runs('"tea, milk, salt"', text)
    assert mention.text == "salt and the tea or milk"
    [mention] = runs('"tea, milk"', "Take tea with some milk, I mean tea, milk.")
    assert mention.text == "tea, milk"


@pytest.mark.parametrize(
    ("literal", "text", "spans"),
    [
        ("Tea_and_milk,_cold", "milk, tea, cold", []),  # a term of a knowledge base
        ('"Tea_and_milk,_cold"', "milk, tea, cold", ["milk, tea, cold"]),
        ("tea and milk", "milk or tea", ["milk or tea"]),
        ("tea/milk", "milk, tea", ["milk, tea"]),
        ("tea", "tea, tea", []),  # nothing enumerated
        ("tea, tea", "tea, tea", []),  # the same item twice
        ("12, 34", "34, 12", []),  # numbers alone: perhaps one number with separators
        ("12, tea", "tea, 12", ["tea, 12"]),
        ('"Quito, M.A. 1957"', "an MA in 1957 from Quito", ["MA in 1957 from Quito"]),
        ('"Quito, MA 1957"', "his M.A. from Quito in 1957", ["M.A. from Quito in 1957"]),
    ],
)
def test_which_literals_enumerate(literal, text, spans):
    assert [m.text for m in runs(literal, text)] == spans


WORDS = st.lists(st.sampled_from(["tea", "milk", "rye", "salt"]), min_size=2, max_size=4, unique=True)


@settings(deadline=None)
@given(items=WORDS, order=st.randoms(), joint=st.sampled_from([", ", " and ", "; ", " as well as "]))
def test_every_order_of_all_items_is_the_whole_list(items, order, joint):
    said = list(items)
    order.shuffle(said)
    [mention] = runs(f'"{", ".join(items)}"', f"Take {joint.join(said)}.")
    assert mention.text == joint.join(said)
    assert mention.distance == 0.01


@settings(deadline=None)
@given(st.text("tea milk,.\n\0M", max_size=60))
def test_spans_hold_in_any_text(text):
    assert len(runs(TEA, text)) <= 1


HALL = Graph.from_triples([("Ada_Hall", "location", "New York City"), ("Ada_Hall", "owner", "Bo_Berg")])


class Fixed:
    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def link(self, texts, documents=None):
        self.asked.append((list(texts), documents))
        return self.answers[: len(texts)]

    def version(self):
        return "fixed"


def link(text, words, entity):
    start = text.index(words)
    return LinkedMention(start, start + len(words), words, entity, 0.9, "LOC")


def test_names_are_compared_as_dbpedia_writes_them():
    text = "Ada Hall is in Gotham and Metropolis."
    answer = (link(text, "Gotham", "New_York_City"), link(text, "Metropolis", "Chicago"))
    linked = Linked(Fixed(answer), EntityNames())
    document = Document(HALL, text)
    [links] = linked.ask([document])
    assert [(m.entity, m.text, m.method) for m in linked.mentions(document, links)] == [
        ("New York City", "Gotham", "linker")
    ]


def test_the_linker_gets_the_documents():
    fixed, documents = Fixed((), ()), [Document(HALL, "A."), Document(HALL, "B.")]
    Linked(fixed, EntityNames()).ask(documents)
    assert fixed.asked == [(["A.", "B."], documents)]


def test_an_unknown_answer_is_an_error_unless_allowed():
    documents = [Document(HALL, "A."), Document(HALL, "B.")]
    answers = ((), LinkFailure("the server is down"))
    with pytest.raises(LinkerError, match="1 of 2 texts are unknown: the server is down"):
        Linked(Fixed(*answers), EntityNames()).ask(documents)
    allowed = Linked(Fixed(*answers), EntityNames(), allow_failures=True)
    assert allowed.ask(documents) == list(answers)
    assert allowed.mentions(documents[1], answers[1]) == []


def spans(text, links, mentions=()):
    explained = Explainer(Lexicon()).explain(HALL)
    found = find_unexplained(Document(HALL, text), explained, None, mentions, links)
    return [(text[one.start : one.end], one.evidence, one.entity) for one in found]


def test_a_linked_entity_that_nothing_explains_is_found():
    text = "ada hall is in crystal palace."
    assert spans(text, ()) == []
    assert spans(text, (link(text, "crystal palace", "Crystal_Palace,_London"),)) == [
        ("crystal palace", "linked", "Crystal_Palace,_London")
    ]


def test_common_words_are_no_names_though_there_are_articles_about_them():
    text = "Ada Hall is an old building."
    assert spans(text, (link(text, "building", "Building"),)) == []
    text = text.lower()
    assert spans(text, (link(text, "building", "Building"),)) == []


def test_what_the_input_explains_stays_explained():
    text = "Ada Hall is in New York."
    assert spans(text, (link(text, "New York", "New_York_(state)"),)) == []


def test_a_link_to_the_input_explains_its_words():
    text = "Ada Hall is in Gotham."
    mention = Mention("New York City", 15, 21, "Gotham", "linker")
    assert spans(text, ()) == [("Gotham", "capital", None)]
    assert spans(text, (link(text, "Gotham", "New_York_City"),), [mention]) == []


def test_unknown_links_change_nothing():
    text = "Ada Hall is in Gotham."
    assert spans(text, LinkFailure("down")) == spans(text, None) == spans(text, ())


class Answering:
    """A pipeline whose links cross process borders; must be picklable."""

    verifier = questioner = None

    def detect(self, items, *, whole=True):
        from esascore.model import Detection

        return [
            Detection(
                text,
                (),
                (),
                (),
                LinkFailure("no answer") if "?" in text else (LinkedMention(0, 1, text[:1], "A", None, "X"),),
            )
            for _, text in items
        ]

    def signature_parts(self):
        return {}


def test_links_cross_process_borders(monkeypatch):
    monkeypatch.setattr("esascore.run.workers.WORTH_A_PROCESS", 4)
    monkeypatch.setattr("esascore.run.blocks.BATCH", 4)
    items = [(HALL, f"A {number}{'?' * (number % 2)}") for number in range(64)]
    assert detect_all(Answering, items, jobs=2) == Answering().detect(items)
