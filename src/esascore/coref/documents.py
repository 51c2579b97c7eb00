"""Annotated documents in the form that Stanza's coreference models are trained on."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from esascore.text.document import read
from esascore.text.tokenize import Tokens

# Words after these add to a mention rather than name it: "the University of Oslo", "Ada, the poet".
_AFTER_HEAD = frozenset(
    (",", "(", "of", "in", "at", "from", "who", "which", "that", "near", "on", "for", "and", "–", "-", ":")
)


@dataclass(frozen=True, slots=True)
class CutText(Tokens):
    """The words of a text as a model reads them; ``sentences[i]`` numbers the sentence of word ``i``."""

    sentences: tuple[int, ...]


def cut(text: str) -> CutText:
    """Cut a text into words and number their sentences.

    Examples
    --------
    >>> cut("St. Ann is old. It's by A. Berg.").sentences
    (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1)
    """
    document = read(text)
    tokens = document.tokens
    return CutText(tokens.texts, tokens.starts, tokens.ends, document.sentence_numbers)


@dataclass(frozen=True, slots=True)
class Annotated:
    """A mention of a text: its span in code points, and which entity it refers to."""

    start: int
    end: int
    entity: str


@dataclass(frozen=True, slots=True)
class CorefDocument:
    """A text cut into words, with its mentions as (first word, word after the last, head) by entity."""

    id: str
    words: CutText
    entities: tuple[tuple[tuple[int, int, int], ...], ...]

    @property
    def chains(self) -> int:
        """The number of entities that are mentioned more than once."""
        return sum(len(mentions) > 1 for mentions in self.entities)

    def as_dict(self) -> dict[str, Any]:
        """Return the object of Stanza's training files."""
        size = len(self.words)
        chains = [mentions for mentions in self.entities if len(mentions) > 1]
        return {
            # The first two letters name a genre; the models know "wb", text of the web.
            "document_id": f"wb_{self.id}",
            "cased_words": list(self.words.texts),
            "sent_id": list(self.words.sentences),
            "speaker": ["_"] * size,
            "part_id": 0,
            # Stanza's reader needs the next three; its model ignores them.
            "deprel": ["_"] * size,
            "head": [None] * size,
            "pos": ["_"] * size,
            "lang": "en",
            "span_clusters": [[[first, last] for first, last, _ in chain] for chain in chains],
            "word_clusters": [[head for _, _, head in chain] for chain in chains],
            "head2span": sorted([head, first, last] for some in self.entities for first, last, head in some),
        }


def coref_document(id_: str, text: str, mentions: Sequence[Annotated]) -> CorefDocument:
    """Split an annotated text into words.

    A mention takes every word that it touches, and no sentence ends within one. Of mentions with the same
    head only the first is kept.

    Examples
    --------
    >>> text = "Ada Hall is by Bo Berg. He is old."
    >>> spans = [Annotated(0, 8, "Ada_Hall"), Annotated(15, 22, "Bo_Berg"), Annotated(24, 26, "Bo_Berg")]
    >>> document = coref_document("1", text, spans)
    >>> document.entities, document.chains
    ((((0, 2, 1),), ((4, 6, 5), (7, 8, 7))), 1)
    """
    words = cut(text)
    entities: dict[str, list[tuple[int, int, int]]] = {}
    heads = set()
    sentences = list(words.sentences)
    for mention in sorted(mentions, key=lambda one: (one.start, -one.end)):
        first = bisect_right(words.ends, mention.start)
        last = bisect_left(words.starts, mention.end)
        if first >= last:
            continue
        head = _head(words.texts, first, last)
        if head in heads:
            continue
        heads.add(head)
        entities.setdefault(mention.entity, []).append((first, last, head))
        _join(sentences, first, last)
    joined = replace(words, sentences=tuple(sentences))
    return CorefDocument(id_, joined, tuple(map(tuple, entities.values())))


def _head(words: Sequence[str], first: int, last: int) -> int:
    end = next((at for at in range(first + 1, last) if words[at].lower() in _AFTER_HEAD), last)
    named = [at for at in range(first, end) if words[at][0].isalnum()]
    # "Ada's" is about Ada: the clitic is a word of its own after the apostrophe.
    if len(named) > 1 and words[named[-1]] == "s" and not words[named[-1] - 1][0].isalnum():
        named.pop()
    return named[-1] if named else first


def _join(sentences: list[int], first: int, last: int) -> None:
    """Make the words of a mention one sentence, and renumber those after it."""
    surplus = sentences[last - 1] - sentences[first]
    if surplus:
        own = sentences[first]
        for at in range(first, len(sentences)):
            sentences[at] = max(own, sentences[at] - surplus)
