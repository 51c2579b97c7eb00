"""Claims that a text states a fact: true ones and false ones, to learn from and to be measured on.

Many are made from texts that state something other than their input. Each function that corrupts a text takes
a marked one and returns another one, whose ``stated`` facts are those that it then states about the entities
as they are marked; None if the text cannot be corrupted in this way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from esascore.facts.bank import Bank, Marked, Piece, Spans, words_of
from esascore.model import Triple

_NUMBER = re.compile("[0-9]+")

Corruption = Callable[[Marked, Bank, Random], Marked | None]

WHOLE = "as it is"
"""The kind of a text that is not corrupted."""

# How often a text of each kind is learned from. What swaps two mentions teaches most: nothing but the words
# around them says that the fact is another one.
_TEXTS: Mapping[str, int] = {
    WHOLE: 30,
    "mentions swapped": 34,
    "wrong predicate in the text": 16,
    "one for another": 8,
    "mention replaced": 6,
    "sentence added": 6,
}
# How often a false fact of each kind is learned from.
_FALSE: Mapping[str, int] = {
    "of the input": 6,
    "roles": 4,
    "pair": 1,
    "predicate of another": 2,
    "other predicate": 2,
}
_TRUE_PER_TEXT = _FALSE_PER_TEXT = 2
_OTHER_WORDING = 0.3
_WITHOUT_PRONOUNS = 0.5


def mentions_swapped(text: Marked, bank: Bank, chance: Random) -> Marked | None:
    """Exchange two entities.

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


def corrupted(kind: str, text: Marked, bank: Bank, chance: Random) -> Marked | None:
    """Corrupt a text in one way; None if that is impossible."""
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


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact to look for in a text: its predicate in words, and where its two entities are mentioned."""

    predicate: str
    text: str
    subject: Spans
    object: Spans


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim, whether it is true, and what kind of text and fact it was made of."""

    claim: Claim
    true: bool
    kind: str


def claim_of(fact: Triple, text: Marked, *, pronouns: bool = True) -> Claim | None:
    """Make the claim that a text states a fact; None if one of its entities is not mentioned.

    Examples
    --------
    >>> text = Marked.of("Bo runs Ada.", [("Bo", 0, 2), ("Ada", 8, 11)], [Triple("Ada", "ownedBy", "Bo")])
    >>> claim_of(text.facts[0], text)
    Claim(predicate='owned by', text='Bo runs Ada.', subject=((8, 11),), object=((0, 2),))
    """
    subject = text.spans(fact.subject, pronouns=pronouns)
    object_ = text.spans(fact.object, pronouns=pronouns)
    if not subject or not object_ or fact.subject == fact.object:
        return None
    return Claim(words_of(fact.predicate), text.text, subject, object_)


def training_claims(texts: Sequence[Marked], bank: Bank, number: int, seed: int) -> list[Judged]:
    """Draw claims to learn from: about as many true as false ones.

    Examples
    --------
    >>> from esascore.facts.bank import bank_of
    >>> text = Marked.of("Bo runs Ada.", [("Bo", 0, 2), ("Ada", 8, 11)], [Triple("Ada", "ownedBy", "Bo")])
    >>> some = training_claims([text], bank_of([text]), 4, seed=1)
    >>> len(some), {one.true for one in some}
    (4, {False, True})
    """
    chance = Random(seed)
    found: list[Judged] = []
    while len(found) < number:
        kind = chance.choices(list(_TEXTS), list(_TEXTS.values()))[0]
        text = corrupted(kind, chance.choice(texts), bank, chance)
        if text is not None:
            found += _claims(text, kind, bank, chance)
    return found[:number]


def _claims(text: Marked, kind: str, bank: Bank, chance: Random) -> Iterator[Judged]:
    pronouns = chance.random() >= _WITHOUT_PRONOUNS

    def judged(fact: Triple, true: bool, how: str) -> Iterator[Judged]:
        claim = claim_of(fact, text, pronouns=pronouns)
        if claim is not None:
            wordings = bank.wordings.get(fact.predicate)
            if wordings and chance.random() < _OTHER_WORDING:
                # Predicates that the model has never seen come in words of all kinds.
                claim = Claim(chance.choice(wordings), claim.text, claim.subject, claim.object)
            yield Judged(claim, true, f"{kind}: {how}")

    stated = sorted(text.stated, key=lambda fact: (fact.subject, fact.predicate, fact.object))
    chance.shuffle(stated)
    for fact in stated[:_TRUE_PER_TEXT]:
        yield from judged(fact, True, "true")
    false = {how: some for how, some in _false_facts(text, stated, bank, chance).items() if some}
    for _ in range(_FALSE_PER_TEXT):
        if false:
            how = chance.choices(list(false), [_FALSE[name] for name in false])[0]
            yield from judged(chance.choice(false[how]), False, how)


def _false_facts(
    text: Marked, stated: Sequence[Triple], bank: Bank, chance: Random
) -> dict[str, list[Triple]]:
    """Return facts that the text does not state, though it mentions their entities."""
    joined = {(fact.subject, fact.object) for fact in stated}
    between: dict[tuple[str, str], list[str]] = {}
    for fact in stated:
        between.setdefault((fact.subject, fact.object), []).append(fact.predicate)

    def could_be(subject: str, predicate: str, object_: str) -> bool:
        return any(bank.near(predicate, other) for other in between.get((subject, object_), ()))

    false: dict[str, list[Triple]] = {how: [] for how in _FALSE}
    false["of the input"] = [
        fact
        for fact in text.facts
        if fact not in text.stated and not could_be(fact.subject, fact.predicate, fact.object)
    ]
    named = text.named
    for fact in stated:
        turned = (fact.object, fact.subject)
        if turned not in joined and not bank.is_mutual(fact.predicate):
            false["roles"].append(Triple(fact.object, fact.predicate, fact.subject))
        for subject, object_ in joined - {(fact.subject, fact.object)}:
            if not could_be(subject, fact.predicate, object_):
                false["predicate of another"].append(Triple(subject, fact.predicate, object_))
        if len(named) > 2:
            subject, object_ = chance.sample(named, 2)
            if (subject, object_) not in joined and (object_, subject) not in joined:
                false["pair"].append(Triple(subject, fact.predicate, object_))
        other = other_predicate(fact, text.category, bank, chance)
        if other is not None and not could_be(fact.subject, other, fact.object):
            false["other predicate"].append(Triple(fact.subject, other, fact.object))
    false["predicate of another"].sort(key=lambda fact: (fact.subject, fact.predicate, fact.object))
    return false
