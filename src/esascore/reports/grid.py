"""Rows of cells in every format: aligned for a terminal, Markdown, LaTeX, CSV.

Cells are written as they are given, so that they may hold markup: names go through `visible`,
`markdown_text` or `latex_text` first.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Sequence

from esascore.reports.escaping import visible, width

Cells = Sequence[str]

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&$])")
_LATEX = str.maketrans(
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


def terminal_lines(
    header: Cells,
    rows: Sequence[Cells],
    *,
    labels: int = 1,
    ruled: bool = True,
    clusters: Collection[int] = (),
) -> list[str]:
    r"""Columns for the terminal, as wide as they need to be; the first ``labels`` are aligned to the left.

    A line is drawn before the rows in ``clusters``.

    Examples
    --------
    >>> print(*terminal_lines(["System", "Texts"], [["a", "12"]]), sep="\n")
    System  Texts
    ──────  ─────
    a          12
    """
    every = [header, *rows]
    widths = [max(width(cells[n]) for cells in every) for n in range(len(header))]
    lines = []
    for cells in every:
        room = [" " * (wide - width(cell)) for cell, wide in zip(cells, widths, strict=True)]
        padded = [cell + room[n] if n < labels else room[n] + cell for n, cell in enumerate(cells)]
        lines.append("  ".join(padded).rstrip())
    rule = "  ".join("─" * wide for wide in widths)
    body = [part for n, line in enumerate(lines[1:]) for part in ([rule, line] if n in clusters else [line])]
    return [lines[0], *([rule] if ruled else []), *body]


def markdown_lines(header: Cells, rows: Iterable[Cells], *, labels: int = 1) -> list[str]:
    r"""A table that GitHub and most other Markdown renderers show.

    Examples
    --------
    >>> print(*markdown_lines(["System", "Texts"], [["a", "12"]]), sep="\n")
    | System | Texts |
    | :--- | ---: |
    | a | 12 |
    """
    marks = [":---" if n < labels else "---:" for n in range(len(header))]
    return ["| " + " | ".join(cells) + " |" for cells in [header, marks, *rows]]


def latex_lines(
    header: Cells,
    rows: Iterable[Cells],
    *,
    labels: int = 1,
    spaced: Collection[int] = (),
    ruled: Collection[int] = (),
) -> list[str]:
    r"""A ``tabular`` for booktabs, with some room before the rows in ``spaced``, a line before ``ruled``.

    Examples
    --------
    >>> print(*latex_lines(["System", "Texts"], [["a", "12"]]), sep="\n")
    \begin{tabular}{lr}
    \toprule
    System & Texts \\
    \midrule
    a & 12 \\
    \bottomrule
    \end{tabular}
    """
    body = []
    for position, cells in enumerate(rows):
        body += [r"\addlinespace"] if position in spaced else []
        body += [r"\midrule"] if position in ruled else []
        body.append(" & ".join(cells) + r" \\")
    return [
        rf"\begin{{tabular}}{{{'l' * labels}{'r' * (len(header) - labels)}}}",
        r"\toprule",
        " & ".join(header) + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    r"""Rows as CSV.

    Examples
    --------
    >>> csv_text([["system", "esa_c"], ["a, b", "0.5"]])
    'system,esa_c\n"a, b",0.5\n'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def markdown_text(text: str) -> str:
    r"""Escape what Markdown would take for markup.

    Examples
    --------
    >>> print(markdown_text("my_system|<b>"))
    my\_system\|\<b\>
    """
    return _MARKDOWN.sub(r"\\\1", visible(text))


def markdown_code(text: str) -> str:
    """A text as code, in backticks.

    Examples
    --------
    >>> markdown_code("profile:paper")
    '`profile:paper`'
    """
    return "`" + visible(text).replace("`", "%60") + "`"


def latex_text(text: str) -> str:
    r"""Escape what LaTeX would take for markup.

    Examples
    --------
    >>> print(latex_text("my_system & 50%"))
    my\_system \& 50\%
    """
    return visible(text).translate(_LATEX)
