"""Does a detector notice that an entity is gone? Judged on counterfactual texts.

Sensitivity is the share of texts in which the removed entity is undetected, specificity the share of counted
other entities that are detected. Stability is the same as specificity among those that were detected before
the text was changed: what is missing there was lost through the change. Claimed is the share of inserted
spans that a detected mention overlaps: there the detector takes a hallucination for an entity of the input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from esascore.gold.counterfactual.make import Counterfactual
from esascore.gold.counterfactual.removal import REMOVERS
from esascore.gold.intervals import difference, intervals, positions_by, resampled, with_settings
from esascore.gold.mentions.benchmark import Detect
from esascore.gold.mentions.forms import literal_kind
from esascore.gold.mentions.locate import overlap
from esascore.metrics.base import plain, ratio
from esascore.model import Detection
from esascore.stats.resampling import RESAMPLES

Fields = dict[str, Any]

FIGURES = ("sensitivity", "specificity", "stability", "claimed")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a detector on a counterfactual text.

    ``noticed`` says whether the removed entity is undetected. ``lost`` are the counted entities that are
    undetected, ``before`` those that were detected before the change; ``claimed`` is how many inserted spans
    a detected mention overlaps.
    """

    counterfactual: Counterfactual
    detection: Detection
    noticed: bool
    lost: tuple[str, ...]
    before: tuple[str, ...]
    claimed: int


def judge(counterfactuals: Sequence[Counterfactual], detect: Detect) -> list[Verdict]:
    """Run a detector on counterfactual texts and on the texts that they were made from."""
    sources = {one.source.id: one.source for one in counterfactuals}
    items = [*(one.item for one in counterfactuals), *(source.item for source in sources.values())]
    found = list(detect(items))
    originals = dict(zip(sources, found[len(counterfactuals) :], strict=True))
    verdicts = []
    for one, detection in zip(counterfactuals, found[: len(counterfactuals)], strict=True):
        undetected, before = detection.undetected, originals[one.source.id].undetected
        spans = [(mention.start, mention.end) for mention in detection.mentions]
        verdict = Verdict(
            one,
            detection,
            noticed=one.entity in undetected,
            lost=tuple(entity for entity in one.counted if entity in undetected),
            before=tuple(entity for entity in one.counted if entity not in before),
            claimed=sum(any(overlap(span, (new.start, new.end)) for span in spans) for new in one.inserted),
        )
        verdicts.append(verdict)
    return verdicts


def summarise_verdicts(verdicts: Sequence[Verdict], *, resamples: int = RESAMPLES, seed: int = 0) -> Fields:
    """Summarise verdicts.

    Returns
    -------
    dict
        ``texts``, the figures in `FIGURES` (None if undefined), their confidence intervals under ``ci``
        (unless ``resamples`` is 0), and the same figures under ``by_kind``, ``by_type`` (of the removed
        entity: date, number, list or name), ``by_category`` and ``by_certainty``.
    """
    rows = _rows(verdicts)
    fields = _summed(rows)
    if resamples and verdicts:
        clusters = [verdict.counterfactual.source.cluster for verdict in verdicts]
        drawn = _figures(resampled(rows, clusters, resamples=resamples, seed=seed))
        fields["ci"] = with_settings(intervals(drawn), resamples, seed)
    for name, part in _BREAKDOWNS.items():
        positions = positions_by(part(verdict.counterfactual) for verdict in verdicts)
        names = [kind for kind in REMOVERS if kind in positions] if name == "kind" else sorted(positions)
        fields[f"by_{name}"] = {label: _summed(rows[positions[label]]) for label in names}
    return fields


def failures(verdicts: Sequence[Verdict]) -> Iterator[Fields]:
    """Every removed entity that is still detected and every counted one that was lost, as plain data."""
    for verdict in verdicts:
        one = verdict.counterfactual
        wrong = [] if verdict.noticed else [("still-detected", one.entity)]
        wrong += [("lost" if lost in verdict.before else "never-detected", lost) for lost in verdict.lost]
        for error, entity in wrong:
            mentions = [
                {name: getattr(mention, name) for name in ("start", "end", "text", "method", "distance")}
                for mention in verdict.detection.mentions
                if mention.entity == entity and error == "still-detected"
            ]
            about = {"id": one.id, "kind": one.kind, "error": error, "entity": entity}
            yield {**about, "mentions": mentions, "text": one.text}


def difference_of(first: Fields, second: Fields) -> dict[str, float | None]:
    """Return the figures of the second summary minus those of the first; None if one is undefined."""
    return {name: difference(first[name], second[name]) for name in FIGURES}


def changed_verdicts(first: Sequence[Verdict], second: Sequence[Verdict]) -> list[Fields]:
    """Return the texts that two detectors judge differently, as plain data."""
    return [
        {
            **{name: getattr(before.counterfactual, name) for name in ("id", "kind", "text", "entity")},
            "before": {"noticed": before.noticed, "lost": list(before.lost)},
            "after": {"noticed": after.noticed, "lost": list(after.lost)},
        }
        for before, after in zip(first, second, strict=True)
        if (before.noticed, before.lost) != (after.noticed, after.lost)
    ]


_BREAKDOWNS: Mapping[str, Callable[[Counterfactual], str]] = {
    "kind": lambda one: one.kind,
    "type": lambda one: literal_kind(one.entity) or "name",
    "category": lambda one: one.source.example.category or "",
    "certainty": lambda one: "certain" if one.certain else "uncertain",
}


def _summed(rows: NDArray[np.int64]) -> Fields:
    return {"texts": len(rows), **plain(_figures(rows.sum(axis=0)))}


def _rows(verdicts: Sequence[Verdict]) -> NDArray[np.int64]:
    """Return per text and figure how many there are and how many of them hold, (n, figures, 2)."""
    rows = []
    for verdict in verdicts:
        counted, inserted = len(verdict.counterfactual.counted), len(verdict.counterfactual.inserted)
        stable = sum(entity not in verdict.lost for entity in verdict.before)
        pairs = [(counted, counted - len(verdict.lost)), (len(verdict.before), stable)]
        rows.append([(1, verdict.noticed), *pairs, (inserted, verdict.claimed)])
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(FIGURES), 2)


def _figures(sums: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
    """Figures of many sums of rows at once, NaN where undefined."""
    values = ratio(sums[..., 1], sums[..., 0])
    return {name: values[..., n] for n, name in enumerate(FIGURES)}
