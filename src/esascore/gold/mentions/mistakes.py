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

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from esascore.gold.mentions.benchmark import Matched
from esascore.gold.mentions.forms import kind_of, label_of, literal_kind, untokenised
from esascore.gold.mentions.locate import overlap
from esascore.model import Span

_CONTEXT = 50


def mistakes(matched: Iterable[Matched]) -> Iterator[dict[str, Any]]:
    """Yield the mistakes of each text as plain data: misses in the order of the annotations, then the rest.

    ``start`` and ``end`` are None if an annotated string could not be located. ``near`` says whether
    the mention counts as right in the approximate comparison. ``counterpart`` is what the other side has at
    this place, ``entity`` and ``mention``.
    """
    for one in matched:
        gold = [
            _Occurrence(m.entity, m.text, span, m.kind or kind_of(m.text))
            for m, span in zip(one.text.reference.mentions, one.text.spans, strict=True)
        ]
        found = [
            _Occurrence(m.entity, m.text, (m.start, m.end), kind_of(m.text), m.method)
            for m in one.detection.mentions
        ]
        terms = {entity.term for entity in one.text.example.input.entities}
        missed, spurious = _unpaired(gold, found)
        near = set(one.approximate.values())
        for n in missed:
            other = _overlapping(gold[n], found)
            yield _mistake(one, "miss", _cause_of_miss(gold[n], other, terms), gold[n], other, n in near)
        for n in spurious:
            other = _overlapping(found[n], gold)
            cause = _cause_of_spurious(found[n], other, gold)
            yield _mistake(one, "spurious", cause, found[n], other, n in one.approximate)


def tally(found: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Return how often each cause occurs among misses and among spurious mentions, most frequent first."""
    counts: dict[str, Counter[str]] = {"miss": Counter(), "spurious": Counter()}
    for mistake in found:
        counts[mistake["error"]][mistake["cause"]] += 1
    return {error: dict(Counter(dict(sorted(some.items()))).most_common()) for error, some in counts.items()}


class _Occurrence(NamedTuple):
    entity: str
    text: str
    span: Span | None
    kind: str
    method: str | None = None


def _mistake(
    one: Matched, error: str, cause: str, own: _Occurrence, other: _Occurrence | None, near: bool
) -> dict[str, Any]:
    start, end = own.span or (None, None)
    return {
        "id": one.text.id,
        "error": error,
        "cause": cause,
        "entity": own.entity,
        "mention": own.text,
        "kind": own.kind,
        "method": own.method,
        "start": start,
        "end": end,
        "near": near,
        "counterpart": None if other is None else {"entity": other.entity, "mention": other.text},
        "context": _context(one.text.reference.text, own.span),
    }


def _unpaired(gold: Sequence[_Occurrence], found: Sequence[_Occurrence]) -> tuple[list[int], list[int]]:
    """Return what is left on each side when equal mentions are paired, at the same place where possible.

    As many as in the exact comparison of the benchmark, which does not look at places.
    """
    alike: defaultdict[tuple[str, str], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, occurrences in enumerate((gold, found)):
        for n, occurrence in enumerate(occurrences):
            alike[occurrence.entity, untokenised(occurrence.text)][side].append(n)
    left: tuple[list[int], list[int]] = ([], [])
    for ours, theirs in alike.values():
        for n in list(ours):
            here = next((m for m in theirs if _share_place(gold[n], found[m])), None)
            if here is not None:
                ours.remove(n)
                theirs.remove(here)
        pairs = min(len(ours), len(theirs))
        left[0].extend(ours[pairs:])
        left[1].extend(theirs[pairs:])
    return sorted(left[0]), sorted(left[1])


def _overlapping(one: _Occurrence, others: Iterable[_Occurrence]) -> _Occurrence | None:
    """Return what the other side has at this place, the same entity first."""
    here = [other for other in others if _share_place(one, other)]
    return next((other for other in here if other.entity == one.entity), here[0] if here else None)


def _share_place(one: _Occurrence, other: _Occurrence) -> bool:
    return one.span is not None and other.span is not None and overlap(one.span, other.span)


def _cause_of_overlap(one: _Occurrence, other: _Occurrence) -> str:
    if one.entity == other.entity:
        return "boundary"
    same = label_of(one.entity).casefold() == label_of(other.entity).casefold()
    return "same-label" if same else "other-entity"


def _cause_of_miss(missed: _Occurrence, other: _Occurrence | None, terms: set[str]) -> str:
    if missed.span is None:
        return "not-in-text"
    if missed.entity not in terms:
        return "no-entity"
    if other is not None:
        return _cause_of_overlap(missed, other)
    if missed.kind in ("pronoun", "demonstrative"):
        return missed.kind
    return literal_kind(missed.entity) or missed.kind


def _cause_of_spurious(spurious: _Occurrence, other: _Occurrence | None, gold: Sequence[_Occurrence]) -> str:
    if other is not None:
        return _cause_of_overlap(spurious, other)
    own = [occurrence for occurrence in gold if occurrence.entity == spurious.entity]
    if any(occurrence.span is None for occurrence in own):
        return "not-located"
    known = {untokenised(text) for text in (label_of(spurious.entity), *(one.text for one in own))}
    if spurious.kind != "pronoun" and untokenised(spurious.text) in known:
        return "unannotated"
    return literal_kind(spurious.entity) or spurious.kind


def _context(text: str, span: Span | None) -> str:
    """Return the surroundings, the mention in double brackets; the whole text if there is no place."""
    if span is None:
        return text
    first, last = max(0, span[0] - _CONTEXT), span[1] + _CONTEXT
    left, right = "…" if first else "", "…" if last < len(text) else ""
    return f"{left}{text[first : span[0]]}[[{text[slice(*span)]}]]{text[span[1] : last]}{right}"
