"""Invented texts about people, firms and towns, with every mention marked."""

from __future__ import annotations

from random import Random

from esascore.facts.marked import Marked
from esascore.model import Triple

FIRST = ["Ada", "Bo", "Cy", "Dee", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo", "Kai", "Liv"]
LAST = ["Berg", "Dahl", "Falk", "Holm", "Lund", "Moe", "Nygaard", "Quill", "Rask", "Strand", "Torvald", "Vik"]
WORDINGS = {
    "employer": ["{s} works for {o}.", "{o} employs {s}.", "{s} is an employee of {o}."],
    "parent": ["{o} is the parent of {s}.", "{s} is the child of {o}.", "{s} was raised by {o}."],
    "teacher": ["{s} was taught by {o}.", "{o} taught {s}.", "{s} is a student of {o}."],
    "successor": ["{s} was followed in office by {o}.", "{o} took over from {s}."],
}


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
