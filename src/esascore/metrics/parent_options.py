"""The options that PARENT and the metrics of its family share."""

from __future__ import annotations

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

    def given(self) -> dict[str, Any]:
        """What every class of the family takes, as far as it was given.

        Examples
        --------
        >>> ParentOptions("heuristic", tokenizer="words").given()
        {'tokenizer': 'words', 'lambda_weight': None}
        """
        named = {"multi_ref": self.multi_ref, "tokenizer": self.tokenizer}
        given: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
        if self.lambda_weight is not None:
            given["lambda_weight"] = None if self.lambda_weight == "heuristic" else self.lambda_weight
        return given


DEFAULTS = ParentOptions()
