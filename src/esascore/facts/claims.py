"""Claims that a text states a fact: true ones and false ones, to learn from and to be measured on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from esascore.facts.bank import Bank, words_of
from esascore.facts.corruptions import WHOLE, corrupted, other_predicate
from esascore.facts.marked_texts import Marked, Spans
from esascore.model import Triple

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
