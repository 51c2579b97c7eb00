"""How probable the record of a phrase is if it had nothing to do with the values it seems to realise."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable

from esascore.learned.wordings.material import Material


def tail(hits: int, trials: int, rate: float) -> float:
    """Return the probability of at least so many hits in independent trials.

    Examples
    --------
    >>> round(tail(2, 2, 0.5), 6), round(tail(0, 5, 0.1), 6), tail(3, 3, 1.0)
    (0.25, 1.0, 1.0)
    """
    if rate >= 1 or hits <= 0:
        return 1.0
    logs = math.log(max(rate, 1e-9)), math.log1p(-rate)
    whole = math.lgamma(trials + 1)
    return sum(
        math.exp(
            whole - math.lgamma(k + 1) - math.lgamma(trials - k + 1) + k * logs[0] + (trials - k) * logs[1]
        )
        for k in range(hits, trials + 1)
    )


class Expectations:
    """How often a value is to be expected from the subjects and other attributes of inputs."""

    def __init__(self, material: Material):
        self._material = material
        inputs = sorted({text.input for text in material.texts})
        self._all = inputs
        self._shares: dict[tuple[str, str], dict[str | None, Counter[str | None]]] = {}

    def rate(self, attribute: str, values: Collection[str], inputs: Iterable[int]) -> float:
        """Return the largest rate of some values that anything else makes one expect in some inputs."""
        own = list(inputs)
        rivals = [other for other in self._material.attributes if other != attribute]
        found = self._rate(attribute, values, self._all, None)
        return max(found, *(self._rate(attribute, values, own, rival) for rival in (*rivals, "")))

    def _rate(
        self, attribute: str, values: Collection[str], inputs: Collection[int], rival: str | None
    ) -> float:
        material = self._material
        if rival is None:
            return sum(material.values[i].get(attribute) in values for i in inputs) / max(1, len(inputs))
        table = self._table(attribute, rival)
        total = 0.0
        for number in inputs:
            counts = table[self._key(rival, number)]
            # What an input has itself is no reason to expect it: else what each has alone explained all.
            others = counts.total() - 1
            same = sum(counts[value] for value in values) - (material.values[number].get(attribute) in values)
            total += same / others if others else 0.0
        return total / max(1, len(inputs))

    def _table(self, attribute: str, rival: str) -> dict[str | None, Counter[str | None]]:
        table = self._shares.get((attribute, rival))
        if table is None:
            table = defaultdict(Counter)
            for number in self._all:
                table[self._key(rival, number)][self._material.values[number].get(attribute)] += 1
            self._shares[attribute, rival] = table
        return table

    def _key(self, rival: str, number: int) -> str | None:
        return self._material.values[number].get(rival) if rival else self._material.subjects[number]
