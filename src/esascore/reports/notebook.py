"""What notebooks show: tables of figures, and texts with their spans in the colours of the report.

The HTML is complete in itself and holds no script; everything that comes from files is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from itertools import pairwise

from esascore.claims.hallucinations import Hallucination
from esascore.data import named
from esascore.fact_results import FactVerdict
from esascore.model import Detection, Mention
from esascore.reports.escaping import UNSAFE, visible
from esascore.reports.html.site import asset
from esascore.reports.nearest import Nearest
from esascore.reports.spans import ANAPHORA, entity_numbers, why
from esascore.reports.summary import Summary
from esascore.reports.tables import as_html
from esascore.text.escapes import escaped

_CLASS = "esascore"
_COLOURS = 8


def page(*parts: str) -> str:
    r"""Put parts into one element with the style that they need.

    Examples
    --------
    >>> page("<p>Text.</p>").endswith('<div class="esascore">\n<p>Text.</p>\n</div>')
    True
    """
    inside = "\n".join(part for part in parts if part)
    return f'<style>{_style()}</style>\n<div class="{_CLASS}">\n{inside}\n</div>'


def figures(summary: Summary) -> str:
    """A table of systems, and the settings that gave it."""
    notes = "".join(f'<p class="note">{_text(note)}</p>\n' for note in (*summary.notes, *summary.warnings))
    signature = f'<p class="signature">{_text(summary.signature)}</p>'
    # A region that scrolls has to be reachable without a pointer.
    scrolled = f'<div class="scroll" tabindex="0" role="group" aria-label="Scores">{as_html(summary)}</div>'
    return scrolled + notes + signature


def gates(answers: Iterable[tuple[str, bool, str]]) -> str:
    """The answers of gates: system, whether it passed, and what there is to say."""
    rows = "".join(
        f'<tr><th scope="row">{_text(system)}</th><td>{"passed" if passed else "<b>failed</b>"}</td>'
        f"<td>{_text(message)}</td></tr>"
        for system, passed, message in answers
    )
    return f"<table><tbody>{rows}</tbody></table>"


def card(
    found: Detection,
    added: Sequence[Hallucination] = (),
    near: Sequence[Nearest] = (),
    facts: Sequence[FactVerdict] = (),
    *,
    system: str = "",
    id_: str = "",
) -> str:
    """One text: its spans, the entities of its input, what is missing and added, verdicts on facts.

    Examples
    --------
    >>> mention = Mention("Mexico", 9, 15, "Mexico", "string", 0.0, "Mexico")
    >>> shown = card(Detection("It is in Mexico <3.", ("Bionico", "Mexico"), (mention,), ("Bionico",)))
    >>> 'It is in <mark class="span e1"' in shown, "&lt;3." in shown, "<b>Bionico</b>" in shown
    (True, True, True)
    """
    numbers = entity_numbers(found)
    esa = "undefined" if found.esa is None else f"{found.esa:.2f}"
    parts = [
        '<article class="card">',
        "<header>",
        f"<b>{_text(system)}</b>" if system else "",
        f'<span class="id">{_text(id_)}</span>' if id_ else "",
        f'<span class="scores"><span class="score">ESA <b>{esa}</b></span></span>',
        "</header>",
        f'<p class="text" dir="auto">{_spanned(found, added, numbers) or _BLANK}</p>',
        _legend(numbers, set(found.undetected)),
        _missing(found, near),
        _box("Added", (f"<b>{_text(one.text)}</b>: {one.kind}, {_text(one.reason)}" for one in added)),
        _box("Facts", (_text(str(verdict)) for verdict in facts)),
        "</article>",
    ]
    return "\n".join(part for part in parts if part)


_BLANK = '<span class="blank">(blank)</span>'


def _spanned(found: Detection, added: Sequence[Hallucination], numbers: dict[str, int]) -> str:
    """Cut the text where a span begins or ends, and mark each piece by what lies over it."""
    spans: list[Mention | Hallucination] = [*found.mentions, *added]
    cuts = sorted({0, len(found.text), *(border for one in spans for border in (one.start, one.end))})
    pieces = []
    for start, end in pairwise(cuts):
        over = [one for one in spans if one.start <= start and end <= one.end]
        piece = _text(found.text[start:end])
        pieces.append(_mark(piece, over, end, numbers) if over else piece)
    return "".join(pieces)


def _mark(piece: str, over: Sequence[Mention | Hallucination], end: int, numbers: dict[str, int]) -> str:
    classes, about, ends = ["span"], [], ""
    mention = next((one for one in over if isinstance(one, Mention)), None)
    flag = next((one for one in over if isinstance(one, Hallucination)), None)
    if mention is not None:
        number = numbers[mention.entity]
        classes += [_colour(number), *(["anaphor"] if mention.method in ANAPHORA else [])]
        about.append(f"{mention.entity} (found by: {mention.method})")
        ends += _number(str(number)) if mention.end == end else ""
    if flag is not None:
        classes.append("flag")
        about.append(f"{flag.kind}: {flag.reason}")
        ends += _number("!") if flag.end == end else ""
    title = escape(visible("; ".join(about)))
    return f'<mark class="{" ".join(classes)}" title="{title}">{piece}{ends}</mark>'


def _number(text: str) -> str:
    return f'<span class="number" aria-hidden="true">{text}</span>'


def _colour(number: int) -> str:
    return f"e{(number - 1) % _COLOURS}"


def _legend(numbers: Mapping[str, int], missing: set[str]) -> str:
    items = []
    for term, number in numbers.items():
        name = _text(term.replace("_", " "))
        marked, colour, told = "", f" {_colour(number)}", ""
        if term in missing:
            marked, colour, told = ' class="lost"', "", '<span class="hidden"> (not found)</span>'
        items.append(
            f'<li{marked}><span class="swatch{colour}">{number}</span><span>{name}{told}</span></li>'
        )
    return f'<ul class="legend" aria-label="Entities of the input">{"".join(items)}</ul>' if items else ""


def _missing(found: Detection, near: Sequence[Nearest]) -> str:
    known = {one.entity: one for one in near}
    told = [(term, f": {why(found, known.get(term))}" if near else "") for term in found.undetected]
    return _box("Not found", (f"<b>{_text(named(term))}</b>{_text(reason)}" for term, reason in told))


def _box(title: str, items: Iterable[str]) -> str:
    listed = "".join(f"<li>{item}</li>" for item in items)
    return f'<div class="missing"><b>{title}</b><ul>{listed}</ul></div>' if listed else ""


def _text(text: str) -> str:
    """Escape a text; what is not safe to look at becomes a small box with its code."""

    def boxed(match: re.Match[str]) -> str:
        return match[0] if match[0] in "\n\t" else f'<span class="control">{escaped(match[0])}</span>'

    return UNSAFE.sub(boxed, escape(text))


@cache
def _style() -> str:
    """The style that the report shares, with our class before every selector."""

    def scoped(match: re.Match[str]) -> str:
        selectors = [one.strip() for one in match[1].split(",")]
        own = [f".{_CLASS}" if one == ":root" else f".{_CLASS} {one}" for one in selectors]
        return f"\n{', '.join(own)} {{{match[2]}}}"

    shared = re.sub(r"/\*.*?\*/", "", asset("shared.css"), flags=re.DOTALL)
    return re.sub(r"([^{}]+)\{([^{}]*)\}", scoped, shared).strip() + "\n" + asset("notebook.css")
