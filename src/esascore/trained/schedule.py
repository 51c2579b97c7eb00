"""In which order a training run reads its items, and how fast it learns at each step."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random


def shuffled_steps(size: int, *, batch: int, epochs: int, seed: int) -> list[list[int]]:
    """Return the numbers of the items of every step, over all epochs; each epoch has an order of its own.

    Examples
    --------
    >>> shuffled_steps(4, batch=2, epochs=2, seed=1)
    [[2, 0], [1, 3], [1, 2], [0, 3]]
    """
    return pooled_steps([0] * size, batch=batch, epochs=epochs, seed=seed)


def pooled_steps(
    lengths: Sequence[int], *, batch: int, epochs: int, seed: int, pool: int = 16
) -> list[list[int]]:
    """Return the steps of `shuffled_steps`, in which items of one step are about equally long.

    That saves padding: each pool of so many batches is sorted. But a step then sees only some kinds of items,
    which a model that starts from nothing may not learn from.

    Examples
    --------
    >>> pooled_steps([3, 9, 4, 8], batch=2, epochs=2, seed=1)
    [[0, 2], [3, 1], [0, 2], [3, 1]]
    """
    steps: list[list[int]] = []
    for epoch in range(epochs):
        chance = Random(f"{seed}/{epoch}")
        order = list(range(len(lengths)))
        chance.shuffle(order)
        own = []
        for start in range(0, len(order), pool * batch):
            alike = sorted(order[start : start + pool * batch], key=lengths.__getitem__)
            own += [alike[at : at + batch] for at in range(0, len(alike), batch)]
        chance.shuffle(own)
        steps += own
    return steps


def slope(step: int, steps: int, warm_up: float) -> float:
    """Return the share of the learning rate at a step: up to one at first, then down to zero.

    ``warm_up`` is the share of the steps over which it rises.

    Examples
    --------
    >>> [round(slope(step, 10, 0.2), 2) for step in range(10)]
    [0.5, 1.0, 1.0, 0.88, 0.75, 0.62, 0.5, 0.38, 0.25, 0.12]
    """
    rise = max(1, int(warm_up * steps))
    return min((step + 1) / rise, max(0, steps - step) / max(1, steps - rise))
