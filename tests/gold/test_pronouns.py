"""Annotated pronouns: which are asked, who is right, what the figures are, and their table."""

from __future__ import annotations

import json

import pytest

from esascore.coref.base import Pronoun
from esascore.coref.rules import RootResolver, RuleResolver
from esascore.gold.mentions.benchmark import read_annotated
from esascore.gold.mentions.locate import locate
from esascore.gold.pronouns import Placed, asked_pronouns, coref_documents, figures_of, groups_of, place
from esascore.reports.gold import pronoun_summary
from esascore.reports.tables import FORMATS

TRIPLES = [("Kestrel_Hall", "architect", "Bo_Berg"), ("Bo_Berg", "birthPlace", "Norvik")]


class Says:
    """Answers every pronoun by a table, and remembers its questions."""

    def __init__(self, **answers):
        self.answers = answers
        self.questions = []

    def resolve(self, questions):
        self.questions += questions
        return [[self.answers.get(p.text) for p in pronouns] for *_, pronouns in questions]

    def version(self):
        return "says.v1"


@pytest.fixture
def hall(make):
    """Three texts: two pronouns; none; one whose entity has no name in the text, and one that has."""
    return make.texts(
        make.example(
            "Id1",
            TRIPLES,
            make.reference(
                "Kestrel Hall is by Bo Berg. He was born in Norvik. It is old.",
                ("Kestrel_Hall", "Kestrel Hall"),
                ("Bo_Berg", "Bo Berg"),
                ("Bo_Berg", "He", "pronoun"),
                ("Norvik", "Norvik"),
                ("Kestrel_Hall", "It", "pronoun"),
            ),
            make.reference("Bo Berg is from Norvik.", ("Bo_Berg", "Bo Berg"), ("Norvik", "Norvik"), number=2),
            make.reference(
                "He is from Norvik. Its hall is old.",
                ("Bo_Berg", "He", "pronoun"),
                ("Norvik", "Norvik"),
                ("Norvik", "Its", "pronoun"),
                number=3,
            ),
            category="Building",
        )
    )


def test_what_is_asked(hall):
    first, second = asked_pronouns(hall)
    input_, text, named, pronouns = first.question
    assert input_ == hall[0].example.input
    assert [(m.entity, m.text, text[m.start : m.end]) for m in named] == [
        ("Kestrel_Hall", "Kestrel Hall", "Kestrel Hall"),
        ("Bo_Berg", "Bo Berg", "Bo Berg"),
        ("Norvik", "Norvik", "Norvik"),
    ]
    assert pronouns == [Pronoun("He", 28, 30), Pronoun("It", 51, 53)]
    assert first.answers == ("Bo_Berg", "Kestrel_Hall")
    # "He" of the third text stands for somebody whom it does not name: no chain could tell.
    assert [p.text for p in second.question[3]] == ["Its"]
    assert second.answers == ("Norvik",)
    assert second.text.id == "Id1/Id3"


def test_in_the_order_of_the_text(make):
    """Annotations may be out of order; questions are not."""
    text = make.reference(
        "Bo sat and he slept; then he won.",
        ("Bo", "he", "pronoun"),
        ("Ada", "then"),
        ("Bo", "Bo"),
        ("Bo", "he", "pronoun"),
    )
    [asked] = asked_pronouns(make.texts(make.example("Id1", [("Bo", "friend", "Ada")], text)))
    _, _, named, pronouns = asked.question
    assert [mention.start for mention in named] == sorted(mention.start for mention in named)
    assert [pronoun.start for pronoun in pronouns] == [11, 26]
    assert asked.answers == ("Bo", "Bo")


def test_an_annotation_that_is_not_in_the_text_is_not_asked(make):
    text = make.reference("Bo won.", ("Bo", "Bo"), ("Bo", "He", "pronoun"))
    assert asked_pronouns(make.texts(make.example("Id1", [("Bo", "friend", "Ada")], text))) == []


def test_who_is_right(hall):
    resolver = Says(He="Bo_Berg", It="Norvik")
    placed = place(asked_pronouns(hall), resolver)
    rows = [(one.pronoun, one.right, one.given, one.is_right, one.is_root) for one in placed]
    assert rows == [
        ("He", "Bo_Berg", "Bo_Berg", True, False),
        ("It", "Kestrel_Hall", "Norvik", False, True),
        ("Its", "Norvik", None, False, False),
    ]
    # three pronouns, two answers, one of them right
    figures = figures_of(placed, resamples=0)
    expected = {"pronouns": 3, "answered": 2, "precision": 1 / 2, "recall": 1 / 3}
    assert {name: value for name, value in figures.items() if value is not None} == expected


def test_resolvers_are_asked_once_for_all(hall):
    resolver = Says()
    place(asked_pronouns(hall), resolver)
    assert [text for _, text, *_ in resolver.questions] == [hall[0].reference.text, hall[2].reference.text]


def test_a_resolver_that_loses_pronouns_is_an_error(hall):
    class Lossy(Says):
        def resolve(self, questions):
            return [answers[1:] for answers in super().resolve(questions)]

    with pytest.raises(ValueError, match="shorter"):
        place(asked_pronouns(hall), Lossy())


@pytest.fixture
def two_texts(make):
    """A text with three pronouns and one with one, for rows of figures."""
    texts = [make.reference(f"Text {number}.", ("A", "Text"), number=number) for number in (1, 2)]
    return make.texts(make.example("Id1", [("A", "b", "C")], *texts))


def ends(figures, name):
    """A figure between the ends of its interval."""
    return figures[f"{name}_low"], figures[name], figures[f"{name}_high"]


def test_no_answer_has_no_precision(two_texts):
    placed = [Placed(text, "it", "A", None) for text in two_texts]
    figures = figures_of(placed, resamples=50)
    assert ends(figures, "precision") == (None, None, None)
    assert ends(figures, "recall") == (0, 0, 0)


def test_intervals_are_drawn_over_texts(two_texts):
    """Text 1 has three right answers, text 2 a wrong one: a quarter of all draws has the second only."""
    first, second = two_texts
    placed = [Placed(first, "it", "A", "A")] * 3 + [Placed(second, "it", "A", "C")]
    figures = figures_of(placed, resamples=400, seed=5)
    # Were pronouns drawn, shares such as 1/4 and 1/2 would be the rule and 0 rare: (1/4)^4.
    assert ends(figures, "recall") == ends(figures, "precision") == (0, 3 / 4, 1)
    assert figures_of(placed, resamples=400, seed=5) == figures
    # One text alone has no interval.
    alone = figures_of([*placed[:3], Placed(first, "it", "A", "C")], resamples=100)
    assert ends(alone, "recall") == (None, 3 / 4, None)


def test_groups(make):
    text = make.reference("Text.", ("A", "Text"))
    categories = {"Id1": "Town", "Id2": None}
    a, b = make.texts(
        *(make.example(id_, [("A", "b", "C")], text, category=one) for id_, one in categories.items())
    )
    placed = [Placed(a, "It", "A", "A"), Placed(a, "it", "C", "A"), Placed(b, "He", "A", "A")]
    groups = {
        kind: {name: len(some) for name, some in own.items()} for kind, own in groups_of(placed).items()
    }
    assert groups == {
        "antecedent": {"root": 2, "not the root": 1},
        "pronoun": {"it": 2, "he": 1},
        "category": {"Town": 2, "unknown": 1},
    }
    # The largest group comes first.
    assert list(groups["category"]) == ["Town", "unknown"]
    assert groups_of([]) == {"antecedent": {}, "pronoun": {}, "category": {}}


def test_documents_to_learn_from(hall, make):
    """Texts that tie a pronoun to a name, and that are annotated in full."""
    gold = [("Bo_Berg", "Bo Berg"), ("Bo_Berg", "He", "pronoun"), ("Norvik", "Oslo")]
    lost = make.texts(make.example("Id9", TRIPLES, make.reference("Bo Berg sat. He won.", *gold)))
    documents = coref_documents([*hall, *lost])
    assert [document.id for document in documents] == ["Id1/Id1", "Id1/Id3"]
    words = documents[0].words.texts
    chains = [
        [" ".join(words[first:last]) for first, last in chain]
        for chain in documents[0].as_dict()["span_clusters"]
    ]
    assert chains == [["Kestrel Hall", "It"], ["Bo Berg", "He"]]


def test_every_second_text_with_names_only(make):
    """Which ones depends on their ids alone, so that a text is learnt from in whatever company."""
    named = make.reference("Bo Berg sat. Berg won.", ("Bo_Berg", "Bo Berg"), ("Bo_Berg", "Berg"))
    texts = make.texts(*(make.example(f"Id{n}", TRIPLES, named) for n in range(100)))
    kept = [document.id for document in coref_documents(texts)]
    assert 30 < len(kept) < 70
    assert [one.id for text in texts for one in coref_documents([text])] == kept
    # Without a chain there is nothing to learn.
    single = make.reference("Bo Berg is from Norvik.", ("Bo_Berg", "Bo Berg"), ("Norvik", "Norvik"))
    assert coref_documents(make.texts(*(make.example(f"Id{n}", TRIPLES, single) for n in range(20)))) == []


@pytest.mark.corpora
def test_the_pronouns_of_dev(dev):
    texts = read_annotated(dev)
    asked = asked_pronouns(texts)
    pronouns = [pronoun for one in asked for pronoun in one.question[3]]
    annotated = sum(m.kind == "pronoun" for text in texts for m in text.reference.mentions)
    # The rest stands for what is named nowhere else, or in words that are not in the text.
    assert 0.9 * annotated < len(pronouns) <= annotated
    assert all(one.question[1][p.start : p.end] == p.text for one in asked for p in one.question[3])
    documents = coref_documents(texts)
    whole = {text.id for text in texts if None not in locate(text.reference)}
    with_pronouns = {one.text.id for one in asked}
    # A pronoun and its name may share a head, as annotated; then there is no chain.
    assert len((with_pronouns & whole) - {document.id for document in documents}) <= 5
    assert {document.id for document in documents} <= whole
    assert all(document.chains for document in documents)
    root, rules = (figures_of(place(asked, some), resamples=0) for some in (RootResolver(), RuleResolver()))
    assert root["recall"] < rules["recall"]
    assert rules["recall"] >= 0.9


@pytest.fixture
def placed(make):
    """Of four pronouns in two texts, three are answered, two rightly."""
    text = make.reference("Text.", ("A", "Text"))
    town, person = make.texts(
        *(make.example(one, [("A", "b", "C")], text, category=one) for one in ("Town", "Person"))
    )
    return [
        Placed(town, "It", "A", "A"),
        Placed(town, "it", "C", "C"),
        Placed(person, "he", "A", "C"),
        Placed(person, "he", "C", None),
    ]


def test_the_table_has_a_row_for_each_resolver(placed):
    summary = pronoun_summary("rules.v1", [("rules", placed), ("nobody", [])])
    found = json.loads(FORMATS["json"](summary))
    first, second = found["systems"]
    # Of the two texts one is all right, the other all wrong: draws of texts give 0, 1/2 or 1.
    intervals = {"precision_low": 0.0, "precision_high": 1.0, "recall_low": 0.0, "recall_high": 1.0}
    counts = {"system": "rules", "pronouns": 4, "answered": 3}
    assert first == counts | {"precision": 2 / 3, "recall": 1 / 2} | intervals
    assert second["pronouns"] == 0
    assert [second[name] for name in ("precision", "precision_low", "recall", "recall_high")] == [None] * 4
    lines = FORMATS["table"](summary).split("\n")
    assert lines[0].split() == ["System", "Pronouns", "Answered", "P", "low", "high", "R", "low", "high"]
    assert lines[2].split()[1:4] == ["4", "3", "0.6667"]
    assert "signature: rules.v1" in lines


def test_the_table_has_parts_if_asked(placed):
    summary = pronoun_summary("rules.v1", [("rules", placed)], by=("antecedent", "pronoun"))
    [row] = summary.systems
    names = ("pronouns", "answered", "precision", "recall")
    assert {label: tuple(part[name] for name in names) for label, part in row["by"]["part"].items()} == {
        "antecedent: root": (2, 2, 0.5, 0.5),
        "antecedent: not the root": (2, 1, 1.0, 0.5),
        "pronoun: it": (2, 2, 1.0, 1.0),
        "pronoun: he": (2, 1, 0.0, 0.0),
    }
    assert all("pronoun: he" in write(summary) for write in FORMATS.values())
    assert "by" not in pronoun_summary("r", [("r", placed)]).systems[0]
