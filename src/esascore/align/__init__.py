"""Which n-grams of a text match which strings: the core under every detector.

The functions take strings as they are: lower-casing and other normalisation is the caller's.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from esascore.align import backends
from esascore.align._problem import Item, make_problem
from esascore.align.matches import Matches
from esascore.errors import UsageError

__all__ = ["Matches", "hits", "match"]


def match(
    items: Iterable[Item], *, max_distance: float | Fraction = 0.4, backend: str = "auto", threads: int = 1
) -> Matches:
    """Assign n-grams of texts to candidate strings, greedily by normalised Levenshtein distance.

    For each item: compare every n-gram of the text with every candidate; take the pair with the least
    distance, remove the n-gram and all that overlap it, and repeat while a distance is within
    ``max_distance``. A candidate can be matched many times. Of equal distances the n-gram with more
    characters comes first, then the one that starts earlier, then the candidate that comes earlier.

    Parameters
    ----------
    items
        Pairs (candidates, text). Tokens of a text are its maximal runs without U+0020, and an n-gram is
        its tokens joined by one space. N-grams have up to one token more than the candidate with the
        most words has words; its words are separated by spaces or underscores. An empty candidate
        matches nothing.
    max_distance
        Largest edits / length of the longer string, in code points, from 0 to 1. It is decided exactly:
        0.4 means two fifths.
    backend
        ``auto``, or a name that `esascore.align.backends.describe` lists. No result depends on it.
    threads
        How many threads work at the same time.

    Returns
    -------
    Matches
        Columns, grouped by item in input order, within an item in order of selection.

    Examples
    --------
    >>> names = ["abilene regional airport", "abilene texas"]
    >>> found = match([(names, "abilene texas is served by the abilene regionel airport")])
    >>> found.candidate.tolist(), found.start.tolist(), found.end.tolist()
    ([1, 0], [0, 6], [2, 9])
    >>> found.distance.round(3).tolist()
    [0.0, 0.042]
    """
    return _solve(items, max_distance, backend, threads, select=True)


def hits(
    items: Iterable[Item], *, max_distance: float | Fraction = 0.4, backend: str = "auto", threads: int = 1
) -> Matches:
    """Find all pairs of candidate and n-gram within ``max_distance``, overlapping ones too.

    Parameters and columns are those of `match`; within an item the order is the one in which `match`
    considers them.

    Examples
    --------
    >>> found = hits([(["new york"], "in new york city")], max_distance=0.4)
    >>> list(zip(found.start.tolist(), found.end.tolist(), found.edits.tolist()))
    [(1, 3, 0), (0, 3, 3), (1, 4, 5)]
    """
    return _solve(items, max_distance, backend, threads, select=False)


def _solve(
    items: Iterable[Item], max_distance: float | Fraction, backend: str, threads: int, *, select: bool
) -> Matches:
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise UsageError(f"threads must be a positive whole number, not {threads!r}")
    problem = make_problem(items, max_distance)
    return backends.solve(problem, select=select, backend=backend, threads=threads)
