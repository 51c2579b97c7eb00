"""What the commands that train and evaluate models share."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from esascore.cli.options import Positive
from esascore.cli.terminal import progress_bar, warn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from esascore.trained.runs import Trainee


@dataclass(frozen=True, slots=True)
class Run:
    """How a model is trained: the random seed, the number of threads, and how long.

    Options
    -------
    --seed
        Random seed.
    --threads
        Number of threads.
    --minutes M
        Stop after this many minutes; the same command continues from there.
    """

    seed: int = 1
    threads: Positive = 1
    minutes: Annotated[float, click.FloatRange(min=0)] | None = None

    def train(
        self,
        trainee: type[Trainee],
        items: Sequence[Any],
        output: str,
        transformer: Path,
        settings: Any,
    ) -> bool:
        """Train a model until it is finished or time is up; return whether it is finished."""
        from esascore.trained.runs import train

        begin = time.monotonic()

        def is_over(_: int) -> bool:
            return self.minutes is not None and time.monotonic() - begin >= 60 * self.minutes

        with progress_bar("Training", "steps") as progress:
            done = train(
                trainee, items, Path(output), transformer, settings,
                threads=self.threads, stop=is_over, progress=progress,
            )  # fmt: skip
        if not done:
            warn("training is not finished: run the command again to continue")
        return done


def check_categories(wanted: Iterable[str], there: Iterable[str | None], file: str) -> None:
    """Reject categories that no text has."""
    from esascore.errors import DataError

    known = sorted({category for category in there if category})
    for category in wanted:
        if category not in known:
            names = ", ".join(known) or "none"
            raise DataError(f"no text has the category {category!r}; the categories are: {names}", file=file)
