"""What kind of thing an entity is, as far as facts about it can be mistaken for others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from esascore.lexicon import label, nature
from esascore.model import Entity, Triple

Kind = str
"""A nature of `esascore.lexicon.entity_types`, ``number`` for what has digits, or empty if unknown."""

PredicateKinds = Mapping[str, frozenset[tuple[Kind, Kind]]]
"""Of each predicate, the kinds of things that were seen as its subject and object together."""


def entity_kind(entity: Entity) -> Kind:
    """Return what kind of thing an entity is.

    Examples
    --------
    >>> [entity_kind(entity) for entity in (Entity("Ada", ("birthPlace",)), Entity("1815"), Entity("Ada"))]
    ['person', 'number', '']
    """
    return nature(entity) or ("number" if any(map(str.isdigit, label(entity.term))) else "")


def predicate_kinds(facts: Iterable[Triple], entities: Iterable[Entity]) -> PredicateKinds:
    """Return the kinds of things that each predicate stands between.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Ada", "birthPlace", "Oslo")])
    >>> predicate_kinds(graph.triples, graph.entities)
    {'birthPlace': frozenset({('person', 'place')})}
    """
    own = {entity.term: entity_kind(entity) for entity in entities}
    found: dict[str, set[tuple[Kind, Kind]]] = {}
    for fact in facts:
        found.setdefault(fact.predicate, set()).add((own[fact.subject], own[fact.object]))
    return {predicate: frozenset(some) for predicate, some in found.items()}
