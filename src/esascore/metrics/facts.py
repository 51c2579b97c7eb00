"""Facts: the share of an input's facts that a text states, and of those that it contradicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from esascore.errors import UsageError
from esascore.fact_results import RULINGS, FactVerdict
from esascore.facts.verdicts import VERSION, verdicts
from esascore.facts.verifier import Verifier
from esascore.metrics.base import Batch, Column, Detector, Need, Signature, Statistics, ratio
from esascore.metrics.bases import DetectorMetric, TalliedMetric
from esascore.model import Example


def required_verifier(detector: Detector) -> Verifier:
    """Return the verifier of a pipeline, or say how to get one."""
    if detector.verifier is None:
        raise UsageError(
            "no model that verifies facts: train one with esascore facts train, and name it with --facts"
        )
    return detector.verifier


def knows_any(verifier: Verifier, example: Example) -> bool:
    """Return whether an input has a fact that a model was trained for; of others it only guesses."""
    input_ = example.input
    return any(verifier.knows(fact.predicate, input_.shape) for fact in input_.triples)


class Facts(DetectorMetric, TalliedMetric):
    """The share of facts that texts state.

    A text has a score if its input has a fact whose predicate the model knows; the others count for nothing.
    The statistics of a text are its numbers of facts that are stated, contradicted and not stated.
    """

    name: ClassVar[str] = "facts"
    needs: ClassVar[Need] = "detections"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("facts", "Facts", meaning="mean share of the input's facts that a text states, by a model"),
        Column(
            "facts_contradicted",
            "Contradicted",
            better="lower",
            meaning="mean share of the input's facts that a text contradicts, by a model",
        ),
    )

    def find(self, batch: Batch) -> list[tuple[FactVerdict, ...]]:
        """Judge the facts of each text; where nobody asks for details, only those that count."""
        pairs = [(e.input, found) for e, found in zip(batch.examples, batch.detections, strict=True)]
        return verdicts(pairs, required_verifier(self._detector), guesses=batch.details is not None)

    def signature(self) -> Signature:
        """The settings of detection, the model, and the version of the rules."""
        model = required_verifier(self._detector).version()
        return self._signature(facts=VERSION, model=model, undefined="excluded")

    def statistics(self, batch: Batch) -> Statistics:
        """Per text how many facts are stated, contradicted and not stated."""
        found = self.find(batch)
        if batch.details is not None:
            batch.details[self.name] = found
        return count(found)

    def summands(self, statistics: NDArray[Any]) -> NDArray[Any]:
        """One for each text with a fact, and the shares of its facts that are stated and contradicted."""
        facts = statistics.sum(axis=1)
        defined = facts > 0
        return np.column_stack(
            (defined.astype(int), *(statistics[:, at] / np.where(defined, facts, 1) for at in (0, 1)))
        )

    def figures(self, sums: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
        """The mean shares over texts with a fact."""
        texts, stated, contradicted = np.moveaxis(sums, -1, 0)
        return {"facts": ratio(stated, texts), "facts_contradicted": ratio(contradicted, texts)}


def count(found: Sequence[Sequence[FactVerdict]]) -> NDArray[np.int64]:
    """Count the rulings on the facts that the model knows, (n, 3)."""
    counts = np.zeros((len(found), len(RULINGS)), np.int64)
    for row, some in enumerate(found):
        for one in some:
            if one.known:
                counts[row, RULINGS.index(one.ruling)] += 1
    return counts
