"""Tables of systems in every format: for a terminal, JSON, CSV, Markdown and LaTeX.

Names come from users and files. Everywhere but in JSON, which escapes them, control characters are written as
visible escapes; Markdown and LaTeX syntax in them is escaped too. CSV puts an apostrophe before a name that a
spreadsheet would take for a formula (one that begins with ``=``, ``+``, ``-`` or ``@``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import chain
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from esascore.metrics.base import Column
from esascore.reports import grid
from esascore.reports.escaping import visible
from esascore.reports.jsontext import to_json
from esascore.reports.summary import Row, Summary, rows, summarise
from esascore.run.scored import Scored
from esascore.stats.comparison import LEVEL


def as_document(summary: Summary) -> dict[str, Any]:
    """``{"signature": ..., "systems": [...]}`` as plain data."""
    document: dict[str, Any] = {"signature": summary.signature}
    if summary.significance is not None:
        document["significance"] = summary.significance.as_dict()
    for name, listed in (("warnings", summary.warnings), ("optional", summary.optional)):
        if listed:
            document[name] = list(listed)
    pairs = {"pairs": list(summary.pairs)} if summary.pairs else {}
    return {**document, "systems": list(summary.systems), **pairs}


def as_json(summary: Summary) -> str:
    """The document as JSON, numbers in full precision, undefined ones null."""
    return to_json(as_document(summary), indent=2) + "\n"


def as_csv(summary: Summary) -> str:
    """One line per system (with a breakdown also one per group), every figure in full precision.

    Distributions take a column per number, ``undetected_1`` and so on; undefined figures are empty. Where
    systems were compared, each figure is followed by ``_low``, ``_high``, ``_p`` and ``_p_holm``.
    """
    lines = [(row, _spread_out(row.fields)) for row in rows(summary)]
    names = _csv_names([fields for _, fields in lines])
    breakdown = ["by", "group"] if summary.by else []
    table = [["system", *breakdown, *(name if n is None else f"{name}_{n}" for name, n in names)]]
    for row, fields in lines:
        groups = [row.by or "", _csv_text(row.group or "")] if summary.by else []
        values = [_csv_value(fields, name, n) for name, n in names]
        table.append([_csv_text(row.system), *groups, *values])
    return grid.csv_text(table)


def as_markdown(summary: Summary) -> str:
    """A table that GitHub and most other Markdown renderers show."""
    body, _, _ = _body(summary, grid.markdown_text, _Marks(" ± {}", r"\*"))
    header = [grid.markdown_text(cell) for cell in _header(summary)]
    note = [f"{grid.markdown_text(text)}\n" for text in summary.notes]
    lines = grid.markdown_lines(header, body, labels=_labels(summary))
    return "\n".join([*lines, "", *note, f"Signature: {grid.markdown_code(summary.signature)}"]) + "\n"


def as_latex(summary: Summary) -> str:
    """A ``tabular`` for the package booktabs, unless columns were chosen with as many as fit on a page."""
    if not summary.chosen:
        summary = summary.showing(_of_a_page(summary), summary.digits)
    body, starts, cuts = _body(summary, grid.latex_text, _Marks(r" {{\scriptsize $\pm${}}}", "$^{*}$"))
    header = _header(summary, lambda column: column.latex or column.header)
    spaced = starts - cuts if summary.by else ()
    comments = [f"% {visible(text)}" for text in (summary.signature, *summary.notes)]
    lines = grid.latex_lines(header, body, labels=_labels(summary), spaced=spaced, ruled=cuts)
    return "\n".join([*comments, *lines]) + "\n"


def as_table(summary: Summary) -> str:
    """A table for the terminal, as wide as it needs to be, and the signature."""
    body, _, cuts = _body(summary, visible, _Marks(" ±{}", "*", " "))
    lines = grid.terminal_lines(_header(summary), body, labels=_labels(summary), clusters=cuts)
    notes = map(visible, (*summary.notes, f"signature: {summary.signature}"))
    return "\n".join([*lines, "", *notes]) + "\n"


def as_html(summary: Summary) -> str:
    """A table for a web page, without style."""
    body, _, cuts = _body(summary, lambda text: escape(visible(text)), _Marks(" <small>±{}</small>", "*"))
    header = "".join(f'<th scope="col">{escape(visible(cell))}</th>' for cell in _header(summary))
    lines = []
    for place, (first, *cells) in enumerate(body):
        marked = ' class="cluster"' if place in cuts else ""
        inside = "".join(f"<td>{cell}</td>" for cell in cells)
        lines.append(f'<tr{marked}><th scope="row">{first}</th>{inside}</tr>')
    return f"<table><thead><tr>{header}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


FORMATS: Mapping[str, Callable[[Summary], str]] = MappingProxyType(
    {"table": as_table, "json": as_json, "csv": as_csv, "markdown": as_markdown, "latex": as_latex}
)
"""What ``--format`` takes."""


def as_overview(evaluation: Scored, title: str) -> str:
    """A report in Markdown: the table of systems, their groups, and every text with what it leaves out.

    The evaluation must have kept its detections.
    """
    parts = [f"# {grid.markdown_text(title)}", as_markdown(summarise(evaluation))]
    if any(example.category for example in evaluation.examples):
        parts += ["## By category", as_markdown(summarise(evaluation, "category"))]
    parts.append("## What is missing")
    for system in evaluation.systems:
        parts.append(f"### {grid.markdown_text(system.name)}")
        lines = []
        pairs = zip(evaluation.examples, system.detections or (), strict=False)
        for example, found in pairs:
            if found.undetected:
                missing = ", ".join(f"**{grid.markdown_text(term)}**" for term in found.undetected)
                text = grid.markdown_text(found.text) or "(blank)"
                lines.append(f"- {grid.markdown_text(example.id)}: {text}  \n  not found: {missing}")
        parts.append("\n".join(lines) if lines else "Every entity of every input was found.")
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


# --- cells


def _labels(summary: Summary) -> int:
    """Number of columns that hold names; they are aligned to the left."""
    return 1 + len(summary.by)


def _header(summary: Summary, header: Callable[[Column], str] = attrgetter("header")) -> list[str]:
    return ["System", *(by.capitalize() for by in summary.by), *map(header, summary.columns)]


class _Marks(NamedTuple):
    """How a format writes an interval, and the end of a significant and of another figure."""

    margin: str
    significant: str
    other: str = ""


def _body(
    summary: Summary, text: Callable[[str], str], marks: _Marks
) -> tuple[list[list[str]], set[int], set[int]]:
    """The rows of a table, and those before which a system (but the first) and a cluster begin."""
    listed = rows(summary, ranked=True)
    starts = {place for place, row in enumerate(listed) if place and row.by is None}
    cuts = {place for place, row in enumerate(listed) if row.cut}
    return [_cells(summary, row, text, marks) for row in listed], starts, cuts


def _cells(summary: Summary, row: Row, text: Callable[[str], str], marks: _Marks) -> list[str]:
    cells = [text(row.system)]
    cells += ["all" if row.by != by else text(row.group or "") or "unknown" for by in summary.by]
    for column in summary.columns:
        cell = _number(row.fields.get(column.field), column, summary.digits)
        if summary.significance is not None and column.field in row.fields["ci"]:
            cell += _marked(row.fields, column.field, marks, column.field in summary.mains, summary.digits)
        cells.append(cell)
    return cells


def _marked(fields: Mapping[str, Any], field: str, marks: _Marks, main: bool, digits: int) -> str:
    """The interval of a figure, and its sign: of a difference from the baseline, or of its rank."""
    interval = fields["ci"][field]
    half = "-" if interval is None else f"{(interval[1] - interval[0]) / 2:.{digits}f}"
    margin = "" if fields[field] is None else marks.margin.format(half)
    if "rank" in fields:
        rank = fields["rank"].get(field) if main else None
        return margin + (f" ({'-'.join(map(str, dict.fromkeys(rank)))})" if rank else "")
    p = fields["p_holm"][field]
    return margin + (marks.significant if p is not None and p < LEVEL else marks.other)


def _number(value: Any, column: Column, digits: int) -> str:
    if value is None:
        return "-"
    return str(value) if column.kind == "count" else f"{value:.{digits}f}"


def _of_a_page(summary: Summary) -> list[str]:
    """The columns that fit on a page: the first of each metric, then the second of each, counts at last."""
    ranked: list[tuple[int, str]] = []
    place = len(summary.columns)  # counts come before the metrics
    for column in summary.columns:
        place = 0 if column.field in summary.mains else place + 1
        ranked.append((place, column.field))
    most = _COLUMNS_OF_PAGE if summary.significance is None else _WITH_INTERVALS
    kept = {field for _, field in sorted(ranked, key=lambda pair: pair[0])[:most]}
    return [column.field for column in summary.columns if column.field in kept]


_COLUMNS_OF_PAGE = 8
_WITH_INTERVALS = 5


def _spread_out(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Put interval and p-values of a figure right behind it, under names of their own."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        if name in ("ci", "p", "p_holm", "rank", "cluster"):
            continue
        found[name] = value
        if name in fields.get("ci", {}):
            low, high = fields["ci"][name] or (None, None)
            found |= {f"{name}_low": low, f"{name}_high": high}
        if name in fields.get("rank", {}):
            best, worst = fields["rank"][name] or (None, None)
            found |= {f"{name}_best_rank": best, f"{name}_worst_rank": worst}
            found[f"{name}_cluster"] = fields["cluster"][name]
        if name in fields.get("p", {}):
            found |= {f"{name}_p": fields["p"][name], f"{name}_p_holm": fields["p_holm"][name]}
    return found


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
