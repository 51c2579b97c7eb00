"""Pronouns, given to the entity that a coreference resolver names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from esascore.coref.base import CorefResolver, Pronoun
from esascore.detectors.base import is_taken, mention
from esascore.model import Mention
from esascore.text.document import Document
from esascore.text.normalize import folded
from esascore.text.tokenize import split_white_space

METHOD = "pronoun"
_APOSTROPHES = ("'", "’")
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
        words = frozenset(self.words)
        bare = frozenset(map(folded, words))
        pronouns = [
            # Most texts have none, and their words are known already.
            [] if bare.isdisjoint(document.words.texts) else _free_pronouns(document.text, words, mentions)
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


def _free_pronouns(text: str, words: frozenset[str], taken: Sequence[Mention]) -> list[Pronoun]:
    tokens = split_white_space(text)
    found = []
    for token, start in zip(tokens.texts, tokens.starts, strict=True):
        if len(token) > _LONGEST:
            continue
        bare = token.lower().strip(_EDGES)
        if bare not in words:
            # "it's" is often meant for "its", and marked whole; "he's" is always "he is".
            if bare[-2:-1] not in _APOSTROPHES or bare[:-2] not in words:
                continue
            bare = bare if bare.startswith("it") else bare[:-2]
        begin = start + token.lower().index(bare)
        end = begin + len(bare)
        if not is_taken(taken, begin, end):
            found.append(Pronoun(text[begin:end], begin, end))
    return found


# No pronoun with its punctuation is longer; it keeps the loop off long tokens.
_LONGEST = 16
