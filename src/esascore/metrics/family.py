"""The metrics of PARENT's family and BLEU by name, and the options that they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from esascore.errors import UsageError

if TYPE_CHECKING:
    from esascore.metrics.base import Detector, Metric

    Factory = Callable[[Detector], Metric[Any]]


@dataclass(frozen=True, slots=True)
class ParentOptions:
    """Settings that ``--metrics parent,...`` takes; None is each metric's own default.

    Attributes
    ----------
    lambda_weight
        A number between 0 and 1, or ``"heuristic"``.
    multi_ref, tokenizer
        As for `esascore.metrics.parent.Parent`; PARENT-T has a tokenisation of its own.
    attributes
        Whether attribute names entail words, for ``parent`` and ``parent-e``.
    cooccurrence
        File of counts, for ``parent-c``.
    recall_table
        ``"scripts"`` or ``"paper"``, for ``parent-t``.
    """

    lambda_weight: float | str | None = None
    multi_ref: str | None = None
    tokenizer: str | None = None
    attributes: bool = False
    cooccurrence: str | None = None
    recall_table: Literal["scripts", "paper"] = "scripts"


DEFAULTS = ParentOptions()


def parent_metrics(options: ParentOptions = DEFAULTS) -> Mapping[str, Factory]:
    """Name -> factory of every metric of the family; a factory takes the pipeline that detects entities.

    Examples
    --------
    >>> parent_metrics(ParentOptions(lambda_weight="heuristic"))["parent"](None).lambda_weight is None
    True
    """
    return {
        "parent": lambda _detector: _parent(options),
        "parent-c": lambda _detector: _parent_c(options),
        "parent-e": lambda detector: _parent_e(detector, options),
        "parent-t": lambda _detector: _parent_t(options),
        "pseudo-parent": lambda _detector: _pseudo_parent(options),
        "bleu": lambda _detector: _bleu(),
        "bleu-t": lambda _detector: _bleu_t(),
    }


def _parent(options: ParentOptions) -> Metric[Any]:
    from esascore.metrics.parent import Parent

    return Parent(**_given(options), attributes=options.attributes)


def _parent_c(options: ParentOptions) -> Metric[Any]:
    from esascore.metrics.parent import ParentC

    if options.cooccurrence is None:
        raise UsageError(
            "parent-c needs counts of training data: make them with "
            "esascore parent cooccurrence TRAIN -o FILE and give --cooccurrence FILE"
        )
    return ParentC(options.cooccurrence, **_given(options))


def _parent_e(detector: Detector, options: ParentOptions) -> Metric[Any]:
    from esascore.metrics.parent import ParentE

    return ParentE(detector, **_given(options), attributes=options.attributes)


def _parent_t(options: ParentOptions) -> Metric[Any]:
    from esascore.metrics.totto import ParentT

    given = _given(options)
    given.pop("tokenizer", None)
    return ParentT(options.recall_table, **given)


def _pseudo_parent(options: ParentOptions) -> Metric[Any]:
    from esascore.metrics.pseudo_parent import PseudoParent

    return PseudoParent(**_given(options))


def _bleu() -> Metric[Any]:
    from esascore.metrics.bleu import Bleu

    return Bleu()


def _bleu_t() -> Metric[Any]:
    from esascore.metrics.bleu_t import BleuT

    return BleuT()


def _given(options: ParentOptions) -> dict[str, Any]:
    """The arguments that were given, for the classes."""
    given: dict[str, Any] = {"multi_ref": options.multi_ref, "tokenizer": options.tokenizer}
    found = {name: value for name, value in given.items() if value is not None}
    if options.lambda_weight is not None:
        heuristic = options.lambda_weight == "heuristic"
        found["lambda_weight"] = None if heuristic else options.lambda_weight
    return found
