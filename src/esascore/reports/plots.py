"""The heat map of correlations. The suffix of the file decides the format: SVG, PNG or PDF.

Names come from users: they are drawn as plain text, never read as formulas, with control characters escaped.
It is drawn without a display and without global state, and equal input gives equal SVG files.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from esascore.errors import DataError, MissingExtraError, UsageError
from esascore.reports.escaping import visible
from esascore.reports.writing import check_writable, staged

SUFFIXES = (".svg", ".png", ".pdf")
_LEAST = 2


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
    check_figure(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2.2 + 0.6 * size, 1.8 + 0.6 * size), layout="constrained")
    axes = figure.add_subplot()
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


def check_figure(path: str | os.PathLike[str], *, inputs: Sequence[str | os.PathLike[str]] = ()) -> None:
    """Reject, before any work is done, a figure that could not be drawn or written.

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


def _save(figure: Any, path: str | os.PathLike[str]) -> None:
    from matplotlib import rc_context

    suffix = Path(path).suffix.lower()
    # Without date and with a fixed salt the same figure gives the same file.
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}[suffix]
    with staged(path) as made, rc_context({"svg.hashsalt": "esascore", "svg.fonttype": "none"}):
        figure.savefig(made, format=suffix[1:], dpi=150, metadata=undated)


def _text(name: str) -> str:
    """A name as plain text: a dollar would begin a formula."""
    return visible(name).replace("$", r"\$")
