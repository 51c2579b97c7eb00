"""When a number of a text may stand for one of the input: rounding, truncation, hedges and bounds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import log2

from esascore.claims.reading import Quantity

_EXACT = 1e-9
"""The share by which equal numbers may differ as floats."""


def figures(value: float, decimals: int) -> tuple[int, int]:
    """Return the significant figures of a number as an integer, and how many zeros follow them.

    Examples
    --------
    >>> figures(1800, 0), figures(2.5, 2), figures(7, 0)
    ((18, 2), (25, 1), (7, 0))
    """
    rest, zeros = round(abs(value * 10**decimals)), 0
    while rest and rest % 10 == 0:
        rest //= 10
        zeros += 1
    return rest, zeros


def information(claim: Quantity) -> float:
    """Return how many bits a number carries: those of its significant figures, and of its magnitude.

    An explanation that is longer explains nothing.
    """
    rest, zeros = figures(claim.value, claim.decimals)
    bits = log2(rest + 1)
    if claim.decimals or zeros:
        bits += 1.5 * max(1, min(zeros, 6))
    return bits - (1 if claim.mode else 0)


def window(claim: Quantity, said: float) -> tuple[float, float]:
    """Return bounds, without sign, outside of which no number is near one of a text."""
    step = 10.0**-claim.decimals
    _, zeros = figures(claim.value, claim.decimals)
    size = abs(said)
    if not claim.mode and not zeros:
        if said == claim.value:  # what is rounded or cut off
            return size - step / 2 - 2 * _EXACT * size, size + max(step - _EXACT * size, 2 * _EXACT * size)
        return size - step - _EXACT * size, size + step + _EXACT * size
    widest = max(step, size * 0.055)
    if claim.mode:
        widest = max(widest, size / 6, step * 10**zeros)
    return size - widest - _EXACT * size, size + widest + _EXACT * size


def nearness(claim: Quantity, meant: float, said: float | None = None) -> float | None:
    """Return the bits that it takes to read a number of the input as one of the text; None if it is another.

    None are needed where both are equal, or one is the other rounded as it is written; some are for what is
    cut off, hedged or a bound.
    """
    decimals = claim.decimals
    if said is None:
        said = claim.value
    elif abs(said) < abs(claim.value):
        return 0.0 if said == meant else None
    if claim.unit is None or claim.unit.dimension != "temperature":
        said, meant = abs(said), abs(meant)
    size = abs(meant)
    gap, step = abs(said - meant), 10.0**-decimals
    if gap <= _EXACT * size:
        return 0.0
    if meant and said and (said > 0) != (meant > 0):
        return None
    if gap <= step / 2 + _EXACT * size:
        if decimals or size >= 10 or claim.mode:
            return 0.5 if claim.spoken else 0.0
        if size >= 3:
            return 2.0
    if gap < step - _EXACT * size and abs(said) < size and (decimals or size >= 10):
        return 1.0  # cut off
    if claim.spoken and decimals and claim.mode and gap <= size / 8:
        return 0.5  # about a quarter
    _, zeros = figures(said, decimals)
    if not zeros and abs(said) > 12 and not decimals and not claim.spoken:
        return 0.5 if claim.mode and gap <= step else None  # nobody hedges an exact number
    unit = step * 10**zeros
    if claim.mode == "about" and gap <= max(min(unit / 2, size / 6), size / 20, step if size > 4 else 0):
        return 0.5
    below = claim.mode == "over" and said <= meant
    above = claim.mode == "under" and meant <= said
    if (below or above) and (gap <= size / 8 or (gap <= unit and abs(said) >= 10)):
        return 0.5
    if zeros >= 2 and gap <= unit / 2 and gap <= size / 20:
        return 1.0
    return None


def slips(claim: Quantity) -> Iterator[float]:
    """Yield the numbers that have the digits of another, two neighbours exchanged.

    Examples
    --------
    >>> from esascore.claims.reading import Reading
    >>> from esascore.text.document import read
    >>> [own] = Reading(read("In all 7,163 people voted.")).quantities
    >>> list(slips(own))
    [1763.0, 7613.0, 7136.0]
    """
    factor = 10.0**claim.decimals
    digits = str(round(abs(claim.value) * factor))
    for n, (one, other) in enumerate(pairwise(digits)):
        if one != other and (n or other != "0"):
            yield int(f"{digits[:n]}{other}{one}{digits[n + 2 :]}") / factor
