"""Texts on the terminal, with their spans, what is missing and what is added."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from esascore.cli.terminal import is_terminal, say
from esascore.model import Example
from esascore.reports.escaping import visible

if TYPE_CHECKING:
    from esascore.reports.text_findings import TextFindings
    from esascore.run.scored import Scored

    Shown = tuple[str, Example, TextFindings]
    """The name of a system, the example, and what its text lacks and adds."""

Color = Literal["auto", "always", "never"]
SHOWN = 5
"""How many texts are shown by default, of all systems together."""

EVERY_TEXT = "These are the worst texts; -o FILE writes what is found in every text."


class Worst:
    """The worst texts of each system, for a corpus that comes in parts."""

    def __init__(self, number: int, *, added: bool = False):
        self._number = number
        self._added = added
        self._kept: dict[str, list[Shown]] = {}

    def watched(self, parts: Iterable[Scored]) -> Iterator[Scored]:
        """Pass parts on, and keep the worst of their texts; with ``added``, of those that add something."""
        from esascore.reports.text_findings import badness, worst_texts

        for part in parts:
            for system in part.systems:
                every = self._kept.get(system.name, [])
                for one in worst_texts(system, len(part.examples)):
                    if one.added or not self._added:
                        every.append((system.name, part.examples[one.place], one))
                every.sort(key=lambda shown: badness(shown[2])[:2])
                self._kept[system.name] = every[: self._number]
            yield part

    @property
    def texts(self) -> list[Shown]:
        """The worst texts of each system, as many as there is room for."""
        number = max(1, self._number // max(1, len(self._kept)))
        return [one for kept in self._kept.values() for one in kept[:number]]


def print_texts(chosen: Sequence[Shown], color: Color = "auto", *notes: str) -> None:
    """Print texts, followed by other lines."""
    from esascore.reports.nearest import nearest_spans
    from esascore.reports.spans import as_lines

    coloured = color == "always" or (
        color == "auto" and is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")
    )
    inputs, found = [example.input for _, example, _ in chosen], [one.detection for _, _, one in chosen]
    lines = []
    for (name, example, (_, detection, added, facts)), near in zip(
        chosen, nearest_spans(inputs, found), strict=True
    ):
        lines += [f"{visible(example.id)}  {visible(name)}"]
        lines += [*as_lines(detection, near, added, facts, coloured=coloured), ""]
    say(*(lines[:-1] if lines and not notes else lines), *notes)
