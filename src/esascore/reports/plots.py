"""Figures: what tables say, to look at. The suffix of the file decides the format: SVG, PNG or PDF.

Names come from users: they are drawn as plain text, never read as formulas, with control characters escaped.
Figures are drawn without a display and without global state, and equal input gives equal SVG files.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from esascore.errors import DataError, MissingExtraError, UsageError
from esascore.reports.visible import visible
from esascore.reports.writing import check_writable

SUFFIXES = (".svg", ".png", ".pdf")
# Okabe and Ito's colours can be told apart by colour-blind readers too.
_BLUE, _ORANGE, _GREY = "#0072B2", "#D55E00", "#767676"
_LEAST = 2


def draw_ranks(path: str | os.PathLike[str], bleu: Mapping[str, float], esic: Mapping[str, float]) -> None:
    """Rank by BLEU against rank by ESIC^1, in quadrants (Figure 3 of the ESA paper); best is top right."""
    names = list(bleu)
    if set(names) != set(esic):
        raise DataError("ranks need BLEU and ESIC of the same systems")
    by_bleu = sorted(names, key=lambda name: -bleu[name])
    by_esic = sorted(names, key=lambda name: esic[name])
    middle = (len(names) + 1) / 2
    figure, axes = _canvas(path, 6.4, 6.4)
    for name in names:
        x, y = by_esic.index(name) + 1, by_bleu.index(name) + 1
        axes.plot(x, y, "o", color=_BLUE)
        right = x <= middle  # there a name stands left of its point, so that it stays inside
        place = {"xytext": (-5, 4), "ha": "right"} if right else {"xytext": (5, 4)}
        axes.annotate(_text(name), (x, y), textcoords="offset points", fontsize=8, **place)
    axes.axhline(middle, color=_GREY, linewidth=0.8)
    axes.axvline(middle, color=_GREY, linewidth=0.8)
    axes.set(xlabel="rank by ESIC^1", ylabel="rank by BLEU")
    axes.set_xlim(len(names) + 1, 0)
    axes.set_ylim(len(names) + 1, 0)
    _save(figure, path)


def draw_undetected(path: str | os.PathLike[str], counts: Mapping[str, Mapping[int, int]]) -> None:
    """Texts by number of undetected entities, a bar for each system: system -> number -> texts."""
    figure, axes = _canvas(path, 7.2, 1.2 + 0.3 * max(len(counts), 1))
    largest = max((number for found in counts.values() for number in found), default=1)
    places = list(range(len(counts)))
    left = [0] * len(counts)
    for number in range(1, largest + 1):
        shares = [found.get(number, 0) for found in counts.values()]
        strength = max(0.15, 0.65 ** (number - 1))
        axes.barh(
            places, shares, left=left, color=_BLUE, alpha=strength, edgecolor="white", label=str(number)
        )
        left = [start + share for start, share in zip(left, shares, strict=True)]
    axes.set_yticks(places, [_text(name) for name in counts])
    axes.invert_yaxis()
    axes.set_xlabel("texts")
    axes.legend(title="undetected", fontsize=8)
    _save(figure, path)


def draw_histogram(
    path: str | os.PathLike[str], values: Sequence[float], *, label: str = "lambda", bins: int = 20
) -> None:
    """Histogram of numbers between 0 and 1, such as PARENT's lambda (Figure 5 of its paper)."""
    if not values:
        raise DataError("a histogram needs at least one number")
    figure, axes = _canvas(path, 5.6, 3.6)
    axes.hist(list(values), bins=bins, range=(0, 1), color=_BLUE, edgecolor="white")
    axes.set(xlabel=_text(label), ylabel="texts")
    _save(figure, path)


def draw_matrix(
    path: str | os.PathLike[str],
    names: Sequence[str],
    pairs: Mapping[tuple[str, str], float | None],
    *,
    title: str = "",
) -> None:
    """Heat map of correlations between all pairs of names; an undefined one stays white."""
    import numpy as np

    size = len(names)
    if size < _LEAST:
        raise DataError(f"a heat map needs at least two variables, not {size}")
    grid = np.full((size, size), np.nan)
    for (first, second), value in pairs.items():
        if value is not None:
            grid[names.index(first), names.index(second)] = value
            grid[names.index(second), names.index(first)] = value
    figure, axes = _canvas(path, 2.2 + 0.6 * size, 1.8 + 0.6 * size)
    image = axes.imshow(grid, vmin=-1, vmax=1, cmap="RdBu")
    shown = [_text(name) for name in names]
    axes.set_xticks(range(size), shown, rotation=45, ha="right")
    axes.set_yticks(range(size), shown)
    for row in range(size):
        for column in range(size):
            value = grid[row, column]
            if not np.isnan(value):
                ink = "white" if abs(value) > 0.6 else "black"
                axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=8, color=ink)
    if title:
        axes.set_title(_text(title), fontsize=10)
    figure.colorbar(image, ax=axes, shrink=0.8)
    _save(figure, path)


def draw_scatter(
    path: str | os.PathLike[str],
    scores: Sequence[float],
    ratings: Sequence[float],
    *,
    metric: str = "score",
    aspect: str = "rating",
) -> None:
    """A metric against ratings, one point a text, with the line of least squares where there is one."""
    import numpy as np

    if len(scores) != len(ratings):
        raise DataError(f"{len(scores)} scores and {len(ratings)} ratings cannot be paired")
    if not scores:
        raise DataError("a scatter plot needs at least one text")
    x, y = np.asarray(scores, np.float64), np.asarray(ratings, np.float64)
    figure, axes = _canvas(path, 5.6, 4.4)
    axes.plot(x, y, "o", color=_BLUE, alpha=0.25, markersize=4)
    if np.ptp(x) > 0:
        slope = float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
        ends = np.array([x.min(), x.max()])
        axes.plot(ends, y.mean() + slope * (ends - x.mean()), color=_ORANGE)
    axes.set(xlabel=_text(metric), ylabel=_text(aspect))
    _save(figure, path)


def check_figure(path: str | os.PathLike[str], *, inputs: Sequence[str | os.PathLike[str]] = ()) -> None:
    """Refuse, before any work is done, a figure that could not be drawn or written.

    Raises
    ------
    UsageError
        If the suffix is not known or the file cannot be written.
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> check_figure("figure.docx")
    Traceback (most recent call last):
        ...
    esascore.errors.UsageError: cannot draw figure.docx: its name must end in .svg, .png, .pdf
    """
    if Path(path).suffix.lower() not in SUFFIXES:
        raise UsageError(f"cannot draw {path}: its name must end in {', '.join(SUFFIXES)}")
    check_writable(path, inputs=inputs)
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise MissingExtraError("Drawing a figure", package="matplotlib", extra="plots") from None


def _canvas(path: str | os.PathLike[str], width: float, height: float) -> tuple[Any, Any]:
    check_figure(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def _save(figure: Any, path: str | os.PathLike[str]) -> None:
    """Write a figure under a temporary name and rename it."""
    from matplotlib import rc_context

    target = Path(os.path.realpath(path))
    suffix = target.suffix.lower()
    # Without date and with a fixed salt the same figure gives the same file.
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}[suffix]
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name[:40]}.") as folder:
            name = Path(folder) / f"figure{suffix}"
            with rc_context({"svg.hashsalt": "esascore", "svg.fonttype": "none"}):
                figure.savefig(name, dpi=150, metadata=undated)
            name.replace(target)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def _text(name: str) -> str:
    """A name as plain text: a dollar would begin a formula."""
    return visible(name).replace("$", r"\$")
