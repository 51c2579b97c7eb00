"""The surface forms of an entity, each with where it comes from and how far it is from the label."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from esascore.errors import UsageError
from esascore.lexicon.label import label
from esascore.model import Entity

SOURCES = MappingProxyType(
    {
        "label": 0.0,
        "no-parentheses": 0.0,
        "before-comma": 0.04,
        "language": 0.01,
    }
)
"""What a variant may come from, and its cost: how much weaker than the label it is as evidence."""

_PARENTHESES = re.compile(r"[\s_]*\([^()]*\)[\s_]*")
_LANGUAGE = re.compile(r"(?i)[\s_]languages?$")
_CACHED = 1 << 16


@dataclass(frozen=True, slots=True)
class Variant:
    """A surface form of an entity.

    ``text`` is in the case and spelling in which it would stand in a text, as far as known; making
    strings comparable is left to who compares them. ``cost`` is 0 for the label and grows with the risk
    that the form means something else.
    """

    text: str
    source: str
    cost: float


@dataclass(frozen=True)
class Lexicon:
    """Knows the surface forms of entities.

    Parameters
    ----------
    sources
        The kinds of variants to make, names from `SOURCES`.
    keep_underscores
        Leave the underscores of RDF terms in the variants, as the published algorithm does.

    Examples
    --------
    >>> [v.text for v in Lexicon().variants(Entity("Mermaid_(Train_song)"))][:2]
    ['Mermaid (Train song)', 'Mermaid']
    >>> Lexicon(sources=("label", "before-comma")).variants(Entity("Abilene,_Texas"))[1]
    Variant(text='Abilene', source='before-comma', cost=0.04)
    """

    sources: tuple[str, ...] = tuple(SOURCES)
    keep_underscores: bool = False
    _cache: Callable[[str], tuple[Variant, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in self.sources:
            if name not in SOURCES:
                raise UsageError(f"unknown source of variants {name!r}: known are {', '.join(SOURCES)}")
        object.__setattr__(self, "_cache", lru_cache(maxsize=_CACHED)(self._make))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.sources, self.keep_underscores)

    def variants(self, entity: Entity) -> tuple[Variant, ...]:
        """Return the distinct surface forms of an entity, the label first; none for an empty term."""
        return self._cache(entity.term)

    def _make(self, term: str) -> tuple[Variant, ...]:
        whole = label(term, keep_underscores=self.keep_underscores)
        found: dict[str, Variant] = {}

        def add(text: str, source: str) -> None:
            if source in self.sources and text and text not in found:
                found[text] = Variant(text, source, SOURCES[source])

        add(whole, "label")
        plain = whole
        if "(" in whole:
            separator = "_" if "_" in whole else " "
            plain = _PARENTHESES.sub(separator, whole).strip(" _")
            add(plain, "no-parentheses")
        if "," in plain:
            add(plain.split(",", 1)[0].rstrip(" _"), "before-comma")
        if stripped := _LANGUAGE.sub("", plain):
            add(stripped, "language")
        return tuple(found.values())
