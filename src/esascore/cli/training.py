"""What the commands that train and evaluate models share."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import click

from esascore.cli.options import Positive
from esascore.cli.terminal import progress_bar, say, warn
from esascore.errors import DataError, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from esascore.trained.runs import Trainee

Text = TypeVar("Text")


@dataclass(frozen=True, slots=True)
class Run:
    """How a model is trained: the random seed, the number of threads, and how long.

    Options
    -------
    --seed
        Random seed.
    --jobs N
        Number of threads.
    --minutes M
        Stop after this many minutes; the same command continues from there.
    """

    seed: int = 1
    jobs: Positive = 1
    minutes: Annotated[float, click.FloatRange(min=0)] | None = None

    def train(
        self, trainee: type[Trainee], items: Sequence[Any], output: str, start: Path, settings: Any, unit: str
    ) -> bool:
        """Train a model until it is finished or time is up; return whether it is finished.

        ``unit`` is what an item is called.
        """
        from esascore.trained.runs import train

        end = inf if self.minutes is None else time.monotonic() + 60 * self.minutes
        with progress_bar("Training", "steps") as progress:
            done = train(
                trainee, items, Path(output), start, settings,
                threads=self.jobs, stop=lambda _: time.monotonic() >= end, progress=progress,
            )  # fmt: skip
        if done:
            say(f"Model: {output} ({counted(len(items), unit)})")
        else:
            warn("training is not finished: run the command again to continue")
        return done


def by_categories(
    texts: Sequence[Text], wanted: Sequence[str], file: str, category_of: Callable[[Text], str | None]
) -> tuple[list[Text], list[Text]]:
    """Return the texts of some categories and the others; without categories, all texts twice.

    Categories that no text has are rejected.
    """
    known = {category for text in texts if (category := category_of(text))}
    for category in wanted:
        if category not in known:
            names = ", ".join(sorted(known)) or "none"
            raise DataError(f"no text has the category {category!r}; the categories are: {names}", file=file)
    own = [text for text in texts if not wanted or category_of(text) in wanted]
    return own, [text for text in texts if category_of(text) not in wanted]
