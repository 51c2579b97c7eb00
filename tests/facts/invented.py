"""Invented texts about people, with every mention marked."""

from __future__ import annotations

from random import Random

from esascore.facts.bank import Marked
from esascore.facts.verdicts import Page
from esascore.model import Detection, Graph, Mention, Triple

FIRST = ["Ada", "Bo", "Cy", "Dee", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo", "Kai", "Liv"]
LAST = ["Berg", "Dahl", "Falk", "Holm", "Lund", "Moe", "Nygaard", "Quill", "Rask", "Strand", "Torvald", "Vik"]
WORDINGS = {
    "employer": ["{s} works for {o}.", "{o} employs {s}.", "{s} is an employee of {o}."],
    "parent": ["{o} is the parent of {s}.", "{s} is the child of {o}.", "{s} was raised by {o}."],
    "teacher": ["{s} was taught by {o}.", "{o} taught {s}.", "{s} is a student of {o}."],
    "successor": ["{s} was followed in office by {o}.", "{o} took over from {s}."],
}
NAMES = ["ada", "bo", "cy", "dee", "eve", "finn", "gus", "hal"]
NAMES += ["ida", "jo", "kai", "liv", "mia", "ned", "ole", "pia"]
PREDICATES = ["boss", "coach", "editor", "owner"]
FRAME = ["what", "is", "the", "of", "has", "?", ".", "entity", "[", "]", ","]


def texts(number: int, seed: int) -> list[Marked]:
    """One or two facts about two or three people each."""
    chance = Random(seed)
    made = []
    for _ in range(number):
        people = [f"{a} {b}" for a, b in zip(chance.sample(FIRST, 3), chance.sample(LAST, 3), strict=True)]
        facts = [Triple(people[0], chance.choice(list(WORDINGS)), people[1])]
        if chance.random() < 0.5:
            facts.append(Triple(people[1], chance.choice(list(WORDINGS)), people[2]))
        text, mentions = "", []
        for fact in facts:
            sentence = chance.choice(WORDINGS[fact.predicate]).replace("{s}", "\0").replace("{o}", "\1")
            for character in sentence:
                entity = {"\0": fact.subject, "\1": fact.object}.get(character)
                if entity is not None:
                    mentions.append((entity, len(text), len(text) + len(entity)))
                text += entity or character
            text += " "
        made.append(Marked.of(text.strip(), mentions, facts, chance.choice(["Office", "Family"])))
    return made


def page_of(marked: Marked) -> Page:
    """Lay out a marked text."""
    mentions, at = [], 0
    for piece in marked.pieces:
        if piece.entity is not None:
            mentions.append(Mention(piece.entity, at, at + len(piece.text), piece.text, "string"))
        at += len(piece.text)
    graph = Graph.from_triples(marked.facts)
    entities = tuple(entity.term for entity in graph.entities)
    return Page.of(graph, Detection(marked.text, entities, tuple(mentions), ()))


def pages(number: int, seed: int) -> list[Page]:
    """Two facts about one of three people each, in a text that says them word for word."""
    chance = Random(seed)
    made = []
    for _ in range(number):
        one, *others = chance.sample(NAMES, 3)
        facts = [
            Triple(one, predicate, name)
            for predicate, name in zip(chance.sample(PREDICATES, 2), others, strict=True)
        ]
        text, mentions = "", []
        for fact in facts:
            text += " " * bool(text)
            for part in (fact.subject, f" has the {fact.predicate} ", fact.object, " ."):
                if part in NAMES:
                    mentions.append((part, len(text), len(text) + len(part)))
                text += part
        made.append(page_of(Marked.of(text, mentions, facts)))
    return made
