"""Coreference by a model: a pronoun refers to the entity whose name shares its chain.

A model groups the spans of a text that refer to the same thing; it knows nothing about the input. The named
mentions among its spans connect a chain to an entity. Only links from a pronoun to a name are used: chains
that mix two entities are so common that links from name to name would do harm.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from esascore.cache import AnswerCache
from esascore.coref.base import Pronoun, Question
from esascore.model import Mention, Span

_RULES = "chains.v1"
# The most work that is lost if the model fails or is interrupted.
_PORTION = 256

# What follows the head of a noun phrase: "the mayor of Oslo", "Bo Berg, who lives there", "a hall by Bo".
_AFTER_HEAD = re.compile(
    r"[,;:()\[\]–—-]|of|in|at|on|by|from|for|with|to|as|near|under|over|between|after|before|about|during|into"
    r"|than|via|who|whom|whose|which|that|where|when|located|situated|based|born|known|named|called|written|led"
)
_COORDINATION = frozenset({"and", "or", "&"})
# "The city of Oslo" is Oslo, while "the mayor of Oslo" is somebody else.
_NAMED_BY_OF = re.compile(
    "city|town|village|municipality|county|district|province|state|country|region|island|kingdom|republic"
)
_WORD = re.compile(r"[^\s,;:()\[\]\"“”]+|[,;:()\[\]]")
_TAIL = re.compile(r"(?:['’]s?|[.!?])+$")
_PRONOUN = re.compile(
    r"(?<!\w)(?:he|him|his|she|hers?|it|its|they|them|theirs?|(?:him|her|it)self|themselves)$", re.IGNORECASE
)
_NAME = re.compile(r"[^\W\d_]+")


Chain = tuple[Span, ...]
"""Spans that refer to the same thing, in text order."""


class ChainModel(Protocol):
    """Finds the coreference chains of texts."""

    def chains(self, texts: Sequence[str]) -> list[tuple[Chain, ...]]:
        """Return the chains of each text; what a text gets does not depend on the others."""

    def version(self) -> str:
        """Return what identifies the answers, beginning with the model's name (``stanza...``)."""


@dataclass(frozen=True, slots=True)
class ChainResolver:
    """Places pronouns by the chains of a model.

    Where a chain names several entities, the one with the most mentions in it is chosen, then the nearest
    before the pronoun, then the nearest after it.

    Parameters
    ----------
    model
        The model that finds the chains. Each distinct text is sent once.
    cache
        Where chains are kept between runs.

    Examples
    --------
    >>> class Model:
    ...     def chains(self, texts):
    ...         return [(((0, 3), (25, 27)),) for _ in texts]
    ...     def version(self):
    ...         return "example.v1"
    >>> from esascore.model import Graph
    >>> graph, text = Graph.from_triples([("Ada", "mayor", "Bo")]), "Ada is a town; mayor Bo. It is old."
    >>> named = [Mention("Ada", 0, 3, "Ada", "string"), Mention("Bo", 21, 23, "Bo", "string")]
    >>> ChainResolver(Model()).resolve([(graph, text, named, [Pronoun("It", 25, 27)])])
    [['Ada']]
    """

    model: ChainModel
    cache: AnswerCache | None = None

    def resolve(self, questions: Sequence[Question]) -> list[list[str | None]]:
        """Return one entity for each pronoun; None if the chains do not say."""
        chains = self._chains(dict.fromkeys(text for _, text, _, pronouns in questions if pronouns))
        return [
            [linked_entity(pronoun, text, named, chains[text]) for pronoun in pronouns]
            for _, text, named, pronouns in questions
        ]

    def version(self) -> str:
        """Return the version of the model, and that of the rules that read its chains."""
        return f"{self.model.version()}+{_RULES}"

    def _chains(self, texts: Iterable[str]) -> dict[str, tuple[Chain, ...]]:
        wanted = list(texts)
        if not wanted:
            return {}
        if self.cache is None:
            return dict(zip(wanted, self.model.chains(wanted), strict=True))
        version = self.model.version()
        kind = name.group() if (name := _NAME.match(version)) else "coref"
        kept = self.cache.known(kind, version, wanted)
        read = {text: _read(written, len(text)) for text, written in kept.items()}
        known = {text: chains for text, chains in read.items() if chains is not None}
        missing = [text for text in wanted if text not in known]
        for start in range(0, len(missing), _PORTION):
            portion = missing[start : start + _PORTION]
            new = dict(zip(portion, self.model.chains(portion), strict=True))
            written = {text: json.dumps(chains, separators=(",", ":")) for text, chains in new.items()}
            self.cache.keep(kind, version, written)
            known |= new
        return known


def linked_entity(
    pronoun: Pronoun, text: str, named: Sequence[Mention], chains: Sequence[Chain]
) -> str | None:
    """Return the entity that is named in the pronoun's chain, or None if there is none.

    Examples
    --------
    >>> named = [Mention("Bo_Berg", 0, 7, "Bo Berg", "string")]
    >>> linked_entity(Pronoun("He", 9, 11), "Bo Berg. He won.", named, [((0, 7), (9, 11))])
    'Bo_Berg'
    """
    chain = _chain_of(pronoun, text, chains)
    spans = [span for span in chain if not _is_pronoun(span, text)]
    matched = {at for span in spans if (at := _named_by(span, text, named)) is not None}
    mentions = [named[at] for at in sorted(matched)]
    if not mentions:
        return None
    count = Counter(mention.entity for mention in mentions)
    most = max(count.values())
    return min(
        (mention for mention in mentions if count[mention.entity] == most),
        key=lambda mention: _farness(mention, pronoun),
    ).entity


def _chain_of(pronoun: Pronoun, text: str, chains: Sequence[Chain]) -> Chain:
    """Return the chain that holds the pronoun; of several the one whose span is nearest to it."""
    best: Chain = ()
    closeness = 0.0
    for chain in chains:
        for span in chain:
            share = _share(span, pronoun)
            if share <= closeness:
                continue
            # A tokenizer may split "it's" differently, but "its capital" is a different mention from "its".
            alone = not any(map(str.isspace, text[slice(*span)]))
            if alone or (span[1] == pronoun.end and _is_pronoun(span, text)):
                best, closeness = chain, share
    return best


def _is_pronoun(span: Span, text: str) -> bool:
    """Return whether the last word is a pronoun: then models mean it alone ("in 1955, he")."""
    return _PRONOUN.search(text[slice(*span)]) is not None


def _named_by(span: Span, text: str, named: Sequence[Mention]) -> int | None:
    """Return the index of the named mention that the span corresponds to."""
    shares = [_share(span, mention) for mention in named]
    if 1.0 in shares:
        return shares.index(1.0)
    head = _head(span, text, named)
    if head is None:
        return None
    fitting = [at for at, share in enumerate(shares) if share and _common(head, named[at])]
    return max(fitting, key=lambda at: shares[at], default=None)


def _head(span: Span, text: str, named: Sequence[Mention]) -> Span | None:
    """Return the head word of a noun phrase; a list of several phrases has none."""
    head: Span | None = None
    named_by_of = False
    for found in _WORD.finditer(text, *span):
        word = found.group().lower()
        if head is not None and word in _COORDINATION:
            inside = any(mention.start < found.start() and found.end() < mention.end for mention in named)
            return head if inside else None
        if word == "of" and named_by_of:
            named_by_of = False
        elif _AFTER_HEAD.fullmatch(word):
            if head is not None:
                break
        else:
            tail = _TAIL.search(found.group())
            end = found.end() if tail is None else found.start() + tail.start()
            if end > found.start():
                head = found.start(), end
            named_by_of = _NAMED_BY_OF.fullmatch(word) is not None
    return head


def _common(one: Span, other: Mention | Pronoun) -> int:
    return max(0, min(one[1], other.end) - max(one[0], other.start))


def _share(one: Span, other: Mention | Pronoun) -> float:
    """Return the overlap of two spans as a share of both; 0 if it is less than half of the shorter."""
    common = _common(one, other)
    lengths = one[1] - one[0], other.end - other.start
    if not common or 2 * common < min(lengths):
        return 0.0
    return common / (sum(lengths) - common)


def _farness(mention: Mention, pronoun: Pronoun) -> tuple[bool, int]:
    after = mention.start >= pronoun.start
    return after, mention.start - pronoun.end if after else pronoun.start - mention.end


def _read(written: str, length: int) -> tuple[Chain, ...] | None:
    """Return kept chains, or None if they cannot be those of a text of this length."""
    try:
        chains = tuple(tuple((start, end) for start, end in chain) for chain in json.loads(written))
        fits = all(0 <= start < end <= length for chain in chains for start, end in chain)
    except (ValueError, TypeError):
        return None
    return chains if fits else None
