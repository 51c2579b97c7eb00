"""What every implementation of the alignment is given: checked, grouped and with an exact threshold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike, NDArray

from esascore.align.matches import Matches, in_input_order
from esascore.errors import UsageError

Item = tuple[Sequence[str], str]

LARGEST_LENGTH = 2**31 - 1
"""Longest string, in code points, whose arithmetic the implementations promise to do exactly."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Texts, each with its group of candidates, and a threshold.

    Attributes
    ----------
    groups
        The distinct lists of candidates: items that share their candidates share the work on them.
    group
        For each text the index of its group.
    texts
        One for each item.
    numerator, denominator
        The threshold as a fraction: a pair is a hit if ``edits * denominator <= numerator * length``.
        Both are below 2**31, so that the products fit 64-bit integers.
    """

    groups: tuple[tuple[str, ...], ...]
    group: list[int]
    texts: tuple[str, ...]
    numerator: int
    denominator: int

    def batches(self, sizes: ArrayLike, limit: int) -> list[NDArray[np.int64]]:
        """Return indices of the texts, those of a group together, in parts of about ``limit``.

        ``sizes`` says how much of it each text takes.
        """
        order = np.argsort(np.array(self.group, np.int64), kind="stable")
        number = np.cumsum(np.asarray(sizes, np.int64)[order]) // limit
        return np.split(order, np.flatnonzero(np.diff(number)) + 1) if len(order) else []

    def part(self, items: NDArray[np.int64]) -> Problem:
        """Return the problem of some of the texts; all groups are kept."""
        chosen = items.tolist()
        return replace(
            self,
            group=list(map(self.group.__getitem__, chosen)),
            texts=tuple(map(self.texts.__getitem__, chosen)),
        )


def solve_in_batches(
    problem: Problem,
    solve: Callable[[Problem], Matches],
    limit: int,
    workers: int = 1,
    sizes: ArrayLike | None = None,
) -> Matches:
    """Solve parts of a problem, made as `Problem.batches` says, in so many threads.

    ``sizes`` are the lengths of the texts unless given.
    """
    batches = problem.batches(list(map(len, problem.texts)) if sizes is None else sizes, limit)
    if len(batches) == 1 and problem.group == sorted(problem.group):
        return solve(problem)

    def solved(items: NDArray[np.int64]) -> Matches:
        return solve(problem.part(items))

    workers = min(workers, len(batches))
    if workers < 2:
        return in_input_order(list(map(solved, batches)), batches)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        return in_input_order(list(pool.map(solved, batches)), batches)


def make_problem(items: Iterable[Item], max_distance: float | Fraction) -> Problem:
    """Check and group the items; raise `UsageError` where they are not (candidates, text) pairs."""
    limit = threshold(max_distance)
    pairs = items if isinstance(items, list | tuple) else list(items)
    try:
        lists, texts = [candidates for candidates, _ in pairs], tuple([text for _, text in pairs])
    except (TypeError, ValueError):
        raise UsageError(_complaint(pairs)) from None
    if not _are_strings(texts):
        raise UsageError(_complaint(pairs))

    # Callers mostly hand in the same list object many times, and comparing identities is far cheaper
    # than comparing contents. All objects are alive (`lists` holds them), so identities are unique.
    distinct = dict(zip(map(id, lists), lists, strict=True))
    if {list, tuple}.issuperset(map(type, distinct.values())):
        contents = list(map(tuple, distinct.values()))
    else:
        contents = [_listed(candidates, pairs) for candidates in distinct.values()]
    if not _are_strings(list(chain.from_iterable(contents))):
        raise UsageError(_complaint(pairs))
    by_content: dict[tuple[str, ...], int] = {}
    by_identity = {
        identity: by_content.setdefault(content, len(by_content))
        for identity, content in zip(distinct, contents, strict=True)
    }
    group = list(map(by_identity.__getitem__, map(id, lists)))
    return Problem(tuple(by_content), group, texts, limit.numerator, limit.denominator)


def threshold(max_distance: float | Fraction) -> Fraction:
    """Return the fraction that decides exactly as ``max_distance`` does on strings of any allowed length.

    A float means the decimal number it is written as: 0.4 is 2/5.

    Examples
    --------
    >>> threshold(0.4)
    Fraction(2, 5)
    """
    try:
        exact = max_distance if isinstance(max_distance, Fraction) else Fraction(repr(float(max_distance)))
    except (TypeError, ValueError, OverflowError):
        exact = Fraction(-1)
    if not 0 <= exact <= 1:
        raise UsageError(f"max_distance must be a number from 0 to 1, not {max_distance!r}")
    return floor_fraction(exact, LARGEST_LENGTH)


def floor_fraction(exact: Fraction, largest: int) -> Fraction:
    """Return the largest fraction that is at most ``exact`` and whose denominator is at most ``largest``.

    No fraction with such a denominator lies between the two, hence comparing ``edits / length`` with
    either gives the same answer.

    Examples
    --------
    >>> floor_fraction(Fraction(314159, 1000000), 100)
    Fraction(27, 86)
    """
    nearest = exact.limit_denominator(largest)
    if nearest <= exact:
        return nearest
    # The fraction p / q before it among all with such denominators: q * numerator - p * denominator == 1.
    numerator, denominator = nearest.numerator, nearest.denominator
    q = largest - (largest - pow(numerator, -1, denominator)) % denominator
    return Fraction((q * numerator - 1) // denominator, q)


def tokens_of(text: str) -> list[str]:
    """Return the maximal runs without U+0020; other white space belongs to tokens."""
    return [token for token in text.split(" ") if token]


def count_words(candidate: str) -> int:
    """Return number of maximal runs without space and underscore."""
    return len(tokens_of(candidate.replace("_", " ")))


@lru_cache(maxsize=1 << 12)
def most_tokens(candidates: tuple[str, ...]) -> int:
    """Return length of the longest n-grams to compare: one more than the most words of a candidate."""
    return 1 + max(map(count_words, candidates), default=0)


def _listed(candidates: object, pairs: Sequence[object]) -> tuple[str, ...]:
    if isinstance(candidates, str) or not isinstance(candidates, Iterable):
        raise UsageError(_complaint(pairs))
    return tuple(candidates)


def _are_strings(values: Sequence[object]) -> bool:
    return {str}.issuperset(map(type, values)) or all(isinstance(value, str) for value in values)


def _complaint(pairs: Sequence[object]) -> str:
    """Say which item is not a pair of a sequence of strings and a string."""
    for index, pair in enumerate(pairs):
        problem = _problem_of(pair)
        if problem:
            return f"item {index}: {problem}; give (candidates, text) pairs"
    return "the items are not (candidates, text) pairs"


def _problem_of(pair: object) -> str:
    if isinstance(pair, str) or not isinstance(pair, Sequence):
        return f"expected a pair, found {type(pair).__name__}"
    if len(pair) != 2:
        return f"expected a pair, found {len(pair)} values"
    candidates, text = pair
    if isinstance(candidates, str) or not isinstance(candidates, Iterable):
        return f"the candidates must be a sequence of strings, found {type(candidates).__name__}"
    wrong = next((c for c in candidates if not isinstance(c, str)), None)
    if wrong is not None or None in candidates:
        return f"a candidate must be a string, found {type(wrong).__name__}"
    if not isinstance(text, str):
        return f"the text must be a string, found {type(text).__name__}"
    return ""
