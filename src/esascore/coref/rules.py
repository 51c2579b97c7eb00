"""Coreference by rules: what a pronoun can refer to, and which triple the text verbalises next.

The rules rest on two observations. A pronoun shows the kind of its antecedent (a person, a thing). And a text
verbalises triples one by one: the entity that is named next is usually the other end of the triple that the
pronoun's clause verbalises.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from esascore.coref.base import CorefResolver, Pronoun, Question
from esascore.lexicon.entity_types import nature_in
from esascore.model import Entity, Input, Mention, once_per_input

_PERSONAL = frozenset({"he", "him", "his", "himself", "she", "her", "hers", "herself"})
_NEUTER = frozenset({"it", "its", "itself"})
_PERSON = "person"
# "In Spain, where they speak Spanish": no entity of the input is meant.
_PEOPLE_THERE = "where they"

# Between what is possessed and its owner's pronoun: "has Rome as its capital", "with Mols to its northeast".
_POSSESSED = re.compile(r"\s*\)?,?\s+(?:as|to|among|being|for|as (?:one|part|some) of)\s+")
_APOSTROPHE = re.compile("['’]")


@dataclass(frozen=True, slots=True)
class _Reading:
    """The parts of an input that the rules use: its root, the kinds of its entities, and their links."""

    root: str | None
    natures: dict[str, str | None]
    people: frozenset[str]
    things: frozenset[str]
    subjects_of: dict[str, dict[str, None]]
    objects_of: dict[str, dict[str, None]]

    def fitting(self, word: str) -> frozenset[str]:
        """Return the entities that the pronoun can refer to, as far as their kinds are known."""
        if word in _PERSONAL:
            return self.people
        return self.things if word in _NEUTER else self.things | (self.people & {self.root})


@dataclass(frozen=True, slots=True)
class Answer:
    """The entity that a pronoun refers to according to the rules.

    ``by_triple`` says whether a triple that the text verbalises supports it, not only kind, recency or
    the root; ``candidates`` are the entities that the pronoun can refer to by their kind.
    """

    entity: str | None
    by_triple: bool
    candidates: frozenset[str]


@dataclass(frozen=True, slots=True)
class RuleResolver:
    """Places pronouns by kind, by the triple that comes next, by recency, and finally by the root.

    Examples
    --------
    >>> graph = Input.from_triples([("Ada_Hall", "architect", "Bo_Berg"), ("Bo_Berg", "birthPlace", "Oslo")])
    >>> text = "Ada Hall is by Bo Berg. He is from Oslo."
    >>> spans = [("Ada_Hall", 0, 8), ("Bo_Berg", 15, 22), ("Oslo", 35, 39)]
    >>> named = [Mention(entity, start, end, text[start:end], "string") for entity, start, end in spans]
    >>> RuleResolver().resolve([(graph, text, named, [Pronoun("He", 24, 26)])])
    [['Bo_Berg']]
    """

    def resolve(self, questions: Sequence[Question]) -> list[list[str | None]]:
        """Return one entity for each pronoun; None for the people of a place."""
        return [[answer.entity for answer in answers] for answers in self.answers(questions)]

    def answers(self, questions: Sequence[Question]) -> list[list[Answer]]:
        """Return the answers with the evidence for each."""
        return [
            [_place(pronoun, text, named, _reading(input_)) for pronoun in pronouns]
            for input_, text, named, pronouns in questions
        ]

    def version(self) -> str:
        """Return the version of the rules: it changes whenever an answer may change."""
        return "rules.v1"


@dataclass(frozen=True, slots=True)
class Combined:
    """Takes the rules' answer if a triple supports it, otherwise the model's if its kind fits.

    The rules are best where a triple shows which entity a clause is about, the model where none does and the
    rules fall back on the nearest entity. And the rules know the kind of an entity; the model may not.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> class Model:
    ...     def resolve(self, questions):
    ...         return [["Ann_Lee"] for _ in questions]
    ...     def version(self):
    ...         return "example"
    >>> graph = Graph.from_triples([("Ann_Lee", "spouse", "Eve_Orr"), ("Eve_Orr", "spouse", "Ann_Lee")])
    >>> text = "Ann Lee met Eve Orr. She won."
    >>> spans = [("Ann_Lee", 0, 7), ("Eve_Orr", 12, 19)]
    >>> named = [Mention(entity, start, end, text[start:end], "string") for entity, start, end in spans]
    >>> question = (graph, text, named, [Pronoun("She", 21, 24)])
    >>> RuleResolver().resolve([question]), Combined(Model(), RuleResolver()).resolve([question])
    ([['Eve_Orr']], [['Ann_Lee']])
    """

    model: CorefResolver
    rules: RuleResolver

    def resolve(self, questions: Sequence[Question]) -> list[list[str | None]]:
        """Return one entity for each pronoun; None if the rules say that no entity of the input is meant."""
        modelled = self.model.resolve(questions)
        ruled = self.rules.answers(questions)
        return [
            [_choice(*pair) for pair in zip(*answers, strict=True)]
            for answers in zip(modelled, ruled, strict=True)
        ]

    def version(self) -> str:
        """Return both versions, and that of their combination."""
        return f"{self.model.version()}+{self.rules.version()}+together.v1"


def _choice(modelled: str | None, ruled: Answer) -> str | None:
    if ruled.entity is None or ruled.by_triple or modelled not in ruled.candidates:
        return ruled.entity
    return modelled


@dataclass(frozen=True, slots=True)
class RootResolver:
    """The fallback of the paper: assigns every pronoun to the root of the graph; a table has none."""

    def resolve(self, questions: Sequence[Question]) -> list[list[str | None]]:
        """Return the root for every pronoun."""
        return [[input_.root] * len(pronouns) for input_, _, _, pronouns in questions]

    def version(self) -> str:
        """Return ``root``: it has no settings."""
        return "root"


def _place(pronoun: Pronoun, text: str, named: Sequence[Mention], reading: _Reading) -> Answer:
    word = _APOSTROPHE.split(pronoun.text.lower())[0]
    candidates = reading.fitting(word)
    if text[max(0, pronoun.end - len(_PEOPLE_THERE)) : pronoun.end].lower() == _PEOPLE_THERE:
        return Answer(None, False, candidates)
    at = bisect_left(named, pronoun.start, key=lambda mention: mention.start)
    before = [mention.entity for mention in named[:at]]
    usual = _by_kind(word, before, reading)
    told = []
    if at and _POSSESSED.fullmatch(text, named[at - 1].end, pronoun.start):
        told.append((named[at - 1].entity, reading.subjects_of))
    if at < len(named):
        told += [(named[at].entity, reading.subjects_of), (named[at].entity, reading.objects_of)]
    said = set(before)
    for other, linked in told:
        fitting = [e for e in linked.get(other, ()) if e in said and e != other and e in candidates]
        if fitting:
            return Answer(usual if usual in fitting else fitting[-1], True, candidates)
    return Answer(usual, False, candidates)


def _by_kind(word: str, before: Sequence[str], reading: _Reading) -> str | None:
    root, fitting = reading.root, reading.fitting(word)
    if root in fitting and word not in _PERSONAL:
        return root
    recent = next((entity for entity in reversed(before) if entity in fitting), None)
    if recent is not None:
        return recent
    if word in _PERSONAL:
        return next((entity for entity in reading.natures if entity in fitting), root)
    return root


@once_per_input
def _reading(input_: Input) -> _Reading:
    subjects: dict[str, dict[str, None]] = {}
    objects: dict[str, dict[str, None]] = {}
    for triple in input_.triples:
        subjects.setdefault(triple.object, {})[triple.subject] = None
        objects.setdefault(triple.subject, {})[triple.object] = None
    natures = {entity.term: nature_in(entity, input_) for entity in input_.entities}
    names = frozenset(entity.term for entity in input_.entities if _is_name(entity))
    people = frozenset(name for name in names if natures[name] == _PERSON)
    return _Reading(input_.root, natures, people, names - people, subjects, objects)


def _is_name(entity: Entity) -> bool:
    """Return whether a pronoun could refer to it: not a number, date or quoted literal."""
    return bool(entity.subject_of) or entity.term[:1].isalpha()
