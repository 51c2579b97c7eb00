"""The benchmark by parts: type of mention, method of detection, category, size, seen or unseen.

The texts fall into categories and sizes as a whole. Seen and unseen divide the entities, with all mentions
annotated or detected for them. A detected mention has a method, an annotated one has none: so methods have a
precision only. An annotated mention has a type; a detected one takes the type of the annotation that it
matches, or where it matches none the type that it looks like (`esascore.gold.mentions.forms`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

from esascore.gold.mentions.benchmark import AnnotatedText, Matched, figures_by_level, statistics
from esascore.gold.mentions.forms import MENTION_KINDS, kind_of
from esascore.model import Example

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Training:
    """What a training corpus has: its entities and categories."""

    entities: AbstractSet[str]
    categories: AbstractSet[str]

    @classmethod
    def of(cls, examples: Iterable[Example]) -> Training:
        """Collect them."""
        listed = list(examples)
        return cls(
            frozenset(entity.term for example in listed for entity in example.input.entities),
            frozenset(example.category for example in listed if example.category is not None),
        )


def break_down(matched: Sequence[Matched], training: Training | None = None) -> dict[str, dict[str, Fields]]:
    """Score parts: breakdown -> part -> figures as plain data; parts that are empty are left out.

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
        found["seen_category"] = _by_text(
            matched, rows, lambda text: "seen" if text.example.category in categories else "unseen"
        )
    return found


def _by_text(
    matched: Sequence[Matched], rows: NDArray[np.int64], part: Callable[[AnnotatedText], str | int]
) -> dict[str, Fields]:
    parts: dict[Any, list[int]] = {}
    for position, one in enumerate(matched):
        parts.setdefault(part(one.text), []).append(position)
    return {
        str(name): {"texts": len(places), **_fields(rows[places].sum(axis=0))}
        for name, places in sorted(parts.items())
    }


def _by_entity(matched: Sequence[Matched], seen: AbstractSet[str]) -> dict[str, Fields]:
    rows = {
        "seen": statistics(matched, lambda entity: entity in seen),
        "unseen": statistics(matched, lambda entity: entity not in seen),
    }
    sums = {name: some.sum(axis=0) for name, some in rows.items()}
    return {name: _fields(some) for name, some in sums.items() if some[0, :2].any()}


def _by_type(matched: Sequence[Matched]) -> dict[str, Fields]:
    import numpy as np

    sums: defaultdict[str, NDArray[np.int64]] = defaultdict(lambda: np.zeros((2, 3), np.int64))
    for one in matched:
        gold = one.text.reference.mentions
        for annotated in gold:
            sums[annotated.kind][:, 0] += 1
        for level, pairs in enumerate((one.exact, one.approximate)):
            for position, mention in enumerate(one.detection.mentions):
                is_right = position in pairs
                kind = gold[pairs[position]].kind if is_right else kind_of(mention.text)
                sums[kind][level, 1:] += 1, is_right
    others = sorted(set(sums) - set(MENTION_KINDS))
    return {kind: _fields(sums[kind]) for kind in (*MENTION_KINDS, *others) if kind in sums}


def _by_method(matched: Sequence[Matched]) -> dict[str, Fields]:
    import numpy as np

    sums: defaultdict[str, NDArray[np.float64]] = defaultdict(lambda: np.array([[np.nan, 0, 0]] * 2))
    for one in matched:
        for position, mention in enumerate(one.detection.mentions):
            right = [position in pairs for pairs in (one.exact, one.approximate)]
            sums[mention.method][:, 1:] += [(1, is_right) for is_right in right]
    return {method: _fields(sums[method]) for method in sorted(sums)}


def _fields(sums: NDArray[Any]) -> Fields:
    """Numbers of mentions, but for what has no meaning, then precision, recall and F1 at each level."""
    sizes = zip(("gold", "found"), sums[0].tolist(), strict=False)
    return {**{name: int(size) for name, size in sizes if not isnan(size)}, **figures_by_level(sums)}
