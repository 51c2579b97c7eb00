"""The benchmark by parts: type of mention, method of detection, category, size, seen or unseen.

The texts fall into categories and sizes as a whole. Seen and unseen divide the entities, with all mentions
annotated or detected for them. A detected mention has a method, an annotated one has none: so methods have a
precision only. An annotated mention has a type; a detected one takes the type of the annotation that it
matches, or where it matches none the type that it looks like (`esascore.gold.mentions.forms`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from esascore.gold.mentions.benchmark import AnnotatedText, Counts, Matched, statistics, totals
from esascore.gold.mentions.forms import MENTION_KINDS, kind_of
from esascore.model import Example

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Part:
    """The counts of one part at each level that it has, and its texts where it is made of whole texts."""

    counts: Mapping[str, Counts]
    texts: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Numbers of texts and mentions, then precision, recall and F1 at each level."""
        exact = self.counts["exact"]
        sizes = {"texts": self.texts, "gold": exact.gold, "found": exact.found}
        known = {name: number for name, number in sizes.items() if number is not None}
        return {**known, **{level: counts.as_dict() for level, counts in self.counts.items()}}


@dataclass(frozen=True, slots=True)
class Training:
    """What a training corpus has: its entities and categories."""

    entities: AbstractSet[str]
    categories: AbstractSet[str]

    @classmethod
    def of(cls, examples: Iterable[Example]) -> Training:
        """Collect them."""
        entities: set[str] = set()
        categories: set[str] = set()
        for example in examples:
            entities.update(entity.term for entity in example.input.entities)
            categories.update(() if example.category is None else (example.category,))
        return cls(frozenset(entities), frozenset(categories))


def break_down(matched: Sequence[Matched], training: Training | None = None) -> dict[str, dict[str, Part]]:
    """Score parts: breakdown -> part -> counts; parts that are empty are left out.

    Returns
    -------
    dict
        ``type``, ``method``, ``category`` and ``size``; with training data also ``seen_entity`` and
        ``seen_category``, each with the parts ``seen`` and ``unseen``.
    """
    rows = statistics(matched)
    found = {
        "type": _by_type(matched),
        "method": _by_method(matched),
        "category": _by_text(matched, rows, lambda text: text.example.category or ""),
        "size": _by_text(matched, rows, lambda text: text.example.size),
    }
    if training is not None:
        found["seen_entity"] = _by_entity(matched, training.entities)
        categories = training.categories
        names = ("unseen", "seen")
        found["seen_category"] = _by_text(
            matched, rows, lambda text: names[text.example.category in categories], order=("seen", "unseen")
        )
    return found


def _by_text(
    matched: Sequence[Matched],
    rows: NDArray[np.int64],
    part: Callable[[AnnotatedText], str | int],
    order: Sequence[str] = (),
) -> dict[str, Part]:
    parts: dict[Any, list[int]] = {}
    for position, one in enumerate(matched):
        parts.setdefault(part(one.text), []).append(position)
    names = [name for name in order if name in parts] if order else sorted(parts)
    return {str(name): Part(totals(rows[parts[name]]), len(parts[name])) for name in names}


def _by_entity(matched: Sequence[Matched], seen: AbstractSet[str]) -> dict[str, Part]:
    parts = {
        "seen": Part(totals(statistics(matched, lambda entity: entity in seen))),
        "unseen": Part(totals(statistics(matched, lambda entity: entity not in seen))),
    }
    sizes = {name: part.counts["exact"] for name, part in parts.items()}
    return {name: part for name, part in parts.items() if sizes[name].gold or sizes[name].found}


def _by_type(matched: Sequence[Matched]) -> dict[str, Part]:
    gold = Counter(annotated.kind for one in matched for annotated in one.text.reference.mentions)
    found: dict[str, Counter[str]] = {"exact": Counter(), "approximate": Counter()}
    right: dict[str, Counter[str]] = {"exact": Counter(), "approximate": Counter()}
    for one in matched:
        for level, pairs in (("exact", one.exact), ("approximate", one.approximate)):
            for position, mention in enumerate(one.detection.mentions):
                if position in pairs:
                    kind = one.text.reference.mentions[pairs[position]].kind
                    right[level][kind] += 1
                else:
                    kind = kind_of(mention.text)
                found[level][kind] += 1
    present = set(gold).union(*found.values())
    names = [kind for kind in MENTION_KINDS if kind in present] + sorted(present - set(MENTION_KINDS))
    return {
        kind: Part({level: Counts(gold[kind], found[level][kind], right[level][kind]) for level in found})
        for kind in names
    }


def _by_method(matched: Sequence[Matched]) -> dict[str, Part]:
    found, exact, approximate = Counter[str](), Counter[str](), Counter[str]()
    for one in matched:
        for position, mention in enumerate(one.detection.mentions):
            found[mention.method] += 1
            exact[mention.method] += position in one.exact
            approximate[mention.method] += position in one.approximate
    return {
        method: Part(
            {
                "exact": Counts(None, found[method], exact[method]),
                "approximate": Counts(None, found[method], approximate[method]),
            }
        )
        for method in sorted(found)
    }
