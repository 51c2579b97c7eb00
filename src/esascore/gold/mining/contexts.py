"""Learns from annotated data which words around a name belong to its mentions, beyond what the rules say.

Only exceptions to the rules are kept, with counts, for a person to review. A context with a capital letter
or a digit is never learned: it may hold the name of a neighbour, which would then be explained away wherever
it is made up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from esascore.detectors.boundaries import ANY, LONGEST_CONTEXT
from esascore.gold.mentions.benchmark import AnnotatedText
from esascore.gold.mentions.locate import located
from esascore.gold.mining.forms import Mined
from esascore.lexicon import label
from esascore.model import Mention, Span
from esascore.pipeline import Pipeline
from esascore.text.document import Document

_BATCH = 2048
_LEAST_COUNT = _LEAST_ENTITIES = 3
_LEAST_PRECISION = 0.6
"""The least share of cases in which people did what is learned."""

_SENTENCE_WORDS = frozenset({"The", "A", "An", "This"})


_Key = tuple[str, str, str]
"""Entity, or `ANY`; side; context."""


@dataclass(slots=True)
class _Tally:
    """How often a context occurred, how often people included it, and how often the rules agreed."""

    there: int = 0
    taken: int = 0
    by_rule: int = 0
    rule_takes: int = 0
    entities: set[str] = field(default_factory=set)


def mine_contexts(texts: Sequence[AnnotatedText], pipeline: Pipeline) -> list[Mined]:
    """Learn contexts that belong to mentions, and contexts that the rules take in wrongly.

    The names are found by ``pipeline``, whose boundary rules are what exceptions are learned to. A context
    must have been seen often enough with an entity; one of any entity twice as often, and with several of
    them.
    """
    tallies: dict[_Key, _Tally] = defaultdict(_Tally)
    for start in range(0, len(texts), _BATCH):
        _count(texts[start : start + _BATCH], pipeline, tallies)
    found = []
    for (entity, side, context), tally in sorted(tallies.items()):
        least = 2 * _LEAST_COUNT if entity == ANY else _LEAST_COUNT
        if tally.there < least or (entity == ANY and len(tally.entities) < _LEAST_ENTITIES):
            continue
        enough = max(_LEAST_PRECISION * tally.there, tally.by_rule + 1)
        refused = tally.there - tally.taken
        if tally.taken >= enough:
            found.append(Mined(side, entity, context, 0.0, tally.taken, tally.there))
        elif tally.rule_takes >= least and refused >= enough:
            found.append(Mined(f"not-{side}", entity, context, 0.0, refused, tally.there))
    return found


def _count(texts: Sequence[AnnotatedText], pipeline: Pipeline, tallies: dict[_Key, _Tally]) -> None:
    documents = [Document(*text.item) for text in texts]
    found = pipeline.cores(documents, pipeline.links(documents))
    for text, document, cores in zip(texts, documents, found, strict=True):
        gold = [(mention.entity, span) for mention, span in located(text.reference)]
        final = pipeline.boundaries.extend(document, cores) if pipeline.boundaries else cores
        for position, (core, extended) in enumerate(zip(cores, final, strict=True)):
            own = [s for e, s in gold if e == core.entity and s[0] <= core.start and core.end <= s[1]]
            start = cores[position - 1].end if position else 0
            end = cores[position + 1].start if position + 1 < len(cores) else len(document.text)
            contexts = _contexts(document, core, extended, own[0], (start, end)) if own else ()
            for side, context, people, rule in contexts:
                for entity in (label(core.entity), ANY):
                    tally = tallies[entity, side, context]
                    tally.there += 1
                    tally.taken += people == context
                    tally.by_rule += people == rule
                    tally.rule_takes += rule == context
                    tally.entities.add(core.entity)


def _contexts(
    document: Document, core: Mention, extended: Mention, gold: Span, limits: Span
) -> Iterator[tuple[str, str, str, str]]:
    """Yield side, context, and what people and the rules took in on that side, as strings of words."""
    words = document.tokens

    def within(tokens: Iterable[int], start: int, end: int) -> list[int]:
        return [n for n in tokens if start <= words.starts[n] and words.ends[n] <= end]

    def joined(tokens: Iterable[int]) -> str:
        return " ".join(words.texts[n].lower() for n in tokens)

    every = range(len(words))
    left, right = within(every, limits[0], core.start), within(every, core.end, limits[1])
    for side, free in (("before", left[-LONGEST_CONTEXT:]), ("after", right[:LONGEST_CONTEXT])):
        people, rule = joined(within(free, *gold)), joined(within(free, extended.start, extended.end))
        for length in range(1, len(free) + 1):
            tokens = free[-length:] if side == "before" else free[:length]
            if all(_is_common(words.texts[n]) for n in tokens):
                yield side, joined(tokens), people, rule


def _is_common(word: str) -> bool:
    """Return whether a word cannot be a name: in lower case, or an article that begins a sentence."""
    return word in _SENTENCE_WORDS or not any(c.isupper() or c.isdigit() for c in word)
