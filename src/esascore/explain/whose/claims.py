"""Words that claim a place among others or a result: who led, who won, who reached what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from esascore.explain.spans import Unexplained
from esascore.explain.whose.contexts import Said
from esascore.explain.whose.ledger import DOCUMENT, Owner, in_words, stems_of
from esascore.explain.whose.model import Model, parts_of
from esascore.explain.whose.pieces import DASHES, Named
from esascore.explain.whose.reach import Reach
from esascore.text.stem import stem
from esascore.wordlists import load, values

WORDLISTS = ("claims",)
"""The word lists that are read here."""

_AFTER_RANK = frozenset({"on", "in", "for", "among", "of"})
_LED = frozenset({"the", "team", "way", "all", "group", "charge", "by", "in", "with"})
_FAR, _CLOSE = 25, 3


@dataclass(frozen=True, slots=True)
class Claim:
    """What a word claims, and of which attributes or group."""

    words: tuple[str, ...]
    claim: str
    of: tuple[str, ...]


@cache
def claims_by_word() -> Mapping[str, tuple[Claim, ...]]:
    """Return the claims of the word list ``claims`` by their first words.

    Examples
    --------
    >>> [claim.claim for claim in claims_by_word()["defeated"]]
    ['win']
    """
    found: dict[str, tuple[Claim, ...]] = {}
    for word, claim, of in load("claims").rows:
        words = tuple(word.split(" "))
        found[words[0]] = (*found.get(words[0], ()), Claim(words, claim, values(of)))
    return MappingProxyType(found)


def wrong_claims(reach: Reach, numbers: Sequence[Said], model: Model) -> Iterator[Unexplained]:
    """Yield words that claim what the input denies: a place, a lead, a win, so many of something."""
    claims = _Claims(reach, numbers, model)
    for said in numbers:
        if said.sort == "ordinal":
            yield from claims.place(said)
    known = claims_by_word()
    for index, word in enumerate(reach.pieces.words):
        for claim in known.get(word, ()):
            if (end := claims.end_of(index, claim.words)) is not None:
                yield from claims.check(claim, index, end)


@dataclass(frozen=True, slots=True)
class _Claims:
    reach: Reach
    numbers: Sequence[Said]
    model: Model

    def end_of(self, index: int, words: Sequence[str]) -> int | None:
        """Return where a phrase ends that begins at a piece; None if it is not there."""
        pieces = self.reach.pieces
        at = index
        for word in words:
            while at > index and pieces.in_sentence(at, index) and pieces.words[at] in DASHES:
                at += 1
            if not pieces.in_sentence(at, index) or pieces.words[at] != word:
                return None
            at += 1
        return at

    def check(self, claim: Claim, index: int, end: int) -> Iterator[Unexplained]:
        """Yield a claim that the input denies."""
        reason: str | None = None
        if claim.claim == "lead":
            reason = self._lead(index)
        elif claim.claim in ("win", "lose"):
            reason = self._win(index, end, claim.claim == "win")
        elif claim.claim == "high":
            reason = self._high(index, end, claim.of)
        elif claim.claim == "only":
            reason = self._only(index, end, float(claim.of[0]))
        elif claim.claim == "next":
            reason = self._next(index)
        elif claim.claim == "also":
            yield from self._also(index)
        elif claim.claim in ("yes", "no"):
            reason = self._truth(end, claim.claim == "yes", claim.of)
        else:
            reason = self._feat(index, claim)
        if reason is not None:
            pieces = self.reach.pieces
            if index and any(said.first == index - 1 and said.sort == "ordinal" for said in self.numbers):
                index -= 1  # "his second double-double": it is not the second either
            start, stop = pieces.starts[index], pieces.ends[end - 1]
            yield Unexplained(start, stop, "value", "claim", None, "misattributed", None, reason)

    def place(self, said: Said) -> Iterator[Unexplained]:
        """Yield a place in an order ("second on the team with 12 points") that is another one."""
        pieces, after = self.reach.pieces, said.last + 1
        if not pieces.in_sentence(after, said.last) or pieces.words[after] not in _AFTER_RANK:
            return
        ranks = list(self._ranks(self.reach.owners(said.first), self._next_number(said.last)))
        if ranks and all(rank != said.values[0] for _, _, rank in ranks):
            name, label, rank = ranks[0]
            reason = f"{name} is number {rank} by {in_words(label)}"
            yield Unexplained(*said.spans[0], "number", "rank", None, "misattributed", str(rank), reason)

    def _next_number(self, index: int) -> Said | None:
        """Return the first number after a piece in its sentence."""
        pieces = self.reach.pieces
        after = (said for said in self.numbers if said.first > index and said.sort == "plain")
        said = next(after, None)
        if said is None or not pieces.in_sentence(said.first, index) or said.first - index > _FAR:
            return None
        return said

    def _ranks(self, owners: Sequence[str], said: Said | None) -> Iterator[tuple[str, str, int]]:
        """Yield the places of owners by what a number counts."""
        expected = None if said is None else self.model.expected(said, lone=False)
        if expected is None:
            return
        ledger = self.reach.ledger
        for owner in owners:
            for label in expected.labels:
                if label in ledger.ranks.get(owner, {}):
                    yield ledger.owners[owner].name, label, ledger.ranks[owner][label]

    def _lead(self, index: int) -> str | None:
        """Deny that someone led the others in what the next number counts."""
        pieces = self.reach.pieces
        if not pieces.in_sentence(index + 1, index) or pieces.words[index + 1] not in _LED:
            return None
        passive = pieces.words[index + 1] == "by"
        who = self._named_after(index) if passive else self._named_before(index)
        said = self._next_number(index)
        if who is None or said is None or (passive and who.first > said.first):
            return None
        if pieces.words[index + 1] == "the" and not self._is_group(index + 2):
            return self._lead_some(index, who, said)
        ranks = list(self._ranks(who.owners, said))
        if not ranks or any(rank == 1 for _, _, rank in ranks):
            return None
        name, label, rank = ranks[0]
        return f"{name} is number {rank} by {in_words(label)}"

    def _lead_some(self, index: int, who: Named, said: Said) -> str | None:
        """Deny that someone led those who have or lack the attribute that a word tells of ("the bench")."""
        words = self.reach.pieces.words[index + 2 : index + 4]
        told = next((self.model.presence[stem(w)] for w in words if stem(w) in self.model.presence), None)
        if told is None or len(who.owners) != 1:
            return None
        ledger = self.reach.ledger
        own = ledger.owners[who.owners[0]]
        for _, label, _ in self._ranks(who.owners, said):
            for other in ledger.owners.values():
                alike = (other.parent, other.kind) == (own.parent, own.kind)
                if alike and (told[0] in ledger.attributes[other.id]) == told[1]:
                    number = max(ledger.held[other.id].get(label, (0.0,)))
                    if number > max(ledger.held[own.id][label]):
                        return f"{other.name} has {number:g} {in_words(label)}"
            return None
        return None

    def _is_group(self, index: int) -> bool:
        pieces = self.reach.pieces
        named = any(own.first == index for own in pieces.named)
        return named or (index < len(pieces) and pieces.words[index] in _LED)

    def _win(self, index: int, end: int, more: bool) -> str | None:
        """Deny that the one before the verb has more than the one after it, or less."""
        one, two = self._named_before(index), self._named_after(end - 1)
        if one is None or two is None or len(one.owners) != 1 or len(two.owners) != 1:
            return None
        pieces, ledger = self.reach.pieces, self.reach.ledger
        a, b = one.owners[0], two.owners[0]
        if two.first - index > 2 * _CLOSE or (a, b) not in (
            *ledger.only_two,
            *((y, x) for x, y in ledger.only_two),
        ):
            return None
        score = next((said for said in self.numbers if said.first >= two.end and said.sort == "pair"), None)
        while score is not None and pieces.words[score.first - 1] == "(":
            score = next((s for s in self.numbers if s.first > score.last and s.sort == "pair"), None)
        if score is None or not pieces.in_sentence(score.first, index):
            return None
        expected = self.model.expected(score, lone=False)
        labels = () if expected is None else [x for x, y in map(parts_of, expected.labels) if x == y]
        for label in labels:
            if label in ledger.held[a] and label in ledger.held[b]:
                have, other = ledger.held[a][label][0], ledger.held[b][label][0]
                if (have < other) if more else (have > other):
                    names = ledger.owners[a].name, ledger.owners[b].name
                    return f"by {in_words(label)} {names[0]} has {have:g}, {names[1]} {other:g}"
                return None
        return None

    def _high(self, index: int, end: int, of: Sequence[str]) -> str | None:
        """Deny that the next number is the highest of the team or the game."""
        said = self._next_number(end - 1)
        if said is None or said.first - end > _CLOSE:
            return None
        ledger = self.reach.ledger
        for name, label, rank in self._ranks(self.reach.owners(index), said):
            if rank > 1:
                return f"{name} is number {rank} by {in_words(label)}"
            if "game" in of:
                highest = max(max(own.get(label, (0.0,))) for own in ledger.held.values())
                if highest > said.values[0]:
                    return f"the highest {in_words(label)} of all is {highest:g}"
            return None
        return None

    def _only(self, index: int, end: int, least: float) -> str | None:
        """Deny that nobody but those named before and this one has at least so much."""
        ledger, pieces = self.reach.ledger, self.reach.pieces
        who, said = self._named_before(index) or self._named_after(index), self._next_number(end)
        if who is None or len(who.owners) != 1:
            return None
        own = ledger.owners[who.owners[0]]
        before = {owner for named in pieces.named if named.first <= who.first for owner in named.owners}
        for _, label, _ in self._ranks(who.owners, said):
            for other in ledger.owners.values():
                if (other.parent, other.kind) == (own.parent, own.kind) and other.id not in before:
                    number = max(ledger.held[other.id].get(label, (0.0,)))
                    if number >= least:
                        return f"{other.name} has {number:g} {in_words(label)}"
            return None
        return None

    def _siblings(self, index: int) -> tuple[Named, Owner, Owner] | None:
        """Return the name before a word, its owner, and the one of this kind named last before it."""
        who, ledger, pieces = self._named_before(index), self.reach.ledger, self.reach.pieces
        if who is None or len(who.owners) != 1:
            return None
        own = ledger.owners[who.owners[0]]
        for named in reversed([named for named in pieces.named if named.end <= who.first]):
            last = ledger.owners[named.owners[0]]
            if len(named.owners) == 1 and last.kind == own.kind and last != own:
                near = pieces.sentences[who.first] - pieces.sentences[named.first] <= 1
                return (who, own, last) if near else None
        return None

    def _next(self, index: int) -> str | None:
        """Deny that nobody is between this one and the one named before."""
        found, said = self._siblings(index), self._next_number(index)
        if found is None or found[1].parent != found[2].parent:
            return None
        _, own, last = found
        held = self.reach.ledger.held
        for _, label, _ in self._ranks((own.id,), said):
            low, high = (max(held[one.id].get(label, (0.0,))) for one in (own, last))
            for other in self.reach.ledger.owners.values():
                if (other.parent, other.kind) == (own.parent, own.kind):
                    number = max(held[other.id].get(label, (0.0,)))
                    if low < number < high:
                        return f"{other.name} is between {own.name} and {last.name} by {in_words(label)}"
            return None
        return None

    def _also(self, index: int) -> Iterator[Unexplained]:
        """Flag one who is said to add to what another one did, but is on the other side."""
        found = self._siblings(index)
        if found is None or found[1].parent == found[2].parent:
            return
        who, own, last = found
        owners, pieces = self.reach.ledger.owners, self.reach.pieces
        if own.parent in owners and last.parent in owners:
            side, other = owners[own.parent].name, owners[last.parent].name
            reason = f"{own.name} belongs to {side}, {last.name} to {other}"
            start, end = pieces.starts[who.first], pieces.ends[who.end - 1]
            yield Unexplained(start, end, "name", "kin", None, "misattributed", None, reason)

    def _truth(self, end: int, said: bool, of: Sequence[str]) -> str | None:
        """Deny an attribute of the name that follows."""
        named = next((own for own in self.reach.pieces.named if own.first == end), None)
        if named is None or len(named.owners) != 1:
            return None
        for label, truth in self.reach.ledger.truths.get(named.owners[0], {}).items():
            if stems_of(label) & {stem(word) for word in of}:
                name = self.reach.ledger.owners[named.owners[0]].name
                return (
                    None if truth == said else f"{in_words(label)} is {'yes' if truth else 'no'} for {name}"
                )
        return None

    def _feat(self, index: int, claim: Claim) -> str | None:
        """Deny that someone has so many numbers of at least so much."""
        count, _, least = claim.claim.partition(" x ")
        wanted = {frozenset({stem(word)}) for word in claim.of}
        ledger = self.reach.ledger
        for owner in self.reach.owners(index):
            if owner == DOCUMENT or owner not in ledger.ranks:
                continue
            have = {
                in_words(label): n[0] for label, n in ledger.held[owner].items() if stems_of(label) in wanted
            }
            if len(have) < int(count):
                continue
            enough = [name for name, number in have.items() if number >= float(least)]
            if len(enough) >= int(count):
                return None
            best = sorted(have.items(), key=lambda one: -one[1])[: int(count)]
            numbers = " and ".join(f"{number:g} {name}" for name, number in best)
            return f"{ledger.owners[owner].name} has {numbers}"
        return None

    def _named_before(self, index: int) -> Named | None:
        """Return the name that a verb follows: right before it, or the subject of a pronoun before it."""
        pieces = self.reach.pieces
        here = [own for own in self.reach.named(pieces.sentences[index]) if own.end <= index]
        return here[-1] if here else None

    def _named_after(self, index: int) -> Named | None:
        here = self.reach.named(self.reach.pieces.sentences[index])
        return next((own for own in here if own.first > index), None)
