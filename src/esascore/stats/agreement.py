"""How reliable ratings and verdicts are: the ceiling for any metric that is compared with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from esascore.stats.correlation import Correlation, correlation


@dataclass(frozen=True, slots=True)
class Reliability:
    """Agreement of the people who rated the same texts.

    Attributes
    ----------
    texts, ratings
        Texts with at least two ratings, and their ratings.
    single
        ICC(1): reliability of one rating; None if it is undefined.
    average
        ICC(k): reliability of the mean rating of a text.
    one_against_rest
        Correlation of each rating with the mean of the others of its text.
    undefined
        Why there is no ICC; None if there is one.
    """

    texts: int
    ratings: int
    single: float | None
    average: float | None
    one_against_rest: Correlation
    undefined: str | None = None


def reliability(ratings: Sequence[Sequence[float]]) -> Reliability:
    """Intraclass correlation by one-way analysis of variance, and one rater against the rest.

    Parameters
    ----------
    ratings
        Per text the ratings it got. Raters and their number may differ from text to text; texts with fewer
        than two ratings do not count.

    Examples
    --------
    >>> found = reliability([[1, 1], [2, 3], [5, 5], [4, 5]])
    >>> round(found.single, 3), round(found.average, 3), found.texts
    (0.929, 0.963, 4)
    """
    groups = [list(map(float, group)) for group in ratings if len(group) > 1]
    n, total = len(groups), sum(map(len, groups))
    ones = [value for group in groups for value in group]
    rests = [(sum(group) - value) / (len(group) - 1) for group in groups for value in group]
    against = correlation(ones, rests)
    if n < 2:
        return Reliability(n, total, None, None, against, f"{n} texts with two ratings are too few")
    grand = sum(ones) / total
    means = [sum(group) / len(group) for group in groups]
    pairs = list(zip(groups, means, strict=True))
    between = sum(len(group) * (mean - grand) ** 2 for group, mean in pairs) / (n - 1)
    within = sum((value - mean) ** 2 for group, mean in pairs for value in group) / (total - n)
    if between == 0 and within == 0:
        return Reliability(n, total, None, None, against, "all ratings are equal")
    # With unequal numbers of ratings this is the number that makes the mean squares' expectations right.
    raters = (total - sum(len(group) ** 2 for group in groups) / total) / (n - 1)
    single = (between - within) / (between + (raters - 1) * within)
    average = (between - within) / between if between else None
    return Reliability(n, total, single, average, against)


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa of pairs of verdicts; None if it is undefined.

    Examples
    --------
    >>> kappa([("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")])
    0.5
    """
    if not pairs:
        return None
    number = len(pairs)
    observed = Fraction(sum(a == b for a, b in pairs), number)
    one, other = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = Fraction(sum(one[verdict] * other[verdict] for verdict in one), number * number)
    return None if expected == 1 else float((observed - expected) / (1 - expected))


def wilson(score: Fraction, number: int) -> tuple[float, float]:
    """The 95% interval of the share ``score / number``, after Wilson.

    Examples
    --------
    >>> [round(bound, 3) for bound in wilson(Fraction(8), 10)]
    [0.49, 0.943]
    """
    z = 1.959963984540054
    share = float(score) / number
    middle = share + z * z / (2 * number)
    width = z * sqrt(share * (1 - share) / number + z * z / (4 * number * number))
    scale = 1 + z * z / number
    return max(0.0, (middle - width) / scale), min(1.0, (middle + width) / scale)
