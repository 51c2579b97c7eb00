"""Triples: their terms, their subject, and the facts that they state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from esascore.data import Entity, Fact, Subject, Triple, dotted, matches, type_of_term

SHAPE = frozenset({"(triples)"})
"""The shape of all triples: their properties are those of one ontology."""

_PLACEHOLDERS = frozenset({"[TABLECONTEXT]"})  # in DART the subject of statements about a whole table


@dataclass(frozen=True, slots=True)
class Triples:
    """A set of triples; objects of ``optional`` properties need not be mentioned.

    Examples
    --------
    >>> own = Triples((Triple("Ada_Hall", "architect", "Bo_Berg"), Triple("Bo_Berg", "age", '"41"')))
    >>> [(fact.subject, fact.path, fact.value, fact.type) for fact in own.facts]
    [('Ada_Hall', 'architect', 'Bo_Berg', 'name'), ('Bo_Berg', 'age', '"41"', 'number')]
    >>> [(one.name, one.kind, one.parent) for one in own.subjects]
    [('Ada_Hall', '', ''), ('Bo_Berg', 'architect', 'Ada_Hall')]
    """

    triples: tuple[Triple, ...] = ()
    optional: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash(tuple([(t.subject, t.predicate, t.object) for t in self.triples]))

    @property
    def size(self) -> int:
        """How many triples there are."""
        return len(self.triples)

    @property
    def unknown(self) -> tuple[tuple[str, str], ...]:
        """Nothing: unknown values are simply absent."""
        return ()

    @property
    def shape(self) -> frozenset[str]:
        """The same for all triples."""
        return SHAPE

    @property
    def titles(self) -> tuple[str, ...]:
        """Nothing: everything that triples say is in their terms."""
        return ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Each triple as a fact about its subject."""
        soft = frozenset(self.optional)
        return tuple(
            Fact(s, s, p, o, type_of_term(o), "", p in soft, dotted(p), f"/{s}/{p}")
            for s, p, o in ((t.subject, t.predicate, t.object) for t in self.triples)
        )

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """The subjects from the root on, each as a part of the one that it is an object of."""
        outgoing = _outgoing(self.triples)
        found: dict[str, Subject] = {}
        heads = _heads(self.triples)
        for start in (*heads, *outgoing):  # subjects that only a cycle reaches come last
            if start in found:
                continue
            found[start] = _subject(start, "*" if len(heads) > 1 else "", "")
            waiting = [start]
            for term in waiting:  # grows while it is read
                own = [self.triples[number] for number, _ in outgoing[term]]
                several = [triple.predicate for triple in own]
                for triple in own:
                    if triple.object in outgoing and triple.object not in found:
                        listed = ".*" if several.count(triple.predicate) > 1 else ""
                        found[triple.object] = _subject(triple.object, triple.predicate + listed, term)
                        waiting.append(triple.object)
        return tuple(found.values())

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The distinct terms, in input order."""
        around: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
        for triple in self.triples:
            predicate = triple.predicate
            for side, term in enumerate((triple.subject, triple.object)):
                if (known := around.get(term)) is not None:
                    known[side][predicate] = None
                elif term not in _PLACEHOLDERS:
                    own = around[term] = ({}, {})
                    own[side][predicate] = None
        soft = frozenset(self.optional)
        return tuple(
            Entity(term, tuple(out), tuple(into), type_of_term(term), "", not out and soft.issuperset(into))
            for term, (out, into) in around.items()
        )

    @property
    def root(self) -> str | None:
        """The subject that is not an object; of several the one that reaches most triples, then the first."""
        heads = _heads(self.triples)
        if len(heads) < 2:
            return heads[0] if heads else None
        return max(heads, key=_reach(_outgoing(self.triples)).__getitem__)  # max keeps the first of equals

    def chosen(self, optional: Sequence[str] = (), ignored: Sequence[str] = ()) -> Triples:
        """Return the triples without ignored properties, and with more that are optional."""
        kept = tuple(triple for triple in self.triples if not matches(ignored, triple.predicate))
        soft = {triple.predicate for triple in kept if matches(optional, triple.predicate)}
        return Triples(kept, tuple(sorted(soft)))


def _subject(term: str, kind: str, parent: str) -> Subject:
    return Subject(term, term, kind, parent, "", type_of_term(term))


def _outgoing(triples: Sequence[Triple]) -> dict[str, list[tuple[int, str]]]:
    """Return the numbers and objects of the triples of each subject."""
    found: dict[str, list[tuple[int, str]]] = {}
    for number, triple in enumerate(triples):
        if triple.subject not in _PLACEHOLDERS:
            found.setdefault(triple.subject, []).append((number, triple.object))
    return found


def _heads(triples: Sequence[Triple]) -> list[str]:
    """Return the subjects that are not objects; all of them if each is one."""
    subjects = list(dict.fromkeys(t.subject for t in triples if t.subject not in _PLACEHOLDERS))
    objects = {t.object for t in triples}
    return [s for s in subjects if s not in objects] or subjects


def _reach(outgoing: Mapping[str, Sequence[tuple[int, str]]]) -> dict[str, int]:
    """Count the triples that can be reached from each subject, given numbered triples by subject.

    The bits of an integer hold the set of triples that are reached. Objects come before their subjects;
    around cycles the search is repeated until nothing is added.
    """
    order: dict[str, None] = {}
    begun: set[str] = set()
    waiting = list(outgoing)[::-1]
    while waiting:
        term = waiting[-1]
        if term in begun:  # and all that were put above it are done
            order[waiting.pop()] = None
        else:
            begun.add(term)
            objects = (object_ for _, object_ in outgoing[term] if object_ in outgoing)
            waiting.extend(object_ for object_ in objects if object_ not in begun)
    reached = dict.fromkeys(order, 0)
    grows = True
    while grows:
        grows = False
        for term in order:
            bits = reached[term]
            for number, object_ in outgoing[term]:
                bits |= 1 << number | reached.get(object_, 0)
            grows = grows or bits != reached[term]
            reached[term] = bits
    return {term: bits.bit_count() for term, bits in reached.items()}
