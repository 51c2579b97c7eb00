"""Texts that state something else than their input: what a model learns to tell apart, and is measured on.

Each function takes a marked text and gives another one, whose ``stated`` facts are those that it then states
of the entities as they are marked; None where the text gives no occasion.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from esascore.facts.bank import Bank
from esascore.facts.marked_texts import Marked, Piece
from esascore.model import Triple

_NUMBER = re.compile("[0-9]+")

Corruption = Callable[[Marked, Bank, Random], Marked | None]


def mentions_swapped(text: Marked, bank: Bank, chance: Random) -> Marked | None:
    """Let two entities change places.

    Examples
    --------
    >>> from esascore.facts.bank import bank_of
    >>> fact = Triple("Ada", "boss", "Bo")
    >>> text = Marked.of("Bo works for Ada.", [("Bo", 0, 2), ("Ada", 13, 16)], [Triple("Bo", "boss", "Ada")])
    >>> swapped = mentions_swapped(text, bank_of([text]), Random(1))
    >>> swapped.text, swapped.stated == {Triple("Ada", "boss", "Bo")}
    ('Ada works for Bo.', True)
    """
    if len(text.named) < 2:
        return None
    one, other = chance.sample(text.named, 2)
    return _renamed(text, {one: other, other: one}, bank, chance)


def one_for_another(text: Marked, bank: Bank, chance: Random) -> Marked | None:
    """Name one entity of the text where another one was."""
    if len(text.named) < 2:
        return None
    one, other = chance.sample(text.named, 2)
    return _renamed(text, {one: other}, bank, chance)


def mention_replaced(text: Marked, bank: Bank, chance: Random) -> Marked | None:
    """Name an entity of another input where one of this input was."""
    if not text.named:
        return None
    entity = chance.choice(text.named)
    known = {name for fact in text.facts for name in (fact.subject, fact.object)}
    other = bank.stand_in(entity, known, chance)
    return None if other is None else _renamed(text, {entity: other}, bank, chance)


def mention_deleted(text: Marked, bank: Bank, chance: Random) -> Marked | None:
    """Leave out every mention of an entity, pronouns included.

    Examples
    --------
    >>> from esascore.facts.bank import bank_of
    >>> text = Marked.of("Bo works for Ada.", [("Bo", 0, 2), ("Ada", 13, 16)], [Triple("Bo", "boss", "Ada")])
    >>> deleted = mention_deleted(text, bank_of([text]), Random(1))
    >>> deleted.text, deleted.stated
    (' works for Ada.', frozenset())
    """
    if not text.named:
        return None
    gone = chance.choice(text.named)
    pieces = tuple(piece for piece in text.pieces if piece.entity != gone)
    return replace(text, pieces=pieces, stated=_without(gone, text))


def number_changed(text: Marked, bank: Bank, chance: Random) -> Marked | None:
    """Change one digit of the first number in all names of an entity.

    Examples
    --------
    >>> from esascore.facts.bank import bank_of
    >>> fact = Triple("Ada", "opened", "1931")
    >>> text = Marked.of("Ada opened in 1931.", [("Ada", 0, 3), ("1931", 14, 18)], [fact])
    >>> number_changed(text, bank_of([text]), Random(1)).text
    'Ada opened in 1941.'
    """
    numbers = [
        entity
        for entity in text.named
        if all(_NUMBER.search(piece.text) for piece in text.pieces if piece.entity == entity)
    ]
    if not numbers:
        return None
    entity = chance.choice(numbers)
    place = chance.random()

    def changed(found: re.Match[str]) -> str:
        digits = found.group()
        at = int(place * len(digits))
        # Another digit, the same for equal ones, and no zero in front.
        return f"{digits[:at]}{int(digits[at]) % 9 + 1}{digits[at + 1 :]}"

    pieces = [
        Piece(_NUMBER.sub(changed, one.text, count=1), f"{entity} changed") if one.entity == entity else one
        for one in text.pieces
    ]
    return replace(text, pieces=tuple(pieces), stated=_without(entity, text))


def wrong_predicate(text: Marked, bank: Bank, chance: Random) -> Marked | None:
    """Say each fact in a sentence of its own, and one of them with another predicate."""
    wrong = chance.choice(text.facts) if text.facts else None
    if wrong is None or (other := other_predicate(wrong, text.category, bank, chance)) is None:
        return None
    false = replace(wrong, predicate=other)
    sentences = [bank.sentence(false if fact == wrong else fact, chance) for fact in text.facts]
    if any(sentence is None for sentence in sentences):
        return None
    chance.shuffle(sentences)
    pieces = [piece for sentence in sentences for piece in (Piece(" "), *(sentence or ()))][1:]
    stated = frozenset(false if fact == wrong else fact for fact in text.facts)
    return replace(text, pieces=tuple(pieces), stated=stated)


def sentence_added(text: Marked, bank: Bank, chance: Random) -> Marked | None:
    """Add a sentence with a fact that the input does not have."""
    fact = _strange_fact(text, bank, chance)
    if fact is None or (sentence := bank.sentence(fact, chance)) is None:
        return None
    return replace(text, pieces=(*text.pieces, Piece(" "), *sentence), stated=text.stated | {fact})


def roles_exchanged(text: Marked, bank: Bank, chance: Random) -> Marked | None:
    """Exchange subject and object of a fact of the input; the text stays as it is."""
    open_ = [f for f in text.facts if f.subject != f.object and not bank.is_mutual(f.predicate)]
    if not open_:
        return None
    fact = chance.choice(open_)
    turned = Triple(fact.object, fact.predicate, fact.subject)
    return None if turned in bank.facts else _exchanged(text, fact, turned)


def predicate_exchanged(text: Marked, bank: Bank, chance: Random) -> Marked | None:
    """Give a fact of the input another predicate; the text stays as it is."""
    if not text.facts:
        return None
    fact = chance.choice(text.facts)
    if (other := other_predicate(fact, text.category, bank, chance)) is None:
        return None
    return _exchanged(text, fact, replace(fact, predicate=other))


def _exchanged(text: Marked, fact: Triple, other: Triple) -> Marked:
    return replace(text, facts=tuple(other if one == fact else one for one in text.facts))


def fact_added(text: Marked, bank: Bank, chance: Random) -> Marked | None:
    """Add a fact of another input to this one, about an entity of both; the text stays as it is."""
    fact = _strange_fact(text, bank, chance)
    return None if fact is None else replace(text, facts=(*text.facts, fact))


def _strange_fact(text: Marked, bank: Bank, chance: Random) -> Triple | None:
    """Draw a fact of another input about an entity of the text."""
    if not text.named:
        return None
    others = [fact for fact in bank.about.get(chance.choice(text.named), ()) if fact not in text.facts]
    return chance.choice(others) if others else None


CORRUPTIONS: Mapping[str, Corruption] = {
    "mentions swapped": mentions_swapped,
    "one for another": one_for_another,
    "mention replaced": mention_replaced,
    "mention deleted": mention_deleted,
    "number changed": number_changed,
    "wrong predicate in the text": wrong_predicate,
    "sentence added": sentence_added,
    "roles exchanged in the data": roles_exchanged,
    "predicate exchanged in the data": predicate_exchanged,
    "fact added in the data": fact_added,
}
"""All kinds of corruption, by name."""

WHOLE = "as it is"
"""The kind of a text that is not corrupted."""


def corrupted(kind: str, text: Marked, bank: Bank, chance: Random) -> Marked | None:
    """Corrupt a text in one way; None where it gives no occasion."""
    return text if kind == WHOLE else CORRUPTIONS[kind](text, bank, chance)


def other_predicate(fact: Triple, category: str, bank: Bank, chance: Random) -> str | None:
    """Draw a predicate that could stand between the two entities of a fact, and does not."""
    for _ in range(12):
        own = bank.predicates.get(category) if chance.random() < 0.6 else None
        other = chance.choice(own or bank.predicates[""])
        known = Triple(fact.subject, other, fact.object) in bank.facts
        if not known and not bank.near(other, fact.predicate):
            return other
    return None


def _without(entity: str, text: Marked) -> frozenset[Triple]:
    """Return what a text states of all but one entity."""
    return frozenset(fact for fact in text.stated if entity not in (fact.subject, fact.object))


def _renamed(text: Marked, names: Mapping[str, str], bank: Bank, chance: Random) -> Marked:
    """Put other entities in the places of some; a pronoun stays as it is and means the other one."""
    pieces = []
    for piece in text.pieces:
        if (entity := names.get(piece.entity or "")) is None:
            pieces.append(piece)
        else:
            pieces.append(Piece(bank.name(entity, chance) if piece.is_name else piece.text, entity))

    def renamed(fact: Triple) -> Triple:
        subject, object_ = (names.get(one, one) for one in (fact.subject, fact.object))
        return replace(fact, subject=subject, object=object_)

    return replace(text, pieces=tuple(pieces), stated=frozenset(map(renamed, text.stated)))
