"""Descriptions that refer to what was named before: "the airport", "this band"."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from esascore.detectors.base import is_taken, mention, with_possessive
from esascore.lexicon import label
from esascore.lexicon.entity_types import nouns, type_nouns
from esascore.model import Entity, Input, Mention, once_per_input
from esascore.text.document import Document

METHOD = "description"
_end = attrgetter("end")
_DETERMINERS = frozenset({"the", "this", "that"})
# What follows a noun that is not an anaphor: "the city of", "the airport named".
_GOES_ON = frozenset({"of", "named", "called", "known", "where", "who", "whose", "which", "that"})
# What comes before a noun that says something new: "is the capital".
_PREDICATES = frozenset({"is", "are", "was", "were", "be", "being", "as", "became", "become"})
_LONGEST_NOUN = 3  # "comic book character"


@dataclass(frozen=True, slots=True)
class Descriptions:
    """Finds definite descriptions and gives them to the entity of that type that was named last.

    Parameters
    ----------
    exclude
        Nouns that are not taken for anaphora although a type is called so.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Sky_Airport", "cityServed", "Skyville")])
    >>> document = Document(graph, "Sky Airport is big. The airport serves Skyville.")
    >>> named = [Mention("Sky_Airport", 0, 11, "Sky Airport", "string", 0.0)]
    >>> [(m.text, m.entity) for m in Descriptions().mentions(document, named)]
    [('The airport', 'Sky_Airport')]
    """

    exclude: tuple[str, ...] = ()

    def mentions(self, document: Document, named: Sequence[Mention]) -> list[Mention]:
        """Return the descriptions that some named entity explains."""
        texts = document.tokens.texts
        words = [word.lower() for word in texts]
        if _DETERMINERS.isdisjoint(words):
            return []
        called = _called(document.input)
        starts, ends = document.tokens.starts, document.tokens.ends
        found: list[Mention] = []
        for at, word in enumerate(words):
            if word not in _DETERMINERS:
                continue
            for length in range(min(_LONGEST_NOUN, len(words) - at - 1), 0, -1):
                noun = " ".join(words[at + 1 : at + 1 + length])
                entities = called.get(noun)
                if entities is None or noun in self.exclude:
                    continue
                start, end = starts[at], ends[at + length]
                following = texts[at + length + 1] if at + length + 1 < len(words) else ""
                if (
                    following not in _GOES_ON
                    and not following[:1].isupper()
                    and not (at and words[at - 1] in _PREDICATES)
                    and not is_taken(named, start, end + 2)
                ):
                    before = named[: bisect_right(named, start, key=_end)]
                    entity = next((one.entity for one in reversed(before) if one.entity in entities), None)
                    if entity is not None:
                        end = ends[with_possessive(words, at + length)]
                        found.append(mention(document.text, start, end, entity, METHOD))
                break
        return found


@once_per_input
def _called(input_: Input) -> dict[str, tuple[str, ...]]:
    """Return which entities a noun may refer to."""
    called: dict[str, dict[str, None]] = {}
    for entity in input_.entities:
        category = input_.category and (input_.category if entity.term == input_.root else None)
        for noun in (*_heads(entity), *nouns(entity, category)):
            called.setdefault(noun, {})[entity.term] = None
    return {noun: tuple(found) for noun, found in called.items()}


def _heads(entity: Entity) -> tuple[str, ...]:
    """Return the type noun in an entity's own name: "airport" of "Sky Airport", "school" of "School of X"."""
    if entity.term.isdecimal():  # most values of large inputs
        return ()
    name = label(entity.term).split("(")[0].split(",")[0].lower().split()
    if len(name) < 2:
        return ()
    head = name[name.index("of") - 1] if "of" in name[1:] else name[-1]
    return (head,) if head in type_nouns() else ()
