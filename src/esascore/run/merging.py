"""The totals of systems, from the footers of one run or of several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from esascore.errors import DataError, UsageError
from esascore.metrics import restored_metric
from esascore.metrics.base import Metric
from esascore.run.files import manifest_of
from esascore.run.results import Footer, footer_of, unpacked
from esascore.run.scored import Sums
from esascore.run.storage import Folder, checksum_of
from esascore.run.units import Unit

_READERS = 16
_LISTED = 5


@dataclass(frozen=True, slots=True)
class Merged:
    """The totals of systems by name, the metrics, and warnings about the rows."""

    sums: dict[str, Sums]
    metrics: tuple[Metric[Any], ...]
    warnings: tuple[str, ...]


def merge_runs(paths: Sequence[str]) -> Merged:
    """Add up the footers of runs.

    Parameters
    ----------
    paths
        The folders of runs, or their URLs.

    Raises
    ------
    DataError
        A folder holds no run, or units are missing; runs have other settings, or learned from other rows; a
        row is in two units.
    UsageError
        A folder is given twice.
    """
    for place, path in enumerate(paths):
        if path in paths[:place]:
            raise UsageError(f"{path} is given twice: its rows would count twice")
    runs = [_run(path) for path in paths]
    first = runs[0][0]
    for path, (manifest, _) in zip(paths, runs, strict=True):
        if manifest["key"] != first["key"]:
            raise DataError(
                f"its settings are not those of {paths[0]}, or it learned from other rows, so that figures "
                "cannot be added: score both with the same version, metrics, profile, lexicons and --learned",
                file=path,
            )
    footers = [footer for _, own in runs for footer in own]
    _refuse_repetitions(footers)
    metrics = tuple(restored_metric(*pair) for pair in first["signatures"].items())
    sums: dict[str, Sums] = {}
    for footer in footers:
        for system, written in footer.totals.items():
            own = Sums.from_dict(written, metrics)
            sums[system] = sums[system] + own if system in sums else own
    if not sums:
        raise DataError("no row could be scored", file=paths[0])
    return Merged(dict(sorted(sums.items())), metrics, tuple(_warnings(footers, sums, metrics)))


def _run(path: str) -> tuple[dict[str, Any], list[Footer]]:
    """Return the manifest of a run, and the footers of all its units."""
    folder = Folder(path)
    manifest = manifest_of(folder)
    if manifest is None:
        raise DataError("this is not a folder with a run of esascore score --out", file=path)
    if manifest.pop("checksum", "") != checksum_of(manifest):
        raise DataError("the run in this folder cannot be read: score it again", file=path)
    units, key = [Unit(**unit) for unit in manifest["units"]], manifest["key"]
    with ThreadPoolExecutor(_READERS) as readers:
        found = list(readers.map(lambda unit: footer_of(unit, folder, key), units))
    footers = [footer for footer in found if footer is not None]
    if lacking := len(units) - len(footers):
        undone = f"{lacking} of {len(units)} units are not scored yet"
        raise DataError(f"{undone}: run the command that made this folder again", file=path)
    return manifest, footers


def _refuse_repetitions(footers: Sequence[Footer]) -> None:
    keys = [unpacked(footer.keys) for footer in footers]
    ordered = np.sort(np.concatenate(keys))
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if twice.size:
        one, other = [footer for footer, own in zip(footers, keys, strict=True) if twice[0] in own][:2]
        told = f"a row of {other.unit['file']} has the system and the id of one of {one.unit['file']}"
        raise DataError(f"{told}: it would count twice")


def _warnings(
    footers: Sequence[Footer], sums: dict[str, Sums], metrics: Sequence[Metric[Any]]
) -> Iterator[str]:
    """Yield warnings about the rows."""
    rows, malformed = (sum(getattr(one, name) for one in footers) for name in ("rows", "malformed"))
    if malformed:
        yield f"{malformed} of {rows:,} rows are malformed and not scored, the first:"
        yield from list(_problems(footers))[:_LISTED]
    for pattern in sorted(set.intersection(*(set(footer.unfit) for footer in footers))):
        yield f"the pattern {pattern!r} fits no attribute"
    figures = [own.fields(metrics) for own in sums.values()]
    alone = [
        metric.name
        for metric in metrics
        if metric.with_references and all(own[metric.columns[0].field] is None for own in figures)
    ]
    if alone:
        yield f"no row has references: {', '.join(alone)} cannot score any"


def _problems(footers: Sequence[Footer]) -> Iterator[str]:
    """Yield the first malformed rows of each unit, with their numbers in the file."""
    before: dict[str, int] = {}
    for footer in sorted(footers, key=lambda one: (one.unit["file"], one.unit["group"], one.unit["start"])):
        file = footer.unit["file"]
        for number, reason in footer.problems:
            yield f"{file}:{before.get(file, 0) + number}: {reason}"
        before[file] = before.get(file, 0) + footer.lines
