"""One text for the terminal: spans in colours or brackets, then the entities, found and missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from esascore.data import named
from esascore.fact_results import FactVerdict
from esascore.model import Detection, Mention
from esascore.reports.escaping import visible
from esascore.reports.nearest import Nearest

if TYPE_CHECKING:
    from esascore.claims.hallucinations import Hallucination

ANAPHORA = ("pronoun", "description")
_COLOURS = (34, 33, 32, 35, 36, 94, 93, 92)
"""Foreground colours by number of the entity. Red is for what is missing."""
_RED = 31
_BREAKS = "\n\t"


def as_lines(
    found: Detection,
    near: Sequence[Nearest] | None = None,
    added: Sequence[Hallucination] = (),
    facts: Sequence[FactVerdict] = (),
    *,
    coloured: bool = False,
) -> list[str]:
    r"""The lines that show a detection, what the text adds, and what it says about the facts of its input.

    Without colours a span is in brackets, an anaphor in parentheses, with the number of its entity, and what
    nothing explains in braces. Control characters of texts and names are written as escapes, line breaks of
    texts break lines. ``near`` says what comes nearest to the entities that were not found.

    Examples
    --------
    >>> mention = Mention("Mexico", 9, 15, "Mexico", "string", 0.0, "Mexico")
    >>> found = Detection("It is in Mexico.", ("Bionico", "Mexico"), (mention,), ("Bionico",))
    >>> print(*as_lines(found), sep="\n")
    It is in [Mexico]#2.
      #1 Bionico: not found
      #2 Mexico: found
    ESA 0.50
    """
    numbers = entity_numbers(found)
    lines = ["".join(_pieces(found, added, numbers, coloured)) or "(blank)"]
    known = {one.entity: one for one in near or ()}
    for term, number in numbers.items():
        if term in found.undetected:
            told = "not found" if near is None else f"not found, {why(found, known.get(term))}"
        else:
            told = "found" if term in found.entities else "found, optional"
        colour = _RED if term in found.undetected else _colour(number)
        lines.append(_painted(f"  #{number} {visible(named(term))}: {told}", (colour,), coloured))
    for one in added:
        told = f'  ! "{visible(one.text)}": {one.kind}, {visible(one.reason)}'
        lines.append(_painted(told, (_RED,), coloured))
    for verdict in facts:
        wrong = verdict.known and verdict.ruling != "stated"
        lines.append(_painted(f"  = {visible(str(verdict))}", (_RED,), coloured and wrong))
    lines.append("ESA undefined" if found.esa is None else f"ESA {found.esa:.2f}")
    return lines


def entity_numbers(found: Detection) -> dict[str, int]:
    """Number the entities of an input, from 1.

    Optional entities are not among those of the detection, but may have mentions.
    """
    listed = dict.fromkeys((*found.entities, *(mention.entity for mention in found.mentions)))
    return {term: number for number, term in enumerate(listed, 1)}


def flagged(text: str, added: Sequence[Hallucination]) -> str:
    """The text with what nothing explains in braces, as in `as_lines`."""
    return "".join(_pieces(Detection(text, (), (), ()), added, {}, False))


def _pieces(
    found: Detection, added: Sequence[Hallucination], numbers: dict[str, int], coloured: bool
) -> Iterator[str]:
    at = 0
    spans: list[Mention | Hallucination] = [*found.mentions, *added]
    for one in sorted(spans, key=lambda span: (span.start, span.end)):
        if one.start < at:  # inside of the span before
            continue
        yield visible(found.text[at : one.start], _BREAKS)
        text = visible(one.text, _BREAKS)
        if not isinstance(one, Mention):
            yield _painted(text, (1, 4, _RED), True) + "!" if coloured else f"{{{text}}}!"
        else:
            number, is_anaphor = numbers[one.entity], one.method in ANAPHORA
            if coloured:
                yield _painted(text, (3 if is_anaphor else 1, 4, _colour(number)), True)
                yield _painted(f"#{number}", (2,), True)
            else:
                yield f"({text})#{number}" if is_anaphor else f"[{text}]#{number}"
        at = one.end
    yield visible(found.text[at:], _BREAKS)


def why(found: Detection, near: Nearest | None) -> str:
    """Say what comes nearest to an entity that was not found."""
    if near is None:
        return "nothing like it in the text"
    taken = "" if near.taken is None else f", which stands for {visible(near.taken)}"
    return f'nearest is "{visible(found.text[near.start : near.end])}" at distance {near.distance:.2f}{taken}'


def _colour(number: int) -> int:
    return _COLOURS[(number - 1) % len(_COLOURS)]


def _painted(text: str, codes: Sequence[int], coloured: bool) -> str:
    return f"\x1b[{';'.join(map(str, codes))}m{text}\x1b[0m" if coloured else text
