"""Correlations with human ratings in every format, laid out as the tables of the ESA paper are."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from esascore.gold.ratings.study import KINDS, SUBSETS, Disagreement, Study
from esascore.reports.jsontext import to_json
from esascore.reports.tables import latex_text, markdown_text
from esascore.reports.visible import visible, width
from esascore.stats.agreement import Reliability
from esascore.stats.correlation import Correlation, Kind
from esascore.stats.dependent import TestResult
from esascore.stats.systems import SystemCorrelation

_TITLES = MappingProxyType(
    {
        "all": "all texts",
        "non-blank": "texts that are not blank",
        "undetected-1": "texts with at least one undetected entity",
        "undetected-2": "texts with at least two undetected entities",
    }
)
_NAMES = MappingProxyType({"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall's tau"})
_CERTAIN = 0.01
_LABEL = "Metric"


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """Everything that ``esascore correlate`` found."""

    signature: str
    study: Study
    texts: Mapping[str, Mapping[Kind, Mapping[tuple[str, str], Correlation]]]
    systems: Mapping[tuple[str, str], SystemCorrelation]
    compared: Mapping[tuple[str, str, str], TestResult]
    reliability: Mapping[str, Reliability]
    disagreements: Sequence[Disagreement]


@dataclass(frozen=True, slots=True)
class _Grid:
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def as_json(findings: Findings, kinds: Sequence[Kind] = KINDS) -> str:
    """Everything, in full precision; what is undefined is null and says why."""
    study = findings.study
    subsets: dict[str, Any] = {}
    for subset, by_kind in findings.texts.items():
        pairs: dict[str, Any] = {}
        for kind, matrix in by_kind.items():
            table: dict[str, dict[str, Any]] = {}
            for (first, second), found in matrix.items():
                table.setdefault(first, {})[second] = _correlation(found)
            pairs[kind] = table
        subsets[subset] = {"texts": int(study.subset(subset).sum()), **pairs}
    systems: dict[str, dict[str, Any]] = {}
    for (metric, aspect), level in findings.systems.items():
        systems.setdefault(metric, {})[aspect] = {
            "systems": level.systems,
            "value": level.value,
            "mean": level.mean,
            "deviation": level.deviation,
            "ci": None if level.interval is None else list(level.interval),
            "undefined": level.undefined,
        }
    counts: dict[str, dict[str, int]] = {}
    for case in findings.disagreements:
        tally = counts.setdefault(case.aspect, {"underrated": 0, "overrated": 0})
        tally[case.kind] += 1
    document = {
        "signature": findings.signature,
        "systems": list(study.systems),
        "inputs": len(study.ids),
        "variables": [{"name": each.name, "role": each.role} for each in study.variables],
        "texts": subsets,
        "system_level": systems,
        "williams": [
            {
                "metric": one,
                "other": other,
                "aspect": aspect,
                "t": test.statistic,
                "p": test.p,
                "undefined": test.undefined,
            }
            for (one, other, aspect), test in findings.compared.items()
        ],
        "reliability": {
            aspect: {
                "texts": found.texts,
                "ratings": found.ratings,
                "icc_1": found.single,
                "icc_k": found.average,
                "one_against_rest": _correlation(found.one_against_rest),
                "undefined": found.undefined,
            }
            for aspect, found in findings.reliability.items()
        },
        "disagreements": counts,
    }
    return to_json(document, indent=2) + "\n"


def as_csv(findings: Findings, kinds: Sequence[Kind] = KINDS) -> str:
    """One line per pair: texts by subset and kind of correlation, then systems."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["level", "subset", "correlation", "first", "second", "n", "value", "p", "low", "high"])

    def line(*cells: object) -> None:
        writer.writerow(["" if cell is None else visible(str(cell)) for cell in cells])

    for subset, by_kind in findings.texts.items():
        for kind, matrix in by_kind.items():
            for (first, second), found in matrix.items():
                low, high = found.interval or (None, None)
                line("texts", subset, kind, first, second, found.n, found.value, found.p, low, high)
    for (metric, aspect), level in findings.systems.items():
        low, high = level.interval or (None, None)
        line("systems", "all", "pearson", metric, aspect, level.systems, level.mean, None, low, high)
    return out.getvalue()


def as_table(findings: Findings, kinds: Sequence[Kind] = KINDS) -> str:
    """Matrices for the terminal."""
    parts = []
    for grid in _grids(findings, kinds):
        lines = [[visible(cell) for cell in row] for row in (grid.header, *grid.rows)]
        widths = [max(width(row[n]) for row in lines) for n in range(len(grid.header))]
        shown = [
            "  ".join(
                cell + " " * (wide - width(cell)) if not n else " " * (wide - width(cell)) + cell
                for n, (cell, wide) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in lines
        ]
        parts.append(
            "\n".join([visible(grid.title), shown[0], "  ".join("─" * w for w in widths), *shown[1:]])
        )
    return "\n\n".join([*parts, *_notes(findings), f"signature: {visible(findings.signature)}"]) + "\n"


def as_markdown(findings: Findings, kinds: Sequence[Kind] = KINDS) -> str:
    """Matrices as Markdown tables."""
    parts = []
    for grid in _grids(findings, kinds):
        marks = [":---", *["---:"] * (len(grid.header) - 1)]
        rows = [[markdown_text(cell) for cell in row] for row in (grid.header, *grid.rows)]
        lines = ["| " + " | ".join(row) + " |" for row in [rows[0], marks, *rows[1:]]]
        parts.append(f"**{markdown_text(grid.title)}**\n\n" + "\n".join(lines))
    signature = visible(findings.signature).replace("`", "%60")
    return "\n\n".join([*parts, *map(markdown_text, _notes(findings)), f"Signature: `{signature}`"]) + "\n"


def as_latex(findings: Findings, kinds: Sequence[Kind] = KINDS) -> str:
    """Matrices as ``tabular`` for the package booktabs."""
    parts = [f"% {visible(findings.signature)}"]
    for grid in _grids(findings, kinds):
        rows = [" & ".join(map(latex_text, row)) + r" \\" for row in (grid.header, *grid.rows)]
        parts.append(
            "\n".join(
                [
                    f"% {visible(grid.title)}",
                    rf"\begin{{tabular}}{{l{'r' * (len(grid.header) - 1)}}}",
                    r"\toprule",
                    rows[0],
                    r"\midrule",
                    *rows[1:],
                    r"\bottomrule",
                    r"\end{tabular}",
                ]
            )
        )
    return "\n\n".join(parts) + "\n"


FORMATS: Mapping[str, Callable[[Findings, Sequence[Kind]], str]] = MappingProxyType(
    {"table": as_table, "json": as_json, "csv": as_csv, "markdown": as_markdown, "latex": as_latex}
)
"""What ``--format`` takes; JSON and CSV hold every kind of correlation."""


def disagreement_records(findings: Findings, texts: Mapping[tuple[int, int], str]) -> list[dict[str, Any]]:
    """The texts that a metric and people judge in opposite ways, as plain data."""
    study = findings.study
    return [
        {
            "kind": case.kind,
            "aspect": case.aspect,
            "rating": case.rating,
            "metric": case.metric,
            "score": case.score,
            "system": study.systems[case.system],
            "id": study.ids[case.input],
            "text": texts[case.system, case.input],
        }
        for case in findings.disagreements
    ]


def _grids(findings: Findings, kinds: Sequence[Kind]) -> list[_Grid]:
    study = findings.study
    names = [variable.name for variable in study.variables]
    grids = []
    for kind in kinds:
        for subset in SUBSETS:
            matrix = findings.texts[subset][kind]
            rows = tuple(
                (
                    first,
                    *("x" if n <= place else _cell(matrix[first, names[n]]) for n in range(1, len(names))),
                )
                for place, first in enumerate(names[:-1])
            )
            title = f"{_NAMES[kind]}, {_TITLES[subset]} ({int(study.subset(subset).sum())})"
            grids.append(_Grid(title, (_LABEL, *names[1:]), rows))
    aspects = [variable.name for variable in study.of("rating")]
    ours = [variable.name for variable in (*study.of("score"), *study.of("metric"))]
    rows = tuple((name, *(_level(findings.systems[name, aspect]) for aspect in aspects)) for name in ours)
    grids.append(_Grid("Pearson over systems, mean and deviation of samples", (_LABEL, *aspects), rows))
    if findings.reliability:
        header = ("Ratings", "texts", "ICC(1)", "ICC(k)", "one against rest")
        listed = tuple(
            (name, str(one.texts), _number(one.single), _number(one.average), _cell(one.one_against_rest))
            for name, one in findings.reliability.items()
        )
        grids.append(_Grid("Reliability of the ratings", header, listed))
    return grids


def _notes(findings: Findings) -> list[str]:
    pairs = [
        found
        for by_kind in findings.texts.values()
        for matrix in by_kind.values()
        for found in matrix.values()
    ]
    notes = []
    if any(found.p is not None and found.p >= _CERTAIN for found in pairs):
        notes.append(f"(in brackets: p >= {_CERTAIN})")
    reasons = sorted({found.undefined for found in pairs if found.undefined is not None})
    if reasons:
        notes.append(f"- undefined: {'; '.join(reasons)}")
    return notes


def _cell(found: Correlation) -> str:
    if found.value is None:
        return "-"
    text = f"{found.value:.2f}"
    return f"({text})" if found.p is not None and found.p >= _CERTAIN else text


def _level(found: SystemCorrelation) -> str:
    if found.mean is None:
        return "-"
    return f"{found.mean:.3f} ±{found.deviation:.2f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _correlation(found: Correlation) -> dict[str, Any]:
    return {
        "n": found.n,
        "value": found.value,
        "p": found.p,
        "ci": None if found.interval is None else list(found.interval),
        "undefined": found.undefined,
    }
