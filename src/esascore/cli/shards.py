"""The part of ``esascore score`` that scores shards (``--out``): options, and the figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from esascore.cli.options import Positive, Reading, Settings, Share
from esascore.cli.terminal import complain, progress_bar, warn
from esascore.errors import UsageError
from esascore.model import Input
from esascore.readers.choice import Choice

if TYPE_CHECKING:
    from esascore.reports.summary import Summary
    from esascore.run.scoring import MakeMetrics

_LISTED = 20

_TOGETHER = "it needs the scores of all texts together; omit --out, or compute it from the files in DIR/units"
_PLAIN_ONLY = {
    "--by": _TOGETHER,
    "--significance": _TOGETHER,
    "--plot": _TOGETHER,
    "--segments": "the scores of each text are in the files in DIR/units",
    "--input-format": "rows are JSON lines or Parquet, detected from the file",
}
"""Options that cannot be used with ``--out``, and why."""


@dataclass(frozen=True, slots=True)
class Sharding:
    """Where results of shards are written, and how shards are scored.

    Options
    -------
    --out DIR
        Score rows of JSON lines or Parquet in shards, into DIR or a URL.

    More options
    ------------
    --engine
        Where shards are scored, with --out.
    --address ADDRESS
        A running Ray cluster; without it Ray starts its own.
    --max-malformed SHARE
        Share of rows that may be malformed, with --out; they are listed, not scored.
    --unit
        Approximate number of rows in a shard, with --out.
    """

    out: str | None = None
    engine: Literal["local", "ray"] = "local"
    address: str | None = None
    max_malformed: Share = 0.0
    unit: Positive = 5_000

    def check(self, given: dict[str, object]) -> None:
        """Reject options that cannot be used with ``--out``, or only with it.

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


def score_shards(
    inputs: Sequence[str], sharding: Sharding, make_metrics: MakeMetrics, settings: Settings, reading: Reading
) -> Summary:
    """Score shards, and return the figures of all."""
    from esascore.run.engines import UnitsFailedError, local_engine
    from esascore.run.files import score_files
    from esascore.run.ray import ray_engine
    from esascore.run.storage import absolute

    out = absolute(str(sharding.out))
    start = partial(ray_engine, sharding.address) if sharding.engine == "ray" else local_engine
    try:
        with (
            progress_bar("First pass") as learning,
            progress_bar("Scoring") as progress,
            start(settings.processes) as engine,
        ):
            score_files(
                inputs, out, settings.ruler(), make_metrics, engine,
                choice=Choice(reading.optional, reading.ignore), rows=sharding.unit,
                max_malformed=sharding.max_malformed, learning=learning, progress=progress,
            )  # fmt: skip
    except UnitsFailedError as error:
        for failed in error.failed[:_LISTED]:
            complain(f"failed: {failed.unit.name} ({failed.unit.file}): {failed.reason}")
        raise
    return merged_figures([out])


def first_input(inputs: Sequence[str], out: str) -> Input:
    """Return the input of the first row that can be read; an empty one if there is none."""
    from esascore.run.rows import Chosen, TextRow, rows_of
    from esascore.run.units import content_of, cut, find_files

    for path, size in find_files(inputs, leave_out=out).items():
        for unit in cut(path, size):
            for row in rows_of(content_of(unit), Chosen(Choice())):
                if isinstance(row, TextRow):
                    return row.example.input
    return Input()


def merged_figures(folders: Sequence[str]) -> Summary:
    """Add up runs, and warn about anything odd in them."""
    from esascore.reports.summary import summary_of
    from esascore.run.merging import merge_runs

    merged = merge_runs(folders)
    warn(*merged.warnings)
    return summary_of(merged.sums, merged.metrics)
