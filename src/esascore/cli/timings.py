"""``--timings``: where the time of a command goes, stage by stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, TypeVar

import click

_KEY = "esascore.timings"

F = TypeVar("F", bound=Callable[..., Any])


class Timings:
    r"""The seconds of each stage, in all processes together, and how many texts they were for.

    Examples
    --------
    >>> timings = Timings()
    >>> timings.spent("detection", 1.5)
    >>> timings.spent("detection", 0.5)
    >>> timings.texts = 1000
    >>> timings.table().split("\n")[1]
    'detection                   2.00            500'
    """

    def __init__(self) -> None:
        self._started = perf_counter()
        self._seconds: dict[str, float] = {}
        self.texts = 0

    def spent(self, stage: str, seconds: float) -> None:
        """Add the seconds of a stage."""
        self._seconds[stage] = self._seconds.get(stage, 0.0) + seconds

    def table(self) -> str:
        """Seconds and texts per second of each stage, and of all by the clock."""
        rows = [*self._seconds.items(), ("all (elapsed)", perf_counter() - self._started)]
        lines = [f"{'stage':<20}{'seconds':>12}{'texts/s':>15}"]
        for stage, seconds in rows:
            speed = f"{self.texts / seconds:,.0f}" if seconds >= _LEAST else "-"
            lines.append(f"{stage:<20}{seconds:>12.2f}{speed:>15}")
        return "\n".join(lines)


_LEAST = 0.005


def timings_option(command: F) -> F:
    """Add ``--timings``, which writes a table to standard error when the command has ended."""

    def remember(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value:
            timings = Timings()
            ctx.find_root().meta[_KEY] = timings
            ctx.call_on_close(lambda: click.echo(timings.table(), err=True) if timings.texts else None)

    return click.option(
        "--timings",
        is_flag=True,
        expose_value=False,
        hidden=True,
        callback=remember,
        help="Show where the time went: seconds and texts/s of each stage, on standard error.",
    )(command)


def timings() -> Timings | None:
    """Return where the stages of this command are noted, if timings are requested."""
    ctx = click.get_current_context(silent=True)
    return None if ctx is None else ctx.find_root().meta.get(_KEY)


def spent(stage: str, seconds: float) -> None:
    """Note the seconds of a stage of this command, if timings are requested."""
    if (noted := timings()) is not None:
        noted.spent(stage, seconds)


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Note the seconds of the block."""
    started = perf_counter()
    yield
    spent(name, perf_counter() - started)
