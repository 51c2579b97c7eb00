"""Tables of systems in every format: for a terminal, JSON, CSV, Markdown and LaTeX.

Names come from users and files. Everywhere but in JSON, which escapes them, control characters are written as
visible escapes; Markdown and LaTeX syntax in them is escaped too. CSV puts an apostrophe before a name that a
spreadsheet would take for a formula (one that begins with ``=``, ``+``, ``-`` or ``@``).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from esascore.metrics.base import Column
from esascore.reports.jsontext import to_json
from esascore.reports.summary import Row, Summary, rows
from esascore.reports.visible import visible, width
from esascore.stats.comparison import LEVEL


def as_json(summary: Summary) -> str:
    """``{"signature": ..., "systems": [...]}``, numbers in full precision, undefined ones null."""
    document: dict[str, Any] = {"signature": summary.signature}
    if summary.significance is not None:
        document["significance"] = summary.significance.as_dict()
    return to_json({**document, "systems": list(summary.systems)}, indent=2) + "\n"


def as_csv(summary: Summary) -> str:
    """One line per system (with a breakdown also one per group), every figure in full precision.

    Distributions take a column per number, ``undetected_1`` and so on; undefined figures are empty. Where
    systems were compared, each figure is followed by ``_low``, ``_high``, ``_p`` and ``_p_holm``.
    """
    lines = [Row(row.system, row.group, _spread_out(row.fields)) for row in rows(summary)]
    names = _csv_names([row.fields for row in lines])
    breakdown = [] if summary.by is None else ["by", "group"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["system", *breakdown, *(name if n is None else f"{name}_{n}" for name, n in names)])
    for row in lines:
        cells = [_csv_text(row.system)]
        if summary.by is not None:
            cells += ["", ""] if row.group is None else [summary.by, _csv_text(row.group)]
        writer.writerow(cells + [_csv_value(row.fields, name, n) for name, n in names])
    return out.getvalue()


def as_markdown(summary: Summary) -> str:
    """A table that GitHub and most other Markdown renderers show."""
    headers = [markdown_text(header) for header in _headers(summary, lambda column: column.header)]
    marks = [":---" if n < _labels(summary) else "---:" for n in range(len(headers))]
    body = [_cells(summary, row, markdown_text, _MARKDOWN_MARKS) for row in rows(summary)]
    lines = ["| " + " | ".join(cells) + " |" for cells in [headers, marks, *body]]
    note = "" if summary.significance is None else f"\n{markdown_text(summary.significance.note)}\n"
    signature = visible(summary.signature).replace("`", "%60")
    return "\n".join(lines) + f"\n{note}\nSignature: `{signature}`\n"


def as_latex(summary: Summary) -> str:
    """A ``tabular`` for the package booktabs."""
    labels = _labels(summary)
    headers = _headers(summary, lambda column: column.latex)
    note = [] if summary.significance is None else [f"% {visible(summary.significance.note)}"]
    lines = [
        f"% {visible(summary.signature)}",
        *note,
        rf"\begin{{tabular}}{{{'l' * labels}{'r' * (len(headers) - labels)}}}",
        r"\toprule",
        " & ".join(headers) + r" \\",
        r"\midrule",
    ]
    for position, row in enumerate(rows(summary)):
        if summary.by is not None and row.group is None and position:
            lines.append(r"\addlinespace")
        lines.append(" & ".join(_cells(summary, row, latex_text, _LATEX_MARKS)) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def as_table(summary: Summary) -> str:
    """A table for the terminal, as wide as it needs to be, and the signature."""
    labels = _labels(summary)
    headers = _headers(summary, lambda column: column.header)
    body = [_cells(summary, row, visible, _TABLE_MARKS) for row in rows(summary)]
    widths = [max(width(cells[n]) for cells in [headers, *body]) for n in range(len(headers))]

    def line(cells: list[str]) -> str:
        padded = [
            cell + " " * (wide - width(cell)) if n < labels else " " * (wide - width(cell)) + cell
            for n, (cell, wide) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    rule = "  ".join("─" * wide for wide in widths)
    note = [] if summary.significance is None else [visible(summary.significance.note)]
    lines = [line(headers), rule, *map(line, body), "", *note, f"signature: {visible(summary.signature)}"]
    return "\n".join(lines) + "\n"


FORMATS: Mapping[str, Callable[[Summary], str]] = MappingProxyType(
    {"table": as_table, "json": as_json, "csv": as_csv, "markdown": as_markdown, "latex": as_latex}
)
"""What ``--format`` takes."""


# --- cells


def _labels(summary: Summary) -> int:
    """Number of columns that hold names; they are aligned to the left."""
    return 1 if summary.by is None else 2


def _headers(summary: Summary, header: Callable[[Column], str]) -> list[str]:
    breakdown = [] if summary.by is None else [summary.by.capitalize()]
    return ["System", *breakdown, *map(header, summary.columns)]


class _Marks(NamedTuple):
    """How a format writes an interval, and the end of a significant and of another figure."""

    margin: str
    significant: str
    other: str


_TABLE_MARKS = _Marks(" ±{:.4f}", "*", " ")
_MARKDOWN_MARKS = _Marks(" ± {:.4f}", r"\*", "")
_LATEX_MARKS = _Marks(r" {{\scriptsize $\pm${:.4f}}}", "$^{*}$", "")


def _cells(summary: Summary, row: Row, text: Callable[[str], str], marks: _Marks) -> list[str]:
    cells = [text(row.system)]
    if summary.by is not None:
        cells.append("all" if row.group is None else text(row.group) or "unknown")
    for column in summary.columns:
        cell = _number(row.fields.get(column.field), column)
        if summary.significance is not None and column.field in row.fields["ci"]:
            cell += _marked(row.fields, column.field, marks)
        cells.append(cell)
    return cells


def _marked(fields: Mapping[str, Any], field: str, marks: _Marks) -> str:
    interval, p = fields["ci"][field], fields["p_holm"][field]
    margin = "" if interval is None else marks.margin.format((interval[1] - interval[0]) / 2)
    return margin + (marks.significant if p is not None and p < LEVEL else marks.other)


def _number(value: Any, column: Column) -> str:
    if value is None:
        return "-"
    return str(value) if column.kind == "count" else f"{value:.4f}"


def _spread_out(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Put interval and p-values of a figure right behind it, under names of their own."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        if name in ("ci", "p", "p_holm"):
            continue
        found[name] = value
        if name in fields.get("ci", {}):
            low, high = fields["ci"][name] or (None, None)
            found |= {f"{name}_low": low, f"{name}_high": high}
            found |= {f"{name}_p": fields["p"][name], f"{name}_p_holm": fields["p_holm"][name]}
    return found


_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&$])")
_LATEX = MappingProxyType(
    {
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        **{character: "\\" + character for character in "{}$&#%_"},
    }
)


def markdown_text(text: str) -> str:
    r"""Escape what Markdown would take for markup.

    Examples
    --------
    >>> print(markdown_text("my_system|<b>"))
    my\_system\|\<b\>
    """
    return _MARKDOWN.sub(r"\\\1", visible(text))


def latex_text(text: str) -> str:
    r"""Escape what LaTeX would take for markup.

    Examples
    --------
    >>> print(latex_text("my_system & 50%"))
    my\_system \& 50\%
    """
    return "".join(_LATEX.get(character, character) for character in visible(text))


def _csv_text(text: str) -> str:
    shown = visible(text)
    return "'" + shown if shown.startswith(("=", "+", "-", "@")) else shown


def _csv_names(figures: Sequence[Mapping[str, Any]]) -> list[tuple[str, int | None]]:
    """Figures in their order, then each distribution number by number, unless it has its own figure."""
    names = [name for name in dict.fromkeys(chain.from_iterable(figures)) if name not in ("system", "by")]
    spreads = [name for name in names if any(isinstance(fields.get(name), Mapping) for fields in figures)]
    plain = [name for name in names if name not in spreads]
    numbered = [
        (name, n)
        for name in spreads
        for n in sorted({int(key) for fields in figures for key in fields.get(name, {})})
        if f"{name}_{n}" not in plain
    ]
    return [*((name, None) for name in plain), *numbered]


def _csv_value(fields: Mapping[str, Any], name: str, n: int | None) -> str:
    value = fields.get(name)
    if n is not None and value is not None:
        # A number that a distribution lacks has no text; without any defined text nothing is known.
        defined = fields.get("texts") != fields.get("undefined")
        value = value.get(str(n), 0 if defined else None)
    return "" if value is None else repr(value)
