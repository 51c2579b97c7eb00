"""Metrics by name. ``Metric``, ``Score`` and ``Signature`` are in :mod:`esascore.metrics.base`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from esascore import plugins
from esascore.data import Data
from esascore.errors import UsageError, did_you_mean
from esascore.metrics.parent_options import DEFAULTS, ParentOptions
from esascore.model import Input

if TYPE_CHECKING:
    from esascore.metrics.base import Detector, Metric

__all__ = ["METRICS", "create_metrics", "metric_names", "restored_metric", "usual_metrics"]

METRICS: Mapping[str, str] = {
    "esa": "esascore.metrics.esa:ESA",
    "hallucination": "esascore.metrics.hallucination:Hallucinations",
    "faithfulness": "esascore.metrics.faithfulness:Faithfulness",
    "faithfulness-ref": "esascore.metrics.faithfulness:FaithfulnessRef",
    "facts": "esascore.metrics.facts:Facts",
    "questeval": "esascore.metrics.questeval:QuestEval",
    "rg": "esascore.metrics.facts:RelationGeneration",
    "cs": "esascore.metrics.facts:ContentSelection",
    "co": "esascore.metrics.facts:ContentOrdering",
    "parent": "esascore.metrics.parent:Parent",
    "parent-c": "esascore.metrics.parent:ParentC",
    "parent-e": "esascore.metrics.parent:ParentE",
    "parent-t": "esascore.metrics.totto:ParentT",
    "pseudo-parent": "esascore.metrics.parent:PseudoParent",
    "bleu": "esascore.metrics.bleu:Bleu",
    "bleu-t": "esascore.metrics.bleu:BleuT",
}
"""Name of a metric of this package -> module and class, imported when first used."""

_METHODS = ("statistics", "summands", "figures", "total", "signature")


def metric_names() -> list[str]:
    """Names that ``--metrics`` takes: ours, then those that other installed packages offer.

    Examples
    --------
    >>> metric_names()[0]
    'esa'
    """
    return [*METRICS, *plugins.offered(plugins.METRICS, METRICS)]


def usual_metrics(first: Input) -> tuple[str, ...]:
    """Return the default metrics for a corpus, by its first input.

    Examples
    --------
    >>> usual_metrics(Input.from_data({"name": "Blue Inn"})), usual_metrics(Input())
    (('esa', 'hallucination'), ('esa',))
    """
    return ("esa", "hallucination") if isinstance(first.given, Data) else ("esa",)


def create_metrics(
    names: Sequence[str], detector: Detector, *, options: ParentOptions = DEFAULTS
) -> list[Metric[Any]]:
    """Make metrics by name.

    Parameters
    ----------
    names
        The metrics, as ``--metrics`` takes them.
    detector
        The pipeline that detects entities.
    options
        Settings of PARENT and its family.

    Raises
    ------
    UsageError
        For a name that is not known, given twice, or an empty list.

    Examples
    --------
    >>> [metric.name for metric in create_metrics(["parent", "pseudo-parent"], detector=None)]
    ['parent', 'pseudo-parent']
    >>> create_metrics(["bleurgh"], detector=None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    esascore.errors.UsageError: there is no metric 'bleurgh': did you mean 'bleu'?
    """
    if not names:
        raise UsageError(f"no metric given; known: {', '.join(metric_names())}")
    known = METRICS if set(names) <= set(METRICS) else metric_names()
    for position, name in enumerate(names):
        if name in names[:position]:
            raise UsageError(f"metric {name!r} is given twice")
        if name not in known:
            raise UsageError(f"there is no metric {name!r}{did_you_mean(name, known)}")
    return [
        _class_of(name).create(detector, options)
        if name in METRICS
        else plugins.load(plugins.METRICS, name, _METHODS)(detector)
        for name in names
    ]


def restored_metric(name: str, signature: str) -> Metric[Any]:
    """Make a metric that reads statistics computed elsewhere, and computes none.

    Parameters
    ----------
    name
        The metric, as ``--metrics`` takes it.
    signature
        The printed signature of the metric that computed them.

    Raises
    ------
    UsageError
        If there is no such metric here.

    Examples
    --------
    >>> print(restored_metric("esa", "esascore:0.1.0|profile:paper.v1").signature())
    esascore:0.1.0|profile:paper.v1
    """
    from esascore.metrics.base import Metric, Signature

    found: Any = None
    if name in METRICS:
        found = _class_of(name)
    elif name in plugins.offered(plugins.METRICS):
        found = plugins.load(plugins.METRICS, name)
    if not (isinstance(found, type) and issubclass(found, Metric)):
        raise UsageError(f"the metric {name!r} is not installed here{did_you_mean(name, METRICS)}")
    known = Signature.parse(signature)
    # Figures are functions of statistics alone, so no arguments of the constructor are needed.
    kind = type(found.__name__, (found,), {"signature": lambda _self: known})
    made: Any = object.__new__(kind)
    if name not in METRICS:
        made = plugins.Offered(made, f"the metric {name!r} of another package")
    whole: Metric[Any] = made
    return whole


def _class_of(name: str) -> type[Metric[Any]]:
    module, _, class_ = METRICS[name].partition(":")
    found: type[Metric[Any]] = getattr(import_module(module), class_)
    return found
