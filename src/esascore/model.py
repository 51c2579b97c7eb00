"""The nouns of esascore: inputs (graphs, tables), texts, and the alignment between them.

Everything here is frozen and knows nothing of files, algorithms or metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast

from esascore.data import Data, FactType, Value, flatten, last_key, type_of
from esascore.errors import DataError, UsageError
from esascore.late import MadeLate

Span = tuple[int, int]
"""A part of a text, ``text[start:end]``, counted in code points."""

SEPARATOR = " | "
"""What stands between the parts of a triple that is written as one string."""


@dataclass(frozen=True, slots=True)
class Triple:
    """One statement of an RDF graph, its terms written as in the input (``Abilene,_Texas``)."""

    subject: str
    predicate: str
    object: str

    def as_list(self) -> list[str]:
        """The three terms as plain strings, for JSON output.

        Examples
        --------
        >>> Triple("Bionico", "country", "Mexico").as_list()
        ['Bionico', 'country', 'Mexico']
        """
        return [str(self.subject), self.predicate, str(self.object)]

    def __str__(self) -> str:
        return SEPARATOR.join(self.as_list())


@dataclass(frozen=True, slots=True)
class Entity:
    """An RDF term, table cell or value of the data that a text should mention.

    ``term`` is the term as the input writes it; two terms that differ only in quotes are two
    entities, as are equal values of two attributes (`esascore.data.Value`). ``subject_of`` and ``object_of``
    are the predicates (for a cell or value: its attributes) around it, in input order and without
    repetition: what little the input says about its type. Data and records say more: ``type`` and ``unit``.
    An ``optional`` one explains what a text says, but is never missing.
    """

    term: str
    subject_of: tuple[str, ...] = ()
    object_of: tuple[str, ...] = ()
    type: FactType | None = None
    unit: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Graph(MadeLate):
    """A set of triples to be verbalised, or the facts of any structured data.

    ``category`` is what the corpus says the root is (``Airport``), if it does. ``data`` holds the typed facts
    of a graph that was made of data; its triples are the same facts without their types. Objects of
    ``optional`` properties need not be mentioned.

    Examples
    --------
    >>> graph = Graph.from_triples([("Bionico", "country", "Mexico"), ("Mexico", "leader", "Nobody")])
    >>> [entity.term for entity in graph.entities]
    ['Bionico', 'Mexico', 'Nobody']
    >>> graph.root
    'Bionico'
    >>> Graph.from_triples(["Bionico | country | Mexico", ("Bionico", "year", 1998)]).triples[1].object
    '1998'
    """

    triples: tuple[Triple, ...]
    category: str | None = None
    data: Data | None = None
    optional: frozenset[str] = frozenset()
    entities: tuple[Entity, ...] = field(init=False, repr=False, compare=False)
    root: str | None = field(init=False, repr=False, compare=False)
    """The term that the graph is about, or None for an empty graph.

    The subject that is not an object; with several (or none: a cycle) the one from which most triples can be
    reached, then the first. For data, the outermost object that has a name.
    """
    _worded: tuple[Entity, ...] = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)
    _same: Graph | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "triples", tuple(self.triples))  # a list has no hash

    @staticmethod
    def late() -> Mapping[str, Callable[[Graph], Any]]:
        """Return what makes each attribute that follows from the others."""
        return _LATE

    def __eq__(self, other: object) -> bool:
        """Tell whether another graph says the same; it remembers the last one for which that was so.

        A corpus that is read twice, or repeats its inputs, has equal graphs, which are looked up for every
        text: they are compared fact by fact only once.
        """
        if self is other:
            return True
        if not isinstance(other, Graph):
            return NotImplemented
        if self._same is other or other._same is self:
            return True
        own, others = (
            (graph._hash, graph.category, graph.optional, graph.data or graph.triples)
            for graph in (self, other)
        )
        if own != others:
            return False
        object.__setattr__(other, "_same", self)  # dictionaries ask their own key about another
        return True

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        # Strings hash otherwise in another process.
        if self.data is not None:
            return _graph_of_data, (self.data, self.category, self.optional)
        return Graph, (self.triples, self.category, None, self.optional)

    @property
    def size(self) -> int:
        """How many facts it has."""
        return len(self.triples if self.data is None else self.data.rows)

    @classmethod
    def from_triples(
        cls,
        triples: Iterable[Triple | str | Sequence[object] | Mapping[str, object]],
        category: str | None = None,
    ) -> Graph:
        """Make a graph of triples, (subject, predicate, object) sequences, ``s | p | o`` strings and dicts.

        Raises
        ------
        DataError
            Something has not three parts, or one of them is neither a string nor a number.
        """
        if isinstance(triples, str) or not isinstance(triples, Iterable):
            raise DataError(
                f"a list of triples is needed, found {type(triples).__name__}: put triples into [ ]"
            )
        return cls(tuple(map(_triple, triples)), category)

    @classmethod
    def from_data(cls, data: object, category: str | None = None) -> Graph:
        """Make a graph of any JSON value: an object, an array of them, nested as it comes.

        Parameters
        ----------
        data
            The value, or what `esascore.data.flatten` made of it.
        category
            What the data are about, if that is known.

        Raises
        ------
        UsageError
            The value is nested too deeply.

        Examples
        --------
        >>> graph = Graph.from_data({"name": "Blue Spice", "area": "riverside", "familyFriendly": True})
        >>> [(str(entity.term), entity.term.attribute, entity.type) for entity in graph.entities]
        [('Blue Spice', 'name', 'name'), ('riverside', 'area', 'text'), ('yes', 'familyFriendly', 'boolean')]
        """
        try:
            flat = data if isinstance(data, Data) else flatten(data)
        except ValueError as error:
            raise UsageError(f"the data cannot be read: {error}") from None
        return _graph_of_data(flat, category)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; ``attribute`` is its header (or the attribute of a record)."""

    value: str
    attribute: str = ""
    highlighted: bool = True
    is_header: bool = False
    row: int = 0
    column: int = 0
    row_span: int = 1
    column_span: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table or a list of attribute-value records; its entities are the highlighted cells' values.

    Examples
    --------
    >>> Table((Cell("Paris", "city"), Cell("2.1 million", "population"))).entities[1].object_of
    ('population',)
    """

    cells: tuple[Cell, ...]
    title: str = ""
    section_title: str = ""
    section_text: str = ""
    category: str | None = None
    entities: tuple[Entity, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(self.cells))  # a list has no hash
        marked = [c for c in self.cells if c.highlighted and c.value]
        found: dict[str, dict[str, None]] = {}
        for cell in marked:
            found.setdefault(cell.value, {}).update({cell.attribute: None} if cell.attribute else {})
        entities = tuple(
            # Only an attribute tells a truth value from the word "yes".
            Entity(term, (), tuple(attributes), type_of(term) if attributes else None)
            for term, attributes in found.items()
        )
        object.__setattr__(self, "entities", entities)

    @property
    def root(self) -> str | None:
        """Always None: a table does not say what it is about in the way a graph does."""
        return None


Input = Graph | Table

Made = TypeVar("Made", bound=Callable[..., Any])

_SMALL, _MANY, _SOME = 64, 1 << 12, 1 << 5
"""Entities of a small input; how many small inputs are remembered, and how many larger ones."""


def once_per_input(make: Made) -> Made:
    """Remember what a function of an input (and more) returned for the last inputs.

    The texts of one input come close together, or one system after the other. Of large inputs only a few are
    remembered, since what is made of them is large: memory stays bounded.

    Examples
    --------
    >>> terms = once_per_input(lambda input_: [entity.term for entity in input_.entities])
    >>> graph = Graph.from_triples([("Bionico", "country", "Mexico")])
    >>> terms(graph), terms(graph) is terms(graph)
    (['Bionico', 'Mexico'], True)
    """
    of_small, of_large = lru_cache(_MANY)(make), lru_cache(_SOME)(make)
    last: tuple[Input | None, tuple[Any, ...], Any] = None, (), None

    def remembered(input_: Input, *more: Any) -> Any:
        nonlocal last
        known, besides, made = last  # of most texts the same as of the one before, and sooner found
        if known is not input_ or besides != more:
            made = (of_small if len(input_.entities) <= _SMALL else of_large)(input_, *more)
            last = input_, more, made
        return made

    remembered.__doc__ = make.__doc__
    return cast(Made, remembered)


def worded(input_: Input) -> tuple[Entity, ...]:
    """Return the entities but for whole numbers of data in plain figures, which large inputs mostly hold.

    Only what reads numbers needs to look at those.

    Examples
    --------
    >>> [str(entity.term) for entity in worded(Graph.from_data({"name": "Oslo", "wins": 12, "code": "007"}))]
    ['Oslo', '007']
    """
    return input_._worded if isinstance(input_, Graph) else _worded_of(input_)


def _worded_of(input_: Input) -> tuple[Entity, ...]:
    return tuple([entity for entity in input_.entities if entity.type != "number" or not _is_whole(entity)])


def _is_whole(entity: Entity) -> bool:
    term = entity.term
    return (
        term.isdigit() and term.isascii() and (term[0] != "0" or len(term) == 1) and len(term) < _MOST_FIGURES
    )


_MOST_FIGURES = 40  # of what is read as a number


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

    ``original`` holds the unmodified triples where a corpus has both; ``text`` is a system's output
    where it is in the corpus file itself (JSONL, CSV); ``seen`` says whether the category was in
    the training data, where known; ``input_text`` is the input as systems read it, where the corpus says.
    """

    id: str
    input: Input
    references: tuple[Reference, ...] = ()
    size: int = 0
    original: Graph | None = None
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
    """Why the entities of a text are unknown, which is something else than that there are none."""

    reason: str


Links = tuple[LinkedMention, ...] | LinkFailure
"""The entities of one text in text order, without overlaps, or why they are unknown."""


class LateMentions(Sequence[Mention]):
    """Mentions that are found when they are first asked for: whoever only counts entities needs none.

    Examples
    --------
    >>> late = LateMentions(lambda: [Mention("Oslo", 0, 4, "Oslo", "string", 0.0)])
    >>> len(late), late[0].text, late == (late[0],)
    (1, 'Oslo', True)
    """

    def __init__(self, find: Callable[[], Sequence[Mention]]):
        self._find = find

    @cached_property
    def _found(self) -> tuple[Mention, ...]:
        return tuple(self._find())

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, index: Any) -> Any:
        return self._found[index]

    def __iter__(self) -> Iterator[Mention]:
        return iter(self._found)

    def __eq__(self, other: object) -> bool:
        return self._found == (other._found if isinstance(other, LateMentions) else other)

    def __hash__(self) -> int:
        return hash(self._found)

    def __repr__(self) -> str:
        return repr(self._found)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self._found,)


@dataclass(frozen=True, slots=True)
class Detection:
    """Which entities of an input a text mentions, and where.

    ``mentions`` are in text order. An entity may have mentions and still be undetected: a profile may
    say that pronouns alone prove nothing. ``links`` is what an entity linker said of the text, be it about
    entities of the input or others; None if none was asked.

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

    def moved(self, text: str, place: Callable[[int, int], Span]) -> Detection:
        """Return the detection for another form of the text, in which ``place`` says where a span is."""
        mentions = []
        for mention in self.mentions:
            start, end = place(mention.start, mention.end)
            mentions.append(mention._replace(start=start, end=end, text=text[start:end]))
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


def _root(triples: Sequence[Triple]) -> str | None:
    subjects = list(dict.fromkeys(t.subject for t in triples if t.subject not in _PLACEHOLDERS))
    objects = {t.object for t in triples}
    heads = [s for s in subjects if s not in objects] or subjects
    if len(heads) < 2:
        return heads[0] if heads else None
    outgoing: dict[str, list[tuple[int, str]]] = {}
    for number, t in enumerate(triples):
        outgoing.setdefault(t.subject, []).append((number, t.object))
    return max(heads, key=_reach(outgoing).__getitem__)  # max keeps the first of equals


def _graph_of_data(data: Data, category: str | None, optional: frozenset[str] = frozenset()) -> Graph:
    """Make a graph of data alone, whose triples follow from these."""
    return Graph.with_fields(data=data, category=category, optional=optional)


def _triples_of(graph: Graph) -> tuple[Triple, ...]:
    """Return the facts of data as triples; what has no name is called by its path."""
    data = graph.data or Data()
    paths = {subject.owner: subject.path for subject in data.subjects}
    found: list[Triple] = []
    for name, owner, path, value, _, _, _, key in data.rows:
        attribute = key or last_key(path)
        unnamed = path.removesuffix(attribute).rstrip(".*") or _ROOT
        subject = _value(name, paths[owner]) if name else unnamed
        found.append(Triple(subject, attribute or _ROOT, _value(value, path)))
    return tuple(found)


def _entities_of(graph: Graph) -> tuple[Entity, ...]:
    if graph.data is not None:
        return _entities_of_data(graph.data)
    return _entities(((t.subject, t.predicate, t.object) for t in graph.triples), graph.optional)


def _root_of(graph: Graph) -> str | None:
    if graph.data is None:
        return _root(graph.triples)
    return next((Value(one.name, one.path) for one in graph.data.subjects), None)


def _hash_of(graph: Graph) -> int:
    """Detectors look inputs up for every text: the hash of all facts is worth keeping."""
    if graph.data is not None:
        return hash((graph.data.rows, graph.category))
    return hash((tuple([(t.subject, t.predicate, t.object) for t in graph.triples]), graph.category))


_LATE: Mapping[str, Callable[[Graph], Any]] = MappingProxyType(
    {
        "triples": _triples_of,
        "entities": _entities_of,
        "root": _root_of,
        "_worded": _worded_of,
        "_hash": _hash_of,
        "_same": lambda _: None,
    }
)


@lru_cache(maxsize=1 << 14)
def _value(text: str, path: str) -> Value:
    """Return a value; the same object for the same one, which dictionaries know without comparing strings."""
    return Value(text, path)


_ROOT = "data"
_PLACEHOLDERS = frozenset({"[TABLECONTEXT]"})  # in DART the subject of what is said of a whole table


def _entities_of_data(data: Data) -> tuple[Entity, ...]:
    """Return subjects and values in input order; a value that an attribute has several times is one."""
    about: dict[str, dict[str, None]] = {}
    # By string and path, since equal values of many attributes have equal hashes.
    values: dict[tuple[str, str], Entity] = {}
    last: str | None = None
    own: dict[str, None] = {}
    for _, owner, path, value, type_, unit, optional, key in data.rows:
        attribute = key or last_key(path)
        if owner is not last:  # the row before is most often about the same
            last, own = owner, about.setdefault(owner, {})
        own[attribute] = None
        if (value, path) not in values:
            values[value, path] = _entity(value, path, attribute, type_, unit, optional)
    found: dict[tuple[str, str], Entity] = {}
    for subject in data.subjects:
        if (named := (subject.name, subject.path)) not in found:
            known = tuple(about.get(subject.owner, ()))
            found[named] = Entity(_value(*named), known, (), subject.type, optional=subject.optional)
    for named, entity in values.items():
        found.setdefault(named, entity)
    return tuple(found.values())


@lru_cache(maxsize=1 << 14)
def _entity(text: str, path: str, attribute: str, type_: FactType, unit: str, optional: bool) -> Entity:
    return Entity(_value(text, path), (), (attribute,), type_, unit, optional)


def _entities(
    triples: Iterable[tuple[str, str, str]], optional: frozenset[str] = frozenset()
) -> tuple[Entity, ...]:
    around: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for subject, predicate, object_ in triples:
        for side, term in enumerate((subject, object_)):
            if (known := around.get(term)) is not None:
                known[side][predicate] = None
            elif term not in _PLACEHOLDERS:
                own = around[term] = ({}, {})
                own[side][predicate] = None
    return tuple(
        Entity(term, tuple(out), tuple(into), optional=not out and optional.issuperset(into))
        for term, (out, into) in around.items()
    )


def _reach(outgoing: Mapping[str, Sequence[tuple[int, str]]]) -> dict[str, int]:
    """Count the triples that can be reached from each subject, of numbered triples by subject.

    Terms that reach each other have the same ones, so strongly connected components are found first (Tarjan's
    algorithm, with a stack of its own); what they reach is a set of triples, held as the bits of an integer.
    """
    reached: dict[str, int] = {}
    low: dict[str, int] = {}
    waiting: list[str] = []  # terms whose component is not complete
    for start in outgoing:
        if start in low:
            continue
        path = [(start, iter(outgoing[start]))]
        low[start] = len(low)
        born = {start: low[start]}
        waiting.append(start)
        while path:
            term, rest = path[-1]
            for _, next_ in rest:
                if next_ not in outgoing:
                    continue
                if next_ not in low:
                    born[next_] = low[next_] = len(low)
                    waiting.append(next_)
                    path.append((next_, iter(outgoing[next_])))
                    break
                if next_ not in reached:
                    low[term] = min(low[term], low[next_])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[term])
                if low[term] == born[term]:
                    whole = [waiting.pop()]
                    while whole[-1] != term:
                        whole.append(waiting.pop())
                    bits = 0
                    for one in whole:
                        for number, object_ in outgoing[one]:
                            bits |= 1 << number | reached.get(object_, 0)
                    reached.update(dict.fromkeys(whole, bits))
    return {term: bits.bit_count() for term, bits in reached.items()}
