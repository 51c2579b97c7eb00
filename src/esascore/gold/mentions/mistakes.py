"""Every mention that was missed or wrongly detected, with its surroundings and a guess of the cause.

Causes of a miss, the first that applies:

``not-in-text``
    The annotated string could not be located in the text.
``no-entity``
    The annotation names an entity that the input does not have.
``boundary``
    A mention of the same entity was detected here, but it begins or ends elsewhere.
``same-label``
    What was detected here is an entity whose label differs in nothing but quotes or case.
``other-entity``
    What was detected here is another entity.
``pronoun``, ``demonstrative``
    The annotation is one, and nothing was detected here.
``date``, ``number``, ``list``
    The entity is a literal of that kind.
``description``, ``name``
    Anything else, by its form.

Causes of a wrongly detected mention: ``boundary``, ``same-label`` and ``other-entity`` likewise, where an
annotation overlaps; ``not-located``, where the same entity has an annotation that could not be located;
``unannotated``, where the string is the entity's label or an annotated mention of it, so that the
annotation is probably incomplete; then the kind of the literal, or the form of the mention.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from esascore.gold.mentions.benchmark import Matched
from esascore.gold.mentions.forms import kind_of, label_of, literal_kind
from esascore.gold.mentions.locate import Span, locate
from esascore.gold.mentions.strings import comparable

_CONTEXT = 50


@dataclass(frozen=True, slots=True)
class Mistake:
    """A missed or wrongly detected mention.

    ``start`` and ``end`` are None where an annotated string could not be located. ``near`` says whether
    the mention counts as right in the approximate comparison. ``counterpart`` is what the other side has at
    this place, as (entity, string).
    """

    id: str
    error: Literal["miss", "spurious"]
    cause: str
    entity: str
    mention: str
    kind: str
    method: str | None
    start: int | None
    end: int | None
    near: bool
    counterpart: tuple[str, str] | None
    context: str

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        counterpart = self.counterpart
        return {
            "id": self.id,
            "error": self.error,
            "cause": self.cause,
            "entity": self.entity,
            "mention": self.mention,
            "kind": self.kind,
            "method": self.method,
            "start": self.start,
            "end": self.end,
            "near": self.near,
            "counterpart": counterpart and {"entity": counterpart[0], "mention": counterpart[1]},
            "context": self.context,
        }


def mistakes(
    matched: Sequence[Matched], spans: Sequence[Sequence[Span | None]] | None = None
) -> Iterator[Mistake]:
    """Yield the mistakes of each text: misses in the order of the annotations, then what is spurious.

    ``spans`` says for each text where its annotated mentions are, if that is known already.
    """
    places = (locate(one.text.reference) for one in matched) if spans is None else spans
    for one, own in zip(matched, places, strict=True):
        yield from _of_text(one, own)


def tally(found: Iterable[Mistake]) -> dict[str, dict[str, int]]:
    """How often each cause occurs among misses and among spurious mentions, most frequent first."""
    counts: dict[str, dict[str, int]] = {"miss": {}, "spurious": {}}
    for mistake in found:
        causes = counts[mistake.error]
        causes[mistake.cause] = causes.get(mistake.cause, 0) + 1
    return {
        error: dict(sorted(causes.items(), key=lambda item: (-item[1], item[0])))
        for error, causes in counts.items()
    }


@dataclass(frozen=True, slots=True)
class _Occurrence:
    entity: str
    text: str
    span: Span | None


def _of_text(one: Matched, spans: Sequence[Span | None]) -> Iterator[Mistake]:
    reference = one.text.reference
    gold = [_Occurrence(m.entity, m.text, span) for m, span in zip(reference.mentions, spans, strict=True)]
    found = [_Occurrence(m.entity, m.text, (m.start, m.end)) for m in one.detection.mentions]
    missed, spurious = _unpaired(gold, found)
    near_gold, near_found = set(one.approximate.values()), set(one.approximate)
    terms = {entity.term for entity in one.text.example.input.entities}
    for n in missed:
        span = spans[n]
        other = _overlapping(gold[n], found)
        kind = reference.mentions[n].kind or kind_of(gold[n].text)
        yield Mistake(
            one.text.id,
            "miss",
            _cause_of_miss(gold[n], other, kind, terms),
            gold[n].entity,
            gold[n].text,
            kind,
            None,
            None if span is None else span[0],
            None if span is None else span[1],
            n in near_gold,
            None if other is None else (other.entity, other.text),
            _context(reference.text, span),
        )
    for n in spurious:
        other = _overlapping(found[n], gold)
        kind = kind_of(found[n].text)
        mention = one.detection.mentions[n]
        yield Mistake(
            one.text.id,
            "spurious",
            _cause_of_spurious(found[n], other, kind, gold),
            mention.entity,
            mention.text,
            kind,
            mention.method,
            mention.start,
            mention.end,
            n in near_found,
            None if other is None else (other.entity, other.text),
            _context(reference.text, (mention.start, mention.end)),
        )


def _unpaired(gold: Sequence[_Occurrence], found: Sequence[_Occurrence]) -> tuple[list[int], list[int]]:
    """What is left on each side when equal mentions are paired, at the same place where possible.

    As many as in the exact comparison of the benchmark, which does not look at places.
    """
    alike: dict[tuple[str, str], tuple[list[int], list[int]]] = {}
    for side, occurrences in enumerate((gold, found)):
        for n, occurrence in enumerate(occurrences):
            key = (occurrence.entity, comparable(occurrence.text))
            alike.setdefault(key, ([], []))[side].append(n)
    left: tuple[list[int], list[int]] = ([], [])
    for ours, theirs in alike.values():
        for n in list(ours):
            here = next((m for m in theirs if _overlap(gold[n].span, found[m].span)), None)
            if here is not None:
                ours.remove(n)
                theirs.remove(here)
        pairs = min(len(ours), len(theirs))
        left[0].extend(ours[pairs:])
        left[1].extend(theirs[pairs:])
    return sorted(left[0]), sorted(left[1])


def _overlap(one: Span | None, other: Span | None) -> bool:
    return one is not None and other is not None and one[0] < other[1] and other[0] < one[1]


def _overlapping(one: _Occurrence, others: Iterable[_Occurrence]) -> _Occurrence | None:
    """What the other side has at this place, the same entity first."""
    here = [other for other in others if _overlap(one.span, other.span)]
    return next((other for other in here if other.entity == one.entity), here[0] if here else None)


def _cause_of_overlap(one: _Occurrence, other: _Occurrence) -> str:
    if one.entity == other.entity:
        return "boundary"
    same = label_of(one.entity).casefold() == label_of(other.entity).casefold()
    return "same-label" if same else "other-entity"


def _cause_of_miss(missed: _Occurrence, other: _Occurrence | None, kind: str, terms: set[str]) -> str:
    if missed.span is None:
        return "not-in-text"
    if missed.entity not in terms:
        return "no-entity"
    if other is not None:
        return _cause_of_overlap(missed, other)
    if kind in ("pronoun", "demonstrative"):
        return kind
    return literal_kind(missed.entity) or kind


def _cause_of_spurious(
    spurious: _Occurrence, other: _Occurrence | None, kind: str, gold: Sequence[_Occurrence]
) -> str:
    if other is not None:
        return _cause_of_overlap(spurious, other)
    own = [occurrence for occurrence in gold if occurrence.entity == spurious.entity]
    if any(occurrence.span is None for occurrence in own):
        return "not-located"
    string = comparable(spurious.text)
    if kind != "pronoun" and string in {
        comparable(label_of(spurious.entity)),
        *(comparable(o.text) for o in own),
    }:
        return "unannotated"
    return literal_kind(spurious.entity) or kind


def _context(text: str, span: Span | None) -> str:
    """The surroundings, the mention in double brackets; the whole text where there is no place."""
    if span is None:
        return text
    start, end = span
    before = text[max(0, start - _CONTEXT) : start]
    after = text[end : end + _CONTEXT]
    left = "…" if start > _CONTEXT else ""
    right = "…" if end + _CONTEXT < len(text) else ""
    return f"{left}{before}[[{text[start:end]}]]{after}{right}"
