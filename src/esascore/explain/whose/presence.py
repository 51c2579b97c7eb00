"""Words for having or lacking an attribute: who comes off the bench has no position in the line-up.

Some attributes are given for some of those listed only. Where the sentences that speak of one of them use a
word far more often for those who have the attribute, or lack it, the word claims that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from math import comb

from esascore.explain.spans import Unexplained
from esascore.explain.whose.ledger import in_words
from esascore.explain.whose.reach import Reach
from esascore.text.stem import stem
from esascore.text.vocabulary import function_words

LEAST_SEEN = 10
"""How often a word must be seen."""

LEAST_SHARE = 0.6
"""The share of its uses that must agree."""

BY_ACCIDENT = 1e-5
"""A word that agrees so often with at least this probability by accident claims nothing."""

Presence = Mapping[str, tuple[str, bool]]
"""Words with the attribute that they tell of, and whether it is there."""

Uses = Counter[tuple[str, str, bool]]
"""How often a word was used for those who have an attribute, and who have it not."""


def uses(reach: Reach) -> Iterator[tuple[str, str, bool]]:
    """Yield the words of sentences about one owner, with each attribute that only some have."""
    for index, _, word, label, has in _spoken(reach):
        if reach.pieces.words[index] not in function_words():
            yield word, label, has


def learned(seen: Uses) -> dict[str, tuple[str, bool]]:
    """Return the words that claim to have an attribute or to lack it.

    Examples
    --------
    >>> bench = {("bench", "position", False): 30, ("bench", "position", True): 10}
    >>> learned(Counter({**bench, ("won", "position", True): 300, ("won", "position", False): 100}))
    {'bench': ('position', False)}
    """
    base: Counter[tuple[str, bool]] = Counter()
    by_word: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    for (word, label, has), count in seen.items():
        base[label, has] += count
        by_word[word, label][has] += count
    found: dict[str, tuple[str, bool]] = {}
    for (word, label), counts in sorted(by_word.items()):
        total = counts.total()
        for has, count in counts.items():
            usual = base[label, has] / (base[label, True] + base[label, False])
            often = total >= LEAST_SEEN and count >= LEAST_SHARE * total
            if often and usual < LEAST_SHARE and _by_accident(count, total, usual) < BY_ACCIDENT:
                found[word] = label, has
    return found


def wrong_presence(reach: Reach, presence: Presence) -> Iterator[Unexplained]:
    """Yield words for having or lacking an attribute of someone of whom the input says otherwise."""
    for index, owner, word, label, has in _spoken(reach):
        if presence.get(word) == (label, not has):
            start, end = reach.pieces.starts[index], reach.pieces.ends[index]
            name = reach.ledger.owners[owner].name
            what = f"{'a' if has else 'no'} {in_words(label)}"
            reason = f"{name} has {what} in the input; those of whom texts say this mostly have not"
            yield Unexplained(start, end, "value", "presence", None, "misattributed", None, reason)


def _spoken(reach: Reach) -> Iterator[tuple[int, str, str, str, bool]]:
    """Yield the pieces of sentences about one owner of a kind, for each attribute that only some have."""
    pieces, ledger = reach.pieces, reach.ledger
    if not ledger.partial:
        return
    for sentence in sorted({pieces.sentences[named.first] for named in pieces.named}):
        owners = {owner for named in reach.named(sentence) for owner in named.owners}
        by_kind: dict[str, set[str]] = defaultdict(set)
        for owner in owners:
            by_kind[ledger.owners[owner].kind].add(owner)
        for kind, some in by_kind.items():
            if len(some) != 1 or kind not in ledger.partial:
                continue
            [owner] = some
            first, end = pieces.sentence_of(next(iter(reach.named(sentence))).first)
            for label in ledger.partial[kind]:
                has = label in ledger.attributes[owner]
                for index in range(first, end):
                    if pieces.words[index][0].isalpha() and not pieces.is_capital(index):
                        yield index, owner, stem(pieces.words[index]), label, has


def _by_accident(count: int, total: int, usual: float) -> float:
    """Return how likely at least so many of all are, each having the usual probability."""
    return sum(comb(total, n) * usual**n * (1 - usual) ** (total - n) for n in range(count, total + 1))
