"""Metrics by name. ``Metric``, ``Score`` and ``Signature`` are in :mod:`esascore.metrics.base`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from esascore.errors import UsageError
from esascore.metrics.family import parent_metrics

if TYPE_CHECKING:
    from esascore.metrics.base import Detector, Metric

    Factory = Callable[[Detector], Metric[Any]]

__all__ = ["ENTRY_POINTS", "METRICS", "create_metrics", "metric_names"]

ENTRY_POINTS = "esascore.metrics"
"""Entry-point group in which other packages offer metrics: a name and a factory that takes a pipeline."""


def _esa(detector: Detector) -> Metric[Any]:
    from esascore.metrics.esa import ESA

    return ESA.from_detector(detector)


def _faithfulness(detector: Detector) -> Metric[Any]:
    from esascore.metrics.faithfulness import Faithfulness

    return Faithfulness.from_detector(detector)


def _faithfulness_ref(detector: Detector) -> Metric[Any]:
    from esascore.metrics.faithfulness import FaithfulnessRef

    return FaithfulnessRef.from_detector(detector)


def _hallucination(detector: Detector) -> Metric[Any]:
    from esascore.metrics.hallucination import Hallucinations

    return Hallucinations.from_detector(detector)


METRICS: Mapping[str, Factory] = MappingProxyType(
    {
        "esa": _esa,
        "hallucination": _hallucination,
        "faithfulness": _faithfulness,
        "faithfulness-ref": _faithfulness_ref,
        **parent_metrics(),
    }
)
"""Name -> factory of every metric of this package; a factory takes the pipeline that detects entities."""


def metric_names() -> list[str]:
    """Names that ``--metrics`` takes: ours, then those that other installed packages offer.

    Examples
    --------
    >>> metric_names()[0]
    'esa'
    """
    return [*METRICS, *sorted(set(_offered()) - set(METRICS))]


def create_metrics(
    names: Sequence[str], detector: Detector, *, factories: Mapping[str, Factory] | None = None
) -> list[Metric[Any]]:
    """Make metrics by name.

    Parameters
    ----------
    names
        The metrics, as ``--metrics`` takes them.
    detector
        The pipeline that detects entities.
    factories
        Factories that take the place of those in `METRICS`, with settings of one's own.

    Raises
    ------
    UsageError
        For a name that is not known, given twice, or an empty list.

    Examples
    --------
    >>> create_metrics(["bleurgh"], detector=None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    esascore.errors.UsageError: there is no metric 'bleurgh'; known: esa, ...
    """
    if not names:
        raise UsageError(f"no metric given; known: {', '.join(metric_names())}")
    known = {**METRICS, **(factories or {})}
    chosen: list[Factory] = []
    for position, name in enumerate(names):
        if name in names[:position]:
            raise UsageError(f"metric {name!r} is given twice")
        factory = known.get(name) or _offered().get(name, lambda: None)()
        if factory is None:
            raise UsageError(f"there is no metric {name!r}; known: {', '.join(metric_names())}")
        chosen.append(factory)
    return [factory(detector) for factory in chosen]


def _offered() -> dict[str, Callable[[], Factory]]:
    from importlib.metadata import entry_points

    return {point.name: point.load for point in entry_points(group=ENTRY_POINTS)}
