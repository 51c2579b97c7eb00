"""What sort of thing an entity is, as far as facts about it can be mistaken for others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from esascore.lexicon import label, nature
from esascore.model import Entity, Triple

Sort = str
"""A nature of `esascore.lexicon.natures`, ``number`` for what has digits, or empty where nothing tells."""

Sorts = Mapping[str, frozenset[tuple[Sort, Sort]]]
"""Of each predicate, the sorts of things that were seen as its subject and object together."""


def sort_of(entity: Entity) -> Sort:
    """Return what sort of thing an entity is.

    Examples
    --------
    >>> [sort_of(entity) for entity in (Entity("Ada", ("birthPlace",)), Entity("1815"), Entity("Ada"))]
    ['person', 'number', '']
    """
    return nature(entity) or ("number" if any(map(str.isdigit, label(entity.term))) else "")


def sorts_of(facts: Iterable[Triple], entities: Iterable[Entity]) -> dict[str, frozenset[tuple[Sort, Sort]]]:
    """Return the sorts of things that each predicate stands between.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Ada", "birthPlace", "Oslo")])
    >>> sorts_of(graph.triples, graph.entities)
    {'birthPlace': frozenset({('person', 'place')})}
    """
    own = {entity.term: sort_of(entity) for entity in entities}
    found: dict[str, set[tuple[Sort, Sort]]] = {}
    for fact in facts:
        found.setdefault(fact.predicate, set()).add((own[fact.subject], own[fact.object]))
    return {predicate: frozenset(some) for predicate, some in found.items()}
