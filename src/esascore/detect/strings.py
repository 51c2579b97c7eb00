"""Names and literals found as strings: Algorithm 1 of the paper over the surface variants of each entity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from esascore.align import match
from esascore.detect.base import Document, mention
from esascore.lexicon import Lexicon
from esascore.model import Input, Mention
from esascore.text.normalize import Comparable, comparable, without_punctuation
from esascore.text.tokenize import Tokens, split_white_space

METHOD = "string"


@dataclass(frozen=True, slots=True)
class Candidates:
    """The strings to look for in a text: normalised, with the entity and the variant behind each."""

    texts: tuple[str, ...]
    entities: tuple[str, ...]
    variants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GreedyStrings:
    """Algorithm 1: the n-gram nearest to a candidate goes to its entity, until none is near enough.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Cyril_Bruce", "occupation", "Film_director")])
    >>> detector = GreedyStrings(Lexicon(sources=("label",), keep_underscores=True))
    >>> [found] = detector.propose([Document(graph, "It was made by Cyril Bruce.")])
    >>> [(m.entity, m.text, round(m.distance, 3)) for m in found]
    [('Cyril_Bruce', 'Cyril Bruce.', 0.091)]
    """

    lexicon: Lexicon
    max_distance: float = 0.4
    backend: str = "auto"
    _known: dict[Input, Candidates] = field(default_factory=dict, init=False, repr=False, compare=False)

    def propose(self, documents: Sequence[Document], *, threads: int = 1) -> list[list[Mention]]:
        """Return the mentions of each document in order of selection."""
        candidates = [self._candidates(document.input) for document in documents]
        tokens = [split_white_space(document.text) for document in documents]
        texts = [comparable(some) for some in tokens]
        found = match(
            [(names.texts, text.text) for names, text in zip(candidates, texts, strict=True)],
            max_distance=self.max_distance,
            backend=self.backend,
            threads=threads,
        )
        proposals: list[list[Mention]] = [[] for _ in documents]
        columns = (found.item, found.candidate, found.start, found.end, found.distance)
        for item, candidate, start, end, distance in zip(*(c.tolist() for c in columns), strict=True):
            names = candidates[item]
            begin, stop = _span(tokens[item], texts[item], start, end)
            proposals[item].append(
                mention(
                    documents[item].text,
                    begin,
                    stop,
                    names.entities[candidate],
                    METHOD,
                    distance,
                    names.variants[candidate],
                )
            )
        return proposals

    def _candidates(self, input_: Input) -> Candidates:
        known = self._known.get(input_)
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            known = self._known[input_] = candidates_of(self.lexicon, input_)
        return known


# Inputs whose candidates are kept: the texts of one input come close together.
_REMEMBERED = 4096


def candidates_of(
    lexicon: Lexicon, input_: Input, rule: Callable[[str], str] = without_punctuation
) -> Candidates:
    """Return the candidates of an input in the order of its entities, without repetition in an entity."""
    texts: list[str] = []
    entities: list[str] = []
    variants: list[str] = []
    for entity in input_.entities:
        own: set[str] = set()
        for variant in lexicon.variants(entity):
            text = " ".join(filter(None, map(rule, variant.text.split()))).strip("_")
            if text and text not in own:
                own.add(text)
                texts.append(text)
                entities.append(entity.term)
                variants.append(variant.text)
    return Candidates(tuple(texts), tuple(entities), tuple(variants))


def _span(tokens: Tokens, text: Comparable, start: int, end: int) -> tuple[int, int]:
    return tokens.starts[text.tokens[start]], tokens.ends[text.tokens[end - 1]]
