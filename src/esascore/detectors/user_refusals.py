"""Drops proposals that resemble a form excluded by a user's lexicon more than the form looked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from esascore.lexicon import Lexicon, label
from esascore.model import Mention
from esascore.text.document import Document
from esascore.text.words import folded_key

_LIKE = 0.2


@dataclass(frozen=True, slots=True)
class UserRefusals:
    """Drops proposals that a user's lexicon says are not to be taken as the entity.

    A proposal is refused if it is at least as near to a refused form as to the form that it was found by; one
    that was found by other means (a link, a date) if it is nearly a refused form.

    Examples
    --------
    >>> from esascore.lexicon import UserEntry
    >>> from esascore.text.document import read
    >>> refused = UserRefusals(Lexicon(user=(UserEntry("Turkey", "Turkey", "drop"),)))
    >>> turkeys = Mention("Turkey", 4, 11, "Turkeys", "string", 0.25, "Turkiye")
    >>> turkish = Mention("Turkey", 4, 11, "Turkish", "string", 0.0, "Turkish")
    >>> refused.kept(read("Big turkeys"), [turkeys, turkish]) == [turkish]
    True
    """

    lexicon: Lexicon

    def kept(self, _document: Document, proposals: Iterable[Mention]) -> list[Mention]:
        """Return the proposals that stand, in order."""
        return [mention for mention in proposals if not self._refuses(mention)]

    def _refuses(self, mention: Mention) -> bool:
        forms = self.lexicon.dropped(label(mention.entity))
        if not forms:
            return False
        own = folded_key(mention.text)
        limit = _LIKE if mention.distance is None else mention.distance
        return any(_distance(own, folded_key(form)) <= limit for form in forms)


@lru_cache(maxsize=1 << 12)
def _distance(one: str, other: str) -> float:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.normalized_distance(one, other)
