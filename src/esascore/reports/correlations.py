"""Correlations with human ratings in every format, laid out as the tables of the ESA paper are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from esascore.gold.ratings.study import Disagreement, Study
from esascore.reports import grid
from esascore.reports.escaping import visible
from esascore.reports.jsontext import to_json
from esascore.stats.correlation import (
    CORRELATIONS,
    Correlation,
    CorrelationKind,
    Reliability,
    SystemCorrelation,
    TestResult,
)

_TITLES = {
    "all": "all texts",
    "non-blank": "texts that are not blank",
    "undetected-1": "texts with at least one undetected entity",
    "undetected-2": "texts with at least two undetected entities",
}
_NAMES = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall's tau"}
_KEYS = {"interval": "ci", "statistic": "t", "single": "icc_1", "average": "icc_k"}
"""Fields of results that JSON calls otherwise."""
_CERTAIN = 0.01
_LABEL = "Metric"


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """Everything that ``esascore correlate`` found."""

    signature: str
    study: Study
    texts: Mapping[str, Mapping[CorrelationKind, Mapping[tuple[str, str], Correlation]]]
    systems: Mapping[tuple[str, str], SystemCorrelation]
    compared: Mapping[tuple[str, str, str], TestResult]
    reliability: Mapping[str, Reliability]
    disagreements: Sequence[Disagreement]


def as_json(findings: Findings, kinds: Sequence[CorrelationKind] = CORRELATIONS) -> str:
    """Everything, in full precision; what is undefined is null and says why."""
    study = findings.study
    counts: dict[str, Counter[str]] = {}
    for case in findings.disagreements:
        counts.setdefault(case.aspect, Counter(underrated=0, overrated=0))[case.kind] += 1
    document = {
        "signature": findings.signature,
        "systems": list(study.systems),
        "inputs": len(study.ids),
        "variables": [{"name": each.name, "role": each.role} for each in study.variables],
        "texts": {
            subset: {
                "texts": int(study.subset(subset).sum()),
                **{kind: _nested(matrix) for kind, matrix in by_kind.items()},
            }
            for subset, by_kind in findings.texts.items()
        },
        "system_level": _nested(findings.systems),
        "williams": [
            {"metric": one, "other": other, "aspect": aspect, **_plain(test)}
            for (one, other, aspect), test in findings.compared.items()
        ],
        "reliability": {aspect: _plain(found) for aspect, found in findings.reliability.items()},
        "disagreements": counts,
    }
    return to_json(document, indent=2) + "\n"


def as_csv(findings: Findings, kinds: Sequence[CorrelationKind] = CORRELATIONS) -> str:
    """One line per pair: texts by subset and kind of correlation, then systems."""
    header = ("level", "subset", "correlation", "first", "second", "n", "value", "p", "low", "high")
    lines: list[Sequence[object]] = [header]
    for subset, by_kind in findings.texts.items():
        for kind, matrix in by_kind.items():
            for pair, one in matrix.items():
                figures = (one.n, one.value, one.p, *(one.interval or ()))
                lines.append(("texts", subset, kind, *map(visible, pair), *figures))
    for pair, level in findings.systems.items():
        figures = (level.systems, level.mean, None, *(level.interval or ()))
        lines.append(("systems", "all", "pearson", *map(visible, pair), *figures))
    return grid.csv_text([*line, *[None] * (len(header) - len(line))] for line in lines)


def as_table(findings: Findings, kinds: Sequence[CorrelationKind] = CORRELATIONS) -> str:
    """Matrices for the terminal."""
    parts = _written(findings, kinds, visible, grid.terminal_lines, visible)
    return "\n\n".join([*parts, *_notes(findings), f"signature: {visible(findings.signature)}"]) + "\n"


def as_markdown(findings: Findings, kinds: Sequence[CorrelationKind] = CORRELATIONS) -> str:
    """Matrices as Markdown tables."""
    text = grid.markdown_text
    parts = _written(findings, kinds, lambda title: f"**{text(title)}**\n", grid.markdown_lines, text)
    notes = map(text, _notes(findings))
    return "\n\n".join([*parts, *notes, f"Signature: {grid.markdown_code(findings.signature)}"]) + "\n"


def as_latex(findings: Findings, kinds: Sequence[CorrelationKind] = CORRELATIONS) -> str:
    """Matrices as ``tabular`` for the package booktabs."""
    parts = _written(findings, kinds, lambda title: f"% {visible(title)}", grid.latex_lines, grid.latex_text)
    return "\n\n".join([f"% {visible(findings.signature)}", *parts]) + "\n"


FORMATS: Mapping[str, Callable[[Findings, Sequence[CorrelationKind]], str]] = MappingProxyType(
    {"table": as_table, "json": as_json, "csv": as_csv, "markdown": as_markdown, "latex": as_latex}
)
"""What ``--format`` takes; JSON and CSV hold every kind of correlation."""


def disagreement_records(findings: Findings, texts: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """The texts that a metric and people judge in opposite ways, as plain data; ``texts`` are by system."""
    study = findings.study
    return [
        {
            **{name: getattr(case, name) for name in ("kind", "aspect", "rating", "metric", "score")},
            "system": study.systems[case.system],
            "id": study.ids[case.input],
            "text": texts[case.system][case.input],
        }
        for case in findings.disagreements
    ]


def _written(
    findings: Findings,
    kinds: Sequence[CorrelationKind],
    title: Callable[[str], str],
    lines: Callable[[list[str], list[list[str]]], list[str]],
    text: Callable[[str], str],
) -> list[str]:
    """Every matrix in some format, with its title before it; ``text`` escapes cells."""
    written = []
    for heading, *rows in _matrices(findings, kinds):
        header, *body = [[text(cell) for cell in row] for row in rows]
        written.append("\n".join([title(heading[0]), *lines(header, body)]))
    return written


def _matrices(findings: Findings, kinds: Sequence[CorrelationKind]) -> Iterator[list[list[str]]]:
    """The rows of each table, after its title alone."""
    study = findings.study
    names = [variable.name for variable in study.variables]
    for kind in kinds:
        for subset, title in _TITLES.items():
            matrix = findings.texts[subset][kind]
            yield [
                [f"{_NAMES[kind]}, {title} ({int(study.subset(subset).sum())})"],
                [_LABEL, *names[1:]],
                *(
                    [one, *["x"] * place, *(_cell(matrix[one, other]) for other in names[place + 1 :])]
                    for place, one in enumerate(names[:-1])
                ),
            ]
    aspects = [variable.name for variable in study.of("rating")]
    ours = [variable.name for variable in (*study.of("score"), *study.of("metric"))]
    yield [
        ["Pearson over systems, mean and deviation of samples"],
        [_LABEL, *aspects],
        *([name, *(_level(findings.systems[name, aspect]) for aspect in aspects)] for name in ours),
    ]
    if findings.reliability:
        yield [
            ["Reliability of the ratings"],
            ["Ratings", "texts", "ICC(1)", "ICC(k)", "one against rest"],
            *(
                [name, str(one.texts), _number(one.single), _number(one.average), _cell(one.one_against_rest)]
                for name, one in findings.reliability.items()
            ),
        ]


def _notes(findings: Findings) -> list[str]:
    matrices = [matrix for by_kind in findings.texts.values() for matrix in by_kind.values()]
    pairs = [found for matrix in matrices for found in matrix.values()]
    notes = []
    if any(found.p is not None and found.p >= _CERTAIN for found in pairs):
        notes.append(f"(in brackets: p >= {_CERTAIN})")
    reasons = sorted({found.undefined for found in pairs if found.undefined is not None})
    if reasons:
        notes.append(f"- undefined: {'; '.join(reasons)}")
    return notes


def _cell(found: Correlation) -> str:
    text = _number(found.value)
    return f"({text})" if found.p is not None and found.p >= _CERTAIN else text


def _level(found: SystemCorrelation) -> str:
    return "-" if found.mean is None else f"{found.mean:.3f} ±{found.deviation:.2f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _nested(
    pairs: Mapping[tuple[str, str], Correlation | SystemCorrelation],
) -> dict[str, dict[str, dict[str, Any]]]:
    table: dict[str, dict[str, dict[str, Any]]] = {}
    for (first, second), found in pairs.items():
        table.setdefault(first, {})[second] = _plain(found)
    return table


def _plain(found: Correlation | SystemCorrelation | Reliability | TestResult) -> dict[str, Any]:
    return asdict(found, dict_factory=lambda fields: {_KEYS.get(name, name): value for name, value in fields})
