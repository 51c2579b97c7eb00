"""Breakdowns: the examples of a corpus by category, by size, or by whether training had their category."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from esascore.errors import DataError, UsageError, did_you_mean
from esascore.model import Example

Key = tuple[bool, int, str]
"""Whether a group is unknown, its order, and its label, which is empty for the unknown; groups sort by it."""


def _by_seen(example: Example, seen: str = "seen", unseen: str = "unseen") -> Key:
    if example.seen is None:
        return (True, 0, "")
    return (False, 0, seen) if example.seen else (False, 1, unseen)


BREAKDOWNS: Mapping[str, Callable[[Example], Key]] = MappingProxyType(
    {
        "category": lambda example: (not example.category, 0, example.category or ""),
        "size": lambda example: (False, example.size, str(example.size)),
        "seen": _by_seen,
        "overlap": lambda example: _by_seen(example, "overlap", "non-overlap"),
    }
)
"""What ``--by`` takes (``overlap``, ToTTo's word for seen, only there) -> the group of an example."""


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
    >>> group([Example("a", Graph(), size=10), Example("b", Graph(), size=2)], "size")
    {'2': [1], '10': [0]}
    """
    positions = keyed(examples, by)
    check_known(positions, by)
    return {key[2]: positions[key] for key in sorted(positions)}


def keyed(examples: Sequence[Example], by: str) -> dict[Key, list[int]]:
    """Positions of the examples of each group, of a part of a corpus."""
    if by not in BREAKDOWNS:
        raise UsageError(f"there is no breakdown by {by!r}{did_you_mean(by, BREAKDOWNS)}")
    positions: dict[Key, list[int]] = {}
    for position, example in enumerate(examples):
        positions.setdefault(BREAKDOWNS[by](example), []).append(position)
    return positions


def check_known(groups: Iterable[Key], by: str) -> None:
    """Reject a breakdown if the group of no example is known."""
    if all(unknown for unknown, _, _ in groups):
        advice = {"seen": " (give --train CORPUS, or categories of WebNLG)"}.get(by, "")
        raise DataError(f"no breakdown by {by}: the corpus does not give the {by} of any example{advice}")
