"""Numbers that another owner or attribute holds than the one that the text gives them to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from esascore.explain.spans import Unexplained
from esascore.explain.whose.contexts import PAIR, RIGHT, TWO_RIGHT, Said
from esascore.explain.whose.ledger import DOCUMENT, in_words, is_derived, plain_label, stems_of, written_forms
from esascore.explain.whose.model import Expected, Model, explaining, paired, parts_of, twos_of
from esascore.explain.whose.reach import Reach
from esascore.text.stem import stem

_HIGH = frozenset({"high", "highest", "maximum", "max", "peak", "peaking"})
_LOW = frozenset({"low", "lowest", "minimum", "min"})
_SMALL = 20
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Accounts:
    """Checks the numbers of a text against what their owners hold."""

    reach: Reach
    model: Model | None
    off: frozenset[str] = frozenset()

    def check(self, said: Said) -> Sequence[Unexplained] | None:
        """Return what is wrong about a number; None if it is explained."""
        if said.sort == "plain" and self._is_verbatim(said):
            return None
        if self.model is None or said.sort == "ordinal":
            return ()
        owners = self.reach.owners(said.first)
        twos = twos_of(self.reach, said)
        expected = self.model.expected(said, lone=owners == (DOCUMENT,))
        got = explaining(said, owners, self.reach.ledger, twos)
        if expected is not None and (fitting := got & expected.accepted):
            if said.sort == "plain" and "extreme" not in self.off and self._is_no_end(said, owners, fitting):
                return [self._flag(said, 0, "extreme", expected, owners)]
            return None
        if said.sort == "implied":
            return list(self._implied(said, expected, owners))
        if said.sort == "pair" and (wrong := self._pair(said, expected, owners, got, twos)) is not None:
            return wrong
        if expected is not None:
            if self._is_of_document(said, got):
                return None
            if said.sort == "plain" and "owner" not in self.off and self._holds(expected, owners):
                return [self._flag(said, 0, "owner", expected, owners)]
        if self._is_derived(said):
            return None
        return self._beyond_reach(said, owners, got)

    def _beyond_reach(self, said: Said, owners: Sequence[str], got: frozenset[str]) -> Sequence[Unexplained]:
        """Flag a number that only others than those whom the text speaks of hold, unless many do."""
        value = said.values[0]
        telling = value > _SMALL or value != int(value)
        if said.sort != "plain" or got or not telling or not self.reach.ledger.holders(value):
            return ()
        return [self._flag(said, 0, "reach", Expected("", (), frozenset()), owners)]

    def _is_verbatim(self, said: Said) -> bool:
        """Tell whether the number is a year of the input, or stands so beside a word in it."""
        ledger, words, at = self.reach.ledger, self.reach.pieces.words, said.first
        if said.values[0] in ledger.years:
            return True
        pairs = ((words[i], words[i + 1]) for i in (at - 1, at) if 0 <= i < len(words) - 1)
        return not ledger.verbatim.isdisjoint(pairs)

    def _holds(self, expected: Expected, owners: Sequence[str]) -> bool:
        held = self.reach.ledger.held
        return any(label in held[owner] for owner in owners for label in expected.labels)

    def _is_derived(self, said: Said) -> bool:
        """Tell whether the input as a whole gives all numbers by sum, difference or extreme."""
        labels = self.reach.ledger.labels
        return all(any(map(is_derived, labels(DOCUMENT, value))) for value in said.values)

    def _is_of_document(self, said: Said, got: frozenset[str]) -> bool:
        """Tell whether the document itself holds the number, which few documents do."""
        own = self.reach.ledger.held[DOCUMENT]
        if self.model is None or not any(label in own and not is_derived(label) for label in got):
            return False
        return self.model.common.isdisjoint(said.values)

    def _implied(self, said: Said, expected: Expected | None, owners: Sequence[str]) -> Iterator[Unexplained]:
        if expected is None or expected.key.split(" ")[0] not in (RIGHT, TWO_RIGHT):
            return
        if self._holds(expected, [owner for owner in owners if owner]):
            yield self._flag(said, 0, "implied", expected, owners)

    def _pair(
        self,
        said: Said,
        expected: Expected | None,
        owners: Sequence[str],
        got: frozenset[str],
        twos: Sequence[tuple[str, str]],
    ) -> list[Unexplained] | None:
        """Return what is wrong about a pair; None where nothing tells what it is."""
        if "pair" in self.off:
            return None
        compares = expected is None or any(one == two for one, two in map(parts_of, expected.labels))
        if compares and said.keys[-1] == f"{PAIR} -" and self.reach.ledger.only_two:
            if any(one == two for one, two in map(parts_of, got)):
                return []
            if (wrong := self._score(said, expected)) is not None:
                return wrong
        if expected is None or self._is_of_document(said, got):
            return None
        best: list[int] | None = None
        ledger = self.reach.ledger
        for label in expected.labels:
            one, two = parts_of(label)
            for owner, other in twos if one == two else [(own, own) for own in owners]:
                if owner and one in ledger.held[owner] and two in ledger.held[other]:
                    whose = ((0, owner, one), (1, other, two))
                    wrong_ones = [
                        at for at, own, part in whose if part not in ledger.labels(own, said.values[at])
                    ]
                    if best is None or len(wrong_ones) < len(best):
                        best = wrong_ones
        return None if best is None else [self._flag(said, at, "pair", expected, owners) for at in best]

    def _score(self, said: Said, told: Expected | None) -> list[Unexplained] | None:
        """Return what is wrong about two numbers that compare the only two owners of a kind ("96 - 89").

        They are read as the attribute that the sentence names, that is usual there, and that keeps most of
        them; None if there is none.
        """
        ledger, pieces = self.reach.ledger, self.reach.pieces
        sentence = pieces.sentences[said.first]
        words = {
            stem(word) for word, own in zip(pieces.words, pieces.sentences, strict=True) if own == sentence
        }
        usual = {parts_of(label)[0] for label in told.labels} if told is not None else set()
        best: tuple[tuple[int, bool, int, int], str, tuple[str, str]] | None = None
        for pair in ((a, b) for one, two in ledger.only_two for a, b in ((one, two), (two, one))):
            for label in ledger.held[pair[0]]:
                if label in ledger.held[pair[1]]:
                    right = sum(label in ledger.labels(own, said.values[at]) for at, own in enumerate(pair))
                    named = len(stems_of(label) & words)
                    fit = named, label in usual, right, -len(stems_of(label))
                    told_so = named > 1 and named >= len(stems_of(label)) - 1  # "in the fourth quarter"
                    if (right or told_so) and (best is None or fit >= best[0]):
                        best = fit, label, pair
        if best is None:
            return None
        _, label, pair = best
        expected = Expected(f"{PAIR} -", (paired(label, label),), frozenset())
        return [
            self._flag(said, at, "pair", expected, (own,))
            for at, own in enumerate(pair)
            if label not in ledger.labels(own, said.values[at])
        ]

    def _is_no_end(self, said: Said, owners: Sequence[str], labels: frozenset[str]) -> bool:
        """Tell whether a number is called the highest or lowest, or an end of a range, and is not."""
        ledger, words = self.reach.ledger, self.reach.pieces.words
        days = [owner for owner in owners if owner and ledger.owners[owner].day is not None]
        if not days:
            return False
        before = words[max(0, said.first - 4) : said.first]
        high, low = not _HIGH.isdisjoint(before), not _LOW.isdisjoint(before)
        if not high and not low and "between" not in before:
            ranging = any(word.startswith("rang") for word in words[max(0, said.first - 12) : said.first])
            if not ranging or not ("from" in before or "to" in before[-2:]):
                return False
        for label in map(plain_label, labels):
            numbers = [number for owner in days for number in ledger.held[owner].get(label, ())]
            if numbers:
                ends = (
                    *([min(numbers)] if low or not high else ()),
                    *([max(numbers)] if high or not low else ()),
                )
                if any(said.values[0] in written_forms(end) for end in ends):
                    return False
        return True

    def _flag(self, said: Said, at: int, rule: str, expected: Expected, owners: Sequence[str]) -> Unexplained:
        """Say what the input has instead, and of whom it has the number."""
        ledger, value = self.reach.ledger, said.values[at]
        start, end = said.spans[at]
        text = self.reach.pieces.text[start:end]
        reason, right = f"the input has no {text} here", None
        labels = (
            [parts_of(label)[at] for label in expected.labels] if said.sort == "pair" else expected.labels
        )
        for label, owner in ((label, owner) for label in labels for owner in owners):
            if label in ledger.held[owner]:
                numbers = [f"{number:.10g}" for number in dict.fromkeys(ledger.held[owner][label])]
                right = numbers[0] if len(numbers) == 1 else None
                has = " or ".join(numbers[:_SHOWN])
                reason = f"{text} as {in_words(label)}: the input has {has}{self._of(owner)}"
                break
        holders = ledger.holders(value)
        other = next((owner for owner in holders if owner and owner not in owners), None)
        if other is not None:
            label = min(label for label in ledger.labels(other, value) if not is_derived(label))
            reason += f"; {text} is {in_words(label)}{self._of(other)}"
        return Unexplained(
            start, end, "number", rule, None, "misattributed" if holders else None, right, reason
        )

    def _of(self, owner: str) -> str:
        return f" for {self.reach.ledger.owners[owner].name}" if owner else ""
