"""Learns from annotated data which words around a name belong to its mentions, beyond what the rules say.

Only exceptions to the rules are kept, with counts, for a person to review. A context with a capital letter
or a digit is never learned: it may hold the name of a neighbour, which would then be explained away wherever
it is made up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from esascore.detectors.boundaries import ANY, LONGEST_CONTEXT
from esascore.gold.mentions.benchmark import AnnotatedText
from esascore.gold.mentions.locate import Span, locate
from esascore.gold.mining.forms import Mined
from esascore.lexicon import label
from esascore.model import Mention
from esascore.pipeline import Pipeline
from esascore.text.document import Document

_BATCH = 2048
_SENTENCE_WORDS = frozenset({"The", "A", "An", "This"})


@dataclass(frozen=True, slots=True)
class _Tally:
    """How often a context was there, how often people took it in, and how often the rules did as people."""

    there: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    taken: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    by_rule: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    rule_takes: Counter[tuple[str, str, str]] = field(default_factory=Counter)


def mine_contexts(
    texts: Sequence[AnnotatedText],
    pipeline: Pipeline,
    *,
    min_count: int = 3,
    min_entities: int = 3,
    min_precision: float = 0.6,
) -> list[Mined]:
    """Learn contexts that belong to mentions, and contexts that the rules take in wrongly.

    Parameters
    ----------
    texts
        What to learn from.
    pipeline
        Finds the names; its boundary rules are what exceptions are learned to.
    min_count
        A context must have been seen that often with an entity; of any entity twice that often.
    min_entities
        A context of any entity must have been seen with so many.
    min_precision
        The least share of cases in which people did what is learned.
    """
    tally = _Tally()
    entities: dict[tuple[str, str, str], set[str]] = {}
    for start in range(0, len(texts), _BATCH):
        _count(texts[start : start + _BATCH], pipeline, tally, entities)
    found = []
    for key, there in sorted(tally.there.items()):
        entity, side, context = key
        least = 2 * min_count if entity == ANY else min_count
        if there < least or (entity == ANY and len(entities[key]) < min_entities):
            continue
        taken, right = tally.taken[key], tally.by_rule[key]
        if taken >= min_precision * there and taken > right:
            found.append(Mined(side, entity, context, 0.0, taken, there))
        elif tally.rule_takes[key] >= least:
            refused = there - taken
            if refused >= min_precision * there and refused > right:
                found.append(Mined(f"not-{side}", entity, context, 0.0, refused, there))
    return found


def _count(
    texts: Sequence[AnnotatedText],
    pipeline: Pipeline,
    tally: _Tally,
    entities: dict[tuple[str, str, str], set[str]],
) -> None:
    documents = [text.document for text in texts]
    for text, document, cores in zip(texts, documents, pipeline.cores(documents), strict=True):
        spans = locate(text.reference)
        gold = [
            (mention.entity, span)
            for mention, span in zip(text.reference.mentions, spans, strict=True)
            if span is not None
        ]
        final = pipeline.boundaries.extend(document, cores) if pipeline.boundaries else cores
        for position, (core, extended) in enumerate(zip(cores, final, strict=True)):
            span = next(
                (s for e, s in gold if e == core.entity and s[0] <= core.start and core.end <= s[1]), None
            )
            if span is None:
                continue
            limits = (
                cores[position - 1].end if position else 0,
                cores[position + 1].start if position + 1 < len(cores) else len(document.text),
            )
            for side, context, people, rule in _contexts(document, core, extended, span, limits):
                for entity in (label(core.entity), ANY):
                    key = (entity, side, context)
                    tally.there[key] += 1
                    tally.taken[key] += people == context
                    tally.by_rule[key] += people == rule
                    tally.rule_takes[key] += rule == context
                    if entity == ANY:
                        entities.setdefault(key, set()).add(core.entity)


def _contexts(
    document: Document, core: Mention, extended: Mention, gold: Span, limits: Span
) -> Iterator[tuple[str, str, str, str]]:
    """Yield side, context, and what people and the rules took in on that side, as strings of words."""
    words = document.tokens
    left = [n for n in range(len(words)) if limits[0] <= words.starts[n] and words.ends[n] <= core.start]
    right = [n for n in range(len(words)) if core.end <= words.starts[n] and words.ends[n] <= limits[1]]
    for side, free in (("before", left[-LONGEST_CONTEXT:]), ("after", right[:LONGEST_CONTEXT])):
        people = _joined(
            words.texts, [n for n in free if gold[0] <= words.starts[n] and words.ends[n] <= gold[1]]
        )
        rule = _joined(
            words.texts,
            [n for n in free if extended.start <= words.starts[n] and words.ends[n] <= extended.end],
        )
        for length in range(1, len(free) + 1):
            tokens = free[-length:] if side == "before" else free[:length]
            if all(_is_common(words.texts[n]) for n in tokens):
                yield side, _joined(words.texts, tokens), people, rule


def _joined(texts: Sequence[str], tokens: Sequence[int]) -> str:
    return " ".join(texts[n].lower() for n in tokens)


def _is_common(word: str) -> bool:
    """Whether a word can be no name: in lower case, or an article that begins a sentence."""
    return word in _SENTENCE_WORDS or not any(c.isupper() or c.isdigit() for c in word)
