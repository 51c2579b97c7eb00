"""The names of what inputs list: items of arrays, and objects side by side (``homeTeam``, ``awayTeam``)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from esascore.data import EVERY, Fact, Subject, truth_of
from esascore.model import Input
from esascore.text.words import name_words, spaced

_DATE = re.compile(r"[+-]?\d{4}(?:-\d\d)?(?:-\d\d)?(?!\d)")
_LEAST_NAME = 3
_LEAST_ITEMS = 3
"""The least number of named things that make a list: fewer say nothing about what else exists."""

Sides = Mapping[tuple[str, str, str], Subject]
"""Objects side by side, by the object above them, its path, and the word that tells them apart."""


def listed_words(input_: Input) -> set[str]:
    """Return the words of the names that the items of lists have.

    Examples
    --------
    >>> teams = [{"name": "Oslo Owls", "city": "Moss", "wins": 9}, {"name": "Bears"}, {"name": "Foxes"}]
    >>> sorted(listed_words(Input.from_data({"teams": teams})))
    ['bears', 'foxes', 'moss', 'oslo', 'owls']
    >>> listed_words(Input.from_data({"teams": teams[:2]}))
    set()
    """
    sides = _sides(input_)
    beside = {side.owner for side in sides.values()}
    items = {own.owner: own for own in input_.subjects if own.owner in beside or own.kind.endswith(EVERY)}
    if len(items) < _LEAST_ITEMS:
        return set()
    parents = {own.owner: own.parent for own in input_.subjects}
    words = {word for own in items.values() if not _is_date(own) for word in name_words(own.name)}
    for fact in input_.facts:
        if fact.type != "name" or len(fact.value) < _LEAST_NAME or truth_of(fact.value) is not None:
            continue
        side = None if fact.owner in beside else _side_of(fact, sides)
        owner = fact.owner if side is None else side.owner
        while owner and owner not in items:
            owner = parents.get(owner, "")
        if owner and not _is_date(items[owner]):
            above = items[owner].kind if side is None else side.kind.rpartition(".")[0]
            if "." not in fact.path.removeprefix(f"{above}."):  # said of the item itself
                words.update(name_words(fact.value))
    return words


def _is_date(subject: Subject) -> bool:
    return subject.type in ("date", "number") and _DATE.match(subject.name) is not None


def _sides(input_: Input) -> Sides:
    groups: dict[tuple[str, str, str], dict[str, Subject]] = defaultdict(dict)
    for subject in input_.subjects:
        above, _, key = subject.kind.rpartition(".")
        word, rest = _cut(key)
        if word and rest and subject.type not in ("date", "time", "number"):
            groups[subject.parent, above, rest][word] = subject
    return {
        (parent, above, word): subject
        for (parent, above, _), members in groups.items()
        if len(members) > 1
        for word, subject in members.items()
    }


def _side_of(fact: Fact, sides: Sides) -> Subject | None:
    """Return the side to which the first word of a key assigns a fact: ``home`` of ``homeScore``."""
    for above in sorted({above for _, above, _ in sides}, key=len, reverse=True):
        inner = fact.path.removeprefix(f"{above}.") if above else fact.path
        word, rest = _cut(inner.partition(".")[0])
        if rest and (not above or inner != fact.path) and (fact.owner, above, word) in sides:
            return sides[fact.owner, above, word]
    return None


def _cut(key: str) -> tuple[str, str]:
    """Return the first word of a key, and the others."""
    word, *rest = name_words(spaced(key)) or ("",)
    return word, " ".join(rest)
