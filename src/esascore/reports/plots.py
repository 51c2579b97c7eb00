"""Plots: systems, and the heat map of correlations. The suffix of the file decides: SVG, PNG or PDF.

Names come from users: they are drawn as plain text, never read as formulas, with control characters escaped.
It is drawn without a display and without global state, and equal input gives equal SVG files.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from esascore.errors import DataError, UsageError, import_extra
from esascore.reports.escaping import visible
from esascore.reports.writing import check_writable, staged

if TYPE_CHECKING:
    from esascore.reports.summary import Summary

SUFFIXES = (".svg", ".png", ".pdf")
_LEAST = 2


def draw_systems(path: str | os.PathLike[str], summary: Summary) -> None:
    """Systems under the first figure of each metric, with intervals; beside it groups, below it ranks."""
    from matplotlib.figure import Figure

    headers = {column.field: column.header for column in summary.columns}
    systems, names = summary.systems, [_text(one["system"]) for one in summary.systems]
    ranked = [one for one in systems if None not in (one.get("bleu"), one.get("esic_1"))]
    breakdowns = list(systems[0].get("by", {}))
    lines = len(summary.mains) + (len(ranked) >= _LEAST)
    size = 5.2 * (1 + len(breakdowns)), lines * (1.4 + 0.28 * max(len(systems), 5))
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(lines, 1 + len(breakdowns), squeeze=False)
    for field, (axis, *beside) in zip(summary.mains, panels, strict=False):
        _draw_intervals(axis, names, [(one[field], one["ci"].get(field)) for one in systems])
        axis.set_title(f"{headers[field]}, 95% intervals", fontsize=10)
        for by, other in zip(breakdowns, beside, strict=True):
            _draw_groups(other, names, [one["by"][by] for one in systems], field)
            other.set_title(f"{headers[field]} by {by}", fontsize=10)
    if len(ranked) >= _LEAST:
        axis, *beside = panels[-1]
        _draw_ranks(axis, ranked)
        for other in beside:
            other.remove()
    _save(figure, path)


def _draw_intervals(axis: Any, names: Sequence[str], figures: Sequence[tuple[Any, Any]]) -> None:
    for row, (value, interval) in enumerate(figures):
        if value is not None:
            axis.plot(interval or (value, value), (row, row), color="0.6", linewidth=3)
            axis.plot(value, row, "o", color="C0")
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.5, -0.5)


def _draw_groups(
    axis: Any, names: Sequence[str], parts: Sequence[Mapping[str, Mapping[str, Any]]], field: str
) -> None:
    for name, part in zip(names, parts, strict=True):
        known = [(n, one[field]) for n, one in enumerate(part.values()) if one.get(field) is not None]
        axis.plot([n for n, _ in known], [value for _, value in known], "o-", label=name, linewidth=0.6)
    axis.set_xticks(range(len(parts[0])), [_text(label) or "unknown" for label in parts[0]])
    axis.tick_params("x", rotation=90)
    axis.legend(fontsize=7)


def _draw_ranks(axis: Any, systems: Sequence[Mapping[str, Any]]) -> None:
    """The best is on the right and at the top, as in the ESA paper."""
    places, limits = range(1, len(systems) + 1), (len(systems) + 0.7, 0.3)
    for one in systems:
        x = 1 + sum(other["bleu"] > one["bleu"] for other in systems)
        y = 1 + sum(other["esic_1"] < one["esic_1"] for other in systems)
        axis.plot(x, y, "o", color="C0")
        axis.annotate(_text(one["system"]), (x, y), (4, 4), textcoords="offset points", fontsize=8)
    axis.set(xlabel="rank by BLEU", ylabel="rank by ESIC", xticks=places, yticks=places)
    axis.set(xlim=limits, ylim=limits)


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
            row, column = names.index(first), names.index(second)
            grid[row, column] = grid[column, row] = value
    check_figure(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2.2 + 0.6 * size, 1.8 + 0.6 * size), layout="constrained")
    axes = figure.add_subplot()
    image = axes.imshow(grid, vmin=-1, vmax=1, cmap="RdBu")
    shown = [_text(name) for name in names]
    axes.set_xticks(range(size), shown, rotation=45, ha="right")
    axes.set_yticks(range(size), shown)
    for row, column in np.argwhere(~np.isnan(grid)).tolist():
        ink = "white" if abs(grid[row, column]) > 0.6 else "black"
        told = f"{grid[row, column]:.2f}"
        axes.text(column, row, told, ha="center", va="center", fontsize=8, color=ink)
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
    import_extra("Drawing a figure", "matplotlib.figure", extra="plots")


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
