"""The part of ``esascore score`` that scores shards (``--out``): options, progress, and the table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from esascore.cli.options import Decorator, Settings, choice_option, grouped, number_option
from esascore.cli.terminal import complain, counted, is_quiet, is_terminal, warn
from esascore.errors import UsageError

if TYPE_CHECKING:
    from esascore.metrics.family import ParentOptions
    from esascore.reports.summary import Summary
    from esascore.shards.engines import Engine
    from esascore.shards.run import Progress

_EVERY = 30.0
_LISTED = 20

_TOGETHER = (
    "it needs the scores of all texts together; leave --out out, or compute it from the files in DIR/units"
)
_PLAIN_ONLY = {
    "--by": _TOGETHER,
    "--significance": _TOGETHER,
    "--segments": "the scores of each text are in the files in DIR/units",
    "--input-format": "rows are JSON lines or Parquet, and which of them is seen from the file",
}
"""Options that have no meaning with ``--out``, and why."""


@dataclass(frozen=True, slots=True)
class Sharding:
    """Where results of shards go, and how they are made."""

    out: str | None
    engine: str
    address: str | None
    max_malformed: float
    unit: int

    def check(self, given: dict[str, object]) -> None:
        """Refuse options that have no meaning with ``--out``, or without it.

        ``given`` are options of a plain run (`_PLAIN_ONLY`), with what was given.
        """
        if self.out is None:
            if self.engine != "local" or self.address is not None or self.max_malformed:
                raise UsageError("--engine, --address and --max-malformed need --out")
            return
        if self.address is not None and self.engine != "ray":
            raise UsageError("--address needs --engine ray")
        for option, value in given.items():
            if value:
                raise UsageError(f"{option} cannot be used with --out: {_PLAIN_ONLY[option]}")


def sharding_options(texts: int) -> Decorator:
    """Add the options of shards, ``texts`` per unit; the command receives them as ``sharding``."""
    return grouped(
        "sharding",
        Sharding,
        (
            click.option(
                "--out",
                metavar="DIR",
                help="Score rows of JSON lines or Parquet in shards, into DIR or a URL; every argument is "
                "then a file, folder, pattern or URL of rows. The same command again does what is missing.",
            ),
            choice_option("--engine", ["local", "ray"], "Where shards are scored, with --out."),
            click.option(
                "--address", metavar="ADDRESS", help="A running Ray cluster; without it Ray starts its own."
            ),
            click.option(
                "--max-malformed",
                type=click.FloatRange(0, 1),
                default=0.0,
                show_default=True,
                metavar="SHARE",
                help="Share of rows that may be malformed, with --out; they are listed, not scored.",
            ),
            number_option("--unit", texts, "Rows of a shard, about, with --out."),
        ),
    )


def score_shards(
    inputs: Sequence[str],
    sharding: Sharding,
    metrics: Sequence[str],
    settings: Settings,
    parent: ParentOptions,
    patterns: tuple[tuple[str, ...], tuple[str, ...]],
) -> Summary:
    """Score shards, and return the figures of all."""
    from esascore.pipeline import learns_wordings
    from esascore.readers.choice import Choice
    from esascore.shards.run import UnitsFailedError, score_inputs
    from esascore.shards.settings import Settings as ShardSettings
    from esascore.shards.storage import absolute

    out = absolute(str(sharding.out))
    settings, parent = _found_anywhere(settings, parent)
    wordings = learns_wordings(settings.profile, settings.lexicons)
    own = ShardSettings(tuple(metrics), settings.maker(), wordings, parent, Choice(*patterns))
    try:
        with _told() as told, closing(_engine(sharding, settings.jobs)) as engine:
            score_inputs(
                inputs,
                out,
                own,
                engine,
                texts=sharding.unit,
                max_malformed=sharding.max_malformed,
                told=told,
            )
    except UnitsFailedError as error:
        for failed in error.failed[:_LISTED]:
            complain(f"failed: {failed.unit.name} ({failed.unit.file}): {failed.reason}")
        raise
    return merged_figures([out])


def merged_figures(folders: Sequence[str]) -> Summary:
    """Add up runs, and warn about what is odd in them."""
    from esascore.shards.merge import merge_runs

    merged = merge_runs(folders)
    if merged.malformed:
        warn(f"{merged.malformed} of {counted(merged.rows, 'row')} are malformed and not scored, the first:")
        for problem in merged.problems:
            warn(problem)
    for pattern in merged.unfit:
        warn(f"the pattern {pattern!r} fits no attribute")
    if merged.unreferenced:
        warn(f"no row has references: {', '.join(merged.unreferenced)} cannot score any")
    return merged.figures


def _engine(sharding: Sharding, jobs: int) -> Engine:
    from esascore.shards.engines import LocalEngine

    if sharding.engine == "local":
        return LocalEngine(jobs)
    from esascore.shards.ray import RayEngine

    return RayEngine(sharding.address, jobs)


def _found_anywhere(settings: Settings, parent: ParentOptions) -> tuple[Settings, ParentOptions]:
    """Name files and folders so that a process finds them, wherever it was started."""
    linker, coref = settings.linker, settings.coref
    if linker is not None:
        linker = replace(linker, index=tuple(map(_whole, linker.index)))
    if coref is not None:
        model = None if coref.model is None else _whole(coref.model)
        coref = replace(coref, model=model, directory=_absolute(coref.directory))
    own = replace(
        settings,
        profile=_whole(settings.profile),
        lexicons=tuple(map(_whole, settings.lexicons)),
        linker=linker,
        coref=coref,
        facts=_absolute(settings.facts),
        questeval=_absolute(settings.questeval),
        similarity=_whole(settings.similarity),
    )
    return own, replace(parent, cooccurrence=_absolute(parent.cooccurrence))


def _whole(path: str | PathLike[str]) -> str:
    """Return the absolute path of a file or of the folder of a model; a name that is neither stays."""
    from esascore.trained.folder import CONFIG, has_file

    there = has_file(Path(path), "") or has_file(Path(path), CONFIG)
    return str(Path(path).absolute()) if there else str(path)


def _absolute(path: str | PathLike[str] | None) -> str | None:
    return None if path is None else str(Path(path).absolute())


class _Line:
    """A line on standard error that says how far a run is: in place on a terminal, else now and then."""

    def __init__(self, show: Callable[[str], None], every: float):
        self._show = show
        self._every = every
        self._stage = ""
        self._started = self._shown = monotonic()
        self._first = (0, 0)

    def __call__(self, done: Progress) -> None:
        now = monotonic()
        if done.stage != self._stage:
            self._stage, self._started, self._first = done.stage, now, (done.units, done.texts)
        over = done.units + done.failed == done.all_units
        if now - self._shown < self._every and not over:
            return
        self._shown = now
        seconds = now - self._started
        units, texts = done.units - self._first[0], done.texts - self._first[1]
        parts = [f"{done.stage}: {done.units:,} of {counted(done.all_units, 'unit')}"]
        if done.texts:
            parts.append(counted(done.texts, "text"))
        if texts and seconds:
            parts.append(f"{texts / seconds:,.0f} texts/s")
        parts.append(f"{done.failed} failed")
        if units and not over:
            left = seconds / units * (done.all_units - done.units - done.failed)
            parts.append(f"about {_time(left)} left")
        self._show(", ".join(parts))


def _time(seconds: float) -> str:
    """Write a time for people.

    Examples
    --------
    >>> _time(42), _time(600), _time(9000)
    ('42 s', '10 min', '2.5 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


@contextmanager
def _told() -> Iterator[_Line | None]:
    """Tell how far a run is, unless that is not wanted."""
    if is_quiet():
        yield None
    elif not is_terminal(sys.stderr):
        yield _Line(complain, _EVERY)
    else:
        from rich.console import Console

        with Console(stderr=True).status("starting") as status:
            yield _Line(status.update, 0.0)
