"""The figures of a benchmark as plain data, for one detector or for two side by side, whole and by parts.

The texts fall into categories and sizes as a whole. Seen and unseen divide the entities, with all mentions
annotated or detected for them. A detected mention has a method, an annotated one has none: so methods have a
precision only. An annotated mention has a type; a detected one takes the type of the annotation that it
matches, or where it matches none the type that it looks like (`esascore.gold.mentions.forms`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from esascore.gold.intervals import difference, figures, intervals, positions_by, resampled, with_settings
from esascore.gold.mentions.benchmark import LEVELS, AnnotatedText, Matched, figures_by_level, statistics
from esascore.gold.mentions.forms import MENTION_KINDS, kind_of, untokenised
from esascore.gold.mentions.mistakes import mistakes, tally
from esascore.model import Example
from esascore.stats.resampling import RESAMPLES

Fields = dict[str, Any]


def break_down(
    matched: Sequence[Matched], training: Sequence[Example] | None = None
) -> dict[str, dict[str, Fields]]:
    """Score parts: breakdown -> part -> figures as plain data; parts that are empty are left out.

    What the training data have of entities and categories is seen.

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
        seen = {entity.term for example in training for entity in example.input.entities}
        parts = {
            "seen": statistics(matched, lambda entity: entity in seen).sum(axis=0),
            "unseen": statistics(matched, lambda entity: entity not in seen).sum(axis=0),
        }
        found["seen_entity"] = {name: _fields(sums) for name, sums in parts.items() if sums[0, :2].any()}
        categories = {example.category for example in training} - {None}
        found["seen_category"] = _by_text(
            matched, rows, lambda text: "seen" if text.example.category in categories else "unseen"
        )
    return found


def _by_text(
    matched: Sequence[Matched], rows: NDArray[np.int64], part: Callable[[AnnotatedText], str | int]
) -> dict[str, Fields]:
    parts = positions_by([part(one.text) for one in matched])
    return {
        str(name): {"texts": len(places), **_fields(rows[places].sum(axis=0))}
        for name, places in sorted(parts.items())
    }


def _by_type(matched: Sequence[Matched]) -> dict[str, Fields]:
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


def summarise(
    matched: Sequence[Matched],
    *,
    training: Sequence[Example] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Fields:
    """Summarise a benchmark.

    Returns
    -------
    dict
        ``texts``, ``gold`` and ``found`` mentions, ``not_located`` annotations; precision, recall and F1
        under ``exact``, ``approximate`` and ``entity``; their confidence intervals under ``ci`` (unless
        ``resamples`` is 0); ``mistakes`` by cause; and ``by_type`` and the other breakdowns.
    """
    rows = statistics(matched)
    sums = rows.sum(axis=0)
    fields: Fields = {
        "texts": len(matched),
        "gold": int(sums[0, 0]),
        "found": int(sums[0, 1]),
        "not_located": sum(one.text.spans.count(None) for one in matched),
        **figures_by_level(sums),
    }
    if resamples and matched:
        drawn = figures(resampled(rows, _clusters(matched), resamples=resamples, seed=seed))
        found = {
            level: intervals({name: values[:, n] for name, values in drawn.items()})
            for n, level in enumerate(LEVELS)
        }
        fields["ci"] = with_settings(found, resamples, seed)
    fields["mistakes"] = tally(mistakes(matched))
    return fields | {f"by_{name}": parts for name, parts in break_down(matched, training).items()}


def differences(
    first: Sequence[Matched], second: Sequence[Matched], *, resamples: int = RESAMPLES, seed: int = 0
) -> Fields:
    """Return the second detector's figures minus the first's, with paired confidence intervals.

    Returns
    -------
    dict
        level -> figure -> ``{"value": ..., "ci": [low, high]}``; None if a value is undefined.
    """
    rows = [statistics(matched) for matched in (first, second)]
    values = [figures_by_level(one.sum(axis=0)) for one in rows]
    drawn = []
    if resamples and first:
        drawn = [figures(resampled(one, _clusters(first), resamples=resamples, seed=seed)) for one in rows]
    found: Fields = {}
    for n, level in enumerate(LEVELS):
        before, after = (one[level] for one in values)
        moved = {name: drawn[1][name][:, n] - drawn[0][name][:, n] for name in before} if drawn else {}
        ends = intervals(moved)
        found[level] = {
            name: {"value": difference(old, after[name]), "ci": ends.get(name)}
            for name, old in before.items()
        }
    return found


def changes(first: Sequence[Matched], second: Sequence[Matched]) -> list[Fields]:
    """Return the texts in which two detectors differ, in the order of the corpus.

    Returns
    -------
    list of dict
        ``id``, ``text``; the number of mentions that are exactly right with each, ``before`` and ``after``;
        mentions that only one of them found, ``lost`` and ``gained``, each with ``right``; and entities that
        only one of them counts as detected, ``lost_entities`` and ``gained_entities``.
    """
    listed = []
    for old, new in zip(first, second, strict=True):
        before, after = _found(old), _found(new)
        fields: Fields = {
            "id": old.text.id,
            "text": old.text.reference.text,
            "before": len(old.exact),
            "after": len(new.exact),
            "lost": [before[key] for key in before if key not in after],
            "gained": [after[key] for key in after if key not in before],
            "lost_entities": sorted(old.found_entities - new.found_entities),
            "gained_entities": sorted(new.found_entities - old.found_entities),
        }
        if any(fields[name] for name in ("lost", "gained", "lost_entities", "gained_entities")):
            listed.append(fields)
    return listed


def _found(matched: Matched) -> dict[tuple[str, int, int], Fields]:
    """Detected mentions; right are those whose string is annotated for the entity."""
    gold = {(annotated.entity, untokenised(annotated.text)) for annotated in matched.text.reference.mentions}
    return {
        (mention.entity, mention.start, mention.end): {
            **{name: getattr(mention, name) for name in ("entity", "start", "end", "text", "method")},
            "right": (mention.entity, untokenised(mention.text)) in gold,
        }
        for mention in matched.detection.mentions
    }


def _clusters(matched: Sequence[Matched]) -> list[int]:
    return [one.text.cluster for one in matched]
