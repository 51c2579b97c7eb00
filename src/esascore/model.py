"""The objects of esascore: inputs, texts, and the alignment between them.

They never change, and know nothing about files, algorithms or metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, cast

from esascore.data import SEPARATOR, Data, Entity, Fact, Subject, Triple, flatten
from esascore.errors import DataError, UsageError
from esascore.label import label
from esascore.lazy import lazy
from esascore.tables import Cell, Table
from esascore.triples import Triples

# Defined below this module, but objects of the same kind.
__all__ = ["Cell", "Entity", "Fact", "Subject", "Table", "Triple"]

NOTHING = Triples()
"""The content of an empty input."""

Span = tuple[int, int]
"""A part of a text, ``text[start:end]``, counted in code points."""


@dataclass(frozen=True, eq=False)
class Input:
    """The facts that a text should verbalise, whatever format they come in.

    ``given`` is what it was made from: triples, any structured data, or a table. It determines the facts and
    the entities that a text should mention. ``category`` is the class of the root by the corpus
    (``Airport``), if given. ``links`` are terms with other names, such as labels in other languages;
    ``names`` are those of them, and others, that texts may use.

    Examples
    --------
    >>> input_ = Input.from_triples([("Bionico", "country", "Mexico"), ("Mexico", "leader", "Nobody")])
    >>> [entity.term for entity in input_.entities]
    ['Bionico', 'Mexico', 'Nobody']
    >>> input_.root
    'Bionico'
    >>> Input.from_triples(["Bionico | country | Mexico", ("Bionico", "year", 1998)]).triples[1].object
    '1998'
    """

    given: Triples | Data | Table = NOTHING
    category: str | None = None
    links: tuple[tuple[str, str], ...] = ()
    names: tuple[tuple[str, str], ...] = ()

    def __eq__(self, other: object) -> bool:
        """Return whether another input says the same; the last equal input is remembered.

        A corpus that is read twice, or repeats its inputs, has equal inputs that are looked up for every
        text: they are compared fact by fact only once.
        """
        if self is other:
            return True
        if not isinstance(other, Input):
            return NotImplemented
        if self._same is other or other._same is self:
            return True
        if self._hash != other._hash or self._key != other._key:
            return False
        other.__dict__["_same"] = self  # dictionaries compare their own key with another one
        return True

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return Input, self._key  # hashes of strings differ between processes

    @lazy
    def facts(self) -> tuple[Fact, ...]:
        """All facts, in input order."""
        return self.given.facts

    @lazy
    def subjects(self) -> tuple[Subject, ...]:
        """The subjects of the facts that have a name."""
        return self.given.subjects

    @lazy
    def entities(self) -> tuple[Entity, ...]:
        """What a text should mention: terms of triples, values of attributes, highlighted cells."""
        if not self.names:
            return self.given.entities
        called: dict[str, dict[str, None]] = {}
        for term, name in self.names:
            called.setdefault(label(term), {})[name] = None
        return tuple(
            replace(entity, names=tuple(called.get(label(entity.term), ()))) for entity in self.given.entities
        )

    @lazy
    def worded(self) -> tuple[Entity, ...]:
        """The entities except small whole numbers in plain figures, which make up most of large inputs.

        Only the detectors of numbers need those that cannot be years.

        Examples
        --------
        >>> input_ = Input.from_data({"name": "Oslo", "wins": 12, "code": "007"})
        >>> [str(entity.term) for entity in input_.worded]
        ['Oslo', '007']
        """
        return tuple([entity for entity in self.entities if entity.type != "number" or not _is_whole(entity)])

    @lazy
    def root(self) -> str | None:
        """The term that it is about; None for tables and if nothing has a name."""
        return self.given.root

    @lazy
    def triples(self) -> tuple[Triple, ...]:
        """The facts as triples, for metrics that are defined on them; a table has none."""
        return self.given.triples

    @property
    def table(self) -> Table | None:
        """The cells, for metrics that are defined on them."""
        return self.given if isinstance(self.given, Table) else None

    @property
    def unknown(self) -> tuple[tuple[str, str], ...]:
        """The paths and spots of values that are given as unknown."""
        return self.given.unknown

    @property
    def titles(self) -> tuple[str, ...]:
        """The text around the facts: titles of page and section."""
        return self.given.titles

    @lazy
    def shape(self) -> frozenset[str]:
        """The paths of the attributes; inputs that share them can teach something about each other."""
        return self.given.shape

    @property
    def size(self) -> int:
        """How many triples, facts or cells it has."""
        return self.given.size

    @lazy
    def _hash(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Any, ...]:
        return self.given, self.category, self.links, self.names

    @lazy
    def _same(self) -> Input | None:
        return None

    def linked(self, links: Iterable[tuple[str, str]]) -> Input:
        """Return the input with other names for some of its terms."""
        known = tuple(dict.fromkeys((*self.links, *links)))
        return replace(self, links=known) if known else self

    @classmethod
    def from_triples(
        cls,
        triples: Iterable[Triple | str | Sequence[object] | Mapping[str, object]],
        category: str | None = None,
    ) -> Input:
        """Make an input from triples: (subject, predicate, object) sequences, ``s | p | o`` strings, dicts.

        Raises
        ------
        DataError
            An item does not have three parts, or one of them is neither a string nor a number.
        """
        if isinstance(triples, str) or not isinstance(triples, Iterable):
            raise DataError(
                f"a list of triples is needed, found {type(triples).__name__}: put triples into [ ]"
            )
        return cls(Triples(tuple(map(_triple, triples))), category)

    @classmethod
    def from_data(cls, data: object, category: str | None = None) -> Input:
        """Make an input from any JSON value: objects and arrays, nested in any way.

        Parameters
        ----------
        data
            The value, or the result of `esascore.data.flatten`.
        category
            What the data are about, if that is known.

        Raises
        ------
        UsageError
            The value is nested too deeply.

        Examples
        --------
        >>> input_ = Input.from_data({"name": "Blue Spice", "area": "riverside", "familyFriendly": True})
        >>> [(str(entity.term), entity.term.attribute, entity.type) for entity in input_.entities]
        [('Blue Spice', 'name', 'name'), ('riverside', 'area', 'text'), ('yes', 'familyFriendly', 'boolean')]
        """
        try:
            return cls(data if isinstance(data, Data) else flatten(data), category)
        except ValueError as error:
            raise UsageError(f"the data cannot be read: {error}") from None

    @classmethod
    def from_table(
        cls,
        cells: Iterable[Cell],
        title: str = "",
        section_title: str = "",
        section_text: str = "",
        category: str | None = None,
    ) -> Input:
        """Make an input from the cells of a table, or from attributes with their values.

        Examples
        --------
        >>> input_ = Input.from_table([Cell("Paris", "city"), Cell("France", "country", highlighted=False)])
        >>> [entity.term for entity in input_.entities], [fact.value for fact in input_.facts]
        (['Paris'], ['Paris', 'France'])
        """
        return cls(Table(tuple(cells), title, section_title, section_text), category)


Graph = Input
"""The name by which most users know it."""

Made = TypeVar("Made", bound=Callable[..., Any])

_SMALL, _MANY, _SOME = 64, 1 << 11, 1 << 5
"""Entities of a small input; how many small inputs are remembered, and how many larger ones."""


def once_per_input(make: Made) -> Made:
    """Remember what a function of an input (and other arguments) returned for the last inputs.

    The texts of one input come close together, or one system after the other. Only a few large inputs are
    remembered, since their results are large: memory stays bounded.

    Examples
    --------
    >>> terms = once_per_input(lambda input_: [entity.term for entity in input_.entities])
    >>> bionico = Input.from_triples([("Bionico", "country", "Mexico")])
    >>> terms(bionico), terms(bionico) is terms(bionico)
    (['Bionico', 'Mexico'], True)
    """
    of_small, of_large = lru_cache(_MANY)(make), lru_cache(_SOME)(make)
    last: tuple[Input | None, tuple[Any, ...], Any] = None, (), None

    def remembered(input_: Input, *more: Any) -> Any:
        nonlocal last
        known, besides, made = last  # for most texts the same as for the one before, and found faster
        if known is not input_ or besides != more:
            made = (of_small if len(input_.entities) <= _SMALL else of_large)(input_, *more)
            last = input_, more, made
        return made

    remembered.__doc__ = make.__doc__
    return cast(Made, remembered)


def _is_whole(entity: Entity) -> bool:
    term = entity.term
    if not (term.isdigit() and term.isascii()) or (term[0] == "0" and len(term) > 1):
        return False
    return len(term) < _MOST_FIGURES and not (len(term) == _YEAR and term[0] in "12")


_YEAR, _MOST_FIGURES = 4, 7


@dataclass(frozen=True, slots=True)
class GoldMention:
    """A mention that a person annotated; ``text`` is as annotated and may not occur in the text."""

    entity: str
    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference text, with its id in the corpus and, in annotated corpora, its mentions."""

    id: str
    text: str
    comment: str = ""
    mentions: tuple[GoldMention, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """One input of a corpus with everything that the corpus says about it.

    ``original`` holds the unmodified triples if a corpus has both; ``text`` is a system's output if it is in
    the corpus file itself (JSONL, CSV); ``seen`` says whether the category was in the training data, if
    known; ``input_text`` is the input as systems read it, if the corpus has it.
    """

    id: str
    input: Input
    references: tuple[Reference, ...] = ()
    size: int = 0
    original: Input | None = None
    text: str | None = None
    seen: bool | None = None
    input_text: str | None = None

    @property
    def category(self) -> str | None:
        """The category of the input."""
        return self.input.category


class Mention(NamedTuple):  # made by the hundred thousand, three times as fast as a frozen dataclass
    """A span of a text that realises an entity: ``text == whole_text[start:end]``, always.

    ``distance`` is the normalised edit distance to ``variant``, the surface form that matched; both are
    None if the method compares no strings (pronouns). ``cost`` says how much weaker than the entity's
    own label that form is as evidence (0 for the label itself). ``also`` are other entities that bear the
    same name: the mention proves that they are mentioned, too.
    """

    entity: str
    start: int
    end: int
    text: str
    method: str
    distance: float | None = None
    variant: str | None = None
    cost: float = 0.0
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkedMention:
    """A span of a text and the entity of a knowledge base that it names.

    Attributes
    ----------
    start, end, text
        Where it is: ``text == whole_text[start:end]``, counted in code points of the text as given.
    entity
        The name of the entity as Wikipedia and DBpedia write it, with underscores: ``New_York_City``.
    confidence
        How sure the linker is, between 0 and 1; None if it does not say.
    type
        What kind of thing it is, in the linker's own words (``PER``, ``Place``); None if it does not say.
    """

    start: int
    end: int
    text: str
    entity: str
    confidence: float | None = None
    type: str | None = None


@dataclass(frozen=True, slots=True)
class LinkFailure:
    """Why the entities of a text are unknown (which does not mean that there are none)."""

    reason: str


Links = tuple[LinkedMention, ...] | LinkFailure
"""The entities of one text in text order, without overlaps, or why they are unknown."""


class LazyMentions(Sequence[Mention]):
    """Mentions that are found on first access, since counting entities does not need them.

    Examples
    --------
    >>> found = LazyMentions(lambda: [Mention("Oslo", 0, 4, "Oslo", "string", 0.0)])
    >>> len(found), found[0].text, found == (found[0],)
    (1, 'Oslo', True)
    """

    def __init__(self, find: Callable[[], Sequence[Mention]]):
        self._find = find

    @lazy
    def _found(self) -> tuple[Mention, ...]:
        return tuple(self._find())

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, index: Any) -> Any:
        return self._found[index]

    def __iter__(self) -> Iterator[Mention]:
        return iter(self._found)

    def __eq__(self, other: object) -> bool:
        return self._found == (other._found if isinstance(other, LazyMentions) else other)

    def __hash__(self) -> int:
        return hash(self._found)

    def __repr__(self) -> str:
        return repr(self._found)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self._found,)


@dataclass(frozen=True, slots=True)
class Detection:
    """Which entities of an input a text mentions, and where.

    ``mentions`` are in text order. An entity may have mentions and still be undetected: a profile may say
    that pronouns alone prove nothing. ``links`` is what an entity linker found in the text, in the input or
    not; None if no linker was asked. ``language`` is the code of the language of the text.

    Examples
    --------
    >>> Detection("It is in Mexico.", ("Bionico", "Mexico"), (), ("Bionico",)).esa
    0.5
    """

    text: str
    entities: tuple[str, ...]
    mentions: Sequence[Mention]
    undetected: tuple[str, ...]
    links: Links | None = None
    language: str = "en"

    def moved(self, text: str, place: Callable[[int, int], Span]) -> Detection:
        """Return the detection for another form of the text, in which ``place`` says where a span is."""
        mentions = []
        for mention in self.mentions:
            start, end = place(mention.start, mention.end)
            mentions.append(Mention(mention[0], start, end, text[start:end], *mention[4:]))
        links = self.links
        if isinstance(links, tuple):
            spans = [place(link.start, link.end) for link in links]
            links = tuple(
                replace(link, start=start, end=end, text=text[start:end])
                for link, (start, end) in zip(links, spans, strict=True)
            )
        return replace(self, text=text, mentions=tuple(mentions), links=links)

    @property
    def esa(self) -> float | None:
        """ESA_I, the share of entities detected; None if the input has no entity."""
        if not self.entities:
            return None
        return (len(self.entities) - len(self.undetected)) / len(self.entities)


def triple_parts(text: str) -> list[str]:
    """Split ``subject | predicate | object``; a bar without spaces belongs to its term.

    Only an object in quotes may hold the separator itself.
    """
    parts = text.strip().split(SEPARATOR)
    if len(parts) > 3 and parts[2].lstrip().startswith('"'):
        parts = [*parts[:2], SEPARATOR.join(parts[2:])]
    return parts


def _triple(item: Triple | str | Sequence[object] | Mapping[str, object]) -> Triple:
    if isinstance(item, Triple):
        return item
    parts: object = item
    if isinstance(item, str):
        parts = [part.strip() for part in triple_parts(item)]
    elif isinstance(item, Mapping):
        predicate = "predicate" if "predicate" in item else "property"
        parts = [item[name] for name in ("subject", predicate, "object") if name in item]
    if not isinstance(parts, Sequence) or isinstance(parts, str) or len(parts) != 3:
        raise DataError(
            f"a triple needs three parts, as in ('subject', 'predicate', 'object'), found {item!r}"
        )
    for part in parts:
        if not isinstance(part, str | int | float | Decimal):
            raise DataError(f"the parts of a triple must be strings or numbers, found {part!r} in {item!r}")
    return Triple(*(part if isinstance(part, str) else str(part) for part in parts))
