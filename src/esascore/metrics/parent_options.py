"""The options that PARENT and the metrics of its family share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal


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

    def given(self, names: Sequence[str]) -> dict[str, Any]:
        """Return those of the named settings that were given, as arguments of a metric.

        Examples
        --------
        >>> ParentOptions("heuristic", tokenizer="words").given(["lambda_weight", "multi_ref"])
        {'lambda_weight': None}
        """
        given = {name: value for name in names if (value := getattr(self, name)) is not None}
        return {name: None if value == "heuristic" else value for name, value in given.items()}


DEFAULTS = ParentOptions()
