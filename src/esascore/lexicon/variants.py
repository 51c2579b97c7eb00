"""The surface forms of an entity, each with where it comes from and how far it is from the label."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from typing import NamedTuple

from esascore.errors import UsageError
from esascore.label import label
from esascore.lexicon.codes import WORDLISTS as CODES
from esascore.lexicon.codes import names_of_code
from esascore.lexicon.entity_types import WORDLISTS as NATURES
from esascore.lexicon.entity_types import nature
from esascore.lexicon.phrasings import Phrasings, no_phrasings
from esascore.lexicon.rules import Name, is_plain, name_of
from esascore.lexicon.sources import RESPELLED, SOURCES, Source
from esascore.lexicon.user import UserEntry, user_source
from esascore.model import Entity, Input
from esascore.wordlists import lexicon_digest

_CACHED = 1 << 14
_INDIRECT = 0.005  # the cost of a name by a code, or in another language
_OF_LITERALS = ("label", "no-parentheses")


class Variant(NamedTuple):  # made by the dozen for every name
    """A surface form of an entity.

    ``text`` is in the case and spelling in which it would stand in a text, as far as known; making
    strings comparable is left to who compares them. ``cost`` is 0 for the label and grows with the risk
    that the form means something else.
    """

    text: str
    source: str
    cost: float


class Lexicon:
    """Knows the surface forms of entities.

    Parameters
    ----------
    sources
        The kinds of variants to make, names from `SOURCES`.
    keep_underscores
        Leave the underscores of RDF terms in the variants, as the published algorithm does.
    user
        What `read_user_lexicons` read: further forms, and forms that are not to be taken as the entity.
    learned
        Gives the phrases that were learned for values of an input.

    Examples
    --------
    >>> [v.text for v in Lexicon().variants(Entity("Mermaid_(Train_song)"))][:2]
    ['Mermaid (Train song)', 'Mermaid']
    >>> Lexicon(sources=("label", "before-comma")).variants(Entity("Abilene,_Texas"))[1]
    Variant(text='Abilene', source='before-comma', cost=0.04)
    """

    def __init__(
        self,
        sources: tuple[str, ...] = tuple(SOURCES),
        keep_underscores: bool = False,
        user: tuple[UserEntry, ...] = (),
        learned: Callable[[Input], Phrasings] = no_phrasings,
    ):
        for name in sources:
            if name not in SOURCES:
                raise UsageError(f"unknown source of variants {name!r}: known are {', '.join(SOURCES)}")
        self.sources, self.keep_underscores = sources, keep_underscores
        self.user, self.learned = user, learned
        self._active = tuple((name, source) for name, source in SOURCES.items() if name in sources)
        self._of_literals = tuple(pair for pair in self._active if pair[0] in _OF_LITERALS)
        # Few sources are soon asked, and need not read the word lists of others.
        self._all = len(self._active) == len(SOURCES)
        self._of_plain = tuple(pair for pair in self._active if pair[1].of_plain)
        self._respelling = {
            first: tuple(pair for pair in self._active if pair[0] in then)
            for first, then in RESPELLED.items()
        }
        self._user = _by_entity(user)
        self._phrasings = lru_cache(maxsize=_CACHED)(Phrasings.of_user(user).joined)
        # A term stands among many different properties; only the kind of thing that they tell matters.
        self._of_term = lru_cache(maxsize=_CACHED)(self._make)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.sources, self.keep_underscores, self.user, self.learned)

    def variants(self, entity: Entity) -> tuple[Variant, ...]:
        """Return the distinct surface forms of an entity, the cheapest first; none for an empty term."""
        return self.variants_of_term(str(entity.term), nature(entity), names_of_code(entity), entity.names)

    def variants_of_term(
        self, term: str, kind: str | None, names: tuple[str, ...] = (), linked: tuple[str, ...] = ()
    ) -> tuple[Variant, ...]:
        """Return the surface forms of a term of that kind of thing.

        It may be a code for ``names``; ``linked`` are its names in another language.
        """
        made = self._of_term(term, None if term.isdigit() else kind)  # a number is written alike for all
        if linked:
            more = (variant for name in linked for variant in self._of_term(name, kind))
            added = {variant.text: _weakened(variant, "link") for variant in more}
            made = tuple(sorted((*made, *added.values()), key=_cost))
        if not names or "place" not in self.sources:
            return made
        # A code in small letters is a word of its own in most languages: "it", "no", "en".
        own = [variant for variant in made if not term.islower()]
        for name in names:
            own += (_weakened(variant, "code") for variant in self._of_term(name, None))
        return tuple(sorted(own, key=_cost))

    def phrasings(self, input_: Input) -> Phrasings:
        """Return the phrases for values of an input: a user's, and those that were learned of such inputs."""
        return self._phrasings(self.learned(input_))

    def dropped(self, text: str) -> frozenset[str]:
        """Return the forms that a user's lexicon says are not to be taken as the entity with this label.

        They are not variants either; `esascore.detectors.user_refusals` also drops what only resembles them.
        """
        return self._user[text][1] if text in self._user else frozenset()

    @property
    def lexicons(self) -> tuple[str, ...]:
        """The lexicon files of the package that variants are made with."""
        read = {name for _, source in self._active for name in source.lexicons}
        return tuple(sorted(read.union(NATURES, CODES if "place" in self.sources else ())))

    @property
    def digest(self) -> str:
        """A short hash of all that changes what `variants` returns, apart from the code itself.

        Examples
        --------
        >>> Lexicon().digest == Lexicon().digest != Lexicon(sources=("label",)).digest
        True
        """
        entries = [(e.entity, e.form, e.kind, e.cost, *filter(None, (e.against,))) for e in self.user]
        own = [self.sources, self.keep_underscores, entries]
        return sha256(f"{lexicon_digest(self.lexicons)}{own!r}".encode()).hexdigest()[:12]

    def _make(self, term: str, kind: str | None) -> tuple[Variant, ...]:
        text = label(term)
        if not text:
            return ()
        name = name_of(text, kind)
        found: dict[str, Variant] = {}
        if any(map(str.isalpha, name.plain)):
            _apply(self._of_plain if self._all and is_plain(name) else self._active, name, found)
            for first in [v for v in found.values() if v.source in self._respelling]:
                _apply(self._respelling[first.source], name_of(first.text, kind), found, first)
        else:  # dates, numbers and codes: other detectors know how these are written
            _apply(self._of_literals, name, found)
        made: Iterable[Variant] = found.values()
        if self.keep_underscores and "_" in term and " " not in term:
            made = [Variant(v.text.replace(" ", "_"), v.source, v.cost) for v in made]
        if text in self._user:
            added, dropped = self._user[text]
            known = {v.text: v for v in made if v.text not in dropped}
            for variant in added:
                if variant.text not in known or variant.cost < known[variant.text].cost:
                    known[variant.text] = variant
            made = known.values()
        return tuple(sorted(made, key=_cost))


def _weakened(variant: Variant, by: str) -> Variant:
    return Variant(variant.text, f"{by}+{variant.source}", round(variant.cost + _INDIRECT, 4))


def _by_entity(entries: Iterable[UserEntry]) -> dict[str, tuple[tuple[Variant, ...], frozenset[str]]]:
    """Return, by label, the variants that a user adds and the forms that must not be taken as the entity."""
    added: dict[str, list[Variant]] = {}
    dropped: dict[str, set[str]] = {}
    for entry in entries:
        if entry.kind == "drop":
            dropped.setdefault(entry.entity, set()).add(entry.form)
        elif entry.kind == "alias":
            added.setdefault(entry.entity, []).append(Variant(entry.form, user_source(entry), entry.cost))
    return {
        entity: (tuple(added.get(entity, ())), frozenset(dropped.get(entity, ())))
        for entity in {**added, **dropped}
    }


def _apply(
    sources: tuple[tuple[str, Source], ...],
    name: Name,
    found: dict[str, Variant],
    first: Variant | None = None,
) -> None:
    """Add the variants that the sources make of a name, which may be itself a variant."""
    written, person = name.label, name.is_person
    for source, made in sources:
        if made.needs in written and (person or not made.only_persons):
            for form in map(str.strip, made.rule(name)):
                if form and form not in found:
                    found[form] = (
                        Variant(form, f"{first.source}+{source}", round(first.cost + made.cost, 4))
                        if first
                        else Variant(form, source, made.cost)
                    )


_cost = attrgetter("cost")
