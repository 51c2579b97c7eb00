"""Pronouns, assigned to the entity that a coreference resolver names."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    >>> from esascore.coref.rules import RootResolver
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
        pattern, words = _pattern(self.words), frozenset(self.words)
        plain = all(word.isascii() and word.isalnum() for word in words)
        pronouns = [
            []
            # Most texts have none, which their words tell faster than the pattern.
            if plain and words.isdisjoint(document.words.texts)
            else _free_pronouns(document.text, pattern, mentions)
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


@lru_cache(maxsize=16)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for runs without white space that are one of the words."""
    any_ = "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word))) or r"(?!)"
    edges = re.escape(_EDGES)
    run = rf"(?<!\S)[{edges}]*(?P<word>{any_})(?P<clitic>['’][^\s{edges}])?[{edges}]*(?!\S)"
    return re.compile(run)


def _free_pronouns(text: str, pattern: re.Pattern[str], taken: Sequence[Mention]) -> list[Pronoun]:
    found = []
    for run in pattern.finditer(lowered_in_place(text)):
        begin, end = run.span("word")
        if run["clitic"] and run["word"].startswith("it"):
            # "it's" is often meant for "its", and marked whole; "he's" is always "he is".
            end = run.end("clitic")
        if len(run[0]) <= _LONGEST and not is_taken(taken, begin, end):
            found.append(Pronoun(text[begin:end], begin, end))
    return found


# No pronoun with its punctuation is longer.
_LONGEST = 16
