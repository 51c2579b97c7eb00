"""Truth values through the words of their attribute: ``familyFriendly: no`` is "not family-friendly"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from esascore.lexicon.phrasings import NEGATION_REACH, NO, YES, Hit, Phrasing, attribute_key
from esascore.text.clauses import BREAK, NOT, Bases, Clauses, phrase, truth_words
from esascore.text.stem import base
from esascore.text.words import name_words, spaced

_SLACK = 2


@dataclass(frozen=True, slots=True)
class Truth:
    """How a text says that a truth value is yes or no.

    Attributes
    ----------
    attribute
        The key of the attribute.
    core
        The word bases that must be near each other, in any order.
    allowing
        Whether a word such as "allowed" must be beside them to say yes.
    yes, no
        What it means that they are there, and that they are negated.
    """

    attribute: str
    core: frozenset[str]
    allowing: bool
    yes: Phrasing
    no: Phrasing

    def found(self, clauses: Clauses) -> Iterator[Hit]:
        """Find where a text says yes or no.

        Examples
        --------
        >>> from esascore.text.clauses import clauses
        >>> from esascore.text.document import read
        >>> def said(attribute, text):
        ...     return [sorted(hit.phrasing.values) for hit in truth(attribute).found(clauses(read(text)))]
        >>> said("familyFriendly", "It is friendly to families."), said("hasParking", "No free parking.")
        ([['yes']], [['no']])
        >>> [said("petsAllowed", text) for text in ("No pets.", "It welcomes pets.", "Pets?")]
        [[['no']], [['yes']], []]
        """
        bases = clauses.bases
        done = 0
        for start, first in enumerate(bases):
            if first not in self.core or start < done:
                continue
            end = _window(bases, start, self.core)
            if end is None:
                continue
            done = end
            whole = _with_allowing(bases, start, end) if self.allowing else (start, end)
            if whole is None and clauses.negated(start, 1):
                whole = start, end
            if whole is not None:
                begin, end = whole
                after = _is_negated_after(bases, end)
                if NOT in bases[begin:end] or after or clauses.negated(begin, NEGATION_REACH):
                    begin -= begin > 0 and bases[begin - 1] == NOT
                    yield Hit(begin, end + after, self.no, settled=True)
                else:
                    yield Hit(begin, end, self.yes, settled=True)


@lru_cache(maxsize=1 << 12)
def truth(attribute: str) -> Truth | None:
    """Return how texts say whether an attribute holds; None if its name has no word of its own."""
    words = name_words(spaced(attribute))
    small = truth_words("having") | truth_words("allowing")
    core = [word for word in words if word not in small] or [word for word in words if word.isalpha()]
    own = phrase(" ".join(core))
    bases = frozenset(own) - {NOT}
    if not bases or all(word.isdigit() for word in bases):
        return None
    key, turned = attribute_key(attribute), NOT in own  # nonSmoking: yes
    yes, no = (
        Phrasing(key, frozenset({value}), own, attribute) for value in ((NO, YES) if turned else (YES, NO))
    )
    allowing = any(word in truth_words("allowing") for word in words) and bool(set(words) - small)
    return Truth(key, bases, allowing, yes, no)


def _window(bases: Bases, start: int, core: frozenset[str]) -> int | None:
    """Return the end of the shortest stretch from a place that has the whole core in one clause."""
    open_ = set(core)
    for at in range(start, min(len(bases), start + len(core) + _SLACK)):
        if bases[at] == BREAK:
            return None
        open_.discard(bases[at])
        if not open_:
            return at + 1
    return None


def _with_allowing(bases: Bases, start: int, end: int) -> tuple[int, int] | None:
    """Return the stretch with the nearest word of allowing, after it or before it."""
    allowing = {base(word) for word in truth_words("allowing")}
    after = range(end, min(len(bases), end + _SLACK + 1))
    before = range(start - 1, max(-1, start - _SLACK - 2), -1)
    for places in (after, before):
        for at in places:
            if bases[at] == BREAK:
                break
            if bases[at] in allowing:
                return min(start, at), max(end, at + 1)
    return None


def _is_negated_after(bases: Bases, end: int) -> bool:
    """Return whether "not", alone or with a word of having, follows: "parking is not available"."""
    if bases[end : end + 1] != (NOT,):
        return False
    having = {base(word) for word in truth_words("having") | truth_words("allowing")}
    return end + 1 == len(bases) or bases[end + 1] == BREAK or bases[end + 1] in having
