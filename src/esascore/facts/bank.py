"""Texts whose mentions are marked, and what a corpus of them shows about facts: which entities take part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from esascore.lexicon import label
from esascore.lexicon.wordings import is_of_place
from esascore.model import Triple
from esascore.text.stem import stem
from esascore.text.vocabulary import function_words
from esascore.text.words import name_words, spaced
from esascore.triples import SHAPE

Spans = tuple[tuple[int, int], ...]
"""Places of mentions in a text, in text order."""

SUBJECT, OBJECT = "subject", "object"
K = TypeVar("K")
V = TypeVar("V")
# Relations that hold in both directions: to exchange subject and object makes them no less true.
_MUTUAL = frozenset(
    (
        "spouse", "partner", "married", "sibling", "brother", "sister", "twin", "cousin", "friend", "rival",
        "neighbour", "neighbor", "neighbouring", "neighboring", "border", "borders", "bordering", "related",
        "similar", "same", "equal", "colleague", "teammate",
    )
)  # fmt: skip
_LONGEST_WORDING = 4
_WORD_FOR_WORD = 0.2
_TEXTS_FOR_A_WORDING = 2


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text: a mention of an entity, or what stands between mentions."""

    text: str
    entity: str | None = None

    @property
    def is_name(self) -> bool:
        """Whether this mentions an entity by more than a pronoun.

        Examples
        --------
        >>> Piece("Ada", "Ada_Hall").is_name, Piece("it", "Ada_Hall").is_name, Piece("Ada").is_name
        (True, False, False)
        """
        return self.entity is not None and not function_words().issuperset(name_words(self.text))


@dataclass(frozen=True, slots=True)
class Marked:
    """A text in pieces, the facts of its input, and those that it states.

    Examples
    --------
    >>> fact = Triple("Ada_Hall", "architect", "Bo_Berg")
    >>> marked = Marked.of("Bo Berg built Ada Hall.", [("Bo_Berg", 0, 7), ("Ada_Hall", 14, 22)], [fact])
    >>> marked.text, marked.spans("Ada_Hall"), marked.stated == {fact}
    ('Bo Berg built Ada Hall.', ((14, 22),), True)
    """

    pieces: tuple[Piece, ...]
    facts: tuple[Triple, ...]
    stated: frozenset[Triple]
    category: str = ""
    shape: frozenset[str] = SHAPE

    @classmethod
    def of(
        cls,
        text: str,
        mentions: Iterable[tuple[str, int, int]],
        facts: Sequence[Triple],
        category: str = "",
        shape: frozenset[str] = SHAPE,
    ) -> Marked:
        """Cut a text at its mentions; one that overlaps an earlier one is left out.

        A text of a corpus is taken to state every fact of its input whose two entities it mentions.
        """
        pieces = []
        done = 0
        for entity, start, end in sorted(mentions, key=lambda mention: (mention[1], -mention[2])):
            if start < done or start == end:
                continue
            if start > done:
                pieces.append(Piece(text[done:start]))
            pieces.append(Piece(text[start:end], entity))
            done = end
        if done < len(text):
            pieces.append(Piece(text[done:]))
        said = {piece.entity for piece in pieces}
        stated = frozenset(fact for fact in facts if fact.subject in said and fact.object in said)
        return cls(tuple(pieces), tuple(facts), stated, category, shape)

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def named(self) -> tuple[str, ...]:
        """The entities that are mentioned by name, in text order."""
        return tuple(dict.fromkeys(p.entity for p in self.pieces if p.entity is not None and p.is_name))

    def spans(self, entity: str, *, pronouns: bool = True) -> Spans:
        """Return where an entity is mentioned."""
        found = []
        at = 0
        for piece in self.pieces:
            if piece.entity == entity and (pronouns or piece.is_name):
                found.append((at, at + len(piece.text)))
            at += len(piece.text)
        return tuple(found)


Role = tuple[str, str]
"""A predicate, and whether something is its subject or its object."""


def words_of(predicate: str) -> str:
    """Return a predicate as words.

    Examples
    --------
    >>> words_of("birthPlace"), words_of("3rd_runway_SurfaceType")
    ('birth place', '3rd runway surface type')
    """
    return " ".join(spaced(predicate.strip().strip('"')).lower().split())


@dataclass(frozen=True)
class Bank:
    """The material for corruptions and false facts; `bank_of` collects it.

    Attributes
    ----------
    facts
        All facts of the corpus.
    takers
        Who takes each role of a predicate.
    roles
        The roles that an entity takes.
    about
        The facts that an entity takes part in.
    names
        How texts call an entity, each name as often as they do.
    templates
        Texts that state just one fact, by its predicate, with the two roles in place of the entities.
    wordings
        Content words of such texts, by predicate.
    predicates
        The predicates of each category; under "" all of them.
    combined
        Pairs of predicates that hold between the same two entities somewhere.
    """

    facts: frozenset[Triple]
    takers: Mapping[Role, tuple[str, ...]]
    roles: Mapping[str, tuple[Role, ...]]
    about: Mapping[str, tuple[Triple, ...]]
    names: Mapping[str, Mapping[str, int]]
    templates: Mapping[str, tuple[tuple[Piece, ...], ...]]
    wordings: Mapping[str, tuple[str, ...]]
    predicates: Mapping[str, tuple[str, ...]]
    combined: frozenset[tuple[str, str]]

    def name(self, entity: str, chance: Random) -> str:
        """Draw a name of an entity: one that texts use, now and then its label."""
        known = self.names.get(entity)
        if not known or chance.random() < _WORD_FOR_WORD:
            return label(entity)
        return chance.choices(list(known), list(known.values()))[0]

    def stand_in(self, entity: str, avoid: Iterable[str], chance: Random) -> str | None:
        """Draw another entity that takes a role of this one and shares no word with it."""
        shunned, roles = set(avoid), self.roles.get(entity, ())
        for _ in range(12 if roles else 0):
            other = chance.choice(self.takers[chance.choice(roles)])
            if other not in shunned and set(name_words(label(other))).isdisjoint(name_words(label(entity))):
                return other
        return None

    def sentence(self, fact: Triple, chance: Random) -> tuple[Piece, ...] | None:
        """Put a fact into the words in which a text of the corpus puts another one of its predicate."""
        templates = self.templates.get(fact.predicate)
        if not templates:
            return None
        filled = {SUBJECT: fact.subject, OBJECT: fact.object}
        pieces = []
        for piece in chance.choice(templates):
            entity = filled.get(piece.entity or "")
            pieces.append(piece if entity is None else Piece(self.name(entity, chance), entity))
        return tuple(pieces)

    def near(self, one: str, other: str) -> bool:
        """Return whether two predicates may be put in the same words: neither proves the other false."""
        if one == other or (one, other) in self.combined:
            return True
        words, others = (frozenset(map(stem, words_of(name).split())) for name in (one, other))
        return words <= others or others <= words or (is_of_place(one) and is_of_place(other))

    def is_mutual(self, predicate: str) -> bool:
        """Return whether a predicate says the same in both directions."""
        return not _MUTUAL.isdisjoint(words_of(predicate).split()) or (predicate, predicate) in self.combined


def bank_of(texts: Sequence[Marked]) -> Bank:
    """Collect what a corpus shows about its facts.

    Examples
    --------
    >>> fact = Triple("Ada_Hall", "architect", "Bo_Berg")
    >>> mentions = [("Bo_Berg", 0, 7), ("Ada_Hall", 17, 25)]
    >>> bank = bank_of([Marked.of("Bo Berg designed Ada Hall.", mentions, [fact])] * 2)
    >>> [piece.entity or piece.text for piece in bank.templates["architect"][0]], bank.wordings["architect"]
    (['object', ' designed ', 'subject', '.'], ('designed',))
    """
    facts = dict.fromkeys(fact for text in texts for fact in text.facts)
    takers: dict[Role, dict[str, None]] = {}
    roles: dict[str, dict[Role, None]] = {}
    about: dict[str, dict[Triple, None]] = {}
    between: dict[tuple[str, str], dict[str, None]] = {}
    for fact in facts:
        between.setdefault((fact.subject, fact.object), {})[fact.predicate] = None
        for entity, role in ((fact.subject, SUBJECT), (fact.object, OBJECT)):
            takers.setdefault((fact.predicate, role), {})[entity] = None
            roles.setdefault(entity, {})[fact.predicate, role] = None
            about.setdefault(entity, {})[fact] = None
    combined = {(p, q) for some in between.values() for p in some for q in some if p != q}
    # Mutual: some fact of the predicate stands in both directions.
    combined |= {(f.predicate,) * 2 for f in facts if Triple(f.object, f.predicate, f.subject) in facts}
    names: dict[str, Counter[str]] = {}
    templates: dict[str, Counter[tuple[Piece, ...]]] = {}
    predicates: dict[str, dict[str, None]] = {}
    for text in texts:
        for piece in text.pieces:
            if piece.entity is not None and piece.is_name:
                names.setdefault(piece.entity, Counter())[piece.text] += 1
        for category in ("", text.category):
            predicates.setdefault(category, {}).update(dict.fromkeys(fact.predicate for fact in text.facts))
        if (template := _template(text)) is not None:
            templates.setdefault(text.facts[0].predicate, Counter())[template] += 1
    return Bank(
        facts=frozenset(facts),
        takers=_tuples(takers),
        roles=_tuples(roles),
        about=_tuples(about),
        names=names,
        templates=_tuples(templates),
        wordings={predicate: _wordings(some) for predicate, some in templates.items()},
        predicates=_tuples(predicates),
        combined=frozenset(combined),
    )


def _tuples(found: Mapping[K, Iterable[V]]) -> dict[K, tuple[V, ...]]:
    return {key: tuple(some) for key, some in found.items()}


def _template(text: Marked) -> tuple[Piece, ...] | None:
    fact = text.facts[0] if len(text.facts) == 1 else None
    if fact is None or fact not in text.stated or fact.subject == fact.object:
        return None
    roles = {fact.subject: SUBJECT, fact.object: OBJECT}
    return tuple(Piece(piece.text, roles.get(piece.entity or "")) for piece in text.pieces)


def _wordings(templates: Mapping[tuple[Piece, ...], int]) -> tuple[str, ...]:
    """Return the content words that several texts have in common, if few enough to name a relation."""
    found: Counter[str] = Counter()
    for template, times in templates.items():
        words = [word for piece in template if piece.entity is None for word in name_words(piece.text)]
        content = [word for word in words if word not in function_words("filler")]
        if 0 < len(content) <= _LONGEST_WORDING:
            found[" ".join(content)] += times
    return tuple(wording for wording, times in found.items() if times >= _TEXTS_FOR_A_WORDING)
