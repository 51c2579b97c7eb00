"""Pronouns, given to the entity that a coreference resolver names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from esascore.coref.base import CorefResolver, Pronoun
from esascore.detectors.base import is_taken, mention
from esascore.model import Mention
from esascore.text.document import Document
from esascore.text.normalize import lowered_in_place

METHOD = "pronoun"
_EDGES = ".,;:!?()[]\"'“”‘’"


@dataclass(frozen=True, slots=True)
class Pronouns:
    """Finds the pronouns that are part of no other mention, and asks a resolver which entities they refer to.

    Examples
    --------
    >>> from esascore.coref.root import RootResolver
    >>> from esascore.model import Graph
    >>> document = Document(Graph.from_triples([("Ada", "field", "Logic")]), "Her field was logic.")
    >>> [found] = Pronouns(RootResolver(), ("he", "her", "it")).propose([document], [[]])
    >>> [(m.text, m.entity) for m in found]
    [('Her', 'Ada')]
    """

    resolver: CorefResolver
    words: tuple[str, ...]

    def propose(
        self, documents: Sequence[Document], named: Sequence[Sequence[Mention]]
    ) -> list[list[Mention]]:
        """Return one mention for every pronoun that the resolver can place."""
        place_in = _finder(self.words)
        pronouns = [
            _free_pronouns(document, place_in, mentions)
            for document, mentions in zip(documents, named, strict=True)
        ]
        asked = [index for index, some in enumerate(pronouns) if some]
        answers = self.resolver.resolve(
            [(documents[i].input, documents[i].text, named[i], pronouns[i]) for i in asked]
        )
        proposals: list[list[Mention]] = [[] for _ in documents]
        for index, entities in zip(asked, answers, strict=True):
            text = documents[index].text
            for pronoun, entity in zip(pronouns[index], entities, strict=True):
                if entity is not None:
                    proposals[index].append(mention(text, pronoun.start, pronoun.end, entity, METHOD))
        return proposals


_PlaceIn = Callable[[str], tuple[int, int] | None]
"""Tells where a pronoun begins and ends in a run without white space, if the run is one."""


@lru_cache(maxsize=16)
def _finder(words: tuple[str, ...]) -> _PlaceIn:
    any_ = "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word))) or r"(?!)"
    edges = re.escape(_EDGES)
    pattern = re.compile(rf"[{edges}]*(?P<word>{any_})(?P<clitic>['’][^\s{edges}])?[{edges}]*")

    @lru_cache(maxsize=1 << 16)  # texts repeat their words, and few are pronouns
    def place_in(run: str) -> tuple[int, int] | None:
        found = pattern.fullmatch(lowered_in_place(run)) if len(run) <= _LONGEST else None
        if found is None:
            return None
        # "it's" is often meant for "its", and marked whole; "he's" is always "he is".
        whole = found["clitic"] and found["word"].startswith("it")
        return found.start("word"), found.end("clitic" if whole else "word")

    return place_in


def _free_pronouns(document: Document, place_in: _PlaceIn, taken: Sequence[Mention]) -> list[Pronoun]:
    text, runs = document.text, document.runs
    places = list(map(place_in, runs))
    found: list[Pronoun] = []
    if not any(places):
        return found
    at = 0
    for run, place in zip(runs, places, strict=True):
        at = text.index(run, at)
        if place is not None:
            begin, end = at + place[0], at + place[1]
            if not is_taken(taken, begin, end):
                found.append(Pronoun(text[begin:end], begin, end))
        at += len(run)
    return found


# No pronoun with its punctuation is longer.
_LONGEST = 16
