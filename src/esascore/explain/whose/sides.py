"""Objects under keys that differ in one word (``homeTeam``, ``awayTeam``), read as items of a list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from esascore.data import EVERY, Data, Fact, Subject
from esascore.text.words import name_words, spaced


@dataclass(frozen=True, slots=True)
class Sides:
    """Data in which sides are items of a list, and which word tells the side of each owner.

    Examples
    --------
    >>> from esascore.data import flatten
    >>> game = {"homeTeam": {"name": "Owls"}, "awayTeam": {"name": "Bears"}, "homeScore": 3, "awayScore": 2}
    >>> sides = sides_of(flatten(game))
    >>> [(fact.subject, fact.path, fact.value) for fact in sides.data.facts]
    [('Owls', '*.score', '3'), ('Bears', '*.score', '2')]
    >>> sides.words
    {'/homeTeam': 'home', '/awayTeam': 'away'}
    """

    data: Data
    words: Mapping[str, str]


def sides_of(data: Data) -> Sides:
    """Read sides as items of a list; what a key gives to a side by its word belongs to it."""
    groups: dict[tuple[str, str, str], dict[str, Subject]] = defaultdict(dict)
    for subject in data.subjects:
        above, _, key = subject.kind.rpartition(".")
        word, rest = _cut(key)
        if word and rest and subject.type not in ("date", "time", "number"):
            groups[subject.parent, above, rest][word] = subject
    sides = {
        (parent, above, word): subject
        for (parent, above, _), members in groups.items()
        if len(members) > 1
        for word, subject in members.items()
    }
    if not sides:
        return Sides(data, {})
    words = {subject.owner: word for (_, _, word), subject in sides.items()}
    subjects = [replace(one, kind=_list_of(one.kind)) if one.owner in words else one for one in data.subjects]
    return Sides(Data(tuple(_moved(data.facts, sides)), tuple(subjects)), words)


def _moved(facts: Iterable[Fact], sides: Mapping[tuple[str, str, str], Subject]) -> Iterable[Fact]:
    kinds = {side.owner: side.kind for side in sides.values()}
    depths = sorted({above for _, above, _ in sides}, key=len, reverse=True)
    for fact in facts:
        if fact.owner in kinds:
            kind = kinds[fact.owner]
            yield replace(fact, path=_list_of(kind) + fact.path.removeprefix(kind))
            continue
        for above in depths:
            inner = fact.path.removeprefix(f"{above}.") if above else fact.path
            word, rest = _cut(inner.partition(".")[0])
            side = sides.get((fact.owner, above, word)) if rest else None
            if side is not None and (not above or inner != fact.path):
                yield replace(fact, subject=side.name, owner=side.owner, path=_inside(fact.path, word))
                break
        else:
            yield fact


def _cut(key: str) -> tuple[str, str]:
    """Return the first word of a key, and the others."""
    word, *rest = name_words(spaced(key)) or ("",)
    return word, " ".join(rest)


def _inside(path: str, word: str) -> str:
    """Write a path as one inside a list of sides: ``homeTeam.rank`` as ``*.team.rank``."""
    parts = path.split(".")
    at = next(n for n, part in enumerate(parts) if _cut(part)[0] == word)
    return ".".join((*parts[:at], EVERY, *filter(None, (_cut(parts[at])[1],)), *parts[at + 1 :]))


def _list_of(kind: str) -> str:
    above = kind.rpartition(".")[0]
    return f"{above}.{EVERY}" if above else EVERY
