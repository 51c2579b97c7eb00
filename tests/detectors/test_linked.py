from __future__ import annotations

import pytest

from esascore.claims.explainer import Explainer
from esascore.claims.unexplained import find_unexplained
from esascore.detectors.linked import Linked
from esascore.errors import LinkerError
from esascore.lexicon import Lexicon
from esascore.link.equality import EntityNames
from esascore.model import Graph, LinkedMention, LinkFailure, Mention
from esascore.run.evaluation import detect_all
from esascore.text.document import Document

GRAPH = Graph.from_triples([("Ada_Hall", "location", "New York City"), ("Ada_Hall", "owner", "Bo_Berg")])


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
    document = Document(GRAPH, text)
    [links] = linked.ask([document])
    assert [(m.entity, m.text, m.method) for m in linked.mentions(document, links)] == [
        ("New York City", "Gotham", "linker")
    ]


def test_the_linker_gets_the_documents():
    fixed, documents = Fixed((), ()), [Document(GRAPH, "A."), Document(GRAPH, "B.")]
    Linked(fixed, EntityNames()).ask(documents)
    assert fixed.asked == [(["A.", "B."], documents)]


def test_an_unknown_answer_is_an_error_unless_allowed():
    documents = [Document(GRAPH, "A."), Document(GRAPH, "B.")]
    answers = ((), LinkFailure("the server is down"))
    with pytest.raises(LinkerError, match="1 of 2 texts are unknown: the server is down"):
        Linked(Fixed(*answers), EntityNames()).ask(documents)
    allowed = Linked(Fixed(*answers), EntityNames(), allow_failures=True)
    assert allowed.ask(documents) == list(answers)
    assert allowed.mentions(documents[1], answers[1]) == []


def spans(text, links, mentions=()):
    explained = Explainer(Lexicon()).explain(GRAPH)
    found = find_unexplained(Document(GRAPH, text), explained, None, mentions, links)
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
    items = [(GRAPH, f"A {number}{'?' * (number % 2)}") for number in range(64)]
    assert detect_all(Answering, items, jobs=2) == Answering().detect(items)
