"""Breakdowns: the examples of a corpus by category, by size, or by whether training had their category."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from esascore.errors import DataError, UsageError, did_you_mean
from esascore.model import Example

_Key = tuple[bool, int, str]


def _by_category(example: Example) -> _Key:
    return (not example.category, 0, example.category or "")


def _by_size(example: Example) -> _Key:
    return (False, example.size, str(example.size))


def _by_seen(example: Example, seen: str = "seen", unseen: str = "unseen") -> _Key:
    if example.seen is None:
        return (True, 0, "")
    return (False, 0, seen) if example.seen else (False, 1, unseen)


def _by_overlap(example: Example) -> _Key:
    return _by_seen(example, "overlap", "non-overlap")


BREAKDOWNS: Mapping[str, Callable[[Example], _Key]] = MappingProxyType(
    {"category": _by_category, "size": _by_size, "seen": _by_seen, "overlap": _by_overlap}
)
"""What ``--by`` takes (``overlap``, ToTTo's word for seen, only there) -> (is unknown, order, label) of an
example; the label of unknown is empty."""


def group(examples: Sequence[Example], by: str) -> dict[str, list[int]]:
    """Positions of the examples of each group, groups in order, the unknown (label ``""``) last.

    Raises
    ------
    DataError
        If the corpus does not tell the group of any example.
    UsageError
        If there is no such breakdown.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> group([Example("a", Graph(()), size=10), Example("b", Graph(()), size=2)], "size")
    {'2': [1], '10': [0]}
    """
    if by not in BREAKDOWNS:
        raise UsageError(f"there is no breakdown by {by!r}{did_you_mean(by, BREAKDOWNS)}")
    label = BREAKDOWNS[by]
    positions: dict[_Key, list[int]] = {}
    for position, example in enumerate(examples):
        positions.setdefault(label(example), []).append(position)
    if all(unknown for unknown, _, _ in positions):
        advice = {"seen": " (give --train CORPUS, or categories of WebNLG)"}.get(by, "")
        raise DataError(f"no breakdown by {by}: the corpus does not give the {by} of any example{advice}")
    return {key[2]: positions[key] for key in sorted(positions)}
